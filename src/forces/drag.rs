//! The mouse: a spring and damper in acceleration space, so that a heavy body and a light one feel alike.
//!
//! The gains are those on which interactive simulators have converged: 100 /s² with critical damping, and a
//! cap on the displacement (not on the force, which would also cap the damping that keeps a long throw calm).

use super::Wrench;
use crate::math::{Mat3, Quat, Vec3, rotation};
use crate::model::{Body, BodyState, Drag, DragGoal, Twist};

/// Acceleration per displacement [1/s²].
const STIFFNESS: f64 = 100.0;
/// Acceleration per velocity [1/s]: `2 √STIFFNESS`, critical for a free body pulled at its centre.
const DAMPING: f64 = 20.0;
/// Largest displacement that counts [m].
const REACH: f64 = 1.0;
/// Largest rotation that counts [rad]; below half a turn, where the direction would jump.
const TURN: f64 = std::f64::consts::FRAC_PI_2;

/// Force of the mouse spring on the held body and its derivatives, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DragLaw {
    /// A force at the grabbed point.
    Pull {
        /// From the centre of mass to the grabbed point [m].
        arm: Vec3,
        /// Force on the body at that point [N].
        force: Vec3,
        /// Derivative of the force with respect to the point's position [N/m].
        d_position: Mat3,
        /// Derivative of the force with respect to the point's velocity [N·s/m].
        d_velocity: Mat3,
    },
    /// A torque.
    Turn {
        /// Torque on the body [N·m].
        torque: Vec3,
        /// Derivative of the torque with respect to a small rotation of the body, world axes [N·m/rad].
        d_rotation: Mat3,
        /// Derivative of the torque with respect to the angular velocity [N·m·s/rad].
        d_spin: Mat3,
    },
}

impl DragLaw {
    /// The force about the centre of mass.
    pub fn wrench(&self) -> Wrench {
        let mut sum = Wrench::default();
        match self {
            Self::Pull { arm, force, .. } => sum.push(force, arm),
            Self::Turn { torque, .. } => sum.torque = *torque,
        }
        sum
    }
}

/// The mouse spring on `body` at a pose and velocity.
///
/// Pull: `m (k d - c v)` with `d` from the grabbed point to its goal, `v` the point's velocity.
/// Turn: `J (k φ - c ω)` with `φ` the rotation vector from the body's orientation to its goal and `J` the
/// inertia in world axes, so that all axes turn alike.
pub fn drag_law(body: &Body, drag: &Drag, pose: &BodyState, twist: &Twist) -> DragLaw {
    match drag.goal {
        DragGoal::Pull(goal) => pull(body, &drag.point, &goal, pose, twist),
        DragGoal::Turn(goal) => turn(body, &goal, pose, twist),
    }
}

fn pull(body: &Body, point: &Vec3, goal: &Vec3, pose: &BodyState, twist: &Twist) -> DragLaw {
    let arm = pose.orientation * point;
    let (displacement, slope) = capped(&(goal - pose.position - arm), REACH);
    let velocity = twist.linear + twist.angular.cross(&arm);
    DragLaw::Pull {
        arm,
        force: (displacement * STIFFNESS - velocity * DAMPING) * body.mass,
        d_position: slope * (-STIFFNESS * body.mass),
        d_velocity: Mat3::from_diagonal_element(-DAMPING * body.mass),
    }
}

fn turn(body: &Body, goal: &Quat, pose: &BodyState, twist: &Twist) -> DragLaw {
    let rotation = pose.orientation.to_rotation_matrix();
    let inertia = rotation * body.inertia * rotation.inverse();
    let whole = rotation::log(&(goal * pose.orientation.inverse()));
    let (phi, slope) = capped(&whole, TURN);
    let acceleration = phi * STIFFNESS - twist.angular * DAMPING;
    let torque = inertia * acceleration;
    // exp(φ) exp(-θ) = exp(φ - J_r(φ)⁻¹ θ) and J_r(φ) = J_l(φ)ᵀ; the other two terms turn the inertia.
    let d_phi = slope * rotation::left_jacobian_inverse(&whole).transpose();
    let d_rotation = inertia * (d_phi * -STIFFNESS) + inertia * rotation::skew(&acceleration)
        - rotation::skew(&torque);
    DragLaw::Turn {
        torque,
        d_rotation,
        d_spin: inertia * -DAMPING,
    }
}

/// `v` shortened to `limit`, and the derivative of the result with respect to `v`.
fn capped(v: &Vec3, limit: f64) -> (Vec3, Mat3) {
    let length = v.norm();
    if length <= limit {
        return (*v, Mat3::identity());
    }
    let direction = v / length;
    let across = Mat3::identity() - direction * direction.transpose();
    (direction * limit, across * (limit / length))
}
