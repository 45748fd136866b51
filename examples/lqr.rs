//! A cart that balances its pole by a linear quadratic regulator, from the linearisation of a step.

use driftless::build::{Body, Joint, Mechanism};
use driftless::sim::{Coordinates, Input};
use nalgebra::DMatrix;

/// Runs it.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (x, y) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let cart = Body::new("cart").cuboid([0.5, 0.3, 0.2]);
    let pole = Body::new("pole").capsule(0.02, [0.0; 3], [0.0, 0.0, 1.0]);
    let rail = Joint::prismatic("rail").child("cart").axis(x);
    let hinge = Joint::revolute("hinge")
        .parent("cart")
        .child("pole")
        .axis(y);
    let upright = Mechanism::new()
        .body(cart)
        .body(pole)
        .joint(rail)
        .joint(hinge);
    let mut simulation = upright.scene()?.simulation()?;
    let rail = simulation.model().joint("rail").ok_or("no rail")?;
    let hinge = simulation.model().joint("hinge").ok_or("no hinge")?;

    // x' = A x + B u at rest upright, and the gain that is best for all time.
    let force = |u: f64| Input::default().with_command(rail, 0, u);
    let next = simulation.linearise(&force(0.0), Coordinates::Joints)?;
    let gain = regulator(&next.state, &next.input).ok_or("the cart does not control the pole")?;

    simulation.step(&force(200.0))?; // [N]: a knock
    for _ in 0..1000 {
        let position = [
            simulation.coordinates(rail)[0],
            simulation.coordinates(hinge)[0],
        ];
        let rates = [simulation.rates(rail)[0], simulation.rates(hinge)[0]];
        let state = DMatrix::from_column_slice(4, 1, &[position, rates].concat());
        let u = -(&gain * state)[0];
        simulation.step(&force(u))?;
    }
    let [at, tilt] = [rail, hinge].map(|joint| simulation.coordinates(joint)[0].abs());
    println!("cart at {at:.1e} m, pole at {tilt:.1e} rad from upright");
    if at > 1e-3 || tilt > 1e-3 {
        return Err("the pole is not balanced".into());
    }
    Ok(())
}

/// The gain `K` of `u = -K x` for which the sum of `xᵀx + r u²` over all steps is least, by Riccati's iteration.
fn regulator(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let weight = DMatrix::identity(a.nrows(), a.nrows());
    let effort = DMatrix::identity(b.ncols(), b.ncols()) * 1e-3;
    let mut p = weight.clone();
    loop {
        let gain = (b.transpose() * &p * b + &effort).try_inverse()? * b.transpose() * &p * a;
        let next = a.transpose() * &p * (a - b * &gain) + &weight;
        let change = (&next - &p).amax() / next.amax();
        p = next;
        match change {
            change if change < 1e-12 => return Some(gain),
            change if change.is_finite() => {}
            _ => return None,
        }
    }
}
