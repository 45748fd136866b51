//! Lanes are the simulations they would be alone, feel the same hand, meet, fail alone.

use crate::time::takes::input;
use driftless::integrators::{FrictionCone, Settings};
use driftless::scene;
use driftless::sim::comparison::{ComparisonError, LaneSpec, Workers};
use driftless::sim::{Comparison, Input, Simulation, Snapshot};

fn lane(start: &Snapshot, integrator: &str, dt: f64) -> LaneSpec {
    LaneSpec {
        integrator: integrator.into(),
        settings: Settings {
            dt,
            ..start.settings
        },
        perturbation: 0.0,
    }
}

/// A scene some steps after its start.
fn started(spec: &str, steps: u64) -> Snapshot {
    let scene = scene::open(spec, &[]).expect("the scene opens");
    let mut sim = scene.simulation().expect("it runs");
    (1..=steps).for_each(|k| {
        sim.step(&input(k)).expect("the step succeeds");
    });
    sim.snapshot()
}

fn inputs(from: u64, steps: u64) -> Vec<Input> {
    (from..from + steps).map(input).collect()
}

#[test]
fn a_twin_goes_on_to_the_same_bits_while_the_first_goes_elsewhere() {
    let start = started("double_pendulum", 10);
    let dt = start.settings.dt;
    let specs = [("variational-2", 1.0), ("rk4", 2.0), ("heun", 0.5)];
    let specs: Vec<_> = specs.map(|(m, k)| lane(&start, m, k * dt)).into();
    let run = |lanes: &mut Comparison, from, steps| {
        lanes.run(&inputs(from, steps), Workers::Serial);
    };
    let mut whole = Comparison::new(&start, specs).expect("they meet");
    // An odd number of steps leaves the lane of twice the step in the middle of one.
    run(&mut whole, 11, 33);
    let mut fork = whole.fork().expect("they run");
    let mut elsewhere = whole.fork().expect("they run");
    elsewhere.run(&vec![Input::default(); 20], Workers::Serial);
    run(&mut whole, 44, 27);
    run(&mut fork, 44, 27);
    for (a, b) in whole.lanes().iter().zip(fork.lanes()) {
        assert_eq!(a.state(), b.state(), "{}", a.spec.integrator);
        assert_eq!(a.distances(), b.distances());
        assert_eq!(a.figures().energy_error, b.figures().energy_error);
    }
    let away = elsewhere.lanes()[0].state().expect("it runs");
    assert_ne!(whole.lanes()[0].state(), Some(away));
}

#[test]
fn the_leader_is_the_simulation_it_was_and_threads_change_no_bit() {
    for (spec, methods) in [
        (
            "double_pendulum",
            &["variational-2", "variational", "rk4", "heun"][..],
        ),
        ("box_stack", &["variational-2", "variational"]),
    ] {
        let start = started(spec, 25);
        let dt = start.settings.dt;
        let specs: Vec<_> = methods.iter().map(|m| lane(&start, m, dt)).collect();
        let mut alone = Simulation::resume(&start).expect("it goes on");
        let mut lanes = [Workers::Serial, Workers::Threads].map(|workers| {
            let mut lanes = Comparison::new(&start, specs.clone()).expect("they meet");
            for k in 0..6 {
                lanes.run(&inputs(26 + 10 * k, 10), workers);
            }
            lanes
        });
        for input in inputs(26, 60) {
            alone.step(&input).expect("the step succeeds");
        }
        assert_eq!(lanes[0].lanes()[0].state(), Some(alone.state()), "{spec}");
        let [serial, threads] = &mut lanes;
        for (k, (a, b)) in serial.lanes().iter().zip(threads.lanes()).enumerate() {
            assert!(a.runs() && b.runs(), "{spec}: {:?}", a.failure());
            assert_eq!(a.state(), b.state(), "{spec}, lane {k}");
            assert_eq!(a.distances(), b.distances(), "{spec}, lane {k}");
            assert_eq!(a.distances().len(), 61, "the start and every step");
            let figures = a.figures();
            assert_eq!(figures.distance[0] < 1e-15, k == 0, "{spec}: {figures:?}");
            assert!(figures.energy_error[0].abs() <= figures.energy_error[1]);
        }
    }
}

