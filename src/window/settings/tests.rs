//! The file of the settings: comes back as it was, survives whatever is in it.

use super::*;
use crate::camera::motion::NamedView;
use crate::camera::orbit::Orbit;
use crate::state::layers::Layer;
use crate::state::panels::Side;
use crate::state::recording::{Quality, Subject};
use physics::math::Vec3;
use std::fs;

fn scratch(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("driftless-settings-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// A shell in which every setting differs from what it is at first.
fn changed() -> Shell {
    let mut shell = Shell {
        dark: false,
        scale: 1.3,
        side: Some(Side::Record),
        plots: false,
        info: true,
        grid: false,
        shadows: false,
        joints: false,
        recent: vec!["/tmp".into()],
        ..Shell::default()
    };
    shell.toggle(Layer::ContactPoints);
    shell.layers.styles[0].scale = 0.3;
    shell.layers.both = !shell.layers.both;
    shell.layers.fade = 7.5;
    shell.preferences.single_keys = false;
    shell.preferences.plain_pulls = true;
    shell.preferences.gallery_at_start = false;
    shell.preferences.side_width = 300.5;
    shell.preferences.plots_width = 410.25;
    shell.preferences.window = [1920, 1080];
    shell.preferences.note("Scenes: arch");
    let orbit = Orbit::looking(Vec3::new(1.0, 2.0, 3.0), Vec3::zeros(), 0.7);
    let view = NamedView::new("above".into(), &orbit);
    shell.preferences.views.insert("arch".into(), vec![view]);
    let recording = &mut shell.recording;
    recording.subject = Subject::Window;
    recording.ending = "gif";
    recording.size = [640, 360];
    recording.fps = 25.0;
    recording.speed = Some(0.25);
    recording.plots = true;
    recording.quality = Quality::Draft;
    recording.duration = 2.5;
    shell
}

#[test]
fn every_setting_comes_back_and_a_reset_leaves_what_was_collected() {
    let folder = scratch("round");
    let (mut file, problems) = SettingsFile::read(&folder, &mut Shell::default());
    assert!(problems.is_empty(), "there is no file yet: {problems:?}");
    let shell = changed();
    let fresh = Shell::default();
    for entry in entries::ENTRIES {
        assert_ne!(
            (entry.get)(&shell),
            (entry.get)(&fresh),
            "{:?} is tested",
            entry.path
        );
    }
    file.change(&shell).expect("all is new").write().unwrap();
    assert_eq!(file.change(&shell), None, "nothing is written twice");
    let mut again = Shell::default();
    let (mut file, problems) = SettingsFile::read(&folder, &mut again);
    assert!(problems.is_empty(), "{problems:?}");
    for entry in entries::ENTRIES {
        assert_eq!((entry.get)(&again), (entry.get)(&shell), "{:?}", entry.path);
    }
    assert_eq!(file.change(&again), None);
    reset(&mut again);
    for entry in entries::ENTRIES {
        let expected = if entry.collected { &shell } else { &fresh };
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
    let mut shell = Shell::default();
    let (mut file, problems) = SettingsFile::read(&folder, &mut shell);
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
    assert!(!shell.dark && !shell.plots, "what is right is taken");
    assert_eq!(shell.scale, 1.0, "what is wrong is as at first");
    file.change(&shell).unwrap().write().unwrap();
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
fn no_content_of_the_file_ends_the_program() {
    let folder = scratch("damage");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("settings.json");
    let (mut file, _) = SettingsFile::read(&folder, &mut Shell::default());
    file.change(&changed()).unwrap().write().unwrap();
    let whole = fs::read(&path).unwrap();
    // Cut off anywhere, as by a full disk or a crash of the machine.
    for end in 0..whole.len() - 2 {
        fs::write(&path, &whole[..end]).unwrap();
        let mut shell = Shell::default();
        let (_, problems) = SettingsFile::read(&folder, &mut shell);
        assert!(!problems.is_empty(), "{end} bytes");
        assert!(shell.dark, "nothing is taken of half a file");
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
        let (mut file, problems) = SettingsFile::read(&folder, &mut Shell::default());
        assert!(!problems.is_empty(), "{text}");
        file.change(&changed()).unwrap().write().unwrap();
        let (_, problems) = SettingsFile::read(&folder, &mut Shell::default());
        assert!(problems.is_empty(), "{text}: {problems:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_to_is_an_error_with_its_name() {
    let folder = scratch("blocked");
    fs::write(&folder, "a file where the folder should be").unwrap();
    let (mut file, _) = SettingsFile::read(&folder, &mut Shell::default());
    let said = file.change(&changed()).unwrap().write().unwrap_err();
    assert!(said.contains("settings.json"), "{said}");
    assert_eq!(folder_named(&folder), folder);
    fs::remove_file(folder).unwrap();
}

/// The folder if one is named on the command line.
fn folder_named(path: &Path) -> PathBuf {
    folder(Some(path)).expect("it is named")
}
