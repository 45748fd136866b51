//! Scene files: reading back what was written, changes by path, and what a scene says in words becoming a model.

use driftless::math::{Quat, Vec3};
use driftless::model::{Force, JointKind, Signal};
use driftless::scene::{
    self, BodyFile, Items, JointFile, Kind, Number, Numbers, Plot, RoundFile, Scene, SceneFile,
    ShapeFile, SphereFile, Tensor, Vector,
};
use driftless::{diagnostics, joints};
use proptest::prelude::*;

fn read(text: &str) -> Scene {
    scene::from_text("test", text, &[]).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

fn set(path: &str, value: &str) -> Vec<(String, String)> {
    vec![(path.into(), value.into())]
}

#[test]
fn what_is_written_reads_back_the_same() {
    let mut files: Vec<(String, SceneFile)> = Vec::new();
    for shipped in scene::shipped() {
        let scene = scene::open(shipped.name, &[]).unwrap();
        files.push((shipped.name.into(), scene.file));
    }
    for generator in scene::generators() {
        files.push((
            generator.name.into(),
            scene::generate(generator.name).unwrap(),
        ));
    }
    for (name, file) in files {
        let text = scene::write(&file);
        let again = read(&text);
        assert!(again.file == file, "{name}");
        assert!(scene::write(&again.file) == text, "{name}");
        let direct = scene::open(&name, &[]).unwrap();
        assert!(again.model == direct.model, "{name}: model");
        assert!(again.state == direct.state, "{name}: state");
        assert!(again.settings == direct.settings, "{name}: settings");
        assert!(again.view.camera == direct.view.camera, "{name}: camera");
    }
}

const TWO: &str = r#"(
    version: 1,
    bodies: {
        "arm": (mass: 2, shape: (box: (size: (0.2, 0.2, 1)), at: (0, 0, -0.5))),
        "hand": (
            density: 500,
            shapes: [(sphere: (radius: 0.1), density: 1000), (box: (size: (1, 1, 1)), mass: 0)],
        ),
    },
    joints: {
        "shoulder": (
            kind: revolute, child: "arm", anchor: (0, 0, 2), axis: (1, 0, 0), at: "90 deg", rates: 2,
            springs: [(stiffness: 3, rest: "PI/2")],
            actuators: [(command: "sin(t)", pd: (stiffness: 4, target: [(0, 0), (1, 5)]), limit: 6)],
        ),
        "slide": (
            kind: cylindrical, parent: "arm", child: "hand", anchor: (0, 0, -1),
            at: [0.25, "-30 deg"], rates: [1, 3], damping_translation: 7, damping_rotation: 8,
        ),
    },
    couplings: { "thread": (screw: "slide", pitch: 0.5) },
    springs: { "band": (from: (point: (0, 0, 2)), to: (body: "arm", point: (0, 0, -1)), stiffness: 9) },
    wrenches: { "push": (body: "hand", axes: body, force: (0, 0, "2*t"), torque: (1, 0, 0)) },
    plots: [drift],
)"#;

