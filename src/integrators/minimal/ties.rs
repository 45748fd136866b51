//! Laws between bodies that no joint of the tree has as a coordinate, in linear systems: changes of low rank.
//!
//! With `K₀` factored and the ties `K = K₀ + Σ s c rᵀ`, the solution is that of `K₀` less what the ties take of it:
//! `x = x₀ - X y` with `X = K₀⁻¹ C` and `(I + S Rᵀ X) y = S Rᵀ x₀` (Sherman, Morrison and Woodbury). As many solutions more as
//! there are ties.

use super::equation::Equation;
use super::laws::Tie;
use crate::kinematics::{ArticulatedBodies, Jacobian, Tree};
use crate::linalg::lu;

/// Room for the ties of a mechanism.
#[derive(Debug, Clone)]
pub struct Ties {
    /// `c` and `r` of the ties, one after the other.
    columns: Vec<f64>,
    rows: Vec<f64>,
    /// Of the small system.
    matrix: Vec<f64>,
    right: Vec<f64>,
    y: Vec<f64>,
    order: Vec<usize>,
}

impl Ties {
    /// Room for an equation.
    pub fn new(e: &Equation) -> Self {
        let (n, m) = (e.tree.freedoms(), e.laws.tie_count());
        Self {
            columns: vec![0.0; n * m],
            rows: vec![0.0; n * m],
            matrix: vec![0.0; m * m],
            right: vec![0.0; m],
            y: vec![0.0; m],
            order: vec![0; m],
        }
    }

    /// Takes the ties as they act between the configurations of two Jacobians.
    fn take(&mut self, tree: &Tree, ties: &[Tie], [left, right]: [Jacobian; 2]) {
        let n = tree.freedoms();
        self.columns.fill(0.0);
        self.rows.fill(0.0);
        for (t, tie) in ties.iter().enumerate() {
            let own = t * n..(t + 1) * n;
            for (link, wrench) in tie.first.iter().flatten() {
                left.pull(tree, *link, wrench, &mut self.columns[own.clone()]);
            }
            for (link, wrench) in tie.second.iter().flatten() {
                right.pull(tree, *link, wrench, &mut self.rows[own.clone()]);
            }
        }
    }

    /// Adds the ties to a dense matrix, row-major.
    pub fn add(&mut self, tree: &Tree, ties: &[Tie], sides: [Jacobian; 2], matrix: &mut [f64]) {
        self.take(tree, ties, sides);
        let n = tree.freedoms();
        for (t, tie) in ties.iter().enumerate() {
            let (c, r) = (&self.columns[t * n..], &self.rows[t * n..(t + 1) * n]);
            for (row, c) in matrix.chunks_exact_mut(n).zip(c) {
                for (entry, r) in row.iter_mut().zip(r) {
                    *entry += tie.slope * c * r;
                }
            }
        }
    }

    /// Solves with factors of everything but the ties, in the place of the right-hand side.
    pub fn solve(
        &mut self,
        tree: &Tree,
        ties: &[Tie],
        sides: [Jacobian; 2],
        factors: &mut ArticulatedBodies,
        x: &mut [f64],
    ) {
        factors.solve(tree, x);
        if ties.is_empty() {
            return;
        }
        self.take(tree, ties, sides);
        let (n, m) = (x.len(), ties.len());
        for column in self.columns.chunks_exact_mut(n).take(m) {
            factors.solve(tree, column);
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for (t, tie) in ties.iter().enumerate() {
            let row = &self.rows[t * n..(t + 1) * n];
            self.right[t] = tie.slope * dot(row, x);
            for (k, column) in self.columns.chunks_exact(n).take(m).enumerate() {
                let unit = if k == t { 1.0 } else { 0.0 };
                self.matrix[t * m + k] = unit + tie.slope * dot(row, column);
            }
        }
        lu::factor(&mut self.matrix[..m * m], m, &mut self.order);
        let right = &self.right;
        lu::solve(&self.matrix, m, &self.order, |k| right[k], &mut self.y);
        for (column, y) in self.columns.chunks_exact(n).zip(&self.y[..m]) {
            for (x, c) in x.iter_mut().zip(column) {
                *x -= c * y;
            }
        }
    }
}
