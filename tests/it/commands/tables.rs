//! Tables as other programs read them: the states of a run, its errors, the names of all there is.

use crate::commands::cli::{driftless, folder, json, text};
use std::fs;

#[test]
fn the_table_holds_the_settings_and_every_kth_state() {
    let file = folder().join("table.csv");
    let path = file.to_str().unwrap();
    let report = json(&[
        "run",
        "double_pendulum",
        "--steps",
        "100",
        "--every",
        "25",
        "--csv",
        path,
        "--set",
        "bodies.lower.mass=3",
        "--json",
    ]);
    let written = fs::read_to_string(&file).unwrap();
    for line in [
        "# scene: double_pendulum",
        "# set: bodies.lower.mass=3",
        "# integrator: variational-2",
    ] {
        assert!(
            written.lines().any(|l| l == line),
            "no `{line}` in\n{written}"
        );
    }
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(&file)
        .unwrap();
    let names = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let column = |name: &str| {
        names
            .iter()
            .position(|n| n == name)
            .unwrap_or_else(|| panic!("no column {name}"))
    };
    let steps: Vec<&str> = rows.iter().map(|r| &r[column("step")]).collect();
    assert_eq!(steps, ["0", "25", "50", "75", "100"]);
    // What is written and what is reported are the same number, bit for bit.
    let last = |name: &str| rows[4][column(name)].parse::<f64>().unwrap();
    let body = &report["bodies_final"][1];
    assert_eq!(last("lower.z"), body["position"][2].as_f64().unwrap());
    assert_eq!(last("lower.qw"), body["orientation"][0].as_f64().unwrap());
    assert_eq!(
        last("total_energy"),
        report["energy"]["final"].as_f64().unwrap()
    );
}

#[test]
fn the_maximum_error_is_that_of_all_steps_whatever_is_written() {
    let file = folder().join("all.csv");
    let report = json(&[
        "run",
        "double_pendulum",
        "--steps",
        "400",
        "--csv",
        file.to_str().unwrap(),
        "--json",
    ]);
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(&file)
        .unwrap();
    let column = reader
        .headers()
        .unwrap()
        .iter()
        .position(|n| n == "energy_error")
        .unwrap();
    let errors = reader
        .records()
        .map(|r| r.unwrap()[column].parse::<f64>().unwrap().abs());
    let worst = errors.fold(0.0, f64::max);
    assert!(worst > 0.0);
    assert_eq!(report["energy"]["max_error"].as_f64().unwrap(), worst);
    let sparse = json(&[
        "run",
        "double_pendulum",
        "--steps",
        "400",
        "--every",
        "100",
        "--json",
    ]);
    assert_eq!(sparse["energy"]["max_error"], report["energy"]["max_error"]);
}

#[test]
fn lists_name_everything() {
    let scenes = json(&["scenes", "--json"]);
    let names: Vec<&str> = scenes["scenes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    let promised = "pendulum damped_pendulum double_pendulum triple_pendulum chain net three_link_loop four_bar \
                    double_four_bar four_bar_chain slider_crank heavy_top t_handle andrews bricard \
                    flyball_governor scissor_lift stewart_platform minitaur_leg arm";
    for name in promised.split_whitespace() {
        assert!(names.contains(&name), "no scene {name} in {names:?}");
    }
    let listed = text(&driftless(&["scenes"]).stdout);
    assert!(names.iter().all(|n| listed.contains(n)));

    let integrators = json(&["integrators", "--json"]);
    let orders: Vec<(&str, u64)> = integrators["integrators"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| (i["name"].as_str().unwrap(), i["order"].as_u64().unwrap()))
        .collect();
    for expected in [
        ("variational", 1),
        ("variational-2", 2),
        ("variational-4", 4),
        ("variational-6", 6),
        ("variational-8", 8),
        ("variational-ggl", 2),
        ("explicit-euler", 1),
        ("semi-implicit-euler", 1),
        ("heun", 2),
        ("rk4", 4),
    ] {
        assert!(orders.contains(&expected), "no {expected:?} in {orders:?}");
    }
    for key in [
        "symplectic",
        "momentum_preserving",
        "drift_free",
        "loops",
        "contact",
    ] {
        assert!(integrators["integrators"][0][key].is_boolean(), "{key}");
    }
}
