//! Steps that a person should know of: those that failed, and those that were accepted with something given up.

use physics::integrators::{Fallback, Outcome, StepReport};
use physics::sim::timeline::BranchId;
use std::collections::BTreeMap;

/// What was the matter with a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// It was accepted, but its contacts were relaxed or its tolerance was not reached.
    Relaxed,
    /// It left no usable state.
    Failed,
}

impl Mark {
    /// What is to be said of a step that succeeded, if anything.
    pub fn of(report: &StepReport) -> Option<Self> {
        let short =
            report.fallback == Fallback::Convexified || report.outcome == Outcome::IterationLimit;
        short.then_some(Self::Relaxed)
    }
}

/// Marked steps of all branches; neighbours are kept as one.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    spans: BTreeMap<(BranchId, Mark), Vec<[u64; 2]>>,
}

impl Marks {
    /// Marks a step of a branch.
    pub fn add(&mut self, branch: BranchId, step: u64, mark: Mark) {
        let spans = self.spans.entry((branch, mark)).or_default();
        match spans.last_mut() {
            // A step that fails may be tried again and again.
            Some([from, to]) if (*from..=*to + 1).contains(&step) => *to = step.max(*to),
            _ => spans.push([step, step]),
        }
    }

    /// First and last steps of marked stretches on the way that time went, the worst last.
    pub fn on(&self, way: &[(BranchId, u64)]) -> Vec<([u64; 2], Mark)> {
        let mut found = Vec::new();
        for mark in [Mark::Relaxed, Mark::Failed] {
            for (branch, last) in way {
                let spans = self.spans.get(&(*branch, mark)).into_iter().flatten();
                // What failed is the step behind the last one.
                let end = last + u64::from(mark == Mark::Failed);
                let cut = |[from, to]: &[u64; 2]| (*from <= end).then_some([*from, end.min(*to)]);
                found.extend(spans.filter_map(cut).map(|span| (span, mark)));
            }
        }
        found
    }

    /// Whether that step of a branch was tried and failed.
    pub fn has_failed(&self, branch: BranchId, step: u64) -> bool {
        let spans = self.spans.get(&(branch, Mark::Failed));
        let mut spans = spans.into_iter().flatten();
        spans.any(|[from, to]| (*from..=*to).contains(&step))
    }

    /// Forgets branches that are not there any more.
    pub fn retain(&mut self, is_there: impl Fn(BranchId) -> bool) {
        self.spans.retain(|(branch, _), _| is_there(*branch));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_and_only_the_way_that_time_went_counts() {
        let (first, second) = (BranchId(0), BranchId(1));
        let mut marks = Marks::default();
        for step in [3, 4, 5, 9, 20] {
            marks.add(first, step, Mark::Relaxed);
        }
        marks.add(second, 13, Mark::Failed);
        marks.add(second, 13, Mark::Failed);
        let way = [(first, 10), (second, 12)];
        assert_eq!(
            marks.on(&way),
            [
                ([3, 5], Mark::Relaxed),
                ([9, 9], Mark::Relaxed),
                ([13, 13], Mark::Failed)
            ]
        );
        assert_eq!(marks.on(&[(first, 4)]), [([3, 4], Mark::Relaxed)]);
        marks.retain(|branch| branch == first);
        assert_eq!(marks.on(&way).len(), 2);
    }
}
