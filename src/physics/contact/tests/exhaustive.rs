//! What is left out, and what is remembered, changes nothing: against a comparison of every pair, from nothing.

use super::random::solid;
use super::*;
use crate::contact::Located;
use crate::contact::detect::{AtHand, compare};
use crate::contact::narrow::Narrow;
use crate::contact::question::{ask, prediction};
use crate::contact::solid::Solid;
use proptest::prelude::*;

/// The contacts of all pairs of solids whose bounds meet, each compared by itself.
fn exhaustive(model: &Model, bodies: &[BodyState], reach: &[f64]) -> Vec<Located> {
    let solids = Solid::all(model);
    let bounds = |solid: &Solid| {
        let moved = solid.body.map_or(0.0, |b| reach[b.0]);
        let room = moved + crate::contact::margin(solid.size);
        solid.bounds.seen_from(&solid.pose(bodies), room)
    };
    let rules = model.contact.as_ref().unwrap();
    let mut all = Vec::new();
    for a in 0..solids.len() {
        for b in a + 1..solids.len() {
            let pair = [&solids[a], &solids[b]];
            if pair[0].body == pair[1].body || !bounds(pair[0]).meets(&bounds(pair[1])) {
                continue;
            }
            let near = prediction(pair, reach);
            let question = ask(pair, [a, b], near, bodies);
            compare(
                (&mut Narrow::default(), rules),
                pair,
                &question,
                0.0,
                &mut all,
            );
        }
    }
    all.iter().map(|c| Located::at(c, bodies)).collect()
}

/// Bodies in a heap, with velocities that make some of them fast for their size, on ground of each kind.
fn heap() -> impl Strategy<Value = (Model, Vec<BodyState>)> {
    let shapes = solid();
    let part = |scale: f64| proptest::array::uniform3(-scale..scale);
    let body = (shapes, part(1.0), part(3.0), part(4.0));
    let floor = prop_oneof![
        Just(Geometry::HalfSpace),
        Just(ground(|x, y| 0.3 * (x * y).sin())),
        Just(Geometry::Box {
            size: Vec3::new(2.0, 3.0, 1.0),
        }),
    ];
    (proptest::collection::vec(body, 2..9), floor).prop_map(|(bodies, floor)| {
        let shapes: Vec<_> = bodies.iter().map(|(shape, ..)| shape.clone()).collect();
        let states = bodies.iter().map(|(_, position, turn, velocity)| {
            let mut state = at(*position, *turn);
            state.velocity.linear = (*velocity).into();
            state
        });
        (scene(&shapes, &[floor]), states.collect())
    })
}

/// A motion by so much in all, and back in part.
fn moved(bodies: &[BodyState], by: f64, random: &mut Lcg) -> Vec<BodyState> {
    let step = |body: &BodyState, random: &mut Lcg| BodyState {
        position: body.position + random.vector() * by,
        orientation: Quat::from_scaled_axis(random.vector() * by) * body.orientation,
        ..*body
    };
    bodies.iter().map(|body| step(body, random)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_left_out_has_no_contacts_and_what_is_remembered_changes_none(
        (model, start) in heap(), reach in 1e-4..0.3f64, seed in 0..u64::MAX,
    ) {
        let mut random = Lcg(seed);
        let mut bodies = start.clone();
        let mut warm = Detector::new(&model);
        // Hardly at all, as from round to round; as in a step; from one place to another; and back.
        for by in [0.0, 1e-12, 1e-7, 1e-3, 1e-3, 0.03, 0.03, 1.0, 1e-4, 0.0] {
            bodies = if by == 0.0 { start.clone() } else { moved(&bodies, by, &mut random) };
            let reaches: Vec<f64> = bodies.iter().map(|_| reach * (1.5 + random.vector().x)).collect();
            let out = warm.detect(&model, &bodies, &reaches);
            let mut cold = Detector::new(&model);
            prop_assert_eq!(out, cold.detect(&model, &bodies, &reaches));
            prop_assert_eq!(out, exhaustive(&model, &bodies, &reaches));
        }
    }

    #[test]
    fn what_contacts_at_hand_tell_of_is_left_out_and_nothing_that_is_deeper(
        (model, start) in heap(), by in 1e-7..1e-2f64, seed in 0..u64::MAX,
    ) {
        let mut random = Lcg(seed);
        let reach: Vec<f64> = start.iter().map(|_| 0.05).collect();
        let still = vec![0.0; start.len()];
        let mut points = Detector::new(&model).detect(&model, &start, &reach).to_vec();
        // Some are in order, others were added.
        let ordered = points.len() - points.len() / 4;
        for k in (1..points.len()).rev() {
            points.swap(k, ((random.vector().x.abs() * 1e6) as usize) % (k + 1));
        }
        points[..ordered].sort_by_key(|c| c.key);
        let order: Vec<_> = points[..ordered].iter().enumerate().map(|(k, c)| (c.key, k)).collect();
        let known = AtHand { points: &points, order: &order };
        let bodies = moved(&start, by, &mut random);
        let mut detector = Detector::new(&model);
        let deeper = detector.detect_deeper(&model, &bodies, &still, known).to_vec();
        let all = Detector::new(&model).detect(&model, &bodies, &still).to_vec();
        prop_assert!(deeper.iter().all(|c| all.contains(c)));
        for contact in all.iter().filter(|c| !deeper.contains(c)) {
            let gap = contact.gap(&bodies).distance;
            let told = known.of_shapes(contact.key.shapes).map(|c| c.gap(&bodies).distance);
            let deepest = told.fold(f64::INFINITY, f64::min);
            prop_assert!(deepest < f64::INFINITY, "nothing is known of {contact:?}");
            // From the middle of the box there are two ways out, and a hair decides.
            if deepest < -0.5 {
                continue;
            }
            // Solids are no smaller than a tenth of a metre; features may be deeper by a fiftieth than solids.
            prop_assert!(gap >= (1.1 * deepest).min(-1e-7), "{gap} {deepest}");
        }
    }
}

/// A cube that is a tenth of a millimetre in the floor: it is left out where its corners are known, and found where they are not.
#[test]
fn what_is_as_deep_as_contacts_at_hand_say_is_not_found_again() {
    let cube = Geometry::Box {
        size: Vec3::repeat(0.2),
    };
    let model = scene(&[cube], &[Geometry::HalfSpace]);
    let bodies = [at([0.0, 0.0, 0.0999], [0.0; 3])];
    let mut detector = Detector::new(&model);
    let found = detector.detect(&model, &bodies, &[0.0]);
    let points = found.to_vec();
    assert_eq!(points.len(), 4);
    let order: Vec<_> = points.iter().map(|c| c.key).zip(0..).collect();
    for known in [4, 0] {
        let (points, order) = (&points[..known], &order[..known]);
        let at_hand = AtHand { points, order };
        let deeper = detector.detect_deeper(&model, &bodies, &[0.0], at_hand);
        assert_eq!(deeper.len(), 4 - known);
    }
}
