//! Observed orders of convergence against independent references.

use crate::bench::{order, run, settings, simulation};
use crate::{mechanisms, reference};
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
fn baselines_converge_at_their_order() {
    // Step counts per second such that the errors are asymptotic and far above rounding.
    for (integrator, wanted, first) in [
        ("explicit-euler", 1.0, 4000),
        ("semi-implicit-euler", 1.0, 2000),
        ("heun", 2.0, 400),
        ("rk4", 4.0, 100),
    ] {
        let errors: Vec<f64> = (0..3)
            .map(|k| tip_error(integrator, 1.0, first << k))
            .collect();
        let found = order(&errors);
        eprintln!("{integrator}: {errors:?} order {found:.3}");
        assert!(
            (found - wanted).abs() < 0.1,
            "{integrator}: {errors:?} {found}"
        );
    }
}
