//! How much work an interval may take where contacts are solved live, in visits of a contact point.

/// Work in an interval as long as the step, all its searches included, after which what is close to its law is taken as it is.
const PATIENCE: f64 = 130_000.0;

/// Visits of each point that a search and what is made ready after it take the time of.
const LOOK: f64 = 15.0;

/// Part of a budget after which it is not looked any more where unfinished rounds lead: the rest is for what was found.
const SEARCHING: f64 = 0.7;

/// Visits of each point that an extension gives at least.
const EXTENSION: f64 = 80.0;

/// Work of contact at which an interval becomes content with less.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance {
    /// Patience ends: what is close to its law is taken as it is.
    pub patience: f64,
    /// Nothing more is searched for but where finished rounds lead.
    searching: f64,
    /// The budget that a user set ends: what was found is taken as it is.
    limit: f64,
    /// What the next [extension](Self::extend) gives.
    next: f64,
}

impl Allowance {
    /// Without a limit.
    pub const UNLIMITED: Self = Self {
        patience: f64::INFINITY,
        searching: f64::INFINITY,
        limit: f64::INFINITY,
        next: f64::INFINITY,
    };

    /// What no budget but patience ends, for a share of a step after that much work.
    pub fn patient(began: f64, share: f64) -> Self {
        Self {
            patience: began + PATIENCE * share,
            ..Self::UNLIMITED
        }
    }

    /// The same with a budget, infinite for none, out of which the search for so many points was paid.
    pub fn with_budget(began: f64, share: f64, budget: f64, points: usize) -> Self {
        let whole = budget * share;
        let paid = began - LOOK * points as f64;
        Self {
            searching: paid + SEARCHING * whole,
            limit: paid + whole,
            next: whole,
            ..Self::patient(began, share)
        }
    }

    /// Pays for a search among so many points: out of patience by the share of the interval, out of the budget whole.
    pub fn search(&mut self, points: usize, share: f64) {
        let cost = LOOK * points as f64;
        self.patience -= cost * share;
        self.searching -= cost;
        self.limit -= cost;
    }

    /// Gives as much as the whole budget was, twice that the next time, and some visits of each of so many points at least.
    pub fn extend(&mut self, points: usize) {
        self.next = self.next.max(EXTENSION * points as f64);
        self.limit += self.next;
        self.searching = self.limit;
        self.next *= 2.0;
    }

    /// Whether it may be searched where unfinished rounds lead.
    pub fn searches(&self, work: f64) -> bool {
        work < self.searching
    }

    /// What the budget leaves.
    pub fn left(&self, work: f64) -> f64 {
        self.limit - work
    }

    /// Whether the budget that a user set was spent.
    pub fn is_spent(&self, work: f64) -> bool {
        work >= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_paid_for_and_without_a_budget_nothing_ends_but_patience() {
        let mut none = Allowance::with_budget(7.0, 0.5, f64::INFINITY, 100);
        assert_eq!(none.patience, 7.0 + 0.5 * PATIENCE);
        none.search(10, 0.5);
        assert_eq!(none.patience, 7.0 + 0.5 * PATIENCE - 5.0 * LOOK);
        assert!(none.searches(1e300) && !none.is_spent(1e300));

        let mut some = Allowance::with_budget(1e5, 0.5, 1e5, 100);
        assert_eq!(some.left(1e5), 5e4 - 100.0 * LOOK);
        some.search(100, 0.5);
        let left = 5e4 - 200.0 * LOOK;
        assert!(!some.is_spent(1e5 + left - 1.0) && some.is_spent(1e5 + left));
        let searching = 1e5 + 0.7 * 5e4 - 200.0 * LOOK;
        assert!(some.searches(searching - 1.0) && !some.searches(searching + 1.0));
        for times in [1.0, 2.0, 4.0] {
            let before = some.left(0.0);
            some.extend(10);
            assert_eq!(some.left(0.0), before + times * 5e4);
        }
        assert!(some.searches(1e5 + left + 3e5));
        some.extend(1_000_000);
        assert!(some.left(0.0) > EXTENSION * 1e6);
    }
}
