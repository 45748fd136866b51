//! What the linear solver in use does with the system of a step: which nodes it eliminates together and in which
//! order, which blocks that makes, what it costs [Brüdigam2023 sect. 4, fig. 2-6].

mod coordinates;

use super::assembly::LinearSystem;
use super::blocks::{Graph, NodeKind};
use super::structure::articulated;
use super::topology::{LoopConstraintKind, Topology, WORLD};
use super::unilateral::{Unilateral, What};
use super::{Blocks, LinearSolver, MechanismSolver};
use crate::linalg::symbolic::{self, Block};
use crate::model::{ContactKey, Model};

/// How a system is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Each body with the multipliers of the joint to its parent, leaf to root; loops as dense blocks on their paths.
    Pairs,
    /// Block LDU, node by node.
    BlockLdu,
    /// Contact points, limits and cables first, into their bodies; then block LDU by minimum degree.
    UnilateralConstraints,
    /// Dense LU: every block is worked on.
    Dense,
    /// Joint coordinates, link by link from leaf to root; rows of loops and limits together after them.
    ArticulatedBodies,
    /// Accelerations: bodies first, each by its mass; then the joints within the envelope of their rows.
    Envelope,
    /// Springs and dampers on the graph, whose pivots are all definite; what only pushes first where bodies are free, and
    /// together after the rest where rows hold them.
    Compliant,
}

/// A node of the graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanNode {
    /// What it stands for.
    pub kind: NodeKind,
    /// Unknowns.
    pub size: usize,
    /// The node that it hangs on in the tree; `None` if that is the world or nothing.
    pub above: Option<usize>,
    /// Whether it is tied to the world.
    pub grounded: bool,
    /// Whether it ties together what the tree already holds: what closes a loop, a contact between bodies.
    pub closes: bool,
}

/// The plan of one factorisation. Pairs of nodes are named lower index first.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// How it is solved.
    pub scheme: Scheme,
    /// Bodies, joints of the tree, loop constraints, then what holds on one side.
    pub nodes: Vec<PlanNode>,
    /// Coupled pairs: the graph, and the blocks of the matrix before elimination.
    pub edges: Vec<(usize, usize)>,
    /// Nodes that are eliminated together, in order; every node is in one of them.
    pub stages: Vec<Vec<usize>>,
    /// Blocks below the diagonal after elimination, by places of stages; empty where all are worked on.
    pub blocks: Vec<Block>,
    /// Blocks below the diagonal after elimination in the order of the nodes; in joint coordinates those of the mass matrix,
    /// of which elimination link by link fills none in.
    pub unordered: Vec<Block>,
    /// Multiplications of one factorisation and solve.
    pub operations: usize,
}

impl Plan {
    /// A plan whose blocks follow from its stages.
    pub fn new(
        scheme: Scheme,
        nodes: Vec<PlanNode>,
        mut edges: Vec<(usize, usize)>,
        stages: Vec<Vec<usize>>,
        operations: usize,
    ) -> Self {
        for edge in &mut edges {
            *edge = (edge.0.min(edge.1), edge.0.max(edge.1));
        }
        edges.sort_unstable();
        edges.dedup();
        let natural: Vec<usize> = (0..nodes.len()).collect();
        let mut plan = Self {
            unordered: symbolic::factor(&natural, &edges),
            blocks: Vec::new(),
            scheme,
            nodes,
            edges,
            stages,
            operations,
        };
        if scheme != Scheme::Dense {
            let places: Vec<usize> = (0..plan.stages.len()).collect();
            plan.blocks = symbolic::factor(&places, &plan.stage_edges());
        }
        plan
    }

    /// Place of the stage of every node.
    pub fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.nodes.len()];
        for (place, stage) in self.stages.iter().enumerate() {
            for &node in stage {
                places[node] = place;
            }
        }
        places
    }

    /// Pairs of stages that are coupled before elimination.
    pub fn stage_edges(&self) -> Vec<(usize, usize)> {
        let places = self.places();
        let between = self.edges.iter().map(|&(a, b)| (places[a], places[b]));
        between.filter(|(a, b)| a != b).collect()
    }

    /// Blocks below the diagonal that elimination adds.
    pub fn fill(&self) -> usize {
        if self.scheme == Scheme::Dense {
            let stages = self.stages.len();
            return stages * stages.saturating_sub(1) / 2 - self.edges.len();
        }
        self.blocks.iter().filter(|b| b.fill).count()
    }

    /// Blocks below the diagonal that elimination in the order of the nodes would add.
    pub fn unordered_fill(&self) -> usize {
        self.unordered.iter().filter(|b| b.fill).count()
    }

    /// Blocks that are not zero after elimination, on and on both sides of the diagonal.
    pub fn block_count(&self) -> usize {
        let stages = self.stages.len();
        match self.scheme {
            Scheme::Dense => stages * stages,
            _ => stages + 2 * self.blocks.len(),
        }
    }

    /// Unknowns of the system.
    pub fn unknowns(&self) -> usize {
        self.nodes.iter().map(|n| n.size).sum()
    }
}

