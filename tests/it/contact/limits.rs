//! Joint limits and cables: unilateral constraints against closed forms, for every coordinate of every joint.

use crate::contact::touching::{DOWN, fastest, start, step, watch};
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::math::{Mat3, Quat, Vec3};
use driftless::model::{
    Attachment, Cable, Command, Input, JointId, JointKind, JointLimit, Model, State,
};
use driftless::sim::Simulation;
use std::f64::consts::FRAC_PI_2;

/// A rod of 1 m that is let go from the horizontal and meets a limit where it hangs straight down.
fn pendulum(restitution: f64) -> (Model, State) {
    let mut w = Workshop::new(DOWN);
    let rod = w.rod(1.0, Vec3::zeros(), Vec3::y());
    let hinge = w.joint(JointKind::Revolute, None, rod, Vec3::zeros(), Vec3::x());
    // Falling turns it about -x, by a right angle from where its coordinate is zero.
    hinge.limits.push(JointLimit {
        coordinate: 0,
        lower: -FRAC_PI_2,
        upper: f64::INFINITY,
        restitution,
    });
    w.finish()
}

#[test]
fn a_pendulum_swings_back_from_its_stop_to_the_height_of_restitution() {
    for restitution in [0.0, 0.5, 1.0f64] {
        let mut sim = start(&pendulum(restitution), 1e-3);
        let (mut lowest, mut hit, mut highest, mut gained) = (0.0f64, false, -FRAC_PI_2, 0.0f64);
        let first = sim.energy().total();
        watch(&mut sim, 1600, |sim| {
            let angle = sim.coordinates(JointId(0))[0];
            lowest = lowest.min(angle);
            hit |= sim.state().limits[0].force > 0.0;
            if hit {
                highest = highest.max(angle);
            }
            gained = gained.max(sim.energy().total() - first);
        });
        // The solver's tolerance on positions.
        assert!(
            lowest > -FRAC_PI_2 - 1e-9,
            "e = {restitution}: {lowest} rad"
        );
        assert!(hit, "e = {restitution}: it meets the limit");
        // The rod's centre falls by 1/2 m; e² of that comes back: 1 - cos θ = e².
        let wanted = (1.0 - restitution * restitution).acos();
        let found = highest + FRAC_PI_2;
        // The speed at the limit is known to a step of 1e-3 s, where gravity has no lever: second order, but the
        // impact lies anywhere in the step.
        assert!(
            (found - wanted).abs() < 5e-3,
            "e = {restitution}: {found} rad, not {wanted} rad"
        );
        // The method's own error of a free pendulum at this step is 1e-6 J.
        assert!(gained < 1e-5, "e = {restitution}: {gained:e} J gained");
        if restitution == 0.0 {
            assert!(fastest(&mut sim) < 1e-9, "it hangs on its limit");
        }
    }
}

/// A body on one joint to the world, whose coordinate `c` lies between -0.2 and 0.3. Its moments are equal, so that a
/// torque about one axis moves no other coordinate.
fn limited(kind: JointKind, c: usize) -> (Model, State) {
    let mut w = Workshop::new(Vec3::zeros());
    let inertia = Mat3::identity() * 0.25;
    let body = w.body(1.5, inertia, Vec3::new(0.1, 0.2, -0.1), Quat::identity());
    let axes = Quat::from_scaled_axis(Vec3::new(0.3, -0.5, 0.2));
    let joint = w.joint_with(kind, None, body, Vec3::new(0.1, 0.2, -0.1), axes);
    joint.limits.push(JointLimit {
        coordinate: c,
        lower: -0.2,
        upper: 0.3,
        restitution: 0.0,
    });
    w.finish()
}

