//! How the error of methods falls with their step size and with the time they take: the same scene over a ladder of
//! steps, against a reference that says how far it can be trusted.
//!
//! The error is the [configuration distance](crate::diagnostics::configuration_distance) from the reference at the end
//! of the motion (m). The reference is the method of the highest order that can run the scene, at the finest step of
//! the ladder or a quarter of it. It is run at twice and four times that step too; what the finest two leave gives its
//! error by Richardson's argument, with the order that the three show. Errors below ten times that are not fitted.

mod fit;

pub use fit::{Slope, slope};

use super::{Input, Simulation};
use crate::diagnostics::configuration_distance;
use crate::integrators::{self, IntegratorInfo, REGISTRY, Settings, Written};
use crate::model::{Model, State};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Order from which the reference needs no finer step than the ladder's finest.
const HIGH_ORDER: u32 = 4;
/// How much finer the step of a reference of lower order is.
const FINER: f64 = 4.0;
/// Tolerance of the reference: the least that settings allow.
const REFERENCE_TOLERANCE: f64 = 1e-12;
/// An error counts where it is so many times the error of the reference.
const TRUST: f64 = 10.0;
/// Distances that are rounding [m]: no order can be read from them.
const ROUNDING: f64 = 1e-13;
/// An order below this is none.
const LEAST_ORDER: f64 = 0.25;
/// Steps from one look at the watch to the next.
const GLANCE: u64 = 64;
/// Runs shorter than this are repeated and the fastest counts (s).
const SHORT: f64 = 0.05;
/// How often at most.
const REPEATS: u32 = 5;

/// The motion that every method computes, from its beginning: each method takes over the velocities in its own way,
/// which is part of its error. A first-order method that goes on from a state of a better one would show a higher
/// order.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// The mechanism.
    pub model: Arc<Model>,
    /// First state, with velocities as a scene gives them.
    pub state: State,
    /// Settings of all runs but for the step size.
    pub settings: Settings,
}

/// What to run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ladder {
    /// The methods, each by its name, or as `NAME:option=value,…` with options of its own.
    pub integrators: Vec<String>,
    /// Step sizes (s). Each is changed a little where it must be for whole steps to meet the end.
    pub dts: Vec<f64>,
    /// Simulated time (s).
    pub duration: f64,
}

/// What the errors are measured against.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The method.
    pub integrator: &'static str,
    /// Its step size (s).
    pub dt: f64,
    /// Order that its last three refinements show; `None` where they do not come nearer to each other, be it for
    /// rounding or for a motion that is too rough.
    pub order: Option<f64>,
    /// Estimate of its own error (m).
    pub error: f64,
}

/// One method at one step size.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The method.
    pub integrator: String,
    /// The step size that was run (s).
    pub dt: f64,
    /// Steps taken.
    pub steps: u64,
    /// Configuration distance from the reference at the end (m).
    pub error: f64,
    /// Time of the steps (s): of one run, on one thread, sampling not included; of the fastest of a few if it is short.
    pub seconds: f64,
    /// Newton iterations of all steps.
    pub iterations: u64,
    /// Whether the error is large enough against that of the reference to count.
    pub counts: bool,
    /// Why the run did not come to its end, if it did not; the error and the times are then nought.
    pub failure: Option<String>,
}

/// How the errors of one method fall.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The method.
    pub integrator: String,
    /// The order it should have with its options; `None` where it chooses its steps by their error.
    pub order: Option<u32>,
    /// Slope of the logarithm of the error against that of the step size.
    pub by_dt: Option<Slope>,
    /// Slope of the logarithm of the error against that of the time taken.
    pub by_seconds: Option<Slope>,
}

/// A convergence study.
#[derive(Debug, Clone, PartialEq)]
pub struct Convergence {
    /// Simulated time (s).
    pub duration: f64,
    /// What the errors are measured against.
    pub reference: Reference,
    /// All runs, method by method, from the coarsest step to the finest.
    pub runs: Vec<Run>,
    /// One per method.
    pub curves: Vec<Curve>,
    /// Whether it was cancelled: some runs are missing then.
    pub cancelled: bool,
}

