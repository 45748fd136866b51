//! The system as it is drawn and compared: nodes, order of elimination, pattern, fill-in, count of operations.

use super::blocks::{Blocks, NodeKind};
use super::topology::{Topology, WORLD};
use super::{Interval, LinearSolver, MechanismSolver, StepContext};
use crate::linalg::block_ldu;
use crate::model::{JointKind, Model, State};
use nalgebra::DMatrix;

/// Graph and matrix pattern of a mechanism's Newton system [Brüdigam2023 fig. 2-6].
#[derive(Debug, Clone, PartialEq)]
pub struct Structure {
    /// What every node stands for and how many unknowns it has.
    pub nodes: Vec<(NodeKind, usize)>,
    /// Coupled pairs of nodes: the graph, and the blocks of the matrix before elimination.
    pub edges: Vec<(usize, usize)>,
    /// Order of elimination, as indices of nodes.
    pub order: Vec<usize>,
    /// Blocks below the diagonal after elimination in that order: row, column, whether it was filled in.
    pub blocks: Vec<(usize, usize, bool)>,
    /// Blocks that elimination in the order of the nodes, bodies first, would fill in.
    pub unordered_fill: usize,
    /// Multiplications of one factorisation and solve.
    pub operations: Operations,
}

/// Multiplications of one factorisation and solve, by linear solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operations {
    /// Pairs of body and joint, [`LinearSolver::Articulated`].
    pub articulated: usize,
    /// The papers' block LDU.
    pub block_ldu: usize,
    /// Dense LU.
    pub dense: usize,
}

impl Structure {
    /// The structure of a mechanism.
    pub fn of(model: &Model) -> Self {
        let topology = Topology::new(model);
        let blocks = Blocks::new(model, &topology, &[]);
        let sizes = blocks.matrix.sizes().to_vec();
        let natural: Vec<usize> = (0..sizes.len()).collect();
        let unknowns: usize = sizes.iter().sum();
        Self {
            order: blocks.matrix.order().to_vec(),
            blocks: blocks.matrix.pattern().collect(),
            unordered_fill: block_ldu::fill_in(sizes.len(), &blocks.edges, &natural),
            operations: Operations {
                articulated: articulated(model, &topology),
                block_ldu: blocks.matrix.operations(),
                dense: unknowns.pow(3) / 3 + unknowns.pow(2),
            },
            nodes: blocks.nodes.iter().copied().zip(sizes).collect(),
            edges: blocks.edges,
        }
    }

    /// Blocks that elimination in the order chosen fills in.
    pub fn fill(&self) -> usize {
        self.blocks.iter().filter(|b| b.2).count()
    }
}

/// The matrix of the Newton system at a state, row by row in the order of [`Structure::nodes`].
pub fn matrix(model: &Model, state: &State, dt: f64) -> DMatrix<f64> {
    let mut solver = MechanismSolver::new(model, LinearSolver::BlockLdu);
    let interval = Interval {
        dt,
        time: state.time,
        share: 0.5,
        blend: 0.5,
    };
    solver.begin(model, state, dt, None);
    let moved = solver.predict(state, dt, [1.0, 0.0, 0.0]);
    let context = StepContext {
        model,
        state,
        contacts: &[],
        interval: &interval,
    };
    let _ = solver.imbalance(&context, &moved, None);
    solver.assemble(model, state, &interval);
    solver.blocks.as_ref().map_or_else(
        || DMatrix::zeros(0, 0),
        |(blocks, _)| blocks.matrix.to_dense(),
    )
}

