//! Editing the scene in the window, its handles, what is clicked to be connected, saving, drafts, reloading.
//!
//! ```text
//! inspector, keys, menus, handles ──▶ EditCommand ──carry_out──▶ Session::edit ──▶ Document
//!                       refused ──▶ EditorState.refused, beside the field        files ──watch──▶ Opener, or a question
//!                                                                   Opener ──arrive──▶ the scene, as it was seen
//! ```

pub mod arrival;
pub mod carry_out;
pub mod drafts;
mod follow;
pub mod generations;
pub mod inspector;
mod plots;
pub mod question_ui;
mod queue;
pub mod recovery_ui;
pub mod saving;
mod watch;

use crate::pointer::gizmo;
use crate::schedule::AppSet;
use crate::session::events::SceneOpened;
use crate::state::draft::Draft;
use crate::state::panels::PanelId;
use crate::ui::panels::AddPanel;
use bevy::prelude::*;
use physics::scene::SceneError;
use std::path::PathBuf;

/// A question that a bar asks until it is answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// The file of the scene, or one that it names, has changed while there are edits that it does not hold.
    Changed(PathBuf),
    /// Reading the scene again would lose edits.
    Reload,
    /// Where to save.
    Save {
        /// What is typed.
        path: String,
        /// Comments that will be lost.
        lost: Vec<String>,
    },
    /// An earlier session left edits that were not saved.
    Draft(Draft),
}

/// What the window keeps for editing.
#[derive(Resource, Debug, Clone, Default)]
pub struct EditorState {
    /// What was wrong with the last edit, if it was refused.
    pub refused: Vec<SceneError>,
    /// What has to be answered.
    pub question: Option<Question>,
    /// The folder of drafts; none are kept if absent.
    pub drafts: Option<PathBuf>,
    /// The file in which the edits of the open scene are kept.
    pub draft: Option<PathBuf>,
    /// Whether the scene's file was wrong when it was last read again.
    pub broken: bool,
}

/// Everything of editing that needs no graphics card.
pub struct EditingPlugin;

impl Plugin for EditingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<EditorState>()
            .init_resource::<saving::SaveDialog>()
            .init_resource::<queue::EditQueue>()
            .add_observer(on_scene_opened)
            .add_systems(Startup, drafts::offer)
            .add_systems(
                Update,
                (
                    (gizmo::pull, saving::answer, watch::look)
                        .chain()
                        .in_set(AppSet::Ask),
                    // Time may have begun to run in this frame: a body is posed only where it stands still.
                    (
                        follow::follow,
                        plots::note,
                        follow::seal,
                        drafts::keep,
                        gizmo::pose,
                    )
                        .chain()
                        .in_set(AppSet::Follow),
                ),
            );
    }
}

/// What belonged to the scene before is over; what an earlier session left can still be restored.
fn on_scene_opened(_: On<SceneOpened>, mut editor: ResMut<EditorState>) {
    editor.refused.clear();
    editor.broken = false;
    editor
        .question
        .take_if(|q| !matches!(q, Question::Draft(_)));
    editor.draft = None;
}

/// What the panel of this room draws.
pub fn add_panels(world: &mut World) {
    world.add_panel(PanelId::Inspector, inspector::panel);
}
