//! Contacts, limits and cables of the compliant method against Coulomb's law, formulas and counted work.

use crate::contact::touching::DOWN;
use crate::mechanics::bench::{run, settings, simulation};
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::math::{Quat, Vec3};
use driftless::model::{Attachment, Cable, Compliance, JointKind, JointLimit, Model, State};
use driftless::sim::Simulation;

fn compliant(mechanism: &(Model, State), dt: f64) -> Simulation {
    simulation(mechanism, "compliant", settings(dt, 1e-10))
}

fn spring(stiffness: f64, damping: f64) -> Compliance {
    Compliance { stiffness, damping }
}

/// A workshop whose surfaces give.
fn soft(friction: f64, own: Compliance) -> Workshop {
    let mut w = Workshop::touching(DOWN, friction, 0.0);
    let rules = w.parts.contact.as_mut().expect("it has rules");
    // Two of them, one behind the other, give what is asked for.
    rules.materials[0].compliance = spring(2.0 * own.stiffness, 2.0 * own.damping).into();
    w
}

/// [Drumwright fig. 9]: the distances of Coulomb's law within 1 % at a millisecond, and no creep where it sticks.
#[test]
fn a_block_slides_as_far_as_coulombs_law_says_and_does_not_creep() {
    let angle = 15f64.to_radians();
    let published = [1.26951, 0.67727, 0.08504, 0.0];
    for own in [Compliance::RIGID, spring(1e10, 1.0)] {
        for (friction, distance) in [0.0, 0.125, 0.25, 0.375].into_iter().zip(published) {
            let turn = Quat::from_scaled_axis(Vec3::y() * angle);
            let mut w = Workshop::touching(DOWN, friction, 0.0);
            w.parts.contact.as_mut().expect("rules").materials[0].compliance = own.into();
            w.ground(Vec3::zeros(), turn);
            let size = Vec3::new(0.2, 0.1, 0.05);
            w.block(1.0, size, turn * Vec3::z() * 0.025, turn);
            let mechanism = w.finish();
            let mut sim = compliant(&mechanism, 1e-3);
            run(&mut sim, 1000);
            let moved = sim.state().bodies[0].position - mechanism.1.bodies[0].position;
            let found = moved.dot(&(turn * Vec3::x()));
            assert!(
                (found - distance).abs() <= 0.01 * distance + 1e-9,
                "µ = {friction}, {own:?}: {found} m"
            );
        }
    }
}

/// A ball rests its weight over the stiffness deep, whatever the step.
#[test]
fn a_ball_rests_as_deep_as_its_weight_asks() {
    for (h, stiffness) in [(0.01, 1e4), (1e-3, 1e6), (0.1, 1e8)] {
        let mut w = soft(0.5, spring(stiffness, 50.0));
        w.floor();
        w.ball(2.0, 0.1, Vec3::z() * 0.1);
        let mut sim = compliant(&w.finish(), h);
        run(&mut sim, (6.0 / h) as u64);
        let depth = 0.1 - sim.state().bodies[0].position.z;
        let wanted = 2.0 * G / stiffness;
        assert!(
            (depth - wanted).abs() < 1e-6 * wanted + 1e-14,
            "{depth:e} {wanted:e}"
        );
        let force = sim.state().contacts[0].normal_force();
        assert!((force - 2.0 * G).abs() < 1e-6 * G, "{force}");
    }
}

/// A stack stands on its own: nothing moves sideways, and every ball has sunk by what all above it weigh.
#[test]
fn a_stack_of_balls_stands_and_costs_the_same_for_each() {
    let stack = |count: usize| {
        let mut w = soft(0.5, spring(1e8, 1e3));
        w.floor();
        for k in 0..count {
            w.ball(1.0, 0.05, Vec3::z() * (0.05 + 0.1 * k as f64));
        }
        let mut sim = compliant(&w.finish(), 0.01);
        let mut work = 0.0;
        for k in 0..500 {
            run(&mut sim, 1);
            if k >= 400 {
                work += sim.report().contact.work;
            }
        }
        let bodies = &sim.state().bodies;
        let mut height = 0.05;
        for (k, body) in bodies.iter().enumerate() {
            height -= (count - k) as f64 * G / 1e8;
            let p = body.position;
            assert!(p.x.abs() + p.y.abs() < 1e-9, "{k} of {count}: {p}");
            assert!(
                (p.z - height).abs() < 1e-8,
                "{k} of {count}: {}",
                p.z - height
            );
            height += 0.1;
        }
        work / count as f64
    };
    let [few, many] = [10, 40].map(stack);
    assert!(many < 1.2 * few && few < 1.2 * many, "{few} {many}");
}

