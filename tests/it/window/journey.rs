//! From the gallery to the next day, in the real window with a real pointer: choose, pull, switch, go back in time,
//! edit, undo, record, quit, find everything again.
//!
//! What must become true is waited for, in the title of the window, in files that it writes and in its settings; only
//! the drag itself takes its time.

use crate::recording::movie::Movie;
use crate::window::display::{POINTER, Picture, Program, column, folder, possible, until, xdotool};
use crate::window::hand::{PAUSE, bob, click, find, mass_field, point, press, scrub_bar, write};
use driftless::window::state::arrangement::Arrangement;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

fn title(window: &str) -> String {
    xdotool(&["getwindowname", window])
}

/// The settings as they are on the disk.
fn settings(config: &Path) -> String {
    std::fs::read_to_string(config.join("settings.json")).unwrap_or_default()
}

/// Whether a panel is open by the settings on the disk.
fn is_open(config: &Path, panel: &str) -> bool {
    let settings: Value = serde_json::from_str(&settings(config)).unwrap_or_default();
    let open = settings["panels"]["open"].as_array();
    open.is_some_and(|open| open.iter().any(|p| p == panel))
}

/// Where the tiles are by the settings on the disk.
fn arrangement(config: &Path) -> Arrangement {
    let settings: Value = serde_json::from_str(&settings(config)).unwrap_or_default();
    serde_json::from_value(settings["panels"]["layout"].clone()).unwrap_or_default()
}

/// Saves the data of the plots, and waits for the file.
fn export(folder: &Path) -> PathBuf {
    // It takes the first name that is free.
    let names = std::iter::once("pendulum.csv".to_owned());
    let names = names.chain((1..).map(|k| format!("pendulum-{k}.csv")));
    let mut paths = names.map(|name| folder.join(name));
    let path = paths
        .find(|path| !path.exists())
        .expect("there are more numbers than files");
    press(&["ctrl+e"]);
    // The last line is complete when the table has ended.
    let complete = || std::fs::read_to_string(&path).is_ok_and(|text| text.ends_with('\n'));
    until("the table is saved", complete);
    sleep(PAUSE);
    path
}

/// Hides the panels, or shows them, and pulls the pendulum, which is level at its start, up, so that work is done on it;
/// `pause` is longer than the window takes to see what is done.
fn drag(window: &str, pause: Duration) {
    let at = bob();
    for key in ["space", "BackSpace", "Tab"] {
        press(&[key]);
        sleep(pause);
    }
    point(window, at);
    sleep(pause);
    xdotool(&["keydown", "ctrl"]);
    sleep(pause);
    xdotool(&["mousedown", "1"]);
    sleep(pause);
    xdotool(&["keyup", "ctrl"]);
    sleep(pause);
    // What is held stays held; time goes on.
    press(&["space"]);
    for share in [0.3, 0.6, 1.0] {
        point(window, [at[0] + 60.0 * share, at[1] - 130.0 * share]);
        sleep(pause);
    }
    xdotool(&["mouseup", "1"]);
    sleep(pause);
}

/// The last time of a table [s].
fn last_time(table: &Path) -> f64 {
    *column(table, "time").last().expect("it has rows")
}

/// Goes back in time with the pointer, sees it, and goes on beyond where time had been.
fn scrub(folder: &Path, window: &str) {
    press(&["space"]);
    let end = last_time(&export(folder));
    let bar = scrub_bar();
    let y = f64::from(bar.center().y);
    let x = |share: f32| f64::from(bar.left() + share * bar.width());
    click(window, [x(0.5), y]);
    let picture = folder.join("pendulum.png");
    sleep(Duration::from_secs(1));
    press(&["ctrl+p"]);
    until("a picture is saved", || picture.exists());
    // It is written in the background; a second is more than that takes.
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
    until("time goes on beyond where it had been", || {
        last_time(&export(folder)) > end + 0.05
    });
}

