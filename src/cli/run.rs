//! Running a scene without a window.

use super::arguments::{OpenArguments, RunArguments};
use super::lanes::choose;
use super::output::{Failure, complain, print, print_json};
use super::progress::Progress;
use super::tables::{Tables, start, written};
use super::{ReplayArguments, open_for_window, open_scene, report::Report, summary};
use crate::diagnostics::Sample;
use crate::figures;
use crate::integrators::{self, StepError};
use crate::scene::{Scene, TakeWriter};
use crate::sim::export::Origin;
use crate::sim::{History, Input, Simulation, SimulationError, Statistics};
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
    /// The error that ended the run, if one did.
    pub(super) failure: Option<StepError>,
}

/// `driftless run`.
pub(super) fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let mut scene = open_scene(&arguments.scene, &arguments.sets)?;
    override_settings(&mut scene, arguments)?;
    let mut sim = scene.simulation()?;
    let steps = match (arguments.steps, arguments.duration) {
        (Some(steps), _) => steps,
        (None, Some(duration)) => steps_for(duration, sim.settings().dt),
        (None, None) => default_steps(&scene, &sim),
    };
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
    let outcome = advance(&mut sim, steps, |sim, sample| {
        if sample.step % arguments.every == 0 {
            tables.write(sim, sample)?;
        }
        match &mut take {
            Some((path, take)) if sample.step > first => {
                written(path, take.step(&Input::default(), sim.state()))
            }
            _ => Ok(()),
        }
    })?;
    tables.finish()?;
    if let Some((path, mut take)) = take {
        if let Some(error) = &outcome.failure {
            written(path, take.failure(&Input::default(), error))?;
        }
        written(path, take.finish(Some(sim.state())))?;
    }
    if arguments.json {
        print_json(&Report::new(&scene, &mut sim, &outcome))?;
    } else {
        print(summary::text(&scene, &sim, &outcome))?;
    }
    outcome.failure.map_or(Ok(()), |error| Err(error.into()))
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
    let steps = match open.run_for {
        Some(duration) => steps_for(duration, sim.settings().dt),
        None => default_steps(&scene, &sim),
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
    let outcome = advance(&mut sim, steps, |sim, sample| {
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
        return Err(error.into());
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

/// Another method in the place of the scene's own, if one is named: options that it does not know stay behind.
pub(super) fn choose_method(scene: &mut Scene, name: Option<&str>) -> Result<(), Failure> {
    if let Some(name) = name {
        let info = integrators::find(name).map_err(SimulationError::from)?;
        scene.integrator = info.name.into();
        scene.settings = scene.settings.taken_to(info);
    }
    Ok(())
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

fn default_steps(scene: &Scene, sim: &Simulation) -> u64 {
    steps_for(
        scene.view.duration.unwrap_or(DEFAULT_DURATION),
        sim.settings().dt,
    )
}

/// Takes so many steps, or stops at the first that leaves no usable state. `watch` sees the first state
/// and the state after every step; none of that is counted as time of the steps.
fn advance(
    sim: &mut Simulation,
    steps: u64,
    mut watch: impl FnMut(&mut Simulation, &Sample) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let first = sim.sample();
    let mut statistics = Statistics::new(first);
    watch(sim, &first)?;
    let mut progress = Progress::new(steps, first.time);
    let input = Input::default();
    let mut failure = None;
    for step in 1..=steps {
        if let Err(error) = sim.timed_step(&input) {
            failure = Some(error);
            break;
        }
        let sample = sim.sample();
        statistics.observe(&sample);
        watch(sim, &sample)?;
        progress.update(step, sample.time);
    }
    Ok(Outcome {
        statistics,
        wall_seconds: start.elapsed().as_secs_f64(),
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
