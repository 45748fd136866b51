//! Plans against factorisations that know no pattern: what a plan leaves out stays exactly zero, since nothing but
//! products with zero blocks is ever taken from it, and what it names does not.

use super::*;
use crate::linalg::symbolic::Block;
use crate::model::{Input, State};
use crate::scene::{self, Scene};
use crate::sim::Simulation;
use crate::solver::matrix;
use nalgebra::DMatrix;
use std::collections::BTreeSet;

/// A scene in motion, so that no block vanishes by the symmetry of its first pose.
fn moving(spec: &str, steps: u32) -> (Model, State) {
    let simulation = run(spec, &[], steps);
    (simulation.model().clone(), simulation.state().clone())
}

fn run(spec: &str, changes: &[(String, String)], steps: u32) -> Simulation {
    let scene: Scene = scene::open(spec, changes).unwrap();
    let mut simulation = scene.simulation().unwrap();
    for _ in 0..steps {
        let _ = simulation.step(&Input::default()).unwrap();
    }
    simulation
}

/// Pairs of places whose block is not zero after elimination, from a matrix laid out node by node.
fn eliminated(
    mut a: DMatrix<f64>,
    sizes: &[usize],
    stages: &[Vec<usize>],
) -> BTreeSet<(usize, usize)> {
    let first: Vec<usize> = sizes
        .iter()
        .scan(0, |sum, n| Some(std::mem::replace(sum, *sum + n)))
        .collect();
    let rows = |stage: &Vec<usize>| -> Vec<usize> {
        let of = |&k: &usize| first[k]..first[k] + sizes[k];
        stage.iter().flat_map(of).collect()
    };
    let rows: Vec<Vec<usize>> = stages.iter().map(rows).collect();
    let block = |a: &DMatrix<f64>, i: usize, j: usize| {
        DMatrix::from_fn(rows[i].len(), rows[j].len(), |r, c| {
            a[(rows[i][r], rows[j][c])]
        })
    };
    let mut found = BTreeSet::new();
    for k in 0..rows.len() {
        let pivot = block(&a, k, k).try_inverse().expect("no pivot is singular");
        let later: Vec<usize> = (k + 1..rows.len())
            .filter(|&i| block(&a, i, k).amax() > 0.0)
            .collect();
        for &i in &later {
            found.insert((i, k));
            let left = block(&a, i, k) * &pivot;
            for &j in &later {
                let change = &left * block(&a, k, j);
                for (r, &row) in rows[i].iter().enumerate() {
                    for (c, &column) in rows[j].iter().enumerate() {
                        a[(row, column)] -= change[(r, c)];
                    }
                }
            }
        }
    }
    found
}

fn named(blocks: &[Block]) -> BTreeSet<(usize, usize)> {
    blocks.iter().map(|b| (b.row, b.column)).collect()
}

const MECHANISMS: [&str; 6] = [
    "chain:links=6,joint=revolute",
    "tree:depth=3",
    "double_four_bar",
    "four-bar-chain:segments=3",
    "net:rows=3,columns=3",
    "closed-chain:links=5",
];

#[test]
fn a_plan_names_exactly_the_blocks_that_a_factorisation_makes() {
    for spec in MECHANISMS {
        let (model, state) = moving(spec, 20);
        let matrix = matrix(&model, &state, 0.01);
        for solver in [LinearSolver::Articulated, LinearSolver::BlockLdu] {
            let plan = Plan::of(&model, solver);
            let sizes: Vec<usize> = plan.nodes.iter().map(|n| n.size).collect();
            let found = eliminated(matrix.clone(), &sizes, &plan.stages);
            assert_eq!(named(&plan.blocks), found, "{spec}, {solver:?}");
            let fill = found.len() - plan.stage_edges().len();
            // Between two pairs there is one joint, so that no two edges are one block.
            assert_eq!(plan.fill(), fill, "{spec}, {solver:?}");
        }
    }
}

