//! What stands, stands: stacks and columns of many bodies, of very different masses, for as long as one looks.

use crate::contact::clearance::clearance;
use crate::contact::touching::{DOWN, drift, fastest, start, start_exact, watch};
use crate::mechanics::mechanisms::Workshop;
use driftless::math::{Quat, Vec3};
use driftless::model::{JointKind, Model, State};
use driftless::scene;

/// Ten blocks on each other, each moved and turned against the one below by a multiple of `offset`.
fn stack(offset: f64) -> (Model, State) {
    let mut w = Workshop::touching(DOWN, 0.5, 0.0);
    w.floor();
    for k in 0..10 {
        let aside = |n: u32| offset * (f64::from((k * n) % 5) - 2.0);
        let turn = Quat::from_scaled_axis(Vec3::z() * (3.0 * aside(3)));
        let at = Vec3::new(aside(1), aside(2), 0.2 * (f64::from(k) + 0.5));
        w.block(1.0, Vec3::repeat(0.2), at, turn);
    }
    w.finish()
}

#[test]
fn ten_blocks_stand_for_a_minute() {
    for offset in [0.0, 0.01] {
        let mechanism = stack(offset);
        let mut sim = start(&mechanism, 0.01);
        watch(&mut sim, 6000, |sim| {
            assert!(
                sim.report().contact.penetration < 1e-9,
                "step {}",
                sim.state().step
            );
        });
        let drift = drift(&mechanism.1, sim.state(), Vec3::zeros());
        println!(
            "offset {offset} m: drift {drift:.1e} m, {:?}",
            sim.outcomes()
        );
        assert!(drift < 1e-9, "offset {offset} m: {drift:e} m in a minute");
        assert_eq!(sim.outcomes().relaxed, 0);
    }
}

/// Half of gravity's impulse, 0.05 m/s here, is in the momenta at a knot, and what carried the blocks takes it away again: of ten
/// layers whose laws are kept to 3e-12 of 0.1 m/s each at most 3e-12 m/s is left, and of rotations at a metre, as corners are a
/// tenth of one from the middle, 3e-11. Read a second time it is the same.
#[test]
fn ten_blocks_that_stand_are_read_as_still() {
    for offset in [0.0, 0.01] {
        let mut sim = start(&stack(offset), 0.01);
        watch(&mut sim, 200, |sim| {
            let still = fastest(sim);
            if sim.state().step > 100 {
                assert!(still < 3e-11, "offset {offset} m: {still:e} m/s");
            }
            assert_eq!(fastest(sim), still);
        });
    }
}

/// A column of balls of 0.1 m, one kilogram at the bottom, `ratio` times as heavy at the top.
fn column(balls: u32, ratio: f64) -> (Model, State) {
    let mut w = Workshop::touching(DOWN, 0.5, 0.0);
    w.floor();
    for k in 0..balls {
        let mass = ratio.powf(f64::from(k) / f64::from(balls - 1));
        w.ball(mass, 0.1, Vec3::z() * (0.1 + 0.2 * f64::from(k)));
    }
    w.finish()
}

#[test]
fn a_hundred_balls_stand_on_each_other_whichever_are_heavier() {
    for ratio in [1.0, 1000.0, 1e-3] {
        let mechanism = column(100, ratio);
        let mut sim = start_exact(&mechanism, 0.01);
        watch(&mut sim, 100, |sim| {
            assert!(sim.report().contact.penetration < 1e-9, "{ratio}");
        });
        let drift = drift(&mechanism.1, sim.state(), Vec3::zeros());
        println!("1:{ratio}: drift {drift:.1e} m, {:?}", sim.outcomes());
        // Straight up is an equilibrium, if an unstable one: rounding grows by e^(t √(g/r)), 2e4 in a second.
        assert!(drift < 1e-9, "1:{ratio}: {drift:e} m in a second");
        assert_eq!(sim.outcomes().relaxed, 0);
    }
}

#[test]
fn a_heavy_block_rests_on_a_light_one_and_the_other_way_round() {
    for masses in [[1.0, 1000.0], [1000.0, 1.0], [1e-3, 1e3]] {
        let mut w = Workshop::touching(DOWN, 0.5, 0.0);
        w.floor();
        for (k, mass) in masses.into_iter().enumerate() {
            let at = Vec3::z() * (0.1 + 0.25 * k as f64);
            w.block(mass, Vec3::repeat(0.2), at, Quat::identity());
        }
        let mut sim = w.simulation(0.01);
        watch(&mut sim, 300, |sim| {
            let found = clearance(sim.model(), sim.state());
            assert!(found > -1e-9, "{masses:?}: {found:e} m");
        });
        let heights = sim.state().bodies.iter().map(|b| b.position.z);
        for (height, wanted) in heights.zip([0.1, 0.3]) {
            assert!((height - wanted).abs() < 1e-6, "{masses:?}: {height}");
        }
        assert!(fastest(&mut sim) < 1e-9, "{masses:?}");
    }
}

#[test]
fn chains_of_spheres_fall_on_the_plane_and_stay_on_it() {
    // [Brüdigam2023 fig. 8b]; MuJoCo is 26 mm deep with 5 spheres and diverges with 100.
    for (spheres, steps) in [(5, 300), (20, 300), (44, 200), (100, 150), (200, 120)] {
        let spec = format!("sphere-chain:spheres={spheres}");
        let scene = scene::open(&spec, &[]).expect("the generator opens");
        let mut sim = scene.simulation().expect("its method runs it");
        let mut touched = 0;
        watch(&mut sim, steps, |sim| {
            let report = &sim.report().contact;
            touched = touched.max(report.closed);
            assert!(report.penetration < 1e-6, "{spheres}: {report:?}");
            let found = clearance(sim.model(), sim.state());
            assert!(found > -1e-6, "{spheres}: {found:e} m");
            let open = driftless::diagnostics::worst_drift(sim.model(), sim.state())
                .position
                .0;
            assert!(open < 1e-8, "{spheres}: joints open by {open:e} m");
        });
        println!("{spheres}: at most {touched} points, {:?}", sim.outcomes());
        assert!(touched > 0, "{spheres} spheres must reach the ground");
        assert_eq!(sim.outcomes().failed, 0);
    }
}

#[test]
fn a_table_on_four_hinged_legs_stands() {
    // Contact and joints in one system, with the redundancy of both.
    let mut w = Workshop::touching(DOWN, 0.6, 0.0);
    w.floor();
    let top = w.block(
        5.0,
        Vec3::new(1.0, 0.6, 0.05),
        Vec3::z() * 0.525,
        Quat::identity(),
    );
    for (x, y) in [(0.4, 0.2), (-0.4, 0.2), (0.4, -0.2), (-0.4, -0.2)] {
        let leg = w.block(
            0.5,
            Vec3::new(0.05, 0.05, 0.5),
            Vec3::new(x, y, 0.25),
            Quat::identity(),
        );
        w.joint(
            JointKind::Fixed,
            Some(top),
            leg,
            Vec3::new(x, y, 0.5),
            Vec3::z(),
        );
    }
    let mechanism = w.finish();
    let mut sim = start(&mechanism, 0.01);
    watch(&mut sim, 500, |_| {});
    let drift = drift(&mechanism.1, sim.state(), Vec3::zeros());
    assert!(drift < 1e-9, "{drift:e} m in five seconds");
    let carried: f64 = sim.state().contacts.iter().map(|c| c.normal_force()).sum();
    assert!((carried - 7.0 * 9.81).abs() < 1e-5, "{carried} N");
}
