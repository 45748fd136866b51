//! Several methods on one scene, side by side, as a table, JSON and CSV.

use super::arguments::CompareArguments;
use super::files;
use super::lanes::LaneWords;
use super::length::{DEFAULT_DURATION, steps_for};
use super::opening::open_scene;
use super::output::{Failure, print, print_json};
use super::progress::Progress;
use super::report::method_options;
use super::tables::written;
use crate::integrators::{self, OptionValue};
use crate::quantity::{duration, number, quantity};
use crate::sim::comparison::{Figures, Growth, Lane, LaneSpec, Workers, growth};
use crate::sim::export::write_comparison;
use crate::sim::{Comparison, Input};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;

/// Steps of the leader between two looks at the progress.
const BATCH: u64 = 200;

/// The fit of a perturbation ends where the distance reaches this part of its largest value.
const CEILING: f64 = 0.1;

#[derive(Debug, Serialize)]
struct Report<'a> {
    scene: &'a str,
    /// Simulated time from one common time of all lanes to the next.
    period: f64,
    lanes: Vec<Row<'a>>,
    /// Rate at which the perturbed lane parts from the first; `null` without one.
    growth: Option<Rate>,
}

#[derive(Debug, Serialize)]
struct Row<'a> {
    integrator: &'a str,
    options: BTreeMap<&'static str, OptionValue>,
    dt: f64,
    tolerance: f64,
    friction: String,
    perturbation: f64,
    time: f64,
    energy_error: f64,
    max_energy_error: f64,
    drift_position: f64,
    max_drift_position: f64,
    drift_angle: f64,
    max_drift_angle: f64,
    iterations: f64,
    step_seconds: f64,
    distance: f64,
    max_distance: f64,
    failure: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Rate {
    rate: f64,
    from: f64,
    to: f64,
    scatter: f64,
}

/// `driftless compare`.
pub(super) fn compare(arguments: &CompareArguments) -> Result<(), Failure> {
    let mut scene = open_scene(&arguments.scene, &arguments.sets)?;
    let outputs = [("--csv", arguments.csv.as_deref())];
    files::distinct(&files::of_scene(&scene), &outputs)?;
    let words: Vec<LaneWords> = match &arguments.lanes[..] {
        [] => vec![LaneWords::default()],
        lanes => lanes.to_vec(),
    };
    // The first lane begins the scene itself; the others take over from it.
    let first = words[0].spec(&scene.integrator, &scene.settings)?;
    scene.integrator.clone_from(&first.integrator);
    scene.settings = first.settings;
    let start = scene.simulation()?.snapshot();
    let specs = words
        .iter()
        .map(|w| w.spec(&first.integrator, &first.settings));
    let mut specs = specs.collect::<Result<Vec<LaneSpec>, Failure>>()?;
    if let Some(size) = arguments.perturb {
        specs.push(LaneSpec {
            perturbation: size,
            ..first.clone()
        });
    }
    let mut lanes = Comparison::new(&start, specs)?;
    let end = arguments
        .duration
        .or(scene.view.duration)
        .unwrap_or(DEFAULT_DURATION);
    run(&mut lanes, steps_for(end, first.settings.dt));
    if let Some(path) = &arguments.csv {
        let file = written(path, File::create(path))?;
        let out = BufWriter::new(file);
        written(path, write_comparison(out, &scene.name, &lanes))?;
    }
    let parting = arguments.perturb.and_then(|_| {
        let lane = lanes.lanes().last()?;
        growth(lane.distances(), CEILING * lane.figures().distance[1])
    });
    if arguments.json {
        print_json(&Report {
            scene: &scene.name,
            period: lanes.period(),
            lanes: lanes.lanes().iter().map(row).collect(),
            growth: parting.map(|g| Rate {
                rate: g.rate,
                from: g.times[0],
                to: g.times[1],
                scatter: g.scatter,
            }),
        })
    } else {
        print(table(&scene.name, &lanes, parting))
    }
}

fn run(lanes: &mut Comparison, steps: u64) {
    let mut progress = Progress::new(steps, lanes.time());
    let mut done = 0;
    while done < steps {
        let batch = BATCH.min(steps - done);
        let inputs = vec![Input::default(); batch as usize];
        lanes.run(&inputs, Workers::Threads);
        done += batch;
        progress.update(done, lanes.time());
    }
}

fn row(lane: &Lane) -> Row<'_> {
    let Figures {
        time,
        energy_error,
        drift_position,
        drift_angle,
        iterations: _,
        mean_iterations,
        step_seconds,
        distance,
    } = lane.figures();
    Row {
        integrator: &lane.spec.integrator,
        options: integrators::find(&lane.spec.integrator)
            .map(|method| method_options(method, &lane.spec.settings))
            .unwrap_or_default(),
        dt: lane.spec.settings.dt,
        tolerance: lane.spec.settings.tolerance,
        friction: lane.spec.settings.friction.to_string(),
        perturbation: lane.spec.perturbation,
        time,
        energy_error: energy_error[0],
        max_energy_error: energy_error[1],
        drift_position: drift_position[0],
        max_drift_position: drift_position[1],
        drift_angle: drift_angle[0],
        max_drift_angle: drift_angle[1],
        iterations: mean_iterations,
        step_seconds,
        distance: distance[0],
        max_distance: distance[1],
        failure: lane.failure().map(|f| f.error.as_str()),
    }
}

fn table(scene: &str, lanes: &Comparison, parting: Option<Growth>) -> String {
    let mut lines = vec![
        format!(
            "{scene} to t = {:.6} s, each worst value of all steps",
            lanes.time()
        ),
        format!(
            "  {:<22}{:>10}{:>14}{:>14}{:>14}{:>12}{:>10}{:>14}",
            "method", "step", "energy error", "drift", "drift", "iterations", "a step", "distance"
        ),
    ];
    for lane in lanes.lanes() {
        let row = row(lane);
        let mut line = format!(
            "  {:<22}{:>10}{:>14}{:>14}{:>14}{:>12}{:>10}{:>14}",
            row.integrator,
            duration(row.dt),
            quantity(row.max_energy_error, "J"),
            quantity(row.max_drift_position, "m"),
            quantity(row.max_drift_angle, "rad"),
            number(row.iterations),
            duration(row.step_seconds),
            quantity(row.max_distance, "m"),
        );
        if row.perturbation != 0.0 {
            line += &format!("  perturbed by {}", quantity(row.perturbation, "m"));
        }
        if let Some(failure) = lane.failure() {
            line += &format!(
                "\n    stopped at t = {:.6} s: {}",
                failure.time, failure.error
            );
        }
        lines.push(line);
    }
    if let Some(g) = parting {
        lines.push(format!(
            "  the perturbation grows as exp({} t) from t = {:.3} s to {:.3} s",
            number(g.rate),
            g.times[0],
            g.times[1]
        ));
    }
    lines.join("\n")
}
