//! The block matrix of the equations of motion, its factors and its solutions.
//!
//! Rows that close loops may be implied by others: 1e-8 of what each row's own pivot is over the diagonals of its
//! bodies, before anything is eliminated, is added to it in the factors only. The exact matrix is kept, and solutions
//! are refined against it, so nothing is softened.

use super::super::blocks::{Graph, NodeKind, leaf_to_root, waiting};
use super::super::topology::{LoopConstraintKind, Topology};
use super::rows::{Gradient, Rows};
use super::{Level, Pattern, Tangent, Weights};
use crate::forces::Wrench;
use crate::linalg::block_ldu::BlockLdu;
use crate::linalg::ordering;
use crate::linalg::proximal::{KEPT, RHO};
use crate::math::{Mat3, Mat6, Vec3, Vec6};
use crate::model::{Force, JointId, Model, Twist};

/// Refinements of a solution at most: the part of a loop's force that regularisation held back shrinks by it.
const REFINEMENTS: usize = 3;

/// Rows that close a loop, and the bodies they touch.
#[derive(Debug, Clone)]
struct Closing {
    node: usize,
    /// First of its rows among all, and how many there are.
    first_row: usize,
    rows: usize,
    /// Nodes of the bodies.
    bodies: Vec<usize>,
}

/// Where a gradient of a constraint row goes.
#[derive(Debug, Clone, Copy)]
struct Slot {
    body: usize,
    /// First number of its column in the block of body and node, and how far the next is.
    column: usize,
    size: usize,
    /// First number of its row in the block of node and body.
    row: usize,
}

/// The linear system of a method: matrix, factors, solution; sized once, never grown.
///
/// Rows that close loops may be redundant. They are regularised by 1e-8 of their own scale in the factors only, and
/// [`solve`](Self::solve) refines against the exact matrix: where they agree the solution is exact to rounding.
#[derive(Debug, Clone)]
pub struct LinearSystem {
    pattern: Pattern,
    matrix: BlockLdu,
    motions: Vec<Twist>,
    multipliers: Vec<f64>,
    weights: Weights,
    tangents: Vec<Tangent>,
    /// Node of every body.
    body_node: Vec<usize>,
    /// Node of every constraint row, and its place there.
    row_node: Vec<(usize, usize)>,
    closing: Vec<Closing>,
    /// By gradient, in the order of [`Rows`].
    slots: Vec<Slot>,
    /// Right-hand side, solution, what is left, all node by node.
    right: Vec<f64>,
    x: Vec<f64>,
    left: Vec<f64>,
}

impl LinearSystem {
    /// The tree of a model, the graph of its system, and whether anything but joints ties two bodies in it.
    pub(in super::super) fn laid_out(model: &Model, pattern: Pattern) -> (Topology, Graph, bool) {
        let mut topology = Topology::new(model);
        // Dampers and drives are forces with derivatives here, not rows of their own.
        topology.loop_constraints.retain(|c| {
            matches!(
                c.kind,
                LoopConstraintKind::Joint(_) | LoopConstraintKind::Coupling(_)
            )
        });
        let mut graph = Graph::new(model, &topology);
        let mut beside_joints = false;
        if pattern == Pattern::Full {
            let tied = model
                .joints
                .iter()
                .filter_map(|j| Some((j.parent?, j.child)));
            let edges = &mut graph.edges;
            edges.extend(tied.map(|(p, c)| (topology.links[p.0], topology.links[c.0])));
            for force in &model.forces {
                if let Force::Spring { ends, .. } = force
                    && let [Some(a), Some(b)] = [ends[0].body, ends[1].body]
                    && a != b
                {
                    edges.push((topology.links[a.0], topology.links[b.0]));
                    beside_joints = true;
                }
            }
        }
        (topology, graph, beside_joints)
    }

