//! Bodies that rows tie together, as one linear system on their graph:
//! ```text
//!   [ A  -Gᵀ ] [ Δv ]   [ impulses  ]
//!   [ G   C  ] [ p  ] = [ c - G v₀  ]
//! ```
//! `A` and `C` are positive definite, so that it has one solution whatever the rows are, and so has every system that
//! elimination leaves: redundant rows share their load by their compliances, those that contradict each other meet between.
//! Eliminated with every joint after the body that hangs on it, which on a tree makes no fill.

use super::super::blocks::{leaf_to_root, waiting};
use super::super::topology::{LoopConstraintKind, Topology, WORLD};
use super::rows::{Kind, Rows};
use super::{Body, Impulse};
use crate::forces::StiffSprings;
use crate::linalg::block_ldu::BlockLdu;
use crate::linalg::ordering;
use crate::math::disjoint_sets::DisjointSets;
use crate::model::Model;

/// One system.
#[derive(Debug, Clone)]
pub struct Mechanism {
    /// Bodies of the model, by node.
    pub bodies: Vec<usize>,
    /// Groups, by node less the number of bodies.
    groups: Vec<usize>,
    matrix: BlockLdu,
    right: Vec<f64>,
    x: Vec<f64>,
    left: Vec<f64>,
}

/// System and node there of every body that rows hold.
pub type Places = Vec<Option<(usize, usize)>>;

/// The rows of a model and the systems that they make, with the place of every body that is in one.
pub fn mechanisms(model: &Model) -> (Rows, Vec<Mechanism>, Places) {
    // All springs are rows here.
    let stiff = StiffSprings::of(model, f64::INFINITY);
    let mut topology = Topology::with_springs(model, &stiff);
    let links = topology.bodies.len();
    let mut rows = Rows::default();
    let mut kinds: Vec<Kind> = Vec::new();
    let mut joint_node = vec![None; links];
    for (link, tree) in topology.joints.iter().enumerate() {
        let Some(tree) = tree else { continue };
        if let Some(group) = rows.push(model, Kind::Joint(tree.joint)) {
            joint_node[link] = Some(links + group);
            kinds.push(Kind::Joint(tree.joint));
        }
    }
    // All rows of one joint or line are one node, which stands where its first loop constraint does.
    let mut loop_node = Vec::new();
    topology.loop_constraints.retain(|c| {
        let kind = match c.kind {
            LoopConstraintKind::Joint(joint)
            | LoopConstraintKind::Law { joint, .. }
            | LoopConstraintKind::Spring { joint, .. } => Kind::Joint(joint),
            LoopConstraintKind::Coupling(k) => Kind::Coupling(k),
            LoopConstraintKind::Damper(f) | LoopConstraintKind::Line(f) => Kind::Line(f),
        };
        let group = (!kinds.contains(&kind)).then(|| rows.push(model, kind));
        let Some(Some(group)) = group else {
            return false;
        };
        kinds.push(kind);
        loop_node.push(links + group);
        true
    });
    let count = links + rows.groups.len();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (g, group) in rows.groups.iter().enumerate() {
        edges.extend(group.bodies.iter().map(|&b| (topology.links[b], links + g)));
    }
    let sizes: Vec<usize> = (0..count)
        .map(|node| {
            if node < links {
                6
            } else {
                rows.groups[node - links].rows.len()
            }
        })
        .collect();
    let order = if topology.loop_constraints.is_empty() {
        leaf_to_root(&topology, &joint_node, &loop_node)
    } else {
        let after = waiting(&topology, &joint_node, &loop_node, count);
        ordering::minimum_degree(&sizes, &edges, &after)
    };
    let parts = components(count, &edges);
    let mut all: Vec<Mechanism> = Vec::new();
    let mut place_of = vec![None; links];
    let mut local = vec![WORLD; count];
    for part in parts.iter().filter(|part| part.len() > 1) {
        for (k, &node) in part.iter().enumerate() {
            local[node] = k;
            if node < links {
                place_of[topology.bodies[node]] = Some((all.len(), k));
            }
        }
        let inside = |node: &usize| part.binary_search(node).is_ok();
        let own = |nodes: &[usize]| nodes.iter().map(|&n| local[n]).collect::<Vec<_>>();
        let order: Vec<usize> = order.iter().copied().filter(|n| inside(n)).collect();
        let edges: Vec<(usize, usize)> = edges
            .iter()
            .filter(|(a, _)| inside(a))
            .map(|&(a, b)| (local[a], local[b]))
            .collect();
        let sizes: Vec<usize> = part.iter().map(|&n| sizes[n]).collect();
        let matrix = BlockLdu::new(&sizes, &edges, &own(&order));
        let unknowns = sizes.iter().sum();
        all.push(Mechanism {
            bodies: part
                .iter()
                .filter(|&&n| n < links)
                .map(|&n| topology.bodies[n])
                .collect(),
            groups: part
                .iter()
                .filter(|&&n| n >= links)
                .map(|&n| n - links)
                .collect(),
            matrix,
            right: vec![0.0; unknowns],
            x: vec![0.0; unknowns],
            left: vec![0.0; unknowns],
        });
    }
    (rows, all, place_of)
}

