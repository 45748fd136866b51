//! Bodies that sleep: who falls asleep, who wakes, what it costs and what is booked.

use crate::commands::cli::{driftless, folder, text};
use driftless::math::Vec3;
use driftless::model::{BodyId, Drag, DragGoal, Input};
use driftless::scene;
use driftless::sim::Simulation;
use serde_json::Value;

/// Boxes of a stack.
const HIGH: usize = 3;

/// Stacks in a row, two metres apart, and other items of a scene.
fn stacks(count: usize, others: &str, options: &str) -> String {
    let mut boxes = String::new();
    for k in 0..count * HIGH {
        let (x, z) = (2 * (k / HIGH), 0.1 + 0.2 * (k % HIGH) as f64);
        boxes += &format!(
            "\"b{k}\": (mass: 1, shape: (box: (size: (0.2, 0.2, 0.2))), position: ({x}, 0, {z})), "
        );
    }
    format!(
        "(version: 1, bodies: {{{boxes} {others}}}, world: [(half_space: ())],
          contact: (materials: {{\"m\": (friction: 0.5)}}), integrator: (dt: 0.01, options: {{{options}}}))"
    )
}

const SLEEPING: &str = "\"sleeping_speed\": 0.01, \"sleeping_time\": 0.3";

fn simulation(text: &str) -> Simulation {
    let scene = scene::from_text("stacks", text, &[]).expect("the scene is right");
    scene.simulation().expect("its method runs it")
}

fn steps(sim: &mut Simulation, count: u64, input: &Input) {
    for _ in 0..count {
        sim.step(input).expect("the step succeeds");
    }
}

fn asleep(sim: &Simulation) -> Vec<usize> {
    let bodies = 0..sim.state().bodies.len();
    bodies.filter(|&k| sim.state().sleeps(BodyId(k))).collect()
}

#[test]
fn a_stack_falls_asleep_and_nothing_is_computed_any_more() {
    let mut sim = simulation(&stacks(2, "", SLEEPING));
    steps(&mut sim, 29, &Input::default());
    assert!(asleep(&sim).is_empty());
    // Thirty steps of 0.01 s are 0.3 s, but for rounding of their sum.
    steps(&mut sim, 2, &Input::default());
    assert_eq!(asleep(&sim).len(), 2 * HIGH);
    let held = sim.state().bodies.clone();
    steps(&mut sim, 50, &Input::default());
    assert_eq!(sim.state().bodies, held);
    assert!((sim.state().time - 0.81).abs() < 1e-12 && sim.state().step == 81);
    let report = sim.report();
    assert_eq!((report.iterations, report.factorisations), (0, 0));
    assert_eq!(report.asleep as usize, 2 * HIGH);
    assert_eq!(sim.energy().kinetic, 0.0);
    assert_eq!(sim.sample().asleep as usize, 2 * HIGH);
}

/// Whoever is not slow for as long as asked for is computed as ever: to the bit.
#[test]
fn who_does_not_sleep_moves_as_without() {
    let ball = "\"ball\": (mass: 1, shape: (sphere: (radius: 0.1)), position: (0.03, 0.02, 1.5))";
    let mut off = simulation(&stacks(2, ball, ""));
    let mut on = simulation(&stacks(2, ball, "\"sleeping_speed\": 1e-300"));
    for _ in 0..80 {
        steps(&mut off, 1, &Input::default());
        steps(&mut on, 1, &Input::default());
        assert_eq!(on.state().bodies, off.state().bodies);
        assert!(off.state().rest.is_empty());
    }
    assert!(asleep(&on).is_empty());
}

/// A ball that falls onto the second of three stacks: the energy that it has comes from its fall, that of the stacks that
/// slept is booked when they fell asleep, and again when they wake.
#[test]
fn what_hits_a_stack_wakes_it_and_no_other_and_the_account_closes() {
    let ball = "\"ball\": (mass: 1, shape: (sphere: (radius: 0.1)), position: (2.02, 0.01, 7))";
    let mut sim = simulation(&stacks(3, ball, SLEEPING));
    let (mut slept, mut woke) = (false, false);
    for _ in 0..135 {
        let before = (asleep(&sim).len(), sim.sample().energy_error);
        steps(&mut sim, 1, &Input::default());
        let now = asleep(&sim);
        if now.len() != before.0 {
            // Of some hundred joules, in a step that may also be an impact.
            let error = sim.sample().energy_error;
            assert!(
                (error - before.1).abs() < 1e-9,
                "{error} after {}",
                before.1
            );
        }
        if now.len() == 3 * HIGH {
            slept = true;
        } else if slept && !woke {
            assert_eq!(
                now,
                [0, 1, 2, 6, 7, 8],
                "the stack that is hit, and only that"
            );
            assert!(
                sim.state().bodies[9].position.z < 1.0,
                "not before it is there"
            );
            woke = true;
        }
    }
    assert!(slept && woke);
    let others = [0, 1, 2, 6, 7, 8];
    assert!(others.iter().all(|&k| sim.state().sleeps(BodyId(k))));
    // It came to rest on three boxes, and in none.
    let height = sim.state().bodies[9].position.z;
    assert!((height - 0.7).abs() < 1e-3, "{height}");
}

#[test]
fn a_pull_wakes_the_island_of_the_body_that_is_pulled() {
    let mut sim = simulation(&stacks(2, "", SLEEPING));
    steps(&mut sim, 40, &Input::default());
    assert_eq!(asleep(&sim).len(), 2 * HIGH);
    let pull = Input {
        drag: Some(Drag {
            body: BodyId(HIGH - 1),
            point: Vec3::zeros(),
            goal: DragGoal::Pull(Vec3::new(0.0, 0.0, 1.2)),
        }),
        ..Input::default()
    };
    steps(&mut sim, 25, &pull);
    assert_eq!(asleep(&sim), [3, 4, 5]);
    assert!(sim.state().bodies[HIGH - 1].position.z > 0.55);
    // What it left standing is an island of its own, and falls asleep again.
    steps(&mut sim, 10, &pull);
    assert_eq!(asleep(&sim), [0, 1, 3, 4, 5]);
}

#[test]
fn a_force_wakes_the_island_of_the_body_that_it_acts_on() {
    let mut sim = simulation(&stacks(2, "", SLEEPING));
    steps(&mut sim, 40, &Input::default());
    assert_eq!(asleep(&sim).len(), 2 * HIGH);
    let top = BodyId(HIGH - 1);
    let weight = sim.model().bodies[top.0].mass * 9.81;
    // Two weights upwards: it rises as it would fall.
    steps(
        &mut sim,
        10,
        &Input::default().with_force(top, Vec3::z() * (2.0 * weight)),
    );
    assert_eq!(asleep(&sim)[..], [3, 4, 5]);
    assert!(sim.state().bodies[top.0].velocity.linear.z > 0.1);
}

#[test]
fn another_gravity_wakes_all() {
    let mut sim = simulation(&stacks(2, "", SLEEPING));
    steps(&mut sim, 40, &Input::default());
    assert_eq!(asleep(&sim).len(), 2 * HIGH);
    let mut model = sim.model().clone();
    model.gravity = Vec3::new(0.0, 0.0, 1.0);
    sim.set_model(model).expect("it can be changed");
    assert!(asleep(&sim).is_empty());
    steps(&mut sim, 20, &Input::default());
    // Half of the acceleration times the square of 0.2 s, and the first half step.
    let risen = sim.state().bodies[2].position.z - 0.5;
    assert!((risen - 0.02).abs() < 2e-3, "{risen}");
}

/// A hinge that a motor holds: it is as slow as a stack, and does not sleep; what hangs on it by a spring does not either.
#[test]
fn what_is_driven_stays_awake() {
    let others = "\"arm\": (mass: 1, shape: (box: (size: (0.2, 0.2, 0.2))), position: (-3, 0, 3)),
                  \"bob\": (mass: 0.1, inertia: (1e-3, 1e-3, 1e-3), position: (-3, 0, 2.40190))";
    let text = stacks(1, others, SLEEPING).replacen(
        "world:",
        "joints: {\"hinge\": (kind: revolute, child: \"arm\", anchor: (-3, 0, 3), axis: (1, 0, 0), in_world: true,
             actuators: [(pd: (stiffness: 10, damping: 1))])},
         springs: {\"spring\": (from: (body: \"arm\"), to: (body: \"bob\"), stiffness: 100, rest: 0.58829, damping: 1)},
         world:",
        1,
    );
    let mut sim = simulation(&text);
    steps(&mut sim, 100, &Input::default());
    assert_eq!(asleep(&sim), [0, 1, 2]);
}

/// A copy of the state is a snapshot, whoever sleeps in it.
#[test]
fn from_a_moment_at_which_some_sleep_it_goes_on_with_the_same_bits() {
    let ball = "\"ball\": (mass: 1, shape: (sphere: (radius: 0.1)), position: (2.02, 0.01, 3))";
    let mut sim = simulation(&stacks(2, ball, SLEEPING));
    let mut moment = None;
    let mut hashes = Vec::new();
    for step in 0..110 {
        if step == 60 {
            assert_eq!(asleep(&sim).len(), 2 * HIGH);
            moment = Some(sim.snapshot());
        }
        steps(&mut sim, 1, &Input::default());
        sim.energy();
        if step >= 60 {
            hashes.push(sim.state().digest());
        }
    }
    let mut again = Simulation::resume(&moment.expect("it came by")).expect("it goes on");
    for (step, hash) in hashes.iter().enumerate() {
        steps(&mut again, 1, &Input::default());
        assert_eq!(again.state().digest(), *hash, "step {step}");
    }
}

#[test]
fn takes_hold_who_sleeps_and_runs_say_how_many() {
    let path = |name: &str| folder().join(name).to_str().expect("it is text").to_owned();
    let (scene, take, table) = (path("sleep.ron"), path("sleep.take"), path("sleep.csv"));
    std::fs::write(&scene, stacks(2, "", SLEEPING)).expect("it can be written");
    let done = driftless(&[
        "run", &scene, "--steps", "60", "--json", "--take", &take, "--csv", &table,
    ]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let report: Value = serde_json::from_slice(&done.stdout).expect("it is JSON");
    assert_eq!(report["asleep"], 2 * HIGH);
    let table = std::fs::read_to_string(table).expect("it was written");
    let mut rows = table.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = rows.next().expect("it has a header").split(',').collect();
    let column = header.iter().position(|name| *name == "asleep");
    let column = column.expect("it has the column");
    let counts: Vec<&str> = rows.filter_map(|row| row.split(',').nth(column)).collect();
    assert_eq!((counts.first(), counts.last()), (Some(&"0"), Some(&"6")));
    let replayed = driftless(&["replay", &take]);
    assert!(replayed.status.success(), "{}", text(&replayed.stderr));
}

#[test]
fn methods_without_contact_refuse_it() {
    let done = driftless(&[
        "run",
        "pendulum",
        "--integrator",
        "rk4",
        "--option",
        "sleeping_speed=0.1",
    ]);
    assert_eq!(done.status.code(), Some(2));
    let complaint = text(&done.stderr);
    assert!(complaint.contains("sleeping_speed"), "{complaint}");
    let done = driftless(&["run", "pendulum", "--option", "sleeping_speed=-1"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("m/s"), "{}", text(&done.stderr));
}
