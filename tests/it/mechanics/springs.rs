//! Springs too stiff for their step to follow. Kicks at the knots feed them energy where `ω dt > 2`: motions went on with
//! more of it until some body spun too fast.

use crate::mechanics::random::{Numbers, close, displace, set_going, tree};
use driftless::integrators::{Settings, StepReport};
use driftless::kinematics;
use driftless::math::Vec3;
use driftless::model::{Attachment, BodyId, Force, JointSpring};
use driftless::scene;
use driftless::sim::{Input, Simulation};

fn run(text: &str) -> Simulation {
    let scene = scene::from_text("springs", text, &[]).expect("the scene is right");
    scene.simulation().expect("it runs")
}

fn step(sim: &mut Simulation) -> StepReport {
    sim.step(&Input::default()).expect("the step holds").clone()
}

/// A slider on a spring of frequency `√k` rad/s, 1 m from where it rests, after a step of so many seconds.
fn slider(method: &str, stiffness: f64, dt: f64) -> Simulation {
    run(&format!(
        r#"(version: 1, gravity: (0, 0, 0),
        bodies: {{"slider": (mass: 1, inertia: (1, 1, 1))}},
        joints: {{"rail": (kind: prismatic, child: "slider", axis: (1, 0, 0), at: [1],
            springs: [(coordinate: 0, stiffness: {stiffness:?})])}},
        integrator: (method: "{method}", dt: {dt:?}))"#
    ))
}

/// The rule of the middle turns an oscillator by `2 atan(ω dt/2)` a step and keeps its energy, at every stiffness
/// [HairerLubichWanner2006 sect. VI.6]. Tolerances are those of Newton's method, 1e-10 of what is handled in each of 200
/// steps, times the turns that errors of the phase add up to.
#[test]
fn a_stiff_spring_swings_as_the_rule_of_the_middle_says_and_keeps_its_energy() {
    for method in ["variational", "variational-2"] {
        for omega_dt in [1.1_f64, 2.5, 30.0, 2000.0] {
            let dt = 0.01;
            let mut sim = slider(method, (omega_dt / dt).powi(2), dt);
            let energy = sim.energy().total();
            let turn = 2.0 * (0.5 * omega_dt).atan();
            for k in 1..=200 {
                let report = step(&mut sim);
                assert!(report.iterations <= 2, "{} iterations", report.iterations);
                let wanted = (f64::from(k) * turn).cos();
                let found = sim.state().bodies[0].position.x;
                assert!(
                    (found - wanted).abs() < 1e-6,
                    "{method} {omega_dt}: {found} {wanted}"
                );
                if method == "variational-2" {
                    let off = sim.energy().total() / energy - 1.0;
                    assert!(off.abs() < 1e-7, "{omega_dt}: {off:e}");
                }
            }
        }
    }
}

/// Both ways are of second order: errors fall by four as the step is halved, in steps in which the spring is stiff and in
/// shorter ones. A pendulum on a torsion spring, whose motion no rule has exactly.
#[test]
fn stiff_springs_are_of_second_order_where_the_step_is_halved() {
    // With its rod free the spring swings at √(60/0.002) = 173 rad/s, which is stiff from 5.8 ms on; about the hinge the
    // rod has 0.252 kg m², and swings at 15 rad/s.
    let end = |dt: f64| {
        let mut sim = run(&format!(
            r#"(version: 1,
            bodies: {{"rod": (mass: 1, inertia: (0.002, 0.002, 0.002))}},
            joints: {{"hinge": (kind: revolute, child: "rod", child_anchor: (0, 0, 0.5), axis: (0, 1, 0), at: [0.3],
                springs: [(coordinate: 0, stiffness: 60)])}},
            integrator: (dt: {dt:?}))"#
        ));
        for _ in 0..(0.64 / dt).round() as usize {
            let _ = step(&mut sim);
        }
        sim.state().bodies[0].position.x
    };
    let exact = end(1e-4);
    let errors = [0.016, 0.008, 0.004, 0.002].map(|dt| (end(dt) - exact).abs());
    // Terms of fourth order are (15 · 0.016)² = 6 % of an error at most, and 1e-4 s is off by (1/20)² of the last.
    for pair in [[errors[0], errors[1]], [errors[2], errors[3]]] {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.1, "{order}, {errors:?}");
    }
}