#[test]
fn words_become_a_model_and_its_first_state() {
    let file = read(TWO);
    let (model, state) = (&file.model, &file.state);
    // Box about its centre, half a metre below the joint.
    assert_eq!(model.bodies[0].mass, 2.0);
    let across = 2.0 * (1.0 + 0.04) / 12.0;
    assert!((model.bodies[0].inertia[(0, 0)] - across).abs() < 1e-15);
    assert_eq!(model.bodies[0].origin, Vec3::new(0.0, 0.0, 0.5));
    let ball = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    assert!((model.bodies[1].mass - ball).abs() < 1e-12);
    // Turned by 90° about x, the arm points along y.
    assert!((state.bodies[0].position - Vec3::new(0.0, 0.5, 2.0)).norm() < 1e-15);
    // The slide moves the hand back along the arm's own z axis by 0.25 m.
    assert!((state.bodies[1].position - Vec3::new(0.0, 0.75, 2.0)).norm() < 1e-15);
    for (joint, (q, u)) in model.joints.iter().zip([
        (vec![90f64.to_radians()], vec![2.0]),
        (vec![0.25, (-30f64).to_radians()], vec![1.0, 3.0]),
    ]) {
        let at = joints::Placement::of(joint, &state.bodies);
        let n = joint.kind.freedoms();
        let coordinates = &joints::coordinates(joint.kind, &at, [0.0; 2])[..n];
        for (found, expected) in coordinates.iter().zip(&q) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
        // The coupling slows one of them down; without it the rates are those given.
        let free = read(&TWO.replace(
            "couplings: { \"thread\": (screw: \"slide\", pitch: 0.5) },",
            "",
        ));
        let bodies = &free.state.bodies;
        let parent = joint
            .parent
            .map_or(Default::default(), |p| bodies[p.0].velocity);
        let rates = joints::rates(joint.kind, &at, &parent, &bodies[joint.child.0].velocity);
        for (found, expected) in rates[..n].iter().zip(&u) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
    let thread = &model.couplings[0];
    let pitch = 0.5 / std::f64::consts::TAU;
    assert!((thread.terms[1].factor + pitch).abs() < 1e-15);
    assert!((thread.offset - (0.25 + pitch * 30f64.to_radians())).abs() < 1e-14);
    let shoulder = &model.joints[0];
    assert_eq!(
        (shoulder.springs[0].stiffness, shoulder.actuators[0].limit),
        (3.0, 6.0)
    );
    let pd = shoulder.actuators[0].pd.as_ref().unwrap();
    assert_eq!(pd.target.at(0.5), 2.5);
    let slide = &model.joints[1];
    assert_eq!(
        (slide.damping_translation, slide.damping_rotation),
        (7.0, 8.0)
    );
    let Force::Spring { ends, rest, .. } = &model.forces[0] else {
        panic!()
    };
    assert!((ends[1].point - Vec3::new(0.0, 0.0, -0.5)).norm() < 1e-15);
    assert!((rest - 1.0).abs() < 1e-15, "relaxed at the start: {rest}");
    let Force::Wrench { force, torque, .. } = &model.forces[1] else {
        panic!()
    };
    assert_eq!(force[2].at(3.0), 6.0);
    assert_eq!(torque[0], Signal::Constant(1.0));
    assert_eq!(file.view.plots, [Plot::Drift]);
    assert_eq!(model.gravity, Vec3::new(0.0, 0.0, -9.81));
    assert_eq!(
        (file.integrator.as_str(), file.settings.dt),
        ("variational-2", 0.01)
    );
}

#[test]
fn every_kind_of_joint_places_its_child_by_its_coordinates() {
    for kind in JointKind::ALL {
        let q: Vec<f64> = (0..kind.freedoms()).map(|k| 0.3 + 0.2 * k as f64).collect();
        let u: Vec<f64> = (0..kind.freedoms()).map(|k| 1.0 - 0.7 * k as f64).collect();
        let name = format!("{kind:?}");
        let mut snake = String::new();
        for c in name.chars() {
            if c.is_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.extend(c.to_lowercase());
        }
        let text = format!(
            r#"(version: 1, gravity: (0, 0, 0),
            bodies: {{
                "base": (
                    mass: 3, inertia: (1, 2, 2.5, 0.1, 0.2, 0.3), centre: (0.1, 0.2, 0.3),
                    position: (1, 2, 3), orientation: (euler: (0.3, -0.4, 0.5)),
                    velocity: (1, -1, 2), angular_velocity: (0.3, 0.2, -0.9),
                ),
                "child": (mass: 2, inertia: (1, 1, 1), centre: (0, 0, 0.4)),
            }},
            joints: {{ "j": (
                kind: {snake}, parent: "base", child: "child", anchor: (0.5, 0, -0.5), child_anchor: (0, 0.2, 0),
                axis: (1, 2, 2), x_axis: (2, -2, 1), child_orientation: (axis: (0, 1, 1), angle: 0.8),
                at: {q:?}, rates: {u:?},
            ) }})"#
        );
        let scene = read(&text);
        let joint = &scene.model.joints[0];
        assert_eq!(joint.kind, kind);
        let bodies = &scene.state.bodies;
        let at = joints::Placement::of(joint, bodies);
        let found = joints::coordinates(kind, &at, [0.0; 2]);
        let rates = joints::rates(kind, &at, &bodies[0].velocity, &bodies[1].velocity);
        for k in 0..kind.freedoms() {
            assert!((found[k] - q[k]).abs() < 1e-13, "{kind:?} {found:?} {q:?}");
            assert!((rates[k] - u[k]).abs() < 1e-12, "{kind:?} {rates:?} {u:?}");
        }
        let drift = joints::drift(kind, &at);
        assert!(drift.position < 1e-14 && drift.angle < 1e-14, "{kind:?}");
        // The base keeps what its own fields say: velocity of the frame's origin, not of the centre of mass.
        let turn = Quat::from_euler_angles(0.3, -0.4, 0.5);
        let arm = turn * Vec3::new(0.1, 0.2, 0.3);
        let expected = Vec3::new(1.0, -1.0, 2.0) + Vec3::new(0.3, 0.2, -0.9).cross(&arm);
        assert!((bodies[0].velocity.linear - expected).norm() < 1e-12);
        assert!((bodies[0].position - Vec3::new(1.0, 2.0, 3.0) - arm).norm() < 1e-14);
    }
}

