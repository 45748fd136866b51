//! Shipped scenes with contact do what their descriptions say, and no step of theirs fails or penetrates.

use driftless::math::Vec3;
use driftless::model::BodyId;
use driftless::scene;
use driftless::sim::{Input, Simulation};

/// Deepest penetration that a scene may have [m].
const DEEPEST: f64 = 1e-6;

/// What relaxed steps may leave where a ball rolls from triangle to triangle [m]; the next steps take it back.
const DEEPEST_ON_A_MESH: f64 = 1e-4;

fn simulation(spec: &str) -> Simulation {
    let scene = scene::open(spec, &[]).unwrap_or_else(|errors| panic!("{spec}:\n{errors}"));
    scene.simulation().unwrap()
}

fn body(sim: &Simulation, name: &str) -> BodyId {
    sim.model().body(name).unwrap()
}

/// Runs until a time; every step succeeds and nothing penetrates.
fn run_to(sim: &mut Simulation, time: f64) {
    run_within(sim, time, DEEPEST);
}

fn run_within(sim: &mut Simulation, time: f64, deepest: f64) {
    while sim.state().time < time - 1e-9 {
        let report = sim.step(&Input::default());
        let report = report.unwrap_or_else(|e| panic!("{e}"));
        let depth = report.contact.penetration;
        assert!(depth <= deepest, "{depth} m at {} s", sim.state().time);
    }
}

/// Runs for a while.
fn run_for(sim: &mut Simulation, seconds: f64) {
    let end = sim.state().time + seconds;
    run_to(sim, end);
}

fn position(sim: &Simulation, name: &str) -> Vec3 {
    sim.state().bodies[body(sim, name).0].position
}

/// Where the z axis of a body points.
fn upright(sim: &Simulation, name: &str) -> f64 {
    let at = &sim.state().bodies[body(sim, name).0];
    (at.orientation * Vec3::z()).z
}

fn coordinate(sim: &Simulation, joint: &str) -> f64 {
    sim.coordinates(sim.model().joint(joint).unwrap())[0]
}

/// Largest displacement of any body.
fn moved(sim: &Simulation, from: &[Vec3]) -> f64 {
    let now = sim.state().bodies.iter();
    now.zip(from)
        .map(|(b, p)| (b.position - p).norm())
        .fold(0.0, f64::max)
}

fn positions(sim: &Simulation) -> Vec<Vec3> {
    sim.state().bodies.iter().map(|b| b.position).collect()
}

#[test]
fn what_should_stand_stands() {
    for (name, seconds) in [
        ("arch", 20.0),
        ("card_tower", 10.0),
        ("heavy_on_light", 10.0),
        ("box_stack", 10.0),
        ("sphere_stack", 2.0),
    ] {
        let mut sim = simulation(name);
        let start = positions(&sim);
        run_to(&mut sim, seconds);
        // A gap closes by rounding when the weight comes on; nothing creeps.
        let moved = moved(&sim, &start);
        assert!(moved < 1e-9, "{name}: {moved} m");
    }
}

#[test]
fn the_arch_falls_if_its_stones_are_smooth() {
    // The thrust at the springers is at least 0.227 of the weight that they carry, and more where it must not slide
    // between the stones: such arches need a friction of about a third.
    let smooth = [("contact.materials.stone.friction".into(), "0.25".into())];
    let scene = scene::open("arch", &smooth).unwrap();
    let mut sim = scene.simulation().unwrap();
    let start = positions(&sim);
    run_to(&mut sim, 1.0);
    assert!(moved(&sim, &start) > 0.1, "{}", moved(&sim, &start));
}

