//! What the unknown of an implicit step changes, for Newton's method on [`EquationsOfMotion`](super::super::EquationsOfMotion).
//!
//! The unknown is a change `Δ` of `ẇ` at the end of the step, of `q` by the weight of positions times it and of `w` by that of
//! velocities, see [`Chart::lift`]. On SE(3) the velocities and accelerations of the centre of mass are held in body axes and
//! follow both unknowns:
//! ```text
//!   δẇ = J⁻¹ R₀ᵀ Δx + D Δθ      v = R w      v̇ = R (ẇ + ω × w)
//! ```
//! with `J` the left Jacobian of the turn and `D Δθ` the derivative of `J⁻¹` along `Δθ`, on the path of the step.

use super::super::{BodyMotion, Carried, Parametrisation, Tangent, Weights};
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
    /// Bodies at the start of the step.
    pub from: &'a [BodyState],
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

impl NewtonChart<'_> {
    /// The centre of mass on SE(3); `r` is the orientation and `turn` the world rotation by unit of the unknown.
    fn carried(&self, body: usize, r: &Mat3, turn: &Mat3, weights: &Weights) -> Carried {
        let [q, w, second] = [self.q, self.w, self.w_rates].map(|all| &all[body]);
        let (angles, omega) = (three(q), skew(&three(w)));
        let start = self.from[body].orientation.to_rotation_matrix();
        let inverse = left_jacobian_inverse(&angles);
        let by_position = inverse * start.matrix().transpose();
        let path = left_jacobian(&angles) * q.position;
        let slopes =
            [0, 1, 2].map(|k| left_jacobian_inverse_rate(&angles, &Vec3::ith(k, 1.0)) * path);
        let by_turn = Mat3::from_columns(&slopes);
        // What is held in body axes turns with the body: δ(R v) = R δv - (R v) × θ.
        let turned = |held: &Vec3| skew(&(r * held)) * turn;
        let rate = second.position + omega * w.position;
        let (v, a) = (weights.velocity, weights.acceleration);
        let velocity = [by_position, by_turn].map(|by| r * by);
        let mut acceleration = [by_position, by_turn].map(|by| r * (by * a + omega * by * v));
        acceleration[1] -= r * skew(&w.position) * v + turned(&rate);
        Carried {
            velocity: [velocity[0] * v, velocity[1] * v - turned(&w.position)],
            acceleration,
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
                carried: None,
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
        let carries = self.chart == Chart::Motion && self.exact;
        Tangent {
            rows: r.transpose(),
            turn,
            spin,
            spin_rate,
            carried: carries.then(|| self.carried(body, &r, &turn, weights)),
        }
    }

    fn row_slope(
        &self,
        body: usize,
        (_, tangent): (&BodyMotion, &Tangent),
        weights: &Weights,
        torque: &Vec3,
    ) -> Mat3 {
        if self.chart == Chart::Cardan {
            let axes = cardan::Axes::at(&three(&self.q[body]));
            return axes.transposed_slope(torque) * weights.position;
        }
        tangent.held_in_body(torque)
    }
}
