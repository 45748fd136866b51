//! Running a scene without a window.

use super::arguments::{OpenArguments, RunArguments};
use super::changes::{End, Made, Schedule};
use super::output::{Failure, complain, print, print_json};
use super::progress::Progress;
use super::tables::{Tables, start, written};
use super::{ReplayArguments, open_for_window, open_scene, report::Report, summary};
use crate::diagnostics::Sample;
use crate::figures;
use crate::scene::{Scene, TakeWriter};
use crate::sim::export::Origin;
use crate::sim::{Change, History, Input, Simulation, Statistics};
use std::path::Path;
use std::time::Instant;

/// Simulated time of a scene that does not say how long it wants to be watched [s].
pub(super) const DEFAULT_DURATION: f64 = 10.0;

/// What happened.
pub(super) struct Outcome {
    /// The account of all steps.
    pub(super) statistics: Statistics,
    /// Time from the first step to the last, sampling and writing included [s].
    pub(super) wall_seconds: f64,
    /// Changes of the scene on the way.
    pub(super) changes: Vec<Made>,
    /// What ended the run early, if something did: a step that failed, or a change that could not be made.
    pub(super) failure: Option<Failure>,
}

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
    override_settings(&mut scene, arguments);
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
        integrator: sim.integrator().name,
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
    super::exit_code(run_with_figures(open, reason))
}

fn run_with_figures(open: &OpenArguments, reason: &str) -> Result<(), Failure> {
    let (scene, take) = open_for_window(open)?;
    complain(reason);
    if let Some(take) = take {
        return super::replay::replay(&ReplayArguments::of(take));
    }
    let mut sim = scene.simulation()?;
    let end = match open.run_for {
        Some(duration) => End::Time(sim.state().time + duration),
        None => default_end(&scene, &sim),
    };
    let origin = Origin {
        scene: &scene.name,
        changes: &[],
        integrator: sim.integrator().name,
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
        open.scene
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

fn override_settings(scene: &mut Scene, arguments: &RunArguments) {
    if let Some(name) = &arguments.integrator {
        scene.integrator.clone_from(name);
    }
    let settings = &mut scene.settings;
    settings.dt = arguments.dt.unwrap_or(settings.dt);
    settings.tolerance = arguments.tolerance.unwrap_or(settings.tolerance);
    settings.linear_solver = arguments.linear_solver.unwrap_or(settings.linear_solver);
    settings.friction = arguments.friction.unwrap_or(settings.friction);
    settings.contact_solver = arguments.contact_solver.unwrap_or(settings.contact_solver);
}

/// Steps that reach a duration [s]; a duration that is a multiple of the step up to rounding is met exactly.
pub(super) fn steps_for(duration: f64, dt: f64) -> u64 {
    let ratio = duration / dt;
    let nearest = ratio.round();
    let steps = if (ratio - nearest).abs() <= 1e-9 * nearest {
        nearest
    } else {
        ratio.ceil()
    };
    steps as u64
}

fn default_end(scene: &Scene, sim: &Simulation) -> End {
    End::Time(sim.state().time + scene.view.duration.unwrap_or(DEFAULT_DURATION))
}

/// Takes steps and makes changes up to the end, or stops at the first that leaves no usable state. `watch` sees the first
/// state, the state after every step, and every change; none of that is counted as time of the steps.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_met_by_whole_steps() {
        assert_eq!(steps_for(10.0, 0.01), 1000);
        // 0.3/0.1 is 2.9999999999999996.
        assert_eq!(steps_for(0.3, 0.1), 3);
        assert_eq!(steps_for(0.25, 0.1), 3);
        assert_eq!(steps_for(3600.0, 0.01), 360_000);
        assert_eq!(steps_for(1e-3, 0.01), 1);
    }
}
