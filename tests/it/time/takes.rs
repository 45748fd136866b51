//! A take stands alone and replays to the same bits; what was changed in it is found where it is.

use crate::commands::cli::{driftless, folder, json, text};
use driftless::integrators::{FrictionCone, Settings};
use driftless::math::Vec3;
use driftless::model::{BodyId, Command, JointId};
use driftless::scene::{self, Scene, Take, TakeWriter};
use driftless::sim::{Change, Drag, DragGoal, Input, ReplayError, Simulation};
use std::fs;
use std::sync::Arc;

/// A mouse that comes and goes.
pub fn input(step: u64) -> Input {
    let t = step as f64 * 0.01;
    let drag = Drag {
        body: BodyId(0),
        point: Vec3::new(0.01, 0.0, 0.02),
        goal: DragGoal::Pull(Vec3::new(0.4 * (2.0 * t).sin(), 0.3 * t.cos(), 0.6)),
    };
    Input {
        drag: (step % 40 < 15).then_some(drag),
        ..Input::default()
    }
}

fn open(spec: &str) -> (Scene, Simulation) {
    let scene = scene::open(spec, &[]).expect("the scene opens");
    let simulation = scene.simulation().expect("its method runs it");
    (scene, simulation)
}

/// What is done before a step, if anything is.
type Changes<'a> = &'a dyn Fn(u64, &Simulation) -> Option<Change>;

/// Runs on and records; the text of the take and the simulation at its end.
fn recorded(spec: &str, skip: u64, steps: u64, changes: Changes) -> (String, Simulation) {
    let (scene, mut sim) = open(spec);
    for step in 1..=skip {
        sim.step(&input(step)).expect("the step succeeds");
    }
    let mut writer =
        TakeWriter::new(Vec::new(), &scene, &sim.snapshot()).expect("memory takes everything");
    for step in skip + 1..=skip + steps {
        if let Some(change) = changes(step, &sim) {
            sim.apply(&change).expect("the change is allowed");
            writer.change(&change).expect("memory takes everything");
        }
        let input = input(step);
        sim.step(&input).expect("the step succeeds");
        writer
            .step(&input, sim.state())
            .expect("memory takes everything");
    }
    let bytes = writer
        .finish(Some(sim.state()))
        .expect("memory takes everything");
    (text(&bytes), sim)
}

fn unchanged(_: u64, _: &Simulation) -> Option<Change> {
    None
}

fn read(text: &str) -> Take {
    Take::from_text("test.take", text).unwrap_or_else(|e| panic!("{e}"))
}

/// Replays to the end or to the first error.
fn replayed(take: &Take) -> Result<Simulation, ReplayError> {
    let mut replay = take.replay().expect("the start is a simulation");
    while replay.advance()? {}
    let end = replay.simulation().snapshot();
    let mut sim = take.simulation().expect("the start is a simulation");
    sim.restore(&end).expect("the end is a simulation");
    Ok(sim)
}

#[test]
fn a_take_with_drags_replays_to_the_same_bits() {
    // Free motion, loops, joints with springs, stacks, a mesh that is touched, joint limits.
    for (spec, skip, steps) in [
        ("double_pendulum", 0, 300),
        ("four_bar_chain", 37, 150),
        ("box_stack", 0, 200),
        ("dominoes", 20, 60),
        ("geneva_drive", 0, 40),
        ("chain:links=5,joint=spherical", 0, 200),
    ] {
        let (text, mut end) = recorded(spec, skip, steps, &unchanged);
        let take = read(&text);
        assert!(take.complete, "{spec}");
        assert_eq!(
            (take.log.first(), take.log.last()),
            (skip, skip + steps),
            "{spec}"
        );
        let mut again = replayed(&take).unwrap_or_else(|e| panic!("{spec}: {e}"));
        assert_eq!(again.state(), end.state(), "{spec}");
        // The energy account goes on where it was, so that the error is that of the whole run.
        let [now, then] = [again.sample(), end.sample()].map(|s| (s.energy_error, s.external_work));
        assert_eq!(now, then, "{spec}");
        assert!(then.1 != 0.0, "{spec}: the mouse works");
        // Written again it is the same text: nothing is lost in the file.
        let bytes = take.write(Vec::new()).expect("memory takes everything");
        assert_eq!(crate::commands::cli::text(&bytes), text, "{spec}");
    }
}

