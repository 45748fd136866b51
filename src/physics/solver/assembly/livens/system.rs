//! The linear system of an interval: twelve unknowns for a body and two for a constraint row, on the graph of
//! [`LinearSystem`](super::super::LinearSystem).
//!
//! Columns of a body are those of [`Motion`], its rows the balance and the motion; of a constraint the columns are `Λ` and
//! `Γ`, the rows `g` and `G W`. Eliminating a body leaves its constraints `A Λ + A Γ` and `A Λ` with `A = G M⁻¹ Gᵀ`: no pivot
//! is a zero block. Rows that close loops may be implied by others: there 1e-8 of the mobility of each is added to `A`, in
//! the factors only, and solutions are refined against the exact matrix.

use super::super::rows::Gradient;
use super::super::{LinearSystem, Pattern};
use super::{Motion, Open, world_turn};
use crate::forces::Slope;
use crate::linalg::block_ldu::BlockLdu;
use crate::linalg::ordering;
use crate::linalg::proximal::RHO;
use crate::math::rotation::skew;
use crate::math::{Mat3, Mat6, Vec3};
use crate::model::{Body, JointId, Model, Twist};
use crate::solver::blocks::{Graph, NodeKind, leaf_to_root, waiting};

/// Refinements of a solution at most.
const REFINEMENTS: usize = 3;

/// Matrix, factors and solution.
#[derive(Debug, Clone)]
pub struct System {
    matrix: BlockLdu,
    body_node: Vec<usize>,
    /// Node of every constraint row, and its place there.
    row_node: Vec<(usize, usize)>,
    /// For every constraint row whether it closes a loop.
    closes: Vec<bool>,
    has_loops: bool,
    /// World rotation per unit of the turn at the end, and the orientations at both.
    turns: Vec<[Mat3; 3]>,
    right: Vec<f64>,
    x: Vec<f64>,
    left: Vec<f64>,
}

impl System {
    pub fn new(model: &Model) -> Self {
        let (topology, graph, beside_joints) = LinearSystem::laid_out(model, Pattern::Full);
        let Graph {
            nodes,
            sizes,
            edges,
            joint_node,
            loop_node,
        } = graph;
        let sizes: Vec<usize> = sizes.iter().map(|n| 2 * n).collect();
        let order = if beside_joints {
            let after = waiting(&topology, &joint_node, &loop_node, nodes.len());
            ordering::minimum_degree(&sizes, &edges, &after)
        } else {
            leaf_to_root(&topology, &joint_node, &loop_node)
        };
        let mut row_node = vec![(0, 0); model.equations()];
        let mut closes = vec![false; model.equations()];
        for (node, kind) in nodes.iter().enumerate() {
            let rows = match kind {
                NodeKind::Joint(j) => model.joint_rows(JointId(*j)),
                NodeKind::Coupling(k) => model.coupling_row(*k)..model.coupling_row(*k) + 1,
                _ => continue,
            };
            for (place, row) in rows.enumerate() {
                row_node[row] = (node, place);
                closes[row] = loop_node.contains(&node);
            }
        }
        let unknowns: usize = sizes.iter().sum();
        Self {
            matrix: BlockLdu::new(&sizes, &edges, &order),
            body_node: topology.links,
            has_loops: closes.contains(&true),
            row_node,
            closes,
            turns: vec![[Mat3::zeros(); 3]; model.bodies.len()],
            right: vec![0.0; unknowns],
            x: vec![0.0; unknowns],
            left: vec![0.0; unknowns],
        }
    }

    /// Empties the matrix.
    pub fn begin(&mut self) {
        self.matrix.clear();
    }

