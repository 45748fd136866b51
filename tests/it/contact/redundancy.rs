//! However many points carry a plate, it moves the same.

use crate::contact::touching::{DOWN, block_inertia, shape, start_exact, watch};
use crate::mechanics::mechanisms::Workshop;
use driftless::math::{Pose, Quat, Vec3};
use driftless::model::{Geometry, Model, State};

/// Size of the plate [m].
const SIZE: Vec3 = Vec3::new(1.0, 0.6, 0.1);

/// A plate cut into `nx` × `ny` tiles, each of which touches with its own four corners; mass and inertia are those of
/// the whole.
fn plate(tiles: [u32; 2], at: Vec3, turn: Quat, thrown: Vec3, friction: f64) -> (Model, State) {
    let mut w = Workshop::touching(DOWN, friction, 0.0);
    w.floor();
    let body = w.body(2.0, block_inertia(2.0, SIZE), at, turn);
    w.moving(body, thrown, Vec3::zeros());
    let count = tiles.map(f64::from);
    // A millimetre between tiles keeps every corner a point of its own; the outline is the same for all.
    let size = |n: usize| (SIZE[n] - (count[n] - 1.0) * 1e-3) / count[n];
    let middle =
        |n: usize, k: u32| (f64::from(k) + 0.5) * size(n) + f64::from(k) * 1e-3 - SIZE[n] / 2.0;
    for k in 0..tiles[0] {
        for l in 0..tiles[1] {
            let size = Vec3::new(size(0), size(1), SIZE.z);
            let pose = Pose::translation(middle(0, k), middle(1, l), 0.0);
            let tile = shape(Geometry::Box { size }, pose);
            w.parts.bodies[body.0].shapes.push(tile);
        }
    }
    w.finish()
}

/// 4, 8, 40 and 200 points on one face.
const TILES: [[u32; 2]; 4] = [[1, 1], [2, 1], [5, 2], [10, 5]];

/// Runs the plate with every number of points beside the one with four.
fn alike(name: &str, build: impl Fn([u32; 2]) -> (Model, State), steps: u64, tolerance: f64) {
    let mut sims: Vec<_> = TILES
        .iter()
        .map(|t| start_exact(&build(*t), 0.01))
        .collect();
    let mut most = [0; 4];
    for step in 0..steps {
        for (sim, most) in sims.iter_mut().zip(&mut most) {
            watch(sim, 1, |_| {});
            *most = (*most).max(sim.report().contact.candidates);
        }
        let first = &sims[0].state().bodies[0];
        for (sim, tiles) in sims.iter().zip(TILES).skip(1) {
            let body = &sim.state().bodies[0];
            let moved = (body.position - first.position).norm();
            let turned = body.orientation.angle_to(&first.orientation);
            assert!(
                moved < tolerance && turned < tolerance,
                "{name}, step {step}, {tiles:?}: off by {moved:e} m, {turned:e} rad"
            );
        }
    }
    let points = most.map(|n| n as usize);
    assert!(
        points[0] >= 4 && points[3] >= 200,
        "{name}: {points:?} points"
    );
}

#[test]
fn a_sliding_plate_stops_alike_on_4_8_40_and_200_points() {
    let thrown = Vec3::new(1.2, 0.9, 0.0);
    let at = Vec3::z() * (SIZE.z / 2.0);
    // Each solves velocities to 1e-9 m/s; 50 steps of 0.01 s of that.
    alike(
        "sliding",
        |t| plate(t, at, Quat::identity(), thrown, 0.3),
        100,
        1e-9,
    );
}

#[test]
fn a_plate_that_falls_flat_lands_alike() {
    let thrown = Vec3::new(0.5, -0.8, 0.0);
    let at = Vec3::z() * 0.2;
    alike(
        "falling",
        |t| plate(t, at, Quat::identity(), thrown, 0.4),
        100,
        1e-9,
    );
}

#[test]
fn a_plate_that_falls_on_its_edge_tips_over_alike() {
    let turn = Quat::from_scaled_axis(Vec3::y() * 0.3);
    let at = Vec3::z() * 0.3;
    // Without friction: with it, points in a row between two edges share the load in more than one way, and so the
    // friction of those that slip to different sides. Tipping multiplies what the solver leaves by the plate's levers.
    alike(
        "tipping",
        |t| plate(t, at, turn, Vec3::zeros(), 0.0),
        100,
        1e-7,
    );
}

#[test]
fn points_that_carry_too_much_share_it_without_pulling() {
    let at = Vec3::z() * (SIZE.z / 2.0);
    let mut sim = start_exact(
        &plate([10, 5], at, Quat::identity(), Vec3::zeros(), 0.3),
        0.01,
    );
    watch(&mut sim, 100, |_| {});
    let forces: Vec<f64> = sim
        .state()
        .contacts
        .iter()
        .map(|c| c.normal_force())
        .collect();
    assert!(forces.iter().all(|f| *f >= 0.0));
    let carried: f64 = forces.iter().sum();
    assert!((carried - 2.0 * 9.81).abs() < 1e-6, "{carried} N");
}
