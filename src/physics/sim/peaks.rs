//! The worst of every step up to a moment.

use crate::diagnostics::Sample;

/// Maxima over all steps so far. A copy is the account of its moment.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Peaks {
    /// Steps seen.
    pub steps: u64,
    /// Largest energy error of any step (J).
    pub energy_error: f64,
    /// Largest joint gap at the start or after any step (m).
    pub drift_position: f64,
    /// Largest joint misalignment at the start or after any step (rad).
    pub drift_angle: f64,
    /// Largest residual that a step was accepted with, relative to the forces handled.
    pub residual: f64,
    /// Most Newton iterations of a step.
    pub iterations: u32,
    /// Newton iterations of all steps.
    pub total_iterations: u64,
    /// Deepest penetration at the end of any step (m).
    pub penetration: f64,
    /// Most contact points with a force in a step.
    pub contacts: u32,
    /// Largest product of gap and normal force of any step (N·m).
    pub complementarity: f64,
    /// Largest excess of a friction force over its cone in any step (N).
    pub cone_violation: f64,
    /// Largest violation of the laws of contact in any step (m/s).
    pub law_violation: f64,
    /// Steps after which the velocities at the knot did not follow the laws of contact.
    pub rough_velocities: u64,
}

impl Peaks {
    /// Those of a first state.
    pub fn new(first: &Sample) -> Self {
        Self {
            energy_error: first.energy_error.abs(),
            drift_position: first.drift_position,
            drift_angle: first.drift_angle,
            penetration: first.penetration,
            contacts: first.closed,
            complementarity: first.complementarity,
            cone_violation: first.cone_violation,
            law_violation: first.law_violation,
            ..Self::default()
        }
    }

    /// Adds the state after one step.
    pub fn observe(&mut self, sample: &Sample) {
        self.steps += 1;
        keep_worst(&mut self.energy_error, sample.energy_error.abs());
        keep_worst(&mut self.drift_position, sample.drift_position);
        keep_worst(&mut self.drift_angle, sample.drift_angle);
        keep_worst(&mut self.residual, sample.residual);
        self.iterations = self.iterations.max(sample.iterations);
        self.total_iterations += u64::from(sample.iterations);
        keep_worst(&mut self.penetration, sample.penetration);
        self.contacts = self.contacts.max(sample.closed);
        keep_worst(&mut self.complementarity, sample.complementarity);
        keep_worst(&mut self.cone_violation, sample.cone_violation);
        keep_worst(&mut self.law_violation, sample.law_violation);
        self.rough_velocities += u64::from(sample.rough_velocities);
    }

    /// Newton iterations of a step on average; 0 before the first.
    pub fn mean_iterations(&self) -> f64 {
        self.total_iterations as f64 / self.steps.max(1) as f64
    }
}

/// Keeps the larger value; a value that is not a number is worse than any other and stays.
fn keep_worst(worst: &mut f64, value: f64) {
    if value > *worst || value.is_nan() {
        *worst = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_of_all_steps_is_kept_whatever_the_last_one_was() {
        let mut peaks = Peaks::new(&Sample::default());
        for (energy_error, drift_position, iterations) in
            [(-3.0, 1e-12, 2), (1.0, 5e-12, 4), (0.5, 0.0, 3)]
        {
            peaks.observe(&Sample {
                energy_error,
                drift_position,
                iterations,
                ..Sample::default()
            });
        }
        assert_eq!(peaks.energy_error, 3.0);
        assert_eq!(peaks.drift_position, 5e-12);
        assert_eq!((peaks.iterations, peaks.total_iterations), (4, 9));
        assert_eq!(peaks.mean_iterations(), 3.0);
        peaks.observe(&Sample {
            energy_error: f64::NAN,
            ..Sample::default()
        });
        assert!(
            peaks.energy_error.is_nan(),
            "a lost energy must not look like a small error"
        );
        peaks.observe(&Sample::default());
        assert!(peaks.energy_error.is_nan());
    }
}
