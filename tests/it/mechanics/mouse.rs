//! Pulling and turning bodies with the mouse, gently and wildly.

use crate::mechanics::bench::{settings, simulation};
use crate::mechanics::benchmarks;
use crate::mechanics::mechanisms;
use driftless::integrators::REGISTRY;
use driftless::math::{Quat, Vec3};
use driftless::model::{BodyId, Model, State};
use driftless::sim::{Drag, DragGoal, Input};

fn dragging(body: usize, point: Vec3, goal: DragGoal) -> Input {
    Input {
        drag: Some(Drag {
            body: BodyId(body),
            point,
            goal,
        }),
        ..Input::default()
    }
}

#[test]
fn a_held_body_settles_at_the_goal_and_the_account_closes() {
    for info in REGISTRY.iter().filter(|i| i.supports.dissipation) {
        let mechanism = benchmarks::tumbling_body();
        let mut sim = simulation(&mechanism, info.name, settings(1e-3, 1e-10));
        let goal = Vec3::new(0.3, -0.2, 0.4);
        // One second at 10 rad/s and critical damping leaves e^-10 · 11 = 5e-4 of the way.
        let pull = dragging(0, Vec3::zeros(), DragGoal::Pull(goal));
        for _ in 0..1000 {
            sim.step(&pull).expect("the step succeeds");
        }
        let left = (sim.state().bodies[0].position - goal).norm();
        assert!(left < 1e-3, "{}: {left}", info.name);
        let target = Quat::from_euler_angles(0.4, 0.3, -0.2);
        for _ in 0..2000 {
            sim.step(&dragging(0, Vec3::zeros(), DragGoal::Turn(target)))
                .expect("the step succeeds");
        }
        let left = sim.state().bodies[0].orientation.angle_to(&target);
        assert!(left < 1e-3, "{}: {left}", info.name);
        let sample = sim.sample();
        println!(
            "{}: work {:.3} J, error {:.2e} J",
            info.name, sample.external_work, sample.energy_error
        );
        // The mouse takes out 6 J at rates of 20 /s: the account is off by a few (20 dt)² of that. The
        // Euler methods gain or lose dt/2 ∫ F²/m, which is their own error and not the account's.
        let tolerance = if info.order == 1 { 3.0 } else { 0.03 };
        assert!(
            sample.energy_error.abs() < tolerance,
            "{}: {sample:?}",
            info.name
        );
    }
}

/// A mouse that jumps about by metres, ten times a second, and pulls or turns.
pub fn wild(step: u64, bodies: usize) -> Input {
    let k = step / 10;
    let jump = |n: u64| ((k * 2_654_435_761 + n * 40_503) % 10_007) as f64 / 5_003.5 - 1.0;
    let far = Vec3::new(jump(1), jump(2), jump(3)) * 50.0;
    let goal = if k % 3 == 2 {
        DragGoal::Turn(Quat::from_scaled_axis(far))
    } else {
        DragGoal::Pull(far)
    };
    dragging(k as usize / 7 % bodies, Vec3::new(0.0, 0.02, 0.4), goal)
}

/// Steps with a wild mouse; every step must succeed, stay finite and stay slow enough to be watched.
fn survives(integrator: &str, mechanism: &(Model, State), dt: f64, steps: u64) -> f64 {
    let mut sim = simulation(mechanism, integrator, settings(dt, 1e-8));
    let bodies = sim.model().bodies.len();
    let mut fastest: f64 = 0.0;
    for step in 0..steps {
        if let Err(error) = sim.step(&wild(step, bodies)) {
            panic!("{integrator}, step {step}: {error}");
        }
        for v in sim.velocities() {
            fastest = fastest.max(v.linear.norm());
        }
        assert!(fastest.is_finite());
    }
    let drift = driftless::diagnostics::worst_drift(sim.model(), sim.state());
    println!(
        "{integrator}: fastest {fastest:.1} m/s, {:?}, {:?}",
        sim.outcomes(),
        drift.position.0
    );
    fastest
}

#[test]
fn no_mouse_is_wild_enough_to_blow_up_a_variational_step() {
    for info in REGISTRY
        .iter()
        .filter(|i| i.supports.dissipation && i.name.starts_with("variational"))
    {
        for mechanism in [
            mechanisms::chain(&[0.3, 0.2, 0.1, 0.0], &[0.0; 4]),
            benchmarks::parallelogram(2),
            benchmarks::bricard(),
        ] {
            // Accelerations of 100 m/s² over some tenths of a second, and levers of a few links.
            assert!(
                survives(info.name, &mechanism, 0.01, 3000) < 200.0,
                "{}",
                info.name
            );
        }
    }
}
