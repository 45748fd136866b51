//! The contact law of a unilateral constraint, linearised: `C δr + E δu = c`.
//!
//! The complementarity form of Signorini and Coulomb is written with projections [AlartCurnier1991]:
//! ```text
//!   r_n = max(0, r_n - u_n)          the normal impulse and the gap are not negative, one of them is zero
//!   r_t = P(r_t - u_t)               P onto µ r_n times the section of the cone: friction opposes slip
//! ```
//! These are equations, piecewise smooth, and a Newton step takes the piece in which the arguments lie.

use super::closed::{Scales, is_closed};
use super::cone::ConeSection;
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
    /// Right-hand side [m/s].
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

/// The piece of the law in which a unilateral constraint is.
pub fn nonsmooth(unilateral: &Unilateral, section: ConeSection) -> Law {
    let (r, u) = (&unilateral.impulse, &unilateral.velocity);
    let mut law = Law::default();
    if r[0] - u[0] < -KINK * unilateral.speed {
        // Open: all impulses vanish.
        for row in 0..unilateral.rows {
            law.rhs[row] = -r[row];
        }
        return law;
    }
    law.c[(0, 0)] = 0.0;
    law.e[(0, 0)] = 1.0;
    law.rhs[0] = -u[0];
    if unilateral.rows == 3 {
        let z = [r[1] - u[1], r[2] - u[2]];
        let nearest = section.nearest(z, unilateral.friction * r[0]);
        for i in 0..2 {
            for j in 0..2 {
                let by = nearest.by_point[i][j];
                law.c[(1 + i, 1 + j)] = f64::from(u8::from(i == j)) - by;
                law.e[(1 + i, 1 + j)] = by;
            }
            law.c[(1 + i, 0)] = -unilateral.friction * nearest.by_bound[i];
            law.rhs[1 + i] = nearest.point[i] - r[1 + i];
        }
    }
    law
}

/// How far a unilateral constraint is from its law [m/s]: the residuals of the projections, normal and tangential.
pub fn violation(unilateral: &Unilateral, section: ConeSection) -> [f64; 2] {
    let (r, u) = (&unilateral.impulse, &unilateral.velocity);
    let normal = (r[0] - (r[0] - u[0]).max(0.0)).abs();
    if unilateral.rows == 1 {
        return [normal, 0.0];
    }
    let nearest = section.nearest([r[1] - u[1], r[2] - u[2]], unilateral.friction * r[0]);
    let slip = (r[1] - nearest.point[0]).hypot(r[2] - nearest.point[1]);
    [normal, slip]
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
