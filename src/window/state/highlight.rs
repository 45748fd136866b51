//! What the view lights up: the selection, and what pointer and panels point at.

use crate::session::events::{ModelEdited, SceneOpened};
use crate::state::selection::Selection;
use bevy::prelude::*;
use physics::model::BodyId;

/// What is selected, pointed at and within reach.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct Highlight {
    /// Selected body, joint or other item.
    pub selection: Option<Selection>,
    /// What a panel points at.
    pub pointed: Vec<Selection>,
    /// The body that the pointer would pull.
    pub in_reach: Option<BodyId>,
    /// Whether the pointer pulls a body or could.
    pub can_pull: bool,
    /// Whether the pointer is over a body and nobody has pulled one yet, who might not know how.
    pub invites: bool,
}

/// Nothing of the scene before is selected in the next.
pub(super) fn on_scene_opened(_: On<SceneOpened>, mut highlight: ResMut<Highlight>) {
    highlight.selection = None;
}

/// What is selected stays so, by name.
pub(super) fn on_model_edited(edited: On<ModelEdited>, mut highlight: ResMut<Highlight>) {
    let ModelEdited { before, after } = edited.event();
    highlight.selection = highlight.selection.and_then(|s| s.moved(before, after));
    // Until something is pointed at again.
    highlight.pointed.clear();
}
