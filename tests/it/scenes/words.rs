//! What a scene file says in words becomes a model and its first state: joints, frames, inertia, names.

use crate::scenes::files::{TWO, read};
use driftless::joints;
use driftless::math::{Quat, Vec3};
use driftless::model::{Force, JointKind, Signal};
use driftless::scene::{self, BodyFile, Items, Number, Plot, SceneFile, Tensor};

#[test]
fn words_become_a_model_and_its_first_state() {
    let file = read(TWO);
    let (model, state) = (&file.model, &file.state);
    // Box about its centre, half a metre below the joint.
    assert_eq!(model.bodies[0].mass, 2.0);
    let across = 2.0 * (1.0 + 0.04) / 12.0;
    assert!((model.bodies[0].inertia[(0, 0)] - across).abs() < 1e-15);
    assert_eq!(model.bodies[0].origin, Vec3::new(0.0, 0.0, 0.5));
    let ball = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    assert!((model.bodies[1].mass - ball).abs() < 1e-12);
    // Turned by 90° about x, the arm points along y.
    assert!((state.bodies[0].position - Vec3::new(0.0, 0.5, 2.0)).norm() < 1e-15);
    // The slide moves the hand back along the arm's own z axis by 0.25 m.
    assert!((state.bodies[1].position - Vec3::new(0.0, 0.75, 2.0)).norm() < 1e-15);
    for (joint, (q, u)) in model.joints.iter().zip([
        (vec![90f64.to_radians()], vec![2.0]),
        (vec![0.25, (-30f64).to_radians()], vec![1.0, 3.0]),
    ]) {
        let at = joints::Placement::of(joint, &state.bodies);
        let n = joint.kind.freedoms();
        let coordinates = &joints::coordinates(joint.kind, &at, [0.0; 2])[..n];
        for (found, expected) in coordinates.iter().zip(&q) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
        // The coupling slows one of them down; without it the rates are those given.
        let free = read(&TWO.replace(
            "couplings: { \"thread\": (screw: \"slide\", pitch: 0.5) },",
            "",
        ));
        let bodies = &free.state.bodies;
        let parent = joint
            .parent
            .map_or(Default::default(), |p| bodies[p.0].velocity);
        let rates = joints::rates(joint.kind, &at, &parent, &bodies[joint.child.0].velocity);
        for (found, expected) in rates[..n].iter().zip(&u) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
    let thread = &model.couplings[0];
    let pitch = 0.5 / std::f64::consts::TAU;
    assert!((thread.terms[1].factor + pitch).abs() < 1e-15);
    assert!((thread.offset - (0.25 + pitch * 30f64.to_radians())).abs() < 1e-14);
    let shoulder = &model.joints[0];
    assert_eq!(
        (shoulder.springs[0].stiffness, shoulder.actuators[0].limit),
        (3.0, 6.0)
    );
    let pd = shoulder.actuators[0].pd.as_ref().unwrap();
    assert_eq!(pd.target.at(0.5), 2.5);
    let slide = &model.joints[1];
    assert_eq!(
        (slide.damping_translation, slide.damping_rotation),
        (7.0, 8.0)
    );
    let Force::Spring { ends, rest, .. } = &model.forces[0] else {
        panic!()
    };
    assert!((ends[1].point - Vec3::new(0.0, 0.0, -0.5)).norm() < 1e-15);
    assert!((rest - 1.0).abs() < 1e-15, "relaxed at the start: {rest}");
    let Force::Wrench { force, torque, .. } = &model.forces[1] else {
        panic!()
    };
    assert_eq!(force[2].at(3.0), 6.0);
    assert_eq!(torque[0], Signal::Constant(1.0));
    assert_eq!(file.view.plots, [Plot::Drift]);
    assert_eq!(model.gravity, Vec3::new(0.0, 0.0, -9.81));
    assert_eq!(
        (file.integrator.as_str(), file.settings.dt),
        ("variational-2", 0.01)
    );
}

#[test]
fn every_kind_of_joint_places_its_child_by_its_coordinates() {
    for kind in JointKind::ALL {
        let q: Vec<f64> = (0..kind.freedoms()).map(|k| 0.3 + 0.2 * k as f64).collect();
        let u: Vec<f64> = (0..kind.freedoms()).map(|k| 1.0 - 0.7 * k as f64).collect();
        let name = format!("{kind:?}");
        let mut snake = String::new();
        for c in name.chars() {
            if c.is_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.extend(c.to_lowercase());
        }
        let text = format!(
            r#"(version: 1, gravity: (0, 0, 0),
            bodies: {{
                "base": (
                    mass: 3, inertia: (1, 2, 2.5, 0.1, 0.2, 0.3), centre: (0.1, 0.2, 0.3),
                    position: (1, 2, 3), orientation: (euler: (0.3, -0.4, 0.5)),
                    velocity: (1, -1, 2), angular_velocity: (0.3, 0.2, -0.9),
                ),
                "child": (mass: 2, inertia: (1, 1, 1), centre: (0, 0, 0.4)),
            }},
            joints: {{ "j": (
                kind: {snake}, parent: "base", child: "child", anchor: (0.5, 0, -0.5), child_anchor: (0, 0.2, 0),
                axis: (1, 2, 2), x_axis: (2, -2, 1), child_orientation: (axis: (0, 1, 1), angle: 0.8),
                at: {q:?}, rates: {u:?},
            ) }})"#
        );
        let scene = read(&text);
        let joint = &scene.model.joints[0];
        assert_eq!(joint.kind, kind);
        let bodies = &scene.state.bodies;
        let at = joints::Placement::of(joint, bodies);
        let found = joints::coordinates(kind, &at, [0.0; 2]);
        let rates = joints::rates(kind, &at, &bodies[0].velocity, &bodies[1].velocity);
        for k in 0..kind.freedoms() {
            assert!((found[k] - q[k]).abs() < 1e-13, "{kind:?} {found:?} {q:?}");
            assert!((rates[k] - u[k]).abs() < 1e-12, "{kind:?} {rates:?} {u:?}");
        }
        let drift = joints::drift(kind, &at);
        assert!(drift.position < 1e-14 && drift.angle < 1e-14, "{kind:?}");
        // The base keeps what its own fields say: velocity of the frame's origin, not of the centre of mass.
        let turn = Quat::from_euler_angles(0.3, -0.4, 0.5);
        let arm = turn * Vec3::new(0.1, 0.2, 0.3);
        let expected = Vec3::new(1.0, -1.0, 2.0) + Vec3::new(0.3, 0.2, -0.9).cross(&arm);
        assert!((bodies[0].velocity.linear - expected).norm() < 1e-12);
        assert!((bodies[0].position - Vec3::new(1.0, 2.0, 3.0) - arm).norm() < 1e-14);
    }
}