/// How far a study is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress<'a> {
    /// Steps done, of those that there will be unless runs fail.
    pub steps: [u64; 2],
    /// The method that is running.
    pub integrator: &'a str,
    /// Its step size (s).
    pub dt: f64,
}

/// Why there is no study.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConvergenceError {
    /// A ladder that says nothing.
    #[error("{0}")]
    Ladder(String),
    /// The reference failed.
    #[error("the reference, {integrator} with steps of {dt} s, failed: {error}")]
    Reference {
        /// The method.
        integrator: &'static str,
        /// Its step size (s).
        dt: f64,
        /// What went wrong.
        error: String,
    },
    /// Cancelled before the reference was there.
    #[error("cancelled before the reference was there")]
    Cancelled,
}

/// The end of one run.
struct Ending {
    state: State,
    seconds: f64,
    iterations: u64,
}

/// Why a run has no end.
enum Stop {
    Failed(String),
    Cancelled,
}

/// A function that is shown the progress and may stop the study.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// Runs a ladder. Runs follow each other, so that they do not slow each other down; to
/// keep a window alive, call this on a thread and stop it by what `watch` returns.
pub fn study(
    motion: &Motion,
    ladder: &Ladder,
    watch: &mut Watch,
) -> Result<Convergence, ConvergenceError> {
    let mut dts = checked(ladder, &motion.settings)?;
    dts.sort_by(|a, b| b.total_cmp(a));
    let finest = dts[dts.len() - 1];
    let info = most_accurate(motion).ok_or_else(|| {
        ConvergenceError::Ladder("no method can run this scene, so there is no reference".into())
    })?;
    let factor = if info.order >= HIGH_ORDER { 1.0 } else { FINER };
    let refined = [4.0, 2.0, 1.0].map(|coarser| finest / factor * coarser);
    let mut bench = Bench {
        motion,
        duration: ladder.duration,
        watch,
        done: 0,
        all: refined
            .iter()
            .chain(ladder.integrators.iter().flat_map(|_| &dts))
            .map(|dt| steps_of(ladder.duration, *dt))
            .sum(),
    };
    let fine = Settings {
        tolerance: REFERENCE_TOLERANCE,
        ..motion.settings
    };
    let mut ends = Vec::new();
    for dt in refined {
        let end = bench.run(info.name, dt, fine, 1);
        ends.push(end.map_err(|stop| match stop {
            Stop::Cancelled => ConvergenceError::Cancelled,
            Stop::Failed(error) => ConvergenceError::Reference {
                integrator: info.name,
                dt,
                error,
            },
        })?);
    }
    let distance =
        |a: &State, b: &State| configuration_distance(&motion.model, &a.bodies, &b.bodies);
    let gaps = [0, 1].map(|k| distance(&ends[k].state, &ends[k + 1].state));
    let (order, error) = richardson(gaps, info.order);
    let truth = ends.swap_remove(2).state;
    let reference = Reference {
        integrator: info.name,
        dt: refined[2],
        order,
        error,
    };

    let mut runs = Vec::new();
    let mut cancelled = false;
    'all: for integrator in &ladder.integrators {
        for &dt in &dts {
            let steps = steps_of(ladder.duration, dt);
            let mut run = Run {
                integrator: integrator.clone(),
                dt: ladder.duration / steps as f64,
                steps,
                error: 0.0,
                seconds: 0.0,
                iterations: 0,
                counts: false,
                failure: None,
            };
            match bench.run(integrator, dt, motion.settings, REPEATS) {
                Ok(end) => {
                    run.error = distance(&end.state, &truth);
                    run.seconds = end.seconds;
                    run.iterations = end.iterations;
                    run.counts = run.error.is_finite() && run.error >= TRUST * reference.error;
                }
                Err(Stop::Failed(error)) => run.failure = Some(error),
                Err(Stop::Cancelled) => {
                    cancelled = true;
                    break 'all;
                }
            }
            runs.push(run);
        }
    }
    let curves = ladder
        .integrators
        .iter()
        .map(|name| curve(name, &motion.settings, &runs));
    Ok(Convergence {
        duration: ladder.duration,
        reference,
        curves: curves.collect(),
        runs,
        cancelled,
    })
}

