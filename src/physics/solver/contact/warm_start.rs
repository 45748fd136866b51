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
        solver.take_unilaterals(context, &self.what, pulled);
        if self.what.is_empty() {
            return;
        }
        self.recall(solver, context);
        for k in 0..solver.unilaterals().len() {
            self.adapt(solver, context, k);
        }
    }

    /// Takes what was found since all others were taken for this interval, and makes those anew whose contact point was replaced
    /// since, all where rebounds have changed: to go on from a motion and impulses that were [noted](MechanismSolver::mark). `context`
    /// is without contact points.
    pub fn take_more(
        &mut self,
        solver: &mut MechanismSolver,
        context: &StepContext,
        pulled: Option<usize>,
    ) {
        self.replaced.sort_unstable();
        let context = StepContext {
            contacts: &self.points,
            ..*context
        };
        let before = solver.unilaterals().len();
        solver.take_more_unilaterals(&context, &self.what, |k| self.has_changed(k), pulled);
        for k in (0..self.what.len()).filter(|k| *k >= before || self.has_changed(*k)) {
            self.recall_one(solver, &context, k, &mut 0);
            self.adapt(solver, &context, k);
        }
        self.replaced.clear();
        self.rescaled = false;
    }

    /// Whether a constraint is to be made anew, by its place.
    fn has_changed(&self, k: usize) -> bool {
        let replaced = |point: usize| self.replaced.binary_search(&point).is_ok();
        self.rescaled || matches!(self.what[k], What::Contact(point) if replaced(point))
    }

    /// Fits a constraint to what is known of its contact point: whether it was foreseen, and whether it gives.
    fn adapt(&self, solver: &mut MechanismSolver, context: &StepContext, k: usize) {
        let What::Contact(point) = solver.unilaterals()[k].what else {
            return;
        };
        let key = &context.contacts[point].key;
        if self.is_sudden(key) {
            let unilateral = &mut solver.unilaterals_mut()[k];
            (unilateral.floor, unilateral.mended) = (0.0, 0.0);
        }
        if self.is_absent(key) {
            let contact = &context.contacts[point].contact;
            self.disarm(&mut solver.unilaterals_mut()[k], contact);
        }
        if self.jammed.contains(key) {
            let gives = Self::compliance(solver, &solver.unilaterals()[k]);
            solver.unilaterals_mut()[k].gives = gives;
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
        let mut next = 0;
        for k in 0..solver.unilaterals().len() {
            self.recall_one(solver, context, k, &mut next);
        }
        self.recall_others(solver, context);
    }

    /// Gives a constraint without impulses those that the state remembers of it, and its rebound; `next` is the place in the state
    /// after that of the one before.
    fn recall_one(
        &self,
        solver: &mut MechanismSolver,
        context: &StepContext,
        k: usize,
        next: &mut usize,
    ) {
        let (state, dt) = (context.state, context.interval.dt);
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
                let at = match state.contacts.get(*next) {
                    Some(last) if last.key == *key => Some(*next),
                    _ => place_in(&state.contacts, key),
                };
                let Some(at) = at else {
                    return;
                };
                *next = at + 1;
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

#[cfg(test)]
mod tests {
    use super::super::rebounds::at_knot;
    use super::super::specimen::{Case, DT, RADIUS, above_the_floor, ball};
    use super::*;
    use crate::model::ContactStatus;
    use crate::solver::Mark;

    /// Two balls beside each other on a floor, pressed; then a contact takes the place of another, one that was not foreseen joins,
    /// and rebounds may have become others. What is then gone on with, all taken anew or only what has changed.
    fn gone_on(only_what_changed: bool, rescaled: bool) -> String {
        let mut case = Case::new(above_the_floor(
            vec![ball("a", 1.0), ball("b", 2.0)],
            10.0,
            0.5,
        ));
        for (body, at) in [(0, 0.0), (1, 2.0 * RADIUS)] {
            let speed = Vec3::new(0.25, 0.5, -1.0);
            case.fly(body, Vec3::new(at, 0.0, RADIUS), speed, 0.0);
        }
        case.take();
        case.remember(ContactStatus::Open, 0.25);
        case.take();
        for unilateral in case.solver.unilaterals_mut() {
            unilateral.impulse = [0.5, 0.125, 0.0];
            (unilateral.change, unilateral.taken) = ([1.0; 3], Some([1.0; 2]));
        }
        let mut mark = Mark::default();
        case.solver.mark(&mut mark);
        let Case {
            contacts,
            solver,
            state,
            model,
        } = &mut case;
        assert_eq!(contacts.points.len(), 3, "two on the floor, one between");
        contacts.points[1].here.normal = Vec3::new(0.6, 0.0, 0.8);
        contacts.replaced.push(1);
        let mut late = contacts.points[0];
        late.contact.key.features += 1;
        contacts.what.push(What::Contact(contacts.points.len()));
        contacts.points.push(late);
        contacts.forced.push(late.key);
        contacts.rescaled = rescaled;
        if rescaled {
            contacts.restitution_scale.fill(0.5);
        }
        let interval = at_knot(state, DT);
        let changed = (0..3).filter(|k| contacts.has_changed(*k)).count();
        assert_eq!(changed, if rescaled { 3 } else { 1 });
        let bare = StepContext {
            model,
            state,
            contacts: &[],
            interval: &interval,
        };
        if only_what_changed {
            contacts.take_more(solver, &bare, None);
        }
        let context = StepContext {
            contacts: &contacts.points,
            ..bare
        };
        if !only_what_changed {
            contacts.take(solver, &context, None);
        }
        let moved = solver.go_back(&mark, DT);
        let errors = solver.imbalance(&context, &moved, None);
        format!("{errors:?} {:?}", solver.unilaterals())
    }

    #[test]
    fn what_has_not_changed_is_as_if_it_were_taken_anew() {
        for rescaled in [false, true] {
            let all = gone_on(false, rescaled);
            assert_eq!(gone_on(true, rescaled), all, "{rescaled}");
        }
        let rebounds = [false, true].map(|rescaled| gone_on(true, rescaled));
        assert_ne!(rebounds[0], rebounds[1]);
    }
}