#[test]
fn frames_in_the_world_and_in_bodies_say_the_same() {
    let bodies = r#""a": (mass: 1, inertia: (1, 1, 1), position: (0, 1, 0), orientation: (axis: (1, 1, 0), angle: 0.7)),
        "b": (mass: 1, inertia: (1, 1, 1), position: (0, 2, 1), orientation: (quaternion: (0.5, 0.5, -0.5, 0.5)))"#;
    let joint = r#"(kind: revolute, parent: "a", child: "b", in_world: true, anchor: (0, 1.5, 0.5), axis: (0, 1, 1))"#;
    let scene = read(&format!(
        "(version: 1, bodies: {{ {bodies} }}, joints: {{ \"j\": {joint} }})"
    ));
    let at = joints::Placement::of(&scene.model.joints[0], &scene.state.bodies);
    assert!(at.gap.norm() < 1e-15);
    let axis = Vec3::new(0.0, 1.0, 1.0).normalize();
    assert!((at.parent_axis(2) - axis).norm() < 1e-14);
    assert!((at.child_axis(2) - axis).norm() < 1e-14);
    assert!((at.parent_axes - at.child_axes).norm() < 1e-14);
}

#[test]
fn tensors_and_names_in_order() {
    let tensor = Tensor([1.0, 2.0, 2.5, 0.1, 0.2, 0.3]);
    let body = BodyFile {
        mass: Some(Number(1.0)),
        inertia: Some(tensor),
        ..BodyFile::default()
    };
    let mut bodies = Items::default();
    for name in ["b_10", "b_2", "a"] {
        bodies.insert(name, body.clone()).unwrap();
    }
    assert!(bodies.insert("a", body).is_err());
    let file = SceneFile {
        version: 1,
        bodies,
        ..SceneFile::default()
    };
    let scene = read(&scene::write(&file));
    let names: Vec<&str> = scene.model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["b_10", "b_2", "a"]);
    let inertia = scene.model.bodies[0].inertia;
    assert_eq!(inertia, inertia.transpose());
    assert_eq!(
        [inertia[(0, 1)], inertia[(0, 2)], inertia[(1, 2)]],
        [0.1, 0.2, 0.3]
    );
}
