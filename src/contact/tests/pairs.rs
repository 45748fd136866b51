//! Pairs of shapes at poses whose distances are known.

use super::*;
use crate::contact::Feature;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

#[test]
fn distances_of_pairs_by_hand() {
    let none = [0.0; 3];
    let diagonal = 3.0f64.sqrt();
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
            [FRAC_PI_2, 0.0, 0.0],
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
            [0.0, FRAC_PI_2, 0.0],
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
            [FRAC_PI_2, 0.0, 0.0],
            cube(1.0),
            0.1,
            2,
        ),
    ];
    check(&cases);
}

/// First shape, its position and turn; second shape at the origin; distance; number of contacts at that distance.
type Case = (Geometry, [f64; 3], [f64; 3], Geometry, f64, usize);

fn check(cases: &[Case]) {
    let none = [0.0; 3];
    for (first, position, turn, second, distance, number) in cases.iter().cloned() {
        let pose = at(position, turn);
        let context = format!("{first:?} {position:?} {turn:?} {second:?}");
        for of_world in [true, false] {
            let bodies = [pose, at(none, none)];
            let (model, bodies) = if of_world {
                (
                    scene(std::slice::from_ref(&first), std::slice::from_ref(&second)),
                    &bodies[..1],
                )
            } else if matches!(second, Geometry::HalfSpace | Geometry::HeightField(_)) {
                continue;
            } else {
                (scene(&[first.clone(), second.clone()], &[]), &bodies[..])
            };
            let contacts = found(&model, bodies, 0.28);
            // Rounding of lengths near 1, and the iteration that finds tangent planes.
            assert!(
                (least(&contacts, bodies) - distance).abs() < 1e-9,
                "{context}: {} {contacts:#?}",
                least(&contacts, bodies)
            );
            let near = contacts
                .iter()
                .filter(|c| c.gap(bodies).distance < distance + 1e-8);
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

#[test]
fn curved_solids_by_hand() {
    let none = [0.0; 3];
    let lying = [FRAC_PI_2, 0.0, 0.0];
    let can = || Geometry::Cylinder {
        radius: 0.3,
        length: 1.0,
    };
    let cone = || Geometry::Cone {
        radius: 0.3,
        length: 1.2,
    };
    let egg = || Geometry::Ellipsoid {
        radii: Vec3::new(0.2, 0.3, 0.5),
    };
    let plane = || Geometry::HalfSpace;
    // A disc of radius 0.3 whose axis leans 30° dips by 0.3 sin 30°, and its centre is at half its length.
    let leaning = 0.5 * 0.75f64.sqrt() + 0.3 * 0.5;
    let third = [std::f64::consts::FRAC_PI_6, 0.0, 0.0];
    check(&[
        (can(), [0.0, 0.0, 0.6], none, plane(), 0.1, 8),
        (can(), [0.0, 0.0, 0.4], lying, plane(), 0.1, 2),
        (can(), [0.0, 0.0, leaning + 0.1], third, plane(), 0.1, 1),
        (cone(), [0.0, 0.0, 0.4], none, plane(), 0.1, 8),
        (
            cone(),
            [0.0, 0.0, 1.0],
            [std::f64::consts::PI, 0.0, 0.0],
            plane(),
            0.1,
            1,
        ),
        (egg(), [0.0, 0.0, 0.6], none, plane(), 0.1, 1),
        (egg(), [0.0, 0.0, 0.4], lying, plane(), 0.1, 1),
        (can(), [0.0, 0.0, 1.1], none, cube(1.0), 0.1, 8),
        // Half over the side: the half with three points, and those on the edge.
        (can(), [0.5, 0.0, 1.1], none, cube(1.0), 0.1, 5),
        // Across the cube both ends stick out: the side rests on two edges.
        (
            Geometry::Cylinder {
                radius: 0.3,
                length: 2.0,
            },
            [0.0, 0.0, 0.9],
            lying,
            cube(1.0),
            0.1,
            2,
        ),
        (ball(0.2), [0.6, 0.0, 0.2], none, can(), 0.1, 1),
        (ball(0.2), [0.1, 0.0, 0.8], none, can(), 0.1, 1),
        (can(), [0.7, 0.0, 0.3], none, can(), 0.1, 2),
        (can(), [0.7, 0.0, 0.0], lying, can(), 0.1, 1),
        (can(), [0.1, 0.0, 1.1], none, can(), 0.1, 8),
        (egg(), [0.1, 0.0, 1.1], none, cube(1.0), 0.1, 1),
        (egg(), [0.5, 0.0, 0.1], none, capsule(0.2, 1.0), 0.1, 1),
    ]);
}

#[test]
fn surfaces_by_hand() {
    let none = [0.0; 3];
    let mesh = || Geometry::Mesh(Arc::new(cube_of_triangles()));
    let flat = || ground(|_, _| 0.0);
    let ridge = || ground(|x, _| -x.abs());
    let valley = || ground(|x, _| x.abs());
    let half = 0.5f64.sqrt();
    check(&[
        (ball(0.2), [0.1, 0.1, 0.3], none, flat(), 0.1, 1),
        // On a diagonal and on a corner of the grid there are several triangles but one plane.
        (ball(0.2), [0.5, 0.5, 0.3], none, flat(), 0.1, 1),
        (ball(0.2), [0.0, 0.0, 0.3], none, flat(), 0.1, 1),
        (cube(1.0), [0.2, 0.3, 0.6], none, flat(), 0.1, 4),
        (
            capsule(0.2, 1.0),
            [0.2, 0.3, 0.3],
            [FRAC_PI_2, 0.0, 0.0],
            flat(),
            0.1,
            2,
        ),
        (ball(0.2), [0.0, 0.1, 0.3], none, ridge(), 0.1, 1),
        (ball(0.2), [0.0, 0.1, 0.3 / half], none, valley(), 0.1, 2),
        // On the crest: where it crosses two sides of the cube, and at the corner of the grid between.
        (cube(1.0), [0.0, 0.1, 0.6], none, ridge(), 0.1, 3),
        (octahedron(), [0.1, 0.2, 0.6], none, flat(), 0.1, 1),
        (mesh(), [0.3, 0.2, 0.6], none, flat(), 0.1, 4),
        (ball(0.2), [0.1, 0.2, 0.8], none, mesh(), 0.1, 1),
        (ball(0.2), [0.8, 0.1, 0.1], none, mesh(), 0.1, 1),
        (cube(1.0), [0.3, 0.2, 1.1], none, mesh(), 0.1, 4),
        (octahedron(), [0.1, 0.2, 1.1], none, mesh(), 0.1, 1),
        (mesh(), [0.3, 0.2, 1.1], none, mesh(), 0.1, 4),
        (
            Geometry::Cylinder {
                radius: 0.3,
                length: 1.0,
            },
            [0.2, 0.3, 0.6],
            none,
            flat(),
            0.1,
            8,
        ),
        (
            Geometry::Ellipsoid {
                radii: Vec3::new(0.2, 0.3, 0.5),
            },
            [0.2, 0.3, 0.6],
            none,
            flat(),
            0.1,
            1,
        ),
    ]);
}

#[test]
fn corners_meet_walls_that_stand_anywhere() {
    let model = scene(&[cube(0.5)], &[Geometry::HalfSpace]);
    // A wall at x = 0.4 that faces -x.
    let mut parts = model.parts();
    parts.world_shapes[0].pose = Pose::from_parts(
        Vec3::new(0.4, 0.0, 0.0).into(),
        Quat::from_scaled_axis(Vec3::new(0.0, -FRAC_PI_2, 0.0)),
    );
    let model = Model::new(parts).unwrap();
    let turned = at([0.0, 0.3, -0.2], [0.3, 0.2, 0.5]);
    let corner = (0..8).map(|k| {
        let sign = |bit: u32| if k >> bit & 1 == 1 { 0.25 } else { -0.25 };
        (turned.orientation * Vec3::new(sign(0), sign(1), sign(2))).x
    });
    let exact = 0.4 - corner.fold(f64::NEG_INFINITY, f64::max);
    let bodies = [turned];
    let gap = least(&found(&model, &bodies, 0.2), &bodies);
    assert!((gap - exact).abs() < 1e-14, "{gap} {exact}");
}

#[test]
fn what_is_behind_a_face_has_passed_beside_it() {
    // A fast ball beside a plate, a little below its top and on the way up.
    let plate = Geometry::Box {
        size: Vec3::new(1.0, 1.0, 0.2),
    };
    let model = scene(&[ball(0.1)], &[plate]);
    let mut ball = at([0.65, 0.0, 0.05], [0.0; 3]);
    ball.velocity.linear = Vec3::new(-1.0, 0.0, 10.0);
    let bodies = [ball];
    let contacts = found(&model, &bodies, 0.3);
    let gap = least(&contacts, &bodies);
    assert!((gap - 0.05).abs() < 1e-12, "{contacts:#?}");
}

#[test]
fn tangent_planes_of_two_surfaces_are_numbered() {
    let cone = Geometry::Cone {
        radius: 0.3,
        length: 0.8,
    };
    let model = scene(&[cone.clone(), cone], &[]);
    let bodies = [
        at([0.0, 0.0, 0.0], [0.1, 0.2, 0.0]),
        at([0.6, 0.1, 0.0], [1.0, 0.3, 0.2]),
    ];
    let tangent = found(&model, &bodies, 0.5)
        .into_iter()
        .find(|c| c.numbered(0).is_some())
        .expect("two cones have a tangent plane");
    let second = tangent.numbered(2).unwrap();
    assert_eq!(tangent.root(), tangent.key);
    assert_ne!(second.key, tangent.key);
    assert_eq!(second.root(), tangent.key);
    let flat = scene(&[cube(1.0)], &[Geometry::HalfSpace]);
    let above = [at([0.0, 0.0, 0.6], [0.0; 3])];
    let corner = found(&flat, &above, 0.2)[0];
    assert_eq!(corner.numbered(1), None);
    assert_eq!(corner.root(), corner.key);
}
