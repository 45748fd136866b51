//! Contact points where no surfaces are.
//!
//! An interval is solved with the features that part bodies where it begins, as if they went on for ever: the plane of a face, the line of an
//! edge. A body that flies past the end of a face would be stopped there by nothing, and one that has a corner on a face feel it beside
//! that, too.

use super::Contacts;
use crate::contact::Contact;
use crate::model::{BodyState, ContactKey, Model, State};
use crate::solver::{MechanismSolver, Unilateral, What};

/// How far from where surfaces meet a contact may push, relative to the smaller body: what slowly rolls over an edge is kept on the face by less for
/// the rest of the interval.
const APART: f64 = 0.02;

/// Gap that what takes no part may come to, in units of the ways of both bodies in the interval and the size of the smaller one.
const ANY: f64 = 10.0;

impl Contacts {
    /// Leaves out what pushes where no surfaces are, as what was last found at the second knot tells; whether there is any. What was found there in
    /// an earlier look stays. `first` are the bodies at the first knot.
    pub fn leave_absent(
        &mut self,
        solver: &MechanismSolver,
        first: &[BodyState],
        speed_of_gravity: f64,
    ) -> bool {
        let before = self.absent.len();
        for (unilateral, what) in solver.unilaterals().iter().zip(&self.what) {
            let &What::Contact(point) = what else {
                continue;
            };
            let contact = &self.points[point].contact;
            if solver.is_closed(unilateral, speed_of_gravity)
                && !self.forced.contains(&contact.key)
                && !self.is_there(
                    contact,
                    [first, solver.at_second()],
                    APART * unilateral.size,
                )
            {
                self.absent.push(contact.key);
                self.replaced.push(point);
            }
        }
        self.absent.len() > before
    }

    /// Takes the friction from those two shapes whose contact gives most energy in the interval, where nothing shorter is left to be tried:
    /// friction can press without end against what joints hold, and a force that is large enough gives energy by rounding and by the order of the
    /// method. From two that have none it takes the contact: they go into each other, and that is mended little by little. Whether it is a contact that
    /// gives most, and not given up yet.
    pub fn give_up(
        &mut self,
        solver: &MechanismSolver,
        model: &Model,
        state: &State,
        dt: f64,
    ) -> bool {
        let most = self.most_giving(solver, model, state, dt);
        let Some(&What::Contact(point)) = most.and_then(|k| self.what.get(k)) else {
            return false;
        };
        let shapes = self.points[point].key.shapes;
        if self.given_up.contains(&shapes) {
            return false;
        }
        let slides = self.points[point].friction > 0.0;
        let list = match slides {
            true => &mut self.slippery,
            false => &mut self.given_up,
        };
        list.push(shapes);
        for (k, point) in self.points.iter_mut().enumerate() {
            if point.key.shapes == shapes {
                point.contact.friction = 0.0;
                self.replaced.push(k);
            }
        }
        true
    }

    /// A contact point as it takes part: without friction where its shapes are to have none.
    pub(super) fn as_it_slides(&self, contact: &Contact) -> Contact {
        let slides = self.slippery.contains(&contact.key.shapes);
        Contact {
            friction: if slides { 0.0 } else { contact.friction },
            ..*contact
        }
    }

    /// Whether the shapes of a contact were [given up](Self::give_up).
    pub(super) fn is_given_up(&self, key: &ContactKey) -> bool {
        self.given_up.contains(&key.shapes)
    }

    /// Whether surfaces meet where a contact point is at the second knot, to what is `near` (m). One that has not run farther along its features is
    /// where it was.
    fn is_there(&self, contact: &Contact, [first, second]: [&[BodyState]; 2], near: f64) -> bool {
        if contact.run(first, second).iter().all(|run| *run <= near) {
            return true;
        }
        let (found, shapes) = (&self.ahead.points, contact.key.shapes);
        let from = found.partition_point(|c| c.key.shapes < shapes);
        let same = found[from..].iter().take_while(|c| c.key.shapes == shapes);
        let (root, point) = (contact.root(), contact.gap(second).middle());
        let mut touching = same.filter(|c| c.here.distance <= near);
        touching.any(|c| c.root() == root || (c.here.middle() - point).norm() <= near)
    }

    /// Whether a contact point was [left out](Self::leave_absent) or [given up](Self::give_up).
    pub(super) fn is_absent(&self, key: &ContactKey) -> bool {
        self.absent.contains(key) || self.is_given_up(key)
    }

    /// Takes from a constraint whatever it could do in an interval.
    pub(super) fn disarm(&self, unilateral: &mut Unilateral, contact: &Contact) {
        let bodies = contact.bodies.iter().flatten();
        let ways: f64 = bodies.map(|b| self.reach[b.0]).sum();
        unilateral.floor = -ANY * (ways + unilateral.size);
        (unilateral.mended, unilateral.rebound) = (0.0, 0.0);
        (unilateral.impulse, unilateral.change) = ([0.0; 3], [0.0; 3]);
    }
}
