//! Fast bodies against the compliant method: nothing tunnels, and nothing is hit that is not met.

use crate::mechanics::bench::{run, settings, simulation};
use crate::mechanics::mechanisms::Workshop;
use driftless::math::{Quat, Vec3};
use driftless::sim::Simulation;

/// A bullet along x, and a box of a kilogramme whose near face is at the origin and whose top is this high [m]; `behind`
/// it a second one.
fn shot(speed: f64, top: f64, behind: bool) -> Simulation {
    let mut w = Workshop::touching(Vec3::zeros(), 0.3, 0.0);
    let bullet = w.ball(0.01, 0.005, Vec3::x() * -1.3);
    w.moving(bullet, Vec3::x() * speed, Vec3::zeros());
    let size = Vec3::new(0.2, 0.2, 0.2);
    let at = Vec3::new(0.1, 0.0, top - 0.1);
    w.block(1.0, size, at, Quat::identity());
    if behind {
        let at = at + Vec3::x() * 0.25;
        w.block(1.0, size, at, Quat::identity());
    }
    simulation(&w.finish(), "compliant", settings(0.01, 1e-10))
}

/// It stops in the box it hits, which goes on with all of its momentum: 5 m/s of a hundredth of the mass at 500 m/s. The
/// bullet would have been five metres away after a step.
#[test]
fn a_bullet_is_stopped_by_a_free_box() {
    for speed in [50.0, 500.0, 2000.0] {
        let mut sim = shot(speed, 0.1, false);
        run(&mut sim, 6);
        let [bullet, target] = [0, 1].map(|b| &sim.state().bodies[b]);
        let apart = target.position.x - bullet.position.x;
        assert!((apart - 0.105).abs() < 1e-3, "{speed}: {apart}");
        let common = speed * 0.01 / 1.01;
        for body in [bullet, target] {
            let found = body.velocity.linear.x;
            assert!((found - common).abs() < 1e-3 * common, "{speed}: {found}");
        }
    }
}

/// What is hit does not tunnel either, through what it did not come near to before.
#[test]
fn what_a_bullet_hits_is_stopped_by_what_stands_behind() {
    let mut sim = shot(2000.0, 0.1, true);
    run(&mut sim, 6);
    let x = [0, 1, 2].map(|b| sim.state().bodies[b].position.x);
    assert!(x[1] - x[0] > 0.104 && x[2] - x[1] > 0.199, "{x:?}");
    let momentum: f64 = sim.sample().momentum.linear.x;
    assert!((momentum - 20.0).abs() < 1e-9, "{momentum}");
}

/// A tangent plane of a corner reaches farther than the box: what passes beside it goes on as it came.
#[test]
fn a_bullet_that_passes_beside_a_box_is_not_stopped() {
    let mut sim = shot(500.0, -0.02, false);
    run(&mut sim, 3);
    let velocity = sim.state().bodies[0].velocity.linear;
    assert!((velocity - Vec3::x() * 500.0).norm() < 1e-9, "{velocity}");
    assert!(sim.state().bodies[1].velocity.linear.norm() < 1e-9);
}

/// Thin walls and thick ones hold what flies at them, at every angle.
#[test]
fn a_bullet_does_not_pass_a_wall() {
    for thickness in [0.002, 1.0] {
        for slope in [0.0, 0.5, 1.0] {
            let turn = Quat::from_scaled_axis(Vec3::y() * slope);
            let mut w = Workshop::touching(Vec3::zeros(), 0.3, 0.0);
            let bullet = w.ball(0.01, 0.005, Vec3::x() * -1.3);
            w.moving(bullet, Vec3::x() * 500.0, Vec3::zeros());
            let size = Vec3::new(thickness, 60.0, 60.0);
            let wall = w.block(1e9, size, Vec3::zeros(), turn);
            let mut sim = simulation(&w.finish(), "compliant", settings(0.01, 1e-10));
            for _ in 0..5 {
                run(&mut sim, 1);
                let (bullet, wall) = (&sim.state().bodies[bullet.0], &sim.state().bodies[wall.0]);
                let local = wall.orientation.inverse() * (bullet.position - wall.position);
                let front = -0.5 * thickness - 0.005;
                assert!(local.x < front + 5e-4, "{thickness} {slope}: {local}");
            }
        }
    }
}
