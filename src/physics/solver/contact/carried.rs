//! Contacts that go on from the last interval where many bodies are pressed together: what carried a load carries it again.
//!
//! Solids that are pressed together in several places, or along a line, lie in each other by what the last interval left, here
//! more and there less. Which of their features part them is then told by less than that, and features that press are given up
//! for others; of a line a search finds one point, anywhere on it. Bodies that lost what they rest on would fall in the next
//! interval until it was found again.

use super::Contacts;
use super::candidates::TANGENTS;
use crate::contact::{Contact, Located};
use crate::math::Vec3;
use crate::model::{ContactState, Model, State};
use crate::solver::{MechanismSolver, What};

/// How far apart surfaces may be where they do not press for a point to go on (sizes of the smaller body): both ends of a line
/// along which a body rests, of which one carries it for a moment.
const CLOSE: f64 = 1e-4;

/// How near to each other points of one pair are the same: along a line that is held, the nearest point is anywhere.
const SAME: f64 = 1e-3;

/// The same of points that do not press: they are for what turns about others.
const BESIDE: f64 = 0.02;

impl Contacts {
    /// Lets contact points take part that pressed in the last interval and that this one has not found, or found elsewhere along
    /// a line, after it [looked](Self::look).
    pub fn carry_on(&mut self, solver: &MechanismSolver, model: &Model, state: &State) {
        self.find_pressed(model, state);
        self.hold_lines(solver, state);
    }

    /// Finds features again that pressed.
    fn find_pressed(&mut self, model: &Model, state: &State) {
        let pairs = state.contacts.chunk_by(|a, b| a.key.shapes == b.key.shapes);
        let before = self.points.len();
        let mut again = std::mem::take(&mut self.again);
        for pair in pairs {
            if !pair.iter().any(|last| self.has_lost(last)) {
                continue;
            }
            again.clear();
            let numbers = pair[0].key.numbers();
            self.detector
                .detect_pressed(model, &state.bodies, &self.reach, numbers, &mut again);
            for contact in &again {
                if pair
                    .iter()
                    .any(|last| last.key == contact.key && self.has_lost(last))
                {
                    self.add(Located::at(contact, &state.bodies));
                }
            }
        }
        self.again = again;
        if self.points.len() > before {
            self.put_in_order();
        }
    }

    /// Whether features pressed that were not found.
    fn has_lost(&self, last: &ContactState) -> bool {
        let presses = last.force != Vec3::zeros() && !last.key.is_tangent();
        presses && self.place(&last.key).is_none()
    }

    /// Holds points at which surfaces pressed.
    fn hold_lines(&mut self, solver: &MechanismSolver, state: &State) {
        let before = self.points.len();
        for last in state.contacts.iter().filter(|last| last.key.is_tangent()) {
            let Some((like, root)) = self.found_with(last) else {
                continue;
            };
            let size = solver.scale().smaller(last.bodies);
            let presses = last.force != Vec3::zeros();
            if !presses && last.gap > CLOSE * size {
                continue;
            }
            let Some(held) = self.detector.hold(last, &self.points[like], &state.bodies) else {
                continue;
            };
            let held = Located::at(&held, &state.bodies);
            let gap = &held.here;
            if gap.normal.dot(&last.normal) < super::TURNED || gap.apart() > CLOSE * size {
                continue;
            }
            let Some(root) = root else {
                self.add(held);
                continue;
            };
            let found = self.points[root];
            let apart = (found.here.points[0] - gap.points[0]).norm();
            if found.key == held.key {
                // What was found goes on beside it, unless it is the same.
                self.points[root] = held;
                let beside =
                    (apart > SAME * size).then(|| self.free_tangent(&found, &state.contacts));
                if let Some(other) = beside.flatten() {
                    self.add(Located::at(&other, &state.bodies));
                }
            } else if presses || apart > BESIDE * size {
                self.add(held);
            }
        }
        if self.points.len() > before {
            self.put_in_order();
        }
    }

    /// A contact point of the interval of the same shapes as one of the state, and that of the same surfaces, if there are.
    fn found_with(&self, last: &ContactState) -> Option<(usize, Option<usize>)> {
        let from = self
            .order
            .partition_point(|(key, _)| key.shapes < last.key.shapes);
        let &(key, like) = self.order.get(from)?;
        if key.shapes != last.key.shapes {
            return None;
        }
        Some((like, self.place(&last.key.root())))
    }

    /// Adds a contact to the interval.
    pub(super) fn add(&mut self, contact: Located) {
        self.what.push(What::Contact(self.points.len()));
        self.points.push(contact);
    }

    /// The contact as a further tangent plane of its surfaces, with the least number that none has, here and in the state.
    pub(super) fn free_tangent(&self, contact: &Contact, last: &[ContactState]) -> Option<Contact> {
        let root = contact.root();
        let here = self.points.iter().map(|c| c.key);
        let all = here.chain(last.iter().map(|c| c.key));
        let same = all.filter(|key| key.shapes == root.shapes && key.root() == root);
        let taken = same.fold(0_u64, |taken, key| {
            taken | 1 << key.tangent_number().min(63)
        });
        let number = (0..TANGENTS as u64).find(|k| taken >> k & 1 == 0)?;
        contact.numbered(number)
    }
}
