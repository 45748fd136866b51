//! Problems at one knot, where `z2 = z1`: projecting velocities and closing joints.

use super::elimination::Mass;
use super::links::Spatial;
use super::{Errors, MechanismSolver, closure_joint, sweeps};
use crate::math::Vec3;
use crate::math::lanes::V4;
use crate::model::{BodyState, Model, State, Twist};

/// Passes of a projection through regularised closures: each shrinks what is left by [`RHO`](crate::linalg::proximal::RHO).
const PASSES: usize = 3;

impl MechanismSolver {
    /// Velocities at the knot: the momenta of `state`, less what the joints do not let through.
    ///
    /// `M w = p + G(z)ᵀ μ`, `G(z) w = 0`: the projection of the discrete Legendre transform.
    pub fn project(&mut self, model: &Model, state: &State, out: &mut Vec<Twist>) {
        self.place(&state.bodies, &Vec3::zeros());
        self.hold(model, &state.bodies);
        // Closures are regularised; each pass starts from their last multipliers and shrinks what that leaves.
        let passes = if self.topology.is_tree() { 1 } else { PASSES };
        for _ in 0..passes {
            for link in &mut self.links.links {
                link.rhs = link.target;
                link.lift = Spatial::default();
            }
            self.closures.add_to(&self.topology, &mut self.links);
            self.solve_knot();
        }
        self.write_motions(out);
    }

    /// Least mass-weighted motion that closes all joints to first order; returns the largest joint error, relative,
    /// before it, with its joint, and the number of rows that others imply.
    pub fn close(&mut self, model: &Model, state: &State, out: &mut Vec<Twist>) -> (Errors, usize) {
        self.place(&state.bodies, &Vec3::zeros());
        self.hold(model, &state.bodies);
        let (worst, closure) =
            self.closures
                .open(model, &self.topology, &state.bodies, &state.angles);
        let mut errors = Errors {
            constraint: self.held.opening.0,
            joint: self
                .topology
                .joints
                .get(self.held.opening.1)
                .and_then(|t| t.map(|t| t.joint)),
            ..Errors::default()
        };
        if worst > errors.constraint {
            errors.constraint = worst;
            errors.joint = closure_joint(model, self.topology.closures[closure].kind);
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

    /// Puts `z2` on `z1` and takes the closure rows there.
    pub(super) fn hold(&mut self, model: &Model, bodies: &[BodyState]) {
        for link in &mut self.links.links {
            link.velocity = V4::ZERO;
            link.half_turn = V4::ZERO;
            link.goes = 0;
        }
        self.unload();
        self.held = self.advance(1.0);
        self.closures.hold(model, &self.topology, bodies);
        self.closures.weigh(&self.topology, &self.links, 1.0);
    }

    /// Solves for the motions at the knot, which drives do not resist.
    fn solve_knot(&mut self) {
        let driven = std::mem::replace(&mut self.elimination.driven, false);
        let Self {
            fused,
            elimination,
            links,
            fronts,
            closures,
            topology,
            ..
        } = self;
        Self::factor(
            *fused,
            elimination,
            links,
            fronts,
            closures,
            topology,
            Mass::Knot,
        );
        sweeps::unfold(*fused, elimination, links, fronts);
        self.closures.change(&self.fronts);
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
