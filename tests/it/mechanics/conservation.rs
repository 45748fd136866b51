//! Energy and momentum over many steps, time reversal, and switching between methods.

use crate::mechanics::bench::{run, settings, simulation};
use crate::mechanics::benchmarks;
use crate::mechanics::mechanisms;
use driftless::math::Vec3;
use driftless::model::Twist;
use driftless::sim::Simulation;

/// The double pendulum of two rods, both horizontal, at rest.
fn double_pendulum(integrator: &str, dt: f64) -> Simulation {
    let mechanism = mechanisms::chain(&[std::f64::consts::FRAC_PI_2; 2], &[0.0; 2]);
    simulation(&mechanism, integrator, settings(dt, 1e-10))
}

/// Linear momentum and angular momentum about the origin from the momenta at the knot that the state keeps.
fn knot_momenta(sim: &Simulation) -> [Vec3; 2] {
    let bodies = &sim.state().bodies;
    [
        bodies.iter().map(|b| b.momentum).sum(),
        bodies
            .iter()
            .map(|b| b.angular_momentum + b.position.cross(&b.momentum))
            .sum(),
    ]
}

/// Largest energy error [J] over the next steps.
fn worst_energy(sim: &mut Simulation, steps: u64) -> f64 {
    let mut worst: f64 = 0.0;
    for _ in 0..steps {
        run(sim, 1);
        worst = worst.max(sim.sample().energy_error.abs());
    }
    worst
}

#[test]
fn variational_energy_error_does_not_grow_in_an_hour_where_heuns_does_in_minutes() {
    for integrator in ["variational", "variational-2"] {
        let mut sim = double_pendulum(integrator, 0.01);
        let first = worst_energy(&mut sim, 30_000);
        run(&mut sim, 300_000);
        let last = worst_energy(&mut sim, 30_000);
        println!("{integrator}: first five minutes {first:.3} J, last of an hour {last:.3} J");
        assert!(last < 1.2 * first, "{integrator}: {first} {last}");
    }
    let mut heun = double_pendulum("heun", 0.01);
    let [first, second] = [0, 1].map(|_| {
        run(&mut heun, 6000);
        heun.sample().energy_error
    });
    println!("heun: {first:.3} J after one minute, {second:.3} J after two");
    assert!(
        first > 0.1 && second > 1.5 * first,
        "it gains steadily: {first} {second}"
    );
}

#[test]
fn fourth_order_energy_error_is_a_hundredth_of_first_order_over_a_quarter_of_an_hour() {
    let worst = |integrator| worst_energy(&mut double_pendulum(integrator, 0.01), 90_000);
    let (first, fourth) = (worst("variational"), worst("variational-4"));
    println!("variational {first:.3e} J, variational-4 {fourth:.3e} J");
    assert!(first > 100.0 * fourth, "{first} {fourth}");
}

#[test]
fn a_free_body_keeps_its_spatial_angular_momentum() {
    for integrator in ["variational", "variational-2"] {
        let mut sim = simulation(
            &benchmarks::tumbling_body(),
            integrator,
            settings(0.01, 1e-10),
        );
        let [_, start] = knot_momenta(&sim);
        let mut worst: f64 = 0.0;
        for _ in 0..100 {
            run(&mut sim, 1000);
            let [_, now] = knot_momenta(&sim);
            worst = worst.max((now - start).norm() / start.norm());
        }
        println!("{integrator}: angular momentum changes by {worst:.2e}");
        assert!(worst < 1e-12, "{integrator}: {worst:e}");
    }
}

