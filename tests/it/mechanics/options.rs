//! Options of methods: declared once, and carried by scenes, takes, edits and the window.

use crate::commands::cli::text;
use crate::mechanics::bench::with_options;
use driftless::integrators::{self, IntegratorInfo, OptionKind, OptionValue, REGISTRY, Settings};
use driftless::scene::{self, Amendment, Edit, Take, TakeWriter};
use driftless::sim::{Change, Input, Simulation};

/// The options that are not at their defaults, as the command line writes them.
pub fn chosen(settings: &Settings) -> Vec<String> {
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
