//! Contacts between material points.

use super::{ball, capsule, cube, found, scene};
use crate::contact::{Contact, Feature, MATERIAL_POINTS};
use crate::math::{Quat, Vec3};
use crate::model::{BodyState, Geometry, Model};
use proptest::prelude::*;

fn wheel() -> Geometry {
    Geometry::Cylinder {
        radius: 0.3,
        length: 0.2,
    }
}

fn egg() -> Geometry {
    Geometry::Ellipsoid {
        radii: Vec3::new(0.3, 0.2, 0.15),
    }
}

fn pose() -> impl Strategy<Value = BodyState> {
    let numbers = || proptest::array::uniform3(-1.0..1.0);
    (numbers(), numbers()).prop_map(|(at, turn)| {
        let mut body = super::at([0.0; 3], turn.map(|x: f64| 3.0 * x));
        body.position = Vec3::from(at) * 0.35;
        body
    })
}

/// What is found for two bodies that are near each other or overlap.
fn contacts(first: &Geometry, second: &Geometry, bodies: &[BodyState]) -> (Model, Vec<Contact>) {
    let model = scene(&[first.clone(), second.clone()], &[]);
    let contacts = found(&model, bodies, 0.4);
    (model, contacts)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn material_points_are_those_that_are_nearest(
        poses in [pose(), pose()],
        kinds in [0..5usize, 0..5],
        later in [pose(), pose()],
    ) {
        let shapes = [ball(0.2), cube(0.4), capsule(0.1, 0.4), wheel(), egg()];
        let [first, second] = kinds.map(|k| &shapes[k]);
        let (_, contacts) = contacts(first, second, &poses);
        for contact in contacts {
            let held = contact.material(2, &poses);
            let (gap, same) = (contact.gap(&poses), held.gap(&poses));
            // Rounding of coordinates near 1; of directions where points of balls coincide.
            prop_assert!((gap.distance - same.distance).abs() < 1e-12, "{contact:?}");
            prop_assert!((gap.normal - same.normal).norm() < 1e-9);
            prop_assert!((gap.points[0] - same.points[0]).norm() < 1e-9);
            prop_assert!(held.is_material() && !contact.is_material());
            prop_assert!(!held.may_run());
            prop_assert_eq!(held.root(), contact.root());
            prop_assert_eq!(held.travel(&poses, &later), 0.0);
            // Two bodies that move as one keep their distance and the points where they have it.
            let turn = Quat::from_scaled_axis(Vec3::new(0.3, -0.5, 0.8));
            let moved = poses.map(|body| BodyState {
                position: turn * body.position + Vec3::new(1.0, 2.0, -0.5),
                orientation: turn * body.orientation,
                ..body
            });
            prop_assert!((held.gap(&moved).distance - gap.distance).abs() < 1e-12);
        }
    }
}

#[test]
fn nearest_points_of_a_wheel_run_along_its_rim_as_it_rolls() {
    let model = scene(&[wheel()], &[Geometry::HalfSpace]);
    // On its rim, tilted by 0.4 rad about y.
    let tilted = |spin: f64| {
        let turn =
            Quat::from_scaled_axis(Vec3::y() * 0.4) * Quat::from_scaled_axis(Vec3::z() * spin);
        let mut body = super::at([0.0, 0.0, 0.25], [0.0; 3]);
        body.orientation = turn;
        body
    };
    let bodies = [tilted(0.0)];
    let rim = found(&model, &bodies, 0.3)
        .into_iter()
        .find(|c| matches!(c.features[0], Feature::Rim { .. }))
        .expect("a tilted wheel stands on its rim");
    assert!(rim.may_run());
    // A turn by 0.5 rad about its own axis leaves the lowest point where it is and takes the rim along: a chord of it.
    let travel = rim.travel(&bodies, &[tilted(0.5)]);
    let chord = 2.0 * 0.3 * 0.25_f64.sin();
    assert!((travel - chord).abs() < 1e-12, "{travel} {chord}");
    let mut keys: Vec<_> = (1..=MATERIAL_POINTS)
        .map(|k| rim.material(k, &bodies).key)
        .collect();
    keys.push(rim.key);
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len() as u64, MATERIAL_POINTS + 1, "each has its key");
}
