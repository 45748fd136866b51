//! How the wrenches of joint rows change when the bodies move: `∂(Gᵀ λ)/∂z`, the curvature of constraints and
//! coordinates. Newton's method on forces of constraint, springs and drives needs it, and so does the derivative
//! of `G v` with respect to the poses.
//!
//! A wrench of a joint is a force `f` at the child's anchor, fixed to the parent's axes, and a torque `a` whose
//! axes are fixed to the parent, to the child or to both. With `c` the arm of the child and `ρ` the reach of the
//! parent it acts by `(f, c × f + a)` on the child and by `(-f, -ρ × f - a)` on the parent, and for world
//! increments `δx`, `θ` of the two bodies
//! ```text
//!   δf = θ_p × f     δc = θ_c × c     δρ = δx_c - δx_p + θ_c × c     δa = A_p θ_p + A_c θ_c
//! ```
//!
//! | symbol | code | unit | frame |
//! |---|---|---|---|
//! | `∂(wrench on i)/∂(motion of j)` | `PairSlope.0[i][j]`, 6×6, 0 the parent, 1 the child | N/m, N, N·m/rad | world, at the centres of mass |

use super::coordinates::rotation_vector;
use super::placement::{Placement, free_translations, held_pairs, held_translations, row_on};
use crate::math::rotation::{self, skew};
use crate::math::{Mat3, Mat6, Vec3, Vec6};
use crate::model::{JointKind, Row, Twist};

/// Derivative of the wrenches on a joint's two bodies with respect to the motions of both: `0[i][j]` is what body
/// `i` feels when body `j` moves, 0 the parent and 1 the child.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairSlope(pub [[Mat6; 2]; 2]);

/// A row as the gradients for (or wrenches on) both bodies: the parent's, then the child's.
pub fn row_pair(row: &Row, at: &Placement) -> [Vec6; 2] {
    [false, true].map(|child| Vec6::from(row_on(row, at, child)))
}

impl PairSlope {
    /// Adds `factor` times another.
    pub fn add(&mut self, other: &Self, factor: f64) {
        for (row, from) in self.0.iter_mut().zip(&other.0) {
            for (block, from) in row.iter_mut().zip(from) {
                *block += from * factor;
            }
        }
    }

    /// Adds the slope of a wrench of direction `wrench` whose magnitude has the gradient `factor · gradient`.
    pub fn add_product(&mut self, wrench: &[Vec6; 2], gradient: &[Vec6; 2], factor: f64) {
        for (row, w) in self.0.iter_mut().zip(wrench) {
            for (block, g) in row.iter_mut().zip(gradient) {
                *block += w * g.transpose() * factor;
            }
        }
    }

    /// `vᵀ K`: if the slope is that of a row `G`, the gradient of `G v` for steady velocities of parent and child.
    pub fn gradient_of_rate(&self, parent: &Twist, child: &Twist) -> [Vec6; 2] {
        let v = [parent, child].map(six);
        [0, 1].map(|j| self.0[0][j].tr_mul(&v[0]) + self.0[1][j].tr_mul(&v[1]))
    }
}

/// A twist as six numbers.
fn six(t: &Twist) -> Vec6 {
    let (v, w) = (&t.linear, &t.angular);
    Vec6::new(v.x, v.y, v.z, w.x, w.y, w.z)
}

/// A wrench of a joint on its child, and how its torque turns.
#[derive(Default)]
struct Carried {
    /// Force at the child's anchor, fixed to the parent (N).
    force: Vec3,
    /// Derivative of the torque with respect to the rotation of the parent (N·m/rad).
    by_parent: Mat3,
    /// Derivative of the torque with respect to the rotation of the child (N·m/rad).
    by_child: Mat3,
}

impl Carried {
    fn slope(&self, at: &Placement) -> PairSlope {
        let f = skew(&self.force);
        let (c, rho) = (skew(&at.child_arm), skew(&at.reach()));
        let zero = Mat3::zeros();
        let turned = f * c + self.by_child;
        PairSlope([
            [
                six_by_six(&zero, &f, &-f, &(rho * f - self.by_parent)),
                six_by_six(&zero, &zero, &f, &-turned),
            ],
            [
                six_by_six(&zero, &-f, &zero, &(self.by_parent - c * f)),
                six_by_six(&zero, &zero, &zero, &turned),
            ],
        ])
    }

    /// Adds a torque fixed to the parent.
    fn add_with_parent(&mut self, torque: &Vec3) {
        self.by_parent -= skew(torque);
    }
}

