//! Springs too stiff for the step: the error says so. It used to name a spinning body, and a step that is no cure.

use driftless::integrators::StepError;
use driftless::scene;
use driftless::sim::{Input, Simulation};

/// A wheel on a torsion spring, √(422 / 1.1e-8) = 2e5 rad/s, after a step of so many seconds.
fn wheel(dt: f64) -> Simulation {
    let text = format!(
        r#"(version: 1, gravity: (0, 0, 0),
        bodies: {{"wheel": (mass: 0.2, inertia: (1.1e-8, 1.1e-8, 1.1e-8))}},
        joints: {{"axle": (kind: revolute, child: "wheel", axis: (1, 0, 0), at: [0.1],
            springs: [(coordinate: 0, stiffness: 422)])}},
        integrator: (dt: {dt:?}))"#
    );
    let scene = scene::from_text("wheel", &text, &[]).expect("the scene is right");
    scene.simulation().expect("it runs")
}

#[test]
fn a_spring_too_stiff_for_the_step_is_named_with_a_step_that_follows_it() {
    let mut sim = wheel(0.01);
    let lost = (0..1000).find_map(|_| sim.step(&Input::default()).err());
    let Some(StepError::StiffSpring { place, advice, .. }) = lost else {
        panic!("{lost:?}");
    };
    assert_eq!(place, "joint `axle`");
    // 2/ω of the harmonic oscillator.
    assert!((advice / (2.0 / (422.0_f64 / 1.1e-8).sqrt()) - 1.0).abs() < 1e-9);

    // At half of that, ω dt = 1, the energy read at the knots swings by ω² dt² / 4 and does not grow.
    let mut sim = wheel(0.5 * advice);
    let first = sim.energy().total();
    let error = |sim: &mut Simulation| (sim.energy().total() / first - 1.0).abs();
    for _ in 0..10_000 {
        let _ = sim.step(&Input::default()).expect("it is followed");
        assert!(error(&mut sim) < 0.34, "{}", error(&mut sim));
    }
}
