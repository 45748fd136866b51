//! Impulses of loop constraints: how they change, and what they leave in the state.

use super::super::fronts::Fronts;
use super::super::lines;
use super::super::links::Links;
use super::super::near::Poses;
use super::super::topology::{LoopConstraintKind, Topology};
use super::LoopConstraints;
use crate::joints::{self, Placement, Row};
use crate::linalg::proximal::KEPT;
use crate::model::{BodyState, Model, State};

/// Impulse of a loop constraint, over what its bodies handle, above which nothing is kept: rounding of it would be seen beside what they
/// handle.
const STRAINED: f64 = 1e4;

impl LoopConstraints {
    /// Sets out from the impulses of the forces of the last interval.
    pub fn warm(
        &mut self,
        model: &Model,
        topology: &Topology,
        links: &Links,
        state: &State,
        dt: f64,
    ) {
        for loop_constraint in &topology.loop_constraints {
            let own = loop_constraint.own_rows();
            let (impulse, weights) = (&mut self.impulse[own.clone()], &self.weights[own]);
            match loop_constraint.kind {
                LoopConstraintKind::Joint(j) => {
                    let joint = &model.joints[j];
                    let reaction = &state.reactions[j];
                    // The rows are orthonormal where the joint is closed.
                    let at = Placement::of(joint, &state.bodies);
                    let rows = joints::constraint_rows(joint.kind, &at);
                    for (impulse, row) in impulse.iter_mut().zip(rows) {
                        *impulse =
                            row.force.dot(&reaction.force) + row.torque.dot(&reaction.torque);
                    }
                }
                LoopConstraintKind::Coupling(k) => impulse[0] = state.coupling_forces[k],
                _ => impulse.fill(0.0),
            }
            for (impulse, weight) in impulse.iter_mut().zip(weights) {
                *impulse *= KEPT * dt / weight;
            }
            let handled = loop_constraint.supports.iter();
            let handled = handled.map(|&l| links.links[l].least.sqrt()).sum::<f64>();
            if impulse.iter().any(|x| x.abs() > STRAINED * handled) {
                impulse.fill(0.0);
            }
        }
    }

    /// Changes the impulses by what the last solve found.
    pub fn change(&mut self, fronts: &Fronts) {
        for (impulse, change) in self.impulse.iter_mut().zip(&fronts.change) {
            *impulse += change;
        }
    }

    /// Takes back part of the last change.
    pub fn backtrack(&mut self, fronts: &Fronts, fraction: f64) {
        for (impulse, change) in self.impulse.iter_mut().zip(&fronts.change) {
            *impulse -= fraction * change;
        }
    }

    /// Leaves the forces of joints and couplings, `over` times their impulses, in the state, which stands at the knot
    /// of the rows.
    pub fn reactions(&self, model: &Model, topology: &Topology, state: &mut State, over: f64) {
        for loop_constraint in &topology.loop_constraints {
            let own = loop_constraint.own_rows();
            let impulse = self.impulse[own.clone()].iter().zip(&self.weights[own]);
            let mut impulse = impulse.map(|(impulse, weight)| impulse * weight);
            match loop_constraint.kind {
                LoopConstraintKind::Joint(j) => {
                    let joint = &model.joints[j];
                    let at = Placement::of(joint, &state.bodies);
                    let mut sum = Row::default();
                    for (row, impulse) in joints::constraint_rows(joint.kind, &at).zip(impulse) {
                        sum.force += row.force * (impulse * over);
                        sum.torque += row.torque * (impulse * over);
                    }
                    state.reactions[j] = sum;
                }
                LoopConstraintKind::Coupling(k) => {
                    state.coupling_forces[k] = impulse.next().unwrap_or(0.0) * over;
                }
                _ => {}
            }
        }
    }

    /// Adds impulses at the second knot to the momenta there: as much as at the first of springs between points, `part`
    /// times that of their dampers.
    pub fn deposit(&self, model: &Model, topology: &Topology, bodies: &mut [BodyState], part: f64) {
        for loop_constraint in &topology.loop_constraints {
            let impulse = &self.impulse[loop_constraint.first_row..];
            match loop_constraint.kind {
                LoopConstraintKind::Damper(force) => {
                    for (body, six) in lines::damper(&model.forces[force], &Poses::of(bodies)) {
                        lines::push(bodies, body, &six, part * impulse[0]);
                    }
                }
                LoopConstraintKind::Line(force) => {
                    for (body, rows) in lines::spring(&model.forces[force], &Poses::of(bodies)) {
                        for (six, impulse) in rows.iter().zip(impulse) {
                            lines::push(bodies, body, six, *impulse);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
