//! Where the impulses of an interval start from.

use super::Contacts;
use crate::contact::Contact;
use crate::model::{ContactKey, ContactState};
use crate::solver::{MechanismSolver, StepContext, What};

impl Contacts {
    /// Makes the interval's unilateral constraints nodes of the solver's system, with what the state remembers;
    /// `pulled` is the body that the mouse holds.
    pub fn take(&self, solver: &mut MechanismSolver, context: &StepContext, pulled: Option<usize>) {
        self.take_some(solver, context, pulled, &self.what);
    }

    /// The same with some of them only, as if there were no others.
    pub fn take_some(
        &self,
        solver: &mut MechanismSolver,
        context: &StepContext,
        pulled: Option<usize>,
        what: &[What],
    ) {
        solver.take_unilaterals(context, what, pulled);
        if what.is_empty() {
            return;
        }
        self.recall(solver, context);
        for unilateral in solver.unilaterals_mut() {
            if let What::Contact(k) = unilateral.what
                && self.is_sudden(&context.contacts[k].key)
            {
                (unilateral.floor, unilateral.mended) = (0.0, 0.0);
            }
        }
    }

    /// Whether a contact point was not foreseen and is closed at the second knot whatever it was at the first.
    fn is_sudden(&self, key: &ContactKey) -> bool {
        self.forced.contains(key) && !self.old.contains(key)
    }

    /// Sets out from what the state remembers, and from nothing else: impulses of loops and unilateral constraints, and
    /// rebounds times the least restitution scale of the bodies that a unilateral constraint touches.
    pub fn recall(&self, solver: &mut MechanismSolver, context: &StepContext) {
        solver.restart(context);
        let dt = context.interval.dt;
        let state = context.state;
        for k in 0..solver.unilaterals().len() {
            let bodies = solver.bodies(&solver.unilaterals()[k]);
            let restitution_scale = bodies
                .map(|b| self.restitution_scale[b])
                .fold(1.0, f64::min);
            let unilateral = &mut solver.unilaterals_mut()[k];
            let over = dt / unilateral.mass;
            unilateral.rebound = 0.0;
            match unilateral.what {
                What::Contact(k) => {
                    let Some(last) = find(&state.contacts, &context.contacts[k]) else {
                        continue;
                    };
                    for row in 0..unilateral.rows {
                        unilateral.impulse[row] = last.force.dot(&unilateral.axes[row]) * over;
                    }
                    unilateral.impulse[0] = unilateral.impulse[0].max(0.0);
                    unilateral.rebound = restitution_scale * last.rebound;
                }
                What::Limit { entry, upper, .. } => {
                    let last = &state.limits[entry];
                    let sign = if upper { -1.0 } else { 1.0 };
                    unilateral.impulse[0] = (sign * last.force).max(0.0) / unilateral.lever * over;
                    // The rebound belongs to the bound that was hit, which its force tells.
                    if sign * last.force > 0.0 {
                        unilateral.rebound = restitution_scale * last.rebound * unilateral.lever;
                    }
                }
                What::Cable { entry, .. } => {
                    unilateral.impulse[0] = state.limits[entry].force.max(0.0) * over;
                    unilateral.rebound = restitution_scale * state.limits[entry].rebound;
                }
            }
        }
    }
}

/// What the state keeps of a contact point.
pub(super) fn find<'a>(
    contacts: &'a [ContactState],
    contact: &Contact,
) -> Option<&'a ContactState> {
    contacts
        .binary_search_by_key(&contact.key, |c| c.key)
        .ok()
        .map(|k| &contacts[k])
}
