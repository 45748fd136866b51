//! The account of a step of bodies that are somewhere, turned and on their way.

use super::{line, model};
use crate::forces::account::account;
use crate::forces::*;
use crate::math::{Quat, Vec3};
use crate::model::specimen::{Numbers, at_rest, moved, place, state};
use crate::model::{
    Actuator, Axes, BodyId, BodyState, Drag, DragGoal, Force, Input, JointKind, Model, ModelParts,
    Signal, Twist, Work,
};

const DT: f64 = 0.1;

/// A body anywhere, and where it goes by a displacement and a rotation vector.
fn journey(numbers: &mut Numbers) -> (BodyState, BodyState, Vec3, Vec3) {
    let before = moved(&at_rest(), numbers.vector(), numbers.vector() * 2.0);
    let (way, turn) = (numbers.vector() * 0.1, numbers.vector() * 0.2);
    (before, moved(&before, way, turn), way, turn)
}

fn over(model: &Model, before: &[BodyState], after: &[BodyState], input: &Input) -> Work {
    account(model, before, &state(model, after), input, DT)
}

#[test]
fn only_what_works_or_dissipates_has_an_account() {
    let mut numbers = Numbers(1);
    let (parts, _) = numbers.pair(JointKind::Revolute);
    let has = |change: &dyn Fn(&mut ModelParts)| {
        let mut parts = parts.clone();
        change(&mut parts);
        has_account(&model(parts))
    };
    let lines = [0.0, 3.0].map(|damping| line(damping, &mut numbers));
    let motor = Actuator {
        coordinate: 0,
        command: Signal::Constant(1.0),
        pd: None,
        limit: f64::INFINITY,
    };
    assert!(!has(&|_| ()));
    assert!(!has(&|p| p.forces = vec![lines[0].clone()]));
    assert!(has(&|p| p.forces = vec![lines[1].clone()]));
    assert!(has(&|p| p.joints[0].damping_rotation = 0.1));
    assert!(has(&|p| p.joints[0].actuators = vec![motor.clone()]));
    // A revolute joint has no displacement to damp.
    assert!(!has(&|p| p.joints[0].damping_translation = 0.1));
}

#[test]
fn a_wrench_does_work_along_the_way_and_the_turn_from_any_pose() {
    let mut numbers = Numbers(4);
    let (before, after, way, turn) = journey(&mut numbers);
    let model = model(ModelParts {
        bodies: vec![numbers.body("b")],
        forces: vec![Force::Wrench {
            name: "push".into(),
            body: BodyId(0),
            point: Vec3::zeros(),
            axes: Axes::World,
            force: [1.0, -2.0, 3.0].map(Signal::Constant),
            torque: [0.5, 0.7, -0.9].map(Signal::Constant),
        }],
        ..ModelParts::default()
    });
    let work = over(&model, &[before], &[after], &Input::default());
    let wanted = Vec3::new(1.0, -2.0, 3.0).dot(&way) + Vec3::new(0.5, 0.7, -0.9).dot(&turn);
    assert!((work.external - wanted).abs() < 1e-14);
}

#[test]
fn the_mouse_works_on_bodies_anywhere_by_pulling_and_by_turning() {
    let mut numbers = Numbers(6);
    let (before, after, way, turn) = journey(&mut numbers);
    let model = model(ModelParts {
        bodies: vec![numbers.body("b")],
        ..ModelParts::default()
    });
    let point = numbers.vector();
    let mean = Twist {
        linear: way / DT,
        angular: turn / DT,
    };
    let grabbed = [before, after].map(|b| b.position + b.orientation * point);
    let aim = Quat::from_scaled_axis(Vec3::new(0.3, 0.1, -0.2)) * before.orientation;
    for goal in [
        DragGoal::Pull(grabbed[0] + Vec3::x() * 0.1),
        DragGoal::Turn(aim),
    ] {
        let drag = Drag {
            body: BodyId(0),
            point,
            goal,
        };
        let input = Input {
            drag: Some(drag),
            ..Input::default()
        };
        let wanted: f64 = [before, after]
            .iter()
            .map(|pose| {
                let law = drag_law(&model.bodies[0], &model.gravity, &drag, pose, &mean);
                let wrench = law.wrench();
                0.5 * match goal {
                    DragGoal::Pull(_) => wrench.force.dot(&(grabbed[1] - grabbed[0])),
                    DragGoal::Turn(_) => wrench.torque.dot(&turn),
                }
            })
            .sum();
        let work = over(&model, &[before], &[after], &input);
        assert!(wanted.abs() > 1e-3, "something is done");
        assert!((work.external - wanted).abs() < 1e-12 * wanted.abs().max(1.0));
    }
}

#[test]
fn a_damper_between_two_bodies_counts_the_change_of_their_distance() {
    let mut numbers = Numbers(8);
    let (mut parts, bodies) = numbers.pair(JointKind::Floating);
    parts.joints.clear();
    parts.forces = vec![line(2.5, &mut numbers)];
    let Force::Spring { ends, .. } = parts.forces[0].clone() else {
        unreachable!("a spring was pushed")
    };
    let after = [0, 1].map(|k| moved(&bodies[k], numbers.vector(), numbers.vector() * 0.3));
    let length = |b: &[BodyState]| {
        let [a, b] = [0, 1].map(|k| b[k].position + b[k].orientation * ends[k].point);
        (b - a).norm()
    };
    let change = length(&after) - length(&bodies);
    let work = over(&model(parts), &bodies, &after, &Input::default());
    assert!((work.dissipated - 2.5 * change * change / DT).abs() < 1e-12);
}

#[test]
fn an_angle_goes_the_short_way_round_and_a_drive_is_held_on_both_sides() {
    for (command, held) in [(9.0, 5.0), (-9.0, -5.0), (2.0, 2.0)] {
        for change in [0.3f64, -0.3] {
            let (mut parts, mut bodies) = Numbers(5).pair(JointKind::Revolute);
            parts.joints[0].actuators = vec![Actuator {
                coordinate: 0,
                command: Signal::Constant(command),
                pd: None,
                limit: 5.0,
            }];
            let joint = parts.joints[0].clone();
            let model = model(parts);
            let mut at = |angle: f64| {
                place(&joint, &[angle, 0.0, 0.0, 0.0, 0.0, 0.0], &mut bodies);
                bodies.clone()
            };
            // Half a turn from the angle of reference, 0, lies between the two poses.
            let (before, after) = (at(3.1 * change.signum()), at((3.1 + 0.3) * change.signum()));
            let work = over(&model, &before, &after, &Input::default());
            assert!(
                (work.external - held * change).abs() < 1e-12,
                "{command} {change}"
            );
            let (before, after) = (at(0.0), at(change));
            let work = over(&model, &before, &after, &Input::default());
            assert!(
                (work.external - held * change).abs() < 1e-12,
                "{command} {change}"
            );
        }
    }
}
