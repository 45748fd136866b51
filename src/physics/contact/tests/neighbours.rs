//! Which bodies may meet, whether they have contacts yet or not.

use super::random::{distance, pose, solid};
use super::*;
use crate::model::BodyId;
use proptest::prelude::*;
use std::f64::consts::FRAC_1_SQRT_2;

/// Whether two bodies are told to be neighbours that move by `reach` (m) each.
fn are_neighbours(
    detector: &mut Detector,
    model: &Model,
    bodies: &[BodyState],
    reach: f64,
) -> bool {
    let mut told = Vec::new();
    let reach = vec![reach; bodies.len()];
    detector.neighbours(model, bodies, &reach, |a, b| told.push([a, b]));
    assert!(told.len() <= 1 && told.iter().all(|pair| *pair == [BodyId(0), BodyId(1)]));
    !told.is_empty()
}

/// A corner of a cube that is over no face of an octahedron but beside its corner makes no contact: no plane of either keeps them
/// apart. That they come to lie in each other by a turn is known all the same.
#[test]
fn a_corner_past_a_corner_is_near_without_a_contact() {
    let model = scene(&[cube(1.0), octahedron()], &[]);
    // The cube stands on a corner, and the octahedron below on its own.
    let tip = (FRAC_1_SQRT_2).atan();
    let turned = Quat::from_axis_angle(&Vec3::y_axis(), tip)
        * Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_4);
    let mut bodies = [at([0.0; 3], [0.0; 3]), at([0.0; 3], [0.0; 3])];
    bodies[0].orientation = turned;
    bodies[0].position.z = 0.5 + 0.5 * 3.0f64.sqrt() + 0.02;
    assert!((distance(&model, &bodies) - 0.02).abs() < 1e-9);
    assert!(found(&model, &bodies, 0.05).is_empty());
    let mut detector = Detector::new(&model);
    assert!(are_neighbours(&mut detector, &model, &bodies, 0.05));
    assert!(!are_neighbours(&mut detector, &model, &bodies, 0.005));
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(1000) })]

    /// Bodies that are nearer than they move are neighbours, those that are farther are not, but for the sixteenth by which
    /// distances are rounded up; and what was found elsewhere before changes nothing.
    #[test]
    fn neighbours_are_those_that_may_meet(
        a in solid(),
        b in solid(),
        x in pose(),
        y in pose(),
        before in pose(),
        reach in 0.01..0.5f64,
    ) {
        let model = scene(&[a, b], &[]);
        let bodies = [x, y];
        let apart = distance(&model, &bodies);
        let told = are_neighbours(&mut Detector::new(&model), &model, &bodies, reach);
        if apart < 2.0 * reach {
            prop_assert!(told, "{apart} of {reach}");
        } else if apart > 2.15 * reach + 1e-3 {
            prop_assert!(!told, "{apart} of {reach}");
        }
        let mut detector = Detector::new(&model);
        are_neighbours(&mut detector, &model, &[before, y], reach);
        are_neighbours(&mut detector, &model, &[x, before], 0.3 * reach);
        prop_assert_eq!(are_neighbours(&mut detector, &model, &bodies, reach), told);
    }
}
