//! Editing the scene in the window, its handles, what is clicked to be connected, saving, drafts, reloading.
//!
//! ```text
//! inspector, keys, menus, handles ──▶ EditWish ──carry_out──▶ Session::edit ──▶ Document
//!                       refused ──▶ Desk.refused, beside the field        files ──watch──▶ Opener, or a question
//!                                                                   Opener ──arrive──▶ the scene, as it was seen
//! ```

mod arrival;
mod carry_out;
mod drafts;
mod follow;
pub mod generations;
pub mod handles;
mod keep;
mod placing;
mod plots;
mod saving;
mod watch;

pub use arrival::arrive;
pub use carry_out::carry_out;
pub use drafts::{Draft, folder as drafts_folder};
pub use generations::Generations;
pub use keep::{Away, name as name_of};
pub use placing::{End, Mode, link_word, under as point_under};
pub use saving::asks_to_reload;

use crate::scene::SceneError;
use crate::scene::editing::{Edit, Fresh, Link, Point};
use bevy::prelude::*;
use std::path::PathBuf;

/// Something about editing.
#[derive(Debug, Clone, PartialEq)]
pub enum EditWish {
    /// Changes the scene.
    Amend(Box<Edit>),
    /// Takes the last edit back.
    Undo,
    /// Makes the edit again that was taken back.
    Redo,
    /// The next click puts a body there.
    Place(Fresh),
    /// The next two clicks are connected.
    Attach(Link),
    /// A point was clicked for what is being placed or connected.
    Click(Point),
    /// Stops placing or connecting.
    Stop,
    /// Adds a force on the selected body.
    AddForce,
    /// Couples the selected joint with another one.
    AddCoupling,
    /// Lets the scene open with the view as it is.
    KeepCamera,
    /// Copies what is selected.
    Duplicate,
    /// Deletes what is selected.
    Delete,
    /// Lets the scene start as it is now.
    Begin,
    /// Shows or hides the handles of the selected body.
    ToggleHandles,
    /// Opens the generator with these parameters in the place of the scene.
    Rebuild(String),
    /// Saves the scene to its file; asks where it has none, or what may be lost.
    Save,
    /// Asks where to save the scene.
    SaveAs,
    /// Asks the desktop for a file to save to.
    Browse,
    /// Saves the scene to this file.
    Write(PathBuf),
    /// Reads the scene's file again, whatever is lost.
    ReloadAnyway,
    /// Goes on with the edits that an earlier session left.
    Restore,
    /// Forgets the edits that an earlier session left.
    Discard,
    /// Takes the question away.
    Later,
}

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
#[derive(Debug, Clone, Default)]
pub struct Desk {
    /// What was wrong with the last edit, if it was refused.
    pub refused: Vec<SceneError>,
    /// What the next click in the view is for.
    pub mode: Mode,
    /// Whether handles are hidden.
    pub hides_handles: bool,
    /// The handle under the pointer, or held.
    pub handle: Option<handles::Handle>,
    /// What has to be answered.
    pub question: Option<Question>,
    /// The folder of drafts; none are kept if absent.
    pub drafts: Option<PathBuf>,
    /// The file in which the edits of the open scene are kept.
    pub draft: Option<PathBuf>,
    /// Plots and trails of what is not there now.
    pub away: Away,
    /// Whether the scene's file was wrong when it was last read again.
    pub broken: bool,
}

/// Everything of editing that needs no graphics card.
pub struct EditingPlugin;

impl Plugin for EditingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<saving::SaveDialog>()
            .add_systems(Startup, drafts::offer)
            .add_systems(
                Update,
                (
                    (handles::pull, saving::answer, watch::look).before(super::AppSet::Apply),
                    (follow::follow, plots::note, follow::seal, drafts::keep)
                        .chain()
                        .after(super::AppSet::Travel)
                        .before(super::AppSet::Draw),
                ),
            );
    }
}