/// A matrix from its quarters: force by displacement, force by rotation, torque by displacement, torque by rotation.
pub fn six_by_six(fx: &Mat3, ft: &Mat3, tx: &Mat3, tt: &Mat3) -> Mat6 {
    let mut m = Mat6::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(fx);
    m.fixed_view_mut::<3, 3>(0, 3).copy_from(ft);
    m.fixed_view_mut::<3, 3>(3, 0).copy_from(tx);
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(tt);
    m
}

/// Slope of the wrenches `Σ multiplier · row` of the constraints of a joint, in the order of
/// [`constraint`](super::constraint); exact whether the joint is closed or open.
pub fn constraint_curvature(kind: JointKind, at: &Placement, multipliers: &[f64]) -> PairSlope {
    let mut sum = Carried::default();
    let held = held_translations(kind);
    for (&k, &lambda) in held.iter().zip(multipliers) {
        sum.force += at.parent_axis(k) * lambda;
    }
    for (&(p, c), &lambda) in held_pairs(kind).iter().zip(&multipliers[held.len()..]) {
        // a = b × t with t fixed to the parent and b to the child.
        let (t, b) = (skew(&at.parent_axis(p)), skew(&at.child_axis(c)));
        sum.by_parent -= b * t * lambda;
        sum.by_child += t * b * lambda;
    }
    sum.slope(at)
}

/// Slope of the wrenches of `magnitude` times the gradient of a coordinate,
/// [`coordinate_row`](super::coordinate_row).
pub fn coordinate_curvature(
    kind: JointKind,
    at: &Placement,
    coordinate: usize,
    magnitude: f64,
) -> PairSlope {
    let first = kind.free_translations();
    if kind.constrained_rotations() != 0 || coordinate < first {
        return rate_curvature(kind, at, coordinate, magnitude);
    }
    rotation_curvature(at, &rotation_vector(at), coordinate - first, magnitude)
}

/// The same of a component of a rotation vector that turns with the child in the parent's joint axes.
pub(super) fn rotation_curvature(
    at: &Placement,
    phi: &Vec3,
    component: usize,
    magnitude: f64,
) -> PairSlope {
    // a = P J⁻ᵀ(φ) e, P the parent's joint axes, where φ changes by J⁻¹ Pᵀ (θ_c - θ_p).
    let inverse = rotation::left_jacobian_inverse(phi);
    let axis = Vec3::ith(component, magnitude);
    let by_phi =
        Mat3::from_columns(&[0, 1, 2].map(|j| {
            rotation::left_jacobian_inverse_rate(phi, &Vec3::ith(j, 1.0)).transpose() * axis
        }));
    let axes = &at.parent_axes;
    let by_child = axes * by_phi * inverse * axes.transpose();
    let mut sum = Carried {
        by_child,
        by_parent: -by_child,
        ..Carried::default()
    };
    sum.add_with_parent(&(axes * inverse.transpose() * axis));
    sum.slope(at)
}

/// Slope of the wrenches of `magnitude` times the direction of a rate, [`rate_row`](super::rate_row).
pub fn rate_curvature(
    kind: JointKind,
    at: &Placement,
    coordinate: usize,
    magnitude: f64,
) -> PairSlope {
    let mut sum = Carried::default();
    let free = free_translations(kind);
    match free.get(coordinate) {
        Some(&k) => sum.force = at.parent_axis(k) * magnitude,
        None => match (kind.constrained_rotations(), coordinate - free.len()) {
            (0, k) => sum.add_with_parent(&(at.parent_axis(k) * magnitude)),
            (1, 1) => sum.by_child -= skew(&(at.child_axis(0) * magnitude)),
            _ => sum.add_with_parent(&(at.parent_axis(2) * magnitude)),
        },
    }
    sum.slope(at)
}

#[cfg(test)]
mod tests {
    use super::super::{constraint_bias, constraint_rows, coordinate_row, rate_row};
    use super::*;
    use crate::model::BodyState;
    use crate::model::specimen::{Numbers, moved, placement, slope};

    /// Central differences with a step of 1e-5: truncation 1e-10 times third derivatives of order 10, rounding
    /// 1e-16/1e-5 times wrenches of order 10.
    const H: f64 = 1e-5;
    const TOLERANCE: f64 = 1e-8;

    fn compare(
        name: &str,
        bodies: &[BodyState],
        claimed: &PairSlope,
        wrench: impl Fn(&[BodyState]) -> [Vec6; 2],
    ) {
        for feels in 0..2 {
            for moves in 0..2 {
                for (i, k) in (0..36).map(|n| (n / 6, n % 6)) {
                    let found = slope(bodies, moves, k, H, |b| wrench(b)[feels][i]);
                    let claim = claimed.0[feels][moves][(i, k)];
                    assert!(
                        (found - claim).abs() < TOLERANCE,
                        "{name}: body {feels} component {i} by body {moves} direction {k}: {found} {claim}"
                    );
                }
            }
        }
    }

