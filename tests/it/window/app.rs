//! What pointer, keys and time do to the running scene, in a window without a graphics card.

use crate::window::blind::{button, give, key, move_pointer, playback, seen, session, tap, window};
use bevy::input::ButtonState;
use bevy::input::mouse::{MouseScrollUnit, MouseWheel};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::WindowEvent;
use driftless::model::BodyId;
use driftless::sim::DragGoal;
use driftless::window::camera::view::View;
use driftless::window::commands::Command;
use driftless::window::session::Session;
use driftless::window::state::highlight::Highlight;
use driftless::window::state::selection::Selection;
use std::time::{Duration, Instant};

#[test]
fn a_frame_takes_the_steps_that_are_due_at_the_simulations_own_step_size() {
    let mut app = window("double_pendulum", 3);
    for _ in 0..10 {
        app.update();
    }
    let sample = session(&app).sample();
    assert_eq!(sample.step, 30);
    // Thirty steps of 0.01 s, each added once in double precision.
    assert!((sample.time - 0.3).abs() < 1e-14, "{}", sample.time);
    assert_eq!(session(&app).history().rows().len(), 31);
}

#[test]
fn what_is_drawn_lies_between_the_last_two_states() {
    let mut app = window("pendulum", 1);
    let step = Duration::from_secs_f64(0.01);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step * 3 / 2));
    for _ in 0..7 {
        app.update();
    }
    let now = session(&app).poses()[0].translation.vector;
    let drawn = app.world().resource::<View>().poses[0].translation.vector;
    // Ten and a half steps are due: ten are taken, and half of the last is drawn.
    assert_eq!(session(&app).sample().step, 10);
    let at_half: Vec<_> = session(&app).poses_at(0.5).collect();
    assert!((drawn - at_half[0].translation.vector).norm() < 1e-9);
    assert!(
        (drawn - now).norm() > 1e-6,
        "the body moves, so the two differ"
    );
}

#[test]
fn control_and_drag_pull_the_body_under_the_pointer_until_it_is_released() {
    let mut app = window("double_pendulum", 2);
    // A method whose work is exact enough to be compared with the sum over the steps.
    give(&mut app, Command::Integrator("rk4"));
    give(&mut app, Command::TogglePlay);
    give(&mut app, Command::Reset);
    app.update();
    let start = session(&app).poses()[1].translation.vector;
    let at = seen(&app, 1);
    move_pointer(&mut app, at);
    key(&mut app, KeyCode::ControlLeft, ButtonState::Pressed);
    app.update();
    button(&mut app, MouseButton::Left, ButtonState::Pressed);
    app.update();
    let drag = session(&app).input.drag.expect("the body is held");
    assert_eq!(drag.body.0, 1);
    let camera = app.world().resource::<View>().orbit;
    let to = [at[0] - 120.0, at[1] + 90.0];
    move_pointer(&mut app, to);
    key(&mut app, KeyCode::ControlLeft, ButtonState::Released);
    app.update();
    assert_eq!(
        app.world().resource::<View>().orbit,
        camera,
        "a pull leaves the camera alone"
    );
    give(&mut app, Command::TogglePlay);
    for _ in 0..300 {
        app.update();
    }
    let Some(DragGoal::Pull(goal)) = session(&app).input.drag.map(|d| d.goal) else {
        panic!("still held");
    };
    let view = app.world().resource::<View>();
    let aimed = view.orbit.project(&view.viewport, &goal).unwrap();
    assert!((aimed[0] - to[0]).abs() < 1e-3 && (aimed[1] - to[1]).abs() < 1e-3);
    // After six seconds it is held by the mouse. One kilogram at 100 /s² and at most one metre: up to 100 N.
    let pull = session(&app).pull().expect("the force is read");
    assert!(pull.force > 1.0 && pull.force < 100.0, "{} N", pull.force);
    assert!(pull.work.abs() > 1.0, "{} J", pull.work);
    // The only other force that does work is the joints', and theirs is none: the account knows the same.
    let booked = session(&app).sample().external_work;
    assert!(
        (pull.work - booked).abs() < 0.05 * booked.abs(),
        "{} {booked}",
        pull.work
    );
    let held = session(&app).poses()[1].translation.vector;
    assert!((held - start).norm() > 0.1);
    button(&mut app, MouseButton::Left, ButtonState::Released);
    app.update();
    assert_eq!(session(&app).input.drag, None);
    for _ in 0..20 {
        app.update();
    }
    assert!(session(&app).pull().is_none());
}

