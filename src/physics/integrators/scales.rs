//! What the errors of implicit steps on the rows of a model are compared with.

use crate::forces::Wrench;
use crate::model::{Body, JointId, Model, Twist};
use crate::solver::{LoopConstraintKind, Scale, Topology};

/// Part of a body's momentum that is handled in a step whatever acts.
pub const MOMENTUM: f64 = 1e-2;
/// Part of its length that a body at rest without gravity is taken to move in a step.
const STILL: f64 = 1e-7;

/// Sizes of bodies and of constraint rows.
#[derive(Debug, Clone)]
pub struct Scales {
    /// Radius of gyration of each body (m).
    gyration: Vec<f64>,
    /// What makes each constraint row relative: over the length of its joint, or radians.
    pub over_sizes: Vec<f64>,
    /// The largest of these, or 1.
    pub largest: f64,
}

impl Scales {
    /// Those of a model.
    pub fn new(model: &Model) -> Self {
        let scale = Scale::new(model, &Topology::new(model));
        let mut over_sizes = vec![1.0; model.equations()];
        for k in 0..model.joints.len() {
            for (r, row) in model.joint_rows(JointId(k)).enumerate() {
                let weight = scale.row(model, LoopConstraintKind::Joint(k), r);
                over_sizes[row] = weight / scale.joint(k);
            }
        }
        for k in 0..model.couplings.len() {
            let kind = LoopConstraintKind::Coupling(k);
            over_sizes[model.coupling_row(k)] = scale.row(model, kind, 0) / scale.size(kind);
        }
        Self {
            gyration: model.bodies.iter().map(Body::gyration).collect(),
            largest: over_sizes.iter().copied().fold(1.0, f64::max),
            over_sizes,
        }
    }

    /// A wrench on a body as a force (N).
    pub fn size(&self, body: usize, wrench: &Wrench) -> f64 {
        wrench.force.norm() + wrench.torque.norm() / self.gyration[body]
    }

    /// Momentum of a body that moves so (kg·m/s); force at an acceleration.
    pub fn momentum(&self, body: usize, mass: f64, twist: &Twist) -> f64 {
        mass * (twist.linear.norm() + self.gyration[body] * twist.angular.norm())
    }

    /// Force that a body handles at least in a step of length `h` (N).
    pub fn least(&self, model: &Model, body: usize, h: f64) -> f64 {
        model.bodies[body].mass * (model.gravity.norm() + STILL * self.gyration[body] / (h * h))
    }
}

/// `joint NAME` of a constraint row.
pub fn place_of_row(model: &Model, row: usize) -> String {
    let of_row = |k: usize| model.joint_rows(JointId(k)).contains(&row);
    match (0..model.joints.len()).find(|&k| of_row(k)) {
        Some(k) => format!("joint `{}`", model.joints[k].name),
        None => "coupling".into(),
    }
}
