//! What a user or a controller does during one step. Everything that can be replayed passes through here.

use super::id::{BodyId, JointId};
use crate::math::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A body held by the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Drag {
    /// The body.
    pub body: BodyId,
    /// The grabbed point, body frame [m].
    pub point: Vec3,
    /// What the drag wants.
    pub goal: DragGoal,
}

/// Where a dragged body should go.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum DragGoal {
    /// The grabbed point is pulled to this world point [m].
    Pull(Vec3),
    /// The body is turned to this orientation.
    Turn(Quat),
}

/// A generalised force added to a joint coordinate for one step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// The joint.
    pub joint: JointId,
    /// Which coordinate of the joint.
    pub coordinate: usize,
    /// [N or N·m].
    pub value: f64,
}

/// Everything from outside that acts during one step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Input {
    /// The mouse spring.
    pub drag: Option<Drag>,
    /// Forces on joint coordinates.
    pub commands: Vec<Command>,
}

impl Input {
    /// Whether anything in it acts, and may do work.
    pub fn acts(&self) -> bool {
        self.drag.is_some() || !self.commands.is_empty()
    }
}
