//! What forces from outside did and what dampers took, over one step.
//!
//! Forces are averaged over the two knots and displacements come from the poses, so the account is second
//! order in the step and does not depend on which velocities a method holds.

use super::knot::{end, wrench};
use super::laws::damping;
use super::{LineDamper, drag_law, has_joint_law, joint_law};
use crate::joints::{self, Placement};
use crate::math::{Vec3, rotation};
use crate::model::{BodyState, Force, Joint, Model, State, Twist, Work};
use crate::sim::Input;
use std::f64::consts::{PI, TAU};

/// Whether any element of the model does external work or dissipates, so that [`account`] can be other than
/// zero without an input; a method asks once, not at every step.
pub fn has_account(model: &Model) -> bool {
    model.joints.iter().any(active) || model.forces.iter().any(|f| !conservative(f))
}

fn active(joint: &Joint) -> bool {
    has_joint_law(joint) || !joint.actuators.is_empty()
}

fn conservative(force: &Force) -> bool {
    matches!(force, Force::Spring { damping, .. } if *damping == 0.0)
}

/// Work over a step of `dt` [s] from the poses `before` to the state `after`, whose time is the end of the
/// step: that of wrenches, actuators, commands and the mouse, and the energy taken by dampers. The caller adds
/// it to [`State::work`].
pub fn account(model: &Model, before: &[BodyState], after: &State, input: &Input, dt: f64) -> Work {
    let mut work = Work::default();
    let times = [after.time - dt, after.time];
    for force in model.forces.iter().filter(|f| !conservative(f)) {
        element(force, [before, &after.bodies], times, &mut work);
    }
    for (joint, reference) in model.joints.iter().zip(&after.angles) {
        if active(joint) {
            let motion = Motion::of(joint, [before, &after.bodies], *reference);
            drives(joint, &motion, times, &mut work);
        }
    }
    for command in &input.commands {
        let joint = &model.joints[command.joint.0];
        let reference = after.angles[command.joint.0];
        let motion = Motion::of(joint, [before, &after.bodies], reference);
        work.external += command.value * motion.change[command.coordinate];
    }
    if let Some(drag) = &input.drag {
        let b = drag.body.0;
        let poses = [&before[b], &after.bodies[b]];
        let (moved, turned) = displacement(poses);
        let mean = Twist {
            linear: moved / dt,
            angular: turned / dt,
        };
        let point = poses.map(|p| p.position + p.orientation * drag.point);
        for pose in poses {
            // Half the force at either end of the step, times the whole way.
            work.external += 0.5
                * match drag_law(&model.bodies[b], drag, pose, &mean) {
                    super::DragLaw::Pull { force, .. } => force.dot(&(point[1] - point[0])),
                    super::DragLaw::Turn { torque, .. } => torque.dot(&turned),
                };
        }
    }
    work
}

/// Displacement of the centre of mass [m] and rotation vector [rad] from the first pose to the second.
fn displacement(poses: [&BodyState; 2]) -> (Vec3, Vec3) {
    let [a, b] = poses;
    (
        b.position - a.position,
        rotation::log(&(b.orientation * a.orientation.inverse())),
    )
}

fn element(force: &Force, bodies: [&[BodyState]; 2], times: [f64; 2], work: &mut Work) {
    match force {
        Force::Wrench { body, .. } => {
            let poses = bodies.map(|b| &b[body.0]);
            let (moved, turned) = displacement(poses);
            for k in 0..2 {
                let w = wrench(force, poses[k], times[k]);
                work.external += 0.5 * (w.force.dot(&moved) + w.torque.dot(&turned));
            }
        }
        Force::Spring { ends, .. } => {
            let length = |b: &[BodyState]| (end(&ends[1], b).0 - end(&ends[0], b).0).norm();
            let change = length(bodies[1]) - length(bodies[0]);
            if let Some(damper) = LineDamper::of(force, bodies[1]) {
                work.dissipated += damper.coefficient * change * change / (times[1] - times[0]);
            }
        }
    }
}

/// How the coordinates of a joint moved during a step.
struct Motion {
    /// Coordinates at both knots [m, rad].
    coordinates: [[f64; 6]; 2],
    /// Their change; for free rotation the rotation vector of the step in the parent's joint axes.
    change: [f64; 6],
}

impl Motion {
    fn of(joint: &Joint, bodies: [&[BodyState]; 2], reference: [f64; 2]) -> Self {
        let at = bodies.map(|b| Placement::of(joint, b));
        let coordinates = at.map(|p| joints::coordinates(joint.kind, &p, reference));
        let mut change: [f64; 6] = std::array::from_fn(|k| coordinates[1][k] - coordinates[0][k]);
        let first = joint.kind.free_translations();
        if joint.kind.free_rotations() == 3 {
            let relative = at.map(|p| p.parent_axes.transpose() * p.child_axes);
            let step =
                nalgebra::Rotation3::from_matrix_unchecked(relative[1] * relative[0].transpose());
            let turned = rotation::log(&nalgebra::UnitQuaternion::from_rotation_matrix(&step));
            change[first..first + 3].copy_from_slice(turned.as_slice());
        } else {
            // The reference is only near one of the two poses: the shorter way round is meant.
            for angle in &mut change[first..joint.kind.freedoms()] {
                *angle -= TAU * ((*angle + PI) / TAU).floor();
            }
        }
        Self {
            coordinates,
            change,
        }
    }
}

fn drives(joint: &Joint, motion: &Motion, times: [f64; 2], work: &mut Work) {
    let dt = times[1] - times[0];
    for k in 0..joint.kind.freedoms() {
        let change = motion.change[k];
        let rate = change / dt;
        let friction = damping(joint, k) * rate;
        work.dissipated += friction * change;
        for end in 0..2 {
            // The law holds damping too; what is left is the actuators' own force.
            let law = joint_law(joint, k, motion.coordinates[end][k], rate, times[end]);
            let mut force = law.force + friction;
            for a in joint
                .actuators
                .iter()
                .filter(|a| a.coordinate == k && a.pd.is_none())
            {
                force += a.command.at(times[end]).clamp(-a.limit, a.limit);
            }
            work.external += 0.5 * force * change;
        }
    }
}
