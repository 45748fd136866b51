//! How far a body may turn in an interval, and the turn of a body that nothing but its own momentum moves.
//!
//! A rotation `R` over an interval takes the angular momentum `dt p = (R Σ - Σ Rᵀ)ˇ`, with the second moments of mass
//! `Σ = tr(J)/2 - J` at `z1`: the same as `dt p = 2 (s J u + u × J u)` [Brüdigam2023 eq. 16], and the equation of
//! Moser and Veselov. Its derivative with respect to a rotation of `z2` is
//! ```text
//!   dt ∂p/∂θ = tr(R Σ) I - R Σ,   det = (µ₁ + µ₂)(µ₂ + µ₃)(µ₃ + µ₁) with the eigenvalues µ of R Σ
//! ```
//! `R Σ` has the eigenvalues of `√Σ R √Σ`, whose symmetric part `√Σ (R + Rᵀ)/2 √Σ` is positive definite as long as `R`
//! turns by less than a quarter of a full turn. All `µ` then have positive real parts and no two of them add up to
//! zero: whatever the inertia, nothing folds on the way from `u = 0` to a quarter turn, `u·u =` [`FOLD`], and a
//! momentum has one such rotation at most, as the Riccati equation that this is has one stabilising solution
//! [CardosoLeite2003]. For rotations about a principal axis, and all rotations of a sphere, `dt p = J sin φ` folds
//! exactly there: no larger momentum than `J/dt` can be had, and beyond a quarter turn lies a second branch, on which a
//! faster rotation has less momentum. The angular velocity `J⁻¹ p` of a body at a knot is therefore limited to `1/dt`.
//!
//! The symmetric part of the derivative need not be positive definite on the way, only its determinant is positive.

use crate::math::{Mat3, Quat, Vec3};
use nalgebra::Quaternion;

/// Square of the half-angle sine of a quarter turn, which no interval may reach.
pub const FOLD: f64 = 0.5;

/// Square of the half-angle sine up to which a free body makes its turn in one go: a sixth of a full turn, where a
/// change of the momentum still changes the turn by no more than twice as much as at rest.
const COMFORT: f64 = 0.25;

/// Turn in one of several goes or intervals that a spin is cut into (rad).
pub const EASY: f64 = 0.5;

/// Most goes of a free body's turn: what a step may cost, a millisecond, not what it may hold. More than sixteen are several
/// full turns from knot to knot; the body keeps its momentum over them to rounding.
pub const MOST_PARTS: u32 = 4096;

/// Newton iterations for one turn; from the closed form of a sphere fewer than ten are needed.
const LIMIT: u32 = 30;

/// Halvings of a Newton step at most, and of the part of the momentum that is added at a time.
const HALVINGS: u32 = 12;

/// Rounding of what is balanced, relative to the momentum.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// `s J u + u × J u`: half of `dt` times the angular momentum.
fn momentum(inertia: &Mat3, u: &Vec3) -> Vec3 {
    let ju = inertia * u;
    ju * (1.0 - u.norm_squared()).max(0.0).sqrt() + u.cross(&ju)
}

/// Rotation matrix `(1 - 2 u·u) I + 2 u uᵀ + 2 s [u]×` of a half-angle sine.
fn rotation(u: &Vec3) -> Mat3 {
    let square = u.norm_squared();
    let s = (1.0 - square).max(0.0).sqrt();
    Mat3::from_diagonal_element(1.0 - 2.0 * square)
        + u * u.transpose() * 2.0
        + u.cross_matrix() * (2.0 * s)
}

