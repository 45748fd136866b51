//! A pendulum in code: build, run, measure.

use driftless::build::{Body, Joint, Mechanism};
use driftless::sim::Input;
use std::error::Error;

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    // A rod of 1 kg and 1 m that hangs from its frame, on a hinge about y; the hinge says where the rod is.
    let rod = Body::new("rod")
        .mass(1.0)
        .capsule(0.02, [0.0; 3], [0.0, 0.0, -1.0]);
    let hinge = Joint::revolute("hinge")
        .child("rod")
        .axis([0.0, 1.0, 0.0])
        .at(1.0);
    let scene = Mechanism::new().body(rod).joint(hinge).dt(0.005).scene()?;

    let mut simulation = scene.simulation()?;
    let hinge = simulation.model().joint("hinge").ok_or("no hinge")?;
    for step in 0..400 {
        if step % 40 == 0 {
            let (time, angle) = (simulation.state().time, simulation.coordinates(hinge)[0]);
            println!("t = {time:.2} s: {:6.1} degrees", angle.to_degrees());
        }
        simulation.step(&Input::default())?;
    }
    let sample = simulation.sample();
    println!(
        "energy error {:.1e} J, joint open by {:.1e} m",
        sample.energy_error, sample.drift_position
    );
    assert!(sample.energy_error.abs() < 1e-3 && sample.drift_position < 1e-9);
    Ok(())
}
