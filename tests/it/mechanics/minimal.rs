//! Methods in joint coordinates: the same motion as maximal coordinates where theory says so, momenta, reversal, going from
//! one family to the other.

use crate::mechanics::bench::{run, settings, simulation, with_options};
use crate::mechanics::benchmarks;
use crate::mechanics::random::{equip, tree};
use crate::mechanics::trees::{Mechanism, all, branches, distance, floating};
use driftless::integrators::{self, LinearSolver, REGISTRY, Settings, StepError};
use driftless::math::Vec3;
use driftless::model::{JointId, Twist};
use driftless::sim::{Input, Simulation};

fn started(mechanism: &Mechanism, method: &str, options: &str, settings: Settings) -> Simulation {
    simulation(mechanism, method, with_options(settings, method, options))
}

#[test]
fn the_mean_velocity_of_maximal_coordinates_makes_the_same_discrete_motion() {
    for (name, mechanism) in all() {
        let maximal = "variational-2";
        let mut wanted = simulation(&mechanism, maximal, settings(0.01, 1e-12));
        let options = "mean_velocity=quaternion";
        let mut found = started(&mechanism, "minimal-riqn", options, settings(0.01, 1e-12));
        for step in 0..100 {
            run(&mut wanted, 1);
            run(&mut found, 1);
            let apart = distance(wanted.state(), found.state());
            // Both leave 1e-12 of the forces, and rounding, which a second of motion does not multiply by a thousand.
            assert!(apart < 1e-9, "{name}, step {step}: {apart:e}");
        }
        for joint in 0..mechanism.0.joints.len() {
            let [a, b] = [&mut wanted, &mut found].map(|sim| sim.reaction(JointId(joint)));
            let apart = (a.force - b.force).norm().max((a.torque - b.torque).norm());
            // Positions differ by 1e-12 m in the square of a step of 0.01 s.
            assert!(apart < 1e-6, "{name}, joint {joint}: {a:?} {b:?}");
        }
        let [a, b] = [&mut wanted, &mut found].map(|sim| sim.sample().energy_error);
        assert!((a - b).abs() < 1e-8, "{name}: {a} {b}");
    }
}

#[test]
fn a_floating_tree_keeps_its_momenta_to_rounding() {
    for (method, options) in [
        ("minimal-riqn", "mean_velocity=screw"),
        ("minimal-riqn", "mean_velocity=quaternion"),
        ("minimal-newton", ""),
        ("minimal-4", ""),
        ("minimal-3", ""),
        ("minimal-galerkin-4", ""),
    ] {
        let mut sim = started(&floating(), method, options, settings(0.01, 1e-12));
        let momenta = |sim: &Simulation| {
            let bodies = &sim.state().bodies;
            let linear: Vec3 = bodies.iter().map(|b| b.momentum).sum();
            let about = |b: &driftless::model::BodyState| {
                b.angular_momentum + b.position.cross(&b.momentum)
            };
            [linear, bodies.iter().map(about).sum::<Vec3>()]
        };
        let start = momenta(&sim);
        let mut worst: f64 = 0.0;
        for _ in 0..100 {
            run(&mut sim, 10);
            for (now, start) in momenta(&sim).iter().zip(&start) {
                worst = worst.max((now - start).norm() / start.norm());
            }
        }
        println!("{method} {options}: {worst:.2e}");
        assert!(worst < 1e-12, "{method} {options}: {worst:e}");
    }
}

#[test]
fn a_symmetric_method_runs_backwards_to_its_start() {
    for method in ["minimal-riqn", "minimal-newton", "minimal-4", "minimal-6"] {
        let mechanism = branches();
        let mut there = simulation(&mechanism, method, settings(0.01, 1e-12));
        run(&mut there, 50);
        let mut turned = there.state().clone();
        for (body, velocity) in turned.bodies.iter_mut().zip(there.velocities()) {
            body.velocity = Twist {
                linear: -velocity.linear,
                angular: -velocity.angular,
            };
        }
        let mut back = simulation(
            &(mechanism.0.clone(), turned),
            method,
            settings(0.01, 1e-12),
        );
        run(&mut back, 50);
        let apart = distance(back.state(), &mechanism.1);
        println!("{method}: {apart:.2e}");
        // What a tolerance of 1e-12 of the forces leaves in a hundred steps there and back.
        assert!(apart < 1e-10, "{method}: {apart:e}");
    }
}

