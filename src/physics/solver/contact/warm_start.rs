//! Where the impulses of an interval start from.

use super::Contacts;
use super::TURNED;
use crate::contact::Contact;
use crate::math::Vec3;
use crate::model::{ContactKey, ContactState};
use crate::solver::{MechanismSolver, StepContext, Unilateral, What};

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
        for k in 0..solver.unilaterals().len() {
            let What::Contact(point) = solver.unilaterals()[k].what else {
                continue;
            };
            let key = &context.contacts[point].key;
            if self.is_sudden(key) {
                let unilateral = &mut solver.unilaterals_mut()[k];
                (unilateral.floor, unilateral.mended) = (0.0, 0.0);
            }
            if self.jammed.contains(key) {
                let gives = Self::compliance(solver, &solver.unilaterals()[k]);
                solver.unilaterals_mut()[k].gives = gives;
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
        let mut next = 0;
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
                    let key = &context.contacts[k].key;
                    // Both are mostly in the order of their keys.
                    let at = match state.contacts.get(next) {
                        Some(last) if last.key == *key => Some(next),
                        _ => place_in(&state.contacts, key),
                    };
                    let Some(at) = at else {
                        continue;
                    };
                    next = at + 1;
                    let last = &state.contacts[at];
                    press(unilateral, &last.force, dt);
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
        self.recall_others(solver, context);
    }

    /// Gives the forces of contact points that the interval does not have to others of the same shapes: further tangent planes of
    /// the same surfaces, or features that took over.
    fn recall_others(&self, solver: &mut MechanismSolver, context: &StepContext) {
        let (state, dt) = (context.state, context.interval.dt);
        for last in &state.contacts {
            if last.force == Vec3::zeros() || self.place(&last.key).is_some() {
                continue;
            }
            let Some(heir) = self.heir(last, solver) else {
                continue;
            };
            press(&mut solver.unilaterals_mut()[heir], &last.force, dt);
        }
    }

    /// The unilateral constraint of the same shapes, with about the same normal, that is nearest to a contact point of the state.
    fn heir(&self, last: &ContactState, solver: &MechanismSolver) -> Option<usize> {
        let from = self
            .order
            .partition_point(|(key, _)| key.shapes < last.key.shapes);
        let same = self.order[from..].iter();
        let same = same.take_while(|(key, _)| key.shapes == last.key.shapes);
        let away = |k: usize| {
            let gap = &self.points[k].here;
            let along = gap.normal.dot(&last.normal) > TURNED;
            along.then(|| (gap.points[0] - last.point).norm_squared())
        };
        let near = same.filter_map(|&(_, k)| Some((away(k)?, k)));
        let (_, k) = near.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        unilateral_of(solver, k)
    }

    /// The place of the contact point of a key, if the interval had it when the points were put in order.
    pub(super) fn place(&self, key: &ContactKey) -> Option<usize> {
        let found = self.order.binary_search_by_key(key, |(key, _)| *key);
        found.ok().map(|at| self.order[at].1)
    }

    /// Orders the contact points by their keys.
    pub(super) fn put_in_order(&mut self) {
        self.order.clear();
        let keys = self.points.iter().enumerate().map(|(k, c)| (c.key, k));
        self.order.extend(keys);
        self.order.sort_unstable();
    }
}

/// Adds the impulses that a force makes in an interval; none pulls.
fn press(unilateral: &mut Unilateral, force: &Vec3, dt: f64) {
    let over = dt / unilateral.mass;
    for row in 0..unilateral.rows {
        unilateral.impulse[row] += force.dot(&unilateral.axes[row]) * over;
    }
    unilateral.impulse[0] = unilateral.impulse[0].max(0.0);
}

/// The unilateral constraint of a contact point, by its place.
pub(super) fn unilateral_of(solver: &MechanismSolver, contact: usize) -> Option<usize> {
    let mut all = solver.unilaterals().iter();
    all.position(|u| u.what == What::Contact(contact))
}

/// What the state keeps of a contact point.
pub(super) fn find<'a>(
    contacts: &'a [ContactState],
    contact: &Contact,
) -> Option<&'a ContactState> {
    place_in(contacts, &contact.key).map(|k| &contacts[k])
}

/// The place of what the state keeps of the contact point of a key.
fn place_in(contacts: &[ContactState], key: &ContactKey) -> Option<usize> {
    contacts.binary_search_by_key(key, |c| c.key).ok()
}
