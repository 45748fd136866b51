//! The primal-dual interior point of one interval [Brüdigam2023 eq. 34-36], with the predictor and corrector of
//! [Mehrotra1992].

use super::super::newton::errors_at;
use super::Trial;
use crate::integrators::Iteration;
use crate::solver::{Barrier, FOLD, Interior, Moved, worse};

/// What is asked of an interior point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    /// The problem.
    pub barrier: Barrier,
    /// Products of complementary variables to reach, relative to the speed of the step, squared.
    pub products: f64,
    /// Where it starts.
    pub start: Start,
}

/// Where an interior point starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Start {
    /// Centred at the free motion, with impulses of this many times the fastest approach.
    Cold(f64),
    /// The convex relaxation's point at hand.
    Relaxation,
}

/// Where an interior point ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reached {
    /// Largest product of complementary variables [(m/s)²].
    pub products: f64,
    /// Largest residual of balance, joints and slack variables, relative to the speed of the step.
    pub residual: f64,
}

/// Iterations at most.
const LIMIT: u32 = 60;

/// Residual to reach, relative to the speed of the step.
const RESIDUAL: f64 = 1e-7;

/// Products below this, relative to the square of the fastest approach, are rounding.
const GRAIN: f64 = 1e-11;

/// Relative accuracy of the predictor, which only sets the target, and of the step.
const ACCURACY: [f64; 2] = [1e-3, 1e-8];

/// Steps below this length count as stuck.
const STUCK: f64 = 1e-5;

impl Trial<'_> {
    /// Solves by the interior point; what is reached stays in the solver.
    pub(super) fn interior(&mut self, target: Target) -> Reached {
        let dt = self.attempt.dt;
        let barrier = target.barrier;
        let speed = self.solver.scale().speed;
        // Taken out while the trial is asked for the motion, and put back.
        let mut interior = std::mem::take(&mut self.room.interior);
        let (approach, moved) = match target.start {
            Start::Relaxation => {
                let product = interior.complementarity(self.solver.unilaterals()).0;
                interior.tighten(self.solver.unilaterals(), product);
                self.solver.mark(&mut self.room.marks[0]);
                (speed, self.solver.go_back(&self.room.marks[0], dt))
            }
            Start::Cold(size) => {
                self.solver.restart(&self.context);
                let moved = self.solver.predict_free(dt);
                self.balance(&moved);
                let unilaterals = self.solver.unilaterals();
                let approach = unilaterals
                    .iter()
                    .map(|u| -u.velocity[0])
                    .fold(speed, f64::max);
                let unilaterals = self.solver.unilaterals_mut();
                interior.start(unilaterals, barrier, size * approach, &self.room.shifts);
                (approach, moved)
            }
        };
        let mut residual = self.balance(&moved);

        let goal = (target.products * speed * speed).max(GRAIN * approach * approach);
        let mut best = Reached {
            products: f64::INFINITY,
            residual: f64::INFINITY,
        };
        let merit = |r: &Reached| (r.residual / RESIDUAL).max(r.products / goal);
        let (mut stuck, mut idle, mut length) = (0, 0, 1.0);
        for _ in 0..LIMIT {
            let (mean, largest) = interior.complementarity(self.solver.unilaterals());
            let slack = interior.infeasibility(self.solver.unilaterals(), barrier);
            let now = Reached {
                products: largest,
                residual: worse(residual, slack) / speed,
            };
            if !now.residual.is_finite() || !mean.is_finite() {
                break;
            }
            if merit(&now) < 0.9 * merit(&best) {
                best = now;
                self.solver.mark(&mut self.room.marks[0]);
                idle = 0;
            } else {
                idle += 1;
            }
            let near = now.residual < 10.0 * RESIDUAL && idle >= 3;
            if merit(&now) <= 1.0 || stuck >= 2 || near {
                break;
            }
            self.report.iterations += 1;
            self.report.factorisations += 1;
            let mut index = 0;
            self.solver.linearise(&self.context, |unilateral| {
                let law = interior.law(index, unilateral, barrier);
                index += 1;
                law
            });
            let floor = 0.1 * goal;
            self.aim_at_zero(&mut interior, barrier);
            let free = interior.limit(self.solver.unilaterals()).min(1.0);
            let after = interior.products(self.solver.unilaterals(), free).0;
            let mut sigma = (after / mean).powi(3).clamp(0.0, 1.0);
            if length < 0.1 {
                sigma = sigma.max(0.3);
            }
            let aim = ((sigma * mean).max(floor), length >= 0.1);
            self.solver
                .aim(|k, unilateral| interior.aim(k, unilateral, barrier, aim.0, aim.1));
            self.solver.solve_unilaterals(ACCURACY[1]);
            self.follow(&mut interior, barrier, aim);
            let back = (1.0 - mean.sqrt() / speed).clamp(0.9, 0.999);
            length = (back * interior.limit(self.solver.unilaterals())).min(1.0);
            let turn = self.solver.largest_turn();
            if turn * length > 1.2 {
                length = 1.2 / turn;
            }
            let mut moved = self.solver.move_unilaterals(dt, length);
            interior.advance(length);
            if moved.turn.0 >= FOLD {
                // Impulses and slack variables stay inside; only the turn is taken back.
                moved = self.solver.backtrack(dt, 0.5);
            }
            stuck = if length < STUCK { stuck + 1 } else { 0 };
            residual = self.balance(&moved);
            self.report.history.push(Iteration {
                residual: residual / speed,
                constraint: self.report.constraint,
                step_length: length,
            });
        }
        if best.residual.is_finite() {
            let moved = self.solver.go_back(&self.room.marks[0], dt);
            let _ = self.balance(&moved);
        }
        self.room.interior = interior;
        best
    }

    /// The predictor: where products would go if they were aimed at zero.
    fn aim_at_zero(&mut self, interior: &mut Interior, barrier: Barrier) {
        self.solver
            .aim(|k, unilateral| interior.aim(k, unilateral, barrier, 0.0, false));
        self.solver.solve_unilaterals(ACCURACY[0]);
        self.follow(interior, barrier, (0.0, false));
    }

    fn follow(&mut self, interior: &mut Interior, barrier: Barrier, aim: (f64, bool)) {
        for k in 0..self.solver.unilaterals().len() {
            let moved = self.solver.unilateral_change(&self.solver.unilaterals()[k]);
            interior.follow(
                k,
                &mut self.solver.unilaterals_mut()[k],
                &moved,
                barrier,
                aim,
            );
        }
    }

    /// Largest imbalance and joint error, as a velocity (m/s).
    fn balance(&mut self, moved: &Moved) -> f64 {
        let errors = errors_at(self.solver, &self.context, self.attempt, moved);
        worse(errors.speed, errors.gap / self.attempt.dt.abs())
    }
}
