//! Increments from the start of a step, in body axes: rotation vectors on SO(3), motions on SE(3).

use super::{Coordinates, Placed, of_three, three};
use crate::math::Vec3;
use crate::math::rotation::{self, left_jacobian, left_jacobian_inverse};
use crate::model::{BodyState, Twist};

/// Where increments put a body; with `together` the linear ones turn with it.
pub fn place(
    together: bool,
    from: &BodyState,
    q: &Coordinates,
    (linear, angular): (&Vec3, &Vec3),
) -> Placed {
    let turn = three(q);
    let mut orientation = from.orientation * rotation::exp(&turn);
    orientation.renormalize_fast();
    let (position, linear) = if together {
        let path = left_jacobian(&turn) * q.position;
        (
            from.position + from.orientation * path,
            orientation * linear,
        )
    } else {
        (q.position, *linear)
    };
    Placed {
        position,
        orientation,
        twist: Twist {
            linear,
            angular: orientation * angular,
        },
    }
}

/// `T⁻¹ w`. On SE(3) from `d/dt (J(θ) ρ) = exp(θ) v` with the left Jacobian `J`.
pub fn rates(together: bool, q: &Coordinates, w: &Coordinates) -> Coordinates {
    let turn = three(q);
    let inverse = left_jacobian_inverse(&turn);
    // The inverse of the right Jacobian is the transpose of the left one's.
    let turning = inverse.tr_mul(&three(w));
    let linear = if together {
        let path = left_jacobian(&turn) * q.position;
        let rate = rotation::left_jacobian_inverse_rate(&turn, &turning);
        inverse.tr_mul(&w.position) + rate * path
    } else {
        w.position
    };
    of_three((linear, turning))
}
