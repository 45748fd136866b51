//! From the gallery to the next day, in the real window with a real pointer: choose, pull, switch, go back in time, record, quit, find
//! everything again.
//!
//! What must become true is waited for, in the title of the window, in files that it writes and in its settings; only
//! the drag itself takes its time.

use crate::movie::Movie;
use crate::window::{HANDS, Picture, Program, column, possible, scratch, xdotool};
use bevy_egui::egui;
use driftless::app::{Pacing, Session, View, Viewport, panels};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longest wait for anything: software rendering draws a few frames a second.
const PATIENCE: Duration = Duration::from_secs(90);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(300);

/// Waits until something is true.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}: not after {PATIENCE:?}");
        sleep(PAUSE);
    }
}

/// Presses keys one after the other.
fn press(keys: &[&str]) {
    for key in keys {
        xdotool(&["key", key]);
        sleep(PAUSE);
    }
}

/// Types a text.
fn write(text: &str) {
    xdotool(&["type", "--delay", "120", text]);
    sleep(PAUSE);
}

/// Does something by the palette.
fn find(words: &str) {
    press(&["ctrl+k"]);
    sleep(Duration::from_secs(2));
    write(words);
    sleep(Duration::from_secs(1));
    press(&["Return"]);
}

fn point(window: &str, at: [f64; 2]) {
    let [x, y] = at.map(|v| format!("{v:.0}"));
    xdotool(&["mousemove", "--window", window, &x, &y]);
    sleep(PAUSE);
}

fn click(window: &str, at: [f64; 2]) {
    point(window, at);
    xdotool(&["click", "1"]);
    sleep(PAUSE);
}

fn title(window: &str) -> String {
    xdotool(&["getwindowname", window])
}

/// The settings as they are on the disk.
fn settings(config: &Path) -> String {
    std::fs::read_to_string(config.join("settings.json")).unwrap_or_default()
}

/// Saves the data of the plots, and waits for the file.
fn export(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    press(&["ctrl+e"]);
    // The last line is complete when the table has ended.
    let complete = || std::fs::read_to_string(&path).is_ok_and(|text| text.ends_with('\n'));
    until(name, complete);
    sleep(PAUSE);
    path
}

/// Pulls the bob of the pendulum, which stands at its start, a little to the side.
fn drag(window: &str) {
    let scene = driftless::scene::open("pendulum", &[]).expect("the scene is right");
    let session = Session::new(scene).expect("the scene runs");
    let full = Viewport {
        corner: [0.0; 2],
        size: [1280.0, 720.0],
    };
    let camera = View::of(&session).orbit;
    let bob = session.poses()[0].translation.vector;
    let at = camera.project(&full, &bob).expect("in view");
    press(&["space", "BackSpace", "Tab"]);
    sleep(Duration::from_secs(1));
    point(window, at);
    xdotool(&["keydown", "ctrl"]);
    sleep(PAUSE);
    xdotool(&["mousedown", "1"]);
    sleep(PAUSE);
    xdotool(&["keyup", "ctrl"]);
    // What is held stays held; time goes on.
    press(&["space"]);
    for share in [0.3, 0.6, 1.0] {
        point(window, [at[0] + 120.0 * share, at[1] - 60.0 * share]);
        sleep(Duration::from_millis(600));
    }
    xdotool(&["mouseup", "1"]);
    press(&["Tab"]);
}

/// Where the scrub bar is in the window [points]: the same bar, laid out without a window.
fn scrub_bar() -> egui::Rect {
    let scene = driftless::scene::open("pendulum", &[]).expect("the scene is right");
    let session = Session::new(scene).expect("the scene runs");
    let draw = move |ui: &mut egui::Ui| {
        drop(panels::transport_ui(ui, &session, &Pacing::default()));
    };
    let mut harness = Harness::builder()
        .with_size(egui::vec2(1260.0, 42.0))
        .with_pixels_per_point(1.0)
        .build_ui(draw);
    harness.run_steps(3);
    let bar = harness.get_by_label("Time").rect();
    // The bar of the window begins ten points from the left, above the status line.
    bar.translate(egui::vec2(10.0, 720.0 - 26.0 - 42.0))
}