/// Multiplications of the pair elimination, counted from its formulas.
pub(super) fn articulated(model: &Model, topology: &Topology) -> usize {
    let lean = topology.is_tree() && !model.joints.iter().any(crate::forces::has_joint_law);
    let link = |(i, tree): (usize, &Option<super::TreeJoint>)| {
        let kind = tree.map_or(JointKind::Floating, |t| model.joints[t.joint].kind);
        let root = topology.parents[i] == WORLD;
        // The body's own block: T, T Pᵀ, the skew part, u·Ju.
        let own = 27 + 18 + 18 + 21;
        if lean && kind == JointKind::Spherical {
            // Shifts to the anchor, S⁻¹, gains, what is left, its shift to the parent; then the solve.
            let passed = if root { 0 } else { 27 + 9 + 18 + 36 };
            return own + 36 + 36 + 21 + 4 * 12 + passed + 9 + 18;
        }
        let f = kind.freedoms();
        // A w, A N, Mᵀ A, S, its inverse, gains; update and shift to the parent; then the solve.
        let passed = if root { 0 } else { 42 * f + 36 + 36 };
        own + 36 + 72 * f + 6 * f * f + f * f * f + 7 * f * f + 6 * f + passed + 18 * f + 6
    };
    let tree: usize = topology.joints.iter().enumerate().map(link).sum();
    let fronts = topology
        .fronts
        .iter()
        .zip(&topology.joints)
        .map(|(front, tree)| {
            let f = tree.map_or(6, |t| model.joints[t.joint].kind.freedoms());
            let (e, p) = (front.ended, front.rows - front.ended);
            // The ended block against motions, passed rows and right-hand side; then the rows passed on.
            let ended =
                e * e * e / 3 + e * e * (7 + p) + e * (36 + 6 + 6 * p) + p * e * (6 + p + 1);
            ended + f * p * (6 + f) + p * (6 + f * (6 + 1 + p + 6) + 6 * f + 12)
        });
    let ground = topology
        .ground
        .iter()
        .map(|front| front.rows.pow(3) / 3 + front.rows.pow(2));
    tree + fronts.sum::<usize>() + ground.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;

    fn structure(spec: &str) -> Structure {
        Structure::of(&scene::open(spec, &[]).unwrap().model)
    }

    #[test]
    fn trees_have_no_fill_and_linear_cost() {
        for joint in ["revolute", "spherical"] {
            let [short, long] =
                [10, 100].map(|n| structure(&format!("chain:links={n},joint={joint}")));
            assert_eq!((short.fill(), long.fill()), (0, 0));
            assert!(long.unordered_fill > 0);
            for count in [|o: &Operations| o.articulated, |o: &Operations| o.block_ldu] {
                let ratio = count(&long.operations) as f64 / count(&short.operations) as f64;
                // Ten times the links; the first one, which passes nothing on, weighs a little less.
                assert!((9.5..11.0).contains(&ratio), "{ratio}");
            }
            assert!(long.operations.articulated < long.operations.block_ldu);
            assert!(long.operations.block_ldu < long.operations.dense / 1000);
        }
    }

    #[test]
    fn separate_loops_fill_in_linearly() {
        let [two, eight] = [2, 8].map(|n| structure(&format!("four-bar-chain:segments={n}")));
        assert!(two.fill() > 0);
        assert_eq!(eight.fill(), 4 * two.fill());
        assert!(eight.fill() < eight.unordered_fill);
        let ratio = eight.operations.articulated as f64 / two.operations.articulated as f64;
        assert!(ratio < 4.5, "{ratio}");
    }

    #[test]
    fn the_matrix_has_the_pattern_of_the_structure() {
        let scene = scene::open("double_four_bar", &[]).unwrap();
        let structure = Structure::of(&scene.model);
        let matrix = matrix(&scene.model, &scene.state, 0.01);
        let sizes: Vec<usize> = structure.nodes.iter().map(|n| n.1).collect();
        let first: Vec<usize> = sizes
            .iter()
            .scan(0, |sum, n| Some(std::mem::replace(sum, *sum + n)))
            .collect();
        assert_eq!(matrix.nrows(), sizes.iter().sum::<usize>());
        for a in 0..sizes.len() {
            for b in 0..sizes.len() {
                let coupled = a == b
                    || structure.edges.contains(&(a, b))
                    || structure.edges.contains(&(b, a));
                let block = matrix.view((first[a], first[b]), (sizes[a], sizes[b]));
                let zero = block.amax() == 0.0;
                let joint = a == b && !matches!(structure.nodes[a].0, NodeKind::Body(_));
                assert_eq!(zero, !coupled || joint, "block {a}, {b}");
            }
        }
    }
}
