//! Forces as data, other than those on joint coordinates and gravity.

use super::id::BodyId;
use super::signal::Signal;
use crate::math::Vec3;
use serde::{Deserialize, Serialize};

/// A point fixed to a body or to the world.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// The point (m), in the body's frame (origin at the centre of mass) or the world's.
    pub point: Vec3,
}

/// Axes in which a wrench is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Axes {
    /// World axes.
    World,
    /// The body's own axes: the wrench turns with it.
    Body,
}

/// A force element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Force {
    /// Spring and damper between two points, along the line that joins them.
    Spring {
        /// Unique name.
        name: String,
        /// Where it is fixed.
        ends: [Attachment; 2],
        /// (N/m).
        stiffness: f64,
        /// Length at which it is relaxed (m).
        rest: f64,
        /// Damping along the line (N·s/m), implicit.
        damping: f64,
    },
    /// Force and torque on one body, constant or changing with time.
    Wrench {
        /// Unique name.
        name: String,
        /// Where the force acts.
        body: BodyId,
        /// Point of attack, body frame (m).
        point: Vec3,
        /// Axes of the force and the torque.
        axes: Axes,
        /// Force (N).
        force: [Signal; 3],
        /// Torque (N·m).
        torque: [Signal; 3],
    },
}

impl Force {
    /// Whether it is a force and a torque on one body.
    pub fn is_wrench(&self) -> bool {
        matches!(self, Self::Wrench { .. })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Spring { name, .. } | Self::Wrench { name, .. } => name,
        }
    }
}
