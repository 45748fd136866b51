//! Shipped scenes: they load, their joints are closed, and they are the mechanisms that their comments name.

use driftless::integrators;
use driftless::model::{BodyId, Model, State, Twist};
use driftless::scene::{self, Scene};
use driftless::sim::Input;
use driftless::{diagnostics, joints};
use std::collections::BTreeSet;

fn open(spec: &str) -> Scene {
    scene::open(spec, &[]).unwrap_or_else(|errors| panic!("{spec}:\n{errors}"))
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "found {found}, expected {expected} within {tolerance}"
    );
}

fn body(scene: &Scene, name: &str) -> BodyId {
    scene.model.body(name).unwrap()
}

fn kinetic(scene: &Scene) -> f64 {
    let velocities: Vec<Twist> = scene.state.bodies.iter().map(|b| b.velocity).collect();
    scene.model.kinetic_energy(&scene.state.bodies, &velocities)
}

fn potential(scene: &Scene) -> f64 {
    diagnostics::potential_energy(&scene.model, &scene.state)
}

/// Fastest violation of any joint [m/s, rad/s].
fn slip(model: &Model, state: &State) -> f64 {
    let rate = |joint: &driftless::model::Joint| {
        let at = joints::Placement::of(joint, &state.bodies);
        let child = &state.bodies[joint.child.0].velocity;
        let parent = joint
            .parent
            .map_or(Twist::default(), |p| state.bodies[p.0].velocity);
        let slip = child.linear + child.angular.cross(&at.child_arm)
            - parent.linear
            - parent.angular.cross(&at.reach());
        joints::constraint_rows(joint.kind, &at)
            .map(|r| (r.force.dot(&slip) + r.torque.dot(&(child.angular - parent.angular))).abs())
            .fold(0.0, f64::max)
    };
    model.joints.iter().map(rate).fold(0.0, f64::max)
}

#[test]
fn every_shipped_scene_loads_with_its_joints_closed_and_moving_together() {
    for shipped in scene::shipped() {
        let scene = open(shipped.name);
        assert!(!shipped.title.is_empty() && !shipped.description.is_empty());
        let drift = diagnostics::worst_drift(&scene.model, &scene.state);
        assert!(
            drift.position.0 < 1e-9 && drift.angle.0 < 1e-9,
            "{}: {drift:?}",
            shipped.name
        );
        let slip = slip(&scene.model, &scene.state);
        assert!(slip < 1e-9, "{}: {slip}", shipped.name);
        // The files are exact: assembly finds nothing to do beyond their digits.
        let moved = &scene.assembly;
        assert!(
            moved.moved_position < 1e-9 && moved.moved_angle < 1e-9,
            "{}: {moved:?}",
            shipped.name
        );
        assert!(
            moved.changed_velocity < 1e-8 && moved.changed_angular_velocity < 1e-8,
            "{}: {moved:?}",
            shipped.name
        );
        let settings = scene.settings;
        let method = integrators::find(&scene.integrator).expect("it is listed");
        assert!(settings.validate(method).is_ok(), "{}", shipped.name);
    }
    assert!(scene::shipped().iter().any(|s| s.name == scene::DEFAULT));
}

#[test]
fn the_names_are_the_promised_ones() {
    // Their order is that of the gallery.
    let names: BTreeSet<&str> = scene::shipped().iter().map(|s| s.name).collect();
    let promised = "pendulum damped_pendulum double_pendulum triple_pendulum chain net three_link_loop four_bar \
                    double_four_bar four_bar_chain slider_crank heavy_top heavy_top_free rotor t_handle andrews bricard \
                    flyball_governor scissor_lift stewart_platform minitaur_leg arm puma box_drop box_slope four_frictions \
                    dice box_stack brick_wall sphere_stack sphere_chain dominoes ball_pit newtons_cradle tippe_top \
                    rattleback rolling_disk gear_pair geneva_drive passive_walker rimless_wheel wheel_rim \
                    heavy_on_light arch \
                    card_tower marble_run mass_spring_damper foundation";
    assert_eq!(names, promised.split_whitespace().collect());
}

