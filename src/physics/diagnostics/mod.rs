//! Laws of motion as functions of a model and a state: energy, momentum, drift.
//!
//! They read the physics of [`joints`] and the model, never an integrator's workspace: energy, momentum and drift are
//! the same functions of every method's poses and velocities. What only a method can know it says itself, and a
//! [`Sample`] carries it: iterations, residuals, forces of contact, and the energy that impacts and friction took,
//! which is the work of those forces. An energy error in motions with contact is therefore as good as the forces are.

mod distance;
pub mod quantity;

pub use distance::{configuration_distance, velocity_distance};
pub use quantity::{Chart, Moment, Owner, Quantity, Section, TIME};

use crate::joints::{self, Placement, Stretch};
use crate::math::Vec3;
use crate::model::{Body, BodyId, BodyState, Force, JointId, Model, State, Twist};

/// Energy of a state (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy of gravity and springs.
    pub potential: f64,
}

impl Energy {
    /// Sum of both.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Momentum of the whole mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Momentum {
    /// Linear momentum (kg·m/s).
    pub linear: Vec3,
    /// Angular momentum about the world's origin (kg·m²/s).
    pub angular: Vec3,
}

/// Potential energy of gravity (zero at the world's origin) and springs (J).
pub fn potential_energy(model: &Model, state: &State) -> f64 {
    let springs = spring_energies(model, state).map(|(_, energy)| energy);
    let bodies = model.bodies.iter().zip(&state.bodies);
    let gravity = bodies.map(|(body, at)| gravity_energy(model, body, at));
    gravity.sum::<f64>() + springs.sum::<f64>()
}

/// Potential energy of a body under gravity, zero at the world's origin (J).
pub fn gravity_energy(model: &Model, body: &Body, at: &BodyState) -> f64 {
    -body.mass * model.gravity.dot(&at.position)
}

/// Potential energy of every spring (J), with a body that it acts on.
pub fn spring_energies(
    model: &Model,
    state: &State,
) -> impl Iterator<Item = (Option<BodyId>, f64)> {
    let on_joints = model.joints.iter().enumerate();
    let on_joints = on_joints.filter(|(_, joint)| !joint.springs.is_empty());
    let on_joints = on_joints.flat_map(move |(k, joint)| {
        let at = Placement::of(joint, &state.bodies);
        joint.springs.iter().map(move |spring| {
            let stretch = Stretch::of(joint.kind, spring, &at, state.angles[k]);
            let energy = 0.5 * spring.stiffness * stretch.value.powi(2);
            (Some(joint.child), energy)
        })
    });
    let between_points = model.forces.iter().filter_map(|force| {
        let Force::Spring {
            ends,
            stiffness,
            rest,
            ..
        } = force
        else {
            return None;
        };
        let [a, b] = ends.each_ref().map(|end| attachment_point(state, end));
        let energy = 0.5 * stiffness * ((b - a).norm() - rest).powi(2);
        Some((ends[0].body.or(ends[1].body), energy))
    });
    on_joints.chain(between_points)
}

/// World position of a point fixed to a body or to the world (m).
pub fn attachment_point(state: &State, at: &crate::model::Attachment) -> Vec3 {
    match at.body {
        Some(body) => {
            let b = &state.bodies[body.0];
            b.position + b.orientation * at.point
        }
        None => at.point,
    }
}

/// Momentum for the velocities given, one per body.
pub fn momentum(model: &Model, state: &State, velocities: &[Twist]) -> Momentum {
    let mut sum = Momentum::default();
    for ((b, s), v) in model.bodies.iter().zip(&state.bodies).zip(velocities) {
        let linear = v.linear * b.mass;
        let spin = s.orientation * (b.inertia * s.orientation.inverse_transform_vector(&v.angular));
        sum.linear += linear;
        sum.angular += spin + s.position.cross(&linear);
    }
    sum
}

/// Largest opening of any joint, and which joint it is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WorstDrift {
    /// Largest gap (m) and its joint.
    pub position: (f64, Option<JointId>),
    /// Largest misalignment (rad) and its joint.
    pub angle: (f64, Option<JointId>),
}

/// Largest opening of any joint.
pub fn worst_drift(model: &Model, state: &State) -> WorstDrift {
    let mut worst = WorstDrift::default();
    for (k, joint) in model.joints.iter().enumerate() {
        let d = joints::drift(joint.kind, &Placement::of(joint, &state.bodies));
        if d.position > worst.position.0 {
            worst.position = (d.position, Some(JointId(k)));
        }
        if d.angle > worst.angle.0 {
            worst.angle = (d.angle, Some(JointId(k)));
        }
    }
    worst
}

/// One row of the plots.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    /// Simulated time (s).
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// Energy of the state (J).
    pub energy: Energy,
    /// Total energy minus the first total, minus external work and corrections, plus dissipation (J): what the method
    /// got wrong.
    pub energy_error: f64,
    /// Work of wrenches, actuators and the mouse since the start (J).
    pub external_work: f64,
    /// Energy taken by dampers, and from bodies that fell asleep, since the start (J).
    pub dissipated: f64,
    /// Energy that changes of method, model and state brought since the start, by closing joints and by reading
    /// velocities anew (J); what edits themselves add is not counted.
    pub correction: f64,
    /// Momentum about the world's origin.
    pub momentum: Momentum,
    /// Largest joint gap (m).
    pub drift_position: f64,
    /// Largest joint misalignment (rad).
    pub drift_angle: f64,
    /// Newton iterations of the last step.
    pub iterations: u32,
    /// Residual of the last step (N, N·m).
    pub residual: f64,
    /// Wall time of the last step (s); 0 where it was not measured.
    pub step_seconds: f64,
    /// Energy taken by impacts and by friction since the start (J).
    pub contact_loss: [f64; 2],
    /// Contact points with a force.
    pub closed: u32,
    /// Deepest penetration of the last step (m).
    pub penetration: f64,
    /// Smallest gap of the last step (m); infinite without contact points.
    pub min_gap: f64,
    /// Largest product of gap and normal force of the last step (N·m).
    pub complementarity: f64,
    /// Largest excess of a friction force over its cone in the last step (N).
    pub cone_violation: f64,
    /// Largest violation of the laws of contact that the last step left: penetration over the step, or slip of what
    /// sticks (m/s).
    pub law_violation: f64,
    /// The velocities at the knot do not follow the laws of contact, so that the energy read from them is rough.
    pub rough_velocities: bool,
    /// Bodies that sleep.
    pub asleep: u32,
}

#[cfg(test)]
mod tests;
