//! Rows beside the linear system of a tree: laws between bodies that no joint of it has as a coordinate, loops, limits.
//!
//! With `K` factored and rows with impulses `y`, columns `C = S₀ᵀ W` and gradients `R = G S₁`,
//! ```text
//!   K x - C y = b,   R x + D y = c
//! ```
//! has the solution `x = K⁻¹ b + X y` with `X = K⁻¹ C` and `(D + R X) y = c - R K⁻¹ b`: as many solutions more as there are
//! rows, and a dense system of their number. Rows that hold loops are of these where `K` is dense; articulated bodies
//! [eliminate](crate::kinematics::Fronts) them with the joints, and their impulses stand behind `x`.
//!
//! | row | `R` | `D` | `c` |
//! |---|---|---|---|
//! | law on no coordinate of the tree | its slope times its gradient | 1 | 0 |
//! | loop, coupling | gradient | regularisation ([`proximal`](crate::linalg::proximal)) | minus its value |
//! | limit or cable, closed | gradient of its velocity | likewise | minus its velocity |
//! | the same, open | 0 | 1 | minus its impulse |

use super::equation::Equation;
use super::held::{Held, piece};
use crate::forces::Wrench;
use crate::kinematics::{Jacobian, Tree};
use crate::linalg::lu;
use crate::math::Vec3;
use crate::model::Model;
use crate::solver::{RigidRow, WORLD};

/// Room for the rows of a mechanism.
#[derive(Debug, Clone)]
pub struct Border {
    /// Joint velocities, and rows that are solved for with `K`.
    freedoms: usize,
    carried: usize,
    /// Right-hand side and solution of both.
    whole: Vec<f64>,
    /// `X` and `R`, row after row.
    columns: Vec<f64>,
    rows: Vec<f64>,
    /// Of the small system.
    diagonal: Vec<f64>,
    asked: Vec<f64>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    /// Impulses found: of laws, of loops, of limits.
    y: Vec<f64>,
    /// Those of loops and limits.
    changes: Vec<f64>,
    order: Vec<usize>,
    /// Rows that are laws.
    ties: usize,
    /// Rows in use.
    count: usize,
}

fn wrench([fx, fy, fz, tx, ty, tz]: &[f64; 6]) -> Wrench {
    Wrench {
        force: Vec3::new(*fx, *fy, *fz),
        torque: Vec3::new(*tx, *ty, *tz),
    }
}

/// Adds `factor Jᵀ f`.
fn pull(j: &Jacobian, tree: &Tree, link: usize, f: &Wrench, factor: f64, out: &mut [f64]) {
    let f = Wrench {
        force: f.force * factor,
        torque: f.torque * factor,
    };
    j.pull(tree, link, &f, out);
}

impl Border {
    /// Room for an equation; `carried` where `K` is solved with the rows that hold loops.
    pub fn new(model: &Model, e: &Equation, carried: bool) -> Self {
        let held = e.held.as_ref().map_or(0, |h| h.most_rows(model));
        let rigid = e.held.as_ref().map_or(0, |h| h.rigid.len());
        let carried = if carried { rigid } else { 0 };
        let (freedoms, m) = (e.tree.freedoms(), e.laws.tie_count() + held - carried);
        let n = freedoms + carried;
        Self {
            freedoms,
            carried,
            whole: vec![0.0; n],
            columns: vec![0.0; n * m],
            rows: vec![0.0; n * m],
            diagonal: vec![0.0; m],
            asked: vec![0.0; m],
            matrix: vec![0.0; m * m],
            right: vec![0.0; m],
            y: vec![0.0; m],
            changes: Vec::with_capacity(held),
            order: vec![0; m],
            ties: 0,
            count: 0,
        }
    }

    /// Counts the rows that take part.
    fn count(&mut self, e: &Equation) {
        self.ties = e.laws.ties.len();
        let held = e.held.as_ref();
        let rows = held.map_or(0, |h| h.rigid.len() + h.solver.unilaterals().len());
        self.count = self.ties + rows - self.carried;
    }

