//! Dragging everything in every scene with contact, wildly: nothing fails, breaks, falls through or goes faster than
//! the mouse can make it. Few bodies are dragged for 1500 steps, some two hundred for 30.

use crate::contact::clearance::clearance;
use crate::contact::touching::Remnant;
use crate::mechanics::mouse::wild;
use driftless::math::Vec3;
use driftless::model::{Geometry, Model, State};
use driftless::scene;
use driftless::sim::Simulation;

/// Scenes with contact: all that are shipped, and the parametric ones.
fn scenes() -> Vec<String> {
    let shipped = scene::shipped().iter().map(|s| s.name.to_owned());
    let parametric = [
        "drop:height=0.4",
        "slope:degrees=15,mu=0.25",
        "box-stack:boxes=5",
        "sphere-stack:spheres=10",
        "sphere-chain:spheres=10",
        "pit:bodies=20",
    ];
    shipped
        .chain(parametric.map(str::to_owned))
        .filter(|name| {
            let scene = scene::open(name, &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
            scene.model.has_unilateral()
        })
        .collect()
}

/// How deep the centre of any body is below the ground [m]; a body that has fallen through only gets deeper.
fn sunk(model: &Model, state: &State) -> f64 {
    let grounds = model
        .world_shapes
        .iter()
        .filter(|s| matches!(s.geometry, Geometry::HalfSpace));
    grounds
        .flat_map(|ground| {
            let up = ground.pose.rotation * Vec3::z();
            let depth = move |at: &Vec3| -(at - ground.pose.translation.vector).dot(&up);
            state.bodies.iter().map(move |b| depth(&b.position))
        })
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Drags for so many steps; returns the deepest penetration.
fn survive(name: &str, steps: u64) -> f64 {
    let scene = scene::open(name, &[]).expect("it was opened before");
    let mut sim: Simulation = scene.simulation().expect("its method runs it");
    let bodies = sim.model().bodies.len();
    let (mut deepest, mut fastest, mut remnant) = (0.0f64, 0.0f64, Remnant::default());
    for step in 0..steps {
        if let Err(error) = sim.step(&wild(step, bodies)) {
            panic!("{name}, step {step}: {error}");
        }
        for v in sim.velocities() {
            fastest = fastest.max(v.linear.norm());
        }
        // The mouse pulls over up to 90 m at a rate of 10 /s.
        assert!(fastest < 1000.0, "{name}, step {step}: {fastest} m/s");
        let sample = sim.sample();
        assert!(
            sample.energy.total().is_finite(),
            "{name}, step {step}: {sample:?}"
        );
        let depth = sample.penetration.max(-clearance(sim.model(), sim.state()));
        if depth > remnant.after(&sim) {
            deepest = deepest.max(depth);
        }
        let sunk = sunk(sim.model(), sim.state());
        assert!(
            sunk < 1e-3,
            "{name}, step {step}: a body is {sunk} m below the ground"
        );
    }
    let outcomes = sim.outcomes();
    println!(
        "{name}: {steps} steps, fastest {fastest:.0} m/s, deepest {deepest:.1e} m, {outcomes:?}"
    );
    assert_eq!(outcomes.failed, 0, "{name}");
    deepest
}

#[test]
fn no_mouse_is_wild_enough_to_break_a_scene_with_contact() {
    for name in scenes() {
        let scene = scene::open(&name, &[]).expect("it opens");
        // As many steps as a second or two allow: 6000 of one body, spread over all of them.
        let steps = (6_000 / scene.model.bodies.len() as u64).clamp(30, 1500);
        let deepest = survive(&name, steps);
        if scene.integrator == "compliant" {
            // Surfaces that give are there to be pressed in.
            continue;
        }
        // What many bodies are solved to grows with the speeds that the mouse gives them, of which a micrometre is that
        // of a fall.
        assert!(deepest < 5e-6, "{name}: {deepest:e} m deep");
    }
}
