//! The shipped scenes of blocks, walls and heaps do what their descriptions say, without a failed step and without
//! penetration.

use crate::contact::touching::{Remnant, drift, watch};
use crate::mechanics::mechanisms::G;
use driftless::math::Vec3;
use driftless::model::{BodyState, State};
use driftless::scene;
use driftless::sim::Simulation;

/// A shipped scene with some values changed by their paths.
pub fn open(name: &str, sets: &[(&str, &str)]) -> Simulation {
    let sets: Vec<_> = sets
        .iter()
        .map(|(p, v)| ((*p).into(), (*v).into()))
        .collect();
    let scene = scene::open(name, &sets).unwrap_or_else(|e| panic!("{name}: {e}"));
    scene.simulation().expect("its method runs it")
}

/// Runs for a time [s]; no step may fail or leave more than a micrometre of penetration.
pub fn run(sim: &mut Simulation, duration: f64, look: impl FnMut(&mut Simulation)) {
    run_within(sim, duration, 1e-6, look);
}

/// The same for another penetration [m].
fn run_within(
    sim: &mut Simulation,
    duration: f64,
    most: f64,
    mut look: impl FnMut(&mut Simulation),
) {
    let steps = (duration / sim.settings().dt).round() as u64;
    let mut remnant = Remnant::default();
    watch(sim, steps, |sim| {
        let most = most.max(remnant.after(sim));
        let report = &sim.report().contact;
        assert!(
            report.penetration < most,
            "step {}: {report:?}",
            sim.state().step
        );
        look(sim);
    });
    println!("{:?}", sim.outcomes());
}

/// The state of a body by its name.
pub fn body<'a>(sim: &'a Simulation, name: &str) -> &'a BodyState {
    &sim.state().bodies[sim.model().body(name).expect("the scene has it").0]
}

#[test]
fn four_blocks_slide_as_far_as_their_frictions_let_them() {
    let mut sim = open("four_frictions", &[]);
    let first = sim.state().clone();
    run(&mut sim, 1.0, |_| {});
    let angle = 15f64.to_radians();
    for (k, friction) in [0.0, 0.125, 0.25, 0.375].into_iter().enumerate() {
        let distance = (sim.state().bodies[k].position - first.bodies[k].position).norm();
        let wanted = (G * (angle.sin() - friction * angle.cos()) / 2.0).max(0.0);
        // 0.01 % is asked for.
        assert!(
            (distance - wanted).abs() <= 1e-4 * wanted + 1e-12,
            "µ = {friction}: {distance}"
        );
    }
}

#[test]
fn the_arch_stands_by_friction_alone() {
    let mut sim = open("arch", &[]);
    let first = sim.state().clone();
    run(&mut sim, 2.0, |_| {});
    let moved = drift(&first, sim.state(), Vec3::zeros());
    // Its coordinates have twelve digits; closing such gaps is all that may move.
    assert!(moved < 1e-6, "{moved:e} m in two seconds");

    let mut sim = open("arch", &[("contact.materials.stone.friction", "0.2")]);
    let height = body(&sim, "stone_7").position.z;
    run(&mut sim, 1.5, |_| {});
    let left = body(&sim, "stone_7").position.z;
    assert!(
        left < 0.5 * height,
        "the keystone is at {left} m, was at {height} m"
    );
}

#[test]
fn stacks_and_towers_stand() {
    for (name, duration, allowed) in [
        ("box_stack", 5.0, 1e-9),
        ("heavy_on_light", 5.0, 1e-9),
        ("sphere_stack", 1.0, 1e-9),
        // The cards' coordinates have twelve digits, and their edges lean on faces.
        ("card_tower", 4.0, 1e-6),
    ] {
        let mut sim = open(name, &[]);
        let first = sim.state().clone();
        run(&mut sim, duration, |_| {});
        let moved = drift(&first, sim.state(), Vec3::zeros());
        assert!(moved < allowed, "{name}: {moved:e} m in {duration} s");
    }
}

#[test]
fn the_last_domino_falls() {
    let mut sim = open("dominoes", &[]);
    run(&mut sim, 6.0, |_| {});
    for k in 1..=30 {
        let upright = (body(&sim, &format!("domino_{k}")).orientation * Vec3::z()).z;
        assert!(upright.abs() < 0.7, "domino {k} stands: {upright}");
    }
}

#[test]
fn the_wall_stands_until_the_ball_arrives() {
    let mut sim = open("brick_wall", &[]);
    let first = sim.state().clone();
    let bricks = |a: &State, b: &State| {
        let moves = a.bodies.iter().zip(&b.bodies).skip(1);
        moves
            .map(|(a, b)| (a.position - b.position).norm())
            .collect::<Vec<f64>>()
    };
    run(&mut sim, 0.3, |_| {});
    let early = bricks(&first, sim.state()).into_iter().fold(0.0, f64::max);
    assert!(early < 1e-9, "{early:e} m before the ball is there");
    run(&mut sim, 2.2, |_| {});
    let late = bricks(&first, sim.state());
    let pushed = late.iter().filter(|m| **m > 0.02).count();
    assert!(pushed > 0, "{pushed} bricks have moved");
}

#[test]
fn a_disc_of_thirty_corners_comes_to_lie_on_all_of_them() {
    let mut sim = open("wheel_rim", &[]);
    run(&mut sim, 8.0, |_| {});
    let disc = body(&sim, "disc");
    assert!((disc.position.z - 0.05).abs() < 1e-6, "{}", disc.position.z);
    let speed = sim.velocities()[0];
    assert!(
        speed.linear.norm() < 1e-9 && speed.angular.norm() < 1e-9,
        "{speed:?}"
    );
    assert!(
        sim.report().contact.candidates >= 30,
        "{:?}",
        sim.report().contact
    );
}

#[test]
fn marbles_run_down_and_end_in_the_bowl() {
    let mut sim = open("marble_run", &[]);
    let energy = sim.energy().total();
    run(&mut sim, 12.0, |sim| {
        assert!(sim.energy().total() < energy * (1.0 + 1e-6));
    });
    for (k, marble) in sim.state().bodies.iter().enumerate() {
        assert!(
            marble.position.z < 0.6,
            "marble {k} is still at {:?}",
            marble.position
        );
        assert!(
            marble.position.z > 0.0,
            "marble {k} fell through: {:?}",
            marble.position
        );
    }
}

#[test]
fn dice_come_to_rest_on_their_faces() {
    let mut sim = open("dice", &[]);
    run(&mut sim, 6.0, |_| {});
    for (k, die) in sim.state().bodies.iter().enumerate() {
        let axes = die.orientation.to_rotation_matrix();
        let upright = axes.matrix().row(2).abs().max();
        assert!(1.0 - upright < 1e-9, "die {k} leans: {upright}");
    }
}

#[test]
fn many_bodies_of_all_shapes_fall_into_a_pit_and_stay_there() {
    let mut sim = open("pit:bodies=40,width=2", &[]);
    let energy = sim.energy().total();
    // What is jammed between foreseen tangent planes is made compliant for a moment: micrometres.
    run_within(&mut sim, 2.0, 2e-5, |sim| {
        assert!(sim.energy().total() < energy * (1.0 + 1e-4));
    });
    for (k, at) in sim.state().bodies.iter().enumerate() {
        let at = at.position;
        // The walls are half as high as wide; what lies higher may lie on the heap.
        let inside = at.x.abs() < 1.0 && at.y.abs() < 1.0;
        assert!(
            at.z > 0.0 && (inside || at.z > 1.1),
            "body {k} escaped to {at:?}"
        );
    }
    assert_eq!(sim.outcomes().failed, 0);
}
