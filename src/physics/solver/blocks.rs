//! The Newton system in full: bodies and constraints as the nodes of one graph [Brüdigam2023 sect. 4].
//!
//! Unknowns are the motions of all bodies, the impulses of the tree's joints and the changes of the loop constraints'
//! impulses. It is what the pair elimination solves, written out for the papers' block LDU and for the dense
//! oracle, and for whoever wants to look at the matrix.

use super::drives::{Drive, Place};
use super::elimination::{self, Elimination, Mass};
use super::fronts::{Fronts, Six, six};
use super::links::{Links, Spatial};
use super::loop_constraints::LoopConstraints;
use super::topology::{LoopConstraintKind, Topology, WORLD};
use crate::joints::{self, Placement, row_on};
use crate::linalg::block_ldu::BlockLdu;
use crate::linalg::ordering;
use crate::math::lanes::{Plain, V4};
use crate::model::{BodyState, ContactKey, Model};

/// What a node of the system stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// Motion of a body (index in the model).
    Body(usize),
    /// Impulses of a joint (index in the model).
    Joint(usize),
    /// Impulse of a coupling (index in the model).
    Coupling(usize),
    /// Impulse of a damper or drive of a joint that closes a loop (index of the joint).
    Law(usize),
    /// Impulse of a stiff spring of a joint that closes a loop (index of the joint).
    JointSpring(usize),
    /// Impulse of the damper of a spring between two points (index among the forces).
    Damper(usize),
    /// Impulse of a stiff spring between two points (index among the forces).
    Spring(usize),
    /// Impulses of a contact point.
    Contact(ContactKey),
    /// Impulse of a bound of a joint coordinate (index of the joint).
    Limit(usize),
    /// Impulse of a cable (index in the model).
    Cable(usize),
}

/// Nodes and edges of the system of a mechanism, before any order is chosen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// Bodies by link, then tree joints by link, then loop constraints.
    pub nodes: Vec<NodeKind>,
    /// Unknowns of every node.
    pub sizes: Vec<usize>,
    /// Coupled pairs.
    pub edges: Vec<(usize, usize)>,
    /// Node of the tree joint of every link.
    pub joint_node: Vec<Option<usize>>,
    /// Node of every loop constraint.
    pub loop_node: Vec<usize>,
}

impl Graph {
    /// The graph of a mechanism.
    pub fn new(model: &Model, topology: &Topology) -> Self {
        let links = topology.bodies.len();
        let mut nodes: Vec<NodeKind> = topology.bodies.iter().map(|&b| NodeKind::Body(b)).collect();
        let mut sizes = vec![6; links];
        let mut edges = Vec::new();
        let mut joint_node = vec![None; links];
        for (link, tree) in topology.joints.iter().enumerate() {
            let Some(tree) = tree else { continue };
            let joint = &model.joints[tree.joint];
            let parent = topology.parents[link];
            let stiff = topology.stiff.of_joint(tree.joint).next().is_some();
            let driven = stiff || crate::forces::has_joint_law(joint);
            if parent != WORLD && driven {
                edges.push((link, parent));
            }
            if joint.kind.constraints() == 0 {
                continue;
            }
            joint_node[link] = Some(nodes.len());
            edges.push((link, nodes.len()));
            if parent != WORLD {
                edges.push((parent, nodes.len()));
            }
            nodes.push(NodeKind::Joint(tree.joint));
            sizes.push(joint.kind.constraints());
        }
        let mut loop_node = Vec::new();
        for loop_constraint in &topology.loop_constraints {
            loop_node.push(nodes.len());
            edges.extend(
                loop_constraint
                    .supports
                    .iter()
                    .map(|&link| (link, nodes.len())),
            );
            nodes.push(match loop_constraint.kind {
                LoopConstraintKind::Joint(j) => NodeKind::Joint(j),
                LoopConstraintKind::Coupling(c) => NodeKind::Coupling(c),
                LoopConstraintKind::Law { joint, .. } => NodeKind::Law(joint),
                LoopConstraintKind::Spring { joint, .. } => NodeKind::JointSpring(joint),
                LoopConstraintKind::Damper(force) => NodeKind::Damper(force),
                LoopConstraintKind::Line(force) => NodeKind::Spring(force),
            });
            sizes.push(loop_constraint.rows);
        }
        Self {
            nodes,
            sizes,
            edges,
            joint_node,
            loop_node,
        }
    }
}

