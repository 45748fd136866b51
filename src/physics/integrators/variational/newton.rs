//! Newton's method for one interval [Brüdigam2023 eq. 31-33], with backtracking.

use super::guess::{self, Guess};
use crate::integrators::{Iteration, Outcome, StepReport};
use crate::model::{BodyId, Input};
use crate::solver::past::Past;
use crate::solver::{Errors, FOLD, Load, MechanismSolver, Moved, StepContext, mouse, worse};
use crate::stopwatch::Phase;

/// Joints are never left more open than this, relative to their length or in radians, whatever the tolerance.
pub const JOINT_TOLERANCE: f64 = 1e-9;

/// Iterations from which a solution is looked at twice.
const DOUBT: u32 = 3;

/// Change of a half-angle sine from one interval to the next, less what the body's own momentum explains, above which
/// the motion is too fast for the step: 6 rad/s at 0.01 s. The solution may lie on another branch, and energy leaps.
/// Measured on the ten-segment four-bar chain at
/// 0.01 s over 10^5 steps: with 0.2 the energy runs away in its whips, with 0.03 the error stays within 6 %.
pub(super) const LEAP: f64 = 0.03;

/// Iterations from which a hurried attempt must contract, the least factor by which, and the merit from which rounding
/// may slow it: what contracts less takes more than a shorter interval does.
const HURRY: (u32, f64, f64) = (3, 0.25, 1e3);

/// What is left that is used where no more can be had, over its tolerance; the report says so.
pub(super) const NEARLY: f64 = 10.0;

/// Halvings of a Newton step at most.
const HALVINGS: u32 = 5;

/// What a motion breaks that was found, but is too fast for its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Broken {
    /// A body turns past the fold of its discrete rotation.
    Fold,
    /// A body that is held turns by more than [`EASY`](crate::solver::EASY) in an interval of a step that was cut.
    Turn,
    /// A body's turn differs from that of the interval before by more than [`LEAP`].
    Leap,
    /// Bodies end in each other that were not foreseen to touch.
    Penetration(Pair),
    /// Bodies come to lie in each other, one in the surface of the other, where no contact tells.
    Midway(Pair),
    /// Contacts, of these bodies most of all, were left far from their laws by a spent budget.
    Unsolved(Pair),
    /// Contacts, of these bodies most of all, give energy that they never took.
    Energy(Pair),
    /// The interval gains or loses energy that nothing gave or took, a body most of all.
    Conservation,
}

/// Two bodies, or a body and the world: kept short, since a failure is handed up through every attempt at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair([Option<u32>; 2]);

impl Pair {
    /// Of these bodies.
    pub fn of(bodies: [Option<BodyId>; 2]) -> Self {
        // A model has far fewer bodies than that.
        Self(bodies.map(|body| body.and_then(|b| u32::try_from(b.0).ok())))
    }

    /// The bodies.
    pub fn bodies(self) -> [Option<BodyId>; 2] {
        self.0.map(|body| body.map(|b| BodyId(b as usize)))
    }
}

/// Why an interval was not solved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Failure {
    /// What was left.
    pub errors: Errors,
    /// What the motion found breaks, if one was found.
    pub broken: Option<Broken>,
    /// Length of the interval (s).
    pub dt: f64,
    /// A joint error that stood still while everything else was balanced.
    pub inconsistent: bool,
}

impl Failure {
    /// Newton's method did not get there.
    pub fn of(errors: Errors) -> Self {
        Self {
            errors,
            ..Self::default()
        }
    }

    /// Whether shorter intervals are asked for only while there may be some: what was found would be used.
    pub fn ends_by_itself(&self) -> bool {
        self.is_unsolved() || self.is_midway() || self.broken == Some(Broken::Conservation)
    }

    /// Whether bodies come to lie in each other on their way: shorter intervals have shorter ones.
    pub fn is_midway(&self) -> bool {
        matches!(self.broken, Some(Broken::Midway(_)))
    }

    /// Whether a budget was spent that shorter intervals may make more of.
    pub fn is_unsolved(&self) -> bool {
        matches!(self.broken, Some(Broken::Unsolved(_)))
    }

    /// A motion of a body too fast for the interval.
    pub fn of_body(broken: Broken, body: usize) -> Self {
        let errors = Errors {
            body,
            ..Errors::default()
        };
        Self::too_fast(broken, errors)
    }

    /// A motion too fast for the interval.
    pub fn too_fast(broken: Broken, errors: Errors) -> Self {
        Self {
            broken: Some(broken),
            ..Self::of(errors)
        }
    }
}

/// One interval to be solved.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    /// Length (s).
    pub dt: f64,
    /// Part of the step that it is.
    pub part: f64,
    /// First guess.
    pub guess: Guess,
    /// Least residual and joint error asked for, as in the settings.
    pub tolerance: f64,
    /// What acts from outside.
    pub input: &'a Input,
    /// Iterations at most.
    pub limit: u32,
    /// Regularisation of loops, relative to the size of each row.
    pub rho: f64,
    /// Whether to give up as soon as Newton's method no longer contracts well: a shorter interval may be tried.
    pub hurried: bool,
    /// Whether bodies that are held have to turn easily: the step was cut, and shorter intervals will be tried.
    pub eases: bool,
    /// Contact by its convex relaxation.
    pub convexified: bool,
    /// Nothing shorter need be tried: what penetrates unforeseen is left to the next interval to mend.
    pub last: bool,
    /// Nothing shorter will be tried.
    pub shortest: bool,
    /// Contacts that run may be held at material points even where contacts are solved exactly: what is left before
    /// they are convexified.
    pub holds: bool,
}

