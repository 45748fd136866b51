//! What several rooms of the window know: what is shown, selected and said.

pub mod arrangement;
pub mod draft;
pub mod highlight;
pub mod layers;
pub mod look;
pub mod machine;
pub mod notices;
pub mod panels;
pub mod plot_view;
pub mod preferences;
pub mod recording;
pub mod selection;
pub mod shortcut;
pub mod tool;
pub mod trails;
pub mod workspace;

use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::look::Look;
use crate::state::machine::Machine;
use crate::state::notices::Notices;
use crate::state::preferences::Preferences;
use crate::state::tool::Tool;
use crate::state::trails::SessionTrails;
use crate::state::workspace::Workspace;
use bevy::prelude::*;

/// What is shown, selected and said.
pub struct StatePlugin;

impl Plugin for StatePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Look>()
            .init_resource::<Highlight>()
            .init_resource::<Machine>()
            .init_resource::<Notices>()
            .init_resource::<Preferences>()
            .init_resource::<Tool>()
            .init_resource::<Workspace>()
            .init_resource::<look::AbsentTrails>()
            .add_observer(look::on_scene_opened)
            .add_observer(look::on_model_edited)
            .add_observer(highlight::on_scene_opened)
            .add_observer(highlight::on_model_edited)
            .add_observer(notices::on_scene_opened)
            .add_observer(tool::on_scene_opened)
            .init_resource::<SessionTrails>();
        // From the first moment on.
        app.world_mut()
            .resource_scope(|world, trails: Mut<SessionTrails>| {
                trails.watch(&mut world.resource_mut::<Session>());
            });
    }
}