    /// A system for a model.
    pub fn new(model: &Model, pattern: Pattern) -> Self {
        let (topology, graph, beside_joints) = Self::laid_out(model, pattern);
        let Graph {
            nodes,
            sizes,
            edges,
            joint_node,
            loop_node,
        } = graph;
        let order = if beside_joints {
            let after = waiting(&topology, &joint_node, &loop_node, nodes.len());
            ordering::minimum_degree(&sizes, &edges, &after)
        } else {
            leaf_to_root(&topology, &joint_node, &loop_node)
        };
        let mut row_node = vec![(0, 0); model.equations()];
        for (node, kind) in nodes.iter().enumerate() {
            let rows = match kind {
                NodeKind::Joint(j) => model.joint_rows(JointId(*j)),
                NodeKind::Coupling(k) => model.coupling_row(*k)..model.coupling_row(*k) + 1,
                _ => continue,
            };
            for (place, row) in rows.enumerate() {
                row_node[row] = (node, place);
            }
        }
        let loop_constraints = topology.loop_constraints.iter().zip(&loop_node);
        let closing = loop_constraints.map(|(loop_constraint, &node)| Closing {
            node,
            first_row: row_node.iter().position(|row| row.0 == node).unwrap_or(0),
            rows: loop_constraint.rows,
            bodies: loop_constraint.supports.clone(),
        });
        let closing = closing.collect();
        let unknowns: usize = sizes.iter().sum();
        let matrix = BlockLdu::new(&sizes, &edges, &order);
        let slot = |g: &Gradient| {
            let (node, place) = row_node[g.row];
            let body = topology.links[g.body];
            // The edges of a constraint lead to all of its bodies.
            let at = |row, column| matrix.place(row, column).expect("a coupled pair");
            Slot {
                body: g.body,
                column: at(body, node) + place,
                size: sizes[node],
                row: at(node, body) + 6 * place,
            }
        };
        Self {
            slots: Rows::new(model).gradients.iter().map(slot).collect(),
            pattern,
            weights: Weights::ACCELERATION,
            tangents: vec![Tangent::default(); model.bodies.len()],
            matrix,
            motions: vec![Twist::default(); model.bodies.len()],
            multipliers: vec![0.0; model.equations()],
            body_node: topology.links,
            row_node,
            closing,
            right: vec![0.0; unknowns],
            x: vec![0.0; unknowns],
            left: vec![0.0; unknowns],
        }
    }

    /// Which derivatives it has room for.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// The unknown of every body that the last [`solve`](Self::solve) found, in the units of the parametrisation.
    pub fn motions(&self) -> &[Twist] {
        &self.motions
    }

    /// The unknown of every constraint row that the last [`solve`](Self::solve) found.
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    /// The exact matrix, dense.
    #[cfg(test)]
    pub fn matrix(&self) -> nalgebra::DMatrix<f64> {
        let mut exact = self.matrix.clone();
        exact.restore();
        exact.to_dense()
    }

    /// First row and column of a body in the matrix.
    pub fn place_of_body(&self, body: usize) -> usize {
        self.matrix.first_row(self.body_node[body])
    }

    /// Row and column of a constraint row in the matrix.
    pub fn place_of_row(&self, row: usize) -> usize {
        let (node, place) = self.row_node[row];
        self.matrix.first_row(node) + place
    }

    /// Nodes in the order in which they are eliminated.
    pub(in super::super) fn order(&self) -> &[usize] {
        self.matrix.order()
    }

    /// Blocks below the diagonal after elimination, those of them filled in, and multiplications of a factorisation
    /// and a solve.
    pub fn cost(&self) -> (usize, usize, usize) {
        let blocks = self.matrix.pattern();
        let (all, filled) = blocks.fold((0, 0), |(n, f), b| (n + 1, f + usize::from(b.2)));
        (all, filled, self.matrix.operations())
    }

    /// Empties the matrix for an unknown.
    pub(super) fn begin(&mut self, weights: &Weights, tangent: impl Fn(usize) -> Tangent) {
        self.matrix.clear();
        self.weights = *weights;
        for (body, slot) in self.tangents.iter_mut().enumerate() {
            *slot = tangent(body);
        }
    }

    /// The system of accelerations, factored.
    pub(super) fn write_masses(&mut self, model: &Model, inertia: &[Mat3], rows: &Rows) {
        self.begin(&Weights::ACCELERATION, |_| Tangent::default());
        for (k, (body, inertia)) in model.bodies.iter().zip(inertia).enumerate() {
            let angular = self.inertia(k, inertia);
            self.add_own(k, body.mass, &angular);
        }
        self.put_rows(rows, Level::Acceleration);
        self.factor();
    }

    /// How the unknown of a body turns it.
    pub(super) fn tangent(&self, body: usize) -> &Tangent {
        &self.tangents[body]
    }

    /// Derivative of a body's equations of rotation by its own unknown: what its inertia gives.
    pub(super) fn inertia(&self, body: usize, inertia: &Mat3) -> Mat3 {
        let tangent = &self.tangents[body];
        tangent.rows * (inertia * tangent.spin_rate)
    }

    /// The same of a torque with these derivatives by its pose and by its angular velocity, given for world increments.
    pub(super) fn turning(&self, body: usize, [pose, velocity]: &[Mat3; 2]) -> Mat3 {
        let tangent = &self.tangents[body];
        tangent.rows * (pose * tangent.turn + velocity * tangent.spin)
    }

    /// Adds the mass of a body, and the derivative of its equations of rotation by its own unknown.
    pub(super) fn add_own(&mut self, body: usize, mass: f64, angular: &Mat3) {
        let node = self.body_node[body];
        // Every node has a block of its own.
        let Some(block) = self.matrix.block_mut(node, node) else {
            return;
        };
        match &self.tangents[body].carried {
            None => {
                for k in 0..3 {
                    block[7 * k] += mass * self.weights.acceleration;
                }
            }
            Some(carried) => {
                for (column, by) in carried.acceleration.iter().enumerate() {
                    add_quarter(block, (0, column), &(by * mass));
                }
            }
        }
        add_quarter(block, (1, 1), angular);
    }

