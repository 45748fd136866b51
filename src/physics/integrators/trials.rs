//! Mechanisms and runs on which tests see how methods converge.

use super::{IntegratorInfo, Settings, StepReport, Written, build, find};
use crate::diagnostics::configuration_distance;
use crate::model::{BodyState, Input};
use crate::scene::{self, Scene};
use crate::sim::Simulation;

/// Two bodies without symmetry, one on a spherical joint and one on a universal joint, with a damper, a spring and a wrench
/// that changes with time: nothing about it is plane, and no angle comes near a quarter turn.
const TWO: &str = r#"(
    version: 1,
    bodies: {
        "a": (mass: 1.2, inertia: (0.05, 0.12, 0.09), centre: (0.4, 0.1, 0), spin: (2.5, -1.2, 1.7)),
        "b": (mass: 0.7, inertia: (0.03, 0.05, 0.06), centre: (0.3, 0, -0.1)),
    },
    joints: {
        "ball": (kind: spherical, child: "a", damping: 0.05),
        "cross": (kind: universal, parent: "a", child: "b", anchor: (0.8, 0.2, 0), axis: (1, 0.3, 0), rates: (1.5, -2)),
    },
    springs: { "line": (from: (body: "b", point: (0.6, 0, 0)), to: (point: (1, 1, 0.5)), stiffness: 12, rest: 0.4, damping: 0.1) },
    wrenches: { "push": (body: "b", axes: body, torque: ("0.2*sin(5*t)", 0.1, 0)) },
)"#;

/// Four bodies in a tree on joints of four kinds, all of which move.
const TREE: &str = r#"(
    version: 1,
    bodies: {
        "a": (mass: 2, inertia: (0.2, 0.3, 0.25), centre: (0.2, 0.3, 0)),
        "b": (mass: 0.8, inertia: (0.04, 0.05, 0.03), centre: (0.1, 0, 0.3)),
        "c": (mass: 1.5, inertia: (0.1, 0.07, 0.12), centre: (0, 0.4, 0.1)),
        "d": (mass: 0.5, inertia: (0.02, 0.03, 0.025), centre: (0.3, 0.1, -0.2)),
    },
    joints: {
        "1": (kind: revolute, child: "a", axis: (0.2, 1, 0.1), rates: 2),
        "2": (kind: universal, parent: "a", child: "b", anchor: (0.4, 0.5, 0.1), axis: (1, 0, 0.3), rates: (-3, 1.5)),
        "3": (kind: cylindrical, parent: "a", child: "c", anchor: (-0.2, 0.6, 0), axis: (0, 0.4, 1), rates: (0.3, 2.5)),
        "4": (kind: spherical, parent: "c", child: "d", anchor: (0, 0.8, 0.2)),
    },
)"#;

/// A scene of the library, [`TWO`] or [`TREE`].
pub fn scene(name: &str) -> Scene {
    match name {
        "tree" => scene::from_text("tree", TREE, &[]),
        "two" => scene::from_text("two", TWO, &[]),
        name => scene::open(name, &[]),
    }
    .unwrap_or_else(|e| panic!("{e}"))
}

/// A method with its options, `name=value` each.
pub fn chosen(name: &str, options: &[&str], dt: f64) -> (&'static IntegratorInfo, Settings) {
    let info = find(name).unwrap_or_else(|e| panic!("{e}"));
    let mut settings = Settings {
        dt,
        tolerance: 1e-12,
        ..Settings::default()
    };
    for option in options {
        let (name, value) = option.split_once('=').expect("name=value");
        let set = settings
            .options
            .set(info.options, name, &Written::from(value));
        set.unwrap_or_else(|e| panic!("{e}"));
    }
    (info, settings)
}

/// A simulation of a method on a scene.
pub fn simulation(scene: &Scene, name: &str, options: &[&str], dt: f64) -> Simulation {
    let (info, settings) = chosen(name, options, dt);
    Simulation::new(
        scene.model.clone(),
        scene.state.clone(),
        info.name,
        settings,
    )
    .unwrap_or_else(|e| panic!("{name} {options:?}: {e}"))
}

/// The simulation after steps that meet a time.
pub fn run(scene: &Scene, name: &str, options: &[&str], (end, steps): (f64, u32)) -> Simulation {
    let mut sim = simulation(scene, name, options, end / f64::from(steps));
    for k in 0..steps {
        let step = sim.step(&Input::default()).map(drop);
        step.unwrap_or_else(|e| panic!("{name} {options:?}, step {k} of {steps}: {e}"));
    }
    sim
}

/// Configuration distances from a reference for steps halved twice.
pub fn errors(
    scene: &Scene,
    name: &str,
    options: &[&str],
    (end, first): (f64, u32),
    reference: &[BodyState],
) -> [f64; 3] {
    [0, 1, 2].map(|k| {
        let sim = run(scene, name, options, (end, first << k));
        configuration_distance(&scene.model, &sim.state().bodies, reference)
    })
}

/// The order that the last halving shows.
pub fn order([_, coarse, fine]: &[f64; 3]) -> f64 {
    (coarse / fine).log2()
}

/// Bodies at a time, by two methods that have no coefficient in common and part by rounding only.
pub fn reference(scene: &Scene, (end, steps): (f64, u32), rounding: f64) -> Vec<BodyState> {
    let by = |options: &[&str]| {
        run(scene, "runge-kutta", options, (end, steps))
            .state()
            .bodies
            .clone()
    };
    let found = by(&["tableau=rk8"]);
    let other = by(&["tableau=rk67", "parametrisation=ep"]);
    let gap = configuration_distance(&scene.model, &found, &other);
    assert!(gap < rounding, "{gap}");
    found
}

/// Asserts that a method goes on from the state after ten steps, and nothing else, with the same bits as a run that is not
/// interrupted; the report of the twentieth step.
pub fn goes_on(scene: &Scene, name: &str, options: &[&str], dt: f64) -> StepReport {
    let mut whole = simulation(scene, name, options, dt);
    let (info, settings) = chosen(name, options, dt);
    let input = Input::default();
    for _ in 0..10 {
        whole.step(&input).expect("it runs");
    }
    let mut state = whole.state().clone();
    let mut fresh = build(info.name, &scene.model, &settings).expect("registered");
    let mut report = StepReport::default();
    for _ in 0..10 {
        whole.step(&input).expect("it runs");
        let step = fresh.step(&scene.model, &mut state, &input, &settings, &mut report);
        step.expect("it runs");
    }
    assert_eq!(state, *whole.state(), "{name} {options:?}");
    report
}
