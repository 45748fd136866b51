//! Derivatives of all forces with respect to poses and velocities, for methods that solve implicit equations.
//!
//! | symbol | code | unit | frame |
//! |---|---|---|---|
//! | `∂(wrench on i)/∂(motion of j)` | `pose`, 6×6 | N/m, N, N·m/rad | world, about the centres of mass |
//! | `∂(wrench on i)/∂(velocity of j)` | `velocity`, 6×6 | N·s/m … | world |
//!
//! Motions are world increments, a displacement and then a rotation; velocities are held in world axes while poses
//! change, and poses while velocities change. Angles of joints have their gradients where the joint is closed.

use super::knot::{end, wrench};
use super::{DragLaw, Wrench, drag_law, has_joint_law, has_law, joint_law, line_tension};
use crate::joints::{self, PairSlope, Placement, Stretch, row_pair, six_by_six};
use crate::math::rotation::skew;
use crate::math::{Mat3, Mat6, Vec3};
use crate::model::{
    Attachment, Axes, BodyState, Command, Force, Input, Joint, JointId, Model, Twist,
};

/// What one body feels when one body moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// Body on which the wrench acts.
    pub feels: usize,
    /// Body that moves.
    pub moves: usize,
    /// With respect to its pose.
    pub pose: Mat6,
    /// With respect to its velocity.
    pub velocity: Mat6,
}

/// Gives `sink` the derivative of [`all_wrenches`](super::all_wrenches), block by block; a pair of bodies may come
/// several times, and the blocks add up.
pub fn slopes(
    model: &Model,
    bodies: &[BodyState],
    twists: &[Twist],
    angles: &[[f64; 2]],
    time: f64,
    input: &Input,
    mut sink: impl FnMut(&Slope),
) {
    for force in &model.forces {
        match force {
            Force::Spring { ends, .. } => spring(force, ends, bodies, twists, &mut sink),
            Force::Wrench { body, point, .. } => {
                let pose = &bodies[body.0];
                let sum = wrench(force, pose, time);
                sink(&Slope {
                    feels: body.0,
                    moves: body.0,
                    pose: element_slope(force, &sum, &(pose.orientation * point)),
                    velocity: Mat6::zeros(),
                });
            }
        }
    }
    for (k, (joint, reference)) in model.joints.iter().zip(angles).enumerate() {
        let commands = || input.commands.iter().filter(|c| c.joint == JointId(k));
        let idle = joint.springs.is_empty() && joint.actuators.is_empty();
        if idle && !has_joint_law(joint) && commands().next().is_none() {
            continue;
        }
        let at = Placement::of(joint, bodies);
        let parent = joint.parent.map_or_else(Twist::default, |p| twists[p.0]);
        let motion = [parent, twists[joint.child.0]];
        let (pose, velocity) = joint_slope(joint, &at, *reference, &motion, time, commands());
        let ids = [joint.parent.map(|p| p.0), Some(joint.child.0)];
        for (i, feels) in ids.iter().enumerate() {
            for (j, moves) in ids.iter().enumerate() {
                if let (Some(feels), Some(moves)) = (*feels, *moves) {
                    sink(&Slope {
                        feels,
                        moves,
                        pose: pose.0[i][j],
                        velocity: velocity.0[i][j],
                    });
                }
            }
        }
    }
    for applied in &input.wrenches {
        let b = applied.body.0;
        let arm = bodies[b].orientation * applied.point;
        sink(&Slope {
            feels: b,
            moves: b,
            pose: lever_slope(&applied.force, &arm),
            velocity: Mat6::zeros(),
        });
    }
    if let Some(drag) = &input.drag {
        let b = drag.body.0;
        let law = drag_law(
            &model.bodies[b],
            &model.gravity,
            drag,
            &bodies[b],
            &twists[b],
        );
        let (pose, velocity) = drag_slope(&law, &twists[b]);
        sink(&Slope {
            feels: b,
            moves: b,
            pose,
            velocity,
        });
    }
}

/// A wrench element turns with its body, or only its point of application (at `arm`) does.
fn element_slope(force: &Force, sum: &Wrench, arm: &Vec3) -> Mat6 {
    let zero = Mat3::zeros();
    let f = skew(&sum.force);
    match force {
        Force::Wrench {
            axes: Axes::World, ..
        } => lever_slope(&sum.force, arm),
        _ => six_by_six(&zero, &-f, &zero, &-skew(&sum.torque)),
    }
}

