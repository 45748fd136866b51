//! What lengths, speeds and impulses of a mechanism are large or small against.
//!
//! Nothing here or in the methods knows a length in metres, a mass in kilograms or a speed in metres per second: every
//! tolerance is a ratio to one of these, so that a mechanism of a tenth of a millimetre and one of ten kilometres make
//! the same motion. The weights are those of each body by itself, not of one norm of all, so that a violent part
//! loosens nothing elsewhere:
//!
//! | what | relative to |
//! |---|---|
//! | unbalanced impulse on a free coordinate of a link | the impulse that the link handles: what gravity gives it in the step, what its joint passes on, and a [part](MOMENTUM) of its momentum; torques over the link's length |
//! | gap of a joint | the length of the joint: the longest of radius of gyration and arm, taken together, of the bodies it joins |
//! | angle of a joint | one radian |
//! | value of a coupling | the largest of its factors, those of lengths times the length of their joint |
//! | gap of a contact point | the radius of the smaller body |
//! | velocity of a contact point, a limit or a cable | the [speed](Scale::speed) of the step |
//!
//! Positions are known to their rounding only: no gap counts that is below the [grain](Scale::grain).

use super::drives::Place;
use super::links::Link;
use super::topology::{LoopConstraintKind, Topology, WORLD};
use super::{MechanismSolver, Unilateral};
use crate::joints::{self, Placement};
use crate::model::{Body, BodyId, BodyState, Coupling, Joint, JointKind, Model};

/// Part of a body's momentum that is handled in a step whatever acts: what flies or spins freely has no other measure.
/// At the tightest tolerance, 1e-12, it leaves 1e-14 of the momentum, some fifty times its rounding.
const MOMENTUM: f64 = 1e-2;

/// Part of its length that a body at rest without gravity is taken to move in a step: far more than the rounding of its
/// place, and less than can be seen in a thousand steps.
const STILL: f64 = 1e-6;

/// Rounding of a position over its size: some operations make it.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Rounding of an interval relative to the momenta that it handles.
const HANDLING: f64 = 1e-13;

/// Lengths of a mechanism, and what its present interval handles.
#[derive(Debug, Clone, Default)]
pub struct Scale {
    /// Radius of the ball about each centre of mass that holds the body's shapes (m); of gyration without any.
    reaches: Vec<f64>,
    joints: Vec<f64>,
    /// By coupling: its largest factor, those of lengths times the length of their joint, and the longest joint (m).
    couplings: Vec<(f64, f64)>,
    /// What makes the impulse of each loop constraint that gives it explicitly a linear one: 1, or a length (m).
    levers: Vec<f64>,
    /// Smallest length of a joint (m).
    shortest: f64,
    /// Largest speed that a body handles in the interval [m/s]: what gravity gives it, and a part of what it has,
    /// turning at the radius of gyration. At rest it is that of a resting contact's impulse.
    pub speed: f64,
    /// Rounding of the positions (m).
    pub grain: f64,
}

/// Length of a joint (m).
fn joint_length(model: &Model, joint: &Joint) -> f64 {
    let side = |body: BodyId, anchor: f64| model.bodies[body.0].gyration().hypot(anchor);
    let child = side(joint.child, joint.child_frame.anchor.norm());
    // An anchor of the world says where the world's origin is, not how large anything is.
    let parent = joint
        .parent
        .map(|p| side(p, joint.parent_frame.anchor.norm()));
    parent.map_or(child, |p| p.max(child))
}

/// Whether a coordinate is a length, not an angle.
fn is_length(kind: JointKind, coordinate: usize) -> bool {
    coordinate < kind.free_translations()
}

fn lever(joints: &[f64], joint: usize, kind: JointKind, coordinate: usize) -> f64 {
    if is_length(kind, coordinate) {
        1.0
    } else {
        joints[joint]
    }
}

