//! The command line as other programs meet it: words, JSON keys, options, and which scenes it runs.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Runs the program in a folder where it may write, without a display.
pub fn driftless(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_driftless"))
        .args(arguments)
        .current_dir(folder())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program starts")
}

/// A folder for what the tests write.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program writes UTF-8")
}

pub fn json(arguments: &[&str]) -> Value {
    let done = driftless(arguments);
    assert!(
        done.status.success(),
        "{arguments:?}: {}",
        text(&done.stderr)
    );
    serde_json::from_slice(&done.stdout).expect("one JSON object and nothing else")
}

pub fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}

#[test]
fn run_prints_one_json_object_with_the_agreed_keys() {
    let report = json(&[
        "run",
        "double_pendulum",
        "--steps",
        "100",
        "--dt",
        "0.005",
        "--json",
    ]);
    let expected = "asleep bodies bodies_final changes contact drift dt energy equations integrator iterations joints joints_final momentum \
                    options outcomes redundant residual_max scene step_seconds steps time wall_seconds";
    assert_eq!(keys(&report).join(" "), expected);
    for (key, expected) in [
        ("step_seconds", "max mean median p99"),
        (
            "energy",
            "correction dissipated external_work final friction impact initial max_error",
        ),
        (
            "contact",
            "max_complementarity max_cone_violation max_contacts max_law_violation max_penetration min_gap_final \
             rough_velocities",
        ),
        ("drift", "final_angle final_position max_angle max_position"),
        ("iterations", "max mean total"),
        (
            "outcomes",
            "asked capped converged failed interior_point iteration_limit relaxed shifted stalled substeps sweeps \
             turns",
        ),
        ("momentum", "angular_change linear_change"),
    ] {
        assert_eq!(keys(&report[key]).join(" "), expected);
    }
    assert_eq!(
        keys(&report["joints_final"][0]).join(" "),
        "coordinates name rates"
    );
    let body = &report["bodies_final"][1];
    assert_eq!(
        keys(body).join(" "),
        "angular_velocity_body name orientation position velocity"
    );

    assert_eq!(report["scene"], "double_pendulum");
    assert_eq!(report["integrator"], "variational-2");
    assert_eq!(report["options"]["contact_solver"], "hybrid");
    assert_eq!(report["steps"], 100);
    assert!((report["time"].as_f64().unwrap() - 0.5).abs() < 1e-12);
    assert_eq!(
        [&report["bodies"], &report["joints"], &report["equations"]],
        [2, 2, 10]
    );
    assert_eq!(report["outcomes"]["failed"], 0);
    let orientation = body["orientation"].as_array().unwrap();
    let norm: f64 = orientation
        .iter()
        .map(|x| x.as_f64().unwrap().powi(2))
        .sum();
    assert!(
        (norm - 1.0).abs() < 1e-12,
        "w, x, y, z of a unit quaternion"
    );
    let times = &report["step_seconds"];
    let time = |key: &str| times[key].as_f64().unwrap();
    assert!(0.0 < time("median") && time("median") <= time("p99") && time("p99") <= time("max"));
    assert!(time("median") * 100.0 < report["wall_seconds"].as_f64().unwrap());
}

#[test]
fn the_same_run_gives_the_same_bits() {
    let run = || {
        let mut report = json(&["run", "triple_pendulum", "--steps", "300", "--json"]);
        for timed in ["wall_seconds", "step_seconds"] {
            report[timed] = Value::Null;
        }
        report
    };
    assert_eq!(run(), run());
}

#[test]
fn options_override_the_scene() {
    let report = json(&[
        "run",
        "pendulum",
        "--integrator",
        "rk4",
        "--duration",
        "0.3",
        "--dt",
        "0.1",
        "--set",
        "gravity=[0,0,0]",
        "--json",
    ]);
    assert_eq!(report["integrator"], "rk4");
    assert_eq!(report["steps"], 3);
    assert_eq!(
        report["energy"]["initial"], report["energy"]["final"],
        "at rest without gravity nothing moves"
    );

    let tight = json(&[
        "run",
        "pendulum",
        "--steps",
        "50",
        "--tolerance",
        "1e-11",
        "--json",
    ]);
    assert!(tight["residual_max"].as_f64().unwrap() <= 1e-11);
    let solved = |solver: &str| {
        let report = json(&[
            "run",
            "four_bar",
            "--steps",
            "50",
            "--linear-solver",
            solver,
            "--json",
        ]);
        report["bodies_final"][1]["position"]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    let articulated = solved("articulated");
    for other in ["block-ldu", "dense"] {
        for (a, b) in articulated.iter().zip(solved(other)) {
            // Each solves to the tolerance; 50 steps multiply the difference by little.
            assert!((a - b).abs() < 1e-8, "{other}: {b} instead of {a}");
        }
    }
}

#[test]
fn every_shipped_scene_checks_and_runs() {
    let scenes = json(&["scenes", "--json"]);
    for scene in scenes["scenes"].as_array().unwrap() {
        let name = scene["name"].as_str().unwrap();
        assert_eq!(json(&["check", name, "--json"])["valid"], true, "{name}");
        let report = json(&["run", name, "--steps", "20", "--json"]);
        assert_eq!(report["outcomes"]["failed"], 0, "{name}");
        // Joints stay closed to 1e-9 m in every shipped scene.
        assert!(
            report["drift"]["max_position"].as_f64().unwrap() <= 1e-9,
            "{name}: {}",
            report["drift"]
        );
    }
}

#[test]
fn a_generated_scene_runs_like_its_parameters() {
    let file = folder().join("generated.ron");
    let path = file.to_str().unwrap();
    let spec = "chain:links=4,joint=spherical";
    assert!(driftless(&["generate", spec, "-o", path]).status.success());
    assert_eq!(
        text(&driftless(&["generate", spec]).stdout).trim_end(),
        fs::read_to_string(&file).unwrap().trim_end()
    );
    let last =
        |scene: &str| json(&["run", scene, "--steps", "50", "--json"])["bodies_final"].take();
    assert_eq!(last(path), last(spec));
}

#[test]
fn the_scene_in_the_readme_runs() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let blocks = readme
        .split("```text\n")
        .skip(1)
        .filter_map(|block| block.split("```").next());
    let scene = blocks
        .into_iter()
        .find(|block| block.starts_with('('))
        .expect("a scene in the README");
    let file = folder().join("readme.ron");
    fs::write(&file, scene).unwrap();
    let report = json(&["run", file.to_str().unwrap(), "--steps", "100", "--json"]);
    assert_eq!([&report["bodies"], &report["joints"]], [1, 1]);
    assert!(report["energy"]["dissipated"].as_f64().unwrap() > 0.0);
}
