//! With no restitution and no input the energy only falls, to the order of the method; where it goes is on the account.

use crate::contact::touching::{DOWN, start, watch};
use crate::mechanics::mechanisms::Workshop;
use driftless::math::{Quat, Vec3};
use driftless::model::{Model, State};
use driftless::scene;
use driftless::sim::Simulation;

/// Cubes and balls, whose inertia is the same in all directions: their free motion keeps its energy to rounding.
fn heap(friction: f64) -> (Model, State) {
    let mut w = Workshop::touching(DOWN, friction, 0.0);
    w.floor();
    for k in 0..8u32 {
        let along = |n: u32| f64::from((k * 5 + n * 3) % 7) / 7.0 - 0.5;
        let at = Vec3::new(0.3 * along(1), 0.3 * along(2), 0.35 + 0.33 * f64::from(k));
        let body = if k % 2 == 0 {
            let turn = Quat::from_scaled_axis(Vec3::new(along(3), along(4), along(5)) * 2.0);
            w.block(1.0, Vec3::repeat(0.3), at, turn)
        } else {
            w.ball(0.7, 0.15, at)
        };
        let spin = Vec3::new(along(4), along(5), along(6)) * 8.0;
        w.moving(body, Vec3::new(along(2), along(3), 0.0), spin);
    }
    w.finish()
}

/// The energy that the discrete equations of motion balance: kinetic energy of the last interval's velocities,
/// potential energy in its middle. At rest it is that of the knot.
fn of_interval(sim: &Simulation) -> f64 {
    let half = sim.settings().dt / 2.0;
    let bodies = sim.model().bodies.iter().zip(&sim.state().bodies);
    bodies
        .map(|(body, at)| {
            let v = at.velocity;
            let spin = at.orientation.inverse_transform_vector(&v.angular);
            let kinetic =
                0.5 * body.mass * v.linear.norm_squared() + 0.5 * spin.dot(&(body.inertia * spin));
            kinetic - body.mass * DOWN.dot(&(at.position - v.linear * half))
        })
        .sum()
}

/// Largest rise from one step to the next of a measure of the energy.
fn largest_rise(
    sim: &mut Simulation,
    steps: u64,
    mut energy: impl FnMut(&mut Simulation) -> f64,
) -> f64 {
    watch(sim, 1, |_| {});
    let (mut before, mut worst) = (energy(sim), 0.0f64);
    let mut divided = false;
    watch(sim, steps, |sim| {
        let now = energy(sim);
        // A step made of shorter ones holds the velocities of the last of them, not of the interval.
        let comparable = !divided && sim.report().substeps == 0;
        divided = sim.report().substeps > 0;
        if comparable {
            worst = worst.max(now - before);
        }
        before = now;
    });
    worst
}

#[test]
fn no_step_of_a_single_body_gains_energy() {
    let turn = Quat::from_scaled_axis(Vec3::new(0.3, -0.5, 0.2));
    for friction in [0.0, 0.4, 1.2] {
        for round in [false, true] {
            let start = |dt| {
                let mut w = Workshop::touching(DOWN, friction, 0.0);
                w.floor();
                let body = if round {
                    w.ball(1.0, 0.15, Vec3::z() * 0.8)
                } else {
                    w.block(1.0, Vec3::repeat(0.3), Vec3::z() * 0.8, turn)
                };
                w.moving(body, Vec3::x(), Vec3::new(3.0, 1.0, 5.0));
                w.simulation(dt)
            };
            let mut sim = start(0.01);
            let scale = sim.energy().total();
            let rise = largest_rise(&mut sim, 300, |sim| of_interval(sim));
            let limit = if round { 1e-9 } else { 3e-5 };
            assert!(
                rise < limit * scale,
                "µ = {friction}, ball {round}: {rise:e} J"
            );
            // A cube that turns over a corner is a pendulum, whose energy a method of second order keeps only on the
            // whole: each step of a swing is off by the cube of its length. A quarter of the step leaves a
            // sixty-fourth.
            if !round && rise > 1e-9 * scale {
                let finer = largest_rise(&mut start(0.0025), 1200, |sim| of_interval(sim));
                assert!(finer < 0.1 * rise, "µ = {friction}: {rise:e} {finer:e} J");
            }
            if round {
                let mut w = Workshop::touching(DOWN, friction, 0.0);
                w.floor();
                let ball = w.ball(1.0, 0.15, Vec3::z() * 0.8);
                w.moving(ball, Vec3::x(), Vec3::new(3.0, 1.0, 5.0));
                let read = largest_rise(&mut w.simulation(0.01), 300, |sim| sim.energy().total());
                assert!(
                    read < 1e-9 * scale,
                    "µ = {friction}: {read:e} J as read at the knots"
                );
            }
        }
    }
}

#[test]
fn a_heap_only_loses_energy() {
    for (friction, dt, steps) in [
        (0.0, 0.01, 300),
        (0.5, 0.01, 300),
        (1.2, 0.01, 300),
        (0.5, 1e-3, 1500),
    ] {
        let mut sim = start(&heap(friction), dt);
        let first = sim.energy().total();
        let mut highest = 0.0f64;
        let rise = largest_rise(&mut sim, steps, |sim| {
            highest = highest.max(sim.energy().total());
            of_interval(sim)
        });
        println!("µ = {friction}, {dt} s: largest rise {rise:.1e} J of {first:.1} J");
        // A corner that carries its body over follows an arc within the step, of which the balance of impulses sees the
        // chord: a second-order part of the energy of that corner, some 1e-5 of the whole.
        assert!(
            rise < 1e-4 * first,
            "µ = {friction}, {dt} s: {rise:e} J of {first} J"
        );
        assert!(
            highest < first * (1.0 + 1e-9),
            "µ = {friction}, {dt} s: {highest} of {first} J"
        );
        let last = sim.energy().total();
        assert!(
            last < 0.6 * first,
            "most is lost when they lie: {last} of {first} J"
        );
    }
}

