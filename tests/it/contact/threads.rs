//! What is computed does not depend on the number of threads.

use driftless::math::Vec3;
use driftless::model::{BodyId, Drag, DragGoal, Input};
use driftless::scene;
use driftless::threads;

/// Towers on one floor, each an island; the wheel asks for shorter intervals, so that every island takes its own.
fn towers(count: usize, high: usize, spins: bool) -> String {
    let boxes: String = (0..count * high)
        .map(|k| {
            let (tower, level) = (k / high, k % high);
            let [x, y] = [tower % 6, tower / 6].map(|place| place as f64);
            // No tower is like the others: each is turned and shifted by its own numbers.
            let turn = (7 * k % 11) as f64;
            let shift = 0.002 * ((5 * k % 7) as f64 - 3.0);
            let z = 0.1 + 0.201 * level as f64;
            format!(
                "\"b{k}\": (mass: 1, shape: (box: (size: (0.2, 0.2, 0.2))), position: ({}, {y}, {z}),
                 orientation: (axis: (0, 0, 1), angle: \"{turn} deg\")), ",
                x + shift
            )
        })
        .collect();
    let wheel = match spins {
        true => {
            "\"wheel\": (mass: 1, inertia: (0.004, 0.004, 0.004), position: (-5, 0, 5), spin: (250, 0, 0))"
        }
        false => "",
    };
    let joints = match spins {
        true => {
            "joints: {\"hinge\": (kind: revolute, child: \"wheel\", anchor: (-5, 0, 5), axis: (1, 0, 0), in_world: true)},"
        }
        false => "",
    };
    format!(
        "(version: 1, bodies: {{{boxes} {wheel}}}, {joints} world: [(half_space: ())],
          contact: (materials: {{\"m\": (friction: 0.5)}}), integrator: (dt: 0.01))"
    )
}

/// Hashes of the states of some steps, taken with so many threads, and the contact points of the last.
fn hashes(text: &str, steps: u64, count: usize) -> (Vec<u64>, usize) {
    let scene = match text.starts_with('(') {
        true => scene::from_text("towers", text, &[]),
        false => scene::open(text, &[]),
    };
    let mut sim = scene.expect("it is right").simulation().expect("it runs");
    threads::with(count, || {
        assert_eq!(threads::count(), count);
        let step = |step: u64| {
            let mut input = Input::default();
            if step % 3 == 1 {
                // Someone pulls a body, which changes what is moving.
                input.drag = Some(Drag {
                    body: BodyId(2),
                    point: Default::default(),
                    goal: DragGoal::Pull(Vec3::new(0.3, 0.2, 1.0)),
                });
            }
            sim.step(&input).expect("the step succeeds");
            sim.energy();
            sim.state().digest()
        };
        let hashes = (0..steps).map(step).collect();
        (hashes, sim.state().contacts.len())
    })
}

/// The law: bits are a function of scene, input and settings. Every scene has more pairs, contact points and bodies than it
/// takes for work to be handed over, so that several threads do take part.
#[test]
fn states_are_the_same_with_one_two_and_four_threads() {
    for (name, text, steps) in [
        ("a pit", "pit:bodies=200,width=2,seed=5".into(), 115),
        (
            "balls",
            "pit:bodies=100,kind=spheres,width=2,mu=0.5,seed=2".into(),
            40,
        ),
        ("towers", towers(24, 4, false), 8),
        ("towers beside a wheel", towers(6, 2, true), 5),
    ] {
        let (one, points) = hashes(&text, steps, 1);
        assert!(
            name != "a pit" || points > 2 * threads::RUN,
            "{points} come in two runs"
        );
        for count in [2, 4] {
            let (several, _) = hashes(&text, steps, count);
            let differs = one.iter().zip(&several).position(|(a, b)| a != b);
            assert_eq!(
                differs, None,
                "{name}, {count} threads: first step that differs"
            );
        }
    }
}
