//! A generated scene under other parameters: the one before, with its edits, comes back by undo.

use super::super::session::Session;
use super::super::shell::Shell;
use super::drafts;
use crate::scene::{Amendment, Document, Edit};
use std::path::PathBuf;

/// What undo and redo call another choice of parameters.
pub const NAME: &str = "parameters";

/// Scenes that other parameters have taken the place of.
#[derive(Debug, Default)]
pub struct Generations {
    /// Those before, the last at the end.
    before: Vec<Former>,
    /// Those that undo has left, the last at the end, each with the version of the edits from which redo leads there.
    after: Vec<(usize, Former)>,
    /// Whether a slider is still held: all that it passes is one to undo.
    held: bool,
    /// Whether the scene that ran when the slider was taken has been put away.
    put_away: bool,
}

/// A scene as it was left.
#[derive(Debug)]
struct Former {
    spec: String,
    text: String,
    document: Document,
    draft: Option<PathBuf>,
}

impl Former {
    /// The scene that is open, whose edits are kept as a draft, too.
    fn leave(session: &mut Session, shell: &mut Shell) -> Self {
        drafts::store(session, shell);
        let next = Document::new(session.simulation.shared_model());
        Self {
            spec: session.scene.name.clone(),
            text: session.scene.text.clone(),
            document: std::mem::replace(&mut session.document, next),
            draft: shell.desk.draft.take(),
        }
    }

    /// Goes on with the edits that the scene had; it was just opened without them.
    fn come_back(self, session: &mut Session, shell: &mut Shell) {
        if session.scene.text != self.text {
            let edit = Edit::new(NAME, vec![Amendment::Text(self.text)]);
            if let Err(errors) = session.edit(&edit) {
                // They stay in the draft.
                shell.notices.scene = Some(errors.to_string());
                return;
            }
        }
        session.document = self.document;
        session.document.note(&session.simulation);
        session.document.seal();
        shell.desk.draft = self.draft;
    }
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

/// Puts the open scene away for the same with other parameters, which then runs.
pub fn leave_for(
    session: &mut Session,
    shell: &mut Shell,
    adopt: impl FnOnce(&mut Session, &mut Shell) -> bool,
) -> bool {
    let edited = session.document.is_modified();
    let former = Former::leave(session, shell);
    let mut generations = std::mem::take(&mut session.generations);
    let replaced = adopt(session, shell);
    if !std::mem::replace(&mut generations.put_away, true) {
        generations.before.push(former);
        generations.after.clear();
        if edited {
            let said = "Built anew, without the edits. Ctrl + Z brings them back.";
            shell.notices.hint(said);
        }
    }
    session.generations = generations;
    replaced
}

/// Goes back to the parameters before, or on again; the scene with them was just opened.
pub fn travel(
    forth: bool,
    session: &mut Session,
    shell: &mut Shell,
    adopt: impl FnOnce(&mut Session, &mut Shell) -> bool,
) -> bool {
    let mut generations = std::mem::take(&mut session.generations);
    let to = if forth {
        generations.after.pop().map(|(_, former)| former)
    } else {
        generations.before.pop()
    };
    let Some(to) = to else {
        session.generations = generations;
        return false;
    };
    let left = Former::leave(session, shell);
    let replaced = adopt(session, shell);
    to.come_back(session, shell);
    let version = session.document.version();
    if forth {
        generations.before.push(left);
    } else {
        generations.after.push((version, left));
    }
    session.generations = generations;
    let word = if forth { "Redone" } else { "Undone" };
    shell.notices.hint(format!("{word}: {NAME}"));
    replaced
}
