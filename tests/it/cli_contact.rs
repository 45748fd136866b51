//! What the command line says about contact: keys of the report, the table of forces, options, refusals.

use crate::cli::{driftless, folder, json, text};
use std::fs;

#[test]
fn a_run_without_contact_says_so_and_leaves_an_empty_table() {
    let file = folder().join("no_contacts.csv");
    let path = file.to_str().unwrap();
    let report = json(&[
        "run",
        "pendulum",
        "--steps",
        "20",
        "--contacts",
        path,
        "--json",
    ]);
    let contact = &report["contact"];
    assert!(contact["min_gap_final"].is_null(), "{contact}");
    assert_eq!(contact["max_contacts"], 0);
    for key in [
        "max_penetration",
        "max_complementarity",
        "max_cone_violation",
    ] {
        assert_eq!(contact[key], 0.0, "{key}");
    }
    assert_eq!(report["energy"]["impact"], 0.0);
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(&file)
        .unwrap();
    assert!(
        reader
            .headers()
            .unwrap()
            .iter()
            .any(|c| c == "normal_force")
    );
    assert_eq!(reader.records().count(), 0);
    assert!(!text(&driftless(&["run", "pendulum", "--steps", "20"]).stdout).contains("contact"));
}

#[test]
fn two_tables_do_not_share_a_file() {
    let file = folder().join("shared.csv");
    let path = file.to_str().unwrap();
    let done = driftless(&[
        "run",
        "pendulum",
        "--steps",
        "1",
        "--csv",
        path,
        "--contacts",
        path,
    ]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("a file each"));
    assert!(!fs::exists(&file).unwrap());
}

#[test]
fn the_list_says_which_methods_treat_contact() {
    let listed = json(&["integrators", "--json"]);
    let with: Vec<&str> = listed["integrators"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|i| i["contact"] == true)
        .map(|i| i["name"].as_str().unwrap())
        .collect();
    assert_eq!(with, ["variational", "variational-2"]);
    let shown = text(&driftless(&["integrators"]).stdout);
    assert_eq!(
        shown
            .matches("supports: loops, dissipation, contact")
            .count(),
        2
    );
}
