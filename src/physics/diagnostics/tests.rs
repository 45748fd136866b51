//! Energy and momentum against those of mass points, springs and drift against worked cases.

use super::*;
use crate::math::{Mat3, Quat};
use crate::model::specimen::{Numbers, at_rest, moved, place, state};
use crate::model::{Attachment, Body, BodyId, JointKind, JointSpring, ModelParts};

/// Mass points (kg, m) in pairs, so that their centre is the origin.
const POINTS: [(f64, [f64; 3]); 3] = [
    (0.3, [0.5, 0.1, -0.2]),
    (0.7, [-0.1, 0.4, 0.3]),
    (0.2, [0.2, -0.3, 0.6]),
];

fn points() -> impl Iterator<Item = (f64, Vec3)> {
    let both = |(m, at): (f64, [f64; 3])| [(m, Vec3::from(at)), (m, -Vec3::from(at))];
    POINTS.into_iter().flat_map(both)
}

/// A body that is made of the points.
fn body(name: &str) -> Body {
    let mass = points().map(|(m, _)| m).sum();
    let inertia =
        points().map(|(m, r)| (Mat3::identity() * r.norm_squared() - r * r.transpose()) * m);
    Body::new(name, mass, inertia.sum())
}

#[test]
fn energy_and_momentum_are_those_of_the_mass_points() {
    let mut numbers = Numbers(3);
    let mut model = Model::new(ModelParts {
        bodies: vec![body("a"), body("b")],
        ..ModelParts::default()
    })
    .expect("the bodies are valid");
    model.gravity = Vec3::new(0.4, -9.0, 1.0);
    let bodies = [0, 1].map(|_| moved(&at_rest(), numbers.vector(), numbers.vector() * 2.0));
    let velocities = [numbers.twist(), numbers.twist()];
    let state = state(&model, &bodies);
    let (mut kinetic, mut potential) = (0.0, 0.0);
    let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
    for (b, t) in bodies.iter().zip(&velocities) {
        for (m, r) in points() {
            let arm = b.orientation * r;
            let (x, v) = (b.position + arm, t.linear + t.angular.cross(&arm));
            kinetic += 0.5 * m * v.dot(&v);
            potential -= m * model.gravity.dot(&x);
            linear += v * m;
            angular += x.cross(&(v * m));
        }
    }
    let energy = Energy {
        kinetic: model.kinetic_energy(&state.bodies, &velocities),
        potential: potential_energy(&model, &state),
    };
    // Rounding of sums of a dozen numbers of order 10.
    assert!((energy.kinetic - kinetic).abs() < 1e-13);
    assert!((energy.potential - potential).abs() < 1e-13);
    assert!((energy.total() - (kinetic + potential)).abs() < 1e-13);
    let found = momentum(&model, &state, &velocities);
    assert!((found.linear - linear).norm() < 1e-13);
    assert!((found.angular - angular).norm() < 1e-13);
}

#[test]
fn springs_hold_half_their_stiffness_times_the_square_of_what_they_are_stretched_by() {
    let (mut parts, mut bodies) = Numbers(4).pair(JointKind::Revolute);
    parts.gravity = Vec3::zeros();
    parts.joints[0].springs = vec![JointSpring {
        coordinate: 0,
        stiffness: 8.0,
        rest: 0.2,
    }];
    place(
        &parts.joints[0],
        &[0.9, 0.0, 0.0, 0.0, 0.0, 0.0],
        &mut bodies,
    );
    // From a point of the world, 3 m from the body's own.
    let own = Vec3::new(0.1, 0.2, -0.3);
    let there = bodies[0].position + bodies[0].orientation * own;
    parts.forces = vec![Force::Spring {
        name: "line".into(),
        ends: [
            Attachment {
                body: Some(BodyId(0)),
                point: own,
            },
            Attachment {
                body: None,
                point: there + Vec3::new(1.0, -2.0, 2.0),
            },
        ],
        stiffness: 5.0,
        rest: 2.4,
        damping: 0.0,
    }];
    let model = Model::new(parts).expect("the specimen is a valid model");
    let found = potential_energy(&model, &state(&model, &bodies));
    // 8/2 · 0.7² and 5/2 · 0.6².
    assert!((found - (1.96 + 0.9)).abs() < 1e-13, "{found}");
}

#[test]
fn the_worst_drift_is_the_largest_and_names_its_joint() {
    let mut numbers = Numbers(6);
    let names = ["a", "b", "c", "d"];
    let mut parts = ModelParts {
        bodies: names.map(body).into(),
        ..ModelParts::default()
    };
    for k in 0..3 {
        let mut joint = numbers.joint(names[k], JointKind::Fixed, Some(BodyId(k)), BodyId(k + 1));
        joint.parent_frame = joint.child_frame;
        parts.joints.push(joint);
    }
    let bodies = [moved(&at_rest(), Vec3::new(0.3, -0.2, 0.1), Vec3::zeros()); 4];
    let worst = |parts: &ModelParts| {
        let model = Model::new(parts.clone()).expect("the specimen is a valid model");
        worst_drift(&model, &state(&model, &bodies))
    };
    // Frames on both sides are the same: closed, to the rounding of their axes.
    let closed = worst(&parts);
    assert!(closed.position.0 < 1e-15 && closed.angle.0 < 1e-14);
    for (joint, (gap, angle)) in
        parts
            .joints
            .iter_mut()
            .zip([(1e-3, 0.02), (5e-3, 0.01), (2e-3, 0.005)])
    {
        joint.parent_frame.anchor += Vec3::new(0.0, 0.6, -0.8) * gap;
        joint.parent_frame.orientation *= Quat::from_axis_angle(&Vec3::z_axis(), angle);
    }
    let open = worst(&parts);
    assert!((open.position.0 - 5e-3).abs() < 1e-14 && (open.angle.0 - 0.02).abs() < 1e-13);
    let joints = (open.position.1, open.angle.1);
    assert_eq!(joints, (Some(JointId(1)), Some(JointId(0))));
}

#[test]
fn where_no_joint_is_open_at_all_none_is_named_and_of_equals_the_first() {
    let mut numbers = Numbers(6);
    let mut parts = ModelParts {
        bodies: ["a", "b", "c"].map(body).into(),
        ..ModelParts::default()
    };
    for k in 0..2 {
        let mut joint = numbers.joint(
            ["a", "b"][k],
            JointKind::Fixed,
            Some(BodyId(k)),
            BodyId(k + 1),
        );
        // Axes that are those of the world do not round.
        joint.parent_frame.anchor = Vec3::zeros();
        joint.parent_frame.orientation = Quat::identity();
        joint.child_frame = joint.parent_frame;
        parts.joints.push(joint);
    }
    let worst = |parts: &ModelParts| {
        let model = Model::new(parts.clone()).expect("the specimen is a valid model");
        worst_drift(&model, &State::at_rest(&model))
    };
    assert_eq!(worst(&parts), WorstDrift::default());
    for joint in &mut parts.joints {
        joint.parent_frame.anchor.x = 0.25;
        joint.parent_frame.orientation = Quat::from_axis_angle(&Vec3::z_axis(), 0.1);
    }
    let equal = worst(&parts);
    let joints = (equal.position.1, equal.angle.1);
    assert_eq!(joints, (Some(JointId(0)), Some(JointId(0))));
}
