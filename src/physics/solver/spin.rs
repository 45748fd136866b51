//! Which bodies turn by themselves, and how far the others turned in an interval.

use super::links::Link;
use super::topology::WORLD;
use super::{MechanismSolver, motion, turn};
use crate::math::Vec3;
use crate::model::State;

impl MechanismSolver {
    /// Gives what nothing touches its exact motion in the interval, which then is no unknown any more: bodies without
    /// joints, loop constraints, drives and unilaterals, apart from the one `pulled`.
    pub fn settle(&mut self, dt: f64, pulled: Option<usize>) {
        for link in &mut self.links.links {
            link.held = !link.alone;
        }
        let unilaterals = self.unilateral.unilaterals.iter().flat_map(|u| u.links);
        let pulled = pulled.map(|body| self.topology.links[body]);
        for link in unilaterals.filter(|l| *l != WORLD).chain(pulled) {
            self.links.links[link].held = true;
        }
        motion::settle(&mut self.links, dt);
    }

    /// Gives all bodies their exact motion, if all are free, no unilateral constraint pushes or rebounds and none that has one turns so far
    /// that it takes several goes; whether it did.
    pub fn let_fly(&mut self, dt: f64) -> bool {
        let unilaterals = &self.unilateral.unilaterals;
        let acts = unilaterals
            .iter()
            .any(|u| u.impulse != [0.0; 3] || u.rebound > 0.0);
        if acts || !self.is_loose() {
            return false;
        }
        for link in &mut self.links.links {
            link.held = false;
        }
        motion::settle(&mut self.links, dt);
        let mut near = unilaterals.iter().flat_map(|u| u.links);
        let flies = near.all(|l| l == WORLD || self.links.links[l].goes == 1);
        if !flies {
            self.settle(dt, None);
        }
        flies
    }

    /// Whether nothing but contact and the mouse can turn a body beside its own momentum.
    pub fn is_alone(&self, body: usize) -> bool {
        self.links.links[self.topology.links[body]].alone
    }

    /// The body whose half-angle sine is farthest both from that of the interval before and from what its own momentum
    /// would have made of it, if that is by more than `limit`.
    pub fn leaped(&self, state: &State, dt: f64, limit: f64) -> Option<usize> {
        let leap = |link: &Link| {
            let half_angle_sine = link.half_angle_sine.to3();
            let before = state.bodies[link.body].velocity.angular * (0.5 * dt);
            let change = (half_angle_sine - before).norm();
            if change <= limit {
                return change;
            }
            let free = turn::free_turn(&link.inertia(), &link.target.angular.to3(), dt);
            free.map_or(change, |free| change.min((half_angle_sine - free).norm()))
        };
        let turned = self.links.links.iter().filter(|l| l.goes == 0);
        let leaps = turned.map(|l| (leap(l), l.body));
        let (most, body) = largest(leaps);
        (most > limit).then_some(body)
    }

    /// Largest square of a half-angle sine that is not a free body's, and its body; none may reach [`FOLD`](super::turn::FOLD).
    pub fn widest(&self) -> (f64, usize) {
        widest(self.links.links.iter().filter(|l| l.goes == 0))
    }

    /// The same among bodies that joints, loops or drives hold.
    pub fn widest_held(&self) -> (f64, usize) {
        widest(self.links.links.iter().filter(|l| !l.alone))
    }

    /// The widest turn in the interval of a body that is held so, but for what wheels turn about their axes (rad), and the
    /// body; `state` is that at the first knot.
    pub fn widest_across(&self, state: &State) -> (f64, usize) {
        let (sine, body) = self.largest_across(state, |link| link.half_angle_sine.to3());
        (2.0 * sine.asin(), body)
    }

    /// The same of the angular velocity in the interval before (rad/s).
    pub fn swiftest_across(&self, state: &State) -> (f64, usize) {
        self.largest_across(state, |link| state.bodies[link.body].velocity.angular)
    }

    fn largest_across(&self, state: &State, turn: impl Fn(&Link) -> Vec3) -> (f64, usize) {
        let held = self.links.links.iter().filter(|l| !l.alone);
        largest(held.map(|link| {
            let turn = turn(link);
            let across = link.wheel.map_or(turn, |axis| {
                let axis = state.bodies[link.body].orientation * axis;
                turn - axis * turn.dot(&axis)
            });
            (across.norm(), link.body)
        }))
    }

    /// The free body that turned in most goes, if in more than one, and in how many.
    pub fn swung(&self) -> Option<(usize, u32)> {
        let goes = self.links.links.iter().map(|l| (l.body, l.goes));
        goes.filter(|g| g.1 > 1)
            .max_by_key(|g| (g.1, usize::MAX - g.0))
    }
}

/// Largest square of a half-angle sine, and its body.
fn widest<'a>(links: impl Iterator<Item = &'a Link>) -> (f64, usize) {
    largest(links.map(|l| (l.half_angle_sine.to3().norm_squared(), l.body)))
}

/// The largest number, with its body; one that is not a number is larger than all.
fn largest(numbers: impl Iterator<Item = (f64, usize)>) -> (f64, usize) {
    numbers.fold(
        (0.0, 0),
        |a, b| if b.0 > a.0 || b.0.is_nan() { b } else { a },
    )
}
