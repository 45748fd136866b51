//! How mass is distributed.

use crate::math::{Mat3, Vec3};

/// Mass distribution of a rigid piece.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Distribution {
    /// (kg).
    pub mass: f64,
    /// Centre of mass (m).
    pub centre: Vec3,
    /// Inertia about the centre of mass, axes of the frame in which `centre` is given (kg·m²).
    pub inertia: Mat3,
}
