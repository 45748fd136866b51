//! Elastic foundations with the compliant method: against statics, between bodies, and what other methods make of them.

use crate::contact::touching::DOWN;
use crate::mechanics::bench::{run, settings, simulation};
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::contact::pressures;
use driftless::math::{Quat, Vec3};
use driftless::model::{Axes, BodyId, Face, Force, Foundation, Model, Signal, State};
use driftless::sim::Simulation;

const EDGE: f64 = 0.5;
const MASS: f64 = 6.0;

fn compliant(mechanism: &(Model, State), dt: f64) -> Simulation {
    simulation(mechanism, "compliant", settings(dt, 1e-10))
}

/// A layer of square elements.
fn layer(face: &str, edge: f64, side: usize, modulus: f64, damping: f64) -> Foundation {
    Foundation {
        face: Face::named(face).expect("it is a face"),
        extent: [edge; 2],
        elements: [side; 2],
        depth: 0.2,
        modulus,
        damping,
    }
}

/// A floor with a layer about the origin.
fn bed(friction: f64, own: Foundation) -> Workshop {
    let mut w = Workshop::touching(DOWN, friction, 0.0);
    w.floor();
    w.parts.world_shapes[0].foundations.push(own);
    w
}

fn cube(w: &mut Workshop, height: f64) -> BodyId {
    let at = Vec3::z() * (height + 0.5 * EDGE);
    w.block(MASS, Vec3::repeat(EDGE), at, Quat::identity())
}

/// Sum of the pressures of all elements over their area [N].
fn carried(sim: &Simulation, own: &Foundation) -> f64 {
    let all = pressures(sim.model(), sim.state());
    all.iter().map(|p| p.pressure * own.area()).sum()
}

/// Weight over the stiffness of the elements below the cube: all of the bed's, or those under it where the bed is larger.
#[test]
fn a_cube_sinks_in_by_its_weight_over_the_stiffness_of_what_is_below_it() {
    for (edge, side, friction) in [(EDGE, 7, 0.0), (EDGE, 7, 0.6), (2.0 * EDGE, 20, 0.6)] {
        let own = layer("+z", edge, side, 1e5, 2e3);
        let mut w = bed(friction, own);
        cube(&mut w, 0.0);
        let mut sim = compliant(&w.finish(), 0.01);
        run(&mut sim, 800);
        let wanted = MASS * G * own.depth / (own.modulus * EDGE * EDGE);
        let found = 0.5 * EDGE - sim.state().bodies[0].position.z;
        assert!((found - wanted).abs() < 1e-6 * wanted, "{found} {wanted}");
        assert!((carried(&sim, &own) - MASS * G).abs() < 1e-5 * MASS * G);
        assert!(sim.report().contact.violation < 1e-3);
    }
}

/// A couple within the core of the face tilts the cube by its size over the second moment of all elements; beyond it the far
/// side opens, and what is left carries all, as pressures that grow from nothing: `M = W (b/2 - x/3)` [Johnson1985 sect. 4.3].
#[test]
fn a_couple_tilts_a_cube_as_its_elements_say_and_opens_the_far_side() {
    // Many narrow strips along x, since formulas are those of a layer without elements.
    let own = Foundation {
        elements: [200, 2],
        ..layer("+z", EDGE, 1, 1e6, 2e4)
    };
    let per_length = own.modulus * EDGE / own.depth;
    let weight = MASS * G;
    let tilt = |couple: f64| {
        // Without friction it would slide off what is tilted.
        let mut w = bed(0.5, own);
        let body = cube(&mut w, 0.0);
        w.parts.forces.push(Force::Wrench {
            name: "couple".into(),
            body,
            point: Vec3::zeros(),
            axes: Axes::World,
            force: [0.0; 3].map(Signal::Constant),
            torque: [0.0, couple, 0.0].map(Signal::Constant),
        });
        let mut sim = compliant(&w.finish(), 0.005);
        run(&mut sim, 1500);
        let angle = sim.state().bodies[0].orientation.scaled_axis().y;
        (angle, pressures(sim.model(), sim.state()).len())
    };
    let core = weight * EDGE / 6.0;
    let (angle, pressed) = tilt(0.9 * core);
    let wanted = 0.9 * core / (per_length * EDGE.powi(3) / 12.0);
    assert!((angle / wanted - 1.0).abs() < 2e-3, "{angle} {wanted}");
    assert_eq!(pressed, 400);
    let couple = 1.5 * core;
    let (angle, pressed) = tilt(couple);
    let length = 3.0 * (0.5 * EDGE - couple / weight);
    let wanted = 2.0 * weight / (per_length * length * length);
    assert!((angle / wanted - 1.0).abs() < 0.01, "{angle} {wanted}");
    let share = pressed as f64 / 400.0;
    assert!((share - length / EDGE).abs() < 0.01, "{share}");
}

