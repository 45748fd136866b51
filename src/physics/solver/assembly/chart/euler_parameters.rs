//! Euler parameters: a quaternion `e` with `ω_b = 2 vec(ē ė)` where it has unit length.
//!
//! Stages of explicit methods leave unit length by their errors: `R` and `ω_b` are those of `e/|e|`, and `ë` keeps the second
//! derivative of `|e|²` at zero, as an acceleration constraint of index 1 does. With `ė = ½ e (s, ω_b)` this is
//! `ë = ½ ė (s, ω_b) + ½ e (-s², ω̇_b)`.

use crate::math::{Quat, Vec3};
use nalgebra::{Quaternion, Vector4};

/// `e (s, v)` as coefficients.
pub fn product(e: &Vector4<f64>, s: f64, v: &Vec3) -> Vector4<f64> {
    (Quaternion::from(*e) * Quaternion::from_parts(s, *v)).coords
}

/// Vector part of `ē y`.
pub fn vector(e: &Vector4<f64>, y: &Vector4<f64>) -> Vec3 {
    (Quaternion::from(*e).conjugate() * Quaternion::from(*y))
        .imag()
        .into_owned()
}

/// Orientation, and angular velocity in body axes.
pub fn place(e: &Vector4<f64>, rate: &Vector4<f64>) -> (Quat, Vec3) {
    let square = e.norm_squared();
    let orientation = Quat::new_unchecked(Quaternion::from(e / square.sqrt()));
    (orientation, vector(e, rate) * (2.0 / square))
}

/// `ë` at `ω̇_b`.
pub fn rates_of(e: &Vector4<f64>, rate: &Vector4<f64>, spin_rate: &Vec3) -> Vector4<f64> {
    let square = e.norm_squared();
    let s = 2.0 * e.dot(rate) / square;
    let omega = vector(e, rate) * (2.0 / square);
    (product(rate, s, &omega) + product(e, -s * s, spin_rate)) * 0.5
}