/// Nodes that edges tie together, each list in order.
fn components(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut sets = DisjointSets::new(count);
    for &(a, b) in edges {
        sets.join(a, b);
    }
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); count];
    for node in 0..count {
        parts[sets.find(node)].push(node);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

impl Mechanism {
    /// Lets nothing that is held rigidly be mended faster than that [m/s, rad/s]: all of it slower by one factor, so that
    /// where rows contradict each other they meet at the same place.
    pub fn bound(&self, rows: &mut Rows, fastest: f64) {
        let mut most: f64 = 0.0;
        for part in [false, true] {
            let factor = if most > fastest { fastest / most } else { 1.0 };
            for g in &self.groups {
                let own = rows.groups[*g].rows.clone();
                let held = rows.rows[own].iter_mut();
                for row in held.filter(|r| r.held.is_some_and(|c| c.is_rigid())) {
                    if part {
                        row.wanted *= factor;
                        row.goal = row.wanted;
                    } else {
                        most = most.max(row.wanted.abs());
                    }
                }
            }
        }
    }

    /// Writes and factors the matrix.
    pub fn factor(&mut self, rows: &Rows, bodies: &[Body], place_of: &Places) {
        self.matrix.clear();
        for (node, &body) in self.bodies.iter().enumerate() {
            if let Some(block) = self.matrix.block_mut(node, node) {
                for (x, row) in block.chunks_exact_mut(6).zip(&bodies[body].matrix) {
                    x.copy_from_slice(row);
                }
            }
        }
        for (k, &g) in self.groups.iter().enumerate() {
            let node = self.bodies.len() + k;
            let group = &rows.groups[g];
            let size = group.rows.len();
            if let Some(own) = self.matrix.block_mut(node, node) {
                for (r, row) in rows.rows[group.rows.clone()].iter().enumerate() {
                    // What gives without end pulls with what it is told.
                    let gives = row.compliance.is_infinite();
                    own[r * (size + 1)] = if gives { 1.0 } else { row.compliance };
                }
            }
            for entry in rows.entries_of(g) {
                let Some((_, body)) = place_of[entry.body] else {
                    continue;
                };
                let r = entry.row - group.rows.start;
                if let Some(column) = self.matrix.block_mut(body, node) {
                    for (k, x) in entry.value.iter().enumerate() {
                        column[k * size + r] -= x;
                    }
                }
                if rows.rows[entry.row].compliance.is_infinite() {
                    continue;
                }
                if let Some(row) = self.matrix.block_mut(node, body) {
                    for (x, y) in row[6 * r..6 * r + 6].iter_mut().zip(&entry.value) {
                        *x += y;
                    }
                }
            }
        }
        self.matrix.keep();
        self.matrix.factor();
    }

    /// Clears the right-hand side.
    pub fn begin(&mut self) {
        self.right.fill(0.0);
    }

    /// Adds an impulse on a body, by its node, times a factor.
    pub fn push(&mut self, node: usize, impulse: &Impulse, factor: f64) {
        let first = self.matrix.first_row(node);
        for (x, y) in self.right[first..first + 6].iter_mut().zip(impulse) {
            *x += y * factor;
        }
    }

    /// Adds what the rows want beyond the velocities that bodies have.
    pub fn want(&mut self, rows: &Rows, bodies: &[Body]) {
        for (k, &g) in self.groups.iter().enumerate() {
            let first = self.matrix.first_row(self.bodies.len() + k);
            let group = &rows.groups[g];
            for (x, row) in self.right[first..]
                .iter_mut()
                .zip(&rows.rows[group.rows.clone()])
            {
                *x += row.goal;
            }
            for entry in rows.entries_of(g) {
                if rows.rows[entry.row].compliance.is_finite() {
                    let rate = super::dot(&entry.value, &bodies[entry.body].velocity);
                    self.right[first + entry.row - group.rows.start] -= rate;
                }
            }
        }
    }

    /// Solves with the factors, as often as one likes.
    pub fn solve(&mut self) {
        self.x.copy_from_slice(&self.right);
        self.matrix.solve(&mut self.x);
    }

    /// Mends what rounding left of the last solution.
    pub fn refine(&mut self) {
        self.matrix.residual(&self.x, &self.right, &mut self.left);
        self.matrix.solve(&mut self.left);
        for (x, change) in self.x.iter_mut().zip(&self.left) {
            *x += change;
        }
    }

    /// Change of velocity of a body, by its node, that was found.
    pub fn change(&self, node: usize) -> &[f64] {
        let first = self.matrix.first_row(node);
        &self.x[first..first + 6]
    }

    /// Leaves the impulses found in the rows.
    pub fn store(&self, rows: &mut Rows) {
        for (k, &g) in self.groups.iter().enumerate() {
            let first = self.matrix.first_row(self.bodies.len() + k);
            let own = rows.groups[g].rows.clone();
            for (row, x) in rows.rows[own].iter_mut().zip(&self.x[first..]) {
                row.impulse = *x;
            }
        }
    }

    /// Bodies by node, then groups, in the order of elimination.
    pub fn order(&self) -> &[usize] {
        self.matrix.order()
    }

    /// Groups of rows, by node less the number of bodies.
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// Multiplications of one solution.
    pub fn solution_operations(&self) -> usize {
        self.matrix.solution_operations()
    }

    /// Multiplications of one factorisation and one solution.
    pub fn operations(&self) -> usize {
        self.matrix.operations()
    }
}
