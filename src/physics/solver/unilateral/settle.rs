//! Newton's method on the laws of contacts and limits at a knot, in velocities and impulses.
//!
//! The system is linear but for the laws, so that a part of a step leaves what it leaves of the balance. Every iteration solves
//! for a change from what was reached, as the step does: contact points that share a load in any way, as the corners of a box,
//! keep the shares that they have. Solved from rest each time, their shares would never settle.
//!
//! Changes of impulses cost a little: where rows are redundant, as those of friction on spheres that joints
//! tie together are, any change that moves nothing would do, and one that is found by rounding alone leads to other pieces of the law.

use super::super::topology::WORLD;
use super::super::worse;
use super::Unilateral;
use super::knot::NEAR;
use super::law::Law;
use super::system::System;
use crate::math::{Mat3, Vec3};

/// Iterations at most; then friction is left out, which always has a solution.
const LIMIT: u32 = 60;

/// Relative accuracy of a step of the iteration.
const ACCURACY: f64 = 1e-10;

/// Violations that a step may fall back to: it must be better than the worst of the last few.
const WINDOW: usize = 4;

/// Part of a step at least.
const SHORTEST: f64 = 1.0 / 32.0;

/// What a change of an impulse costs, in units of velocity over impulse per effective mass: the velocities that rows find change by
/// a millionth less than they are to, which the next iteration mends.
const NEAREST: f64 = 1e-6;

/// Iterations from which steps are damped more wherever they do not halve the least violation so far, which those that go to and fro
/// between the same pieces never do.
const PATIENT: u32 = 8;

/// By how much at least and at most: as much as a body that is free gives.
const DAMPING: (f64, f64) = (1e-4, 1.0);

/// Violation of the law itself that is rounding, relative to the velocities.
const LAWFUL: f64 = 1e-9;

/// The same with which they are taken as the last interval left them: what lies still is read at once.
const KEPT: f64 = 1e-11;

/// Times the largest speed at hand that impulses and velocities may come to: contacts that coincide but for rounding
/// let any pair of opposite impulses pass for a solution.
const BOUND: f64 = 1e4;

/// Compliance of contacts where nothing follows its law, in units of velocity over impulse per effective mass: what
/// gives way by it is a millionth of the velocities.
const COMPLIANCE: f64 = 1e-6;

/// Velocities below this do not count, relative to the speed of the step.
const LEAST: f64 = 1e-2;

/// What iterating on the laws came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    /// All follow their laws.
    Lawful,
    /// They do but for what rounding leaves where bodies are thin.
    Near,
    /// They do not, and the system's solution means nothing.
    Lost,
}

/// Iterates until the unilateral constraints follow their laws. The system's solution is then that of all.
pub(super) fn settle(
    system: &mut System,
    unilaterals: &mut [Unilateral],
    start: &[[f64; 3]],
    mut law: impl FnMut(&Unilateral) -> Law,
) -> Settled {
    let asked = unilaterals
        .iter()
        .zip(start)
        .flat_map(|(unilateral, start)| {
            let speeds = [LEAST * unilateral.speed, unilateral.rebound];
            unilateral.free.into_iter().chain(*start).chain(speeds)
        });
    let bound = BOUND * asked.fold(0.0, |m: f64, v| m.max(v.abs()));
    let mut left = f64::INFINITY;
    let mut recent = [f64::NAN; WINDOW];
    let (mut damping, mut best) = (NEAREST, f64::INFINITY);
    system.rest();
    for iteration in 0..LIMIT {
        system.laws.clear();
        for unilateral in &*unilaterals {
            let mut law = law(unilateral);
            if iteration == 0 {
                // The law speaks of changes, and the guess of velocities is no motion yet.
                law.rhs += law.e * Vec3::from(unilateral.velocity);
                law.rhs += law.e.column(0) * unilateral.rebound;
            }
            law.c += Mat3::identity() * damping;
            system.laws.push(law);
        }
        system.factor_again(unilaterals);
        let solved = system.solve(unilaterals, ACCURACY);
        if iteration == 0 {
            for unilateral in &mut *unilaterals {
                unilateral.velocity = [-unilateral.rebound, 0.0, 0.0];
            }
        }
        let mut found = step(system, unilaterals, 1.0, &mut law);
        // Of the last few the worst may come back, as pieces of the law change.
        let allowed = match iteration {
            0 => f64::INFINITY,
            _ => recent.iter().copied().fold(0.0, f64::max),
        };
        let mut taken = 1.0;
        // Written so that what is not a number is not better.
        let better = |found: &Found| found.broken <= allowed.max(LAWFUL * found.scale);
        while !better(&found) && taken > SHORTEST {
            taken *= 0.5;
            found = step(system, unilaterals, -taken, &mut law);
        }
        system.keep(unilaterals, taken);
        left = if found.scale <= bound {
            found.broken / found.scale
        } else {
            f64::INFINITY
        };
        if left <= LAWFUL && solved && taken == 1.0 {
            return Settled::Lawful;
        }
        if !found.broken.is_finite() {
            break;
        }
        recent[iteration as usize % WINDOW] = found.broken;
        if iteration >= PATIENT {
            damping = if found.broken <= 0.5 * best {
                (0.25 * damping).max(NEAREST)
            } else {
                (2.0 * damping).clamp(DAMPING.0, DAMPING.1)
            };
        }
        best = best.min(found.broken);
    }
    if left <= NEAR {
        return Settled::Near;
    }
    for (unilateral, start) in unilaterals.iter_mut().zip(start) {
        unilateral.impulse = *start;
        unilateral.velocity = [0.0; 3];
    }
    Settled::Lost
}

