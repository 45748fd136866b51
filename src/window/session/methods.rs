//! Which method took which steps.

use physics::sim::timeline::BranchId;
use std::collections::BTreeMap;

/// From where on a method took the steps of a branch.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Start {
    step: u64,
    /// Time at which that step began (s).
    time: f64,
    method: &'static str,
}

/// The methods by which the steps of all branches were taken.
#[derive(Debug, Clone, Default)]
pub struct Methods {
    starts: BTreeMap<BranchId, Vec<Start>>,
}

impl Methods {
    /// Notes by which method a step of a branch was taken that began at a time (s).
    pub fn note(&mut self, branch: BranchId, step: u64, time: f64, method: &'static str) {
        let starts = self.starts.entry(branch).or_default();
        // Another end of the branch may have been given up.
        starts.truncate(starts.partition_point(|s| s.step < step));
        if starts.last().is_none_or(|s| s.method != method) {
            starts.push(Start { step, time, method });
        }
    }

    /// The methods on the way that time went, each with the time from which it was in use (s).
    pub fn on(&self, way: &[(BranchId, u64)]) -> Vec<(f64, &'static str)> {
        let mut found: Vec<(f64, &'static str)> = Vec::new();
        for (branch, last) in way {
            let starts = self.starts.get(branch).into_iter().flatten();
            for start in starts.filter(|s| s.step <= *last) {
                if found.last().is_none_or(|f| f.1 != start.method) {
                    found.push((start.time, start.method));
                }
            }
        }
        found
    }

    /// Forgets branches that are not there any more.
    pub fn retain(&mut self, is_there: impl Fn(BranchId) -> bool) {
        self.starts.retain(|branch, _| is_there(*branch));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_is_told_once_and_only_on_the_way_that_time_went() {
        let (first, second) = (BranchId(0), BranchId(1));
        let mut methods = Methods::default();
        for step in 1..=10 {
            let method = if step < 6 { "variational" } else { "heun" };
            methods.note(first, step, 0.1 * (step - 1) as f64, method);
        }
        assert_eq!(
            methods.on(&[(first, 10)]),
            [(0.0, "variational"), (0.5, "heun")]
        );
        // Time went back to step 3 and on by a third method, then by the first again.
        methods.note(second, 4, 0.3, "rk4");
        methods.note(second, 5, 0.4, "rk4");
        methods.note(second, 6, 0.5, "variational");
        let way = methods.on(&[(first, 3), (second, 6)]);
        assert_eq!(
            way,
            [(0.0, "variational"), (0.3, "rk4"), (0.5, "variational")]
        );
        methods.retain(|branch| branch == first);
        assert_eq!(
            methods.on(&[(first, 3), (second, 6)]),
            [(0.0, "variational")]
        );
    }
}
