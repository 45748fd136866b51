//! Random piles: whatever is thrown into a well stays in it, in one piece, with its momentum accounted for.

use crate::contact::clearance::clearance;
use crate::contact::touching::{DOWN, Remnant, fastest, start, watch};
use crate::mechanics::mechanisms::Workshop;
use driftless::math::{Quat, Vec3};
use driftless::model::{Model, State};
use driftless::sim::Simulation;
use proptest::prelude::*;

const DT: f64 = 0.01;

/// One body of a pile.
#[derive(Debug, Clone)]
struct Piece {
    /// A ball or a block.
    round: bool,
    /// Size [m].
    size: f64,
    /// Mass [kg].
    mass: f64,
    /// Aside, as a fraction of the room there is.
    aside: [f64; 2],
    /// Orientation and spin, as rotation vectors.
    turn: [f64; 3],
    /// [m/s].
    velocity: [f64; 3],
}

fn piece() -> impl Strategy<Value = Piece> {
    let unit = || -1.0..1.0f64;
    (
        any::<bool>(),
        0.1..0.3f64,
        (0.0..3.0f64).prop_map(|exponent| 0.1 * 10f64.powf(exponent)),
        [unit(), unit()],
        [unit(), unit(), unit()],
        [unit(), unit(), unit()],
    )
        .prop_map(|(round, size, mass, aside, turn, velocity)| Piece {
            round,
            size,
            mass,
            aside,
            turn,
            velocity,
        })
}

fn pile(pieces: &[Piece], friction: f64) -> (Model, State) {
    const WIDTH: f64 = 0.8;
    let mut w = Workshop::touching(DOWN, friction, 0.0);
    w.well(WIDTH);
    let mut height = 0.0;
    for p in pieces {
        // A ball around the piece fits between the walls and above the piece before.
        let reach = if p.round {
            p.size / 2.0
        } else {
            p.size * 0.75f64.sqrt()
        };
        let room = WIDTH / 2.0 - reach - 0.01;
        let at = Vec3::new(p.aside[0] * room, p.aside[1] * room, height + reach + 0.01);
        height = at.z + reach;
        let turn = Quat::from_scaled_axis(Vec3::from(p.turn) * 3.0);
        let body = if p.round {
            w.ball(p.mass, p.size / 2.0, at)
        } else {
            w.block(p.mass, Vec3::repeat(p.size), at, turn)
        };
        w.moving(
            body,
            Vec3::from(p.velocity) * 3.0,
            Vec3::from(p.turn) * 10.0,
        );
    }
    w.finish()
}

proptest! {
    // A case takes a few hundred milliseconds.
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_piles_neither_fail_nor_leak(
        pieces in prop::collection::vec(piece(), 1..7),
        friction in 0.0..1.0f64,
    ) {
        let mechanism = pile(&pieces, friction);
        let mut sim = start(&mechanism, DT);
        let first = sim.energy().total();
        let mass: f64 = pieces.iter().map(|p| p.mass).sum();
        let momentum = |sim: &Simulation| sim.state().bodies.iter().map(|b| b.momentum).sum::<Vec3>();
        let mut before = momentum(&sim);
        for step in 0..150 {
            if let Err(error) = sim.step(&Default::default()) {
                return Err(TestCaseError::fail(format!("step {step}: {error}")));
            }
            let found = clearance(sim.model(), sim.state());
            prop_assert!(found > -1e-6, "step {step}: {found:e} m deep");
            // Cubes and balls keep the energy of free motion; contact only takes.
            let energy = sim.energy().total();
            prop_assert!(energy < first + 1e-6 * first.abs(), "step {step}: {energy} J of {first} J");
            prop_assert!(energy.is_finite());
            // Newton's second law for the whole: what gravity and the walls gave over the step.
            let now = momentum(&sim);
            let walls: Vec3 = sim.state().contacts.iter()
                .filter(|c| c.bodies[1].is_none())
                .map(|c| c.force)
                .sum();
            let given = (DOWN * mass + walls) * DT;
            let scale = 1.0 + mass + walls.norm() * DT;
            prop_assert!(
                (now - before - given).norm() < 1e-8 * scale,
                "step {step}: momentum {now:?} after {before:?} and {given:?}"
            );
            before = now;
        }
    }
}

/// Balls of random sizes in a narrow well.
fn balls(count: u32, friction: f64, ratio: f64, seed: u64) -> (Model, State) {
    let mut w = Workshop::touching(DOWN, friction, 0.0);
    w.well(1.2);
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = move || {
        // xorshift: any spread-out numbers do.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for k in 0..count {
        let radius = 0.1 + 0.06 * random();
        let layer = f64::from(k / 9);
        let (x, y) = (f64::from(k % 3) - 1.0, f64::from(k / 3 % 3) - 1.0);
        let jitter = |r: f64| 0.06 * (r - 0.5);
        let at = Vec3::new(
            0.37 * x + jitter(random()),
            0.37 * y + jitter(random()),
            0.2 + 0.36 * layer + jitter(random()),
        );
        let mass = ratio.powf(random() - 0.5);
        w.ball(mass, radius, at);
    }
    w.finish()
}

#[test]
fn jammed_balls_neither_fail_nor_escape() {
    for (friction, ratio) in [
        (0.5, 1.0),
        (1.0, 1.0),
        (2.0, 1.0),
        (0.5, 1000.0),
        (1.5, 1000.0),
    ] {
        let mechanism = balls(27, friction, ratio, 1);
        let mut sim = start(&mechanism, DT);
        let first = sim.energy().total();
        let mut remnant = Remnant::default();
        watch(&mut sim, 150, |sim| {
            let most = remnant.after(sim).max(1e-6);
            let found = clearance(sim.model(), sim.state());
            assert!(found > -most, "µ = {friction}, 1:{ratio}: {found:e} m deep");
            assert!(sim.energy().total() < first * (1.0 + 1e-9));
        });
        let outcomes = sim.outcomes();
        println!("µ = {friction}, 1:{ratio}: {outcomes:?}");
        // Relaxed steps of the 150: none where µ = 0.5 and masses are equal, one in twenty in the harder ones.
        let allowed = if friction == 0.5 && ratio == 1.0 {
            0
        } else {
            7
        };
        assert!(
            outcomes.relaxed <= allowed,
            "µ = {friction}, 1:{ratio}: {outcomes:?}"
        );
        for body in &sim.state().bodies {
            assert!(
                body.position.x.abs() < 0.6 && body.position.y.abs() < 0.6 && body.position.z > 0.0
            );
        }
        assert!(fastest(&mut sim) < 20.0);
    }
}