impl Scale {
    /// Lengths of a model.
    pub fn new(model: &Model, topology: &Topology) -> Self {
        let reach = |body: &Body| {
            let reaches = body
                .shapes
                .iter()
                .map(|s| s.pose.translation.vector.norm() + s.geometry.reach());
            let radius = reaches.fold(0.0, f64::max);
            if radius > 0.0 && radius.is_finite() {
                radius
            } else {
                body.gyration()
            }
        };
        let joints: Vec<f64> = model
            .joints
            .iter()
            .map(|joint| joint_length(model, joint))
            .collect();
        let coupling = |coupling: &Coupling| {
            let sizes = coupling.terms.iter().map(|t| {
                let kind = model.joints[t.joint.0].kind;
                let length = if is_length(kind, t.coordinate) {
                    joints[t.joint.0]
                } else {
                    1.0
                };
                t.factor.abs() * length
            });
            let lengths = coupling.terms.iter().map(|t| joints[t.joint.0]);
            (sizes.fold(0.0, f64::max), lengths.fold(0.0, f64::max))
        };
        let levers = topology
            .loop_constraints
            .iter()
            .map(|loop_constraint| match loop_constraint.kind {
                LoopConstraintKind::Law { joint, coordinate } => {
                    lever(&joints, joint, model.joints[joint].kind, coordinate)
                }
                LoopConstraintKind::Spring { joint, spring } => {
                    let joint_data = &model.joints[joint];
                    let coordinate = joint_data.springs[spring].coordinate;
                    lever(&joints, joint, joint_data.kind, coordinate)
                }
                _ => 1.0,
            });
        Self {
            levers: levers.collect(),
            reaches: model.bodies.iter().map(reach).collect(),
            couplings: model.couplings.iter().map(coupling).collect(),
            shortest: joints.iter().copied().fold(f64::INFINITY, f64::min),
            joints,
            speed: 0.0,
            grain: 0.0,
        }
    }

    /// Length of a joint (m).
    pub fn joint(&self, joint: usize) -> f64 {
        self.joints[joint]
    }

    /// Largest error of a joint, relative to its length or in radians.
    pub fn worst_joint(&self, model: &Model, bodies: &[BodyState]) -> f64 {
        let mut worst = 0.0;
        for (k, joint) in model.joints.iter().enumerate() {
            let mut g = [0.0; 6];
            joints::constraint(joint.kind, &Placement::of(joint, bodies), &mut g);
            let gaps = joint.kind.constrained_translations();
            for (r, g) in g.iter().enumerate() {
                let size = if r < gaps { self.joint(k) } else { 1.0 };
                worst = worse(worst, g.abs() / size);
            }
        }
        worst
    }

    /// What makes the value of a row of a loop constraint a length: 1, or a length (m) for an angle. Rows that give
    /// their own multiplier keep their unit.
    pub fn row(&self, model: &Model, kind: LoopConstraintKind, row: usize) -> f64 {
        match kind {
            LoopConstraintKind::Joint(j)
                if row >= model.joints[j].kind.constrained_translations() =>
            {
                self.joints[j]
            }
            LoopConstraintKind::Coupling(k) if self.couplings[k].0 > 0.0 => {
                self.couplings[k].1 / self.couplings[k].0
            }
            _ => 1.0,
        }
    }

    /// Length with which the values of a loop constraint are compared (m).
    pub fn size(&self, kind: LoopConstraintKind) -> f64 {
        match kind {
            LoopConstraintKind::Joint(j)
            | LoopConstraintKind::Law { joint: j, .. }
            | LoopConstraintKind::Spring { joint: j, .. } => self.joints[j],
            LoopConstraintKind::Coupling(k) => self.couplings[k].1,
            LoopConstraintKind::Damper(_) | LoopConstraintKind::Line(_) => 1.0,
        }
    }

    /// What makes a joint coordinate a length (m): 1, or the length of the joint for an angle.
    pub fn lever(&self, joint: usize, kind: JointKind, coordinate: usize) -> f64 {
        lever(&self.joints, joint, kind, coordinate)
    }

    /// Radius of the smaller of the bodies (m); infinite where there is none.
    pub fn smaller(&self, bodies: [Option<BodyId>; 2]) -> f64 {
        let radii = bodies.iter().flatten().map(|b| self.reaches[b.0]);
        radii.fold(f64::INFINITY, f64::min)
    }

    /// Gap that is nothing (m): a part of a length, and what rounding makes.
    pub fn gap(&self, part: f64, length: f64) -> f64 {
        part * length + self.grain
    }

    /// Joint errors that are rounding of positions, relative to the shortest joint.
    pub fn opening_grain(&self) -> f64 {
        if self.shortest.is_finite() {
            self.grain / self.shortest
        } else {
            0.0
        }
    }
}

