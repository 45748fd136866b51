//! Scenes in contact: contacts that come and go, every solver, both sections of the cone.

use crate::COUNT;
use driftless::integrators::{FrictionCone, Settings, find};
use driftless::scene;
use driftless::sim::{Input, Simulation};

/// Allocations of some steps of a scene that the simulation has gone through once before, with these settings changed.
fn allocations_in_contact(spec: &str, steps: u64, change: impl Fn(&mut Settings)) -> u64 {
    let mut scene = scene::open(spec, &[]).expect("a parametric scene opens");
    change(&mut scene.settings);
    let sim = scene.simulation().expect("its method runs it");
    allocations(sim, spec, steps)
}

/// Allocations of some steps that the simulation has gone through once before.
fn allocations(mut sim: Simulation, spec: &str, steps: u64) -> u64 {
    let input = Input::default();
    let run = |sim: &mut Simulation| {
        let mut most = 0;
        for _ in 0..steps {
            sim.step(&input).expect("the step succeeds");
            most = most.max(sim.report().contact.closed);
        }
        most
    };
    // The number of contacts changes on the way: the first time makes room for all of them.
    assert!(run(&mut sim) > 0, "{spec} must touch");
    sim.reset();
    let before = COUNT.get();
    run(&mut sim);
    COUNT.get() - before
}

#[test]
fn no_step_in_contact_allocates() {
    for (spec, steps) in [
        ("box-stack:boxes=10", 50),
        ("slope:degrees=15,mu=0.125", 50),
        ("drop:height=0.1", 50),
        ("sphere-chain:spheres=10", 150),
    ] {
        let found = allocations_in_contact(spec, steps, |_| {});
        assert_eq!(found, 0, "{spec}: {found} allocations in {steps} steps");
    }
}

#[test]
fn bodies_that_touch_and_part_allocate_nothing_and_neither_do_linearised_cones() {
    // Balls that hit each other in turn: which bodies touch changes all the time, and each pattern used to make its
    // system anew, with some hundred allocations.
    let found = allocations_in_contact("newtons_cradle", 2000, |_| {});
    assert_eq!(found, 0, "newtons_cradle: {found} allocations");
    // Every edge of a cone has its variables in the interior point, a list for every contact.
    for solver in ["interior-point", "hybrid"] {
        let found = allocations_in_contact("slope:degrees=15,mu=0.25", 50, |settings| {
            let info = find("variational-2").expect("it is listed");
            let set = (settings.options).set(info.options, "contact_solver", &solver.into());
            set.expect("it has the option");
            settings.friction = FrictionCone::Linearised(8);
        });
        assert_eq!(found, 0, "{solver}: {found} allocations");
    }
}

/// A cube that rocks on the elements of its bed, and a ball that bounces beside it by Hertz's law.
#[test]
fn surfaces_that_give_allocate_nothing() {
    let text = r#"(
        version: 1,
        world: [(half_space: (), material: "steel", foundations: [
            (elements: (12, 12), extent: (1, 1), depth: 0.1, modulus: 1e5, damping: 20)])],
        bodies: {
            "cube": (mass: 5, shape: (box: (size: (1, 1, 1))), position: (0, 0, 0.6), angular_velocity: (0.5, 0.2, 0)),
            "ball": (mass: 1, material: "steel", shape: (sphere: (radius: 0.1)), position: (3, 0, 0.3)),
        },
        contact: (materials: { "smooth": (friction: 0.2), "steel": (hertz: (modulus: 1e8, damping: 100, radius: 0.1)) }),
        integrator: (method: "compliant", dt: 0.005),
    )"#;
    let scene = scene::from_text("surfaces", text, &[]).expect("it is valid");
    let sim = scene.simulation().expect("its method runs it");
    let found = allocations(sim, "surfaces", 300);
    assert_eq!(found, 0, "{found} allocations");
}

#[test]
fn islands_in_intervals_of_their_own_allocate_nothing() {
    let boxes: String = (0..4)
        .map(|k| format!("\"b{k}\": (mass: 1, shape: (box: (size: (0.1, 0.1, 0.1))), position: ({k}, 0, 0.05)), "))
        .collect();
    let text = format!(
        "(version: 1, bodies: {{{boxes} \"wheel\": (mass: 1, inertia: (0.004, 0.004, 0.004), position: (-5, 0, 5),
            spin: (250, 0, 0))}},
        joints: {{\"hinge\": (kind: revolute, child: \"wheel\", anchor: (-5, 0, 5), axis: (1, 0, 0), in_world: true)}},
        world: [(half_space: ())], contact: (materials: {{\"m\": (friction: 0.5)}}), integrator: (dt: 0.01))"
    );
    let scene = scene::from_text("islands", &text, &[]).expect("the scene is right");
    let mut sim = scene.simulation().expect("its method runs it");
    let input = Input::default();
    for _ in 0..40 {
        sim.step(&input).expect("the step succeeds");
        assert!(sim.report().substeps > 0 && sim.report().contact.closed > 0);
    }
    let before = COUNT.get();
    for _ in 0..20 {
        sim.step(&input).expect("the step succeeds");
    }
    assert_eq!(COUNT.get() - before, 0);
}
