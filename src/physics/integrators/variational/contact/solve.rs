//! The ways to solve an interval with contact, in the order in which they are tried, and what is accepted.
//!
//! Shorter steps and the convexified step are fallbacks of the whole step, in [`step`](super::super::step).

use super::super::guess::{self, Guess};
use super::super::newton::{Failure, errors_at};
use super::super::options::{ContactOptions, ContactSolver};
use super::allowance::Allowance;
use super::interior::{Start, Target};
use super::measure::Measure;
use super::sweeps::{Goal, ROUNDS};
use super::{Trial, is_live};
use crate::integrators::{Fallback, Outcome};
use crate::solver::past::Past;
use crate::solver::{Barrier, ConeSection, LEFT, Moved};

/// A way to solve an interval with contact.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// Non-smooth Newton from the last interval's velocities and impulses, this many iterations at most.
    Newton(u32),
    /// The same, damped.
    Damped,
    /// Rounds of linearised problems from the last interval's velocities and impulses, solved by sweeps and Newton's
    /// method in turns, then non-smooth Newton from their solution. For free bodies and the exact cone.
    Sweeps,
    /// The interior point from a cold start with impulses of this size, then non-smooth Newton from its solution.
    InteriorPoint(f64),
    /// Convex relaxations whose shift follows the slip [DeSaxce1998], each with a try of Newton, and the interior point
    /// from the middle of some. For the exact cone.
    Shifted,
    /// Rounds as of scenes that are watched live, where nothing came nearer.
    Live,
}

/// Interior points start with impulses of three sizes: where the central path of one turns back, another may go on.
const INTERIOR_POINTS: [(Fallback, Way); 3] = [
    (Fallback::InteriorPoint, Way::InteriorPoint(1.0)),
    (Fallback::InteriorPoint, Way::InteriorPoint(30.0)),
    (Fallback::InteriorPoint, Way::InteriorPoint(0.03)),
];

/// What `hybrid` tries, in this order; the first that holds ends the interval.
const HYBRID: [(Fallback, Way); 8] = [
    (Fallback::Predicted, Way::Newton(FAST)),
    (Fallback::Predicted, Way::Damped),
    (Fallback::Sweeps, Way::Sweeps),
    INTERIOR_POINTS[0],
    INTERIOR_POINTS[1],
    INTERIOR_POINTS[2],
    (Fallback::Shifted, Way::Shifted),
    (Fallback::Sweeps, Way::Live),
];

/// The same where contacts give, which the exact laws do not.
const LOOSE: [(Fallback, Way); 4] = [
    (Fallback::Sweeps, Way::Live),
    INTERIOR_POINTS[0],
    INTERIOR_POINTS[1],
    INTERIOR_POINTS[2],
];

/// The accuracy of what is watched live: a micrometre at 0.01 s, and some 30 ms for 300 bodies.
pub(super) const LIVE: Goal = Goal {
    violation: LEFT,
    budget: 650_000.0,
    extension: 0.3,
    rounds: ROUNDS,
    forcing: 0.03,
    sweeps: 20,
    short: 4,
};

/// Part of what a round starts from that it may leave while it is still to be looked where the rounds lead: what joins then begins
/// as far off as the round did.
const COARSE: f64 = 0.1;

/// How near rounds come before Newton takes over.
const NEAR: Goal = Goal {
    violation: 1e-5,
    budget: 2_000_000.0,
    extension: 0.0,
    rounds: ROUNDS,
    forcing: 0.01,
    sweeps: 40,
    short: 0,
};

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

/// Products that the interior point reaches before Newton takes over, relative to a resting contact's.
const HANDOVER: f64 = 1e-6;

/// Accepted after the interior point alone: residual relative to the speed of the step, products to its square.
const ACCEPTED: (f64, f64) = (1e-7, 1e-5);

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

/// Factorisations times unilateral constraints after which a step tries nothing exact any more; a longer interval
/// leaves some of it for the shorter ones that follow it: `part` is its part of the step.
pub(in super::super) fn is_spent(factorisations: u32, unilaterals: usize, part: f64) -> bool {
    f64::from(factorisations) * unilaterals as f64 > EFFORT * (1.0 - 0.5 * part)
}

