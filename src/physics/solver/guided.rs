//! Loops and unilateral constraints of an interval whose motion is found elsewhere, by a method in joint coordinates.
//!
//! The mechanism is [begun](MechanismSolver::begin) as ever, but its links are [moved](MechanismSolver::guide) by what
//! that method says: it gets the impulses of all rows that no tree of joints holds, their errors and their gradients, and
//! changes the impulses itself.

use super::links::Spatial;
use super::{MechanismSolver, StepContext, loop_joint};
use crate::forces::Wrench;
use crate::math::lanes::V4;
use crate::math::{Quat, Vec3};
use crate::model::{Model, State};

/// One row of a loop joint or of a coupling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RigidRow {
    /// The loop constraint, by its place in the topology.
    pub constraint: usize,
    /// Its row.
    pub row: usize,
    /// Index among all loop constraint rows.
    pub index: usize,
}

fn wrench([fx, fy, fz, tx, ty, tz]: [f64; 6]) -> Wrench {
    Wrench {
        force: Vec3::new(fx, fy, fz),
        torque: Vec3::new(tx, ty, tz),
    }
}

impl MechanismSolver {
    /// All rows that hold loops and couplings.
    pub fn rigid_rows(&self) -> impl Iterator<Item = RigidRow> {
        let constraints = self.topology.loop_constraints.iter().enumerate();
        let rigid = constraints.filter(|(_, c)| !c.is_explicit());
        rigid.flat_map(|(constraint, c)| {
            (0..c.rows).map(move |row| RigidRow {
                constraint,
                row,
                index: c.first_row + row,
            })
        })
    }

    /// Links that a rigid row touches, with the wrench of its unit impulse at the first knot and its gradient with respect
    /// to the motion of the link at the second.
    pub fn supports(&self, at: RigidRow) -> impl Iterator<Item = (usize, Wrench, Wrench)> {
        let supports = &self.topology.loop_constraints[at.constraint].supports;
        supports.iter().enumerate().map(move |(n, &link)| {
            let loops = &self.loop_constraints;
            let (push, gradient) = loops.support(&self.topology, at.constraint, n, at.row);
            (link, wrench(push), wrench(gradient))
        })
    }

    /// What a rigid row is to change by, and the mobility that it would have were all bodies free.
    pub fn asked(&self, at: RigidRow) -> (f64, f64) {
        let row = &self.loop_constraints.rows[at.index];
        (row.gamma, row.free)
    }

    /// Impulses of all loop constraint rows.
    pub fn loop_impulses(&mut self) -> &mut [f64] {
        &mut self.loop_constraints.impulse
    }

    /// Moves every link by the shift of its centre of mass (m) and the turn that `motion` says, and evaluates all rows
    /// there. Returns the largest error of loops, relative, and its joint.
    pub fn guide(
        &mut self,
        context: &StepContext,
        motion: impl Fn(usize) -> (Vec3, Quat),
    ) -> (f64, Option<usize>) {
        let StepContext {
            model,
            state,
            interval,
            ..
        } = *context;
        let over = 1.0 / interval.dt;
        for (i, link) in self.links.links.iter_mut().enumerate() {
            let (shift, turn) = motion(i);
            link.velocity = V4::from3(&(shift * over));
            link.half_angle_sine = V4::from3(&turn.imag());
            link.centre2 = V4::from3(&(link.centre1.to3() + shift));
            link.rhs = Spatial::default();
        }
        if self.is_plain() {
            return (0.0, None);
        }
        self.write_next(state);
        self.near.advance(&self.links, &self.next, interval.dt);
        let (worst, constraint) = self.loop_constraints.evaluate(
            model,
            &self.topology,
            &self.near.second(),
            &state.angles,
            &mut self.drives,
            interval,
        );
        self.loop_constraints
            .add_to(&self.topology, &mut self.links);
        self.advance_unilaterals(context);
        let constraints = self.topology.loop_constraints.get(constraint);
        (worst, constraints.and_then(|c| loop_joint(model, c.kind)))
    }

    /// Takes the angular momentum with which a link leaves the first knot [kg·m²/s]: what an impulse does to the energy of a
    /// body that nothing but contact turns is judged by it.
    pub fn spin(&mut self, link: usize, angular_momentum: &Vec3) {
        self.links.links[link].angular_momentum = V4::from3(angular_momentum);
    }

    /// Impulse of all rows on a link about its centre of mass at the first knot, as [`guide`](Self::guide) left it.
    pub fn pushed(&self, link: usize) -> Wrench {
        let Spatial { linear, angular } = &self.links.links[link].rhs;
        Wrench {
            force: linear.to3(),
            torque: angular.to3(),
        }
    }

    /// Leaves the forces of loop joints and couplings in the state, which stands at the first knot.
    pub fn leave_loop_forces(&self, model: &Model, state: &mut State, dt: f64) {
        self.loop_constraints
            .reactions(model, &self.topology, state, 1.0 / dt);
    }
}
