//! What a step does with its systems: bodies that rows tie together on their graph, what only pushes after them; points of
//! free bodies first, into these.

use super::rows::Kind;
use super::{CompliantSolver, Stop};
use crate::linalg::ordering;
use crate::model::{ContactKey, Force, Model};
use crate::solver::What;
use crate::solver::blocks::NodeKind;
use crate::solver::topology::{Topology, WORLD};
use crate::solver::{Plan, PlanNode, Scheme};

impl CompliantSolver {
    /// What was done in the last solution: bodies, what rows hold of them, then what only pushes.
    pub fn plan(&self, model: &Model) -> Plan {
        let bodies = self.bodies.len();
        let first_stop = bodies + self.rows.groups.len();
        let mut nodes = self.held(model);
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for (g, group) in self.rows.groups.iter().enumerate() {
            edges.extend(group.bodies.iter().map(|&body| (body, bodies + g)));
        }
        let mut islands = self.islands.clone();
        islands.part(&self.stops, &self.mechanisms, bodies);
        // Of points between free bodies those that push are in the system; where rows hold bodies, all are.
        let taken: Vec<(usize, bool, &Stop)> = self
            .stops
            .iter()
            .map(|stop| (islands.island(stop), stop))
            .map(|((island, tied), stop)| (island, tied, stop))
            .filter(|(_, tied, stop)| *tied || stop.impulse[0] > 0.0)
            .collect();
        for (k, (_, _, stop)) in taken.iter().enumerate() {
            let touched: Vec<usize> = stop.bodies.into_iter().flatten().collect();
            edges.extend(touched.iter().map(|&body| (body, first_stop + k)));
            nodes.push(PlanNode {
                kind: self.kind(stop),
                size: stop.rows,
                above: touched.iter().copied().max(),
                grounded: touched.len() < 2,
                closes: touched.len() == 2,
            });
        }
        let (mut stages, mut operations, mut loose) = (Vec::new(), 0, Vec::new());
        for (k, (_, _, stop)) in taken.iter().enumerate().filter(|(_, t)| !t.1) {
            stages.push(vec![first_stop + k]);
            operations += into_bodies(stop);
            loose.push(stop.bodies);
        }
        let (order, products) = self.free_bodies(&loose);
        stages.extend(order.into_iter().map(|body| vec![body]));
        operations += products;
        for mechanism in &self.mechanisms {
            let node = |&k: &usize| match k.checked_sub(mechanism.bodies.len()) {
                None => mechanism.bodies[k],
                Some(group) => bodies + mechanism.groups()[group],
            };
            stages.extend(mechanism.order().iter().map(|k| vec![node(k)]));
            operations += mechanism.operations();
        }
        // Every row of a stop is a right-hand side of what it touches; then they are solved for together.
        let mut together: Vec<(usize, usize)> = (0..taken.len())
            .filter(|&k| taken[k].1)
            .map(|k| (taken[k].0, k))
            .collect();
        together.sort_unstable();
        for island in together.chunk_by(|a, b| a.0 == b.0) {
            let stops = island.iter().map(|&(_, k)| taken[k].2);
            let rows: usize = stops.clone().map(|s| s.rows).sum();
            let columns = stops.map(|stop| {
                let touched = stop.bodies.iter().flatten();
                let systems = touched.filter_map(|&body| self.place_of[body]);
                let solutions = systems.map(|(m, _)| self.mechanisms[m].solution_operations());
                stop.rows * solutions.sum::<usize>()
            });
            operations += columns.sum::<usize>() + rows.pow(3) / 3 + rows.pow(2);
            stages.push(island.iter().map(|&(_, k)| first_stop + k).collect());
        }
        Plan::new(Scheme::Compliant, nodes, edges, stages, operations)
    }

    /// Bodies, and what rows hold of them, with their places in the tree.
    fn held(&self, model: &Model) -> Vec<PlanNode> {
        let bodies = self.bodies.len();
        let node = |kind, size| PlanNode {
            kind,
            size,
            above: None,
            grounded: false,
            closes: true,
        };
        let mut nodes: Vec<PlanNode> = (0..bodies)
            .map(|body| PlanNode {
                closes: false,
                ..node(NodeKind::Body(body), 6)
            })
            .collect();
        nodes.extend(self.rows.groups.iter().map(|group| PlanNode {
            above: group.bodies.iter().copied().max(),
            grounded: group.bodies.len() < 2,
            ..node(held_kind(group.kind, model), group.rows.len())
        }));
        let topology = Topology::with_springs(model, &self.springs);
        for (link, tree) in topology.joints.iter().enumerate() {
            let Some(tree) = tree else { continue };
            let of_it = |g: &super::rows::Group| g.kind == Kind::Joint(tree.joint);
            let Some(group) = self.rows.groups.iter().position(of_it) else {
                continue;
            };
            let parent = topology.parents[link];
            let above = (parent != WORLD).then(|| topology.bodies[parent]);
            nodes[topology.bodies[link]].above = Some(bodies + group);
            nodes[bodies + group].above = above;
            nodes[bodies + group].grounded = above.is_none();
            nodes[bodies + group].closes = false;
        }
        nodes
    }

    /// Order in which bodies that no rows hold are eliminated, and the multiplications of it.
    fn free_bodies(&self, loose: &[[Option<usize>; 2]]) -> (Vec<usize>, usize) {
        let free: Vec<usize> = (0..self.bodies.len())
            .filter(|&body| self.place_of[body].is_none())
            .collect();
        let place = |body: usize| free.binary_search(&body).ok();
        let pairs = loose.iter().filter_map(|bodies| match bodies {
            [Some(a), Some(b)] => Some((place(*a)?, place(*b)?)),
            _ => None,
        });
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let sizes = vec![6; free.len()];
        let order = ordering::minimum_degree(&sizes, &pairs, &vec![Vec::new(); free.len()]);
        let blocks = crate::linalg::symbolic::factor(&order, &pairs);
        let mut later = vec![0; free.len()];
        for block in &blocks {
            later[block.column] += 1;
        }
        // Blocks of six: a pivot, a row and a column scaled, products taken from what is later; then one solution.
        let products = later
            .iter()
            .map(|n| 216 / 3 + 2 * 216 * n + 216 * n * n + 36 * (1 + 2 * n));
        let operations = products.sum();
        (order.into_iter().map(|k| free[k]).collect(), operations)
    }

    fn kind(&self, stop: &Stop) -> NodeKind {
        match stop.what {
            What::Contact(k) => {
                let contact = self.contacts.get(k);
                NodeKind::Contact(contact.map_or_else(ContactKey::default, |c| c.key))
            }
            What::Limit { joint, .. } => NodeKind::Limit(joint),
            What::Cable { cable, .. } => NodeKind::Cable(cable),
        }
    }
}

fn held_kind(kind: Kind, model: &Model) -> NodeKind {
    match kind {
        Kind::Joint(joint) => NodeKind::Joint(joint),
        Kind::Coupling(coupling) => NodeKind::Coupling(coupling),
        Kind::Line(force) => match &model.forces[force] {
            Force::Spring { stiffness, .. } if *stiffness > 0.0 => NodeKind::Spring(force),
            _ => NodeKind::Damper(force),
        },
    }
}

/// Multiplications that take a point into its bodies: the inverse of its law, its product with the gradients, their blocks.
fn into_bodies(stop: &Stop) -> usize {
    let width = 6 * stop.bodies.iter().flatten().count();
    stop.rows.pow(3) + stop.rows.pow(2) * width + stop.rows * width.pow(2)
}
