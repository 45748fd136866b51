//! How far bodies go past each other at a contact, as they turn.

use super::{Lcg, at};
use crate::contact::{Contact, Feature, Located, Turn};
use crate::math::{Quat, Vec3};
use crate::model::{BodyId, BodyState, ContactKey};
use proptest::prelude::*;

fn unit(random: &mut Lcg) -> Vec3 {
    (random.vector() + Vec3::new(0.0, 0.0, 0.01)).normalize()
}

/// Features that meet, the body's first.
fn features(kind: usize, random: &mut Lcg) -> [Feature; 2] {
    let at = random.vector();
    let plane = Feature::Plane {
        at: random.vector(),
        normal: unit(random),
    };
    let radius = 0.3 + 0.2 * random.vector().x;
    match kind {
        0 => [Feature::Point { at, radius: 0.0 }, plane],
        1 => [Feature::Point { at, radius }, plane],
        2 => {
            let axis = unit(random);
            [Feature::Rim { at, axis, radius }, plane]
        }
        3 => {
            let orientation = Quat::from_scaled_axis(random.vector() * 3.0);
            let radii = random.vector().abs() + Vec3::repeat(0.2);
            let body = Feature::Ellipsoid {
                at,
                orientation,
                radii,
            };
            [body, plane]
        }
        4 => {
            let along = unit(random);
            let corner = Feature::Point {
                at: random.vector() * 3.0,
                radius: 0.0,
            };
            [Feature::Line { at, along, radius }, corner]
        }
        _ => {
            let other = Feature::Point {
                at: random.vector() * 3.0,
                radius: 0.1,
            };
            [Feature::Point { at, radius }, other]
        }
    }
}

/// A contact of a body with the world, where that is before and after a turn, and the turn.
fn turning(kind: usize, seed: u64) -> (Located, [BodyState; 2], Turn) {
    let mut random = Lcg(seed);
    let first = at(
        (random.vector() * 0.8).into(),
        (random.vector() * 3.0).into(),
    );
    let contact = Contact {
        key: ContactKey::default(),
        bodies: [Some(BodyId(0)), None],
        features: features(kind, &mut random),
        friction: 0.5,
        restitution: 0.0,
        compliance: Default::default(),
    };
    let contact = Located::at(&contact, &[first]);
    let turn = Turn::of(random.vector() * 0.4);
    let whole = Quat::new_normalize(nalgebra::Quaternion::from_parts(turn.cosine, turn.sine));
    let second = BodyState {
        orientation: whole * first.orientation,
        ..first
    };
    (contact, [first, second], turn)
}

/// The way that the body's side of a contact goes.
fn way(contact: &Located, bodies: &[BodyState; 2], turn: &Turn) -> Vec3 {
    let side = contact.side(0, [&bodies[0], &bodies[1]], 0.01);
    Vec3::from_fn(|k, _| side.turned(&Vec3::ith(k, 1.0), turn).0)
}

/// Tilts of a rim at which its lowest point runs around are left out: differences say nothing there.
fn is_steep(contact: &Located, bodies: &[BodyState; 2]) -> bool {
    match contact.features[0] {
        Feature::Rim { axis, .. } => bodies.iter().all(|body| {
            let axis = body.orientation * axis;
            axis.cross(&contact.here.normal).norm() > 0.2
        }),
        _ => true,
    }
}

proptest! {
    /// Central differences of 1e-6: 1e-12 times third derivatives, those of rims up to 1e4, and rounding of 1e-10.
    #[test]
    fn changes_of_the_way_are_those_of_differences(kind in 0..6usize, seed in any::<u64>()) {
        let (contact, bodies, turn) = turning(kind, seed);
        prop_assume!(is_steep(&contact, &bodies));
        let mut random = Lcg(seed ^ 1);
        let along = unit(&mut random);
        let (_, change) = contact.side(0, [&bodies[0], &bodies[1]], 0.01).turned(&along, &turn);
        for axis in 0..3 {
            let moved = |by: f64| {
                let mut second = bodies[1];
                second.orientation = Quat::from_scaled_axis(Vec3::ith(axis, by)) * second.orientation;
                let whole = second.orientation * bodies[0].orientation.inverse();
                let turn = Turn::of(whole.imag());
                contact.side(0, [&bodies[0], &second], 0.01).turned(&along, &turn).0
            };
            let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
            prop_assert!((slope - change[axis]).abs() < 1e-6 * (1.0 + change.norm()), "{kind} axis {axis}: {slope} {change:?}");
        }
    }

    /// What lies on the axis goes nowhere along it; and a rim, an ellipsoid, a ball and a corner rise over a plane as far as their
    /// gap does, so that no joint which leaves them a plane holds them against both laws. Rounding of lengths near 5.
    #[test]
    fn the_way_is_across_the_axis_and_rises_as_the_gap_does(kind in 0..6usize, seed in any::<u64>()) {
        let (contact, bodies, turn) = turning(kind, seed);
        let way = way(&contact, &bodies, &turn);
        prop_assert!(way.dot(&turn.sine).abs() < 1e-14, "{kind}: {way:?}");
        if kind < 4 {
            let rise = contact.gap(&bodies[1..]).distance - contact.here.distance;
            prop_assert!((way.dot(&contact.here.normal) - rise).abs() < 1e-14, "{kind}: {way:?} {rise}");
        }
    }

    /// What is sharp takes along the point at which it touches, and what it touches, too.
    #[test]
    fn what_a_corner_holds_goes_as_its_material_does(sharp in any::<bool>(), seed in any::<u64>()) {
        let (mut contact, bodies, turn) = turning(if sharp { 0 } else { 4 }, seed);
        let point = contact.here.points[0];
        // Where it is pushed they touch.
        contact.here.points[1] = point;
        let [first, second] = bodies;
        let held = first.orientation.inverse() * (point - first.position);
        let there = second.position + second.orientation * held;
        let way = way(&contact, &bodies, &turn);
        prop_assert!((way - (there - point)).norm() < 1e-14, "{way:?}");
    }

    /// A ball that turns by half-angle sines u rolls by 2 u times its radius, whatever lies off its centre.
    #[test]
    fn a_ball_rolls(seed in any::<u64>()) {
        let (contact, bodies, turn) = turning(1, seed);
        let Feature::Point { at, radius } = contact.features[0] else { unreachable!() };
        let centre = |body: &BodyState| body.position + body.orientation * at;
        let down = contact.here.normal * -radius;
        let touching = {
            let mut contact = contact;
            contact.here.points[1] = contact.here.points[0];
            contact
        };
        let rolled = way(&touching, &bodies, &turn) - (centre(&bodies[1]) - centre(&bodies[0]));
        prop_assert!((rolled - turn.sine.cross(&down) * 2.0).norm() < 1e-14, "{rolled:?}");
    }
}
