//! Poses about a point near the mechanism, which round as the mechanism is large and not as it is far from the origin.
//!
//! A thousand kilometres away a position is known to 1.2e-10 m. Loop constraints and drives that saw the second knot
//! through such positions would jump by that, times their gains, from one iteration to the next, and never be met.

use super::MechanismSolver;
use super::links::Links;
use super::turned;
use crate::math::Vec3;
use crate::model::{BodyState, State};

/// Poses of all bodies and the point that their positions and those of the world are relative to.
#[derive(Debug, Clone, Copy)]
pub struct Poses<'a> {
    /// One per body.
    pub bodies: &'a [BodyState],
    /// The point (m).
    pub origin: Vec3,
}

impl<'a> Poses<'a> {
    /// Poses in the world.
    pub fn of(bodies: &'a [BodyState]) -> Self {
        let origin = Vec3::zeros();
        Self { bodies, origin }
    }
}

/// Poses at both knots about the first body's centre at the first knot.
#[derive(Debug, Clone, Default)]
pub struct Near {
    first: Vec<BodyState>,
    second: Vec<BodyState>,
    origin: Vec3,
}

impl Near {
    /// Takes the first knot. Differences of stored positions are exact.
    pub fn begin(&mut self, bodies: &[BodyState]) {
        self.origin = bodies.first().map_or_else(Vec3::zeros, |b| b.position);
        self.first.clear();
        self.first.extend_from_slice(bodies);
        for body in &mut self.first {
            body.position -= self.origin;
        }
        self.second.clone_from(&self.first);
    }

    /// Takes the second knot, of which the turned bodies are known.
    pub fn advance(&mut self, links: &Links, next: &[BodyState], dt: f64) {
        // A tree without drives takes no first knot here: in it only contacts ask for poses, those in the world.
        if self.first.len() != next.len() {
            return;
        }
        for link in &links.links {
            let body = &mut self.second[link.body];
            body.position = self.first[link.body].position + link.velocity.to3() * dt;
            body.orientation = next[link.body].orientation;
        }
    }

    /// Poses at the first knot.
    pub fn first(&self) -> Poses<'_> {
        Poses {
            bodies: &self.first,
            origin: self.origin,
        }
    }

    /// Poses at the second knot.
    pub fn second(&self) -> Poses<'_> {
        Poses {
            bodies: &self.second,
            origin: self.origin,
        }
    }
}

impl MechanismSolver {
    /// Writes the poses at the second knot down, in the world.
    pub(super) fn write_next(&mut self, state: &State) {
        for link in &self.links.links {
            let next = &mut self.next[link.body];
            next.position = link.centre2.to3();
            next.orientation = turned(
                &state.bodies[link.body].orientation,
                &link.half_angle_sine.to3(),
            );
        }
    }
}
