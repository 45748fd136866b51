//! Every force against the gradient of its potential or the derivative of its law, and action against reaction.
//!
//! Central differences with h = 1e-5: truncation h² times third derivatives of order 100 gives 1e-8, rounding
//! 1e-16/h = 1e-11; tolerance 1e-7.

use super::*;
use crate::diagnostics;
use crate::math::Quat;
use crate::model::specimen::{Numbers, moved, slope, state};
use crate::model::{
    Actuator, Attachment, Axes, BodyId, BodyState, Command, Drag, DragGoal, Force, Input, JointId,
    JointKind, JointSpring, Model, ModelParts, PdTarget, Signal, Twist,
};

const H: f64 = 1e-5;
const TOLERANCE: f64 = 1e-7;

fn model(parts: ModelParts) -> Model {
    Model::new(parts).expect("the specimen is a valid model")
}

fn at_knot(model: &Model, bodies: &[BodyState], input: &Input) -> Vec<Wrench> {
    let mut out = vec![Wrench::default(); bodies.len()];
    let angles = vec![[0.0; 2]; model.joints.len()];
    knot_wrenches(model, bodies, &angles, 0.3, input, &mut out);
    out
}

/// Everything at the velocities given.
fn at_twists(model: &Model, bodies: &[BodyState], twists: &[Twist], input: &Input) -> Vec<Wrench> {
    let mut out = vec![Wrench::default(); bodies.len()];
    let angles = vec![[0.0; 2]; model.joints.len()];
    all_wrenches(model, bodies, twists, &angles, 0.3, input, &mut out);
    out
}

/// Total force and total moment about the world's origin, largest component.
fn unbalanced(bodies: &[BodyState], out: &[Wrench]) -> f64 {
    let force: Vec3 = out.iter().map(|w| w.force).sum();
    let moment: Vec3 = bodies
        .iter()
        .zip(out)
        .map(|(b, w)| w.torque + b.position.cross(&w.force))
        .sum();
    force.amax().max(moment.amax())
}

fn line(damping: f64, numbers: &mut Numbers) -> Force {
    Force::Spring {
        name: "line".into(),
        ends: [0, 1].map(|b| Attachment {
            body: Some(BodyId(b)),
            point: numbers.vector(),
        }),
        stiffness: 30.0,
        rest: 0.4,
        damping,
    }
}

fn is_gradient(parts: ModelParts, bodies: &[BodyState]) {
    let model = model(parts);
    let out = at_knot(&model, bodies, &Input::default());
    let potential = |b: &[BodyState]| diagnostics::potential_energy(&model, &state(&model, b));
    for (body, wrench) in out.iter().enumerate() {
        for k in 0..6 {
            let claim = if k < 3 {
                wrench.force[k]
            } else {
                wrench.torque[k - 3]
            };
            let found = -slope(bodies, body, k, H, potential);
            assert!(
                (found - claim).abs() < TOLERANCE,
                "body {body} direction {k}: {found} {claim}"
            );
        }
    }
}

#[test]
fn gravity_and_point_springs_are_gradients() {
    for seed in 0..10 {
        let mut numbers = Numbers(seed);
        let (mut parts, bodies) = numbers.pair(JointKind::Floating);
        parts.gravity = numbers.vector() * 9.81;
        parts.forces = vec![line(0.0, &mut numbers)];
        let Force::Spring { ends, .. } = &mut parts.forces[0] else {
            unreachable!("a spring was pushed")
        };
        if seed % 2 == 1 {
            ends[1].body = None;
        }
        is_gradient(parts, &bodies);
    }
}

#[test]
fn joint_springs_are_gradients_where_coordinates_are_smooth_off_the_joint() {
    // Angles of half-held rotations are defined up to motions that break the joint, so those are tested along
    // motions that keep it, in `joints`; here the kinds whose coordinates have one gradient everywhere.
    for kind in JointKind::ALL {
        for seed in 0..10 {
            let mut numbers = Numbers(seed);
            let (mut parts, bodies) = numbers.pair(kind);
            let smooth = if kind.constrained_rotations() == 0 {
                kind.freedoms()
            } else {
                kind.free_translations()
            };
            parts.joints[0].springs = (0..smooth)
                .map(|coordinate| JointSpring {
                    coordinate,
                    stiffness: 10.0 + coordinate as f64,
                    rest: 0.3,
                })
                .collect();
            is_gradient(parts, &bodies);
        }
    }
}

