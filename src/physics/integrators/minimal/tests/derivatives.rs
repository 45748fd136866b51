//! The derivative of the recursion against differences of the residual, and its two factorisations against each other.
//!
//! Central differences with a step of 1e-5: truncation 1e-10 times third derivatives of order 1e4 over the step of 0.02 s,
//! rounding 1e-13/1e-5.

use super::super::border::Border;
use super::super::dense::Dense;
use super::super::svi::Svi;
use super::*;
use crate::kinematics::ArticulatedBodies;
use crate::linalg::proximal::RHO;
use crate::solver::Plan;

const H: f64 = 1e-5;

/// The increment moved by `by` along velocity `k` of the group: balls turn on the left.
fn moved(e: &Equation, delta: &[f64], k: usize, by: f64) -> Vec<f64> {
    let mut step = vec![0.0; delta.len()];
    step[k] = by;
    let mut q = vec![0.0; e.tree.coordinates()];
    let mut origin = q.clone();
    e.tree.neutral(&mut q);
    e.tree.neutral(&mut origin);
    e.tree.retract(&mut q, delta);
    e.tree.retract(&mut q, &step);
    let mut out = vec![0.0; delta.len()];
    e.tree.difference(&origin, &q, &mut out);
    out
}

/// Adds the laws that are on no coordinate of the tree to a dense matrix.
fn add_ties(e: &Equation, [left, right]: [Jacobian; 2], matrix: &mut [f64]) {
    let n = e.tree.freedoms();
    for tie in &e.laws.ties {
        let along = |j: &Jacobian, ends: &[Option<(usize, Wrench)>; 2]| {
            let mut out = vec![0.0; n];
            for (link, wrench) in ends.iter().flatten() {
                j.pull(&e.tree, *link, wrench, &mut out);
            }
            out
        };
        let (c, r) = (along(&left, &tie.first), along(&right, &tie.second));
        for (row, c) in matrix.chunks_exact_mut(n).zip(c) {
            for (entry, r) in row.iter_mut().zip(&r) {
                *entry += tie.slope * c * r;
            }
        }
    }
}

/// The equation at some increment, with the dense matrix that it has there.
fn assembled(s: &mut Specimen, mean: MeanVelocity) -> (Equation, Vec<f64>, Dense) {
    let mut e = s.equation(mean);
    let delta = s.increment(&e, 0.05);
    let mut dense = Dense::new(&e.tree);
    e.evaluate(&s.context(), &delta);
    e.motion.bend(&e.tree, &e.knot, &delta);
    dense.assemble(&e, DT);
    (e, delta, dense)
}

#[test]
fn the_dense_jacobian_is_the_derivative_of_the_residual() {
    for seed in 0..6 {
        for (mean, equipped) in MEANS.into_iter().zip([false, true]) {
            let mut s = specimen(seed, equipped);
            let (mut e, delta, mut dense) = assembled(&mut s, mean);
            let n = delta.len();
            let sides = [Jacobian::from(&e.knot), e.motion.jacobian()];
            add_ties(&e, sides, &mut dense.matrix);
            let size = largest(dense.matrix.iter().copied());
            for k in 0..n {
                let mut at = |by: f64| {
                    let delta = moved(&e, &delta, k, by);
                    e.evaluate(&s.context(), &delta);
                    e.residual.clone()
                };
                let (ahead, back) = (at(H), at(-H));
                for j in 0..n {
                    let found = (ahead[j] - back[j]) / (2.0 * H);
                    let claim = dense.matrix[j * n + k];
                    // PD drives on free rotations are linear in the first order of the rotation only.
                    let tolerance = if equipped { 1e-4 } else { 1e-8 };
                    assert!(
                        (found - claim).abs() < tolerance * size,
                        "seed {seed}, {mean:?}, {j} by {k}: {found} {claim} of {size}"
                    );
                }
            }
        }
    }
}

