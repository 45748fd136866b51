//! Mechanisms with loops stay closed, redundant constraints or not.

use crate::mechanics::bench::{settings, simulation, with_options};
use crate::mechanics::benchmarks;
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
        let drift = |options| {
            let s = with_options(settings(0.01, 1e-10), "rk4", options);
            worst_drift(&mechanism, "rk4", s, 500)
        };
        let (plain, held) = (
            drift("stabilisation=none"),
            drift("stabilisation=baumgarte,baumgarte=20"),
        );
        println!("{name}: drift {plain:?} plain, {held:?} stabilised");
        // Stabilisation at 20 /s balances the method's own error of order dt⁴ per second.
        assert!(held[0] < 1e-5 && held[1] < 1e-5, "{name}: {held:?}");
    }
}

#[test]
fn projection_closes_loops_after_every_step_and_keeps_the_order() {
    for (name, mechanism) in [
        ("three-link loop", benchmarks::three_link_loop()),
        ("four-bar", benchmarks::parallelogram(1)),
        ("bricard", benchmarks::bricard()),
    ] {
        for method in ["explicit-euler", "semi-implicit-euler", "heun", "rk4"] {
            let s = with_options(settings(0.002, 1e-10), method, "stabilisation=projection");
            let mut sim = simulation(&mechanism, method, s);
            for _ in 0..500 {
                let report = sim.step(&Input::default()).expect("the step succeeds");
                let open = report.constraint;
                assert!(open <= 1e-10, "{name}, {method}: {open:e} m after a step");
            }
            // What projection gives or takes is the method's own error and on no account.
            assert_eq!(sim.sample().external_work, 0.0, "{name}, {method}");
        }
        // Against a step of a tenth: of second order a halved step has a quarter of the error.
        let end = |steps: u64| {
            let s = with_options(
                settings(0.5 / steps as f64, 1e-12),
                "heun",
                "stabilisation=projection",
            );
            let mut sim = simulation(&mechanism, "heun", s);
            for _ in 0..steps {
                sim.step(&Input::default()).expect("the step succeeds");
            }
            sim.state()
                .bodies
                .iter()
                .map(|b| b.position)
                .collect::<Vec<_>>()
        };
        let fine = end(5000);
        let error = |steps| {
            let off = end(steps)
                .into_iter()
                .zip(&fine)
                .map(|(a, b)| (a - b).norm());
            off.fold(0.0, f64::max)
        };
        let order = (error(250) / error(500)).log2();
        assert!((order - 2.0).abs() < 0.25, "{name}: order {order}");
    }
}

#[test]
fn variational_methods_keep_loops_closed_without_stabilisation() {
    // The bound of the papers' experiments, with redundant rows and passages through flat configurations; the
    // default method over 10^5 steps. In the whips of the ten segments steps are retried with shorter ones.
    let segments = driftless::scene::open("four_bar_chain", &[]).expect("it is shipped");
    let segments = (segments.model, segments.state);
    for (name, mechanism) in [
        ("three-link loop", benchmarks::three_link_loop()),
        ("four-bar", benchmarks::parallelogram(1)),
        ("double four-bar", benchmarks::parallelogram(2)),
        ("ten segments", segments),
        ("bricard", benchmarks::bricard()),
    ] {
        for (integrator, steps) in [
            ("variational", 2000),
            ("variational-2", 100_000),
            ("variational-4", 2000),
        ] {
            let worst = worst_drift(&mechanism, integrator, settings(0.01, 1e-10), steps);
            println!("{name}, {integrator}: drift {worst:?}");
            assert!(
                worst[0] < 1e-9 && worst[1] < 1e-9,
                "{name}, {integrator}: {worst:?}"
            );
        }
    }
}

#[test]
fn a_loop_that_starts_at_rest_in_its_singular_configuration_falls_out_of_it() {
    // Laid flat, the parallelogram's hinges are collinear: rank falls by one more.
    let mut sim = simulation(
        &benchmarks::flat_parallelogram(),
        "variational-2",
        settings(0.01, 1e-10),
    );
    for _ in 0..500 {
        sim.step(&Input::default()).expect("the step succeeds");
        let drift = driftless::diagnostics::worst_drift(sim.model(), sim.state());
        assert!(drift.position.0 < 1e-9 && drift.angle.0 < 1e-9);
    }
    assert!(
        sim.sample().energy_error.abs() < 0.2,
        "of 10 J that are exchanged"
    );
}