#[test]
fn changes_on_the_way_are_part_of_a_take() {
    let changes = |step: u64, sim: &Simulation| {
        Some(match step {
            20 => Change::Settings(Settings {
                dt: 0.004,
                tolerance: 1e-9,
                ..*sim.settings()
            }),
            30 => Change::Integrator("variational"),
            45 => {
                let mut parts = sim.model().parts();
                parts.gravity.z = -1.62;
                parts.bodies[1].mass *= 3.0;
                let rules = parts.contact.as_mut().expect("the scene has contact");
                rules.materials[0].friction = 0.05;
                Change::Model(Arc::new(
                    driftless::model::Model::new(parts).expect("it is sound"),
                ))
            }
            60 => Change::Settings(Settings {
                friction: FrictionCone::Linearised(8),
                ..*sim.settings()
            }),
            _ => return None,
        })
    };
    let (text, end) = recorded("box_stack", 5, 90, &changes);
    let take = read(&text);
    let again = replayed(&take).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.state(), end.state());
    assert_eq!(again.model(), end.model());
    assert_eq!(again.settings(), end.settings());
    let edits: Vec<_> = text.lines().filter(|l| l.starts_with("Model(")).collect();
    // One body of ten is written, not the whole mechanism.
    assert!(edits.len() == 1 && edits[0].contains("bodies:Changed([(1,"));
    assert!(!edits[0].contains("joints"), "{}", edits[0]);

    // A take that begins after the edit says how its model differs from that of the scene.
    let (scene, mut sim) = open("box_stack");
    sim.restore(&end.snapshot())
        .expect("a moment of the same scene");
    let mut writer = TakeWriter::new(Vec::new(), &scene, &sim.snapshot()).expect("it is written");
    for step in 96..=120 {
        sim.step(&input(step)).expect("the step succeeds");
        writer
            .step(&input(step), sim.state())
            .expect("it is written");
    }
    let bytes = writer.finish(None).expect("it is written");
    let later = read(&crate::commands::cli::text(&bytes));
    let again = replayed(&later).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.state(), sim.state());
}

#[test]
fn commands_on_joints_are_part_of_a_take() {
    let (scene, mut sim) = open("double_pendulum");
    let mut writer = TakeWriter::new(Vec::new(), &scene, &sim.snapshot()).expect("it is written");
    for step in 1..=60u64 {
        let command = Command {
            joint: JointId(1),
            coordinate: 0,
            value: (step as f64 * 0.1).sin(),
        };
        let input = Input {
            commands: vec![command],
            ..Input::default()
        };
        sim.step(&input).expect("the step succeeds");
        writer.step(&input, sim.state()).expect("it is written");
    }
    let bytes = writer.finish(None).expect("it is written");
    let take = read(&text(&bytes));
    assert_eq!(replayed(&take).expect("the same bits").state(), sim.state());
}

/// The text with a bit of a number changed, the first number that follows `after`.
fn flipped(text: &str, after: &str, bit: u32) -> String {
    let from = text.find(after).expect("it is there") + after.len();
    let number = |c: char| c.is_ascii_digit() || ".e-".contains(c);
    let start = from + text[from..].find(|c: char| number(c)).expect("a number");
    let end = start + text[start..].find(|c: char| !number(c)).expect("its end");
    let value: f64 = text[start..end].parse().expect("a number");
    let other = f64::from_bits(value.to_bits() ^ (1 << bit));
    format!("{}{other:?}{}", &text[..start], &text[end..])
}