/// Random trees and loops, thrown, with a spring of 1 to 300 radians a step on a coordinate of every joint and one between
/// two bodies. With kicks at the knots all of them were lost within 100 steps. The rule is exact for what is linear; its
/// error swings with the turns that bodies make in a step, and does not grow.
#[test]
fn random_mechanisms_with_stiff_springs_keep_their_energy() {
    for seed in 0..16 {
        let mut sim = swinging(seed);
        let first = sim.energy().total();
        let mut worst = 0.0_f64;
        for k in 0..600 {
            if let Err(e) = sim.step(&Input::default()) {
                panic!("seed {seed}, step {k}: {e}");
            }
            let (error, size) = (sim.energy().total() - first, sim.energy().kinetic + 10.0);
            worst = worst.max(error.abs() / size);
        }
        // Of what has fallen by then 1.1 was the worst that was found, in a whip at the start, 0.5 the second.
        assert!(worst < 2.0, "seed {seed}: {worst}");
    }
}

fn swinging(seed: u64) -> Simulation {
    let mut numbers = Numbers(seed);
    let mut w = tree(seed);
    if seed % 2 == 1 {
        close(&mut w);
    }
    let mut stiffness = || 10f64.powf(4.0 + 2.5 * numbers.next());
    for joint in w.parts.joints.iter_mut().filter(|j| j.kind.freedoms() > 0) {
        joint.springs.push(JointSpring {
            coordinate: joint.kind.freedoms() - 1,
            stiffness: stiffness(),
            rest: 0.0,
        });
    }
    let ends = [(BodyId(3), -0.1), (BodyId(8), 0.2)];
    let [from, to] = ends.map(|(body, z)| w.place(body, &Vec3::new(0.1, 0.2, z)));
    w.parts.forces.push(Force::Spring {
        name: "tie".into(),
        ends: ends.map(|(body, z)| Attachment {
            body: Some(body),
            point: Vec3::new(0.1, 0.2, z),
        }),
        stiffness: stiffness(),
        rest: (to - from).norm(),
        damping: 0.0,
    });
    displace(&mut w, seed);
    set_going(&mut w, seed);
    let (model, mut state) = w.finish();
    let _ = kinematics::assemble(&model, &mut state).expect("it is closed as built");
    Simulation::new(model, state, "variational-2", Settings::default()).expect("it runs")
}

/// A change of the step between two steps takes the springs that are stiff in the new one.
#[test]
fn a_spring_that_becomes_stiff_on_the_way_keeps_its_energy() {
    let mut sim = slider("variational-2", 100.0 * 100.0, 0.002);
    let first = sim.energy().total();
    for dt in [0.002, 0.05, 0.001, 0.3] {
        let settings = Settings {
            dt,
            ..*sim.settings()
        };
        sim.set_settings(settings).expect("the step is allowed");
        for _ in 0..300 {
            let _ = step(&mut sim);
        }
        // Kicks at the knots let it swing by (ω dt)²/4, 1e-2 of itself, at 0.002 s.
        let off = sim.energy().total() / first - 1.0;
        assert!(off.abs() < 2e-2, "{dt}: {off:e}");
    }
}

/// A slider on a table that turns about its middle, pulled across by a spring where it is 3 m out: the light hub swings by
/// eight radians a step, although the anchors are at the centres. What is left of the 13.5 J is of the second order: rows
/// turn with the table, which is told by a step a tenth as long.
#[test]
fn a_spring_on_a_long_lever_gives_no_energy() {
    let worst = |dt: f64| {
        let mut sim = run(&format!(
            r#"(version: 1, gravity: (0, 0, 0),
            bodies: {{"hub": (mass: 1, inertia: (0.004, 0.005, 0.006)), "slider": (mass: 4, inertia: (0.02, 0.02, 0.03))}},
            joints: {{
                "pivot": (kind: spherical, child: "hub"),
                "table": (kind: planar, parent: "hub", child: "slider", axis: (0, 0, 1), at: [3, 0.3],
                    springs: [(coordinate: 1, stiffness: 300)])}},
            integrator: (dt: {dt:?}))"#
        ));
        let steps = (2.0 / dt).round() as u32;
        (0..steps).fold(0.0, |worst: f64, _| {
            assert!(step(&mut sim).residual < 1e-9);
            worst.max(sim.sample().energy_error.abs())
        })
    };
    let [long, short] = [0.01, 0.001].map(worst);
    assert!(long < 1.4, "{long} J");
    assert!(short < 0.2, "{short} J");
}
