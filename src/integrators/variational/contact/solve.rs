//! The order in which an interval with contact is tried, and what is accepted.
//!
//! 1. [`Fallback::Predicted`]: non-smooth Newton from the last interval's velocities and impulses;
//! 2. the same, damped;
//! 3. [`Fallback::InteriorPoint`]: the interior point from cold starts, then non-smooth Newton from its solution;
//! 4. [`Fallback::Shifted`]: convex relaxations whose shift follows the slip [DeSaxce1998], each with a try of Newton,
//!    and the interior point from the middle of some.
//!
//! Shorter steps and the convexified step are fallbacks of the whole step, in [`fallbacks`](super::super::fallbacks).

use super::super::Variational;
use super::super::guess::{self, Guess};
use super::super::newton::{Attempt, Failure, JOINT_TOLERANCE, ROUNDING};
use super::super::options::ContactSolver;
use super::interior::{Start, Target};
use super::{Work, memory};
use crate::integrators::{Fallback, Outcome, Settings, StepReport};
use crate::solver::past::Past;
use crate::solver::{Barrier, ConeSection, Errors, Moved, StepContext, law, worse};

/// Iterations of non-smooth Newton from the last interval.
const FAST: u32 = 8;

/// Iterations of non-smooth Newton from the solution of an interior point.
const POLISH: u32 = 12;

/// Damped iterations where those are not enough.
const DAMPED: u32 = 30;

/// Rounds of the shifted relaxation.
const SHIFTS: u32 = 6;

/// Factorisations of a step times unilateral constraints after which nothing exact is tried any more: what a frame can
/// afford.
const EFFORT: f64 = 160_000.0;

/// Sizes of the impulses that cold starts of the interior point begin with: where the central path of one turns
/// back, another may go on.
const STARTS: [f64; 3] = [1.0, 30.0, 0.03];

/// Products that the interior point reaches before Newton takes over, relative to a resting contact's.
const HANDOVER: f64 = 1e-6;

/// Accepted after the interior point alone: residual relative to the speed of the step, products to its square.
const ACCEPTED: (f64, f64) = (1e-7, 1e-5);

/// Violations that are used where they no longer shrink, normal and tangential, relative to the speed of the step.
const USABLE: [f64; 2] = [1e-7, 1e-6];

/// Products at which a relaxation is left for Coulomb's law, relative to a resting contact's.
const EARLY: f64 = 1e-3;

/// Complementarity error that is accepted of shifted relaxations, relative to the square of the speed of the
/// step.
const TOLERATED: f64 = 1e-3;

/// Compliances of the convexified step, in the order in which they are tried.
const COMPLIANCES: [f64; 6] = [0.0, 1e-8, 1e-6, 1e-4, 1e-2, 1.0];

/// Residual of a convexified interval relative to the speed of the step, and of the shortest: there it is a penetration
/// of nanometres where bodies are about a metre, less than a compliance would cost.
const RESIDUAL: f64 = 1e-5;
const LAST_RESIDUAL: f64 = 1e-3;

/// How many of them are tried before shorter intervals are.
const SOFT: usize = 2;

/// How far an interval is from being solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    /// Balance and joints.
    pub errors: Errors,
    /// Largest violation of a contact law, normal and tangential [m/s].
    pub violation: [f64; 2],
    /// Root of the sum of squares of all of them [m/s].
    pub norm: f64,
    /// Whether bodies are balanced, or rounding is all that is left.
    balanced: bool,
    /// Tolerances of joints, relative, and of the law [m/s].
    tolerances: [f64; 2],
    /// Joint errors that are rounding.
    grain: f64,
    /// Speed of the step [m/s].
    speed: f64,
    /// Length of the interval [s].
    dt: f64,
}

impl Measure {
    pub fn converged(&self) -> bool {
        self.balanced
            && self.errors.constraint <= self.tolerances[0]
            && self.violation.iter().all(|v| *v <= self.tolerances[1])
    }

