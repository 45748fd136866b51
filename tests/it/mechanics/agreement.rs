//! Methods that share nothing but the model agree: the variational family solves for momenta at knots with joints
//! closed at their ends, the Runge-Kutta family for accelerations with differentiated constraints.

use crate::mechanics::andrews::andrews;
use crate::mechanics::bench::{order, run, settings, simulation};
use crate::mechanics::benchmarks;
use crate::mechanics::mechanisms;
use crate::mechanics::random::{close, couple, equip, tree};
use driftless::integrators::{LinearSolver, Settings};
use driftless::model::{Model, State};

/// Largest distance between the poses of two states [m, rad].
fn distance(a: &State, b: &State) -> f64 {
    a.bodies
        .iter()
        .zip(&b.bodies)
        .map(|(a, b)| {
            let moved = (a.position - b.position).norm();
            moved.max(a.orientation.angle_to(&b.orientation))
        })
        .fold(0.0, f64::max)
}

fn end(mechanism: &(Model, State), integrator: &str, t: f64, steps: u64) -> State {
    let mut sim = simulation(mechanism, integrator, settings(t / steps as f64, 1e-11));
    run(&mut sim, steps);
    sim.state().clone()
}

/// Errors of a method against rk4 at 3000 steps of 1e-4 s, whose own error is of order 1e-11.
fn against_rk4(mechanism: &(Model, State), integrator: &str, first: u64) -> Vec<f64> {
    let reference = end(mechanism, "rk4", 0.3, 3000);
    (0..2)
        .map(|k| distance(&end(mechanism, integrator, 0.3, first << k), &reference))
        .collect()
}

#[test]
fn both_families_reach_the_same_end_with_every_joint_and_every_force() {
    for seed in 0..6 {
        let mut w = tree(seed);
        if seed > 2 {
            close(&mut w);
        }
        equip(&mut w);
        if seed % 2 == 1 {
            couple(&mut w);
        }
        let mechanism = w.finish();
        for (integrator, wanted) in [("variational", 1.0), ("variational-2", 2.0)] {
            let errors = against_rk4(&mechanism, integrator, 300);
            let found = order(&errors);
            println!("seed {seed}, {integrator}: {errors:?} order {found:.3}");
            // Bodies move by decimetres.
            assert!(errors[1] < 0.02, "seed {seed}, {integrator}: {errors:?}");
            assert!(
                (found - wanted).abs() < 0.15,
                "seed {seed}, {integrator}: {found}"
            );
        }
    }
}

#[test]
fn both_families_reach_the_same_end_at_high_order_without_dissipation() {
    for seed in 0..4 {
        let mut w = tree(seed);
        close(&mut w);
        couple(&mut w);
        let mechanism = w.finish();
        let errors = against_rk4(&mechanism, "variational-6", 100);
        println!("seed {seed}: {errors:?}");
        assert!(errors[1] < 1e-8, "seed {seed}: {errors:?}");
    }
}

#[test]
fn all_linear_solvers_make_the_same_steps() {
    let mut equipped = tree(2);
    equip(&mut equipped);
    couple(&mut equipped);
    for (name, mechanism) in [
        (
            "chain",
            mechanisms::chain(&[1.0, 0.3, -0.4, 0.2], &[0.0; 4]),
        ),
        ("tree", equipped.finish()),
        ("double four-bar", benchmarks::parallelogram(2)),
        ("bricard", benchmarks::bricard()),
        ("andrews", andrews()),
    ] {
        let dt = if name == "andrews" { 1e-5 } else { 0.01 };
        let with = |linear_solver| {
            let settings = Settings {
                linear_solver,
                ..settings(dt, 1e-10)
            };
            let mut sim = simulation(&mechanism, "variational-2", settings);
            run(&mut sim, 50);
            sim.state().clone()
        };
        let oracle = with(LinearSolver::Dense);
        for solver in [LinearSolver::Articulated, LinearSolver::BlockLdu] {
            let found = distance(&with(solver), &oracle);
            println!("{name}, {solver:?}: {found:.2e}");
            // Both stop within the tolerance of Newton's method; fifty steps add that up.
            assert!(found < 1e-8, "{name}, {solver:?}: {found:e}");
        }
    }
}