impl MechanismSolver {
    /// What this solver did in the last interval, with the contact points that had these keys.
    pub fn plan(&self, model: &Model, key: impl Fn(usize) -> ContactKey) -> Plan {
        let graph = Graph::new(model, &self.topology);
        let unilaterals = self.unilaterals();
        if self.unilateral.active {
            let blocks = self.unilateral.blocks(model, &self.topology);
            return unilateral(model, &self.topology, graph, unilaterals, &blocks, key);
        }
        let nodes = nodes(model, &self.topology, &graph);
        let alone = |order: &[usize]| order.iter().map(|&k| vec![k]).collect();
        match &self.blocks {
            None => {
                let operations = articulated(model, &self.topology);
                let stages = pairs(&self.topology, &graph);
                Plan::new(Scheme::Pairs, nodes, graph.edges, stages, operations)
            }
            Some((blocks, false)) => {
                let (order, operations) = (blocks.matrix.order(), blocks.matrix.operations());
                let stages = alone(order);
                Plan::new(Scheme::BlockLdu, nodes, graph.edges, stages, operations)
            }
            Some((_, true)) => {
                let unknowns: usize = graph.sizes.iter().sum();
                let operations = unknowns.pow(3) / 3 + unknowns.pow(2);
                let natural: Vec<usize> = (0..nodes.len()).collect();
                let stages = alone(&natural);
                Plan::new(Scheme::Dense, nodes, graph.edges, stages, operations)
            }
        }
    }
}

impl LinearSystem {
    /// What this system does for the model that it was made for.
    pub fn plan(&self, model: &Model) -> Plan {
        let (topology, graph, _) = Self::laid_out(model, self.pattern());
        let nodes = nodes(model, &topology, &graph);
        let stages = self.order().iter().map(|&k| vec![k]).collect();
        let (_, _, operations) = self.cost();
        Plan::new(Scheme::BlockLdu, nodes, graph.edges, stages, operations)
    }
}

impl Plan {
    /// The plan that a linear solver follows for a mechanism of which nothing touches.
    pub fn of(model: &Model, solver: LinearSolver) -> Self {
        MechanismSolver::new(model, solver).plan(model, |_| ContactKey::default())
    }
}

/// Bodies, joints and loop constraints with their places in the tree.
fn nodes(model: &Model, topology: &Topology, graph: &Graph) -> Vec<PlanNode> {
    let mut nodes: Vec<PlanNode> = graph
        .nodes
        .iter()
        .zip(&graph.sizes)
        .map(|(&kind, &size)| PlanNode {
            kind,
            size,
            above: None,
            grounded: false,
            closes: false,
        })
        .collect();
    for (link, &parent) in topology.parents.iter().enumerate() {
        let above = (parent != WORLD).then_some(parent);
        match graph.joint_node[link] {
            Some(joint) => {
                nodes[link].above = Some(joint);
                nodes[joint].above = above;
                nodes[joint].grounded = above.is_none();
            }
            None => nodes[link].above = above,
        }
    }
    for (loop_constraint, &node) in topology.loop_constraints.iter().zip(&graph.loop_node) {
        let joint = match loop_constraint.kind {
            LoopConstraintKind::Joint(joint)
            | LoopConstraintKind::Law { joint, .. }
            | LoopConstraintKind::Spring { joint, .. } => Some(joint),
            LoopConstraintKind::Coupling(_)
            | LoopConstraintKind::Damper(_)
            | LoopConstraintKind::Line(_) => None,
        };
        // Parents come before children: the last support is the farthest from the root.
        nodes[node].above = loop_constraint.supports.iter().copied().max();
        nodes[node].grounded = joint.is_some_and(|j| model.joints[j].parent.is_none());
        nodes[node].closes = true;
    }
    nodes
}

/// Leaf to root: what ends at a link, then the link with its joint; last what ends at the world.
fn pairs(topology: &Topology, graph: &Graph) -> Vec<Vec<usize>> {
    let mut stages = Vec::new();
    let ended = |front: &super::Front| -> Vec<usize> {
        let here = front
            .loop_constraints
            .iter()
            .filter(|(_, row)| *row < front.ended);
        here.map(|&(loop_constraint, _)| graph.loop_node[loop_constraint])
            .collect()
    };
    for link in (0..topology.bodies.len()).rev() {
        stages.push(ended(&topology.fronts[link]));
        stages.push(
            std::iter::once(link)
                .chain(graph.joint_node[link])
                .collect(),
        );
    }
    stages.extend(topology.ground.iter().map(ended));
    stages.retain(|s| !s.is_empty());
    stages
}

/// Unilateral constraints first, then the rest in the order of the block LDU.
fn unilateral(
    model: &Model,
    topology: &Topology,
    mut graph: Graph,
    unilaterals: &[Unilateral],
    blocks: &Blocks,
    key: impl Fn(usize) -> ContactKey,
) -> Plan {
    let mut nodes = nodes(model, topology, &graph);
    let first = nodes.len();
    let mut operations = blocks.matrix.operations();
    for (k, unilateral) in unilaterals.iter().enumerate() {
        let bodies: Vec<usize> = unilateral
            .links
            .into_iter()
            .filter(|&l| l != WORLD)
            .collect();
        let (rows, width) = (unilateral.rows, 6 * bodies.len());
        // The inverse of the law, its product with the gradients, and the blocks of the bodies.
        operations += rows.pow(3) + rows * rows * width + rows * width * width;
        graph
            .edges
            .extend(bodies.iter().map(|&body| (body, first + k)));
        nodes.push(PlanNode {
            kind: match unilateral.what {
                What::Contact(contact) => NodeKind::Contact(key(contact)),
                What::Limit { joint, .. } => NodeKind::Limit(joint),
                What::Cable { cable, .. } => NodeKind::Cable(cable),
            },
            size: rows,
            above: bodies.iter().copied().max(),
            grounded: bodies.len() < 2,
            closes: bodies.len() == 2,
        });
    }
    let order = (first..nodes.len()).chain(blocks.matrix.order().iter().copied());
    let stages = order.map(|k| vec![k]).collect();
    Plan::new(
        Scheme::UnilateralConstraints,
        nodes,
        graph.edges,
        stages,
        operations,
    )
}

#[cfg(test)]
mod tests;