    fn sum(rows: impl Iterator<Item = (Row, f64)>, at: &Placement) -> [Vec6; 2] {
        let mut total = [Vec6::zeros(); 2];
        for (row, factor) in rows {
            let pair = row_pair(&row, at);
            total[0] += pair[0] * factor;
            total[1] += pair[1] * factor;
        }
        total
    }

    #[test]
    fn curvatures_are_derivatives_of_wrenches_on_and_off_the_constraint() {
        for kind in JointKind::ALL {
            for seed in 0..20 {
                let mut numbers = Numbers(seed);
                let (parts, mut bodies) = numbers.pair(kind);
                if seed % 2 == 1 {
                    bodies[1] = moved(&bodies[1], numbers.vector(), numbers.vector() * 0.5);
                }
                let at = placement(&parts, &bodies);
                let lambda: Vec<f64> = (0..kind.constraints()).map(|_| numbers.unit()).collect();
                compare(
                    &format!("{kind:?} seed {seed} constraints"),
                    &bodies,
                    &constraint_curvature(kind, &at, &lambda),
                    |b| {
                        let at = placement(&parts, b);
                        sum(constraint_rows(kind, &at).zip(lambda.iter().copied()), &at)
                    },
                );
                for k in 0..kind.freedoms() {
                    let s = numbers.unit();
                    compare(
                        &format!("{kind:?} seed {seed} coordinate {k}"),
                        &bodies,
                        &coordinate_curvature(kind, &at, k, s),
                        |b| {
                            let at = placement(&parts, b);
                            sum([(coordinate_row(kind, &at, k), s)].into_iter(), &at)
                        },
                    );
                    compare(
                        &format!("{kind:?} seed {seed} rate {k}"),
                        &bodies,
                        &rate_curvature(kind, &at, k, s),
                        |b| {
                            let at = placement(&parts, b);
                            sum([(rate_row(kind, &at, k), s)].into_iter(), &at)
                        },
                    );
                }
            }
        }
    }

    #[test]
    fn the_gradient_of_a_rate_gives_what_constraints_accelerate_by_at_steady_velocities() {
        // d(G v)/dt at steady v is ∂(G v)/∂z v, and that is the bias.
        for kind in JointKind::ALL {
            let mut numbers = Numbers(5);
            let (parts, mut bodies) = numbers.pair(kind);
            bodies[1] = moved(&bodies[1], numbers.vector(), numbers.vector());
            let at = placement(&parts, &bodies);
            let (parent, child) = (numbers.twist(), numbers.twist());
            for (k, bias) in constraint_bias(kind, &at, &parent, &child).enumerate() {
                let mut unit = [0.0; 6];
                unit[k] = 1.0;
                let gradient = constraint_curvature(kind, &at, &unit[..kind.constraints()])
                    .gradient_of_rate(&parent, &child);
                let found = gradient[0].dot(&six(&parent)) + gradient[1].dot(&six(&child));
                // Rounding of a few dozen products of order 10.
                assert!((found - bias).abs() < 1e-13, "{kind:?}: {found} {bias}");
            }
        }
    }

    #[test]
    fn slopes_and_products_add_up_entry_by_entry() {
        let (parts, bodies) = Numbers(2).pair(JointKind::Revolute);
        let at = placement(&parts, &bodies);
        let first = constraint_curvature(JointKind::Revolute, &at, &[0.3, -0.7, 0.2, 0.9, 0.5]);
        let second = rate_curvature(JointKind::Revolute, &at, 0, 1.3);
        let pair = |x: f64| [Vec6::from_fn(|i, _| x + i as f64), Vec6::repeat(x - 0.4)];
        let (wrench, gradient) = (pair(0.7), pair(-0.2));
        let mut sum = first;
        sum.add(&second, 2.5);
        sum.add_product(&wrench, &gradient, 3.0);
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            for (r, c) in (0..36).map(|n| (n / 6, n % 6)) {
                let wanted = first.0[i][j][(r, c)]
                    + 2.5 * second.0[i][j][(r, c)]
                    + 3.0 * wrench[i][r] * gradient[j][c];
                // Rounding of numbers of order 100.
                assert!((sum.0[i][j][(r, c)] - wanted).abs() < 1e-13);
            }
        }
    }
}
