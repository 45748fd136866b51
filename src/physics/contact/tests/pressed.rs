//! What is found again of what pressed.

use super::random::{curved, distance, placed, sharp};
use super::*;
use crate::contact::Feature;
use crate::model::{ContactState, ContactStatus};
use proptest::prelude::*;

/// How deep bodies are pressed into each other (m): of sizes near one, many times rounding and a tenth of what is looked
/// for.
const PRESSED: f64 = 1e-5;

/// Searches for where curved solids are nearest end at 1e-8 of sizes near one.
const ITERATION: f64 = 1e-6;

/// Two bodies at random that are moved along the line of their centres until they are `gap` (m) apart; nothing where they are
/// entwined at first.
fn near(model: &Model, bodies: [BodyState; 2], gap: f64) -> Option<[BodyState; 2]> {
    let mut bodies = bodies;
    for _ in 0..30 {
        let distance = distance(model, &bodies);
        if distance <= 0.0 {
            return None;
        }
        if (distance - gap).abs() < 1e-9 {
            return Some(bodies);
        }
        let contacts = found(model, &bodies, 2.0 * distance);
        let nearest = contacts
            .iter()
            .map(|c| c.gap(&bodies))
            .min_by(|a, b| a.distance.total_cmp(&b.distance))?;
        bodies[0].position -= nearest.normal * (nearest.distance - gap);
    }
    None
}

fn apart() -> impl Strategy<Value = [BodyState; 2]> {
    let turn = || proptest::array::uniform3(-3.0..3.0f64);
    (turn(), turn(), turn()).prop_map(|(way, a, b)| {
        let way = Vec3::from(way).try_normalize(0.1).unwrap_or(Vec3::x());
        [at((way * 2.0).into(), a), at([0.0; 3], b)]
    })
}

fn state_of(contact: &Contact, bodies: &[BodyState]) -> ContactState {
    let gap = contact.gap(bodies);
    ContactState {
        key: contact.key,
        bodies: contact.bodies,
        point: gap.middle(),
        normal: gap.normal,
        gap: gap.distance,
        force: gap.normal,
        slip: Vec3::zeros(),
        friction: contact.friction,
        status: ContactStatus::Sticking,
        rebound: 0.0,
        hit: false,
        turning: 0.0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(200) })]

    /// A point over a tangent plane is the same bound where nothing has moved, and one that holds: the solid of the plane is
    /// behind it.
    #[test]
    fn a_point_on_a_line_is_held_over_a_plane_that_bounds_its_solid(
        a in prop_oneof![sharp(), curved()], b in curved(), poses in apart(),
    ) {
        let model = scene(&[a, b], &[]);
        let bodies = near(&model, poses, 1e-7);
        prop_assume!(bodies.is_some());
        let bodies = bodies.unwrap();
        let detector = Detector::new(&model);
        for contact in found(&model, &bodies, 1e-3).iter().filter(|c| c.key.is_tangent()) {
            let last = state_of(contact, &bodies);
            let Some(held) = detector.hold(&last, contact, &bodies) else {
                continue;
            };
            let (before, after) = (contact.gap(&bodies), held.gap(&bodies));
            prop_assert!((before.distance - after.distance).abs() < ITERATION, "{before:?} {after:?}");
            // Where planes lean no more than that out of the side they are its.
            prop_assert!(before.normal.dot(&after.normal) > 1.0 - 1.1e-4, "{before:?} {after:?}");
            prop_assert!((before.points[0] - after.points[0]).norm() < ITERATION);
            let plane = usize::from(matches!(held.features[1], Feature::Plane { .. }));
            let solid = &placed(&model, &bodies)[plane];
            let outward = if plane == 1 { after.normal } else { -after.normal };
            let top = outward.dot(&solid.farthest(&outward)) + solid.radius;
            prop_assert!(top - outward.dot(&after.points[plane]) < ITERATION);
        }
    }

    /// Features that part two solids when these are a little apart are found where they are pressed in by as much.
    #[test]
    fn what_parts_solids_is_found_where_they_are_pressed_together(
        a in prop_oneof![sharp(), curved()], b in prop_oneof![sharp(), curved()], poses in apart(),
    ) {
        let model = scene(&[a, b], &[]);
        let bodies = near(&model, poses, PRESSED);
        prop_assume!(bodies.is_some());
        let mut bodies = bodies.unwrap();
        let before = found(&model, &bodies, 1e-3);
        let nearest = before.iter().map(|c| c.gap(&bodies));
        let nearest = nearest.min_by(|a, b| a.distance.total_cmp(&b.distance)).unwrap();
        bodies[0].position -= nearest.normal * (2.0 * nearest.distance);
        let mut after = Vec::new();
        let reach = [1e-3; 2];
        Detector::new(&model).detect_pressed(&model, &bodies, &reach, [0, 1], &mut after);
        for contact in before.iter().filter(|c| !c.key.is_tangent()) {
            // Of what is far beyond the others now nothing is asked, nor of corners near the outline of a face, which the
            // move itself may bring past it.
            let gap = contact.gap(&bodies);
            if gap.distance > 0.0 || gap.normal.dot(&nearest.normal) < 0.9 {
                continue;
            }
            let there = after.iter().any(|c| {
                let other = c.gap(&bodies);
                c.key == contact.key || (other.points[0] - gap.points[0]).norm() < 10.0 * PRESSED
            });
            prop_assert!(there, "{:?} {gap:?} of {before:?}", contact.key);
        }
    }
}

#[test]
fn plain_search_finds_no_less_and_no_more_than_without_depth() {
    // A cube that stands on another one, aside, as deep as rounding.
    let model = scene(&[cube(1.0), cube(1.0)], &[]);
    let bodies = [
        at([0.3, 0.2, 1.0 - 1e-12], [0.0; 3]),
        at([0.0; 3], [0.0; 3]),
    ];
    let plain = found(&model, &bodies, 1e-3);
    let mut pressed = Vec::new();
    Detector::new(&model).detect_pressed(&model, &bodies, &[1e-3; 2], [0, 1], &mut pressed);
    let keys = |contacts: &[Contact]| contacts.iter().map(|c| c.key).collect::<Vec<_>>();
    assert_eq!(keys(&plain), keys(&pressed));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    /// Cubes in line, one on the other and a little beside it, by micrometres in each other, aside and tilted: there is a contact at
    /// each corner of the faces' overlap, though a corner of one may just have left the face of the other.
    #[test]
    fn cubes_in_line_bear_each_other_at_all_corners(
        beside in prop_oneof![-0.8..-0.2f64, 0.2..0.8f64],
        aside in -2e-5..2e-5f64,
        depth in 0.0..2e-5f64,
        tilt in proptest::array::uniform3(-1e-5..1e-5f64),
    ) {
        let model = scene(&[cube(1.0), cube(1.0)], &[]);
        let bodies = [at([beside, aside, 1.0 - depth], tilt), at([0.0; 3], [0.0; 3])];
        let contacts = found(&model, &bodies, 1e-3);
        for x in [(beside - 0.5).max(-0.5), (beside + 0.5).min(0.5)] {
            for y in [-0.5, 0.5] {
                let corner = Vec3::new(x, y, 0.5);
                let bears = |contact: &Contact| {
                    let gap = contact.gap(&bodies);
                    (gap.middle() - corner).norm() < 1e-4 && gap.normal.z > 0.999
                };
                prop_assert!(contacts.iter().any(bears), "none at {corner:?}: {contacts:#?}");
            }
        }
    }
}
