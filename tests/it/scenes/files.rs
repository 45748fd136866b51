//! Scene files: reading back what was written, and changes by path.

use driftless::diagnostics;
use driftless::math::Vec3;
use driftless::scene::{
    self, BodyFile, JointFile, Kind, Number, Numbers, RoundFile, Scene, SceneFile, ShapeFile,
    SphereFile, Vector,
};
use proptest::prelude::*;

/// A scene that must be right.
pub fn read(text: &str) -> Scene {
    scene::from_text("test", text, &[]).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

fn set(path: &str, value: &str) -> Vec<(String, String)> {
    vec![(path.into(), value.into())]
}

/// A correct scene of two bodies, in words, for tests to read and to change.
pub const TWO: &str = r#"(
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
