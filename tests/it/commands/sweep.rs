//! Sweeps: a scene over all combinations of values.

use crate::commands::cli::{driftless, folder, json, text};
use std::fs;

const SWEEP: [&str; 10] = [
    "sweep",
    "double_pendulum",
    "--set",
    "joints.elbow.damping=0,0.2",
    "--set",
    "dt=0.01,0.005,0.004",
    "--duration",
    "1",
    "--quantity",
    "elbow.q0",
];

/// A row is what `run` says of that scene, number by number: both are the same simulation.
#[test]
fn a_row_is_the_run_of_its_values() {
    let report = json(&[&SWEEP[..], &["--json"]].concat());
    let runs = report["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), 6);
    for (k, run) in runs.iter().enumerate() {
        let (damping, dt) = (["0", "0.2"][k / 3], ["0.01", "0.005", "0.004"][k % 3]);
        assert_eq!(run["set"]["joints.elbow.damping"], damping);
        assert_eq!(run["set"]["dt"], dt);
        let set = format!("joints.elbow.damping={damping}");
        let alone = json(&[
            "run",
            "double_pendulum",
            "--set",
            &set,
            "--dt",
            dt,
            "--duration",
            "1",
            "--json",
        ]);
        assert_eq!(run["steps"], alone["steps"]);
        assert_eq!(
            run["max_energy_error"], alone["energy"]["max_error"],
            "{alone}"
        );
        assert_eq!(
            run["max_drift_position"], alone["drift"]["max_position"],
            "{alone}"
        );
        let angle = run["quantities"]["elbow.q0"].as_f64().expect("a number");
        let other = runs[(k + 3) % 6]["quantities"]["elbow.q0"].as_f64();
        assert!(angle.is_finite() && Some(angle) != other);
    }
}

#[test]
fn a_sweep_writes_the_same_bytes_on_any_number_of_threads() {
    let written = |threads: &str| {
        let name = format!("sweep_{threads}.csv");
        let done = driftless(&[&SWEEP[..], &["--csv", &name, "--threads", threads]].concat());
        assert!(done.status.success(), "{}", text(&done.stderr));
        assert!(text(&done.stdout).contains("6 runs"));
        fs::read_to_string(folder().join(name)).expect("it is written")
    };
    let one = written("1");
    assert_eq!(one, written("3"));
    let rows: Vec<&str> = one.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows.len(), 7);
    assert!(
        rows[0].starts_with("joints.elbow.damping,dt,integrator,steps,time,"),
        "{}",
        rows[0]
    );
    let mut names: Vec<&str> = rows[0].split(',').collect();
    let columns = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), columns, "no column has the name of another");
    assert!(rows.iter().all(|row| row.split(',').count() == columns));
    assert!(
        rows[6].starts_with("0.2,0.004,variational-2,250,"),
        "{}",
        rows[6]
    );
}

#[test]
fn wrong_requests_and_failed_runs_are_told() {
    let refused = |arguments: &[&str]| {
        let done = driftless(arguments);
        (done.status.code(), text(&done.stdout), text(&done.stderr))
    };
    for (arguments, part) in [
        (
            &["sweep", "double_pendulum", "--set", "bodies.lover.mass=1,2"][..],
            "bodies.lover.mass",
        ),
        (
            &["sweep", "double_pendulum", "--set", "dt=0.01,,0.1"],
            "an empty value",
        ),
        (
            &["sweep", "double_pendulum", "--set", "dt=0.01,x"],
            "integrator.dt",
        ),
        (
            &["sweep", "double_pendulum", "--quantity", "knee.q0"],
            "no quantity is named `knee.q0`",
        ),
    ] {
        let (status, _, message) = refused(arguments);
        assert!(
            status == Some(2) && message.contains(part),
            "{status:?}: {message}"
        );
    }
    // A step of one second is too long for this spin; the other run is told all the same.
    let (status, table, message) = refused(&[
        "sweep",
        "heavy_top",
        "--set",
        "integrator=generalized-alpha",
        "--set",
        "dt=0.001,1",
        "--duration",
        "1",
    ]);
    assert_eq!(status, Some(1), "{message}");
    assert!(
        message.contains("1 of the runs did not reach the end"),
        "{message}"
    );
    assert!(
        table.contains("2 runs") && table.contains("stopped at t = "),
        "{table}"
    );
}