/// Leaf to root: a joint after its child, a loop constraint where its paths meet. No pivot is a zero block.
pub(super) fn leaf_to_root(
    topology: &Topology,
    joint_node: &[Option<usize>],
    loop_node: &[usize],
) -> Vec<usize> {
    let mut order = Vec::new();
    let ending = |top: usize| {
        let loop_constraints = topology.loop_constraints.iter().zip(loop_node);
        loop_constraints
            .filter(move |(c, _)| c.top == top)
            .map(|(_, &node)| node)
    };
    for link in (0..topology.bodies.len()).rev() {
        order.extend(ending(link));
        order.push(link);
        order.extend(joint_node[link]);
    }
    order.extend(ending(WORLD));
    order
}

/// What each node waits for, so that no pivot is a zero block: a joint for its link, a link for the joints of its
/// children, a loop constraint for its paths.
pub(super) fn waiting(
    topology: &Topology,
    joint_node: &[Option<usize>],
    loop_node: &[usize],
    nodes: usize,
) -> Vec<Vec<usize>> {
    let mut after = vec![Vec::new(); nodes];
    for (link, &node) in joint_node.iter().enumerate() {
        let Some(node) = node else { continue };
        after[node].push(link);
        if topology.parents[link] != WORLD {
            after[topology.parents[link]].push(node);
        }
    }
    for (loop_constraint, &node) in topology.loop_constraints.iter().zip(loop_node) {
        for &support in &loop_constraint.supports {
            let mut link = support;
            while link != loop_constraint.top && link != WORLD {
                after[node].push(link);
                after[node].extend(joint_node[link]);
                link = topology.parents[link];
            }
        }
        after[node].sort_unstable();
        after[node].dedup();
    }
    after
}

/// The system as nodes and blocks.
#[derive(Debug, Clone)]
pub struct Blocks {
    /// Bodies by link, then tree joints by link, then loop constraints.
    pub nodes: Vec<NodeKind>,
    /// Coupled pairs.
    pub edges: Vec<(usize, usize)>,
    /// The matrix, then its factors.
    pub matrix: BlockLdu,
    /// Node of the tree joint of every link.
    joint_node: Vec<Option<usize>>,
    loop_node: Vec<usize>,
    /// Right-hand side, then solution, node by node.
    pub x: Vec<f64>,
}

/// Both configurations of the system.
pub struct Configurations<'a> {
    /// Poses at `z1`, where forces act.
    pub first: &'a [BodyState],
    /// Poses at `z2`, where constraints hold.
    pub second: &'a [BodyState],
}

/// What a mechanism's solver holds.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    /// The mechanism.
    pub model: &'a Model,
    /// Its graph.
    pub topology: &'a Topology,
    /// Its links.
    pub links: &'a Links,
    /// Loads of single links.
    pub elimination: &'a Elimination,
    /// Rows of loop constraints.
    pub loop_constraints: &'a LoopConstraints,
    /// Drives of joints.
    pub drives: &'a [Drive],
}

