//! Every mistake in what a scene file says of contact, joint limits, cables and surfaces is one error at its place.

use crate::scenes::contact::errors;

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
fn too_many_groups_are_refused() {
    let groups: Vec<String> = (0..32).map(|k| format!("\"g{k}\"")).collect();
    let found = errors("[\"lower\"]", &format!("[{}]", groups.join(", ")));
    assert!(found[0].found.contains("groups"), "{found:?}");
}
