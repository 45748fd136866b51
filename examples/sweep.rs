//! A sweep over a parameter on all cores: how far a pendulum swings after a push, by its damping.

use driftless::build::{Body, Joint, Mechanism};
use driftless::math::Vec3;
use driftless::sim::{Ensemble, Input};
use std::error::Error;

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut members = Vec::new();
    for k in 0..16 {
        let rod = Body::new("rod")
            .mass(1.0)
            .capsule(0.02, [0.0; 3], [0.0, 0.0, -1.0]);
        let hinge = Joint::revolute("hinge").child("rod").axis([0.0, 1.0, 0.0]);
        let scene = Mechanism::new()
            .body(rod)
            .joint(hinge.damping(0.05 * f64::from(k)))
            .scene()?;
        // Beside each simulation the largest angle so far [rad].
        members.push((scene.simulation()?, 0.0));
    }
    let model = members[0].0.model();
    let hinge = model.joint("hinge").ok_or("no hinge")?;
    let rod = model.body("rod").ok_or("no rod")?;

    let mut ensemble = Ensemble::new(members);
    let drive = |simulation: &mut driftless::sim::Simulation, largest: &mut f64| {
        *largest = simulation.coordinates(hinge)[0].abs().max(*largest);
        match simulation.state().time {
            // A push of 10 N for half a second.
            time if time < 0.5 => Input::default().with_force(rod, Vec3::x() * 10.0),
            _ => Input::default(),
        }
    };
    ensemble.run(3.0, drive, |advance| {
        if advance.finished == advance.members {
            println!("{} steps", advance.of);
        }
    });
    for (k, member) in ensemble.members().iter().enumerate() {
        println!(
            "damping {:.2} N·m·s/rad: {:5.1} degrees",
            0.05 * k as f64,
            member.own.to_degrees()
        );
    }
    let swings: Vec<f64> = ensemble.members().iter().map(|m| m.own).collect();
    assert!(
        swings.is_sorted_by(|a, b| a > b),
        "more damping, less swing: {swings:?}"
    );
    Ok(())
}
