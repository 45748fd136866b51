//! Cables: ropes that catch, swing, hold and yield, against closed forms and laws of conservation.

use crate::contact::touching::{DOWN, fastest, start, watch};
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{Attachment, Cable, JointKind};
use driftless::sim::Simulation;

/// A ball on a rope of 1 m, let go from beside and above where it would hang.
fn roped(start_at: Vec3, restitution: f64, dt: f64) -> Simulation {
    let mut w = Workshop::new(DOWN);
    let ball = w.body(2.0, Mat3::identity() * 1e-3, start_at, Quat::identity());
    w.parts.cables.push(Cable {
        name: "rope".into(),
        ends: [
            Attachment {
                body: None,
                point: Vec3::zeros(),
            },
            Attachment {
                body: Some(ball),
                point: Vec3::zeros(),
            },
        ],
        length: 1.0,
        restitution,
        compliance: Default::default(),
    });
    start(&w.finish(), dt)
}

#[test]
fn a_falling_ball_is_caught_by_its_rope_and_swings() {
    // It falls freely from (0.6, 0) to where the rope is taut, (0.6, -0.8), and arrives with √(2 g 0.8).
    let dt = 1e-3;
    let mut sim = roped(Vec3::x() * 0.6, 0.0, dt);
    let mut caught = None;
    let mut lowest_speed = 0.0f64;
    let mut leftmost = 0.0f64;
    watch(&mut sim, 1600, |sim| {
        let at = sim.state().bodies[0].position;
        assert!(at.norm() < 1.0 + 1e-9, "the rope is {} m long", at.norm());
        let v = sim.velocities()[0].linear;
        let limit = sim.state().limits[0];
        assert!(limit.force >= 0.0, "a rope pulls: {limit:?}");
        if caught.is_none() && limit.force > 0.0 {
            caught = Some((sim.state().time, at));
        }
        if caught.is_some() {
            lowest_speed = lowest_speed.max(v.norm());
        }
        leftmost = leftmost.min(at.x);
    });
    let (time, at) = caught.expect("the rope gets taut");
    assert!(
        (time - (1.6 / G).sqrt()).abs() < 2.0 * dt,
        "taut at {time} s"
    );
    assert!((at - Vec3::new(0.6, 0.0, -0.8)).norm() < 5e-3, "{at:?}");
    // Along the rope the speed is lost, across it 0.6 of it stays; the swing gains what the last 0.2 m give.
    let across = 0.6 * (2.0 * G * 0.8f64).sqrt();
    let below = (across * across + 2.0 * G * 0.2).sqrt();
    // A step of 1e-3 s moves it by 4 mm of the metre.
    assert!(
        (lowest_speed / below - 1.0).abs() < 0.01,
        "{lowest_speed} {below}"
    );
    // On the other side it rises to 1 - below²/2g from the bottom.
    let rise = below * below / (2.0 * G);
    let wanted = -(1.0 - (1.0 - rise).powi(2)).sqrt();
    assert!((leftmost - wanted).abs() < 0.01, "{leftmost} {wanted}");
}

#[test]
fn an_elastic_rope_reverses_the_speed_along_it() {
    for restitution in [0.5, 1.0] {
        let mut sim = roped(Vec3::z() * -0.5, restitution, 1e-3);
        let first = sim.energy().total();
        let (mut taut, mut highest) = (false, -1.0f64);
        // 0.32 s down, as much up.
        watch(&mut sim, 700, |sim| {
            let z = sim.state().bodies[0].position.z;
            assert!(z > -1.0 - 1e-9, "{z} m");
            assert!(sim.energy().total() < first + 1e-9 * 20.0);
            taut |= sim.state().limits[0].force > 0.0;
            if taut {
                highest = highest.max(z);
            }
        });
        // 0.5 m of fall give e² · 0.5 m of rise; the impact lies anywhere in a step of 3 mm.
        let wanted = -1.0 + 0.5 * restitution * restitution;
        assert!(
            (highest - wanted).abs() < 5e-3,
            "e = {restitution}: {highest} {wanted}"
        );
    }
}

#[test]
fn a_hanging_load_pulls_its_rope_with_its_weight() {
    let mut sim = roped(Vec3::z() * -0.9, 0.0, 0.01);
    watch(&mut sim, 200, |_| {});
    let limit = sim.state().limits[0];
    assert!((limit.force - 2.0 * G).abs() < 1e-6, "{limit:?}");
    assert!(limit.gap.abs() < 1e-9, "{limit:?}");
    assert!(fastest(&mut sim) < 1e-9);
}

#[test]
fn a_rope_between_two_bodies_keeps_their_momentum() {
    let mut w = Workshop::new(Vec3::zeros());
    let ends = [Vec3::zeros(), Vec3::x() * 0.4]
        .map(|at| w.body(1.0, Mat3::identity() * 0.01, at, Quat::identity()));
    w.moving(ends[1], Vec3::new(2.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 3.0));
    w.parts.cables.push(Cable {
        name: "rope".into(),
        ends: ends.map(|b| Attachment {
            body: Some(b),
            point: Vec3::new(0.02, 0.05, 0.0),
        }),
        length: 1.0,
        restitution: 0.3,
        compliance: Default::default(),
    });
    let mut sim = start(&w.finish(), 0.01);
    let before = sim.sample().momentum;
    let mut taut = false;
    watch(&mut sim, 300, |sim| {
        taut |= sim.state().limits[0].force > 0.0
    });
    assert!(taut, "it gets taut");
    let after = sim.sample().momentum;
    let linear = (after.linear - before.linear).norm();
    // Each step is solved to 1e-10 N and N·m over 0.01 s, 300 times.
    assert!(linear < 5e-10, "{linear:e} N s");
    let angular = (after.angular - before.angular).norm();
    assert!(angular < 5e-10, "{angular:e} N m s");
}

