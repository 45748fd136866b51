//! The laws of contact by themselves, on every contact point of every step of motions that slide, stick, roll, tip,
//! land and leave.

use crate::contact::clearance::clearance;
use crate::contact::touching::{DOWN, start, watch};
use crate::mechanics::mechanisms::Workshop;
use driftless::integrators::Outcome;
use driftless::math::{Quat, Vec3};
use driftless::model::{ContactKey, ContactState, ContactStatus, Model, State};
use driftless::sim::Simulation;

const DT: f64 = 0.01;

/// A block thrown so that it slides, tips over its edges and comes to rest.
fn tossed() -> (Model, State) {
    let mut w = Workshop::touching(DOWN, 0.4, 0.0);
    w.floor();
    let turn = Quat::from_scaled_axis(Vec3::new(0.4, 0.5, -0.3));
    let block = w.block(1.2, Vec3::new(0.3, 0.4, 0.5), Vec3::z() * 0.6, turn);
    w.moving(block, Vec3::new(3.0, -1.0, 0.5), Vec3::new(2.0, 1.0, -4.0));
    w.finish()
}

/// Blocks that lie askew on each other, pushed sideways at the top.
fn leaning() -> (Model, State) {
    let mut w = Workshop::touching(DOWN, 0.5, 0.0);
    w.floor();
    for k in 0..4 {
        let turn = Quat::from_scaled_axis(Vec3::z() * (0.3 * f64::from(k)));
        let at = Vec3::new(
            0.05 * f64::from(k),
            0.02 * f64::from(k * k),
            0.1 + 0.2 * f64::from(k),
        );
        let block = w.block(1.0, Vec3::new(0.4, 0.3, 0.2), at, turn);
        w.moving(block, Vec3::x() * (0.8 * f64::from(k)), Vec3::zeros());
    }
    w.finish()
}

/// Balls of different weight poured into a well.
fn poured() -> (Model, State) {
    let mut w = Workshop::touching(DOWN, 0.3, 0.0);
    w.well(0.8);
    for k in 0..9u32 {
        let along = |n: u32| f64::from((k * 7 + n * 5) % 11) / 11.0 - 0.5;
        let at = Vec3::new(0.5 * along(1), 0.5 * along(2), 0.3 + 0.25 * f64::from(k));
        let ball = w.ball(0.2 + 0.3 * f64::from(k % 3), 0.1, at);
        w.moving(
            ball,
            Vec3::zeros(),
            Vec3::new(along(3), along(4), along(5)) * 20.0,
        );
    }
    w.finish()
}

/// Runs all of them and shows every state with contact.
fn everywhere(mut look: impl FnMut(&str, &mut Simulation)) {
    for (name, mechanism) in [
        ("tossed", tossed()),
        ("leaning", leaning()),
        ("poured", poured()),
    ] {
        let mut sim = start(&mechanism, DT);
        watch(&mut sim, 250, |sim| look(name, sim));
    }
}

/// Weight of the whole scene [N].
fn weight(sim: &Simulation) -> f64 {
    sim.model().bodies.iter().map(|b| b.mass * 9.81).sum()
}

#[test]
fn nothing_penetrates() {
    everywhere(|name, sim| {
        let found = clearance(sim.model(), sim.state());
        // The verified solution: a nanometre is what the figures ask of a single box.
        assert!(
            found > -1e-9,
            "{name}, step {}: {found:e} m",
            sim.state().step
        );
        let reported = sim.report().contact.penetration;
        assert!((0.0..1e-9).contains(&reported), "{name}: {reported:e} m");
    });
}

#[test]
fn forces_push_and_only_where_the_gap_is_closed() {
    let mut pushed = 0;
    everywhere(|name, sim| {
        let tolerance = sim.settings().tolerance;
        for c in &sim.state().contacts {
            let force = c.normal_force();
            assert!(force >= 0.0, "{name}: {c:?} pulls");
            // Complementarity is at most the tolerance asked for [N·m].
            assert!(c.gap.max(0.0) * force <= tolerance, "{name}: {c:?}");
            pushed += u32::from(force > 1.0);
            let tangential = c.friction_force().norm();
            assert!(
                c.status != ContactStatus::Open || force + tangential == 0.0,
                "{name}: open, yet {c:?}"
            );
        }
        assert!(sim.report().contact.complementarity <= tolerance, "{name}");
    });
    assert!(
        pushed > 1000,
        "{pushed} points pushed: the motions must touch"
    );
}

