//! Laws of actuators, springs, dampers and the mouse against their derivatives and their definitions.

use super::{H, TOLERANCE, at_knot, internal, line, model};
use crate::forces::*;
use crate::math::Quat;
use crate::model::specimen::{Numbers, moved};
use crate::model::{
    Actuator, Axes, BodyId, Drag, DragGoal, Force, Input, JointKind, JointSpring, ModelParts,
    PdTarget, Signal, Twist,
};

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
fn a_law_is_clipped_by_where_the_motion_goes() {
    let (mut model, ..) = internal(JointKind::Cylindrical, &mut Numbers(5));
    let joint = &model.joints[0];
    // At 5, 8 (1 - 5) - 0.5 = -32.5 is beyond -4; at 1.2, 8 (1 - 1.2) - 0.5 = -2.1 is not.
    let towards = |change| joint_law_towards(joint, 1, [5.0, 1.0], 0.0, |_| change);
    let open = towards([-3.8, 0.0]);
    assert_eq!(
        (open.force, open.d_coordinate, open.d_rate),
        (-33.2, -8.0, -1.2)
    );
    assert_eq!(towards([0.0; 2]), joint_law(joint, 1, 5.0, 1.0, 0.0));
    // A rate lower by 71 adds 35.5; what goes past the other limit is clipped there.
    assert_eq!(towards([0.0, -71.0]), open);
    assert_eq!(towards([-5.0, 0.0]).force, 4.0 - 0.7);
    model.joints[0].actuators[3].limit = f64::INFINITY;
    let unlimited = joint_law(&model.joints[0], 1, 5.0, 1.0, 0.0);
    assert_eq!(unlimited, open);
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

/// What tells whether there is anything to compute must not miss a law, nor see one where there is none.
#[test]
fn only_joints_and_springs_with_a_law_are_said_to_have_one() {
    let plain = |kind| Numbers(2).pair(kind).0;
    let drive = |coordinate, pd| Actuator {
        coordinate,
        command: Signal::Constant(1.0),
        pd,
        limit: f64::INFINITY,
    };
    let hold = Some(PdTarget {
        stiffness: 1.0,
        damping: 0.0,
        target: Signal::ZERO,
        rate: Signal::ZERO,
    });
    let mut held = plain(JointKind::Cylindrical);
    held.joints[0].actuators = vec![drive(1, hold), drive(0, None)];
    assert!(has_law(&held.joints[0], 1) && !has_law(&held.joints[0], 0));
    assert!(has_joint_law(&held.joints[0]));
    let mut driven = plain(JointKind::Cylindrical);
    driven.joints[0].actuators = vec![drive(0, None)];
    assert!(!has_law(&driven.joints[0], 0) && !has_joint_law(&driven.joints[0]));
    // Damping of what a joint does not leave free is none.
    for (kind, translation, rotation, wanted) in [
        (JointKind::Cylindrical, 0.0, 0.0, false),
        (JointKind::Cylindrical, 1.0, 0.0, true),
        (JointKind::Cylindrical, 0.0, 1.0, true),
        (JointKind::Revolute, 1.0, 0.0, false),
        (JointKind::Prismatic, 0.0, 1.0, false),
    ] {
        let mut parts = plain(kind);
        parts.joints[0].damping_translation = translation;
        parts.joints[0].damping_rotation = rotation;
        assert_eq!(has_joint_law(&parts.joints[0]), wanted, "{kind:?}");
        assert_eq!(has_velocity_laws(&model(parts)), wanted, "{kind:?}");
    }
    let mut springs = plain(JointKind::Floating);
    springs.forces = vec![line(0.0, &mut Numbers(1))];
    assert!(!has_velocity_laws(&model(springs.clone())));
    springs.forces.push(line(2.0, &mut Numbers(1)));
    assert!(has_velocity_laws(&model(springs)));
}

#[test]
fn forces_at_knots_are_springs_wrenches_and_drives_without_a_law() {
    let has = |change: &dyn Fn(&mut ModelParts)| {
        let mut parts = Numbers(2).pair(JointKind::Revolute).0;
        change(&mut parts);
        has_knot_forces(&model(parts))
    };
    let drive = |pd| Actuator {
        coordinate: 0,
        command: Signal::Constant(1.0),
        pd,
        limit: f64::INFINITY,
    };
    let hold = PdTarget {
        stiffness: 1.0,
        damping: 0.0,
        target: Signal::ZERO,
        rate: Signal::ZERO,
    };
    let spring = JointSpring {
        coordinate: 0,
        stiffness: 1.0,
        rest: 0.0,
    };
    assert!(!has(&|_| ()));
    assert!(!has(
        &|p| p.joints[0].actuators = vec![drive(Some(hold.clone()))]
    ));
    assert!(has(&|p| p.joints[0].actuators = vec![drive(None)]));
    assert!(has(&|p| p.joints[0].springs = vec![spring]));
    assert!(has(&|p| p.forces = vec![line(0.0, &mut Numbers(1))]));
}
