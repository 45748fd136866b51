//! The discrete Lagrangian of one body over an interval, its momenta at both ends and their derivative.
//!
//! All in world axes. With the displacement `d` of the centre of mass, the turn `R = R₁R₀ᵀ = exp(φ)` and the inertia `J`
//! at the first knot:
//!
//! | mean velocity | kinetic part of the Lagrangian over `dt` |
//! |---|---|
//! | [`Screw`](MeanVelocity::Screw): `V = log(ΔT)/dt` on SE(3) [Lee2016 eq. 9, 10] | `(φᵀJφ + m (d² + β(φ²) (φ × d)²)) / 2dt` |
//! | [`Quaternion`](MeanVelocity::Quaternion): `d/dt`, `2u/dt` [Brüdigam2023 eq. 15] | `m d²/2dt + 2 uᵀJu/dt`, `u` the half-angle sine |
//!
//! The first is `½ dt Vᵀ G V`: the linear part of `log(ΔT)` is `J_l(φ)⁻¹ d`, and `J_l⁻ᵀ J_l⁻¹ = I - β [φ]×²` with
//! `β = ((x/2)²/sin²(x/2) - 1)/x²`, `x = |φ|`. So the transposed tangents of [Lee2016 eq. 11 to 14] are closed forms, without
//! the truncated series of eq. 13. A free body keeps its linear momentum and its angular momentum about any fixed point;
//! the momentum of the first knot is that of the second, taken about the first centre of mass.

use crate::kinematics::SpatialBlock;
use crate::math::rotation::{cotangent_coefficient, left_jacobian_inverse, log, skew};
use crate::math::{Mat3, Quat, Vec3};
use crate::model::Twist;

/// Which mean velocity of an interval the kinetic energy is that of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeanVelocity {
    /// That of the screw from pose to pose.
    Screw,
    /// Differences of positions and of quaternions, as in maximal coordinates.
    Quaternion,
}

/// How one body moves in an interval.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    /// Mass (kg).
    pub mass: f64,
    /// Inertia at the first knot, world axes (kg·m²).
    pub inertia: &'a Mat3,
    /// Turn from the first pose to the second, world axes.
    pub turn: &'a Quat,
    /// Displacement of the centre of mass (m).
    pub shift: &'a Vec3,
    /// Length of the interval (s).
    pub dt: f64,
}

/// Momenta of an interval at its ends.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Momenta {
    /// Linear, the same at both ends (kg·m/s).
    pub linear: Vec3,
    /// Angular about the centre of mass at the first knot (kg·m²/s).
    pub first: Vec3,
    /// Angular about the centre of mass at the second knot (kg·m²/s).
    pub second: Vec3,
}

/// `β` of the module's page and its first two derivatives with respect to `x²`.
fn screw_coefficient(square: f64) -> [f64; 3] {
    let y = 0.25 * square;
    if y < 0.05 {
        // Of (x/2)²/sin²(x/2): the first term left out is 3e-7 y⁷.
        const G: [f64; 7] = [
            1.0 / 3.0,
            1.0 / 15.0,
            2.0 / 189.0,
            1.0 / 675.0,
            2.0 / 10395.0,
            1382.0 / 58_046_625.0,
            4.0 / 1_403_325.0,
        ];
        let mut sums = [0.0; 3];
        for (n, g) in G.iter().enumerate().rev() {
            let n = n as f64;
            sums[0] = sums[0] * y + g;
            if n >= 1.0 {
                sums[1] = sums[1] * y + n * g;
            }
            if n >= 2.0 {
                sums[2] = sums[2] * y + n * (n - 1.0) * g;
            }
        }
        return [0.25 * sums[0], sums[1] / 16.0, sums[2] / 64.0];
    }
    let (sine, cosine) = y.sqrt().sin_cos();
    let over = 1.0 / (sine * sine);
    let (g, k) = (y * over, y.sqrt() * cosine / sine);
    let slope = over * (1.0 - k);
    let curvature = over * (-0.5 * (k - g) / y - (1.0 - k) * k / y);
    let b = (g - 1.0) / (4.0 * y);
    let b1 = (slope - 4.0 * b) / (4.0 * y);
    let b2 = (curvature - 8.0 * b1) / (4.0 * y);
    [b, 0.25 * b1, b2 / 16.0]
}

/// Rotation vector of a turn: `2 asin(n)/n` times its vector part, by a series where that is short, as in most steps.
fn rotation_vector(turn: &Quat) -> Vec3 {
    // Of asin(n)/n in n²; the first term left out is 0.01 n¹⁶.
    const ASIN: [f64; 8] = [
        1.0,
        1.0 / 6.0,
        3.0 / 40.0,
        5.0 / 112.0,
        35.0 / 1152.0,
        63.0 / 2816.0,
        231.0 / 13312.0,
        143.0 / 10240.0,
    ];
    let u = turn.imag();
    let square = u.norm_squared();
    if square < 0.008 && turn.scalar() > 0.0 {
        let series = ASIN.iter().rev().fold(0.0, |sum, c| sum * square + c);
        return u * (2.0 * series);
    }
    log(turn)
}

/// Derivative of `φ × (φ × a)` with respect to `φ`.
fn double_cross_slope(phi: &Vec3, a: &Vec3) -> Mat3 {
    Mat3::from_diagonal_element(phi.dot(a)) + phi * a.transpose() - a * phi.transpose() * 2.0
}