#[test]
fn frames_in_the_world_and_in_bodies_say_the_same() {
    let bodies = r#""a": (mass: 1, inertia: (1, 1, 1), position: (0, 1, 0), orientation: (axis: (1, 1, 0), angle: 0.7)),
        "b": (mass: 1, inertia: (1, 1, 1), position: (0, 2, 1), orientation: (quaternion: (0.5, 0.5, -0.5, 0.5)))"#;
    let joint = r#"(kind: revolute, parent: "a", child: "b", in_world: true, anchor: (0, 1.5, 0.5), axis: (0, 1, 1))"#;
    let scene = read(&format!(
        "(version: 1, bodies: {{ {bodies} }}, joints: {{ \"j\": {joint} }})"
    ));
    let at = joints::Placement::of(&scene.model.joints[0], &scene.state.bodies);
    assert!(at.gap.norm() < 1e-15);
    let axis = Vec3::new(0.0, 1.0, 1.0).normalize();
    assert!((at.parent_axis(2) - axis).norm() < 1e-14);
    assert!((at.child_axis(2) - axis).norm() < 1e-14);
    assert!((at.parent_axes - at.child_axes).norm() < 1e-14);
}

#[test]
fn any_value_can_be_changed_by_its_path() {
    let change = |path: &str, value: &str| {
        scene::from_text("test", TWO, &set(path, value)).unwrap_or_else(|e| panic!("{e}"))
    };
    assert_eq!(change("bodies.arm.mass", "3").model.bodies[0].mass, 3.0);
    // Fields that the file leaves out, at every depth.
    let moon = change("gravity", "[0,0,-1.62]");
    assert_eq!(moon.model.gravity, Vec3::new(0.0, 0.0, -1.62));
    assert_eq!(change("integrator.dt", "0.002").settings.dt, 0.002);
    assert_eq!(change("integrator.method", "\"heun\"").integrator, "heun");
    let camera = change("camera", "(eye: (1, 2, 3), target: (0, 0, 0))")
        .view
        .camera;
    assert_eq!(camera.eye, Vec3::new(1.0, 2.0, 3.0));
    let damped = change("joints.shoulder.damping", "0.5");
    assert_eq!(damped.model.joints[0].damping_rotation, 0.5);
    // Elements of lists, written in two ways, and strings without their quotes.
    let turned = change("joints.slide.at[0]", "0.5");
    let unturned = change("joints.slide.at.0", "0.5");
    assert_eq!(turned.state, unturned.state);
    assert_eq!(
        change("joints.shoulder.at", "0 deg").state.bodies[0]
            .position
            .z,
        1.5
    );
    assert_eq!(change("title", "\"Two links\"").view.title, "Two links");
    // Several changes, later ones inside earlier ones; the place of an error is still right.
    let sets = [
        set("bodies.arm", "(mass: 5, shape: (sphere: (radius: 1)))"),
        set("bodies.arm.mass", "7"),
        set("gravity", "(0, 0, 0)"),
    ]
    .concat();
    let several = scene::from_text("test", TWO, &sets).unwrap();
    assert_eq!(several.model.bodies[0].mass, 7.0);
    assert_eq!(several.model.gravity, Vec3::zeros());
    assert_eq!(several.model.bodies[1], read(TWO).model.bodies[1]);
}