#[test]
fn a_floating_mechanism_keeps_its_momenta() {
    // A chain cut loose, without gravity, tumbling: joints can only exchange momentum. The first joint floats.
    let (mut model, mut state) = mechanisms::chain(&[0.4, 1.3, -0.8], &[1.0, -2.0, 0.5]);
    model.gravity = Vec3::zeros();
    let mut joints = model.joints.clone();
    joints.remove(0);
    let model = driftless::model::Model::new(driftless::model::ModelParts {
        bodies: model.bodies,
        joints,
        ..Default::default()
    })
    .expect("the chain is valid");
    let drift = Vec3::new(0.3, -0.2, 0.1);
    for body in &mut state.bodies {
        body.velocity.linear += drift;
    }
    state.angles.truncate(2);
    state.reactions.truncate(2);
    let mechanism = (model, state);
    for integrator in [
        "variational",
        "variational-2",
        "variational-4",
        "variational-ggl",
    ] {
        let mut sim = simulation(&mechanism, integrator, settings(0.01, 1e-10));
        let start = knot_momenta(&sim);
        run(&mut sim, 5000);
        let end = knot_momenta(&sim);
        let [linear, angular] = [0, 1].map(|k| (end[k] - start[k]).norm() / start[k].norm());
        println!("{integrator}: linear {linear:.2e}, angular {angular:.2e}");
        // Impulses are equal and opposite to the last bit; their arms differ by the gap that Newton leaves, up to
        // 1e-10 m, in each of 5000 steps of either sign.
        assert!(
            linear < 1e-13 && angular < 1e-9,
            "{integrator}: {linear:e} {angular:e}"
        );
    }
}

#[test]
fn a_symmetric_method_runs_backwards_to_its_start() {
    for integrator in [
        "variational-2",
        "variational-4",
        "variational-6",
        "variational-8",
    ] {
        // On trees rounding of up to 3000 intervals there and back, and what a tolerance of 1e-12 of the forces leaves
        // in them; on a loop with redundant rows what Newton leaves in the joints, up to 1e-10 m in each
        // of up to fifteen intervals of a step, grown over two seconds of motion.
        for (mechanism, tolerance) in [
            (
                mechanisms::chain(&[1.2, 0.5, -0.3], &[0.3, -0.4, 0.2]),
                3e-12,
            ),
            (benchmarks::tumbling_body(), 2e-12),
            (benchmarks::bricard(), 1e-6),
        ] {
            let mut there = simulation(&mechanism, integrator, settings(0.01, 1e-12));
            run(&mut there, 100);
            let mut turned = there.state().clone();
            for (body, velocity) in turned.bodies.iter_mut().zip(there.velocities()) {
                body.velocity = Twist {
                    linear: -velocity.linear,
                    angular: -velocity.angular,
                };
            }
            let back = (mechanism.0.clone(), turned);
            let mut back = simulation(&back, integrator, settings(0.01, 1e-12));
            run(&mut back, 100);
            for (end, start) in back.state().bodies.iter().zip(&mechanism.1.bodies) {
                let moved = (end.position - start.position).norm();
                let turned = end.orientation.angle_to(&start.orientation);
                assert!(
                    moved < tolerance && turned < tolerance,
                    "{integrator}: {moved:e} {turned:e}"
                );
            }
        }
    }
}

#[test]
fn switching_back_and_forth_adds_no_energy_error() {
    // A hundred switches over 20 s, against each method on its own over the same time.
    let alone = |name| worst_energy(&mut double_pendulum(name, 0.01), 2000);
    let own = alone("variational-2") + alone("rk4");
    let mut sim = double_pendulum("variational-2", 0.01);
    // What is exchanged between kinetic and potential: both links from the horizontal, 2 m g l.
    let scale = 2.0 * mechanisms::G;
    let mut worst: f64 = 0.0;
    for k in 0..100 {
        let name = if k % 2 == 0 { "rk4" } else { "variational-2" };
        sim.set_integrator(name).expect("both take the pendulum");
        worst = worst.max(worst_energy(&mut sim, 20));
    }
    println!("switching: {worst:.3e} J, own errors {own:.3e} J");
    assert!(worst < own + 1e-3 * scale, "{worst} {own}");
}
