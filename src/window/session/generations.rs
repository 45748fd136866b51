//! A generated scene under other parameters: the one before, with its edits, comes back by undo.

use physics::scene::Document;
use std::path::PathBuf;

/// What undo and redo call another choice of parameters.
pub const NAME: &str = "parameters";

/// Scenes that other parameters have taken the place of.
#[derive(Debug, Default)]
pub struct Generations {
    /// Those before, the last at the end.
    pub before: Vec<Former>,
    /// Those that undo has left, the last at the end, each with the version of the edits from which redo leads there.
    pub after: Vec<(usize, Former)>,
    /// Whether a slider is still held: all that it passes is one to undo.
    held: bool,
    /// Whether the scene that ran when the slider was taken has been put away.
    pub put_away: bool,
}

/// A scene as it was left.
#[derive(Debug)]
pub struct Former {
    /// What opens it.
    pub spec: String,
    /// Its text.
    pub text: String,
    /// Its edits.
    pub document: Document,
    /// The file in which they are kept.
    pub draft: Option<PathBuf>,
}

impl Generations {
    /// Notes that a slider asks for other parameters.
    pub fn pull(&mut self) {
        if !std::mem::replace(&mut self.held, true) {
            self.put_away = false;
        }
    }

    /// Notes that no slider is held any more.
    pub fn release(&mut self) {
        self.held = false;
    }

    /// What opens the scene to which undo goes once all edits are taken back.
    pub fn undo_spec(&self) -> Option<&str> {
        self.before.last().map(|f| f.spec.as_str())
    }

    /// What opens the scene to which redo goes from a version of the edits.
    pub fn redo_spec(&self, version: usize) -> Option<&str> {
        let (from, former) = self.after.last()?;
        (*from == version).then_some(former.spec.as_str())
    }
}