#[test]
fn blocks_slide_by_their_own_coefficients() {
    let mut sim = simulation("four_frictions");
    let names = ["none", "low", "medium", "high"];
    let start = names.map(|n| position(&sim, n));
    run_to(&mut sim, 1.0);
    let angle = 15f64.to_radians();
    for (k, mu) in [0.0, 0.125, 0.25, 0.375].into_iter().enumerate() {
        let pull = 9.81 * (angle.sin() - mu * angle.cos());
        let exact = pull.max(0.0) / 2.0;
        let slid = (position(&sim, names[k]) - start[k]).norm();
        // The half impulse of the first step makes constant forces exact; what is left is the settling of the load.
        assert!((slid - exact).abs() < 1e-4, "µ = {mu}: {slid} {exact}");
    }
}

#[test]
fn dice_come_to_rest_on_a_face() {
    let mut sim = simulation("dice");
    run_to(&mut sim, 4.5);
    let before = positions(&sim);
    run_to(&mut sim, 5.0);
    assert!(moved(&sim, &before) < 1e-9);
    for (k, at) in before.iter().enumerate() {
        assert!((at.z - 0.1).abs() < 1e-7, "die {k} lies at {}", at.z);
    }
}

#[test]
fn the_last_domino_falls() {
    let mut sim = simulation("dominoes");
    run_to(&mut sim, 1.0);
    assert!(upright(&sim, "domino_1") < 0.5 && upright(&sim, "domino_30") > 0.9999);
    run_to(&mut sim, 5.0);
    assert!(upright(&sim, "domino_30") < 0.1);
}

#[test]
fn one_ball_in_one_ball_out() {
    let mut sim = simulation("newtons_cradle");
    let angle = |sim: &Simulation, k: u32| coordinate(sim, &format!("pivot_{k}")).to_degrees();
    let mut highest = [0.0f64; 6];
    while sim.state().time < 1.5 {
        sim.step(&Input::default()).unwrap();
        for k in 1..=5 {
            highest[k as usize] = highest[k as usize].max(angle(&sim, k));
        }
    }
    // 50° in on one side, 50° out on the other but for what discrete impacts lose; those between move by the gap of
    // 3 mm in 1 m.
    assert!((highest[5] - 50.0).abs() < 1.5, "{highest:?}");
    assert!(highest[2..5].iter().all(|a| *a < 1.0), "{highest:?}");
}

#[test]
fn the_tippe_top_turns_over() {
    let mut sim = simulation("tippe_top");
    let low = position(&sim, "top").z;
    run_to(&mut sim, 1.0);
    assert!(upright(&sim, "top") > 0.8);
    run_to(&mut sim, 5.0);
    assert!(upright(&sim, "top") < -0.99, "{}", upright(&sim, "top"));
    assert!(position(&sim, "top").z > low + 0.01);
}

#[test]
fn the_celt_turns_back_one_way_only() {
    let spin = |sim: &mut Simulation| sim.velocities()[0].angular.z;
    let mut wrong = simulation("rattleback");
    run_to(&mut wrong, 6.0);
    assert!(spin(&mut wrong) > 0.5, "{}", spin(&mut wrong));
    let other = [("bodies.celt.angular_velocity".into(), "(0, 0, 5)".into())];
    let scene = scene::open("rattleback", &other).unwrap();
    let mut right = scene.simulation().unwrap();
    run_to(&mut right, 6.0);
    assert!(spin(&mut right) > 4.0, "{}", spin(&mut right));
}

#[test]
fn the_disc_rolls_in_its_circle() {
    let mut sim = simulation("rolling_disk");
    let height = position(&sim, "disc").z;
    while sim.state().time < 8.0 {
        run_for(&mut sim, 0.1);
        let at = position(&sim, "disc");
        // Steady motion in the limit of small steps: 5 ms leave a slow wobble of half a millimetre.
        assert!((at.xy().norm() - 0.8).abs() < 1e-3, "{at}");
        assert!((at.z - height).abs() < 5e-4, "{at}");
    }
}

