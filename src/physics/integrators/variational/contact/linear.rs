//! What rounds bring to nothing usable in the shortest intervals, with gaps that are those of the first knot and what its rows make
//! of the motion.
//!
//! Where a light body is wedged between heavy ones and turns fast, the forces of the first knot may part nothing at the second: no
//! impulses keep the laws there, however stiff or soft. Laws of gaps that do not bend are kept by bodies that stay where they are,
//! so they have a solution, and what gaps bend by is left, which shrinks with the square of the interval.

use super::Room;
use super::Trial;
use super::solve::LIVE;
use crate::integrators::{Fallback, Outcome};
use crate::solver::{MechanismSolver, Unilateral, worse};

impl Trial<'_> {
    /// Solves what the last rounds lost once more with linear gaps; whether what that leaves is used.
    pub(super) fn ends_linear(&mut self) -> bool {
        let rounds = &self.room.rounds;
        for unilateral in self.solver.unilaterals_mut() {
            unilateral.linear |= rounds.is_lost(unilateral);
        }
        self.room.set_back(self.solver);
        let dt = self.attempt.dt;
        let moved = self.solver.go_back(&self.room.reached, dt);
        self.begin_patiently();
        let solved = self.rounds(moved, LIVE).is_ok();
        let unilaterals = self.solver.unilaterals();
        let linear = unilaterals.iter().filter(|u| u.linear);
        let beyond = linear.map(|u| u.floor - u.gap).fold(0.0, worse);
        let usable = self.usable(unilaterals.len())[0] * dt.abs();
        let shallow = solved && beyond <= usable;
        // Where nothing shorter will be tried, what is left is told.
        let ends = shallow || self.attempt.shortest && self.room.rounds.is_balanced();
        if ends {
            self.raise(Fallback::Convexified);
            self.report.outcome = Outcome::Capped;
            let contact = &mut self.report.contact;
            contact.violation = worse(contact.violation, beyond / dt.abs());
        }
        ends
    }
}

impl Room {
    /// Notes what was reached, but of what the rounds lost where it set out from.
    pub(super) fn set_back(&mut self, solver: &MechanismSolver) {
        let Self {
            rounds,
            start,
            reached,
            ..
        } = self;
        solver.mark(reached);
        let unilaterals = solver.unilaterals().iter().enumerate();
        let lost = |&(_, u): &(usize, &Unilateral)| rounds.is_lost(u);
        reached.take(
            start,
            |link| rounds.is_lost_link(link),
            unilaterals.filter(lost).map(|(k, _)| (k, k)),
        );
    }
}
