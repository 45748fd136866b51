//! What a run came to.

use crate::integrators::StepError;
use crate::sim::Statistics;

/// What happened.
pub(super) struct Outcome {
    /// The account of all steps.
    pub(super) statistics: Statistics,
    /// Time from the first step to the last, sampling and writing included [s].
    pub(super) wall_seconds: f64,
    /// The error that ended the run, if one did.
    pub(super) failure: Option<StepError>,
}
