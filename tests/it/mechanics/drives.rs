//! Dampers and drives at the ends of their ranges: too stiff for a travel to be known, past half a turn, too strong for
//! any interval.

use driftless::integrators::{Outcome, StepError, StepReport};
use driftless::math::Vec3;
use driftless::scene;
use driftless::sim::{Input, Simulation};
use proptest::option;
use proptest::prelude::*;

fn run(text: &str) -> Simulation {
    let scene = scene::from_text("drives", text, &[]).expect("the scene is right");
    scene.simulation().expect("it runs")
}

fn step(sim: &mut Simulation) -> StepReport {
    sim.step(&Input::default()).expect("the step holds").clone()
}

/// Linear and angular momentum of all bodies.
fn momenta(sim: &Simulation) -> [Vec3; 2] {
    let bodies = sim.state().bodies.iter();
    bodies.fold([Vec3::zeros(); 2], |[p, l], b| {
        let orbital = b.position.cross(&b.momentum);
        [p + b.momentum, l + orbital + b.angular_momentum]
    })
}

/// Damping that is so many times what stops a kilogram in a step of 0.01 s [N·s/m].
fn damping(times: f64) -> f64 {
    times / 0.01
}

/// A kilogram that hangs on a damper sinks by `m g/c` a second, from the first step on. It is 3 m from the origin, where a
/// place is known to 4e-16 m: 1e12 times what stops it makes 4 kN·s of that in a step that weighs 0.1 N·s.
#[test]
fn a_weight_on_a_damper_sinks_at_any_damping() {
    for method in ["variational", "variational-2"] {
        for times in [1e3, 1e6, 1e9, 1e12] {
            let mut sim = run(&format!(
                r#"(version: 1, gravity: (0, 0, -10),
                bodies: {{"weight": (mass: 1, inertia: (1, 1, 1), position: (0, 0, -3))}},
                springs: {{"damper": (from: (body: "world"), to: (body: "weight"), stiffness: 0, damping: {:?})}},
                integrator: (method: "{method}", dt: 0.01))"#,
                damping(times)
            ));
            for _ in 0..20 {
                let report = step(&mut sim);
                assert_eq!(report.outcome, Outcome::Converged, "{method} {times:e}");
                assert!(report.iterations <= 4, "{} iterations", report.iterations);
            }
            let sunk = -3.0 - sim.state().bodies[0].position.z;
            let wanted = 20.0 * 0.01 * 10.0 / damping(times);
            // The least of the dampers gives `m/(c dt)`, a thousandth, more or less in the first step. Places round.
            let near = 2e-3 * wanted + 20.0 * 4.0 * f64::EPSILON;
            assert!((sunk - wanted).abs() < near, "{method} {times:e}: {sunk:e}");
        }
    }
}

/// Two bodies that fly and spin, on a ball joint that nothing may turn: they move as one. What they weigh on the damper is
/// not what rounds: their own speed is, 10 m/s.
#[test]
fn bodies_on_a_damped_ball_joint_fly_as_one_at_any_damping() {
    for solver in ["articulated", "block-ldu"] {
        for times in [1e3, 1e6, 1e9, 1e12] {
            let mut sim = run(&format!(
                r#"(version: 1, gravity: (0, 0, 0),
                bodies: {{
                    "a": (mass: 1, inertia: (0.1, 0.2, 0.3), velocity: (10, 0, 3)),
                    "b": (mass: 2, inertia: (0.3, 0.2, 0.4), position: (1, 0, 0), velocity: (10, 2, 3)),
                }},
                joints: {{"ball": (kind: spherical, parent: "a", child: "b", in_world: true, anchor: (0.5, 0, 0), damping: {:?})}},
                integrator: (method: "variational", dt: 0.01, linear_solver: "{solver}"))"#,
                damping(times)
            ));
            let first = momenta(&sim);
            for _ in 0..50 {
                let report = step(&mut sim);
                assert_eq!(report.outcome, Outcome::Converged, "{solver} {times:e}");
            }
            let [a, b] = [0, 1].map(|k| sim.state().bodies[k].velocity.angular);
            // The joint turns by the torque that the other body's share of the spin asks for, some 10 N·m, over the damping.
            let slip = (a - b).norm();
            assert!(
                slip < 10.0 / damping(times) + 1e-9,
                "{solver} {times:e}: {slip:e} rad/s"
            );
            let now = momenta(&sim);
            let change = (now[0] - first[0]).norm() + (now[1] - first[1]).norm();
            // 50 steps, each balanced to 1e-10.
            assert!(
                change < 1e-8 * first[0].norm(),
                "{solver} {times:e}: {change:e}"
            );
        }
    }
}

