//! What the unknown of an implicit step changes, for Newton's method on [`EquationsOfMotion`](super::super::EquationsOfMotion).
//!
//! The unknown is a change `Δ` of `ẇ` at the end of the step, of `q` by the weight of positions times it and of `w` by that of
//! velocities, see [`Chart::lift`]. Rotations are told exactly. On SE(3) the velocities and accelerations of the centre of mass
//! are taken to follow as on R³ × SO(3): what is left out is as small as the turn of the step, so Newton's method converges
//! linearly there.

use super::super::{BodyMotion, Parametrisation, Tangent, Weights};
use super::{Chart, Coordinates, cardan, euler_parameters, of_three, three};
use crate::math::rotation::{
    left_jacobian, left_jacobian_inverse, left_jacobian_inverse_rate, skew,
};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyState, Twist};

/// Coordinates of all bodies at a trial.
#[derive(Debug, Clone, Copy)]
pub struct NewtonChart<'a> {
    /// Which.
    pub chart: Chart,
    /// By body.
    pub q: &'a [Coordinates],
    /// By body.
    pub w: &'a [Coordinates],
    /// By body.
    pub w_rates: &'a [Coordinates],
    /// Whether the tangent operator of local charts is in the matrix, or taken as the identity.
    pub exact: bool,
}

impl Chart {
    /// The change of `ẇ` that an unknown `(Δx, Δθ)` is: on SE(3) the one that moves the centre of mass by `Δx` times the
    /// weight of positions.
    pub fn lift(self, from: &BodyState, q: &Coordinates, unknown: &Twist) -> Coordinates {
        let Twist { linear, angular } = unknown;
        match self {
            Self::Cardan | Self::RotationVector => of_three((*linear, *angular)),
            Self::EulerParameters => Coordinates {
                position: *linear,
                rotation: euler_parameters::product(&q.rotation, 0.0, angular) * 0.5,
            },
            Self::Motion => {
                let turn = three(q);
                let path = left_jacobian(&turn) * q.position;
                let moved = from.orientation.inverse_transform_vector(linear);
                let linear = left_jacobian_inverse(&turn) * moved
                    + left_jacobian_inverse_rate(&turn, angular) * path;
                of_three((linear, *angular))
            }
        }
    }
}

impl NewtonChart<'_> {
    /// World rotation by unit of the unknown over the weight of positions.
    fn turn(&self, body: usize, at: &BodyMotion) -> Mat3 {
        let q = &self.q[body];
        let r = || at.orientation.to_rotation_matrix().into_inner();
        match self.chart {
            Chart::Cardan => cardan::Axes::at(&three(q)).g,
            Chart::EulerParameters => r(),
            // The right Jacobian is the transpose of the left one.
            Chart::RotationVector | Chart::Motion if self.exact => {
                r() * left_jacobian(&three(q)).transpose()
            }
            Chart::RotationVector | Chart::Motion => r(),
        }
    }
}

impl Parametrisation for NewtonChart<'_> {
    fn tangent(&self, body: usize, at: &BodyMotion, weights: &Weights) -> Tangent {
        let [q, w, second] = [self.q, self.w, self.w_rates].map(|all| &all[body]);
        let turn = self.turn(body, at) * weights.position;
        if self.chart == Chart::Cardan {
            let axes = cardan::Axes::at(&three(q));
            let [by_angle, by_rate] = axes.bias_slopes(&three(w));
            let pose = axes.slope_of(&three(second)) + by_angle;
            return Tangent {
                rows: axes.g.transpose(),
                turn,
                spin: axes.g * weights.velocity + axes.slope_of(&three(w)) * weights.position,
                spin_rate: axes.g * weights.acceleration
                    + pose * weights.position
                    + by_rate * weights.velocity,
            };
        }
        let r = at.orientation.to_rotation_matrix().into_inner();
        // What is held in body axes turns with the body: δ(R v) = R δv - (R v) × θ.
        let carried = |v: &Vec3| -skew(v) * turn;
        let mut spin = r * weights.velocity + carried(at.velocity);
        let mut spin_rate = r * weights.acceleration + carried(at.acceleration);
        if self.chart == Chart::EulerParameters {
            // δ(2 vec(ē y)) = 2 vec(ē δy) - z₀ θ + z × θ with z = ē y.
            let of_parameters = |y: &Coordinates| {
                let scalar = q.rotation.dot(&y.rotation);
                let z = euler_parameters::vector(&q.rotation, &y.rotation);
                r * (skew(&z) - Mat3::from_diagonal_element(scalar)) * weights.position
            };
            spin += of_parameters(w);
            spin_rate += of_parameters(second);
        }
        Tangent {
            rows: r.transpose(),
            turn,
            spin,
            spin_rate,
        }
    }

    fn row_slope(&self, body: usize, at: &BodyMotion, weights: &Weights, torque: &Vec3) -> Mat3 {
        if self.chart == Chart::Cardan {
            let axes = cardan::Axes::at(&three(&self.q[body]));
            return axes.transposed_slope(torque) * weights.position;
        }
        // (R exp δ)ᵀ τ = Rᵀ τ + Rᵀ (τ × θ) with the world rotation θ.
        let r = at.orientation.to_rotation_matrix();
        r.transpose().matrix() * skew(torque) * self.turn(body, at) * weights.position
    }
}
