//! What the detector finds: pairs of shapes at poses whose distances are known, and what holds whatever the pose.

use super::{Contact, Detector, Feature};
use crate::math::{Mat3, Quat, Vec3};
use crate::model::{
    Body, BodyState, ContactRules, Geometry, Material, Model, ModelParts, Shape, State, Touch,
};
use std::f64::consts::FRAC_PI_4;

fn shape(geometry: Geometry) -> Shape {
    Shape {
        geometry,
        pose: crate::math::Pose::identity(),
        colour: None,
        touch: Touch::default(),
    }
}

fn ball(radius: f64) -> Geometry {
    Geometry::Sphere { radius }
}

fn cube(size: f64) -> Geometry {
    Geometry::Box {
        size: Vec3::repeat(size),
    }
}

fn capsule(radius: f64, length: f64) -> Geometry {
    Geometry::Capsule { radius, length }
}

/// Bodies of one shape each, and the world.
fn scene(bodies: &[Geometry], world: &[Geometry]) -> Model {
    let body = |(k, geometry): (usize, &Geometry)| {
        let mut body = Body::new(format!("body {k}"), 1.0, Mat3::identity());
        body.shapes = vec![shape(geometry.clone())];
        body
    };
    let parts = ModelParts {
        bodies: bodies.iter().enumerate().map(body).collect(),
        world_shapes: world.iter().cloned().map(shape).collect(),
        contact: Some(ContactRules {
            materials: vec![Material {
                name: "plain".into(),
                friction: 0.5,
                restitution: 0.0,
            }],
            ..ContactRules::default()
        }),
        ..ModelParts::default()
    };
    Model::new(parts).unwrap()
}

fn at(position: [f64; 3], turn: [f64; 3]) -> BodyState {
    BodyState {
        position: position.into(),
        orientation: Quat::from_scaled_axis(turn.into()),
        ..State::at_rest(&scene(&[ball(1.0)], &[])).bodies[0]
    }
}

fn found(model: &Model, bodies: &[BodyState], reach: f64) -> Vec<Contact> {
    let mut out = Vec::new();
    let reach = vec![reach; bodies.len()];
    Detector::new(model).detect(model, bodies, &reach, &mut out);
    out
}

fn least(contacts: &[Contact], bodies: &[BodyState]) -> f64 {
    let gaps = contacts.iter().map(|c| c.gap(bodies).distance);
    gaps.fold(f64::INFINITY, f64::min)
}

