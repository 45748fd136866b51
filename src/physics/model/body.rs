//! A rigid body: mass, inertia and shapes, constant while a simulation runs.

use super::shape::Shape;
use super::state::Twist;
use crate::math::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A rigid body. Its frame has its origin at the centre of mass; the axes are those of the scene file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// Mass (kg), positive.
    pub mass: f64,
    /// Inertia about the centre of mass, body axes [kg·m²]: symmetric, positive definite, triangle inequality.
    pub inertia: Mat3,
    /// Origin of the frame the scene file used, seen from the centre of mass, body axes (m).
    pub origin: Vec3,
    /// What is drawn and picked.
    pub shapes: Vec<Shape>,
}

impl Body {
    /// A body with no shapes whose scene frame is at its centre of mass.
    pub fn new(name: impl Into<String>, mass: f64, inertia: Mat3) -> Self {
        Self {
            name: name.into(),
            mass,
            inertia,
            origin: Vec3::zeros(),
            shapes: Vec::new(),
        }
    }

    /// Radius of gyration (m), the mean over all directions: how large the body is as far as its motion goes.
    pub fn gyration(&self) -> f64 {
        // The trace is twice the second moment about the centre.
        (0.5 * self.inertia.trace() / self.mass).sqrt()
    }

    /// Kinetic energy (J) with this orientation and velocity: that of the centre of mass, and that of the turn about it.
    pub fn kinetic_energy(&self, orientation: &Quat, velocity: &Twist) -> [f64; 2] {
        let turn = orientation.inverse_transform_vector(&velocity.angular);
        let twice = [
            self.mass * velocity.linear.norm_squared(),
            turn.dot(&(self.inertia * turn)),
        ];
        twice.map(|energy| 0.5 * energy)
    }
}
