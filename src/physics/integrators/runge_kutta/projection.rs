//! Poses and velocities put on the constraints after a step, by the least change weighted by mass
//! [Hairer, Lubich, Wanner, Geometric Numerical Integration, sect. IV.4].
//!
//! The energy that this gives or takes belongs to the method, as that of the step does: it is on no account, and shows
//! in the energy error.

use super::RungeKutta;
use super::acceleration::{Goal, Moment};
use crate::integrators::{Outcome, Settings, StepReport};
use crate::math::Quat;
use crate::model::{Model, State};

/// Gauss-Newton steps at most: each about squares what the step before left.
const STEPS: u32 = 10;

impl RungeKutta {
    /// Puts the poses and velocities reached at a time on the constraints. Where joints cannot be closed to the tolerance they
    /// stay as far closed as was reached, which the report tells.
    pub(super) fn project(
        &mut self,
        model: &Model,
        state: &State,
        time: f64,
        settings: &Settings,
        report: &mut StepReport,
    ) {
        let mut last = f64::INFINITY;
        self.others.clone_from(&self.bodies);
        for _ in 0..STEPS {
            let open = self.missing(model, state, time, Goal::Positions);
            if open <= settings.tolerance {
                last = open;
                break;
            }
            // Written so that what is not a number counts as worse.
            let nearer = open < last;
            if !nearer {
                self.bodies.clone_from(&self.others);
                break;
            }
            last = open;
            self.others.clone_from(&self.bodies);
            self.dynamics.correct();
            report.factorisations += 1;
            for (body, change) in self.bodies.iter_mut().zip(&self.dynamics.accelerations) {
                body.position += change.linear;
                body.orientation = Quat::from_scaled_axis(change.angular) * body.orientation;
                body.orientation.renormalize_fast();
            }
        }
        if last > settings.tolerance {
            report.outcome = Outcome::IterationLimit;
        }
        self.missing(model, state, time, Goal::Velocities);
        self.dynamics.correct();
        report.factorisations += 1;
        for (twist, change) in self.twists.iter_mut().zip(&self.dynamics.accelerations) {
            twist.linear += change.linear;
            twist.angular += change.angular;
        }
    }

    fn missing(&mut self, model: &Model, state: &State, time: f64, goal: Goal) -> f64 {
        let at = Moment {
            bodies: &self.bodies,
            twists: &self.twists,
            angles: &state.angles,
            time,
        };
        self.dynamics.missing(model, &at, goal)
    }
}
