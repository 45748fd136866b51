//! How far constraints give, as it stands in a scene file.

use super::is_default;
use crate::scene::value::Number;
use serde::{Deserialize, Serialize};

/// Spring and damper in the place of something held.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComplianceFile {
    /// (N/m) or (N·m/rad); infinite if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Number>,
    /// (N·s/m) or (N·m·s/rad).
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: Number,
}

/// Elastic surfaces that are round where they touch.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HertzFile {
    /// Young's modulus (Pa).
    pub modulus: Number,
    /// Poisson's ratio.
    #[serde(default, skip_serializing_if = "is_default")]
    pub poisson: Number,
    /// [N·s/m^{3/2}].
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: Number,
    /// Radius of curvature of what has none of its own (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
}

/// Layer of springs and dampers on a face.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundationFile {
    /// The face, by the axis of the shape along which it looks: `"+z"` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face: Option<String>,
    /// Number of elements along the two axes of the face.
    pub elements: (usize, usize),
    /// Extent along these about the origin of a half-space (m); a box has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<(Number, Number)>,
    /// Depth of the layer (m).
    pub depth: Number,
    /// Elastic modulus (Pa).
    pub modulus: Number,
    /// Viscosity (Pa·s).
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: Number,
}

/// Springs and dampers in the place of what a joint holds.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointComplianceFile {
    /// Of held translations (N/m); infinite if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Number>,
    /// Of held translations (N·s/m).
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: Number,
    /// Of held rotations (N·m/rad); infinite if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness_rotation: Option<Number>,
    /// Of held rotations (N·m·s/rad).
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping_rotation: Number,
}
