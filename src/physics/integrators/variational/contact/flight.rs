//! Bodies that touch nothing in an interval although they might.

use super::super::newton::errors_at;
use super::Trial;
use crate::integrators::Iteration;

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
            self.report.residual = errors.balance;
            self.report.constraint = errors.constraint;
            self.report.history.push(Iteration {
                residual: errors.balance,
                constraint: errors.constraint,
                step_length: 0.0,
            });
            return true;
        }
        self.solver.settle(attempt.dt, attempt.pulled());
        false
    }
}