impl Blocks {
    /// Nodes, edges and order of elimination of a mechanism of which these pairs of links touch.
    pub fn new(model: &Model, topology: &Topology, touching: &[(usize, usize)]) -> Self {
        let Graph {
            nodes,
            sizes,
            mut edges,
            joint_node,
            loop_node,
        } = Graph::new(model, topology);
        edges.extend(touching);
        let order = if touching.is_empty() {
            leaf_to_root(topology, &joint_node, &loop_node)
        } else {
            let after = waiting(topology, &joint_node, &loop_node, nodes.len());
            ordering::minimum_degree(&sizes, &edges, &after)
        };
        let matrix = BlockLdu::new(&sizes, &edges, &order);
        let rows = sizes.iter().sum();
        Self {
            nodes,
            edges,
            matrix,
            joint_node,
            loop_node,
            x: vec![0.0; rows],
        }
    }

    /// Fills in the matrix and the right-hand side.
    pub fn assemble(&mut self, parts: &Parts, at: &Configurations, mass: Mass) {
        let Parts {
            model,
            topology,
            links,
            elimination,
            loop_constraints,
            drives,
        } = *parts;
        self.matrix.clear();
        self.x.fill(0.0);
        for (i, link) in links.links.iter().enumerate() {
            let mut block = elimination::body_block::<Plain>(link, mass);
            if let Some((at, extra)) = &elimination.extra
                && *at == i
            {
                for (b, e) in block.iter_mut().zip(extra) {
                    for k in 0..3 {
                        b.0[k] += e.0[k];
                    }
                }
            }
            self.put_body(i, &block);
            let first = self.matrix.first_row(i);
            self.x[first..first + 6].copy_from_slice(&six(&link.rhs));
        }
        for link in 0..links.links.len() {
            if let (Some(node), Some(tree)) = (self.joint_node[link], topology.joints[link]) {
                self.put_joint(model, topology, node, tree.joint, at);
            }
        }
        for (c, loop_constraint) in topology.loop_constraints.iter().enumerate() {
            let node = self.loop_node[c];
            let first = self.matrix.first_row(node);
            for r in 0..loop_constraint.rows {
                let row = &loop_constraints.rows[loop_constraint.first_row + r];
                self.x[first + r] = row.gamma;
                if row.diagonal == 0.0 {
                    self.matrix.set_proximal(node, r, row.free);
                }
                self.entry(node, node, r, r, loop_constraint.rows, row.diagonal);
                for (s, &link) in loop_constraint.supports.iter().enumerate() {
                    let (h, k) = loop_constraints.support(topology, c, s, r);
                    for q in 0..6 {
                        self.entry(link, node, q, r, loop_constraint.rows, -h[q]);
                        self.entry(node, link, r, q, 6, k[q]);
                    }
                }
            }
        }
        if elimination.driven {
            for drive in drives {
                self.put_drive(model, topology, drive, at);
            }
        }
    }

    fn entry(&mut self, row: usize, column: usize, i: usize, j: usize, columns: usize, value: f64) {
        if let Some(block) = self.matrix.block_mut(row, column) {
            block[i * columns + j] += value;
        }
    }

    fn put_body(&mut self, link: usize, block: &elimination::Block) {
        let Some(target) = self.matrix.block_mut(link, link) else {
            return;
        };
        for c in 0..6 {
            let base = if c < 3 { c } else { 3 + c };
            for r in 0..3 {
                target[6 * r + c] += block[base].0[r];
                target[6 * (3 + r) + c] += block[base + 3].0[r];
            }
        }
    }

    /// Adds `Σ columns ⊗ rows` to the block that couples two links.
    pub fn add_products(&mut self, links: (usize, usize), columns: &[Six], rows: &[Six]) {
        let Some(block) = self.matrix.block_mut(links.0, links.1) else {
            return;
        };
        for (column, row) in columns.iter().zip(rows) {
            for (line, c) in block.chunks_exact_mut(6).zip(column) {
                for (x, r) in line.iter_mut().zip(row) {
                    *x += c * r;
                }
            }
        }
    }

