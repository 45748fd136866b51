//! Bodies and shapes as they stand in a scene file.

use crate::scene::value::{ColourValue, Number, Numbers, Tensor, Vector};
use serde::{Deserialize, Serialize};

/// A rigid body. Its frame is where the author finds it handy; the centre of mass follows from shapes or `centre`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyFile {
    /// Mass [kg]; from the density of the shapes if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
    /// Density of shapes without their own mass or density [kg/m³]; 1000 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Inertia about the centre of mass, body axes [kg·m²]; from the shapes if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Tensor>,
    /// Centre of mass in the body's frame [m]; from the shapes if absent, the origin if `inertia` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<Vector>,
    /// The only shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<ShapeFile>,
    /// Several shapes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeFile>,
    /// Origin of the body's frame in the world at the start [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vector>,
    /// Orientation of the body's frame in the world at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<OrientationFile>,
    /// Velocity of the frame's origin at the start, world axes [m/s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vector>,
    /// Angular velocity at the start, world axes [rad/s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Vector>,
    /// Angular velocity at the start, body axes [rad/s], instead of `angular_velocity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<Vector>,
    /// Colour of shapes without their own; neighbours get different ones if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<ColourValue>,
}

/// One solid piece; exactly one of `sphere`, `box`, `cylinder`, `capsule`, `cone`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeFile {
    /// Ball.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sphere: Option<SphereFile>,
    /// Box.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub cuboid: Option<BoxFile>,
    /// Cylinder along its z axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cylinder: Option<RoundFile>,
    /// Cylinder along its z axis with hemispherical ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capsule: Option<RoundFile>,
    /// Cone along its z axis; its centre is its centroid, a quarter of the height above the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cone: Option<RoundFile>,
    /// Centre in the body's frame [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vector>,
    /// Orientation in the body's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<OrientationFile>,
    /// Lower end of the axis of a cylinder, capsule or cone [m], instead of `at` and `orientation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Vector>,
    /// Upper end of the axis, a cone's tip [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Vector>,
    /// Mass [kg]; 0 for a piece that is only drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
    /// Density [kg/m³].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<ColourValue>,
}

/// A ball.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SphereFile {
    /// Radius [m].
    pub radius: Number,
}

/// A box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxFile {
    /// Edge lengths along x, y and z [m].
    pub size: Vector,
}

/// A cylinder, capsule or cone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundFile {
    /// Radius [m].
    pub radius: Number,
    /// Length along the axis [m]; a capsule's caps come on top. Absent where `from` and `to` say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number>,
}

/// An orientation: `axis` and `angle`, or `euler`, or `quaternion`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrientationFile {
    /// Axis of the rotation; need not be a unit vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Vector>,
    /// Angle about the axis [rad].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<Number>,
    /// Rotations about the fixed x, y and z axes, in this order [rad].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub euler: Option<Vector>,
    /// Quaternion (w, x, y, z); is normalised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quaternion: Option<Numbers>,
}
