//! The three linear solvers against each other, and Newton's convergence, which only exact derivatives give.

use driftless::integrators::{LinearSolver, Settings};
use driftless::model::{Input, State};
use driftless::scene;
use driftless::sim::Simulation;

fn simulation(spec: &str, sets: &[(&str, &str)], linear_solver: LinearSolver) -> Simulation {
    let sets: Vec<(String, String)> = sets
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    let scene = scene::open(spec, &sets).unwrap_or_else(|e| panic!("{e}"));
    let settings = Settings {
        linear_solver,
        ..scene.settings
    };
    Simulation::new(scene.model, scene.state, "variational-2", settings).unwrap()
}

fn distance(a: &State, b: &State) -> f64 {
    let bodies = a.bodies.iter().zip(&b.bodies);
    bodies
        .map(|(a, b)| (a.position - b.position).norm() + a.orientation.angle_to(&b.orientation))
        .fold(0.0, f64::max)
}

/// Every kind of element that enters the system: trees, loops with redundancy, drives in and out of the tree,
/// springs with dampers, couplings, a body driven by nothing.
const SCENES: &[&str] = &[
    "chain:links=7,joint=revolute",
    "chain:links=7,joint=spherical",
    "chain:links=4,joint=universal",
    "tree:depth=4,branching=2",
    "four-bar-chain:segments=3",
    "closed-chain:links=5",
    "double_four_bar",
    "bricard",
    "slider_crank",
    "heavy_top",
    "t_handle",
    "damped_pendulum",
    "flyball_governor",
    "scissor_lift",
    "stewart_platform",
    "minitaur_leg",
    "arm",
];

#[test]
fn articulated_block_ldu_and_dense_solvers_agree() {
    for spec in SCENES {
        let solvers = [
            LinearSolver::Articulated,
            LinearSolver::BlockLdu,
            LinearSolver::Dense,
        ];
        let [mut pairs, mut blocks, mut dense] = solvers.map(|s| simulation(spec, &[], s));
        for step in 0..20 {
            for sim in [&mut pairs, &mut blocks, &mut dense] {
                sim.step(&Input::default())
                    .unwrap_or_else(|e| panic!("{spec}, step {step}: {e}"));
            }
        }
        // Each solves its steps to the tolerance of 1e-10; twenty steps of these scenes do not amplify that much.
        let (a, b) = (
            distance(pairs.state(), blocks.state()),
            distance(pairs.state(), dense.state()),
        );
        assert!(
            a < 1e-8 && b < 1e-8,
            "{spec}: block LDU off by {a:e}, dense by {b:e}"
        );
    }
}

#[test]
fn newton_converges_quadratically_everywhere() {
    for spec in SCENES {
        let mut sim = simulation(
            spec,
            &[("integrator.tolerance", "1e-8")],
            LinearSolver::Articulated,
        );
        let (mut iterations, steps) = (0, 50);
        for _ in 0..steps {
            iterations += sim
                .step(&Input::default())
                .unwrap_or_else(|e| panic!("{spec}: {e}"))
                .iterations;
        }
        // From a predicted start quadratic convergence takes two or three iterations; a wrong derivative takes ten.
        assert!(
            iterations <= 4 * steps,
            "{spec}: {iterations} iterations in {steps} steps"
        );
    }
}