/// Squared momentum over twice the kinetic energy at the last moment of a table [kg]. For a rod of mass m that turns
/// about its end, at l/2 from its centre, with a moment of inertia J about it, this is m²l²/4 / (ml²/4 + J).
fn effective_mass(table: &Path) -> f64 {
    let last = |name: &str| *column(table, name).last().expect("it has rows");
    let squares = ["x", "y", "z"].map(|axis| last(&format!("linear_momentum.{axis}")).powi(2));
    squares.iter().sum::<f64>() / (2.0 * last("kinetic_energy"))
}

/// Gives the rod another mass in the inspector, sees it in what is kept and in what moves, and takes it back.
fn edit(folder: &Path, config: &Path, window: &str) {
    let draft = config.join("drafts").join("pendulum.ron");
    let kept = || std::fs::read_to_string(&draft).unwrap_or_default();
    // A busy machine draws late what is to be clicked next: it is given more and more time. Whatever went wrong in a try,
    // the next one begins from nothing but what the palette finds.
    let mut pause = Duration::from_secs(1);
    until("the edit is kept", || {
        press(&["Escape"]);
        find("reset layout");
        sleep(pause);
        // This opens the inspector.
        find("select rod");
        sleep(pause);
        click(window, mass_field(arrangement(config)));
        sleep(pause);
        press(&["ctrl+a"]);
        write("3");
        press(&["Return"]);
        sleep(pause);
        pause += Duration::from_secs(1);
        kept().contains("mass: 3")
    });
    // Settings follow on the disk when they can.
    until("the inspector, where it was edited, is open", || {
        is_open(config, "inspector")
    });
    // l = 1 m; the scene gives J = 1/12 kg·m², which an edit of the mass leaves alone. The method turns the rod about
    // its end to the accuracy of its own steps.
    let wanted = |mass: f64| 0.25 * mass * mass / (0.25 * mass + 1.0 / 12.0);
    let moves_as = |mass: f64| {
        let found = effective_mass(&export(folder));
        (found / wanted(mass) - 1.0).abs() < 0.02
    };
    until("it moves as a rod of 3 kg", || moves_as(3.0));
    until("there is nothing to keep any more", || {
        press(&["ctrl+z"]);
        sleep(pause);
        !draft.exists()
    });
    until("it moves as a rod of 1 kg", || moves_as(1.0));
}

#[test]
fn from_the_gallery_to_the_next_day() {
    if !possible() {
        return;
    }
    let _held = POINTER
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = folder("journey");
    let config = folder.join("settings");
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

    // Whatever is still open over the view is closed.
    press(&["Escape"]);
    // A machine that is busy sees several events at once, and then a key that is up again was never down: it is given
    // more and more time for each. Where panels were in the way they are not the next time.
    let mut pause = Duration::from_millis(600);
    let mut hidden = false;
    until("the pointer has done work", || {
        drag(&window, pause);
        hidden = !hidden;
        pause *= 2;
        let work = column(&export(&folder), "external_work");
        work.iter().any(|w| *w > 1e-3)
    });
    if hidden {
        press(&["Tab"]);
    }

    find("heun");
    until("the method has been switched", || {
        let text = std::fs::read_to_string(export(&folder)).unwrap();
        let mut head = text.lines().take_while(|l| l.starts_with('#'));
        head.any(|line| line.contains("heun"))
    });
    until("what was done is remembered", || {
        settings(&config).contains("Integrator: heun")
    });

    scrub(&folder, &window);
    edit(&folder, &config, &window);

    press(&["t"]);
    until("light is remembered", || {
        settings(&config).contains("\"dark\": false")
    });
    press(&["ctrl+shift+r"]);
    sleep(Duration::from_secs(2));
    press(&["ctrl+shift+r"]);
    // Frames that the machine has not drawn in that time are drawn now.
    let film = folder.join("pendulum.mp4");
    until("the film is complete", || film.exists());
    press(&["ctrl+q"]);
    program.leave();
    let movie = Movie::read(&film);
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
