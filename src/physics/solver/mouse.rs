//! The mouse spring inside a step: evaluated with the velocity of the interval and, in part or wholly, at its
//! second knot, so that no drag, however wild, blows up.

use super::{Interval, Load};
use crate::forces::{self, DragLaw};
use crate::math::{Mat3, rotation};
use crate::model::{BodyState, Drag, Model, Twist};

/// The spring's impulse over an interval whose poses are `[z1, z2]`, for the velocity of the interval.
///
/// The force is blended from those at both knots. With equal parts, as `variational-2` takes them, the work it
/// does is the mean force times the way of the grabbed point, which is what the account of work sums up.
pub fn pull(
    model: &Model,
    drag: &Drag,
    poses: [&BodyState; 2],
    twist: &Twist,
    interval: &Interval,
) -> Load {
    let body = &model.bodies[drag.body.0];
    let mut sum = Load {
        body: drag.body.0,
        ..Load::default()
    };
    for (pose, weight, moves) in [
        (poses[0], 1.0 - interval.blend, false),
        (poses[1], interval.blend, true),
    ] {
        if weight > 0.0 {
            let law = forces::drag_law(body, &model.gravity, drag, pose, twist);
            sum.add(&impulse(&law, interval.dt, moves).scaled(weight));
        }
    }
    sum
}

/// The impulse of a law over `dt`; `moves` says whether it is at `z2`, which changes with the motion sought.
fn impulse(law: &DragLaw, dt: f64, moves: bool) -> Load {
    let wrench = law.wrench();
    let along = if moves { dt } else { 0.0 };
    let slope = match *law {
        DragLaw::Pull {
            arm,
            force,
            d_position,
            d_velocity,
        } => {
            // The point moves by δx + θ × arm; the arm turns with the body.
            let stiffness = -(d_position * along + d_velocity);
            let lever = rotation::skew(&arm);
            let turned = rotation::skew(&force) * lever * along;
            [
                [stiffness, -stiffness * lever],
                [lever * stiffness, -lever * stiffness * lever - turned],
            ]
        }
        DragLaw::Turn {
            d_rotation, d_spin, ..
        } => [
            [Mat3::zeros(); 2],
            [Mat3::zeros(), -(d_rotation * along + d_spin)],
        ],
    };
    Load {
        impulse: [wrench.force * dt, wrench.torque * dt],
        slope,
        ..Load::default()
    }
}
