//! The shipped scenes of contact do what their descriptions say, without a failed step and without penetration.

use crate::contact::touching::watch;
use crate::mechanics::mechanisms::G;
use driftless::math::Vec3;
use driftless::model::{BodyState, JointId, State};
use driftless::scene;
use driftless::sim::Simulation;
use std::f64::consts::{FRAC_PI_2, PI};

fn open(name: &str, sets: &[(&str, &str)]) -> Simulation {
    let sets: Vec<_> = sets
        .iter()
        .map(|(p, v)| ((*p).into(), (*v).into()))
        .collect();
    let scene = scene::open(name, &sets).unwrap_or_else(|e| panic!("{name}: {e}"));
    scene.simulation().expect("its method runs it")
}

/// Runs for a time [s]; no step may fail or leave more than a micrometre of penetration.
fn run(sim: &mut Simulation, duration: f64, look: impl FnMut(&mut Simulation)) {
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
    watch(sim, steps, |sim| {
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

fn body<'a>(sim: &'a Simulation, name: &str) -> &'a BodyState {
    &sim.state().bodies[sim.model().body(name).expect("the scene has it").0]
}

/// How far any body has moved [m].
fn moved(from: &State, to: &State) -> f64 {
    let moves = from.bodies.iter().zip(&to.bodies);
    moves
        .map(|(a, b)| (a.position - b.position).norm())
        .fold(0.0, f64::max)
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
    let moved = moved(&first, sim.state());
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
        let moved = moved(&first, sim.state());
        assert!(moved < allowed, "{name}: {moved:e} m in {duration} s");
    }
}

#[test]
fn the_cradle_passes_one_swing_through() {
    let mut sim = open("newtons_cradle", &[]);
    let energy = sim.energy().total();
    let mut farthest = [0.0f64; 5];
    // Half a swing of the first, half a swing of the last.
    run(&mut sim, 1.4, |sim| {
        for (k, far) in farthest.iter_mut().enumerate() {
            let angle = sim.coordinates(JointId(k))[0];
            *far = far.max(angle.abs());
        }
        assert!(
            sim.energy().total() < energy + 1e-4 * energy.abs(),
            "energy is gained"
        );
    });
    let degrees = farthest.map(f64::to_degrees);
    // The first was let go at 50°. Each impact lies somewhere in a step, which costs a little height.
    assert!((48.0..50.5).contains(&degrees[4]), "{degrees:?}");
    for middle in &degrees[1..4] {
        // They cross their clearance of 3 mm, 0.2°.
        assert!(*middle < 1.5, "{degrees:?}");
    }
}

#[test]
fn the_tippe_top_turns_over_and_lifts_its_weight() {
    let mut sim = open("tippe_top", &[]);
    let energy = sim.energy().total();
    let (mut lowest, mut up) = (1.0f64, 0.0f64);
    run(&mut sim, 5.0, |sim| {
        let top = body(sim, "top");
        lowest = lowest.min((top.orientation * Vec3::z()).z);
        up = up.max(top.position.z);
        assert!(sim.energy().total() < energy * (1.0 + 1e-6));
    });
    assert!(lowest < -0.8, "its axis points to {lowest}");
    // Upright its centre is 14 mm high; on its stem at 31 mm less 6 mm.
    assert!(up > 0.021, "its centre rises to {up} m");
}

#[test]
fn the_rattleback_turns_back() {
    let mut sim = open("rattleback", &[]);
    let (mut least, mut most) = (0.0f64, 0.0f64);
    run(&mut sim, 6.0, |sim| {
        let spin = sim.velocities()[0].angular.z;
        least = least.min(spin);
        most = most.max(spin);
    });
    assert!(least < -4.9, "it starts with -5 rad/s: {least}");
    assert!(most > 0.5, "it turns back: {most} rad/s");
}

