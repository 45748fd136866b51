//! Running a scene without a window.

use super::arguments::{OpenArguments, ReplayArguments, RunArguments};
use super::changes::{End, Schedule};
use super::files;
use super::lanes::{choose, choose_method};
use super::length::DEFAULT_DURATION;
use super::opening::{open_for_window, open_scene};
use super::outcome::Outcome;
use super::output::{Failure, complain, exit_code, print, print_json};
use super::progress::Progress;
use super::replay::replay;
use super::report::Report;
use super::summary;
use super::tables::{Tables, start, written};
use crate::diagnostics::Sample;
use crate::figures;
use crate::integrators;
use crate::scene::{Scene, TakeWriter};
use crate::sim::export::Origin;
use crate::sim::{Change, History, Input, Simulation, SimulationError, Statistics};
use crate::threads;
use std::path::Path;
use std::time::Instant;

/// What happens in a run.
enum Event<'a> {
    /// A state was reached: the first one, or that after a step.
    Reached(&'a mut Simulation, &'a Sample),
    /// The simulation was changed before the next step.
    Changed(&'a Change),
}

/// `driftless run`.
pub(super) fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let mut scene = open_scene(&arguments.scene, &arguments.sets)?;
    let outputs = [
        ("--csv", arguments.csv.as_deref()),
        ("--contacts", arguments.contacts.as_deref()),
        ("--take", arguments.take.as_deref()),
    ];
    files::distinct(&files::of_scene(&scene), &outputs)?;
    override_settings(&mut scene, arguments)?;
    let schedule = Schedule::new(&scene, arguments)?;
    let mut sim = scene.simulation()?;
    let begin = sim.state().time;
    let end = match (arguments.steps, arguments.duration) {
        (Some(steps), _) => End::Steps(steps),
        (None, Some(duration)) => End::Time(begin + duration),
        (None, None) => default_end(&scene, &sim),
    };
    schedule.within((begin, sim.settings().dt), end)?;
    let origin = Origin {
        scene: &scene.name,
        changes: &arguments.sets,
        integrator: sim.integrator(),
        settings: &sim.settings().clone(),
        model: &scene.model,
    };
    let files = [arguments.csv.as_deref(), arguments.contacts.as_deref()];
    let mut tables = Tables::create(files, &origin)?;
    let mut take = start(arguments.take.as_deref(), |file| {
        TakeWriter::new(file, &scene, &sim.snapshot())
    })?;
    let first = sim.state().step;
    let outcome = advance(&mut sim, end, schedule, |event| match event {
        Event::Changed(change) => match &mut take {
            Some((path, take)) => written(path, take.change(change)),
            None => Ok(()),
        },
        Event::Reached(sim, sample) => {
            if sample.step % arguments.every == 0 {
                tables.write(sim, sample)?;
            }
            match &mut take {
                Some((path, take)) if sample.step > first => {
                    written(path, take.step(&Input::default(), sim.state()))
                }
                _ => Ok(()),
            }
        }
    })?;
    tables.finish()?;
    if let Some((path, mut take)) = take {
        if let Some(Failure::Step(error)) = &outcome.failure {
            written(path, take.failure(&Input::default(), error))?;
        }
        written(path, take.finish(Some(sim.state())))?;
    }
    if arguments.json {
        print_json(&Report::new(&scene, &mut sim, &outcome))?;
    } else {
        print(summary::text(&scene, &sim, &outcome))?;
    }
    outcome.failure.map_or(Ok(()), Err)
}

/// What `driftless` and `driftless open` do where no window can be shown: says why, runs the scene,
/// sums it up and leaves the plots as files.
pub fn run_instead(open: &OpenArguments, reason: &str) -> std::process::ExitCode {
    exit_code(threads::with(threads::wanted(), || {
        run_with_figures(open, reason)
    }))
}

