//! Contact points whose stiffness and damping depend on how deep they are pressed in [Drumwright eq. 121 to 123].
//!
//! The force `κ d^{3/2} + B d/dt d^{3/2}` is taken at the end of the step like that of any spring: its law is replaced by the
//! tangent at the depth and rate where the last solution ended, until that is where the next one ends. The force is convex in
//! the depth, so that this is Newton's method from the side on which it converges.

use super::{Asked, CompliantSolver, FINEST, Stop};
use crate::contact::Contact;
use crate::model::{BodyState, SurfaceCompliance};

/// Tangents at most in a solution: each takes a third of the depth where the first was far too deep.
const TANGENTS: u32 = 40;

/// Depth of the shallowest tangent, in radii.
const SHALLOWEST: f64 = 1e-15;

/// Halvings in the search for where one contact by itself would end.
const HALVINGS: u32 = 100;

/// Force of a contact point by its depth and rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Round {
    /// `κ = 4/3 E* √R` [N/m^{3/2}].
    stiffness: f64,
    /// `B` [N·s/m^{3/2}].
    damping: f64,
    /// Depth of the shallowest tangent (m).
    least: f64,
}

impl Round {
    /// The law of a contact; `None` where it is another one, or nothing says how round the surfaces are.
    pub fn of(contact: &Contact, bodies: &[BodyState]) -> Option<Self> {
        let SurfaceCompliance::Hertz(own) = &contact.compliance else {
            return None;
        };
        let radius = contact.radius(bodies, own.radius)?;
        Some(Self {
            stiffness: 4.0 / 3.0 * own.modulus * radius.sqrt(),
            damping: own.damping,
            least: SHALLOWEST * radius,
        })
    }

    /// Force at a depth (m) that grows at a rate (m/s), and by how much it grows over a step of `h` per rate: the tangent, but
    /// for what damping of a contact that opens would take from it.
    fn tangent(&self, depth: f64, rate: f64, h: f64) -> [f64; 2] {
        let depth = depth.max(self.least);
        let root = depth.sqrt();
        let force = self.stiffness * depth * root + 1.5 * self.damping * root * rate;
        let by_rate = 1.5 * root * (self.stiffness * h + self.damping);
        let thicker = 0.75 * self.damping * h * rate.max(0.0) / root;
        [force, by_rate + thicker]
    }

    /// Rate at which a gap of a body by itself closes at the end of a step, where it would close at `free` without force.
    fn alone(&self, gap: f64, free: f64, mass: f64, h: f64) -> f64 {
        let (mut low, mut high) = (0.0, h * free - gap);
        if high <= 0.0 {
            return free;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let rate = (middle + gap) / h;
            let [force, _] = self.tangent(middle, rate, h);
            if mass * (free - rate) > h * force {
                low = middle;
            } else {
                high = middle;
            }
        }
        (0.5 * (low + high) + gap) / h
    }
}

impl Stop {
    /// Takes the tangent where its gap closes at a rate at the end of the step (m/s).
    fn lean(&mut self, round: &Round, closing: f64, h: f64) {
        let [force, slope] = round.tangent(h * closing - self.gap, closing, h);
        self.compliance[0] = (1.0 / (h * slope)).max(FINEST / self.mass);
        // `λ = force + slope (-u - closing)`.
        self.ahead = closing - force / slope;
    }

    /// Takes a law with a first tangent: where the point by itself would end from a velocity without force, and not less deep
    /// than it is.
    pub(super) fn start_round(&mut self, round: Round, free: f64, h: f64) {
        let closing = round.alone(self.gap, -free, self.mass, h);
        let pressed = self.gap < 0.0;
        self.lean(&round, if pressed { closing.max(0.0) } else { closing }, h);
        self.round = Some(round);
    }
}

impl CompliantSolver {
    /// Solves again with tangents where the solution ended, until it stays there.
    pub(super) fn follow_round(&mut self, asked: &Asked, mut again: impl FnMut(&mut Self)) {
        for _ in 0..TANGENTS {
            let mut most: f64 = 0.0;
            let h = asked.h;
            for stop in &mut self.stops {
                let Some(round) = stop.round else { continue };
                let closing = -stop.velocity[1][0];
                let [force, _] = round.tangent(h * closing - stop.gap, closing, h);
                let touches = h * closing > stop.gap;
                let wanted = if touches { force.max(0.0) } else { 0.0 };
                let missing = h * wanted / stop.mass - stop.impulse[0];
                most = crate::solver::worse(most, missing.abs());
                stop.lean(&round, closing, h);
            }
            // Written so that what is not a number ends it.
            let far = most > asked.accuracy * self.scale.speed;
            if !far {
                return;
            }
            again(self);
        }
        self.found.capped = true;
    }
}
