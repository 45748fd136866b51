//! What pointer, keys, files and actions do to the running scene, in a window without a graphics card.

use crate::window::blind::{
    arrive, button, key, move_pointer, open, pacing, seen, session, tap, window, wish,
};
use bevy::input::ButtonState;
use bevy::input::mouse::{MouseScrollUnit, MouseWheel};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::FileDragAndDrop;
use driftless::app::{Action, EditWish, Layer, Session, Shell, Touch, View};
use driftless::math::Vec3;
use driftless::model::BodyId;
use driftless::scene::{Amendment, Edit};
use driftless::sim::DragGoal;
use std::time::{Duration, Instant};

#[test]
fn a_frame_takes_the_steps_that_are_due_at_the_simulations_own_step_size() {
    let mut app = window("double_pendulum", 3);
    for _ in 0..10 {
        app.update();
    }
    let sample = session(&app).sample;
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
    assert_eq!(session(&app).sample.step, 10);
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
    wish(&mut app, Action::Integrator("rk4"));
    wish(&mut app, Action::TogglePlay);
    wish(&mut app, Action::Reset);
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
    wish(&mut app, Action::TogglePlay);
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
    let pull = session(&app).pull.expect("the force is read");
    assert!(pull.force > 1.0 && pull.force < 100.0, "{} N", pull.force);
    assert!(pull.work.abs() > 1.0, "{} J", pull.work);
    // The only other force that does work is the joints', and theirs is none: the account knows the same.
    let booked = session(&app).sample.external_work;
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
    assert!(session(&app).pull.is_none());
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
    app.world_mut().write_message(MouseWheel {
        unit,
        x,
        y,
        window: Entity::PLACEHOLDER,
        phase,
    });
    app.update();
    assert!(app.world().resource::<View>().orbit.distance < turned.distance);
}

#[test]
fn a_click_selects_and_keys_play_step_and_reset() {
    let mut app = window("pendulum", 1);
    tap(&mut app, KeyCode::Space);
    assert!(!pacing(&app).playing);
    let here = session(&app).sample.step;
    tap(&mut app, KeyCode::ArrowRight);
    app.update();
    assert_eq!(session(&app).sample.step, here + 1);
    tap(&mut app, KeyCode::Backspace);
    assert_eq!(
        (session(&app).sample.step, session(&app).sample.time),
        (0, 0.0)
    );
    tap(&mut app, KeyCode::Equal);
    assert_eq!(pacing(&app).target(), 2.0);
    let at = seen(&app, 0);
    move_pointer(&mut app, at);
    app.update();
    button(&mut app, MouseButton::Left, ButtonState::Pressed);
    app.update();
    button(&mut app, MouseButton::Left, ButtonState::Released);
    app.update();
    app.update();
    let selected = app.world().resource::<Shell>().selection;
    assert!(
        matches!(selected, Some(driftless::app::Selection::Body(b)) if b.0 == 0),
        "{selected:?}"
    );
    tap(&mut app, KeyCode::Escape);
    assert_eq!(app.world().resource::<Shell>().selection, None);
}

#[test]
fn a_wrong_scene_leaves_the_running_one_and_its_error_goes_when_a_right_one_opens() {
    let mut app = window("pendulum", 1);
    open(&mut app, "pendulun");
    let error = app
        .world()
        .resource::<Shell>()
        .status(None)
        .expect("it says so")
        .1;
    assert!(
        error.contains("pendulum"),
        "the nearest name is offered: {error}"
    );
    assert_eq!(session(&app).scene.name, "pendulum");
    assert!(pacing(&app).playing);
    let generation = session(&app).generation;
    open(&mut app, "triple_pendulum");
    assert_eq!(session(&app).scene.name, "triple_pendulum");
    assert_eq!(session(&app).generation, generation + 1);
    assert_eq!(app.world().resource::<Shell>().notices.scene, None);
}

