//! Friction on a slope against Coulomb's law: distances, the angle at which a block starts, all directions.

use crate::contact::touching::{DOWN, fastest, start, watch};
use crate::mechanics::bench::settings;
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::integrators::{FrictionCone, Settings};
use driftless::math::{Quat, Vec3};
use driftless::model::{ContactStatus, Model, State};
use driftless::sim::Simulation;

/// Unit vector down the slope, and out of it.
fn slope(angle: f64, azimuth: f64) -> (Quat, Vec3) {
    let turn =
        Quat::from_scaled_axis(Vec3::z() * azimuth) * Quat::from_scaled_axis(Vec3::y() * angle);
    (turn, turn * Vec3::x())
}

/// A block at rest on a slope that falls towards an azimuth.
fn block(size: Vec3, angle: f64, azimuth: f64, friction: f64) -> (Model, State) {
    let mut w = Workshop::touching(DOWN, friction, 0.0);
    let (turn, _) = slope(angle, azimuth);
    w.ground(Vec3::zeros(), turn);
    w.block(1.0, size, turn * Vec3::z() * (size.z / 2.0), turn);
    w.finish()
}

/// How far the first body is from where it was, along a direction and across it.
fn travelled(sim: &Simulation, from: Vec3, along: Vec3) -> (f64, f64) {
    let moved = sim.state().bodies[0].position - from;
    let distance = moved.dot(&along);
    (distance, (moved - along * distance).norm())
}

/// Acceleration down the slope of a sliding block [m/s²].
fn acceleration(angle: f64, friction: f64) -> f64 {
    (G * (angle.sin() - friction * angle.cos())).max(0.0)
}

#[test]
fn a_block_slides_as_far_in_a_second_as_coulombs_law_says() {
    let angle = 15f64.to_radians();
    // Published distances, five decimals.
    let published = [1.26951, 0.67727, 0.08504, 0.0];
    for (friction, published) in [0.0, 0.125, 0.25, 0.375].into_iter().zip(published) {
        let wanted = acceleration(angle, friction) / 2.0;
        assert!((wanted - published).abs() < 5e-6);
        for dt in [0.01, 1e-3] {
            let mechanism = block(Vec3::repeat(0.4), angle, 0.0, friction);
            let mut sim = start(&mechanism, dt);
            watch(&mut sim, (1.0 / dt).round() as u64, |sim| {
                assert!(sim.report().contact.penetration < 1e-9);
            });
            let from = mechanism.1.bodies[0].position;
            let (distance, aside) = travelled(&sim, from, slope(angle, 0.0).1);
            // The start is exact in a uniform field, and so is every step after it: 0.01 % is asked for.
            assert!(
                (distance - wanted).abs() <= 1e-4 * wanted + 1e-12,
                "µ = {friction}, {dt} s: {distance} m, not {wanted} m"
            );
            assert!(aside < 1e-9, "µ = {friction}: {aside:e} m aside");
        }
    }
}

#[test]
fn a_block_that_friction_holds_does_not_creep_in_a_minute() {
    let mechanism = block(Vec3::repeat(0.4), 15f64.to_radians(), 0.7, 0.375);
    let mut sim = start(&mechanism, 0.01);
    let mut worst: f64 = 0.0;
    watch(&mut sim, 6000, |sim| worst = worst.max(fastest(sim)));
    let from = mechanism.1.bodies[0].position;
    let moved = (sim.state().bodies[0].position - from).norm();
    // Rounding of a velocity whose changes are 0.1 m/s.
    assert!(worst < 1e-12, "{worst:e} m/s");
    assert!(moved < 6e-11, "{moved:e} m in 60 s");
    let held = sim
        .state()
        .contacts
        .iter()
        .filter(|c| c.normal_force() > 1e-6);
    assert!(
        held.into_iter()
            .all(|c| c.status == ContactStatus::Sticking)
    );
}

#[test]
fn a_block_starts_to_slide_at_coulombs_angle() {
    for friction in [0.1f64, 0.25, 0.6] {
        let critical = friction.atan();
        for (excess, slides) in [(-1e-3, false), (1e-3, true)] {
            let angle = (friction * (1.0 + excess)).atan();
            let mechanism = block(Vec3::new(0.5, 0.4, 0.1), angle, 0.3, friction);
            let mut sim = start(&mechanism, 0.01);
            watch(&mut sim, 500, |_| {});
            let from = mechanism.1.bodies[0].position;
            let (distance, _) = travelled(&sim, from, slope(angle, 0.3).1);
            if slides {
                let wanted = acceleration(angle, friction) * 12.5;
                // The difference of two forces a thousand times larger, each solved to 1e-9 of its velocity.
                assert!(
                    (distance / wanted - 1.0).abs() < 1e-3,
                    "{critical}: {distance} {wanted}"
                );
            } else {
                assert!(distance.abs() < 1e-11, "{critical}: {distance:e} m");
            }
        }
    }
}

