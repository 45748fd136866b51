//! The contact law of a unilateral constraint, linearised: `C δr + E δu = c`.
//!
//! The complementarity form of Signorini and Coulomb is written with projections \[AlartCurnier1991]:
//! ```text
//!   r_n = max(0, r_n - u_n)          the normal impulse and the gap are not negative, one of them is zero
//!   r_t = P(r_t - u_t)               P onto µ r_n times the section of the cone: friction opposes slip
//! ```
//! These are equations, piecewise smooth, and a Newton step takes the piece in which the arguments lie.

use super::closed::{Scales, is_closed};
use super::cone::{ConeSection, length};
use super::constraint::Unilateral;
use crate::math::{Mat3, Vec3};
use crate::model::ContactStatus;

/// One linearised law. Rows and columns that a unilateral constraint lacks are those of the identity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Law {
    /// Factor of the change of impulses.
    pub c: Mat3,
    /// Factor of the change of velocities.
    pub e: Mat3,
    /// Right-hand side (m/s).
    pub rhs: Vec3,
}

impl Default for Law {
    /// The impulses stay.
    fn default() -> Self {
        Self {
            c: Mat3::identity(),
            e: Mat3::zeros(),
            rhs: Vec3::zeros(),
        }
    }
}

/// A unilateral constraint this near to the kink between open and closed counts as closed, relative to the speed of the
/// step: what lies at rest starts with all its contacts.
const KINK: f64 = 1e-9;

/// An impulse and the velocity dual to it: all that the law relates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dual {
    /// Rows: 1 or 3.
    pub rows: usize,
    /// Coefficient of friction.
    pub friction: f64,
    /// Speed with which the kink between open and closed is compared (m/s).
    pub speed: f64,
    /// Impulses over the effective mass [m/s]: normal, then tangential.
    pub impulse: [f64; 3],
    /// Velocities (m/s).
    pub velocity: [f64; 3],
}

impl From<&Unilateral> for Dual {
    fn from(unilateral: &Unilateral) -> Self {
        Self {
            rows: unilateral.rows,
            friction: unilateral.friction,
            speed: unilateral.speed,
            impulse: unilateral.impulse,
            velocity: unilateral.velocity,
        }
    }
}

impl Dual {
    /// Whether it counts as closed in the piece that is taken.
    pub fn is_pressed(&self) -> bool {
        self.impulse[0] - self.velocity[0] >= -KINK * self.speed
    }

    /// The piece of the law in which it is.
    pub fn piece(&self, section: ConeSection) -> Law {
        let (r, u) = (&self.impulse, &self.velocity);
        let mut law = Law::default();
        if !self.is_pressed() {
            // Open: all impulses vanish.
            for row in 0..self.rows {
                law.rhs[row] = -r[row];
            }
            return law;
        }
        law.c[(0, 0)] = 0.0;
        law.e[(0, 0)] = 1.0;
        law.rhs[0] = -u[0];
        if self.rows == 3 {
            let z = [r[1] - u[1], r[2] - u[2]];
            let nearest = section.nearest(z, self.friction * r[0]);
            for i in 0..2 {
                for j in 0..2 {
                    let by = nearest.by_point[i][j];
                    law.c[(1 + i, 1 + j)] = f64::from(u8::from(i == j)) - by;
                    law.e[(1 + i, 1 + j)] = by;
                }
                law.c[(1 + i, 0)] = -self.friction * nearest.by_bound[i];
                law.rhs[1 + i] = nearest.point[i] - r[1 + i];
            }
        }
        law
    }

    /// How far it is from its law [m/s]: the residuals of the projections, normal and tangential.
    pub fn violation(&self, section: ConeSection) -> [f64; 2] {
        let (r, u) = (&self.impulse, &self.velocity);
        let pressed = r[0] - u[0];
        // What is not a number stays so.
        let kept = if pressed < 0.0 { 0.0 } else { pressed };
        let normal = (r[0] - kept).abs();
        if self.rows == 1 {
            return [normal, 0.0];
        }
        let nearest = section.nearest([r[1] - u[1], r[2] - u[2]], self.friction * r[0]);
        let slip = [r[1] - nearest.point[0], r[2] - nearest.point[1]];
        [normal, length(slip)]
    }
}

/// The piece of the law in which a unilateral constraint is.
pub fn nonsmooth(unilateral: &Unilateral, section: ConeSection) -> Law {
    Dual::from(unilateral).piece(section)
}

/// How far a unilateral constraint is from its law [m/s]: the residuals of the projections, normal and tangential.
pub fn violation(unilateral: &Unilateral, section: ConeSection) -> [f64; 2] {
    Dual::from(unilateral).violation(section)
}

/// What a unilateral constraint does, whose impulses and velocities are compared with `scales`.
pub fn status(unilateral: &Unilateral, section: ConeSection, scales: Scales) -> ContactStatus {
    let (r, u) = (&unilateral.impulse, &unilateral.velocity);
    if !is_closed(r[0], u[0], scales) {
        return ContactStatus::Open;
    }
    if unilateral.rows == 1 {
        // Without friction everything slides that moves at all.
        return ContactStatus::Sliding;
    }
    let z = [r[1] - u[1], r[2] - u[2]];
    if section.nearest(z, unilateral.friction * r[0]).inside {
        ContactStatus::Sticking
    } else {
        ContactStatus::Sliding
    }
}

#[cfg(test)]
mod tests {
    use super::super::constraint::What;
    use super::*;
    use proptest::prelude::*;

    const FRICTION: f64 = 0.7;

