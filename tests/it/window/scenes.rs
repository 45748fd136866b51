//! Scenes in the window: opened, refused, changed while they run, saved as data, and what is shown of their contacts.

use crate::window::blind::{arrive, give, key, open, playback, session, tap, window};
use bevy::input::ButtonState;
use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use driftless::math::Vec3;
use driftless::model::BodyId;
use driftless::scene::{Amendment, Edit};
use driftless::window::camera::view::View;
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::jobs::Jobs;
use driftless::window::session::Session;
use driftless::window::session::contact_history::Touch;
use driftless::window::state::layers::Layer;
use driftless::window::state::look::Look;
use driftless::window::state::notices::Notices;

#[test]
fn a_wrong_scene_leaves_the_running_one_and_its_error_goes_when_a_right_one_opens() {
    let mut app = window("pendulum", 1);
    open(&mut app, "pendulun");
    let error = app
        .world()
        .resource::<Notices>()
        .status(None)
        .expect("it says so")
        .1;
    assert!(
        error.contains("pendulum"),
        "the nearest name is offered: {error}"
    );
    assert_eq!(session(&app).scene().name, "pendulum");
    assert!(playback(&app).playing);
    let generation = session(&app).generation();
    open(&mut app, "triple_pendulum");
    assert_eq!(session(&app).scene().name, "triple_pendulum");
    assert_eq!(session(&app).generation(), generation + 1);
    assert_eq!(app.world().resource::<Notices>().scene, None);
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
    assert_eq!(session(&app).scene().path.as_deref(), Some(path.as_path()));
    app.world_mut().resource_mut::<View>().orbit.yaw = 0.123;
    give(&mut app, Command::Reload);
    arrive(&mut app);
    assert_eq!(app.world().resource::<View>().orbit.yaw, 0.123);
    // A file that became wrong keeps what runs.
    std::fs::write(&path, text.replace("version: 1", "version: 99")).unwrap();
    let generation = session(&app).generation();
    give(&mut app, Command::Reload);
    arrive(&mut app);
    assert_eq!(session(&app).generation(), generation);
    assert!(app.world().resource::<Notices>().scene.is_some());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn live_changes_reach_the_simulation_and_bad_ones_are_refused_aloud() {
    let mut app = window("pendulum", 1);
    let moon = Amendment::Gravity(Vec3::new(0.0, 0.0, -1.62));
    let edit = Edit::new("gravity", vec![moon]);
    give(&mut app, Command::Edit(EditCommand::Amend(Box::new(edit))));
    assert_eq!(session(&app).model().gravity.z, -1.62);
    give(&mut app, Command::Integrator("heun"));
    assert_eq!(session(&app).integrator().name, "heun");
    let mut settings = *session(&app).settings();
    settings.tolerance = 1.0;
    give(&mut app, Command::Settings(settings));
    let said = app
        .world()
        .resource::<Notices>()
        .setting
        .clone()
        .expect("it is refused");
    assert!(said.contains("tolerance"), "{said}");
    settings.tolerance = 1e-8;
    give(&mut app, Command::Settings(settings));
    assert_eq!(app.world().resource::<Notices>().setting, None);
}

#[test]
fn the_plots_data_is_saved_with_its_settings() {
    let mut app = window("pendulum", 5);
    for _ in 0..4 {
        app.update();
    }
    let path = std::env::temp_dir().join(format!("driftless-plots-{}.csv", std::process::id()));
    give(&mut app, Command::TogglePlay);
    let rows = session(&app).history().rows().len();
    give(&mut app, Command::ExportCsv(Some(path.clone())));
    // It is written in the background.
    while !app.world().resource::<Jobs>().list().is_empty() {
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
        let layers = &app.world().resource::<Look>().layers;
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
    give(&mut app, Command::Integrator("rk4"));
    open(&mut app, "box_drop");
    let session = session(&app);
    assert!(session.integrator().supports.contact);
    let said = app.world().resource::<Notices>().status(None);
    let (level, text) = said.expect("it says so");
    assert_eq!(level, driftless::window::state::notices::Level::Hint);
    assert!(
        text.contains("rk4") && text.contains(session.integrator().name),
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
    assert_eq!(session.integrator().name, "variational-2");
    let said = session.replaced().expect("it says so");
    assert!(said.contains("heun"), "{said}");
    assert_eq!(Session::new(scene).unwrap().replaced(), None);
}

#[test]
fn a_box_that_has_fallen_rests_on_what_the_window_calls_its_contacts() {
    let mut app = window("box_drop", 20);
    for _ in 0..15 {
        app.update();
    }
    let session = session(&app);
    let model = session.model();
    let weight = model.bodies[0].mass * 9.81;
    let contacts = &session.state().contacts;
    let touch = Touch::of(BodyId(0), contacts);
    // At rest the ground carries the box; forces are kept in single precision.
    assert!(
        (f64::from(touch.force) / weight - 1.0).abs() < 1e-5,
        "{touch:?}"
    );
    assert!(touch.gap.abs() < 1e-6, "{touch:?}");
    assert!(session.sample().closed > 0);
    let series = |session: &Session| {
        let of = |t: &Touch| f64::from(t.force);
        let way = session.way();
        session
            .contact_history
            .series(&way, BodyId(0), [0.0, 100.0], 4000, of)
    };
    let seen = series(session);
    assert!(seen[0][1] == 0.0, "it begins in the air");
    let most = seen.iter().map(|p| p[1]).fold(0.0, f64::max);
    assert!(most > 5.0 * weight, "the impact is kept: {most} N");
    give(&mut app, Command::TogglePlay);
    let whole = series(self::session(&app));
    give(&mut app, Command::Reset);
    let session = self::session(&app);
    let now = Touch::of(BodyId(0), &session.state().contacts);
    assert_eq!(now.force, 0.0, "it is in the air again");
    assert_eq!(series(session), whole, "what happened stays");
}
