//! Options of methods by their names: in lists, on the command line, in scenes, and the nearest to a wrong one.

use crate::commands::cli::{driftless, folder, json, text};
use crate::mechanics::bench::with_options;
use crate::mechanics::options::chosen;
use driftless::integrators::{OptionKind, REGISTRY, Settings};
use driftless::scene;

#[test]
fn the_list_of_methods_tells_their_options_and_what_they_support() {
    let listed = json(&["integrators", "--json"]);
    let listed = listed["integrators"].as_array().expect("a list");
    for (value, info) in listed.iter().zip(REGISTRY) {
        assert_eq!(value["name"], info.name);
        for key in [
            "trees",
            "loops",
            "contact",
            "limits",
            "cables",
            "dissipation",
        ] {
            assert!(value[key].is_boolean(), "{}: {key}", info.name);
        }
        let options = value["options"].as_array().expect("a list");
        assert_eq!(options.len(), info.options.len());
        for (option, spec) in options.iter().zip(info.options) {
            assert_eq!(option["name"], spec.name);
            assert_eq!(option["summary"], spec.summary);
            let (kind, values) = match spec.kind {
                OptionKind::Real { .. } => ("real", "range"),
                OptionKind::Whole { .. } => ("whole", "range"),
                OptionKind::Choice { .. } => ("choice", "choices"),
                OptionKind::Switch { .. } => ("switch", "default"),
            };
            assert_eq!(option["kind"], kind);
            assert!(
                !option[values].is_null() && !option["default"].is_null(),
                "{option}"
            );
        }
    }
    let shown = text(&driftless(&["integrators"]).stdout);
    assert!(
        shown.contains("stabilisation: ") && shown.contains("one of none, baumgarte, projection")
    );
}

#[test]
fn the_command_line_takes_options_and_names_the_nearest_to_a_wrong_one() {
    let table = folder().join("options.csv");
    let table = table.to_str().expect("a path");
    let run = |options: &[&str]| {
        let mut words = vec!["run", "pendulum", "--integrator", "heun", "--steps", "2"];
        for option in options {
            words.extend(["--option", option]);
        }
        words.extend(["--csv", table]);
        driftless(&words)
    };
    assert!(
        run(&["stabilisation=baumgarte", "baumgarte=2.5"])
            .status
            .success()
    );
    let header = std::fs::read_to_string(table).expect("a table");
    for line in ["# stabilisation: baumgarte\n", "# baumgarte [1/s]: 2.5\n"] {
        assert!(header.contains(line), "{header}");
    }
    assert!(
        !header.contains("contact_solver"),
        "that is none of heun: {header}"
    );
    for (options, parts) in [
        (
            &["stabilization=none"][..],
            &["`heun`", "did you mean `stabilisation`"][..],
        ),
        (
            &["stabilisation=projektion"],
            &["did you mean `projection`"],
        ),
        (&["baumgarte=-1"], &["from 0 to", "1/s"]),
        (&["stabilisation=baumgarte", "baumgarte=200"], &["1/dt"]),
        (
            &["contact_solver=newton"],
            &["no option is named `contact_solver`"],
        ),
        (&["baumgarte"], &["NAME=VALUE"]),
    ] {
        let output = run(options);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {said}");
        assert!(
            parts.iter().all(|p| said.contains(p)),
            "{options:?}: {said}"
        );
    }
    // An option that no method of a study has is wrong; one that some have is for those.
    let converge = |option: &str| {
        let methods = "variational-2,heun";
        let words = [
            "converge",
            "pendulum",
            "--integrators",
            methods,
            "--dts",
            "0.02,0.01",
        ];
        driftless(&[&words[..], &["--duration", "0.1", "--option", option]].concat())
    };
    assert!(converge("stabilisation=projection").status.success());
    assert_eq!(converge("spectral_radius=0.5").status.code(), Some(2));
    // The older words do what they did, and are heeded by none but the methods that have them.
    for method in ["variational-2", "heun"] {
        let words = [
            "run",
            "pendulum",
            "--steps",
            "1",
            "--contact-solver",
            "newton",
        ];
        assert!(
            driftless(&[&words[..], &["--integrator", method]].concat())
                .status
                .success()
        );
    }
}

#[test]
fn a_wrong_option_of_a_scene_is_found_where_it_is() {
    let open = |integrator: &str| {
        let text = format!(
            "(version: 1, bodies: {{\"a\": (mass: 1, inertia: (1, 1, 1))}}, integrator: {integrator})"
        );
        scene::from_text("test.ron", &text, &[])
    };
    let good = open(
        r#"(method: "heun", options: {"stabilisation": "baumgarte", "baumgarte": "sqrt(16)"})"#,
    );
    let good = good.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        chosen(&good.settings),
        ["baumgarte=4.0", "stabilisation=baumgarte"]
    );
    // The older places, of methods that have the option and of others.
    let older = open(r#"(method: "heun", contact_solver: "newton", baumgarte: 4)"#);
    assert_eq!(
        older.unwrap_or_else(|e| panic!("{e}")).settings,
        good.settings
    );
    let none = open(r#"(method: "heun", baumgarte: 0)"#).expect("0 is no stabilisation");
    assert_eq!(
        chosen(&none.settings),
        chosen(&with_options(
            Settings::default(),
            "heun",
            "stabilisation=none"
        ))
    );
    for (integrator, path, part) in [
        (
            r#"(method: "heun", options: {"stabilization": "none"})"#,
            "integrator.options.stabilization",
            "did you mean `stabilisation`",
        ),
        (
            r#"(method: "heun", options: {"stabilisation": "non"})"#,
            "integrator.options.stabilisation",
            "did you mean `none`",
        ),
        (
            r#"(options: {"stabilisation": "none"})"#,
            "integrator.options.stabilisation",
            "one of contact_solver",
        ),
        (
            r#"(method: "heun", options: {"baumgarte": true})"#,
            "integrator.options.baumgarte",
            "a number from 0",
        ),
        (
            r#"(method: "heun", options: {"stabilisation": "baumgarte", "baumgarte": 101})"#,
            "integrator.options.baumgarte",
            "1/dt",
        ),
        (
            r#"(method: "heun", baumgarte: 101)"#,
            "integrator.baumgarte",
            "1/dt",
        ),
        (
            r#"(contact_solver: "newtn")"#,
            "integrator.contact_solver",
            "did you mean `newton`",
        ),
    ] {
        let error = open(integrator).expect_err(integrator).to_string();
        assert!(
            error.contains(&format!(": {path}\n")) && error.contains(part),
            "{error}"
        );
    }
}
