//! An implicit method built on the equations of motion: Newton's method converges with the matrix that they give.

use super::tests::mechanisms::{mechanism, twists};
use super::*;
use crate::joints;
use crate::math::{Quat, Vec3, rotation};

/// Increments from the start of an implicit step: `R = exp(h ω) R₀` with the unknown in `ω`, whose tangent operator
/// is the left Jacobian, exact or taken as the identity.
struct FromStart {
    h: f64,
    exact: bool,
}

impl Parametrisation for FromStart {
    fn tangent(&self, _: usize, at: &BodyMotion, weights: &Weights) -> Tangent {
        let mut tangent = Tangent::still(weights);
        if self.exact {
            tangent.turn = rotation::left_jacobian(&(at.velocity * self.h)) * weights.position;
        }
        tangent
    }

    fn row_slope(&self, _: usize, _: (&BodyMotion, &Tangent), _: &Weights, _: &Vec3) -> Mat3 {
        Mat3::zeros()
    }
}

/// Residuals of Newton's method on one step of implicit Euler of index 3, with accelerations as the unknown.
fn implicit_euler(seed: u64, exact: bool) -> Vec<f64> {
    let (model, start) = mechanism(seed, 8, 2);
    let (h, input) = (0.05, Input::default());
    let weights = Weights {
        position: h * h,
        velocity: h,
        acceleration: 1.0,
        rows: 1.0 / (h * h),
    };
    let mut equations = EquationsOfMotion::new(&model);
    let mut system = LinearSystem::new(&model, Pattern::Full);
    let mut accelerations = vec![Twist::default(); 8];
    let mut multipliers = vec![0.0; model.equations()];
    let mut residuals = Vec::new();
    for _ in 0..12 {
        let mut end = start.clone();
        for (body, a) in end.bodies.iter_mut().zip(&accelerations) {
            body.velocity.linear += a.linear * h;
            body.velocity.angular += a.angular * h;
            body.position += body.velocity.linear * h;
            let turn = Quat::from_scaled_axis(body.velocity.angular * h);
            body.orientation = turn * body.orientation;
        }
        joints::refresh_angles(&model, &end.bodies, &mut end.angles);
        let twists = twists(&end);
        let trial = Trial {
            moment: Moment {
                bodies: &end.bodies,
                twists: &twists,
                angles: &end.angles,
                time: h,
                input: &input,
            },
            accelerations: &accelerations,
            multipliers: &multipliers,
        };
        let mut balanced = equations.balance(&model, &trial);
        let wrenches: Vec<Wrench> = balanced
            .unbalanced()
            .iter()
            .map(|r| Wrench {
                force: -r.force,
                torque: -r.torque,
            })
            .collect();
        let open: Vec<f64> = balanced.equations().values().iter().map(|g| -g).collect();
        let forces = wrenches.iter().map(|w| w.force.amax().max(w.torque.amax()));
        let gaps = open.iter().map(|g| g.abs() / (h * h));
        residuals.push(forces.chain(gaps).fold(0.0, f64::max));
        let parametrisation = FromStart { h, exact };
        balanced.linearise(&parametrisation, &weights, Level::Position, &mut system);
        system.solve(&wrenches, &open);
        for (a, change) in accelerations.iter_mut().zip(system.motions()) {
            a.linear += change.linear;
            a.angular += change.angular;
        }
        for (lambda, change) in multipliers.iter_mut().zip(system.multipliers()) {
            *lambda += change;
        }
    }
    residuals
}

#[test]
fn newtons_method_of_index_3_converges_quadratically_with_the_tangent_operator_only() {
    for seed in 0..8 {
        let [exact, neglected] = [true, false].map(|exact| implicit_euler(seed, exact));
        // Rounding of coordinates of order 10 over h², of forces of order 100.
        let rounding = 1e-9;
        // The factor is that of the third derivatives over the masses, measured below 2.
        let quadratic = |r: &[f64]| {
            let near = r.windows(2).filter(|r| r[0] < 1.0 && r[1] > rounding);
            near.clone().count() > 0 && near.clone().all(|r| r[1] < 10.0 * r[0] * r[0])
        };
        assert!(exact[5] < rounding, "seed {seed}: {exact:?}");
        assert!(quadratic(&exact), "seed {seed}: {exact:?}");
        assert!(!quadratic(&neglected), "seed {seed}: {neglected:?}");
    }
}
