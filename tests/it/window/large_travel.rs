//! Going back beyond edits of large scenes, and starting again with them: what has to be prepared there is prepared beside
//! the window.

use crate::window::blind::{give, session};
use crate::window::large_edits::{LARGE, amend, ask, ask_at_once, gravity, large, mass, settle};
use bevy::prelude::*;
use driftless::model::BodyId;
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::commands::playback::PlaybackCommand;
use driftless::window::session::Session;
use driftless::window::session::background::Headway;
use driftless::window::session::compiling::Asked;
use driftless::window::state::selection::Selection;
use std::time::{Duration, Instant};

/// Long enough for any machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// Runs frames while something holds.
fn update_while(app: &mut App, holds: impl Fn(&Session) -> bool) {
    let start = Instant::now();
    while holds(session(app)) {
        assert!(start.elapsed() < PATIENCE, "it does not get there");
        app.update();
    }
}

/// Takes steps in the paused window.
fn step(app: &mut App, steps: u32) {
    let end = session(app).state().step + u64::from(steps);
    give(app, Command::Step(steps));
    update_while(app, |s| s.state().step < end);
}

/// Goes to another moment.
fn go(app: &mut App, to: PlaybackCommand) {
    give(app, Command::Time(to));
    update_while(app, |s| s.goal().is_some());
}

#[test]
fn the_text_follows_time_beyond_an_edit_beside_the_window() {
    let mut app = large();
    let text = session(&app).scene().text.clone();
    give(&mut app, Command::Select(Some(Selection::body(BodyId(2)))));
    ask(&mut app, EditCommand::Delete);
    settle(&mut app);
    let edited = session(&app).scene().text.clone();
    assert_ne!(edited, text);
    step(&mut app, 3);
    go(&mut app, PlaybackCommand::Start);
    settle(&mut app);
    assert_eq!(session(&app).scene().text, text);
    go(&mut app, PlaybackCommand::End);
    settle(&mut app);
    assert_eq!(session(&app).scene().text, edited);
}

#[test]
fn a_moment_beyond_edits_is_the_same_when_it_is_gone_back_to() {
    let mut app = large();
    let first = Session::new(driftless::scene::open(LARGE, &[]).unwrap()).unwrap();
    let edit = mass(session(&app), 7, 2.0);
    amend(&mut app, edit);
    settle(&mut app);
    step(&mut app, 2);
    // An edit with which the run ends, so that it is made again at its last moment.
    amend(&mut app, gravity(-3.0));
    settle(&mut app);
    let seen = |app: &App| {
        let now = session(app);
        let sample = now.sample();
        (
            now.state().digest(),
            sample.energy,
            sample.energy_error,
            now.outcomes(),
        )
    };
    let (end, model) = (seen(&app), session(&app).model().clone());
    for _ in 0..2 {
        go(&mut app, PlaybackCommand::Start);
        assert_eq!(session(&app).state().digest(), first.state().digest());
        assert!(session(&app).model() == first.model());
        assert_eq!(session(&app).sample().energy, first.sample().energy);
        go(&mut app, PlaybackCommand::End);
        assert!(seen(&app) == end && *session(&app).model() == model);
        // Where the last moments are not in memory they are computed, and the edits made again, beside the window too.
        let mut window = app.world_mut().resource_mut::<Session>();
        window.set_budget(0);
    }
    assert!(!session(&app).is_past());
    assert_eq!(session(&app).failure, None);
    assert_eq!(session(&app).timeline().unwrap().branches().len(), 1);
}

#[test]
fn a_reset_after_an_edit_is_prepared_beside_the_window_to_the_bits_of_one_at_once() {
    let mut app = large();
    let edit = mass(session(&app), 7, 2.0);
    let mut alone = Session::new(driftless::scene::open(LARGE, &[]).unwrap()).unwrap();
    assert!(alone.step());
    alone.edit(&edit).expect("it is right");
    alone.set_integrator("variational").expect("it is known");
    alone.reset();
    assert_eq!(alone.failure, None);
    amend(&mut app, edit);
    settle(&mut app);
    give(&mut app, Command::Integrator("variational"));
    settle(&mut app);
    let before = session(&app).state().digest();
    give(&mut app, Command::Reset);
    // The frame in which it was asked for has not gone anywhere.
    assert_eq!(session(&app).compiling(), Some(&Asked::Restart));
    assert_eq!(session(&app).state().digest(), before);
    settle(&mut app);
    let same = |app: &App, alone: &Session| {
        let now = session(app);
        assert_eq!(now.state().digest(), alone.state().digest());
        assert!(*now.model() == *alone.model());
        assert_eq!(now.integrator().name, alone.integrator().name);
        assert_eq!(now.settings(), alone.settings());
        assert_eq!(now.sample().energy_error, alone.sample().energy_error);
        assert_eq!(
            (now.is_past(), now.follows()),
            (alone.is_past(), alone.follows())
        );
        let branches = |s: &Session| s.timeline().unwrap().branches().len();
        assert_eq!(branches(now), branches(alone));
    };
    assert_eq!(session(&app).sample().step, 0);
    same(&app, &alone);
    step(&mut app, 3);
    while alone.sample().step < 3 {
        assert_ne!(alone.go_on(), Headway::Failed);
    }
    same(&app, &alone);
}

#[test]
fn a_reset_without_an_edit_has_nothing_to_prepare() {
    let mut app = large();
    give(&mut app, Command::Reset);
    assert_eq!(session(&app).compiling(), None);
    assert_eq!(session(&app).sample().step, 0);
}

#[test]
fn whoever_goes_elsewhere_meanwhile_is_not_taken_back_to_the_start() {
    let mut app = large();
    amend(&mut app, gravity(-1.0));
    settle(&mut app);
    step(&mut app, 3);
    let end = session(&app).sample().step;
    let back = Command::Time(PlaybackCommand::By(-1));
    ask_at_once(&mut app, vec![Command::Reset, back]);
    update_while(&mut app, |s| s.goal().is_some() || s.compiling().is_some());
    app.update();
    assert_eq!(session(&app).sample().step, end - 1);
}
