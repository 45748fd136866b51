//! Contact, joint limits, cables and surfaces in scene files: words become a model, and mistakes are located.

use driftless::integrators::{FrictionCone, OptionValue};
use driftless::math::Vec3;
use driftless::model::{BodyId, Geometry};
use driftless::scene::{self, Scene, SceneError};

const BASE: &str = r#"(
    version: 1,
    bodies: {
        "a": (
            mass: 2, material: "ice", position: (0, 0, 1),
            shapes: [
                (box: (size: (1, 1, 1))),
                (sphere: (radius: 0.5), material: "steel", groups: ["upper"], meets: ["upper", "lower"]),
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

/// Errors of the scene with one text replaced by another.
fn errors(from: &str, to: &str) -> Vec<SceneError> {
    assert!(BASE.contains(from), "{from}");
    let text = BASE.replacen(from, to, 1);
    match scene::from_text("x.ron", &text, &[]) {
        Ok(_) => panic!("{from} -> {to} is not wrong"),
        Err(errors) => errors.0,
    }
}

#[test]
fn every_mistake_is_one_error_at_its_place() {
    // What is replaced by what; the path of the error; parts of what was found and of what is expected.
    for (from, to, path, found, expected) in [
        (
            "\"ice\", position",
            "\"icy\", position",
            "bodies.a.material",
            "`icy`",
            "ice",
        ),
        (
            "material: \"steel\"",
            "material: \"stel\"",
            "bodies.a.shapes.1.material",
            "`stel`",
            "steel",
        ),
        (
            "friction: 0.1)",
            "friction: -0.1)",
            "contact.materials.ice.friction",
            "-0.1",
            "at least 0",
        ),
        (
            "restitution: 0.1",
            "restitution: 1.1",
            "contact.materials.steel.restitution",
            "1.1",
            "0 to 1",
        ),
        (
            "friction: 0.02",
            "friction: -1",
            "contact.pairs.0.friction",
            "-1",
            "at least 0",
        ),
        (
            "(\"ice\", \"steel\")",
            "(\"ice\", \"stel\")",
            "contact.pairs.0.materials.1",
            "`stel`",
            "steel",
        ),
        (
            "(\"a\", \"c\")",
            "(\"a\", \"d\")",
            "contact.apart.0.1",
            "`d`",
            "a, b, c",
        ),
        (
            "(\"a\", \"c\")",
            "(\"a\", \"a\")",
            "contact.apart.0",
            "same body",
            "different",
        ),
        (
            "lower: 0, upper: 2",
            "lower: 3, upper: 2",
            "joints.slide.limits",
            "3 above upper",
            "lower",
        ),
        (
            "lower: 0, upper: 2",
            "lower: 1, upper: 2",
            "joints.slide.limits.0",
            "at the start",
            "between 1 and 2",
        ),
        (
            "lower: 0, upper: 2",
            "coordinate: 2, upper: 2",
            "joints.slide.limits",
            "2 on a joint",
            "free",
        ),
        (
            "lower: 0, upper: 2, ",
            "",
            "joints.slide.limits.0",
            "no bound",
            "lower, or upper",
        ),
        (
            "restitution: 0.5",
            "restitution: 2",
            "joints.slide.limits",
            "2",
            "0 to 1",
        ),
        (
            "coordinate: 1, upper",
            "coordinate: 0, upper",
            "joints.slide.limits",
            "twice",
            "one limit",
        ),
        (
            "restitution: 0.25",
            "length: 0.9",
            "cables.rope.length",
            "1.000000 m apart",
            "0.9 m",
        ),
        (
            "restitution: 0.25",
            "length: 0",
            "cables.rope.length",
            "0",
            "above 0",
        ),
        (
            "restitution: 0.25",
            "restitution: -1",
            "cables.rope.restitution",
            "-1",
            "0 to 1",
        ),
        (
            "(body: \"c\", point: (0, 0, 1))",
            "()",
            "cables.rope.ends",
            "both in the world",
            "two bodies",
        ),
        (
            "(box: (size: (1, 1, 1)))",
            "(half_space: ())",
            "bodies.a.shapes.0.half_space",
            "on a body",
            "world only",
        ),
        (
            "(0.1, 0.2, 0.3)",
            "(0.1, 0, 0.3)",
            "bodies.b.shape.ellipsoid.radii",
            "(0.1, 0, 0.3)",
            "above 0",
        ),
        (
            "(0, 0, 1)]",
            "(1, 1, 0)]",
            "bodies.c.shape.hull.points",
            "in a plane",
            "span a solid",
        ),
        (
            "points: [",
            "file: \"x.obj\", points: [",
            "bodies.c.shape.hull",
            "both points and file",
            "one of them",
        ),
        (
            "(3, 5)",
            "(1, 5)",
            "world.1.height_field.samples",
            "(1, 5)",
            "at least 2",
        ),
        (
            "(2, 4)",
            "(2, 0)",
            "world.1.height_field.extent",
            "(2, 0)",
            "above 0",
        ),
        (
            "\"x + 10*y\"",
            "\"x + z\"",
            "world.1.height_field.heights",
            "names `z`",
            "x and y",
        ),
        (
            "\"x + 10*y\"",
            "\"1/(x-x)\"",
            "world.1.height_field.heights",
            "which is",
            "x and y",
        ),
        (
            "\"x + 10*y\"",
            "[1, 2]",
            "world.1.height_field.heights",
            "2 numbers",
            "3 × 5 = 15",
        ),
        (
            "\"linearised-8\"",
            "\"linearised-5\"",
            "integrator.friction",
            "linearised-5",
            "even",
        ),
        (
            "\"interior-point\"",
            "\"interior\"",
            "integrator.contact_solver",
            "`interior`",
            "hybrid",
        ),
        (
            "collides: false",
            "collides: false, groups: [\"x\"]",
            "bodies.a.shapes.2.groups",
            "beside",
            "one of them",
        ),
        (
            "(sphere: (radius: 0.1), ",
            "(mesh: (file: \"none.obj\"), ",
            "bodies.a.shapes.2.mesh.file",
            "none.obj",
            "path",
        ),
        (
            "(sphere: (radius: 0.1), ",
            "(mesh: (file: \"a.ply\"), ",
            "bodies.a.shapes.2.mesh.file",
            "ending",
            "OBJ",
        ),
    ] {
        let found_errors = errors(from, to);
        let [error] = &found_errors[..] else {
            panic!("{to}: {found_errors:?}")
        };
        assert_eq!(error.path, path, "{to}: {error}");
        assert!(error.found.contains(found), "{to}: {error}");
        assert!(error.expected.contains(expected), "{to}: {error}");
        assert!(error.line.is_some(), "{to}: {error}");
    }
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
fn too_many_groups_are_refused() {
    let groups: Vec<String> = (0..32).map(|k| format!("\"g{k}\"")).collect();
    let found = errors("[\"lower\"]", &format!("[{}]", groups.join(", ")));
    assert!(found[0].found.contains("groups"), "{found:?}");
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
