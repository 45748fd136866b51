//! How far an interval with contact is from being solved, and what is near enough.

use super::super::newton::{Failure, JOINT_TOLERANCE, NEARLY, errors_at};
use super::Trial;
use crate::solver::{Errors, Moved, law, worse};

/// Violations that are used where they no longer shrink, normal and tangential, relative to the speed of the step.
const USABLE: [f64; 2] = [1e-7, 1e-6];

/// How far an interval is from being solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    /// Balance and joints.
    pub errors: Errors,
    /// Largest violation of a contact law, normal and tangential (m/s).
    pub violation: [f64; 2],
    /// Root of the sum of squares of all of them (m/s).
    pub norm: f64,
    /// Whether bodies are balanced, or rounding is all that is left.
    balanced: bool,
    /// Whether they are [nearly](NEARLY).
    nearly: bool,
    /// Tolerances of joints, relative, and of the law (m/s).
    tolerances: [f64; 2],
    /// Joint errors that are rounding.
    grain: f64,
    /// Speed of the step (m/s).
    speed: f64,
    /// Length of the interval (s).
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
        self.nearly
            && self.errors.constraint <= JOINT_TOLERANCE.max(self.grain)
            && self.violation[0] <= USABLE[0] * self.speed
            && self.violation[1] <= USABLE[1] * self.speed
    }

    /// Largest of the three as a velocity (m/s).
    pub fn merit(&self) -> f64 {
        let all = [
            self.errors.speed,
            self.errors.gap / self.dt,
            self.violation[0],
            self.violation[1],
        ];
        all.into_iter().fold(0.0, worse)
    }

    pub fn failure(&self) -> Failure {
        Failure::of(self.errors)
    }
}

impl Trial<'_> {
    /// Measures the motion reached.
    pub(super) fn measure(&mut self, moved: &Moved) -> Measure {
        let dt = self.attempt.dt.abs();
        let errors = errors_at(self.solver, &self.context, self.attempt, moved);
        let mut violation = [0.0; 2];
        let mut sum = errors.speed.powi(2) + (errors.gap / dt).powi(2);
        for unilateral in self.solver.unilaterals() {
            let found = law::violation(unilateral, self.section);
            for (worst, found) in violation.iter_mut().zip(found) {
                *worst = worse(*worst, found);
                sum += found * found;
            }
        }
        let tolerance = self.attempt.tolerance;
        // Impulses and positions are known to their rounding only.
        let floor = self.solver.momentum_grain();
        let scale = self.solver.scale();
        let grain = scale.opening_grain();
        let is_balanced =
            |times: f64| errors.balance <= times * tolerance || errors.impulse <= floor;
        Measure {
            errors,
            violation,
            norm: sum.sqrt(),
            balanced: is_balanced(1.0),
            nearly: is_balanced(NEARLY),
            tolerances: [
                tolerance.min(JOINT_TOLERANCE).max(grain),
                (tolerance * scale.speed).max(scale.grain / dt),
            ],
            grain,
            speed: scale.speed,
            dt,
        }
    }
}
