//! Takes by the command line: recorded, replayed, and refused.

use crate::commands::cli::{driftless, folder, json, text};
use std::fs;

#[test]
fn the_command_line_records_and_replays() {
    let file = folder().join("pendulum.take");
    let path = file.to_str().expect("a path");
    let run = json(&[
        "run",
        "box_drop",
        "--steps",
        "150",
        "--dt",
        "0.005",
        "--set",
        "bodies.cube.mass=2.5",
        "--take",
        path,
        "--json",
    ]);
    let table = folder().join("pendulum_replayed.csv");
    let again = json(&[
        "replay",
        path,
        "--json",
        "--csv",
        table.to_str().expect("a path"),
        "--every",
        "50",
    ]);
    for key in ["energy", "drift", "bodies_final", "contact", "momentum"] {
        assert_eq!(run[key], again[key], "{key}");
    }
    let check = &again["take"];
    assert_eq!(
        (&check["steps"], &check["same"]),
        (&150.into(), &150.into())
    );
    assert!(check["diverged_at"].is_null() && check["complete"] == true);
    let rows = fs::read_to_string(&table).expect("the table is there");
    let numbered = rows
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit()));
    assert_eq!(numbered.count(), 4, "steps 0, 50, 100 and 150");
    let shown = text(&driftless(&["replay", path]).stdout);
    assert!(
        shown.contains("all 150 steps gave the same bits"),
        "{shown}"
    );

    let text_of = fs::read_to_string(&file).expect("the take is there");
    let at = text_of.find("Step(99,\"").expect("it is there") + 9;
    let digit = if &text_of[at..=at] == "0" { "1" } else { "0" };
    let broken = format!("{}{digit}{}", &text_of[..at], &text_of[at + 1..]);
    fs::write(&file, broken).expect("it is written");
    let done = driftless(&["replay", path, "--json"]);
    assert_eq!(done.status.code(), Some(1));
    let message = text(&done.stderr);
    assert!(message.starts_with("diverged at step 99"), "{message}");
    let report: serde_json::Value = serde_json::from_slice(&done.stdout).expect("one object");
    assert_eq!(report["take"]["diverged_at"], 99);
    assert_eq!(report["take"]["same"], 98);
    for (words, part) in [
        (["replay", "no_such.take"], "cannot be read"),
        (["replay", "Cargo.toml"], "cannot be read"),
    ] {
        let done = driftless(&words);
        assert_eq!(done.status.code(), Some(2), "{words:?}");
        assert!(text(&done.stderr).contains(part), "{words:?}");
    }
}
