//! What was changed in a take is found where it is, and what is wrong with one is said.

use crate::time::takes::{read, recorded, replayed, unchanged};
use driftless::scene::Take;
use driftless::sim::ReplayError;

/// The text with a bit of a number changed, the first number that follows `after`.
fn flipped(text: &str, after: &str, bit: u32) -> String {
    let from = text.find(after).expect("it is there") + after.len();
    let number = |c: char| c.is_ascii_digit() || ".e-".contains(c);
    let start = from + text[from..].find(|c: char| number(c)).expect("a number");
    let end = start + text[start..].find(|c: char| !number(c)).expect("its end");
    let value: f64 = text[start..end].parse().expect("a number");
    let other = f64::from_bits(value.to_bits() ^ (1 << bit));
    format!("{}{other:?}{}", &text[..start], &text[end..])
}

#[test]
fn a_flipped_bit_of_an_input_is_found_at_its_step() {
    let (text, _) = recorded("double_pendulum", 0, 130, &unchanged);
    // The input that begins to act with step 43.
    let at = text.find("Step(42,").expect("it is there");
    let (before, rest) = text.split_at(at);
    let broken = format!("{before}{}", flipped(rest, "Pull(", 30));
    let input = broken[at..].lines().nth(1).expect("a line");
    assert!(input.starts_with("Input("), "{input}");
    let Err(ReplayError::Diverged(found)) = replayed(&read(&broken)) else {
        panic!("the change must be seen");
    };
    assert_eq!(found.step, 43);
    // The next whole state is that of step 100.
    let (step, difference) = found.compared.clone().expect("there is a state");
    let difference = difference.expect("it differs");
    assert_eq!(step, 100);
    assert!(difference.item.starts_with("body `"), "{found}");
    let [a, b] = difference.values.expect("numbers");
    assert!(a != b && (a - b).abs() < 1e-3, "{found}");
    let message = found.to_string();
    assert!(
        message.starts_with("diverged at step 43 (t = 0.4"),
        "{message}"
    );
}

#[test]
fn a_flipped_bit_of_a_hash_or_a_state_is_found() {
    let (text, _) = recorded("double_pendulum", 0, 130, &unchanged);
    let at = text.find("Step(77,\"").expect("it is there") + 9;
    let digit = if &text[at..=at] == "0" { "1" } else { "0" };
    let broken = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
    let Err(ReplayError::Diverged(found)) = replayed(&read(&broken)) else {
        panic!("the change must be seen");
    };
    assert_eq!(found.step, 77);
    assert_eq!(
        found.compared,
        Some((100, None)),
        "only the hash was changed, not what happened"
    );
    // A state is held to its hash when the file is read: the one before the first step and one on the way.
    for (broken, path) in [
        (flipped(&text, "position: (", 0), "state"),
        (
            {
                let at = text.find("\nState(").expect("it is there");
                format!("{}{}", &text[..at], flipped(&text[at..], "position:(", 0))
            },
            "",
        ),
    ] {
        let error = Take::from_text("test.take", &broken).expect_err("a bit was changed");
        let shown = error.to_string();
        assert!(shown.contains("a number was changed"), "{shown}");
        assert_eq!(error.0[0].path, path, "{shown}");
    }
}

#[test]
fn a_take_that_breaks_off_is_whole_up_to_there() {
    let (text, _) = recorded("double_pendulum", 0, 130, &unchanged);
    let at = text.find("Step(80,").expect("it is there") + 12;
    let take = read(&text[..at]);
    assert!(!take.complete);
    assert_eq!(take.log.last(), 79);
    replayed(&take).expect("the same bits up to there");
}

#[test]
fn every_error_says_where_it_is_and_what_is_allowed() {
    let (text, _) = recorded("double_pendulum", 0, 130, &unchanged);
    let first = text
        .lines()
        .position(|l| l.starts_with("Step("))
        .expect("a step")
        + 1;
    let line = |n: usize| Some(first + n);
    for (change, with, place, parts) in [
        (
            "take: 4,",
            "take: 7,",
            None,
            &["take", "7", "1 to 4, the versions"][..],
        ),
        ("--- steps ---\n", "", None, &["no line", "--take"]),
        (
            "integrator: \"variational-2\"",
            "integrator: \"variational-3\"",
            None,
            &["integrator", "variational-3", "rk4"],
        ),
        (
            "integrator: \"variational-2\"",
            "integrater: \"variational-2\"",
            Some(0),
            &["integrater", "the header of a take"],
        ),
        (
            "dt: 0.01",
            "dt: -0.01",
            None,
            &["dt", "-0.01", "above 0 and at most 1"],
        ),
        (
            "Step(3,",
            "Step(4,",
            line(4),
            &["step 4", "expected: step 3"],
        ),
        (
            "Step(3,\"",
            "Step(3,\"zz",
            line(4),
            &["zz", "16 hexadecimal digits"],
        ),
        (
            "Step(3,",
            "Stop(3,",
            line(4),
            &["Stop", "a record of a take"],
        ),
        (
            "body:(0)",
            "body:(9)",
            Some(0),
            &["drag.body", "9", "from 0 to 1"],
        ),
        (
            "End(130)",
            "End(131)",
            Some(0),
            &["131 steps", "130, as many"],
        ),
        (
            "End(130)",
            "End(130)\nEnd(130)",
            Some(0),
            &["behind the end"],
        ),
    ] {
        assert!(text.contains(change), "{change} is not in\n{text}");
        let broken = text.replacen(change, with, 1);
        let errors = Take::from_text("test.take", &broken).expect_err(with);
        let shown = errors.to_string();
        assert!(shown.starts_with("test.take"), "{shown}");
        for part in parts {
            assert!(shown.contains(part), "no `{part}` in {shown}");
        }
        match place {
            None => assert_eq!(errors.0[0].line, None, "{shown}"),
            Some(0) => assert!(errors.0[0].line.is_some(), "{shown}"),
            Some(_) => assert_eq!(errors.0[0].line, place, "{shown}"),
        }
    }
    let shown = Take::from_text("test.take", &text.replacen("mass: 1", "mass: -1", 1))
        .map(drop)
        .expect_err("the scene is wrong")
        .to_string();
    assert!(
        shown.contains("test.take (scene):") && shown.contains("mass"),
        "{shown}"
    );
}
