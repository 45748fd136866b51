//! The sum of all forces at given velocities.

use super::{
    LineDamper, StiffSprings, Wrench, apply_row, drag_law, has_joint_law, joint_law, knot_wrenches,
};
use crate::joints::{self, Placement};
use crate::model::{BodyState, Input, Model, Twist};

/// Adds every force of the model and of `input` at the poses of `bodies` and the velocities `twists` to `out`
/// (one entry per body, zeroed by the caller): for methods that need accelerations.
pub fn all_wrenches(
    model: &Model,
    bodies: &[BodyState],
    twists: &[Twist],
    angles: &[[f64; 2]],
    time: f64,
    input: &Input,
    out: &mut [Wrench],
) {
    let none = StiffSprings::default();
    knot_wrenches(model, bodies, angles, time, input, &none, out);
    for (joint, reference) in model.joints.iter().zip(angles) {
        if !has_joint_law(joint) {
            continue;
        }
        let at = Placement::of(joint, bodies);
        let q = joints::coordinates(joint.kind, &at, *reference);
        let parent = joint.parent.map_or_else(Twist::default, |p| twists[p.0]);
        let rates = joints::rates(joint.kind, &at, &parent, &twists[joint.child.0]);
        for k in 0..joint.kind.freedoms() {
            let law = joint_law(joint, k, q[k], rates[k], time);
            let row = joints::rate_row(joint.kind, &at, k);
            apply_row(joint, &at, &row, law.force, out);
        }
    }
    for damper in model
        .forces
        .iter()
        .filter_map(|f| LineDamper::of(f, bodies))
    {
        damper.apply(damper.rate(twists), out);
    }
    if let Some(drag) = &input.drag {
        let b = drag.body.0;
        let added = drag_law(
            &model.bodies[b],
            &model.gravity,
            drag,
            &bodies[b],
            &twists[b],
        )
        .wrench();
        out[b].force += added.force;
        out[b].torque += added.torque;
    }
}
