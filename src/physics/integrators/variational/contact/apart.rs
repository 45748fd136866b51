//! Islands that rounds of linearised problems bring to nothing usable, solved by themselves in other ways: nothing that
//! happens in one costs or disturbs another.

use super::Trial;
use super::solve::{Way, convexified};
use crate::integrators::{Fallback, Outcome};
use crate::solver::What;

/// What is tried for an island by itself before it is convexified.
const WAYS: [(Fallback, Way); 1] = [(Fallback::InteriorPoint, Way::InteriorPoint(1.0))];

impl Trial<'_> {
    /// Solves what the last rounds lost as if there were nothing else, and puts both together; whether that is usable. What is not
    /// is as it was.
    pub(super) fn apart(&mut self) -> bool {
        let rounds = std::mem::take(&mut self.room.rounds);
        let unilaterals = self.solver.unilaterals();
        let all: Vec<What> = unilaterals.iter().map(|u| u.what).collect();
        let lost: Vec<bool> = unilaterals.iter().map(|u| rounds.is_lost(u)).collect();
        let some: Vec<What> = all
            .iter()
            .zip(&lost)
            .filter_map(|(what, lost)| lost.then_some(*what))
            .collect();
        let mut whole = std::mem::take(&mut self.room.whole);
        self.solver.mark(&mut whole);
        let pulled = self.attempt.pulled();
        self.contacts
            .take_some(self.solver, &self.context, pulled, &some);
        let solved = self.first_of(&WAYS).is_ok() || convexified(self, true).is_ok();
        if solved {
            self.solver.mark(&mut self.room.marks[1]);
            let places = (0..lost.len()).filter(|k| lost[*k]).zip(0..);
            whole.take(
                &self.room.marks[1],
                |link| rounds.is_lost_link(link),
                places,
            );
        }
        self.contacts
            .take_some(self.solver, &self.context, pulled, &all);
        let moved = self.solver.go_back(&whole, self.attempt.dt);
        if solved {
            let now = self.measure(&moved);
            self.report.residual = now.errors.balance;
            self.report.constraint = now.errors.constraint;
            self.report.outcome = match self.report.outcome {
                Outcome::Converged => Outcome::Stalled,
                other => other,
            };
        }
        self.room.whole = whole;
        self.room.rounds = rounds;
        solved
    }
}