    /// Writes what a body's own inertia gives; `start` and `end` are its orientations.
    pub fn put_body(&mut self, body: usize, of: &Body, motion: &Motion, [start, end]: [&Mat3; 2]) {
        let turn = world_turn(motion, end);
        self.turns[body] = [turn, *start, *end];
        let (u, s) = motion.quaternion();
        let held = of.inertia * motion.spin;
        let by_turn = start * (held * u.transpose() / (-2.0 * s) - skew(&held) * 0.5);
        let by_spin = start * (of.inertia * s + skew(&u) * of.inertia);
        let moved = end * of.inertia;
        let away = moved * (motion.turn - motion.spin);
        let mass = Mat3::from_diagonal_element(of.mass);
        let block = Self::block(&mut self.matrix, self.body_node[body], self.body_node[body]);
        for (row, column, quarter) in [
            (0, 2, mass),
            (1, 1, by_turn),
            (1, 3, by_spin),
            (2, 0, mass),
            (2, 2, -mass),
            (3, 1, moved - skew(&away) * turn),
            (3, 3, -moved),
        ] {
            add(block, 12, (3 * row, 3 * column), &quarter);
        }
    }

    /// Subtracts the derivatives of a force by velocities times `half` of the interval from the balance.
    pub fn put_damping(&mut self, slope: &Slope, half: f64) {
        let start = self.turns[slope.moves][1];
        let nodes = [slope.feels, slope.moves].map(|b| self.body_node[b]);
        let block = Self::block(&mut self.matrix, nodes[0], nodes[1]);
        for row in 0..2 {
            let quarter = |column: usize| -> Mat3 {
                slope.velocity.fixed_view::<3, 3>(3 * row, 3 * column) * -half
            };
            add(block, 12, (3 * row, 0), &quarter(0));
            add(block, 12, (3 * row, 3), &(quarter(1) * start));
        }
    }

    /// Subtracts the derivatives of `Gᵀ Γ` by poses from the motion.
    pub fn put_curvature(&mut self, (feels, moves): (usize, usize), slope: &Mat6) {
        let turn = self.turns[moves][0];
        let nodes = [feels, moves].map(|b| self.body_node[b]);
        let block = Self::block(&mut self.matrix, nodes[0], nodes[1]);
        for row in 0..2 {
            let quarter =
                |column: usize| -> Mat3 { -slope.fixed_view::<3, 3>(3 * row, 3 * column) };
            add(block, 12, (6 + 3 * row, 0), &quarter(0));
            add(block, 12, (6 + 3 * row, 3), &(quarter(1) * turn));
        }
    }

    /// Writes the constraints with the gradients at both ends, for velocities times the interval at the second.
    pub fn put_rows(&mut self, [first, last]: [&[Gradient]; 2], twists: &[Twist]) {
        for (before, g) in first.iter().zip(last) {
            let (node, place) = self.row_node[g.row];
            let [turn, _, end] = &self.turns[g.body];
            let body = self.body_node[g.body];
            let part = |v: &crate::math::Vec6, at: usize| -> Vec3 {
                Vec3::new(v[at], v[at + 1], v[at + 2])
            };
            let (force, torque) = (part(&g.value, 0), part(&g.value, 3));
            let size = self.matrix.sizes()[node];
            let hidden = size / 2 + place;
            let block = Self::block(&mut self.matrix, body, node);
            for k in 0..6 {
                block[k * size + place] -= before.value[k];
                block[(6 + k) * size + hidden] -= g.value[k];
            }
            // What is held in body axes turns with the body.
            let carried = part(&g.of_rate, 3) + twists[g.body].angular.cross(&torque);
            let block = Self::block(&mut self.matrix, node, body);
            for (row, column, value) in [
                (place, 0, force),
                (place, 3, turn.tr_mul(&torque)),
                (hidden, 0, part(&g.of_rate, 0)),
                (hidden, 3, turn.tr_mul(&carried)),
                (hidden, 6, force),
                (hidden, 9, end.tr_mul(&torque)),
            ] {
                for k in 0..3 {
                    block[12 * row + column + k] += value[k];
                }
            }
        }
    }

