//! Bodies against surfaces of triangles: none gets into one unseen, none goes through, and energy does not rise. How deep they are in each
//! other is told here by points all over the triangles and by nothing that steps use.

use super::meshes::{MESHES, Surfaces, mesh};
use crate::contact::text::vector;
use crate::mechanics::random::Numbers;
use driftless::math::Vec3;
use driftless::scene;
use driftless::sim::Input;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

const SHAPES: [&str; 7] = [
    "sphere: (radius: 0.08)",
    "box: (size: (0.2, 0.14, 0.05))",
    "capsule: (radius: 0.03, length: 0.3)",
    "cylinder: (radius: 0.1, length: 0.04)",
    "cone: (radius: 0.1, length: 0.2)",
    "ellipsoid: (radii: (0.2, 0.08, 0.1))",
    "box: (size: (0.6, 0.03, 0.05))",
];

/// Part of its half-width by which a body may be in a surface unseen at the end of a step: motions are cut where they would leave it deeper by a
/// fiftieth of its width.
const SEEN: f64 = 0.05;

/// A body thrown at a surface.
#[derive(Debug, Clone)]
struct Throw {
    shape: usize,
    mesh: usize,
    /// Whether the surface is of the world, and four times as large.
    fixed: bool,
    /// From where to the middle (m), how far aside, and how fast (m/s).
    way: ([f64; 3], f64, f64),
    aside: [f64; 3],
    turns: [[f64; 3]; 2],
    spins: [[f64; 3]; 2],
    mass: f64,
    friction: f64,
}

fn throws() -> impl Strategy<Value = Throw> {
    let part = |scale: f64| prop::array::uniform3(-scale..scale);
    let what = (0..SHAPES.len(), 0..MESHES.len(), any::<bool>());
    let way = (part(1.0), 0.5..0.9f64, 0.3..2.0f64);
    let turns = prop::array::uniform2(part(3.0));
    let spins = prop::array::uniform2(part(12.0));
    let rules = (-1.0..1.0f64, prop::sample::select(vec![0.0, 0.3, 0.8]));
    (what, way, part(0.1), turns, spins, rules).prop_map(
        |((shape, mesh, fixed), (from, far, speed), aside, turns, spins, (mass, friction))| Throw {
            shape,
            mesh,
            fixed,
            way: (from, far, 10_f64.powf(speed)),
            aside,
            turns,
            spins,
            mass: 10_f64.powf(mass),
            friction,
        },
    )
}

