//! Keeping document and selection in line with what happens beside edits: travel in time, and the end of a drag.

use crate::camera::view::View;
use crate::commands::CommandQueue;
use crate::pointer::Pointing;
use crate::scenes::opening::Opener;
use crate::session::Session;
use crate::session::events::ModelEdited;
use crate::state::notices::Notices;
use bevy::prelude::*;
use physics::model::Model;
use std::sync::Arc;

/// Frames without a button and without an edit after which a drag is over; its last edit is carried out in the frame
/// after the release.
const SETTLED: u32 = 3;

/// Lets the document be that of the moment shown, and keeps the selection by name.
pub fn follow(
    mut session: ResMut<Session>,
    mut notices: ResMut<Notices>,
    mut commands: Commands,
    mut pointing: ResMut<Pointing>,
    mut view: ResMut<View>,
    mut known: Local<Option<(u64, Arc<Model>)>>,
) {
    if view.poses.len() != session.poses().len() {
        // Bodies have come or gone with the moment shown.
        view.stand(&session);
    }
    let now = (session.generation(), session.shared_model().clone());
    let before = known.replace(now.clone());
    let Some((generation, model)) = before else {
        return;
    };
    if generation != now.0 || Arc::ptr_eq(&model, &now.1) {
        return;
    }
    if session.compiles_in_background() {
        if session.document_lags() {
            // Its text is read in the background.
            tell(&mut commands, &mut pointing, [&model, &now.1]);
        }
        return;
    }
    match session.follow_document() {
        Ok(true) => tell(&mut commands, &mut pointing, [&model, &now.1]),
        Ok(false) => {}
        Err(errors) => notices.setting = Some(errors.to_string()),
    }
}

/// Tells everybody that another model has taken the place of one.
fn tell(commands: &mut Commands, pointing: &mut Pointing, [before, now]: [&Arc<Model>; 2]) {
    commands.trigger(ModelEdited::new(before, now));
    if before.bodies.len() != now.bodies.len() {
        pointing.pointer.drop_all();
    }
}

/// Ends the group of edits that one drag makes when the button is up again.
pub fn seal(
    mut session: ResMut<Session>,
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    queue: Res<CommandQueue>,
    opener: Res<Opener>,
    mut idle: Local<u32>,
    mut known: Local<(u64, u64)>,
) {
    let held = buttons.is_some_and(|b| b.get_pressed().next().is_some());
    let now = (session.generation(), session.document().revision());
    let changed = std::mem::replace(&mut *known, now) != now;
    let busy = held
        || changed
        || !queue.0.is_empty()
        || opener.is_opening(|_| true)
        || session.compiling().is_some();
    *idle = if busy { 0 } else { *idle + 1 };
    if *idle == SETTLED {
        session.seal_edits();
    }
}
