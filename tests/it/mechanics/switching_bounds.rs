//! What is a unilateral constraint, when a state beyond it is taken over: it is mended at a bounded speed, and nothing
//! is thrown.

use crate::mechanics::switching::simulation;
use driftless::scene;
use driftless::sim::Input;

/// Fastest at which an interval mends a violation [m/s, rad/s].
const MENDING: f64 = 0.5;

/// A limit that is moved past where the joint is. To be within it after one step would take 30 rad/s.
#[test]
fn limits_that_an_edit_moves_past_the_state_are_met_at_a_bounded_speed() {
    let text = "(version: 1, gravity: (0, 0, 0), bodies: {\"a\": (mass: 1, inertia: (0.1, 0.1, 0.1))}, joints: {\"j\": \
                (kind: revolute, child: \"a\", child_anchor: (0, 0, 1), axis: (1, 0, 0), at: \"40 deg\", \
                limits: [(lower: -1, upper: 1)])})";
    let scene = scene::from_text("limited", text, &[]).expect("it is sound");
    for method in ["variational", "variational-2"] {
        let mut sim = simulation(&scene, method);
        let _ = sim.step(&Input::default()).expect("it runs");
        let mut model = sim.model().clone();
        model.joints[0].limits[0].upper = 0.4;
        sim.set_model(model).expect("it can be met");
        for _ in 0..200 {
            let _ = sim.step(&Input::default()).expect("it goes on");
            // Moment of inertia about the hinge: 0.1 + 1·1².
            let most = 0.5 * 1.1 * MENDING * MENDING;
            let kinetic = sim.sample().energy.kinetic;
            assert!(kinetic <= most * 1.001, "{method}: {kinetic} J");
        }
        let angle = sim.coordinates(driftless::model::JointId(0))[0];
        assert!(angle <= 0.4 + 1e-9, "{method}: {angle}");
    }
}

/// To be out of the floor after one step would take 5 m/s, and throw the block a metre high.
#[test]
fn a_block_loaded_inside_the_floor_comes_out_at_a_bounded_speed_and_stays() {
    let text = "(version: 1, bodies: {\"a\": (mass: 1, shape: (box: (size: (0.2, 0.2, 0.2))), position: (0, 0, 0.1))}, \
                world: [(half_space: ())], contact: ())";
    let scene = scene::from_text("block", text, &[]).expect("it is sound");
    let mut sim = simulation(&scene, "variational-2");
    for _ in 0..20 {
        let _ = sim.step(&Input::default()).expect("it rests");
    }
    let mut sunk = sim.state().clone();
    sunk.bodies[0].position.z -= 0.05;
    sim.load(sunk).expect("there are no joints to close");
    for _ in 0..200 {
        let _ = sim.step(&Input::default()).expect("it comes out");
        let height = sim.state().bodies[0].position.z;
        // What is thrown at v rises by v²/2g.
        assert!(
            height <= 0.1 + MENDING * MENDING / (2.0 * 9.81),
            "{height} m"
        );
    }
    let height = sim.state().bodies[0].position.z;
    assert!((height - 0.1).abs() < 1e-6, "{height} m");
}