impl Attempt<'_> {
    /// The body that the mouse pulls.
    pub fn pulled(&self) -> Option<usize> {
        self.input.drag.as_ref().map(|d| d.body.0)
    }

    /// Whether it is all of a step, and nothing pulls whose work is known only after it.
    pub fn is_whole(&self) -> bool {
        self.part >= 1.0 && self.input.drag.is_none()
    }

    /// Share of a step's budget that it may take: its part of the step, or all where other ways would come next, which take longer
    /// than that.
    pub fn share(&self) -> f64 {
        if self.convexified {
            1.0
        } else {
            self.part.abs()
        }
    }
}

/// Iterates from a guess until everything is within its tolerance; returns the iterations. What is reached stays in the
/// solver.
pub(super) fn newton(
    solver: &mut MechanismSolver,
    context: &StepContext,
    attempt: &Attempt,
    report: &mut StepReport,
) -> Result<u32, Failure> {
    let StepContext {
        model,
        state,
        interval,
        ..
    } = *context;
    let (dt, tolerance) = (attempt.dt, attempt.tolerance);
    let grain = solver.scale().opening_grain();
    let joint_tolerance = tolerance.min(JOINT_TOLERANCE).max(grain);
    let open = |e: &Errors| e.constraint / joint_tolerance;
    report.history.clear();
    let weights = guess::weights(&Past::of(state), dt, attempt.guess);
    let moved = solver.predict(state, dt, weights);
    let mut errors = errors_at(solver, context, attempt, &moved);
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
        note(report, &errors, step_length);
        let now = merit(&errors);
        let left = worse(errors.balance / tolerance, open(&errors));
        if left <= 1.0 {
            let leaped = if iterations >= DOUBT {
                solver.leaped(state, dt, LEAP)
            } else {
                None
            };
            if let Some(body) = leaped {
                return Err(Failure::too_fast(Broken::Leap, Errors { body, ..errors }));
            }
            return Ok(iterations);
        }
        let (from, least, far) = HURRY;
        let slow = iterations >= from && now > far && now > least * before;
        before = now;
        if now.is_nan() || left.is_nan() || (slow && attempt.hurried) {
            return Err(Failure::of(errors));
        }
        let closed = errors.constraint <= joint_tolerance.max(JOINT_TOLERANCE);
        // Positions are known to their rounding only, and shorter intervals make more of it.
        let is_rounding = || {
            errors.impulse <= solver.momentum_grain()
                || errors.speed <= NEARLY * solver.scale().grain / dt.abs()
        };
        if iterations >= 2 && report.stands_still() {
            let balanced = errors.balance <= tolerance || is_rounding();
            if balanced && closed {
                report.outcome = Outcome::Stalled;
                return Ok(iterations);
            }
            if iterations >= 5 && balanced {
                return Err(Failure {
                    inconsistent: true,
                    ..Failure::of(errors)
                });
            }
        }
        if iterations >= attempt.limit {
            if (left <= NEARLY || is_rounding()) && closed {
                report.outcome = Outcome::IterationLimit;
                return Ok(iterations);
            }
            return Err(Failure::of(errors));
        }
        iterations += 1;
        report.iterations += 1;
        report.factorisations += 1;
        let mut moved = solver.newton_step(model, state, interval);
        let mut next = errors_at(solver, context, attempt, &moved);
        step_length = 1.0;
        // The first step mends the guess's joint errors and may raise the imbalance by their curvature.
        let allowed = if iterations == 1 {
            now.max(1.0) * 1e4
        } else {
            now
        };
        let good = |e: &Errors, m: &Moved| merit(e) <= allowed && m.turn.0 < FOLD;
        let mut halvings = 0;
        let phase = solver.stopwatch.enter(Phase::LineSearch);
        while !good(&next, &moved) && halvings < HALVINGS {
            // Half of what is left of the step is taken back.
            moved = solver.backtrack(dt, 0.5 * step_length);
            step_length *= 0.5;
            halvings += 1;
            next = errors_at(solver, context, attempt, &moved);
        }
        solver.stopwatch.enter(phase);
        if moved.turn.0 >= FOLD || moved.turn.0.is_nan() {
            let (_, body) = solver.widest();
            return Err(Failure::too_fast(Broken::Fold, Errors { body, ..next }));
        }
        errors = next;
    }
}

/// Writes down what an iteration reached, with a step of such a length.
pub(super) fn note(report: &mut StepReport, errors: &Errors, step_length: f64) {
    report.history.push(Iteration {
        residual: errors.balance,
        constraint: errors.constraint,
        step_length,
    });
    report.residual = errors.balance;
    report.constraint = errors.constraint;
}

/// What is unbalanced and open at the motion reached, the mouse spring included.
pub(super) fn errors_at(
    solver: &mut MechanismSolver,
    context: &StepContext,
    attempt: &Attempt,
    moved: &Moved,
) -> Errors {
    let before = solver.stopwatch.enter_beside_search(Phase::Evaluate);
    let pull = mouse_load(solver, context, attempt);
    let first = pull.map(|pull| pull.scaled(context.interval.share));
    let errors = solver.imbalance(context, moved, first.as_ref());
    solver.stopwatch.enter_beside_search(before);
    errors
}

/// The impulse of the mouse spring at the motion reached.
pub(super) fn mouse_load(
    solver: &MechanismSolver,
    context: &StepContext,
    attempt: &Attempt,
) -> Option<Load> {
    let drag = attempt.input.drag.as_ref()?;
    let body = drag.body.0;
    let pose = solver.pose(body, context.state);
    let twist = solver.velocity(body, attempt.dt);
    let poses = [&context.state.bodies[body], &pose];
    Some(mouse::pull(
        context.model,
        drag,
        poses,
        &twist,
        context.interval,
    ))
}
