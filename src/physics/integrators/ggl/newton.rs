//! Newton's method on one interval.

use super::VariationalGgl;
use crate::integrators::scales::{MOMENTUM, Scales, place_of_row};
use crate::integrators::{Iteration, Outcome, Settings, StepError, StepReport};
use crate::model::{Model, Twist};
use crate::solver::assembly::livens::{Interval, Motion, Open, Surroundings};
use crate::solver::worse;
use crate::stopwatch::Phase;

/// An iteration that leaves more than this part of the error is slow.
const SLOW: f64 = 0.5;
/// Slow iterations in a row before what is left counts as rounding.
const STUCK: u32 = 5;
/// Largest error that may be left by rounding, relative as the tolerance is.
const USABLE: f64 = 1e-6;
/// Part of the tolerance that a linear system may leave of a constraint: the next iteration sees it.
const PART: f64 = 0.01;

/// Largest errors of a trial and where they are.
#[derive(Debug, Clone, Copy, Default)]
struct Errors {
    /// Relative to the forces that the body handles.
    balance: f64,
    body: usize,
    /// Relative to the length of a joint, or in radians; of velocities to those that meet in the row.
    constraint: f64,
    row: usize,
}

impl VariationalGgl {
    /// One interval from the bodies at the start of it; its end is in the workspace.
    pub(super) fn attempt(
        &mut self,
        model: &Model,
        around: &Surroundings,
        h: f64,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let Self {
            interval,
            scales,
            from,
            stopwatch,
            ..
        } = self;
        interval.begin(model, from, around, h);
        report.history.clear();
        let (mut last, mut stuck) = (f64::INFINITY, 0);
        for iteration in 0.. {
            stopwatch.enter(Phase::Evaluate);
            let errors = match interval.evaluate(model, from, around) {
                Ok(_) => errors(model, scales, interval, h),
                Err(body) => Errors {
                    balance: f64::INFINITY,
                    body,
                    ..Errors::default()
                },
            };
            let worst = worse(errors.balance, errors.constraint);
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
            stuck = if quick { 0 } else { stuck + 1 };
            let at_limit = iteration == settings.max_iterations;
            if at_limit || stuck > STUCK || !worst.is_finite() {
                if worst <= USABLE {
                    report.outcome = if at_limit {
                        Outcome::IterationLimit
                    } else {
                        Outcome::Stalled
                    };
                    return Ok(());
                }
                let place = if errors.balance >= errors.constraint {
                    format!("body `{}`", model.bodies[errors.body].name)
                } else {
                    place_of_row(model, errors.row)
                };
                return Err(StepError::NotConverged {
                    time: around.time,
                    iterations: iteration,
                    residual: errors.balance,
                    constraint: errors.constraint,
                    place,
                });
            }
            last = worst;
            stopwatch.enter(Phase::Factor);
            interval.linearise(model, from, around);
            report.factorisations += 1;
            stopwatch.enter(Phase::Solve);
            interval.solve(model, PART * settings.tolerance / scales.largest);
            report.iterations += 1;
        }
        unreachable!("the limit of iterations ends the loop")
    }
}

/// Errors of the trial last evaluated.
fn errors(model: &Model, scales: &Scales, interval: &Interval, h: f64) -> Errors {
    let mut errors = Errors::default();
    let Open {
        balance,
        motion,
        positions,
        velocities,
        handled,
    } = interval.open();
    for (k, body) in model.bodies.iter().enumerate() {
        let Motion { travel, spin, .. } = interval.motions()[k];
        let moved = Twist {
            linear: travel,
            angular: spin,
        };
        let least = scales.least(model, k, h) + scales.size(k, &interval.wrenches()[k]);
        let handled = least * h * h + MOMENTUM * scales.momentum(k, body.mass, &moved);
        let error = worse(
            scales.size(k, &balance[k]) / handled,
            scales.size(k, &motion[k]) / handled,
        );
        // What is not a number is worse than any other.
        let less = error <= errors.balance;
        if !less {
            errors.balance = error;
            errors.body = k;
        }
    }
    let least = model.gravity.norm() * h * h;
    for (row, over) in scales.over_sizes.iter().enumerate() {
        // Rounding of velocities is that of what meets in the row; at rest they are compared with what gravity gives in a step.
        let of_velocity = velocities[row].abs() / (handled[row] + least + STILL / over);
        let error = worse((positions[row] * over).abs(), of_velocity);
        let less = error <= errors.constraint;
        if !less {
            errors.constraint = error;
            errors.row = row;
        }
    }
    errors
}

/// Part of its length that a joint at rest without gravity is taken to move in a step.
const STILL: f64 = 1e-7;
