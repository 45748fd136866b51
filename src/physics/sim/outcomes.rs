//! How many steps ended how.

use crate::integrators::{self, CutPart, Fallback, StepReport};
use crate::model::BodyId;

/// How the steps so far ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcomes {
    /// Steps within the tolerance.
    pub converged: u64,
    /// Steps whose residual stopped above the tolerance.
    pub stalled: u64,
    /// Steps that stopped at the iteration limit.
    pub iteration_limit: u64,
    /// Steps with contact whose budget was spent before the law was kept to the accuracy asked for.
    pub capped: u64,
    /// Steps that left no usable state.
    pub failed: u64,
    /// Steps that needed a retry or substeps.
    pub retried: u64,
    /// Steps with contact that sweeps led to the solution where Newton's method alone did not.
    pub sweeps: u64,
    /// Steps with contact that the interior point led to the solution.
    pub interior_point: u64,
    /// Steps with contact that the shifted convex relaxation led to the solution.
    pub shifted: u64,
    /// Steps made of shorter ones.
    pub substeps: u64,
    /// Steps with contact that the convex relaxation stands for.
    pub relaxed: u64,
    /// Steps in which a free body spun too fast for one turn and made several, by itself.
    pub turns: u64,
    /// The body that asked for the last cut, of the step or of its own turn.
    pub asked: Option<BodyId>,
}

impl Outcomes {
    pub(super) fn count(&mut self, report: &StepReport) {
        match report.outcome {
            integrators::Outcome::Converged => self.converged += 1,
            integrators::Outcome::Stalled => self.stalled += 1,
            // By whichever way: counted below.
            integrators::Outcome::Convexified => {}
            integrators::Outcome::IterationLimit => self.iteration_limit += 1,
            integrators::Outcome::Capped => self.capped += 1,
        }
        if let Some(cut) = report.cut {
            self.asked = Some(cut.body);
            self.turns += u64::from(cut.part != CutPart::All);
        }
        self.retried += u64::from(report.fallback != Fallback::Predicted);
        match report.fallback {
            Fallback::Predicted | Fallback::Constant | Fallback::Islands => {}
            Fallback::Sweeps => self.sweeps += 1,
            Fallback::InteriorPoint => self.interior_point += 1,
            Fallback::Shifted => self.shifted += 1,
            Fallback::Substeps => self.substeps += 1,
            Fallback::Convexified => self.relaxed += 1,
        }
    }
}
