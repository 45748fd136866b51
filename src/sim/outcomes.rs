//! How many steps ended how.

use crate::integrators::{self, Rung, StepReport};

/// How the steps so far ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcomes {
    /// Steps within the tolerance.
    pub converged: u64,
    /// Steps that stopped at rounding level.
    pub stalled: u64,
    /// Steps that stopped at the iteration limit.
    pub iteration_limit: u64,
    /// Steps that left no usable state.
    pub failed: u64,
    /// Steps that needed a retry or substeps.
    pub retried: u64,
    /// Steps with contact that the interior point led to the solution.
    pub interior_point: u64,
    /// Steps with contact that the shifted convex relaxation led to the solution.
    pub shifted: u64,
    /// Steps made of shorter ones.
    pub substeps: u64,
    /// Steps with contact that the convex relaxation stands for.
    pub relaxed: u64,
}

impl Outcomes {
    pub(super) fn count(&mut self, report: &StepReport) {
        match report.outcome {
            integrators::Outcome::Converged => self.converged += 1,
            integrators::Outcome::Stalled => self.stalled += 1,
            integrators::Outcome::IterationLimit => self.iteration_limit += 1,
        }
        self.retried += u64::from(report.rung != Rung::Predicted);
        match report.rung {
            Rung::Predicted | Rung::Constant => {}
            Rung::InteriorPoint => self.interior_point += 1,
            Rung::Shifted => self.shifted += 1,
            Rung::Substeps => self.substeps += 1,
            Rung::Relaxed => self.relaxed += 1,
        }
    }
}