/// The elements below a ball carry `K (d - (R - √(R² - r²)))` each.
#[test]
fn a_ball_rests_on_the_elements_that_it_reaches() {
    let (radius, mass) = (0.3, 4.0);
    let own = layer("+z", 1.0, 50, 4e4, 1e3);
    // Friction could carry a part of the weight on the slopes of the ball.
    let mut w = bed(0.0, own);
    w.ball(mass, radius, Vec3::z() * radius);
    let mut sim = compliant(&w.finish(), 0.005);
    run(&mut sim, 1600);
    let depth = radius - sim.state().bodies[0].position.z;
    let stiffness = own.compliance().stiffness;
    let mut sum = 0.0;
    for k in 0..own.count() {
        let [x, y] = own.middle(k);
        let square = x * x + y * y;
        let rise = radius - (radius * radius - square).max(0.0).sqrt();
        sum += stiffness * (depth - rise).max(0.0);
    }
    assert!((sum / (mass * G) - 1.0).abs() < 1e-4, "{sum} {depth}");
    let p = sim.state().bodies[0].position;
    assert!(p.x.abs() + p.y.abs() < 1e-9, "{p}");
}

/// A layer below a cube is one on the ground, two on each other give twice as much, and one on top of a body carries
/// another body.
#[test]
fn layers_of_bodies_give_as_those_of_the_ground_do() {
    let own = |face| layer(face, EDGE, 6, 1e5, 2e3);
    let sinks = MASS * G * 0.2 / (1e5 * EDGE * EDGE);
    for (ground, below, times) in [(false, true, 1.0), (true, true, 2.0)] {
        let mut w = bed(0.3, own("+z"));
        if !ground {
            w.parts.world_shapes[0].foundations.clear();
        }
        let body = cube(&mut w, 0.0);
        if below {
            w.parts.bodies[body.0].shapes[0].foundations = vec![own("-z")];
        }
        let mut sim = compliant(&w.finish(), 0.01);
        run(&mut sim, 1000);
        let found = 0.5 * EDGE - sim.state().bodies[0].position.z;
        assert!(
            (found / (times * sinks) - 1.0).abs() < 1e-5,
            "{found} {sinks}"
        );
    }
    let mut w = Workshop::touching(DOWN, 0.3, 0.0);
    w.floor();
    let lower = cube(&mut w, 0.0);
    w.parts.bodies[lower.0].shapes[0].foundations = vec![own("+z")];
    cube(&mut w, EDGE);
    let mut sim = compliant(&w.finish(), 0.01);
    run(&mut sim, 1000);
    let [a, b] = [0, 1].map(|k| sim.state().bodies[k].position.z);
    assert!((a - 0.5 * EDGE).abs() < 1e-6, "the floor is rigid: {a}");
    assert!((EDGE - (b - a) - sinks).abs() < 1e-4 * sinks, "{}", b - a);
}

