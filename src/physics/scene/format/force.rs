//! Couplings, springs, cables and wrenches as they stand in a scene file.

use super::{ComplianceFile, is_default, is_world, world};
use crate::scene::value::{Number, Signals, Vector};
use serde::{Deserialize, Serialize};

/// A relation between joint coordinates; exactly one of `screw`, `gear`, `rack`, `terms`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CouplingFile {
    /// Cylindrical joint that moves along its axis as it turns; needs `pitch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screw: Option<String>,
    /// Advance per turn of a screw (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pitch: Option<Number>,
    /// Two joints, the first of which turns `ratio` times as fast as the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gear: Option<(String, String)>,
    /// Turns of the first joint per turn of the second; negative for opposite senses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Number>,
    /// A joint that turns (the pinion) and a joint that slides (the rack); needs `radius`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<(String, String)>,
    /// Displacement of the rack per radian of the pinion (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
    /// Any linear relation: the sum of factor times coordinate keeps its first value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<TermFile>,
    /// How far the relation gives; not at all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<ComplianceFile>,
}

/// One term of a linear relation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermFile {
    /// The joint.
    pub joint: String,
    /// Which coordinate, counted from 0, translations first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub coordinate: usize,
    /// Factor of the coordinate.
    pub factor: Number,
}

/// A spring and damper along the line between two points.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpringFile {
    /// One end.
    pub from: AttachmentFile,
    /// The other end.
    pub to: AttachmentFile,
    /// (N/m).
    #[serde(default, skip_serializing_if = "is_default")]
    pub stiffness: Number,
    /// Length at which it is relaxed (m); the length at the start if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<Number>,
    /// Damping along the line (N·s/m).
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: Number,
}

/// A rope without mass: its ends are never farther apart than its length.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CableFile {
    /// Where it is fixed.
    pub ends: (AttachmentFile, AttachmentFile),
    /// Length (m); the distance of its ends at the start if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number>,
    /// Coefficient of restitution when it becomes taut, 0 to 1.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: Number,
    /// How far it stretches; not at all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<ComplianceFile>,
}

/// A point of a body or of the world.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttachmentFile {
    /// The body, or `world`.
    #[serde(default = "world", skip_serializing_if = "is_world")]
    pub body: String,
    /// The point in the body's frame, or in the world (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vector>,
}

/// A force and a torque on a body.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrenchFile {
    /// The body.
    pub body: String,
    /// Point of attack in the body's frame (m); the centre of mass if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vector>,
    /// Axes of force and torque: `world` (default) or `body`, which turn with it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axes: AxesFile,
    /// Force along the three axes (N).
    #[serde(default, skip_serializing_if = "is_default")]
    pub force: Signals,
    /// Torque about the three axes (N·m).
    #[serde(default, skip_serializing_if = "is_default")]
    pub torque: Signals,
}

/// Axes in which a wrench is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AxesFile {
    /// World axes.
    #[default]
    World,
    /// The body's own axes.
    Body,
}