#[test]
fn every_coordinate_of_every_joint_stays_in_its_range_and_the_stop_pushes_back() {
    for kind in JointKind::ALL {
        for c in 0..kind.freedoms() {
            for (push, bound) in [(2.5, 0.3), (-2.5, -0.2)] {
                let mut sim = start(&limited(kind, c), 0.01);
                let input = Input {
                    commands: vec![Command {
                        joint: JointId(0),
                        coordinate: c,
                        value: push,
                    }],
                    ..Input::default()
                };
                for _ in 0..200 {
                    step(&mut sim, &input);
                    let q = sim.coordinates(JointId(0))[c];
                    assert!(
                        (-0.2 - 1e-9..=0.3 + 1e-9).contains(&q),
                        "{kind:?}, coordinate {c}: {q}"
                    );
                }
                let q = sim.coordinates(JointId(0))[c];
                assert!(
                    (q - bound).abs() < 1e-9,
                    "{kind:?}, coordinate {c}: rests at {q}"
                );
                let limit = sim.state().limits[0];
                // Equilibrium; 1e-9 m/s over a step of 0.01 s is 1e-7 of an acceleration.
                assert!(
                    (limit.force + push).abs() < 1e-5,
                    "{kind:?}, coordinate {c}: {} N against {push} N",
                    limit.force
                );
                assert!(
                    limit.gap.abs() < 1e-9,
                    "{kind:?}, coordinate {c}: {limit:?}"
                );
                assert!(fastest(&mut sim) < 1e-8, "{kind:?}, coordinate {c}");
            }
        }
    }
}

#[test]
fn both_limits_of_a_range_can_be_one_value() {
    // A hinge locked by its limits carries its load like a weld.
    let mut w = Workshop::new(DOWN);
    let rod = w.rod(1.0, Vec3::zeros(), Vec3::y());
    let hinge = w.joint(JointKind::Revolute, None, rod, Vec3::zeros(), Vec3::x());
    hinge.limits.push(JointLimit {
        coordinate: 0,
        lower: 0.0,
        upper: 0.0,
        restitution: 0.0,
    });
    let mut sim = start(&w.finish(), 0.01);
    watch(&mut sim, 200, |_| {});
    assert!(sim.coordinates(JointId(0))[0].abs() < 1e-9);
    // The lower bound pushes up against the weight of 1 kg at half a metre.
    let force = sim.state().limits[0].force;
    assert!((force - 0.5 * G).abs() < 1e-5, "{force}");
}

#[test]
fn a_limit_between_two_bodies_keeps_the_momentum_of_both() {
    let mut w = Workshop::new(Vec3::zeros());
    let inertia = Mat3::identity() * 0.1;
    let a = w.body(1.0, inertia, Vec3::zeros(), Quat::identity());
    let b = w.body(2.0, inertia, Vec3::x(), Quat::identity());
    let slide = w.joint(JointKind::Prismatic, Some(a), b, Vec3::x() * 0.5, Vec3::x());
    slide.limits.push(JointLimit {
        coordinate: 0,
        lower: -0.3,
        upper: 0.2,
        restitution: 0.5,
    });
    w.moving(a, Vec3::x() * 2.0, Vec3::zeros());
    w.moving(b, Vec3::x() * -1.0, Vec3::zeros());
    let mut sim = start(&w.finish(), 0.01);
    let before = sim.sample().momentum;
    // They close at 3 m/s, part at 1.5 m/s until the other bound, and so on: 3 · 0.5^n.
    let mut speeds = Vec::new();
    watch(&mut sim, 400, |sim| {
        let rate = sim.rates(JointId(0))[0];
        if speeds
            .last()
            .is_none_or(|last: &f64| (rate - last).abs() > 1e-6)
        {
            speeds.push(rate);
        }
        let q = sim.coordinates(JointId(0))[0];
        assert!((-0.3 - 1e-9..=0.2 + 1e-9).contains(&q), "{q}");
    });
    for wanted in [1.5, -0.75, 0.375] {
        assert!(
            speeds.iter().any(|s| (s - wanted).abs() < 1e-6),
            "no {wanted} m/s among {speeds:?}"
        );
    }
    let after = sim.sample().momentum;
    assert!((after.linear - before.linear).norm() < 1e-12);
    assert!((after.angular - before.angular).norm() < 1e-10);
}

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
