//! What can be asked of time: past moments, branches, takes.

use physics::sim::timeline::BranchId;
use std::path::PathBuf;

/// Commands about time.
#[derive(Debug, Clone, PartialEq)]
pub enum PlaybackCommand {
    /// Moves to a step of the branch and pauses there.
    Seek(u64),
    /// Moves so many steps back (negative) or on, and pauses there.
    By(i64),
    /// Moves to the first moment; if time runs, it goes on from there.
    Start,
    /// Moves to the last moment of the branch, likewise.
    End,
    /// Plays backwards, or pauses.
    Backwards,
    /// Names the moment shown.
    Bookmark,
    /// Gives a named moment another name, by its place in the list.
    Rename(usize, String),
    /// Takes a name back.
    Unname(usize),
    /// Moves to the named moment so many places later (or earlier, if negative) on the way that time went.
    Named(i32),
    /// Moves to a step of any branch and pauses there.
    Visit(BranchId, u64),
    /// Forgets a branch.
    Remove(BranchId),
    /// Changes the memory for the past (bytes).
    Memory(usize),
    /// Saves the way that time went as a take; no path means the usual place.
    SaveTake(Option<PathBuf>),
    /// Saves what the plots show as a table; no path means the usual place.
    SaveTable(Option<PathBuf>),
    /// Opens a take: its scene, with the recorded run as its past.
    OpenTake(PathBuf),
    /// Replays the way that time went and compares every bit.
    CheckReplay,
    /// Gives up the step that is under way, and pauses.
    GiveUp,
}
