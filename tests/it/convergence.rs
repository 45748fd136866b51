//! Observed orders of convergence against independent references.

use crate::bench::{order, run, settings, simulation};
use crate::{benchmarks, mechanisms, reference};
use driftless::math::Vec3;

/// Error of the tip of a double pendulum after `t` [m].
fn tip_error(integrator: &str, t: f64, steps: u64) -> f64 {
    let (angles, rates) = ([1.2, 0.5], [0.3, -0.4]);
    let start = [angles[0], angles[1], rates[0], rates[1]];
    // Steps of 2e-5: truncation h⁴ = 2e-19 times a constant of order 1e3, rounding 1e-13.
    let [t1, t2, ..] = reference::integrate(start, t, (t * 5e4) as u32, reference::double_pendulum);
    let tip = Vec3::new(0.0, t1.sin() + t2.sin(), -t1.cos() - t2.cos());
    let mechanism = mechanisms::chain(&angles, &rates);
    let mut sim = simulation(&mechanism, integrator, settings(t / steps as f64, 1e-12));
    run(&mut sim, steps);
    let rod = &sim.state().bodies[1];
    (rod.position + rod.orientation * Vec3::new(0.0, 0.0, 0.5) - tip).norm()
}

#[test]
fn every_method_converges_at_its_order_on_the_double_pendulum() {
    // Steps per second such that the errors are asymptotic and far above rounding and tolerance.
    for (integrator, wanted, first) in [
        ("variational", 1.0, 1000),
        ("variational-2", 2.0, 100),
        ("variational-4", 4.0, 50),
        ("variational-6", 6.0, 25),
        ("variational-8", 8.0, 15),
        ("explicit-euler", 1.0, 4000),
        ("semi-implicit-euler", 1.0, 2000),
        ("heun", 2.0, 400),
        ("rk4", 4.0, 100),
    ] {
        let errors: Vec<f64> = (0..3)
            .map(|k| tip_error(integrator, 1.0, first << k))
            .collect();
        let found = order(&errors);
        println!("{integrator}: {errors:?} order {found:.3}");
        assert!(
            (found - wanted).abs() < 0.1,
            "{integrator}: {errors:?} {found}"
        );
    }
}

/// Errors of a benchmark at `t` for steps halved twice.
fn errors(
    mechanism: &(driftless::model::Model, driftless::model::State),
    integrator: &str,
    t: f64,
    first: u64,
    error: impl Fn(&driftless::model::State) -> f64,
) -> Vec<f64> {
    let at = |k: u32| {
        let steps = first << k;
        let mut sim = simulation(mechanism, integrator, settings(t / steps as f64, 1e-11));
        run(&mut sim, steps);
        error(sim.state())
    };
    (0..3).map(at).collect()
}

#[test]
fn variational_methods_keep_their_order_in_space() {
    // Heavy top: fast spin and precession about all axes.
    let top = Vec3::new(0.421296659, 0.894571974, -0.149164701);
    // Spatial slider-crank: a loop with a universal, a spherical and a prismatic joint.
    let slider = 0.260545933;
    for (integrator, wanted, steps) in [
        ("variational", 1.0, [2000, 1600]),
        ("variational-2", 2.0, [500, 400]),
        ("variational-4", 4.0, [100, 40]),
    ] {
        let found = [
            errors(&benchmarks::heavy_top(), integrator, 0.1, steps[0], |s| {
                (s.bodies[0].position - top).norm()
            }),
            errors(
                &benchmarks::slider_crank(),
                integrator,
                0.2,
                steps[1],
                |s| (s.bodies[2].position.x - slider).abs(),
            ),
        ];
        for errors in found {
            let observed = order(&errors);
            println!("{integrator}: {errors:?} order {observed:.3}");
            assert!(
                (observed - wanted).abs() < 0.1,
                "{integrator}: {errors:?} {observed}"
            );
        }
    }
}
