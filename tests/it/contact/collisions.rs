//! Collisions without gravity against the laws of impact: momentum, Newton's restitution, closed forms.

use crate::contact::clearance::clearance;
use crate::contact::touching::{fastest, watch};
use crate::mechanics::mechanisms::Workshop;
use driftless::math::{Quat, Vec3};
use driftless::sim::Simulation;

/// Step [s].
const DT: f64 = 0.01;

/// Two balls on one line, the first moving.
fn head_on(masses: [f64; 2], restitution: f64, speeds: [f64; 2]) -> Simulation {
    let mut w = Workshop::touching(Vec3::zeros(), 0.3, restitution);
    for (k, mass) in masses.into_iter().enumerate() {
        let at = Vec3::new(0.1 + 0.8 * k as f64, 0.2, -0.3);
        let ball = w.ball(mass, 0.1 + 0.05 * k as f64, at);
        w.moving(ball, Vec3::x() * speeds[k], Vec3::zeros());
    }
    w.simulation(DT)
}

#[test]
fn head_on_collisions_end_with_the_speeds_of_newtons_law() {
    for masses in [[1.0, 1.0], [1.0, 3.0], [7.0, 0.01]] {
        for restitution in [0.0, 0.5, 1.0] {
            for speeds in [[2.0, 0.0], [3.0, -1.5], [2.0, 0.7]] {
                let mut sim = head_on(masses, restitution, speeds);
                watch(&mut sim, 200, |sim| {
                    assert!(clearance(sim.model(), sim.state()) > -1e-9);
                });
                let [m, n] = masses;
                let [u, v] = speeds;
                // Momentum is kept, the relative velocity is reversed times the restitution.
                let centre = (m * u + n * v) / (m + n);
                let wanted = [
                    centre - restitution * n / (m + n) * (u - v),
                    centre + restitution * m / (m + n) * (u - v),
                ];
                for (k, wanted) in wanted.into_iter().enumerate() {
                    let found = sim.velocities()[k];
                    let error = (found.linear - Vec3::x() * wanted).norm();
                    // The solver leaves 1e-9 m/s of a contact's velocity at most.
                    assert!(
                        error < 2e-9 && found.angular.norm() < 1e-9,
                        "{masses:?}, e = {restitution}, {speeds:?}: ball {k} at {found:?}, not {wanted}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_ball_leaves_a_wall_at_its_speed_times_the_restitution() {
    for restitution in [0.0, 0.25, 0.5, 1.0] {
        let mut w = Workshop::touching(Vec3::zeros(), 0.0, restitution);
        w.floor();
        let ball = w.ball(2.0, 0.1, Vec3::new(0.0, 0.0, 0.5));
        w.moving(ball, Vec3::new(0.6, 0.0, -3.0), Vec3::zeros());
        let mut sim = w.simulation(DT);
        watch(&mut sim, 50, |sim| {
            assert!(clearance(sim.model(), sim.state()) > -1e-9);
        });
        let found = sim.velocities()[0].linear;
        let wanted = Vec3::new(0.6, 0.0, 3.0 * restitution);
        assert!(
            (found - wanted).norm() < 2e-9,
            "e = {restitution}: {found:?}"
        );
    }
}

#[test]
fn a_row_of_balls_passes_the_momentum_on_to_the_last() {
    let mut w = Workshop::touching(Vec3::zeros(), 0.5, 1.0);
    for k in 0..5 {
        let ball = w.ball(0.3, 0.05, Vec3::x() * (0.14 * f64::from(k)));
        let speed = if k == 0 { 1.7 } else { 0.0 };
        w.moving(ball, Vec3::x() * speed, Vec3::zeros());
    }
    let mut sim = w.simulation(DT);
    watch(&mut sim, 60, |_| {});
    for (k, v) in sim.velocities().iter().enumerate() {
        let wanted = if k == 4 { 1.7 } else { 0.0 };
        // Four collisions, each solved to 1e-9 m/s.
        assert!((v.linear.x - wanted).abs() < 1e-8, "ball {k}: {v:?}");
    }
}

#[test]
fn a_grazing_ball_is_turned_by_friction_as_an_impulse_turns_it() {
    // With friction µ and a slip that lasts, the tangential impulse is µ times the normal one, m v(1 + e).
    let (mu, e, down, along) = (0.2, 0.5, 2.0, 4.0);
    let mut w = Workshop::touching(Vec3::zeros(), mu, e);
    w.floor();
    let ball = w.ball(1.5, 0.2, Vec3::new(0.0, 0.0, 0.6));
    w.moving(ball, Vec3::new(0.0, along, -down), Vec3::zeros());
    let mut sim = w.simulation(1e-3);
    watch(&mut sim, 400, |_| {});
    let v = sim.velocities()[0];
    let lost = mu * down * (1.0 + e);
    let wanted = Vec3::new(0.0, along - lost, e * down);
    assert!(
        (v.linear - wanted).norm() < 1e-8,
        "{v:?}, wanted {wanted:?}"
    );
    // Spin: m r Δv over 2/5 m r². A step of 1e-3 s at 7.5 rad/s turns by 7.5e-3, and half its square is 3e-5 of it.
    let spin = Vec3::new(-2.5 * lost / 0.2, 0.0, 0.0);
    assert!(
        (v.angular - spin).norm() < 1e-4 * spin.norm(),
        "{v:?}, wanted {spin:?}"
    );
}

/// Bodies thrown at each other from all sides, spinning; no gravity, nothing fixed.
fn crowd(restitution: f64, friction: f64) -> Simulation {
    let mut w = Workshop::touching(Vec3::zeros(), friction, restitution);
    let places = [
        Vec3::new(0.5, 0.02, 0.03),
        Vec3::new(-0.5, -0.04, 0.0),
        Vec3::new(0.03, 0.6, -0.05),
        Vec3::new(0.0, -0.55, 0.04),
        Vec3::new(0.02, 0.05, 0.7),
    ];
    for (k, at) in places.into_iter().enumerate() {
        let turn = Quat::from_scaled_axis(Vec3::new(0.3, 0.2 * k as f64, -0.1));
        let body = if k % 2 == 0 {
            w.ball(0.5 + 0.4 * k as f64, 0.12, at)
        } else {
            w.block(1.0, Vec3::repeat(0.25), at, turn)
        };
        let spin = Vec3::new(1.0, -2.0 * k as f64, 0.5);
        w.moving(body, at * -2.0, spin);
    }
    w.simulation(DT)
}

#[test]
fn free_collisions_keep_linear_and_angular_momentum() {
    for (restitution, friction) in [(0.0, 0.0), (0.0, 0.6), (0.5, 0.3), (1.0, 0.8)] {
        let mut sim = crowd(restitution, friction);
        let first = sim.sample().momentum;
        let (mut touched, mut previous) = (0, first);
        watch(&mut sim, 150, |sim| {
            let sample = sim.sample();
            touched += sample.closed;
            let now = sample.momentum;
            // Each of five bodies is solved to the tolerance, 1e-10 N and N·m, over a step of 0.01 s. The angular
            // momentum about the origin is only kept if both bodies feel opposite forces on one line.
            let linear = (now.linear - previous.linear).norm();
            let angular = (now.angular - previous.angular).norm();
            assert!(
                linear < 5e-12 && angular < 5e-12,
                "{linear:e} {angular:e} {sample:?}"
            );
            previous = now;
            let pressed = clearance(sim.model(), sim.state());
            assert!(pressed > -1e-9, "{pressed}");
        });
        assert!(touched >= 4, "they must meet: {touched}");
        assert!((previous.linear - first.linear).norm() < 1e-10);
        assert!((previous.angular - first.angular).norm() < 1e-10);
    }
}

#[test]
fn collisions_without_gravity_never_add_energy() {
    for (restitution, friction) in [(0.0, 0.6), (0.5, 0.3), (1.0, 0.0), (1.0, 0.8)] {
        let mut sim = crowd(restitution, friction);
        let first = sim.energy().total();
        let mut highest = first;
        watch(&mut sim, 200, |sim| {
            highest = highest.max(sim.energy().total())
        });
        // Cubes and balls turn freely without error; a rebound returns no more than the impact took.
        assert!(
            highest < first * (1.0 + 1e-9),
            "e = {restitution}, µ = {friction}: {first} {highest}"
        );
        let last = sim.energy().total();
        if restitution == 0.0 {
            assert!(last < 0.9 * first, "{last} of {first} J left");
        }
        assert!(fastest(&mut sim) < 50.0);
    }
}