#[test]
fn a_block_with_three_different_moments_gains_no_more_than_its_corners_arcs() {
    let build = |floor: bool| {
        let mut w = Workshop::touching(DOWN, 0.4, 0.0);
        if floor {
            w.floor();
        }
        let size = Vec3::new(0.2, 0.35, 0.5);
        let block = w.block(1.0, size, Vec3::z() * 0.8, Quat::identity());
        w.moving(block, Vec3::x(), Vec3::new(3.0, 1.0, 5.0));
        start(&w.finish(), 0.01)
    };
    // Free flight keeps the energy that is read at the knots to rounding.
    let free = largest_rise(&mut build(false), 400, |sim| sim.energy().total());
    assert!(free < 1e-11, "{free:e} J in free flight");
    let mut sim = build(true);
    let scale = sim.energy().total();
    let rise = largest_rise(&mut sim, 400, |sim| sim.energy().total());
    println!(
        "largest rise: {free:.1e} J in free flight, {rise:.1e} J of {scale:.1} J with the floor"
    );
    // Its velocities are read as if the corners that touch stayed; they move on within the step.
    assert!(rise < 1e-2 * scale, "{rise:e} J of {scale} J");
}

#[test]
fn the_account_of_impacts_and_friction_closes() {
    for (friction, dt) in [(0.0, 0.01), (0.5, 0.01), (0.5, 1e-3)] {
        let mut sim = start(&heap(friction), dt);
        let first = sim.energy().total();
        let (mut impact, mut rubbed) = (0.0, 0.0);
        watch(&mut sim, (2.5 / dt) as u64, |sim| {
            [impact, rubbed] = sim.sample().contact_loss;
        });
        let error = sim.sample().energy_error;
        println!(
            "µ = {friction}, {dt} s: impacts {impact:.3} J, friction {rubbed:.3} J, error {error:.1e} J"
        );
        assert!(
            impact > 0.0 && (rubbed > 0.0) == (friction > 0.0),
            "{impact} {rubbed}"
        );
        // The work of a contact on a turning body is known to the angle turned in a step, 0.1 rad in the fastest
        // and only while it is hit.
        assert!(error.abs() < 2.0 * dt * first, "{error} of {first} J");
    }
}

#[test]
fn a_sliding_block_loses_exactly_the_work_of_friction() {
    let mut w = Workshop::touching(DOWN, 0.2, 0.0);
    w.floor();
    let block = w.block(
        2.0,
        Vec3::new(0.5, 0.5, 0.1),
        Vec3::z() * 0.05,
        Quat::identity(),
    );
    w.moving(block, Vec3::x() * 3.0, Vec3::zeros());
    let mut sim = w.simulation(0.01);
    watch(&mut sim, 100, |_| {});
    let travelled = sim.state().bodies[0].position.x;
    let lost = sim.sample().contact_loss[1];
    // Force times way, to the solver's 1e-9 m/s a step.
    let wanted = 0.2 * 2.0 * 9.81 * travelled;
    assert!((lost / wanted - 1.0).abs() < 1e-6, "{lost} {wanted}");
    assert!(sim.sample().energy_error.abs() < 1e-7, "{:?}", sim.sample());
}

/// Solids that fall on a plane without restitution: shape, friction, how they start, step [s].
const FALLS: [(&str, f64, &str, f64); 3] = [
    (
        "cylinder: (radius: 0.2, length: 0.4)",
        0.5,
        "position: (0.1, 0.05, 0.6), orientation: (euler: (0.4, 0.3, 0.2))",
        0.01,
    ),
    (
        "cone: (radius: 0.25, length: 0.4)",
        0.5,
        "position: (0.1, 0.05, 0.6), orientation: (euler: (0.4, 0.3, 0.2))",
        0.01,
    ),
    (
        "cone: (radius: 0.2082, length: 0.3598)",
        1.0,
        "position: (0.8866546017899058, 0.9488190899492313, 0.11205090917622675), \
         orientation: (quaternion: (0.975705721985509, 0.009876400345861475, -0.05353374780062323, \
         -0.21221436955909473)), velocity: (1.3662899456933055, -0.04336412382787838, -2.405609035233337), \
         spin: (-4.712529911386503, 11.252672377365219, 0)",
        0.005,
    ),
];

#[test]
fn steps_in_which_the_floor_would_give_energy_are_made_otherwise() {
    for (shape, friction, start, dt) in FALLS {
        let text = format!(
            "(version: 1, contact: (materials: {{\"m\": (friction: {friction}, restitution: 0)}}), \
             world: [(half_space: ())], bodies: {{\"a\": (mass: 1, shape: ({shape}), {start})}}, \
             integrator: (dt: {dt}))"
        );
        let scene =
            scene::from_text("solid", &text, &[]).unwrap_or_else(|e| panic!("{shape}: {e}"));
        let mut sim = scene.simulation().expect("its method runs it");
        let first = sim.energy().total();
        let mut highest = first;
        watch(&mut sim, (1.5 / dt) as u64, |sim| {
            highest = highest.max(sim.energy().total());
        });
        println!("{shape}: {first:.2} J, {:.1e} J above it", highest - first);
        // They went from 5.9 J to 17 J, from 5.9 J to failure and, with 3.6 times the mass, from 21 J to 2145 J in one
        // step that was said to have converged. A step of a tenth of a radian knows the energy to a hundredth.
        assert!(highest < first * 1.01, "{shape}: {highest} of {first} J");
    }
}
