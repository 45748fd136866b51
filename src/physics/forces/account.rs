//! What forces from outside did and what dampers took, over one step.
//!
//! Forces are averaged over the two knots, laws of joint coordinates are taken at the middle of the motion, and
//! displacements come from the poses, so the account is second order in the step and does not depend on which velocities
//! a method holds.

use super::knot::{applied_wrench, end, wrench};
use super::laws::damping;
use super::{LineDamper, drag_law, has_joint_law, joint_law};
use crate::joints::{self, Placement};
use crate::math::{Vec3, rotation};
use crate::model::{BodyState, Force, Input, Joint, Model, State, Twist, Work};
use std::f64::consts::{PI, TAU};

/// Whether any element of the model does external work or dissipates, so that [`book`] can add other than
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

/// Adds the work over a step of `dt` (s) from the poses `before` to the state, which is at its end, to the
/// state's account.
pub fn book(model: &Model, before: &[BodyState], state: &mut State, input: &Input, dt: f64) {
    let work = account(model, before, state, input, dt);
    state.work.external += work.external;
    state.work.dissipated += work.dissipated;
}

/// Work over a step of `dt` (s) from the poses `before` to the state `after`, whose time is the end of the
/// step: that of wrenches (of the model and of the input), actuators, commands and the mouse, and the energy taken by dampers.
pub(super) fn account(
    model: &Model,
    before: &[BodyState],
    after: &State,
    input: &Input,
    dt: f64,
) -> Work {
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
    for applied in &input.wrenches {
        let poses = [before, &after.bodies].map(|b| &b[applied.body.0]);
        let (moved, turned) = displacement(poses);
        for pose in poses {
            let w = applied_wrench(applied, pose);
            work.external += 0.5 * (w.force.dot(&moved) + w.torque.dot(&turned));
        }
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
                * match drag_law(&model.bodies[b], &model.gravity, drag, pose, &mean) {
                    super::DragLaw::Pull { force, .. } => force.dot(&(point[1] - point[0])),
                    super::DragLaw::Turn { torque, .. } => torque.dot(&turned),
                };
        }
    }
    work
}

/// Displacement of the centre of mass (m) and rotation vector (rad) from the first pose to the second.
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
    /// Coordinates half-way (m, rad).
    middle: [f64; 6],
    /// Their change; for free rotation the rotation vector of the step in the parent's joint axes.
    change: [f64; 6],
}

impl Motion {
    fn of(joint: &Joint, bodies: [&[BodyState]; 2], reference: [f64; 2]) -> Self {
        let [at, next] = bodies.map(|b| Placement::of(joint, b));
        let start = joints::coordinates(joint.kind, &at, reference);
        let end = joints::coordinates_from(joint.kind, &next, reference, &start);
        let mut change: [f64; 6] = std::array::from_fn(|k| end[k] - start[k]);
        let first = joint.kind.free_translations();
        let free = joint.kind.free_rotations() == 3;
        if !free {
            // The reference is only near one of the two poses: the shorter way round is meant.
            for angle in &mut change[first..joint.kind.freedoms()] {
                *angle -= TAU * ((*angle + PI) / TAU).floor();
            }
        }
        let middle = std::array::from_fn(|k| start[k] + 0.5 * change[k]);
        if free {
            let [from, to] = [&at, &next].map(joints::relative_rotation);
            let turned = joints::turn_between(&from, &to);
            change[first..first + 3].copy_from_slice(turned.as_slice());
        }
        Self { middle, change }
    }
}

