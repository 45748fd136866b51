//! The same motion by several methods over a ladder of steps: errors at its end, iterations, time.

pub use crate::runs::Case;
use crate::{Cancelled, Effort, RunError, Table, Watch};
use nalgebra::DVector;
use physics::figures::{Curve, Plot};
use physics::model::Input;
use physics::scene::{self, Scene};
use physics::sim::{Simulation, SimulationError};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Tables made in this run of the program, by name of the ladder and effort.
static MADE: Mutex<Vec<(&str, Effort, Table)>> = Mutex::new(Vec::new());

/// Cases of a row that take less are repeated in turns, and the fastest of their runs counts: what else a machine does only
/// adds to it (s).
const SHORT: f64 = 0.1;
/// How often they are run at most.
const ROUNDS: u32 = 5;

/// Column of the step sizes.
pub const STEP: &str = "h [s]";

/// What is measured of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Distance from the reference at the end.
    Error,
    /// Mean of Newton's iterations in a step.
    Iterations,
    /// Time of all steps (s).
    Time,
}

impl Of {
    fn column(self, case: &str) -> String {
        match self {
            Self::Error => format!("{case}: error"),
            Self::Iterations => format!("{case}: iterations"),
            Self::Time => format!("{case}: time [s]"),
        }
    }
}

/// What is run.
pub struct Ladder {
    /// What it is known by: several items look at one table, which is made once.
    pub name: &'static str,
    /// The scene.
    pub scene: &'static str,
    /// The methods.
    pub cases: &'static [Case],
    /// The largest step; each next is half of it (s).
    pub first: f64,
    /// Steps of the ladder, quick and in full.
    pub levels: [u32; 2],
    /// The end of the motion (s).
    pub end: f64,
    /// Tolerance of Newton's method.
    pub tolerance: f64,
    /// The method of the reference, and its steps, quick and in full.
    pub reference: (Case, [u32; 2]),
    /// What errors are distances of.
    pub measure: fn(&mut Simulation) -> DVector<f64>,
}

/// A method of sixth order, by which references are made.
pub const RK67: Case = Case {
    name: "reference",
    method: "runge-kutta",
    options: &[("tableau", "rk67")],
};

/// The same where joints open faster than the reference may err.
pub const CLOSED_RK67: Case = Case {
    options: &[("tableau", "rk67"), ("stabilisation", "projection")],
    ..RK67
};

/// The end of a run.
pub struct Ending {
    /// The simulation there.
    pub sim: Simulation,
    /// Time of all steps (s).
    pub seconds: f64,
    /// Newton's iterations of all steps.
    pub iterations: u32,
    /// Whether no step was cut into shorter ones.
    pub whole: bool,
}

/// A shipped scene.
pub fn opened(name: &str) -> Scene {
    scene::open(name, &[]).expect("a shipped scene opens")
}

fn simulation(
    scene: &Scene,
    case: &Case,
    dt: f64,
    tolerance: f64,
) -> Result<Simulation, SimulationError> {
    let settings = case.settings(dt, tolerance)?;
    let (model, state) = (scene.model.clone(), scene.state.clone());
    Simulation::new(model, state, case.method, settings)
}

fn step(sim: &mut Simulation, case: &Case) -> Result<(), RunError> {
    match sim.step(&Input::default()) {
        Ok(_) => Ok(()),
        Err(error) => Err(RunError::Step {
            method: case.name.into(),
            error,
        }),
    }
}

/// A run of a case to its end in so many steps.
pub fn run(
    scene: &Scene,
    case: &Case,
    (end, steps): (f64, u32),
    tolerance: f64,
) -> Result<Ending, RunError> {
    let mut sim = simulation(scene, case, end / f64::from(steps), tolerance)?;
    let (mut iterations, mut whole) = (0, true);
    let start = Instant::now();
    for _ in 0..steps {
        step(&mut sim, case)?;
        iterations += sim.report().iterations;
        whole &= sim.report().substeps == 0;
    }
    Ok(Ending {
        seconds: start.elapsed().as_secs_f64(),
        sim,
        iterations,
        whole,
    })
}

/// Goes along a motion in steps of a length and shows the simulation so many times, so many steps apart.
pub fn step_along(
    scene: &Scene,
    case: &Case,
    (dt, rows, between): (f64, u32, u32),
    mut show: impl FnMut(&mut Simulation) -> Result<(), Cancelled>,
) -> Result<(), RunError> {
    let mut sim = simulation(scene, case, dt, 1e-10)?;
    for _ in 0..rows {
        for _ in 0..between {
            step(&mut sim, case)?;
        }
        show(&mut sim)?;
    }
    Ok(())
}

impl Ladder {
    /// The table, from an item that made it before or made now.
    pub fn table(&self, effort: Effort, watch: Watch) -> Result<Table, RunError> {
        let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |(name, of, _): &&(&str, Effort, Table)| *name == self.name && *of == effort;
        let kept = made().iter().find(known).map(|(_, _, table)| table.clone());
        if let Some(table) = kept {
            watch(1.0, &table)?;
            return Ok(table);
        }
        let table = self.made(effort, watch)?;
        made().push((self.name, effort, table.clone()));
        Ok(table)
    }

