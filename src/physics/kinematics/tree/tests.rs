//! Coordinates, velocities and Jacobians of random forests of all kinds of joints, forwards and backwards.
//!
//! Rounding: poses are products of some ten rotations and arms of order 10, so identities hold to 1e-12. Central
//! differences with a step of 1e-5: truncation 1e-10 times third derivatives of order 100, rounding 1e-15/1e-5.

use super::*;
use crate::joints::{self, Placement};
use crate::math::{Quat, rotation};
use crate::model::specimen::{Numbers, at_rest};
use crate::model::{BodyId, BodyState, ModelParts, Twist};

mod derivatives;
mod joint_space;

const ROUNDING: f64 = 1e-12;

const H: f64 = 1e-5;

const DIFFERENCES: f64 = 1e-7;

/// A forest in which every kind of joint stands twice, in an order that the seed shuffles.
fn forest(seed: u64) -> (Model, Tree, Numbers) {
    let mut numbers = Numbers(seed);
    let mut kinds: Vec<JointKind> = JointKind::ALL.into_iter().chain(JointKind::ALL).collect();
    for k in (1..kinds.len()).rev() {
        kinds.swap(k, numbers.below(k + 1));
    }
    let model = Model::new(numbers.forest(&kinds)).expect("the specimen is a valid model");
    let tree = Tree::new(&model);
    (model, tree, numbers)
}

/// Any coordinates: angles of several turns, rotations of any angle.
fn coordinates(tree: &Tree, numbers: &mut Numbers) -> Vec<f64> {
    let mut q = vec![0.0; tree.coordinates()];
    tree.neutral(&mut q);
    let delta: Vec<f64> = (0..tree.freedoms()).map(|_| 3.0 * numbers.unit()).collect();
    tree.retract(&mut q, &delta);
    q
}

fn velocities(tree: &Tree, numbers: &mut Numbers) -> Vec<f64> {
    (0..tree.freedoms()).map(|_| numbers.unit()).collect()
}

fn moving(tree: &Tree, q: &[f64], v: &[f64]) -> TreeMotion {
    let mut motion = TreeMotion::new(tree);
    motion.place(tree, q);
    motion.drive(tree, v);
    motion
}

fn bodies(tree: &Tree, motion: &TreeMotion) -> Vec<BodyState> {
    let mut bodies = vec![at_rest(); tree.links().len()];
    motion.write(tree, &mut bodies);
    bodies
}

/// `q ⊕ s·v`.
fn along(tree: &Tree, q: &[f64], v: &[f64], s: f64) -> Vec<f64> {
    let mut moved = q.to_vec();
    tree.retract(&mut moved, &v.iter().map(|v| v * s).collect::<Vec<_>>());
    moved
}

fn apart(a: &Twist, b: &Twist) -> f64 {
    (a.linear - b.linear)
        .amax()
        .max((a.angular - b.angular).amax())
}

/// Twist from one pose to another in a time.
fn between(from: &BodyState, to: &BodyState, time: f64) -> Twist {
    Twist {
        linear: (to.position - from.position) / time,
        angular: rotation::log(&(to.orientation * from.orientation.inverse())) / time,
    }
}

/// Angles to unwrap from: those of `q` itself, as a state that has kept up with them holds.
fn references(model: &Model, tree: &Tree, q: &[f64]) -> Vec<[f64; 2]> {
    let mut angles = vec![[0.0; 2]; model.joints.len()];
    for link in tree.links() {
        let rotations = link.kind.free_rotations();
        if let (Some(joint), 1 | 2) = (link.joint, rotations) {
            let first = link.coordinates().start + link.kind.free_translations();
            angles[joint.joint][..rotations].copy_from_slice(&q[first..first + rotations]);
        }
    }
    angles
}