    /// Keeps the exact matrix, regularises what closes loops, and factors.
    pub fn factor(&mut self, model: &Model, gradients: &[Gradient]) {
        if cfg!(test) || self.has_loops {
            self.matrix.keep();
        }
        for g in gradients.iter().filter(|g| self.closes[g.row]) {
            let body = &model.bodies[g.body];
            let turned = g.value.fixed_rows::<3>(3).norm() / body.gyration();
            let mobility = (g.value.fixed_rows::<3>(0).norm_squared() + turned.powi(2)) / body.mass;
            let (node, place) = self.row_node[g.row];
            let size = self.matrix.sizes()[node];
            let hidden = size / 2 + place;
            let block = Self::block(&mut self.matrix, node, node);
            for (row, column) in [(place, place), (place, hidden), (hidden, place)] {
                block[row * size + column] += RHO * mobility;
            }
        }
        self.matrix.factor();
    }

    /// Solves for the change that closes what is open.
    pub fn solve(&mut self, open: &Open, enough: f64) {
        for (body, (balance, motion)) in open.balance.iter().zip(&open.motion).enumerate() {
            let first = self.place_of_body(body);
            let parts = [balance.force, balance.torque, motion.force, motion.torque];
            for (k, part) in parts.iter().enumerate() {
                for i in 0..3 {
                    self.right[first + 3 * k + i] = -part[i];
                }
            }
        }
        for row in 0..open.positions.len() {
            let [at, hidden] = self.places_of_row(row);
            self.right[at] = -open.positions[row];
            self.right[hidden] = -open.velocities[row];
        }
        self.x.fill(0.0);
        self.left.copy_from_slice(&self.right);
        let mut worst = f64::INFINITY;
        for _ in 0..=REFINEMENTS {
            self.matrix.solve(&mut self.left);
            for (x, change) in self.x.iter_mut().zip(&self.left) {
                *x += change;
            }
            if !self.has_loops {
                break;
            }
            self.matrix.residual(&self.x, &self.right, &mut self.left);
            let rows = 0..self.row_node.len();
            let now = rows
                .flat_map(|row| self.places_of_row(row))
                .fold(0.0, |worst: f64, at| worst.max(self.left[at].abs()));
            // What does not shrink is rounding, or lies where redundant rows contradict each other.
            if now > 0.1 * worst || now <= enough {
                break;
            }
            worst = now;
        }
    }

    /// The change of a body's motion that was found.
    pub fn motion(&self, body: usize) -> Motion {
        let first = self.place_of_body(body);
        let part = |k: usize| Vec3::from_column_slice(&self.x[first + 3 * k..first + 3 * k + 3]);
        Motion {
            shift: part(0),
            turn: part(1),
            travel: part(2),
            spin: part(3),
        }
    }

    /// The changes of a row's two multipliers.
    pub fn multipliers(&self, row: usize) -> [f64; 2] {
        self.places_of_row(row).map(|at| self.x[at])
    }

    /// First row and column of a body.
    pub fn place_of_body(&self, body: usize) -> usize {
        self.matrix.first_row(self.body_node[body])
    }

    /// Rows and columns of a constraint row and of its velocity.
    pub fn places_of_row(&self, row: usize) -> [usize; 2] {
        let (node, place) = self.row_node[row];
        let first = self.matrix.first_row(node);
        [first + place, first + self.matrix.sizes()[node] / 2 + place]
    }

    /// The exact matrix, dense.
    #[cfg(test)]
    pub fn dense(&self) -> nalgebra::DMatrix<f64> {
        let mut exact = self.matrix.clone();
        exact.restore();
        exact.to_dense()
    }

    /// Multiplications of a factorisation and a solve.
    #[cfg(test)]
    pub fn operations(&self) -> usize {
        self.matrix.operations()
    }

    fn block(matrix: &mut BlockLdu, row: usize, column: usize) -> &mut [f64] {
        matrix
            .block_mut(row, column)
            .expect("every pair that a joint or a force ties was laid out")
    }
}

/// Adds to a part of a block of rows of `columns` numbers.
fn add(block: &mut [f64], columns: usize, (row, column): (usize, usize), part: &Mat3) {
    for i in 0..3 {
        for j in 0..3 {
            block[(row + i) * columns + column + j] += part[(i, j)];
        }
    }
}
