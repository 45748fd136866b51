//! Bodies that touch nothing in an interval although they might.

use super::super::newton::{errors_at, note};
use super::Trial;

impl Trial<'_> {
    /// Lets free bodies have their exact motion where that keeps all contact laws without an impulse; whether it does.
    pub(super) fn flies(&mut self) -> bool {
        let Self { go_on, attempt, .. } = *self;
        if go_on.resumed || attempt.input.drag.is_some() || !self.solver.let_fly(attempt.dt) {
            return false;
        }
        let moved = self.predict();
        let errors = errors_at(self.solver, &self.context, attempt, &moved);
        let parts = self.solver.unilaterals().iter();
        let free = parts.map(|u| u.velocity[0]).all(|opens| opens >= 0.0);
        if free && errors.balance <= attempt.tolerance {
            note(self.report, &errors, 0.0);
            return true;
        }
        self.solver.settle(attempt.dt, attempt.pulled());
        false
    }
}