impl Throw {
    fn text(&self, method: &str) -> String {
        let (from, far, speed) = self.way;
        let from = Vec3::from(from).try_normalize(1e-3).unwrap_or(Vec3::z());
        let scale = if self.fixed { 4.0 } else { 1.0 };
        // Beyond a surface of half a metre, or half of a ring's hole away from its middle.
        let start = from * (far + 0.4 * (scale - 1.0)) + Vec3::from(self.aside);
        let velocity = from * -speed;
        let turn = |turn: [f64; 3]| {
            let turn = Vec3::from(turn);
            let (axis, angle) = (turn + Vec3::z() * 1e-9, turn.norm());
            format!(
                "(axis: ({:?}, {:?}, {:?}), angle: {angle:?})",
                axis.x, axis.y, axis.z
            )
        };
        let surface = mesh(MESHES[self.mesh], scale);
        let (body, world) = if self.fixed {
            (
                String::new(),
                format!("({surface}, orientation: {})", turn(self.turns[1])),
            )
        } else {
            let body = format!(
                "\"surface\": (mass: {:?}, shape: ({surface}), orientation: {}, spin: {}),",
                self.mass,
                turn(self.turns[1]),
                vector(self.spins[1], 1.0)
            );
            (body, String::new())
        };
        format!(
            "(version: 1, gravity: (0, 0, 0), bodies: {{ {body}
                \"b\": (mass: 1, shape: ({}), position: {}, orientation: {}, velocity: {}, spin: {}) }},
            world: [{world}], contact: (materials: {{\"m\": (friction: {:?})}}), integrator: (method: {method:?}, dt: 0.01))",
            SHAPES[self.shape],
            vector(start.into(), 1.0),
            turn(self.turns[0]),
            vector(velocity.into(), 1.0),
            vector(self.spins[0], 1.0),
            self.friction,
        )
    }
}

/// Steps until a body has passed a surface; the deepest that it is in it at the end of a step, and not by the report.
fn run(text: &str, steps: usize, gain: f64) -> f64 {
    let scene = scene::from_text("surface", text, &[]).expect("the scene is right");
    let surfaces = Surfaces::of(&scene.model);
    let mut sim = scene.simulation().expect("it runs");
    let first = sim.energy().total();
    let mut unseen = surfaces.deepest(&scene.model, &sim.state().bodies);
    if unseen > 0.0 {
        return 0.0;
    }
    for step in 1..=steps {
        let done = sim.step(&Input::default());
        let told = match done {
            Ok(report) => report.contact.penetration,
            Err(error) => panic!("step {step}: {error} in {text}"),
        };
        if told <= 1e-6 {
            unseen = unseen.max(surfaces.deepest(&scene.model, &sim.state().bodies));
        }
        let energy = sim.energy().total();
        assert!(
            energy <= first * (1.0 + gain),
            "step {step}: {energy} J of {first} J in {text}"
        );
    }
    unseen
}

/// The deepest that a body of many throws is in a surface unseen, in half-widths, with its throw; `gain` is the part of its energy that may
/// be made.
fn deepest(count: usize, method: &str, gain: f64) -> (f64, String) {
    let mut runner = TestRunner::deterministic();
    let mut deepest = (0.0, String::new());
    for _ in 0..count {
        let tree = throws().new_tree(&mut runner);
        let throw = tree.expect("nothing is rejected").current();
        let (_, _, speed) = throw.way;
        let text = throw.text(method);
        let unseen = run(&text, (2.5 / speed / 0.01) as usize + 3, gain);
        if unseen > deepest.0 {
            deepest = (unseen, text);
        }
    }
    deepest
}

/// At 2 to 100 m/s and 20 rad/s no step fails and no energy is made. Of 60 bodies that fell on such meshes at 2 m/s nineteen had been as deep
/// as 5 cm in one, 1e-16 m by the report; of 60 that were shot at them five had gone through, and one came back with 571 times its energy.
/// Of 2000 random throws none is deeper than a hundredth of its half-width unseen.
#[test]
fn nothing_gets_into_a_surface_unseen() {
    let (unseen, text) = deepest(200, "variational-2", 1e-6);
    assert!(unseen <= SEEN, "{unseen} half-widths in {text}");
}

/// The compliant method takes shorter parts of a step where bodies would go into a surface. Of 60 that fell on a ring three had been in it by
/// 2 cm, and one had come out with 2.7 times its energy. Its error of energy is of first order in the turn of a part.
#[test]
fn nothing_gets_into_a_surface_unseen_under_the_compliant_method() {
    let (unseen, text) = deepest(200, "compliant", 0.01);
    assert!(unseen <= SEEN, "{unseen} half-widths in {text}");
}

/// A body is shot at the middle of a plate, a sheet, a bar and the body of a ring: it pushes them on.
#[test]
fn nothing_goes_through_a_surface() {
    for (m, name) in MESHES.iter().enumerate() {
        for (s, shape) in SHAPES.iter().enumerate() {
            let speed = 5.0 * 1.9_f64.powi((3 * s + m) as i32 % 7);
            // The wall of the ring is beside its middle.
            let beside = if *name == "ring" { 0.25 } else { 0.02 };
            let text = format!(
                "(version: 1, gravity: (0, 0, 0), bodies: {{
                    \"surface\": (mass: 1, shape: ({})),
                    \"b\": (mass: 1, shape: ({shape}), position: ({beside}, 0.01, 0.7), velocity: (0, 0, -{speed:?}), orientation: (axis: (1, {s}, 2), angle: 0.{s}5)) }},
                contact: (materials: {{\"m\": (friction: 0)}}), integrator: (dt: 0.01))",
                mesh(name, 1.0)
            );
            let scene = scene::from_text("shot", &text, &[]).expect("the scene is right");
            let mut sim = scene.simulation().expect("it runs");
            for _ in 0..(1.4 / speed / 0.01) as usize + 3 {
                sim.step(&Input::default()).expect("it hits and goes on");
            }
            let pushed = -sim.state().bodies[0].velocity.linear.z;
            assert!(
                pushed > 0.1 * speed,
                "{shape} at {name}, {speed} m/s: {pushed} m/s"
            );
        }
    }
}

/// Three flat pieces of one height that slide into each other on a floor, the outer two of them meshes of a plate as the middle one or cylinders; none
/// comes nearer to another than both are wide. The corners and rims of one lie in the top and the bottom of the other, which are no way out: of a
/// hundred such runs 25 had one that went through.
#[test]
fn what_is_as_high_as_another_is_pushed_on_by_it() {
    const WIDTH: f64 = 0.4;
    for seed in 0..60 {
        let (method, sunk) = [("variational-2", 1e-6), ("compliant", 0.01)][seed as usize % 2];
        let mut numbers = Numbers(seed);
        let pieces = (0..3).map(|k| {
            let side = 1.0 - f64::from(k);
            let shape = match numbers.next() > 0.0 && k != 1 {
                true => format!("cylinder: (radius: {}, length: 0.03)", 0.5 * WIDTH),
                false => mesh("plate", 1.0),
            };
            let [x, y, z] = [-0.8 * side, 0.1 * numbers.next(), 0.015];
            let speed = side * (1.75 + 1.25 * numbers.next());
            let [mass, angle, spin] = [
                10.0_f64.powf(numbers.next()),
                1.5 * (1.0 + numbers.next()),
                2.0 * numbers.next(),
            ];
            format!(
                "\"{k}\": (mass: {mass:?}, shape: ({shape}), position: ({x:?}, {y:?}, {z:?}), orientation: (axis: (0, 0, 1), angle: {angle:?}), velocity: ({speed:?}, 0, 0), spin: (0, 0, {spin:?})),"
            )
        });
        let pieces: String = pieces.collect();
        let text = format!(
            "(version: 1, bodies: {{ {pieces} }}, world: [(half_space: ())],
            contact: (materials: {{\"m\": (friction: 0.1)}}), integrator: (method: {method:?}, dt: 0.01))"
        );
        let scene = scene::from_text("pieces", &text, &[]).expect("the scene is right");
        let mut sim = scene.simulation().expect("it runs");
        for step in 0..100 {
            sim.step(&Input::default()).expect("they slide");
            let bodies = &sim.state().bodies;
            for (a, b) in [(0, 1), (1, 2), (0, 2)] {
                let apart = (bodies[a].position - bodies[b].position).norm();
                assert!(
                    apart > WIDTH - sunk,
                    "{apart} m, step {step} of pieces {seed}, {method}"
                );
            }
        }
    }
}
