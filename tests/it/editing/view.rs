//! Editing in the view, by synthetic pointer and keys: handles, placing, connecting, undo.

use crate::window::blind::{button, give, key, move_pointer, playback, seen, session, tap, window};
use bevy::input::ButtonState;
use bevy::prelude::*;
use driftless::diagnostics::worst_drift;
use driftless::math::Vec3 as Vector;
use driftless::model::BodyId;
use driftless::scene::editing::{Fresh, Link, Section};
use driftless::scene::{Amendment, Edit};
use driftless::window::camera::view::View;
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::editing::EditorState;
use driftless::window::pointer::gizmo::geometry::{arrow, reach};
use driftless::window::state::highlight::Highlight;
use driftless::window::state::notices::Notices;
use driftless::window::state::selection::Selection;
use driftless::window::state::tool::Mode;
use driftless::window::state::tool::Tool;

/// What the window holds besides the running scene.
/// A part of the window's state.
pub fn get<R: Resource>(app: &App) -> &R {
    app.world().resource()
}

/// Asks for an edit, as panels and keys do.
pub fn edit(app: &mut App, wished: EditCommand) {
    give(app, Command::Edit(wished));
}

/// Presses the left button at a point, moves in steps to another, and lets go.
fn drag(app: &mut App, from: [f64; 2], to: [f64; 2]) {
    // In one frame, so that what moves is hit where it is seen.
    move_pointer(app, from);
    button(app, MouseButton::Left, ButtonState::Pressed);
    app.update();
    for k in 1..=6 {
        let share = f64::from(k) / 6.0;
        move_pointer(app, [0, 1].map(|c| from[c] + share * (to[c] - from[c])));
        app.update();
        app.update();
    }
    button(app, MouseButton::Left, ButtonState::Released);
    for _ in 0..6 {
        app.update();
    }
}

/// Presses and releases the pointer at one place.
pub fn click(app: &mut App, at: [f64; 2]) {
    drag(app, at, at);
}

/// Where the tip of an arrow of a body is in the window.
fn tip(app: &App, body: usize, axis: usize) -> [f64; 2] {
    let view = app.world().resource::<View>();
    let centre = view.poses[body].translation.vector;
    let reach = reach(view, &centre).expect("it is in front of the camera");
    let [_, tip] = arrow(&centre, reach, axis);
    view.orbit
        .project(&view.viewport, &tip)
        .expect("it is in view")
}

#[test]
fn a_handle_moves_the_body_and_joints_pull_the_rest_along_paused_and_running() {
    for runs in [false, true] {
        let mut app = window("double_pendulum", 1);
        if runs {
            for _ in 0..20 {
                app.update();
            }
        } else {
            give(&mut app, Command::TogglePlay);
            give(&mut app, Command::Reset);
        }
        assert_eq!(playback(&app).playing, runs);
        give(&mut app, Command::Select(Some(Selection::body(BodyId(1)))));
        // Where the window holds still while one aims.
        let before = session(&app).poses().to_vec();
        let text = session(&app).scene().text.clone();
        let from = tip(&app, 1, 2);
        drag(&mut app, from, [from[0], from[1] + 60.0]);
        assert_eq!(
            session(&app).document().names(),
            ["move lower"],
            "one to undo"
        );
        assert_eq!(playback(&app).playing, runs, "time goes on as before");
        let state = session(&app).state();
        let drift = worst_drift(session(&app).model(), state);
        assert!(drift.position.0 < 1e-8, "{drift:?}");
        let moved = |k: usize| {
            let now = session(&app).poses()[k].translation.vector;
            (now - before[k].translation.vector).norm()
        };
        assert!(
            moved(0) > 0.01 && moved(1) > 0.05,
            "{} {}",
            moved(0),
            moved(1)
        );
        // At the first moment the scene starts elsewhere; later only what runs was moved.
        assert_eq!(session(&app).scene().text == text, runs);
        if !runs {
            key(&mut app, KeyCode::ControlLeft, ButtonState::Pressed);
            tap(&mut app, KeyCode::KeyZ);
            key(&mut app, KeyCode::ControlLeft, ButtonState::Released);
            assert_eq!(session(&app).poses(), &before[..]);
            assert_eq!(session(&app).scene().text, text);
            assert!(
                get::<Notices>(&app)
                    .status(None)
                    .is_some_and(|s| s.1.contains("move lower"))
            );
        }
    }
}