    /// Rows that hold loops and stand here.
    fn rigid<'a>(&self, held: &'a Held) -> &'a [RigidRow] {
        if self.carried > 0 { &[] } else { &held.rigid }
    }

    fn take_columns(&mut self, e: &Equation, left: &Jacobian) {
        let (tree, n) = (&e.tree, self.freedoms + self.carried);
        let rigid = e.held.as_ref().map_or(&[][..], |held| self.rigid(held));
        self.columns[..n * self.count].fill(0.0);
        let mut columns = self.columns.chunks_exact_mut(n.max(1));
        for (tie, column) in e.laws.ties.iter().zip(&mut columns) {
            for (link, wrench) in tie.first.iter().flatten() {
                left.pull(tree, *link, wrench, column);
            }
        }
        let Some(held) = &e.held else { return };
        for (row, column) in rigid.iter().zip(&mut columns) {
            for (link, push, _) in held.solver.supports(*row) {
                left.pull(tree, link, &push, column);
            }
        }
        for (unilateral, column) in held.solver.unilaterals().iter().zip(columns) {
            for (&link, rows) in unilateral.links.iter().zip(&unilateral.force) {
                if link != WORLD {
                    pull(left, tree, link, &wrench(&rows[0]), unilateral.mass, column);
                }
            }
        }
    }

    fn take_rows(&mut self, e: &Equation, right: &Jacobian, rho: f64) {
        let (tree, n) = (&e.tree, self.freedoms + self.carried);
        let rigid = e.held.as_ref().map_or(&[][..], |held| self.rigid(held));
        self.rows[..n * self.count].fill(0.0);
        let mut rows = self.rows.chunks_exact_mut(n.max(1));
        let mut ends = self.diagonal.iter_mut().zip(&mut self.asked);
        for ((tie, row), (d, c)) in e.laws.ties.iter().zip(&mut rows).zip(&mut ends) {
            (*d, *c) = (1.0, 0.0);
            for (link, wrench) in tie.second.iter().flatten() {
                pull(right, tree, *link, wrench, tie.slope, row);
            }
        }
        let Some(held) = &e.held else { return };
        for ((at, row), (d, c)) in rigid.iter().zip(&mut rows).zip(&mut ends) {
            let (asked, free) = held.solver.asked(*at);
            (*d, *c) = (rho * free, asked);
            for (link, _, gradient) in held.solver.supports(*at) {
                right.pull(tree, link, &gradient, row);
            }
        }
        for ((unilateral, row), (d, c)) in held.solver.unilaterals().iter().zip(rows).zip(ends) {
            let (closed, asked) = piece(unilateral);
            (*d, *c) = (if closed { rho } else { 1.0 }, asked);
            for (&link, gradient) in unilateral.links.iter().zip(&unilateral.gradient) {
                if closed && link != WORLD {
                    right.pull(tree, link, &wrench(&gradient[0]), row);
                }
            }
        }
    }

    /// Solves in the place of the right-hand side, with `base` that solves with `K`; `fresh` where that is another than
    /// before, or the first knot.
    pub fn solve(
        &mut self,
        e: &Equation,
        sides: [Jacobian; 2],
        how: (f64, bool),
        mut base: impl FnMut(&mut [f64]),
        x: &mut [f64],
    ) {
        let mut whole = std::mem::take(&mut self.whole);
        let (own, rows) = whole.split_at_mut(self.freedoms);
        own.copy_from_slice(x);
        if let Some(held) = &e.held {
            for (row, at) in rows.iter_mut().zip(&held.rigid) {
                *row = held.solver.asked(*at).0;
            }
        }
        base(&mut whole);
        self.count(e);
        if self.count > 0 && !whole.is_empty() {
            self.add_rows(e, sides, how, base, &mut whole);
        }
        let (own, rows) = whole.split_at(self.freedoms);
        x.copy_from_slice(own);
        self.changes.clear();
        self.changes.extend_from_slice(rows);
        self.changes
            .extend_from_slice(&self.y[self.ties..self.count]);
        self.whole = whole;
    }

    /// Adds to the solution with `K` what the rows here change of it.
    fn add_rows(
        &mut self,
        e: &Equation,
        [left, right]: [Jacobian; 2],
        (rho, fresh): (f64, bool),
        mut base: impl FnMut(&mut [f64]),
        x: &mut [f64],
    ) {
        let (n, m) = (x.len(), self.count);
        if fresh {
            self.take_columns(e, &left);
            self.columns.chunks_exact_mut(n).take(m).for_each(&mut base);
        }
        self.take_rows(e, &right, rho);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for (t, row) in self.rows.chunks_exact(n).take(m).enumerate() {
            self.right[t] = self.asked[t] - dot(row, x);
            for (k, column) in self.columns.chunks_exact(n).take(m).enumerate() {
                self.matrix[t * m + k] = dot(row, column);
            }
            self.matrix[t * m + t] += self.diagonal[t];
        }
        lu::factor(&mut self.matrix[..m * m], m, &mut self.order);
        let right = &self.right;
        lu::solve(&self.matrix, m, &self.order, |k| right[k], &mut self.y);
        for (column, y) in self.columns.chunks_exact(n).zip(&self.y[..m]) {
            for (x, c) in x.iter_mut().zip(column) {
                *x += c * y;
            }
        }
    }

    /// Changes of the impulses of loops and limits that the last solution asks for.
    pub fn changes(&self) -> &[f64] {
        &self.changes
    }
}
