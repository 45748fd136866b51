//! Convergence studies of the window, without a graphics card: they run beside it, are saved, can be cancelled.

use crate::commands::cli::folder;
use crate::window::blind::{session, window};
use crate::window::lanes::{PATIENCE, ask, comparing};
use bevy::prelude::App;
use driftless::sim::convergence::Ladder;
use driftless::window::commands::compare::CompareCommand;
use driftless::window::compare::study::{StudyState, rungs};
use driftless::window::session::Session;
use std::time::{Duration, Instant};

/// Runs frames until a study has ended.
fn study_ended(app: &mut App) {
    let start = Instant::now();
    while matches!(comparing(app).study.state(), StudyState::Running(..)) {
        assert!(start.elapsed() < PATIENCE, "the study does not end");
        std::thread::sleep(Duration::from_millis(5));
        app.update();
    }
}

#[test]
fn a_study_runs_beside_the_window_is_saved_and_can_be_cancelled() {
    let mut app = window("pendulum", 1);
    ask(&mut app, CompareCommand::Study(true));
    let proposed = comparing(&app).study.ladder.clone();
    assert!(proposed.dts.len() >= 3 && proposed.integrators.contains(&"heun".to_owned()));
    ask(
        &mut app,
        CompareCommand::Ladder(Ladder {
            integrators: ["variational-2", "heun"].map(String::from).to_vec(),
            dts: rungs(0.02, 3),
            duration: 0.4,
        }),
    );
    let before = session(&app).sample().step;
    ask(&mut app, CompareCommand::Converge);
    study_ended(&mut app);
    app.update();
    assert!(session(&app).sample().step > before, "the window goes on");
    let StudyState::Done(found) = comparing(&app).study.state() else {
        panic!("{:?}", comparing(&app).study.state());
    };
    for curve in &found.curves {
        let slope = curve.by_dt.expect("a slope").slope;
        // Both are of second order; a ladder this coarse shows it to a few per cent.
        assert!((slope - 2.0).abs() < 0.15, "{}: {slope}", curve.integrator);
    }
    let [csv, svg] = ["csv", "svg"].map(|e| folder().join(format!("window-study.{e}")));
    ask(&mut app, CompareCommand::StudyCsv(Some(csv.clone())));
    ask(&mut app, CompareCommand::StudySvg(Some(svg.clone())));
    let [table, figure] = [csv, svg].map(|p| std::fs::read_to_string(p).expect("it is there"));
    assert!(table.contains("heun") && figure.contains("slope"));

    ask(
        &mut app,
        CompareCommand::Ladder(Ladder {
            integrators: vec!["variational-2".into()],
            dts: rungs(1e-3, 4),
            duration: 1e3,
        }),
    );
    ask(&mut app, CompareCommand::Converge);
    assert!(matches!(
        comparing(&app).study.state(),
        StudyState::Running(..)
    ));
    ask(&mut app, CompareCommand::Cancel);
    study_ended(&mut app);
    // Of a study that went on to its end there would be results.
    assert_eq!(
        comparing(&app).study.state(),
        StudyState::Idle,
        "nothing was there yet"
    );
    assert!(app.world().contains_resource::<Session>());
}
