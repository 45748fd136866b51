//! Elements of foundations from step to step.

use super::ahead::WOUND;
use super::{CompliantSolver, Stop};
use crate::contact::Located;
use crate::model::{Model, State, SurfaceCompliance};
use crate::solver::What;
use std::ops::Range;

/// Forces that an element may come to where something came upon it, over the mean of all that the weight asks for.
const UNEVEN: f64 = 4.0;

impl CompliantSolver {
    /// Takes from elements what no motion has wound up: a body may come upon them from the side, as its edge does that has sunk
    /// in beside them. How deep a spring is pressed in follows from its force in the last step. What is deeper pushes as well
    /// as far as the weight of what lies there asks for: a body that slides is carried by all elements that it comes upon, and
    /// none throws it. At a start springs are as deep as they are.
    pub(super) fn set_elements(&mut self, model: &Model, state: &State, h: f64) {
        if state.step == 0 {
            return;
        }
        let slack = WOUND * h * self.scale.speed;
        let shapes = |contacts: &[Located], stop: &Stop| match stop.what {
            What::Contact(k) if contacts[k].is_element() => Some(contacts[k].key.shapes),
            _ => None,
        };
        let mut from = 0;
        while from < self.stops.len() {
            // Those of one pair of shapes follow each other.
            let pair = shapes(&self.contacts, &self.stops[from]);
            let rest = self.stops[from..].iter();
            let same = |s: &&Stop| shapes(&self.contacts, s) == pair;
            let to = from + rest.take_while(same).count();
            if pair.is_some() {
                self.set_pair(from..to, slack, model, state);
            }
            from = to;
        }
    }

    /// The same for the elements of one pair of shapes.
    fn set_pair(&mut self, which: Range<usize>, slack: f64, model: &Model, state: &State) {
        let own = &mut self.stops[which];
        let pressed = own.iter().filter(|s| s.gap < 0.0).count();
        let masses = own[0].bodies.iter().flatten();
        let mass = masses.map(|b| model.bodies[*b].mass);
        let weight = mass.fold(f64::INFINITY, f64::min) * model.gravity.norm();
        let share = UNEVEN * weight / pressed.max(1) as f64;
        for stop in own.iter_mut().filter(|s| s.gap < -slack) {
            let What::Contact(k) = stop.what else {
                continue;
            };
            let contact = &self.contacts[k];
            let SurfaceCompliance::Linear(law) = contact.compliance else {
                continue;
            };
            let known = state.contacts.binary_search_by_key(&contact.key, |c| c.key);
            let force = known.map_or(0.0, |k| stop.axes[0].dot(&state.contacts[k].force));
            let [opening, ..] = stop.rates(|b| self.bodies[b].velocity);
            // A damper that opens has taken its part.
            let wound = (force + law.damping * opening.max(0.0)) / law.stiffness;
            let depth = wound.max(share / law.stiffness) + slack;
            if depth < -stop.gap {
                stop.put(-stop.gap - depth);
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
