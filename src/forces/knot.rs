//! Forces that do not depend on velocity.

use super::{Wrench, apply_row};
use crate::joints::{self, Placement};
use crate::math::Vec3;
use crate::model::{Attachment, Axes, BodyState, Force, Input, Joint, Model, Signal};

/// Whether [`knot_wrenches`] can hold anything but gravity without an input.
pub fn has_knot_forces(model: &Model) -> bool {
    let drives = |j: &Joint| !j.springs.is_empty() || j.actuators.iter().any(|a| a.pd.is_none());
    !model.forces.is_empty() || model.joints.iter().any(drives)
}

/// Adds to `out` (one entry per body, zeroed by the caller) the forces that do not depend on velocity:
/// gravity, the elastic part of springs between points, joint springs, wrenches, actuators without a PD law
/// (held within their limit) and the commands of `input`; signals are read at `time` [s].
///
/// `angles` are the unwrapped joint angles of [`State::angles`](crate::model::State).
pub fn knot_wrenches(
    model: &Model,
    bodies: &[BodyState],
    angles: &[[f64; 2]],
    time: f64,
    input: &Input,
    out: &mut [Wrench],
) {
    for (body, wrench) in model.bodies.iter().zip(out.iter_mut()) {
        wrench.force += model.gravity * body.mass;
    }
    for force in &model.forces {
        match force {
            Force::Spring { .. } => spring(force, bodies, out),
            Force::Wrench { body, .. } => {
                let added = wrench(force, &bodies[body.0], time);
                out[body.0].force += added.force;
                out[body.0].torque += added.torque;
            }
        }
    }
    for (joint, reference) in model.joints.iter().zip(angles) {
        if joint.springs.is_empty() && joint.actuators.iter().all(|a| a.pd.is_some()) {
            continue;
        }
        let at = Placement::of(joint, bodies);
        joint_springs(joint, &at, *reference, out);
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
}

fn joint_springs(joint: &Joint, at: &Placement, reference: [f64; 2], out: &mut [Wrench]) {
    if joint.springs.is_empty() {
        return;
    }
    let q = joints::coordinates(joint.kind, at, reference);
    for s in &joint.springs {
        let row = joints::coordinate_row(joint.kind, at, s.coordinate);
        let force = -s.stiffness * (q[s.coordinate] - s.rest);
        apply_row(joint, at, &row, force, out);
    }
}

/// World position of a point and its arm from the centre of mass of its body (zero for the world) [m].
pub(super) fn end(at: &Attachment, bodies: &[BodyState]) -> (Vec3, Vec3) {
    end_about(at, bodies, &Vec3::zeros())
}

/// The same with positions relative to a point of the world [m].
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

/// Adds the elastic force of a spring between two points.
fn spring(force: &Force, bodies: &[BodyState], out: &mut [Wrench]) {
    let Force::Spring {
        ends,
        stiffness,
        rest,
        ..
    } = force
    else {
        return;
    };
    let [(a, arm_a), (b, arm_b)] = [0, 1].map(|k| end(&ends[k], bodies));
    let line = b - a;
    let length = line.norm();
    // A spring pressed to nothing has no direction in which to push.
    if length == 0.0 {
        return;
    }
    let tension = line * (stiffness * (1.0 - rest / length));
    if let Some(body) = ends[0].body {
        out[body.0].push(&tension, &arm_a);
    }
    if let Some(body) = ends[1].body {
        out[body.0].push(&-tension, &arm_b);
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
