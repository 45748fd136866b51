//! Accelerations of every joint against the equations of motion in maximal coordinates.

use super::*;
use crate::math::Vec3;
use crate::model::specimen::Numbers;
use crate::model::{Joint, JointKind};
use crate::solver::assembly::{EquationsOfMotion, LinearSystem, Moment, Pattern};

/// A forest of every kind of joint with damping everywhere, and coordinates and velocities of order 1.
fn forest(seed: u64) -> (Model, Vec<f64>, Vec<f64>) {
    let mut numbers = Numbers(seed);
    let mut parts = numbers.forest(&JointKind::ALL);
    let damped =
        |joint: &mut Joint| (joint.damping_translation, joint.damping_rotation) = (0.3, 0.2);
    parts.joints.iter_mut().for_each(damped);
    let model = Model::new(parts).expect("the specimen is a valid model");
    let tree = Tree::new(&model);
    let mut q = vec![0.0; tree.coordinates()];
    tree.neutral(&mut q);
    let delta: Vec<f64> = (0..tree.freedoms()).map(|_| numbers.unit()).collect();
    tree.retract(&mut q, &delta);
    let v = (0..tree.freedoms()).map(|_| numbers.unit()).collect();
    (model, q, v)
}

#[test]
fn accelerations_and_reactions_are_those_of_the_constrained_equations_of_motion() {
    for seed in 0..10 {
        let (model, q, v) = forest(seed);
        let mut method = JointSpace::new(&JOINT_SPACE_EULER, &EULER, &model);
        method.q[1].copy_from_slice(&q);
        method.v[1].copy_from_slice(&v);
        let mut state = State::at_rest(&model);
        method.bodies.clone_from(&state.bodies);
        let input = Input::default();
        method.accelerate(&model, &state, &input, 0.0, 1.0);
        state.bodies.clone_from(&method.bodies);
        method.tree.write_angles(&q, &mut state.angles);
        // The damping of free rotations does not depend on the branch of an angle, so that the branches do not matter.
        let twists: Vec<Twist> = state.bodies.iter().map(|b| b.velocity).collect();
        let moment = Moment {
            bodies: &state.bodies,
            twists: &twists,
            angles: &state.angles,
            time: 0.0,
            input: &input,
        };
        let mut equations = EquationsOfMotion::new(&model);
        let mut system = LinearSystem::new(&model, Pattern::Full);
        equations.accelerations(&model, &moment, 0.0, &mut system);
        for (i, link) in method.tree.links().iter().enumerate() {
            let (bias, found) = (method.motion.bias(i), &method.articulated.motions()[i]);
            let wanted = &system.motions()[link.body];
            let linear: Vec3 = bias.linear + found.linear - wanted.linear;
            let angular = bias.angular + found.angular - wanted.angular;
            // Accelerations of some hundred m/s² and rad/s², by two solvers of condition 1e3.
            assert!(
                linear.amax().max(angular.amax()) < 1e-9,
                "seed {seed}: {linear} {angular}"
            );
        }
    }
}
