//! What can be asked of editing.

use physics::scene::Kind;
use physics::scene::editing::{Edit, Fresh, Link, Point};
use std::path::PathBuf;

/// Something about editing.
#[derive(Debug, Clone, PartialEq)]
pub enum EditCommand {
    /// Changes the scene.
    Amend(Box<Edit>),
    /// Takes the last edit back.
    Undo,
    /// Makes the edit again that was taken back.
    Redo,
    /// Goes back to the first moment with what is in force, after the edits that were asked for before.
    Restart,
    /// The next click puts a body there.
    Place(Fresh),
    /// The next two clicks are connected.
    Attach(Link),
    /// Joins the body that is clicked next to the ground, where it is clicked.
    Ground(Kind),
    /// The joint that is being made has that axis of the world; a second time, again the one that suits the view.
    ChooseAxis(usize),
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
