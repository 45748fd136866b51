//! Lanes in a window without a graphics card: begun, awaited, run, and compared with those of the library.

use crate::window::blind::{give, session, window};
use bevy::prelude::*;
use driftless::integrators::Settings;
use driftless::sim::comparison::{Figures, LaneSpec};
use driftless::sim::{Comparison, Input};
use driftless::window::commands::Command;
use driftless::window::commands::compare::CompareCommand;
use driftless::window::compare::Comparing;
use std::time::{Duration, Instant};

/// Longest wait for a thread in the background.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// The lanes of the window.
pub fn comparing(app: &App) -> &Comparing {
    app.world().resource::<Comparing>()
}

/// Asks something of the lanes, as their panel does.
pub fn ask(app: &mut App, asked: CompareCommand) {
    give(app, Command::Compare(asked));
}

/// A lane with the session's settings but for the step.
pub fn lane(app: &App, integrator: &str, steps: f64) -> LaneSpec {
    let settings = *session(app).settings();
    LaneSpec {
        integrator: integrator.into(),
        settings: Settings {
            dt: settings.dt * steps,
            ..settings
        },
        perturbation: 0.0,
    }
}

/// Waits until the lanes have done what they were told.
pub fn settle(app: &App) {
    let start = Instant::now();
    while !comparing(app).wait(Duration::from_millis(50)) {
        assert!(start.elapsed() < PATIENCE, "the lanes do not come to rest");
    }
}

/// The window on a scene with lanes, all at its first state; time stands still.
pub fn compared(spec: &str, lanes: &[(&str, f64)]) -> App {
    let mut app = window(spec, 2);
    give(&mut app, Command::TogglePlay);
    give(&mut app, Command::Reset);
    for (integrator, steps) in lanes {
        let spec = lane(&app, integrator, *steps);
        ask(&mut app, CompareCommand::Add(spec));
    }
    app.update();
    settle(&app);
    app
}

/// Runs frames and returns what acted in the steps that they took.
pub fn run(app: &mut App, frames: usize) -> Vec<Input> {
    let mut inputs = Vec::new();
    for _ in 0..frames {
        let before = session(app).state().step;
        app.update();
        let steps = session(app).state().step - before;
        inputs.extend(vec![session(app).input.clone(); steps as usize]);
    }
    inputs
}

/// What the lanes run, in their order.
pub fn specs(app: &App) -> Vec<LaneSpec> {
    let lanes = comparing(app).lanes();
    lanes.iter().map(|l| l.spec.clone()).collect()
}

/// Figures but for wall times.
fn timeless(figures: Figures) -> Figures {
    Figures {
        step_seconds: 0.0,
        ..figures
    }
}

/// The lanes of the window are those of the library to the last bit.
pub fn assert_same(app: &App, library: &Comparison) {
    settle(app);
    let comparing = comparing(app);
    let sheet = comparing.sheet().expect("lanes run");
    for (k, (choice, lane)) in comparing.lanes().iter().zip(library.lanes()).enumerate() {
        let shown = sheet.lane(choice.id).expect("it is on the board");
        assert_eq!(
            timeless(shown.figures),
            timeless(lane.figures()),
            "lane {k}"
        );
        assert_eq!(shown.distances, lane.distances(), "lane {k}");
        assert_eq!(shown.iterations, lane.iterations(), "lane {k}");
        let rows = |h: &driftless::sim::History| -> Vec<_> {
            h.rows()
                .iter()
                .map(|r| (r.time, r.energy_error, r.drift_position, r.iterations))
                .collect()
        };
        assert_eq!(rows(&shown.history), rows(lane.history()), "lane {k}");
        let state = lane.state().expect("it could begin");
        assert_eq!(shown.reached(), Some(state.time));
        let poses = shown.poses_at(f64::MAX).expect("it has poses");
        for (pose, body) in poses.iter().zip(&state.bodies) {
            assert_eq!(pose.translation.vector, body.position, "lane {k}");
        }
    }
}
