//! The Jacobian of the recursion as a dense matrix, by composite bodies [Featherstone2008 ch. 6, Lee2016 app.].
//!
//! `K = S₀ᵀ H S₁` with the motion subspaces of all links at both knots and the slopes `H` of the bodies' momenta. The part of
//! `K` between two joints is that of the subtree of the one further out, taken as one body:
//! `C_i = H_i + Σ_children X₀ᵀ C_c X₁`. A chain of `n` joints has `n²` entries, and an LU takes `n³/3` operations.

use super::equation::Equation;
use crate::forces::Wrench;
use crate::kinematics::{Jacobian, SpatialBlock, Tree};
use crate::linalg::lu;
use crate::math::Vec3;
use crate::model::Twist;
use crate::solver::WORLD;

/// Slopes of all subtrees, each as one body.
#[derive(Debug, Clone)]
pub struct Composites {
    blocks: Vec<SpatialBlock>,
}

fn product(f: &Wrench, s: &Twist) -> f64 {
    f.force.dot(&s.linear) + f.torque.dot(&s.angular)
}

/// A wrench about a point further inward: `arm` leads from there to its own (m).
fn inward(f: &Wrench, arm: &Vec3) -> Wrench {
    Wrench {
        force: f.force,
        torque: f.torque + arm.cross(&f.force),
    }
}

impl Composites {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Self {
        Self {
            blocks: vec![SpatialBlock::default(); tree.links().len()],
        }
    }

    fn gather(
        &mut self,
        tree: &Tree,
        [left, right]: [Jacobian; 2],
        block: impl Fn(usize) -> SpatialBlock,
    ) {
        for (i, own) in self.blocks.iter_mut().enumerate() {
            *own = block(i);
        }
        for (i, link) in tree.links().iter().enumerate().rev() {
            if link.parent != WORLD {
                let passed = self.blocks[i].shifted(&left.arms[i], &right.arms[i]);
                self.blocks[link.parent].add(&passed, 1.0);
            }
        }
    }

    /// The diagonal of `Lᵀ H R + D`.
    pub fn diagonal(
        &mut self,
        tree: &Tree,
        sides: [Jacobian; 2],
        block: impl Fn(usize) -> SpatialBlock,
        out: &mut [f64],
    ) {
        self.gather(tree, sides, block);
        let [left, right] = sides;
        for (i, link) in tree.links().iter().enumerate() {
            for k in link.velocities() {
                out[k] += product(&self.blocks[i].apply(&right.columns[k]), &left.columns[k]);
            }
        }
    }

    /// All of `Lᵀ H R + D`, row-major.
    pub fn matrix(
        &mut self,
        tree: &Tree,
        sides: [Jacobian; 2],
        block: impl Fn(usize) -> SpatialBlock,
        diagonal: &[f64],
        out: &mut [f64],
    ) {
        self.gather(tree, sides, block);
        let [left, right] = sides;
        let n = tree.freedoms();
        out.fill(0.0);
        for (k, d) in diagonal.iter().enumerate() {
            out[k * n + k] = *d;
        }
        for (i, link) in tree.links().iter().enumerate() {
            for k in link.velocities() {
                // Down the column above the diagonal, own joint included; then along the row.
                let mut f = self.blocks[i].apply(&right.columns[k]);
                let mut g = self.blocks[i].apply_transposed(&left.columns[k]);
                for j in link.velocities() {
                    out[j * n + k] += product(&f, &left.columns[j]);
                }
                let mut at = i;
                while tree.links()[at].parent != WORLD {
                    f = inward(&f, &left.arms[at]);
                    g = inward(&g, &right.arms[at]);
                    at = tree.links()[at].parent;
                    for j in tree.links()[at].velocities() {
                        out[j * n + k] += product(&f, &left.columns[j]);
                        out[k * n + j] += product(&g, &right.columns[j]);
                    }
                }
            }
        }
    }
}

/// A dense matrix and its factors.
#[derive(Debug, Clone)]
pub struct Dense {
    pub matrix: Vec<f64>,
    composites: Composites,
    order: Vec<usize>,
    x: Vec<f64>,
}

impl Dense {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Self {
        let n = tree.freedoms();
        Self {
            matrix: vec![0.0; n * n],
            composites: Composites::new(tree),
            order: vec![0; n],
            x: vec![0.0; n],
        }
    }

    /// Writes the Jacobian of the equation down, with the subspaces that its displacement has bent to.
    pub fn assemble(&mut self, e: &Equation, dt: f64) {
        let sides = [Jacobian::from(&e.knot), e.motion.jacobian()];
        let slope = |i: usize| e.slope(i, dt);
        self.composites
            .matrix(&e.tree, sides, slope, &e.laws.diagonal, &mut self.matrix);
    }

    /// Factors the matrix in its place.
    pub fn factor(&mut self) {
        lu::factor(&mut self.matrix, self.x.len(), &mut self.order);
    }

    /// Solves with the factors for `x` in the place of the right-hand side.
    pub fn solve(&mut self, x: &mut [f64]) {
        let n = x.len();
        lu::solve(&self.matrix, n, &self.order, |k| x[k], &mut self.x);
        x.copy_from_slice(&self.x);
    }
}