#[test]
fn neighbours_have_different_colours() {
    for shipped in scene::shipped() {
        let model = open(shipped.name).model;
        for joint in model.joints.iter().filter(|j| j.parent.is_some()) {
            let colours = [joint.parent.unwrap(), joint.child].map(|b| {
                let shape = model.bodies[b.0].shapes.first();
                shape.and_then(|s| s.colour).expect("a coloured shape")
            });
            assert_ne!(colours[0], colours[1], "{}: {}", shipped.name, joint.name);
        }
    }
}

#[test]
fn generated_files_are_what_the_generators_write() {
    for (name, spec) in [
        ("chain", "chain:links=20"),
        ("net", "net:rows=6,columns=6"),
        ("four_bar_chain", "four-bar-chain:segments=10"),
        ("box_drop", "drop:height=0.4"),
        ("box_slope", "slope:degrees=15,mu=0.25"),
        ("box_stack", "box-stack:boxes=10"),
        ("sphere_stack", "sphere-stack:spheres=100"),
        ("sphere_chain", "sphere-chain:spheres=20"),
        ("ball_pit", "pit:bodies=300,seed=1"),
    ] {
        let text = scene::shipped()
            .iter()
            .find(|s| s.name == name)
            .unwrap()
            .text;
        let written = text.split_once('\n').unwrap().1;
        assert!(
            written == scene::write(&scene::generate(spec).unwrap()),
            "scenes/{name}.ron differs from `driftless generate {spec}`"
        );
    }
}

#[test]
fn heavy_top_and_three_link_loop_have_the_published_inertia() {
    let top = open("heavy_top");
    let b = &top.model.bodies[0];
    assert_eq!(b.mass, 15.0);
    let diagonal = [b.inertia[(0, 0)], b.inertia[(1, 1)], b.inertia[(2, 2)]];
    assert_eq!(diagonal, [0.234375, 0.46875, 0.234375]);
    near(top.state.bodies[0].position.y, 1.0, 1e-15);
    // The published value has 13 digits.
    near(kinetic(&top) + potential(&top), 5435.696790865, 1e-6);
    let links = open("three_link_loop");
    let moments = [0.0841667, 0.030052, 0.0841667];
    for (body, expected) in links.model.bodies.iter().zip(moments) {
        // The table rounds to six digits.
        near(body.inertia[(0, 0)], expected, 1e-6);
    }
    near(links.model.bodies[1].mass, 0.5f64.sqrt(), 1e-15);
}

#[test]
fn double_four_bar_follows_its_exact_motion() {
    let scene = open("double_four_bar");
    near(kinetic(&scene), 1.5, 1e-14);
    near(potential(&scene), 3.5 * 9.81, 1e-12);
    let left = body(&scene, "left").0;
    let mut sim = scene.simulation().unwrap();
    for _ in 0..100 {
        sim.step(&Input::default()).unwrap();
    }
    let at = sim.state().bodies[left];
    // B0 is the upper end of the left bar; (-0.19502030, -0.98079920) is exact at t = 1 s, after half a turn and
    // more through the singular configuration. Second order: 5e-3 m at dt = 0.01 s.
    near(2.0 * at.position.y, -0.1950203019, 1e-2);
    near(2.0 * at.position.z, -0.9807992057, 1e-2);
}

#[test]
fn slider_crank_meets_its_reference() {
    let scene = open("slider_crank");
    let masses: Vec<f64> = scene.model.bodies.iter().map(|b| b.mass).collect();
    assert_eq!(masses, [0.12, 0.5, 2.0]);
    let [pivot, rail] = ["pivot", "rail"].map(|j| scene.model.joint(j).unwrap());
    let mut sim = scene.simulation().unwrap();
    for _ in 0..200 {
        sim.step(&Input::default()).unwrap();
    }
    // Second order at dt = 1 ms and 10 rad/s; a skewed cross axis would be off by 6e-6 m and 1.3e-4 rad.
    near(sim.coordinates(rail)[0], 0.260545933, 1e-6);
    near(sim.coordinates(pivot)[0], 1.230926918, 2e-5);
}

#[test]
fn andrews_mechanism_meets_the_reference_of_the_test_set() {
    let scene = open("andrews");
    let mut sim = scene.simulation().unwrap();
    for _ in 0..1500 {
        sim.step(&Input::default()).unwrap();
    }
    let joint = |name: &str| sim.model().joint(name).unwrap();
    let read = |name: &str| sim.coordinates(joint(name))[0];
    // Second order; the crank turns with 1140 rad/s, 0.02 rad in a step of 20 µs.
    near(read("beta"), 15.81077119629904, 5e-3);
    near(read("theta"), -15.75637105984298, 5e-3);
    near(read("gamma"), 0.04082224013073101, 1e-4);
}

