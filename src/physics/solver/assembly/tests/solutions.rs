//! Solutions of the linear system: against dense ones, with redundant rows, and what they cost.

use super::mechanisms::{mechanism, twists};
use crate::kinematics::{Tree, TreeMotion};
use crate::math::Vec3;
use crate::model::specimen::{Numbers, at_rest};
use crate::model::{BodyId, JointKind, ModelParts};
use crate::solver::assembly::*;
use nalgebra::DVector;

#[test]
fn solutions_are_those_of_the_dense_matrix() {
    for seed in 0..12 {
        let (model, state) = mechanism(seed, 12, 0);
        let mut numbers = Numbers(seed);
        let twists = twists(&state);
        let input = Input::default();
        let multipliers = vec![0.5; model.equations()];
        let trial = Trial {
            moment: Moment {
                bodies: &state.bodies,
                twists: &twists,
                angles: &state.angles,
                time: 0.0,
                input: &input,
            },
            accelerations: &twists,
            multipliers: &multipliers,
        };
        let h: f64 = 0.01;
        let weights = Weights {
            position: 0.25 * h * h,
            velocity: 0.5 * h,
            acceleration: 1.0,
            rows: 4.0 / (h * h),
        };
        let mut system = LinearSystem::new(&model, Pattern::Full);
        EquationsOfMotion::new(&model)
            .balance(&model, &trial)
            .linearise(&Increments::World, &weights, Level::Position, &mut system);
        let matrix = system.matrix();
        let wrenches: Vec<Wrench> = (0..12)
            .map(|_| Wrench {
                force: numbers.vector(),
                torque: numbers.vector(),
            })
            .collect();
        let rows: Vec<f64> = (0..model.equations())
            .map(|_| numbers.unit() * h * h)
            .collect();
        system.solve(&wrenches, &rows);
        let mut b = DVector::zeros(matrix.nrows());
        let mut x = b.clone();
        for (k, wrench) in wrenches.iter().enumerate() {
            let (first, motion) = (system.place_of_body(k), &system.motions()[k]);
            for i in 0..3 {
                b[first + i] = wrench.force[i];
                b[first + 3 + i] = wrench.torque[i];
                x[first + i] = motion.linear[i];
                x[first + 3 + i] = motion.angular[i];
            }
        }
        for (row, value) in rows.iter().enumerate() {
            b[system.place_of_row(row)] = value * weights.rows;
            x[system.place_of_row(row)] = system.multipliers()[row];
        }
        let dense = matrix.lu().solve(&b).expect("a tree has no redundant rows");
        // The condition of a chain of joints with frames anywhere is below 1e5.
        assert!((&dense - &x).amax() < 1e-11 * dense.amax(), "seed {seed}");
    }
}

#[test]
fn the_cost_of_a_tree_is_linear_and_nothing_is_filled_in() {
    for pattern in [Pattern::Masses, Pattern::Full] {
        let cost = [10, 100].map(|links| {
            let scene = crate::scene::open(format!("chain:links={links},joint=universal"), &[]);
            let model = scene.expect("a shipped generator").model;
            LinearSystem::new(&model, pattern).cost()
        });
        assert_eq!((cost[0].1, cost[1].1), (0, 0), "{pattern:?}");
        // Blocks: a link to its joint, a joint to the link's parent, and in full a link to its parent; the first
        // link has no parent.
        let blocks = if pattern == Pattern::Full { 3 } else { 2 };
        assert_eq!(
            cost.map(|c| c.0),
            [10, 100].map(|n| blocks * n - (blocks - 1)),
            "{pattern:?}"
        );
        // The first joint passes nothing on, which weighs more in the shorter chain.
        let ratio = cost[1].2 as f64 / cost[0].2 as f64;
        assert!((10.0..11.0).contains(&ratio), "{pattern:?}: {ratio}");
    }
}

#[test]
fn hinges_on_one_axis_accelerate_as_one_hinge_at_every_scale() {
    for size in [1e-3, 1.0, 1e3] {
        let mut numbers = Numbers(11);
        let mut parts = numbers.pair(JointKind::Revolute).0;
        parts.gravity = Vec3::new(1.0, 2.0, -9.0);
        let root = numbers.joint("root", JointKind::Spherical, None, BodyId(0));
        parts.joints.push(root);
        for body in &mut parts.bodies {
            body.mass *= size * size * size;
            body.inertia *= size.powi(5);
        }
        for joint in &mut parts.joints {
            joint.parent_frame.anchor *= size;
            joint.child_frame.anchor *= size;
        }
        let accelerations = |parts: ModelParts, hinges: usize| {
            let mut parts = parts;
            for k in 0..hinges {
                let mut hinge = parts.joints[0].clone();
                hinge.name = format!("hinge {k}");
                let along = Vec3::z() * (size * (1.0 + k as f64));
                for frame in [&mut hinge.parent_frame, &mut hinge.child_frame] {
                    frame.anchor += frame.orientation * along;
                }
                parts.joints.push(hinge);
            }
            let model = Model::new(parts).expect("a valid model");
            let tree = Tree::new(&model);
            let mut q = vec![0.0; tree.coordinates()];
            tree.neutral(&mut q);
            let delta: Vec<f64> = (0..tree.freedoms()).map(|k| 0.3 + 0.2 * k as f64).collect();
            tree.retract(&mut q, &delta);
            let mut motion = TreeMotion::new(&tree);
            motion.place(&tree, &q);
            motion.drive(&tree, &delta);
            let mut bodies = vec![at_rest(); 2];
            motion.write(&tree, &mut bodies);
            let twists: Vec<Twist> = bodies.iter().map(|b| b.velocity).collect();
            let input = Input::default();
            let angles = vec![[0.0; 2]; model.joints.len()];
            let at = Moment {
                bodies: &bodies,
                twists: &twists,
                angles: &angles,
                time: 0.0,
                input: &input,
            };
            let mut system = LinearSystem::new(&model, Pattern::Masses);
            EquationsOfMotion::new(&model).accelerations(&model, &at, 0.0, &mut system);
            system.motions().to_vec()
        };
        let one = accelerations(parts.clone(), 0);
        for hinges in 1..=3 {
            let several = accelerations(parts.clone(), hinges);
            let scale = one
                .iter()
                .map(|a| a.linear.amax() + size * a.angular.amax());
            let scale = scale.fold(0.0, f64::max);
            for (a, b) in one.iter().zip(&several) {
                let error = (a.linear - b.linear).amax() + size * (a.angular - b.angular).amax();
                // Rounding of rows that are wholly redundant, over their regularisation of 1e-8, refined.
                assert!(
                    error < 1e-11 * scale,
                    "size {size}, {hinges}: {error} of {scale}"
                );
            }
        }
    }
}