#[test]
fn joint_springs_do_the_work_their_potential_loses() {
    // Along a motion that keeps the joint: the power of the wrench is minus the rate of the potential.
    for (kind, coordinate) in [
        (JointKind::Revolute, 0),
        (JointKind::Cylindrical, 1),
        (JointKind::PlanarAxis, 2),
        (JointKind::Universal, 0),
        (JointKind::Universal, 1),
    ] {
        for seed in 0..10 {
            let mut numbers = Numbers(seed);
            let (mut parts, mut bodies) = numbers.pair(kind);
            parts.joints[0].springs = vec![JointSpring {
                coordinate,
                stiffness: 20.0,
                rest: -0.4,
            }];
            let joint = parts.joints[0].clone();
            let model = model(parts);
            let q = numbers.coordinates();
            let mut energy = |step: f64| {
                let mut moved = q;
                moved[coordinate] += step;
                crate::model::specimen::place(&joint, &moved, &mut bodies);
                diagnostics::potential_energy(&model, &state(&model, &bodies))
            };
            let found = -(energy(H) - energy(-H)) / (2.0 * H);
            energy(0.0);
            let out = at_knot(&model, &bodies, &Input::default());
            // Generalised force: the wrench of the child along the joint's own freedom.
            let at = Placement::of(&joint, &bodies);
            let row = crate::joints::rate_row(kind, &at, coordinate);
            let moment = out[1].torque - at.child_arm.cross(&out[1].force);
            let force = row.torque.dot(&moment);
            assert!(
                (found - force).abs() < TOLERANCE,
                "{kind:?}: {found} {force}"
            );
        }
    }
}

/// A pair with everything that acts between two bodies, and nothing from outside.
fn internal(kind: JointKind, numbers: &mut Numbers) -> (Model, Vec<BodyState>, Input) {
    let (mut parts, bodies) = numbers.pair(kind);
    parts.forces = vec![line(3.0, numbers)];
    let joint = &mut parts.joints[0];
    joint.damping_translation = 2.0;
    joint.damping_rotation = 0.7;
    let mut input = Input::default();
    for coordinate in 0..kind.freedoms() {
        joint.springs.push(JointSpring {
            coordinate,
            stiffness: 5.0,
            rest: 0.2,
        });
        joint.actuators.push(Actuator {
            coordinate,
            command: Signal::Constant(1.5),
            pd: None,
            limit: f64::INFINITY,
        });
        joint.actuators.push(Actuator {
            coordinate,
            command: Signal::ZERO,
            pd: Some(PdTarget {
                stiffness: 8.0,
                damping: 0.5,
                target: Signal::Constant(1.0),
                rate: Signal::ZERO,
            }),
            limit: 4.0,
        });
        input.commands.push(Command {
            joint: JointId(0),
            coordinate,
            value: -0.4,
        });
    }
    (model(parts), bodies, input)
}

#[test]
fn internal_forces_cancel_in_force_and_moment() {
    for kind in JointKind::ALL {
        for seed in 0..10 {
            let mut numbers = Numbers(seed);
            let (model, mut bodies, input) = internal(kind, &mut numbers);
            if seed % 2 == 1 {
                // Also where the joint is open.
                bodies[1] = moved(&bodies[1], numbers.vector(), numbers.vector());
            }
            let twists = [numbers.twist(), numbers.twist()];
            let out = at_twists(&model, &bodies, &twists, &input);
            // Forces of some tens of newtons at arms of a few metres: rounding 1e-16 · 1e3.
            assert!(unbalanced(&bodies, &out) < 1e-12, "{kind:?} seed {seed}");
            assert!(out[0].force.norm() > 0.1, "something acts");
        }
    }
}

