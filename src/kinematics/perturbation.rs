//! Moving a state a little way along what its joints leave free.

use super::{AssemblyError, assemble};
use crate::diagnostics::configuration_distance;
use crate::math::{Quat, Vec3};
use crate::model::{Model, State, Twist};

/// Accuracy to which the distance is met, as a fraction of it.
const ACCURACY: f64 = 1e-6;

/// Corrections of the distance at most.
const ROUNDS: usize = 8;

/// Speed below which a direction is rounding, as a fraction of the speed asked for.
const STUCK: f64 = 1e-9;

/// Why a state cannot be perturbed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PerturbationError {
    /// A distance that is not positive.
    #[error("the perturbation is {0} m, expected a positive distance below 1 m")]
    Size(f64),
    /// The joints hold everything.
    #[error("the joints leave nothing free to move")]
    Stuck,
    /// The moved state cannot be put on the constraints.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
}

/// Moves a state by a configuration distance [m] in a direction without symmetry, always the same one. The joints
/// stay closed, and velocities are put on the constraints anew.
pub fn perturb(model: &Model, state: &mut State, size: f64) -> Result<(), PerturbationError> {
    if !(size > 0.0 && size < 1.0) {
        return Err(PerturbationError::Size(size));
    }
    // Multiples of the golden ratio, without their whole parts, spread evenly and repeat nowhere.
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut k = 0.0;
    let mut next = || {
        k += 1.0;
        2.0 * (k * golden).fract() - 1.0
    };
    let mut trial = state.clone();
    for body in &mut trial.bodies {
        body.velocity.linear = Vec3::from_fn(|_, _| next());
        body.velocity.angular = Vec3::from_fn(|_, _| next());
    }
    let asked = speed(model, &trial);
    assemble(model, &mut trial)?;
    let reached = speed(model, &trial);
    if reached <= STUCK * asked {
        return Err(PerturbationError::Stuck);
    }
    let mut scale = size / reached;
    let mut moved = state.clone();
    for _ in 0..ROUNDS {
        moved.clone_from(state);
        for (body, along) in moved.bodies.iter_mut().zip(&trial.bodies) {
            let Twist { linear, angular } = along.velocity;
            body.position += linear * scale;
            body.orientation = Quat::from_scaled_axis(angular * scale) * body.orientation;
        }
        assemble(model, &mut moved)?;
        let found = configuration_distance(model, &moved.bodies, &state.bodies);
        if found <= 0.0 {
            return Err(PerturbationError::Stuck);
        }
        if (found / size - 1.0).abs() < ACCURACY {
            break;
        }
        scale *= size / found;
    }
    *state = moved;
    Ok(())
}

/// Configuration distance per second [m/s].
fn speed(model: &Model, state: &State) -> f64 {
    let (mut sum, mut mass) = (0.0, 0.0);
    for (body, s) in model.bodies.iter().zip(&state.bodies) {
        let spin = s.orientation.inverse_transform_vector(&s.velocity.angular);
        sum += body.mass * s.velocity.linear.norm_squared() + spin.dot(&(body.inertia * spin));
        mass += body.mass;
    }
    (sum / mass).sqrt()
}
