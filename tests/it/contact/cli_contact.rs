//! What the command line says about contact: keys of the report, the table of forces, options, refusals.

use crate::commands::cli::{driftless, folder, json, text};
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
        "max_law_violation",
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
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("a file of its own"));
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
    assert_eq!(with, ["variational", "variational-2", "compliant"]);
    let shown = text(&driftless(&["integrators"]).stdout);
    assert_eq!(
        shown
            .matches("supports: trees, loops, dissipation, contact")
            .count(),
        3
    );
}

#[test]
fn a_run_with_contact_reports_it_and_writes_its_forces() {
    let file = folder().join("drop_contacts.csv");
    let states = folder().join("drop.csv");
    let report = json(&[
        "run",
        "drop:height=0.4",
        "--duration",
        "1",
        "--csv",
        states.to_str().unwrap(),
        "--contacts",
        file.to_str().unwrap(),
        "--every",
        "10",
        "--json",
    ]);
    let contact = &report["contact"];
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    assert!(number(&contact["max_penetration"]) <= 1e-9, "{contact}");
    assert!(number(&contact["min_gap_final"]).abs() < 1e-6, "{contact}");
    assert_eq!(contact["max_contacts"], 4, "the corners of a face");
    // The tolerance of the scene.
    assert!(number(&contact["max_complementarity"]) < 1e-9, "{contact}");
    assert_eq!(report["outcomes"]["failed"], 0);
    // 1 kg falls 0.4 m and stops.
    let energy = &report["energy"];
    assert!(
        (number(&energy["impact"]) - 0.4 * 9.81).abs() < 1e-6,
        "{energy}"
    );
    assert!(number(&energy["friction"]).abs() < 1e-9, "{energy}");

    let table = |path| {
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_path(path)
            .unwrap();
        let names = reader.headers().unwrap().clone();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        (names, rows)
    };
    let (names, rows) = table(&file);
    let read = |row: &csv::StringRecord, name: &str| {
        row[names.iter().position(|n| n == name).unwrap()].to_owned()
    };
    let last: Vec<_> = rows.iter().filter(|r| read(r, "step") == "100").collect();
    assert_eq!(last.len(), 4);
    let carried: f64 = last
        .iter()
        .map(|r| read(r, "normal_force").parse::<f64>().unwrap())
        .sum();
    assert!((carried - 9.81).abs() < 1e-6, "{carried} N carry the cube");
    for row in last {
        assert_eq!([read(row, "first"), read(row, "second")], ["cube", "world"]);
        assert_eq!(read(row, "nz").parse::<f64>().unwrap(), 1.0);
    }
    let (names, rows) = table(&states);
    let column = |name: &str| names.iter().position(|n| n == name).unwrap();
    let end = rows.last().unwrap();
    assert_eq!(&end[column("contacts")], "4");
    let written: f64 = end[column("impact_loss")].parse().unwrap();
    // Reading JSON back may round the last bit.
    assert!((written - number(&energy["impact"])).abs() < 1e-14);

    let shown = text(&driftless(&["run", "drop:height=0.4", "--duration", "1"]).stdout);
    assert!(
        shown.contains("at most 4 points") && shown.contains("lost to impacts"),
        "{shown}"
    );
}

#[test]
fn cones_and_contact_solvers_are_chosen_by_their_words() {
    let distance = |options: &[&str]| {
        let run = [
            "run",
            "slope:mu=0.125,azimuth=45",
            "--duration",
            "1",
            "--json",
        ];
        let report = json(&[&run[..], options].concat());
        let position = &report["bodies_final"][0]["position"];
        let at = |k: usize| position[k].as_f64().unwrap();
        // It starts 0.1 m above the slope's origin, along its normal.
        at(0).hypot(at(1)).hypot(at(2))
    };
    let exact = distance(&[]);
    for solver in ["hybrid", "interior-point", "newton"] {
        let found = distance(&["--contact-solver", solver]);
        // The interior point stops short of the solution, by far less than what the cones differ by.
        assert!((found - exact).abs() < 1e-3, "{solver}: {found} {exact}");
    }
    let farther = |edges: u32| distance(&["--friction", &format!("linearised-{edges}")]) - exact;
    // Between two edges a pyramid holds less: 29 % of the friction with four.
    let (four, sixteen) = (farther(4).max(farther(6)), farther(16));
    assert!(four > 0.01 && sixteen < 0.3 * four, "{four} {sixteen}");
}

#[test]
fn a_method_without_contact_is_refused_with_those_that_have_it() {
    let done = driftless(&["run", "drop:height=0.4", "--integrator", "rk4"]);
    assert_eq!(done.status.code(), Some(2));
    let complaint = text(&done.stderr);
    assert!(
        complaint.contains("contact") && complaint.contains("variational-2"),
        "{complaint}"
    );
}

#[test]
fn a_table_names_the_stops_and_cables_it_holds() {
    let file = folder().join("limits.csv");
    let scene = r#"(
        version: 1,
        bodies: {
            "rod": (mass: 1, shape: (capsule: (radius: 0.04), from: (0, 0, 0), to: (0, 0, -1))),
        },
        joints: {
            "hinge": (kind: revolute, child: "rod", axis: (1, 0, 0), at: "60 deg",
                limits: [(lower: "-20 deg")]),
        },
    )"#;
    let path = folder().join("limits.ron");
    fs::write(&path, scene).unwrap();
    let done = driftless(&[
        "run",
        path.to_str().unwrap(),
        "--duration",
        "2",
        "--csv",
        file.to_str().unwrap(),
    ]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(&file)
        .unwrap();
    let names = reader.headers().unwrap().clone();
    let column = |name: &str| {
        names
            .iter()
            .position(|n| n == name)
            .unwrap_or_else(|| panic!("no {name}"))
    };
    let (gap, force) = (column("hinge.limit_0.gap"), column("hinge.limit_0.force"));
    let mut pushed = false;
    for row in reader.records().map(Result::unwrap) {
        let [gap, force] = [gap, force].map(|k| row[k].parse::<f64>().unwrap());
        assert!(gap > -1e-9 && force >= 0.0, "{gap} {force}");
        pushed |= force > 1.0;
    }
    assert!(pushed, "the rod meets its limit");
}