#[test]
fn friction_stays_in_its_cone() {
    let (mut inside, mut at_bound) = (0, 0);
    everywhere(|name, sim| {
        let scale = weight(sim);
        for c in &sim.state().contacts {
            let (tangential, bound) = (c.friction_force().norm(), c.friction * c.normal_force());
            // The solver's 1e-9 m/s of a body's mass over a step, in units of the weight.
            assert!(tangential <= bound + 1e-7 * scale, "{name}: {c:?}");
            if bound > 1e-3 * scale {
                inside += u32::from(tangential < 0.9 * bound);
                at_bound += u32::from(tangential > 0.999 * bound);
            }
        }
        assert!(
            sim.report().contact.cone_violation <= 1e-7 * scale,
            "{name}"
        );
    });
    assert!(inside > 100 && at_bound > 100, "{inside} {at_bound}");
}

#[test]
fn friction_opposes_the_slip_with_all_it_has_and_holds_where_nothing_slips() {
    let (mut slid, mut stuck) = (0, 0);
    everywhere(|name, sim| {
        let scale = weight(sim);
        for c in sim
            .state()
            .contacts
            .iter()
            .filter(|c| c.normal_force() > 1e-3 * scale)
        {
            let bound = c.friction * c.normal_force();
            match c.status {
                // Maximum dissipation: the direction error of a slip known to 1e-9 m/s.
                ContactStatus::Sliding if c.slip.norm() > 1e-3 => {
                    let off = c.friction_force() + c.slip.normalize() * bound;
                    assert!(off.norm() < 1e-5 * bound, "{name}: {c:?}");
                    slid += 1;
                }
                ContactStatus::Sticking => {
                    // The tolerance asked for, over the lightest share of a body; where the iteration stalled, the
                    // 1e-7 m/s that are still used.
                    let converged = sim.report().outcome == Outcome::Converged;
                    let limit = if converged { 1e-8 } else { 1e-7 };
                    assert!(c.slip.norm() < limit, "{name}: {c:?}");
                    stuck += 1;
                }
                ContactStatus::Sliding | ContactStatus::Open => {}
            }
        }
    });
    assert!(slid > 100 && stuck > 100, "{slid} {stuck}");
}

#[test]
fn the_slip_is_that_of_the_bodies_and_lies_in_the_contact_plane() {
    let mut closed: Vec<ContactKey> = Vec::new();
    everywhere(|name, sim| {
        let state = sim.state();
        for c in state.contacts.iter().filter(|c| c.normal_force() > 0.0) {
            assert!((c.normal.norm() - 1.0).abs() < 1e-12, "{name}: {c:?}");
            let along = c.slip.dot(&c.normal).abs();
            assert!(along < 1e-9 * (1.0 + c.slip.norm()), "{name}: {c:?}");
            // In the step of an impact the bodies were apart at first, and the point of attack half way between.
            if !closed.contains(&c.key) {
                continue;
            }
            // Velocities of the interval, as the state holds them; the arms have turned with their bodies since.
            let motion = |k: usize| {
                c.bodies[k].map_or((Vec3::zeros(), 0.0), |b| {
                    let at = &state.bodies[b.0];
                    let (arm, spin) = (c.point - at.position, at.velocity.angular);
                    let turned = spin.norm_squared() * arm.norm() * DT;
                    (at.velocity.linear + spin.cross(&arm), turned)
                })
            };
            let (first, second) = (motion(0), motion(1));
            let across = first.0 - second.0;
            let across = across - c.normal * across.dot(&c.normal);
            let allowed = 1.5 * (first.1 + second.1) + 0.2 * c.slip.norm() + 1e-8;
            assert!(
                (across - c.slip).norm() < allowed,
                "{name}: {c:?} {across:?}"
            );
        }
        closed.clear();
        closed.extend(
            state
                .contacts
                .iter()
                .filter(|c| c.gap < 1e-6)
                .map(|c| c.key),
        );
    });
}

#[test]
fn what_the_bodies_feel_is_what_the_contacts_push() {
    // Once all is at rest, the forces of the ground carry the weight, and those of every body balance.
    for (name, mechanism) in [("leaning", leaning()), ("poured", poured())] {
        let mut sim = start(&mechanism, DT);
        watch(&mut sim, 600, |_| {});
        let contacts = sim.state().contacts.clone();
        for (k, body) in sim.model().bodies.iter().enumerate() {
            let share = |c: &ContactState| match c.bodies {
                [Some(a), _] if a.0 == k => c.force,
                [_, Some(b)] if b.0 == k => -c.force,
                _ => Vec3::zeros(),
            };
            let at = sim.state().bodies[k].position;
            let force: Vec3 = contacts.iter().map(share).sum();
            let torque: Vec3 = contacts
                .iter()
                .map(|c| (c.point - at).cross(&share(c)))
                .sum();
            let left = force + DOWN * body.mass;
            // 1e-9 m/s of velocity over a step of 0.01 s is 1e-7 m/s², of a kilogram.
            assert!(left.norm() < 1e-5, "{name}: body {k} feels {left:?} N");
            assert!(
                torque.norm() < 1e-5,
                "{name}: body {k} feels {torque:?} N·m"
            );
        }
    }
}
