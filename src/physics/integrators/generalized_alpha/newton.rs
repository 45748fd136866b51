//! Newton's method on one step.

use super::GeneralizedAlpha;
use crate::forces::Wrench;
use crate::integrators::parametrisation::singular;
use crate::integrators::scales::{MOMENTUM, Scales, place_of_row};
use crate::integrators::{Iteration, Outcome, Settings, StepError, StepReport};
use crate::model::{Input, Model, State};
use crate::solver::assembly::{Coordinates, Level, Moment, NewtonChart, Trial, Weights};
use crate::solver::worse;
use crate::stopwatch::Phase;

/// An iteration that leaves more than this part of the error asks for a new matrix.
const SLOW: f64 = 0.5;
/// Iterations in a row that may leave as much of the error before it counts as rounding.
const STUCK: u32 = 5;
/// Largest error that may be left by rounding, relative as the tolerance is.
const USABLE: f64 = 1e-6;
/// Part of the tolerance that a linear system may leave of a constraint: the next iteration sees it.
const PART: f64 = 0.01;

/// Right-hand sides of the linear system.
#[derive(Debug, Clone)]
pub struct Wanted {
    wrenches: Vec<Wrench>,
    rows: Vec<f64>,
}

impl Wanted {
    pub fn new(bodies: usize, rows: usize) -> Self {
        Self {
            wrenches: vec![Wrench::default(); bodies],
            rows: vec![0.0; rows],
        }
    }
}

/// Largest errors of a trial and where they are.
#[derive(Debug, Clone, Copy, Default)]
struct Errors {
    /// Relative to the forces that the body handles.
    balance: f64,
    body: usize,
    /// Relative to the length of a joint, or in radians.
    constraint: f64,
    row: usize,
}

impl Errors {
    fn worst(&self) -> f64 {
        worse(self.balance, self.constraint)
    }
}

impl GeneralizedAlpha {
    /// One step from the start by a length at a time (s); its end is in the workspace.
    pub(super) fn attempt(
        &mut self,
        model: &Model,
        state: &State,
        (time, h): (f64, f64),
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let c = self.coefficients;
        let weights = c.weights(h);
        self.system
            .warm(&self.start.multipliers, &mut self.end.multipliers);
        for k in 0..self.from.len() {
            // As if `ẇ` stayed.
            let mut a = Coordinates::default();
            a.add(&self.start.w_rates[k], 1.0 / (1.0 - c.alpha_m));
            a.add(&self.start.auxiliary[k], -c.alpha_m / (1.0 - c.alpha_m));
            self.end.auxiliary[k] = a;
        }
        report.history.clear();
        let (mut last, mut stuck, mut is_new) = (f64::INFINITY, 0, false);
        for iteration in 0.. {
            self.stopwatch.enter(Phase::Evaluate);
            self.place(model, h, &weights)?;
            let trial = Trial {
                moment: Moment {
                    bodies: &self.bodies,
                    twists: &self.twists,
                    angles: &state.angles,
                    time: time + h,
                    input,
                },
                accelerations: &self.accelerations,
                multipliers: &self.end.multipliers,
            };
            let mut balanced = self.equations.balance(model, &trial);
            for (wanted, r) in self.wanted.wrenches.iter_mut().zip(balanced.unbalanced()) {
                wanted.force = -r.force;
                wanted.torque = -r.torque;
            }
            let values = balanced.equations().values();
            for (wanted, value) in self.wanted.rows.iter_mut().zip(values) {
                *wanted = -value;
            }
            let errors = errors(
                model,
                &self.scales,
                &trial,
                &self.wanted,
                balanced.equations().wrenches(),
                h,
            );
            let worst = errors.worst();
            report.residual = errors.balance;
            report.constraint = errors.constraint;
            report.history.push(Iteration {
                residual: errors.balance,
                constraint: errors.constraint,
                step_length: f64::from(u8::from(iteration > 0)),
            });
            if worst <= settings.tolerance {
                return Ok(());
            }
            // What is not a number is slow.
            let quick = worst < SLOW * last;
            let slow = !quick;
            stuck = if slow { stuck + 1 } else { 0 };
            let at_limit = iteration == settings.max_iterations;
            if at_limit || stuck > STUCK {
                if worst <= USABLE {
                    report.outcome = if at_limit {
                        Outcome::IterationLimit
                    } else {
                        Outcome::Stalled
                    };
                    return Ok(());
                }
                return Err(self.not_converged(model, time, iteration, &errors));
            }
            last = worst;
            if iteration == 0 || !self.keeps_matrix || (slow && !is_new) {
                self.stopwatch.enter(Phase::Factor);
                let chart = NewtonChart {
                    chart: self.chart,
                    q: &self.end.q,
                    w: &self.end.w,
                    w_rates: &self.end.w_rates,
                    from: &self.from,
                    exact: self.has_tangent,
                };
                balanced.linearise(&chart, &weights, Level::Position, &mut self.system);
                report.factorisations += 1;
                is_new = true;
            } else {
                is_new = false;
            }
            self.stopwatch.enter(Phase::Solve);
            let enough = PART * settings.tolerance / self.scales.largest;
            self.system
                .solve_to(&self.wanted.wrenches, &self.wanted.rows, enough);
            report.iterations += 1;
            for (k, change) in self.system.motions().iter().enumerate() {
                let change = self.chart.lift(&self.from[k], &self.end.q[k], change);
                self.end.auxiliary[k].add(&change, 1.0);
            }
            let changes = self.system.multipliers();
            for (lambda, change) in self.end.multipliers.iter_mut().zip(changes) {
                *lambda += change;
            }
        }
        unreachable!("the limit of iterations ends the loop")
    }

