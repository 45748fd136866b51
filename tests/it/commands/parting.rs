//! How fast motions part that begin almost alike, in lanes and by the command.

use crate::commands::cli::{driftless, folder, json, text};
use crate::mechanics::bench::{self, settings};
use crate::mechanics::mechanisms;
use crate::mechanics::reference;
use driftless::model::{Model, State};
use driftless::sim::comparison::{Workers, growth};
use driftless::sim::{Comparison, Input};
use std::fs;

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
