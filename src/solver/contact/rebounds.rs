//! How fast what is hit comes back.

use super::Contacts;
use super::warm_start::find;
use crate::math::Vec3;
use crate::model::{ContactStatus, Model, State};
use crate::solver::past::Past;
use crate::solver::{Interval, MechanismSolver, StepContext, Unilateral, What};

/// Approach slower than this many times what gravity gives in a step does not rebound: a resting body stays at rest.
const RESTING: f64 = 4.0;

/// Speed at which a unilateral constraint is hit [m/s, rad/s], and by how much that of an interval that begins or ends
/// at the surface is lower: from the rate over the interval before and the gap at its end, by the energy that gravity
/// adds on the way.
fn impact(before: f64, pull: f64, gap: f64, dt: f64) -> (f64, f64) {
    let half = -0.5 * pull;
    let squared = (half - before).powi(2) + 4.0 * half * gap / dt;
    if half > before && squared > 0.0 {
        (squared.sqrt(), half)
    } else {
        (-before, 0.0)
    }
}

/// An interval in which only gaps at the knot of a state are asked for.
pub(super) fn at_knot(state: &State, dt: f64) -> Interval {
    Interval {
        dt,
        time: state.time,
        share: 0.5,
        blend: 0.5,
    }
}

/// What gravity adds to velocities [m/s] from the middle of the interval of which the state holds them to the middle of
/// one of length `dt` that ends at the same knot. Half the forces of either interval act at the knot, so that the work
/// of an impulse at the knot is that over two intervals of one length.
pub(super) fn lead(gravity: &Vec3, state: &State, dt: f64) -> (Vec3, Vec3) {
    (gravity * (0.5 * (dt - Past::of(state).held)), Vec3::zeros())
}

impl Contacts {
    /// Notes the speed at which each unilateral constraint that is hit in the interval comes back in the next one.
    pub(super) fn note_rebounds(
        &mut self,
        solver: &MechanismSolver,
        model: &Model,
        state: &State,
        dt: f64,
    ) {
        self.rebounds.clear();
        let speed_of_gravity = model.gravity.norm() * dt.abs();
        let lead = lead(&model.gravity, state, dt);
        let interval = at_knot(state, dt);
        let context = StepContext {
            model,
            state,
            contacts: &self.points,
            interval: &interval,
        };
        for unilateral in solver.unilaterals() {
            let pull = unilateral.rate(0, |_| (model.gravity * dt, Vec3::zeros()));
            let before = solver.unilateral_rate(unilateral, 0, Some(state), dt)
                - unilateral.rate(0, |_| lead);
            let gap = solver.gap(&context, unilateral.what, false).max(0.0);
            let (speed, half) = impact(before, pull, gap, dt);
            let hits = speed > RESTING * speed_of_gravity
                && solver.is_closed(unilateral, speed_of_gravity);
            let rebound = if hits && !self.was_closed(unilateral, state) {
                (self.restitution(unilateral, model) * speed - half).max(0.0)
            } else {
                0.0
            };
            self.rebounds.push(rebound);
        }
    }

    fn restitution(&self, unilateral: &Unilateral, model: &Model) -> f64 {
        match unilateral.what {
            What::Contact(k) => self.points[k].restitution,
            What::Limit { joint, limit, .. } => model.joints[joint].limits[limit].restitution,
            What::Cable { cable, .. } => model.cables[cable].restitution,
        }
    }

    fn was_closed(&self, unilateral: &Unilateral, state: &State) -> bool {
        match unilateral.what {
            What::Contact(k) => find(&state.contacts, &self.points[k])
                .is_some_and(|c| c.status != ContactStatus::Open),
            What::Limit { entry, upper, .. } => {
                let force = state.limits[entry].force;
                if upper { force < 0.0 } else { force > 0.0 }
            }
            What::Cable { entry, .. } => state.limits[entry].force > 0.0,
        }
    }
}
