//! A take stands alone and replays to the same bits.

use crate::commands::cli::{folder, text};
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
pub fn recorded(spec: &str, skip: u64, steps: u64, changes: Changes) -> (String, Simulation) {
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

/// No change at any step.
pub fn unchanged(_: u64, _: &Simulation) -> Option<Change> {
    None
}

/// A take that must be right.
pub fn read(text: &str) -> Take {
    Take::from_text("test.take", text).unwrap_or_else(|e| panic!("{e}"))
}

/// Replays to the end or to the first error.
pub fn replayed(take: &Take) -> Result<Simulation, ReplayError> {
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
fn commands_on_joints_and_forces_on_bodies_are_part_of_a_take() {
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
        // A force comes and goes.
        let side = Vec3::new(0.0, 0.5 * step as f64, 1.0);
        let input = match step % 20 {
            0..10 => input,
            _ => input.with_wrench(BodyId(0), Vec3::z() * 0.1, side, Vec3::x()),
        };
        sim.step(&input).expect("the step succeeds");
        writer.step(&input, sim.state()).expect("it is written");
    }
    let bytes = writer.finish(None).expect("it is written");
    let take = read(&text(&bytes));
    assert_eq!(replayed(&take).expect("the same bits").state(), sim.state());
}

#[test]
fn a_take_ends_with_the_step_that_failed() {
    // A step of one second is too long for this method and such a spin.
    let method = ("integrator.method".into(), "\"generalized-alpha\"".into());
    let scene = scene::open("heavy_top", &[method]).expect("the scene opens");
    let mut sim = scene.simulation().expect("its method runs it");
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