    /// Bodies, velocities and accelerations at the end of the step for the auxiliary accelerations there.
    fn place(&mut self, model: &Model, h: f64, weights: &Weights) -> Result<(), StepError> {
        let c = self.coefficients;
        let (start, end) = (&self.start, &mut self.end);
        for (k, from) in self.from.iter().enumerate() {
            let (a0, a1) = (&start.auxiliary[k], &mut end.auxiliary[k]);
            let (mut q, mut w) = (start.q[k], start.w[k]);
            q.add(&start.w[k], h);
            q.add(a0, (0.5 - c.beta) * h * h);
            q.add(a1, weights.position);
            let kept = self.chart.kept(&q);
            a1.add(&kept, 1.0 / weights.position);
            q.add(&kept, 1.0);
            w.add(a0, (1.0 - c.gamma) * h);
            w.add(a1, weights.velocity);
            let mut w_rates = Coordinates::default();
            w_rates.add(a1, weights.acceleration);
            w_rates.add(a0, c.alpha_m / (1.0 - c.alpha_f));
            w_rates.add(&start.w_rates[k], -c.alpha_f / (1.0 - c.alpha_f));
            // A trial may be far off: where the step starts is told.
            if let Some(error) = singular(model, k, self.chart, (&start.q[k], &w), h) {
                return Err(error);
            }
            let placed = self.chart.place(from, &q, &w);
            self.accelerations[k] = self.chart.acceleration(&q, &w, &placed, &w_rates);
            self.twists[k] = placed.twist;
            let body = &mut self.bodies[k];
            body.position = placed.position;
            body.orientation = placed.orientation;
            body.velocity = placed.twist;
            (end.q[k], end.w[k], end.w_rates[k]) = (q, w, w_rates);
        }
        Ok(())
    }

    fn not_converged(
        &self,
        model: &Model,
        time: f64,
        iterations: u32,
        errors: &Errors,
    ) -> StepError {
        let place = if errors.balance >= errors.constraint {
            format!("body `{}`", model.bodies[errors.body].name)
        } else {
            place_of_row(model, errors.row)
        };
        StepError::NotConverged {
            time,
            iterations,
            residual: errors.balance,
            constraint: errors.constraint,
            place,
        }
    }
}

/// Errors of a trial.
fn errors(
    model: &Model,
    scales: &Scales,
    trial: &Trial,
    wanted: &Wanted,
    wrenches: &[Wrench],
    h: f64,
) -> Errors {
    let mut errors = Errors::default();
    for (k, body) in model.bodies.iter().enumerate() {
        let handled = scales.least(model, k, h)
            + MOMENTUM * scales.momentum(k, body.mass, &trial.moment.twists[k]) / h
            + scales.momentum(k, body.mass, &trial.accelerations[k])
            + scales.size(k, &wrenches[k]);
        let error = scales.size(k, &wanted.wrenches[k]) / handled;
        // What is not a number is worse than any other.
        let less = error <= errors.balance;
        if !less {
            errors.balance = error;
            errors.body = k;
        }
    }
    for (row, (value, over)) in wanted.rows.iter().zip(&scales.over_sizes).enumerate() {
        let error = (value * over).abs();
        let less = error <= errors.constraint;
        if !less {
            errors.constraint = error;
            errors.row = row;
        }
    }
    errors
}
