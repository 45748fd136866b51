//! What the solver of accelerations does, as it is drawn: bodies by their masses, then joints within the envelope.

use super::acceleration::Dynamics;
use crate::linalg::symbolic::Block;
use crate::model::{JointId, Model};
use crate::solver::{NodeKind, Plan, PlanNode, Scheme, Topology, WORLD};

impl Dynamics {
    /// Nodes, order, blocks and operations of one evaluation of the accelerations.
    pub fn plan(&self, model: &Model) -> Plan {
        let topology = Topology::new(model);
        let bodies = model.bodies.len();
        let mut nodes: Vec<PlanNode> = (0..bodies).map(|k| node(NodeKind::Body(k), 6)).collect();
        let mut edges = Vec::new();
        // Rows of the system by node, in the order of the system.
        let mut spans: Vec<(usize, usize, usize)> = Vec::new();
        for (k, joint) in model.joints.iter().enumerate() {
            let rows = model.joint_rows(JointId(k));
            let size = rows.len();
            let tree = topology.links[joint.child.0];
            let tree = [Some(tree), joint.parent.map(|p| topology.links[p.0])]
                .into_iter()
                .flatten()
                .find(|&link| topology.joints[link].is_some_and(|t| t.joint == k));
            let above = tree.map(|link| topology.parents[link]);
            let above = above.filter(|&l| l != WORLD).map(|l| topology.bodies[l]);
            if size == 0 {
                if let Some(link) = tree {
                    nodes[topology.bodies[link]].above = above;
                }
                continue;
            }
            let at = nodes.len();
            if let Some(link) = tree {
                nodes[topology.bodies[link]].above = Some(at);
            }
            nodes.push(PlanNode {
                above: if tree.is_some() {
                    above
                } else {
                    Some(joint.child.0)
                },
                grounded: joint.parent.is_none(),
                closes: tree.is_none(),
                ..node(NodeKind::Joint(k), size)
            });
            let touched = joint.parent.into_iter().chain([joint.child]);
            edges.extend(touched.map(|b| (b.0, at)));
            spans.push((self.place(rows.start), size, at));
        }
        for (k, coupling) in model.couplings.iter().enumerate() {
            let at = nodes.len();
            let touched = coupling.terms.iter().flat_map(|t| {
                let joint = &model.joints[t.joint.0];
                joint.parent.into_iter().chain([joint.child])
            });
            edges.extend(touched.map(|b| (b.0, at)));
            nodes.push(PlanNode {
                above: coupling
                    .terms
                    .first()
                    .map(|t| model.joints[t.joint.0].child.0),
                closes: true,
                ..node(NodeKind::Coupling(k), 1)
            });
            spans.push((self.place(model.coupling_row(k)), 1, at));
        }
        spans.sort_unstable();
        let order = (0..bodies).chain(spans.iter().map(|s| s.2));
        let stages = order.map(|k| vec![k]).collect();
        // A body's mass is divided by once; each pair of its rows then makes an entry.
        let mut rows = vec![0; bodies];
        for &(body, at) in &edges {
            rows[body] += nodes[at].size;
        }
        let gathered: usize = rows.iter().map(|n| 12 * n + 6 * n * n).sum();
        let operations = gathered + self.system().operations();
        let mut plan = Plan::new(Scheme::Envelope, nodes, edges, stages, operations);
        plan.blocks.retain(|b| b.column < bodies);
        plan.blocks.extend(self.envelope(&spans, bodies));
        plan.blocks.sort_unstable();
        plan
    }

    /// Blocks between joints that the envelope holds.
    fn envelope(&self, spans: &[(usize, usize, usize)], bodies: usize) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (k, &(start, rows, _)) in spans.iter().enumerate() {
            let first = (start..start + rows).map(|r| self.system().first(r)).min();
            let first = first.unwrap_or(start);
            let before = spans[..k].iter().enumerate().rev();
            let held = before.take_while(|(_, (from, size, _))| from + size > first);
            blocks.extend(held.map(|(j, _)| Block {
                column: bodies + j,
                row: bodies + k,
                fill: true,
            }));
        }
        blocks
    }
}

fn node(kind: NodeKind, size: usize) -> PlanNode {
    PlanNode {
        kind,
        size,
        above: None,
        grounded: false,
        closes: false,
    }
}