    fn put_joint(
        &mut self,
        model: &Model,
        topology: &Topology,
        node: usize,
        index: usize,
        at: &Configurations,
    ) {
        let joint = &model.joints[index];
        let (at1, at2) = (
            Placement::of(joint, at.first),
            Placement::of(joint, at.second),
        );
        let rows = joint.kind.constraints();
        let mut g = [0.0; 6];
        joints::constraint(joint.kind, &at2, &mut g);
        let first = self.matrix.first_row(node);
        let sides = [Some(joint.child), joint.parent];
        let pairs = joints::constraint_rows(joint.kind, &at1)
            .zip(joints::constraint_rows(joint.kind, &at2));
        for (r, (row1, row2)) in pairs.enumerate() {
            self.x[first + r] = -g[r];
            for (side, body) in sides.iter().enumerate() {
                let Some(body) = body else { continue };
                let body = topology.links[body.0];
                let force = row_on(&row1, &at1, side == 0);
                let gradient = row_on(&row2, &at2, side == 0);
                // The edges of a joint's node lead to both of its bodies.
                if let Some(block) = self.matrix.block_mut(body, node) {
                    for q in 0..6 {
                        block[q * rows + r] -= force[q];
                    }
                }
                if let Some(block) = self.matrix.block_mut(node, body) {
                    for q in 0..6 {
                        block[6 * r + q] += gradient[q];
                    }
                }
            }
        }
    }

    /// A drive of the tree: a generalised impulse that changes with the relative motion.
    fn put_drive(
        &mut self,
        model: &Model,
        topology: &Topology,
        drive: &Drive,
        at: &Configurations,
    ) {
        if !matches!(drive.place, Place::Tree(_)) {
            return;
        }
        let joint = &model.joints[drive.joint];
        let (at1, at2) = (
            Placement::of(joint, at.first),
            Placement::of(joint, at.second),
        );
        let row2 = drive.row_at(joint, &at2);
        let sides: Vec<(usize, Six, Six)> = [(Some(joint.child), true), (joint.parent, false)]
            .into_iter()
            .filter_map(|(body, child)| {
                let link = topology.links[body?.0];
                Some((
                    link,
                    row_on(&drive.row, &at1, child),
                    row_on(&row2, &at2, child),
                ))
            })
            .collect();
        for (link, force, _) in &sides {
            let first = self.matrix.first_row(*link);
            for q in 0..6 {
                self.x[first + q] += force[q] * drive.asked;
            }
            for (other, _, gradient) in &sides {
                for q in 0..6 {
                    for p in 0..6 {
                        self.entry(*link, *other, q, p, 6, force[q] * drive.slope * gradient[p]);
                    }
                }
            }
        }
    }

    /// Factors, unless it is solved densely.
    pub fn factor(&mut self, dense: bool) {
        if !dense {
            self.matrix.factor();
        }
    }

    /// Solves with the factors, or densely, and leaves motions and changes of loop constraint impulses.
    pub fn solve(
        &mut self,
        dense: bool,
        topology: &Topology,
        links: &mut Links,
        fronts: &mut Fronts,
    ) {
        if dense {
            if !self.matrix.solve_dense(&mut self.x) {
                self.x.fill(f64::NAN);
            }
        } else {
            self.matrix.solve(&mut self.x);
        }
        self.take(topology, links, fronts);
    }

    /// Leaves motions and changes of loop constraint impulses from the solution in `x`.
    pub fn take(&self, topology: &Topology, links: &mut Links, fronts: &mut Fronts) {
        for (i, link) in links.links.iter_mut().enumerate() {
            let first = self.matrix.first_row(i);
            let x = &self.x[first..first + 6];
            link.motion = Spatial {
                linear: V4([x[0], x[1], x[2], 0.0]),
                angular: V4([x[3], x[4], x[5], 0.0]),
            };
        }
        for (loop_constraint, &node) in topology.loop_constraints.iter().zip(&self.loop_node) {
            let first = self.matrix.first_row(node);
            for r in 0..loop_constraint.rows {
                fronts.change[loop_constraint.first_row + r] = self.x[first + r];
            }
        }
    }
}
