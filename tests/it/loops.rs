//! Mechanisms with loops stay closed, redundant constraints or not.

use crate::bench::{settings, simulation};
use crate::benchmarks;
use driftless::integrators::Settings;
use driftless::model::{Model, State};
use driftless::sim::Input;

/// Largest gap [m] and misalignment [rad] over a run.
fn worst_drift(mechanism: &(Model, State), integrator: &str, s: Settings, steps: u64) -> [f64; 2] {
    let mut sim = simulation(mechanism, integrator, s);
    let mut worst = [0.0f64; 2];
    for _ in 0..steps {
        sim.step(&Input::default()).expect("the step succeeds");
        let drift = driftless::diagnostics::worst_drift(sim.model(), sim.state());
        worst = [worst[0].max(drift.position.0), worst[1].max(drift.angle.0)];
    }
    worst
}

#[test]
fn stabilised_baselines_hold_loops_that_plain_ones_open() {
    for (name, mechanism) in [
        ("three-link loop", benchmarks::three_link_loop()),
        ("four-bar", benchmarks::parallelogram(1)),
        ("bricard", benchmarks::bricard()),
    ] {
        let drift = |baumgarte| {
            let s = Settings {
                baumgarte,
                ..settings(0.01, 1e-10)
            };
            worst_drift(&mechanism, "rk4", s, 500)
        };
        let (plain, held) = (drift(0.0), drift(20.0));
        println!("{name}: drift {plain:?} plain, {held:?} stabilised");
        // Stabilisation at 20 /s balances the method's own error of order dt⁴ per second.
        assert!(held[0] < 1e-5 && held[1] < 1e-5, "{name}: {held:?}");
    }
}
