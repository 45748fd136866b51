//! A generated scene under other parameters: the one before, with its edits, comes back by undo.

use crate::editing::{EditorState, drafts};
use crate::session::Session;
use crate::session::generations::{Former, Generations, NAME};
use crate::state::notices::Notices;
use bevy::prelude::*;
use physics::scene::{Amendment, Edit};

/// The scene that is open, whose edits are kept as a draft, too.
fn leave(world: &mut World) -> Former {
    drafts::store(world);
    let draft = world.resource_mut::<EditorState>().draft.take();
    let mut session = world.resource_mut::<Session>();
    Former {
        spec: session.scene().name.clone(),
        text: session.scene().text.clone(),
        document: session.take_document(),
        draft,
    }
}

/// Goes on with the edits that the scene had; it was just opened without them.
fn come_back(former: Former, world: &mut World) {
    let session = &mut *world.resource_mut::<Session>();
    if session.scene().text != former.text {
        let edit = Edit::new(NAME, vec![Amendment::Text(former.text)]);
        if let Err(errors) = session.edit(&edit) {
            // They stay in the draft.
            world.resource_mut::<Notices>().scene = Some(errors.to_string());
            return;
        }
    }
    session.restore_document(former.document);
    world.resource_mut::<EditorState>().draft = former.draft;
}

fn take_generations(world: &mut World) -> Generations {
    world.resource_mut::<Session>().take_generations()
}

/// Puts the open scene away for the same with other parameters, which then runs.
pub fn leave_for(world: &mut World, adopt: impl FnOnce(&mut World) -> bool) -> bool {
    let edited = world.resource::<Session>().document().is_modified();
    let former = leave(world);
    let mut generations = take_generations(world);
    let replaced = adopt(world);
    if !std::mem::replace(&mut generations.put_away, true) {
        generations.before.push(former);
        generations.after.clear();
        if edited {
            let said = "Built anew, without the edits. Ctrl + Z brings them back.";
            world.resource_mut::<Notices>().hint(said);
        }
    }
    world
        .resource_mut::<Session>()
        .restore_generations(generations);
    replaced
}

/// Goes back to the parameters before, or on again; the scene with them was just opened.
pub fn travel(forth: bool, world: &mut World, adopt: impl FnOnce(&mut World) -> bool) -> bool {
    let mut generations = take_generations(world);
    let to = if forth {
        generations.after.pop().map(|(_, former)| former)
    } else {
        generations.before.pop()
    };
    let Some(to) = to else {
        world
            .resource_mut::<Session>()
            .restore_generations(generations);
        return false;
    };
    let left = leave(world);
    let replaced = adopt(world);
    come_back(to, world);
    let mut session = world.resource_mut::<Session>();
    let version = session.document().version();
    if forth {
        generations.before.push(left);
    } else {
        generations.after.push((version, left));
    }
    session.restore_generations(generations);
    let word = if forth { "Redone" } else { "Undone" };
    let said = format!("{word}: {NAME}");
    world.resource_mut::<Notices>().hint(said);
    replaced
}