    /// The table: a row for each step, and of each case error, iterations and time. A case that fails at a step, or cuts it
    /// into shorter ones, has no numbers there.
    fn made(&self, effort: Effort, watch: Watch) -> Result<Table, RunError> {
        let at = usize::from(effort == Effort::Full);
        let scene = opened(self.scene);
        let (reference, steps) = &self.reference;
        // Each level takes twice the steps of the one before.
        let all = f64::from((1_u32 << self.levels[at]) - 1);
        let part = |level: u32| f64::from((1_u32 << level) - 1) / all;
        let columns = self
            .cases
            .iter()
            .flat_map(|c| [Of::Error, Of::Iterations, Of::Time].map(|of| of.column(c.name)));
        let mut table = Table::new([STEP.to_owned()].into_iter().chain(columns));
        watch(0.0, &table)?;
        let mut known = run(&scene, reference, (self.end, steps[at]), 1e-12)?;
        let known = (self.measure)(&mut known.sim);
        for level in 0..self.levels[at] {
            let steps = (self.end / self.first).round() as u32 * (1 << level);
            let mut row = vec![self.end / f64::from(steps)];
            for case in self.cases {
                watch(part(level), &table)?;
                match run(&scene, case, (self.end, steps), self.tolerance) {
                    Ok(mut end) if end.whole => row.extend([
                        ((self.measure)(&mut end.sim) - &known).norm(),
                        f64::from(end.iterations) / f64::from(steps),
                        end.seconds,
                    ]),
                    Ok(_) | Err(RunError::Step { .. }) => row.extend([f64::NAN; 3]),
                    Err(error) => return Err(error),
                }
            }
            for _ in 1..ROUNDS {
                for (case, cells) in self.cases.iter().zip(row[1..].chunks_exact_mut(3)) {
                    // Not where it failed.
                    if cells[2] < SHORT {
                        let again = run(&scene, case, (self.end, steps), self.tolerance)?;
                        cells[2] = cells[2].min(again.seconds);
                    }
                }
            }
            table.rows.push(row);
            watch(part(level + 1), &table)?;
        }
        Ok(table)
    }

    /// What is measured of all cases against the step.
    pub fn plot(&self, table: &Table, of: Of, title: &str, axis: &str) -> Plot {
        self.drawn(title, [STEP, axis], |case| {
            table.points(STEP, &of.column(case))
        })
    }

    /// Error against time.
    pub fn work_precision(&self, table: &Table, title: &str, axis: &str) -> Plot {
        self.drawn(title, ["time [s]", axis], |case| {
            table.points(&Of::Time.column(case), &Of::Error.column(case))
        })
    }

    fn drawn(&self, title: &str, axes: [&str; 2], points: impl Fn(&str) -> Vec<[f64; 2]>) -> Plot {
        Plot {
            title: title.into(),
            axes: axes.map(Into::into),
            logarithmic: [true, true],
            curves: self
                .cases
                .iter()
                .map(|c| Curve {
                    name: c.name.into(),
                    points: points(c.name),
                })
                .collect(),
        }
    }
}

/// The numbers of a case, by step.
pub fn column(table: &Table, case: &str, of: Of) -> Vec<f64> {
    table.column(&of.column(case))
}

/// Geometric mean of one case over another, where both came to the end and, for errors, are above what rounding leaves.
pub fn ratio(table: &Table, [over, under]: [&str; 2], of: Of) -> Option<f64> {
    let least = if of == Of::Error { 1e-12 } else { 0.0 };
    let pairs = column(table, over, of)
        .into_iter()
        .zip(column(table, under, of));
    let logs: Vec<f64> = pairs
        .filter(|(a, b)| a.is_finite() && b.is_finite() && *a > least && *b > least)
        .map(|(a, b)| (a / b).ln())
        .collect();
    let count = logs.len() as f64;
    (count > 0.0).then(|| (logs.iter().sum::<f64>() / count).exp())
}

/// Mean over the steps at which the case came to the end.
pub fn mean(table: &Table, case: &str, of: Of) -> Option<f64> {
    let all: Vec<f64> = column(table, case, of)
        .into_iter()
        .filter(|x| x.is_finite())
        .collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

/// The largest step at which a case came to the end (s).
pub fn largest_step(table: &Table, case: &str) -> Option<f64> {
    let points = table.points(STEP, &Of::Error.column(case));
    points.iter().map(|p| p[0]).reduce(f64::max)
}

/// The same as text.
pub fn shown_step(table: &Table, case: &str) -> String {
    largest_step(table, case).map_or("none".into(), |h| format!("{h:.2e} s"))
}

/// Time that a case takes to an error, by its power law between the two runs around it, or beyond the last two; with whether
/// it is beyond.
pub fn time_to(table: &Table, case: &str, error: f64) -> Option<(f64, bool)> {
    let points = table.points(&Of::Error.column(case), &Of::Time.column(case));
    let (before, after): (Vec<[f64; 2]>, Vec<[f64; 2]>) = points.iter().partition(|p| p[0] > error);
    let last_two = || {
        let n = points.len();
        (n >= 2).then(|| [points[n - 2], points[n - 1]])
    };
    let (pair, beyond) = match (before.last(), after.first()) {
        (Some(a), Some(b)) => (Some([*a, *b]), false),
        (Some(_), None) => (last_two(), true),
        // Met by the coarsest run.
        (None, Some(first)) => return Some((first[1], true)),
        (None, None) => (None, true),
    };
    let [a, b] = pair?;
    let part = (error / a[0]).ln() / (b[0] / a[0]).ln();
    Some((a[1] * (b[1] / a[1]).powf(part), beyond))
}
