//! Forces that do not depend on velocity.

use super::{Line, StiffSprings, Wrench, apply_row, line_tension};
use crate::joints::{self, Placement, Stretch};
use crate::math::Vec3;
use crate::model::{
    AppliedWrench, Attachment, Axes, BodyState, Force, Input, Joint, Model, Signal,
};

/// Whether [`knot_wrenches`] can hold anything but gravity without an input.
pub fn has_knot_forces(model: &Model) -> bool {
    let drives = |j: &Joint| !j.springs.is_empty() || j.actuators.iter().any(|a| a.pd.is_none());
    !model.forces.is_empty() || model.joints.iter().any(drives)
}

/// Adds to `out` (one entry per body, zeroed by the caller) the forces that do not depend on velocity:
/// gravity, the elastic part of springs between points, joint springs, wrenches, actuators without a PD law
/// (held within their limit), the commands and the wrenches of `input`; signals are read at `time` (s). Springs that are `stiff` are
/// left out.
///
/// `angles` are the unwrapped joint angles of [`State::angles`](crate::model::State).
pub fn knot_wrenches(
    model: &Model,
    bodies: &[BodyState],
    angles: &[[f64; 2]],
    time: f64,
    input: &Input,
    stiff: &StiffSprings,
    out: &mut [Wrench],
) {
    for (body, wrench) in model.bodies.iter().zip(out.iter_mut()) {
        wrench.force += model.gravity * body.mass;
    }
    for (k, force) in model.forces.iter().enumerate() {
        match force {
            Force::Spring { .. } if stiff.holds_line(k) => {}
            Force::Spring { .. } => spring(force, bodies, out),
            Force::Wrench { body, .. } => {
                let added = wrench(force, &bodies[body.0], time);
                out[body.0].force += added.force;
                out[body.0].torque += added.torque;
            }
        }
    }
    for (k, (joint, reference)) in model.joints.iter().zip(angles).enumerate() {
        if joint.springs.is_empty() && joint.actuators.iter().all(|a| a.pd.is_some()) {
            continue;
        }
        let at = Placement::of(joint, bodies);
        let soft = |n: &usize| !stiff.holds(k, *n);
        joint_springs(joint, &at, *reference, soft, out);
        for actuator in joint.actuators.iter().filter(|a| a.pd.is_none()) {
            let command = actuator
                .command
                .at(time)
                .clamp(-actuator.limit, actuator.limit);
            let row = joints::rate_row(joint.kind, &at, actuator.coordinate);
            apply_row(joint, &at, &row, command, out);
        }
    }
    for command in &input.commands {
        let joint = &model.joints[command.joint.0];
        let at = Placement::of(joint, bodies);
        let row = joints::rate_row(joint.kind, &at, command.coordinate);
        apply_row(joint, &at, &row, command.value, out);
    }
    for applied in &input.wrenches {
        let added = applied_wrench(applied, &bodies[applied.body.0]);
        out[applied.body.0].force += added.force;
        out[applied.body.0].torque += added.torque;
    }
}

/// A wrench of the input on a body at a pose, about the centre of mass in world axes.
pub(super) fn applied_wrench(applied: &AppliedWrench, at: &BodyState) -> Wrench {
    let mut sum = Wrench {
        force: Vec3::zeros(),
        torque: applied.torque,
    };
    sum.push(&applied.force, &(at.orientation * applied.point));
    sum
}

fn joint_springs(
    joint: &Joint,
    at: &Placement,
    reference: [f64; 2],
    acts: impl Fn(&usize) -> bool,
    out: &mut [Wrench],
) {
    for spring in (0..joint.springs.len()).filter(acts) {
        let spring = &joint.springs[spring];
        let stretch = Stretch::of(joint.kind, spring, at, reference);
        let force = -spring.stiffness * stretch.value;
        apply_row(joint, at, &stretch.row(), force, out);
    }
}

/// World position of a point and its arm from the centre of mass of its body (zero for the world) (m).
pub(super) fn end(at: &Attachment, bodies: &[BodyState]) -> (Vec3, Vec3) {
    end_about(at, bodies, &Vec3::zeros())
}

/// The same with positions relative to a point of the world (m).
pub(super) fn end_about(at: &Attachment, bodies: &[BodyState], origin: &Vec3) -> (Vec3, Vec3) {
    match at.body {
        Some(body) => {
            let b = &bodies[body.0];
            let arm = b.orientation * at.point;
            (b.position + arm, arm)
        }
        None => (at.point - origin, Vec3::zeros()),
    }
}

/// Adds the elastic force of a spring between two points; one pressed to nothing has no direction in which to push.
fn spring(force: &Force, bodies: &[BodyState], out: &mut [Wrench]) {
    let Force::Spring {
        stiffness, rest, ..
    } = force
    else {
        return;
    };
    let Some(line) = Line::about(force, bodies, &Vec3::zeros()) else {
        return;
    };
    let (tension, _) = line_tension(*stiffness, *rest, &line.span);
    for (end, sign) in [(0, 1.0), (1, -1.0)] {
        if let Some(body) = line.bodies[end] {
            out[body.0].push(&(tension * sign), &line.arms[end]);
        }
    }
}

/// A wrench element at `time`, about the centre of mass in world axes; zero for other elements.
pub(super) fn wrench(force: &Force, at: &BodyState, time: f64) -> Wrench {
    let Force::Wrench {
        point,
        axes,
        force,
        torque,
        ..
    } = force
    else {
        return Wrench::default();
    };
    let read = |signals: &[Signal; 3]| {
        let v = Vec3::from_fn(|k, _| signals[k].at(time));
        match axes {
            Axes::World => v,
            Axes::Body => at.orientation * v,
        }
    };
    let mut sum = Wrench {
        force: Vec3::zeros(),
        torque: read(torque),
    };
    sum.push(&read(force), &(at.orientation * point));
    sum
}