/// Newton's method from `start`, kept on the branch; the flag says whether it arrived.
fn newton(inertia: &Mat3, goal: &Vec3, start: Vec3) -> (Vec3, bool) {
    let moments = Mat3::from_diagonal_element(0.5 * inertia.trace()) - inertia;
    let size = goal.norm();
    let mut u = start;
    let mut left = goal - momentum(inertia, &u);
    for _ in 0..LIMIT {
        let error = left.norm();
        if error <= ROUNDING * size {
            return (u, true);
        }
        let turned = rotation(&u) * moments;
        let slope = Mat3::from_diagonal_element(turned.trace()) - turned;
        let Some(inverse) = slope.try_inverse() else {
            return (u, false);
        };
        let turn = inverse * left * 2.0;
        let s = (1.0 - u.norm_squared()).max(0.0).sqrt();
        // A rotation θ of z2 changes u by (s θ - u × θ)/2.
        let step = (turn * s - u.cross(&turn)) * 0.5;
        let mut length = 1.0;
        let mut better = None;
        for _ in 0..HALVINGS {
            let next = u + step * length;
            let rest = goal - momentum(inertia, &next);
            if next.norm_squared() < FOLD && rest.norm() < error {
                better = Some((next, rest));
                break;
            }
            length *= 0.5;
        }
        let Some((next, rest)) = better else {
            // Nothing gains any more: done, if what is left is rounding.
            return (u, error <= 16.0 * ROUNDING * size);
        };
        (u, left) = (next, rest);
    }
    (u, false)
}

/// Half-angle sine of the turn by which a body with an inertia (kg·m²) keeps an angular momentum (kg·m²/s) over `dt`,
/// both in world axes at `z1`; `None` where no turn of less than a quarter does.
pub fn free_turn(inertia: &Mat3, spin: &Vec3, dt: f64) -> Option<Vec3> {
    let goal = spin * (0.5 * dt);
    let rate = inertia.try_inverse()? * goal;
    // As if it were a sphere: 2 s u = sin φ.
    let sine = 2.0 * rate.norm();
    if sine < 1.0 {
        let half = (0.5 * (1.0 + (1.0 - sine * sine).sqrt())).sqrt();
        let (u, arrived) = newton(inertia, &goal, rate / half);
        if arrived {
            return Some(u);
        }
    }
    // From rest, adding as much of the momentum at a time as Newton's method can follow.
    let (mut u, mut done, mut part) = (Vec3::zeros(), 0.0, 0.5);
    while done < 1.0 {
        let next = f64::min(done + part, 1.0);
        let (found, arrived) = newton(inertia, &(goal * next), u);
        if arrived {
            (u, done) = (found, next);
            part *= 2.0;
        } else {
            part *= 0.5;
            if part < 0.5f64.powi(HALVINGS as i32) {
                return None;
            }
        }
    }
    Some(u)
}

/// A body's turn over an interval in one or several goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swing {
    /// Half-angle sine of the whole turn, the short way round.
    pub half_angle_sine: Vec3,
    /// Sum of the half-angle sines of the goes: `dt/2` times their mean angular velocity.
    pub sum: Vec3,
    /// How many there were.
    pub goes: u32,
}

/// The turn of a free body: in one go where it is well inside the branch, else in as many equal ones, each by the
/// same discrete equation, as keep it there. Torques act at the ends of the interval, as in any other.
pub fn swing(inertia: &Mat3, spin: &Vec3, dt: f64) -> Option<Swing> {
    if let Some(u) = free_turn(inertia, spin, dt)
        && u.norm_squared() <= COMFORT
    {
        return Some(Swing {
            half_angle_sine: u,
            sum: u,
            goes: 1,
        });
    }
    let rate = (inertia.try_inverse()? * spin).norm() * dt.abs();
    let mut goes = parts(rate)?.max(2);
    loop {
        if let Some(swing) = several(inertia, spin, dt, goes) {
            return Some(swing);
        }
        if goes == MOST_PARTS {
            return None;
        }
        goes = (2 * goes).min(MOST_PARTS);
    }
}

/// How many equal parts a turn of so many radians is made in; `None` beyond [`MOST_PARTS`].
fn parts(turn: f64) -> Option<u32> {
    let parts = (turn / EASY).ceil().max(1.0);
    (parts <= f64::from(MOST_PARTS)).then_some(parts as u32)
}

