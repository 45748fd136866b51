//! The method of alternating directions \[Boyd2011; Carpentier2024]: impulses `r` with which all bodies are in balance and impulses `w`
//! with which every point keeps its law, each near the other, one after the other.
//!
//! With one parameter `ε` for all points, and `y` for what `w` is kept from, an iteration is
//! ```text
//!   r ← t - u/ε,  u = u0 + Σ G x + C r     all bodies at once, with a matrix that stays
//!   z ← α r + (1 - α) w + y
//!   w ← P(z),  y ← z - w                   every point by itself; y ends at -u/ε
//!   t ← w - y
//! ```
//! `P` bounds friction by the normal impulse that is found with it, so that what slides does not lift \[AlartCurnier1991]. No pieces are
//! told apart: where most points stick, and which of them carry is decided by micrometres, Newton's method goes back and forth between
//! pieces, and an iteration moves all impulses a little for the price of one substitution.

use super::eliminated::Eliminated;
use super::island::{Island, within_cone};
use super::turns::Iterated;
use crate::threads;

/// How far past the balance an iteration goes: `α`.
const RELAXATION: f64 = 1.6;

/// A point's impulses.
#[derive(Debug, Clone, Copy, Default)]
struct Split {
    /// `r`: in balance.
    balanced: [f64; 3],
    /// `w`: within the cone.
    within: [f64; 3],
    /// `y`: what those within the cone are kept from.
    apart: [f64; 3],
}

/// Impulses of all points of an island.
#[derive(Debug, Clone, Default)]
pub(super) struct Alternation {
    points: Vec<Split>,
    /// `ε`: velocity by which impulses in balance are held to the others (1).
    epsilon: f64,
}

impl Split {
    /// From impulses within the cone and the velocity that they give.
    fn new(impulse: [f64; 3], velocity: [f64; 3], friction: f64, epsilon: f64) -> Self {
        let to = [0, 1, 2].map(|row| impulse[row] - velocity[row] / epsilon);
        let within = within_cone(&to, friction);
        Self {
            balanced: impulse,
            within: impulse,
            apart: [0, 1, 2].map(|row| to[row] - within[row]),
        }
    }

    /// Goes on from a change of the impulses in balance; returns the change of `t`, which these are to be near.
    fn iterate(&mut self, change: [f64; 3], friction: f64) -> [f64; 3] {
        let mut to = [0.0; 3];
        for row in 0..3 {
            self.balanced[row] += change[row];
            let ahead = self.within[row] + RELAXATION * (self.balanced[row] - self.within[row]);
            to[row] = ahead + self.apart[row];
        }
        let within = within_cone(&to, friction);
        let mut moved = [0.0; 3];
        for row in 0..3 {
            let apart = to[row] - within[row];
            moved[row] = (within[row] - apart) - (self.within[row] - self.apart[row]);
            (self.within[row], self.apart[row]) = (within[row], apart);
        }
        moved
    }
}

impl Island {
    /// Begins with the impulses at hand and the velocities measured last: makes and factors the matrix.
    pub(super) fn begin_alternating(&mut self, epsilon: f64) {
        let mut newton = std::mem::take(&mut self.newton);
        let mut alternation = std::mem::take(&mut self.alternation);
        newton.reset();
        newton.laws.clear();
        alternation.points.clear();
        alternation.epsilon = epsilon;
        for (k, point) in self.points.iter().enumerate() {
            let mut law = Eliminated::default();
            let mut velocity = [0.0; 3];
            if point.local.over > 0.0 {
                law.pressed = true;
                let fixed = &self.fixed[k];
                for row in 0..fixed.rows {
                    law.k[row][row] = 1.0 / (epsilon + fixed.compliance[row]);
                    velocity[row] = self.velocities[k][row];
                }
            }
            let split = Split::new(point.impulse, velocity, point.local.friction, epsilon);
            for row in 0..3 {
                let to = split.within[row] - split.apart[row];
                law.push[row] =
                    law.k[row][row] * (epsilon * (to - split.balanced[row]) - velocity[row]);
            }
            newton.laws.push(law);
            alternation.points.push(split);
        }
        self.fit(&mut newton);
        newton.assemble(self.fused, &self.bodies, &self.fixed);
        newton.lu.factor();
        (self.newton, self.alternation) = (newton, alternation);
    }

    /// So many iterations more; leaves the impulses that are within their cones.
    pub(super) fn go_on_alternating(&mut self, iterations: u32) {
        let mut newton = std::mem::take(&mut self.newton);
        let mut alternation = std::mem::take(&mut self.alternation);
        let (fused, points) = (self.fused, &self.points[..]);
        let epsilon = alternation.epsilon;
        for _ in 0..iterations {
            newton.write_sides(fused, &self.bodies, &self.fixed);
            newton.solve(fused, points);
            let all = (&mut alternation.points[..], &mut newton.laws[..]);
            let changes = &newton.changes[..];
            threads::runs(all, threads::RUN, |first, (splits, laws)| {
                for (k, (split, law)) in splits.iter_mut().zip(laws).enumerate() {
                    let friction = points[first + k].local.friction;
                    let moved = split.iterate(changes[first + k], friction);
                    for row in 0..3 {
                        law.push[row] = law.k[row][row] * (epsilon * moved[row]);
                    }
                }
            });
        }
        threads::runs(&mut self.points[..], threads::RUN, |first, run| {
            for (point, split) in run.iter_mut().zip(&alternation.points[first..]) {
                point.impulse = split.within;
            }
        });
        (self.newton, self.alternation) = (newton, alternation);
        self.refresh();
    }
}
