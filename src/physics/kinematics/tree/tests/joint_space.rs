//! A method in joint coordinates that is built on the tree converges to one in maximal coordinates.

use super::{bodies, coordinates, forest, moving, references, velocities};
use crate::forces::Wrench;
use crate::kinematics::tree::*;
use crate::model::Twist;

/// Semi-implicit Euler in joint space, `M(q) v̇ = Jᵀ (f - h - M J̇ v)` with `M = Jᵀ M J`: a method in forty lines.
fn joint_space_euler(model: &Model, tree: &Tree, q: &mut [f64], v: &mut [f64], dt: f64) {
    let (links, n) = (tree.links().len(), tree.freedoms());
    let mut motion = TreeMotion::new(tree);
    motion.place(tree, q);
    motion.drive(tree, v);
    let bodies = bodies(tree, &motion);
    let twists: Vec<Twist> = bodies.iter().map(|b| b.velocity).collect();
    let mut forces = vec![Wrench::default(); links];
    let angles = references(model, tree, q);
    let input = crate::model::Input::default();
    crate::forces::all_wrenches(model, &bodies, &twists, &angles, 0.0, &input, &mut forces);
    let mut matrix = nalgebra::DMatrix::zeros(n, n);
    let mut by_link = vec![Wrench::default(); links];
    let mut jacobian = vec![Twist::default(); n];
    for (i, link) in tree.links().iter().enumerate() {
        let body = &model.bodies[link.body];
        let turn = bodies[link.body].orientation.to_rotation_matrix();
        let inertia = turn * body.inertia * turn.inverse();
        let (bias, omega) = (motion.bias(i), &motion.twist(i).angular);
        by_link[i] = Wrench {
            force: forces[link.body].force - bias.linear * body.mass,
            torque: forces[link.body].torque
                - inertia * bias.angular
                - omega.cross(&(inertia * omega)),
        };
        motion.jacobian(tree, i, &mut jacobian);
        for (r, a) in jacobian.iter().enumerate() {
            for (c, b) in jacobian.iter().enumerate() {
                matrix[(r, c)] +=
                    body.mass * a.linear.dot(&b.linear) + a.angular.dot(&(inertia * b.angular));
            }
        }
    }
    let mut right = vec![0.0; n];
    motion.pull(tree, &by_link, &mut right);
    let solution = matrix
        .cholesky()
        .expect("masses are positive")
        .solve(&nalgebra::DVector::from_vec(right));
    for (v, a) in v.iter_mut().zip(solution.iter()) {
        *v += a * dt;
    }
    tree.retract(q, &v.iter().map(|v| v * dt).collect::<Vec<_>>());
}

#[test]
fn semi_implicit_euler_in_joint_space_converges_to_rk4_in_maximal_coordinates() {
    use crate::integrators::{self, Settings, StepReport};
    for seed in [0, 3] {
        let (model, tree, mut numbers) = forest(seed);
        let q = coordinates(&tree, &mut numbers);
        let v = velocities(&tree, &mut numbers);
        let start = bodies(&tree, &moving(&tree, &q, &v));
        let settings = Settings {
            dt: 1.0 / 1024.0,
            ..Settings::default()
        };
        let mut state = crate::model::specimen::state(&model, &start);
        state.angles = references(&model, &tree, &q);
        let mut rk4 = integrators::build("rk4", &model, &settings).expect("registered");
        let mut report = StepReport::default();
        for _ in 0..128 {
            let input = crate::model::Input::default();
            rk4.step(&model, &mut state, &input, &settings, &mut report)
                .expect("a step");
        }
        let error = |steps: usize| {
            let (mut q, mut v) = (q.clone(), v.clone());
            let dt = 128.0 / 1024.0 / steps as f64;
            for _ in 0..steps {
                joint_space_euler(&model, &tree, &mut q, &mut v, dt);
            }
            let mut motion = TreeMotion::new(&tree);
            motion.place(&tree, &q);
            let found = bodies(&tree, &motion);
            let apart = found.iter().zip(&state.bodies).map(|(a, b)| {
                (a.position - b.position).norm() + a.orientation.angle_to(&b.orientation)
            });
            apart.fold(0.0, f64::max)
        };
        let (coarse, fine) = (error(256), error(512));
        let order = (coarse / fine).log2();
        assert!(
            (0.9..1.1).contains(&order),
            "seed {seed} order {order}: {coarse} {fine}"
        );
    }
}
