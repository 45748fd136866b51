//! Commands about the camera.

use crate::camera::bounds;
use crate::camera::motion::CameraMode;
use crate::camera::view::{View, scene_orbit};
use crate::commands::Command;
use crate::record::Recording;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::notices::Notices;
use crate::state::preferences::Preferences;
use crate::state::selection::Selection;
use bevy::prelude::*;

/// Carries a command out.
pub fn run(
    In(command): In<Command>,
    session: Res<Session>,
    highlight: Res<Highlight>,
    mut view: ResMut<View>,
    mut preferences: ResMut<Preferences>,
    mut recording: ResMut<Recording>,
    mut notices: ResMut<Notices>,
) {
    let view = &mut *view;
    let scene = &session.scene().name;
    match command {
        Command::FrameSelection => frame(view, &session, highlight.selection),
        Command::FrameAll => view.frame_all(&session),
        Command::SceneView => {
            let to = scene_orbit(&session);
            view.motion.fly(view.orbit, to);
        }
        Command::ToggleBelow => view.toggle_below(&session),
        Command::Look(axis) => view.look(axis),
        Command::KeepView => {
            let name = preferences.keep_view(scene, &view.orbit);
            recording.go_through(preferences.views(scene));
            let said = format!("Kept this view as {name}. The View menu goes back to it.");
            notices.hint(said);
        }
        Command::GoToView(place) => {
            if let Some(to) = preferences.views(scene).get(place) {
                view.motion.fly(view.orbit, to.orbit());
            }
        }
        Command::RenameView(place, name) => preferences.rename_view(scene, place, name),
        Command::ForgetView(place) => {
            preferences.forget_view(scene, place);
            recording.forget_view(preferences.views(scene));
        }
        Command::ToggleTurning => view.motion.toggle(CameraMode::Turning),
        Command::ToggleFollowing => match (
            highlight.selection.and_then(Selection::as_body),
            view.motion.mode,
        ) {
            (_, mode @ CameraMode::Following(_)) => view.motion.toggle(mode),
            (Some(body), _) => view.motion.toggle(CameraMode::Following(body)),
            _ => notices.hint("Select a body first: the camera goes along with it."),
        },
        _ => {}
    }
}

/// Brings what is selected into view, or everything.
fn frame(view: &mut View, session: &Session, selection: Option<Selection>) {
    let model = session.model();
    let body = selection.and_then(|selection| match selection {
        Selection::Item(item) => item.held_body(model),
        Selection::Contact(key) => {
            let mut contacts = session.state().contacts.iter();
            let contact = contacts.find(|c| c.key == key);
            contact.and_then(|c| c.bodies.into_iter().flatten().next())
        }
    });
    let seen = body.and_then(|b| Some((model.bodies.get(b.0)?, view.poses.get(b.0)?)));
    let Some((body, pose)) = seen else {
        return view.frame_all(session);
    };
    let mut ball = bounds::body(body, pose);
    // A little of what surrounds it stays in view.
    ball.radius *= 2.0;
    view.frame(ball);
}