    /// Whether what is left is small enough to be used where it no longer shrinks: sticking contacts whose bodies
    /// turn contradict rigid joints by the square of the turn.
    pub fn usable(&self) -> bool {
        self.balanced
            && self.errors.constraint <= JOINT_TOLERANCE.max(self.grain)
            && self.violation[0] <= USABLE[0] * self.speed
            && self.violation[1] <= USABLE[1] * self.speed
    }

    /// Largest of the three as a velocity [m/s].
    pub fn merit(&self) -> f64 {
        let all = [
            self.errors.speed,
            self.errors.gap / self.dt,
            self.violation[0],
            self.violation[1],
        ];
        all.into_iter().fold(0.0, worse)
    }

    fn failure(&self) -> Failure {
        Failure {
            errors: self.errors,
            turned: false,
            inconsistent: false,
        }
    }
}

impl Variational {
    /// Measures the motion reached.
    pub(super) fn measure(
        &mut self,
        context: &StepContext,
        attempt: &Attempt,
        section: ConeSection,
        moved: &Moved,
    ) -> Measure {
        let dt = attempt.dt.abs();
        let errors = self.errors(context, attempt, moved);
        let mut violation = [0.0; 2];
        let mut sum = errors.speed.powi(2) + (errors.gap / dt).powi(2);
        for unilateral in self.solver.unilaterals() {
            let found = law::violation(unilateral, section);
            for (worst, found) in violation.iter_mut().zip(found) {
                *worst = worse(*worst, found);
                sum += found * found;
            }
        }
        let tolerance = self.contact_tolerance;
        // Impulses and positions are known to their rounding only.
        let floor = self.solver.handled() * ROUNDING;
        let scale = self.solver.scale();
        let grain = scale.opening_grain();
        Measure {
            errors,
            violation,
            norm: sum.sqrt(),
            balanced: errors.balance <= tolerance || errors.impulse <= floor,
            tolerances: [
                tolerance.min(JOINT_TOLERANCE).max(grain),
                (tolerance * scale.speed).max(scale.grain / dt),
            ],
            grain,
            speed: scale.speed,
            dt,
        }
    }

