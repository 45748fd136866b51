//! The form of a take in a file: a header, a line that ends it, and a line for everything that happened.

use super::edit::Edit;
use super::settings::SettingsRecord;
use crate::model::{Input, State};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the format that this program writes. It reads all up to this one. Version 1 had no `Mechanism`; up to
/// version 2 options of methods were fields of the settings, and what a method remembers had named parts; up to version 3
/// inputs had no wrenches.
pub(super) const VERSION: u32 = 4;

/// The line between the header and the records.
pub(super) const RULE: &str = "--- steps ---";

/// What a take begins with.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    /// Version of the format.
    pub take: u32,
    /// Version of the program that recorded it.
    pub program: String,
    /// Name of the scene.
    pub name: String,
    /// Text of the scene.
    pub scene: String,
    /// Mesh files of the scene, in base64.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub meshes: BTreeMap<String, String>,
    /// The method at the first step.
    pub integrator: String,
    /// The settings at the first step.
    pub settings: SettingsRecord,
    /// How the model at the first step differs from that of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<Edit>,
    /// Total energy from which the energy error counts (J).
    pub initial_energy: f64,
    /// State before the first step.
    pub state: State,
    /// Its hash.
    pub digest: String,
}

/// One thing that happened.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Record {
    /// What acts from the next step on.
    Input(Input),
    /// Other settings.
    Settings(SettingsRecord),
    /// Another method.
    Integrator(String),
    /// An edited model.
    Model(Box<Edit>),
    /// Another mechanism in another state; the last is whether it is a first state.
    Mechanism(Box<Edit>, Box<State>, bool),
    /// A step was taken: its number and the hash of the state after it.
    Step(u64, String),
    /// The whole state after the last step.
    State(Box<State>),
    /// The step after the last one failed, and why.
    Failed(String),
    /// The take is complete: number of steps.
    End(u64),
}

/// A hash as it is written.
pub(super) fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}
