//! Rows and systems against differences and the dense system.

use super::mechanism::mechanisms;
use super::rows::Laws;
use super::{Asked, CompliantSolver};
use crate::forces::StiffSprings;
use crate::model::{Compliance, Input, Model, State, Twist};
use crate::scene;

fn asked(input: &Input, h: f64) -> Asked<'_> {
    Asked {
        h,
        dt: h,
        input,
        accuracy: 1e-9,
        budget: 1e6,
        corrections: 0,
    }
}

/// Loops, drives, springs and couplings, all with springs of their own.
fn specimens() -> Vec<(Model, State)> {
    let names = [
        "four_bar",
        "stewart_platform",
        "scissor_lift",
        "flyball_governor",
        "arm",
    ];
    let one = |name: &str| {
        let scene = scene::open(name, &[]).unwrap_or_else(|e| panic!("{e}"));
        let mut parts = scene.model.parts();
        for joint in &mut parts.joints {
            joint.compliance = [Compliance {
                stiffness: 1e5,
                damping: 20.0,
            }; 2];
        }
        (Model::new(parts).expect("it is valid"), scene.state)
    };
    names.into_iter().map(one).collect()
}

/// `M (v₁ - v₀) = h f + Gᵀ p` and the laws of all rows, by the numbers that the solution leaves.
#[test]
fn what_is_found_satisfies_the_laws_and_the_balance() {
    for (model, state) in specimens() {
        let input = Input::default();
        let h = 0.004;
        let mut solver = CompliantSolver::new(&model);
        solver.solve(&model, &state, &asked(&input, h));
        for (k, row) in solver.rows.rows.iter().enumerate() {
            let of = solver.rows.entries.iter().filter(|e| e.row == k);
            let rate: f64 = of
                .map(|e| {
                    let body = &solver.bodies[e.body];
                    super::dot(&e.value, &body.velocity) + super::dot(&e.value, &body.change)
                })
                .sum();
            if row.compliance.is_finite() {
                let left = rate + row.compliance * row.impulse - row.wanted;
                assert!(
                    left.abs() < 1e-9 * (1.0 + rate.abs() + row.wanted.abs()),
                    "{left:e}"
                );
            } else {
                assert!((row.impulse - row.wanted).abs() < 1e-12 * (1.0 + row.wanted.abs()));
            }
        }
        for (b, body) in solver.bodies.iter().enumerate() {
            let mut left = super::times(&body.matrix, &body.change);
            let mut size = 1e-6;
            for k in 0..6 {
                left[k] -= body.impulse[k];
                size += body.impulse[k].abs();
            }
            for e in solver.rows.entries.iter().filter(|e| e.body == b) {
                let p = solver.rows.rows[e.row].impulse;
                for k in 0..6 {
                    left[k] -= e.value[k] * p;
                    size += (e.value[k] * p).abs();
                }
            }
            assert!(
                left.iter().all(|x| x.abs() < 1e-10 * size),
                "{left:?} {size}"
            );
        }
    }
}

/// Gradients of what is held are derivatives of how far it is open: central differences of a motion of 1e-6 m and rad.
#[test]
fn gradients_are_derivatives_of_the_values() {
    for (model, state) in specimens() {
        let (mut rows, _, _) = mechanisms(&model);
        let input = Input::default();
        let mut solver = CompliantSolver::new(&model);
        solver.solve(&model, &state, &asked(&input, 0.01));
        let stiff = StiffSprings::default();
        let laws = Laws {
            h: 0.01,
            stiff: &stiff,
        };
        let step = 1e-6;
        rows.evaluate(&model, &state, &solver.bodies, &laws);
        let entries = rows.entries.clone();
        for b in 0..model.bodies.len() {
            for axis in 0..6 {
                let mut values = Vec::new();
                for sign in [1.0, -1.0] {
                    let mut moved = state.clone();
                    let mut by = [0.0; 6];
                    by[axis] = sign;
                    let [x, y, z, p, q, r] = by;
                    moved.bodies[b].velocity = Twist::default();
                    moved.bodies[b].position += crate::math::Vec3::new(x, y, z) * step;
                    let turn = crate::math::Vec3::new(p, q, r) * step;
                    let turned = crate::math::Quat::from_scaled_axis(turn);
                    moved.bodies[b].orientation = turned * moved.bodies[b].orientation;
                    rows.evaluate(&model, &moved, &solver.bodies, &laws);
                    values.push(rows.rows.iter().map(|r| r.value).collect::<Vec<_>>());
                }
                for (k, row) in rows
                    .rows
                    .iter()
                    .enumerate()
                    .filter(|(_, r)| r.held.is_some())
                {
                    let own = entries.iter().filter(|e| e.row == k && e.body == b);
                    let gradient: f64 = own.map(|e| e.value[axis]).sum();
                    let slope = (values[0][k] - values[1][k]) / (2.0 * step);
                    assert!(
                        (slope - gradient).abs() < 1e-7,
                        "{slope} {gradient} {row:?}"
                    );
                }
            }
        }
    }
}
