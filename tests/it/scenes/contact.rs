//! Contact, joint limits, cables and surfaces in scene files: words become a model.

use driftless::integrators::{FrictionCone, OptionValue};
use driftless::math::Vec3;
use driftless::model::{BodyId, Geometry};
use driftless::scene::{self, Scene, SceneError};

/// A correct scene with every word of contact, for tests to change.
const BASE: &str = r#"(
    version: 1,
    bodies: {
        "a": (
            mass: 2, material: "ice", position: (0, 0, 1),
            shapes: [
                (box: (size: (1, 1, 1))),
                (sphere: (radius: 0.5), material: "steel", groups: ["upper"], collides_with: ["upper", "lower"]),
                (sphere: (radius: 0.1), collides: false),
            ],
        ),
        "b": (shape: (ellipsoid: (radii: (0.1, 0.2, 0.3)))),
        "c": (shape: (hull: (points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])), position: (4, 0, 1)),
    },
    joints: {
        "slide": (
            kind: cylindrical, child: "b", anchor: (2, 0, 1), at: [0, 0.5],
            limits: [(lower: 0, upper: 2, restitution: 0.5), (coordinate: 1, upper: "90 deg")],
        ),
    },
    cables: { "rope": (ends: ((point: (4, 0, 3)), (body: "c", point: (0, 0, 1))), restitution: 0.25) },
    world: [
        (half_space: (), orientation: (axis: (0, 1, 0), angle: "10 deg"), groups: ["lower"]),
        (height_field: (extent: (2, 4), samples: (3, 5), heights: "x + 10*y"), at: (0, 0, -9)),
    ],
    contact: (
        materials: { "steel": (friction: 0.4, restitution: 0.1), "ice": (friction: 0.1), "felt": () },
        pairs: [(materials: ("ice", "steel"), friction: 0.02)],
        apart: [("a", "c")],
    ),
    integrator: (friction: "linearised-8", contact_solver: "interior-point"),
)"#;

fn read(text: &str, sets: &[(&str, &str)]) -> Scene {
    let sets: Vec<(String, String)> = sets
        .iter()
        .map(|(path, value)| (path.to_string(), value.to_string()))
        .collect();
    scene::from_text("x.ron", text, &sets).unwrap_or_else(|e| panic!("{e}"))
}

/// Errors of the scene with one text replaced by another.
pub fn errors(from: &str, to: &str) -> Vec<SceneError> {
    assert!(BASE.contains(from), "{from}");
    let text = BASE.replacen(from, to, 1);
    match scene::from_text("x.ron", &text, &[]) {
        Ok(_) => panic!("{from} -> {to} is not wrong"),
        Err(errors) => errors.0,
    }
}

/// The word that `collides_with` had before is read still.
#[test]
fn an_old_word_means_the_same() {
    let old = BASE.replace("collides_with", "meets");
    assert_eq!(read(&old, &[]).model, read(BASE, &[]).model);
}

#[test]
fn words_become_rules() {
    let scene = read(BASE, &[]);
    let model = &scene.model;
    let rules = model.contact.as_ref().unwrap();
    let names: Vec<&str> = rules.materials.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["steel", "ice", "felt"]);
    // What a material leaves out, and what a pair leaves out.
    assert_eq!(rules.coefficients(2, 2), (0.5, 0.0));
    assert_eq!(rules.coefficients(0, 1), (0.02, 0.1));
    assert_eq!(rules.apart, [[BodyId(0), BodyId(2)]]);
    assert!(!rules.joined);
    let [first, second, third] = &model.bodies[0].shapes[..] else {
        panic!("three shapes")
    };
    assert_eq!([first, second].map(|s| s.touch.material), [1, 0]);
    assert_eq!(model.bodies[1].shapes[0].touch.material, 0);
    let [ground, field] = &model.world_shapes[..] else {
        panic!("two shapes of the world")
    };
    // Plain shapes touch everything; those of groups what they name; drawn ones nothing.
    assert!(first.touch.meets(&field.touch));
    assert!(second.touch.meets(&ground.touch) && second.touch.meets(&second.touch));
    assert!(!second.touch.meets(&first.touch) && !second.touch.meets(&field.touch));
    assert!(!third.touch.meets(&first.touch) && !third.touch.meets(&ground.touch));
    let Geometry::HeightField(heights) = &field.geometry else {
        panic!("{field:?}")
    };
    // x from -1 to 1, y from -2 to 2.
    assert_eq!(heights.heights[..4], [-21.0, -20.0, -19.0, -11.0]);
    let limits = &model.joints[0].limits;
    assert_eq!((limits[0].lower, limits[0].upper), (0.0, 2.0));
    assert_eq!(limits[0].restitution, 0.5);
    assert_eq!(
        (limits[1].coordinate, limits[1].lower),
        (1, f64::NEG_INFINITY)
    );
    let cable = &model.cables[0];
    assert_eq!((cable.length, cable.restitution), (1.0, 0.25));
    // The end is a corner of the tetrahedron, seen from its centre of mass.
    let end = Vec3::new(-0.25, -0.25, 0.75);
    assert!((cable.ends[1].point - end).norm() < 1e-14);
    assert_eq!(scene.settings.friction, FrictionCone::Linearised(8));
    let options: Vec<_> = scene.settings.options.chosen().collect();
    let solver = OptionValue::Word("interior-point");
    assert_eq!(options, [("contact_solver", solver)]);
}

