//! Bodies that spin too fast for the whole step.
//!
//! Half-angle sines end at the fold of a quarter turn, angular velocities at a knot at `1/dt`. A free body makes its turn
//! in several goes by itself ([`swing`](crate::solver)); for one that joints or contacts hold, the step is cut into as
//! many intervals as it takes without trying longer ones first.

use crate::integrators::StepError;
use crate::model::{Model, State};
use crate::solver::{EASY, MOST_PARTS, MechanismSolver};

/// Halvings of a step at most for the spin of a body that joints or contacts may hold: as many intervals as a free body
/// makes of its turn, 2048 rad a step.
pub const SPIN_DEPTH: u32 = MOST_PARTS.ilog2();

/// Turn (rad) of a body that joints or contacts hold in each of the intervals that a step is cut into for it. A cut step has
/// no energy of its own that it would keep, and what its intervals gain adds up: with the 0.5 of a free body's goes motions
/// of random mechanisms ran away.
const HELD: f64 = 0.125;

/// Turn of a body in a step (rad) above which longer intervals are not tried: the discrete rotation ends at 1, and near
/// it a small change of the momentum is a large one of the turn.
const NEAR_FOLD: f64 = 0.9;

/// How often the step must be halved for the fastest body that joints or contacts may hold, and which that is.
pub fn asked(
    solver: &MechanismSolver,
    model: &Model,
    state: &State,
    dt: f64,
) -> Result<Option<(u32, usize)>, StepError> {
    let mut asked = None;
    for (k, body) in state.bodies.iter().enumerate() {
        // The velocity may be that of the interval before, which is never less than half the momentum's.
        if body.velocity.angular.norm() * dt < EASY {
            continue;
        }
        let rate = rate(model, state, k);
        let alone = solver.is_alone(k);
        let limit = EASY * f64::from(MOST_PARTS) / dt;
        // What is not a number is left to the step, which names it.
        if rate > limit {
            return Err(StepError::TooFast {
                body: model.bodies[k].name.clone(),
                rate,
                dt,
                parts: MOST_PARTS,
                limit,
                advice: dt * limit / rate,
            });
        }
        let depth = halvings(rate * dt, alone);
        let most = asked.map_or(0, |(most, _)| most);
        if rate * dt > NEAR_FOLD && !alone && depth > most {
            asked = Some((depth, k));
        }
    }
    Ok(asked)
}

/// Whether a free body turns so fast by its own momentum that an interval of length `dt` in which something may touch it need not be tried.
pub fn leaves_no_interval(
    solver: &MechanismSolver,
    model: &Model,
    state: &State,
    body: usize,
    dt: f64,
) -> bool {
    // The velocity is that of the interval before, which is never less than half the momentum's.
    let may = state.bodies[body].velocity.angular.norm() * dt.abs() > 0.5 * NEAR_FOLD;
    may && solver.is_alone(body) && rate(model, state, body) * dt.abs() > NEAR_FOLD
}

/// Angular velocity that a body's momentum at the knot gives it (rad/s).
pub fn rate(model: &Model, state: &State, body: usize) -> f64 {
    let (inertia, state) = (&model.bodies[body].inertia, &state.bodies[body]);
    let spin = state.orientation.inverse() * state.angular_momentum;
    // A body's inertia is positive definite: the model is checked.
    (inertia.try_inverse().unwrap_or_default() * spin).norm()
}

/// Halvings of a step after which a turn of so many radians in it is an easy one for each part.
pub fn halvings(turn: f64, alone: bool) -> u32 {
    (turn / if alone { EASY } else { HELD })
        .log2()
        .ceil()
        .clamp(0.0, f64::from(SPIN_DEPTH)) as u32
}
