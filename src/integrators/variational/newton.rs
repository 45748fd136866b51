//! Newton's method for one interval [Brüdigam2023 eq. 31-33], with backtracking.

use super::guess::{self, Guess};
use super::{Variational, half_kick, mouse};
use crate::forces;
use crate::integrators::{Cut, CutPart, Iteration, Outcome, Settings, StepReport};
use crate::joints;
use crate::model::{BodyId, Input, Model, State};
use crate::solver::past::Past;
use crate::solver::{Errors, FOLD, Interval, Moved, StepContext, worse};
use crate::stopwatch::Phase;
use std::f64::consts::PI;

/// Joints are never left more open than this, relative to their length or in radians, whatever the tolerance.
pub const JOINT_TOLERANCE: f64 = 1e-9;

/// Iterations from which a solution is looked at twice.
const DOUBT: u32 = 3;

/// Change of a half-angle sine from one interval to the next, less what the body's own momentum explains, above which
/// the motion is too fast for the step: 6 rad/s at 0.01 s. The solution may lie on another branch, and energy leaps.
/// Measured on the ten-segment four-bar chain at
/// 0.01 s over 10^5 steps: with 0.2 the energy runs away in its whips, with 0.03 the error stays within 6 %.
const LEAP: f64 = 0.03;

/// Iterations from which a hurried attempt must contract, the least factor by which, and the merit from which rounding
/// may slow it: what contracts less takes more than a shorter interval does.
const HURRY: (u32, f64, f64) = (3, 0.25, 1e3);

/// Halvings of a Newton step at most.
const HALVINGS: u32 = 5;

/// Rounding errors of a step relative to the momenta it handles.
pub(super) const ROUNDING: f64 = 1e-13;

/// Why an interval was not solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Failure {
    /// What was left.
    pub errors: Errors,
    /// A body whose rotation left the range of the scheme.
    pub turned: bool,
    /// A joint error that stood still while everything else was balanced.
    pub inconsistent: bool,
}

/// One interval to be solved.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    /// Length [s].
    pub dt: f64,
    /// First guess.
    pub guess: Guess,
    /// What acts from outside.
    pub input: &'a Input,
    /// Iterations at most.
    pub limit: u32,
    /// Whether to give up as soon as Newton's method no longer contracts well: a shorter interval may be tried.
    pub hurried: bool,
    /// Contact by its convex relaxation.
    pub convexified: bool,
    /// Nothing shorter will be tried: what penetrates unforeseen is left to the next interval to mend.
    pub last: bool,
}

impl Attempt<'_> {
    /// The body that the mouse pulls.
    pub fn pulled(&self) -> Option<usize> {
        self.input.drag.as_ref().map(|d| d.body.0)
    }
}

impl Variational {
    /// Advances `state` by one interval; on a failure it is as it was.
    pub(super) fn interval(
        &mut self,
        model: &Model,
        state: &mut State,
        attempt: &Attempt,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let Attempt { dt, input, .. } = *attempt;
        let kick = half_kick(model, dt);
        let blend = if self.method.first_order { 1.0 } else { 0.5 };
        let interval = Interval {
            dt,
            time: state.time,
            share: self.share(),
            blend,
        };
        let accounts = self.accounts || input.drag.is_some() || !input.commands.is_empty();
        if accounts {
            self.poses.clone_from(&state.bodies);
        }
        self.solver.stopwatch.enter(Phase::Prepare);
        self.solver.place(&state.bodies, &kick);
        if self.knot_forces(model, state, input) {
            self.solver.add_targets(&self.wrenches, 0.5 * dt);
        }
        self.solver.begin(model, state, dt);
        self.solver.weigh(model, dt);

        let mut work = self.contact.take();
        let solved = match &mut work {
            Some(work) => self.touch(work, model, state, attempt, &interval, settings, report),
            None => self.newton(model, state, attempt, &interval, settings, report),
        };
        self.contact = work;
        let iterations = solved?;
        // Whatever found the motion: beyond the fold lies another branch.
        let (square, body) = self.solver.widest();
        if square >= FOLD || square.is_nan() {
            return Err(Failure {
                errors: Errors {
                    body,
                    ..Errors::default()
                },
                turned: true,
                inconsistent: false,
            });
        }
        let swept = 4.0 * square.sqrt().asin();
        if state.swept > 0.0 && state.swept + swept >= PI {
            // Some joint may have turned past half a turn since its angles were read: read them and solve again.
            joints::sweep(model, state, PI);
            return self.interval(model, state, attempt, settings, report);
        }

        if let Some(work) = &mut self.contact {
            self.solver.stopwatch.enter(Phase::Account);
            work.account(&self.solver, model, state, dt);
        }
        self.solver.stopwatch.enter(Phase::Finish);
        self.solver.finish(model, state, dt, &kick);
        if let Some(work) = &mut self.contact {
            work.write(&mut self.solver, model, state, dt, settings, report);
        }
        guess::remember(state, dt, iterations);
        self.solver
            .deposit(model, &mut state.bodies, interval.share);
        if let Some(drag) = &input.drag {
            // The accepted motion was the last at which the spring was evaluated.
            let rest = self.pull.scaled(1.0 - interval.share);
            let body = &mut state.bodies[drag.body.0];
            body.momentum += rest.impulse[0];
            body.angular_momentum += rest.impulse[1];
        }
        if let Some((body, goes)) = self.solver.swung() {
            report.cut = report.cut.or(Some(Cut {
                body: BodyId(body),
                part: CutPart::Turn(goes),
            }));
        }
        joints::sweep(model, state, swept);
        state.time += dt;
        self.push_momenta(model, state, input, 0.5 * dt);
        if accounts {
            self.solver.stopwatch.enter(Phase::Account);
            let work = forces::account(model, &self.poses, state, input, dt);
            state.work.external += work.external;
            state.work.dissipated += work.dissipated;
        }
        Ok(())
    }