impl Trial<'_> {
    /// Solves for the unilateral constraints taken; returns the iterations.
    pub(super) fn solve(&mut self, options: ContactOptions, most: u32) -> Result<u32, Failure> {
        self.report.history.clear();
        if self.flies() {
            return Ok(0);
        }
        if is_live(self.solver, options, self.section) {
            return self.live();
        }
        if self.attempt.convexified {
            return self.convexified();
        }
        match options.solver {
            ContactSolver::InteriorPoint => self.interior_alone(),
            ContactSolver::Newton => self.first_of(&[(Fallback::Predicted, Way::Newton(most))]),
            ContactSolver::Hybrid if self.contacts.give() => self.first_of(&LOOSE),
            ContactSolver::Hybrid => self.first_of(&HYBRID),
        }
    }

    /// Tries ways in their order. What the first of them left is what a failure tells.
    fn first_of(&mut self, ways: &[(Fallback, Way)]) -> Result<u32, Failure> {
        let mut failed: Option<Measure> = None;
        for &(fallback, way) in ways {
            if fallback > Fallback::Predicted && way != Way::Live && self.spent() {
                continue;
            }
            self.raise(fallback);
            let solved = match way {
                Way::Newton(limit) => {
                    let moved = self.predict();
                    match self.nonsmooth(moved, limit) {
                        Ok(iterations) => return Ok(iterations),
                        Err(measure) => {
                            failed.get_or_insert(measure);
                            false
                        }
                    }
                }
                Way::Damped => {
                    let moved = self.set_out();
                    self.damped(moved, DAMPED)
                }
                Way::Sweeps => self.is_swept() && self.swept(),
                Way::InteriorPoint(size) => self.polished(Target {
                    barrier: Barrier::Coulomb(self.section),
                    products: HANDOVER,
                    start: Start::Cold(size),
                }),
                Way::Shifted => self.section == ConeSection::Disc && self.shifted(),
                Way::Live => self.is_swept() && self.settled_for_live(),
            };
            if solved {
                return Ok(self.report.iterations);
            }
            if self.jammed {
                break;
            }
        }
        Err(failed.map_or_else(Failure::default, |measure| measure.failure()))
    }

    /// Whether rounds of linearised problems hold all that is to be solved.
    fn is_swept(&self) -> bool {
        self.section == ConeSection::Disc && self.solver.is_loose()
    }

    /// Rounds to the accuracy of what is watched live.
    fn live(&mut self) -> Result<u32, Failure> {
        let moved = if self.go_on.resumed {
            self.solver.go_back(&self.room.reached, self.attempt.dt)
        } else {
            let moved = self.predict();
            self.solver.mark(&mut self.room.start);
            moved
        };
        let rounds = self.go_on.rounds;
        let (forcing, extension) = if rounds < ROUNDS {
            (COARSE, 0.0)
        } else {
            (LIVE.forcing, LIVE.extension)
        };
        let goal = Goal {
            rounds,
            forcing,
            extension,
            ..LIVE
        };
        let result = self.rounds(moved, goal);
        if self.is_jammed() {
            return Err(Failure::default());
        }
        match result {
            Ok(()) => Ok(self.report.iterations),
            // Shorter intervals come first, and what runs is held at material points.
            Err(_) if self.attempt.last && !self.room.rounds.is_cut() && self.ends_linear() => {
                Ok(self.report.iterations)
            }
            Err(measure) => Err(measure.failure()),
        }
    }

    /// Rounds to that accuracy where a better one was asked for and not reached.
    fn settled_for_live(&mut self) -> bool {
        let moved = self.set_out();
        self.begin_patiently();
        let outcome = std::mem::replace(&mut self.report.outcome, Outcome::Stalled);
        let usable = self.rounds(moved, LIVE).is_ok();
        // What gives is as near as it comes.
        let solved = usable && (self.report.outcome != Outcome::Capped || self.contacts.give());
        if outcome == Outcome::Capped || !solved {
            self.report.outcome = outcome;
        }
        if solved {
            self.report.fallback = Fallback::Sweeps;
        }
        solved
    }

    /// Begins to count work anew, which nothing but patience ends.
    pub(super) fn begin_patiently(&mut self) {
        self.began = self.report.contact.work;
        self.allowance = Allowance::patient(self.began, self.attempt.share());
    }

    /// Rounds, then non-smooth Newton; whether that is accepted.
    fn swept(&mut self) -> bool {
        let moved = self.set_out();
        // What is left after the rounds is Newton's to say.
        self.began = self.report.contact.work;
        self.allowance = Allowance::UNLIMITED;
        let outcome = self.report.outcome;
        let near = self.rounds(moved, NEAR).is_ok();
        self.report.outcome = outcome;
        if self.is_jammed() || !near {
            return false;
        }
        self.solver.mark(&mut self.room.marks[1]);
        let moved = self.solver.go_back(&self.room.marks[1], self.attempt.dt);
        self.nonsmooth(moved, POLISH).is_ok()
    }

    /// Whether contacts are jammed that may be made to give, for which it ends.
    fn is_jammed(&mut self) -> bool {
        let goes_on = self.loosens && !self.allowance.is_spent(self.report.contact.work);
        self.jammed = goes_on && self.contacts.are_jammed(self.solver);
        self.jammed
    }

    /// Sets out with the last interval's velocities and impulses.
    pub(super) fn set_out(&mut self) -> Moved {
        let moved = self.predict();
        self.contacts.recall(self.solver, &self.context);
        moved
    }

    /// Sets out with the last interval's velocities.
    pub(super) fn predict(&mut self) -> Moved {
        let dt = self.attempt.dt;
        let weights = guess::weights(&Past::of(self.context.state), dt, Guess::Constant);
        self.solver.predict(self.context.state, dt, weights)
    }

    /// Whether the step has had its share of the time of a frame.
    fn spent(&self) -> bool {
        let unilaterals = self.solver.unilaterals().len();
        is_spent(self.report.factorisations, unilaterals, self.attempt.part)
    }

    pub(super) fn raise(&mut self, fallback: Fallback) {
        self.report.fallback = self.report.fallback.max(fallback);
    }

    /// Interior point, then non-smooth Newton; whether one of them is accepted.
    fn polished(&mut self, target: Target) -> bool {
        let reached = self.interior(target);
        if !reached.residual.is_finite() {
            return false;
        }
        self.solver.mark(&mut self.room.marks[1]);
        let moved = self.solver.go_back(&self.room.marks[1], self.attempt.dt);
        if self.nonsmooth(moved, POLISH).is_ok() {
            return true;
        }
        let moved = self.solver.go_back(&self.room.marks[1], self.attempt.dt);
        if self.damped(moved, DAMPED) {
            return true;
        }
        let speed = self.solver.scale().speed;
        let coulomb = matches!(target.barrier, Barrier::Coulomb(_));
        if coulomb && reached.residual < ACCEPTED.0 && reached.products < ACCEPTED.1 * speed * speed
        {
            self.back();
            self.report.outcome = Outcome::Stalled;
            return true;
        }
        false
    }

    /// Goes back to the solution of the interior point.
    fn back(&mut self) {
        let moved = self.solver.go_back(&self.room.marks[1], self.attempt.dt);
        let errors = errors_at(self.solver, &self.context, self.attempt, &moved);
        self.report.residual = errors.balance;
        self.report.constraint = errors.constraint;
    }

    /// Convex relaxations whose shift follows the slip, each with a try of Newton.
    fn shifted(&mut self) -> bool {
        let convex = Target {
            barrier: Barrier::Convex { compliance: 0.0 },
            products: HANDOVER,
            start: Start::Cold(1.0),
        };
        self.room.shifts.clear();
        self.room
            .shifts
            .resize(self.solver.unilaterals().len(), 0.0);
        self.room.krylov.begin(self.solver.unilaterals().len(), 0);
        let enough = TOLERATED * self.solver.scale().speed.powi(2);
        let mut done = false;
        for round in 0..SHIFTS {
            if self.spent() {
                break;
            }
            let reached = self.interior(convex);
            if reached.residual.is_nan() || reached.residual >= ACCEPTED.0 {
                break;
            }
            self.solver.mark(&mut self.room.marks[2]);
            let error = self.slips();
            let moved = self.solver.go_back(&self.room.marks[2], self.attempt.dt);
            if self.nonsmooth(moved, POLISH).is_ok() {
                done = true;
                break;
            }
            if round == 1 || error < enough || round + 1 == SHIFTS {
                let moved = self.solver.go_back(&self.room.marks[2], self.attempt.dt);
                if self.damped(moved, DAMPED) {
                    done = true;
                    break;
                }
                // A point of the relaxation that is still in the middle may be on the path that leads on.
                let early = Target {
                    products: EARLY,
                    ..convex
                };
                self.interior(early);
                let coulomb = Target {
                    barrier: Barrier::Coulomb(self.section),
                    start: Start::Relaxation,
                    ..convex
                };
                if self.polished(coulomb) {
                    done = true;
                    break;
                }
            }
            if error < enough {
                // A little less of a shift, so that nothing penetrates.
                let change = self.room.slips.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
                self.room
                    .shifts
                    .iter_mut()
                    .for_each(|s| *s = (*s - change).max(0.0));
                let reached = self.interior(convex);
                if reached.residual < ACCEPTED.0 {
                    self.solver.mark(&mut self.room.marks[1]);
                    self.back();
                    self.report.outcome = Outcome::Stalled;
                    done = true;
                    break;
                }
            }
            self.room.krylov.step(&mut self.room.slips);
            for (shift, step) in self.room.shifts.iter_mut().zip(&self.room.slips) {
                *shift = (*shift + step).max(0.0);
            }
        }
        self.room.shifts.clear();
        done
    }

    /// Notes how far slips are from the shifts that they were found with; returns the largest complementarity error
    /// that comes of it [(m/s)²].
    fn slips(&mut self) -> f64 {
        self.room.slips.clear();
        let mut error = 0.0_f64;
        for (unilateral, shift) in self.solver.unilaterals().iter().zip(&self.room.shifts) {
            let change = unilateral.velocity[1].hypot(unilateral.velocity[2]) - shift;
            error = error.max(unilateral.friction * unilateral.impulse[0] * change.abs());
            self.room.slips.push(change);
        }
        error
    }

    /// The papers' method by itself: the interior point down to small products.
    fn interior_alone(&mut self) -> Result<u32, Failure> {
        let target = Target {
            barrier: Barrier::Coulomb(self.section),
            products: 1e-9,
            start: Start::Cold(1.0),
        };
        let reached = self.interior(target);
        let speed = self.solver.scale().speed;
        self.solver.mark(&mut self.room.marks[1]);
        self.back();
        if reached.residual < ACCEPTED.0 && reached.products < ACCEPTED.1 * speed * speed {
            if reached.products > 2.0 * target.products * speed * speed {
                self.report.outcome = Outcome::Stalled;
            }
            return Ok(self.report.iterations);
        }
        let moved = self.solver.go_back(&self.room.marks[1], self.attempt.dt);
        Err(self.measure(&moved).failure())
    }

    /// The convex relaxation, ever softer until it is solved: as soft as it takes where nothing is to come after it.
    fn convexified(&mut self) -> Result<u32, Failure> {
        let last = self.attempt.last;
        self.room.shifts.clear();
        // What is soft penetrates: shorter intervals come first.
        let softest = if last { COMPLIANCES.len() } else { SOFT };
        for &compliance in &COMPLIANCES[..softest] {
            self.soft = compliance > 0.0;
            let target = Target {
                barrier: Barrier::Convex { compliance },
                products: HANDOVER,
                start: Start::Cold(1.0),
            };
            let reached = self.interior(target);
            let enough = if last { LAST_RESIDUAL } else { RESIDUAL };
            if reached.residual < enough && reached.products.is_finite() {
                self.solver.mark(&mut self.room.marks[1]);
                self.back();
                self.raise(Fallback::Convexified);
                self.report.outcome = Outcome::Convexified;
                return Ok(self.report.iterations);
            }
        }
        let moved = self.solver.predict_free(self.attempt.dt);
        Err(self.measure(&moved).failure())
    }
}
