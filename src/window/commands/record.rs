//! What can be asked of films.

use crate::state::recording::RecordSettings;
use std::path::PathBuf;

/// Commands about films.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordCommand {
    /// Begins a film of what happens from now on, after a countdown if one is wanted, or ends it.
    Live,
    /// Begins it at once.
    Begin,
    /// Opens a film that was saved in the desktop's player.
    Play(PathBuf),
    /// Shows where a file lies, in the desktop's file manager.
    Reveal(PathBuf),
    /// Makes a film of the scene from its start, in the background.
    FromStart,
    /// Makes a film of the run so far, from its first moment to its end, in the background.
    Past,
    /// Saves one picture of the view at the size of films.
    Still,
    /// Ends a film with the frames that it has, by its place in the list.
    Stop(usize),
    /// Other settings.
    Settings(RecordSettings),
    /// Keeps the view, for a camera that goes through several.
    KeepView,
    /// Leads the camera through all views that were kept.
    ThroughViews,
}