    pub(super) fn newton(
        &mut self,
        model: &Model,
        state: &State,
        attempt: &Attempt,
        interval: &Interval,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<u32, Failure> {
        let dt = attempt.dt;
        let tolerance = settings.tolerance;
        let grain = self.solver.scale().opening_grain();
        let joint_tolerance = tolerance.min(JOINT_TOLERANCE).max(grain);
        let open = |e: &Errors| e.constraint / joint_tolerance;
        let context = StepContext {
            model,
            state,
            contacts: &[],
            interval,
        };
        let measure = |this: &mut Self, moved: &Moved| this.errors(&context, attempt, moved);

        report.history.clear();
        self.solver.settle(dt, attempt.pulled());
        let weights = guess::weights(&Past::of(state), dt, attempt.guess);
        let moved = self.solver.predict(state, dt, weights);
        let mut errors = measure(self, &moved);
        // The line search compares impulses with one impulse that stays: what joints pass on changes with the motion.
        let enough = tolerance * errors.handled;
        let merit = |e: &Errors| {
            let balance = if e.impulse == 0.0 {
                0.0
            } else {
                e.impulse / enough
            };
            worse(balance, open(e))
        };
        let mut step_length = 0.0;
        let mut iterations = 0;
        let mut before = f64::INFINITY;
        loop {
            report.history.push(Iteration {
                residual: errors.balance,
                constraint: errors.constraint,
                step_length,
            });
            report.residual = errors.balance;
            report.constraint = errors.constraint;
            let now = merit(&errors);
            let left = worse(errors.balance / tolerance, open(&errors));
            if left <= 1.0 {
                let leaped = if iterations >= DOUBT {
                    self.solver.leaped(state, dt, LEAP)
                } else {
                    None
                };
                if let Some(body) = leaped {
                    return Err(Failure {
                        errors: Errors { body, ..errors },
                        turned: true,
                        inconsistent: false,
                    });
                }
                return Ok(iterations);
            }
            let (from, least, far) = HURRY;
            let slow = iterations >= from && now > far && now > least * before;
            before = now;
            if now.is_nan() || left.is_nan() || (slow && attempt.hurried) {
                return Err(Failure {
                    errors,
                    turned: false,
                    inconsistent: false,
                });
            }
            if iterations >= 2 && stands_still(report) {
                let floor = self.solver.handled() * ROUNDING;
                let balanced = errors.balance <= tolerance || errors.impulse <= floor;
                let closed = errors.constraint <= joint_tolerance.max(JOINT_TOLERANCE);
                if balanced && closed {
                    report.outcome = Outcome::Stalled;
                    return Ok(iterations);
                }
                if iterations >= 5 && balanced {
                    return Err(Failure {
                        errors,
                        turned: false,
                        inconsistent: true,
                    });
                }
            }
            if iterations >= attempt.limit {
                // Close enough to be used, and said so: within ten times of what was asked.
                if left <= 10.0 && errors.constraint <= joint_tolerance.max(JOINT_TOLERANCE) {
                    report.outcome = Outcome::IterationLimit;
                    return Ok(iterations);
                }
                return Err(Failure {
                    errors,
                    turned: false,
                    inconsistent: false,
                });
            }
            iterations += 1;
            report.iterations += 1;
            report.factorisations += 1;
            let mut moved = self.solver.newton_step(model, state, interval);
            let mut next = measure(self, &moved);
            step_length = 1.0;
            // The first step mends the guess's joint errors and may raise the imbalance by their curvature.
            let allowed = if iterations == 1 {
                now.max(1.0) * 1e4
            } else {
                now
            };
            let good = |e: &Errors, m: &Moved| merit(e) <= allowed && m.turn.0 < FOLD;
            let mut halvings = 0;
            let phase = self.solver.stopwatch.enter(Phase::LineSearch);
            while !good(&next, &moved) && halvings < HALVINGS {
                // Half of what is left of the step is taken back.
                moved = self.solver.backtrack(dt, 0.5 * step_length);
                step_length *= 0.5;
                halvings += 1;
                next = measure(self, &moved);
            }
            self.solver.stopwatch.enter(phase);
            if moved.turn.0 >= FOLD || moved.turn.0.is_nan() {
                let (_, body) = self.solver.widest();
                return Err(Failure {
                    errors: Errors { body, ..next },
                    turned: true,
                    inconsistent: false,
                });
            }
            errors = next;
        }
    }

    /// What is unbalanced and open at the motion reached, the mouse spring included.
    pub(super) fn errors(
        &mut self,
        context: &StepContext,
        attempt: &Attempt,
        moved: &Moved,
    ) -> Errors {
        let before = self.solver.stopwatch.enter_beside_search(Phase::Evaluate);
        if let Some(drag) = &attempt.input.drag {
            let pose = self.solver.pose(drag.body.0, context.state);
            let twist = self.solver.velocity(drag.body.0, attempt.dt);
            let poses = [&context.state.bodies[drag.body.0], &pose];
            self.pull = mouse::pull(context.model, drag, poses, &twist, context.interval);
            let first = self.pull.scaled(context.interval.share);
            self.solver.load(drag.body.0, &first.impulse, &first.slope);
        } else {
            self.solver.unload();
        }
        let errors = self.solver.imbalance(context, moved);
        self.solver.stopwatch.enter_beside_search(before);
        errors
    }
}

/// Whether the last iteration gained nothing.
fn stands_still(report: &StepReport) -> bool {
    let [.., before, last] = report.history.as_slice() else {
        return false;
    };
    last.residual >= 0.5 * before.residual && last.constraint >= 0.5 * before.constraint
}
