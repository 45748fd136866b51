//! Nothing holds the window up: steps that take long are taken beside it, to the same bits.

use crate::window::blind::{button, give, move_pointer, playback, session, window};
use bevy::input::ButtonState;
use bevy::prelude::*;
use driftless::integrators::{LinearSolver, Settings};
use driftless::math::Vec3;
use driftless::model::BodyId;
use driftless::scene::{Amendment, Edit};
use driftless::sim::{Drag, DragGoal};
use driftless::window::camera::view::View;
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::commands::playback::PlaybackCommand;
use driftless::window::session::Session;
use driftless::window::session::background::Headway;
use std::time::{Duration, Instant};

/// A step of it by dense elimination solves for 1100 unknowns several times, which takes seconds: nothing that a frame
/// waits for.
const SLOW: &str = "chain:links=100";

fn open(spec: &str) -> Session {
    Session::new(driftless::scene::open(spec, &[]).unwrap()).unwrap()
}

/// The window on a scene whose steps take seconds, one of which is under way.
fn stepping() -> App {
    let mut app = window(SLOW, 1);
    let settings = Settings {
        linear_solver: LinearSolver::Dense,
        ..*session(&app).settings()
    };
    give(&mut app, Command::Settings(settings));
    await_step(&mut app);
    app
}

/// Runs frames until a step is under way.
fn await_step(app: &mut App) {
    let start = Instant::now();
    while !session(app).is_stepping() {
        assert!(start.elapsed() < Duration::from_secs(600));
        app.update();
    }
}

/// Goes on by so many steps in the background.
fn go_on(session: &mut Session, steps: u64) {
    let end = session.sample().step + steps;
    while session.sample().step < end {
        assert_ne!(session.go_on(), Headway::Failed);
    }
}

#[test]
fn a_step_that_is_there_is_not_spoken_of_while_time_stands_still() {
    let mut app = stepping();
    give(&mut app, Command::TogglePlay);
    assert!(!playback(&app).playing);
    let start = Instant::now();
    // Later than any step is spoken of.
    while start.elapsed() < Duration::from_millis(400) || session(&app).stepping_for().is_some() {
        assert!(start.elapsed() < Duration::from_secs(600));
        app.update();
    }
    assert!(session(&app).is_stepping(), "nothing has asked for it");
}

#[test]
fn frames_go_on_while_a_step_is_under_way() {
    let mut app = stepping();
    let here = session(&app).sample().step;
    let before = app.world().resource::<View>().orbit;
    move_pointer(&mut app, [30.0, 30.0]);
    app.update();
    button(&mut app, MouseButton::Left, ButtonState::Pressed);
    app.update();
    move_pointer(&mut app, [130.0, 60.0]);
    app.update();
    button(&mut app, MouseButton::Left, ButtonState::Released);
    app.update();
    assert_ne!(
        app.world().resource::<View>().orbit,
        before,
        "the camera moves"
    );
    give(&mut app, Command::ToggleTheme);
    // All of that took a few frames, the step takes longer; what is shown is where it began.
    assert!(session(&app).is_stepping());
    assert_eq!(session(&app).sample().step, here);
    assert!(playback(&app).late, "real time is missed");
    // Once it is there it is taken in, and the next begins.
    let start = Instant::now();
    while session(&app).sample().step == here {
        assert!(start.elapsed() < Duration::from_secs(600));
        app.update();
    }
    assert_eq!(session(&app).sample().step, here + 1);
}