fn several(inertia: &Mat3, spin: &Vec3, dt: f64, goes: u32) -> Option<Swing> {
    let mut inertia = *inertia;
    let mut whole = Quaternion::identity();
    let mut sum = Vec3::zeros();
    for _ in 0..goes {
        let u = free_turn(&inertia, spin, dt / f64::from(goes))?;
        if u.norm_squared() > COMFORT {
            return None;
        }
        let turn = rotation(&u);
        inertia = turn * inertia * turn.transpose();
        whole = Quaternion::new((1.0 - u.norm_squared()).sqrt(), u.x, u.y, u.z) * whole;
        sum += u;
    }
    let whole = Quat::new_normalize(whole).into_inner();
    let sign = if whole.w < 0.0 { -1.0 } else { 1.0 };
    Some(Swing {
        half_angle_sine: whole.imag() * sign,
        sum,
        goes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::TAU;

    /// Principal moments of any body of mass points, turned somehow.
    fn inertia() -> impl Strategy<Value = Mat3> {
        (
            prop::array::uniform3(-6.0..0.0f64),
            prop::array::uniform3(-3.0..3.0f64),
        )
            .prop_map(|(moments, turn)| {
                let sigma = moments.map(|m| 10f64.powf(m));
                let sum: f64 = sigma.iter().sum();
                let turn = Quat::from_scaled_axis(Vec3::from(turn)).to_rotation_matrix();
                let turn = turn.matrix();
                turn * Mat3::from_diagonal(&Vec3::from(sigma.map(|s| sum - s))) * turn.transpose()
            })
    }

    fn slope(inertia: &Mat3, u: &Vec3) -> Mat3 {
        let moments = Mat3::from_diagonal_element(0.5 * inertia.trace()) - inertia;
        let turned = rotation(u) * moments;
        Mat3::from_diagonal_element(turned.trace()) - turned
    }

    proptest! {
        /// The statement of the module for any inertia and any rotation of less than a quarter turn.
        #[test]
        fn the_momentum_does_not_fold_below_a_quarter_turn(
            j in inertia(),
            axis in prop::array::uniform3(-1.0..1.0f64),
            part in 0.0..0.999f64,
        ) {
            let axis = Vec3::from(axis);
            prop_assume!(axis.norm() > 0.1);
            let u = axis.normalize() * (part * FOLD.sqrt());
            prop_assert!(slope(&j, &u).determinant() > 0.0);
        }

        /// The derivative is that of the momentum, by central differences of 1e-6 rad: their error is 1e-12 and
        /// rounding 1e-10, relative to the largest moment.
        #[test]
        fn the_slope_is_the_derivative_of_the_momentum(
            j in inertia(),
            u in prop::array::uniform3(-0.4..0.4f64),
            theta in prop::array::uniform3(-1.0..1.0f64),
        ) {
            let (u, theta) = (Vec3::from(u), Vec3::from(theta));
            let s = (1.0 - u.norm_squared()).sqrt();
            let du = (theta * s - u.cross(&theta)) * 0.5;
            let h = 1e-6;
            let difference = (momentum(&j, &(u + du * h)) - momentum(&j, &(u - du * h))) / h;
            let error = (difference - slope(&j, &u) * theta).norm();
            prop_assert!(error <= 1e-8 * j.norm(), "{error:e}");
        }

        /// Any turn of less than a quarter is found again from its momentum, and no other. The momentum is known to
        /// rounding, which the slope magnifies.
        #[test]
        fn a_turn_is_found_from_its_momentum(
            j in inertia(),
            axis in prop::array::uniform3(-1.0..1.0f64),
            part in 0.0..0.98f64,
        ) {
            let axis = Vec3::from(axis);
            prop_assume!(axis.norm() > 0.1);
            let u = axis.normalize() * (part * FOLD.sqrt());
            let dt = 0.01;
            let spin = momentum(&j, &u) * (2.0 / dt);
            let found = free_turn(&j, &spin, dt).expect("there is one");
            let inverse = slope(&j, &u).try_inverse().expect("it does not fold");
            let magnified = 1e-13 * inverse.norm() * j.norm();
            prop_assert!((found - u).norm() <= 1e-12 + magnified, "{found} for {u}");
        }
    }

    /// A sphere turns by `asin(dt ω)`, up to `ω = 1/dt` and no further.
    #[test]
    fn a_sphere_spins_below_one_over_dt() {
        let j = Mat3::from_diagonal_element(0.3);
        let dt = 0.01;
        for rate in [0.0, 1.0, 50.0, 90.0, 99.99] {
            let u = free_turn(&j, &(Vec3::z() * (0.3 * rate)), dt).expect("below the limit");
            assert!((2.0 * u.norm().asin() - (dt * rate).asin()).abs() < 1e-9);
        }
        assert_eq!(free_turn(&j, &(Vec3::z() * (0.3 * 100.1)), dt), None);
    }

    /// Beyond, the turn is made in several goes, each the discrete equation with a shorter interval; the sum of their
    /// angles tends to that of the spin.
    #[test]
    fn a_faster_turn_is_made_in_several_goes() {
        let j = Mat3::from_diagonal(&Vec3::new(0.2, 0.3, 0.4));
        for (rate, goes) in [
            (50.0, 1),
            (95.0, 2),
            (190.0, 4),
            (290.0, 6),
            (799.0, 16),
            (1.9999e5, 4000),
        ] {
            let swing = swing(&j, &(Vec3::y() * (0.3 * rate)), 0.01).expect("below the bound");
            assert_eq!(swing.goes, goes);
            let go = (0.01 * rate / f64::from(swing.goes)).asin();
            let whole = go * f64::from(swing.goes);
            // The short way round, backwards where that is shorter.
            let short = whole - TAU * (whole / TAU).round();
            let expected = Vec3::y() * (0.5 * short).sin();
            assert!((swing.half_angle_sine - expected).norm() < 1e-9);
            let mean = f64::from(swing.goes) * (0.5 * go).sin();
            assert!((swing.sum - Vec3::y() * mean).norm() < 1e-12 * mean.max(1.0));
        }
        let beyond = 1.001 * EASY * f64::from(MOST_PARTS) / 0.01;
        assert_eq!(swing(&j, &(Vec3::y() * (0.3 * beyond)), 0.01), None);
    }

    /// Up to a hundred-millionth of the fold the turn is found on its own side of it: steps of Newton's method that would
    /// cross are shortened. There the slope magnifies rounding by up to 1e8.
    #[test]
    fn a_turn_next_to_the_fold_is_found_from_its_momentum() {
        let mut numbers = crate::model::specimen::Numbers(1);
        for k in 0..4000 {
            let sigma = [0; 3].map(|_| 10f64.powf(3.0 * (numbers.unit() - 1.0)));
            let sum: f64 = sigma.iter().sum();
            let j = Mat3::from_diagonal(&Vec3::from(sigma.map(|s| sum - s)));
            let part = 1.0 - 10f64.powf(4.0 * (numbers.unit() - 1.0));
            let u = numbers.vector().normalize() * (part * FOLD.sqrt());
            let found = free_turn(&j, &(momentum(&j, &u) * 2.0), 1.0).expect("there is one");
            let error = (found - u).norm();
            assert!(
                error < 1e-6 && found.norm_squared() < FOLD,
                "{k}: {found} for {u}"
            );
        }
    }

    proptest! {
        /// In other units of mass, powers of two so that nothing else rounds, the same turn to the last bit, or none
        /// where there is more momentum than any turn has.
        #[test]
        fn a_turn_does_not_depend_on_the_unit_of_mass(
            j in inertia(),
            axis in prop::array::uniform3(-1.0..1.0f64),
            rate in 0.0..3.0f64,
        ) {
            let axis = Vec3::from(axis);
            prop_assume!(axis.norm() > 0.1);
            let spin = j * axis.normalize() * rate;
            let found = free_turn(&j, &spin, 1.0);
            for unit in [2f64.powi(60), 2f64.powi(-60)] {
                prop_assert_eq!(free_turn(&(j * unit), &(spin * unit), 1.0), found);
            }
        }
    }
}
