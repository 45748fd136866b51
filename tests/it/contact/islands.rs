//! Islands that touch: contacts of their own, and islands that meet.

use super::touching::DOWN;
use crate::mechanics::determinism::bits;
use crate::mechanics::islands::{body_bits, rotor, started, step, throw_round};
use crate::mechanics::mechanisms::Workshop;
use crate::mechanics::random::Numbers;
use driftless::integrators::Fallback;
use driftless::math::{Quat, Vec3};
use driftless::model::{BodyId, JointKind};

/// A block that is thrown on a floor, beside rotors that come before it in the scene and after it: the same contacts.
#[test]
fn a_thrown_block_hits_the_floor_as_in_a_scene_of_its_own() {
    for seed in 0..8 {
        let scene = |rotors: bool| {
            let mut numbers = Numbers(seed);
            let mut w = Workshop::touching(DOWN, 0.4, 0.3);
            w.floor();
            if rotors {
                rotor(&mut w, 100.0, 250.0);
            }
            let turn = Quat::from_scaled_axis(numbers.vector() * 3.0);
            let block = w.block(1.0, Vec3::new(0.2, 0.3, 0.1), Vec3::z() * 0.5, turn);
            w.moving(block, numbers.vector() * 3.0, numbers.vector() * 10.0);
            if rotors {
                rotor(&mut w, -100.0, 900.0);
            }
            w.finish()
        };
        let (mut alone, mut sim) = (started(scene(false)), started(scene(true)));
        let mut touched = 0;
        for k in 0..150 {
            for sim in [&mut sim, &mut alone] {
                let _ = step(sim).expect("it steps");
            }
            let [a, b] = [&sim, &alone].map(|sim| sim.state());
            assert_eq!(
                body_bits(&a.bodies[1..2]),
                body_bits(&b.bodies),
                "seed {seed}, step {k}"
            );
            assert_eq!(a.contacts.len(), b.contacts.len());
            for (a, b) in a.contacts.iter().zip(&b.contacts) {
                assert_eq!(a.bodies, [Some(BodyId(1)), None]);
                assert_eq!((a.force, a.gap, a.rebound), (b.force, b.gap, b.rebound));
                touched += u32::from(b.normal_force() > 0.0);
            }
            assert_eq!(
                (a.work.impact, a.work.friction),
                (b.work.impact, b.work.friction)
            );
        }
        assert!(touched > 0, "seed {seed} never touched the floor");
    }
}

/// A rod at rest on a hinge that a torque throws round in one step, and a ball in its way, farther from it than a body at
/// rest can be foreseen to come: they are one island once the rod came that far, and the ball does not let it through.
#[test]
fn an_island_that_comes_farther_than_foreseen_meets_what_is_there() {
    let mut w = Workshop::touching(Vec3::zeros(), 0.0, 0.0);
    let rod = w.block(
        1.0,
        Vec3::new(1.0, 0.1, 0.1),
        Vec3::x() * 0.5,
        Quat::identity(),
    );
    w.joint(JointKind::Revolute, None, rod, Vec3::zeros(), Vec3::z());
    let ball = w.ball(1.0, 0.1, Vec3::new(0.45, 0.45, 0.0));
    // Another far away, an island of its own.
    w.ball(1.0, 0.1, Vec3::new(9.0, 0.0, 0.0));
    throw_round(&mut w, rod, 2e4);
    let mut sim = started(w.finish());
    let report = step(&mut sim).expect("it steps");
    assert!(
        report.fallback >= Fallback::Substeps,
        "{:?}",
        report.fallback
    );
    let state = sim.state();
    let pushed = state.bodies[ball.0].velocity.linear;
    // The ball was hit on the side of the rod, and nothing else moves it.
    assert!(pushed.norm() > 1.0, "{pushed}");
    assert_eq!(state.bodies[2].velocity.linear, Vec3::zeros());
    // A hundred-thousandth of the ball, which shorter steps would mend.
    assert!(
        report.contact.penetration < 1e-6,
        "{}",
        report.contact.penetration
    );
    let on_rod = state.bodies[rod.0].orientation.inverse()
        * (state.bodies[ball.0].position - state.bodies[rod.0].position);
    assert!(
        on_rod.y > 0.15 - 1e-6 || on_rod.x > 0.5,
        "the ball is at {on_rod} of the rod"
    );
}

/// Workspaces of islands are no memory: a simulation that took another way before goes on to the same bits.
#[test]
fn continuing_where_islands_have_pasts_of_their_own_gives_the_same_bits() {
    let scene = || {
        let mut w = Workshop::touching(DOWN, 0.4, 0.5);
        w.floor();
        for (k, height) in [0.3, 0.5, 0.52].into_iter().enumerate() {
            let block = w.block(
                1.0,
                Vec3::repeat(0.1),
                Vec3::new(0.3 * k as f64, 0.0, height),
                Quat::identity(),
            );
            w.moving(
                block,
                Vec3::x() * (1.0 - k as f64),
                Vec3::new(1.0, 2.0, 3.0),
            );
        }
        let wheel = rotor(&mut w, 50.0, 120.0);
        // It comes to rest, so that steps are cut at first and then no more.
        w.parts.joints[0].damping_rotation = 0.02;
        assert_eq!(wheel, BodyId(3));
        started(w.finish())
    };
    let (mut first, mut second) = (scene(), scene());
    let mut saved = Vec::new();
    let mut cuts = Vec::new();
    for k in 0..80 {
        if k % 10 == 5 {
            saved.push((k, first.state().clone()));
        }
        cuts.push(step(&mut first).expect("it steps").substeps > 0);
    }
    assert!(cuts.contains(&true) && cuts.contains(&false), "{cuts:?}");
    for (from, state) in saved.into_iter().rev() {
        second.load(state).expect("it is closed");
        for _ in from..80 {
            let _ = step(&mut second).expect("it steps");
        }
        assert_eq!(
            bits(first.state()),
            bits(second.state()),
            "from step {from}"
        );
        assert_eq!(first.state().memory, second.state().memory);
    }
}
