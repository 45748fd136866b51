//! With no restitution and no input the energy only falls, step by step; where it goes is on the account.

use crate::mechanisms::Workshop;
use crate::touching::{DOWN, start, watch};
use driftless::math::{Quat, Vec3};
use driftless::model::{Model, State};

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

#[test]
fn no_step_of_a_heap_gains_energy() {
    for (friction, dt) in [(0.0, 0.01), (0.5, 0.01), (1.2, 0.01), (0.5, 1e-3)] {
        let mut sim = start(&heap(friction), dt);
        let scale = sim.energy().total();
        let mut before = scale;
        let steps = if dt < 0.005 { 1500 } else { 300 };
        let mut worst: f64 = 0.0;
        watch(&mut sim, steps, |sim| {
            let now = sim.energy().total();
            worst = worst.max(now - before);
            assert!(
                now - before < 1e-9 * scale,
                "µ = {friction}, step {}: {:e} J of {scale} J gained",
                sim.state().step,
                now - before
            );
            before = now;
        });
        println!("µ = {friction}, {dt} s: largest rise {worst:.1e} J of {scale:.1} J");
        assert!(
            before < 0.6 * scale,
            "most is lost when they lie: {before} of {scale} J"
        );
    }
}

#[test]
fn a_block_with_three_different_moments_gains_no_more_than_in_free_flight() {
    // The variational method lets the energy of a tumbling body swing by (step × spin)² of it, with contact or
    // without. The free flight of the same body sets the bound.
    let build = |floor: bool| {
        let mut w = Workshop::touching(DOWN, 0.4, 0.0);
        if floor {
            w.floor();
        }
        let block = w.block(
            1.0,
            Vec3::new(0.2, 0.35, 0.5),
            Vec3::z() * 0.8,
            Quat::identity(),
        );
        w.moving(block, Vec3::x(), Vec3::new(3.0, 1.0, 5.0));
        start(&w.finish(), 0.01)
    };
    let rise = |floor: bool, steps: u64| {
        let mut sim = build(floor);
        let mut before = sim.energy().total();
        let mut worst: f64 = 0.0;
        watch(&mut sim, steps, |sim| {
            let now = sim.energy().total();
            worst = worst.max(now - before);
            before = now;
        });
        worst
    };
    let (free, with_floor) = (rise(false, 400), rise(true, 400));
    println!("largest rise: {free:.1e} J in free flight, {with_floor:.1e} J with the floor");
    // Impacts can spin it up to some three times as fast, and the swing grows with the cube of the spin.
    assert!(with_floor < 30.0 * free + 1e-9, "{free:e} {with_floor:e}");
}

#[test]
fn the_account_of_impacts_and_friction_closes() {
    for (friction, dt) in [(0.0, 0.01), (0.5, 0.01), (0.5, 1e-3)] {
        let mut sim = start(&heap(friction), dt);
        let first = sim.energy().total();
        let (mut impact, mut rubbed) = (0.0, 0.0);
        watch(&mut sim, (2.5 / dt) as u64, |sim| {
            let sample = sim.sample();
            let [a, b] = sample.contact_loss;
            // Friction takes energy in every step.
            assert!(b - rubbed > -1e-9 * first, "{sample:?}");
            (impact, rubbed) = (a, b);
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
