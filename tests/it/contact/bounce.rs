//! Bodies dropped on the ground: they stop on it, not in it, and come back to the heights that restitution allows.

use crate::contact::clearance::clearance;
use crate::contact::touching::{DOWN, fastest, watch};
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::math::{Quat, Vec3};
use driftless::sim::Simulation;

/// Edge of the cube of [Brüdigam2023 fig. 7d] [m].
const EDGE: f64 = 0.5;

/// A cube above the ground by `gap`.
fn cube(gap: f64, restitution: f64, turn: Quat, dt: f64) -> Simulation {
    let mut w = Workshop::touching(DOWN, 0.5, restitution);
    w.floor();
    let lowest = 0.5 * EDGE * turn.to_rotation_matrix().matrix().row(2).abs().sum();
    let at = Vec3::new(0.1, -0.2, lowest + gap);
    w.block(1.0, Vec3::repeat(EDGE), at, turn);
    w.simulation(dt)
}

fn gap(sim: &Simulation) -> f64 {
    clearance(sim.model(), sim.state())
}

#[test]
fn a_dropped_cube_stops_on_the_ground_at_every_height_and_step() {
    for dt in [1e-4, 1e-3, 3e-3, 0.01, 0.02, 0.05] {
        // The smallest steps take the longest: every fifth height is enough for them.
        let stride = if dt < 1e-3 { 5 } else { 1 };
        for height in (1..=20).step_by(stride).map(|k| 0.05 * f64::from(k)) {
            let mut sim = cube(height, 0.0, Quat::identity(), dt);
            let fall = (2.0 * height / G).sqrt();
            let mut deepest: f64 = 0.0;
            watch(&mut sim, ((fall + 0.1) / dt).ceil() as u64 + 5, |sim| {
                deepest = deepest.min(gap(sim));
            });
            assert!(deepest > -1e-9, "{height} m, {dt} s: {deepest:e} m deep");
            assert!(
                gap(&sim) < 1e-6,
                "{height} m, {dt} s: rests at {:e} m",
                gap(&sim)
            );
            assert!(fastest(&mut sim) < 1e-9, "{height} m, {dt} s: it rests");
        }
    }
}

#[test]
fn a_cube_dropped_on_a_corner_or_an_edge_comes_to_rest_on_a_face() {
    for turn in [
        Vec3::new(0.6, 0.0, 0.0),
        Vec3::new(0.5, 0.3, 0.2),
        Vec3::new(-1.0, 2.0, 0.4),
    ] {
        let mut sim = cube(0.3, 0.0, Quat::from_scaled_axis(turn), 0.01);
        let mut deepest: f64 = 0.0;
        watch(&mut sim, 400, |sim| deepest = deepest.min(gap(sim)));
        assert!(deepest > -1e-9, "{turn:?}: {deepest:e} m deep");
        let rest = sim.state().bodies[0].position.z - EDGE / 2.0;
        assert!(
            rest.abs() < 1e-6,
            "{turn:?}: rests {rest:e} m above its face"
        );
        assert!(fastest(&mut sim) < 1e-9, "{turn:?}");
    }
}

/// Heights of the first peaks, and the largest rise of the energy above its first value.
fn peaks(sim: &mut Simulation, count: usize) -> (Vec<f64>, f64) {
    let first = sim.energy().total();
    let (mut found, mut heights, mut excess) = (Vec::new(), [gap(sim); 2], 0.0f64);
    let mut bounced = false;
    while found.len() < count {
        watch(sim, 1, |_| {});
        let height = gap(sim);
        assert!(height > -1e-9, "{height:e} m deep");
        excess = excess.max(sim.energy().total() - first);
        bounced |= height > heights[1] && heights[1] < 1e-3;
        if bounced && height < heights[1] && heights[1] >= heights[0] {
            found.push(heights[1]);
            bounced = false;
        }
        heights = [heights[1], height];
    }
    (found, excess)
}

#[test]
fn the_first_three_peaks_are_those_of_restitution() {
    for e in [0.5, 0.8, 1.0f64] {
        let mut sim = cube(1.0, e, Quat::identity(), 1e-3);
        let (found, excess) = peaks(&mut sim, 3);
        for (k, height) in found.iter().enumerate() {
            let wanted = e.powi(2 * (k as i32 + 1));
            // The impact is placed within a step: its speed is known to g·dt, 0.2 to 1 % of the height.
            assert!(
                (height / wanted - 1.0).abs() < 0.01,
                "e = {e}: peak {k} at {height} m, not {wanted} m"
            );
        }
        // The first total is 12.3 J.
        assert!(excess < 1e-9 * 12.3, "e = {e}: {excess:e} J gained");
    }
}

#[test]
fn a_bouncing_ball_never_climbs_higher_than_before() {
    for (e, dt) in [(0.3, 0.01), (0.9, 0.01), (1.0, 0.01), (1.0, 0.003)] {
        let mut w = Workshop::touching(DOWN, 0.2, e);
        w.floor();
        w.ball(0.7, 0.1, Vec3::new(0.0, 0.0, 0.9));
        let mut sim = w.simulation(dt);
        let first = sim.energy().total();
        watch(&mut sim, (8.0 / dt) as u64, |sim| {
            let energy = sim.energy().total();
            assert!(energy < first * (1.0 + 1e-9), "e = {e}, {dt} s: {energy} J");
            assert!(gap(sim) > -1e-9);
        });
        if e < 0.5 {
            // A series of ever shorter hops ends: below four g·dt no speed is returned.
            assert!(fastest(&mut sim) < 1e-9, "it comes to rest");
        } else if e == 1.0 {
            let lost = 1.0 - (sim.energy().total() / first);
            // The first impact may lose up to g·dt of 4 m/s; after that heights repeat.
            assert!(lost < 0.05, "lost {lost}");
        }
    }
}