#[test]
fn coordinates_close_all_joints_and_are_read_back_from_the_poses() {
    for seed in 0..20 {
        let (model, tree, mut numbers) = forest(seed);
        assert!(tree.cut().is_empty());
        assert!(tree.links().iter().any(TreeLink::reversed));
        let q = coordinates(&tree, &mut numbers);
        let v = velocities(&tree, &mut numbers);
        let bodies = bodies(&tree, &moving(&tree, &q, &v));
        for joint in &model.joints {
            let mut g = [0.0; 6];
            joints::constraint(joint.kind, &Placement::of(joint, &bodies), &mut g);
            assert!(g.iter().all(|g| g.abs() < ROUNDING), "seed {seed}: {g:?}");
        }
        let mut read = vec![0.0; q.len()];
        tree.neutral(&mut read);
        tree.read(&bodies, &references(&model, &tree, &q), &mut read);
        let mut error = vec![0.0; v.len()];
        tree.difference(&q, &read, &mut error);
        assert!(error.iter().all(|e| e.abs() < ROUNDING), "seed {seed}");
        // Quaternions keep the side on which they were.
        let mut kept = q.clone();
        tree.read(&bodies, &references(&model, &tree, &q), &mut kept);
        let jump = q.iter().zip(&kept).map(|(a, b)| (a - b).abs());
        assert!(jump.fold(0.0, f64::max) < ROUNDING, "seed {seed}");

        let twists: Vec<Twist> = bodies.iter().map(|b| b.velocity).collect();
        tree.read_velocities(&bodies, &twists, &mut error);
        for (a, b) in v.iter().zip(&error) {
            assert!((a - b).abs() < ROUNDING, "seed {seed}: {a} {b}");
        }
    }
}

#[test]
fn every_body_has_the_link_that_is_its_own() {
    let (model, tree, _) = forest(3);
    for body in 0..model.bodies.len() {
        assert_eq!(tree.links()[tree.link_of(body)].body, body);
    }
}

