//! Curved solids and surfaces at poses whose distances are known, and the sides of faces; solids that are apart from surfaces.

use super::pairs::check;
use super::random::{curved, placed, pose, sharp};
use super::*;
use crate::contact::parry::reference_distance;
use proptest::prelude::*;
use std::f64::consts::FRAC_PI_2;

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A rim or an ellipsoid over one side of a thin plate of triangles is behind the other side, and does not lie in it.
    #[test]
    fn what_is_apart_from_a_plate_is_not_behind_it(
        a in prop_oneof![sharp(), curved()], body in pose(), thickness in 0.02..0.2f64,
    ) {
        let plate = plate_of_triangles(thickness);
        let solid_plate = Geometry::Hull(Arc::new(plate.clone()));
        let bodies = [body];
        let model = scene(std::slice::from_ref(&a), &[solid_plate]);
        let distance = reference_distance(&placed(&model, &bodies)[0], &placed(&model, &bodies)[1]);
        prop_assume!(distance > 1e-3);
        let model = scene(&[a], &[Geometry::Mesh(Arc::new(plate))]);
        let contacts = found(&model, &bodies, 0.3);
        let deepest = least(&contacts, &bodies);
        prop_assert!(deepest > -1e-9, "{deepest} m though {distance} m apart: {contacts:#?}");
    }

    /// An ellipsoid near a block of triangles has a contact with it that is as near.
    #[test]
    fn an_ellipsoid_near_a_surface_has_a_contact_as_near(
        radii in proptest::array::uniform3(0.02..0.5f64),
        body in pose(),
        octahedral in any::<bool>(),
        gap in -5.0..-1.5f64,
    ) {
        let a = Geometry::Ellipsoid { radii: radii.into() };
        let surface = match octahedron() {
            Geometry::Hull(surface) if octahedral => surface,
            _ => Arc::new(cube_of_triangles()),
        };
        let hull = scene(std::slice::from_ref(&a), &[Geometry::Hull(surface.clone())]);
        let mut body = body;
        // As near as that, along the way between the middles.
        for _ in 0..60 {
            let both = placed(&hull, &[body]);
            let distance = reference_distance(&both[0], &both[1]);
            let out = body.position.try_normalize(1e-3).unwrap_or(Vec3::z());
            let more = if distance > 1e-9 { 10_f64.powf(gap) - distance } else { 0.1 };
            body.position += out * more;
        }
        let both = placed(&hull, &[body]);
        let distance = reference_distance(&both[0], &both[1]);
        prop_assume!(distance > 1e-6 && distance < 0.1);
        let model = scene(&[a], &[Geometry::Mesh(surface)]);
        let nearest = least(&found(&model, &[body], 0.1), &[body]);
        prop_assert!((nearest - distance).abs() < 1e-5, "{nearest} m, {distance} m apart");
    }
}
