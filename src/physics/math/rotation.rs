//! Rotation vectors and their derivatives.
//!
//! `exp` maps a rotation vector `φ` to a rotation; a small world-side rotation `θ` changes it by
//! `δφ = J_l(φ)⁻¹ θ`, with `J_l` the left Jacobian of SO(3).

use super::{Mat3, Quat, Vec3};
use nalgebra::Quaternion;
use std::f64::consts::TAU;

/// Cross-product matrix: `skew(a) b = a × b`.
#[inline(always)]
pub fn skew(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// Rotation of a rotation vector (rad). However short that is, its vector part keeps all its digits.
#[inline]
pub fn exp(phi: &Vec3) -> Quat {
    let half = phi * 0.5;
    let square = half.norm_squared();
    let (cosine, sine_over) = if square < 1e-4 {
        // Series; the next terms are x⁸/40320 and x⁸/362880.
        (
            1.0 - square * (0.5 - square * (1.0 / 24.0 - square / 720.0)),
            1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0 - square / 5040.0)),
        )
    } else {
        let x = square.sqrt();
        let (sine, cosine) = x.sin_cos();
        (cosine, sine / x)
    };
    let u = half * sine_over;
    Quat::new_unchecked(Quaternion::new(cosine, u.x, u.y, u.z))
}

/// Rotation vector (rad) of a rotation; its length is at most π.
pub fn log(q: &Quat) -> Vec3 {
    let v = q.imag();
    let n = v.norm();
    let w = q.scalar();
    if n < 1e-9 {
        // sin(x/2) = x/2 to rounding; the sign of w picks the shorter way.
        return v * (2.0 * w.signum());
    }
    // atan2 with the sign of w folded in keeps full accuracy near 0 and near π.
    v * (2.0 * (n * w.signum()).atan2(w.abs()) / n)
}

/// `c = (1 - (x/2) cot(x/2)) / x²` and its derivative with respect to `x²`, for `angle2 = x²`.
pub fn cotangent_coefficient(angle2: f64) -> (f64, f64) {
    if angle2 < 1e-4 {
        // Series; the next terms are x⁶/1209600 and x⁶/11975040.
        let c = 1.0 / 12.0 + angle2 / 720.0 + angle2 * angle2 / 30240.0;
        let rate = 1.0 / 720.0 + angle2 / 15120.0 + angle2 * angle2 / 403200.0;
        return (c, rate);
    }
    let x = angle2.sqrt();
    let (sine, cosine) = (0.5 * x).sin_cos();
    let cotangent = cosine / sine;
    let c = (1.0 - 0.5 * x * cotangent) / angle2;
    let slope = (0.25 / (sine * sine) - 0.5 * cotangent / x) / angle2;
    (c, (0.5 * slope - c / angle2))
}

/// The branch of a rotation vector `φ` (at most π long) that is nearest to a reference: `(|φ| + 2πk) φ/|φ|` for an
/// integer `k` (rad).
///
/// It follows a rotation over any number of turns about an axis that turns with it. Where whole turns are complete
/// every axis gives the same rotation: a motion that passes there beside, not through, the vector it comes from
/// makes the branch swing round quickly. No rotation vector is free of that; unit quaternions are.
pub fn unwrapped(phi: &Vec3, reference: &Vec3) -> Vec3 {
    let angle = phi.norm();
    // Too short to have a direction of its own to rounding: whole turns are about the reference.
    let axis = if angle > 1e-12 {
        phi / angle
    } else {
        match reference.try_normalize(0.0) {
            Some(axis) => axis,
            None => return *phi,
        }
    };
    let turns = ((axis.dot(reference) - axis.dot(phi)) / TAU).round();
    phi + axis * (TAU * turns)
}

/// Left Jacobian of SO(3) at the rotation vector `φ`: a change `δφ` turns `exp(φ)` by `J_l(φ) δφ` on the world's
/// side, and by `J_l(φ)ᵀ δφ` on the body's.
pub fn left_jacobian(phi: &Vec3) -> Mat3 {
    let angle2 = phi.norm_squared();
    // (1 - cos x)/x² and (x - sin x)/x³.
    let (a, b) = if angle2 < 1e-4 {
        // Series; the next terms are x⁶/40320 and x⁶/362880.
        (
            0.5 - angle2 / 24.0 + angle2 * angle2 / 720.0,
            1.0 / 6.0 - angle2 / 120.0 + angle2 * angle2 / 5040.0,
        )
    } else {
        let x = angle2.sqrt();
        let half = (0.5 * x).sin();
        (2.0 * half * half / angle2, (x - x.sin()) / (x * angle2))
    };
    let s = skew(phi);
    Mat3::identity() + s * a + s * s * b
}

/// Inverse of the left Jacobian of SO(3) at the rotation vector `φ`.
pub fn left_jacobian_inverse(phi: &Vec3) -> Mat3 {
    let s = skew(phi);
    let (c, _) = cotangent_coefficient(phi.norm_squared());
    Mat3::identity() - s * 0.5 + s * s * c
}

/// Derivative in time of [`left_jacobian_inverse`] for a rotation vector `φ` that changes at `phi_rate`.
pub fn left_jacobian_inverse_rate(phi: &Vec3, phi_rate: &Vec3) -> Mat3 {
    let (s, s_rate) = (skew(phi), skew(phi_rate));
    let (c, slope) = cotangent_coefficient(phi.norm_squared());
    let c_rate = slope * 2.0 * phi.dot(phi_rate);
    s * s * c_rate + (s_rate * s + s * s_rate) * c - s_rate * 0.5
}

