//! One mistake of every kind in a scene file, each with its place, what was found, what is allowed and the nearest
//! name.

use crate::scenes::errors::{errors, place};

/// One wrong scene: what is replaced by what, where the error stands in it, and parts of the error.
struct Case {
    from: &'static str,
    to: &'static str,
    offset: usize,
    path: &'static str,
    found: &'static str,
    expected: &'static str,
    suggestion: Option<&'static str>,
}

const fn case(
    (from, to): (&'static str, &'static str),
    offset: usize,
    path: &'static str,
    (found, expected): (&'static str, &'static str),
    suggestion: Option<&'static str>,
) -> Case {
    Case {
        from,
        to,
        offset,
        path,
        found,
        expected,
        suggestion,
    }
}

const CASES: &[Case] = &[
    case(
        ("mass: 1,", "mas: 1,"),
        0,
        "bodies.upper.mas",
        ("`mas`", "mass, density"),
        Some("mass"),
    ),
    case(
        ("mass: 1,", "mass: \"heavy\","),
        6,
        "bodies.upper.mass",
        ("heavy", "a finite number"),
        None,
    ),
    case(
        ("mass: 1,", "mass: 0,"),
        6,
        "bodies.upper.mass",
        ("0", "above 0 kg"),
        None,
    ),
    case(
        ("mass: 1,", "mass: inf,"),
        6,
        "bodies.upper.mass",
        ("inf", "a finite number"),
        None,
    ),
    case(
        ("mass: 1,", "mass: 1, inertia: (1, 1, 5),"),
        18,
        "bodies.upper.inertia",
        ("triangle inequality", "principal moment"),
        None,
    ),
    case(
        ("\"blue\"", "\"bleu\""),
        0,
        "bodies.upper.colour",
        ("bleu", "one of"),
        Some("blue"),
    ),
    case(
        ("(capsule", "(capsul"),
        1,
        "bodies.upper.shape.capsul",
        ("capsul", "capsule"),
        Some("capsule"),
    ),
    case(
        ("0.03", "-1"),
        0,
        "bodies.upper.shape.capsule.radius",
        ("-1", "above 0 m"),
        None,
    ),
    case(
        ("revolute", "revolut"),
        0,
        "joints.shoulder.kind",
        ("revolut", "revolute"),
        Some("revolute"),
    ),
    case(
        ("revolute", "\"revolute\""),
        0,
        "joints.shoulder.kind",
        ("\"revolute\"", "without quotes"),
        None,
    ),
    case(
        ("\"upper\", child", "\"uper\", child"),
        0,
        "joints.elbow.parent",
        ("`uper`", "world, upper"),
        Some("upper"),
    ),
    case(
        ("\"lower\", anchor", "\"upper\", anchor"),
        0,
        "joints.elbow.child",
        ("also the parent", "different"),
        None,
    ),
    case(
        ("(1, 0, 0)", "(1, 0)"),
        0,
        "joints.shoulder.axis",
        ("(1, 0)", "three numbers"),
        None,
    ),
    case(
        ("(1, 0, 0)", "(0, 0, 0)"),
        0,
        "joints.shoulder.axis",
        ("(0, 0, 0)", "not all"),
        None,
    ),
    case(
        ("at: 1", "at: [1, 2]"),
        4,
        "joints.shoulder.at",
        ("2 numbers", "1 for a joint"),
        None,
    ),
    case(
        ("0.1),\n        \"elbow\"", "yes),\n        \"elbow\""),
        0,
        "joints.shoulder.damping",
        ("`yes`", "number"),
        None,
    ),
    case(
        ("\"elbow\", pitch", "\"shoulder\", pitch"),
        0,
        "couplings.c.screw",
        ("Revolute", "cylindrical"),
        None,
    ),
    case(
        ("rest: 0.5", "rest: -0.5"),
        6,
        "springs.s.rest",
        ("-0.5", "at least 0 m"),
        None,
    ),
    case(
        ("\"3*t\"", "\"3*x\""),
        0,
        "wrenches.w.force.2",
        ("uses `x`", "expression in t"),
        None,
    ),
    case(
        ("\"heun\"", "\"hun\""),
        0,
        "integrator.method",
        ("`hun`", "heun"),
        Some("heun"),
    ),
    case(
        ("dt: 0.01", "dt: -1"),
        4,
        "integrator.dt",
        ("-1", "above 0"),
        None,
    ),
    case(
        ("version: 1", "version: 9"),
        9,
        "version",
        ("9", "1, the version"),
        None,
    ),
    case(
        ("(3, 0, 0)", "(0, 0, 0)"),
        0,
        "camera.eye",
        ("same point", "another"),
        None,
    ),
    case(
        ("(eye", "(ey"),
        1,
        "camera.ey",
        ("`ey`", "eye, target"),
        Some("eye"),
    ),
    case(
        ("energy", "energie"),
        0,
        "plots.0",
        ("energie", "energy_error"),
        Some("energy"),
    ),
    case(
        ("\"d\"", "d"),
        0,
        "description",
        ("`d`", "double quotes"),
        None,
    ),
];

#[test]
fn every_mistake_is_located_and_explained() {
    for case in CASES {
        let errors = errors(&[(case.from, case.to)]);
        let [error] = &errors[..] else {
            panic!("{} -> {}: {errors:#?}", case.from, case.to)
        };
        let context = format!("{} -> {}: {error:#?}", case.from, case.to);
        assert_eq!(error.file, "x.ron", "{context}");
        let (line, column) = place(case.from, case.offset);
        assert_eq!(
            (error.line, error.column),
            (Some(line), Some(column)),
            "{context}"
        );
        assert_eq!(error.path, case.path, "{context}");
        assert!(error.found.contains(case.found), "{context}");
        assert!(error.expected.contains(case.expected), "{context}");
        assert_eq!(error.suggestion.as_deref(), case.suggestion, "{context}");
    }
}
