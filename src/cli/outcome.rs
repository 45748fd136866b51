//! What a run came to.

use super::changes::Made;
use super::output::Failure;
use crate::sim::Statistics;

/// What happened.
pub(super) struct Outcome {
    /// The account of all steps.
    pub(super) statistics: Statistics,
    /// Time from the first step to the last, sampling and writing included (s).
    pub(super) wall_seconds: f64,
    /// Changes of the scene on the way.
    pub(super) changes: Vec<Made>,
    /// What ended the run early, if something did: a step that failed, or a change that could not be made.
    pub(super) failure: Option<Failure>,
}
