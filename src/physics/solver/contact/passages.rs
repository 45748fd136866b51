//! Bodies that went through each other in an interval: they get a contact where they met.

use super::Contacts;
use super::candidates::{Missed, TOLERATED, deepen};
use crate::contact::{Located, MATERIAL_POINTS, Overlap};
use crate::model::{Model, State};
use crate::solver::MechanismSolver;

impl Contacts {
    /// Takes the contacts of bodies that went through each other into the interval, after the bodies at the second knot were
    /// [written down](MechanismSolver::arrive).
    pub(super) fn take_passages(
        &mut self,
        solver: &MechanismSolver,
        model: &Model,
        state: &State,
        deepest: &mut Option<Missed>,
        news: &mut bool,
    ) {
        let ends = [&state.bodies[..], solver.at_second()];
        let found = &mut self.passages;
        found.clear();
        self.detector.passages(model, ends, MATERIAL_POINTS, found);
        for k in 0..self.passages.len() {
            let passage = self.passages[k];
            let contact = &self.as_it_slides(&passage.contact);
            if self.is_given_up(&contact.key) {
                continue;
            }
            let size = solver.scale().smaller(contact.bodies);
            let depth = passage.depth / solver.scale().gap(TOLERATED, size);
            deepen(deepest, depth, contact.bodies);
            let point = Located::at(contact, &state.bodies);
            match self.points.iter().position(|c| c.key == contact.key) {
                // Its law is not kept yet.
                Some(k) if self.points[k].contact == *contact && !self.is_absent(&contact.key) => {
                    continue;
                }
                Some(k) => {
                    if self.is_absent(&contact.key) {
                        self.absent.retain(|absent| *absent != contact.key);
                        self.forced.push(contact.key);
                    }
                    self.points[k] = point;
                    self.replaced.push(k);
                }
                None => self.add_forced(point),
            }
            *news = true;
        }
    }

    /// Bodies of which one has a surface that lie in each other on their way to the second knot, where they were
    /// [written down](MechanismSolver::arrive), if there are any.
    pub fn midway(
        &mut self,
        solver: &MechanismSolver,
        model: &Model,
        state: &State,
    ) -> Option<Missed> {
        let ends = [&state.bodies[..], solver.at_second()];
        let Overlap { bodies, depth } = self.detector.midway(model, ends)?;
        let size = solver.scale().smaller(bodies);
        let depth = depth / solver.scale().gap(TOLERATED, size);
        Some(Missed { depth, bodies })
    }
}
