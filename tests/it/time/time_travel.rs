//! Travel in time in the window without a graphics card: by keys, by the bar, by takes.

use crate::window::blind::{give, key, playback, session, tap, window};
use bevy::input::ButtonState;
use bevy::prelude::*;
use driftless::math::Vec3;
use driftless::model::{BodyId, Drag};
use driftless::sim::DragGoal;
use driftless::window::camera::view::View;
use driftless::window::commands::Command;
use driftless::window::commands::playback::PlaybackCommand;
use driftless::window::jobs::{Jobs, Progress};
use driftless::window::record::film::live;
use driftless::window::session::Session;
use driftless::window::state::notices::Notices;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn time(app: &mut App, asked: PlaybackCommand) {
    give(app, Command::Time(asked));
}

fn step(app: &App) -> u64 {
    session(app).sample().step
}

fn digest(app: &App) -> u64 {
    session(app).state().digest()
}

/// Runs for so many frames, then pauses.
fn run(app: &mut App, frames: u32) {
    if !playback(app).playing {
        give(app, Command::TogglePlay);
    }
    (0..frames).for_each(|_| app.update());
    give(app, Command::TogglePlay);
}

/// Presses a key with another one held.
fn chord(app: &mut App, held: KeyCode, code: KeyCode) {
    key(app, held, ButtonState::Pressed);
    app.update();
    tap(app, code);
    key(app, held, ButtonState::Released);
    app.update();
}

fn file(name: &str) -> PathBuf {
    let name = format!("driftless-time-{}-{name}", std::process::id());
    std::env::temp_dir().join(name)
}

/// Updates until something is there.
fn wait<T>(app: &mut App, what: impl Fn(&App) -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = what(app) {
            return found;
        }
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "it takes too long"
        );
        std::thread::sleep(Duration::from_millis(2));
        app.update();
    }
}

fn hint(app: &App) -> Option<String> {
    let hint = &app.world().resource::<Notices>().hint;
    hint.as_ref().map(|(text, _)| text.clone())
}

#[test]
fn keys_go_back_and_on_in_time_and_name_moments() {
    let mut app = window("double_pendulum", 2);
    run(&mut app, 30);
    let end = step(&app);
    assert!(end >= 60);
    tap(&mut app, KeyCode::ArrowLeft);
    assert_eq!(step(&app), end - 1);
    chord(&mut app, KeyCode::ShiftLeft, KeyCode::ArrowLeft);
    assert_eq!(step(&app), end - 11);
    tap(&mut app, KeyCode::KeyB);
    tap(&mut app, KeyCode::ArrowRight);
    assert_eq!(step(&app), end - 10);
    chord(&mut app, KeyCode::ControlLeft, KeyCode::ArrowLeft);
    assert_eq!(step(&app), 0);
    tap(&mut app, KeyCode::PageDown);
    assert_eq!(step(&app), end - 11);
    chord(&mut app, KeyCode::ControlLeft, KeyCode::ArrowRight);
    assert_eq!(step(&app), end);
    assert!(!playback(&app).playing, "moving leaves the clock as it is");
    tap(&mut app, KeyCode::PageUp);
    assert_eq!(step(&app), end - 11);
    assert_eq!(session(&app).timeline().unwrap().branches().len(), 1);
}

#[test]
fn time_runs_backwards_to_its_beginning_and_stops_there() {
    let mut app = window("double_pendulum", 2);
    run(&mut app, 20);
    let end = step(&app);
    chord(&mut app, KeyCode::ShiftLeft, KeyCode::Space);
    assert!(playback(&app).backwards);
    let here = step(&app);
    assert!(here < end);
    app.update();
    assert_eq!(step(&app), here - 2, "as fast as forwards");
    (0..end).for_each(|_| app.update());
    assert_eq!(step(&app), 0);
    assert!(!playback(&app).playing);
}

#[test]
fn a_moment_of_the_past_is_drawn_at_once_and_time_goes_on_to_the_same_bits() {
    let mut app = window("box_stack", 2);
    run(&mut app, 30);
    let (end, wanted) = (step(&app), digest(&app));
    time(&mut app, PlaybackCommand::Seek(20));
    assert_eq!(step(&app), 20);
    let drawn = &app.world().resource::<View>().poses;
    assert_eq!(drawn, session(&app).poses());
    assert_eq!(session(&app).state().step, 20);
    give(&mut app, Command::TogglePlay);
    while step(&app) < end {
        app.update();
    }
    give(&mut app, Command::TogglePlay);
    time(&mut app, PlaybackCommand::Seek(end));
    assert_eq!(digest(&app), wanted);
    assert_eq!(session(&app).timeline().unwrap().branches().len(), 1);
}

#[test]
fn what_is_changed_in_the_past_begins_a_branch_and_the_old_way_can_be_visited() {
    let mut app = window("double_pendulum", 2);
    run(&mut app, 30);
    let (end, wanted) = (step(&app), digest(&app));
    let first = session(&app).timeline().unwrap().current();
    time(&mut app, PlaybackCommand::Seek(20));
    give(&mut app, Command::Integrator("heun"));
    let second = session(&app).timeline().unwrap().current();
    assert_ne!(first, second);
    run(&mut app, 5);
    assert_eq!(session(&app).integrator().name, "heun");
    time(&mut app, PlaybackCommand::Visit(first, end));
    assert_eq!((step(&app), digest(&app)), (end, wanted));
    assert_ne!(session(&app).integrator().name, "heun");
    time(&mut app, PlaybackCommand::Remove(second));
    assert_eq!(session(&app).timeline().unwrap().branches().len(), 1);
}