#[test]
fn keys_undo_redo_copy_and_delete_and_the_selection_stays_by_name() {
    let mut app = window("double_pendulum", 1);
    give(&mut app, Command::TogglePlay);
    give(&mut app, Command::Select(Some(Selection::body(BodyId(1)))));
    let control = |app: &mut App, code, shift: bool| {
        key(app, KeyCode::ControlLeft, ButtonState::Pressed);
        if shift {
            key(app, KeyCode::ShiftLeft, ButtonState::Pressed);
        }
        tap(app, code);
        key(app, KeyCode::ShiftLeft, ButtonState::Released);
        key(app, KeyCode::ControlLeft, ButtonState::Released);
        app.update();
    };
    control(&mut app, KeyCode::KeyD, false);
    let bodies = |app: &App| session(app).model().bodies.len();
    assert_eq!(bodies(&app), 3);
    assert_eq!(
        get::<Highlight>(&app).selection,
        Some(Selection::body(BodyId(2)))
    );
    assert_eq!(app.world().resource::<View>().poses.len(), 3);
    give(&mut app, Command::Select(Some(Selection::body(BodyId(0)))));
    tap(&mut app, KeyCode::Delete);
    assert_eq!(bodies(&app), 2);
    assert_eq!(get::<Highlight>(&app).selection, None);
    control(&mut app, KeyCode::KeyZ, false);
    assert_eq!(bodies(&app), 3);
    give(&mut app, Command::Select(Some(Selection::body(BodyId(1)))));
    control(&mut app, KeyCode::KeyZ, true);
    assert_eq!(bodies(&app), 2);
    // `lower` was the second body and is the first now.
    assert_eq!(
        get::<Highlight>(&app).selection,
        Some(Selection::body(BodyId(0)))
    );
    for _ in 0..2 {
        control(&mut app, KeyCode::KeyZ, false);
    }
    control(&mut app, KeyCode::KeyY, false);
    assert_eq!(bodies(&app), 3);
    give(&mut app, Command::TogglePlay);
    for _ in 0..20 {
        app.update();
    }
    assert!(session(&app).failure.is_none());
}

#[test]
fn a_body_is_put_where_one_clicks_and_escape_cancels() {
    let mut app = window("pendulum", 1);
    give(&mut app, Command::TogglePlay);
    edit(&mut app, EditCommand::Place(Fresh::Sphere));
    tap(&mut app, KeyCode::Escape);
    assert_eq!(get::<Tool>(&app).mode, Mode::Select);
    edit(&mut app, EditCommand::Place(Fresh::Sphere));
    assert!(
        get::<Notices>(&app)
            .status(None)
            .is_some_and(|s| s.1.contains("sphere"))
    );
    let at = [300.0, 560.0];
    click(&mut app, at);
    let model = session(&app).model();
    let new = model.body("sphere").expect("it is there");
    assert_eq!(get::<Highlight>(&app).selection, Some(Selection::body(new)));
    let seen = seen(&app, new.0);
    // It lies on what is under the pointer, so that its centre is a little higher.
    assert!(
        (seen[0] - at[0]).abs() < 12.0 && (0.0..140.0).contains(&(at[1] - seen[1])),
        "{seen:?}"
    );
    assert_eq!(session(&app).document().undo_name(), Some("add sphere"));
}

#[test]
fn two_clicks_connect_two_points() {
    let mut app = window("double_pendulum", 1);
    give(&mut app, Command::TogglePlay);
    give(&mut app, Command::Reset);
    let lower = seen(&app, 1);
    edit(&mut app, EditCommand::Attach(Link::Spring));
    click(&mut app, lower);
    let Mode::Attach {
        first: Some(first), ..
    } = get::<Tool>(&app).mode
    else {
        panic!("{:?}", get::<Tool>(&app).mode);
    };
    assert_eq!(first.body, Some(BodyId(1)));
    // Again on the same body: it says so and waits.
    click(&mut app, lower);
    assert!(
        get::<Notices>(&app)
            .status(None)
            .is_some_and(|s| s.1.contains("same body"))
    );
    click(&mut app, [1000.0, 600.0]);
    assert_eq!(session(&app).model().forces.len(), 1);
    assert_eq!(
        get::<Highlight>(&app).selection,
        Some(Selection::item(Section::Springs, 0))
    );
    edit(&mut app, EditCommand::Attach(Link::Cable));
    let upper = seen(&app, 0);
    click(&mut app, upper);
    click(&mut app, lower);
    assert_eq!(session(&app).model().cables.len(), 1);
    assert_eq!(
        get::<Highlight>(&app).selection,
        Some(Selection::item(Section::Cables, 0))
    );
    give(&mut app, Command::TogglePlay);
    for _ in 0..30 {
        app.update();
    }
    assert_eq!(session(&app).failure, None);
}

#[test]
fn what_is_refused_is_said_and_nothing_changes() {
    let mut app = window("pendulum", 1);
    let name = session(&app).model().bodies[0].name.clone();
    let mut file = session(&app)
        .scene()
        .file
        .bodies
        .get(&name)
        .cloned()
        .unwrap();
    file.mass = Some(driftless::scene::Number(-1.0));
    let put = Amendment::Body(name.clone(), Some(Box::new(file)));
    let wrong = Edit::new("mass", vec![put]);
    edit(&mut app, EditCommand::Amend(Box::new(wrong)));
    assert_eq!(
        get::<EditorState>(&app).refused[0].path,
        format!("bodies.{name}.mass")
    );
    assert!(get::<Notices>(&app).setting.is_some());
    let right = Edit::new("gravity", vec![Amendment::Gravity(Vector::zeros())]);
    edit(&mut app, EditCommand::Amend(Box::new(right)));
    assert!(get::<EditorState>(&app).refused.is_empty() && get::<Notices>(&app).setting.is_none());
    assert_eq!(session(&app).document().names(), ["gravity"]);
}
