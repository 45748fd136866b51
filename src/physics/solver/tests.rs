//! Random mechanisms, trees and loops of all kinds of joints: the Newton matrix against differences, the three
//! linear solvers against each other, and the laws that a step must keep.

use super::{Interval, LinearSolver, MechanismSolver};
use crate::diagnostics;
use crate::forces::StiffSprings;
use crate::integrators::Settings;
use crate::math::Vec3;
use crate::model::*;
use crate::sim::Simulation;
use crate::solver::StepContext;
use mechanisms::{Recipe, mechanism, recipe};
use proptest::prelude::*;

pub(super) mod mechanisms;

mod shared_axes;

/// A solver at a guess that is neither balanced nor closed, with its interval.
fn guessed(model: &Model, state: &State, solver: LinearSolver) -> (MechanismSolver, Interval) {
    let dt = 0.01;
    let interval = Interval {
        dt,
        time: 0.0,
        share: 0.5,
        blend: 0.5,
    };
    // In steps as long as that every spring is stiff.
    let stiff = StiffSprings::of(model, 1e9);
    let mut solver = MechanismSolver::with_springs(model, solver, &stiff);
    solver.begin(model, state, dt, None);
    let _ = solver.predict(state, dt, [1.0, 0.0, 0.0]);
    // Off by a third, so that nothing is balanced or closed.
    for link in &mut solver.links.links {
        for k in 0..3 {
            link.velocity.0[k] *= 1.3;
            link.half_angle_sine.0[k] *= 1.3;
        }
    }
    (solver, interval)
}

/// Right-hand side of the system in full after moving one unknown motion by `h`.
fn context<'a>(model: &'a Model, state: &'a State, interval: &'a Interval) -> StepContext<'a> {
    StepContext {
        model,
        state,
        contacts: &[],
        interval,
    }
}

fn right_hand_side(
    model: &Model,
    state: &State,
    link: usize,
    direction: usize,
    h: f64,
) -> Vec<f64> {
    let (mut solver, interval) = guessed(model, state, LinearSolver::BlockLdu);
    let moved = &mut solver.links.links[link];
    let u = moved.half_angle_sine.to3();
    if direction < 3 {
        moved.velocity.0[direction] += h / interval.dt;
    } else {
        let theta = Vec3::ith(direction - 3, h);
        let s = (1.0 - u.norm_squared()).sqrt();
        moved.half_angle_sine =
            crate::math::lanes::V4::from3(&(u + (theta * s - u.cross(&theta)) * 0.5));
    }
    let moved = solver.advance(interval.dt);
    let _ = solver.imbalance(&context(model, state, &interval), &moved, None);
    solver.assemble(model, state, &interval);
    solver
        .blocks
        .as_ref()
        .map(|(b, _)| b.x.clone())
        .unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_newton_matrix_is_the_derivative_of_the_residual(recipe in recipe()) {
        // Rates of drives, and the angles that couplings hold, have exact derivatives only where joints are closed.
        let recipe = Recipe { damped: false, coupled: false, ..recipe };
        let (model, state) = mechanism(&recipe);
        let (mut solver, interval) = guessed(&model, &state, LinearSolver::BlockLdu);
        let moved = solver.advance(interval.dt);
        let _ = solver.imbalance(&context(&model, &state, &interval), &moved, None);
        solver.assemble(&model, &state, &interval);
        let matrix = solver.blocks.as_ref().map(|(b, _)| b.matrix.to_dense()).expect("blocks were asked for");
        let scale = matrix.amax();
        let h = 1e-5;
        for link in 0..model.bodies.len() {
            for direction in 0..6 {
                let plus = right_hand_side(&model, &state, link, direction, h);
                let minus = right_hand_side(&model, &state, link, direction, -h);
                for row in 0..plus.len() {
                    let slope = -(plus[row] - minus[row]) / (2.0 * h);
                    let entry = matrix[(row, 6 * link + direction)];
                    // Central differences: h² of third derivatives plus rounding over h, relative to m/dt.
                    prop_assert!((slope - entry).abs() < 1e-7 * scale, "row {row}: {slope} {entry}");
                }
            }
        }
    }

    #[test]
    fn three_solvers_find_the_same_motion(recipe in recipe()) {
        let (model, state) = mechanism(&recipe);
        let motions = [LinearSolver::Articulated, LinearSolver::BlockLdu, LinearSolver::Dense].map(|kind| {
            let (mut solver, interval) = guessed(&model, &state, kind);
            let moved = solver.advance(interval.dt);
            let _ = solver.imbalance(&context(&model, &state, &interval), &moved, None);
            let _ = solver.newton_step(&model, &state, &interval);
            (0..model.bodies.len()).map(|b| solver.velocity(b, interval.dt)).collect::<Vec<_>>()
        });
        for other in &motions[1..] {
            for (a, b) in motions[0].iter().zip(other) {
                let off = (a.linear - b.linear).norm() + (a.angular - b.angular).norm();
                // One Newton step of a unit motion. Rigid loop constraints are regularised by 1e-8 of the mobility of
                // free bodies, which counts where that of the mechanism is small; a wrong entry is off by the motion
                // itself. Trees are not regularised and agree to rounding.
                let bound = if recipe.loops > 0 || recipe.coupled { 1e-2 } else { 1e-8 };
                prop_assert!(off < bound, "{off:e}");
            }
        }
    }

    /// Contacts are looked for where bodies will be: a search for the next interval is of use only if all is the same to the bit.
    #[test]
    fn bodies_arrive_as_they_are_left(recipe in recipe()) {
        let (model, mut state) = mechanism(&recipe);
        let (mut solver, interval) = guessed(&model, &state, LinearSolver::BlockLdu);
        let moved = solver.advance(interval.dt);
        let _ = solver.imbalance(&context(&model, &state, &interval), &moved, None);
        solver.arrive(&model, &state, interval.dt);
        solver.finish(&model, &mut state, &interval);
        prop_assert_eq!(solver.at_second(), state.bodies.as_slice());
    }

    #[test]
    fn momentum_of_what_floats_is_kept(recipe in recipe()) {
        let recipe = Recipe { grounded: false, ..recipe };
        let (mut model, state) = mechanism(&recipe);
        model.gravity = Vec3::zeros();
        let mut sim = Simulation::new(model, state, "variational-2", Settings::default()).expect("it runs");
        let momentum = |sim: &Simulation| {
            let bodies = &sim.state().bodies;
            let linear: Vec3 = bodies.iter().map(|b| b.momentum).sum();
            let angular: Vec3 = bodies.iter().map(|b| b.angular_momentum + b.position.cross(&b.momentum)).sum();
            (linear, angular)
        };
        let before = momentum(&sim);
        let (mut steps, mut handled) = (0, 1.0);
        while steps < 50 && sim.step(&Input::default()).is_ok() {
            steps += 1;
            let of_bodies: f64 = sim.state().bodies.iter().map(|b| b.momentum.norm()).sum();
            handled = f64::max(handled, of_bodies);
        }
        let after = momentum(&sim);
        // Newton leaves at most 1e-10 of the impulses handled [kg m/s], of which joints and springs make twice those of
        // the bodies, in each of 50 steps.
        prop_assert!((after.0 - before.0).norm() < 1e-8 * handled, "{:e}", (after.0 - before.0).norm());
        prop_assert!((after.1 - before.1).norm() < 1e-7 * handled, "{:e}", (after.1 - before.1).norm());
        let drift = diagnostics::worst_drift(sim.model(), sim.state());
        prop_assert!(drift.position.0 < 2e-9 && drift.angle.0 < 2e-9);
    }
}
