//! A scene over all combinations of values, on all threads, as a table, JSON and CSV.

use super::arguments::SweepArguments;
use super::files;
use super::length::{DEFAULT_DURATION, steps_for};
use super::opening::open_scene;
use super::output::{Failure, print, print_json};
use super::progress::Progress;
use super::tables::{start, written};
use super::values::{Axis, as_set};
use crate::diagnostics::{Quantity, Sample};
use crate::quantity::{number, quantity};
use crate::scene::Scene;
use crate::sim::export::{SweepRow, write_sweep};
use crate::sim::{Ensemble, Input, Member, Peaks, Simulation};
use crate::threads;
use serde::Serialize;
use std::collections::BTreeMap;
use std::slice::from_ref;
use std::sync::Mutex;

/// Most runs of one sweep: beyond that a mistyped list is likelier than a wish.
const MOST: usize = 100_000;

/// What is kept beside a simulation.
struct Run {
    /// Values by path, as they were asked for.
    set: Vec<String>,
    /// The worst of every step up to the state reached, without this.
    peaks: Option<Peaks>,
    quantities: Vec<Quantity>,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    scene: &'a str,
    runs: Vec<Row<'a>>,
}

#[derive(Debug, Serialize)]
struct Row<'a> {
    set: BTreeMap<&'a str, &'a str>,
    integrator: &'static str,
    dt: f64,
    time: f64,
    steps: u64,
    max_energy_error: f64,
    max_drift_position: f64,
    max_drift_angle: f64,
    max_penetration: f64,
    energy: f64,
    external_work: f64,
    dissipated: f64,
    iterations: f64,
    /// Quantities at the end; `null` where there is no number.
    quantities: BTreeMap<&'a str, f64>,
    failure: Option<String>,
}

/// `driftless sweep`.
pub(super) fn sweep(arguments: &SweepArguments) -> Result<(), Failure> {
    let combinations = combinations(&arguments.sets)?;
    let paths: Vec<&str> = arguments.sets.iter().map(|a| a.path.as_str()).collect();
    let mut members = Vec::with_capacity(combinations.len());
    let mut name = String::new();
    let mut end: f64 = 0.0;
    for set in combinations {
        let sets = paths.iter().zip(&set);
        let sets: Vec<_> = sets.map(|(path, value)| as_set(path, value)).collect();
        let scene = open_scene(&arguments.scene, &sets)?;
        if members.is_empty() {
            files::distinct(
                &files::of_scene(&scene),
                &[("--csv", arguments.csv.as_deref())],
            )?;
            name.clone_from(&scene.name);
            let duration = arguments.duration.or(scene.view.duration);
            end = duration.unwrap_or(DEFAULT_DURATION);
        }
        let own = Run {
            set,
            peaks: None,
            quantities: quantities(&arguments.quantities, &scene)?,
        };
        members.push((scene.simulation()?, own));
    }
    // A place that cannot be written to is told before anything runs.
    let csv = start(arguments.csv.as_deref(), Ok::<_, Failure>)?;
    let mut ensemble = Ensemble::new(members).with_threads(threads::wanted());
    run(&mut ensemble, end);
    let mut failed = 0;
    let mut rows = Vec::new();
    for member in ensemble.members_mut() {
        failed += usize::from(member.failure.is_some());
        rows.push(row(member, &paths, &arguments.quantities));
    }
    if let Some((path, out)) = csv {
        let rows = rows.iter().map(Row::exported);
        let columns = (&paths[..], &arguments.quantities[..]);
        written(path, write_sweep(out, &name, end, columns, rows))?;
    }
    if arguments.json {
        let runs = rows;
        print_json(&Report { scene: &name, runs })?;
    } else {
        print(table(&name, end, &paths, &arguments.quantities, &rows))?;
    }
    match failed {
        0 => Ok(()),
        count => Err(Failure::Sweep { count }),
    }
}

/// All combinations of the values, the last path running fastest.
fn combinations(axes: &[Axis]) -> Result<Vec<Vec<String>>, Failure> {
    for (k, axis) in axes.iter().enumerate() {
        if axes[..k].iter().any(|before| before.path == axis.path) {
            let why = format!("--set {}: it has two lists; give it one", axis.path);
            return Err(Failure::Request(why));
        }
    }
    let count = axes
        .iter()
        .try_fold(1usize, |n, a| n.checked_mul(a.values.len()));
    if count.is_none_or(|n| n > MOST) {
        let why = format!("a sweep of more than {MOST} runs; take fewer values");
        return Err(Failure::Request(why));
    }
    let mut all = vec![Vec::new()];
    for axis in axes {
        let with = |set: &Vec<String>, value: &String| [&set[..], from_ref(value)].concat();
        let longer = all
            .iter()
            .flat_map(|set| axis.values.iter().map(move |v| with(set, v)));
        all = longer.collect();
    }
    Ok(all)
}

/// The quantities of these names in a scene.
fn quantities(names: &[String], scene: &Scene) -> Result<Vec<Quantity>, Failure> {
    let named = |name: &String| {
        Quantity::named(name, &scene.model).ok_or_else(|| {
            let where_to = "the columns of `driftless run --csv`, and NAME.q0, NAME.u0 of joints";
            Failure::Request(format!(
                "no quantity is named `{name}`: take one of {where_to}"
            ))
        })
    };
    names.iter().map(named).collect()
}

