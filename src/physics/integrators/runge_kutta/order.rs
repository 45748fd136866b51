//! Order in which constraint rows are eliminated: joints from the leaves of the mechanism to its roots, which
//! keeps the envelope of a tree of any shape narrow, or as the model lists them, which suits a ladder of loops
//! better; then couplings.

use crate::model::{JointId, Model};

/// Place of every constraint row of the model among the rows of the system.
pub fn places(model: &Model) -> Vec<usize> {
    let mut places = vec![0; model.equations()];
    let orders = [leaf_to_root(model), (0..model.joints.len()).collect()];
    let joints = orders
        .into_iter()
        .min_by_key(|order| cost(model, order))
        .unwrap_or_default();
    let of_joints = joints.iter().flat_map(|&j| model.joint_rows(JointId(j)));
    let of_couplings = (0..model.couplings.len()).map(|c| model.coupling_row(c));
    for (place, row) in of_joints.chain(of_couplings).enumerate() {
        places[row] = place;
    }
    places
}

/// Operations of a factorisation in the given order of joints, up to a factor: squares of the envelope's widths.
fn cost(model: &Model, order: &[usize]) -> usize {
    let mut lowest = vec![usize::MAX; model.bodies.len()];
    let (mut place, mut sum) = (0, 0);
    for &k in order {
        let joint = &model.joints[k];
        let mut first = place;
        for body in joint.parent.into_iter().chain([joint.child]) {
            lowest[body.0] = lowest[body.0].min(place);
            first = first.min(lowest[body.0]);
        }
        let rows = joint.kind.constraints();
        sum += rows * (place + rows - first).pow(2);
        place += rows;
    }
    sum
}

/// Joints in an order in which those of a subtree come before the joint that carries it, and a joint that closes
/// a loop where the loop closes: a walk from the world outwards, reversed.
fn leaf_to_root(model: &Model) -> Vec<usize> {
    let bodies = model.bodies.len();
    let world = bodies;
    let mut touching = vec![Vec::new(); bodies + 1];
    for (k, joint) in model.joints.iter().enumerate() {
        touching[joint.parent.map_or(world, |p| p.0)].push(k);
        touching[joint.child.0].push(k);
    }
    let mut walk = Vec::with_capacity(model.joints.len());
    let mut seen = vec![false; bodies + 1];
    let mut walked = vec![false; model.joints.len()];
    // Mechanisms that do not hang on the world start at their first body.
    for start in std::iter::once(world).chain(0..bodies) {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut waiting = touching[start].clone();
        while let Some(k) = waiting.pop() {
            if walked[k] {
                continue;
            }
            walked[k] = true;
            walk.push(k);
            let joint = &model.joints[k];
            for body in joint.parent.into_iter().chain([joint.child]) {
                if !seen[body.0] {
                    seen[body.0] = true;
                    waiting.extend(touching[body.0].iter().filter(|j| !walked[**j]));
                }
            }
        }
    }
    walk.reverse();
    walk
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::specimen::Numbers;
    use crate::model::{BodyId, JointKind, ModelParts};

    /// A model of revolute joints between the given pairs of bodies.
    fn model(bodies: usize, joints: &[(Option<usize>, usize)]) -> Model {
        let mut numbers = Numbers(1);
        let parts = ModelParts {
            bodies: (0..bodies).map(|k| numbers.body(&k.to_string())).collect(),
            joints: joints
                .iter()
                .enumerate()
                .map(|(k, &(parent, child))| {
                    let parent = parent.map(BodyId);
                    numbers.joint(&k.to_string(), JointKind::Revolute, parent, BodyId(child))
                })
                .collect(),
            ..ModelParts::default()
        };
        Model::new(parts).expect("the specimen is a valid model")
    }

    #[test]
    fn every_subtree_comes_before_the_joint_that_carries_it() {
        // World - 0 - {1 - {3, 4}, 2 - 5}, written in no good order, and a loose pair 6 - 7.
        let m = model(
            8,
            &[
                (Some(2), 5),
                (None, 0),
                (Some(0), 2),
                (Some(1), 4),
                (Some(0), 1),
                (Some(1), 3),
                (Some(6), 7),
            ],
        );
        let order = leaf_to_root(&m);
        let place = |joint| {
            order
                .iter()
                .position(|&j| j == joint)
                .expect("all are there")
        };
        for (carried, carrier) in [(0, 2), (3, 4), (5, 4), (2, 1), (4, 1)] {
            assert!(place(carried) < place(carrier), "{order:?}");
        }
        // Subtrees do not mix.
        assert_eq!(place(0) + 1, place(2), "{order:?}");
        assert_eq!(order.len(), 7);
    }

    #[test]
    fn the_narrower_of_both_envelopes_is_taken() {
        // A star of four arms of two links, listed by rings: reversed depth first is narrower.
        let ring = (0..4).map(|k| (None, k));
        let star = model(
            8,
            &ring
                .chain((0..4).map(|k| (Some(k), k + 4)))
                .collect::<Vec<_>>(),
        );
        let listed: Vec<usize> = (0..8).collect();
        assert!(cost(&star, &leaf_to_root(&star)) < cost(&star, &listed));
        // A ladder of three cells, listed cell by cell, which depth first would walk there and back.
        let cells = (0..3).flat_map(|k: usize| {
            let below = |side| k.checked_sub(1).map(|j| 3 * j + side);
            [
                (below(0), 3 * k),
                (below(1), 3 * k + 1),
                (Some(3 * k), 3 * k + 2),
                (Some(3 * k + 1), 3 * k + 2),
            ]
        });
        let ladder = model(9, &cells.collect::<Vec<_>>());
        let listed: Vec<usize> = (0..12).collect();
        assert!(cost(&ladder, &listed) < cost(&ladder, &leaf_to_root(&ladder)));
        // Rows of five each: the places are those of the cheaper order.
        assert!(places(&ladder).into_iter().eq(0..60));
    }

    #[test]
    fn rows_are_permuted_and_a_closure_stands_beside_its_loop() {
        let m = model(
            4,
            &[(None, 3), (None, 0), (Some(0), 1), (Some(1), 2), (None, 2)],
        );
        let mut rows = places(&m);
        rows.sort_unstable();
        assert!(rows.iter().copied().eq(0..25));
        let order = leaf_to_root(&m);
        // Whichever joint of the loop closes it, its four joints follow each other in a row.
        let place = |joint| order.iter().position(|&j| j == joint);
        let mut of_loop = [1, 2, 3, 4].map(place);
        of_loop.sort_unstable();
        let first = usize::from(place(0) == Some(0));
        let wanted: [Option<usize>; 4] = std::array::from_fn(|k| Some(first + k));
        assert_eq!(of_loop, wanted, "{order:?}");
    }
}
