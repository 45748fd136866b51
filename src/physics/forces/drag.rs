//! The mouse: a spring and damper in acceleration space, so that a heavy body and a light one feel alike.
//!
//! The gains are those on which interactive simulators have converged for bodies about a metre long, 100 /s² with
//! critical damping and a cap on the displacement at 1 m (not on the force, which would also cap the damping that keeps
//! a long throw calm), as ratios to gravity and to the radius of gyration of the body: at every size a body that hangs
//! on the mouse sags by a third of that radius, and the hardest pull is nine times its weight.

use super::Wrench;
use crate::math::{Mat3, Quat, Vec3, rotation};
use crate::model::{Body, BodyState, Drag, DragGoal, Twist};

/// Acceleration per displacement, in gravities per radius of gyration.
const STIFFNESS: f64 = 3.0;
/// The same where there is no gravity [1/s²]: nothing but the hand sets a time there, which follows in a tenth of a
/// second.
const WEIGHTLESS: f64 = 100.0;
/// Largest displacement that counts, in radii of gyration.
const REACH: f64 = 3.0;
/// Largest rotation that counts (rad); below half a turn, where the direction would jump.
const TURN: f64 = std::f64::consts::FRAC_PI_2;

/// Force of the mouse spring on the held body and its derivatives, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DragLaw {
    /// A force at the grabbed point.
    Pull {
        /// From the centre of mass to the grabbed point (m).
        arm: Vec3,
        /// Force on the body at that point (N).
        force: Vec3,
        /// Derivative of the force with respect to the point's position (N/m).
        d_position: Mat3,
        /// Derivative of the force with respect to the point's velocity (N·s/m).
        d_velocity: Mat3,
    },
    /// A torque.
    Turn {
        /// Torque on the body (N·m).
        torque: Vec3,
        /// Derivative of the torque with respect to a small rotation of the body, world axes (N·m/rad).
        d_rotation: Mat3,
        /// Derivative of the torque with respect to the angular velocity (N·m·s/rad).
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
/// With `k` the stiffness and `c = 2 √k`, critical for a free body pulled at its centre:
///
/// Pull: `m (k d - c v)` with `d` from the grabbed point to its goal, `v` the point's velocity.
/// Turn: `J (k φ - c ω)` with `φ` the rotation vector from the body's orientation to its goal and `J` the
/// inertia in world axes, so that all axes turn alike.
pub fn drag_law(
    body: &Body,
    gravity: &Vec3,
    drag: &Drag,
    pose: &BodyState,
    twist: &Twist,
) -> DragLaw {
    let gains = Gains::of(body, gravity);
    match drag.goal {
        DragGoal::Pull(goal) => pull(body, &gains, &drag.point, &goal, pose, twist),
        DragGoal::Turn(goal) => turn(body, &gains, &goal, pose, twist),
    }
}

/// What a body is pulled with.
struct Gains {
    /// Acceleration per displacement (1/s²).
    stiffness: f64,
    /// Acceleration per velocity (1/s).
    damping: f64,
    /// Largest displacement that counts (m).
    reach: f64,
}

impl Gains {
    fn of(body: &Body, gravity: &Vec3) -> Self {
        let (radius, fall) = (body.gyration(), gravity.norm());
        let stiffness = if fall > 0.0 {
            STIFFNESS * fall / radius
        } else {
            WEIGHTLESS
        };
        Self {
            stiffness,
            damping: 2.0 * stiffness.sqrt(),
            reach: REACH * radius,
        }
    }
}

fn pull(
    body: &Body,
    gains: &Gains,
    point: &Vec3,
    goal: &Vec3,
    pose: &BodyState,
    twist: &Twist,
) -> DragLaw {
    let arm = pose.orientation * point;
    let (displacement, slope) = capped(&(goal - pose.position - arm), gains.reach);
    let velocity = twist.linear + twist.angular.cross(&arm);
    DragLaw::Pull {
        arm,
        force: (displacement * gains.stiffness - velocity * gains.damping) * body.mass,
        d_position: slope * (-gains.stiffness * body.mass),
        d_velocity: Mat3::from_diagonal_element(-gains.damping * body.mass),
    }
}

fn turn(body: &Body, gains: &Gains, goal: &Quat, pose: &BodyState, twist: &Twist) -> DragLaw {
    let rotation = pose.orientation.to_rotation_matrix();
    let inertia = rotation * body.inertia * rotation.inverse();
    let whole = rotation::log(&(goal * pose.orientation.inverse()));
    let (phi, slope) = capped(&whole, TURN);
    let acceleration = phi * gains.stiffness - twist.angular * gains.damping;
    let torque = inertia * acceleration;
    // exp(φ) exp(-θ) = exp(φ - J_r(φ)⁻¹ θ) and J_r(φ) = J_l(φ)ᵀ; the other two terms turn the inertia.
    let d_phi = slope * rotation::left_jacobian_inverse(&whole).transpose();
    let d_rotation = inertia * (d_phi * -gains.stiffness) + inertia * rotation::skew(&acceleration)
        - rotation::skew(&torque);
    DragLaw::Turn {
        torque,
        d_rotation,
        d_spin: inertia * -gains.damping,
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
