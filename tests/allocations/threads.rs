//! Steps whose work is shared by several threads.

use crate::TOGETHER;
use driftless::integrators;
use driftless::scene;
use driftless::sim::{Input, Simulation};
use driftless::threads;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts what all threads allocate from now on in one place. Each item waits for all others, so that no thread has two.
fn count_together(count: &'static AtomicU64) {
    let all = Barrier::new(threads::count());
    let mut items = vec![(); threads::count()];
    threads::each(&mut items, |_, ()| {
        TOGETHER.set(Some(count));
        all.wait();
    });
}

/// Allocations of all threads in steps that the simulation has gone through before.
fn allocations(mut sim: Simulation, steps: u64) -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let input = Input::default();
    threads::with(3, || {
        count_together(&COUNT);
        let mut run = || {
            for _ in 0..steps {
                sim.step(&input).expect("the step succeeds");
            }
            sim.reset();
            COUNT.load(Ordering::Relaxed)
        };
        let first = run();
        assert!(first > 0, "what is counted is counted on all threads");
        // A copy is as large as what it copies, and what changes places with it may be larger.
        let second = run();
        run() - second
    })
}

#[test]
fn nothing_is_allocated_by_handing_work_over() {
    // Pairs and islands of both kinds: of the linearised problem, and with intervals of their own. What is solved exactly makes a
    // system for every pattern of contacts that is new.
    let mut bodies = String::new();
    for k in 0..72 {
        let (tower, level) = (k / 4, k % 4);
        let z = 0.1 + 0.2 * f64::from(level);
        bodies += &format!(
            "\"b{k}\": (mass: 1, shape: (box: (size: (0.2, 0.2, 0.2))), position: ({}, {}, {z})), ",
            tower % 5,
            tower / 5
        );
    }
    let text = |extra: &str, joints: &str| {
        format!(
            "(version: 1, bodies: {{{bodies} {extra}}}, {joints} world: [(half_space: ())],
              contact: (materials: {{\"m\": (friction: 0.5)}}), integrator: (dt: 0.01))"
        )
    };
    let wheel = "\"wheel\": (mass: 1, inertia: (0.004, 0.004, 0.004), position: (-5, 0, 5), spin: (250, 0, 0))";
    let hinge = "joints: {\"hinge\": (kind: revolute, child: \"wheel\", anchor: (-5, 0, 5), axis: (1, 0, 0), \
                 in_world: true)},";
    let scene = |name: &str, text: &str| scene::from_text(name, text, &[]);
    for (name, scene, steps) in [
        ("towers", scene("towers", &text("", "")), 20),
        (
            "towers beside a wheel",
            scene("towers", &text(wheel, hinge)),
            6,
        ),
        // One island that is large enough for parts. Bodies that went on in intervals of their own keep their room for four steps in which
        // some do: in this heap it is one of all steps, so that each run has the room of the one before.
        (
            "a pit",
            scene::open("pit:bodies=330,width=2,seed=10", &[]),
            140,
        ),
    ] {
        let mut scene = scene.expect("the scene is right");
        let info = integrators::find(&scene.integrator).expect("its method is listed");
        let options = &mut scene.settings.options;
        let set = options.set(info.options, "contact_accuracy", &"live".into());
        set.expect("the method has the option");
        let sim = scene.simulation().expect("its method runs it");
        let found = allocations(sim, steps);
        assert_eq!(found, 0, "{name}: {found} allocations");
    }
}
