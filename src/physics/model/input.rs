//! What a user or a controller does during one step. Everything that can be replayed passes through here.

use super::Model;
use super::id::{BodyId, JointId};
use crate::math::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A body held by the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Drag {
    /// The body.
    pub body: BodyId,
    /// The grabbed point, body frame (m).
    pub point: Vec3,
    /// What the drag wants.
    pub goal: DragGoal,
}

/// Where a dragged body should go.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum DragGoal {
    /// The grabbed point is pulled to this world point (m).
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

/// A force and a torque on a body for one step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AppliedWrench {
    /// The body.
    pub body: BodyId,
    /// Where the force acts, body frame (m); the centre of mass is the origin.
    pub point: Vec3,
    /// Force, world axes (N).
    pub force: Vec3,
    /// Torque, world axes (N·m), beside that of the force about the centre of mass.
    pub torque: Vec3,
}

/// Everything from outside that acts during one step.
///
/// ```
/// use driftless_physics::math::Vec3;
/// use driftless_physics::model::{BodyId, Input, JointId};
///
/// let input = Input::default()
///     .with_command(JointId(0), 0, 2.5)
///     .with_force(BodyId(1), Vec3::x() * 10.0);
/// assert!(input.acts());
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Input {
    /// The mouse spring.
    pub drag: Option<Drag>,
    /// Forces on joint coordinates.
    pub commands: Vec<Command>,
    /// Forces and torques on bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrenches: Vec<AppliedWrench>,
}

/// An input that names what is not there, or holds what is no number.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{field}: found {found}, expected {expected}")]
pub struct InputError {
    /// Path of the field, such as `commands.2.value`.
    pub field: String,
    /// What was found.
    pub found: String,
    /// What is allowed.
    pub expected: String,
}

/// How far a quaternion's length may be from 1: rounding of a long run.
const UNIT: f64 = 1e-9;

impl Input {
    /// Nothing acts.
    pub const NOTHING: Self = Self {
        drag: None,
        commands: Vec::new(),
        wrenches: Vec::new(),
    };

    /// Whether anything in it acts, and may do work.
    pub fn acts(&self) -> bool {
        self.drag.is_some() || !self.commands.is_empty() || !self.wrenches.is_empty()
    }

    /// Adds a generalised force (N or N·m) on a coordinate of a joint.
    pub fn with_command(mut self, joint: JointId, coordinate: usize, value: f64) -> Self {
        self.commands.push(Command {
            joint,
            coordinate,
            value,
        });
        self
    }

    /// Adds a force (N) at the centre of mass of a body, world axes.
    pub fn with_force(self, body: BodyId, force: Vec3) -> Self {
        self.with_wrench(body, Vec3::zeros(), force, Vec3::zeros())
    }

    /// Adds a torque (N·m) on a body, world axes.
    pub fn with_torque(self, body: BodyId, torque: Vec3) -> Self {
        self.with_wrench(body, Vec3::zeros(), Vec3::zeros(), torque)
    }

    /// Adds a force (N) at a point of a body (body frame, from the centre of mass (m)) and a torque (N·m); both in world
    /// axes.
    pub fn with_wrench(mut self, body: BodyId, point: Vec3, force: Vec3, torque: Vec3) -> Self {
        self.wrenches.push(AppliedWrench {
            body,
            point,
            force,
            torque,
        });
        self
    }

    /// Says what does not fit a mechanism: bodies, joints and coordinates that it does not have, and numbers that are
    /// not finite.
    pub fn check(&self, model: &Model) -> Result<(), InputError> {
        let body = |field: &dyn Fn() -> String, id: BodyId| {
            if id.0 < model.bodies.len() {
                return Ok(());
            }
            let expected = match model.bodies.len() {
                0 => "nothing there: the mechanism has no body".into(),
                count => format!("a body from 0 to {}", count - 1),
            };
            Err(wrong(field(), id.0, expected))
        };
        if let Some(drag) = &self.drag {
            body(&|| "drag.body".into(), drag.body)?;
            finite(&|| "drag.point".into(), drag.point.as_slice())?;
            match &drag.goal {
                DragGoal::Pull(point) => finite(&|| "drag.goal".into(), point.as_slice())?,
                // Written so that a length that is not a number fails.
                DragGoal::Turn(turn) if (turn.coords.norm() - 1.0).abs() <= UNIT => {}
                DragGoal::Turn(turn) => {
                    let found = format!("{:?}", turn.coords.as_slice());
                    let expected = "a quaternion x, y, z, w of length 1";
                    return Err(wrong("drag.goal".into(), found, expected));
                }
            }
        }
        for (k, command) in self.commands.iter().enumerate() {
            let path = |field: &str| format!("commands.{k}.{field}");
            let Some(joint) = model.joints.get(command.joint.0) else {
                let expected = format!("a joint below {}", model.joints.len());
                return Err(wrong(path("joint"), command.joint.0, expected));
            };
            if command.coordinate >= joint.kind.freedoms() {
                let expected = format!("a coordinate below {}", joint.kind.freedoms());
                return Err(wrong(path("coordinate"), command.coordinate, expected));
            }
            finite(&|| path("value"), &[command.value])?;
        }
        for (k, wrench) in self.wrenches.iter().enumerate() {
            let path = |field: &'static str| move || format!("wrenches.{k}.{field}");
            body(&path("body"), wrench.body)?;
            finite(&path("point"), wrench.point.as_slice())?;
            finite(&path("force"), wrench.force.as_slice())?;
            finite(&path("torque"), wrench.torque.as_slice())?;
        }
        Ok(())
    }
}

fn wrong(field: String, found: impl ToString, expected: impl Into<String>) -> InputError {
    InputError {
        field,
        found: found.to_string(),
        expected: expected.into(),
    }
}

fn finite(field: &dyn Fn() -> String, numbers: &[f64]) -> Result<(), InputError> {
    match numbers {
        all if all.iter().all(|x| x.is_finite()) => Ok(()),
        [one] => Err(wrong(field(), one, "a finite number")),
        several => Err(wrong(field(), format!("{several:?}"), "finite numbers")),
    }
}