fn run_with_figures(open: &OpenArguments, reason: &str) -> Result<(), Failure> {
    let (scene, take) = open_for_window(open)?;
    complain(reason);
    if let Some(take) = take {
        return replay(&ReplayArguments::of(take));
    }
    let mut sim = scene.simulation()?;
    let end = match open.run_for {
        Some(duration) => End::Time(sim.state().time + duration),
        None => default_end(&scene, &sim),
    };
    let origin = Origin {
        scene: &scene.name,
        changes: &[],
        integrator: sim.integrator(),
        settings: &sim.settings().clone(),
        model: &scene.model,
    };
    let mut tables = Tables::create([open.csv.as_deref(), None], &origin)?;
    let mut history = History::default();
    let outcome = advance(&mut sim, end, Schedule::default(), |event| {
        let Event::Reached(sim, sample) = event else {
            return Ok(());
        };
        if sample.step == 0 {
            history.restart(*sample);
        } else {
            history.push(*sample);
        }
        tables.write(sim, sample)
    })?;
    tables.finish()?;
    print(summary::text(&scene, &sim, &outcome))?;
    let files = figures::write_run(Path::new("."), &scene.name, &history)?;
    print("Plots:")?;
    files
        .iter()
        .try_for_each(|file| print(format_args!("  {}", file.display())))?;
    print(format_args!(
        "To see it move and pull it, on a machine with a display:\n  cargo run --release -- open {}",
        open.scene.display()
    ))?;
    if let Some(error) = outcome.failure {
        return Err(error);
    }
    match &open.screenshot {
        Some(path) => Err(Failure::file(
            path,
            "a picture of the window needs a window",
        )),
        None => Ok(()),
    }
}

fn override_settings(scene: &mut Scene, arguments: &RunArguments) -> Result<(), Failure> {
    choose_method(scene, arguments.integrator.as_deref())?;
    let settings = &mut scene.settings;
    settings.dt = arguments.dt.unwrap_or(settings.dt);
    settings.tolerance = arguments.tolerance.unwrap_or(settings.tolerance);
    settings.linear_solver = arguments.linear_solver.unwrap_or(settings.linear_solver);
    settings.friction = arguments.friction.unwrap_or(settings.friction);
    if let Some(word) = &arguments.contact_solver {
        // As ever, methods that do not have it pay no heed.
        let info = integrators::find(&scene.integrator).map_err(SimulationError::from)?;
        let older = ("contact_solver".to_owned(), word.clone());
        if info.options.iter().any(|o| o.name == older.0) {
            choose(&mut settings.options, info.name, &[older])?;
        }
    }
    choose(&mut settings.options, &scene.integrator, &arguments.options)
}

fn default_end(scene: &Scene, sim: &Simulation) -> End {
    End::Time(sim.state().time + scene.view.duration.unwrap_or(DEFAULT_DURATION))
}

/// Takes steps and makes changes up to the end, or stops at the first that leaves no usable state. `watch` sees the
/// first state, the state after every step, and every change; none of that is counted as time of the steps.
fn advance(
    sim: &mut Simulation,
    end: End,
    mut schedule: Schedule,
    mut watch: impl FnMut(Event) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let first = sim.sample();
    let mut statistics = Statistics::new(first);
    watch(Event::Reached(sim, &first))?;
    let mut left = end.steps(first.time, sim.settings().dt);
    let mut progress = Progress::new(left, first.time);
    let input = Input::default();
    let mut changes = Vec::new();
    let mut failure = None;
    while left > 0 {
        match schedule.make(sim, |change| watch(Event::Changed(change))) {
            Ok(None) => {}
            Ok(Some(made)) => {
                changes.push(made);
                if let End::Time(_) = end {
                    left = end.steps(sim.state().time, sim.settings().dt);
                }
                continue;
            }
            Err(error @ Failure::Change(_)) => {
                failure = Some(error);
                break;
            }
            Err(error) => return Err(error),
        }
        if let Err(error) = sim.timed_step(&input) {
            failure = Some(error.into());
            break;
        }
        left -= 1;
        let sample = sim.sample();
        statistics.observe(&sample);
        watch(Event::Reached(sim, &sample))?;
        progress.update(statistics.peaks.steps, sample.time);
    }
    Ok(Outcome {
        statistics,
        wall_seconds: start.elapsed().as_secs_f64(),
        changes,
        failure,
    })
}