#[test]
fn a_film_of_the_window_ends_where_time_is_taken_back() {
    let mut app = window("double_pendulum", 2);
    run(&mut app, 10);
    let orbit = app.world().resource::<View>().orbit;
    let (tap, live) = live::tap(&Arc::new(Mutex::new(orbit)));
    app.world_mut().resource_mut::<Session>().tap = Some(tap);
    give(&mut app, Command::Step(1));
    app.update();
    assert!(session(&app).tap.is_some());
    time(&mut app, PlaybackCommand::By(-1));
    assert!(session(&app).tap.is_none());
    drop(live);
}

/// A run with a drag and a change of method; its take.
fn saved(app: &mut App, name: &str) -> PathBuf {
    run(app, 10);
    app.world_mut().resource_mut::<Session>().input.drag = Some(Drag {
        body: BodyId(1),
        point: Vec3::zeros(),
        goal: DragGoal::Pull(Vec3::new(0.5, 0.2, 1.0)),
    });
    for _ in 0..15 {
        assert!(app.world_mut().resource_mut::<Session>().step());
    }
    app.world_mut().resource_mut::<Session>().input = Default::default();
    give(app, Command::Integrator("rk4"));
    run(app, 10);
    let path = file(name);
    time(app, PlaybackCommand::SaveTake(Some(path.clone())));
    wait(app, |app| hint(app).filter(|h| h.starts_with("Saved")));
    path
}

#[test]
fn a_take_is_saved_and_opened_with_its_whole_run_as_the_past() {
    let mut app = window("double_pendulum", 2);
    let path = saved(&mut app, "run.take");
    let (end, wanted) = (step(&app), digest(&app));
    let rows = session(&app).history().rows().len();
    let mut other = window("pendulum", 1);
    give(&mut other, Command::Open(path.display().to_string()));
    wait(&mut other, |app| {
        session(app).take().map(std::path::Path::to_path_buf)
    });
    give(&mut other, Command::TogglePlay);
    let opened = session(&other);
    assert_eq!(opened.scene().name, "double_pendulum");
    assert_eq!(opened.timeline().unwrap().span(), [0, end]);
    assert_eq!(opened.history().rows().len(), rows);
    assert!(opened.is_past(), "it is shown from its beginning");
    time(&mut other, PlaybackCommand::End);
    assert_eq!((step(&other), digest(&other)), (end, wanted));
    assert_eq!(session(&other).integrator().name, "rk4");
    // To read it again is to run it again.
    let generation = session(&other).generation();
    give(&mut other, Command::Reload);
    wait(&mut other, |app| {
        (session(app).generation() > generation).then_some(())
    });
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn a_replay_is_checked_beside_the_window() {
    let mut app = window("double_pendulum", 2);
    let path = saved(&mut app, "check.take");
    let end = step(&app);
    time(&mut app, PlaybackCommand::CheckReplay);
    let said = wait(&mut app, |app| {
        hint(app).filter(|h| h.starts_with("Replay"))
    });
    assert_eq!(said, format!("Replay: the same bits over {end} steps."));
    // A take of which one hash is another: it is opened up to there, and says so.
    let text = std::fs::read_to_string(&path).expect("it was written");
    let line = text.lines().find(|l| l.starts_with("Step(31,")).unwrap();
    let wrong = text.replace(line, "Step(31,\"0123456789abcdef\")");
    std::fs::write(&path, wrong).expect("it can be written");
    give(&mut app, Command::Open(path.display().to_string()));
    let said = wait(&mut app, |app| {
        app.world().resource::<Notices>().scene.clone()
    });
    assert!(said.starts_with("diverged at step 31 "), "{said}");
    assert!(said.contains("0123456789abcdef"), "{said}");
    assert_eq!(session(&app).take(), Some(path.as_path()));
    assert_eq!(session(&app).timeline().unwrap().span(), [0, 31]);
    std::fs::remove_file(path).expect("it is there");
}

#[test]
fn a_take_that_cannot_be_read_leaves_everything_as_it_is() {
    let mut app = window("double_pendulum", 2);
    run(&mut app, 5);
    let generation = session(&app).generation();
    give(&mut app, Command::Open("nowhere/nothing.take".into()));
    let said = wait(&mut app, |app| {
        app.world().resource::<Notices>().scene.clone()
    });
    assert!(said.contains("nothing.take"), "{said}");
    assert_eq!(session(&app).generation(), generation);
    assert_eq!(session(&app).take(), None);
}

#[test]
fn work_beside_the_window_is_shown_and_ended() {
    let mut app = window("double_pendulum", 2);
    {
        let mut session = app.world_mut().resource_mut::<Session>();
        (0..30_000).for_each(|_| assert!(session.step()));
    }
    time(&mut app, PlaybackCommand::CheckReplay);
    let job = wait(&mut app, |app| {
        let checks = |job: &Progress| job.what == "Checking the replay" && job.done > 0;
        let running = app.world().resource::<Jobs>().list();
        running.into_iter().find(checks)
    });
    give(&mut app, Command::CancelJob(job.id));
    let said = wait(&mut app, |app| hint(app).filter(|h| h.len() < 10));
    assert_eq!(said, "Ended.");
    app.update();
    assert!(app.world().resource::<Jobs>().list().is_empty());
}
