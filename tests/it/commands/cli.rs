//! The command line as other programs meet it: words, JSON keys, tables, exit status.

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
    let expected = "bodies bodies_final changes contact drift dt energy equations integrator iterations joints joints_final momentum \
                    outcomes redundant residual_max scene step_seconds steps time wall_seconds";
    assert_eq!(keys(&report).join(" "), expected);
    for (key, expected) in [
        ("step_seconds", "max median p99"),
        (
            "energy",
            "correction dissipated external_work final friction impact initial max_error",
        ),
        (
            "contact",
            "max_complementarity max_cone_violation max_contacts max_penetration min_gap_final \
             rough_velocities",
        ),
        ("drift", "final_angle final_position max_angle max_position"),
        ("iterations", "max mean total"),
        (
            "outcomes",
            "asked converged failed interior_point iteration_limit relaxed shifted stalled substeps turns",
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
    // 2/dt = 20 rad/s is less than the spin of 100 rad/s: the discrete rotation cannot hold it.
    let file = folder().join("too_fast.ron");
    let scene = "(version: 1, bodies: {\"top\": (shape: (sphere: (radius: 0.1)), spin: (0, 0, 100))}, integrator: (dt: 0.1))";
    fs::write(&file, scene).unwrap();
    let done = driftless(&["run", file.to_str().unwrap(), "--steps", "5", "--json"]);
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("top"), "{}", text(&done.stderr));
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
