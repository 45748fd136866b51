//! Lanes as the session goes on: back in time, through edits, past a lane that fails, under too heavy a load.

use crate::window::blind::{give, open, playback, session};
use crate::window::lanes::{ask, compared, comparing, run, settle};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use driftless::scene::{Amendment, Edit};
use driftless::window::commands::Command;
use driftless::window::commands::compare::CompareCommand;
use driftless::window::commands::editing::EditCommand;
use driftless::window::compare::board::Sheet;
use driftless::window::session::playback::Playback;
use driftless::window::state::notices::Notices;
use std::time::Duration;

#[test]
fn a_lane_that_fails_or_cannot_begin_stands_still_alone() {
    let mut app = compared("heavy_top", &[("generalized-alpha", 1000.0), ("rk4", 1.0)]);
    give(&mut app, Command::TogglePlay);
    run(&mut app, 600);
    settle(&app);
    let failure = |app: &App, place: usize| {
        let comparing = comparing(app);
        let sheet = comparing.sheet().expect("lanes run");
        let shown = sheet
            .lane(comparing.lanes()[place].id)
            .expect("it is there");
        (shown.failure.clone(), shown.figures.time)
    };
    let (failed, time) = failure(&app, 1);
    let failed = failed.expect("such a step is too long for it");
    let said = "does not converge";
    assert!(failed.error.contains(said), "{}", failed.error);
    assert_eq!(time, 0.0);
    for place in [0, 2] {
        let (failure, time) = failure(&app, place);
        assert_eq!(failure, None);
        assert!(time > 0.5, "the others go on: {time}");
    }
    assert!(playback(&app).playing);
    // It can be taken out while the others run.
    ask(&mut app, CompareCommand::Remove(1));
    settle(&app);
    assert_eq!(comparing(&app).lanes().len(), 2);
    let (gone_on, _) = failure(&app, 1);
    assert_eq!(gone_on, None);
    assert!(failure(&app, 1).1 > 0.5, "no lane began anew");

    // A method that cannot run a scene is a lane with the reason, and cannot lead.
    let mut app = compared("box_drop", &[("rk4", 1.0), ("variational", 1.0)]);
    give(&mut app, Command::TogglePlay);
    run(&mut app, 5);
    settle(&app);
    let reason = failure(&app, 1).0.expect("it knows no contact").error;
    assert!(reason.contains("does not know contact"), "{reason}");
    ask(&mut app, CompareCommand::Lead(1));
    (0..100).for_each(|_| {
        std::thread::sleep(Duration::from_millis(1));
        app.update();
    });
    assert_eq!(comparing(&app).leader(), 0);
    let said = app.world().resource::<Notices>().status(None);
    assert!(said.is_some_and(|s| s.1.contains("cannot be the reference")));
    assert!(session(&app).sample().time > 0.1, "time goes on");
}

#[test]
fn lanes_follow_the_session_back_and_through_edits_and_end_with_the_scene() {
    let mut app = compared("double_pendulum", &[("heun", 1.0)]);
    give(&mut app, Command::TogglePlay);
    run(&mut app, 30);
    let reached = |app: &App, place: usize| {
        settle(app);
        let comparing = comparing(app);
        let sheet: std::sync::MutexGuard<'_, Sheet> = comparing.sheet().expect("lanes run");
        let shown = sheet
            .lane(comparing.lanes()[place].id)
            .expect("it is there");
        (shown.history.rows()[0].time, shown.figures)
    };
    assert!(reached(&app, 1).1.distance[0] > 0.0);
    give(&mut app, Command::TogglePlay);
    give(&mut app, Command::Reset);
    (0..3).for_each(|_| app.update());
    let (began, figures) = reached(&app, 1);
    assert_eq!(
        (began, figures.distance),
        (0.0, [0.0; 2]),
        "back with the session"
    );

    give(&mut app, Command::TogglePlay);
    run(&mut app, 30);
    let moon = Amendment::Gravity(driftless::math::Vec3::new(0.0, 0.0, -1.62));
    let edit = Edit::new("gravity", vec![moon]);
    give(&mut app, Command::Edit(EditCommand::Amend(Box::new(edit))));
    run(&mut app, 10);
    let (began, figures) = reached(&app, 1);
    assert!(began > 0.5, "they begin anew where the edit was made");
    assert_eq!(
        figures.time,
        session(&app).sample().time,
        "and go on from there"
    );
    // On the Moon a pendulum's potential energy is a sixth: both lanes have the edited model.
    let last = |place: usize| {
        let comparing = comparing(&app);
        let sheet = comparing.sheet().expect("lanes run");
        let rows = sheet
            .lane(comparing.lanes()[place].id)
            .expect("there")
            .history
            .rows()
            .to_vec();
        rows[rows.len() - 1].energy
    };
    let [a, b] = [0, 1].map(last);
    assert!((a.potential - b.potential).abs() < 1e-2 * a.potential.abs());

    // The toolbar's method is the leader's.
    give(&mut app, Command::Integrator("variational"));
    run(&mut app, 5);
    settle(&app);
    assert_eq!(comparing(&app).lanes()[0].spec.integrator, "variational");

    open(&mut app, "pendulum");
    app.update();
    assert!(!comparing(&app).is_on());
    let hint = app
        .world()
        .resource::<Notices>()
        .status(None)
        .expect("it says so");
    assert!(hint.1.contains("Comparing has ended"), "{}", hint.1);
    run(&mut app, 5);
    assert!(session(&app).sample().step > 0);
}

#[test]
fn lanes_that_are_too_heavy_hold_time_up_and_the_frame_ends() {
    let mut app = compared("chain:links=300", &[("variational-2", 0.01)]);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(500));
    give(&mut app, Command::TogglePlay);
    let mut late = false;
    for _ in 0..4 {
        let before = session(&app).sample().step;
        app.update();
        // A frame that waited for all that is due would take them all.
        let taken = session(&app).sample().step - before;
        assert!(taken < 500, "the frame ends before {taken} steps");
        late |= app.world().resource::<Playback>().late;
    }
    assert!(late, "and it says so");
    let sheet_time = {
        let comparing = comparing(&app);
        let sheet = comparing.sheet().expect("lanes run");
        sheet.lane(comparing.lanes()[1].id).map(|l| l.figures.time)
    };
    let behind = session(&app).sample().time - sheet_time.unwrap_or(0.0);
    assert!(behind < 5.0, "the session does not run away: {behind}");
}