#[test]
fn a_plan_follows_the_solver_that_was_chosen() {
    let (model, _) = moving("four-bar-chain:segments=4", 0);
    let ldu = MechanismSolver::new(&model, LinearSolver::BlockLdu);
    let plan = ldu.plan(&model, |_| ContactKey::default());
    let (blocks, _) = ldu.blocks.as_ref().unwrap();
    assert_eq!(plan.stages.concat(), blocks.matrix.order());
    let pattern: BTreeSet<_> = blocks.matrix.pattern().collect();
    let at = |k: usize| plan.stages[k][0];
    let named = plan
        .blocks
        .iter()
        .map(|b| (at(b.row), at(b.column), b.fill));
    assert_eq!(named.collect::<BTreeSet<_>>(), pattern);
    assert_eq!(plan.operations, blocks.matrix.operations());
    let pairs = Plan::of(&model, LinearSolver::Articulated);
    assert!(pairs.stages.len() < plan.stages.len());
    assert!(pairs.operations < plan.operations && pairs.fill() < plan.unordered_fill());
    let dense = Plan::of(&model, LinearSolver::Dense);
    let n = dense.nodes.len();
    assert_eq!(dense.block_count(), n * n);
    assert_eq!(dense.fill() + dense.edges.len(), n * (n - 1) / 2);
}

#[test]
fn pairs_couple_what_the_fronts_carry() {
    for spec in &MECHANISMS[2..] {
        let (model, state) = moving(spec, 20);
        let mut solver = MechanismSolver::new(&model, LinearSolver::Articulated);
        let interval = crate::solver::Interval {
            dt: 0.01,
            time: 0.0,
            share: 0.5,
            blend: 0.5,
        };
        solver.begin(&model, &state, 0.01, None);
        let moved = solver.predict(&state, 0.01, [1.0, 0.0, 0.0]);
        let context = crate::solver::StepContext {
            model: &model,
            state: &state,
            contacts: &[],
            interval: &interval,
        };
        let _ = solver.imbalance(&context, &moved, None);
        let _ = solver.newton_step(&model, &state, &interval);
        let plan = solver.plan(&model, |_| ContactKey::default());
        let (places, topology) = (plan.places(), &solver.topology);
        let graph = Graph::new(&model, topology);
        let loop_constraint = |row: usize| {
            let here = |c: &super::super::LoopConstraint| c.own_rows().contains(&row);
            let found = topology.loop_constraints.iter().position(here);
            places[graph.loop_node[found.unwrap()]]
        };
        let mut found = BTreeSet::new();
        for link in 0..topology.bodies.len() {
            let (rows, pairs) = solver.fronts.coupled(link);
            for place in rows.into_iter().map(loop_constraint) {
                found.insert((place.max(places[link]), place.min(places[link])));
            }
            for (later, ended) in pairs {
                if loop_constraint(later) != loop_constraint(ended) {
                    found.insert((loop_constraint(later), loop_constraint(ended)));
                }
            }
        }
        let closing: BTreeSet<usize> = graph.loop_node.iter().map(|&n| places[n]).collect();
        let wanted = plan.blocks.iter().map(|b| (b.row, b.column));
        let wanted = wanted.filter(|(r, c)| closing.contains(r) || closing.contains(c));
        let wanted: BTreeSet<_> = wanted.collect();
        assert_eq!(found, wanted, "{spec}");
    }
}

