//! Problems at one knot, where `z2 = z1`: projecting velocities and closing joints.

use super::elimination::Mass;
use super::links::Spatial;
use super::{Errors, MechanismSolver, Unilateral, loop_joint, sweeps};
use crate::linalg::proximal::RHO;
use crate::math::Vec3;
use crate::math::lanes::V4;
use crate::model::{BodyState, Model, State, Twist};

/// Passes of a projection through regularised loop constraints: each shrinks what is left by
/// [`RHO`].
const PASSES: usize = 3;

impl MechanismSolver {
    /// Velocities at the knot: the momenta of `state`, less what the joints do not let through.
    ///
    /// `M w = p + G(z)ᵀ μ`, `G(z) w = 0`: the projection of the discrete Legendre transform.
    pub fn project(&mut self, model: &Model, state: &State, out: &mut Vec<Twist>) {
        self.place(&state.bodies, &Vec3::zeros());
        self.project_placed(model, state, out);
    }

    /// The same where the links are [placed](Self::place) without a kick.
    pub(super) fn project_placed(&mut self, model: &Model, state: &State, out: &mut Vec<Twist>) {
        self.freeze(model, &state.bodies);
        self.solve_joints(&[]);
        self.write_motions(out);
    }

    /// The motions of the links at the knot that is [frozen](Self::freeze) by their momenta and the impulses of unilateral constraints,
    /// as joints let them through.
    pub(super) fn solve_joints(&mut self, pushing: &[Unilateral]) {
        self.loop_constraints.impulse.fill(0.0);
        self.push_at_knot(pushing);
        self.solve_knot();
        // Loop constraints are regularised; each pass starts from their last multipliers and shrinks what that leaves.
        let passes = if self.topology.is_tree() { 1 } else { PASSES };
        for _ in 1..passes {
            self.push_at_knot(pushing);
            self.loop_constraints
                .add_to(&self.topology, &mut self.links);
            self.solve_knot_again();
        }
    }

    /// Takes the momenta of the links and the impulses of unilateral constraints for wrenches on joints that are closed.
    fn push_at_knot(&mut self, pushing: &[Unilateral]) {
        for link in &mut self.links.links {
            link.rhs = link.target;
            link.lift = Spatial::default();
        }
        for unilateral in pushing {
            self.links.add_impulses(unilateral, |link| &mut link.rhs);
        }
    }

    /// Least mass-weighted motion that closes all joints to first order; returns the largest joint error, relative,
    /// before it, with its joint, and the number of rows that others imply.
    pub fn close(&mut self, model: &Model, state: &State, out: &mut Vec<Twist>) -> (Errors, usize) {
        self.place(&state.bodies, &Vec3::zeros());
        self.freeze(model, &state.bodies);
        let (worst, loop_constraint) =
            self.loop_constraints
                .open(model, &self.topology, &state.bodies, &state.angles);
        let mut errors = Errors {
            constraint: self.frozen.opening.0,
            joint: self
                .topology
                .joints
                .get(self.frozen.opening.1)
                .and_then(|t| t.map(|t| t.joint)),
            ..Errors::default()
        };
        if worst > errors.constraint {
            errors.constraint = worst;
            errors.joint = loop_joint(model, self.topology.loop_constraints[loop_constraint].kind);
        }
        for link in &mut self.links.links {
            link.rhs = Spatial::default();
        }
        self.fronts.count_redundant = true;
        self.solve_knot();
        self.fronts.count_redundant = false;
        self.write_motions(out);
        (errors, self.fronts.redundant)
    }

    /// Puts `z2` on `z1` and takes the loop constraint rows there, regularised as they are at first.
    pub(super) fn freeze(&mut self, model: &Model, bodies: &[BodyState]) {
        self.regularise(RHO);
        for link in &mut self.links.links {
            link.velocity = V4::ZERO;
            link.half_angle_sine = V4::ZERO;
            link.goes = 0;
        }
        self.put(None);
        self.frozen = self.advance(1.0);
        self.loop_constraints.freeze(model, &self.topology, bodies);
        self.loop_constraints
            .weigh(&self.topology, &self.links, 1.0);
    }

    /// Solves for the motions at the knot, which drives do not resist.
    fn solve_knot(&mut self) {
        let driven = std::mem::replace(&mut self.elimination.driven, false);
        let Self {
            fused,
            elimination,
            links,
            fronts,
            loop_constraints,
            topology,
            ..
        } = self;
        Self::factor(
            *fused,
            elimination,
            links,
            fronts,
            loop_constraints,
            topology,
            Mass::Knot,
        );
        self.unfold_knot();
        self.elimination.driven = driven;
    }

    /// The same for other wrenches on the links, where joints are closed.
    fn solve_knot_again(&mut self) {
        let driven = std::mem::replace(&mut self.elimination.driven, false);
        self.fronts.close();
        sweeps::repeat(
            self.fused,
            &mut self.elimination,
            &mut self.links,
            &mut self.fronts,
            &self.topology,
        );
        self.unfold_knot();
        self.elimination.driven = driven;
    }

    fn unfold_knot(&mut self) {
        sweeps::unfold(
            self.fused,
            &mut self.elimination,
            &mut self.links,
            &mut self.fronts,
        );
        self.loop_constraints.change(&self.fronts);
    }

    /// The motions that the last solve found, one per body.
    pub(super) fn write_motions(&self, out: &mut Vec<Twist>) {
        out.clear();
        out.resize(self.links.links.len(), Twist::default());
        for link in &self.links.links {
            out[link.body] = link.motion.twist();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::specimen::Numbers;
    use crate::solver::LinearSolver;
    use crate::solver::tests::mechanisms::{Recipe, mechanism, recipe};
    use proptest::prelude::*;

    proptest! {
        /// Velocities of momenta that no joint lets through, by one factorisation and by one for each pass: the same but for rounding, which
        /// the regularisation makes 1e8 times as large where constraints are redundant.
        #[test]
        fn passes_by_one_factorisation_are_those_by_their_own(recipe in recipe()) {
            let (model, mut state) = mechanism(&Recipe { loops: recipe.loops + 1, ..recipe });
            let mut numbers = Numbers(recipe.seed ^ 1);
            for body in &mut state.bodies {
                (body.momentum, body.angular_momentum) = (numbers.vector(), numbers.vector());
            }
            let mut solver = MechanismSolver::new(&model, LinearSolver::Articulated);
            let (mut once, mut each) = (Vec::new(), Vec::new());
            solver.project(&model, &state, &mut once);
            solver.place(&state.bodies, &Vec3::zeros());
            solver.freeze(&model, &state.bodies);
            for _ in 0..PASSES {
                solver.push_at_knot(&[]);
                solver.loop_constraints.add_to(&solver.topology, &mut solver.links);
                solver.solve_knot();
            }
            solver.write_motions(&mut each);
            let size = |v: &Twist| v.linear.amax().max(v.angular.amax());
            let largest = each.iter().map(size).fold(0.0, f64::max);
            for (once, each) in once.iter().zip(&each) {
                let apart = Twist {
                    linear: once.linear - each.linear,
                    angular: once.angular - each.angular,
                };
                prop_assert!(size(&apart) <= 1e-8 * largest, "{apart:?} of {largest}");
            }
        }
    }
}
