//! How long a run lasts.

pub(super) use crate::sim::steps_for;

/// Simulated time of a scene that does not say how long it wants to be watched (s).
pub(super) const DEFAULT_DURATION: f64 = 10.0;