fn run(ensemble: &mut Ensemble<Run>, end: f64) {
    let all = ensemble.members().iter();
    let steps = all
        .map(|m| steps_for(end, m.simulation.settings().dt))
        .sum();
    let bar = Mutex::new(Progress::new(steps, 0.0));
    let look = |sim: &mut Simulation, run: &mut Run| {
        observe(sim.sample(), run);
        Input::default()
    };
    ensemble.run(end, look, |advance| {
        // A bar that is being drawn is drawn again soon.
        if let Ok(mut bar) = bar.try_lock() {
            bar.tell(advance.steps, || {
                format!("{} of {} runs", advance.finished, advance.members)
            });
        }
    });
    for member in ensemble.members_mut() {
        observe(member.simulation.sample(), &mut member.own);
    }
}

/// Adds a state that has not been seen before.
fn observe(sample: Sample, run: &mut Run) {
    match &mut run.peaks {
        None => run.peaks = Some(Peaks::new(&sample)),
        // A failed step leaves the state that was seen before it.
        Some(peaks) if sample.step > peaks.steps => peaks.observe(&sample),
        Some(_) => {}
    }
}

fn row<'a>(member: &'a mut Member<Run>, paths: &[&'a str], names: &'a [String]) -> Row<'a> {
    let Member {
        simulation,
        own,
        failure,
    } = member;
    let sample = simulation.sample();
    let mut values = Vec::new();
    simulation.values(&own.quantities, &sample, &mut values);
    let peaks = own.peaks.unwrap_or_else(|| Peaks::new(&sample));
    Row {
        set: paths
            .iter()
            .copied()
            .zip(own.set.iter().map(String::as_str))
            .collect(),
        integrator: simulation.integrator().name,
        dt: simulation.settings().dt,
        time: sample.time,
        steps: sample.step,
        max_energy_error: peaks.energy_error,
        max_drift_position: peaks.drift_position,
        max_drift_angle: peaks.drift_angle,
        max_penetration: peaks.penetration,
        energy: sample.energy.total(),
        external_work: sample.external_work,
        dissipated: sample.dissipated,
        iterations: peaks.mean_iterations(),
        quantities: names.iter().map(String::as_str).zip(values).collect(),
        failure: failure.as_ref().map(ToString::to_string),
    }
}

impl Row<'_> {
    fn exported(&self) -> SweepRow<'_> {
        SweepRow {
            set: &self.set,
            integrator: self.integrator,
            figures: [
                self.dt,
                self.time,
                self.max_energy_error,
                self.max_drift_position,
                self.max_drift_angle,
                self.max_penetration,
                self.energy,
                self.external_work,
                self.dissipated,
                self.iterations,
            ],
            steps: self.steps,
            quantities: &self.quantities,
            failure: self.failure.as_deref(),
        }
    }
}

fn table(scene: &str, end: f64, paths: &[&str], names: &[String], rows: &[Row]) -> String {
    let wide = |name: &str, values: &mut dyn Iterator<Item = usize>| {
        values.chain([name.chars().count()]).max().unwrap_or(0) + 2
    };
    let widths: Vec<usize> = paths
        .iter()
        .map(|path| wide(path, &mut rows.iter().map(|r| r.set[path].chars().count())))
        .collect();
    let mut head = String::new();
    for (path, width) in paths.iter().zip(&widths) {
        head += &format!("{path:>width$}");
    }
    head += &format!("{:>14}{:>14}{:>12}", "energy error", "drift", "iterations");
    for name in names {
        head += &format!("{name:>width$}", width = name.chars().count().max(10) + 2);
    }
    let first = format!(
        "{scene} for {end} s: {} runs, worst values of all steps",
        rows.len()
    );
    let mut lines = vec![first, head];
    for row in rows {
        let mut line = String::new();
        for (path, width) in paths.iter().zip(&widths) {
            line += &format!("{:>width$}", row.set[path]);
        }
        line += &format!(
            "{:>14}{:>14}{:>12}",
            quantity(row.max_energy_error, "J"),
            quantity(row.max_drift_position, "m"),
            number(row.iterations)
        );
        for name in names {
            let value = number(row.quantities[name.as_str()]);
            line += &format!("{value:>width$}", width = name.chars().count().max(10) + 2);
        }
        if let Some(failure) = &row.failure {
            line += &format!("\n    stopped at t = {:.6} s: {failure}", row.time);
        }
        lines.push(line);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_run_fastest_in_the_last_path() {
        let axis = |text: &str| text.parse::<Axis>().expect("it is a list");
        let all = combinations(&[axis("a=1,2"), axis("b=x"), axis("c=(0,0,1),[1,2,3]")]);
        let expected = [
            ["1", "x", "(0,0,1)"],
            ["1", "x", "[1,2,3]"],
            ["2", "x", "(0,0,1)"],
            ["2", "x", "[1,2,3]"],
        ];
        assert_eq!(all.expect("they are few"), expected);
        let many: Vec<Axis> = (0..17).map(|k| axis(&format!("a{k}=1,2"))).collect();
        let refused = |axes: &[Axis]| combinations(axes).expect_err("no").to_string();
        assert!(refused(&many).contains("more than 100000 runs"));
        assert!(refused(&[axis("a=1"), axis("a=2")]).contains("two lists"));
        assert_eq!(combinations(&[]).expect("one").len(), 1);
    }
}