/// Blocks of the matrix that are not zero are those that the solver's picture shows as avoided or kept.
#[test]
fn the_picture_names_the_blocks_of_the_matrix_that_is_not_written_down() {
    for seed in 0..6 {
        let mut s = specimen(seed, false);
        let (e, delta, dense) = assembled(&mut s, MeanVelocity::Screw);
        let n = delta.len();
        let plan = Plan::in_joint_coordinates(&s.model, false, &[]);
        let links = e.tree.links();
        for (column, left) in links.iter().enumerate() {
            for (row, right) in links.iter().enumerate().skip(column + 1) {
                let mut entries = left
                    .velocities()
                    .flat_map(|i| right.velocities().map(move |j| i * n + j));
                let full = entries.any(|at| dense.matrix[at] != 0.0);
                let named = plan
                    .unordered
                    .iter()
                    .find(|b| (b.column, b.row) == (column, row));
                let moves = left.kind.freedoms() > 0 && right.kind.freedoms() > 0;
                assert_eq!(
                    full,
                    named.is_some() && moves,
                    "seed {seed}, {column}, {row}"
                );
                let kept = named.is_some_and(|b| !b.fill);
                assert_eq!(kept, right.parent == column, "seed {seed}, {column}, {row}");
            }
        }
        assert_eq!(plan.fill(), 0, "nothing is filled in");
        assert!(plan.unordered_fill() > 0);
    }
}

#[test]
fn the_jacobian_body_by_body_is_that_of_composites() {
    for seed in 0..6 {
        let mut s = specimen(seed, true);
        let mut e = s.equation(MeanVelocity::Screw);
        let delta = s.increment(&e, 0.05);
        let mut svi = Svi::new(&e);
        svi.evaluate(&mut e, &s.context(), &delta);
        e.motion.bend(&e.tree, &e.knot, &delta);
        let mut dense = Dense::new(&e.tree);
        dense.assemble(&e, DT);
        let mut matrix = dense.matrix.clone();
        svi.jacobian(&e, DT, &mut matrix);
        let apart = largest(matrix.iter().zip(&dense.matrix).map(|(a, b)| a - b));
        let size = largest(matrix.iter().copied());
        // Sums over some twenty bodies with arms of order 10.
        assert!(apart < 1e-12 * size, "seed {seed}: {apart} of {size}");
    }
}

#[test]
fn articulated_bodies_solve_what_dense_elimination_solves() {
    for seed in 0..10 {
        let mut s = specimen(seed, true);
        let (e, _, mut dense) = assembled(&mut s, MeanVelocity::Screw);
        let matrix = dense.matrix.clone();
        let right = s.increment(&e, 1.0);
        let mut oracle = right.clone();
        dense.factor();
        dense.solve(&mut oracle);
        let mut found = right.clone();
        let mut factors = ArticulatedBodies::new(&e.tree);
        let sides = [Jacobian::from(&e.knot), e.motion.jacobian()];
        factors.factor(&e.tree, sides, |i| e.slope(i, DT), &e.laws.diagonal);
        factors.solve(&e.tree, &mut found);
        let apart = largest(found.iter().zip(&oracle).map(|(a, b)| a - b));
        let size = largest(oracle.iter().copied());
        // The condition of the mass matrix of a chain of two dozen bodies is about 1e4.
        assert!(apart < 1e-10 * size, "seed {seed}: {apart} of {size}");
        // What is left, which does not know the condition, and the motions of the links.
        let n = right.len();
        let size = largest(matrix.iter().copied()) * size;
        for (row, wanted) in matrix.chunks_exact(n).zip(&right) {
            let left: f64 = row.iter().zip(&found).map(|(a, x)| a * x).sum::<f64>() - wanted;
            assert!(left.abs() < 1e-13 * size, "seed {seed}: {left} of {size}");
        }
    }
}

#[test]
fn ties_change_the_solution_as_they_change_the_matrix() {
    for seed in 0..6 {
        let mut s = specimen(seed, true);
        let (e, delta, mut dense) = assembled(&mut s, MeanVelocity::Screw);
        assert!(!e.laws.ties.is_empty());
        let sides = [Jacobian::from(&e.knot), e.motion.jacobian()];
        add_ties(&e, sides, &mut dense.matrix);
        let mut oracle = vec![1.0; delta.len()];
        dense.factor();
        dense.solve(&mut oracle);
        let mut factors = ArticulatedBodies::new(&e.tree);
        factors.factor(&e.tree, sides, |i| e.slope(i, DT), &e.laws.diagonal);
        let mut found = vec![1.0; delta.len()];
        let base = |x: &mut [f64]| factors.solve(&e.tree, x);
        Border::new(&s.model, &e, false).solve(&e, sides, (RHO, true), base, &mut found);
        let apart = largest(found.iter().zip(&oracle).map(|(a, b)| a - b));
        // The condition of the mass matrix, as above.
        assert!(apart < 1e-10 * largest(oracle), "seed {seed}: {apart}");
    }
}
