//! Contacts whose nearest points run along their features in an interval, held at material points instead.

use super::Contacts;
use crate::contact::{Feature, Located};
use crate::model::{ContactKey, State};
use crate::solver::{FOLD, MechanismSolver, Unilateral, What};

/// Part of the smaller body that nearest points may run along it in an interval in which they are solved for.
pub(super) const RUNNING: f64 = 0.05;

impl Contacts {
    /// Holds those contacts at material points that are `wanted` and whose nearest points ran at the motion reached:
    /// at those that were nearest at the first knot, and where a body rolls on a face at those of the second. Whether
    /// there are any.
    pub fn hold_material_points(
        &mut self,
        solver: &mut MechanismSolver,
        state: &State,
        dt: f64,
        wanted: impl Fn(&Unilateral) -> bool,
    ) -> bool {
        solver.second(state);
        let (first, second) = (&state.bodies, solver.at_second());
        // Beyond the fold there is no configuration to take points from.
        let followed = solver.widest().0 < FOLD;
        let mut any = false;
        for unilateral in solver.unilaterals() {
            let What::Contact(k) = unilateral.what else {
                continue;
            };
            let contact = self.points[k].contact;
            if !contact.may_run() || !wanted(unilateral) {
                continue;
            }
            let least = RUNNING * solver.scale().smaller(contact.bodies);
            // Written so that what is not a number runs.
            let still = followed && contact.travel(first, second) <= least;
            if still && !solver.is_skewed(unilateral, dt) {
                continue;
            }
            any = true;
            let unforeseen = self.forced.contains(&contact.key);
            let rolls = |f: &Feature| matches!(f, Feature::Rim { .. } | Feature::Ellipsoid { .. });
            let late = unforeseen && followed;
            let held = contact.material(1, if late { second } else { first });
            if unforeseen {
                self.forced.push(held.key);
            } else if followed && contact.features.iter().any(rolls) {
                let other = Located::at(&contact.material(2, second), first);
                self.add_forced(other);
            }
            self.points[k] = Located::at(&held, first);
            self.replaced.push(k);
        }
        if any {
            self.put_in_order();
        }
        any
    }

    /// Adds a contact that was not foreseen.
    pub(super) fn add_forced(&mut self, contact: Located) {
        self.add(contact);
        self.forced.push(contact.key);
    }

    /// The number of that material point of two features which is farthest from closing, where one is open: another that
    /// closes may have it.
    pub(super) fn idle_material_point(
        &self,
        solver: &MechanismSolver,
        root: ContactKey,
    ) -> Option<u64> {
        self.idlest(solver, root, |point| point.material_number())
    }

    /// The same of the tangent planes of two surfaces. One that presses gives its place to none: that which takes it would give
    /// it back in the next round.
    pub(super) fn idle_tangent(&self, solver: &MechanismSolver, root: ContactKey) -> Option<u64> {
        let number = |point: &Located| (!point.is_material()).then(|| point.key.tangent_number());
        self.idlest(solver, root, number)
    }

    /// The number of that open contact of a root which is farthest from closing, among those that have one.
    fn idlest(
        &self,
        solver: &MechanismSolver,
        root: ContactKey,
        number: impl Fn(&Located) -> Option<u64>,
    ) -> Option<u64> {
        let open = solver.unilaterals().iter().filter_map(|u| match u.what {
            What::Contact(k) if self.points[k].root() == root && u.velocity[0] > u.impulse[0] => {
                Some((number(&self.points[k])?, u.velocity[0]))
            }
            _ => None,
        });
        open.max_by(|a, b| a.1.total_cmp(&b.1)).map(|o| o.0)
    }
}