/// Impulse balance of a kilogram on a rail by bisection: its speed `v` over an interval that it enters with a momentum `p`
/// and ends with a drive's law at the middle, which pushes half at either knot.
fn pushed(p: f64, dt: f64, law: impl Fn(f64) -> f64) -> f64 {
    let left = |v: f64| v - p - 0.5 * dt * law(v);
    let (mut low, mut high) = (-1e6, 1e6);
    while low < high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if left(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A drive of any stiffness that reaches its limits to and fro, or has none: Newton's method finds in every step which of
    /// its three pieces holds, without shorter intervals, in a tree and where the drive's joint closes a loop. Decided
    /// by the motion reached instead, it took thousands of iterations a step in some random mechanisms; evaluated from
    /// the travel, whose rounding it multiplies, it ended some steps at the limit of iterations.
    #[test]
    fn a_drive_pushes_as_its_law_says_within_its_limits(
        stiffness in -1.0..6.0, damping in -2.0..4.0, limit in option::of(-1.0..2.0), push in 0.0..100.0_f64, rate in 1.0..40.0_f64,
        first in -3.0..3.0_f64, closes in any::<bool>(),
        minimal in any::<bool>(),
    ) {
        // In joint coordinates the law is evaluated from the travel, which may round by more than the tolerance.
        let evaluated = minimal && limit.is_some();
        let method = if evaluated { "minimal-newton" } else { "variational-2" };
        let [stiffness, damping] = [stiffness, damping].map(|e: f64| 10.0_f64.powf(e));
        let limit = limit.map_or(f64::INFINITY, |e: f64| 10.0_f64.powf(e));
        let limited = if limit.is_finite() { format!(", limit: {limit:?}") } else { String::new() };
        let drive = format!(
            "actuators: [(coordinate: 0, command: \"{push:?}*sin({rate:?}*t)\", \
             pd: (stiffness: {stiffness:?}, damping: {damping:?}, target: 0.3){limited})]"
        );
        let rail = |name: &str, what: &str| format!("\"{name}\": (kind: prismatic, child: \"slider\", axis: (0, 0, 1), {what})");
        let joints = if closes {
            format!("{}, {}", rail("a", ""), rail("b", &drive))
        } else {
            rail("a", &drive)
        };
        let mut sim = run(&format!(
            r#"(version: 1, gravity: (0, 0, 0),
            bodies: {{"slider": (mass: 1, inertia: (1, 1, 1), velocity: (0, 0, {first:?}))}},
            joints: {{{joints}}},
            integrator: (method: "{method}", dt: 0.01))"#
        ));
        let dt = 0.01;
        let (mut place, mut momentum) = (0.0_f64, first);
        for k in 0..60 {
            let middle = (f64::from(k) + 0.5) * dt;
            let law = |v: f64| {
                let asked = push * (rate * middle).sin() + stiffness * (0.3 - place - 0.5 * dt * v) - damping * v;
                asked.clamp(-limit, limit)
            };
            let speed = pushed(momentum, dt, law);
            place += dt * speed;
            momentum = 2.0 * speed - momentum;
            let report = step(&mut sim);
            let rounds = evaluated && report.outcome != Outcome::Converged;
            prop_assert!(rounds || report.outcome == Outcome::Converged);
            prop_assert_eq!(report.substeps, 0);
            prop_assert!(rounds || report.iterations <= 6, "{} iterations", report.iterations);
            let slider = &sim.state().bodies[0];
            // The law is pushed at by what a step leaves unbalanced, 1e-10 of its momenta, which are some metres a second.
            let off = (slider.position.z - place).abs() + dt * (slider.velocity.linear.z - speed).abs();
            prop_assert!(off < 1e-9 * f64::from(k + 1), "{off:e} m after {k}");
        }
    }
}

/// A rotor on a ball joint whose drive pushes with 0.5 N·m at most, back to where it began: turn after turn it is
/// braked up to half a turn and driven on from there. What it gains the drive has given.
#[test]
fn a_drive_past_half_a_turn_is_booked_as_it_pushes() {
    let mut sim = run(r#"(version: 1, gravity: (0, 0, 0),
        bodies: {"rotor": (mass: 1, inertia: (0.2, 0.2, 0.2), angular_velocity: (0, 0, 12))},
        joints: {"ball": (kind: spherical, child: "rotor", actuators: [
            (coordinate: 2, pd: (stiffness: 5, damping: 0, target: 1), limit: 0.5)])},
        integrator: (method: "variational-2", dt: 0.01))"#);
    let mut worst = 0.0_f64;
    for _ in 0..400 {
        let _ = step(&mut sim);
        worst = worst.max(sim.sample().energy_error.abs());
    }
    // Seven times past half a turn. A work with the mean of both ends, of which the limit cuts one at either side, is
    // 0.5 N·m over 0.12 rad wrong each time, and came to 0.6 J. What is left is the swing of the method's energy where the
    // limit bends the torque, which returns: 0.5 N·m over half a step's turn, 0.06 rad.
    assert!(worst < 0.03, "{worst} J");
}

/// A torque that turns a rod by more than a quarter in the shortest interval that is tried: a motion is found, and the law
/// that it breaks is told with both bodies and with what helps.
#[test]
fn a_motion_too_fast_for_any_interval_is_told_by_its_law() {
    let mut sim = run(r#"(version: 1, gravity: (0, 0, 0),
        bodies: {"post": (mass: 1e6, inertia: (1e6, 1e6, 1e6)), "rod": (mass: 1, inertia: (0.1, 0.1, 0.1))},
        joints: {"hinge": (kind: revolute, parent: "post", child: "rod", axis: (0, 0, 1))},
        wrenches: {"push": (body: "rod", torque: (0, 0, 1e13))},
        integrator: (method: "variational-2", dt: 0.01))"#);
    let before = sim.state().digest();
    let error = sim.step(&Input::default()).expect_err("it is too fast");
    assert!(matches!(error, StepError::TooLong { .. }), "{error}");
    let said = error.to_string();
    for word in [
        "body `rod`",
        "joint `hinge`",
        "body `post`",
        "quarter turn",
        "smaller dt",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert_eq!(sim.state().digest(), before);
    assert_eq!(sim.state().bodies[1].position, Vec3::zeros());
}
