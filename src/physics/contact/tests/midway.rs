//! What lies in a surface on its way.

use super::random::{curved, pose, sharp};
use super::*;
use crate::contact::Overlap;
use crate::contact::solid::Solid;
use proptest::prelude::*;

/// A cube of a metre of triangles in the world.
fn block() -> Geometry {
    Geometry::Mesh(Arc::new(cube_of_triangles()))
}

fn midway(model: &Model, first: &[BodyState], second: &[BodyState]) -> Option<Overlap> {
    Detector::new(model).midway(model, [first, second])
}

/// A geometry that goes past a block from one place to another.
fn past(geometry: Geometry, from: [f64; 3], to: [f64; 3]) -> Option<Overlap> {
    let model = scene(&[geometry], &[block()]);
    midway(&model, &[at(from, [0.0; 3])], &[at(to, [0.0; 3])])
}

/// A box of 0.4 m across an edge of the block.
#[test]
fn what_goes_through_an_edge_is_found() {
    let size = 0.4;
    let found = past(cube(size), [0.0, -0.9, 0.6], [0.0, -0.2, 1.3]);
    assert!(found.is_none(), "{found:?} beside it");
    let found = past(cube(size), [0.0, -0.8, 0.9], [0.0, 0.9, 0.5]);
    let Some(Overlap { bodies, depth }) = found else {
        panic!("it goes through a corner of the block");
    };
    assert_eq!(bodies, [Some(crate::model::BodyId(0)), None]);
    assert!((depth - 0.02 * size).abs() < 1e-12, "{depth}");
}

/// A disc whose rim ends in an edge of the block, deeper than features tell.
#[test]
fn what_lies_in_it_where_the_way_ends_is_found() {
    let disc = Geometry::Cylinder {
        radius: 0.3,
        length: 0.2,
    };
    let model = scene(&[disc], &[block()]);
    // Its axis along the edge.
    let there = |y: f64| [at([0.0, y, y], [0.0, 0.5 * std::f64::consts::PI, 0.0])];
    let ends = |in_it: f64| {
        let touching = 0.5 + 0.3 * 0.5_f64.sqrt();
        midway(&model, &there(1.0), &there(touching - in_it))
    };
    assert!(ends(0.1).is_some() && ends(0.02).is_some());
    // A fiftieth of its length all around, 4 mm, at the rim too.
    assert!(ends(0.006).is_some() && ends(0.0025).is_none());
    assert!(ends(0.0).is_none());
}

#[test]
fn balls_and_what_is_far_away_are_found_where_they_are() {
    // Through the middle of two sides.
    for radius in [0.05, 0.3] {
        assert!(past(ball(radius), [0.1, 0.2, 40.0], [0.1, 0.2, -40.0]).is_some());
        assert!(
            past(
                ball(radius),
                [0.1, 0.51 + radius, 40.0],
                [0.1, 0.51 + radius, -40.0]
            )
            .is_none()
        );
    }
    // What comes to lie on it, and what leaves it.
    assert!(past(cube(0.4), [0.0, 0.0, 1.2], [0.0, 0.0, 0.7]).is_none());
    assert!(past(cube(0.4), [0.0, 0.0, 0.7], [0.0, 0.3, 0.9]).is_none());
    // Deep in it when it begins: that is no news.
    assert!(past(cube(0.4), [0.0, 0.0, 0.66], [0.0, 0.1, 0.7]).is_none());
}

#[test]
fn nothing_is_looked_for_without_surfaces_or_in_short_ways() {
    let bodies = [at([0.0, 0.0, 1.2], [0.0; 3])];
    let model = scene(&[cube(0.4)], &[cube(1.0)]);
    assert!(midway(&model, &bodies, &[at([0.0, 0.0, -1.2], [0.0; 3])]).is_none());
    // In it by less than a stride.
    let model = scene(&[cube(0.4)], &[block()]);
    let deep = |z: f64| [at([0.0, 0.0, z], [0.0; 3])];
    assert!(midway(&model, &deep(0.696), &deep(0.689)).is_none());
}