#[test]
fn a_rope_that_a_joint_keeps_too_long_yields_and_no_step_fails() {
    for dt in [0.01, 1e-3] {
        let mut w = Workshop::new(DOWN);
        let inertia = Mat3::identity() * 1e-2;
        let body = w.body(2.0, inertia, Vec3::z() * -1.0, Quat::identity());
        w.joint(JointKind::Fixed, None, body, Vec3::zeros(), Vec3::z());
        w.parts.cables.push(Cable {
            name: "rope".into(),
            ends: [None, Some(body)].map(|body| Attachment {
                body,
                point: Vec3::zeros(),
            }),
            length: 0.9,
            restitution: 0.5,
            compliance: Default::default(),
        });
        let mut sim = start(&w.finish(), dt);
        let first = sim.energy().total();
        // The joint holds the body 0.1 m farther away than the rope allows. Only contacts with friction used to yield
        // where nothing is left to be tried: every step failed.
        watch(&mut sim, 20, |_| {});
        let outcomes = sim.outcomes();
        assert_eq!(
            (outcomes.relaxed, outcomes.converged),
            (20, 0),
            "{outcomes:?}"
        );
        assert!(sim.sample().drift_position < 1e-8, "{:?}", sim.sample());
        let limit = sim.state().limits[0];
        assert!(
            (limit.gap + 0.1).abs() < 1e-8 && limit.force > 0.0,
            "{limit:?}"
        );
        assert!((sim.energy().total() - first).abs() < 1e-6 * first.abs());
    }
}

#[test]
fn a_rope_beside_a_joint_that_already_holds_its_ends_makes_no_energy() {
    // Two bodies welded together tumble freely; the rope between them is just taut, so that its tension is anything.
    let mut w = Workshop::new(Vec3::zeros());
    let ends = [Vec3::zeros(), Vec3::new(0.3, -0.4, 0.5)].map(|at| {
        let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.05, 0.04));
        w.body(1.0, inertia, at, Quat::identity())
    });
    w.joint(
        JointKind::Fixed,
        Some(ends[0]),
        ends[1],
        Vec3::zeros(),
        Vec3::z(),
    );
    // Both turn about the axis through the first one's centre.
    let spin = Vec3::new(1.0, -2.0, 0.5);
    w.moving(ends[0], Vec3::zeros(), spin);
    w.moving(ends[1], spin.cross(&Vec3::new(0.3, -0.4, 0.5)), spin);
    let points = [Vec3::new(-0.1, 0.2, 0.1), Vec3::new(0.1, 0.1, -0.2)];
    let span = Vec3::new(0.3, -0.4, 0.5) + points[1] - points[0];
    w.parts.cables.push(Cable {
        name: "rope".into(),
        ends: [0, 1].map(|k| Attachment {
            body: Some(ends[k]),
            point: points[k],
        }),
        length: span.norm(),
        restitution: 1.0,
        compliance: Default::default(),
    });
    let mut sim = start(&w.finish(), 0.01);
    let first = sim.energy().total();
    watch(&mut sim, 500, |sim| {
        let [impact, _] = sim.sample().contact_loss;
        // In the random mechanism that showed it, 9.7e6 J were "lost to impacts" of 105 J that there were.
        assert!(
            impact.abs() < 1e-3 * first && (sim.energy().total() / first - 1.0).abs() < 1e-2,
            "{impact:e} J, {} of {first} J",
            sim.energy().total()
        );
    });
}

/// A cable between bodies that are fixed to one another has one length: it pulls nothing, and takes nothing of the
/// energy, however rounding opens it. Both runs solve the same equations to 1e-10 of what is handled, over 500 steps.
#[test]
fn a_cable_along_what_is_rigid_does_nothing() {
    let run = |cables: &str| {
        let text = format!(
            r#"(version: 1, bodies: {{
                "a": (mass: 1, inertia: (0.1, 0.2, 0.2)), "b": (mass: 2, inertia: (0.3, 0.2, 0.2)), "c": (mass: 1, inertia: (0.1, 0.1, 0.1))}},
            joints: {{
                "pivot": (kind: spherical, child: "a", child_anchor: (0.5, 0.1, 0.2), at: [0.4, 0.3, 0.1]),
                "ab": (kind: fixed, parent: "a", child: "b", anchor: (-0.3, 0.1, 0), child_anchor: (0.2, 0, 0.4)),
                "bc": (kind: fixed, parent: "b", child: "c", anchor: (-0.1, 0.2, 0), child_anchor: (0.3, 0.1, 0))}},
            {cables} integrator: (dt: 0.01))"#
        );
        let scene = driftless::scene::from_text("tied", &text, &[]).expect("the scene is right");
        let mut sim = scene.simulation().expect("it runs");
        for _ in 0..500 {
            sim.step(&driftless::sim::Input::default())
                .expect("the step holds");
        }
        (sim.state().bodies.clone(), sim.state().work)
    };
    let ends = r#"(body: "a", point: (-0.2, 0.1, 0.3)), (body: "c", point: (0.1, -0.4, 0.2))"#;
    let (tied, work) = run(&format!(
        r#"cables: {{"rope": (ends: ({ends}), restitution: 1)}},"#
    ));
    let (free, _) = run("");
    assert_eq!(work.impact, 0.0);
    for (tied, free) in tied.iter().zip(&free) {
        assert!((tied.position - free.position).norm() < 1e-8);
    }
}
