//! `converge`: a table, files, methods with options of their own.

use crate::commands::cli::{driftless, folder, json, text};
use std::fs;

#[test]
fn the_command_prints_a_table_and_leaves_files() {
    let [csv, svg] = ["ladder.csv", "ladder.svg"].map(|name| folder().join(name));
    let words = [
        "converge",
        "double_pendulum",
        "--integrators",
        "variational,variational-2",
        "--dts",
        "0.01,0.005,0.0025",
        "--duration",
        "0.5",
        "--csv",
        csv.to_str().expect("a path"),
        "--svg",
        svg.to_str().expect("a path"),
    ];
    let report = json(&[&words[..], &["--json"]].concat());
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(6));
    assert_eq!(report["slopes"][1]["order"], 2);
    let table = fs::read_to_string(&csv).expect("the table is there");
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|r| r.expect("a row")).collect();
    assert_eq!(rows.len(), 6);
    for (row, run) in rows.iter().zip(report["runs"].as_array().expect("runs")) {
        assert_eq!(row[3].parse::<f64>().ok(), run["error"].as_f64());
    }
    let drawn = fs::read_to_string(&svg).expect("the figure is there");
    for part in [
        "variational-2: slope",
        "step size [s]",
        "time of the steps [s]",
        "<circle",
    ] {
        assert!(drawn.contains(part), "no {part}");
    }
    let shown = driftless(&words);
    let shown = text(&shown.stdout);
    assert!(shown.contains("slope of variational-2: "), "{shown}");
    for (methods, part) in [
        ("rk5", "no integrator is named `rk5`"),
        ("rk4:tableau=rk67", "`rk4:tableau=rk67`: no option"),
        ("rk4:parametrisation=ex", "rxyz"),
        ("heun:rv", "expected NAME=VALUE"),
    ] {
        let done = driftless(&["converge", "double_pendulum", "--integrators", methods]);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{methods}: {said}");
        assert!(said.contains(part), "{methods}: {said}");
    }
}

#[test]
fn one_method_is_studied_with_several_options() {
    let report = json(&[
        "converge",
        "heavy_top",
        "--integrators",
        "rk4,rk4:parametrisation=ep,runge-kutta:tableau=heun,parametrisation=ep,generalized-alpha",
        "--dts",
        "2e-4,1e-4",
        "--duration",
        "0.02",
        "--json",
    ]);
    let slopes = report["slopes"].as_array().expect("a list");
    let told: Vec<_> = slopes
        .iter()
        .map(|s| {
            (
                s["integrator"].as_str().expect("a name"),
                s["order"].as_u64(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("rk4", Some(4)),
            ("rk4:parametrisation=ep", Some(4)),
            ("runge-kutta:tableau=heun,parametrisation=ep", Some(2)),
            ("generalized-alpha", Some(2)),
        ]
    );
    let errors: Vec<f64> = report["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|r| r["error"].as_f64().expect("it runs"))
        .collect();
    // Another chart errs by something else.
    assert!(errors[0] != errors[2] && errors[2] > 0.0, "{errors:?}");
}
