//! What goes through what between two configurations.

use super::random::{pose, solid};
use super::*;
use crate::contact::{MATERIAL_POINTS, Passage};
use proptest::prelude::*;

/// The passages of two bodies.
fn passages(model: &Model, first: &[BodyState], second: &[BodyState]) -> Vec<Passage> {
    let mut out = Vec::new();
    Detector::new(model).passages(model, [first, second], MATERIAL_POINTS, &mut out);
    out
}

/// A ball of 0.2 m that flies past one of 0.3 m, `aside` of its middle.
fn past(aside: f64) -> Vec<Passage> {
    let model = scene(&[ball(0.3), ball(0.2)], &[]);
    let stays = at([0.0; 3], [0.0; 3]);
    let [first, second] = [2.0, -3.0].map(|x| [stays, at([x, aside, 0.0], [0.0; 3])]);
    passages(&model, &first, &second)
}

#[test]
fn a_ball_through_a_ball_meets_it_where_it_came_from() {
    let found = past(0.3);
    let [Passage { contact, depth }] = found[..] else {
        panic!("{found:?}");
    };
    let bodies = [at([0.0; 3], [0.0; 3]), at([2.0, 0.3, 0.0], [0.0; 3])];
    let gap = contact.gap(&bodies);
    // They meet where their middles are half a metre apart, but for how near is near: a thousandth of the smaller one.
    let normal = Vec3::new(-0.8, -0.6, 0.0);
    assert!((gap.normal - normal).norm() < 5e-3, "{}", gap.normal);
    let apart = -normal.dot(&Vec3::new(2.0, 0.3, 0.0)) - 0.5;
    assert!(
        (gap.distance - apart).abs() < 1e-2,
        "{} {apart}",
        gap.distance
    );
    let end = -normal.dot(&Vec3::new(-3.0, 0.3, 0.0)) - 0.5;
    assert!((depth + end).abs() < 2e-2, "{depth} {end}");
}

#[test]
fn what_passes_beside_or_flies_along_goes_through_nothing() {
    assert!(past(0.51).is_empty());
    let model = scene(&[ball(0.3), ball(0.2)], &[]);
    let pair = |x: f64| {
        [
            at([x, 0.0, 0.0], [0.0; 3]),
            at([x + 0.6, 0.0, 0.0], [0.0; 3]),
        ]
    };
    assert!(passages(&model, &pair(0.0), &pair(5.0)).is_empty());
    // What only comes to it is found where it is.
    let stays = at([0.0; 3], [0.0; 3]);
    let comes = [2.0, 0.495].map(|x| [stays, at([x, 0.0, 0.0], [0.0; 3])]);
    assert!(passages(&model, &comes[0], &comes[1]).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// What flies through the middle of another goes through it, whatever its shape and turn, and the contact parts them before and
    /// not after.
    #[test]
    fn what_flies_through_the_middle_is_found(
        a in solid(),
        b in solid(),
        x in pose(),
        y in pose(),
        way in proptest::array::uniform3(-1.0..1.0f64),
        ends in (1.5..4.0f64, 1.5..4.0f64),
        turn in proptest::array::uniform3(-0.5..0.5f64),
    ) {
        let way = Vec3::from(way);
        prop_assume!(way.norm() > 0.1);
        let model = scene(&[a, b], &[]);
        let [first, second] = through([x, y], way, ends, turn);
        let found = passages(&model, &first, &second);
        prop_assert_eq!(found.len(), 1);
        let contact = found[0].contact;
        prop_assert!(contact.gap(&first).distance > 0.0);
        prop_assert!(contact.gap(&second).distance < 0.0);
    }
}