#[test]
fn the_exact_cone_is_the_same_in_all_directions() {
    let (angle, friction) = (15f64.to_radians(), 0.125);
    for k in 0..12 {
        let azimuth = f64::from(k) * 0.31;
        let mechanism = block(Vec3::new(0.4, 0.3, 0.2), angle, azimuth, friction);
        let mut sim = start(&mechanism, 0.01);
        watch(&mut sim, 100, |_| {});
        let from = mechanism.1.bodies[0].position;
        let (distance, aside) = travelled(&sim, from, slope(angle, azimuth).1);
        let wanted = acceleration(angle, friction) / 2.0;
        assert!(
            (distance / wanted - 1.0).abs() < 1e-3,
            "{azimuth}: {distance} {wanted}"
        );
        // What 1e-9 m/s a step can add up to.
        assert!(aside < 1e-7, "{azimuth}: {aside:e} m aside");
    }
}

/// Distances in a second over azimuths, relative to the exact cone's, with a linearised cone.
fn pyramid(edges: u32) -> Vec<f64> {
    let (angle, friction) = (15f64.to_radians(), 0.125);
    let wanted = acceleration(angle, friction) / 2.0;
    let run = |k: u32| {
        let azimuth = f64::from(k) * 0.2;
        // A thin slab: what friction across the slope turns it by is of the order of its thickness.
        let (model, state) = block(Vec3::new(0.5, 0.5, 1e-3), angle, azimuth, friction);
        let from = state.bodies[0].position;
        let settings = Settings {
            friction: FrictionCone::Linearised(edges),
            ..settings(0.01, 1e-10)
        };
        let mut sim = Simulation::new(model, state, "variational-2", settings).expect("it runs");
        watch(&mut sim, 100, |_| {});
        (sim.state().bodies[0].position - from).norm() / wanted
    };
    (0..9).map(run).collect()
}

#[test]
fn a_linearised_cone_errs_by_no_more_than_its_pyramid() {
    let (angle, friction) = (15f64.to_radians(), 0.125);
    let mut spreads = Vec::new();
    for edges in [4, 8, 16] {
        let found = pyramid(edges);
        // The acceleration is what is left of gravity after the nearest force of the pyramid is taken away. The
        // pyramid lies between the cones of µ and of µ cos(π/N), so the distance does.
        let inner = friction * (std::f64::consts::PI / f64::from(edges)).cos();
        let most = acceleration(angle, inner) / acceleration(angle, friction);
        for distance in &found {
            assert!(
                (1.0 - 1e-3..most * (1.0 + 1e-3)).contains(distance),
                "{edges} edges: {found:?}, at most {most}"
            );
        }
        let spread = found.iter().fold(0.0f64, |m, d| m.max(d - 1.0));
        // Nine azimuths over half a turn come near the middle between two edges.
        assert!(spread > 0.5 * (most - 1.0), "{edges} edges: {found:?}");
        spreads.push(spread);
    }
    assert!(
        spreads.is_sorted_by(|a, b| a > b),
        "more edges, less error: {spreads:?}"
    );
}

#[test]
fn a_thrown_block_stops_where_its_energy_is_spent() {
    for dt in [0.01, 1e-3] {
        let (friction, speed) = (0.3, 2.0);
        let mut w = Workshop::touching(DOWN, friction, 0.0);
        w.floor();
        let block = w.block(
            3.0,
            Vec3::new(0.4, 0.4, 0.1),
            Vec3::z() * 0.05,
            Quat::identity(),
        );
        w.moving(block, Vec3::new(0.6, 0.8, 0.0) * speed, Vec3::zeros());
        let mut sim = w.simulation(dt);
        watch(&mut sim, (1.0 / dt) as u64, |_| {});
        let moved = sim.state().bodies[0].position - Vec3::z() * 0.05;
        let wanted = speed * speed / (2.0 * friction * G);
        // It stops within a step: at most µ g dt²/2 of way is uncertain, 1.5e-4 m at 0.01 s.
        assert!(
            (moved.norm() - wanted).abs() < 1.5 * dt * dt + 1e-9,
            "{} {wanted}",
            moved.norm()
        );
        assert!(
            moved.cross(&Vec3::new(0.6, 0.8, 0.0)).norm() < 1e-7,
            "straight: {moved:?}"
        );
        assert!(fastest(&mut sim) < 1e-12);
        let lost = sim.sample().contact_loss[1];
        assert!(
            (lost - 0.5 * 3.0 * speed * speed).abs() < 1e-6,
            "{lost} J lost to friction"
        );
    }
}