#[test]
fn damped_pendulum_and_governor_have_their_parameters() {
    let pendulum = open("damped_pendulum");
    let j = &pendulum.model.joints[0];
    assert_eq!((j.damping_rotation, j.damping_translation), (0.5, 0.0));
    assert_eq!(pendulum.settings.dt, 0.05);
    let rod = &pendulum.model.bodies[0];
    near(rod.inertia[(0, 0)] + 0.25 * rod.mass, 1.0 / 3.0, 1e-15);
    let governor = open("flyball_governor");
    let ball = &governor.model.bodies[body(&governor, "right").0];
    near(ball.mass, 5.3, 1e-15);
    // A rod of 0.3 kg and 1 m about its end, and 5 kg at 1 m.
    let arm = governor.model.joints[1].child_frame.anchor.norm();
    near(
        ball.inertia[(0, 0)] + 5.3 * arm * arm,
        0.3 * (1.0 + 1e-4) / 12.0 + 0.3 * 0.25 + 5.0,
        1e-12,
    );
    for force in &governor.model.forces {
        let driftless::model::Force::Spring { ends, rest, .. } = force else {
            panic!("{force:?}")
        };
        let [a, b] = ends.map(|e| diagnostics::attachment_point(&governor.state, &e));
        near((b - a).norm(), *rest, 1e-12);
    }
}

#[test]
fn chains_hang_as_asked_for() {
    let bench = open("chain:links=3,angle=90");
    for (k, state) in bench.state.bodies.iter().enumerate() {
        let inertia = &bench.model.bodies[k].inertia;
        assert_eq!(inertia[(2, 2)], 1e-3);
        assert_eq!(inertia[(0, 0)], 1.0 / 12.0);
        near(state.position.y, k as f64 + 0.5, 1e-14);
        near(state.position.z, bench.state.bodies[0].position.z, 1e-14);
    }
    let paper = open("chain:links=1,inertia=paper").model.bodies[0].inertia;
    near(paper[(0, 0)], 0.0845833333, 1e-9);
    let solid = open("chain:links=1,inertia=cylinder").model.bodies[0].inertia;
    near(solid[(0, 0)], 0.0839583333, 1e-9);
    for joint in ["spherical", "universal"] {
        let other = open(&format!("chain:links=3,joint={joint},angle=90"));
        for (a, b) in other.state.bodies.iter().zip(&bench.state.bodies) {
            assert!((a.position - b.position).norm() < 1e-14);
            assert!(a.orientation.angle_to(&b.orientation) < 1e-7);
        }
    }
}

#[test]
fn generated_mechanisms_have_the_expected_sizes_and_close() {
    for (spec, bodies, joints) in [
        ("chain:links=7", 7, 7),
        ("four-bar-chain:segments=3", 12, 15),
        ("closed-chain:links=5", 5, 6),
        // 3 × 4 knots: 2·4 + 3·3 rods; Σ (rods in a knot - 1) joints, and two corners.
        ("net:rows=3,columns=4", 17, 2 * 17 - 12 + 2),
        ("tree:depth=3,branching=2", 7, 7),
        ("tree:depth=3,branching=3,joint=spherical", 13, 13),
        ("drop:height=0.1", 1, 0),
        ("slope:degrees=30,azimuth=70", 1, 0),
        ("box-stack:boxes=4,offset=0.1", 4, 0),
        ("sphere-stack:spheres=5,mass_ratio=1000", 5, 0),
        ("sphere-chain:spheres=6", 6, 5),
        ("pit:bodies=13,seed=3", 13, 0),
    ] {
        let scene = open(spec);
        let counts = (scene.model.bodies.len(), scene.model.joints.len());
        assert_eq!(counts, (bodies, joints), "{spec}");
        let drift = diagnostics::worst_drift(&scene.model, &scene.state);
        assert!(
            drift.position.0 < 1e-12 && drift.angle.0 < 1e-12,
            "{spec}: {drift:?}"
        );
        let mut sim = scene.simulation().unwrap();
        for _ in 0..20 {
            sim.step(&Input::default()).unwrap();
        }
    }
}
