//! What holds on one side only, when a state beyond it is taken over: bodies are moved back without velocity.

use crate::switching::simulation;
use driftless::scene;
use driftless::sim::Input;

/// A limit that is moved past where the joint is: the joint goes back within it without any velocity. A step would do it
/// within dt, at 30 rad/s.
#[test]
fn limits_that_an_edit_moves_past_the_state_are_met_without_velocity() {
    let text = "(version: 1, bodies: {\"a\": (mass: 1, inertia: (0.1, 0.1, 0.1))}, joints: {\"j\": (kind: revolute, \
                child: \"a\", child_anchor: (0, 0, 1), axis: (1, 0, 0), at: \"40 deg\", limits: [(lower: -1, upper: 1)])})";
    let scene = scene::from_text("limited", text, &[]).expect("it is sound");
    for method in ["variational", "variational-2"] {
        let mut sim = simulation(&scene, method);
        let _ = sim.step(&Input::default()).expect("it runs");
        let before = sim.sample();
        let mut model = sim.model().clone();
        model.joints[0].limits[0].upper = 0.4;
        sim.set_model(model).expect("it can be met");
        let angle = sim.coordinates(driftless::model::JointId(0))[0];
        assert!(angle <= 0.4 + 1e-9, "{method}: {angle}");
        let done = sim.take_correction().expect("a change was made");
        assert!(
            (done.apart - (40f64.to_radians() - 0.4)).abs() < 1e-2,
            "{method}: {done}"
        );
        let after = sim.sample();
        // 1 kg falls by less than 1 m.
        assert!(
            after.energy.kinetic <= before.energy.kinetic + 1e-9,
            "{method}"
        );
        assert!(
            (after.energy_error - before.energy_error).abs() < 1e-9,
            "{method}"
        );
        for _ in 0..200 {
            let _ = sim.step(&Input::default()).expect("it goes on");
        }
        assert!(
            sim.sample().energy.total() <= after.energy.total() + 0.05,
            "{method}"
        );
    }
}

/// Bodies in each other are moved apart without velocity. A step would throw them at 5 m/s.
#[test]
fn a_block_loaded_inside_the_floor_is_lifted_out_and_stays() {
    let text = "(version: 1, bodies: {\"a\": (mass: 1, shape: (box: (size: (0.2, 0.2, 0.2))), position: (0, 0, 0.1))}, \
                world: [(half_space: ())], contact: ())";
    let scene = scene::from_text("block", text, &[]).expect("it is sound");
    let mut sim = simulation(&scene, "variational-2");
    for _ in 0..20 {
        let _ = sim.step(&Input::default()).expect("it rests");
    }
    let mut sunk = sim.state().clone();
    sunk.bodies.iter_mut().for_each(|b| b.position.z -= 0.05);
    let rest = sim.sample();
    sim.load(sunk).expect("it can be lifted");
    let done = sim.take_correction().expect("a change was made");
    assert!((done.apart - 0.05).abs() < 0.01, "{done}");
    for _ in 0..200 {
        let _ = sim.step(&Input::default()).expect("it rests");
        // What is left to fall is rounding.
        assert!(sim.sample().energy.kinetic <= rest.energy.kinetic + 1e-6);
    }
}