    /// A node with these impulses and velocities, of a step at 100 m/s.
    fn node(rows: usize, impulse: [f64; 3], velocity: [f64; 3]) -> Unilateral {
        Unilateral {
            rows,
            speed: 100.0,
            friction: FRICTION,
            impulse,
            velocity,
            ..Unilateral::empty(What::Contact(0))
        }
    }

    /// Residuals of the two projections, with the disc written as a factor.
    fn residual(r: [f64; 3], u: [f64; 3]) -> [f64; 3] {
        let z = [r[1] - u[1], r[2] - u[2]];
        let bound = (FRICTION * r[0]).max(0.0);
        let factor = (bound / z[0].hypot(z[1])).min(1.0);
        [r[0].min(u[0]), r[1] - factor * z[0], r[2] - factor * z[1]]
    }

    proptest! {
        /// Closed, sticking or sliding, the linear law is Newton's for the residual: central differences of 1e-6,
        /// whose truncation is 1e-12 times third derivatives below 1e4 and whose rounding is 1e-10.
        #[test]
        fn the_law_of_what_touches_is_the_derivative_of_its_projections(
            r in prop::array::uniform3(0.1..2.0f64),
            u in prop::array::uniform3(-2.0..2.0f64),
        ) {
            let z = (r[1] - u[1]).hypot(r[2] - u[2]);
            prop_assume!(r[0] - u[0] > 1e-3 && z > 0.1 && (z - FRICTION * r[0]).abs() > 1e-3);
            let law = nonsmooth(&node(3, r, u), ConeSection::Disc);
            let here = residual(r, u);
            let h = 1e-6;
            for k in 0..3 {
                prop_assert!((law.rhs[k] + here[k]).abs() < 1e-14);
                let step = |x: [f64; 3], by: f64| {
                    let mut x = x;
                    x[k] += by;
                    x
                };
                let by_r = [h, -h].map(|by| residual(step(r, by), u));
                let by_u = [h, -h].map(|by| residual(r, step(u, by)));
                for i in 0..3 {
                    let slope = |of: &[[f64; 3]; 2]| (of[0][i] - of[1][i]) / (2.0 * h);
                    prop_assert!((slope(&by_r) - law.c[(i, k)]).abs() < 1e-7);
                    prop_assert!((slope(&by_u) - law.e[(i, k)]).abs() < 1e-7);
                }
            }
        }

        /// With friction and without.
        #[test]
        fn the_violation_is_the_size_of_the_residuals(
            r in prop::array::uniform3(-1.0..2.0f64),
            u in prop::array::uniform3(-2.0..2.0f64),
        ) {
            let [normal, first, second] = residual(r, u);
            let found = violation(&node(3, r, u), ConeSection::Disc);
            // Rounding of differences of numbers of order 1.
            prop_assert!((found[0] - normal.abs()).abs() < 1e-14);
            prop_assert!((found[1] - first.hypot(second)).abs() < 1e-14);
            prop_assert_eq!(violation(&node(1, r, u), ConeSection::Disc), [found[0], 0.0]);
        }
    }

    #[test]
    fn what_is_open_loses_its_impulses_and_what_is_on_the_kink_is_closed() {
        let r = [0.1, 0.2, -0.3];
        let open = nonsmooth(&node(3, r, [0.5, 1.0, 1.0]), ConeSection::Disc);
        assert_eq!((open.c, open.e), (Mat3::identity(), Mat3::zeros()));
        assert_eq!(open.rhs, -Vec3::from(r));
        // The kink is as wide as a billionth of the speed, 1e-7 m/s.
        let closed = |u: f64| nonsmooth(&node(1, [0.0; 3], [u, 0.0, 0.0]), ConeSection::Disc);
        assert_eq!(closed(0.5e-7).c[(0, 0)], 0.0);
        assert_eq!(closed(2e-7).c[(0, 0)], 1.0);
        // Where nothing moves, what lies at rest starts with its contacts closed.
        let resting = Unilateral {
            speed: 0.0,
            ..node(1, [0.0; 3], [0.0; 3])
        };
        assert_eq!(nonsmooth(&resting, ConeSection::Disc).c[(0, 0)], 0.0);
        // A node without friction leaves the rows that it lacks alone.
        let single = nonsmooth(&node(1, r, [0.0, 1.0, 1.0]), ConeSection::Disc);
        assert_eq!(
            (single.c[(1, 1)], single.rhs[1], single.rhs[2]),
            (1.0, 0.0, 0.0)
        );
    }

    #[test]
    fn the_status_tells_open_from_sticking_from_sliding() {
        let status = |rows, impulse, velocity| {
            let scales = Scales::of_speed(1.0);
            super::status(&node(rows, impulse, velocity), ConeSection::Disc, scales)
        };
        let still = [0.0; 3];
        // The bound is 0.7 m/s.
        assert_eq!(status(3, [0.0; 3], [0.5, 0.0, 0.0]), ContactStatus::Open);
        assert_eq!(status(3, [1.0, 0.4, 0.5], still), ContactStatus::Sticking);
        assert_eq!(
            status(3, [1.0, 0.7, 0.0], [0.0, -0.3, 0.0]),
            ContactStatus::Sliding
        );
        assert_eq!(
            status(3, [1.0, 0.0, 0.7], [0.0, 0.0, -0.3]),
            ContactStatus::Sliding
        );
        // Less of either component than the bound, more of both together.
        assert_eq!(
            status(3, [1.0, 0.3, 0.3], [0.0, -0.3, -0.3]),
            ContactStatus::Sliding
        );
        assert_eq!(status(3, [0.5, 0.3, 0.3], still), ContactStatus::Sliding);
        assert_eq!(status(3, [2.0, 1.0, 0.7], still), ContactStatus::Sticking);
        assert_eq!(status(1, [1.0, 0.0, 0.0], still), ContactStatus::Sliding);
    }
}
