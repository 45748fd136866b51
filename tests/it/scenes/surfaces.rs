//! Surfaces that give by Hertz's law and foundations on faces: what a scene file says of them reaches the model, and mistakes
//! are told at their places.

use driftless::math::Vec3;
use driftless::model::{Face, Hertz, SurfaceCompliance};
use driftless::scene;

const SCENE: &str = r#"(
    version: 1,
    world: [(half_space: (), material: "bed", foundations: [
        (elements: (4, 5), extent: (1, 2), depth: 0.1, modulus: 1e6, damping: 30)])],
    bodies: {
        "cube": (mass: 1, material: "steel", position: (0, 0, 3), shape: (box: (size: (1, 2, 3)), at: (1, 0, 0), foundations: [
            (face: "-x", elements: (2, 3), depth: 0.2, modulus: 5e5)])),
        "ball": (mass: 1, material: "brass", position: (5, 0, 1), shape: (sphere: (radius: 0.1))),
    },
    contact: (
        materials: {
            "bed": (),
            "steel": (hertz: (modulus: 2.1e11, poisson: 0.3, damping: 4, radius: 0.01)),
            "brass": (hertz: (modulus: 1e11, poisson: 0.35)),
        },
        pairs: [(materials: ("bed", "brass"), hertz: (modulus: 5e10, damping: 7))],
    ),
)"#;

#[test]
fn what_a_file_says_reaches_the_model() {
    let read = scene::from_text("surfaces", SCENE, &[]).expect("it is valid");
    let model = &read.model;
    let rules = model.contact.as_ref().expect("it has rules");
    let law = |a, b| match rules.compliance(a, b) {
        Some(SurfaceCompliance::Hertz(own)) => own,
        other => panic!("{other:?}"),
    };
    let steel = Hertz::of(2.1e11, 0.3, 4.0, Some(0.01));
    let brass = Hertz::of(1e11, 0.35, 0.0, None);
    assert_eq!(law(1, 0), steel);
    assert_eq!(law(1, 2), steel.behind(brass));
    assert_eq!(law(2, 0), Hertz::of(5e10, 0.0, 7.0, None));
    let ground = &model.world_shapes[0].foundations[0];
    assert_eq!((ground.elements, ground.extent), ([4, 5], [1.0, 2.0]));
    assert_eq!(ground.compliance().stiffness, 1e6 * 0.1 / 0.1);
    let shape = &model.bodies[0].shapes[0];
    let own = &shape.foundations[0];
    assert_eq!(own.face, Face::named("-x").expect("it is a face"));
    assert_eq!(own.extent, [2.0, 3.0]);
    // The centre of mass is that of the box.
    let patch = own.patch(shape);
    assert!((patch.centre + Vec3::x() * 0.5).norm() < 1e-15);
    assert!((patch.normal + Vec3::x()).norm() < 1e-15);
}

#[test]
fn mistakes_are_told_at_their_places() {
    let cube = "bodies.cube.shape.foundations.0";
    let mesh =
        r#"(sphere: (radius: 0.1), foundations: [(elements: (1, 1), depth: 1, modulus: 1)])"#;
    for (from, to, place, word) in [
        (r#"face: "-x""#, r#"face: "x""#, cube, "one of -x, +x"),
        ("depth: 0.2", "depth: 1.5", cube, "thickness of the box"),
        ("elements: (2, 3)", "elements: (0, 3)", cube, "1 to 1000000"),
        ("modulus: 5e5", "modulus: -1", cube, "above 0 Pa"),
        ("depth: 0.2,", "depth: 0.2, extent: (1, 1),", cube, "none"),
        ("extent: (1, 2), ", "", "world.0.foundations.0", "extent"),
        (
            "damping: 30",
            "damping: -30",
            "world.0.foundations.0",
            "damping",
        ),
        (
            "modulus: 1e6, damping: 30)",
            r#"modulus: 1e6), (face: "-z", elements: (1, 1), extent: (1, 1), depth: 1, modulus: 1)"#,
            "world.0.foundations.1.face",
            "+z",
        ),
        (
            "modulus: 5e5)",
            r#"modulus: 5e5), (face: "-x", elements: (1, 1), depth: 1, modulus: 1)"#,
            "bodies.cube.shape.foundations.1",
            "one on each",
        ),
        (
            "(sphere: (radius: 0.1))",
            mesh,
            "bodies.ball.shape.foundations.0",
            "box or a half-space",
        ),
        (
            "poisson: 0.3,",
            "poisson: 0.7,",
            "contact.materials.steel.hertz.poisson",
            "at most 0.5",
        ),
        (", radius: 0.01", "", "contact.materials.steel", "radius"),
        (
            ", radius: 0.01",
            ", radius: 0",
            "contact.materials.steel.hertz.radius",
            "above 0 m",
        ),
        (
            r#""bed": ()"#,
            r#""bed": (compliance: (stiffness: 3))"#,
            "contact.materials.steel",
            "pair",
        ),
        (
            "poisson: 0.35)",
            "poisson: 0.35), compliance: (stiffness: 3)",
            "contact.materials.brass.hertz",
            "one of them",
        ),
    ] {
        assert!(SCENE.contains(from), "{from}");
        let text = SCENE.replacen(from, to, 1);
        let said = match scene::from_text("surfaces", &text, &[]) {
            Ok(_) => panic!("{to} is taken"),
            Err(error) => error.to_string(),
        };
        assert!(said.contains(place) && said.contains(word), "{to}: {said}");
    }
}

#[test]
fn a_foundation_under_a_surface_without_an_inside_is_refused() {
    let ground = "(height_field: (extent: (4, 4), samples: (2, 2), heights: [0, 0, 0, 0]), material: \"bed\")";
    let text = SCENE.replacen("world: [", &format!("world: [{ground}, "), 1);
    let said = match scene::from_text("surfaces", &text, &[]) {
        Ok(_) => panic!("it is taken"),
        Err(error) => error.to_string(),
    };
    assert!(
        said.contains("bodies.cube") && said.contains("height field"),
        "{said}"
    );
}
