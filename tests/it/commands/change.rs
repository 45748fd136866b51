//! `run --change`: what a click in the window does, at a time, without a window.

use crate::commands::cli::{driftless, folder, json, text};

const BACK: [&str; 7] = [
    "run",
    "double_pendulum",
    "--integrator",
    "heun",
    "--change",
    "4:integrator=variational-2",
    "--json",
];

#[test]
fn a_change_of_the_method_closes_the_joints_and_is_told() {
    let report = json(&[&BACK[..], &["--duration", "6"]].concat());
    let change = &report["changes"][0];
    assert_eq!(change["step"], 400);
    assert_eq!(change["values"]["integrator"], "variational-2");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let closed = number(&change["closed_position"]);
    // heun has let the joints drift, and nothing has closed them before.
    assert!(closed > 1e-6 && closed == number(&report["drift"]["max_position"]));
    assert!(number(&report["drift"]["final_position"]) < 1e-9);
    assert_eq!(change["energy"], report["energy"]["correction"]);
    // Last = first + booked + error; the error is that of heun, and went on as it was.
    let energy = &report["energy"];
    let error = number(&energy["final"]) - number(&energy["initial"]) - number(&change["energy"]);
    assert!(error.abs() <= number(&energy["max_error"]) + 1e-9);
    assert_eq!(report["integrator"], "variational-2");
}

#[test]
fn a_take_with_changes_replays_to_the_same_bits() {
    let path = folder().join("changes.take");
    let take = path.to_str().expect("a path in UTF-8");
    let more = [
        "--change",
        "5:dt=0.005",
        "--change",
        "5:bodies.upper.mass=2",
        "--change",
        "5.5:gravity=[0,0,-1.62]",
        "--duration",
        "6",
        "--take",
        take,
    ];
    let report = json(&[&BACK[..], &more].concat());
    // 5 s in steps of 10 ms, 1 s in steps of 5 ms.
    assert_eq!(report["steps"], 700);
    let steps: Vec<_> = report["changes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|c| c["step"].clone())
        .collect();
    assert_eq!(steps, [400, 500, 600]);
    let replayed = json(&["replay", take, "--json"]);
    assert_eq!(replayed["take"]["same"], 700);
    assert_eq!(replayed["bodies_final"], report["bodies_final"]);
    assert_eq!(replayed["energy"], report["energy"]);
}

#[test]
fn options_of_the_method_change_whether_they_were_set_or_not() {
    let run = |method: &str, more: &[&str]| {
        let base = ["run", "heavy_top", "--duration", "0.2", "--json"];
        let report = json(&[&base[..], &["--integrator", method], more].concat());
        assert_eq!(report["outcomes"]["failed"], 0, "{more:?}");
        (report["options"].clone(), report["bodies_final"].clone())
    };
    // By path with and without quotes, and by the name alone: nothing was set, something else was, it was itself.
    let (options, plain) = run(
        "rk4",
        &["--change", "0.1:integrator.options.parametrisation=ep"],
    );
    assert_eq!(options["parametrisation"], "ep");
    let unchanged = run("rk4", &[]).1;
    assert_ne!(plain, unchanged);
    for (before, change) in [
        (
            "parametrisation=rv",
            "0.1:integrator.options.parametrisation=\"ep\"",
        ),
        ("control=fixed", "0.1:parametrisation=ep"),
    ] {
        let more = ["--option", before, "--change", change];
        assert_eq!(run("rk4", &more).1, plain, "{change}");
    }
    // Of a method that takes over in the same moment, in whatever order they are written; what both have stays.
    let more = [
        "--option",
        "stabilisation=projection",
        "--change",
        "0.1:tableau=rk67",
        "--change",
        "0.1:integrator=runge-kutta",
    ];
    let (options, _) = run("rk4", &more);
    assert_eq!(options["tableau"], "rk67");
    assert_eq!(options["stabilisation"], "projection");
    let (options, _) = run(
        "generalized-alpha",
        &["--change", "0.1:spectral_radius=0.5"],
    );
    assert_eq!(options["spectral_radius"], 0.5);
}

#[test]
fn what_is_wrong_with_a_change_is_said_before_anything_runs() {
    for (change, part) in [
        ("soon:dt=0.1", "TIME:PATH=VALUE"),
        ("-1:dt=0.1", "not below 0"),
        ("1:dt=7", "at most 1"),
        ("1:nothing=3", "unknown field `nothing`"),
        ("1:integrator=rk5", "did you mean `rk4`"),
        ("25:dt=0.1", "the run ends at t = 10 s"),
        ("1:bodies.more=(mass: 1)", "no `more` in bodies"),
        (
            "1:integrator.options.tableau=rk67",
            "no option is named `tableau`",
        ),
        (
            "1:contact_accuracy=some",
            "expected: one of auto, exact, live",
        ),
        (
            "1:integrator.options.contact_accuracy.x=1",
            "a word in quotes",
        ),
    ] {
        let word = format!("--change={change}");
        let done = driftless(&["run", "double_pendulum", "--duration", "10", &word]);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{change}: {said}");
        assert!(said.contains(part), "{change}: {said}");
        assert!(done.stdout.is_empty());
    }
    let done = driftless(&["run", "box_drop", "--change", "0.5:integrator=heun"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("does not know contact"));
}
