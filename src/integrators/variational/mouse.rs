//! The mouse spring inside a step: evaluated at the second knot, so that no drag, however wild, blows up.

use crate::forces::{self, DragLaw};
use crate::math::{Mat3, Vec3, rotation};
use crate::model::{BodyState, Drag, Model, Twist};

/// Impulse of the mouse spring on its body and minus its derivative with respect to the motion of `z2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// Impulse about the centre of mass: linear and angular.
    pub impulse: [Vec3; 2],
    /// Blocks `[linear, angular] × [displacement, rotation]`.
    pub slope: [[Mat3; 2]; 2],
}

/// The spring's impulse over `dt` for the pose at `z2` and the velocity of the interval.
pub fn pull(model: &Model, drag: &Drag, pose: &BodyState, twist: &Twist, dt: f64) -> Pull {
    let law = forces::drag_law(&model.bodies[drag.body.0], drag, pose, twist);
    let wrench = law.wrench();
    let impulse = [wrench.force * dt, wrench.torque * dt];
    let slope = match law {
        DragLaw::Pull {
            arm,
            force,
            d_position,
            d_velocity,
        } => {
            // The point moves by δx + θ × arm; the arm turns with the body.
            let stiffness = -(d_position * dt + d_velocity);
            let lever = rotation::skew(&arm);
            let turned = rotation::skew(&force) * lever * dt;
            [
                [stiffness, -stiffness * lever],
                [lever * stiffness, -lever * stiffness * lever - turned],
            ]
        }
        DragLaw::Turn {
            d_rotation, d_spin, ..
        } => [
            [Mat3::zeros(); 2],
            [Mat3::zeros(), -(d_rotation * dt + d_spin)],
        ],
    };
    Pull { impulse, slope }
}