#[test]
fn contacts_come_first_and_fill_in_as_the_system_of_the_step_has_it() {
    let simulation = run("box-stack:boxes=3", &[], 30);
    let plan = simulation.plan().expect("it says");
    assert_eq!(plan.scheme, Scheme::UnilateralConstraints);
    let contacts = plan
        .nodes
        .iter()
        .filter(|n| matches!(n.kind, NodeKind::Contact(_)));
    let contacts: Vec<&PlanNode> = contacts.collect();
    // Four corners at each of three gaps: one to the ground, two between boxes.
    assert_eq!(contacts.len(), 12);
    assert_eq!(contacts.iter().filter(|n| n.closes).count(), 8);
    for stage in &plan.stages[..12] {
        assert!(matches!(plan.nodes[stage[0]].kind, NodeKind::Contact(_)));
    }
    // Boxes meet through their contacts only: two blocks of bodies are filled in.
    assert_eq!(plan.fill(), 2);
    for node in contacts {
        let NodeKind::Contact(key) = node.kind else {
            continue;
        };
        assert!(simulation.state().contacts.iter().any(|c| c.key == key));
    }
    // Without contact the same model is solved in pairs.
    let free = run(
        "box-stack:boxes=3",
        &[("gravity".into(), "(0, 0, 0)".into())],
        0,
    );
    assert_eq!(free.plan().expect("it says").scheme, Scheme::Pairs);
}

#[test]
fn accelerations_are_solved_within_their_envelope() {
    let method = ("integrator.method".to_string(), "\"rk4\"".to_string());
    let simulation = run("chain:links=5", &[method], 1);
    let plan = simulation.plan().expect("it says");
    assert_eq!(plan.scheme, Scheme::Envelope);
    // Joints of a chain touch their neighbours only, and every body its two joints, the last body one.
    assert_eq!((plan.edges.len(), plan.fill()), (9, 4));
    let stages: Vec<usize> = plan.stages.concat();
    assert_eq!(
        stages.iter().collect::<BTreeSet<_>>().len(),
        plan.nodes.len()
    );
}

/// What is eliminated in the place of a gradient: the compliant system of a mechanism is that of the rigid one with
/// compliances on its diagonal, so that the same blocks fill in.
#[test]
fn springs_on_the_graph_have_the_blocks_of_what_they_hold_and_contacts_where_they_are_solved() {
    let compliant = ("integrator.method".to_string(), "\"compliant\"".to_string());
    let plan = |spec: &str, steps: u32| {
        let simulation = run(spec, std::slice::from_ref(&compliant), steps);
        simulation.plan().expect("it says")
    };
    let every_node_once = |plan: &Plan| {
        let mut nodes = plan.stages.concat();
        nodes.sort_unstable();
        assert!(nodes.into_iter().eq(0..plan.nodes.len()));
    };
    // A tree makes no fill, and all of it hangs on the world.
    let chain = plan("chain:links=6,joint=revolute", 1);
    assert_eq!(chain.scheme, Scheme::Compliant);
    assert_eq!(
        (chain.nodes.len(), chain.edges.len(), chain.fill()),
        (12, 11, 0)
    );
    assert_eq!(chain.nodes.iter().filter(|n| n.grounded).count(), 1);
    assert!(chain.nodes.iter().all(|n| !n.closes));
    every_node_once(&chain);
    // A ring has one joint more than its tree.
    let ring = plan("closed-chain:links=5", 1);
    assert_eq!(ring.nodes.iter().filter(|n| n.closes).count(), 1);
    assert!(ring.fill() > 0);
    every_node_once(&ring);
    // Contact points of free bodies go first and tie neighbours together.
    let stack = plan("box-stack:boxes=3", 30);
    let contacts = |stage: &Vec<usize>| {
        let is_contact = |k: &&usize| matches!(stack.nodes[**k].kind, NodeKind::Contact(_));
        stage.iter().filter(is_contact).count()
    };
    let pushing = stack.nodes.len() - 3;
    assert!((9..=12).contains(&pushing), "{pushing}");
    assert_eq!(
        stack.stages[..pushing].iter().map(contacts).sum::<usize>(),
        pushing
    );
    assert_eq!(stack.fill(), 2);
    every_node_once(&stack);
    // Those of a mechanism come together, after it.
    let walker = plan("passive_walker", 40);
    let last = walker.stages.last().expect("it has some");
    assert!(
        last.iter()
            .all(|&k| walker.nodes[k].kind != NodeKind::Body(0))
    );
    assert!(last.iter().all(|&k| matches!(
        walker.nodes[k].kind,
        NodeKind::Contact(_) | NodeKind::Limit(_)
    )));
    every_node_once(&walker);
}
