//! Options of methods: declared once, and carried by scenes, command line, lanes, tables and takes.

use crate::commands::cli::{driftless, folder, json, text};
use crate::mechanics::bench::with_options;
use driftless::integrators::{self, IntegratorInfo, OptionKind, OptionValue, REGISTRY, Settings};
use driftless::scene::{self, Amendment, Edit, Take, TakeWriter};
use driftless::sim::{Change, Input, Simulation};

fn chosen(settings: &Settings) -> Vec<String> {
    let chosen = settings.options.chosen();
    chosen
        .map(|(name, value)| format!("{name}={value}"))
        .collect()
}

/// Settings in which every option of a method differs from its default.
fn all_chosen(info: &'static IntegratorInfo) -> Settings {
    let mut settings = Settings::default();
    for spec in info.options {
        let other = match spec.kind {
            OptionKind::Real { default, range, .. } => {
                OptionValue::Real(if default < 0.9 * range[1] {
                    default * 1.1 + 1e-3
                } else {
                    range[0]
                })
            }
            OptionKind::Whole { default, range } => OptionValue::Whole(if default < range[1] {
                default + 1
            } else {
                range[0]
            }),
            OptionKind::Choice { default, words } => {
                let other = words.iter().find(|w| w.0 != default);
                OptionValue::Word(other.expect("a choice of one is none").0)
            }
            OptionKind::Switch { default } => OptionValue::Switch(!default),
        };
        let set = settings.options.set(info.options, spec.name, &other.into());
        set.expect("the value is allowed");
    }
    assert_eq!(settings.options.chosen().count(), info.options.len());
    settings
}

#[test]
fn every_option_of_every_method_goes_through_scenes_takes_and_edits() {
    for info in REGISTRY {
        let wanted = all_chosen(info);
        // Written into a scene by an edit, and read back.
        let scene = scene::open(
            "pendulum",
            &[("integrator.method".into(), format!("\"{}\"", info.name))],
        );
        let scene = scene.expect("the scene opens");
        let Some(edit) = Edit::settings(&scene.file, &scene.settings, &wanted) else {
            assert!(info.options.is_empty(), "{}", info.name);
            continue;
        };
        let [Amendment::Integrator(file)] = &edit.amendments[..] else {
            panic!("{edit:?}");
        };
        let mut edited = scene.file.clone();
        edited.integrator = (**file).clone();
        let again = scene::from_text("edited", &scene::write(&edited), &[]);
        let again = again.unwrap_or_else(|e| panic!("{}: {e}", info.name));
        assert_eq!(again.settings, wanted, "{}", info.name);
        // Written into a take, at its beginning and on the way.
        let mut sim = again.simulation().expect("it runs");
        let mut writer = TakeWriter::new(Vec::new(), &scene, &sim.snapshot()).expect("memory");
        for settings in [Settings::default(), wanted] {
            let change = Change::Settings(settings);
            sim.apply(&change).expect("the change is allowed");
            writer.change(&change).expect("memory");
            sim.step(&Input::default()).expect("the step succeeds");
            writer.step(&Input::default(), sim.state()).expect("memory");
        }
        let bytes = writer.finish(None).expect("memory");
        let take = Take::from_text("test.take", &text(&bytes)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(take.start.settings, wanted, "{}", info.name);
        let mut replay = take.replay().expect("it runs");
        while replay
            .advance()
            .unwrap_or_else(|e| panic!("{}: {e}", info.name))
        {}
        assert_eq!(*replay.simulation().settings(), wanted, "{}", info.name);
    }
}

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

#[test]
fn another_method_keeps_the_options_that_it_knows() {
    let scene = scene::open("pendulum", &[]).expect("it opens");
    let settings = with_options(
        Settings::default(),
        "heun",
        "stabilisation=baumgarte,baumgarte=3",
    );
    let mut sim = Simulation::new(scene.model.clone(), scene.state.clone(), "heun", settings)
        .expect("it runs");
    sim.set_integrator("rk4").expect("it runs");
    assert_eq!(
        chosen(sim.settings()),
        ["baumgarte=3.0", "stabilisation=baumgarte"]
    );
    sim.set_integrator("variational-2").expect("it runs");
    assert_eq!(chosen(sim.settings()), [""; 0]);
    assert!(
        sim.set_settings(settings).is_err(),
        "these are options of another method"
    );
    assert!(integrators::build("variational-2", &scene.model, &settings).is_err());
}

#[test]
fn options_given_to_the_window_are_part_of_the_scene() {
    let method = ("integrator.method".to_owned(), "\"heun\"".to_owned());
    let options = r#"{"stabilisation": "projection", "baumgarte": 7}"#;
    let options = ("integrator.options".to_owned(), options.to_owned());
    for spec in ["pendulum", "chain:links=2", "double_pendulum"] {
        let scene = scene::open(spec, &[method.clone(), options.clone()]);
        let scene = scene.unwrap_or_else(|e| panic!("{spec}: {e}"));
        let again = scene::from_text(spec, &scene.text, &[]).expect("its text says so");
        let wanted = ["baumgarte=7.0", "stabilisation=projection"];
        assert_eq!(chosen(&again.settings), wanted, "{spec}");
    }
}