#[test]
fn the_disc_rolls_round_on_its_circle() {
    let mut sim = open("rolling_disk", &[]);
    run(&mut sim, 4.0899, |sim| {
        let at = body(sim, "disc").position;
        // The motion is unstable to second-order errors of a step of 21 mrad over a round.
        let radius = at.x.hypot(at.y);
        assert!(
            (radius - 0.8).abs() < 0.02,
            "{radius} m at {} s",
            sim.state().time
        );
        let contacts = &sim.state().contacts;
        let mut pressed = contacts.iter().filter(|c| c.normal_force() > 0.0);
        assert!(pressed.all(|c| c.slip.norm() < 1e-3), "{contacts:?}");
    });
    let back = (body(&sim, "disc").position - Vec3::new(0.8, 0.0, 0.2887)).norm();
    assert!(back < 0.05, "{back} m from where it started after a round");
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
fn gears_in_contact_turn_in_the_ratio_of_their_teeth() {
    let mut sim = open("gear_pair", &[]);
    run(&mut sim, 2.0, |_| {});
    let turned = |sim: &Simulation| [0, 1].map(|k| sim.coordinates(JointId(k))[0]);
    let before = turned(&sim);
    // Two teeth of the small gear.
    run(&mut sim, 0.7, |_| {});
    let after = turned(&sim);
    let [small, large] = [0, 1].map(|k| after[k] - before[k]);
    // 3 % of the pitch as backlash is 10 mrad of the small gear.
    assert!(
        (large + small * 18.0 / 27.0).abs() < 0.01,
        "{small} {large}"
    );
    assert!(small > 1.2, "{small}");
}

#[test]
fn the_geneva_wheel_steps_by_a_quarter_turn() {
    let mut sim = open("geneva_drive", &[]);
    let angle = |sim: &Simulation| sim.coordinates(JointId(1))[0];
    let first = angle(&sim);
    run(&mut sim, PI, |_| {});
    let step = (angle(&sim) - first).abs();
    // The locking disc is 5 mm clear on a radius of some 0.5 m.
    assert!(
        (step - FRAC_PI_2).abs() < 0.05,
        "{step} rad in a turn of the driver"
    );
}

#[test]
fn the_passive_walker_keeps_the_gait_of_its_limit_cycle() {
    let mut sim = open("passive_walker", &[]);
    let mut passes = Vec::new();
    let mut last = 0.0f64;
    run(&mut sim, 9.0, |sim| {
        // The legs pass each other once a step.
        let between = sim.coordinates(JointId(0))[0];
        if between * last < 0.0 {
            passes.push(sim.state().time);
        }
        last = between;
    });
    let periods: Vec<f64> = passes.windows(2).map(|w| w[1] - w[0]).collect();
    assert!(periods.len() >= 10, "{periods:?}");
    for period in &periods {
        // 0.768 s by the equations of a compass with ideal impacts; a disturbance of the start dies out slowly.
        assert!((period - 0.768).abs() < 0.02, "{periods:?}");
    }
    let at = body(&sim, "outer").position;
    assert!(at.x > 6.0 && at.y.abs() < 1e-6, "{at:?}");
}

#[test]
fn the_rimless_wheel_finds_a_steady_gait() {
    let mut sim = open("rimless_wheel", &[]);
    let down = Vec3::new(4f64.to_radians().cos(), 0.0, -4f64.to_radians().sin());
    let mut milestones = vec![0.0];
    run(&mut sim, 7.0, |sim| {
        let way = sim.state().bodies[0].position.dot(&down);
        // Thirty-six degrees a spoke: a full turn covers ten.
        if way > milestones.len() as f64 {
            milestones.push(sim.state().time);
        }
    });
    let paces: Vec<f64> = milestones.windows(2).map(|w| w[1] - w[0]).skip(2).collect();
    assert!(paces.len() >= 3, "it walks on: {milestones:?}");
    let (least, most) = paces
        .iter()
        .fold((f64::MAX, 0.0f64), |(a, b), s| (a.min(*s), b.max(*s)));
    // A metre is three to four spokes, and where in a spoke's swing it ends shifts its time by a few percent.
    assert!(most / least < 1.1, "seconds a metre: {paces:?}");
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
    let mut sim = open("pit:bodies=40,width=1.5", &[]);
    let energy = sim.energy().total();
    // What is jammed between foreseen tangent planes is made compliant for a moment: micrometres.
    run_within(&mut sim, 2.0, 2e-5, |sim| {
        assert!(sim.energy().total() < energy * (1.0 + 1e-4));
    });
    for (k, at) in sim.state().bodies.iter().enumerate() {
        let at = at.position;
        // The walls are half as high as wide; what lies higher may lie on the heap.
        let inside = at.x.abs() < 0.75 && at.y.abs() < 0.75;
        assert!(
            at.z > 0.0 && (inside || at.z > 0.9),
            "body {k} escaped to {at:?}"
        );
    }
    assert_eq!(sim.outcomes().failed, 0);
}