/// `∂/∂φ` of the kinetic part over `1/dt`.
fn turn_gradient(p: &Passage, phi: &Vec3, beta: &[f64; 3]) -> Vec3 {
    let across = phi.cross(p.shift);
    p.inertia * phi
        + (p.shift.cross(&across) * beta[0] + phi * (beta[1] * across.norm_squared())) * p.mass
}

impl MeanVelocity {
    /// The mean velocity itself, world axes, at the centre of mass.
    pub fn twist(self, p: &Passage) -> Twist {
        let angular = match self {
            Self::Screw => rotation_vector(p.turn),
            Self::Quaternion => p.turn.imag() * 2.0,
        };
        Twist {
            linear: p.shift / p.dt,
            angular: angular / p.dt,
        }
    }

    /// Momenta at both ends: minus and plus the derivatives of the discrete Lagrangian [Lee2016 eq. 14, 21b].
    #[inline]
    pub fn momenta(self, p: &Passage) -> Momenta {
        let over = 1.0 / p.dt;
        match self {
            Self::Screw => {
                let phi = rotation_vector(p.turn);
                let square = phi.norm_squared();
                let beta = screw_coefficient(square);
                let bent = phi.cross(&phi.cross(p.shift)) * beta[0];
                let linear = (p.shift - bent) * (p.mass * over);
                let gradient = turn_gradient(p, &phi, &beta) * over;
                let (c, _) = cotangent_coefficient(square);
                let across = phi.cross(&gradient);
                let second = gradient + across * 0.5 + phi.cross(&across) * c;
                Momenta {
                    linear,
                    first: second + p.shift.cross(&linear),
                    second,
                }
            }
            Self::Quaternion => {
                let u = p.turn.imag();
                let ju = p.inertia * u;
                let spin = (ju * p.turn.scalar() + u.cross(&ju)) * (2.0 * over);
                Momenta {
                    linear: p.shift * (p.mass * over),
                    first: spin,
                    second: spin,
                }
            }
        }
    }

    /// What the momentum at the first knot changes by with a motion of the body at the second: the part of the Jacobian of
    /// the discrete equation of motion that one body adds.
    pub fn slope(self, p: &Passage) -> SpatialBlock {
        let over = 1.0 / p.dt;
        match self {
            Self::Screw => screw_slope(p, over),
            Self::Quaternion => {
                let (s, u) = (p.turn.scalar(), p.turn.imag());
                let ju = p.inertia * u;
                // A turn θ changes (s, u) by half of (-u·θ, sθ + θ × u).
                let of_u = Mat3::from_diagonal_element(s) - skew(&u);
                let of_s = ju * u.transpose();
                let rate = (p.inertia * s - skew(&ju) + skew(&u) * p.inertia) * of_u - of_s;
                SpatialBlock {
                    force_linear: Mat3::from_diagonal_element(p.mass * over),
                    torque_angular: rate * over,
                    ..SpatialBlock::default()
                }
            }
        }
    }
}

fn screw_slope(p: &Passage, over: f64) -> SpatialBlock {
    let phi = rotation_vector(p.turn);
    let square = phi.norm_squared();
    let beta = screw_coefficient(square);
    let (c, c_slope) = cotangent_coefficient(square);
    let (shift, s) = (*p.shift, skew(&phi));
    let across = phi.cross(&shift);
    let bent = phi.cross(&across);
    let swept = shift.cross(&across);
    let inverse = left_jacobian_inverse(&phi);

    // Second derivatives of the Lagrangian by (d, φ).
    let of_linear = p.mass * over;
    let linear_shift = (Mat3::identity() - s * s * beta[0]) * of_linear;
    let bend =
        bent * phi.transpose() * (2.0 * beta[1]) + double_cross_slope(&phi, &shift) * beta[0];
    let linear_phi = bend * -of_linear;
    let lagrangian_phi = p.inertia * over
        + (((Mat3::from_diagonal_element(shift.norm_squared()) - shift * shift.transpose())
            * beta[0])
            + swept * phi.transpose() * (2.0 * beta[1])
            + Mat3::from_diagonal_element(beta[1] * across.norm_squared())
            + phi * swept.transpose() * (2.0 * beta[1])
            + phi * phi.transpose() * (2.0 * beta[2] * across.norm_squared()))
            * of_linear;

    // The angular momentum at the second knot is J_l⁻ᵀ times the gradient by φ.
    let gradient = turn_gradient(p, &phi, &beta) * over;
    let transposed = inverse.transpose();
    let turned = skew(&gradient) * -0.5
        + double_cross_slope(&phi, &gradient) * c
        + phi.cross(&phi.cross(&gradient)) * phi.transpose() * (2.0 * c_slope);
    let second_shift = transposed * linear_phi.transpose();
    let second_turn = (transposed * lagrangian_phi + turned) * inverse;

    // About the first centre of mass.
    let linear = (shift - bent * beta[0]) * of_linear;
    let lever = skew(&shift);
    let linear_turn = linear_phi * inverse;
    SpatialBlock {
        force_linear: linear_shift,
        force_angular: linear_turn,
        torque_linear: second_shift - skew(&linear) + lever * linear_shift,
        torque_angular: second_turn + lever * linear_turn,
    }
}
