//! Scenes to choose from, and how one is opened.

pub mod files;
pub mod gallery;
pub mod gallery_ui;
pub mod list_ui;
pub mod opening;
pub mod opening_ui;
pub mod textures;

use crate::state::panels::PanelId;
use crate::ui::panels::AddPanel;
use bevy::prelude::{Resource, World};

/// A scene that can be opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// What opens it: a name, or a generator with its parameters.
    pub spec: String,
    /// Name shown to people.
    pub title: String,
    /// What it belongs to.
    pub group: String,
    /// One line on what there is to see.
    pub description: String,
    /// Whether it is a generator, whose parameters can be edited.
    pub generated: bool,
}

/// The scenes to choose from.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct SceneList {
    /// All scenes that have a name.
    pub catalogue: Vec<Entry>,
    /// What is typed into the search of the list.
    pub search: String,
}

/// What the panel of this room draws.
pub fn add_panels(world: &mut World) {
    world.add_panel(PanelId::Scenes, list_ui::panel);
}