    /// Solves for the unilateral constraints taken.
    pub(super) fn solve(
        &mut self,
        work: &mut Work,
        context: &StepContext,
        attempt: &Attempt,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<u32, Failure> {
        self.contact_tolerance = settings.tolerance;
        let section = ConeSection::from(settings.friction);
        report.history.clear();
        self.solver.settle(attempt.dt, attempt.pulled());
        if attempt.convexified {
            return self.convexified(work, context, attempt, report);
        }
        if self.contact_solver == ContactSolver::InteriorPoint {
            return self.interior_alone(work, context, attempt, section, report);
        }
        let limit = match self.contact_solver {
            ContactSolver::Newton => settings.max_iterations,
            _ => FAST,
        };
        let weights = guess::weights(&Past::of(context.state), attempt.dt, Guess::Constant);
        let moved = self.solver.predict(context.state, attempt.dt, weights);
        let first = self.nonsmooth(context, attempt, section, moved, limit, report);
        let failed = match first {
            Ok(iterations) => return Ok(iterations),
            Err(measure) => measure,
        };
        if self.contact_solver == ContactSolver::Newton {
            return Err(failed.failure());
        }
        let moved = self.solver.predict(context.state, attempt.dt, weights);
        memory::recall(&mut self.solver, context, &work.restitution_scale);
        if self.damped(context, attempt, section, moved, DAMPED, report) {
            return Ok(report.iterations);
        }
        raise(report, Fallback::InteriorPoint);
        for size in STARTS {
            if self.spent(report, attempt.dt / settings.dt) {
                return Err(failed.failure());
            }
            let coulomb = Target {
                barrier: Barrier::Coulomb(section),
                products: HANDOVER,
                start: Start::Cold(size),
            };
            if self.polished(work, context, attempt, coulomb, section, report) {
                return Ok(report.iterations);
            }
        }
        raise(report, Fallback::Shifted);
        if section == ConeSection::Disc
            && self.shifted(
                work,
                context,
                attempt,
                section,
                attempt.dt / settings.dt,
                report,
            )
        {
            return Ok(report.iterations);
        }
        Err(failed.failure())
    }

    /// Whether the step has had its share of the time of a frame. A longer interval leaves some of it for the shorter
    /// ones that follow it: `part` is its part of the step.
    pub(in super::super) fn spent(&self, report: &StepReport, part: f64) -> bool {
        let effort = f64::from(report.factorisations) * self.solver.unilaterals().len() as f64;
        effort > EFFORT * (1.0 - 0.5 * part)
    }

    /// Interior point, then non-smooth Newton; whether one of them is accepted.
    fn polished(
        &mut self,
        work: &mut Work,
        context: &StepContext,
        attempt: &Attempt,
        target: Target,
        section: ConeSection,
        report: &mut StepReport,
    ) -> bool {
        let reached = self.interior(work, context, attempt, target, report);
        if !reached.residual.is_finite() {
            return false;
        }
        self.solver.mark(&mut work.marks[1]);
        let moved = self.solver.go_back(&work.marks[1], attempt.dt);
        if self
            .nonsmooth(context, attempt, section, moved, POLISH, report)
            .is_ok()
        {
            return true;
        }
        let moved = self.solver.go_back(&work.marks[1], attempt.dt);
        if self.damped(context, attempt, section, moved, DAMPED, report) {
            return true;
        }
        let speed = self.solver.scale().speed;
        let coulomb = matches!(target.barrier, Barrier::Coulomb(_));
        if coulomb && reached.residual < ACCEPTED.0 && reached.products < ACCEPTED.1 * speed * speed
        {
            self.back(work, context, attempt, report);
            report.outcome = Outcome::Stalled;
            return true;
        }
        false
    }

    /// Goes back to the solution of the interior point.
    fn back(
        &mut self,
        work: &Work,
        context: &StepContext,
        attempt: &Attempt,
        report: &mut StepReport,
    ) {
        let moved = self.solver.go_back(&work.marks[1], attempt.dt);
        let errors = self.errors(context, attempt, &moved);
        report.residual = errors.balance;
        report.constraint = errors.constraint;
    }

    /// Convex relaxations whose shift follows the slip, each with a try of Newton.
    fn shifted(
        &mut self,
        work: &mut Work,
        context: &StepContext,
        attempt: &Attempt,
        section: ConeSection,
        part: f64,
        report: &mut StepReport,
    ) -> bool {
        let convex = Target {
            barrier: Barrier::Convex { compliance: 0.0 },
            products: HANDOVER,
            start: Start::Cold(1.0),
        };
        work.shifts.clear();
        work.shifts.resize(self.solver.unilaterals().len(), 0.0);
        work.krylov.begin(self.solver.unilaterals().len(), 0);
        let enough = TOLERATED * self.solver.scale().speed.powi(2);
        let mut done = false;
        for round in 0..SHIFTS {
            if self.spent(report, part) {
                break;
            }
            let reached = self.interior(work, context, attempt, convex, report);
            if reached.residual.is_nan() || reached.residual >= ACCEPTED.0 {
                break;
            }
            self.solver.mark(&mut work.marks[2]);
            let error = self.slips(work);
            let moved = self.solver.go_back(&work.marks[2], attempt.dt);
            if self
                .nonsmooth(context, attempt, section, moved, POLISH, report)
                .is_ok()
            {
                done = true;
                break;
            }
            if round == 1 || error < enough || round + 1 == SHIFTS {
                let moved = self.solver.go_back(&work.marks[2], attempt.dt);
                if self.damped(context, attempt, section, moved, DAMPED, report) {
                    done = true;
                    break;
                }
                // A point of the relaxation that is still in the middle may be on the path that leads on.
                let early = Target {
                    products: EARLY,
                    ..convex
                };
                self.interior(work, context, attempt, early, report);
                let coulomb = Target {
                    barrier: Barrier::Coulomb(section),
                    start: Start::Relaxation,
                    ..convex
                };
                if self.polished(work, context, attempt, coulomb, section, report) {
                    done = true;
                    break;
                }
            }
            if error < enough {
                // A little less of a shift, so that nothing penetrates.
                let change = work.slips.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
                work.shifts
                    .iter_mut()
                    .for_each(|s| *s = (*s - change).max(0.0));
                let reached = self.interior(work, context, attempt, convex, report);
                if reached.residual < ACCEPTED.0 {
                    self.solver.mark(&mut work.marks[1]);
                    self.back(work, context, attempt, report);
                    report.outcome = Outcome::Stalled;
                    done = true;
                    break;
                }
            }
            work.krylov.step(&mut work.slips);
            for (shift, step) in work.shifts.iter_mut().zip(&work.slips) {
                *shift = (*shift + step).max(0.0);
            }
        }
        work.shifts.clear();
        done
    }

    /// Notes how far slips are from the shifts that they were found with; returns the largest complementarity error
    /// that comes of it [(m/s)²].
    fn slips(&self, work: &mut Work) -> f64 {
        work.slips.clear();
        let mut error = 0.0_f64;
        for (unilateral, shift) in self.solver.unilaterals().iter().zip(&work.shifts) {
            let change = unilateral.velocity[1].hypot(unilateral.velocity[2]) - shift;
            error = error.max(unilateral.friction * unilateral.impulse[0] * change.abs());
            work.slips.push(change);
        }
        error
    }

    /// The papers' method by itself: the interior point down to small products.
    fn interior_alone(
        &mut self,
        work: &mut Work,
        context: &StepContext,
        attempt: &Attempt,
        section: ConeSection,
        report: &mut StepReport,
    ) -> Result<u32, Failure> {
        let target = Target {
            barrier: Barrier::Coulomb(section),
            products: 1e-9,
            start: Start::Cold(1.0),
        };
        raise(report, Fallback::InteriorPoint);
        let reached = self.interior(work, context, attempt, target, report);
        let speed = self.solver.scale().speed;
        self.solver.mark(&mut work.marks[1]);
        self.back(work, context, attempt, report);
        if reached.residual < ACCEPTED.0 && reached.products < ACCEPTED.1 * speed * speed {
            if reached.products > 2.0 * target.products * speed * speed {
                report.outcome = Outcome::Stalled;
            }
            return Ok(report.iterations);
        }
        let moved = self.solver.go_back(&work.marks[1], attempt.dt);
        Err(self.measure(context, attempt, section, &moved).failure())
    }

    /// The convex relaxation, ever softer until it is solved.
    fn convexified(
        &mut self,
        work: &mut Work,
        context: &StepContext,
        attempt: &Attempt,
        report: &mut StepReport,
    ) -> Result<u32, Failure> {
        raise(report, Fallback::Convexified);
        work.shifts.clear();
        // What is soft penetrates: shorter intervals come first.
        let softest = if attempt.last {
            COMPLIANCES.len()
        } else {
            SOFT
        };
        for &compliance in &COMPLIANCES[..softest] {
            work.soft = compliance > 0.0;
            let target = Target {
                barrier: Barrier::Convex { compliance },
                products: HANDOVER,
                start: Start::Cold(1.0),
            };
            let reached = self.interior(work, context, attempt, target, report);
            let enough = if attempt.last {
                LAST_RESIDUAL
            } else {
                RESIDUAL
            };
            if reached.residual < enough && reached.products.is_finite() {
                self.solver.mark(&mut work.marks[1]);
                self.back(work, context, attempt, report);
                report.outcome = Outcome::Convexified;
                return Ok(report.iterations);
            }
        }
        let moved = self.solver.predict_free(attempt.dt);
        Err(self
            .measure(context, attempt, ConeSection::Disc, &moved)
            .failure())
    }
}

fn raise(report: &mut StepReport, fallback: Fallback) {
    report.fallback = report.fallback.max(fallback);
}