#[test]
fn whatever_is_done_while_a_step_is_under_way_takes_effect_at_once_and_gives_it_up() {
    let mut app = stepping();
    let gravity = Amendment::Gravity(Vec3::new(0.0, 0.0, -1.0));
    let gravity = Edit::new("gravity", vec![gravity]);
    give(
        &mut app,
        Command::Edit(EditCommand::Amend(Box::new(gravity))),
    );
    assert_eq!(session(&app).model().gravity.z, -1.0);
    await_step(&mut app);
    give(&mut app, Command::Edit(EditCommand::Undo));
    assert_ne!(session(&app).model().gravity.z, -1.0);
    await_step(&mut app);
    give(&mut app, Command::Time(PlaybackCommand::GiveUp));
    assert!(!session(&app).is_stepping() && !playback(&app).playing);
    // What was given up is not taken in later.
    let here = session(&app).state().digest();
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(200) {
        app.update();
    }
    assert_eq!(session(&app).state().digest(), here);
    give(&mut app, Command::Step(1));
    await_step(&mut app);
    give(&mut app, Command::Reset);
    assert_eq!(session(&app).sample().step, 0);
    crate::window::blind::open(&mut app, "pendulum");
    assert_eq!(session(&app).scene().name, "pendulum");
    for _ in 0..5 {
        app.update();
    }
    assert!(session(&app).sample().step >= 4);
}

#[test]
fn where_a_step_is_taken_makes_no_difference() {
    // Both go beside: one for its contacts, the other since nothing is known of its first steps.
    for (spec, steps) in [("brick_wall", 40), ("chain:links=40", 60)] {
        let (mut beside, mut alone) = (open(spec), open(spec));
        assert!(beside.steps_are_long(), "{spec}");
        let mut followed = [Vec::new(), Vec::new()];
        for session in [&mut beside, &mut alone] {
            session.followed = Some(Vec::new());
        }
        for k in 0..steps {
            let drag = (5..20).contains(&k).then_some(Drag {
                body: BodyId(7),
                point: Vec3::zeros(),
                goal: DragGoal::Pull(Vec3::new(0.3, 0.2, 1.0)),
            });
            (beside.input.drag, alone.input.drag) = (drag, drag);
            go_on(&mut beside, 1);
            assert!(alone.step());
            let hashes = [&beside, &alone].map(|s| s.state().digest());
            assert_eq!(hashes[0], hashes[1], "{spec} {k}");
            let pulls = [&beside, &alone].map(|s| s.pull());
            assert_eq!(pulls[0], pulls[1]);
            for (list, session) in followed.iter_mut().zip([&mut beside, &mut alone]) {
                list.append(session.followed.as_mut().unwrap());
            }
        }
        assert_eq!(followed[0], followed[1]);
        assert_eq!(followed[0].len(), steps as usize);
        let [a, b] = [&beside, &alone].map(|s| s.timeline().unwrap().record().1);
        assert_eq!(a, b, "{spec}: the records differ");
        let rows = [&beside, &alone].map(|s| {
            let rows = s.history().rows().iter();
            rows.map(|r| (r.step, r.energy, r.iterations))
                .collect::<Vec<_>>()
        });
        assert_eq!(rows[0], rows[1]);
        assert_eq!(beside.outcomes(), alone.outcomes());
        let marks = [&beside, &alone].map(|s| s.marks().on(&s.way()));
        assert_eq!(marks[0], marks[1]);
    }
}

#[test]
fn the_past_is_computed_again_beside_the_window() {
    let mut session = open("brick_wall");
    // So little memory that hardly a state stays.
    session.set_budget(1);
    let mut hashes = vec![session.state().digest()];
    for _ in 0..24 {
        go_on(&mut session, 1);
        hashes.push(session.state().digest());
    }
    for step in [20, 3, 24, 11] {
        session.seek(step);
        let start = Instant::now();
        while session.goal().is_some() {
            assert!(start.elapsed() < Duration::from_secs(600));
            session.travel(Duration::from_millis(5));
        }
        assert_eq!(session.failure, None);
        assert_eq!(session.sample().step, step);
        assert_eq!(session.state().digest(), hashes[step as usize]);
    }
    // On the way that was recorded, and at its end on from there.
    go_on(&mut session, 13);
    assert_eq!(session.state().digest(), hashes[24]);
    assert!(!session.is_past());
    assert_eq!(session.timeline().unwrap().branches().len(), 1);
    go_on(&mut session, 1);
    assert_eq!(session.sample().step, 25);
}
