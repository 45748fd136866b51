//! Rows of the loop constraints at both ends of an interval.

mod impulses;

use super::drives::{Drive, Interval, Place};
use super::fronts::{LoopRow, Six};
use super::lines;
use super::links::{Links, Spatial};
use super::near::Poses;
use super::scale::Scale;
use super::topology::{LoopConstraint, LoopConstraintKind, Topology};
use crate::forces;
use crate::joints::{self, Placement, Row, row_on};
use crate::math::lanes::V4;
use crate::math::{Mat3, Vec3};
use crate::model::{BodyId, BodyState, Force, Joint, Model};

/// Wrenches, gradients, residuals and multipliers of all loop constraint rows.
#[derive(Debug, Clone, Default)]
pub struct LoopConstraints {
    /// Where the supports of each loop constraint begin in `h` and `k`.
    base: Vec<usize>,
    /// Wrench on a support per unit multiplier, at `z1`.
    h: Vec<Six>,
    /// Gradient with respect to the motion of a support, at `z2`.
    k: Vec<Six>,
    /// Right-hand sides and diagonals.
    pub rows: Vec<LoopRow>,
    /// Impulses of the rows (N·s, N·m·s).
    pub impulse: Vec<f64>,
    /// Line of each damper or spring between points at `z1` (m), by loop constraint.
    span: Vec<Vec3>,
    /// What makes the value of each row a length: angles count at the length of their joint. So all rows of a block
    /// have one unit, and its regularisation has one size.
    weights: Vec<f64>,
    /// Length with which the values of each loop constraint are compared (m).
    sizes: Vec<f64>,
}

impl LoopConstraints {
    /// Room for a topology.
    pub fn new(model: &Model, topology: &Topology, scale: &Scale) -> Self {
        let mut base = Vec::new();
        let mut total = 0;
        for loop_constraint in &topology.loop_constraints {
            base.push(total);
            total += loop_constraint.supports.len() * loop_constraint.rows;
        }
        Self {
            base,
            h: vec![[0.0; 6]; total],
            k: vec![[0.0; 6]; total],
            rows: vec![LoopRow::default(); topology.loop_rows],
            impulse: vec![0.0; topology.loop_rows],
            span: vec![Vec3::zeros(); topology.loop_constraints.len()],
            weights: topology
                .loop_constraints
                .iter()
                .flat_map(|c| (0..c.rows).map(|r| scale.row(model, c.kind, r)))
                .collect(),
            sizes: topology
                .loop_constraints
                .iter()
                .map(|c| scale.size(c.kind))
                .collect(),
        }
    }

    /// `(H, K)` of one row of one support.
    pub fn support(
        &self,
        topology: &Topology,
        loop_constraint: usize,
        support: usize,
        row: usize,
    ) -> (Six, Six) {
        let at = self.base[loop_constraint]
            + support * topology.loop_constraints[loop_constraint].rows
            + row;
        (self.h[at], self.k[at])
    }

    /// Takes the first knot.
    pub fn begin(&mut self, model: &Model, topology: &Topology, drives: &[Drive], first: &Poses) {
        self.write_rows(model, topology, drives, first, false);
        for (c, loop_constraint) in topology.loop_constraints.iter().enumerate() {
            if let LoopConstraintKind::Damper(force) | LoopConstraintKind::Line(force) =
                loop_constraint.kind
            {
                self.span[c] = lines::span(&model.forces[force], first);
            }
        }
    }

    /// Takes both knots at the same poses, for velocities: rigid rows hold, the others are left out.
    pub fn freeze(&mut self, model: &Model, topology: &Topology, bodies: &[BodyState]) {
        self.write_rows(model, topology, &[], &Poses::of(bodies), false);
        self.k.copy_from_slice(&self.h);
        self.impulse.fill(0.0);
        for (c, loop_constraint) in topology.loop_constraints.iter().enumerate() {
            let rigid = matches!(
                loop_constraint.kind,
                LoopConstraintKind::Joint(_) | LoopConstraintKind::Coupling(_)
            );
            let own = loop_constraint.own_rows();
            for row in &mut self.rows[own] {
                row.gamma = 0.0;
                row.diagonal = if rigid { 0.0 } else { 1.0 };
            }
            if !rigid {
                let supports = self.base[c]
                    ..self.base[c] + loop_constraint.supports.len() * loop_constraint.rows;
                self.k[supports].fill([0.0; 6]);
            }
        }
    }

