//! The equations of motion of random mechanisms of all kinds of joints, with loops, couplings and every force:
//! accelerations against the baselines' own system, inertia, and the order of a method that is built on them.

use super::*;
use crate::integrators::{self, Settings, StepReport};
use crate::joints;
use crate::math::Mat6;
use crate::math::Quat;
use crate::model::State;
use mechanisms::{mechanism, twists};

pub mod mechanisms;
mod solutions;

/// Accelerations of the acceleration-level baseline: what one step of explicit Euler changes velocities by.
fn of_baseline(model: &Model, state: &State) -> Vec<Twist> {
    // A power of two: dividing by it rounds nothing.
    let dt = 1.0 / 1024.0;
    let settings = Settings {
        dt,
        ..Settings::default()
    };
    let mut method =
        integrators::build("semi-implicit-euler", model, &settings).expect("registered");
    let mut after = state.clone();
    let mut report = StepReport::default();
    method
        .step(model, &mut after, &Input::default(), &settings, &mut report)
        .expect("one step");
    let change = after.bodies.iter().zip(&state.bodies).map(|(a, b)| Twist {
        linear: (a.velocity.linear - b.velocity.linear) / dt,
        angular: (a.velocity.angular - b.velocity.angular) / dt,
    });
    change.collect()
}

#[test]
fn accelerations_are_those_of_the_baselines_own_system() {
    for seed in 0..40 {
        let (model, state) = mechanism(seed, 12, if seed % 4 == 0 { 0 } else { 3 });
        let twists = twists(&state);
        let input = Input::default();
        let at = Moment {
            bodies: &state.bodies,
            twists: &twists,
            angles: &state.angles,
            time: state.time,
            input: &input,
        };
        let mut system = LinearSystem::new(&model, Pattern::Masses);
        let left = EquationsOfMotion::new(&model).accelerations(&model, &at, 0.0, &mut system);
        let wanted = of_baseline(&model, &state);
        let size = wanted.iter().map(|a| a.linear.amax().max(a.angular.amax()));
        let size = size.fold(1.0, f64::max);
        for (a, b) in system.motions().iter().zip(&wanted) {
            let error = (a.linear - b.linear)
                .amax()
                .max((a.angular - b.angular).amax());
            // Two ways of rounding in systems whose condition random loops make as large as 1e5.
            assert!(
                error < 1e-10 * size,
                "seed {seed}: {error} of {size}, left {left}"
            );
        }
        assert!(left < 1e-10 * size, "seed {seed}: {left}");
    }
}

#[test]
fn in_body_axes_the_inertia_is_that_of_the_model() {
    let (model, state) = mechanism(3, 8, 0);
    let still = vec![Twist::default(); 8];
    let input = Input::default();
    let none = vec![0.0; model.equations()];
    let trial = Trial {
        moment: Moment {
            bodies: &state.bodies,
            twists: &still,
            angles: &state.angles,
            time: 0.0,
            input: &input,
        },
        accelerations: &still,
        multipliers: &none,
    };
    let mut system = LinearSystem::new(&model, Pattern::Masses);
    EquationsOfMotion::new(&model)
        .balance(&model, &trial)
        .linearise(
            &Increments::Body,
            &Weights::ACCELERATION,
            Level::Acceleration,
            &mut system,
        );
    let matrix = system.matrix();
    for (k, body) in model.bodies.iter().enumerate() {
        let first = system.place_of_body(k);
        let mut wanted = Mat6::from_diagonal_element(body.mass);
        wanted.fixed_view_mut::<3, 3>(3, 3).copy_from(&body.inertia);
        let found = matrix.fixed_view::<6, 6>(first, first);
        // Two products with a rotation.
        assert!((found - wanted).amax() < 1e-15 * 10.0);
    }
}

/// The explicit midpoint rule on accelerations of the graph: a method in twenty lines.
fn midpoint(model: &Model, state: &State, dt: f64, steps: usize) -> State {
    let mut state = state.clone();
    let mut equations = EquationsOfMotion::new(model);
    let mut system = LinearSystem::new(model, Pattern::Masses);
    let input = Input::default();
    let moved = |from: &State, velocities: &[Twist], accelerations: &[Twist], h: f64| {
        let mut to = from.clone();
        for (k, body) in to.bodies.iter_mut().enumerate() {
            body.position += velocities[k].linear * h;
            body.orientation = Quat::from_scaled_axis(velocities[k].angular * h) * body.orientation;
            body.velocity.linear += accelerations[k].linear * h;
            body.velocity.angular += accelerations[k].angular * h;
        }
        joints::refresh_angles(model, &to.bodies, &mut to.angles);
        to
    };
    for _ in 0..steps {
        let mut stage = state.clone();
        for h in [0.5 * dt, dt] {
            let twists = twists(&stage);
            let at = Moment {
                bodies: &stage.bodies,
                twists: &twists,
                angles: &stage.angles,
                time: stage.time,
                input: &input,
            };
            equations.accelerations(model, &at, 0.0, &mut system);
            stage = moved(&state, &twists, system.motions(), h);
        }
        state = stage;
    }
    state
}

#[test]
fn the_midpoint_rule_on_the_graph_converges_to_rk4_at_its_order() {
    // A loop, a coupling and all forces, for 0.2 s.
    let (model, start) = mechanism(5, 8, 2);
    let settings = Settings {
        dt: 1.0 / 4096.0,
        ..Settings::default()
    };
    let mut rk4 = integrators::build("rk4", &model, &settings).expect("registered");
    let mut reference = start.clone();
    let mut report = StepReport::default();
    for _ in 0..819 {
        rk4.step(
            &model,
            &mut reference,
            &Input::default(),
            &settings,
            &mut report,
        )
        .expect("a step");
    }
    let time = 819.0 / 4096.0;
    let error = |steps: usize| {
        let found = midpoint(&model, &start, time / steps as f64, steps);
        let apart = found.bodies.iter().zip(&reference.bodies).map(|(a, b)| {
            (a.position - b.position).norm() + a.orientation.angle_to(&b.orientation)
        });
        apart.fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(64), error(128));
    let order = (coarse / fine).log2();
    assert!(
        (1.8..2.3).contains(&order),
        "order {order}: {coarse} {fine}"
    );
}