#[test]
fn joint_laws_match_their_derivatives_and_clip_as_one() {
    let mut numbers = Numbers(5);
    let (model, ..) = internal(JointKind::Cylindrical, &mut numbers);
    let joint = &model.joints[0];
    for (q, rate) in [(0.9, 0.3), (-0.2, 1.0), (5.0, 0.0), (0.0, -2.0)] {
        for k in 0..2 {
            let law = |q, rate| joint_law(joint, k, q, rate, 0.0).force;
            let claim = joint_law(joint, k, q, rate, 0.0);
            let by_q = (law(q + H, rate) - law(q - H, rate)) / (2.0 * H);
            let by_rate = (law(q, rate + H) - law(q, rate - H)) / (2.0 * H);
            // The law is linear piece by piece: only rounding of a difference, 1e-15/h.
            assert!((by_q - claim.d_coordinate).abs() < 1e-9);
            assert!((by_rate - claim.d_rate).abs() < 1e-9);
        }
    }
    // 8 (1 - 5) = -32 is held at -4; damping of the joint itself is not the drive's and is not held.
    let held = joint_law(joint, 1, 5.0, 1.0, 0.0);
    assert_eq!(
        (held.force, held.d_coordinate, held.d_rate),
        (-4.7, 0.0, -0.7)
    );
    assert!(has_joint_law(joint));
    assert!(has_velocity_laws(&model));
}

#[test]
fn damper_force_is_proportional_to_the_rate_of_length_and_takes_energy() {
    for seed in 0..10 {
        let mut numbers = Numbers(seed);
        let (mut parts, bodies) = numbers.pair(JointKind::Floating);
        parts.forces = vec![line(3.0, &mut numbers)];
        let twists = [numbers.twist(), numbers.twist()];
        let damper = LineDamper::of(&parts.forces[0], &bodies).expect("it has damping");
        let length = |t: f64| {
            let b = [0, 1].map(|k| moved(&bodies[k], twists[k].linear * t, twists[k].angular * t));
            let Force::Spring { ends, .. } = &parts.forces[0] else {
                unreachable!("a spring was pushed")
            };
            (knot::end(&ends[1], &b).0 - knot::end(&ends[0], &b).0).norm()
        };
        let rate = (length(H) - length(-H)) / (2.0 * H);
        assert!((damper.rate(&twists) - rate).abs() < TOLERANCE);
        let mut out = [Wrench::default(); 2];
        damper.apply(damper.rate(&twists), &mut out);
        let power: f64 = [0, 1]
            .iter()
            .map(|&k| out[k].force.dot(&twists[k].linear) + out[k].torque.dot(&twists[k].angular))
            .sum();
        assert!((power + 3.0 * rate * rate).abs() < 1e-6);
    }
}

#[test]
fn drag_laws_match_their_derivatives() {
    for seed in 0..20 {
        let mut numbers = Numbers(seed);
        let body = numbers.body("held");
        let gravity = numbers.vector() * 10.0;
        let pose = moved(
            &crate::model::specimen::at_rest(),
            numbers.vector(),
            numbers.vector() * 2.0,
        );
        let twist = numbers.twist();
        // Near goals and far ones, within the cap and beyond.
        let far = if seed % 2 == 0 { 0.3 } else { 3.0 };
        let point = numbers.vector();
        let grabbed = pose.position + pose.orientation * point;
        let pull = DragGoal::Pull(grabbed + numbers.vector() * far);
        let axis = numbers.vector().normalize();
        let turn = DragGoal::Turn(Quat::from_scaled_axis(axis * far.min(2.2)) * pose.orientation);
        for goal in [pull, turn] {
            let drag = Drag {
                body: BodyId(0),
                point,
                goal,
            };
            for k in 0..3 {
                let step = Vec3::ith(k, H);
                match drag_law(&body, &gravity, &drag, &pose, &twist) {
                    DragLaw::Pull {
                        d_position,
                        d_velocity,
                        ..
                    } => {
                        let force = |x: Vec3, v: Vec3| {
                            let t = Twist {
                                linear: twist.linear + v,
                                ..twist
                            };
                            let DragLaw::Pull { force, .. } = drag_law(
                                &body,
                                &gravity,
                                &drag,
                                &moved(&pose, x, Vec3::zeros()),
                                &t,
                            ) else {
                                unreachable!("the goal is a pull")
                            };
                            force
                        };
                        let zero = Vec3::zeros();
                        let x = (force(step, zero) - force(-step, zero)) / (2.0 * H);
                        let v = (force(zero, step) - force(zero, -step)) / (2.0 * H);
                        assert!((x - d_position.column(k)).norm() < TOLERANCE * 10.0);
                        assert!((v - d_velocity.column(k)).norm() < TOLERANCE);
                    }
                    DragLaw::Turn {
                        d_rotation, d_spin, ..
                    } => {
                        let torque = |r: Vec3, w: Vec3| {
                            let t = Twist {
                                angular: twist.angular + w,
                                ..twist
                            };
                            drag_law(&body, &gravity, &drag, &moved(&pose, Vec3::zeros(), r), &t)
                                .wrench()
                                .torque
                        };
                        let zero = Vec3::zeros();
                        let r = (torque(step, zero) - torque(-step, zero)) / (2.0 * H);
                        let w = (torque(zero, step) - torque(zero, -step)) / (2.0 * H);
                        assert!((r - d_rotation.column(k)).norm() < TOLERANCE * 10.0);
                        assert!((w - d_spin.column(k)).norm() < TOLERANCE);
                    }
                }
            }
        }
    }
}