/// [Drumwright fig. 6]: a pendulum that falls on a stiff limit stops dead where the step is long for the limit, and comes back
/// where it is short.
#[test]
fn an_impact_on_a_limit_is_dead_in_long_steps_and_elastic_in_short_ones() {
    let back = |h: f64| {
        let mut w = Workshop::new(DOWN);
        let rod = w.rod(1.0, Vec3::zeros(), Vec3::x());
        let hinge = w.joint(JointKind::Revolute, None, rod, Vec3::zeros(), Vec3::y());
        // Down is a quarter turn from where it starts.
        hinge.limits.push(JointLimit {
            coordinate: 0,
            lower: f64::NEG_INFINITY,
            upper: std::f64::consts::FRAC_PI_2,
            restitution: 0.0,
            compliance: spring(1e5, 0.0),
        });
        let mut sim = compliant(&w.finish(), h);
        let first = sim.energy().total();
        let time = 1.0;
        run(&mut sim, (time / h).round() as u64);
        let fell = G * 0.5;
        1.0 - (first - sim.energy().total()) / fell
    };
    // The swing on the limit is √(3 k/(m l²)) = 550 rad/s.
    let (dead, elastic) = (back(0.02), back(5e-6));
    assert!(dead.abs() < 0.02, "{dead}");
    assert!((elastic - 1.0).abs() < 0.02, "{elastic}");
}

/// A weight on a cable hangs lower by its weight over the stiffness.
#[test]
fn a_cable_stretches_by_the_weight_over_its_stiffness() {
    let mut w = Workshop::new(DOWN);
    let bob = w.body(
        4.0,
        driftless::math::Mat3::identity(),
        Vec3::z() * -1.0,
        Quat::identity(),
    );
    let end = |body| Attachment {
        body,
        point: Vec3::zeros(),
    };
    w.parts.cables.push(Cable {
        name: "rope".into(),
        ends: [end(None), end(Some(bob))],
        length: 1.0,
        restitution: 0.0,
        compliance: spring(2e4, 400.0),
    });
    let mut sim = compliant(&w.finish(), 0.01);
    run(&mut sim, 1000);
    let stretch = -1.0 - sim.state().bodies[0].position.z;
    assert!((stretch - 4.0 * G / 2e4).abs() < 1e-9, "{stretch:e}");
    assert!((sim.state().limits[0].force - 4.0 * G).abs() < 1e-4);
}

/// Joints, limits and contacts in one island: a row of blocks on hinges with limits falls on the floor and lies there.
#[test]
fn a_jointed_row_of_blocks_falls_and_lies_still() {
    let mut w = Workshop::touching(DOWN, 0.6, 0.0);
    w.floor();
    let size = Vec3::new(0.28, 0.1, 0.1);
    let mut last = None;
    for k in 0..5 {
        let at = Vec3::new(0.3 * k as f64, 0.0, 0.4);
        let block = w.block(1.0, size, at, Quat::identity());
        if let Some(before) = last {
            let point = at - Vec3::x() * 0.15;
            let joint = w.joint(JointKind::Revolute, Some(before), block, point, Vec3::y());
            joint.limits.push(JointLimit {
                coordinate: 0,
                lower: -0.5,
                upper: 0.5,
                restitution: 0.0,
                compliance: Compliance::RIGID,
            });
        }
        last = Some(block);
    }
    w.moving(driftless::model::BodyId(0), Vec3::zeros(), Vec3::y() * 2.0);
    let mut sim = compliant(&w.finish(), 0.005);
    let first = sim.energy().total();
    for _ in 0..600 {
        run(&mut sim, 1);
        assert!(sim.energy().total() < first + 0.5, "it gains nothing");
        assert!(sim.report().contact.penetration < 2e-3);
        assert!(sim.sample().drift_position < 1e-6);
    }
    for body in &sim.state().bodies {
        assert!((body.position.z - 0.05).abs() < 1e-4, "{}", body.position.z);
        assert!(
            body.velocity.linear.norm() < 1e-5,
            "{}",
            body.velocity.linear
        );
    }
}