    /// Adds derivatives by pose and by velocity, given for world increments, of what the first body feels when the
    /// second moves.
    pub(super) fn add(&mut self, (feels, moves): (usize, usize), pose: &Mat6, velocity: &Mat6) {
        let (rows, columns) = (&self.tangents[feels].rows, &self.tangents[moves]);
        let mut block = pose * self.weights.position + velocity * self.weights.velocity;
        let turned = pose.fixed_columns::<3>(3) * columns.turn
            + velocity.fixed_columns::<3>(3) * columns.spin;
        block.fixed_columns_mut::<3>(3).copy_from(&turned);
        if let Some(carried) = &columns.carried {
            let by_velocity = velocity.fixed_columns::<3>(0);
            let straight = pose.fixed_columns::<3>(0) * self.weights.position
                + by_velocity * carried.velocity[0];
            block.fixed_columns_mut::<3>(0).copy_from(&straight);
            let mut turned = block.fixed_columns_mut::<3>(3);
            turned += by_velocity * carried.velocity[1];
        }
        let angular = rows * block.fixed_rows::<3>(3);
        block.fixed_rows_mut::<3>(3).copy_from(&angular);
        self.put(feels, moves, &block);
    }

    /// Subtracts derivatives by pose alone.
    pub(super) fn subtract_pose(&mut self, (feels, moves): (usize, usize), pose: &Mat6) {
        let (rows, turn) = (&self.tangents[feels].rows, &self.tangents[moves].turn);
        let quarter = |i: usize, j: usize| pose.fixed_view::<3, 3>(3 * i, 3 * j);
        let straight = -self.weights.position;
        let quarters = [
            [quarter(0, 0) * straight, -(quarter(0, 1) * turn)],
            [
                rows * quarter(1, 0) * straight,
                -(rows * (quarter(1, 1) * turn)),
            ],
        ];
        let nodes = (self.body_node[feels], self.body_node[moves]);
        // Every pair that is tied by a joint or a force was laid out.
        if let Some(target) = self.matrix.block_mut(nodes.0, nodes.1) {
            for (i, row) in quarters.iter().enumerate() {
                for (j, quarter) in row.iter().enumerate() {
                    add_quarter(target, (i, j), quarter);
                }
            }
        }
    }

    fn put(&mut self, row: usize, column: usize, block: &Mat6) {
        let nodes = (self.body_node[row], self.body_node[column]);
        // Every pair that is tied by a joint or a force was laid out.
        if let Some(target) = self.matrix.block_mut(nodes.0, nodes.1) {
            for (k, x) in target.iter_mut().enumerate() {
                *x += block[(k / 6, k % 6)];
            }
        }
    }

    /// Writes `-Gᵀ` and the rows of the level.
    pub(super) fn put_rows(&mut self, rows: &Rows, level: Level) {
        let weights = self.weights;
        let values = self.matrix.values_mut();
        for (g, slot) in rows.gradients.iter().zip(&self.slots) {
            let tangent = &self.tangents[slot.body];
            let part = |v: &Vec6| -> (Vec3, Vec3) {
                (v.fixed_rows::<3>(0).into(), v.fixed_rows::<3>(3).into())
            };
            let (force, torque) = part(&g.value);
            let own = tangent.rows * torque;
            let (linear, angular) = match level {
                Level::Position => (force * weights.position, tangent.turn.tr_mul(&torque)),
                Level::Velocity => {
                    let (x, theta) = part(&g.of_rate);
                    let by_turn = tangent.spin.tr_mul(&torque) + tangent.turn.tr_mul(&theta);
                    match &tangent.carried {
                        None => (force * weights.velocity + x * weights.position, by_turn),
                        Some(carried) => {
                            let [straight, turned] = carried.velocity.map(|v| v.tr_mul(&force));
                            (straight + x * weights.position, by_turn + turned)
                        }
                    }
                }
                Level::Acceleration => {
                    let by_turn = tangent.spin_rate.tr_mul(&torque);
                    match &tangent.carried {
                        None => (force * weights.acceleration, by_turn),
                        Some(carried) => {
                            let [straight, turned] = carried.acceleration.map(|a| a.tr_mul(&force));
                            (straight, by_turn + turned)
                        }
                    }
                }
            };
            for k in 0..3 {
                values[slot.column + k * slot.size] -= force[k];
                values[slot.column + (3 + k) * slot.size] -= own[k];
                values[slot.row + k] += linear[k] * weights.rows;
                values[slot.row + 3 + k] += angular[k] * weights.rows;
            }
        }
    }

