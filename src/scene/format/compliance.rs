//! How far constraints give, as it stands in a scene file.

use super::is_default;
use crate::scene::value::Number;
use serde::{Deserialize, Serialize};

/// Spring and damper in the place of something held.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComplianceFile {
    /// [N/m] or [N·m/rad]; infinite if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Number>,
    /// [N·s/m] or [N·m·s/rad].
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: Number,
}

/// Springs and dampers in the place of what a joint holds.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointComplianceFile {
    /// Of held translations [N/m]; infinite if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Number>,
    /// Of held translations [N·s/m].
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: Number,
    /// Of held rotations [N·m/rad]; infinite if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness_rotation: Option<Number>,
    /// Of held rotations [N·m·s/rad].
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping_rotation: Number,
}
