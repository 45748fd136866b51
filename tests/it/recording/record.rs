//! `driftless record` as its users meet it: without a display, decoded again frame by frame.
//!
//! It draws with Vulkan in a process of its own. Where there is no driver it is skipped and says so; with
//! `DRIFTLESS_REQUIRE_DISPLAY=1`, as in continuous integration, it fails instead.

use crate::recording::movie::Movie;
use driftless::math::Vec3;
use driftless::video::MovieSpec;
use driftless::window::camera::orbit::{Orbit, Viewport};
use driftless::window::camera::path::CameraMove;
use driftless::window::jobs::Jobs;
use driftless::window::record::film::job::FilmJob;
use driftless::window::record::film::source::RunSource;
use driftless::window::record::film::{Film, RenderInputs};
use driftless::window::session::Session;
use driftless::window::state::look::Look;
use driftless::window::state::recording::{Lettering, Quality};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::Duration;

/// A ball that flies past without weight: where it is at any time is known without a simulation.
const SCENE: &str = r#"(
    version: 1,
    title: "Flying past",
    gravity: (0, 0, 0),
    bodies: {
        "ball": (shape: (sphere: (radius: 0.12), density: 10), position: (-2.2, 0, 1.2), velocity: (3, 0, -0.6), colour: "orange"),
    },
    camera: (eye: (0, -5, 1), target: (0, 0, 1)),
    integrator: (dt: 0.01),
)"#;

const FIRST: [f64; 3] = [-2.2, 0.0, 1.2];

const VELOCITY: [f64; 3] = [3.0, 0.0, -0.6];

pub fn scratch(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("driftless-record-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("scene.ron"), SCENE).unwrap();
    folder
}

/// The program in a folder, with neither X11 nor Wayland.
pub fn program(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_driftless"));
    command.current_dir(folder).arg("record").args(words);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command
}

pub fn record(folder: &Path, words: &[&str]) -> Output {
    program(folder, words).output().expect("the program starts")
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whether a driver was missing; says so.
pub fn skipped(output: &Output) -> bool {
    let missing = said(output).contains("no graphics driver was found");
    if missing {
        let required = std::env::var_os("DRIFTLESS_REQUIRE_DISPLAY").is_some();
        assert!(!required, "there is no graphics driver, but it is required");
        println!("skipped: there is no graphics driver");
    }
    missing
}

#[test]
fn every_frame_of_ten_seconds_shows_its_time_however_it_falls_between_steps() {
    let folder = scratch("frames");
    // Ten seconds; 9.25 ms of simulated time a frame against steps of 10 ms.
    let (speed, fps, frames) = (0.111, 12.0, 120);
    let duration = (frames as f64 * speed / fps).to_string();
    let words = [
        "scene.ron",
        "-o",
        "a.mp4",
        "--size",
        "640x360",
        "--fps",
        "12",
        "--speed",
        "0.111",
    ];
    let words = [&words[..], &["--start", "0.2", "--duration", &duration]].concat();
    let output = record(&folder, &words);
    if skipped(&output) {
        return;
    }
    assert!(output.status.success(), "{}", said(&output));
    let movie = Movie::read(&folder.join("a.mp4"));
    assert_eq!((movie.size, movie.frames.len()), ([640, 360], frames));
    let full = Viewport {
        corner: [0.0; 2],
        size: [640.0, 360.0],
    };
    // The vertical angle of view of every scene.
    let camera = Orbit::looking(Vec3::new(0.0, -5.0, 1.0), Vec3::new(0.0, 0.0, 1.0), 0.72);
    let mut last = 0.0;
    for (k, frame) in movie.frames.iter().enumerate() {
        assert!((movie.time(k) - k as f64 / fps).abs() < 0.6 / 90_000.0);
        let time = 0.2 + k as f64 * speed / fps;
        let ball = Vec3::from(FIRST) + Vec3::from(VELOCITY) * time;
        let wanted = camera.project(&full, &ball).expect("in view");
        let (found, count) = frame.centre(|[r, _, b]| r > b + 50.0);
        // Off the axis a ball looks like an ellipse that is not centred on it, by less than half a pixel here; the
        // light makes its dark side grey, which takes as much again.
        let away = (found[0] - wanted[0]).hypot(found[1] - wanted[1]);
        assert!(
            away < 1.6 && count > 250,
            "{k}: {found:?} {wanted:?} {count}"
        );
        // A frame that is left out, doubled or of a step beside it would stand out: they are 2.6 pixels apart.
        if k > 0 {
            let moved = found[0] - last;
            assert!((moved - 2.64).abs() < 0.7, "{k}: {moved}");
        }
        last = found[0];
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Makes the film that the test below compares, as the window does. Runs in a process of its own.
#[test]
#[ignore = "started by another test"]
fn a_film_as_the_window_makes_it() {
    let folder =
        PathBuf::from(std::env::var_os("DRIFTLESS_FILM").expect("started by another test"));
    let spec = folder.join("scene.ron").display().to_string();
    let session = Session::new(driftless::scene::open(&spec, &[]).unwrap()).unwrap();
    let mut look = Look::default();
    look.suit(&session);
    let film = Film {
        movie: MovieSpec::new(&folder.join("window"), [320, 180], 30.0).unwrap(),
        start: 0.0,
        duration: Some(0.2),
        speed: 1.0,
        changes: Vec::new(),
        camera: CameraMove::Scene,
        lettering: Lettering {
            plots: true,
            ..Lettering::default()
        },
        quality: Quality::Good,
        portrait: false,
    };
    let begin = move || Ok((RenderInputs::alone(session, look), RunSource));
    let mut job = FilmJob::start(&Jobs::default(), film, begin);
    let outcome = loop {
        match job.take() {
            Some(outcome) => break outcome,
            None => sleep(Duration::from_millis(20)),
        }
    };
    assert_eq!(outcome.unwrap().frames, 6);
}

#[test]
fn the_command_draws_the_frames_that_the_window_draws() {
    let folder = scratch("same");
    let words = [
        "scene.ron",
        "-o",
        "command",
        "--size",
        "320x180",
        "--duration",
        "0.2",
        "--plots",
    ];
    let output = record(&folder, &words);
    if skipped(&output) {
        return;
    }
    assert!(output.status.success(), "{}", said(&output));
    let child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--ignored",
            "--exact",
            "recording::record::a_film_as_the_window_makes_it",
        ])
        .env("DRIFTLESS_FILM", &folder)
        .output()
        .unwrap();
    assert!(
        child.status.success(),
        "{}",
        String::from_utf8_lossy(&child.stdout)
    );
    for k in 0..6 {
        let file =
            |of: &str| std::fs::read(folder.join(of).join(format!("frame_{k:06}.png"))).unwrap();
        assert!(file("command") == file("window"), "frame {k} differs");
    }
    assert!(!folder.join("command/frame_000006.png").exists());
    std::fs::remove_dir_all(folder).unwrap();
}
