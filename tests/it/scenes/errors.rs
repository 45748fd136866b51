//! Wrong scenes: all mistakes at once, missing words, contradictions, changes by path, and how errors read.

use driftless::scene::{self, SceneError};

/// A scene that uses every section.
pub const BASE: &str = r#"// a scene
(
    version: 1,
    title: "T", description: "d",
    bodies: {
        "upper": (
            mass: 1, // kilograms
            colour: "blue",
            shape: (capsule: (radius: 0.03), from: (0, 0, 0), to: (0, 0, -1)),
        ),
        "lower": (mass: 2, shape: (box: (size: (0.1, 0.1, 1)))),
    },
    joints: {
        "shoulder": (kind: revolute, child: "upper", axis: (1, 0, 0), at: 1, damping: 0.1),
        "elbow": (kind: cylindrical, parent: "upper", child: "lower", anchor: (0, 0, -1)),
    },
    couplings: { "c": (screw: "elbow", pitch: 0.1) },
    springs: { "s": (from: (point: (0, 0, 2)), to: (body: "lower"), stiffness: 10, rest: 0.5) },
    wrenches: { "w": (body: "lower", force: (0, 0, "3*t")) },
    integrator: (method: "heun", dt: 0.01),
    camera: (eye: (3, 0, 0), target: (0, 0, 0)),
    plots: [energy, drift],
)
"#;

/// Errors of the scene with one text replaced by another.
pub fn errors(replacements: &[(&str, &str)]) -> Vec<SceneError> {
    let mut text = BASE.to_owned();
    for (from, to) in replacements {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    match scene::from_text("x.ron", &text, &[]) {
        Ok(_) => panic!("{replacements:?} is not wrong"),
        Err(errors) => errors.0,
    }
}

/// Line and column of the first place where the changed text stands in the base, plus an offset.
pub fn place(from: &str, offset: usize) -> (usize, usize) {
    let byte = BASE.find(from).unwrap();
    let before = &BASE[..byte];
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (before.matches('\n').count() + 1, column + offset)
}

#[test]
fn all_mistakes_are_reported_at_once_and_none_twice() {
    let errors = errors(&[
        ("mass: 1,", "mas: 1,"),
        ("(1, 0, 0)", "(1, \"q\", 0)"),
        ("parent: \"upper\"", "parent: \"uper\""),
        ("stiffness: 10", "stiffness: -10"),
        ("heun", "hun"),
        ("dt: 0.01", "dt: -1"),
    ]);
    let paths: Vec<&str> = errors.iter().map(|e| e.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "bodies.upper.mas",
            "joints.shoulder.axis.1",
            "joints.elbow.parent",
            "springs.s.stiffness",
            "integrator.method",
            "integrator.dt",
        ]
    );
}

#[test]
fn what_is_missing_or_twice_is_said() {
    let missing = errors(&[("kind: revolute, ", "")]);
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0].path, "joints.shoulder.kind");
    assert_eq!((missing[0].line, missing[0].column), (Some(14), Some(9)));
    let twice = errors(&[("\"elbow\": (", "\"shoulder\": (")]);
    assert!(
        twice[0].found.contains("a second item named `shoulder`"),
        "{twice:?}"
    );
    assert_eq!(twice[0].line, Some(15));
    let field = errors(&[("mass: 1,", "mass: 1, mass: 2,")]);
    assert!(field[0].found.contains("second field `mass`"), "{field:?}");
}

#[test]
fn broken_syntax_has_a_place() {
    for (from, to, line) in [
        ("plots: [energy, drift]", "plots: [energy drift]", 22),
        ("joints: {", "joints: [", 13),
        ("\"lower\": (mass", "\"lower (mass", 11),
    ] {
        let errors = errors(&[(from, to)]);
        assert_eq!(errors.len(), 1, "{errors:?}");
        let found = errors[0].line.unwrap();
        // A string that does not end is noticed where the next one begins.
        assert!((line..=line + 3).contains(&found), "{from}: {errors:?}");
    }
}