#[test]
fn contact_without_words_is_one_material() {
    let text = "(version: 1, bodies: {\"a\": (shape: (sphere: (radius: 1)))}, contact: ())";
    let scene = read(text, &[]);
    let rules = scene.model.contact.as_ref().unwrap();
    assert_eq!(rules.coefficients(0, 0), (0.5, 0.0));
    assert_eq!(scene.model.bodies[0].shapes[0].touch.material, 0);
    let joined = read(text, &[("contact.joined", "true")]);
    assert!(joined.model.contact.unwrap().joined);
    let silent = read(&text.replace(", contact: ()", ""), &[]);
    assert!(silent.model.contact.is_none());
    let switched = read(&text.replace(", contact: ()", ""), &[("contact", "()")]);
    assert!(switched.model.contact.is_some());
}

#[test]
fn every_new_value_can_be_changed_by_its_path() {
    let changed = read(
        BASE,
        &[
            ("contact.materials.felt.friction", "0.9"),
            ("contact.pairs.0.restitution", "0.7"),
            ("joints.slide.limits.1.upper", "\"80 deg\""),
            ("cables.rope.length", "2"),
            ("bodies.b.shape.material", "\"felt\""),
            ("bodies.a.shapes.0.collides", "false"),
            ("world.1.height_field.heights", "\"0\""),
            ("integrator.friction", "exact"),
        ],
    );
    let rules = changed.model.contact.as_ref().unwrap();
    assert_eq!(rules.coefficients(2, 2), (0.9, 0.0));
    assert_eq!(rules.coefficients(0, 1), (0.02, 0.7));
    assert!((changed.model.joints[0].limits[1].upper - 80f64.to_radians()).abs() < 1e-15);
    assert_eq!(changed.model.cables[0].length, 2.0);
    assert_eq!(changed.model.bodies[1].shapes[0].touch.material, 2);
    assert_eq!(changed.model.bodies[0].shapes[0].touch.member, 0);
    assert_eq!(changed.settings.friction, FrictionCone::Exact);
}

#[test]
fn an_open_surface_weighs_nothing() {
    let path = std::env::temp_dir().join(format!("driftless-open-{}.obj", std::process::id()));
    std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let mesh = format!("(mesh: (file: \"{}\"), ", path.display());
    let found = errors("(sphere: (radius: 0.1), ", &mesh);
    std::fs::remove_file(path).unwrap();
    let [error] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(error.path, "bodies.a.shapes.2.mesh.file");
    assert!(error.found.contains("open surface"), "{error}");
    assert!(error.expected.contains("closed"), "{error}");
}

#[test]
fn meshes_are_found_beside_their_scene_and_shipped_ones_everywhere() {
    let folder = std::env::temp_dir().join(format!("driftless-beside-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("parts")).unwrap();
    // A tetrahedron of 1 m in millimetres.
    let solid = "v 0 0 0\nv 1000 0 0\nv 0 1000 0\nv 0 0 1000\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(folder.join("parts/solid.obj"), solid).unwrap();
    let text = r#"(version: 1, bodies: {
        "mesh": (shape: (mesh: (file: "parts/solid.obj", scale: 0.001))),
        "hull": (shape: (hull: (file: "parts/solid.obj", scale: 0.001)), position: (3, 0, 0)),
        "tooth": (shape: (hull: (file: "gear_tooth_18.obj")), position: (6, 0, 0)),
    })"#;
    let path = folder.join("scene.ron");
    std::fs::write(&path, text).unwrap();
    let scene = scene::open(path.to_str().unwrap(), &[]).unwrap_or_else(|e| panic!("{e}"));
    for body in &scene.model.bodies[..2] {
        // A sixth of a cubic metre of water; exact but for rounding.
        assert!((body.mass - 1000.0 / 6.0).abs() < 1e-10);
        assert!((body.origin + Vec3::repeat(0.25)).norm() < 1e-14);
    }
    std::fs::remove_dir_all(folder).unwrap();
}
