//! Forces as pure functions of a model, poses, velocities, time and input. Nothing here allocates.
//!
//! An integrator meets forces in three groups, because each asks for another treatment:
//! - [`knot_wrenches`]: depend on poses and time alone, evaluated at a knot;
//! - [`joint_law`], [`LineDamper`], [`DragLaw`]: depend on velocity (or are stiff), given as a value with its
//!   derivatives so that an implicit step can evaluate them at its end;
//! - [`all_wrenches`]: the sum of both at given velocities, for acceleration-level methods, and its derivatives
//!   [`slopes`] for those that solve implicit equations.
//!
//! | force | direction | group |
//! |---|---|---|
//! | gravity, wrenches | along themselves | knot |
//! | point springs | the line between them | knot; law where [stiff](StiffSprings) |
//! | joint springs | [`coordinate_row`](crate::joints::coordinate_row), a gradient | knot; law where stiff |
//! | commands, actuators without PD | [`rate_row`](crate::joints::rate_row) | knot |
//! | joint dampers, PD actuators | [`rate_row`](crate::joints::rate_row) | law |
//! | dampers between points | the line between them | law |
//! | mouse spring | towards its goal | law |
//!
//! The two rows differ only for free rotation, where the rate is an angular velocity and no coordinate's derivative.

mod account;
mod drag;
mod knot;
mod laws;
mod slopes;
mod stiffness;
mod total;

pub use account::{book, has_account};
pub use drag::{DragLaw, drag_law};
pub use knot::{has_knot_forces, knot_wrenches};
pub use laws::{
    JointLaw, Line, LineDamper, has_joint_law, has_law, has_velocity_laws, joint_law,
    joint_law_towards, line_tension,
};
pub use slopes::{Slope, slopes};
pub use stiffness::StiffSprings;
pub use total::all_wrenches;

use crate::joints::{Placement, Row};
use crate::math::Vec3;
use crate::model::Joint;

/// Force and torque about the centre of mass, world axes, one per body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wrench {
    /// Force (N).
    pub force: Vec3,
    /// Torque about the centre of mass (N·m).
    pub torque: Vec3,
}

impl Wrench {
    /// Adds a force that acts at `arm` from the centre of mass (m).
    pub fn push(&mut self, force: &Vec3, arm: &Vec3) {
        self.force += force;
        self.torque += arm.cross(force);
    }
}

/// Adds the wrench of a joint row: `magnitude · row` on the child and the opposite on the parent, both at the
/// child's anchor, so that action equals reaction even where the joint is open.
pub fn apply_row(joint: &Joint, at: &Placement, row: &Row, magnitude: f64, out: &mut [Wrench]) {
    let force = row.force * magnitude;
    let torque = row.torque * magnitude;
    let child = &mut out[joint.child.0];
    child.push(&force, &at.child_arm);
    child.torque += torque;
    if let Some(parent) = joint.parent {
        let parent = &mut out[parent.0];
        parent.push(&-force, &at.reach());
        parent.torque -= torque;
    }
}

#[cfg(test)]
mod tests;
