//! Vectors in the second-order cone with the scaling of Nesterov and Todd [NesterovTodd1997].
//!
//! The scaling point of `w` and `y` has the matrix `W = β (2 v vᵀ - J)` with `W w = W⁻¹ y`. Its eigenvectors are
//! `(1, ±d)/√2` and the tangent across `d`, with eigenvalues `β (a ± b)` and `β`; all products with functions of `W`
//! go by them, without the cancellation that the entries of `W²` suffer near the edge of the cone.

use crate::math::Vec3;
use std::f64::consts::FRAC_1_SQRT_2;

/// A vector in the cone, its step, and the scaling between it and its partner.
#[derive(Debug, Clone, Copy)]
pub struct Conic {
    /// The vector.
    pub value: Vec3,
    /// Its step.
    pub step: Vec3,
    /// What `W² δw + δy` was last aimed at.
    pub goal: Vec3,
    /// Direction of the scaling point in the tangent plane.
    along: [f64; 2],
    /// Eigenvalues of `W`: of `(1, d)`, of `(1, -d)`, across.
    eigenvalues: [f64; 3],
}

/// Largest part of a step that keeps a vector in the second-order cone.
pub fn limit(x: &Vec3, d: &Vec3) -> f64 {
    let a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    let c = determinant(x);
    // Smallest positive root of a t² + 2 b t + c, and the way to the tip.
    let tip = super::pair::limit(x[0], d[0]);
    let disc = b * b - a * c;
    if disc < 0.0 {
        return tip;
    }
    let q = -(b + disc.sqrt().copysign(b));
    let roots = [c / q, q / a];
    let positive = roots.into_iter().filter(|t| *t > 0.0);
    positive.fold(tip, f64::min)
}

fn determinant(x: &Vec3) -> f64 {
    let t = x[1].hypot(x[2]);
    (x[0] - t) * (x[0] + t)
}

/// `a ∘ b`.
fn product(a: &Vec3, b: &Vec3) -> Vec3 {
    Vec3::new(
        a.dot(b),
        a[0] * b[1] + b[0] * a[1],
        a[0] * b[2] + b[0] * a[2],
    )
}

/// `x` with `a ∘ x = b`.
fn quotient(a: &Vec3, b: &Vec3) -> Vec3 {
    let x0 = (a[0] * b[0] - a[1] * b[1] - a[2] * b[2]) / determinant(a);
    Vec3::new(x0, (b[1] - x0 * a[1]) / a[0], (b[2] - x0 * a[2]) / a[0])
}

impl Conic {
    /// A vector in the cone.
    pub fn new(value: Vec3) -> Self {
        Self {
            value,
            step: Vec3::zeros(),
            goal: Vec3::zeros(),
            along: [1.0, 0.0],
            eigenvalues: [1.0; 3],
        }
    }

    /// Scales by the point between `w` and the value.
    pub fn rescale(&mut self, w: &Vec3) {
        let (dw, dy) = (determinant(w), determinant(&self.value));
        let (wn, yn) = (w / dw.sqrt(), self.value / dy.sqrt());
        let half = ((1.0 + wn.dot(&yn)) * 0.5).sqrt();
        let middle = Vec3::new(yn[0] + wn[0], yn[1] - wn[1], yn[2] - wn[2]) / (2.0 * half);
        let beta = (dy / dw).sqrt().sqrt();
        let b = middle[1].hypot(middle[2]);
        self.along = if b > 0.0 {
            [middle[1] / b, middle[2] / b]
        } else {
            [1.0, 0.0]
        };
        // a² - b² = 1, so that a - b = 1/(a + b).
        let sum = (1.0 + b * b).sqrt() + b;
        self.eigenvalues = [beta * sum, beta / sum, beta];
    }

    /// `f(W) x` for a function of the eigenvalues.
    pub fn map(&self, f: impl Fn(f64) -> f64, x: &Vec3) -> Vec3 {
        let [dx, dy] = self.along;
        let along = dx * x[1] + dy * x[2];
        let across = (dx * x[2] - dy * x[1]) * f(self.eigenvalues[2]);
        let plus = (x[0] + along) * FRAC_1_SQRT_2 * f(self.eigenvalues[0]);
        let minus = (x[0] - along) * FRAC_1_SQRT_2 * f(self.eigenvalues[1]);
        let along = (plus - minus) * FRAC_1_SQRT_2;
        Vec3::new(
            (plus + minus) * FRAC_1_SQRT_2,
            along * dx - across * dy,
            along * dy + across * dx,
        )
    }

    /// Along, across and lever of `W²` in the tangent plane: its parts along `d` and across, and its coupling of the
    /// first component with `d`.
    pub fn tangential(&self) -> [f64; 3] {
        let [p, m, q] = self.eigenvalues.map(|e| e * e);
        [0.5 * (p + m), q, 0.5 * (p - m)]
    }

    /// Direction of the scaling point in the tangent plane.
    pub fn direction(&self) -> [f64; 2] {
        self.along
    }

