//! The file of the settings: comes back as it was, survives whatever is in it.

mod panels;

use super::*;
use crate::camera::motion::NamedView;
use crate::camera::orbit::Orbit;
use crate::state::arrangement::Arrangement;
use crate::state::layers::Layer;
use crate::state::look::ErrorAxis;
use crate::state::panels::PanelId;
use crate::state::recording::{FilmSubject, Lettering, Quality, RecordSettings};
use physics::math::Vec3;
use std::fs;

fn scratch(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("driftless-settings-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// The window's state as it is at first.
fn fresh() -> World {
    let mut world = World::new();
    world.init_resource::<Look>();
    world.init_resource::<Workspace>();
    world.init_resource::<Preferences>();
    world.init_resource::<Recording>();
    world.init_resource::<Notices>();
    world
}

/// State in which every setting differs from what it is at first.
fn changed() -> World {
    let mut world = fresh();
    let mut look = world.resource_mut::<Look>();
    look.dark = false;
    for layer in [
        Layer::Grid,
        Layer::Shadows,
        Layer::Joints,
        Layer::ContactPoints,
    ] {
        look.toggle(layer);
    }
    look.layers.style_mut(Layer::BodyFrames).scale = 0.3;
    look.error_axis = ErrorAxis::Logarithmic;
    look.layers.both = !look.layers.both;
    look.layers.fade = 7.5;
    let mut workspace = world.resource_mut::<Workspace>();
    workspace.scale = 1.3;
    workspace.open = vec![PanelId::Record, PanelId::Profiler];
    workspace.arrangement.widen(PanelId::Plots, 410.0);
    workspace.info = true;
    let mut preferences = world.resource_mut::<Preferences>();
    preferences.recent = vec!["/tmp".into()];
    preferences.single_keys = false;
    preferences.plain_pulls = true;
    preferences.full_resolution = true;
    preferences.gallery_at_start = false;
    preferences.window = [1920, 1080];
    preferences.note("Scenes: arch");
    let orbit = Orbit::looking(Vec3::new(1.0, 2.0, 3.0), Vec3::zeros(), 0.7);
    let view = NamedView::new("above".into(), &orbit);
    preferences.views.insert("arch".into(), vec![view]);
    world.resource_mut::<Recording>().settings = RecordSettings {
        subject: FilmSubject::Window,
        ending: "gif",
        size: [640, 360],
        fps: 25.0,
        speed: Some(0.25),
        lettering: Lettering {
            plots: true,
            large: true,
            ..Lettering::default()
        },
        countdown: true,
        quality: Quality::Draft,
        duration: 2.5,
        ..RecordSettings::default()
    };
    world
}

#[test]
fn every_setting_comes_back_and_a_reset_leaves_what_was_collected() {
    let folder = scratch("round");
    let (mut file, problems) = SettingsFile::read(&folder, &mut fresh());
    assert!(problems.is_empty(), "there is no file yet: {problems:?}");
    let world = changed();
    let first = fresh();
    for entry in entries::ENTRIES {
        assert_ne!(
            (entry.get)(&world),
            (entry.get)(&first),
            "{:?} is tested",
            entry.path
        );
    }
    file.change(&world).expect("all is new").write().unwrap();
    assert_eq!(file.change(&world), None, "nothing is written twice");
    let mut again = fresh();
    let (mut file, problems) = SettingsFile::read(&folder, &mut again);
    assert!(problems.is_empty(), "{problems:?}");
    for entry in entries::ENTRIES {
        assert_eq!((entry.get)(&again), (entry.get)(&world), "{:?}", entry.path);
    }
    assert_eq!(file.change(&again), None);
    reset(&mut again);
    for entry in entries::ENTRIES {
        let expected = if entry.collected { &world } else { &first };
        assert_eq!(
            (entry.get)(&again),
            (entry.get)(expected),
            "{:?}",
            entry.path
        );
    }
    let names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(names, ["settings.json"], "no draft is left");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_wrong_is_named_the_rest_is_taken_and_the_old_file_is_kept() {
    let folder = scratch("wrong");
    fs::create_dir_all(&folder).unwrap();
    let text = r#"{
        "version": 1,
        "look": {"dark": false, "scale": 90, "sparkle": true},
        "layers": {"grid": "perhaps", "styles": {"Ghosts": {"shown": true, "scale": 1, "auto": false, "threshold": 0}}},
        "panels": {"side": "cellar", "plots": false},
        "record": {"size": [7, 100], "ending": "avi"},
        "collected": {"views": {"arch": [{"name": "nowhere", "focus": [0, 0, 0], "yaw": 0, "pitch": 9, "distance": 1, "field_of_view": 0.7}]}},
        "plugins": {"kept": [1, 2]}
    }"#;
    fs::write(folder.join("settings.json"), text).unwrap();
    let mut world = fresh();
    let (mut file, problems) = SettingsFile::read(&folder, &mut world);
    for part in [
        "look.scale: 90 is not from 0.7 to 2.5",
        "look.sparkle: nothing is called that",
        "layers.grid: invalid type: string \"perhaps\", expected a boolean",
        "layers.styles: no layer is called `Ghosts`",
        "panels.side: unknown variant `cellar`",
        "record.size: 7 is not from 16 to 16384",
        "record.ending: not mp4, gif",
        "collected.views: no camera can be at the view `nowhere`",
        "plugins: nothing is called that",
    ] {
        assert!(
            problems.iter().any(|p| p.starts_with(part)),
            "{part}: {problems:#?}"
        );
    }
    assert_eq!(problems.len(), 9, "{problems:#?}");
    assert!(
        !world.resource::<Look>().dark && !world.resource::<Workspace>().is_open(PanelId::Plots),
        "what is right is taken"
    );
    assert_eq!(
        world.resource::<Workspace>().scale,
        1.0,
        "what is wrong is as at first"
    );
    file.change(&world).unwrap().write().unwrap();
    let kept = fs::read_to_string(folder.join("settings.json.old")).unwrap();
    assert_eq!(kept, text);
    let written = fs::read_to_string(folder.join("settings.json")).unwrap();
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(
        written["plugins"]["kept"][1], 2,
        "what another version wrote stays"
    );
    assert_eq!(written["look"]["scale"], 1.0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn styles_of_layers_are_read_by_their_former_names_and_written_by_their_ids() {
    let folder = scratch("styles");
    fs::create_dir_all(&folder).unwrap();
    let style = |scale: f64| {
        format!(r#"{{"shown": true, "scale": {scale}, "auto": false, "threshold": 0}}"#)
    };
    let text = format!(
        r#"{{"version": 1, "layers": {{"grid": false, "styles": {{"Joint errors": {}, "momenta": {}}}}}}}"#,
        style(7.0),
        style(0.5),
    );
    fs::write(folder.join("settings.json"), text).unwrap();
    let mut world = fresh();
    let (mut file, problems) = SettingsFile::read(&folder, &mut world);
    assert!(problems.is_empty(), "{problems:?}");
    let layers = &world.resource::<Look>().layers;
    assert_eq!(layers.style(Layer::Violations).scale, 7.0);
    assert_eq!(layers.style(Layer::Momenta).scale, 0.5);
    assert!(!layers.shows(Layer::Grid) && !layers.shows(Layer::Trails));
    file.change(&world).unwrap().write().unwrap();
    let written = fs::read_to_string(folder.join("settings.json")).unwrap();
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    let styles = written["layers"]["styles"].as_object().unwrap();
    assert_eq!(styles["joint_errors"]["scale"], 7.0);
    assert!(!styles.contains_key("Joint errors"), "{styles:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn no_content_of_the_file_ends_the_program() {
    let folder = scratch("damage");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("settings.json");
    let (mut file, _) = SettingsFile::read(&folder, &mut fresh());
    file.change(&changed()).unwrap().write().unwrap();
    let whole = fs::read(&path).unwrap();
    // Cut off anywhere, as by a full disk or a crash of the machine.
    for end in 0..whole.len() - 2 {
        fs::write(&path, &whole[..end]).unwrap();
        let mut world = fresh();
        let (_, problems) = SettingsFile::read(&folder, &mut world);
        assert!(!problems.is_empty(), "{end} bytes");
        assert!(
            world.resource::<Look>().dark,
            "nothing is taken of half a file"
        );
    }
    for text in [
        "[]",
        "7",
        "{\"version\": 9}",
        "{\"look\": 3}",
        "\u{0}\u{1}",
        "{\"version\": -1}",
    ] {
        fs::write(&path, text).unwrap();
        let (mut file, problems) = SettingsFile::read(&folder, &mut fresh());
        assert!(!problems.is_empty(), "{text}");
        file.change(&changed()).unwrap().write().unwrap();
        let (_, problems) = SettingsFile::read(&folder, &mut fresh());
        assert!(problems.is_empty(), "{text}: {problems:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_to_is_an_error_with_its_name() {
    let folder = scratch("blocked");
    fs::write(&folder, "a file where the folder should be").unwrap();
    let (mut file, _) = SettingsFile::read(&folder, &mut fresh());
    let said = file.change(&changed()).unwrap().write().unwrap_err();
    assert!(said.contains("settings.json"), "{said}");
    assert_eq!(folder_named(&folder), folder);
    fs::remove_file(folder).unwrap();
}

/// The folder if one is named on the command line.
fn folder_named(path: &Path) -> PathBuf {
    folder(Some(path)).expect("it is named")
}
