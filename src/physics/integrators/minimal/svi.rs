//! The scalable variational integrator of Johnson and Murphey as [Lee2016 eq. 8 to 13] has it: DRNEA's rival.
//!
//! The same equation without its recursion: every body's discrete Lagrangian by itself, differentiated by every coordinate
//! through the body's whole Jacobian. The mean velocity is the logarithm of the body's displacement on SE(3) in its own axes
//! [Lee2016 eq. 10], and its derivative is the series of Bernoulli numbers [Lee2016 eq. 13], summed until nothing is added.
//! Displacements are those of the recursion, so that rounding is no part of the comparison. A residual takes `O(n²)`
//! operations on a chain and the Jacobian `O(n³)`.

use super::equation::{Context, Equation, Imbalance};
use super::lagrangian::{MeanVelocity, Momenta, Passage};
use crate::kinematics::TreeMotion;
use crate::math::{Quat, Vec3, rotation};
use crate::model::Twist;

/// `B_j/j!` for `j = 2, 4, …, 12`; beyond, two times the alternating power of `1/4π²` to 1e-4 of itself and better.
const BERNOULLI: [f64; 6] = [
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30240.0,
    -1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    -691.0 / 1_307_674_368_000.0,
];

/// Terms of the series at most: at half a turn the fiftieth is below rounding.
const TERMS: usize = 30;

/// Workspace of the method.
#[derive(Debug, Clone)]
pub struct Svi {
    q: Vec<f64>,
    next: TreeMotion,
    momenta: Vec<Momenta>,
    /// Jacobian of one link at either knot.
    columns: [Vec<Twist>; 2],
}

/// `ad_ξᵀ μ` of a twist `ξ` and a momentum `μ`, linear parts first.
fn coadjoint((v, w): &(Vec3, Vec3), (p, l): &(Vec3, Vec3)) -> (Vec3, Vec3) {
    (p.cross(w), l.cross(w) + p.cross(v))
}

/// `dexp⁻¹_ξᵀ μ` [Lee2016 eq. 13].
fn tangent_transposed(xi: &(Vec3, Vec3), momentum: (Vec3, Vec3)) -> (Vec3, Vec3) {
    let first = coadjoint(xi, &momentum);
    let mut sum = (momentum.0 - first.0 * 0.5, momentum.1 - first.1 * 0.5);
    let mut term = coadjoint(xi, &first);
    let mut coefficient = BERNOULLI[0];
    for n in 1..=TERMS {
        let step = (term.0 * coefficient, term.1 * coefficient);
        let before = sum;
        sum = (sum.0 + step.0, sum.1 + step.1);
        if sum == before {
            break;
        }
        term = coadjoint(xi, &coadjoint(xi, &term));
        let zeta = |n: i32| 1.0 + 0.25f64.powi(n) + (1.0f64 / 9.0).powi(n);
        coefficient = BERNOULLI.get(n).copied().unwrap_or_else(|| {
            let n = n as i32;
            let square = std::f64::consts::TAU.powi(2);
            -coefficient / square * zeta(n + 1) / zeta(n)
        });
    }
    sum
}

/// Momenta at the first knot by the logarithm on SE(3) of a body's displacement, from the orientation that it has there.
fn screw_momenta(p: &Passage, from: &Quat) -> Momenta {
    let back = from.inverse();
    let angle = rotation::log(&(back * p.turn * from));
    let slide = rotation::left_jacobian_inverse(&angle) * (back * p.shift);
    let turn = from.to_rotation_matrix();
    let inertia = turn.inverse() * p.inertia * turn;
    let momentum = (slide * (p.mass / p.dt), inertia * angle / p.dt);
    let (linear, angular) = tangent_transposed(&(slide, angle), momentum);
    let (linear, first) = (from * linear, from * angular);
    Momenta {
        linear,
        first,
        second: first - p.shift.cross(&linear),
    }
}

impl Svi {
    /// Room for an equation.
    pub fn new(equation: &Equation) -> Self {
        let tree = &equation.tree;
        let links = tree.links().len();
        Self {
            q: vec![0.0; tree.coordinates()],
            next: TreeMotion::new(tree),
            momenta: vec![Momenta::default(); links],
            columns: [0, 1].map(|_| vec![Twist::default(); tree.freedoms()]),
        }
    }

    /// What is unbalanced for an increment of the coordinates, left in `residual`.
    pub fn evaluate(&mut self, e: &mut Equation, context: &Context, delta: &[f64]) -> Imbalance {
        e.advance(context, delta);
        self.q.copy_from_slice(&e.q);
        e.tree.retract(&mut self.q, delta);
        self.next.place(&e.tree, &self.q);
        e.residual.fill(0.0);
        for i in 0..e.tree.links().len() {
            let passage = e.passage(i, context.interval.dt);
            let momenta = match e.mean {
                MeanVelocity::Screw => screw_momenta(&passage, e.knot.orientation(i)),
                MeanVelocity::Quaternion => e.mean.momenta(&passage),
            };
            self.momenta[i] = momenta;
            let wrench = e.unbalanced(i, &momenta);
            e.knot.jacobian(&e.tree, i, &mut self.columns[0]);
            for (r, column) in e.residual.iter_mut().zip(&self.columns[0]) {
                *r += column.linear.dot(&wrench.force) + column.angular.dot(&wrench.torque);
            }
        }
        let momenta = &self.momenta;
        e.take(|i| momenta[i]);
        e.weigh()
    }

    /// The Jacobian of the residual, row-major, body by body.
    pub fn jacobian(&mut self, e: &Equation, dt: f64, matrix: &mut [f64]) {
        let n = e.tree.freedoms();
        matrix.fill(0.0);
        let [first, second] = &mut self.columns;
        for i in 0..e.tree.links().len() {
            e.knot.jacobian(&e.tree, i, first);
            self.next.jacobian(&e.tree, i, second);
            let slope = e.slope(i, dt);
            for (k, column) in second.iter().enumerate() {
                if *column == Twist::default() {
                    continue;
                }
                let f = slope.apply(column);
                for (row, left) in matrix.chunks_exact_mut(n).zip(first.iter()) {
                    row[k] += left.linear.dot(&f.force) + left.angular.dot(&f.torque);
                }
            }
        }
        for (k, law) in e.laws.diagonal.iter().enumerate() {
            matrix[k * n + k] += law;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The series against the closed form of the transposed tangent, which for a pure turn is that of SO(3).
    #[test]
    fn the_series_is_the_transposed_tangent_to_rounding_up_to_a_quarter_turn() {
        for scale in [1e-3, 0.3, 1.0, 1.6] {
            let angle = Vec3::new(0.6, -0.48, 0.64) * scale;
            let momentum = (Vec3::new(0.3, 0.2, -0.7), Vec3::new(-1.0, 0.4, 0.5));
            let (p, l) = tangent_transposed(&(Vec3::zeros(), angle), momentum);
            let tangent = rotation::left_jacobian_inverse(&angle).transpose();
            // Thirty terms of at most 1/16 of the one before, each rounded.
            assert!((p - tangent * momentum.0).norm() < 1e-14, "{scale}");
            assert!((l - tangent * momentum.1).norm() < 1e-14, "{scale}");
        }
    }
}