/// A force that keeps its direction while its point of application, at `arm`, turns with the body.
fn lever_slope(force: &Vec3, arm: &Vec3) -> Mat6 {
    let zero = Mat3::zeros();
    six_by_six(&zero, &zero, &zero, &(skew(force) * skew(arm)))
}

/// Elastic force and damping of a spring between two points: a tension that depends on the line `d` between them
/// and on their relative velocity `u`, and turns with the arms.
fn spring(
    force: &Force,
    ends: &[Attachment; 2],
    bodies: &[BodyState],
    twists: &[Twist],
    sink: &mut impl FnMut(&Slope),
) {
    let Force::Spring {
        stiffness,
        rest,
        damping,
        ..
    } = force
    else {
        return;
    };
    let [(a, arm_a), (b, arm_b)] = [0, 1].map(|k| end(&ends[k], bodies));
    let arms = [arm_a, arm_b];
    let line = b - a;
    let length = line.norm();
    // Where the ends meet the line has no direction, and neither law acts.
    if length == 0.0 {
        return;
    }
    let n = line / length;
    let along = n * n.transpose();
    let across = Mat3::identity() - along;
    let spin = |k: usize| {
        ends[k]
            .body
            .map_or_else(Vec3::zeros, |b| twists[b.0].angular)
    };
    let point = |k: usize| {
        ends[k].body.map_or_else(Vec3::zeros, |b| {
            twists[b.0].linear + twists[b.0].angular.cross(&arms[k])
        })
    };
    let u = point(1) - point(0);
    let rate = n.dot(&u);
    let (elastic, by_elastic) = line_tension(*stiffness, *rest, &line);
    let tension = elastic + n * (damping * rate);
    let by_line = by_elastic + (n * (across * u).transpose() + across * rate) * (damping / length);
    let by_velocity = along * *damping;
    for (i, feeler) in ends.iter().enumerate() {
        let Some(feels) = feeler.body else { continue };
        // The first end is pulled along the line, the second against it.
        let pull = if i == 0 { 1.0 } else { -1.0 };
        for (j, mover) in ends.iter().enumerate() {
            let Some(moves) = mover.body else { continue };
            // The line runs from the first end to the second.
            let sign = if j == 0 { -pull } else { pull };
            let arm = skew(&arms[j]);
            // A rotation moves the end by θ × arm and its velocity by ω × (θ × arm).
            let fx = by_line * sign;
            let ft = (by_line * -arm - by_velocity * skew(&spin(j)) * arm) * sign;
            let mut tt = skew(&arms[i]) * ft;
            if i == j {
                tt += skew(&(tension * pull)) * arm;
            }
            let (vx, vt) = (by_velocity * sign, by_velocity * -arm * sign);
            let lever = skew(&arms[i]);
            sink(&Slope {
                feels: feels.0,
                moves: moves.0,
                pose: six_by_six(&fx, &ft, &(lever * fx), &tt),
                velocity: six_by_six(&vx, &vt, &(lever * vx), &(lever * vt)),
            });
        }
    }
}

/// Springs, drives, dampers and commands of a joint, whose motion is that of its parent and its child.
fn joint_slope<'a>(
    joint: &Joint,
    at: &Placement,
    reference: [f64; 2],
    motion: &[Twist; 2],
    time: f64,
    commands: impl Iterator<Item = &'a Command>,
) -> (PairSlope, PairSlope) {
    let kind = joint.kind;
    let (mut pose, mut velocity) = (PairSlope::default(), PairSlope::default());
    let q = joints::coordinates(kind, at, reference);
    let rates = joints::rates(kind, at, &motion[0], &motion[1]);
    for spring in &joint.springs {
        let stretch = Stretch::of(kind, spring, at, reference);
        let gradient = row_pair(&stretch.row(), at);
        pose.add(&stretch.curvature(-spring.stiffness * stretch.value), 1.0);
        pose.add_product(&gradient, &gradient, -spring.stiffness);
    }
    for actuator in joint.actuators.iter().filter(|a| a.pd.is_none()) {
        let command = actuator
            .command
            .at(time)
            .clamp(-actuator.limit, actuator.limit);
        let turned = joints::rate_curvature(kind, at, actuator.coordinate, command);
        pose.add(&turned, 1.0);
    }
    for command in commands {
        let turned = joints::rate_curvature(kind, at, command.coordinate, command.value);
        pose.add(&turned, 1.0);
    }
    for k in (0..kind.freedoms()).filter(|&k| has_law(joint, k)) {
        let law = joint_law(joint, k, q[k], rates[k], time);
        let direction = row_pair(&joints::rate_row(kind, at, k), at);
        let gradient = row_pair(&joints::coordinate_row(kind, at, k), at);
        let curvature = joints::rate_curvature(kind, at, k, 1.0);
        let of_rate = curvature.gradient_of_rate(&motion[0], &motion[1]);
        pose.add(&curvature, law.force);
        pose.add_product(&direction, &gradient, law.d_coordinate);
        pose.add_product(&direction, &of_rate, law.d_rate);
        velocity.add_product(&direction, &direction, law.d_rate);
    }
    (pose, velocity)
}