    /// Sets out from the multipliers of the last step: of what is regularised from a [part](KEPT).
    pub fn warm(&self, last: &[f64], multipliers: &mut [f64]) {
        multipliers.copy_from_slice(last);
        for closing in &self.closing {
            let own = closing.first_row..closing.first_row + closing.rows;
            multipliers[own].iter_mut().for_each(|m| *m *= KEPT);
        }
    }

    /// Keeps the exact matrix, regularises what closes loops, and factors.
    pub(super) fn factor(&mut self) {
        // Of a tree the factors are those of the exact matrix; tests look at it all the same.
        if cfg!(test) || !self.closing.is_empty() {
            self.matrix.keep();
        }
        for closing in &self.closing {
            for r in 0..closing.rows {
                let mut scale = 0.0;
                for &body in &closing.bodies {
                    let blocks = (
                        self.matrix.block(closing.node, body),
                        self.matrix.block(body, closing.node),
                        self.matrix.block(body, body),
                    );
                    if let (Some(row), Some(column), Some(own)) = blocks {
                        for k in (0..6).filter(|k| own[7 * k] != 0.0) {
                            let product = row[6 * r + k] * column[k * closing.rows + r];
                            scale += (product / own[7 * k]).abs();
                        }
                    }
                }
                if let Some(own) = self.matrix.block_mut(closing.node, closing.node) {
                    own[r * (closing.rows + 1)] += RHO * scale;
                }
            }
        }
        self.matrix.factor();
    }

    /// Solves for the unknown with the factors of the last matrix: `wrenches` in world axes, one per body, and `rows`,
    /// one per constraint row, are the right-hand sides. Returns the largest constraint row that is left, which is
    /// more than rounding only where redundant rows contradict each other.
    pub fn solve(&mut self, wrenches: &[Wrench], rows: &[f64]) -> f64 {
        self.solve_to(wrenches, rows, 0.0)
    }

    /// [`solve`](Self::solve) that leaves no more than `enough` of any constraint row, in its own units, where that can be: who
    /// solves again anyway needs no more.
    pub fn solve_to(&mut self, wrenches: &[Wrench], rows: &[f64], enough: f64) -> f64 {
        for (body, wrench) in wrenches.iter().enumerate() {
            let first = self.place_of_body(body);
            let torque = self.tangents[body].rows * wrench.torque;
            self.right[first..first + 3].copy_from_slice(wrench.force.as_slice());
            self.right[first + 3..first + 6].copy_from_slice(torque.as_slice());
        }
        for (row, value) in rows.iter().enumerate() {
            let place = self.place_of_row(row);
            self.right[place] = *value * self.weights.rows;
        }
        self.x.fill(0.0);
        self.left.copy_from_slice(&self.right);
        let mut worst = f64::INFINITY;
        for _ in 0..=REFINEMENTS {
            // `left` holds what is still wanted; it becomes the correction, then again what is wanted.
            self.matrix.solve(&mut self.left);
            for (x, change) in self.x.iter_mut().zip(&self.left) {
                *x += change;
            }
            if self.closing.is_empty() {
                // Factors of the exact matrix.
                worst = 0.0;
                break;
            }
            self.matrix.residual(&self.x, &self.right, &mut self.left);
            let now = self.worst_row();
            // What does not shrink is rounding, or lies where redundant rows contradict each other.
            let stuck = now > 0.1 * worst;
            worst = now;
            if stuck || worst <= enough {
                break;
            }
        }
        for (body, motion) in self.motions.iter_mut().enumerate() {
            let first = self.matrix.first_row(self.body_node[body]);
            motion.linear = Vec3::from_column_slice(&self.x[first..first + 3]);
            motion.angular = Vec3::from_column_slice(&self.x[first + 3..first + 6]);
        }
        for (row, lambda) in self.multipliers.iter_mut().enumerate() {
            let (node, place) = self.row_node[row];
            *lambda = self.x[self.matrix.first_row(node) + place];
        }
        worst
    }

    fn worst_row(&self) -> f64 {
        let rows = 0..self.row_node.len();
        rows.map(|row| (self.left[self.place_of_row(row)] / self.weights.rows).abs())
            .fold(
                0.0,
                |worst, x| if x > worst || x.is_nan() { x } else { worst },
            )
    }
}

/// Adds to a quarter of a block of 6×6 numbers, row by row: linear or angular rows, linear or angular columns.
fn add_quarter(block: &mut [f64], (i, j): (usize, usize), quarter: &Mat3) {
    let rows = block[18 * i..18 * (i + 1)].chunks_exact_mut(6);
    for (r, row) in rows.enumerate() {
        for c in 0..3 {
            row[3 * j + c] += quarter[(r, c)];
        }
    }
}
