//! Putting a state that may have drifted back on the constraints.

use super::AssemblyError;
use super::assembly::{CLOSED, close, project};
use crate::diagnostics::worst_drift;
use crate::model::{Model, State};
use crate::solver::{LinearSolver, MechanismSolver};

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
/// (mass-weighted projection); sets momenta. Bodies whose joints are closed stay where they are to the last bit. On an
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
    project(model, state, &mut solver);
    Ok(closing)
}

/// Largest error of a joint or a coupling [m, rad].
fn openness(model: &Model, state: &State, solver: &mut MechanismSolver) -> f64 {
    solver.close(model, state, &mut Vec::new()).0.constraint
}