fn drag_slope(law: &DragLaw, twist: &Twist) -> (Mat6, Mat6) {
    let zero = Mat3::zeros();
    match law {
        DragLaw::Pull {
            arm,
            force,
            d_position,
            d_velocity,
        } => {
            let lever = skew(arm);
            // A rotation moves the point by θ × arm and its velocity by ω × (θ × arm).
            let ft = d_position * -lever - d_velocity * skew(&twist.angular) * lever;
            let vt = d_velocity * -lever;
            (
                six_by_six(
                    d_position,
                    &ft,
                    &(lever * d_position),
                    &(lever * ft + skew(force) * lever),
                ),
                six_by_six(d_velocity, &vt, &(lever * d_velocity), &(lever * vt)),
            )
        }
        DragLaw::Turn {
            d_rotation, d_spin, ..
        } => (
            six_by_six(&zero, &zero, &zero, d_rotation),
            six_by_six(&zero, &zero, &zero, d_spin),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::all_wrenches;
    use super::*;
    use crate::math::Quat;
    use crate::model::specimen::{Numbers, moved};
    use crate::model::{
        Actuator, BodyId, Drag, DragGoal, JointKind, JointSpring, ModelParts, PdTarget, Signal,
    };

    /// Central differences with a step of 1e-5: truncation 1e-10 times third derivatives of order 1e3 (a spring of
    /// 30 N/m over a line of 0.5 m), rounding 1e-16/1e-5 times forces of order 100.
    const H: f64 = 1e-5;
    const TOLERANCE: f64 = 1e-6;

    /// A pair with everything on its joint.
    fn equipped(kind: JointKind, numbers: &mut Numbers) -> (ModelParts, Vec<BodyState>) {
        let (mut parts, bodies) = numbers.pair(kind);
        let joint = &mut parts.joints[0];
        (joint.damping_translation, joint.damping_rotation) = (0.7, 0.4);
        for coordinate in 0..kind.freedoms() {
            joint.springs.push(JointSpring {
                coordinate,
                stiffness: 8.0,
                rest: 0.2,
            });
            let drive = |pd| Actuator {
                coordinate,
                command: Signal::Constant(1.3),
                pd,
                limit: 100.0,
            };
            joint.actuators.push(drive(None));
            joint.actuators.push(drive(Some(PdTarget {
                stiffness: 5.0,
                damping: 0.6,
                target: Signal::Constant(0.4),
                rate: Signal::Constant(-0.1),
            })));
        }
        let attachment = |body, point| Attachment { body, point };
        for (end, damping) in [(Some(BodyId(1)), 2.0), (Some(BodyId(1)), 0.0), (None, 1.5)] {
            parts.forces.push(Force::Spring {
                name: format!("line {}", parts.forces.len()),
                ends: [
                    attachment(Some(BodyId(0)), numbers.vector() * 0.3),
                    attachment(end, numbers.vector() * 0.3 + Vec3::new(2.0, 2.0, 2.0)),
                ],
                stiffness: 30.0,
                rest: 0.4,
                damping,
            });
        }
        for axes in [Axes::World, Axes::Body] {
            parts.forces.push(Force::Wrench {
                name: format!("push {axes:?}"),
                body: BodyId(1),
                point: numbers.vector(),
                axes,
                force: [0; 3].map(|_| Signal::Constant(numbers.unit())),
                torque: [0; 3].map(|_| Signal::Constant(numbers.unit())),
            });
        }
        parts.gravity = numbers.vector();
        (parts, bodies)
    }

    fn input(kind: JointKind, seed: u64, numbers: &mut Numbers) -> Input {
        let goal = match seed % 3 {
            0 => DragGoal::Turn(Quat::from_scaled_axis(numbers.vector())),
            1 => DragGoal::Pull(numbers.vector() * 5.0),
            _ => DragGoal::Pull(numbers.vector() * 0.1),
        };
        let commands = (0..kind.freedoms()).map(|coordinate| Command {
            joint: JointId(0),
            coordinate,
            value: numbers.unit(),
        });
        Input {
            commands: commands.collect(),
            drag: Some(Drag {
                body: BodyId(1),
                point: numbers.vector(),
                goal,
            }),
            ..Input::NOTHING
        }
        .with_wrench(
            BodyId(seed as usize % 2),
            numbers.vector(),
            numbers.vector() * 5.0,
            numbers.vector(),
        )
    }

    /// The slopes of a pair against central differences of its wrenches.
    fn check(model: &Model, bodies: &[BodyState], twists: &[Twist], input: &Input, name: &str) {
        let mut claimed = [[[Mat6::zeros(); 2]; 2]; 2];
        let angles = [[0.0; 2]];
        slopes(model, bodies, twists, &angles, 0.3, input, |s| {
            claimed[0][s.feels][s.moves] += s.pose;
            claimed[1][s.feels][s.moves] += s.velocity;
        });
        let wrenches = |bodies: &[BodyState], twists: &[Twist]| {
            let mut out = vec![Wrench::default(); 2];
            all_wrenches(model, bodies, twists, &angles, 0.3, input, &mut out);
            out
        };
        for (moves, k) in (0..12).map(|n| (n / 6, n % 6)) {
            let at = |s: f64, velocity: bool| {
                let (mut bodies, mut twists) = (bodies.to_vec(), twists.to_vec());
                let step = Vec3::ith(k % 3, s);
                let [x, r] = if k < 3 {
                    [step, Vec3::zeros()]
                } else {
                    [Vec3::zeros(), step]
                };
                if velocity {
                    twists[moves].linear += x;
                    twists[moves].angular += r;
                } else {
                    bodies[moves] = moved(&bodies[moves], x, r);
                }
                wrenches(&bodies, &twists)
            };
            for velocity in [false, true] {
                let (ahead, behind) = (at(H, velocity), at(-H, velocity));
                for (feels, i) in (0..12).map(|n| (n / 6, n % 6)) {
                    let part = |w: &Wrench| {
                        if i < 3 { w.force[i] } else { w.torque[i - 3] }
                    };
                    let found = (part(&ahead[feels]) - part(&behind[feels])) / (2.0 * H);
                    let claim = claimed[usize::from(velocity)][feels][moves][(i, k)];
                    assert!(
                        (found - claim).abs() < TOLERANCE,
                        "{name} velocity {velocity}: body {feels} component {i} by body {moves} direction {k}: \
                         {found} {claim}"
                    );
                }
            }
        }
    }

    #[test]
    fn slopes_are_derivatives_of_all_wrenches_for_every_kind_of_joint_and_force() {
        for kind in JointKind::ALL {
            for seed in 0..12 {
                let mut numbers = Numbers(seed);
                let (parts, bodies) = equipped(kind, &mut numbers);
                let model = Model::new(parts).expect("the specimen is a valid model");
                let input = input(kind, seed, &mut numbers);
                let twists = [numbers.twist(), numbers.twist()];
                check(
                    &model,
                    &bodies,
                    &twists,
                    &input,
                    &format!("{kind:?} seed {seed}"),
                );
            }
        }
    }

    /// What acts at a joint is no less felt where nothing else does.
    #[test]
    fn slopes_are_derivatives_where_a_joint_has_but_one_thing_on_it() {
        for alone in ["spring", "drive", "damper", "command"] {
            for kind in [JointKind::Revolute, JointKind::Prismatic] {
                let mut numbers = Numbers(9);
                let (mut parts, bodies) = equipped(kind, &mut numbers);
                parts.forces.clear();
                let joint = &mut parts.joints[0];
                if alone != "spring" {
                    joint.springs.clear();
                }
                if alone != "drive" {
                    joint.actuators.clear();
                }
                if alone != "damper" {
                    (joint.damping_translation, joint.damping_rotation) = (0.0, 0.0);
                }
                let mut input = input(kind, 0, &mut numbers);
                input.drag = None;
                if alone != "command" {
                    input.commands.clear();
                }
                let model = Model::new(parts).expect("the specimen is a valid model");
                let twists = [numbers.twist(), numbers.twist()];
                check(
                    &model,
                    &bodies,
                    &twists,
                    &input,
                    &format!("{kind:?} {alone}"),
                );
            }
        }
    }
}