/// Two unit vectors that complete the unit vector `axis` to a right-handed frame `(x, y, axis)`.
pub fn complete(axis: &Vec3) -> (Vec3, Vec3) {
    let seed = if axis.x.abs() < 0.8 {
        Vec3::x()
    } else {
        Vec3::y()
    };
    let x = (seed - axis * axis.dot(&seed)).normalize();
    (x, axis.cross(&x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_keeps_the_digits_of_what_is_short() {
        for scale in [1e-30, 1e-17, 1e-9, 0.0199, 0.0201, 1.0, 3.0] {
            let phi = Vec3::new(0.6, -0.48, 0.64) * scale;
            let turn = exp(&phi);
            assert!((turn.norm() - 1.0).abs() < 1e-15, "{scale}");
            assert!((log(&turn) - phi).norm() < 1e-15 * scale, "{scale}");
            assert!(
                turn.angle_to(&Quat::from_scaled_axis(phi)) < 1e-7,
                "{scale}"
            );
        }
    }

    #[test]
    fn log_inverts_exp_up_to_a_half_turn() {
        for scale in [0.0, 1e-12, 1e-5, 0.3, 2.0, 3.1, 3.1413] {
            let phi = Vec3::new(0.6, -0.48, 0.64) * scale;
            let back = log(&Quat::from_scaled_axis(phi));
            assert!(
                (back - phi).norm() < 1e-14 * (1.0 + scale),
                "{scale}: {back}"
            );
            let negated = Quat::new_unchecked(-Quat::from_scaled_axis(phi).into_inner());
            assert!((log(&negated) - phi).norm() < 1e-14 * (1.0 + scale));
        }
    }

    #[test]
    fn left_jacobian_inverse_is_the_derivative_of_log() {
        for scale in [1e-6, 0.005, 0.02, 1.0, 2.5] {
            let phi = Vec3::new(0.6, -0.48, 0.64) * scale;
            let q = Quat::from_scaled_axis(phi);
            let j = left_jacobian_inverse(&phi);
            let h = 1e-6;
            for k in 0..3 {
                let step = Vec3::ith(k, h);
                let change = log(&(Quat::from_scaled_axis(step) * q))
                    - log(&(Quat::from_scaled_axis(-step) * q));
                // Central difference: error of order h² plus rounding of 1e-16/h.
                assert!((change / (2.0 * h) - j.column(k)).norm() < 1e-8);
            }
        }
    }

    #[test]
    fn left_jacobian_is_the_derivative_of_exp_and_the_inverse_of_its_inverse() {
        for scale in [1e-6, 0.0099, 0.0101, 1.0, 2.5, 5.0] {
            let phi = Vec3::new(0.6, -0.48, 0.64) * scale;
            let j = left_jacobian(&phi);
            let h = 1e-6;
            for k in 0..3 {
                let at = |s: f64| Quat::from_scaled_axis(phi + Vec3::ith(k, s));
                let turn = log(&(at(h) * at(-h).inverse())) / (2.0 * h);
                // Central difference: error of order h² plus rounding of 1e-16/h.
                assert!((turn - j.column(k)).norm() < 1e-8, "{scale}");
            }
            // (x - sin x)/x³ loses 1e-16/x² = 1e-12 just above the series, times s² of 1e-4.
            let product = j * left_jacobian_inverse(&phi);
            assert!((product - Mat3::identity()).amax() < 1e-13, "{scale}");
        }
    }

    #[test]
    fn unwrapped_rotation_vectors_count_turns_about_an_axis_that_wanders() {
        // A ball that spins about an axis which drifts by less than a turn of it would notice.
        let mut reference = Vec3::zeros();
        let step = Vec3::new(0.05, -0.11, 0.21);
        for k in 0..400 {
            let whole = step * f64::from(k);
            let phi = log(&Quat::from_scaled_axis(whole));
            reference = unwrapped(&phi, &reference);
            // The principal vector is rounded to 1e-16 of π; turns are exact multiples.
            assert!((reference - whole).norm() < 1e-12, "{k}: {reference}");
        }
        assert!(reference.norm() > 15.0 * TAU);
        // A whole turn is one about the axis of the reference.
        let turn = unwrapped(&Vec3::zeros(), &Vec3::new(0.0, 6.2, 0.0));
        assert!((turn - Vec3::new(0.0, TAU, 0.0)).norm() < 1e-15);
    }

    #[test]
    fn left_jacobian_inverse_rate_is_a_derivative() {
        for scale in [1e-6, 0.009, 0.011, 1.0, 2.5] {
            let phi = Vec3::new(0.6, -0.48, 0.64) * scale;
            let rate = Vec3::new(0.3, 0.7, -0.2);
            let h = 1e-5;
            let found = (left_jacobian_inverse(&(phi + rate * h))
                - left_jacobian_inverse(&(phi - rate * h)))
                / (2.0 * h);
            // Truncation h² = 1e-10, rounding of c near its series 1e-12/h.
            let error = (found - left_jacobian_inverse_rate(&phi, &rate)).amax();
            assert!(error < 1e-7, "{scale}: {error}");
        }
    }
}
