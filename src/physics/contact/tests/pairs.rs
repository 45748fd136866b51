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

/// Finds the distance and the number of contacts of every case, whichever body the shapes belong to.
pub fn check(cases: &[Case]) {
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
