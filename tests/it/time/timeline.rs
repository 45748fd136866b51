//! Any past moment is exactly what it was, whatever the memory.

use crate::time::takes::input;
use driftless::diagnostics::Sample;
use driftless::integrators::{Settings, StepReport};
use driftless::model::{Model, State};
use driftless::scene;
use driftless::sim::timeline::BUDGET;
use driftless::sim::{Change, Input, Outcomes, Peaks, Simulation, Timeline};
use std::sync::Arc;

/// All that a moment shows; the wall's clock is not part of it.
#[derive(Debug, PartialEq)]
pub struct Shown {
    pub state: State,
    sample: Sample,
    peaks: Peaks,
    report: StepReport,
    outcomes: Outcomes,
}

/// What is shown of the simulation as it is now.
pub fn shown(sim: &Simulation, timeline: &Timeline) -> Shown {
    Shown {
        state: sim.state().clone(),
        sample: Sample {
            step_seconds: 0.0,
            ..*timeline.sample()
        },
        peaks: *timeline.peaks(),
        report: sim.report().clone(),
        outcomes: sim.outcomes(),
    }
}

/// A scene at its start, and a timeline whose moments may take that many bytes.
pub fn open(spec: &str, budget: usize) -> (Simulation, Timeline) {
    let scene = scene::open(spec, &[]).expect("the scene opens");
    let mut sim = scene.simulation().expect("its method runs it");
    let timeline = Timeline::new(&mut sim, budget);
    (sim, timeline)
}

/// A change of settings and an edit on the way.
fn change(step: u64, sim: &Simulation) -> Option<Change> {
    match step {
        30 => Some(Change::Settings(Settings {
            dt: 0.5 * sim.settings().dt,
            ..*sim.settings()
        })),
        55 => {
            let mut parts = sim.model().parts();
            parts.gravity.z *= 0.5;
            let model = Model::new(parts).expect("it is sound");
            Some(Change::Model(Arc::new(model)))
        }
        _ => None,
    }
}

pub fn run(sim: &mut Simulation, timeline: &mut Timeline, steps: u64) -> Vec<Shown> {
    let mut all = vec![shown(sim, timeline)];
    for _ in 0..steps {
        let step = sim.state().step + 1;
        if let Some(change) = change(step, sim) {
            timeline.change(sim, change).expect("it is allowed");
        }
        timeline.step(sim, &input(step)).expect("it succeeds");
        all.push(shown(sim, timeline));
    }
    all
}

#[test]
fn every_past_moment_is_what_it_was_whatever_the_memory() {
    for (spec, steps) in [
        ("double_pendulum", 120),
        ("four_bar_chain", 80),
        ("box_stack", 120),
        ("dominoes", 70),
        ("geneva_drive", 66),
    ] {
        // All states; a few; none but the first.
        let state = open(spec, BUDGET).0.snapshot().bytes();
        for budget in [BUDGET, 12 * state, 0] {
            let (mut sim, mut timeline) = open(spec, budget);
            let straight = run(&mut sim, &mut timeline, steps);
            let memory = timeline.memory();
            assert_eq!(memory.stride > 1, budget < BUDGET, "{spec}: {memory:?}");
            // Backwards, forwards and across the changes, in an order without order.
            for k in 0..12u64 {
                let step = (k * 7919 + 31) % (steps + 1);
                timeline
                    .seek(&mut sim, step)
                    .unwrap_or_else(|e| panic!("{spec}: {e}"));
                assert_eq!(
                    shown(&sim, &timeline),
                    straight[step as usize],
                    "{spec}, step {step}"
                );
            }
            timeline.seek(&mut sim, 64).expect("it was there");
            for step in (40..64).rev() {
                assert!(timeline.back(&mut sim).expect("it was there"));
                assert_eq!(shown(&sim, &timeline), straight[step], "{spec}: back");
            }
            for step in 41..=60 {
                timeline.forward(&mut sim).expect("the same bits");
                assert_eq!(shown(&sim, &timeline), straight[step], "{spec}: on");
            }
            assert_eq!(timeline.branches().len(), 1, "looking changes nothing");
        }
    }
}

#[test]
fn moments_stay_within_their_budget_and_the_last_ones_are_all_there() {
    let (mut sim, _) = open("double_pendulum", 0);
    let state = sim.snapshot().bytes();
    let budget = 200 * state;
    let mut timeline = Timeline::new(&mut sim, budget);
    let mut strides = Vec::new();
    for step in 1..=3000 {
        timeline.step(&mut sim, &input(step)).expect("it succeeds");
        let memory = timeline.memory();
        assert!(memory.state_bytes <= budget, "{step}: {memory:?}");
        strides.push(memory.stride);
    }
    assert!(strides.is_sorted() && strides.iter().all(|s| s.is_power_of_two()));
    let memory = timeline.memory();
    // At most half of the budget, 100 states of a larger size in here, holds the older of 3000 steps.
    assert!((32..=128).contains(&memory.stride), "{memory:?}");
    // Half of the budget is as many states as one can step back without computing anything again: no step taken
    // again is timed anew.
    let before: Vec<f64> = (0..60)
        .map(|_| {
            timeline.back(&mut sim).expect("it was there");
            sim.step_seconds()
        })
        .collect();
    let mut again = Vec::new();
    for _ in 0..60 {
        again.push(sim.step_seconds());
        timeline.forward(&mut sim).expect("it was there");
    }
    again.reverse();
    assert_eq!(before, again);
    // A seek of bounded length per call, as a window does it.
    let mut calls = 0;
    while !timeline.approach(&mut sim, 777, 5).expect("it was there") {
        calls += 1;
        assert!(sim.state().step <= 777);
    }
    assert!(calls <= memory.stride as usize / 5 + 1, "{calls}");
    timeline.set_budget(0);
    assert!(timeline.memory().states <= 1);
    timeline.seek(&mut sim, 3000).expect("it was there");
}

#[test]
fn times_and_steps_meet_across_changes_of_the_step() {
    let (mut sim, mut timeline) = open("double_pendulum", BUDGET);
    let all = run(&mut sim, &mut timeline, 80);
    timeline.seek(&mut sim, 50).expect("it was there");
    timeline
        .step(&mut sim, &Input::default())
        .expect("it succeeds");
    for (step, moment) in all.iter().enumerate().take(51) {
        let time = timeline.time(step as u64);
        // A product instead of a sum of steps: rounding only.
        assert!((time - moment.state.time).abs() < 1e-12, "{step}");
        assert_eq!(timeline.nearest(time + 1e-4), step as u64);
    }
    assert_eq!(timeline.nearest(-1.0), 0);
    assert_eq!(timeline.nearest(1e6), 51);
}
