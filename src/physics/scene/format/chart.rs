//! Plots that a person builds, as a scene file has them.

use super::super::value::Number;
use serde::{Deserialize, Serialize};

fn time() -> String {
    "time".into()
}

fn is_time(name: &String) -> bool {
    name == "time"
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

/// Curves over one horizontal axis. Quantities are named as the columns of tables are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartFile {
    /// What it is called; made from its quantities if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Quantity along the horizontal axis; `time` if absent.
    #[serde(default = "time", skip_serializing_if = "is_time")]
    pub x: String,
    /// Quantities drawn over it.
    pub curves: Vec<String>,
    /// Only the moments at which a quantity passes a value; all moments if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionFile>,
}

/// The moments of a Poincaré section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionFile {
    /// The quantity.
    pub of: String,
    /// The value that it passes, in the quantity's unit.
    pub level: Number,
    /// From below (`true`, the default) or from above.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub rising: bool,
}
