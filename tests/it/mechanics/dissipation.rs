//! Dampers take the energy that the exact motion loses.

use crate::mechanics::bench::{settings, simulation};
use crate::mechanics::benchmarks;
use crate::mechanics::mechanisms::G;
use crate::mechanics::reference;
use driftless::sim::Input;

/// Largest difference between the energy of the damped pendulum and the exact curve over 10 s at a step of
/// 0.05 s, relative to the energy at the start above rest [-].
fn worst_energy(integrator: &str) -> f64 {
    let mut sim = simulation(
        &benchmarks::damped_pendulum(),
        integrator,
        settings(0.05, 1e-10),
    );
    // Box of 0.1 × 0.1 × 1 m about its end; angle from the downward vertical.
    let inertia = 0.25 + 1.01 / 12.0;
    let motion = |y: &[f64; 2]| [y[1], -(0.5 * G * y[0].sin() + 0.5 * y[1]) / inertia];
    let start = 0.5 * G;
    let mut y = [std::f64::consts::FRAC_PI_2, 0.0];
    let mut worst: f64 = 0.0;
    for _ in 0..200 {
        sim.step(&Input::default()).expect("the step succeeds");
        // 100 steps of 5e-4: the reference is exact to 1e-12.
        y = reference::integrate(y, 0.05, 100, motion);
        let exact = 0.5 * inertia * y[1] * y[1] + start * (1.0 - y[0].cos());
        worst = worst.max((sim.energy().total() + start - exact).abs());
    }
    println!("damped pendulum, {integrator}: {:.4}", worst / start);
    worst / start
}

#[test]
fn explicit_euler_misses_the_exact_energy_curve() {
    assert!(worst_energy("explicit-euler") > 0.2);
    assert!(worst_energy("rk4") < 1e-3);
}

#[test]
fn variational_methods_follow_the_exact_energy_curve() {
    let worst = ["variational", "variational-2"].map(worst_energy);
    // Half a step, 0.025 s, later or earlier at rates of up to 4 rad/s is a tenth of the energy; the second order
    // squares that. The first-order method is to be between the two Euler methods and its sister.
    assert!(worst[0] < 0.1 && worst[1] < 0.02, "{worst:?}");
    assert!(worst[1] < worst[0], "{worst:?}");
}

#[test]
fn the_account_closes_on_the_damped_pendulum() {
    // Dissipation is summed by the midpoint of each step: second order, here 1e-4 of the energy at dt = 0.005.
    let mut sim = simulation(
        &benchmarks::damped_pendulum(),
        "rk4",
        settings(0.005, 1e-10),
    );
    crate::mechanics::bench::run(&mut sim, 1000);
    let sample = sim.sample();
    assert!(sample.dissipated > 4.0, "most of 4.9 J is gone");
    assert!(sample.energy_error.abs() < 5e-4, "{sample:?}");
}
