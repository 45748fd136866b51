//! Cameras: views that are kept, cameras that move by themselves, wheels and touch pads.

use bevy::input::InputPlugin;
use bevy::input::keyboard::{Key, KeyboardInput, NativeKey};
use bevy::input::mouse::{MouseScrollUnit, MouseWheel};
use bevy::input::{ButtonState, touch::TouchPhase};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{CursorMoved, WindowEvent};
use driftless::model::BodyId;
use driftless::window::camera::motion::CameraMode;
use driftless::window::camera::orbit::Viewport;
use driftless::window::camera::view::View;
use driftless::window::commands::{Command, CommandQueue};
use driftless::window::core_plugins;
use driftless::window::session::Session;
use driftless::window::state::preferences::Preferences;
use driftless::window::state::selection::Selection;
use std::time::Duration;

/// The window on a scene at rest; each frame takes a tenth of a second.
fn window(spec: &str) -> App {
    let scene = driftless::scene::open(spec, &[]).expect("the scene is shipped");
    let session = Session::new(scene).expect("the scene runs");
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, InputPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            100,
        )));
    core_plugins(&mut app, session);
    app.update();
    let mut view = app.world_mut().resource_mut::<View>();
    view.viewport = Viewport {
        corner: [0.0; 2],
        size: [1280.0, 720.0],
    };
    app
}

fn give(app: &mut App, action: Command) {
    app.world_mut()
        .resource_mut::<CommandQueue>()
        .0
        .push(action);
    app.update();
}

fn view(app: &App) -> &View {
    app.world().resource::<View>()
}

fn scroll(app: &mut App, unit: MouseScrollUnit, x: f32, y: f32) {
    app.world_mut()
        .write_message(WindowEvent::from(CursorMoved {
            window: Entity::PLACEHOLDER,
            position: Vec2::new(640.0, 360.0),
            delta: None,
        }));
    app.world_mut().write_message(WindowEvent::from(MouseWheel {
        unit,
        x,
        y,
        window: Entity::PLACEHOLDER,
        phase: TouchPhase::Moved,
    }));
    app.update();
}

#[test]
fn a_view_that_was_kept_is_flown_back_to() {
    let mut app = window("pendulum");
    let kept = view(&app).orbit;
    give(&mut app, Command::KeepView);
    give(
        &mut app,
        Command::Look(driftless::window::camera::view::Axis::Top),
    );
    give(&mut app, Command::RenameView(0, "from here".into()));
    let away = view(&app).orbit;
    assert!((away.eye() - kept.eye()).norm() > 0.1);
    give(&mut app, Command::GoToView(0));
    for _ in 0..10 {
        app.update();
    }
    // Views are kept to twelve digits.
    assert!((view(&app).orbit.eye() - kept.eye()).norm() < 1e-9);
    let kept = |app: &App| {
        let scene = &app.world().resource::<Session>().scene().name;
        app.world().resource::<Preferences>().views(scene).to_vec()
    };
    assert_eq!(kept(&app)[0].name, "from here");
    give(&mut app, Command::ForgetView(0));
    assert!(kept(&app).is_empty());
    // There is none any more: nothing happens.
    give(&mut app, Command::GoToView(0));
    assert_eq!(view(&app).motion.mode, CameraMode::Still);
}

#[test]
fn the_camera_goes_along_with_the_selected_body() {
    let mut app = window("pendulum");
    give(&mut app, Command::ToggleFollowing);
    assert_eq!(
        view(&app).motion.mode,
        CameraMode::Still,
        "nothing is selected"
    );
    give(&mut app, Command::Select(Some(Selection::body(BodyId(0)))));
    give(&mut app, Command::ToggleFollowing);
    let offset = |app: &App| view(app).orbit.eye() - view(app).poses[0].translation.vector;
    let before = offset(&app);
    let start = view(&app).orbit.eye();
    for _ in 0..10 {
        app.update();
    }
    assert!((view(&app).orbit.eye() - start).norm() > 0.01, "it moves");
    assert!(
        (offset(&app) - before).norm() < 1e-9,
        "by as much as the body"
    );
}

#[test]
fn a_wheel_zooms_and_a_touch_pad_pans_gently() {
    let mut app = window("pendulum");
    let before = view(&app).orbit;
    scroll(&mut app, MouseScrollUnit::Line, 0.0, 1.0);
    let zoomed = view(&app).orbit;
    assert!(zoomed.distance < before.distance && zoomed.yaw == before.yaw);
    // A flick sends a hundred notches; the scene is still in view after it.
    scroll(&mut app, MouseScrollUnit::Line, 0.0, 100.0);
    assert!(view(&app).orbit.distance > 0.5 * zoomed.distance);
    let before = view(&app).orbit;
    scroll(&mut app, MouseScrollUnit::Pixel, 30.0, -20.0);
    let panned = view(&app).orbit;
    assert_eq!(panned.distance, before.distance, "two fingers pan");
    let unit = before.metres_per_point(before.distance, &view(&app).viewport);
    let moved = (panned.focus - before.focus).norm();
    assert!(
        (moved - unit * 30f64.hypot(20.0)).abs() < 1e-9,
        "by what they moved"
    );
    app.world_mut()
        .write_message(WindowEvent::from(KeyboardInput {
            key_code: KeyCode::ControlLeft,
            logical_key: Key::Unidentified(NativeKey::Unidentified),
            state: ButtonState::Pressed,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        }));
    app.update();
    scroll(&mut app, MouseScrollUnit::Pixel, 0.0, 50.0);
    let zoomed = view(&app).orbit.distance / panned.distance;
    assert!((0.8..0.95).contains(&zoomed), "one notch: {zoomed}");
}