#[test]
fn a_dropped_file_opens_and_reload_keeps_the_camera() {
    let text = driftless::scene::shipped()
        .iter()
        .find(|s| s.name == "pendulum")
        .unwrap()
        .text;
    let path = std::env::temp_dir().join(format!("driftless-drop-{}.ron", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let mut app = window("double_pendulum", 1);
    app.world_mut().write_message(FileDragAndDrop::DroppedFile {
        window: Entity::PLACEHOLDER,
        path_buf: path.clone(),
    });
    app.update();
    app.update();
    arrive(&mut app);
    assert_eq!(session(&app).scene.path.as_deref(), Some(path.as_path()));
    app.world_mut().resource_mut::<View>().orbit.yaw = 0.123;
    wish(&mut app, Action::Reload);
    arrive(&mut app);
    assert_eq!(app.world().resource::<View>().orbit.yaw, 0.123);
    // A file that became wrong keeps what runs.
    std::fs::write(&path, text.replace("version: 1", "version: 99")).unwrap();
    let generation = session(&app).generation;
    wish(&mut app, Action::Reload);
    arrive(&mut app);
    assert_eq!(session(&app).generation, generation);
    assert!(app.world().resource::<Shell>().notices.scene.is_some());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_step_that_fails_pauses_and_says_so_until_one_succeeds() {
    let mut app = window("t_handle", 1);
    let right = *session(&app).simulation.settings();
    let mut coarse = right;
    // A step can hold less than 2/dt = 2 rad/s; the handle spins faster.
    coarse.dt = 1.0;
    wish(&mut app, Action::Settings(coarse));
    (0..5).for_each(|_| app.update());
    assert!(!pacing(&app).playing);
    let failure = session(&app).failure.clone().expect("the failure is kept");
    assert!(failure.contains("dt"), "{failure}");
    wish(&mut app, Action::Settings(right));
    wish(&mut app, Action::TogglePlay);
    app.update();
    app.update();
    assert_eq!(session(&app).failure, None);
    assert!(pacing(&app).playing);
}

#[test]
fn a_scene_that_is_too_heavy_slows_down_and_the_frame_ends() {
    let mut app = window("chain:links=300", 1);
    let mut settings = *session(&app).simulation.settings();
    settings.dt = 1e-4;
    wish(&mut app, Action::Settings(settings));
    app.update();
    app.world_mut().resource_mut::<Session>().reset();
    // Half a second is due at once: five thousand steps of three hundred links.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(5_000));
    let start = Instant::now();
    app.update();
    // The budget is 0.12 s; the rest is room for a slow machine and one step in flight.
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
    assert!(pacing(&app).late);
    let steps = session(&app).sample.step;
    assert!((1..5_000).contains(&steps), "{steps}");
}

#[test]
fn live_changes_reach_the_simulation_and_bad_ones_are_refused_aloud() {
    let mut app = window("pendulum", 1);
    let moon = Amendment::Gravity(Vec3::new(0.0, 0.0, -1.62));
    let edit = Edit::new("gravity", vec![moon]);
    wish(&mut app, Action::Edit(EditWish::Amend(Box::new(edit))));
    assert_eq!(session(&app).simulation.model().gravity.z, -1.62);
    wish(&mut app, Action::Integrator("heun"));
    assert_eq!(session(&app).simulation.integrator().name, "heun");
    let mut settings = *session(&app).simulation.settings();
    settings.tolerance = 1.0;
    wish(&mut app, Action::Settings(settings));
    let said = app
        .world()
        .resource::<Shell>()
        .notices
        .setting
        .clone()
        .expect("it is refused");
    assert!(said.contains("tolerance"), "{said}");
    settings.tolerance = 1e-8;
    wish(&mut app, Action::Settings(settings));
    assert_eq!(app.world().resource::<Shell>().notices.setting, None);
}

#[test]
fn the_plots_data_is_saved_with_its_settings() {
    let mut app = window("pendulum", 5);
    for _ in 0..4 {
        app.update();
    }
    let path = std::env::temp_dir().join(format!("driftless-plots-{}.csv", std::process::id()));
    wish(&mut app, Action::TogglePlay);
    let rows = session(&app).history().rows().len();
    wish(&mut app, Action::ExportCsv(Some(path.clone())));
    // It is written beside the window.
    while !app.world().resource::<Shell>().beside.is_empty() {
        app.update();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert!(text.lines().any(|l| l == "# scene: pendulum"), "{text}");
    // One line of names, and one per row.
    assert_eq!(
        text.lines().filter(|l| !l.starts_with('#')).count(),
        rows + 1
    );
}

#[test]
fn keys_switch_the_layers_of_contact() {
    let mut app = window("box_drop", 1);
    let layers = |app: &App| {
        let layers = &app.world().resource::<Shell>().layers;
        [
            Layer::ContactPoints,
            Layer::ContactNormals,
            Layer::ContactForces,
            Layer::FrictionCones,
        ]
        .map(|l| layers.shows(l))
    };
    assert_eq!(layers(&app), [false; 4], "a scene opens without them");
    tap(&mut app, KeyCode::KeyC);
    tap(&mut app, KeyCode::KeyN);
    assert_eq!(layers(&app), [true, true, false, false]);
    key(&mut app, KeyCode::ShiftLeft, ButtonState::Pressed);
    app.update();
    tap(&mut app, KeyCode::KeyF);
    tap(&mut app, KeyCode::KeyC);
    key(&mut app, KeyCode::ShiftLeft, ButtonState::Released);
    app.update();
    assert_eq!(layers(&app), [true; 4]);
    tap(&mut app, KeyCode::KeyC);
    assert_eq!(layers(&app), [false, true, true, true]);
}

#[test]
fn a_scene_with_contact_opened_after_a_method_without_says_that_another_runs_it() {
    let mut app = window("pendulum", 1);
    wish(&mut app, Action::Integrator("rk4"));
    open(&mut app, "box_drop");
    let session = session(&app);
    assert!(session.simulation.integrator().supports.contact);
    let said = app.world().resource::<Shell>().status(None);
    let (level, text) = said.expect("it says so");
    assert_eq!(level, driftless::app::Level::Hint);
    assert!(
        text.contains("rk4") && text.contains(session.simulation.integrator().name),
        "{text}"
    );
}

#[test]
fn a_file_that_names_a_method_without_contact_runs_by_the_nearest() {
    let scene = driftless::scene::open("box_drop", &[]).unwrap();
    let mut wrong = scene.clone();
    wrong.integrator = "heun".into();
    assert!(wrong.simulation().is_err(), "it cannot run by itself");
    let session = Session::new(wrong).expect("the window finds a way");
    // The method of second order that knows contact.
    assert_eq!(session.simulation.integrator().name, "variational-2");
    let said = session.replaced.as_deref().expect("it says so");
    assert!(said.contains("heun"), "{said}");
    assert_eq!(Session::new(scene).unwrap().replaced, None);
}

#[test]
fn a_box_that_has_fallen_rests_on_what_the_window_calls_its_contacts() {
    let mut app = window("box_drop", 20);
    for _ in 0..15 {
        app.update();
    }
    let session = session(&app);
    let model = session.simulation.model();
    let weight = model.bodies[0].mass * 9.81;
    let contacts = &session.simulation.state().contacts;
    let touch = Touch::of(BodyId(0), contacts);
    // At rest the ground carries the box; forces are kept in single precision.
    assert!(
        (f64::from(touch.force) / weight - 1.0).abs() < 1e-5,
        "{touch:?}"
    );
    assert!(touch.gap.abs() < 1e-6, "{touch:?}");
    assert!(session.sample.closed > 0);
    let series = |session: &Session| {
        let of = |t: &Touch| f64::from(t.force);
        let way = session.way();
        session
            .touches
            .series(&way, BodyId(0), [0.0, 100.0], 4000, of)
    };
    let seen = series(session);
    assert!(seen[0][1] == 0.0, "it begins in the air");
    let most = seen.iter().map(|p| p[1]).fold(0.0, f64::max);
    assert!(most > 5.0 * weight, "the impact is kept: {most} N");
    wish(&mut app, Action::TogglePlay);
    let whole = series(self::session(&app));
    wish(&mut app, Action::Reset);
    let session = self::session(&app);
    let now = Touch::of(BodyId(0), &session.simulation.state().contacts);
    assert_eq!(now.force, 0.0, "it is in the air again");
    assert_eq!(series(session), whole, "what happened stays");
}
