//! A window that is killed in the middle of an edit: nothing is lost.

use crate::window::display::{POINTER, Program, folder, possible, until, xdotool};
use bevy_egui::egui;
use driftless::window::editing::Question;
use driftless::window::editing::question_ui::question_ui;
use driftless::window::state::draft::Draft;
use driftless::window::theme::apply;
use driftless::window::theme::fonts::fonts;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// Drafts in the folder of the settings.
fn drafts(config: &Path) -> Vec<String> {
    let files = std::fs::read_dir(config.join("drafts"));
    let files = files.into_iter().flatten().flatten();
    let texts = files.filter_map(|f| std::fs::read_to_string(f.path()).ok());
    texts.collect()
}

/// Where the button is that restores edits [points]: the same bar, laid out without a window.
fn restore_button() -> [f64; 2] {
    let question = Question::Draft(Draft {
        file: PathBuf::new(),
        spec: "double_pendulum".into(),
        text: String::new(),
        kept: SystemTime::now(),
    });
    let draw = |ui: &mut egui::Ui, (question, worn): &mut (Question, bool)| {
        if !std::mem::replace(worn, true) {
            ui.ctx().set_fonts(fonts());
            apply(ui.ctx(), true);
        }
        // Below the toolbar, within the margins of the bar.
        let inside = egui::Rect::from_min_max(egui::pos2(10.0, 46.0), egui::pos2(1270.0, 90.0));
        ui.scope_builder(egui::UiBuilder::new().max_rect(inside), |ui| {
            drop(question_ui(ui, question));
        });
    };
    let mut harness = Harness::builder()
        .with_size(egui::vec2(1280.0, 720.0))
        .with_pixels_per_point(1.0)
        .build_ui_state(draw, (question, false));
    harness.run_steps(5);
    let at = harness.get_by_label("Restore").rect().center();
    [at.x, at.y].map(f64::from)
}

#[test]
fn what_was_edited_in_a_window_that_is_killed_is_offered_and_restored() {
    if !possible() {
        return;
    }
    let _held = POINTER
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = folder("crash");
    let config = folder.join("settings");
    let press = |window: &str, key: &str| {
        xdotool(&["windowfocus", "--sync", window]);
        xdotool(&["key", key]);
    };

    let mut program = Program::start(&folder, &config, &["open", "double_pendulum"]);
    let window = program.window();
    // The palette selects a body, a key copies it.
    let mut tries = 0;
    until("the copy is kept as a draft", || {
        if tries % 20 == 0 {
            press(&window, "ctrl+k");
            sleep(Duration::from_secs(3));
            xdotool(&["type", "--delay", "120", "select lower"]);
            sleep(Duration::from_secs(2));
            press(&window, "Return");
            sleep(Duration::from_secs(2));
            press(&window, "ctrl+d");
        }
        tries += 1;
        drafts(&config).iter().any(|t| t.contains("lower_2"))
    });
    // Nobody has a chance to tidy up.
    drop(program);
    let kept = drafts(&config);
    assert_eq!(kept.len(), 1);

    // The next start, of any scene, offers it.
    let mut program = Program::start(&folder, &config, &["open", "pendulum"]);
    let window = program.window();
    let title = || xdotool(&["getwindowname", &window]);
    assert!(title().starts_with("pendulum"));
    let [x, y] = restore_button().map(|v| format!("{v:.0}"));
    let mut tries = 0;
    until("the scene is back", || {
        if tries % 10 == 0 {
            xdotool(&["mousemove", "--window", &window, &x, &y]);
            sleep(Duration::from_secs(1));
            xdotool(&["click", "1"]);
        }
        tries += 1;
        title().starts_with("double_pendulum")
    });
    assert_eq!(drafts(&config), kept, "it stays until it is saved");
    // What runs is what was edited: taken back, there is nothing to keep; made again, there is the same.
    press(&window, "ctrl+z");
    until("it is taken back", || drafts(&config).is_empty());
    press(&window, "ctrl+y");
    until("it is made again", || drafts(&config) == kept);
    drop(program);
    std::fs::remove_dir_all(folder).unwrap();
}
