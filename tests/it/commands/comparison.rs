//! Lanes are the simulations they would be alone, feel the same hand, meet, fail alone; and motions part as they
//! should.

use crate::commands::cli::{driftless, folder, json, text};
use crate::mechanics::bench::{self, settings};
use crate::mechanics::mechanisms;
use crate::mechanics::reference;
use crate::time::takes::input;
use driftless::integrators::{FrictionCone, Settings};
use driftless::model::{Model, State};
use driftless::scene;
use driftless::sim::comparison::{ComparisonError, LaneSpec, Workers, growth};
use driftless::sim::{Comparison, Input, Simulation, Snapshot};
use std::fs;

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
    let mut twin = whole.twin().expect("they run");
    let mut elsewhere = whole.twin().expect("they run");
    elsewhere.run(&vec![Input::default(); 20], Workers::Serial);
    run(&mut whole, 44, 27);
    run(&mut twin, 44, 27);
    for (a, b) in whole.lanes().iter().zip(twin.lanes()) {
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
    let start = started("t_handle", 0);
    let dt = start.settings.dt;
    let specs = vec![
        lane(&start, "variational-2", dt),
        // Too long for such a spin: the discrete rotation cannot hold it.
        lane(&start, "variational-2", 100.0 * dt),
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
    assert!(error(1).contains("spins at"), "{}", error(1));
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

/// Distances of a motion from the same one perturbed.
fn parting(mechanism: &(Model, State), dt: f64, size: f64, steps: u64) -> Vec<[f64; 2]> {
    let sim = bench::simulation(mechanism, "variational-2", settings(dt, 1e-12));
    let mut lanes = Comparison::perturbed(&sim.snapshot(), size).expect("one step size");
    let nothing = vec![Input::default(); 100];
    (0..steps / 100).for_each(|_| lanes.run(&nothing, Workers::Threads));
    let lane = &lanes.lanes()[1];
    assert!(lane.runs(), "{:?}", lane.failure());
    lane.distances().to_vec()
}

#[test]
fn a_regular_motion_parts_linearly() {
    // A pendulum that swings: the period depends on the amplitude, so the phase runs away in proportion to time.
    let size = 1e-7;
    let points = parting(&mechanisms::chain(&[1.2], &[0.0]), 0.01, size, 12_800);
    // The perturbation is met to a millionth.
    assert!((points[0][1] / size - 1.0).abs() < 2e-6, "{:?}", points[0]);
    // The largest distance within a few swings around 32, 64 and 128 s: twice the time, twice the distance.
    let worst = |t: f64| {
        let near = points.iter().filter(|p| (t - 8.0..=t).contains(&p[0]));
        near.fold(0.0, |d: f64, p| d.max(p[1]))
    };
    let [a, b, c] = [32.0, 64.0, 128.0].map(worst);
    println!("{a:e} {b:e} {c:e}");
    assert!(a > 4.0 * size, "it is the running away that is measured");
    // The swings' own width is a part of what is measured, less the later it is.
    assert!((b / a - 2.0).abs() < 0.3, "{a:e} {b:e}");
    assert!((c / b - 2.0).abs() < 0.15, "{b:e} {c:e}");
}

#[test]
fn a_double_pendulum_parts_exponentially_at_the_rate_of_an_independent_computation() {
    // High enough to turn over: chaotic.
    let (angles, rates) = ([2.4, 2.0], [0.0, 0.0]);
    let mechanism = mechanisms::chain(&angles, &rates);
    let size = 1e-9;
    let points = parting(&mechanism, 0.001, size, 9000);
    let ours = growth(&points, 1e-3).expect("enough points");

    // The same in minimal coordinates: two solutions by a Runge-Kutta method of another family with steps of 1e-4 s,
    // and the distance of the rods' matter, which is that of their centres and angles.
    let start = [angles[0], angles[1], rates[0], rates[1]];
    let mut near = start;
    near[0] += 0.7 * size;
    near[1] += 0.7 * size;
    let mut pair = [start, near];
    let mut reference_points = Vec::new();
    for k in 0..90 {
        let centre = |y: &[f64; 4]| {
            let [x1, x2] = [y[0].sin(), y[1].sin()];
            let [z1, z2] = [y[0].cos(), y[1].cos()];
            [0.5 * x1, 0.5 * z1, x1 + 0.5 * x2, z1 + 0.5 * z2]
        };
        let [a, b] = [centre(&pair[0]), centre(&pair[1])];
        let shifts: f64 = a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum();
        let turns: f64 = (0..2)
            .map(|i| (2.0 * (0.5 * (pair[0][i] - pair[1][i])).sin()).powi(2) / 12.0)
            .sum();
        reference_points.push([0.1 * f64::from(k), ((shifts + turns) / 2.0).sqrt()]);
        pair = pair.map(|y| reference::integrate(y, 0.1, 1000, reference::double_pendulum));
    }
    let theirs = growth(&reference_points, 1e-3).expect("enough points");
    println!("{ours:?} {theirs:?}");
    assert!(ours.rate > 0.8, "it is chaotic: {ours:?}");
    // The directions of the two perturbations differ until the fastest one has outgrown the others; that shifts the
    // logarithm by a constant and the slope by that over the time.
    assert!(
        (ours.rate / theirs.rate - 1.0).abs() < 0.15,
        "{ours:?} {theirs:?}"
    );
}

#[test]
fn the_command_shows_every_lane_and_the_rate_of_a_perturbation() {
    let csv = folder().join("lanes.csv");
    let words = [
        "compare",
        "double_pendulum",
        "--lane",
        "variational-2:dt=0.004",
        "--lane",
        "heun:dt=0.008",
        "--lane",
        ":tolerance=1e-6",
        "--perturb",
        "1e-9",
        "--duration",
        "2",
        "--csv",
        csv.to_str().expect("a path"),
    ];
    let report = json(&[&words[..], &["--json"]].concat());
    let lanes = report["lanes"].as_array().expect("lanes");
    let column =
        |key: &str| -> Vec<f64> { lanes.iter().map(|l| l[key].as_f64().expect(key)).collect() };
    assert_eq!(column("dt"), [0.004, 0.008, 0.004, 0.004]);
    assert_eq!(column("perturbation"), [0.0, 0.0, 0.0, 1e-9]);
    assert!(column("time").iter().all(|t| (t - 2.0).abs() < 1e-12));
    assert!(column("distance")[1] > column("distance")[3] && column("distance")[3] > 0.0);
    assert!(report["growth"]["rate"].is_number());
    let table = fs::read_to_string(&csv).expect("the table is there");
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|r| r.expect("a row")).collect();
    let of = |k: &str| rows.iter().filter(|r| &r[0] == k).count();
    assert_eq!(["0", "1", "2", "3"].map(of), [501, 251, 501, 501]);
    let last = rows.last().expect("rows");
    assert_eq!(
        last[7].parse::<f64>().ok(),
        column("distance").last().copied()
    );
    let shown = text(&driftless(&words).stdout);
    for part in ["heun", "perturbed by 1.0e-9 m", "the perturbation grows"] {
        assert!(shown.contains(part), "no `{part}` in\n{shown}");
    }
    let done = driftless(&[
        "compare",
        "box_drop",
        "--lane",
        "variational-2",
        "--lane",
        "rk4",
    ]);
    assert!(done.status.success());
    let shown = text(&done.stdout);
    assert!(shown.contains("rk4 does not know contact"), "{shown}");
}