impl MechanismSolver {
    /// Lengths of the mechanism and what the interval handles.
    pub fn scale(&self) -> &Scale {
        &self.scale
    }

    /// Weighs what the interval handles, from the places and momenta of the links.
    pub(super) fn weigh(&mut self, model: &Model, dt: f64) {
        // Before the first interval nothing moves yet.
        let dt = dt.abs();
        let over = if dt > 0.0 { 1.0 / dt } else { 0.0 };
        let fall = (model.gravity.norm() * dt).powi(2);
        let (mut fastest, mut farthest) = (0.0_f64, 0.0_f64);
        for link in &mut self.links.links {
            let rest = fall + (STILL * link.gyration * over).powi(2);
            let (p, l) = (&link.target.linear.0, &link.target.angular.0);
            let squared = |v: &[f64; 4]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            let momentum = squared(p) + squared(l) / link.gyration.powi(2);
            link.least = rest * link.mass.powi(2) + MOMENTUM * MOMENTUM * momentum;
            fastest = fastest.max(link.least / link.mass.powi(2));
            let [x, y, z, _] = link.centre1.0.map(f64::abs);
            let reach = self.scale.reaches[link.body];
            farthest = farthest.max(x.max(y).max(z) + reach);
        }
        self.scale.speed = fastest.sqrt();
        self.scale.grain = ROUNDING * farthest;
    }

    /// Sum of the momenta handled (N·s), torques over lengths: rounding errors are relative to it.
    pub fn handled(&self) -> f64 {
        self.links.links.iter().map(handled).sum()
    }

    /// Imbalance that is rounding of the momenta handled (N·s).
    pub fn momentum_grain(&self) -> f64 {
        HANDLING * self.handled()
    }

    /// What the interval handles, and of each link no less than what it handles at rest, which is never nothing.
    pub fn handled_at_least(&self) -> f64 {
        self.links.links.iter().map(handled_at_least).sum()
    }

    /// The same of the bodies of a unilateral constraint.
    pub fn handled_by(&self, unilateral: &Unilateral) -> f64 {
        let links = unilateral.links.iter().filter(|link| **link != WORLD);
        links
            .map(|link| handled_at_least(&self.links.links[*link]))
            .sum()
    }

    /// Largest imbalance of the loop constraints that give their own multiplier (dampers, drives), relative to what
    /// they and the bodies they act on handle, and as an impulse (N·s).
    pub(super) fn explicit_error(&self, model: &Model) -> (f64, f64) {
        let mut worst = (0.0_f64, 0.0_f64);
        let mut take = |error: f64, impulse: f64, least: f64| {
            if error != 0.0 {
                worst.0 = worse(worst.0, error / (least + impulse * impulse).sqrt());
                worst.1 = worse(worst.1, error);
            }
        };
        for (loop_constraint, lever) in self
            .topology
            .loop_constraints
            .iter()
            .zip(&self.scale.levers)
        {
            if !loop_constraint.is_explicit() {
                continue;
            }
            let least = loop_constraint
                .supports
                .iter()
                .map(|&l| self.links.links[l].least);
            let least = least.fold(f64::INFINITY, f64::min);
            for k in loop_constraint.own_rows() {
                let row = &self.loop_constraints.rows[k];
                // What is left once the bodies have moved by it.
                let stiffness = (row.slope * row.free).abs();
                let error = row.gamma.abs() / ((1.0 + stiffness) * lever);
                take(error, self.loop_constraints.impulse[k] / lever, least);
            }
        }
        for drive in &self.drives {
            let Place::Tree(link) = drive.place else {
                continue;
            };
            let kind = model.joints[drive.joint].kind;
            let lever = self.scale.lever(drive.joint, kind, drive.coordinate);
            let error = drive.error().abs() / lever;
            take(error, drive.impulse / lever, self.links.links[link].least);
        }
        worst
    }
}

/// Momenta that a link handles (N·s), torques over lengths.
fn handled(link: &Link) -> f64 {
    let linear = link.target.linear.to3().norm() + link.wrench.linear.to3().norm();
    let angular = link.target.angular.to3().norm() + link.wrench.angular.to3().norm();
    linear + angular / link.gyration
}

/// The same, and no less than at rest.
fn handled_at_least(link: &Link) -> f64 {
    handled(link).max(link.least.sqrt())
}

/// The larger one; what is not a number is worse than any other and stays.
pub fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
