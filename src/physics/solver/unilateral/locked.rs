//! Limits and cables whose gaps no motion changes that joints let through.

use super::super::MechanismSolver;
use super::super::links::Spatial;
use super::{StepContext, Unilateral, What, scene};
use crate::math::Vec3;
use crate::model::Model;

/// Velocity that an impulse gives a gap, relative to what it would give if no joint held the bodies, below which it is rounding.
const LOCKED: f64 = 1e-9;

impl MechanismSolver {
    /// Whether joints might [lock](Self::is_locked) a limit or a cable: not a limit of a joint of the tree that no loop
    /// constraint passes.
    pub fn might_be_locked(&self, model: &Model, what: What) -> bool {
        let What::Limit { joint, .. } = what else {
            return true;
        };
        let data = &model.joints[joint];
        let bodies = [Some(data.child), data.parent].into_iter().flatten();
        let mut links = bodies.map(|body| self.topology.links[body.0]);
        let of_tree = |link: &usize| self.topology.joints[*link].is_some_and(|t| t.joint == joint);
        let passed_on = |link: usize| self.topology.fronts.get(link).map(|f| &f.target);
        links
            .find(of_tree)
            .is_none_or(|link| passed_on(link).is_some_and(|rows| !rows.is_empty()))
    }

    /// Takes the knot of the state of an interval that has not [begun](Self::begin), to ask what is [locked](Self::is_locked) there.
    pub fn begin_at_limits(&mut self, context: &StepContext) {
        let bodies = &context.state.bodies;
        self.place(bodies, &Vec3::zeros());
        self.links.invert_inertias();
        self.freeze(context.model, bodies);
    }

    /// Whether joints lock a limit or a cable: no impulse of it moves anything, and its force would be whatever rounding makes of its gap.
    pub fn is_locked(&mut self, context: &StepContext, what: What) -> bool {
        let scene = scene(&self.topology, &self.links, &self.scale, context);
        let mut unilateral = Unilateral::new(what, &scene);
        unilateral.impulse[0] = 1.0;
        for link in &mut self.links.links {
            link.target = Spatial::default();
        }
        self.solve_joints(std::slice::from_ref(&unilateral));
        let moved = unilateral.rates(|link| self.links.links[link].motion.twist());
        moved[0] < LOCKED
    }
}