/// The step sizes of a ladder that makes sense.
fn checked(ladder: &Ladder, settings: &Settings) -> Result<Vec<f64>, ConvergenceError> {
    let wrong = |text: String| Err(ConvergenceError::Ladder(text));
    if !(ladder.duration > 0.0 && ladder.duration.is_finite()) {
        return wrong(format!(
            "the duration is {} s, expected a positive number",
            ladder.duration
        ));
    }
    if ladder.integrators.is_empty() || ladder.dts.len() < 2 {
        return wrong("a ladder needs a method and at least two step sizes".into());
    }
    for entry in &ladder.integrators {
        if let Err(error) = method(entry, settings) {
            return wrong(error);
        }
    }
    for (k, dt) in ladder.dts.iter().enumerate() {
        if !(*dt > 0.0 && *dt <= ladder.duration) {
            let end = ladder.duration;
            return wrong(format!(
                "a step size is {dt} s, expected a number above 0 and at most the duration, {end} s"
            ));
        }
        let steps = |dt| steps_of(ladder.duration, dt);
        let same = |other: &&f64| steps(**other) == steps(*dt);
        if let Some(other) = ladder.dts[..k].iter().find(same) {
            return wrong(format!(
                "steps of {other} s and of {dt} s are the same number of steps"
            ));
        }
    }
    Ok(ladder.dts.clone())
}

/// A method of a ladder with its settings: options are meant for the methods that have them, beside its own.
fn method(entry: &str, settings: &Settings) -> Result<(&'static IntegratorInfo, Settings), String> {
    let (name, options) = entry.split_once(':').unwrap_or((entry, ""));
    let info = integrators::find(name.trim()).map_err(|e| e.to_string())?;
    let mut own = settings.taken_to(info);
    for option in options.split(',').filter(|o| !o.trim().is_empty()) {
        let expected =
            || format!("`{entry}`: `{option}`, expected NAME=VALUE, an option of {name}");
        let (key, value) = option.split_once('=').ok_or_else(expected)?;
        let value = Written::from(value.trim());
        let set = own.options.set(info.options, key.trim(), &value);
        set.map_err(|e| format!("`{entry}`: {e}"))?;
    }
    Ok((info, own))
}

/// The method of the highest order that can run the scene; of several the first.
fn most_accurate(motion: &Motion) -> Option<&'static IntegratorInfo> {
    let fit = |i: &&IntegratorInfo| integrators::refusal(i, &motion.model).is_none();
    REGISTRY
        .iter()
        .filter(fit)
        .rev()
        .max_by_key(|i| (i.order, i.drift_free))
}

/// Whole steps of about `dt` that meet the end.
fn steps_of(duration: f64, dt: f64) -> u64 {
    (duration / dt).round().max(1.0) as u64
}

/// Order and error that the distances between three refinements show; an order that cannot be read is not used.
fn richardson([coarse, fine]: [f64; 2], order: u32) -> (Option<f64>, f64) {
    if fine <= ROUNDING {
        // Rounding is what is left.
        return (None, fine.max(ROUNDING));
    }
    let seen = (coarse / fine).log2();
    if seen < LEAST_ORDER {
        return (None, fine);
    }
    // Where the order cannot be seen, the error is no smaller than what the last refinement changed.
    let used = seen.clamp(1.0, f64::from(order));
    (Some(seen), fine / (used.exp2() - 1.0))
}