/// Changes between both formulations after every fifth step of `dt`; holds the motion to that of one that does not change.
pub fn goes_on_through_changes(name: &str, mechanism: &Mechanism, dt: f64, near: f64) {
    let set = with_options(
        settings(dt, 1e-12),
        "minimal-riqn",
        "mean_velocity=quaternion",
    );
    let mut alone = simulation(mechanism, "variational-2", settings(dt, 1e-12));
    let mut changing = simulation(mechanism, "variational-2", settings(dt, 1e-12));
    for k in 0..10 {
        if k % 2 == 1 {
            changing
                .set_integrator("minimal-riqn")
                .expect("it takes the mechanism");
            changing.set_settings(set).expect("it has the option");
        } else {
            changing
                .set_integrator("variational-2")
                .expect("it takes all");
        }
        run(&mut alone, 5);
        run(&mut changing, 5);
        let apart = distance(alone.state(), changing.state());
        assert!(apart < near, "{name}, after {k} changes: {apart:e}");
    }
}

#[test]
fn a_motion_goes_on_when_it_changes_between_maximal_and_joint_coordinates() {
    for (name, mechanism) in all() {
        goes_on_through_changes(name, &mechanism, 0.01, 1e-9);
    }
}

#[test]
fn all_root_finders_and_linear_solvers_make_the_same_motion() {
    let mut equipped = tree(2);
    equip(&mut equipped);
    let mechanism = equipped.finish();
    let end = |method: &str, linear_solver| {
        let settings = Settings {
            linear_solver,
            max_iterations: 200,
            ..settings(0.005, 1e-11)
        };
        let mut sim = simulation(&mechanism, method, settings);
        run(&mut sim, 40);
        assert_eq!(sim.outcomes().failed, 0);
        sim.state().clone()
    };
    let oracle = end("minimal-newton", LinearSolver::Dense);
    for method in [
        "minimal-riqn",
        "minimal-newton",
        "minimal-broyden",
        "minimal-secant",
        "minimal-svi-newton",
    ] {
        let apart = distance(&end(method, LinearSolver::Articulated), &oracle);
        println!("{method}: {apart:.2e}");
        // What a tolerance of 1e-11 leaves in forty steps.
        assert!(apart < 1e-9, "{method}: {apart:e}");
    }
}

#[test]
fn what_is_no_tree_is_refused_with_the_joint_that_closes_the_loop() {
    let four_bar = benchmarks::parallelogram(1).0;
    for info in REGISTRY.iter().filter(|i| !i.supports.loops) {
        let said = integrators::refusal(info, &four_bar).expect("it has a loop");
        assert!(
            said.contains("closes a loop") && said.contains("joint `"),
            "{said}"
        );
    }
}

#[test]
fn a_spin_beyond_what_steps_can_hold_is_an_error_that_names_the_body_and_changes_nothing() {
    let (model, mut state) = floating();
    for body in &mut state.bodies {
        body.velocity = Twist {
            linear: Vec3::zeros(),
            angular: Vec3::new(0.0, 0.0, 2e5),
        };
    }
    let mut sim = simulation(&(model, state), "minimal-riqn", settings(0.01, 1e-10));
    let before = sim.state().digest();
    let error = sim.step(&Input::default()).expect_err("it spins too fast");
    assert!(
        matches!(
            error,
            StepError::TooFast { .. } | StepError::NotConverged { .. }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("body `"), "{error}");
    assert_eq!(sim.state().digest(), before);
}
