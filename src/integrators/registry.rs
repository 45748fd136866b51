//! The list of methods and how one is built.

use super::{Integrator, IntegratorInfo};
use crate::model::Model;
use crate::sim::SimulationError;

/// All methods, in the order in which lists show them.
pub const REGISTRY: &[IntegratorInfo] = &[];

/// Why a method cannot run a model, if it cannot.
pub fn refusal(_info: &IntegratorInfo, _model: &Model) -> Option<String> {
    None
}

/// Builds the method of that name for a model.
pub fn build(name: &str, model: &Model) -> Result<Box<dyn Integrator>, SimulationError> {
    let _ = model;
    let known = REGISTRY
        .iter()
        .map(|i| i.name)
        .collect::<Vec<_>>()
        .join(", ");
    Err(SimulationError::UnknownIntegrator {
        name: name.into(),
        suggestion: None,
        known,
    })
}
