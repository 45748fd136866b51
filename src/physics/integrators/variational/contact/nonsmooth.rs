//! Non-smooth Newton: Newton's method on the projections of the contact law, warm-started and exact where it
//! converges [AlartCurnier1991].

use super::super::newton::note;
use super::Trial;
use super::measure::Measure;
use crate::integrators::Outcome;
use crate::math::Mat3;
use crate::solver::{FOLD, Moved, law};
use crate::stopwatch::Phase;

/// Merits that a step may fall back to: it must be better than the worst of the last few.
const WINDOW: usize = 5;

/// Halvings of a step at most.
const HALVINGS: u32 = 6;

/// A step that raises the merit by more than this, shortened as it may be, leads nowhere.
const HOPELESS: f64 = 100.0;

/// Relative accuracy of a step: the iteration mends what a step leaves.
const ACCURACY: f64 = 1e-5;

/// Merits below this, relative to the speed of the step, are as good as solved where a first step raises them.
const LEAST: f64 = 1e-3;

/// Damping: at first, at least while it counts, and at most.
const DAMPING: [f64; 3] = [1e-2, 1e-6, 1e2];

impl Trial<'_> {
    /// Iterates from the motion and impulses at hand until everything is within its tolerance, at most `limit`
    /// times. Returns the iterations; what is reached stays in the solver either way.
    // A box around what is left would allocate in a step.
    #[allow(clippy::result_large_err)]
    pub(super) fn nonsmooth(&mut self, moved: Moved, limit: u32) -> Result<u32, Measure> {
        let (dt, section) = (self.attempt.dt, self.section);
        let mut now = self.measure(&moved);
        let mut recent = [f64::NAN; WINDOW];
        let mut step_length = 0.0;
        let mut before = f64::INFINITY;
        for iteration in 0..=limit {
            note(self.report, &now.errors, step_length);
            if now.converged() {
                return Ok(iteration);
            }
            if iteration >= 2 && now.usable() && now.merit() > 0.5 * before {
                self.report.outcome = Outcome::Stalled;
                return Ok(iteration);
            }
            before = now.merit();
            if iteration == limit || !now.merit().is_finite() {
                break;
            }
            recent[iteration as usize % WINDOW] = now.merit();
            self.report.iterations += 1;
            self.report.factorisations += 1;
            self.solver.linearise(&self.context, |unilateral| {
                law::nonsmooth(unilateral, section)
            });
            self.solver.solve_unilaterals(ACCURACY);
            let mut moved = self.solver.move_unilaterals(dt, 1.0);
            let mut next = self.measure(&moved);
            step_length = 1.0;
            let allowed = recent.iter().copied().fold(0.0, f64::max);
            // The first step mends the guess and may raise the imbalance by the curvature of joints.
            let allowed = if iteration == 0 {
                allowed.max(LEAST * self.solver.scale().speed) * 1e4
            } else {
                allowed
            };
            let mut halvings = 0;
            let before = self.solver.stopwatch.enter(Phase::LineSearch);
            while !(next.merit() <= allowed && moved.turn.0 < FOLD) && halvings < HALVINGS {
                moved = self.solver.backtrack_unilaterals(dt, 0.5 * step_length);
                step_length *= 0.5;
                halvings += 1;
                next = self.measure(&moved);
            }
            self.solver.stopwatch.enter(before);
            now = next;
            if now.merit() > HOPELESS * allowed {
                break;
            }
        }
        Err(now)
    }

    /// The same with damped steps, after Levenberg and Marquardt: impulses change only as far as they mend the laws,
    /// which holds where contacts are jammed and the pieces of the law change with every step.
    pub(super) fn damped(&mut self, moved: Moved, limit: u32) -> bool {
        let (dt, section) = (self.attempt.dt, self.section);
        let mut now = self.measure(&moved);
        let mut damping = DAMPING[0];
        for _ in 0..limit {
            if now.converged() {
                return true;
            }
            if !now.merit().is_finite() {
                return false;
            }
            self.report.iterations += 1;
            self.report.factorisations += 1;
            self.solver.linearise(&self.context, |unilateral| {
                let mut law = law::nonsmooth(unilateral, section);
                law.c += Mat3::identity() * damping;
                law
            });
            self.solver.solve_unilaterals(ACCURACY);
            let moved = self.solver.move_unilaterals(dt, 1.0);
            let next = self.measure(&moved);
            note(self.report, &next.errors, 1.0);
            let better = next.norm < now.norm && moved.turn.0 < FOLD;
            if better {
                let gain = next.norm / now.norm;
                damping *= if gain < 0.25 { 0.1 } else { 0.5 };
                if damping < DAMPING[1] {
                    damping = 0.0;
                }
                now = next;
            } else {
                let moved = self.solver.backtrack_unilaterals(dt, 1.0);
                now = self.measure(&moved);
                damping = (4.0 * damping).max(DAMPING[1]);
                if damping > DAMPING[2] {
                    break;
                }
            }
        }
        let done = now.converged();
        if !done && now.usable() {
            self.report.outcome = Outcome::Stalled;
            return true;
        }
        done
    }
}