#[test]
fn gears_turn_by_their_numbers_of_teeth() {
    let mut sim = simulation("gear_pair");
    run_to(&mut sim, 4.0);
    let (small, large) = (coordinate(&sim, "motor"), coordinate(&sim, "bearing"));
    assert!(small > 4.0, "the motor turned by {small} rad");
    // In teeth: as many of one gear as of the other have passed, but for the backlash of 3 %.
    let teeth = (18.0 * small + 27.0 * large) / std::f64::consts::TAU;
    assert!(teeth.abs() < 0.04, "{teeth} teeth apart");
}

#[test]
fn the_geneva_wheel_steps_by_a_quarter_in_every_turn() {
    let mut sim = simulation("geneva_drive");
    let degrees = |sim: &Simulation| coordinate(sim, "axle").to_degrees();
    let start = degrees(&sim);
    for turn in 1..=2 {
        run_to(&mut sim, std::f64::consts::PI * f64::from(turn));
        let stepped = degrees(&sim) - start;
        // The lock has 5 mm of play at 0.38 m.
        let quarter = stepped.abs() - 90.0 * f64::from(turn);
        assert!(quarter.abs() < 1.0, "turn {turn}: {stepped}°");
        let before = degrees(&sim);
        run_to(&mut sim, std::f64::consts::PI * f64::from(turn) + 0.4);
        assert!((degrees(&sim) - before).abs() < 0.5, "the lock holds");
    }
}

#[test]
fn the_walker_keeps_its_gait() {
    let mut sim = simulation("passive_walker");
    let hip = coordinate(&sim, "hip");
    let mut strides = Vec::new();
    let mut last = hip;
    while sim.state().time < 9.0 {
        run_for(&mut sim, 0.01);
        let now = coordinate(&sim, "hip");
        // The legs pass each other once a step.
        if last.signum() != now.signum() {
            strides.push(sim.state().time);
        }
        last = now;
    }
    let periods: Vec<f64> = strides.windows(2).map(|w| w[1] - w[0]).collect();
    assert!(strides.len() >= 11, "{strides:?}");
    for period in &periods {
        // The limit cycle of the equations with ideal impacts has 0.768 s; times are known to 0.01 s.
        assert!((period - 0.768).abs() < 0.03, "{periods:?}");
    }
    assert!(position(&sim, "outer").x > 6.0);
}

#[test]
fn the_rimless_wheel_settles_at_one_speed() {
    let mut sim = simulation("rimless_wheel");
    let mut places = Vec::new();
    for second in 2..=8 {
        run_to(&mut sim, f64::from(second));
        places.push(position(&sim, "wheel").x);
    }
    let speeds: Vec<f64> = places.windows(2).map(|w| w[1] - w[0]).collect();
    for speed in &speeds[2..] {
        // A second holds two and a half spokes, so it ends in different phases of the step.
        assert!((speed - 0.91).abs() < 0.06, "{speeds:?}");
    }
    assert!(position(&sim, "wheel").y.abs() < 1e-6);
}

#[test]
fn the_wheel_with_thirty_corners_lies_down_on_all_of_them() {
    let mut sim = simulation("wheel_rim");
    run_to(&mut sim, 6.0);
    assert!((position(&sim, "disc").z - 0.05).abs() < 1e-7);
    assert_eq!(sim.report().contact.closed, 30);
}

#[test]
fn marbles_run_down_the_gutter_into_the_bowl() {
    let mut sim = simulation("marble_run");
    for time in [3.0, 6.0] {
        run_within(&mut sim, time, DEEPEST_ON_A_MESH);
        for k in 1..=3 {
            let at = position(&sim, &format!("marble_{k}"));
            // In the gutter: a circle of 1 m, its cross-section of 0.14 m less the marble.
            assert!((at.xy().norm() - 1.0).abs() < 0.08 && at.z > 0.6, "{at}");
        }
    }
    run_within(&mut sim, 12.0, DEEPEST_ON_A_MESH);
    for k in 1..=3 {
        let at = position(&sim, &format!("marble_{k}"));
        let off = (at - Vec3::new(-1.25, -0.55, at.z)).norm();
        assert!(off < 0.75 && at.z < 0.6, "{at}");
    }
}
