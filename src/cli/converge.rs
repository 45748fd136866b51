//! Errors of methods over a ladder of step sizes, as a table, JSON, CSV and a figure.

use super::arguments::ConvergeArguments;
use super::files;
use super::lanes::choose;
use super::opening::open_scene;
use super::output::{Failure, print, print_json};
use super::progress::Progress;
use super::tables::written;
use crate::figures;
use crate::integrators::{self, Settings};
use crate::quantity::{duration, number, quantity};
use crate::sim::convergence::{Convergence, Ladder, Motion, Slope, study};
use crate::sim::export::write_convergence;
use serde::Serialize;
use std::fs::File;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Step sizes of a ladder where none are given: so many times half of the one before.
const RUNGS: i32 = 5;

#[derive(Debug, Serialize)]
struct Report<'a> {
    scene: &'a str,
    duration: f64,
    reference: Reference,
    runs: Vec<Run<'a>>,
    slopes: Vec<Fitted<'a>>,
}

#[derive(Debug, Serialize)]
struct Reference {
    integrator: &'static str,
    dt: f64,
    order: Option<f64>,
    error: f64,
}

#[derive(Debug, Serialize)]
struct Run<'a> {
    integrator: &'a str,
    dt: f64,
    steps: u64,
    /// `null` where the run failed.
    error: Option<f64>,
    seconds: Option<f64>,
    iterations: u64,
    counts: bool,
    failure: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Fitted<'a> {
    integrator: &'a str,
    /// Order that the method should have.
    order: Option<u32>,
    by_dt: Option<f64>,
    by_seconds: Option<f64>,
    points: usize,
}

/// `driftless converge`.
pub(super) fn converge(arguments: &ConvergeArguments) -> Result<(), Failure> {
    let mut scene = open_scene(&arguments.scene, &arguments.sets)?;
    let outputs = [
        ("--csv", arguments.csv.as_deref()),
        ("--svg", arguments.svg.as_deref()),
    ];
    files::distinct(&files::of_scene(&scene), &outputs)?;
    scene.settings.tolerance = arguments.tolerance.unwrap_or(scene.settings.tolerance);
    let names = match &arguments.integrators[..] {
        [] => vec![scene.integrator.clone()],
        pieces => methods(pieces),
    };
    for option in &arguments.options {
        choose_where_known(&mut scene.settings, &names, option)?;
    }
    let motion = Motion {
        model: Arc::new(scene.model.clone()),
        state: scene.state.clone(),
        settings: scene.settings,
    };
    let own = scene.settings.dt.min(arguments.duration);
    let ladder = Ladder {
        integrators: names,
        dts: match &arguments.dts[..] {
            [] => (0..=RUNGS).map(|k| own * 0.5_f64.powi(k)).collect(),
            dts => dts.to_vec(),
        },
        duration: arguments.duration,
    };
    let mut bar: Option<Progress> = None;
    let found = study(&motion, &ladder, &mut |progress| {
        let [done, all] = progress.steps;
        let bar = bar.get_or_insert_with(|| Progress::new(all, 0.0));
        bar.tell(done, || {
            format!("{} with {}", progress.integrator, duration(progress.dt))
        });
        ControlFlow::Continue(())
    })?;
    drop(bar);
    if let Some(path) = &arguments.csv {
        let file = written(path, File::create(path))?;
        written(
            path,
            write_convergence(BufWriter::new(file), &scene.name, &found),
        )?;
    }
    if let Some(path) = &arguments.svg {
        figures::write_convergence(path, &scene.name, &found)?;
    }
    if arguments.json {
        print_json(&report(&scene.name, &found))
    } else {
        print(table(&scene.name, &found))
    }
}

/// Methods with their options: what stands between commas and is no method belongs to the one before.
fn methods(pieces: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for piece in pieces {
        let is_option = piece.contains('=') && !piece.contains(':');
        match all.last_mut() {
            Some(method) if is_option => *method = format!("{method},{piece}"),
            _ => all.push(piece.clone()),
        }
    }
    all
}

/// Chooses an option for the methods that have it; an error if none does, or if it does not take the value.
fn choose_where_known(
    settings: &mut Settings,
    methods: &[String],
    option: &(String, String),
) -> Result<(), Failure> {
    let name = |method: &'_ String| method.split(':').next().unwrap_or_default().to_owned();
    let names: Vec<String> = methods.iter().map(name).collect();
    let has = |name: &&String| {
        let info = integrators::find(name);
        info.is_ok_and(|info| info.options.iter().any(|o| o.name == option.0))
    };
    let method = names.iter().find(has).unwrap_or(&names[0]);
    choose(&mut settings.options, method, std::slice::from_ref(option))
}

fn report<'a>(scene: &'a str, study: &'a Convergence) -> Report<'a> {
    let reference = &study.reference;
    let runs = study.runs.iter().map(|run| Run {
        integrator: &run.integrator,
        dt: run.dt,
        steps: run.steps,
        error: run.failure.is_none().then_some(run.error),
        seconds: run.failure.is_none().then_some(run.seconds),
        iterations: run.iterations,
        counts: run.counts,
        failure: run.failure.as_deref(),
    });
    let slopes = study.curves.iter().map(|curve| Fitted {
        integrator: &curve.integrator,
        order: curve.order,
        by_dt: curve.by_dt.map(|s| s.slope),
        by_seconds: curve.by_seconds.map(|s| s.slope),
        points: curve.by_dt.map_or(0, |s| s.points),
    });
    Report {
        scene,
        duration: study.duration,
        reference: Reference {
            integrator: reference.integrator,
            dt: reference.dt,
            order: reference.order,
            error: reference.error,
        },
        runs: runs.collect(),
        slopes: slopes.collect(),
    }
}

fn table(scene: &str, study: &Convergence) -> String {
    let reference = &study.reference;
    let seen = reference.order.map_or_else(
        || "no order to be seen".into(),
        |o| format!("order {}", number(o)),
    );
    let mut lines = vec![
        format!(
            "{scene}: error after {} of motion",
            quantity(study.duration, "s")
        ),
        format!(
            "  reference: {} with {}, {seen}, its own error about {}",
            reference.integrator,
            duration(reference.dt),
            quantity(reference.error, "m"),
        ),
        format!(
            "  {:<22}{:>12}{:>9}{:>14}{:>12}{:>12}",
            "method", "step", "steps", "error", "time", "iterations"
        ),
    ];
    for run in &study.runs {
        let head = format!(
            "  {:<22}{:>12}{:>9}",
            run.integrator,
            duration(run.dt),
            run.steps
        );
        lines.push(match &run.failure {
            Some(error) => format!("{head}  failed: {error}"),
            None => format!(
                "{head}{:>14}{:>12}{:>12}{}",
                quantity(run.error, "m"),
                duration(run.seconds),
                run.iterations,
                if run.counts {
                    ""
                } else {
                    "  (too near to the reference's own error to count)"
                },
            ),
        });
    }
    let fitted = |s: Option<Slope>| s.map_or("-".into(), |s| format!("{:.2}", s.slope));
    for curve in &study.curves {
        lines.push(format!(
            "  slope of {}: {} by step, {} by time, from {} points{}",
            curve.integrator,
            fitted(curve.by_dt),
            fitted(curve.by_seconds),
            curve.by_dt.map_or(0, |s| s.points),
            curve
                .order
                .map_or(String::new(), |o| format!("; its order is {o}")),
        ));
    }
    lines.join("\n")
}