#[test]
fn contradictions_are_errors() {
    for (from, to, path) in [
        // Placed twice.
        (
            "mass: 1,",
            "mass: 1, position: (0, 0, 0),",
            "joints.shoulder.at",
        ),
        ("mass: 2,", "mass: 2, density: 5,", "bodies.lower.density"),
        (
            "mass: 2,",
            "mass: 2, centre: (0, 0, 0),",
            "bodies.lower.centre",
        ),
        (
            "size: (0.1, 0.1, 1))",
            "size: (0.1, 0.1, 1)), sphere: (radius: 1)",
            "bodies.lower.shape",
        ),
        ("to: (0, 0, -1)", "length: 1", "bodies.upper.shape.length"),
        (
            "child: \"upper\", axis",
            "child: \"upper\", x_axis: (1, 1, 0), axis",
            "joints.shoulder.x_axis",
        ),
        (
            "anchor: (0, 0, -1)",
            "in_world: true, at: [0, 0]",
            "joints.elbow.at",
        ),
        ("pitch: 0.1", "pitch: 0.1, ratio: 2", "couplings.c.ratio"),
        ("pitch: 0.1", "", "couplings.c.screw"),
        (
            "damping: 0.1",
            "damping: 0.1, damping_rotation: 2",
            "joints.shoulder.damping",
        ),
        ("anchor: (0, 0, -1)", "damping: 1", "joints.elbow.damping"),
        ("\"upper\": (", "\"world\": (", "bodies.world"),
    ] {
        let replaced = BASE.replacen(from, to, 1);
        let errors = scene::from_text("x.ron", &replaced, &[])
            .map(|_| ())
            .unwrap_err();
        assert!(errors.0.iter().any(|e| e.path == path), "{to}: {errors}");
    }
}

#[test]
fn changes_by_path_have_the_same_errors() {
    let wrong = |path: &str, value: &str| {
        let sets = [(path.to_owned(), value.to_owned())];
        let errors = scene::from_text("x.ron", BASE, &sets)
            .map(|_| ())
            .unwrap_err();
        assert_eq!(errors.0.len(), 1, "{errors}");
        let error = errors.0[0].clone();
        assert_eq!(error.file, format!("--set {path}={value}"));
        assert_eq!(error.line, None);
        error
    };
    let name = wrong("bodies.lowr.mass", "3");
    assert_eq!(name.suggestion.as_deref(), Some("lower"));
    let field = wrong("bodies.lower.mas", "3");
    assert_eq!(field.suggestion.as_deref(), Some("mass"));
    assert_eq!(wrong("bodies.lower.mass", "-3").path, "bodies.lower.mass");
    assert!(
        wrong("joints.shoulder.axis.7", "1")
            .expected
            .contains("0 to 2")
    );
    assert!(wrong("gravity", "(0, 0").expected.contains("(0, 0, 1)"));
    assert!(
        wrong("gravity", "(0, 0)")
            .expected
            .contains("three numbers")
    );
    assert!(
        wrong("bodies..mass", "1")
            .expected
            .contains("joined by dots")
    );
    assert!(wrong("integrator.dt", "2").expected.contains("at most 1"));
    assert!(
        wrong("bodies.lower.mass.x", "2")
            .found
            .contains("no fields")
    );
    assert_eq!(
        wrong("springs.s.to.body", "uper").suggestion.as_deref(),
        Some("upper")
    );
    // An error of the file keeps its line although the change before it moved the text.
    let sets = [
        ("gravity".to_owned(), "(0, 0, -1.62)".to_owned()),
        ("bodies.upper.mass".to_owned(), "1000".to_owned()),
    ];
    let text = BASE.replacen("rest: 0.5", "rest: -0.5", 1);
    let errors = scene::from_text("x.ron", &text, &sets)
        .map(|_| ())
        .unwrap_err()
        .0;
    assert_eq!((errors[0].line, errors[0].column), (Some(18), Some(90)));
}

#[test]
fn wrong_names_and_parameters_suggest_the_nearest() {
    let errors = |spec: &str| scene::open(spec, &[]).map(|_| ()).unwrap_err().0;
    assert_eq!(
        errors("duble_pendulum")[0].suggestion.as_deref(),
        Some("double_pendulum")
    );
    assert_eq!(
        errors("chian:links=3")[0].suggestion.as_deref(),
        Some("chain")
    );
    let several = errors("chain:link=3,joint=sperical,angle=x,links=0,foo");
    assert_eq!(several.len(), 5, "{several:?}");
    assert_eq!(several[0].suggestion.as_deref(), Some("links"));
    assert_eq!(several[1].suggestion.as_deref(), Some("spherical"));
    assert!(several[3].expected.contains("from 1 to 10000"));
    assert!(errors("closed-chain:links=4")[0].expected.contains("odd"));
    let file = &errors("no/such.ron")[0];
    assert!(file.found.contains("cannot be read"), "{file:?}");
}

#[test]
fn errors_read_well() {
    let text = BASE.replacen("mass: 1,", "mas: 1,", 1);
    let shown = scene::from_text("scenes/x.ron", &text, &[])
        .map(|_| ())
        .unwrap_err()
        .to_string();
    let expected = "scenes/x.ron:7:13: bodies.upper.mas\n    found: unknown field `mas`\n    expected: one of mass, density";
    assert!(shown.starts_with(expected), "{shown}");
    assert!(shown.ends_with("did you mean `mass`?"), "{shown}");
}
