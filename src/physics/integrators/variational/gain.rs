//! Energy that the intervals of a step gain which was cut.

use super::newton::{Broken, Failure};
use crate::diagnostics;
use crate::model::{Model, State, Work};
use crate::solver::Errors;

/// Part of the energy that is in motion that an interval may gain. What a step of its own length loses it has back some steps later; the
/// intervals that a step is cut into have no length of their own, and what they gain adds up: light bodies that whip round came to a
/// million times their energy within a second.
const GAIN: f64 = 0.05;

/// The account of the energy of a state.
pub(super) struct Account {
    kinetic: f64,
    potential: f64,
    work: Work,
}

impl Account {
    /// That of a state, kinetic energy by the momenta at the knot. They lack what joints will give in the half of an interval that
    /// follows, which works on nothing: what that makes is of second order in the turn of an interval.
    pub fn of(model: &Model, state: &State) -> Self {
        Self {
            kinetic: (0..state.bodies.len())
                .map(|body| kinetic(model, state, body))
                .sum(),
            potential: diagnostics::potential_energy(model, state),
            work: state.work,
        }
    }

    /// Whether the interval of `dt` that led to a state gained no more energy than it may; the failure names the body that moves most.
    pub fn judge(&self, model: &Model, state: &State, dt: f64) -> Result<(), Failure> {
        let now = Self::of(model, state);
        let risen = now.potential - self.potential;
        let gain = now.kinetic - self.kinetic + risen - now.given() + self.given();
        let fall = model.gravity.norm() * dt;
        let mass: f64 = model.bodies.iter().map(|body| body.mass).sum();
        let size = now.kinetic.max(self.kinetic) + risen.abs() + 0.5 * mass * fall * fall;
        if gain <= GAIN * size {
            return Ok(());
        }
        let most = (0..state.bodies.len())
            .max_by(|&a, &b| kinetic(model, state, a).total_cmp(&kinetic(model, state, b)));
        let errors = Errors {
            body: most.unwrap_or(0),
            ..Errors::default()
        };
        Err(Failure::too_fast(Broken::Gain, errors))
    }

    /// What was given from outside and not taken (J).
    fn given(&self) -> f64 {
        let work = &self.work;
        work.external - work.dissipated - work.impact - work.friction
    }
}

/// Kinetic energy of a body by its momentum (J).
fn kinetic(model: &Model, state: &State, body: usize) -> f64 {
    let (body, state) = (&model.bodies[body], &state.bodies[body]);
    let spin = state.orientation.inverse() * state.angular_momentum;
    // A body's inertia is positive definite: the model is checked.
    let inverse = body.inertia.try_inverse().unwrap_or_default();
    0.5 * (state.momentum.norm_squared() / body.mass + spin.dot(&(inverse * spin)))
}