/// Both quaternions of a rotation are the same pose: which of them a body holds says nothing of the side on which the
/// coordinates were. Turned by 2.3 rad about any axis or its opposite, where the largest part of the quaternion is not
/// the first.
#[test]
fn a_rotation_is_read_on_the_side_on_which_it_was() {
    for kind in [JointKind::Spherical, JointKind::Floating] {
        let parts: ModelParts = Numbers(7).pair(kind).0;
        let tree = Tree::new(&Model::new(parts).expect("the specimen is a valid model"));
        let link = &tree.links()[1];
        let first = link.coordinates().end - 4;
        for (axis, sign) in (0..6).map(|k| (k % 3, if k < 3 { 1.0 } else { -1.0 })) {
            let mut q = vec![0.0; tree.coordinates()];
            tree.neutral(&mut q);
            let turn = Quat::from_scaled_axis(crate::math::Vec3::ith(axis, 2.3 * sign));
            for side in [1.0, -1.0] {
                let [x, y, z, w] = (turn.coords * side).into();
                q[first..first + 4].copy_from_slice(&[w, x, y, z]);
                let mut bodies = bodies(&tree, &moving(&tree, &q, &vec![0.0; tree.freedoms()]));
                for other in [false, true] {
                    if other {
                        let body = &mut bodies[link.body];
                        body.orientation = Quat::new_unchecked(-body.orientation.into_inner());
                    }
                    let mut read = q.clone();
                    tree.read(&bodies, &[[0.0; 2]], &mut read);
                    let jump = q.iter().zip(&read).map(|(a, b)| (a - b).abs());
                    assert!(
                        jump.fold(0.0, f64::max) < ROUNDING,
                        "{kind:?} {q:?} {read:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_axes_of_a_universal_joint_stay_perpendicular_at_every_angle() {
    let mut numbers = Numbers(1);
    let parts = numbers.pair(JointKind::Universal).0;
    let tree = Tree::new(&Model::new(parts).expect("the specimen is a valid model"));
    let axes = tree.links()[1].velocities();
    for k in 0..=24 {
        // A right angle and a straight one among them, about which Cardan angles of a body are singular.
        let angle = std::f64::consts::PI / 12.0 * f64::from(k);
        let mut q = vec![0.0; tree.coordinates()];
        tree.neutral(&mut q);
        q[tree.links()[1].coordinates()].copy_from_slice(&[0.4, angle]);
        let motion = moving(&tree, &q, &vec![0.0; tree.freedoms()]);
        let [a, b] = [axes.start, axes.start + 1].map(|k| motion.columns()[k].angular);
        assert!(a.dot(&b).abs() < ROUNDING, "{angle}");
        assert!((a.cross(&b).norm() - 1.0).abs() < ROUNDING, "{angle}");
    }
}

#[test]
fn joints_that_close_loops_are_cut_and_listed() {
    let mut numbers = Numbers(4);
    let mut parts = numbers.forest(&[JointKind::Revolute; 6]);
    let ends = |a, b| [Some(BodyId(a)), Some(BodyId(b))];
    let bodies = vec![at_rest(); 6];
    let tree_joints = parts.joints.len();
    for (k, ends) in [ends(0, 5), ends(2, 4), [None, Some(BodyId(3))]]
        .into_iter()
        .enumerate()
    {
        let name = format!("closing {k}");
        let joint = numbers.closing(&name, JointKind::Spherical, ends, &bodies);
        parts.joints.push(joint.expect("two different bodies"));
    }
    let model = Model::new(parts).expect("the specimen is a valid model");
    let tree = Tree::new(&model);
    // Every joint is either in the tree, once, or cut.
    let mut found: Vec<usize> = tree
        .links()
        .iter()
        .filter_map(|l| Some(l.joint?.joint))
        .collect();
    found.extend(tree.cut().iter().map(|j| j.0));
    found.sort_unstable();
    assert_eq!(found, (0..tree_joints + 3).collect::<Vec<_>>());
    let roots = tree.links().iter().filter(|l| l.joint.is_none()).count();
    assert_eq!(tree.cut().len(), found.len() + roots - 6);
    assert!(!tree.cut().is_empty());
}

#[test]
fn balls_and_floating_joints_count_turns() {
    for kind in [
        JointKind::Spherical,
        JointKind::Floating,
        JointKind::PointOnPlane,
    ] {
        let parts: ModelParts = Numbers(2).pair(kind).0;
        let tree = Tree::new(&Model::new(parts).expect("the specimen is a valid model"));
        let n = kind.free_translations();
        let mut q = vec![0.0; tree.coordinates()];
        tree.neutral(&mut q);
        let mut step = vec![0.0; tree.freedoms()];
        let first = tree.links()[1].velocities().start + n;
        step[first..first + 3].copy_from_slice(&[0.1, -0.2, 0.3]);
        let mut read = [0.0; 6];
        for k in 1..=200 {
            tree.retract(&mut q, &step);
            read = tree.joint_coordinates(1, &q, &read);
            for (axis, wanted) in [0.1, -0.2, 0.3].into_iter().enumerate() {
                let wanted = wanted * f64::from(k);
                // Rounding of 200 products of rotations, times 75 rad.
                assert!(
                    (read[n + axis] - wanted).abs() < 1e-11,
                    "{kind:?} step {k}: {read:?}"
                );
            }
        }
    }
}

#[test]
fn the_size_of_everything_kept_grows_linearly_with_the_links() {
    // What the recursions touch is one entry per link and one column per freedom, whatever the depth.
    let sizes = [50, 500].map(|count| {
        let kinds: Vec<JointKind> = JointKind::ALL
            .into_iter()
            .cycle()
            .take(12 * count)
            .collect();
        let tree = Tree::new(&Model::new(Numbers(8).forest(&kinds)).expect("a valid model"));
        let motion = TreeMotion::new(&tree);
        (
            motion.columns().len() + motion.column_rates().len(),
            tree.links().len(),
        )
    });
    let per_link = sizes.map(|(columns, links)| columns as f64 / links as f64);
    // Free roots, of which there are few, have six more.
    assert!((per_link[0] - per_link[1]).abs() < 0.1, "{per_link:?}");
}
