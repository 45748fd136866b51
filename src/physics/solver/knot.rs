//! Problems at one knot, where `z2 = z1`: projecting velocities and closing joints.

use super::elimination::Mass;
use super::links::Spatial;
use super::{Errors, MechanismSolver, loop_joint, sweeps};
use crate::math::Vec3;
use crate::math::lanes::V4;
use crate::model::{BodyState, Model, State, Twist};

/// Passes of a projection through regularised loop constraints: each shrinks what is left by
/// [`RHO`](crate::linalg::proximal::RHO).
const PASSES: usize = 3;

impl MechanismSolver {
    /// Velocities at the knot: the momenta of `state`, less what the joints do not let through.
    ///
    /// `M w = p + G(z)ᵀ μ`, `G(z) w = 0`: the projection of the discrete Legendre transform.
    pub fn project(&mut self, model: &Model, state: &State, out: &mut Vec<Twist>) {
        self.place(&state.bodies, &Vec3::zeros());
        self.freeze(model, &state.bodies);
        // Loop constraints are regularised; each pass starts from their last multipliers and shrinks what that leaves.
        let passes = if self.topology.is_tree() { 1 } else { PASSES };
        for _ in 0..passes {
            for link in &mut self.links.links {
                link.rhs = link.target;
                link.lift = Spatial::default();
            }
            self.loop_constraints
                .add_to(&self.topology, &mut self.links);
            self.solve_knot();
        }
        self.write_motions(out);
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

    /// Puts `z2` on `z1` and takes the loop constraint rows there.
    pub(super) fn freeze(&mut self, model: &Model, bodies: &[BodyState]) {
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
        sweeps::unfold(*fused, elimination, links, fronts);
        self.loop_constraints.change(&self.fronts);
        self.elimination.driven = driven;
    }

    /// The motions that the last solve found, one per body.
    pub(super) fn write_motions(&self, out: &mut Vec<Twist>) {
        out.clear();
        out.resize(self.links.links.len(), Twist::default());
        for link in &self.links.links {
            out[link.body] = Twist {
                linear: link.motion.linear.to3(),
                angular: link.motion.angular.to3(),
            };
        }
    }
}