    /// Takes the mobility that every row would have were all bodies free, times `dt`, with the wrenches and
    /// inertias at the first knot.
    pub fn weigh(&mut self, topology: &Topology, links: &Links, dt: f64) {
        for (c, loop_constraint) in topology.loop_constraints.iter().enumerate() {
            let own = loop_constraint.own_rows();
            self.rows[own].iter_mut().for_each(|row| row.free = 0.0);
            for (s, &link) in loop_constraint.supports.iter().enumerate() {
                let link = &links.links[link];
                let [x, y, z] = link.inertia.map(|column| column.to3());
                // Rows of the inverse: the inertia is symmetric and positive definite.
                let inverse = [y.cross(&z), z.cross(&x), x.cross(&y)];
                let volume = x.dot(&inverse[0]);
                for r in 0..loop_constraint.rows {
                    let h = &self.h[self.base[c] + s * loop_constraint.rows + r];
                    let (force, torque) =
                        (Vec3::new(h[0], h[1], h[2]), Vec3::new(h[3], h[4], h[5]));
                    let turned = inverse.map(|row| row.dot(&torque) / volume);
                    let mobility =
                        force.norm_squared() / link.mass + torque.dot(&Vec3::from(turned));
                    self.rows[loop_constraint.first_row + r].free += dt * mobility;
                }
            }
        }
    }

    /// After [`freeze`](Self::freeze): how far the rigid rows are open. Returns the largest error, relative, and its
    /// loop constraint.
    pub fn open(
        &mut self,
        model: &Model,
        topology: &Topology,
        bodies: &[BodyState],
        angles: &[[f64; 2]],
    ) -> (f64, usize) {
        let mut worst = (0.0, 0);
        for (c, loop_constraint) in topology.loop_constraints.iter().enumerate() {
            let size = self.sizes[c];
            self.rigid_values(
                model,
                loop_constraint,
                &Poses::of(bodies),
                angles,
                |rows, r, g| {
                    rows[r].gamma = -g;
                    raise(&mut worst, g.abs() / size, c);
                },
            );
        }
        worst
    }

    /// Calls `put(rows, row, value)` for every constraint value of a rigid loop constraint, as a length (m).
    fn rigid_values(
        &mut self,
        model: &Model,
        loop_constraint: &LoopConstraint,
        poses: &Poses,
        angles: &[[f64; 2]],
        mut put: impl FnMut(&mut [LoopRow], usize, f64),
    ) {
        let first = loop_constraint.first_row;
        match loop_constraint.kind {
            LoopConstraintKind::Joint(j) => {
                let joint = &model.joints[j];
                let mut g = [0.0; 6];
                joints::constraint(joint.kind, &placement(joint, poses), &mut g);
                for (r, g) in g[..loop_constraint.rows].iter().enumerate() {
                    put(&mut self.rows, first + r, *g * self.weights[first + r]);
                }
            }
            LoopConstraintKind::Coupling(k) => {
                let value = coupling_at(model, k, poses, angles);
                put(&mut self.rows, first, value * self.weights[first]);
            }
            _ => {}
        }
    }

