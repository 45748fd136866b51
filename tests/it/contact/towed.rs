//! A chain of fifty cubes dragged over the ground, joints and friction in one system.

use crate::contact::clearance::clearance;
use crate::contact::touching::watch;
use driftless::scene;
use driftless::sim::{Input, Simulation};

/// Cubes in the chain.
const LINKS: usize = 50;

/// Cubes of 1 kg and 0.2 m joined by ball joints half way between them. The first is driven to the speed of a function of
/// time along x and y, and nothing else holds it: a slide would bear some of its weight.
fn chain(dt: f64, x: &str, y: &str) -> Simulation {
    let drive =
        |k, rate| format!("(coordinate: {k}, pd: (stiffness: 0, damping: 1e4, rate: {rate}))");
    let mut bodies = Vec::new();
    let mut joints = vec![format!(
        "\"pull\": (kind: floating, child: \"cube_0\", anchor: (0, 0, 0.1), actuators: [{}, {}])",
        drive(0, x),
        drive(1, y)
    )];
    for k in 0..LINKS {
        let at = -0.25 * k as f64;
        bodies.push(format!(
            "\"cube_{k}\": (mass: 1, shape: (box: (size: (0.2, 0.2, 0.2))), position: ({at:?}, 0, 0.1))"
        ));
        if let Some(before) = k.checked_sub(1) {
            let anchor = at + 0.125;
            joints.push(format!(
                "\"ball_{k}\": (kind: spherical, parent: \"cube_{before}\", child: \"cube_{k}\",
                anchor: ({anchor:?}, 0, 0.1), in_world: true)"
            ));
        }
    }
    let text = format!(
        "(version: 1, gravity: (0, 0, -9.81), bodies: {{{}}}, joints: {{{}}}, world: [(half_space: ())],
        contact: (materials: {{\"cube\": (friction: 0.5)}}), integrator: (dt: {dt:?}))",
        bodies.join(", "),
        joints.join(", ")
    );
    let scene = scene::from_text("chain", &text, &[]).expect("the scene is right");
    scene.simulation().expect("it runs")
}

/// Whether energies can be read from the velocities at a knot: those of what slides follow the laws of contact there,
/// although the four corners of every cube may share their load in any way.
#[test]
fn velocities_of_a_chain_that_slides_follow_the_laws_of_contact_at_every_knot() {
    let mut sim = chain(0.01, "[(0, 0), (0.5, 0.5)]", "0");
    for k in 0..60 {
        sim.step(&Input::default()).expect("it steps");
        assert!(!sim.sample().rough_velocities, "step {k}");
    }
}

/// Fifty cubes in a row are pulled at 0.5 m/s, and then the pull turns by a right angle, so that the chain follows round a
/// corner. At constant speed the pull is µ m g; nothing sinks, opens or fails, and the account of energy closes.
#[test]
fn a_chain_of_cubes_is_dragged_round_a_corner() {
    let mut sim = chain(
        0.01,
        "[(0, 0), (0.5, 0.5), (1.5, 0.5), (2, 0)]",
        "[(1.5, 0), (2, 0.5)]",
    );
    let mut marks = Vec::new();
    watch(&mut sim, 400, |sim| {
        let found = clearance(sim.model(), sim.state());
        assert!(found.abs() < 1e-9, "step {}: {found:e} m", sim.state().step);
        let open = driftless::diagnostics::worst_drift(sim.model(), sim.state());
        assert!(open.position.0 < 1e-9, "joints open by {open:?}");
        if [80, 140].contains(&sim.state().step) {
            let along = sim.state().bodies[0].position.x;
            marks.push((along, sim.state().work.external));
        }
    });
    let pull = (marks[1].1 - marks[0].1) / (marks[1].0 - marks[0].0);
    // All points slide alike, and the solver keeps their law to 1e-10.
    let wanted = 0.5 * LINKS as f64 * 9.81;
    println!("pull {pull} N of {wanted} N, {:?}", sim.outcomes());
    assert!(
        (pull / wanted - 1.0).abs() < 1e-6,
        "{pull} N, not {wanted} N"
    );
    // The head goes along y already, while the tail follows the old line.
    let (head, tail) = (
        sim.state().bodies[0].position,
        sim.state().bodies[LINKS - 1].position,
    );
    assert!(head.y > 0.5 && tail.y.abs() < 1e-3, "{head:?} {tail:?}");
    let end = sim.sample();
    assert!(end.contact_loss[1] > 100.0, "{end:?}");
    // Speeding up at 1 m/s² the account errs by the square of the step, 1e-4 of the work.
    let error = end.energy_error / end.external_work;
    assert!(error.abs() < 2e-4, "{error:e} of the work");
    assert_eq!(sim.outcomes().relaxed + sim.outcomes().failed, 0);
}

/// What the account of energy does not close by while the chain gains speed is of the second order in the step.
#[test]
fn the_account_of_a_dragged_chain_closes_with_the_square_of_the_step() {
    let errors = [0.01, 0.005].map(|dt| {
        let mut sim = chain(dt, "[(0, 0), (0.5, 0.5)]", "0");
        watch(&mut sim, (0.45 / dt) as u64, |_| {});
        sim.sample().energy_error
    });
    let ratio = errors[0] / errors[1];
    println!("{errors:?} J, {ratio}");
    assert!((3.5..4.5).contains(&ratio), "{errors:?} J");
}