fn shape() -> impl Strategy<Value = ShapeFile> {
    let size = 0.01..2.0f64;
    let at = proptest::option::of([-1.0..1.0f64, -1.0..1.0, -1.0..1.0]);
    (size.clone(), size, at, 0..3usize).prop_map(|(r, l, at, kind)| {
        let round = Some(RoundFile {
            radius: Number(r),
            length: Some(Number(l)),
        });
        ShapeFile {
            sphere: (kind == 0).then_some(SphereFile { radius: Number(r) }),
            capsule: if kind == 1 { round.clone() } else { None },
            cone: if kind == 2 { round } else { None },
            at: at.map(|a| Vector(Vec3::from(a))),
            ..ShapeFile::default()
        }
    })
}

fn link() -> impl Strategy<Value = (BodyFile, Kind, f64, [f64; 3], usize)> {
    let kind = prop_oneof![Just(Kind::Revolute), Just(Kind::Prismatic)];
    (
        shape(),
        kind,
        -3.0..3.0f64,
        [-1.0..1.0f64, -1.0..1.0, 0.1..1.0],
        0..100usize,
    )
        .prop_map(|(shape, kind, at, axis, parent)| {
            let body = BodyFile {
                density: Some(Number(700.0)),
                shape: Some(shape),
                ..BodyFile::default()
            };
            (body, kind, at, axis, parent)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Random trees: writing and reading gives the same file, model and state, to the last bit.
    #[test]
    fn random_trees_survive_writing_and_reading(links in proptest::collection::vec(link(), 1..8)) {
        let mut file = SceneFile { version: 1, ..SceneFile::default() };
        for (k, (body, kind, at, axis, parent)) in links.into_iter().enumerate() {
            let name = format!("body {k} \\ \u{fc}");
            prop_assert!(file.bodies.insert(name.clone(), body).is_ok());
            let parent = match parent % (k + 1) {
                0 => "world".to_owned(),
                p => format!("body {} \\ \u{fc}", p - 1),
            };
            let joint = JointFile {
                kind, parent, child: name,
                axis: Some(Vector(Vec3::from(axis))),
                anchor: Some(Vector(Vec3::new(at, 1.0 / 3.0, 1e-17))),
                at: Some(Numbers(vec![at])),
                ..JointFile::default()
            };
            let inserted = file.joints.insert(format!("joint {k}"), joint);
            prop_assert!(inserted.is_ok());
        }
        let text = scene::write(&file);
        let first = scene::from_text("a", &text, &[]).unwrap();
        prop_assert!(first.file == file);
        let second = scene::from_text("a", &scene::write(&first.file), &[]).unwrap();
        prop_assert!(first.model == second.model);
        prop_assert!(first.state == second.state);
        let drift = diagnostics::worst_drift(&first.model, &first.state);
        prop_assert!(drift.position.0 < 1e-12 && drift.angle.0 < 1e-12, "{drift:?}");
    }
}

#[test]
fn tensors_and_names_in_order() {
    let tensor = Tensor([1.0, 2.0, 2.5, 0.1, 0.2, 0.3]);
    let body = BodyFile {
        mass: Some(Number(1.0)),
        inertia: Some(tensor),
        ..BodyFile::default()
    };
    let mut bodies = Items::default();
    for name in ["b_10", "b_2", "a"] {
        bodies.insert(name, body.clone()).unwrap();
    }
    assert!(bodies.insert("a", body).is_err());
    let file = SceneFile {
        version: 1,
        bodies,
        ..SceneFile::default()
    };
    let scene = read(&scene::write(&file));
    let names: Vec<&str> = scene.model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["b_10", "b_2", "a"]);
    let inertia = scene.model.bodies[0].inertia;
    assert_eq!(inertia, inertia.transpose());
    assert_eq!(
        [inertia[(0, 1)], inertia[(0, 2)], inertia[(1, 2)]],
        [0.1, 0.2, 0.3]
    );
}