#[test]
fn distances_of_pairs_by_hand() {
    let none = [0.0; 3];
    let diagonal = 3.0f64.sqrt();
    // First shape, its position and turn; second shape at the origin; distance; number of contacts.
    let cases = [
        (
            ball(0.5),
            [0.0, 0.0, 0.7],
            none,
            Geometry::HalfSpace,
            0.2,
            1,
        ),
        (
            cube(1.0),
            [0.0, 0.0, 0.7],
            none,
            Geometry::HalfSpace,
            0.2,
            4,
        ),
        (
            cube(1.0),
            [0.0, 0.0, 0.9],
            [FRAC_PI_4, 0.0, 0.0],
            Geometry::HalfSpace,
            0.9 - 0.5 * 2.0f64.sqrt(),
            2,
        ),
        (
            capsule(0.2, 1.0),
            [0.0, 0.0, 0.9],
            none,
            Geometry::HalfSpace,
            0.2,
            1,
        ),
        (
            capsule(0.2, 1.0),
            [0.0, 0.0, 0.4],
            [2.0 * FRAC_PI_4, 0.0, 0.0],
            Geometry::HalfSpace,
            0.2,
            2,
        ),
        (ball(0.5), [0.0, 0.6, 0.8], none, ball(0.3), 0.2, 1),
        (ball(0.5), [0.2, 0.1, 1.2], none, cube(1.0), 0.2, 1),
        (ball(0.5), [0.0, 0.92, 1.06], none, cube(1.0), 0.2, 1),
        (
            ball(0.5),
            [0.9, 0.9, 0.9],
            none,
            cube(1.0),
            0.4 * diagonal - 0.5,
            1,
        ),
        (ball(0.3), [0.7, 0.0, 0.1], none, capsule(0.2, 1.0), 0.2, 1),
        (ball(0.3), [0.0, 0.3, 0.9], none, capsule(0.2, 1.0), 0.0, 1),
        (cube(1.0), [0.3, 0.2, 1.2], none, cube(1.0), 0.2, 4),
        (cube(1.0), [0.0, 0.0, 1.2], none, cube(1.0), 0.2, 4),
        (
            cube(1.0),
            [0.0, 0.0, 1.2],
            [0.0, 0.0, FRAC_PI_4],
            cube(1.0),
            0.2,
            8,
        ),
        (
            capsule(0.2, 1.0),
            [0.0, 0.5, 0.0],
            [0.0, 2.0 * FRAC_PI_4, 0.0],
            capsule(0.2, 1.0),
            0.1,
            1,
        ),
        (
            capsule(0.2, 1.0),
            [0.5, 0.0, 0.2],
            none,
            capsule(0.2, 1.0),
            0.1,
            2,
        ),
        (
            capsule(0.2, 2.0),
            [0.0, 0.0, 0.8],
            [2.0 * FRAC_PI_4, 0.0, 0.0],
            cube(1.0),
            0.1,
            2,
        ),
    ];
    for (first, position, turn, second, distance, number) in cases {
        let pose = at(position, turn);
        let context = format!("{first:?} {position:?} {turn:?} {second:?}");
        for of_world in [true, false] {
            let bodies = [pose, at(none, none)];
            let (model, bodies) = if of_world {
                (scene(&[first.clone()], &[second.clone()]), &bodies[..1])
            } else if matches!(second, Geometry::HalfSpace) {
                continue;
            } else {
                (scene(&[first.clone(), second.clone()], &[]), &bodies[..])
            };
            let contacts = found(&model, bodies, 0.28);
            // Rounding of lengths near 1.
            assert!(
                (least(&contacts, bodies) - distance).abs() < 1e-12,
                "{context}: {} {contacts:#?}",
                least(&contacts, bodies)
            );
            let near = contacts
                .iter()
                .filter(|c| c.gap(bodies).distance < distance + 1e-9);
            assert_eq!(near.count(), number, "{context}: {contacts:#?}");
        }
    }
}

#[test]
fn edges_cross_where_no_corner_is_near() {
    let model = scene(&[cube(1.0), cube(1.0)], &[]);
    // Two cubes standing on edges at right angles to each other.
    let half = 0.5f64.sqrt();
    let bodies = [
        at([0.0, 0.0, 2.0 * half + 0.1], [FRAC_PI_4, 0.0, 0.0]),
        at([0.0; 3], [0.0, FRAC_PI_4, 0.0]),
    ];
    let contacts = found(&model, &bodies, 0.1);
    assert_eq!(contacts.len(), 1, "{contacts:#?}");
    let gap = contacts[0].gap(&bodies);
    assert!((gap.distance - 0.1).abs() < 1e-12);
    assert!((gap.normal - Vec3::z()).norm() < 1e-12);
    assert!(matches!(
        contacts[0].features,
        [Feature::Line { .. }, Feature::Line { .. }]
    ));
}

#[test]
fn overlapping_cubes_part_the_short_way() {
    let model = scene(&[cube(1.0), cube(1.0)], &[]);
    let bodies = [at([0.1, 0.2, 0.99], [0.0; 3]), at([0.0; 3], [0.0; 3])];
    let contacts = found(&model, &bodies, 0.001);
    assert_eq!(contacts.len(), 4, "{contacts:#?}");
    for contact in &contacts {
        let gap = contact.gap(&bodies);
        assert!((gap.distance + 0.01).abs() < 1e-12);
        assert!((gap.normal - Vec3::z()).norm() < 1e-12);
    }
}
