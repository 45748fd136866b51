//! Reading contacts: a box that is pushed over the floor, and the forces at its corners.

use driftless::build::{Body, Mechanism, Shape};
use driftless::math::Vec3;
use driftless::sim::Input;
use std::error::Error;

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Mechanism::new()
        .body(
            Body::new("box")
                .mass(2.0)
                .cuboid([0.4, 0.3, 0.2])
                .position([0.0, 0.0, 0.1]),
        )
        .ground(Shape::half_space())
        .contact(0.3, 0.0)
        .scene()?
        .simulation()?;
    let pushed = simulation.model().body("box").ok_or("no box")?;
    for (force, moves) in [(4.0, "sticks"), (8.0, "slides")] {
        for _ in 0..50 {
            simulation.step(&Input::default().with_force(pushed, Vec3::x() * force))?;
        }
        println!("{force} N: it {moves}");
        let (mut normal, mut friction) = (0.0, Vec3::zeros());
        for contact in &simulation.state().contacts {
            println!(
                "  at ({:.2}, {:.2}) m: normal force {:.2} N, friction {:.2} N, {:?}",
                contact.point.x,
                contact.point.y,
                contact.normal_force(),
                contact.friction_force().norm(),
                contact.status
            );
            normal += contact.normal_force();
            friction += contact.friction_force();
        }
        // Together they bear the weight and oppose the push, up to 0.3 times the weight.
        let weight = 2.0 * 9.81;
        assert!((normal - weight).abs() < 1e-6 * weight);
        assert!((friction.norm() - f64::min(force, 0.3 * weight)).abs() < 1e-4);
    }
    Ok(())
}
