//! What is asked of a large scene, whose edits are compiled in the background: one after the other, in order.
//!
//! Until an edit is there the window shows the scene as it is; one that is refused leaves it so, and the next is carried
//! out.

use crate::commands::editing::EditCommand;
use crate::editing::carry_out::{self, Editor};
use crate::session::Session;
use crate::session::compiling::{Asked, Ended};
use crate::state::notices::Notices;
use bevy::prelude::*;
use physics::model::Model;
use physics::scene::{Amendment, Edit};
use std::collections::VecDeque;
use std::sync::Arc;

/// What follows an edit that is done.
type After = Box<dyn FnOnce(&mut Editor) + Send + Sync>;

/// What waits for the edit that is being compiled.
#[derive(Resource, Default)]
pub struct EditQueue {
    waiting: VecDeque<Waiting>,
    after: Option<After>,
    /// What has to be begun anew, since the session has moved.
    again: Option<Asked>,
    /// The group of the edit that was begun last.
    group: Option<String>,
    /// The scene for which all this was asked.
    generation: u64,
    /// A model whose scene could not be read.
    unread: Option<Arc<Model>>,
}

/// A command that waits.
struct Waiting {
    command: EditCommand,
    /// What the scene had in the place of what is put there when this was asked for.
    found: Vec<Option<Amendment>>,
}

impl EditQueue {
    /// How many commands wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Begins an edit in the background; `after` follows when it is done. False if there is nothing to do.
    pub(super) fn begin(world: &mut World, asked: Asked, after: After) -> bool {
        let mut queue = world.resource_mut::<Self>();
        queue.after = Some(after);
        queue.group = match &asked {
            Asked::Edit(edit) => edit.group.clone(),
            _ => None,
        };
        let begun = world.resource_mut::<Session>().begin_compiling(asked);
        if !begun {
            world.resource_mut::<Self>().after = None;
        }
        begun
    }

    /// Lets a command wait if others do; gives back one that need not.
    pub(super) fn hold(world: &mut World, command: EditCommand) -> Option<EditCommand> {
        let session = world.resource::<Session>();
        let busy = session.compiling().is_some() || world.resource::<Self>().waiting() > 0;
        if !busy || !waits(&command) {
            return Some(command);
        }
        let found = match &command {
            EditCommand::Amend(edit) => found(edit, session),
            _ => Vec::new(),
        };
        let mut queue = world.resource_mut::<Self>();
        // Of a drag only the last value counts.
        if let Some(last) = queue.waiting.back_mut()
            && let (EditCommand::Amend(before), EditCommand::Amend(edit)) =
                (&last.command, &command)
            && goes_on(before, edit)
        {
            last.command = command;
        } else {
            queue.waiting.push_back(Waiting { command, found });
        }
        None
    }

    /// Lets a command wait before all others.
    pub(super) fn hold_first(world: &mut World, command: EditCommand) {
        let found = Vec::new();
        let mut queue = world.resource_mut::<Self>();
        queue.waiting.push_front(Waiting { command, found });
    }
}

/// Whether a command concerns what an edit may change.
fn waits(command: &EditCommand) -> bool {
    !matches!(
        command,
        EditCommand::ToggleHandles
            | EditCommand::Browse
            | EditCommand::Discard
            | EditCommand::Later
    )
}

/// What the scene has in the place of what an edit puts there.
fn found(edit: &Edit, session: &Session) -> Vec<Option<Amendment>> {
    let file = &session.scene().file;
    edit.amendments.iter().map(|a| a.undoing(file)).collect()
}

/// Whether an edit takes the place of the one before, as a later value of the same drag.
fn goes_on(before: &Edit, edit: &Edit) -> bool {
    let pairs = before.amendments.iter().zip(&edit.amendments);
    edit.group.is_some()
        && before.group == edit.group
        && before.amendments.len() == edit.amendments.len()
        && pairs.into_iter().all(|(a, b)| a.concerns_same(b))
}

/// Goes on with what was compiled in the background, and with what has waited for it.
pub fn receive(world: &mut World) {
    let generation = world.resource::<Session>().generation();
    let mut queue = world.resource_mut::<EditQueue>();
    if queue.generation != generation {
        *queue = EditQueue {
            generation,
            ..EditQueue::default()
        };
    }
    loop {
        let session = world.resource::<Session>();
        if session.compiling().is_some() {
            if !end(world) {
                return;
            }
            continue;
        }
        let model = session.shared_model();
        let queue = world.resource::<EditQueue>();
        let unread = queue.unread.as_ref().is_some_and(|m| Arc::ptr_eq(m, model));
        if session.compiles_in_background() && !unread && session.document_lags() {
            world
                .resource_mut::<Session>()
                .begin_compiling(Asked::Follow);
            return;
        }
        let mut queue = world.resource_mut::<EditQueue>();
        if let Some(asked) = queue.again.take() {
            let begun = world.resource_mut::<Session>().begin_compiling(asked);
            if !begun {
                world.resource_mut::<EditQueue>().after = None;
            }
        } else if let Some(next) = queue.waiting.pop_front() {
            take_turn(world, next);
        } else {
            return;
        }
    }
}

/// Carries a command out whose turn has come.
fn take_turn(
    world: &mut World,
    Waiting {
        command,
        found: then,
    }: Waiting,
) {
    if let EditCommand::Amend(edit) = &command {
        let goes_on = edit.group.is_some() && edit.group == world.resource::<EditQueue>().group;
        let now = found(edit, world.resource::<Session>());
        if !goes_on && now != then {
            let said = format!(
                "{} was not carried out: an edit before it has changed the same item. Enter it again.",
                edit.name
            );
            world.resource_mut::<Notices>().setting = Some(said);
            return;
        }
    }
    carry_out::carry_out(world, command);
}

/// Takes in what was compiled, if it is there.
fn end(world: &mut World) -> bool {
    let session = &mut *world.resource_mut::<Session>();
    let before = session.shared_model().clone();
    let Some((asked, ended)) = session.take_compiled() else {
        return false;
    };
    if asked == Asked::Follow {
        let said = match ended {
            Ended::Done | Ended::Moved => return true,
            Ended::Refused(errors) => errors.to_string(),
            Ended::Failed(said) => said,
            Ended::Cancelled => {
                "The text of the scene is still that of another moment, since reading it was cancelled.".into()
            }
        };
        world.resource_mut::<EditQueue>().unread = Some(before);
        world.resource_mut::<Notices>().setting = Some(said);
        return true;
    }
    let mut queue = world.resource_mut::<EditQueue>();
    let after = queue.after.take();
    match ended {
        Ended::Done => carry_out::minding_bodies(world, |world| {
            let mut editor = Editor { world };
            editor.settle(&before, Ok(true));
            if let Some(after) = after {
                after(&mut editor);
            }
        }),
        Ended::Refused(errors) => {
            Editor { world }.settle(&before, Err(errors));
        }
        // Whoever has gone elsewhere meanwhile does not want to go back any more.
        Ended::Moved if asked == Asked::Restart => {}
        Ended::Moved => {
            queue.after = after;
            queue.again = Some(asked);
        }
        Ended::Cancelled => world.resource_mut::<Notices>().hint("Cancelled."),
        Ended::Failed(said) => world.resource_mut::<Notices>().setting = Some(said),
    }
    true
}
