//! Ways that time went: each begins at a moment of another one and has its own inputs from there on.

use crate::sim::{Change, History, Log};

/// Which way time went; ids are never used twice in a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchId(pub u64);

/// One way that time went.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The branch it left; `None` for the first.
    pub parent: Option<BranchId>,
    /// Inputs, changes and hashes from the moment at which it left.
    pub log: Log,
    /// The whole way as the plots show it, from the first moment on.
    pub history: History,
    /// Where the step size changed: step, time (s) and step size from there on (s).
    paces: Vec<(u64, f64, f64)>,
}

impl Branch {
    /// An empty branch that begins at a moment.
    pub(super) fn new(
        parent: Option<BranchId>,
        (step, time, dt): (u64, f64, f64),
        history: History,
    ) -> Self {
        Self {
            parent,
            log: Log::new(step),
            history,
            paces: vec![(step, time, dt)],
        }
    }

    /// Notes the step size of the next steps.
    pub(super) fn pace(&mut self, time: f64, dt: f64) {
        let last = self.paces.last();
        if last.is_none_or(|p| p.2.to_bits() != dt.to_bits()) {
            self.paces.push((self.log.last(), time, dt));
        }
    }

    /// Time after a step of this branch (s), up to rounding.
    pub fn time(&self, step: u64) -> f64 {
        let k = self.paces.partition_point(|p| p.0 <= step).max(1) - 1;
        let (from, time, dt) = self.paces[k];
        time + (step - from.min(step)) as f64 * dt
    }

    /// The step of this branch that is nearest to a time (s).
    pub(super) fn step(&self, time: f64) -> u64 {
        let k = self.paces.partition_point(|p| p.1 <= time).max(1) - 1;
        let (from, start, dt) = self.paces[k];
        let steps = ((time - start) / dt).round().max(0.0);
        (from + steps as u64).min(self.log.last())
    }

    /// Changes that were made after the last step.
    pub(super) fn trailing(&self) -> impl Iterator<Item = &Change> {
        self.log.changes(self.log.last() + 1)
    }
}