#[test]
fn lanes_of_other_steps_meet_and_are_pulled_at_the_same_times() {
    let start = started("double_pendulum", 0);
    let specs = [0.01, 0.005, 0.02, 0.004]
        .map(|dt| lane(&start, "variational-2", dt))
        .to_vec();
    let mut lanes = Comparison::new(&start, specs).expect("they meet");
    assert!((lanes.period() - 0.02).abs() < 1e-15);
    let mut meetings = 0;
    for k in 1..=200 {
        lanes.run(&inputs(k, 1), Workers::Serial);
        meetings += u64::from(lanes.together());
    }
    assert_eq!(meetings, 100, "every second step of the leader");
    let at: Vec<f64> = lanes.lanes().iter().map(|l| l.figures().time).collect();
    // Sums of different numbers of steps.
    assert!(at.iter().all(|t| (t - 2.0).abs() < 1e-12), "{at:?}");
    let work = |lanes: &Comparison, k: usize| lanes.lanes()[k].statistics().last.external_work;
    assert!(work(&lanes, 0).abs() > 0.1, "the hand works");

    // Lanes that feel the same hand differ by the error of the method alone, which is of second order: with steps of
    // h, h/2 and h/4 the distances from the first are 3/4 and 15/16 of its error. A hand felt late by a part of a step
    // would be of first order: 1/2 and 3/4.
    let specs = [0.002, 0.001, 0.0005]
        .map(|dt| lane(&start, "variational-2", dt))
        .to_vec();
    let mut lanes = Comparison::new(&start, specs).expect("they meet");
    lanes.run(&inputs(1, 400), Workers::Threads);
    let distance: Vec<f64> = lanes
        .lanes()
        .iter()
        .map(|l| l.figures().distance[0])
        .collect();
    assert!(distance[0] < 1e-15 && distance[1] > 1e-7, "{distance:?}");
    let ratio = distance[2] / distance[1];
    assert!((ratio - 1.25).abs() < 0.05, "{distance:?}");

    let never = [0.01, 0.01 / std::f64::consts::SQRT_2]
        .map(|dt| lane(&start, "variational-2", dt))
        .to_vec();
    assert!(matches!(
        Comparison::new(&start, never),
        Err(ComparisonError::NeverMeet { .. })
    ));
    assert!(matches!(
        Comparison::new(&start, Vec::new()),
        Err(ComparisonError::Empty)
    ));
}

#[test]
fn a_lane_that_fails_stops_alone_and_says_why() {
    let start = started("heavy_top", 0);
    let dt = 10.0 * start.settings.dt;
    let specs = vec![
        lane(&start, "variational-2", dt),
        // Too long for it: the top turns by 150 rad a step.
        lane(&start, "generalized-alpha", 100.0 * dt),
        lane(&start, "no-such-method", dt),
        lane(&start, "rk4", dt),
    ];
    let mut lanes = Comparison::new(&start, specs).expect("they meet");
    assert!(lanes.lanes()[2].state().is_none());
    for _ in 0..3 {
        lanes.run(&vec![Input::default(); 100], Workers::Threads);
    }
    let failures: Vec<bool> = lanes.lanes().iter().map(|l| l.runs()).collect();
    assert_eq!(failures, [true, false, false, true]);
    let error = |k: usize| lanes.lanes()[k].failure().expect("it failed").error.clone();
    assert!(error(1).contains("does not converge"), "{}", error(1));
    assert!(error(2).contains("no integrator is named"), "{}", error(2));
    for k in [0, 3] {
        assert!((lanes.lanes()[k].figures().time - 300.0 * dt).abs() < 1e-9);
    }
    assert!(lanes.together(), "those that run");
    // One of them may lead, a lane without a simulation may not.
    assert!(!lanes.lead(2) && lanes.lead(3));
    lanes.run(&[Input::default()], Workers::Serial);
    assert!(lanes.lanes()[0].runs() && lanes.lanes()[3].figures().distance[0] < 1e-15);
    // One that does not lead can go; the others are as they were.
    assert!(!lanes.remove(3) && !lanes.remove(4) && lanes.remove(1));
    assert_eq!((lanes.lanes().len(), lanes.leader()), (3, 2));
    lanes.run(&[Input::default()], Workers::Serial);
    let steps = |k: usize| lanes.lanes()[k].statistics().peaks.steps;
    assert_eq!([steps(0), steps(2)], [302, 302]);
}

#[test]
fn any_lane_can_lead_and_all_can_be_brought_together() {
    let start = started("box_slope", 10);
    let dt = start.settings.dt;
    let mut pyramid = lane(&start, "variational-2", dt);
    pyramid.settings.friction = FrictionCone::Linearised(4);
    let specs = vec![lane(&start, "variational-2", dt), pyramid];
    let mut lanes = Comparison::new(&start, specs).expect("they meet");
    lanes.run(&vec![Input::default(); 120], Workers::Serial);
    let apart = lanes.lanes()[1].figures().distance[0];
    assert!(lanes.lead(1));
    let from = |k: usize| lanes.lanes()[k].figures().distance[0];
    assert!((from(0) - apart).abs() < 1e-15 && from(1) < 1e-15);
    let state: Vec<_> = lanes.lanes()[1].state().expect("it runs").bodies.clone();
    lanes.synchronise();
    for lane in lanes.lanes() {
        assert_eq!(lane.state().expect("it runs").bodies, state);
        let figures = lane.figures();
        assert!(figures.distance[1] < 1e-15, "{figures:?}");
        // The account begins anew: what is left is rounding of the energies.
        assert!(figures.energy_error[0].abs() < 1e-12, "{figures:?}");
    }
    lanes.run(&[Input::default()], Workers::Serial);
    assert!(lanes.lanes().iter().all(|l| l.runs()));
}
