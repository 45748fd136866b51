//! The system in joint coordinates: one node for the freedoms of every link, and the mass matrix that the recursion over
//! the links does without.
//!
//! Two links are coupled in that matrix where one hangs on the other, however far away: of a chain it is full. Articulated
//! bodies touch what is between neighbours alone. Rows of loops, limits and cables stand beside the matrix and are solved
//! for together, after all links.

use super::{Plan, PlanNode, Scheme, Unilateral, What};
use crate::linalg::symbolic::Block;
use crate::model::{JointKind, Model};
use crate::solver::blocks::{Graph, NodeKind};
use crate::solver::{Topology, WORLD};

/// Multiplications for a column of a link: its wrenches either way, its pivot, what is taken from the inertia; then of the
/// solution. And for a link: its inertia and its wrench at its parent, its own motion.
const COLUMN: usize = 36 + 36 + 6 + 36 + 12 + 24;
const LINK: usize = 4 * 18 + 6 + 6;

impl Plan {
    /// The plan of a method in joint coordinates, with the unilateral constraints that take part; `dense` where the mass
    /// matrix is written down after all.
    pub fn in_joint_coordinates(model: &Model, dense: bool, unilaterals: &[Unilateral]) -> Self {
        let topology = Topology::new(model);
        let graph = Graph::new(model, &topology);
        let links = topology.bodies.len();
        let above = |link: usize| Some(topology.parents[link]).filter(|&up| up != WORLD);
        let kind = |link: usize| match topology.joints[link] {
            Some(tree) => model.joints[tree.joint].kind,
            None => JointKind::Floating,
        };
        let node = |kind, size| PlanNode {
            kind,
            size,
            above: None,
            grounded: false,
            closes: false,
        };
        let mut nodes: Vec<PlanNode> = (0..links)
            .map(|link| PlanNode {
                above: above(link),
                grounded: above(link).is_none() && topology.joints[link].is_some(),
                ..node(NodeKind::Body(topology.bodies[link]), kind(link).freedoms())
            })
            .collect();
        // What hangs on what: the blocks of the mass matrix, most of which are avoided.
        let mut near: Vec<(usize, usize)> = Vec::new();
        let mut far = Vec::new();
        for link in 0..links {
            let ancestors = std::iter::successors(above(link), |&up| above(up));
            for (distance, up) in ancestors.enumerate() {
                let list = if distance == 0 { &mut near } else { &mut far };
                list.push((up, link));
            }
        }
        let mut beside = Vec::new();
        let mut row = |nodes: &mut Vec<PlanNode>, what: PlanNode, supports: &[usize]| {
            let at = nodes.len();
            let mut touched: Vec<usize> = supports
                .iter()
                .flat_map(|&link| std::iter::successors(Some(link), |&up| above(up)))
                .collect();
            touched.sort_unstable();
            touched.dedup();
            near.extend(touched.into_iter().map(|link| (link, at)));
            near.extend(beside.iter().map(|&other| (other, at)));
            beside.push(at);
            nodes.push(PlanNode {
                above: supports.iter().copied().max(),
                closes: true,
                ..what
            });
        };
        for (constraint, &place) in topology.loop_constraints.iter().zip(&graph.loop_node) {
            let what = node(graph.nodes[place], constraint.rows);
            row(&mut nodes, what, &constraint.supports);
        }
        for unilateral in unilaterals {
            let supports: Vec<usize> = unilateral
                .links
                .into_iter()
                .filter(|&l| l != WORLD)
                .collect();
            let kind = match unilateral.what {
                What::Limit { joint, .. } => NodeKind::Limit(joint),
                What::Cable { cable, .. } => NodeKind::Cable(cable),
                // Contact is refused in joint coordinates.
                What::Contact(_) => continue,
            };
            row(&mut nodes, node(kind, unilateral.rows), &supports);
        }
        let freedoms: usize = nodes[..links].iter().map(|n| n.size).sum();
        let rows: usize = nodes[links..].iter().map(|n| n.size).sum();
        let linear = COLUMN * freedoms + LINK * links;
        let base = if dense {
            freedoms.pow(3) / 3 + freedoms.pow(2)
        } else {
            linear
        };
        let solution = if dense { freedoms.pow(2) } else { linear / 3 };
        // Every row is solved for by itself, and all of them together.
        let operations = base + rows * (solution + rows * freedoms) + rows.pow(3) / 3;
        let mut stages: Vec<Vec<usize>> = (0..links).rev().map(|link| vec![link]).collect();
        if !beside.is_empty() {
            stages.push(beside);
        }
        if dense {
            near.extend(far);
            return Plan::new(Scheme::Dense, nodes, near, stages, operations);
        }
        let avoided = far.iter().map(|&(column, row)| Block {
            column,
            row,
            fill: true,
        });
        let mut plan = Plan::new(Scheme::ArticulatedBodies, nodes, near, stages, operations);
        let known = plan.edges.iter().map(|&(column, row)| Block {
            column,
            row,
            fill: false,
        });
        plan.unordered = known.chain(avoided).collect();
        plan.unordered.sort_unstable_by_key(|b| (b.column, b.row));
        plan
    }
}
