//! Takes as earlier versions wrote them are read: options that were settings, a memory with named parts.

use driftless::integrators::{OptionValue, Settings};
use driftless::scene::Take;
use driftless::sim::Change;

/// Four steps of `variational-2` on a pendulum, with a contact solver that all methods had.
const VARIATIONAL: &str = include_str!("older/variational_2.take");

/// Three steps of `heun` with stabilisation at 5 /s.
const HEUN: &str = include_str!("older/heun_2.take");

fn read(text: &str) -> Take {
    Take::from_text("older.take", text).unwrap_or_else(|e| panic!("{e}"))
}

fn chosen(settings: &Settings) -> Vec<(&'static str, OptionValue)> {
    settings.options.chosen().collect()
}

#[test]
fn options_that_were_settings_are_those_of_the_method_in_use() {
    // What the method does not have it never heeded.
    let newton = ("contact_solver", OptionValue::Word("newton"));
    let take = read(VARIATIONAL);
    assert_eq!(chosen(&take.start.settings), [newton]);
    let pulled = [("stabilisation", OptionValue::Word("baumgarte"))];
    assert_eq!(chosen(&read(HEUN).start.settings), pulled);
    assert_eq!(
        chosen(&read(HEUN).scene.settings),
        [],
        "the scene has its own method"
    );
    // A method that took over found them as they were.
    let settings = "Settings((dt:0.01,tolerance:1e-10,max_iterations:30,linear_solver:articulated,\
                    friction:\"exact\",contact_solver:hybrid,baumgarte:3.0))\nIntegrator(\"heun\")\nStep(2,";
    let take = read(&VARIATIONAL.replace("Step(2,", settings));
    let changes: Vec<_> = take.log.changes(2).collect();
    let [
        Change::Settings(first),
        Change::Integrator("heun"),
        Change::Settings(second),
    ] = changes[..]
    else {
        panic!("{changes:?}");
    };
    assert_eq!(chosen(first), []);
    let rate = ("baumgarte", OptionValue::Real(3.0));
    assert_eq!(chosen(second), [rate, pulled[0]]);
}

#[test]
fn a_memory_with_named_parts_is_the_same_words_and_has_the_same_hash() {
    // The file's own hashes are checked as it is read: what was hashed part by part is hashed word by word.
    let take = read(VARIATIONAL);
    let state = &take.states[&4];
    let words = &state.memory.words;
    assert_eq!(
        words.len(),
        2 * 6 + 5,
        "two sets of velocities and what is beside them"
    );
    let interval = f64::from_bits(words[12]);
    assert_eq!((interval, words[15]), (0.01, 1), "interval and iterations");
    let spoiled = VARIATIONAL.replace("intervals:(0.01,0.01,0.01)", "intervals:(0.01,0.02,0.01)");
    let error = Take::from_text("older.take", &spoiled).expect_err("a number was changed");
    assert!(
        error
            .to_string()
            .contains("a number was changed in the file"),
        "{error}"
    );
    // It is written as words.
    let bytes = take.write(Vec::new()).expect("memory takes everything");
    let again = read(&crate::commands::cli::text(&bytes));
    assert_eq!(again.states[&4], *state);
}
