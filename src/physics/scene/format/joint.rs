//! Joints, their springs and their drives as they stand in a scene file.

use super::{ComplianceFile, JointComplianceFile, OrientationFile, is_default, is_world, world};
use crate::scene::value::{Number, Numbers, SignalValue, Vector};
use serde::{Deserialize, Serialize};

/// A joint between two bodies or a body and the world.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointFile {
    /// What is free.
    pub kind: Kind,
    /// Parent body, or `world`.
    #[serde(default = "world", skip_serializing_if = "is_world")]
    pub parent: String,
    /// Child body.
    pub child: String,
    /// Anchor in the parent's frame (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Vector>,
    /// Joint axis (z axis of the joint frame) in the parent's frame; `(0, 0, 1)` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Vector>,
    /// x axis of the joint frame, perpendicular to `axis`: the child's cross axis of a universal joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x_axis: Option<Vector>,
    /// Anchor in the child's frame (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_anchor: Option<Vector>,
    /// Orientation of the child's frame in the parent's where all coordinates are zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_orientation: Option<OrientationFile>,
    /// `anchor`, `axis` and `x_axis` are world coordinates at the start, where all joint coordinates are zero.
    #[serde(default, skip_serializing_if = "is_default")]
    pub in_world: bool,
    /// Coordinates at the start (m, rad), which place the child.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Numbers>,
    /// Rates at the start (m/s, rad/s), which move the child.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<Numbers>,
    /// Viscous damping of the free coordinates of a joint that only turns (N·m·s/rad) or only slides (N·s/m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Number>,
    /// Viscous damping of the free translations (N·s/m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_translation: Option<Number>,
    /// Viscous damping of the free rotations (N·m·s/rad).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_rotation: Option<Number>,
    /// Springs on coordinates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub springs: Vec<JointSpringFile>,
    /// Drives on coordinates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actuators: Vec<ActuatorFile>,
    /// Ranges of coordinates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<LimitFile>,
    /// How far what it holds gives; not at all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<JointComplianceFile>,
}

/// Kinds of joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Nothing moves.
    #[default]
    Fixed,
    /// Slides along the axis.
    Prismatic,
    /// Slides in the plane normal to the axis, does not turn.
    Planar,
    /// Translates freely, does not turn.
    FixedOrientation,
    /// Turns about the axis.
    Revolute,
    /// Slides along and turns about the axis.
    Cylindrical,
    /// Slides in the plane normal to the axis and turns about the axis.
    PlanarAxis,
    /// Cardan joint: turns about the axis, then about the child's cross axis.
    Universal,
    /// Turns freely about the anchor.
    Spherical,
    /// The child's anchor stays on the axis.
    PointOnLine,
    /// The child's anchor stays in the plane normal to the axis.
    PointOnPlane,
    /// No constraint.
    Floating,
}

/// A spring on one joint coordinate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointSpringFile {
    /// Which coordinate, counted from 0, translations first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub coordinate: usize,
    /// (N/m) or (N·m/rad).
    pub stiffness: Number,
    /// Coordinate at which it is relaxed [m or rad].
    #[serde(default, skip_serializing_if = "is_default")]
    pub rest: Number,
}

/// A drive on one joint coordinate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActuatorFile {
    /// Which coordinate, counted from 0, translations first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub coordinate: usize,
    /// Feed-forward force (N) or torque (N·m).
    #[serde(default, skip_serializing_if = "is_default")]
    pub command: SignalValue,
    /// Proportional-derivative law, added to the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pd: Option<PdFile>,
    /// Bound on the magnitude of the sum [N or N·m]; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Number>,
}

/// A proportional-derivative law.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PdFile {
    /// [N/m or N·m/rad].
    pub stiffness: Number,
    /// [N·s/m or N·m·s/rad].
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: Number,
    /// Wanted coordinate [m or rad].
    #[serde(default, skip_serializing_if = "is_default")]
    pub target: SignalValue,
    /// Wanted rate [m/s or rad/s], beside that of a target that is a motion through waypoints.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rate: SignalValue,
}

/// Range of one joint coordinate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitFile {
    /// Which coordinate, counted from 0, translations first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub coordinate: usize,
    /// Least value [m or rad]; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<Number>,
    /// Largest value [m or rad]; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<Number>,
    /// Coefficient of restitution, 0 to 1.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: Number,
    /// How far it gives; not at all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<ComplianceFile>,
}