    /// Evaluates all rows at the second knot. Returns the largest error of the rigid ones, relative, and its loop
    /// constraint.
    pub fn evaluate(
        &mut self,
        model: &Model,
        topology: &Topology,
        next: &Poses,
        angles: &[[f64; 2]],
        drives: &mut [Drive],
        interval: &Interval,
    ) -> (f64, usize) {
        self.write_rows(model, topology, drives, next, true);
        let mut worst = (0.0, 0);
        for (c, loop_constraint) in topology.loop_constraints.iter().enumerate() {
            match loop_constraint.kind {
                LoopConstraintKind::Joint(_) | LoopConstraintKind::Coupling(_) => {
                    let size = self.sizes[c];
                    self.rigid_values(model, loop_constraint, next, angles, |rows, r, g| {
                        rows[r].gamma = -g;
                        rows[r].diagonal = 0.0;
                        raise(&mut worst, g.abs() / size, c);
                    });
                }
                LoopConstraintKind::Damper(force) => {
                    let Force::Spring { damping, .. } = &model.forces[force] else {
                        continue;
                    };
                    let slope = interval.share * damping;
                    let travel =
                        lines::span(&model.forces[force], next).norm() - self.span[c].norm();
                    self.explicit_row(topology, c, slope, -slope * travel);
                }
                LoopConstraintKind::Line(force) => {
                    let Force::Spring {
                        stiffness, rest, ..
                    } = &model.forces[force]
                    else {
                        continue;
                    };
                    // The spring acts over the mean of both lines, half of its impulse at each knot.
                    let mean = 0.5 * (self.span[c] + lines::span(&model.forces[force], next));
                    let (tension, by_line) = forces::line_tension(*stiffness, *rest, &mean);
                    let half = 0.5 * interval.dt;
                    self.explicit_rows(topology, c, &(by_line * (0.5 * half)), &(tension * -half));
                }
                LoopConstraintKind::Law { joint, .. }
                | LoopConstraintKind::Spring { joint, .. } => {
                    let Some(drive) = drives
                        .iter_mut()
                        .find(|d| d.place == Place::LoopConstraint(c))
                    else {
                        continue;
                    };
                    let joint_data = &model.joints[joint];
                    let at = placement(joint_data, next);
                    drive.impulse = self.impulse[topology.loop_constraints[c].first_row];
                    drive.evaluate(joint_data, &at, angles[joint], interval);
                    self.explicit_row(topology, c, drive.slope, drive.asked);
                }
            }
        }
        worst
    }

    /// A row that gives its own multiplier: `Λ = impulse`, which changes by `-slope` with the row's motion.
    fn explicit_row(&mut self, topology: &Topology, c: usize, slope: f64, impulse: f64) {
        let loop_constraint = &topology.loop_constraints[c];
        for s in 0..loop_constraint.supports.len() {
            self.k[self.base[c] + s]
                .iter_mut()
                .for_each(|x| *x *= slope);
        }
        let row = &mut self.rows[loop_constraint.first_row];
        row.gamma = impulse - self.impulse[loop_constraint.first_row];
        row.slope = slope;
        row.diagonal = 1.0;
    }

    /// The same with three rows, whose multipliers change together.
    fn explicit_rows(&mut self, topology: &Topology, c: usize, slope: &Mat3, impulse: &Vec3) {
        let loop_constraint = &topology.loop_constraints[c];
        for s in 0..loop_constraint.supports.len() {
            let first = self.base[c] + 3 * s;
            let k: [Six; 3] = std::array::from_fn(|r| self.k[first + r]);
            for r in 0..3 {
                self.k[first + r] =
                    std::array::from_fn(|n| (0..3).map(|q| slope[(r, q)] * k[q][n]).sum());
            }
        }
        for r in 0..3 {
            let row = &mut self.rows[loop_constraint.first_row + r];
            row.gamma = impulse[r] - self.impulse[loop_constraint.first_row + r];
            row.slope = slope[(r, r)];
            row.diagonal = 1.0;
        }
    }

    /// Adds the impulses of the loop constraints to the links' imbalance.
    pub fn add_to(&self, topology: &Topology, links: &mut Links) {
        for (c, loop_constraint) in topology.loop_constraints.iter().enumerate() {
            for (s, &link) in loop_constraint.supports.iter().enumerate() {
                let rhs = &mut links.links[link].rhs;
                for r in 0..loop_constraint.rows {
                    let h = &self.h[self.base[c] + s * loop_constraint.rows + r];
                    accumulate(rhs, h, self.impulse[loop_constraint.first_row + r]);
                }
            }
        }
    }

