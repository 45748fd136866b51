//! What the command line does where something is wrong or missing: messages, exit status, what is left of the run.

use crate::commands::cli::{driftless, folder, text};
use serde_json::Value;
use std::fs;
use std::process::Command;

#[test]
fn what_is_wrong_goes_to_standard_error_and_into_the_exit_status() {
    for (arguments, part) in [
        (&["run", "double_pendulun"][..], "double_pendulum"),
        (&["run", "pendulum", "--integrator", "rk5"], "rk4"),
        (
            &["run", "pendulum", "--set", "bodies.nothing.mass=3"],
            "nothing",
        ),
        (&["run", "pendulum", "--tolerance", "1e-20"], "1e-12"),
        (
            &["run", "damped_pendulum", "--integrator", "variational-4"],
            "variational-4",
        ),
        (&["check", "no/such/file.ron"], "file.ron"),
        (&["run"], "SCENE"),
    ] {
        let done = driftless(arguments);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        assert!(
            done.stdout.is_empty(),
            "{arguments:?} prints {}",
            text(&done.stdout)
        );
        let complaint = text(&done.stderr);
        assert!(complaint.contains(part), "{arguments:?} says {complaint}");
    }
}

#[test]
fn a_step_without_a_usable_state_ends_the_run_with_an_error_and_a_report() {
    // The body turns by 150 rad in such a step, which this method does not follow.
    let asked = "run heavy_top --integrator generalized-alpha --dt 1 --steps 5 --json";
    let done = driftless(&asked.split(' ').collect::<Vec<_>>());
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    assert!(
        text(&done.stderr).contains("joint `tip`"),
        "{}",
        text(&done.stderr)
    );
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(report["outcomes"]["failed"], 1);
    assert_eq!(report["steps"], 0);
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let done = driftless(&[
        "run",
        "pendulum",
        "--steps",
        "2",
        "--csv",
        "no/such/folder/table.csv",
    ]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("no/such/folder/table.csv"));
}

#[test]
fn without_a_display_the_scene_runs_and_leaves_its_plots() {
    for name in ["energy", "energy-error", "drift", "iterations"] {
        let _ = fs::remove_file(folder().join(format!("pendulum-{name}.svg")));
    }
    let done = driftless(&["open", "pendulum", "--for", "2"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(
        text(&done.stderr).contains("without"),
        "{}",
        text(&done.stderr)
    );
    let shown = text(&done.stdout);
    assert!(
        shown.contains("open pendulum"),
        "names the command that shows the window: {shown}"
    );
    for name in ["energy", "energy-error", "drift", "iterations"] {
        let svg = fs::read_to_string(folder().join(format!("pendulum-{name}.svg"))).unwrap();
        assert!(
            svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"),
            "{name}"
        );
        // A line of many points, not an empty frame.
        let longest = svg
            .lines()
            .filter(|l| l.starts_with("<polyline"))
            .map(str::len)
            .max();
        assert!(longest > Some(1000), "{name}: {longest:?}");
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    use std::io::Read;
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_driftless"))
        .args(["generate", "chain:links=500"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut first).unwrap();
    drop(out);
    let mut complaint = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut complaint)
        .unwrap();
    assert!(child.wait().unwrap().success(), "{complaint}");
    assert_eq!(complaint, "");
}
