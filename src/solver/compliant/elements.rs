//! Elements of foundations from step to step.

use super::ahead::WOUND;
use super::{CompliantSolver, Stop};
use crate::model::{Model, State, SurfaceCompliance};
use crate::solver::What;
use crate::solver::unilateral::mending;

impl CompliantSolver {
    /// Takes from elements what no motion has wound up: a body may come upon them from the side, as its edge does that has sunk
    /// in beside them. How deep a spring is pressed in follows from its force in the last step; what is deeper is given back
    /// little by little, as what is rigid is mended. At a start springs are as deep as they are.
    pub(super) fn set_elements(&mut self, model: &Model, state: &State, h: f64) {
        if state.step == 0 {
            return;
        }
        let gravity = model.gravity.norm();
        let slack = WOUND * h * self.scale.speed;
        for stop in &mut self.stops {
            let What::Contact(k) = stop.what else {
                continue;
            };
            let contact = &self.contacts[k];
            let SurfaceCompliance::Linear(own) = contact.compliance else {
                continue;
            };
            if stop.gap >= -slack || !contact.is_element() {
                continue;
            }
            let known = state.contacts.binary_search_by_key(&contact.key, |c| c.key);
            let force = known.map_or(0.0, |k| stop.axes[0].dot(&state.contacts[k].force));
            let [opening, ..] = stop.rates(|b| self.bodies[b].velocity);
            // A damper that opens has taken its part.
            let wound = (force + own.damping * opening.max(0.0)) / own.stiffness;
            let set = -stop.gap - wound - slack;
            if set > 0.0 {
                let size = self.scale.smaller(contact.bodies);
                let mended = mending(-set, size, self.scale.speed, gravity, &self.scale, h);
                stop.put(set - mended);
            }
        }
    }
}

impl Stop {
    /// Takes surfaces that are this much nearer than its law goes by.
    pub(super) fn put(&mut self, set: f64) {
        self.gap += set - self.set;
        self.set = set;
    }
}