    /// Right-hand side of `W² δw + δy`: towards `target e`, with the second-order part of the last step and of `δw`.
    pub fn aim(&mut self, w: &Vec3, target: f64, second: Option<Vec3>) -> Vec3 {
        let lambda = self.map(|e| e, w);
        let mut wanted = Vec3::x() * target - product(&lambda, &lambda);
        if let Some(dw) = second {
            wanted -= product(&self.map(|e| 1.0 / e, &self.step), &self.map(|e| e, &dw));
        }
        self.goal = self.map(|e| e, &quotient(&lambda, &wanted));
        self.goal
    }
}

impl Conic {
    /// Completes the steps of both: its own from what `free` says of it (`None` where the first component follows from
    /// the rest), the partner's from `dw`. On each eigenvector the smaller one of the two moves by what their product
    /// was aimed at: errors of the linear solution are larger than what is left of it.
    pub fn settle(&mut self, first: Option<f64>, slip: [f64; 2], dw: &mut Vec3) {
        let [dx, dy] = self.along;
        let [plus, minus, side] = self.eigenvalues.map(|e| e * e);
        let split = |x: &Vec3| {
            let (along, across) = (dx * x[1] + dy * x[2], dx * x[2] - dy * x[1]);
            let ends = [x[0] + along, x[0] - along].map(|x| x * FRAC_1_SQRT_2);
            [ends[0], ends[1], across]
        };
        let (goal, mut w) = (split(&self.goal), split(dw));
        let along = dx * slip[0] + dy * slip[1];
        let first = first.unwrap_or_else(|| {
            if minus < 1.0 {
                (goal[1] - minus * w[1]) / FRAC_1_SQRT_2 + along
            } else {
                // Both ends of the partner are small; its first component is given.
                let lean = along * FRAC_1_SQRT_2;
                let ends = (goal[0] - lean) / plus + (goal[1] + lean) / minus;
                (ends - dw[0] / FRAC_1_SQRT_2) / FRAC_1_SQRT_2 / (1.0 / plus + 1.0 / minus)
            }
        });
        let mut y = split(&Vec3::new(first, slip[0], slip[1]));
        for (k, eigenvalue) in [plus, minus, side].into_iter().enumerate() {
            if eigenvalue < 1.0 {
                y[k] = goal[k] - eigenvalue * w[k];
            } else {
                w[k] = (goal[k] - y[k]) / eigenvalue;
            }
        }
        let join = |x: &[f64; 3]| {
            let along = (x[0] - x[1]) * FRAC_1_SQRT_2;
            Vec3::new(
                (x[0] + x[1]) * FRAC_1_SQRT_2,
                along * dx - x[2] * dy,
                along * dy + x[2] * dx,
            )
        };
        self.step = join(&y);
        *dw = join(&w);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scaling maps one vector where its inverse maps the other, and the step to the edge ends on it.
    #[test]
    fn scaling_and_limits_hold_their_definitions() {
        let w = Vec3::new(2.0, 0.5, -1.2);
        let mut y = Conic::new(Vec3::new(0.3, -0.2, 0.1));
        y.rescale(&w);
        let (there, back) = (y.map(|e| e, &w), y.map(|e| 1.0 / e, &y.value));
        // Rounding of numbers of order 1.
        assert!((there - back).norm() < 1e-14);
        let squared = y.map(|e| e * e, &w);
        assert!((squared - y.value).norm() < 1e-14);
        let [along, across, lever] = y.tangential();
        let d = y.direction();
        let column = y.map(|e| e * e, &Vec3::new(0.0, d[0], d[1]));
        let wanted = Vec3::new(lever, along * d[0], along * d[1]);
        assert!((column - wanted).norm() < 1e-13);
        let side = y.map(|e| e * e, &Vec3::new(0.0, -d[1], d[0]));
        assert!((side - Vec3::new(0.0, -d[1], d[0]) * across).norm() < 1e-13);
        for step in [Vec3::new(-1.0, 0.2, 0.1), Vec3::new(0.3, 2.0, 1.0)] {
            let edge = w + step * limit(&w, &step);
            assert!((edge[0] - edge[1].hypot(edge[2])).abs() < 1e-13);
        }
        assert_eq!(limit(&w, &Vec3::new(2.0, 1.0, 0.0)), f64::INFINITY);
    }

    /// A full step of the linearised equation from centred points lands on the product aimed at, to first order.
    #[test]
    fn aims_at_the_product() {
        let w = Vec3::new(1.0, 0.1, 0.2);
        let mut y = Conic::new(Vec3::new(1.1, -0.1, -0.15));
        y.rescale(&w);
        let mu = 0.9;
        // With no change of w the other takes all of the step.
        let dy = y.aim(&w, mu, None);
        let product = product(&y.map(|e| e, &w), &y.map(|e| 1.0 / e, &(y.value + dy)));
        assert!((product - Vec3::x() * mu).norm() < 1e-14);
    }
}
