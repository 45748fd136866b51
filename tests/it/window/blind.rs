//! The window without a graphics card: a Bevy app with a fixed clock and synthetic pointer and key messages.

use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel};
use bevy::input::ButtonState;
use bevy::input::InputPlugin;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::mouse::MouseButtonInput;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{CursorMoved, WindowEvent};
use driftless::window::camera::orbit::Viewport;
use driftless::window::camera::view::View;
use driftless::window::commands::{Command, CommandQueue};
use driftless::window::core_plugins;
use driftless::window::scenes::opening::Opener;
use driftless::window::session::Session;
use driftless::window::session::playback::Playback;
use std::time::{Duration, Instant};

/// The window on a scene, in which every frame runs so many steps.
pub fn window(spec: &str, steps_per_frame: u32) -> App {
    let scene = driftless::scene::open(spec, &[]).expect("the scene is shipped");
    let session = Session::new(scene).expect("the scene runs");
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, InputPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(steps_per_frame));
    // In `Last` the engine ticks its task pools, beside the one system that writes the settings.
    for label in [
        Startup.intern(),
        RunFixedMainLoop.intern(),
        FixedUpdate.intern(),
        Update.intern(),
    ] {
        demand_order(&mut app, label);
    }
    core_plugins(&mut app, session);
    // The first frame sets the clock to the scene's step; no time has passed before it.
    app.update();
    app.world_mut().resource_mut::<Session>().reset();
    let mut view = app.world_mut().resource_mut::<View>();
    view.viewport = Viewport {
        corner: [0.0; 2],
        size: [1280.0, 720.0],
    };
    app
}

/// Makes it an error that two systems of a schedule use the same data and nothing says which comes first.
pub fn demand_order(app: &mut App, label: impl ScheduleLabel) {
    app.edit_schedule(label, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
}

pub fn session(app: &App) -> &Session {
    app.world().resource::<Session>()
}

pub fn playback(app: &App) -> &Playback {
    app.world().resource::<Playback>()
}

pub fn give(app: &mut App, action: Command) {
    app.world_mut()
        .resource_mut::<CommandQueue>()
        .0
        .push(action);
    app.update();
}

/// Asks for a scene, which is opened beside the one that runs, and waits for it.
pub fn open(app: &mut App, spec: &str) {
    give(app, Command::Open(spec.into()));
    arrive(app);
}

/// Waits for the scene that is being opened.
pub fn arrive(app: &mut App) {
    let start = Instant::now();
    while app.world().resource::<Opener>().status().is_some() {
        assert!(start.elapsed() < Duration::from_secs(600));
        app.update();
    }
}

pub fn move_pointer(app: &mut App, at: [f64; 2]) {
    let position = Vec2::new(at[0] as f32, at[1] as f32);
    app.world_mut()
        .write_message(WindowEvent::from(CursorMoved {
            window: Entity::PLACEHOLDER,
            position,
            delta: None,
        }));
}

pub fn button(app: &mut App, button: MouseButton, state: ButtonState) {
    app.world_mut()
        .write_message(WindowEvent::from(MouseButtonInput {
            button,
            state,
            window: Entity::PLACEHOLDER,
        }));
}

pub fn key(app: &mut App, key_code: KeyCode, state: ButtonState) {
    app.world_mut()
        .write_message(WindowEvent::from(KeyboardInput {
            key_code,
            logical_key: Key::Unidentified(bevy::input::keyboard::NativeKey::Unidentified),
            state,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        }));
}

/// Presses and releases a key.
pub fn tap(app: &mut App, code: KeyCode) {
    key(app, code, ButtonState::Pressed);
    app.update();
    key(app, code, ButtonState::Released);
    app.update();
}

/// Where the centre of a body is in the window.
pub fn seen(app: &App, body: usize) -> [f64; 2] {
    let view = app.world().resource::<View>();
    let centre = view.poses[body].translation.vector;
    view.orbit
        .project(&view.viewport, &centre)
        .expect("the body is in front of the camera")
}