    fn write_rows(
        &mut self,
        model: &Model,
        topology: &Topology,
        drives: &[Drive],
        poses: &Poses,
        second: bool,
    ) {
        let Self {
            base,
            h,
            k,
            weights,
            ..
        } = self;
        let out = if second { k } else { h };
        out.fill([0.0; 6]);
        for (c, loop_constraint) in topology.loop_constraints.iter().enumerate() {
            let mut put = |body: Option<BodyId>, r: usize, factor: f64, six: Six| {
                let Some(body) = body else { return };
                let link = topology.links[body.0];
                // Every body of a loop constraint's joints is among its supports.
                let Some(s) = loop_constraint.supports.iter().position(|&l| l == link) else {
                    return;
                };
                let slot = &mut out[base[c] + s * loop_constraint.rows + r];
                slot.iter_mut().zip(six).for_each(|(x, y)| *x += factor * y);
            };
            let mut put_joint = |j: usize, r: usize, factor: f64, at: &Placement, row: &Row| {
                let joint = &model.joints[j];
                put(Some(joint.child), r, factor, row_on(row, at, true));
                put(joint.parent, r, factor, row_on(row, at, false));
            };
            match loop_constraint.kind {
                LoopConstraintKind::Joint(j) => {
                    let at = placement(&model.joints[j], poses);
                    for (r, row) in joints::constraint_rows(model.joints[j].kind, &at).enumerate() {
                        put_joint(j, r, weights[loop_constraint.first_row + r], &at, &row);
                    }
                }
                LoopConstraintKind::Law { joint, coordinate } => {
                    let at = placement(&model.joints[joint], poses);
                    let row = joints::rate_row(model.joints[joint].kind, &at, coordinate);
                    put_joint(joint, 0, 1.0, &at, &row);
                }
                LoopConstraintKind::Spring { joint, .. } => {
                    if let Some(drive) = drive_of(drives, c) {
                        let at = placement(&model.joints[joint], poses);
                        let row = drive.row_at(&model.joints[joint], &at);
                        put_joint(joint, 0, 1.0, &at, &row);
                    }
                }
                LoopConstraintKind::Coupling(index) => {
                    for term in &model.couplings[index].terms {
                        let joint = &model.joints[term.joint.0];
                        let at = placement(joint, poses);
                        let row = joints::coordinate_row(joint.kind, &at, term.coordinate);
                        let factor = term.factor * weights[loop_constraint.first_row];
                        put_joint(term.joint.0, 0, factor, &at, &row);
                    }
                }
                LoopConstraintKind::Damper(force) => {
                    for (body, six) in lines::damper(&model.forces[force], poses) {
                        put(body, 0, 1.0, six);
                    }
                }
                LoopConstraintKind::Line(force) => {
                    for (body, rows) in lines::spring(&model.forces[force], poses) {
                        for (r, six) in rows.into_iter().enumerate() {
                            put(body, r, 1.0, six);
                        }
                    }
                }
            }
        }
    }
}

/// What a coupling's left side exceeds its offset by.
pub fn coupling_value(
    model: &Model,
    coupling: usize,
    bodies: &[BodyState],
    angles: &[[f64; 2]],
) -> f64 {
    coupling_at(model, coupling, &Poses::of(bodies), angles)
}

fn coupling_at(model: &Model, coupling: usize, poses: &Poses, angles: &[[f64; 2]]) -> f64 {
    let coupling = &model.couplings[coupling];
    let sum: f64 = coupling
        .terms
        .iter()
        .map(|t| {
            let joint = &model.joints[t.joint.0];
            let at = placement(joint, poses);
            t.factor * joints::coordinates(joint.kind, &at, angles[t.joint.0])[t.coordinate]
        })
        .sum();
    sum - coupling.offset
}

/// The drive that evaluates a loop constraint.
fn drive_of(drives: &[Drive], c: usize) -> Option<&Drive> {
    drives.iter().find(|d| d.place == Place::LoopConstraint(c))
}

fn placement(joint: &Joint, poses: &Poses) -> Placement {
    Placement::about(joint, poses.bodies, &poses.origin)
}

fn raise(worst: &mut (f64, usize), value: f64, index: usize) {
    if value > worst.0 || value.is_nan() {
        *worst = (value, index);
    }
}

/// Adds `six · factor` to a wrench.
pub fn accumulate(to: &mut Spatial, six: &Six, factor: f64) {
    let V4(linear) = &mut to.linear;
    let V4(angular) = &mut to.angular;
    for k in 0..3 {
        linear[k] += six[k] * factor;
        angular[k] += six[3 + k] * factor;
    }
}
