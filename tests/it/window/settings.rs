//! Settings that outlast the window, as the window keeps them: changed, saved beside it, found again, reset.

use crate::editing::view::get;
use bevy::input::InputPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{PrimaryWindow, WindowResolution};
use driftless::window::commands::{Command, CommandQueue};
use driftless::window::core_plugins;
use driftless::window::session::Session;
use driftless::window::settings::{SettingsStore, folder};
use driftless::window::state::layers::Layer;
use driftless::window::state::look::Look;
use driftless::window::state::notices::Notices;
use driftless::window::state::panels::PanelId;
use driftless::window::state::preferences::Preferences;
use driftless::window::state::workspace::Workspace;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn scratch(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("driftless-keeps-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// The window with its settings in a folder; each frame takes a tenth of a second.
fn window(folder: &Path) -> App {
    let scene = driftless::scene::open("pendulum", &[]).expect("the scene is shipped");
    let session = Session::new(scene).expect("the scene runs");
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, InputPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            100,
        )));
    core_plugins(&mut app, session);
    let store = SettingsStore::read(folder, app.world_mut());
    app.insert_resource(store);
    let [width, height] = get::<Preferences>(&app).window;
    app.world_mut().spawn((
        Window {
            resolution: WindowResolution::new(width, height),
            ..default()
        },
        PrimaryWindow,
    ));
    app.update();
    app
}

fn give(app: &mut App, action: Command) {
    app.world_mut()
        .resource_mut::<CommandQueue>()
        .0
        .push(action);
    app.update();
}

/// Goes on until the file holds a text.
fn until_saved(app: &mut App, folder: &Path, part: &str) {
    let path = folder.join("settings.json");
    let start = Instant::now();
    while !std::fs::read_to_string(&path).is_ok_and(|text| text.contains(part)) {
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "{part} is not saved"
        );
        app.update();
    }
}

#[test]
fn what_was_changed_is_on_the_disk_soon_and_there_the_next_time() {
    let folder = scratch("kept");
    let mut app = window(&folder);
    for action in [
        Command::ToggleTheme,
        Command::ToggleLayer(Layer::Grid),
        Command::TogglePanel(PanelId::Inspector),
        Command::ToggleSingleKeys,
        Command::TogglePlainPulls,
    ] {
        give(&mut app, action);
    }
    let resize = |app: &mut App| {
        let mut windows = app.world_mut().query::<&mut Window>();
        let mut window = windows.single_mut(app.world_mut()).unwrap();
        window.resolution.set_physical_resolution(1600, 900);
    };
    resize(&mut app);
    until_saved(&mut app, &folder, "1600");
    // The last change is made in the frame that ends the program.
    give(&mut app, Command::Scale(1));
    give(&mut app, Command::Quit);
    drop(app);
    let mut again = window(&folder);
    let (look, preferences) = (get::<Look>(&again), get::<Preferences>(&again));
    assert!(!look.dark && !look.layers.shows(Layer::Grid) && !preferences.single_keys);
    assert!(preferences.plain_pulls);
    assert_eq!(preferences.window, [1600, 900]);
    let workspace = get::<Workspace>(&again);
    assert!(workspace.is_open(PanelId::Inspector));
    assert!((workspace.scale - 1.1).abs() < 1e-6, "{}", workspace.scale);
    let said = get::<Notices>(&again).status(None);
    assert_eq!(said, None, "nothing was wrong with the file");
    give(&mut again, Command::ResetSettings);
    again.update();
    let (look, preferences) = (get::<Look>(&again), get::<Preferences>(&again));
    assert!(look.dark && look.layers.shows(Layer::Grid) && preferences.single_keys);
    assert!(!preferences.plain_pulls);
    assert_eq!(get::<Workspace>(&again).scale, 1.0);
    let mut windows = again.world_mut().query::<&Window>();
    let size = windows.single(again.world()).unwrap().physical_size();
    assert_eq!(size, UVec2::new(1280, 720), "the window follows");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_file_is_told_in_the_status_line_and_the_window_opens() {
    let folder = scratch("damaged");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("settings.json"),
        "{\"version\": 1, \"look\": {\"dark\": fal",
    )
    .unwrap();
    let mut app = window(&folder);
    let (_, said) = get::<Notices>(&app).status(None).expect("it says so");
    assert!(
        said.contains("settings.json") && said.contains("line 1"),
        "{said}"
    );
    assert!(get::<Look>(&app).dark);
    give(&mut app, Command::ToggleTheme);
    until_saved(&mut app, &folder, "\"dark\": false");
    let kept = std::fs::read_to_string(folder.join("settings.json.old")).unwrap();
    assert!(
        kept.ends_with("fal"),
        "what could not be read is kept beside it"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_folder_named_on_the_command_line_comes_first() {
    let named = folder(Some(Path::new("/named/here")));
    assert_eq!(named.as_deref(), Some(Path::new("/named/here")));
}