/// Bodies of the size of a grain of sand and of a hill: the hardest pull is nine times the weight, and a body that
/// hangs on the mouse sags by a third of its radius of gyration. With gains of 100 /s² and 1 m a body of 1 mm sagged by
/// 98 mm.
#[test]
fn the_mouse_pulls_as_hard_and_gives_way_as_far_as_the_body_is_heavy_and_long() {
    let gravity = Vec3::new(0.0, 0.0, -9.81);
    for length in [1e-4, 1e-3, 1.0, 1e4] {
        let mut body = Numbers(1).body("held");
        body.mass *= length * length * length;
        body.inertia *= length.powi(5);
        let weight = body.mass * 9.81;
        let pose = crate::model::specimen::at_rest();
        let pulled = |way: f64| {
            let drag = Drag {
                body: BodyId(0),
                point: Vec3::zeros(),
                goal: DragGoal::Pull(Vec3::new(0.0, 0.0, way * body.gyration())),
            };
            let law = drag_law(&body, &gravity, &drag, &pose, &Twist::default());
            law.wrench().force.norm() / weight
        };
        // Products of a few factors: rounding.
        assert!((pulled(1.0 / 3.0) - 1.0).abs() < 1e-14, "{length}");
        assert!((pulled(1e6) - 9.0).abs() < 1e-12, "{length}");
    }
}

#[test]
fn body_wrenches_turn_with_the_body_and_act_at_their_point() {
    let mut numbers = Numbers(2);
    let (mut parts, bodies) = numbers.pair(JointKind::Floating);
    let force = |axes| Force::Wrench {
        name: format!("{axes:?}"),
        body: BodyId(1),
        point: Vec3::new(0.0, 0.5, 0.0),
        axes,
        force: [
            Signal::expression("10*t").expect("it parses"),
            Signal::ZERO,
            Signal::ZERO,
        ],
        torque: [Signal::ZERO, Signal::ZERO, Signal::Constant(2.0)],
    };
    let arm = bodies[1].orientation * Vec3::new(0.0, 0.5, 0.0);
    for (axes, turn) in [
        (Axes::World, Quat::identity()),
        (Axes::Body, bodies[1].orientation),
    ] {
        parts.forces = vec![force(axes)];
        let out = at_knot(&model(parts.clone()), &bodies, &Input::default());
        // 10·t at t = 0.3.
        let f = turn * Vec3::new(3.0, 0.0, 0.0);
        let torque = turn * Vec3::new(0.0, 0.0, 2.0) + arm.cross(&f);
        assert!((out[1].force - f).norm() < 1e-14 * 10.0);
        assert!((out[1].torque - torque).norm() < 1e-14 * 10.0);
        assert_eq!(out[0], Wrench::default());
    }
}