fn drives(joint: &Joint, motion: &Motion, times: [f64; 2], work: &mut Work) {
    let [start, end] = times;
    let dt = end - start;
    for k in 0..joint.kind.freedoms() {
        let change = motion.change[k];
        let rate = change / dt;
        let friction = damping(joint, k) * rate;
        work.dissipated += friction * change;
        // The law holds damping too; what is left is the actuators' own force. It is that of the middle, as clipped laws
        // and those past half a turn are no straight line between the ends.
        let law = joint_law(joint, k, motion.middle[k], rate, 0.5 * (start + end));
        let mut force = law.force + friction;
        for a in joint
            .actuators
            .iter()
            .filter(|a| a.coordinate == k && a.pd.is_none())
        {
            let at = |time: f64| a.command.at(time).clamp(-a.limit, a.limit);
            force += 0.5 * (at(start) + at(end));
        }
        work.external += force * change;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::specimen::{Numbers, at_rest, moved, place};
    use crate::model::{
        Actuator, Attachment, Axes, BodyId, Command, Drag, DragGoal, JointId, JointKind,
        ModelParts, PdTarget, Signal,
    };

    const DT: f64 = 0.1;

    /// The account of a model over one step that ends at 0.5 s.
    fn over(
        parts: ModelParts,
        before: &[BodyState],
        after: &[BodyState],
        input: &Input,
    ) -> (Work, bool) {
        let model = Model::new(parts).expect("the specimen is a valid model");
        let mut state = crate::model::specimen::state(&model, after);
        state.time = 0.5;
        (
            account(&model, before, &state, input, DT),
            has_account(&model),
        )
    }

    #[test]
    fn a_force_that_grows_with_time_does_force_times_way() {
        let body = Numbers(1).body("b");
        let signal = |s: &str| Signal::expression(s).expect("it parses");
        let parts = ModelParts {
            bodies: vec![body],
            forces: vec![Force::Wrench {
                name: "push".into(),
                body: BodyId(0),
                point: Vec3::zeros(),
                axes: Axes::World,
                force: [signal("10*t"), Signal::ZERO, Signal::ZERO],
                torque: [Signal::ZERO, Signal::Constant(3.0), Signal::ZERO],
            }],
            ..ModelParts::default()
        };
        let before = [at_rest()];
        let after = [moved(
            &before[0],
            Vec3::new(0.2, 9.0, 0.0),
            Vec3::new(0.0, 0.4, 0.0),
        )];
        let (work, has) = over(parts, &before, &after, &Input::default());
        // Mean of 10·0.4 and 10·0.5 over 0.2 m, and 3 N·m over 0.4 rad: exact up to rounding.
        assert!((work.external - (4.5 * 0.2 + 1.2)).abs() < 1e-14);
        assert_eq!((work.dissipated, has), (0.0, true));
    }

    #[test]
    fn drives_and_dampers_of_every_joint_account_for_their_coordinates() {
        for kind in JointKind::ALL {
            let mut numbers = Numbers(9);
            let (mut parts, mut bodies) = numbers.pair(kind);
            let n = kind.free_translations();
            let joint = &mut parts.joints[0];
            joint.damping_translation = 2.0;
            joint.damping_rotation = 0.3;
            // About one axis, where a rotation vector adds up; half a turn lies between the two poses.
            let (mut q, mut dq) = (numbers.coordinates(), [0.0; 6]);
            if kind.free_rotations() == 3 {
                q[n] = 0.0;
                q[n + 1] = 0.0;
            } else if kind.free_rotations() > 0 {
                q[n] = 3.1;
            }
            let mut expected = Work::default();
            let mut input = Input::default();
            for k in 0..kind.freedoms() {
                if kind.free_rotations() == 3 && (n..n + 2).contains(&k) {
                    continue;
                }
                dq[k] = 0.07 * (1.0 + k as f64);
                let damping = if k < n { 2.0 } else { 0.3 };
                expected.dissipated += damping * dq[k] * dq[k] / DT;
                joint.actuators.push(Actuator {
                    coordinate: k,
                    command: Signal::Constant(9.0),
                    pd: None,
                    limit: 5.0,
                });
                joint.actuators.push(Actuator {
                    coordinate: k,
                    command: Signal::ZERO,
                    pd: Some(PdTarget {
                        stiffness: 4.0,
                        damping: 0.5,
                        target: Signal::Constant(0.0),
                        rate: Signal::Constant(0.0),
                    }),
                    limit: f64::INFINITY,
                });
                input.commands.push(Command {
                    joint: JointId(0),
                    coordinate: k,
                    value: -1.0,
                });
                let mean = q[k] + 0.5 * dq[k];
                expected.external += (5.0 - 1.0 - 4.0 * mean - 0.5 * dq[k] / DT) * dq[k];
            }
            let joint = parts.joints[0].clone();
            place(&joint, &q, &mut bodies);
            let before = bodies.clone();
            let after: [f64; 6] = std::array::from_fn(|k| q[k] + dq[k]);
            place(&joint, &after, &mut bodies);
            let model = Model::new(parts).expect("the specimen is a valid model");
            let mut state = crate::model::specimen::state(&model, &bodies);
            state.time = 0.5;
            state.angles = vec![[q[n.min(5)], 0.0]];
            let work = account(&model, &before, &state, &input, DT);
            assert!(
                (work.external - expected.external).abs() < 1e-12
                    && (work.dissipated - expected.dissipated).abs() < 1e-12,
                "{kind:?}: {work:?} {expected:?}"
            );
        }
    }

    #[test]
    fn a_line_damper_takes_force_times_change_of_length() {
        let parts = ModelParts {
            bodies: vec![Numbers(1).body("b")],
            forces: vec![Force::Spring {
                name: "s".into(),
                ends: [None, Some(BodyId(0))].map(|body| Attachment {
                    body,
                    point: Vec3::zeros(),
                }),
                stiffness: 7.0,
                rest: 1.0,
                damping: 2.5,
            }],
            ..ModelParts::default()
        };
        let at = |x: f64| [moved(&at_rest(), Vec3::new(0.0, x, 0.0), Vec3::zeros())];
        let (work, has) = over(parts, &at(1.0), &at(1.2), &Input::default());
        assert!((work.dissipated - 2.5 * 0.2 * 0.2 / DT).abs() < 1e-14);
        assert_eq!((work.external, has), (0.0, true));
    }

    #[test]
    fn the_mouse_does_force_times_way_of_the_grabbed_point() {
        let body = Numbers(1).body("b");
        let mass = body.mass;
        let parts = ModelParts {
            bodies: vec![body],
            ..ModelParts::default()
        };
        let input = Input {
            drag: Some(Drag {
                body: BodyId(0),
                point: Vec3::zeros(),
                goal: DragGoal::Pull(Vec3::new(0.5, 0.0, 0.0)),
            }),
            ..Input::default()
        };
        let before = [at_rest()];
        let after = [moved(&before[0], Vec3::new(0.02, 0.0, 0.0), Vec3::zeros())];
        let (work, has) = over(parts, &before, &after, &input);
        // Mean displacement 0.49 m at 100 /s², damping 20 /s at 0.2 m/s, over 0.02 m.
        let expected = mass * (100.0 * 0.49 - 20.0 * 0.2) * 0.02;
        assert!((work.external - expected).abs() < 1e-14);
        assert_eq!((work.dissipated, has), (0.0, false));
    }

    /// A drive that cannot push harder than 5 N·m, past half a turn: both ends are beyond its limit on the same side.
    #[test]
    fn a_drive_on_a_free_rotation_past_half_a_turn_pushes_as_before() {
        let (mut parts, mut bodies) = Numbers(9).pair(JointKind::Spherical);
        let joint = &mut parts.joints[0];
        joint.actuators.push(Actuator {
            coordinate: 2,
            command: Signal::ZERO,
            pd: Some(PdTarget {
                stiffness: 4.0,
                damping: 0.0,
                target: Signal::Constant(1.0),
                rate: Signal::Constant(0.0),
            }),
            limit: 5.0,
        });
        let joint = joint.clone();
        let at = |angle: f64| [0.0, 0.0, angle, 0.0, 0.0, 0.0];
        place(&joint, &at(3.1), &mut bodies);
        let before = bodies.clone();
        place(&joint, &at(3.2), &mut bodies);
        let (work, _) = over(parts, &before, &bodies, &Input::default());
        // 4 N·m/rad over 2.15 rad are clipped.
        assert!((work.external + 5.0 * 0.1).abs() < 1e-12, "{work:?}");
    }
}