/// The last time of a table [s].
fn last_time(table: &Path) -> f64 {
    *column(table, "time").last().expect("it has rows")
}

/// Goes back in time with the pointer, sees it, and goes on beyond where time had been.
fn scrub(folder: &Path, window: &str) {
    press(&["space"]);
    let end = last_time(&export(folder, "pendulum-2.csv"));
    let bar = scrub_bar();
    let y = f64::from(bar.center().y);
    let x = |share: f32| f64::from(bar.left() + share * bar.width());
    click(window, [x(0.5), y]);
    let picture = folder.join("pendulum.png");
    sleep(Duration::from_secs(1));
    press(&["ctrl+p"]);
    until("a picture is saved", || picture.exists());
    // It is written beside the window; a second is more than that takes.
    sleep(Duration::from_secs(2));
    // The way up to the moment shown is blue, the rest of the groove is grey.
    let blue = |share: f32| {
        let [u, v] = [x(share) / 1280.0, y / 720.0];
        let [r, _, b] =
            Picture::read(&picture).mean([u - 0.004, u + 0.004], [v - 0.002, v + 0.002]);
        b > r + 40.0
    };
    assert!(blue(0.2) && !blue(0.8), "the middle of the past is shown");
    press(&["space"]);
    let mut number = 3;
    until("time goes on beyond where it had been", || {
        let table = export(folder, &format!("pendulum-{number}.csv"));
        number += 1;
        last_time(&table) > end + 0.05
    });
}

#[test]
fn from_the_gallery_to_the_next_day() {
    if !possible() {
        return;
    }
    let _held = HANDS
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = scratch("journey");
    let config = folder.join("settings");
    std::fs::create_dir_all(&folder).unwrap();
    let mut program = Program::start(&folder, &config, &[]);
    let window = program.window();
    xdotool(&["windowfocus", "--sync", &window]);
    assert_eq!(
        title(&window),
        "double_pendulum - Driftless",
        "it runs already"
    );
    until("the settings are kept", || {
        settings(&config).contains("\"version\"")
    });

    // The gallery is open; asked for again, its search takes the keys. What is found stands where the first card was.
    press(&["ctrl+g", "ctrl+g"]);
    sleep(Duration::from_secs(3));
    write("one rod one hinge");
    sleep(Duration::from_secs(2));
    click(&window, [690.0, 180.0]);
    until("the card opens its scene", || {
        title(&window) == "pendulum - Driftless"
    });

    drag(&window);
    let pulled = export(&folder, "pendulum.csv");
    let work = column(&pulled, "external_work");
    let most = work.iter().copied().fold(f64::MIN, f64::max);
    assert!(most > 1e-3, "the pointer has done work: {most} J");

    find("heun");
    sleep(Duration::from_secs(1));
    let switched = export(&folder, "pendulum-1.csv");
    let text = std::fs::read_to_string(switched).unwrap();
    let head: String = text.lines().take_while(|l| l.starts_with('#')).collect();
    assert!(head.contains("heun"), "{head}");
    until("what was done is remembered", || {
        settings(&config).contains("Integrator: heun")
    });

    scrub(&folder, &window);

    press(&["t"]);
    until("light is remembered", || {
        settings(&config).contains("\"dark\": false")
    });
    press(&["ctrl+shift+r"]);
    sleep(Duration::from_secs(6));
    press(&["ctrl+q"]);
    program.leave();
    let movie = Movie::read(&folder.join("pendulum.mp4"));
    // How many were drawn in that time is up to the machine; what was drawn is complete.
    assert!(!movie.frames.is_empty(), "the film has frames");

    let picture = folder.join("again.png");
    let shown = picture.display().to_string();
    let named = config.display().to_string();
    let again = [
        "open",
        "pendulum",
        "--for",
        "8",
        "--screenshot",
        &shown,
        "--config",
        &named,
    ];
    // The folder on the command line comes before the one in the environment.
    Program::start(&folder, &folder, &again).leave();
    // Above the buttons of the toolbar.
    let bar = Picture::read(&picture).mean([0.52, 0.72], [0.002, 0.006]);
    assert!(bar.iter().all(|c| *c > 235.0), "it opens in light: {bar:?}");
    std::fs::remove_dir_all(folder).unwrap();
}
