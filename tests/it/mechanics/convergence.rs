//! Observed orders of convergence against independent references.

use crate::mechanics::bench::{order, run, settings, simulation};
use crate::mechanics::benchmarks;
use crate::mechanics::mechanisms;
use crate::mechanics::reference;
use driftless::math::Vec3;
use driftless::model::{Model, State};

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
        ("variational-8", 8.0, 20),
        ("variational-ggl", 2.0, 100),
        ("minimal-riqn", 2.0, 100),
        ("minimal-newton", 2.0, 100),
        ("minimal-broyden", 2.0, 100),
        ("minimal-secant", 2.0, 100),
        ("minimal-svi-newton", 2.0, 100),
        ("minimal-3", 3.0, 50),
        ("minimal-4", 4.0, 50),
        ("minimal-galerkin-4", 4.0, 50),
        ("minimal-6", 6.0, 25),
        ("joint-space-euler", 1.0, 2000),
        ("explicit-euler", 1.0, 4000),
        ("semi-implicit-euler", 1.0, 2000),
        ("heun", 2.0, 400),
        ("rk4", 4.0, 100),
    ] {
        let errors: Vec<f64> = (0..3)
            .map(|k| tip_error(integrator, 1.0, first << k))
            .collect();
        assert_order("double pendulum", integrator, wanted, &errors);
    }
}

/// Errors of a benchmark at `t` for steps halved twice.
fn errors(
    mechanism: &(Model, State),
    integrator: &str,
    t: f64,
    first: u64,
    error: impl Fn(&State) -> f64,
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
    // References of nine decimals, refined by a method of another family that meets them: truncation of rk4 at
    // these steps is below 1e-13.
    let refined = |mechanism: &(Model, State), t: f64, body: usize, published: Vec3| {
        let mut fine = simulation(mechanism, "rk4", settings(t / 20_000.0, 1e-10));
        run(&mut fine, 20_000);
        let known = fine.state().bodies[body].position;
        assert!((known - published).norm() < 1e-9, "{known} {published}");
        known
    };
    // Heavy top: fast spin and precession about all axes.
    let published = Vec3::new(0.421296659, 0.894571974, -0.149164701);
    let known = refined(&benchmarks::heavy_top(), 0.1, 0, published);
    for (integrator, wanted, first) in [
        ("variational", 1.0, 2000),
        ("variational-2", 2.0, 500),
        ("variational-4", 4.0, 100),
    ] {
        let found = errors(&benchmarks::heavy_top(), integrator, 0.1, first, |s| {
            (s.bodies[0].position - known).norm()
        });
        assert_order("heavy top", integrator, wanted, &found);
    }
    // Spatial slider-crank: a loop with a universal, a spherical and a prismatic joint. Gravity does no work at
    // its start, so that the first-order start of `variational` would not show.
    let published = Vec3::new(0.260545933, 0.0, 0.0);
    let known = refined(&benchmarks::slider_crank(), 0.2, 2, published);
    for (integrator, wanted, first) in [("variational-2", 2.0, 100), ("variational-4", 4.0, 20)] {
        let found = errors(&benchmarks::slider_crank(), integrator, 0.2, first, |s| {
            (s.bodies[2].position - known).norm()
        });
        assert_order("slider-crank", integrator, wanted, &found);
    }
}

fn assert_order(name: &str, integrator: &str, wanted: f64, errors: &[f64]) {
    let found = order(errors);
    println!("{name}, {integrator}: {errors:?} order {found:.3}");
    // An eighth order is asymptotic between 1e-9 and 1e-12 m only, where what a tolerance of 1e-12 of the forces
    // leaves in 1200 intervals, some 6e-13 m, takes a third of an order.
    let slack = if wanted < 8.0 { 0.1 } else { 0.4 };
    assert!(
        (found - wanted).abs() < slack,
        "{name}, {integrator}: {errors:?} {found}"
    );
}