/// How impulses and velocities follow the laws.
struct Found {
    /// Largest violation of a law (m/s).
    broken: f64,
    /// Largest impulse or velocity at hand (m/s).
    scale: f64,
}

/// Moves impulses and velocities by a part of the last solution.
fn step(
    system: &System,
    unilaterals: &mut [Unilateral],
    part: f64,
    law: &mut impl FnMut(&Unilateral) -> Law,
) -> Found {
    for unilateral in unilaterals.iter_mut() {
        let moved = system.velocity(unilateral);
        for row in 0..unilateral.rows {
            unilateral.impulse[row] += part * unilateral.change[row];
            unilateral.velocity[row] += part * moved[row];
        }
    }
    look(unilaterals, law)
}

/// Where impulses and velocities are.
fn look(unilaterals: &[Unilateral], law: &mut impl FnMut(&Unilateral) -> Law) -> Found {
    let mut found = Found {
        broken: 0.0,
        scale: 0.0,
    };
    for unilateral in unilaterals {
        found.scale = found.scale.max(LEAST * unilateral.speed);
        for row in 0..unilateral.rows {
            let speed = unilateral.velocity[row] + if row == 0 { unilateral.rebound } else { 0.0 };
            found.scale = found
                .scale
                .max(unilateral.impulse[row].abs())
                .max(speed.abs());
        }
        found.broken = worse(found.broken, law(unilateral).rhs.amax());
    }
    found
}

/// Whether impulses and velocities at hand follow the laws, better than intervals do.
pub(super) fn is_settled(
    unilaterals: &[Unilateral],
    mut law: impl FnMut(&Unilateral) -> Law,
) -> bool {
    let found = look(unilaterals, &mut law);
    found.broken <= KEPT * found.scale
}

/// Holds all that is closed at the speed at which it is to leave, without friction and with a little compliance: one
/// linear system that always has a solution.
pub(super) fn hold(system: &mut System, unilaterals: &mut [Unilateral], start: &[[f64; 3]]) {
    system.rest();
    system.laws.clear();
    for (unilateral, start) in unilaterals.iter().zip(start) {
        let mut law = Law {
            rhs: -Vec3::from(*start),
            ..Law::default()
        };
        law.c[(0, 0)] = COMPLIANCE;
        law.e[(0, 0)] = 1.0;
        law.rhs[0] = unilateral.rebound;
        system.laws.push(law);
    }
    system.factor_again(unilaterals);
    system.solve(unilaterals, 1e-13);
    for (unilateral, start) in unilaterals.iter_mut().zip(start) {
        let moved = system.velocity(unilateral);
        for row in 0..unilateral.rows {
            unilateral.impulse[row] = start[row] + unilateral.change[row];
            unilateral.velocity[row] = moved[row];
        }
        unilateral.velocity[0] -= unilateral.rebound;
    }
    system.keep(unilaterals, 1.0);
}

/// Closed without friction.
pub(super) fn frictionless(unilateral: &Unilateral) -> Law {
    let mut law = Law::default();
    for row in 0..unilateral.rows {
        law.rhs[row] = -unilateral.impulse[row];
    }
    if unilateral.impulse[0] - unilateral.velocity[0] > 0.0 || unilateral.links == [WORLD; 2] {
        law.c[(0, 0)] = 0.0;
        law.e[(0, 0)] = 1.0;
        law.rhs[0] = -unilateral.velocity[0];
    }
    law
}
