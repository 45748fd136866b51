//! The contact problem of one point by itself: Coulomb's law with `u = q + W r`, exactly.
//!
//! [Bonnefon2011] writes its sliding branch as a quartic; here the normal row is eliminated and the slip is found by
//! Newton's method on a scalar, which keeps to its branch and starts near its root when the point was visited before.

use crate::math::Mat3;
use crate::solver::unilateral::length;
use crate::solver::worse;

/// Newton's iterations at most; bisection alone would need some fifty.
const ITERATIONS: usize = 60;

/// Where the search for a slip ends, relative to the bound: what is left is below the rounding of `u`.
const ENOUGH: f64 = 1e-13;

/// A step of Newton's method that changes impulses by less than this part is the last: it leaves the square of it.
const LAST: f64 = 3e-7;

/// Eigenvalues of the mobility below this part of the largest count as this: what cannot move has no friction to find.
const LEAST: f64 = 1e-12;

/// The mobility `W` of a point, symmetric and positive definite, prepared for many right-hand sides.
///
/// Tangents are turned so that what is left of `W` when the normal row is eliminated is diagonal:
/// ```text
///   W = [ w    w sᵀ          ]
///       [ w s  diag(e) + w s sᵀ ]
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Local {
    /// Inverse of the normal row's mobility.
    pub over: f64,
    /// Velocities along the tangents of a normal velocity.
    pub skew: [f64; 2],
    /// Mobility along the tangents where the normal impulse gives way.
    pub stiff: [f64; 2],
    /// Its inverse.
    pub soft: [f64; 2],
    /// Coefficient of friction.
    pub friction: f64,
}

/// A turn of the tangents: cosine and sine.
pub type Turn = [f64; 2];

/// Components of a vector in turned tangents.
pub fn turned([c, s]: Turn, [x, y]: [f64; 2]) -> [f64; 2] {
    [c * x + s * y, c * y - s * x]
}

/// Components in the tangents as they were.
pub fn turned_back([c, s]: Turn, [x, y]: [f64; 2]) -> [f64; 2] {
    [c * x - s * y, c * y + s * x]
}

/// Half of the angle of `(x, y)`, whose length is given: that of Jacobi's rotation.
fn halved(x: f64, y: f64, length: f64) -> Turn {
    if length == 0.0 {
        return [1.0, 0.0];
    }
    // The larger of both is free of cancellation.
    let larger = (0.5 * (1.0 + x.abs() / length)).sqrt();
    let smaller = 0.5 * y.abs() / (length * larger);
    let [c, s] = if x >= 0.0 {
        [larger, smaller]
    } else {
        [smaller, larger]
    };
    [c, s.copysign(y)]
}

impl Local {
    /// Prepares a mobility and says how the tangents are to be turned; `None` if nothing moves along the normal.
    pub fn new(w: &Mat3, rows: usize, friction: f64) -> Option<(Self, Turn)> {
        let normal = w[(0, 0)];
        if !(normal > 0.0 && normal.is_finite()) {
            return None;
        }
        let over = 1.0 / normal;
        let mut local = Self {
            over,
            ..Self::default()
        };
        if rows == 1 {
            return Some((local, [1.0, 0.0]));
        }
        let skew = [w[(1, 0)] * over, w[(2, 0)] * over];
        let left = |i: usize, j: usize| w[(1 + i, 1 + j)] - w[(1 + i, 0)] * w[(1 + j, 0)] * over;
        let (a, b, d) = (left(0, 0), 0.5 * (left(0, 1) + left(1, 0)), left(1, 1));
        let (middle, lean) = (0.5 * (a + d), 0.5 * (a - d));
        let half = length([lean, b]);
        let turn = halved(lean, b, half);
        let least = LEAST * (middle.abs() + half + normal);
        local.stiff = [(middle + half).max(least), (middle - half).max(least)];
        local.soft = local.stiff.map(|e| 1.0 / e);
        local.skew = turned(turn, skew);
        local.friction = friction;
        Some((local, turn))
    }

    /// Impulses with which the point keeps its law, where impulses `r` gave velocities `u`. `slip` is the multiplier of
    /// the slip found last, from which the search starts, negative for none.
    #[inline(always)]
    pub fn solve(&self, r: [f64; 3], u: [f64; 3], slip: &mut f64) -> [f64; 3] {
        // The normal impulse without friction.
        let alone = r[0] + self.skew[0] * r[1] + self.skew[1] * r[2] - self.over * u[0];
        if alone <= 0.0 {
            return [0.0; 3];
        }
        if self.friction == 0.0 {
            return [alone, 0.0, 0.0];
        }
        let pull = [
            self.stiff[0] * r[1] - u[1] + self.skew[0] * u[0],
            self.stiff[1] * r[2] - u[2] + self.skew[1] * u[0],
        ];
        let held = [pull[0] * self.soft[0], pull[1] * self.soft[1]];
        let normal = alone - self.skew[0] * held[0] - self.skew[1] * held[1];
        let bound = self.friction * normal;
        if normal >= 0.0 && held[0] * held[0] + held[1] * held[1] <= bound * bound {
            return [normal, held[0], held[1]];
        }
        self.slide(pull, alone, slip)
    }

    /// The sliding branch: `z > 0` with `|r_t| = µ r_n`, where `r_t = p / (e + z)` opposes a slip of `z r_t`. There is
    /// always one: at zero the point would stick, and with `z` friction vanishes while the normal impulse does not.
    #[inline(always)]
    fn slide(&self, pull: [f64; 2], alone: f64, slip: &mut f64) -> [f64; 3] {
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut z = *slip;
        if !(0.0..1e300).contains(&z) {
            let size = length(pull);
            z = (size / (self.friction * alone) - 0.5 * (self.stiff[0] + self.stiff[1])).max(0.0);
        }
        let mut found = [alone, 0.0, 0.0];
        for _ in 0..ITERATIONS {
            let (a, b) = (self.stiff[0] + z, self.stiff[1] + z);
            let over = 1.0 / (a * b);
            let (first, second) = (b * over, a * over);
            let (x, y) = (pull[0] * first, pull[1] * second);
            let normal = alone - self.skew[0] * x - self.skew[1] * y;
            let bound = self.friction * normal;
            let size = length([x, y]);
            found = [normal, x, y];
            let excess = size - bound;
            if excess.abs() <= ENOUGH * size {
                break;
            }
            if excess > 0.0 {
                low = z;
            } else {
                high = z;
            }
            // Newton on 1/|r_t| - 1/(µ r_n), which is linear in z where W is isotropic:
            // d|r_t|/dz = -shrink/|r_t|, dr_n/dz = grow.
            let shrink = x * x * first + y * y * second;
            let grow = self.skew[0] * x * first + self.skew[1] * y * second;
            let step = excess * size * size * bound
                / (shrink * bound * bound + self.friction * grow * size * size * size);
            if step.abs() * worse(first, second) <= LAST {
                z = (z + step).max(0.0);
                found = [
                    normal + grow * step,
                    x - x * first * step,
                    y - y * second * step,
                ];
                break;
            }
            let mut next = z + step;
            if !(bound > 0.0 && next > low && next < high) {
                next = if high.is_finite() {
                    0.5 * (low + high)
                } else {
                    2.0 * z + self.stiff[0]
                };
                if next <= low || next >= high {
                    break;
                }
            }
            z = next;
        }
        *slip = z;
        found
    }
}
