//! A pendulum from nothing: a body put down with one click, and joined to the ground with another.

use crate::editing::view::{click, edit, get};
use crate::window::blind::{give, session, tap, window};
use bevy::prelude::KeyCode;
use driftless::diagnostics::worst_drift;
use driftless::math::Vec3;
use driftless::model::JointKind;
use driftless::scene::Kind;
use driftless::scene::editing::Fresh;
use driftless::window::camera::view::View;
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::state::notices::Notices;
use driftless::window::state::tool::{Mode, Tool};

#[test]
fn one_click_hinges_a_body_to_the_ground_across_the_view() {
    let mut app = window("empty", 1);
    give(&mut app, Command::TogglePlay);
    edit(&mut app, EditCommand::Place(Fresh::Box));
    click(&mut app, [640.0, 400.0]);
    assert_eq!(session(&app).model().bodies.len(), 1);
    let before = session(&app).poses()[0];

    edit(&mut app, EditCommand::Ground(Kind::Revolute));
    // Where there is no body nothing is joined, and it goes on waiting for one.
    click(&mut app, [60.0, 60.0]);
    assert!(session(&app).model().joints.is_empty());
    assert_eq!(get::<Tool>(&app).mode, Mode::Ground(Kind::Revolute));

    let view = get::<View>(&app);
    let tool = get::<Tool>(&app);
    let wanted = tool.axis_of(Kind::Revolute, view).expect("a hinge has one");
    let at = view
        .orbit
        .project(&view.viewport, &before.translation.vector)
        .expect("it is in view");
    click(&mut app, at);
    let model = session(&app).model();
    let [joint] = &model.joints[..] else {
        panic!("{} joints", model.joints.len());
    };
    assert_eq!(joint.kind, JointKind::Revolute);
    assert_eq!(joint.parent, None);
    let state = session(&app).state();
    // The axis is the z axis of the joint's frame, in the world as on the body.
    let turned = state.bodies[0].orientation;
    for found in [
        joint.parent_frame.orientation * Vec3::z(),
        turned * joint.child_frame.orientation * Vec3::z(),
    ] {
        assert!(found.cross(&wanted).norm() < 1e-9, "{found}");
    }
    let drift = worst_drift(model, state);
    assert!(drift.position.0 < 1e-12, "{drift:?}");
    let moved = session(&app).poses()[0].translation.vector - before.translation.vector;
    assert!(moved.norm() < 1e-12, "connecting moves nothing");

    assert_eq!(get::<Tool>(&app).mode, Mode::Select);
    let said = get::<Notices>(&app).status(None).map(|s| s.1);
    let stale = said.is_some_and(|said| said.contains("click the"));
    assert!(!stale, "what was to be clicked is over");
    // It swings.
    give(&mut app, Command::TogglePlay);
    for _ in 0..60 {
        app.update();
    }
    assert_eq!(session(&app).failure, None);
    let drift = worst_drift(session(&app).model(), session(&app).state());
    assert!(drift.position.0 < 1e-9, "{drift:?}");
}

#[test]
fn a_letter_chooses_the_axis_and_a_click_near_the_end_of_a_body_means_its_end() {
    let mut app = window("empty", 1);
    give(&mut app, Command::TogglePlay);
    edit(&mut app, EditCommand::Place(Fresh::Capsule));
    click(&mut app, [640.0, 400.0]);
    let pose = session(&app).poses()[0];
    edit(&mut app, EditCommand::Ground(Kind::Revolute));
    let chosen = |app: &bevy::prelude::App| get::<Tool>(app).axis;
    // The same letter again leaves it to the view.
    for (key, axis) in [
        (KeyCode::KeyX, Some(0)),
        (KeyCode::KeyX, None),
        (KeyCode::KeyY, Some(1)),
        (KeyCode::KeyX, Some(0)),
    ] {
        tap(&mut app, key);
        assert_eq!(chosen(&app), axis);
    }
    let view = get::<View>(&app);
    let shape = &session(&app).model().bodies[0].shapes[0];
    let driftless::model::Geometry::Capsule { length, .. } = shape.geometry else {
        panic!("{:?}", shape.geometry);
    };
    let end = (pose * nalgebra::Point3::from(Vec3::z() * (0.5 * length))).coords;
    let seen = view.orbit.project(&view.viewport, &end);
    let [x, y] = seen.expect("it is in view");
    click(&mut app, [x + 3.0, y + 2.0]);
    let model = session(&app).model();
    let joint = &model.joints[0];
    assert!((joint.parent_frame.anchor - end).norm() < 1e-9);
    let axis = joint.parent_frame.orientation * Vec3::z();
    assert!(axis.cross(&Vec3::x()).norm() < 1e-9, "{axis}");
    assert_eq!(chosen(&app), None, "the next joint has one of its own");
}