/// The slopes of one method, with its own of the options.
fn curve(name: &str, settings: &Settings, runs: &[Run]) -> Curve {
    let own = runs.iter().filter(|r| r.integrator == name && r.counts);
    let points =
        |x: fn(&Run) -> f64| -> Vec<[f64; 2]> { own.clone().map(|r| [x(r), r.error]).collect() };
    Curve {
        integrator: name.into(),
        order: method(name, settings)
            .ok()
            .and_then(|(info, own)| info.order_in(&own)),
        by_dt: slope(&points(|r| r.dt)),
        by_seconds: slope(&points(|r| r.seconds)),
    }
}

/// Where runs are made.
struct Bench<'a, 'w> {
    motion: &'a Motion,
    duration: f64,
    watch: &'a mut Watch<'w>,
    /// Steps done and to be done.
    done: u64,
    all: u64,
}

impl Bench<'_, '_> {
    fn run(
        &mut self,
        integrator: &str,
        dt: f64,
        settings: Settings,
        repeats: u32,
    ) -> Result<Ending, Stop> {
        let steps = steps_of(self.duration, dt);
        let settings = Settings {
            dt: self.duration / steps as f64,
            ..settings
        };
        let before = self.done;
        let result = self.repeated(integrator, settings, steps, repeats);
        // A run that failed early is done all the same.
        self.done = before + steps;
        result
    }

    fn repeated(
        &mut self,
        integrator: &str,
        settings: Settings,
        steps: u64,
        repeats: u32,
    ) -> Result<Ending, Stop> {
        let mut best = self.once(integrator, settings, steps, true)?;
        let mut spent = best.seconds;
        for _ in 1..repeats {
            if spent >= SHORT {
                break;
            }
            let again = self.once(integrator, settings, steps, false)?;
            spent += again.seconds;
            best.seconds = best.seconds.min(again.seconds);
        }
        Ok(best)
    }

    fn once(
        &mut self,
        integrator: &str,
        settings: Settings,
        steps: u64,
        first: bool,
    ) -> Result<Ending, Stop> {
        let Motion { model, state, .. } = self.motion;
        let (info, settings) = method(integrator, &settings).map_err(Stop::Failed)?;
        let mut sim = Simulation::new(model.clone(), state.clone(), info.name, settings)
            .map_err(|e| Stop::Failed(e.to_string()))?;
        let nothing = Input::default();
        let (mut seconds, mut iterations) = (0.0, 0);
        for step in 0..steps {
            if step.is_multiple_of(GLANCE) {
                let progress = Progress {
                    steps: [self.done, self.all],
                    integrator,
                    dt: settings.dt,
                };
                if (self.watch)(&progress).is_break() {
                    return Err(Stop::Cancelled);
                }
            }
            let report = sim
                .timed_step(&nothing)
                .map_err(|e| Stop::Failed(e.to_string()))?;
            iterations += u64::from(report.iterations);
            seconds += sim.step_seconds();
            self.done += u64::from(first);
        }
        Ok(Ending {
            state: sim.state().clone(),
            seconds,
            iterations,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn richardson_reads_order_and_error_of_three_refinements() {
        // Errors c hᵖ at 4h, 2h and h with p = 3: differences of neighbours are 56 and 7 times the last error.
        let (order, error) = richardson([56e-6, 7e-6], 4);
        assert!((order.unwrap() - 3.0).abs() < 1e-12);
        assert!((error / 1e-6 - 1.0).abs() < 1e-12);
        // No better than the method's own order, no worse than what the last refinement changed.
        assert!((richardson([1e-3, 1e-6], 2).1 / (1e-6 / 3.0) - 1.0).abs() < 1e-12);
        assert_eq!(richardson([1e-6, 1e-6], 2).1, 1e-6);
        assert_eq!(richardson([1e-12, 1e-15], 8), (None, ROUNDING));
    }
}
