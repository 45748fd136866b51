//! Bodies as they stand in a scene file.

use super::ShapeFile;
use crate::scene::value::{ColourValue, Number, Numbers, Tensor, Vector};
use serde::{Deserialize, Serialize};

/// A rigid body. Its frame is where the author finds it handy; the centre of mass follows from shapes or `centre`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyFile {
    /// Mass (kg); from the density of the shapes if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
    /// Density of shapes without their own mass or density (kg/m³); 1000 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Inertia about the centre of mass, body axes (kg·m²); from the shapes if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Tensor>,
    /// Centre of mass in the body's frame (m); from the shapes if absent, the origin if `inertia` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<Vector>,
    /// The only shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<ShapeFile>,
    /// Several shapes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeFile>,
    /// Origin of the body's frame in the world at the start (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vector>,
    /// Orientation of the body's frame in the world at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<OrientationFile>,
    /// Velocity of the frame's origin at the start, world axes (m/s).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vector>,
    /// Angular velocity at the start, world axes (rad/s).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Vector>,
    /// Angular velocity at the start, body axes (rad/s), instead of `angular_velocity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<Vector>,
    /// Colour of shapes without their own; neighbours get different ones if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<ColourValue>,
    /// Material of shapes without their own; the first of the scene if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
}

/// An orientation: `axis` and `angle`, or `euler`, or `quaternion`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrientationFile {
    /// Axis of the rotation; need not be a unit vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Vector>,
    /// Angle about the axis (rad).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<Number>,
    /// Rotations about the fixed x, y and z axes, in this order (rad).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub euler: Option<Vector>,
    /// Quaternion (w, x, y, z); is normalised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quaternion: Option<Numbers>,
}