#[test]
fn a_flipped_bit_of_an_input_is_found_at_its_step() {
    let (text, _) = recorded("double_pendulum", 0, 130, &unchanged);
    // The input that begins to act with step 43.
    let at = text.find("Step(42,").expect("it is there");
    let (before, rest) = text.split_at(at);
    let broken = format!("{before}{}", flipped(rest, "Pull(", 30));
    let input = broken[at..].lines().nth(1).expect("a line");
    assert!(input.starts_with("Input("), "{input}");
    let Err(ReplayError::Diverged(found)) = replayed(&read(&broken)) else {
        panic!("the change must be seen");
    };
    assert_eq!(found.step, 43);
    // The next whole state is that of step 100.
    let (step, difference) = found.compared.clone().expect("there is a state");
    let difference = difference.expect("it differs");
    assert_eq!(step, 100);
    assert!(difference.item.starts_with("body `"), "{found}");
    let [a, b] = difference.values.expect("numbers");
    assert!(a != b && (a - b).abs() < 1e-3, "{found}");
    let message = found.to_string();
    assert!(
        message.starts_with("diverged at step 43 (t = 0.4"),
        "{message}"
    );
}

#[test]
fn a_flipped_bit_of_a_hash_or_a_state_is_found() {
    let (text, _) = recorded("double_pendulum", 0, 130, &unchanged);
    let at = text.find("Step(77,\"").expect("it is there") + 9;
    let digit = if &text[at..=at] == "0" { "1" } else { "0" };
    let broken = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
    let Err(ReplayError::Diverged(found)) = replayed(&read(&broken)) else {
        panic!("the change must be seen");
    };
    assert_eq!(found.step, 77);
    assert_eq!(
        found.compared,
        Some((100, None)),
        "only the hash was changed, not what happened"
    );
    // A state is held to its hash when the file is read: the one before the first step and one on the way.
    for (broken, path) in [
        (flipped(&text, "position: (", 0), "state"),
        (
            {
                let at = text.find("\nState(").expect("it is there");
                format!("{}{}", &text[..at], flipped(&text[at..], "position:(", 0))
            },
            "",
        ),
    ] {
        let error = Take::from_text("test.take", &broken).expect_err("a bit was changed");
        let shown = error.to_string();
        assert!(shown.contains("a number was changed"), "{shown}");
        assert_eq!(error.0[0].path, path, "{shown}");
    }
}

#[test]
fn a_take_ends_with_the_step_that_failed() {
    // A step of one second is too long for such a spin.
    let (scene, mut sim) = open("t_handle");
    let mut writer = TakeWriter::new(Vec::new(), &scene, &sim.snapshot()).expect("it is written");
    let nothing = Input::default();
    sim.step(&nothing).expect("the step succeeds");
    writer.step(&nothing, sim.state()).expect("it is written");
    let long = Settings {
        dt: 1.0,
        ..*sim.settings()
    };
    let change = Change::Settings(long);
    sim.apply(&change).expect("it is allowed");
    writer.change(&change).expect("it is written");
    let error = sim.step(&nothing).expect_err("the step is too long");
    writer.failure(&nothing, &error).expect("it is written");
    let bytes = writer.finish(None).expect("it is written");
    let text = text(&bytes);
    let take = read(&text);
    assert_eq!(
        take.log.failure().map(|f| f.error.clone()),
        Some(error.to_string())
    );
    replayed(&take).expect("it fails in the same way, which is what the take says");
    // A failure that does not happen again is a divergence too.
    let mended = text.replace("dt:1.0", "dt:0.001");
    let Err(ReplayError::NotFailed { step, .. }) = replayed(&read(&mended)) else {
        panic!("the step succeeds now");
    };
    assert_eq!(step, 2);
}