/// Energy of motion, of height and of all springs never grows, from a fall on a corner with spin on, at any stiffness.
#[test]
fn nothing_that_falls_on_a_foundation_gains_energy() {
    for (h, modulus) in [
        (0.01, 1e4),
        (0.01, 1e7),
        (5e-4, 1e6),
        (0.05, 1e9),
        (1e-3, 1e9),
    ] {
        let own = layer("+z", 2.0, 16, modulus, 0.0);
        let mut w = bed(0.3, own);
        let turn = Quat::from_euler_angles(0.4, 0.3, 0.1);
        let body = w.block(MASS, Vec3::repeat(EDGE), Vec3::z() * 0.65, turn);
        w.moving(body, Vec3::new(0.2, 0.0, -1.0), Vec3::new(2.0, 1.0, 0.5));
        let mut sim = compliant(&w.finish(), h);
        let first = sim.energy().total();
        for _ in 0..(1.5 / h) as u64 {
            run(&mut sim, 1);
            let total = sim.energy().total();
            assert!(
                total <= first * (1.0 + 1e-6),
                "{h} {modulus:e}: {total} {first}"
            );
        }
        let slow = sim.state().bodies[0].velocity.linear.norm();
        assert!(slow.is_finite() && slow < 5.0, "{slow}");
    }
}

/// A cube that slides without friction keeps its speed and its depth, whatever elements it comes upon and leaves: to a twentieth of
/// its depth, since elements come and go one row at a time.
#[test]
fn a_cube_slides_over_elements_at_one_depth() {
    let own = Foundation {
        extent: [3.0, 1.0],
        elements: [90, 20],
        ..layer("+z", 1.0, 1, 1e4, 500.0)
    };
    let mut w = bed(0.0, own);
    let at = Vec3::new(-1.0, 0.0, 0.5 * EDGE);
    let body = w.block(MASS, Vec3::repeat(EDGE), at, Quat::identity());
    w.moving(body, Vec3::x() * 0.5, Vec3::zeros());
    let mut sim = compliant(&w.finish(), 0.005);
    let wanted = MASS * G * own.depth / (own.modulus * EDGE * EDGE);
    for k in 0..800 {
        run(&mut sim, 1);
        let found = 0.5 * EDGE - sim.state().bodies[0].position.z;
        assert!(
            k < 200 || (found - wanted).abs() < 0.05 * wanted,
            "{k}: {found} {wanted}"
        );
    }
    let speed = sim.state().bodies[0].velocity.linear;
    assert!(
        (speed.x - 0.5).abs() < 0.02 && speed.y.abs() < 1e-6,
        "{speed}"
    );
}

/// What holds contacts rigidly takes the face as it is without load.
#[test]
fn other_methods_stand_on_the_face() {
    let mut w = bed(0.3, layer("+z", EDGE, 5, 1e4, 0.0));
    cube(&mut w, 0.0);
    let mut sim = simulation(&w.finish(), "variational-2", settings(0.01, 1e-10));
    run(&mut sim, 100);
    let found = sim.state().bodies[0].position.z - 0.5 * EDGE;
    assert!(found.abs() < 1e-9, "{found}");
    assert!(pressures(sim.model(), sim.state()).is_empty());
}

/// What is too heavy for a layer comes to its rigid base; beside the layer the ground is rigid.
#[test]
fn below_and_beside_a_layer_is_rigid_ground() {
    for (x, height) in [(0.0, -0.2), (3.0, 0.0)] {
        let mut w = bed(0.3, layer("+z", 1.0, 10, 10.0, 10.0));
        let at = Vec3::new(x, 0.0, 0.5 * EDGE);
        w.block(MASS, Vec3::repeat(EDGE), at, Quat::identity());
        let mut sim = compliant(&w.finish(), 0.01);
        run(&mut sim, 300);
        let found = sim.state().bodies[0].position.z - 0.5 * EDGE;
        assert!((found - height).abs() < 1e-3, "{found} {height}");
    }
}
