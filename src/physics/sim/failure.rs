//! Why a simulation cannot run as asked.

use crate::integrators;
use crate::kinematics::{AssemblyError, PerturbationError};
use crate::model::Misfit;

/// Why a simulation cannot run as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// The integrator does not exist or cannot treat this model.
    #[error(transparent)]
    Integrator(#[from] integrators::BuildError),
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] integrators::SettingsError),
    /// The joints of the first state cannot be closed.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// The first state is not one of the model.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The state cannot be moved as asked.
    #[error(transparent)]
    Perturbation(#[from] PerturbationError),
    /// The method needs closed joints, and those of the state cannot be closed.
    #[error(
        "`{method}` needs closed joints, and `{joint}` cannot be closed from here: {gap:.3e} m or rad remain; \
         go back to a moment at which joints are less open, or stay with a method that lets them drift"
    )]
    Open {
        /// The method.
        method: &'static str,
        /// Name of the worst joint.
        joint: String,
        /// What remains [m or rad].
        gap: f64,
    },
    /// The first state is beyond what numbers can hold.
    #[error(
        "the energy of the first state is not a finite number; look for magnitudes that numbers cannot hold: \
         masses, inertias, positions, velocities, stiffnesses"
    )]
    Energy,
    /// The state is beyond what numbers can hold.
    #[error(
        "the motion is lost: its energy is not a finite number (body `{body}`); go back to a moment before that"
    )]
    Lost {
        /// Name of a body.
        body: String,
    },
}