#[test]
fn a_take_holds_its_mesh_files() {
    let home = folder().join("take_meshes");
    fs::create_dir_all(&home).expect("a folder");
    let mesh = scene::open("gear_pair", &[]).expect("it opens").meshes["gear_tooth_18.obj"].clone();
    fs::write(home.join("tooth.obj"), &mesh).expect("it is written");
    let scene = r#"(version: 1, bodies: {"tooth": (shape: (hull: (file: "tooth.obj")), position: (0, 0, 1))})"#;
    let path = home.join("tooth.ron");
    fs::write(&path, scene).expect("it is written");
    let (text, end) = recorded(path.to_str().expect("a path"), 0, 20, &unchanged);
    fs::remove_dir_all(&home).expect("it goes");
    let take = read(&text);
    assert_eq!(take.scene.meshes["tooth.obj"], mesh);
    assert_eq!(replayed(&take).expect("the same bits").state(), end.state());
    // Without the file it does not look elsewhere.
    let broken = text.replace("\"tooth.obj\": \"", "\"other.obj\": \"");
    let shown = Take::from_text("test.take", &broken)
        .expect_err("the mesh is missing")
        .to_string();
    assert!(shown.contains("the take does not hold it"), "{shown}");
}

#[test]
fn a_take_that_breaks_off_is_whole_up_to_there() {
    let (text, _) = recorded("double_pendulum", 0, 130, &unchanged);
    let at = text.find("Step(80,").expect("it is there") + 12;
    let take = read(&text[..at]);
    assert!(!take.complete);
    assert_eq!(take.log.last(), 79);
    replayed(&take).expect("the same bits up to there");
}

#[test]
fn every_error_says_where_it_is_and_what_is_allowed() {
    let (text, _) = recorded("double_pendulum", 0, 130, &unchanged);
    let first = text
        .lines()
        .position(|l| l.starts_with("Step("))
        .expect("a step")
        + 1;
    let line = |n: usize| Some(first + n);
    for (change, with, place, parts) in [
        (
            "take: 3,",
            "take: 7,",
            None,
            &["take", "7", "1 to 3, the versions"][..],
        ),
        ("--- steps ---\n", "", None, &["no line", "--take"]),
        (
            "integrator: \"variational-2\"",
            "integrator: \"variational-3\"",
            None,
            &["integrator", "variational-3", "rk4"],
        ),
        (
            "integrator: \"variational-2\"",
            "integrater: \"variational-2\"",
            Some(0),
            &["integrater", "the header of a take"],
        ),
        (
            "dt: 0.01",
            "dt: -0.01",
            None,
            &["dt", "-0.01", "above 0 and at most 1"],
        ),
        (
            "Step(3,",
            "Step(4,",
            line(4),
            &["step 4", "expected: step 3"],
        ),
        (
            "Step(3,\"",
            "Step(3,\"zz",
            line(4),
            &["zz", "16 hexadecimal digits"],
        ),
        (
            "Step(3,",
            "Stop(3,",
            line(4),
            &["Stop", "a record of a take"],
        ),
        (
            "body:(0)",
            "body:(9)",
            Some(0),
            &["drag.body", "9", "from 0 to 1"],
        ),
        (
            "End(130)",
            "End(131)",
            Some(0),
            &["131 steps", "130, as many"],
        ),
        (
            "End(130)",
            "End(130)\nEnd(130)",
            Some(0),
            &["behind the end"],
        ),
    ] {
        assert!(text.contains(change), "{change} is not in\n{text}");
        let broken = text.replacen(change, with, 1);
        let errors = Take::from_text("test.take", &broken).expect_err(with);
        let shown = errors.to_string();
        assert!(shown.starts_with("test.take"), "{shown}");
        for part in parts {
            assert!(shown.contains(part), "no `{part}` in {shown}");
        }
        match place {
            None => assert_eq!(errors.0[0].line, None, "{shown}"),
            Some(0) => assert!(errors.0[0].line.is_some(), "{shown}"),
            Some(_) => assert_eq!(errors.0[0].line, place, "{shown}"),
        }
    }
    let shown = Take::from_text("test.take", &text.replacen("mass: 1", "mass: -1", 1))
        .map(drop)
        .expect_err("the scene is wrong")
        .to_string();
    assert!(
        shown.contains("test.take (scene):") && shown.contains("mass"),
        "{shown}"
    );
}

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
