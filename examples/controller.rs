//! A first program with a controller: a pendulum held upright.

use driftless::build::{Body, Joint, Mechanism};
use driftless::sim::Input;

/// Runs it.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (y, tip) = ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let rod = Body::new("rod").capsule(0.02, [0.0; 3], tip);
    let hinge = Joint::revolute("hinge").child("rod").axis(y).at(0.8);
    let scene = Mechanism::new().body(rod).joint(hinge).scene()?;
    let mut simulation = scene.simulation()?;
    let hinge = simulation.model().joint("hinge").ok_or("no hinge")?;
    for _ in 0..500 {
        let angle = simulation.coordinates(hinge)[0];
        let torque = -40.0 * angle - 8.0 * simulation.rates(hinge)[0]; // [N·m]
        simulation.step(&Input::default().with_command(hinge, 0, torque))?;
    }
    println!(
        "{:.1e} rad from upright",
        simulation.coordinates(hinge)[0].abs()
    );
    Ok(())
}
