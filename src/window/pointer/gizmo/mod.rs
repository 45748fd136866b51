//! Handles of the selected body: arrows that move it along the world's axes, squares across them, rings that turn it about
//! them.
//!
//! While one is held time stands still, and the joints pull the rest of the mechanism along.

pub mod geometry;

use crate::pointer::gizmo::geometry::{Grab, Handle};

use crate::camera::view::View;
use crate::commands::editing::EditCommand;
use crate::commands::{Command, CommandQueue};
use crate::pointer::Pointing;
use crate::pointer::drag::DragKind;
use crate::pointer::snap;
use crate::session::Session;
use crate::session::playback::Playback;
use crate::state::highlight::Highlight;
use crate::state::tool::Mode;
use crate::state::tool::Tool;
use bevy::prelude::*;
use physics::kinematics::Goal;
use physics::math::Pose;
use physics::model::BodyId;
use physics::scene::editing::{Amendment, Edit};

/// The body whose handles are shown, and its pose as it is drawn.
pub fn subject(
    session: &Session,
    highlight: &Highlight,
    tool: &Tool,
    view: &View,
) -> Option<(BodyId, Pose)> {
    let body = highlight.selection?.as_body()?;
    let shown = !tool.hides_handles && tool.mode == Mode::Select;
    let there = body.0 < session.model().bodies.len();
    let pose = view.poses.get(body.0)?;
    (shown && there).then_some((body, *pose))
}

/// The handle under the pointer, if one is.
pub fn under(
    session: &Session,
    highlight: &Highlight,
    tool: &Tool,
    view: &View,
    at: [f64; 2],
) -> Option<(Handle, Grab)> {
    let (body, pose) = subject(session, highlight, tool, view)?;
    let handle = geometry::pick(view, &pose, at)?;
    let ray = view.orbit.ray(&view.viewport, at);
    let step = snap::step_at(view, &pose.translation.vector);
    let grab = Grab::new(handle, body, &pose, &ray, step)?;
    Some((handle, grab))
}

/// Moves the body to where its handle is pulled.
pub fn pull(
    session: Res<Session>,
    pointing: Res<Pointing>,
    mut playback: ResMut<Playback>,
    mut queue: ResMut<CommandQueue>,
    mut sent: Local<Option<Goal>>,
    mut resumes: Local<bool>,
) {
    let DragKind::Handle(grab) = pointing.pointer.drag_kind else {
        *sent = None;
        if std::mem::take(&mut *resumes) {
            playback.play(true);
        }
        return;
    };
    if playback.playing {
        *resumes = true;
        playback.play(false);
    }
    let goal = grab.goal;
    if sent.is_none_or(|s| s != goal) && grab.has_moved() {
        *sent = Some(goal);
        queue.0.extend(moving(&session, grab.body, goal));
    }
}

/// The edit that brings a body to where it is wanted.
fn moving(session: &Session, body: BodyId, goal: Goal) -> Option<Command> {
    let body = session.model().bodies.get(body.0)?;
    let verb = match goal {
        Goal::Position(_) | Goal::Point { .. } => "move",
        Goal::Orientation(_) => "turn",
    };
    let amendment = Amendment::Move(body.name.clone(), goal);
    let edit = Edit::merging(format!("{verb} {}", body.name), vec![amendment]);
    Some(Command::Edit(EditCommand::Amend(Box::new(edit))))
}

/// Poses the mechanism on its joints by what the pointer pulls or turns, while time stands still.
pub fn pose(
    session: Res<Session>,
    pointing: Res<Pointing>,
    playback: Res<Playback>,
    mut queue: ResMut<CommandQueue>,
    mut sent: Local<Option<Goal>>,
) {
    let wanted = match pointing.pointer.drag_kind {
        DragKind::Pull(pull) => {
            let to = pull.goal;
            Some((
                pull.body,
                Goal::Point {
                    point: pull.point,
                    to,
                },
            ))
        }
        DragKind::Turn(turn) => Some((turn.body, Goal::Orientation(turn.goal))),
        _ => None,
    };
    let held = wanted.filter(|_| !playback.playing && pointing.pointer.has_moved());
    let Some((body, goal)) = held else {
        *sent = None;
        return;
    };
    if *sent != Some(goal) {
        *sent = Some(goal);
        queue.0.extend(moving(&session, body, goal));
    }
}
