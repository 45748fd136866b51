//! Values of rows at other poses than those at which they were taken, and the energy of what is held there.

use super::rows::{Group, Kind, Rows, held, laws};
use crate::forces::Line;
use crate::joints::{self, Placement, Stretch};
use crate::math::Vec3;
use crate::model::{BodyState, Compliance, Model};
use crate::solver::worse;

impl Rows {
    /// Values of the rows of a group at other poses; `None` where they have none. Angles are those to continue from.
    fn values(
        &self,
        group: &Group,
        model: &Model,
        bodies: &[BodyState],
        angles: &[[f64; 2]],
        out: &mut Vec<f64>,
    ) {
        out.clear();
        match group.kind {
            Kind::Joint(j) => {
                let joint = &model.joints[j];
                let at = Placement::of(joint, bodies);
                let mut g = [0.0; 6];
                joints::constraint(joint.kind, &at, &mut g);
                let count = joint.kind.constraints();
                out.extend_from_slice(&g[..count]);
                if group.rows.len() > count {
                    let q = joints::coordinates(joint.kind, &at, angles[j]);
                    out.extend(laws(joint).map(|k| q[k]));
                    let stretch = |s| Stretch::of(joint.kind, s, &at, angles[j]).value;
                    out.extend(joint.springs.iter().map(stretch));
                }
            }
            Kind::Coupling(c) => out.push(coupling_value(model, c, bodies, angles)),
            Kind::Line(f) => {
                let line = Line::about(&model.forces[f], bodies, &Vec3::zeros());
                out.push(line.map_or(0.0, |line| line.span.norm()));
            }
        }
    }

    /// Adds to the goals what is missing of the laws at the poses of `bodies`, which the impulses found led to in `h`
    /// (s). Returns the largest of what was missing (m/s, rad/s).
    pub fn follow(
        &mut self,
        model: &Model,
        bodies: &[BodyState],
        angles: &[[f64; 2]],
        h: f64,
        room: &mut Vec<f64>,
    ) -> f64 {
        let mut most: f64 = 0.0;
        for g in 0..self.groups.len() {
            let group = &self.groups[g];
            self.values(group, model, bodies, angles, room);
            let own = group.rows.clone();
            for (row, value) in self.rows[own].iter_mut().zip(room.iter()) {
                if row.is_followed {
                    let rate = (value - row.value) / h;
                    let missing = row.wanted - rate - row.compliance * row.impulse;
                    row.goal += missing;
                    most = worse(most, missing.abs());
                }
            }
        }
        most
    }

    /// Keeps the goals, or goes back to those kept.
    pub fn keep_goals(&self, out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.rows.iter().map(|row| row.goal));
    }

    /// Takes goals that were kept.
    pub fn take_goals(&mut self, from: &[f64]) {
        for (row, goal) in self.rows.iter_mut().zip(from) {
            row.goal = *goal;
        }
    }

    /// Energy that springs in the place of what is held have stored (J), where they are finite.
    pub fn stored(&self) -> f64 {
        self.rows
            .iter()
            .map(|row| energy(row.held, row.value))
            .sum()
    }

    /// Energy that dampers of what is held take over a step of `h` in which the row moves at `rates` (J).
    pub fn dissipated(&self, h: f64, rate: impl Fn(usize) -> f64) -> f64 {
        let rows = self.rows.iter().enumerate();
        let damped = rows.filter_map(|(k, row)| {
            let held = row.held.filter(|c| !c.is_rigid() && c.damping > 0.0)?;
            Some(held.damping * rate(k).powi(2) * h)
        });
        damped.sum()
    }
}

fn energy(held: Option<Compliance>, value: f64) -> f64 {
    match held {
        Some(own) if !own.is_rigid() => 0.5 * own.stiffness * value * value,
        _ => 0.0,
    }
}

/// Energy that springs in the place of what joints and couplings hold store at the poses of `bodies` (J).
pub fn stored_energy(model: &Model, bodies: &[BodyState], angles: &[[f64; 2]]) -> f64 {
    let mut sum = 0.0;
    for joint in &model.joints {
        if joint.compliance.iter().all(Compliance::is_rigid) {
            continue;
        }
        let mut g = [0.0; 6];
        joints::constraint(joint.kind, &Placement::of(joint, bodies), &mut g);
        for (k, value) in g[..joint.kind.constraints()].iter().enumerate() {
            sum += energy(Some(held(joint, k)), *value);
        }
    }
    let couplings = model.couplings.iter().enumerate();
    for (c, coupling) in couplings.filter(|(_, c)| !c.compliance.is_rigid()) {
        let value = coupling_value(model, c, bodies, angles);
        sum += energy(Some(coupling.compliance), value);
    }
    sum
}

/// How far a coupling is open.
pub(super) fn coupling_value(
    model: &Model,
    c: usize,
    bodies: &[BodyState],
    angles: &[[f64; 2]],
) -> f64 {
    let coupling = &model.couplings[c];
    let mut value = -coupling.offset;
    for term in &coupling.terms {
        let joint = &model.joints[term.joint.0];
        let at = Placement::of(joint, bodies);
        let q = joints::coordinates(joint.kind, &at, angles[term.joint.0]);
        value += term.factor * q[term.coordinate];
    }
    value
}
