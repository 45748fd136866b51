//! A generated scene under other parameters: the one before, with its edits, comes back by undo.

use crate::editing::drafts;
use crate::session::Session;
use crate::session::generations::{Former, NAME};
use crate::state::shell::Shell;
use physics::scene::{Amendment, Document, Edit};

/// The scene that is open, whose edits are kept as a draft, too.
fn leave(session: &mut Session, shell: &mut Shell) -> Former {
    drafts::store(session, shell);
    let next = Document::new(session.simulation.shared_model());
    Former {
        spec: session.scene.name.clone(),
        text: session.scene.text.clone(),
        document: std::mem::replace(&mut session.document, next),
        draft: shell.editor.draft.take(),
    }
}

/// Goes on with the edits that the scene had; it was just opened without them.
fn come_back(former: Former, session: &mut Session, shell: &mut Shell) {
    if session.scene.text != former.text {
        let edit = Edit::new(NAME, vec![Amendment::Text(former.text)]);
        if let Err(errors) = session.edit(&edit) {
            // They stay in the draft.
            shell.notices.scene = Some(errors.to_string());
            return;
        }
    }
    session.document = former.document;
    session.document.note(&session.simulation);
    session.document.seal();
    shell.editor.draft = former.draft;
}

/// Puts the open scene away for the same with other parameters, which then runs.
pub fn leave_for(
    session: &mut Session,
    shell: &mut Shell,
    adopt: impl FnOnce(&mut Session, &mut Shell) -> bool,
) -> bool {
    let edited = session.document.is_modified();
    let former = leave(session, shell);
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
    let left = leave(session, shell);
    let replaced = adopt(session, shell);
    come_back(to, session, shell);
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