/// A bar of 60 cm by 2 cm that turns by an angle about its middle, and a ball of 4 cm beside it.
fn turning(angle: f64, ball_at: [f64; 3]) -> Option<Overlap> {
    let bar = Geometry::Box {
        size: Vec3::new(0.6, 0.02, 0.1),
    };
    let model = scene(&[bar], &[ball(0.04)]);
    let mut middle = at(ball_at, [0.0; 3]);
    middle.position = -middle.position;
    let turned = |z: f64| BodyState {
        orientation: Quat::from_scaled_axis(Vec3::z() * z),
        ..middle
    };
    midway(&model, &[turned(0.0)], &[turned(angle)])
}

#[test]
fn what_turns_through_another_is_found() {
    let beside = |angle: f64, radius: f64| [radius * angle.cos(), radius * angle.sin(), 0.0];
    let Some(Overlap { bodies, depth }) = turning(0.8, beside(0.4, 0.25)) else {
        panic!("the bar turns through the ball");
    };
    assert_eq!(bodies, [Some(crate::model::BodyId(0)), None]);
    assert!((depth - 0.1 * 0.02).abs() < 1e-12, "{depth}");
    assert!(turning(0.8, beside(0.4, 0.33)).is_some(), "by its tip");
    // Beyond its tip, before and behind it, in it when it begins, or where its points move by less than half of its thickness.
    assert!(turning(0.8, beside(0.4, 0.345)).is_none());
    assert!(turning(0.8, beside(1.1, 0.25)).is_none());
    assert!(turning(0.8, beside(-0.3, 0.25)).is_none());
    assert!(turning(0.8, beside(0.15, 0.25)).is_none());
    assert!(turning(0.03, beside(0.21, 0.25)).is_none());
}

/// A plank that rolls over an edge goes along the arc of a circle and is taken to go along its chord.
#[test]
fn what_pivots_on_an_edge_goes_through_nothing() {
    let plank = Geometry::Box {
        size: Vec3::new(0.6, 0.3, 0.02),
    };
    let model = scene(&[plank], &[cube(0.2)]);
    let pivoted = |angle: f64| {
        let turn = Quat::from_scaled_axis(Vec3::y() * angle);
        let edge = Vec3::new(0.1, 0.0, 0.1);
        BodyState {
            position: edge + turn * Vec3::new(0.1, 0.0, 0.01),
            orientation: turn,
            ..at([0.0; 3], [0.0; 3])
        }
    };
    for (from, to) in [(0.01, 0.2), (0.3, 0.6), (0.9, 0.7)] {
        assert!(midway(&model, &[pivoted(from)], &[pivoted(to)]).is_none());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever goes through the middle of a plate that turns and flies itself is found.
    #[test]
    fn what_goes_through_a_plate_is_found(
        a in prop_oneof![sharp(), curved()],
        x in pose(),
        y in pose(),
        way in proptest::array::uniform3(-1.0..1.0f64),
        ends in (1.5..4.0f64, 1.5..4.0f64),
        turn in proptest::array::uniform3(-0.3..0.3f64),
    ) {
        let way = Vec3::from(way);
        prop_assume!(way.norm() > 0.1);
        let plate = Geometry::Mesh(Arc::new(plate_of_triangles(0.03)));
        let model = scene(&[a, plate], &[]);
        let [first, second] = through([x, y], way, ends, turn);
        prop_assert!(midway(&model, &first, &second).is_some());
    }
}

/// How thin surfaces are, by hand.
#[test]
fn plates_are_as_thin_as_they_are_and_blocks_as_good_as_solid() {
    let thickness = |height: f64| {
        let plate = Geometry::Mesh(Arc::new(plate_of_triangles(height)));
        let model = scene(&[plate], &[]);
        Solid::all(&model)[0].thickness
    };
    for height in [0.05, 0.003] {
        assert!(
            (thickness(height) - height).abs() < 1e-12,
            "{}",
            thickness(height)
        );
    }
    assert_eq!(thickness(0.5), f64::INFINITY);
    let open = scene(&[], &[ground(|x, y| 0.1 * x * y)]);
    assert_eq!(Solid::all(&open)[0].thickness, f64::INFINITY);
}
