//! Energy that the intervals of a step gain which was cut.

use super::newton::{Broken, Failure};
use super::spin;
use crate::diagnostics;
use crate::model::{Model, State, Work};
use crate::solver::Errors;

/// Part of the energy in motion that an interval may gain. What steps of one length gain they lose again some steps later. The intervals
/// that a step is cut into have no energy that they would keep, and what they gain adds up: light bodies that whip round came to a
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
    let turn = spin::angular_velocity(model, state, body);
    let (body, state) = (&model.bodies[body], &state.bodies[body]);
    0.5 * (state.momentum.norm_squared() / body.mass + turn.dot(&(body.inertia * turn)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::model::{Body, ModelParts};

    const DT: f64 = 0.01;

    /// Two bodies; the first flies at 2 m/s and turns at 30 rad/s, 2.9 J and 9 J, the second rests.
    fn pair() -> (Model, State) {
        let body = |name: &str, mass: f64| Body::new(name, mass, Mat3::identity() * 0.02);
        let model = Model::new(ModelParts {
            gravity: Vec3::new(0.0, 0.0, -10.0),
            bodies: vec![body("fast", 1.45), body("slow", 3.0)],
            ..ModelParts::default()
        })
        .expect("it is a model");
        let mut state = State::at_rest(&model);
        state.bodies[0].momentum = Vec3::x() * 2.9;
        state.bodies[0].angular_momentum = Vec3::y() * 0.6;
        (model, state)
    }

    /// Both bodies moved in an interval in which all of their momenta grew by a factor.
    fn grown(state: &State, factor: f64) -> State {
        let mut grown = state.clone();
        for body in &mut grown.bodies {
            body.momentum *= factor;
            body.angular_momentum *= factor;
        }
        grown
    }

    fn gains(model: &Model, before: &State, after: &State) -> bool {
        let judged = Account::of(model, before).judge(model, after, DT);
        if let Err(failure) = judged {
            assert_eq!(failure.broken, Some(Broken::Gain));
            assert_eq!(failure.errors.body, 0, "the body that moves most");
        }
        judged.is_err()
    }

    /// Momenta grow by the root of what kinetic energy does; 0.67 mJ, what gravity gives both bodies from rest in the interval, are
    /// a part of 5e-5 of the energy and change the bound by 3e-6.
    #[test]
    fn a_twentieth_may_be_gained_and_all_may_be_lost() {
        let (model, state) = pair();
        // Of what there is in the end: 1/0.95 of what there was.
        for (gain, refused) in [(0.0, false), (0.0525, false), (0.0528, true), (1e6, true)] {
            let after = grown(&state, f64::sqrt(1.0 + gain));
            assert_eq!(gains(&model, &state, &after), refused, "{gain}");
            assert!(!gains(&model, &after, &state), "{gain}");
        }
    }

    #[test]
    fn what_the_potential_gives_or_what_acts_from_outside_is_no_gain() {
        let (model, state) = pair();
        // 11.9 J more than there were: by 0.82 m of fall, or by work, less what is taken.
        let mut after = grown(&state, f64::sqrt(2.0));
        assert!(gains(&model, &state, &after));
        after.bodies[0].position.z -= 11.9 / 14.5;
        assert!(!gains(&model, &state, &after));
        after.bodies[0].position.z = 0.0;
        after.work.external = 11.9;
        assert!(!gains(&model, &state, &after));
        after.work.dissipated = 2.0;
        assert!(gains(&model, &state, &after));
        after.work.dissipated = 0.0;
        after.work.impact = 1.5;
        after.work.friction = 0.5;
        assert!(gains(&model, &state, &after));
    }

    /// What is at rest has no energy of which anything could be a part: the fall of an interval is a measure, too.
    #[test]
    fn rounding_of_what_rests_is_no_gain_and_what_is_no_number_is() {
        let (model, state) = pair();
        let rest = State::at_rest(&model);
        let mut after = rest.clone();
        after.bodies[0].momentum.x = 1e-3;
        assert!(!gains(&model, &rest, &rest) && !gains(&model, &rest, &after));
        after.bodies[0].momentum.x = f64::NAN;
        assert!(
            Account::of(&model, &state)
                .judge(&model, &after, DT)
                .is_err()
        );
    }
}
