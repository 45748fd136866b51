//! Putting a state that may have drifted back on the constraints.

use super::AssemblyError;
use super::assembly::{CLOSED, close, project, set_momenta};
use crate::diagnostics::worst_drift;
use crate::model::{BodyState, Model, State};
use crate::solver::{LinearSolver, MechanismSolver};

/// Changes of velocities that are rounding, relative to the largest velocity.
const ROUNDING: f64 = 1e-12;

/// What was open before a state was put on the constraints; zero where the joints were closed to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Closing {
    /// Largest gap of a joint [m].
    pub gap: f64,
    /// Largest misalignment of a joint [rad].
    pub angle: f64,
}

/// Whether the joints and couplings of a state are as closed as a method without drift leaves them.
pub fn is_closed(model: &Model, state: &State) -> bool {
    let mut solver = MechanismSolver::new(model, LinearSolver::default());
    openness(model, state, &mut solver) <= CLOSED
}

/// Closes the joints where they are open (least mass-weighted displacement) and puts the velocities on the constraints
/// (mass-weighted projection); sets momenta. Where joints are closed poses stay as they are to the
/// last bit, and so do velocities that are on the constraints. On an
/// error the state is not to be used.
pub fn settle(model: &Model, state: &mut State) -> Result<Closing, AssemblyError> {
    let mut solver = MechanismSolver::new(model, LinearSolver::default());
    let mut closing = Closing::default();
    let open = openness(model, state, &mut solver);
    if open > CLOSED || open.is_nan() {
        let drift = worst_drift(model, state);
        let beyond_rounding = |x: f64| if x > CLOSED { x } else { 0.0 };
        closing = Closing {
            gap: beyond_rounding(drift.position.0),
            angle: beyond_rounding(drift.angle.0),
        };
        close(model, state, &mut solver)?;
    }
    let given = state.bodies.clone();
    project(model, state, &mut solver);
    if differ_by_rounding(&given, &state.bodies) {
        state.bodies = given;
        set_momenta(model, &mut state.bodies);
    }
    Ok(closing)
}

/// Whether velocities were on the constraints before a projection, which only rounded them.
fn differ_by_rounding(before: &[BodyState], after: &[BodyState]) -> bool {
    let worst = |size: fn(&BodyState, &BodyState) -> f64| {
        let sizes = before.iter().zip(after).map(|(a, b)| size(a, b));
        sizes.fold(0.0, f64::max)
    };
    let linear = [
        worst(|a, b| (b.velocity.linear - a.velocity.linear).norm()),
        worst(|a, _| a.velocity.linear.norm()),
    ];
    let angular = [
        worst(|a, b| (b.velocity.angular - a.velocity.angular).norm()),
        worst(|a, _| a.velocity.angular.norm()),
    ];
    [linear, angular]
        .iter()
        .all(|[change, speed]| *change <= ROUNDING * speed)
}

/// Largest error of a joint or a coupling [m, rad].
fn openness(model: &Model, state: &State, solver: &mut MechanismSolver) -> f64 {
    solver.close(model, state, &mut Vec::new()).0.constraint
}
