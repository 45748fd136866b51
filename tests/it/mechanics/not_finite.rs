//! Numbers that leave the finite range: a failed step with the place, never a state.

use crate::mechanics::switching::{runs, simulation};
use driftless::scene;
use driftless::sim::Input;

/// Of every method: a body that leaves the finite range is a failed step that names it, and the state is as it was.
/// Steps used to be counted as converged, with exit status 0.
#[test]
fn a_state_that_is_not_finite_is_a_failed_step_that_leaves_the_state_as_it_was() {
    let scene = scene::open("t_handle", &[]).expect("it is shipped");
    for method in runs(&scene.model) {
        let mut sim = simulation(&scene, method.name);
        let mut far = sim.state().clone();
        let mass = sim.model().bodies[0].mass;
        let body = &mut far.bodies[0];
        // The largest number is 1.797e308.
        body.position.x = 1.79e308;
        body.velocity.linear.x = 1e308;
        body.momentum.x = mass * 1e308;
        sim.load(far.clone()).expect("its numbers are finite");
        let error = sim
            .step(&Input::default())
            .expect_err("1.8e308 is no number");
        let said = error.to_string();
        assert!(
            said.contains("left the finite range"),
            "{}: {said}",
            method.name
        );
        assert!(
            said.contains("switch") != method.drift_free,
            "{}: {said}",
            method.name
        );
        assert_eq!(sim.state().digest(), far.digest(), "{}", method.name);
        assert_eq!(sim.outcomes().failed, 1);
    }
}

#[test]
fn a_first_state_without_finite_energy_is_refused() {
    let text =
        "(version: 1, bodies: {\"a\": (mass: 1e308, inertia: (1, 1, 1), position: (0, 0, 5))})";
    // Either the file is refused or the simulation: it used to run, and 20 steps were counted as converged.
    if let Ok(scene) = scene::from_text("heavy", text, &[]) {
        let said = scene.simulation().err().map(|e| e.to_string());
        assert!(said.is_some_and(|s| s.contains("not a finite number")));
    }
}
