//! Rules of contact as they stand in a scene file.

use super::{ComplianceFile, HertzFile, is_default};
use crate::scene::items::Items;
use crate::scene::value::Number;
use serde::{Deserialize, Serialize};

/// Friction of a material that gives none.
pub const FRICTION: f64 = 0.5;

/// Rules of contact; without them shapes are only drawn and weighed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactFile {
    /// Materials by name; the first is that of shapes that name none. Without any, one material is everywhere.
    #[serde(default, skip_serializing_if = "Items::is_empty")]
    pub materials: Items<MaterialFile>,
    /// What certain pairs of materials do to each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairFile>,
    /// Pairs of bodies that never touch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<(String, String)>,
    /// Whether bodies that a joint connects touch each other.
    #[serde(default, skip_serializing_if = "is_default")]
    pub joined: bool,
}

/// What a surface is made of.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaterialFile {
    /// Coefficient of Coulomb friction against itself; [`FRICTION`] if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Number>,
    /// Coefficient of restitution against itself, 0 to 1.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: Number,
    /// How far its surface gives; not at all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<ComplianceFile>,
    /// How far its surface gives as elastic bodies that are round; instead of `compliance`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hertz: Option<HertzFile>,
}

/// What two materials do to each other; what is absent follows from the two.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairFile {
    /// The materials.
    pub materials: (String, String),
    /// Coefficient of Coulomb friction; the geometric mean of the materials' if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Number>,
    /// Coefficient of restitution, 0 to 1; the larger of the materials' if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<Number>,
    /// How far both surfaces together give; one behind the other if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<ComplianceFile>,
    /// How far both surfaces together give as elastic bodies that are round; instead of `compliance`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hertz: Option<HertzFile>,
}
