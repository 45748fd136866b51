//! What happens to the scene as a whole. Every feature hears of it and brings what is its own in line.
//!
//! Both are triggered as soon as the scene has changed, and heard before anything else is done with it.

use bevy::prelude::Event;
use physics::model::{BodyId, Model};
use physics::scene::editing::renamed;
use std::sync::Arc;

/// Another scene has taken the place of the one that was open.
#[derive(Event, Debug, Clone, Copy)]
pub struct SceneOpened;

/// The open scene has another model: by an edit, by undo, by travel in time beyond an edit, or since its file was read
/// again.
#[derive(Event, Debug, Clone)]
pub struct ModelEdited {
    /// The model before, whose items have the names that they have now where they were only renamed.
    pub before: Arc<Model>,
    /// The model now.
    pub after: Arc<Model>,
}

impl ModelEdited {
    /// From one model to another.
    pub fn new(before: &Arc<Model>, after: &Arc<Model>) -> Self {
        Self {
            before: renamed(before, after).map_or_else(|| before.clone(), Arc::new),
            after: after.clone(),
        }
    }

    /// The body that has the name of one of the model before.
    pub fn body(&self, before: BodyId) -> Option<BodyId> {
        let name = &self.before.bodies.get(before.0)?.name;
        self.after.body(name)
    }
}