#[test]
fn what_is_done_within_one_slow_frame_counts_in_its_order() {
    let mut app = window("double_pendulum", 2);
    give(&mut app, Command::TogglePlay);
    give(&mut app, Command::Reset);
    app.update();
    let at = seen(&app, 1);
    // Ctrl goes up after the button has gone down, and time runs before the pointer moves on.
    move_pointer(&mut app, at);
    key(&mut app, KeyCode::ControlLeft, ButtonState::Pressed);
    button(&mut app, MouseButton::Left, ButtonState::Pressed);
    key(&mut app, KeyCode::ControlLeft, ButtonState::Released);
    key(&mut app, KeyCode::Space, ButtonState::Pressed);
    key(&mut app, KeyCode::Space, ButtonState::Released);
    move_pointer(&mut app, [at[0] - 120.0, at[1] + 90.0]);
    app.update();
    assert!(session(&app).input.drag.is_some_and(|d| d.body.0 == 1));
    assert!(playback(&app).playing);
    for _ in 0..10 {
        app.update();
    }
    button(&mut app, MouseButton::Left, ButtonState::Released);
    app.update();
    assert_eq!(session(&app).input.drag, None);
    assert!(session(&app).sample().external_work != 0.0, "it was pulled");
    assert_eq!(session(&app).undo_name(), None, "and not posed");
}

#[test]
fn a_drag_beside_the_bodies_orbits_and_the_wheel_zooms() {
    let mut app = window("pendulum", 1);
    let before = app.world().resource::<View>().orbit;
    move_pointer(&mut app, [30.0, 30.0]);
    app.update();
    button(&mut app, MouseButton::Left, ButtonState::Pressed);
    app.update();
    move_pointer(&mut app, [130.0, 60.0]);
    app.update();
    button(&mut app, MouseButton::Left, ButtonState::Released);
    app.update();
    let turned = app.world().resource::<View>().orbit;
    assert!(turned.yaw != before.yaw && turned.distance == before.distance);
    assert_eq!(session(&app).input.drag, None);
    let (unit, x, y) = (MouseScrollUnit::Line, 0.0, 2.0);
    let phase = bevy::input::touch::TouchPhase::Moved;
    app.world_mut().write_message(WindowEvent::from(MouseWheel {
        unit,
        x,
        y,
        window: Entity::PLACEHOLDER,
        phase,
    }));
    app.update();
    assert!(app.world().resource::<View>().orbit.distance < turned.distance);
}

#[test]
fn a_click_selects_and_keys_play_step_and_reset() {
    let mut app = window("pendulum", 1);
    tap(&mut app, KeyCode::Space);
    assert!(!playback(&app).playing);
    let here = session(&app).sample().step;
    tap(&mut app, KeyCode::ArrowRight);
    app.update();
    assert_eq!(session(&app).sample().step, here + 1);
    tap(&mut app, KeyCode::Backspace);
    assert_eq!(
        (session(&app).sample().step, session(&app).sample().time),
        (0, 0.0)
    );
    tap(&mut app, KeyCode::Equal);
    assert_eq!(playback(&app).target(), 2.0);
    let at = seen(&app, 0);
    move_pointer(&mut app, at);
    app.update();
    button(&mut app, MouseButton::Left, ButtonState::Pressed);
    app.update();
    button(&mut app, MouseButton::Left, ButtonState::Released);
    app.update();
    app.update();
    let selected = app.world().resource::<Highlight>().selection;
    assert!(
        selected.and_then(Selection::as_body) == Some(BodyId(0)),
        "{selected:?}"
    );
    tap(&mut app, KeyCode::Escape);
    assert_eq!(app.world().resource::<Highlight>().selection, None);
}

#[test]
fn a_step_that_fails_pauses_and_says_so_until_one_succeeds() {
    let mut app = window("heavy_top", 1);
    give(&mut app, Command::Integrator("generalized-alpha"));
    app.update();
    let right = *session(&app).settings();
    let mut coarse = right;
    // The top turns by 150 rad in such a step, which this method does not cut.
    coarse.dt = 1.0;
    give(&mut app, Command::Settings(coarse));
    (0..5).for_each(|_| app.update());
    assert!(!playback(&app).playing);
    let failure = session(&app).failure.clone().expect("the failure is kept");
    assert!(failure.contains("dt"), "{failure}");
    give(&mut app, Command::Settings(right));
    give(&mut app, Command::TogglePlay);
    app.update();
    app.update();
    assert_eq!(session(&app).failure, None);
    assert!(playback(&app).playing);
}

#[test]
fn a_scene_that_is_too_heavy_slows_down_and_the_frame_ends() {
    let mut app = window("chain:links=300", 1);
    let mut settings = *session(&app).settings();
    settings.dt = 1e-4;
    give(&mut app, Command::Settings(settings));
    let start = Instant::now();
    while session(&app).compiling().is_some() {
        assert!(start.elapsed() < Duration::from_secs(600));
        app.update();
    }
    app.world_mut().resource_mut::<Session>().reset();
    // Half a second is due at once: five thousand steps of three hundred links.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(5_000));
    app.update();
    // The frame has ended before all that is due was done.
    assert!(playback(&app).late);
    let steps = session(&app).sample().step;
    assert!((1..5_000).contains(&steps), "{steps}");
}
