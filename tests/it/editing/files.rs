//! Scenes and files: saving, reading again what changes on the disk, drafts of what was not saved.

use crate::editing::view::{edit, get};
use crate::window::blind::{arrive, give, open, session, window};
use bevy::prelude::*;
use driftless::diagnostics::{Chart, Quantity};
use driftless::math::Vec3 as Vector;
use driftless::model::BodyId;
use driftless::scene::{self, Amendment, Edit};
use driftless::window::camera::view::View;
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::editing::{EditorState, Question};
use driftless::window::plots::custom::CustomPlots;
use driftless::window::session::events::SceneOpened;
use driftless::window::state::highlight::Highlight;
use driftless::window::state::notices::Notices;
use driftless::window::state::selection::Selection;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn gravity(app: &mut App, z: f64) {
    let put = Amendment::Gravity(Vector::new(0.0, 0.0, z));
    let amend = Edit::new("gravity", vec![put]);
    edit(app, EditCommand::Amend(Box::new(amend)));
}

fn fall(app: &App) -> f64 {
    session(app).model().gravity.z
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = crate::commands::cli::folder().join(format!("edit {name}"));
    // What an earlier run has left.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the target folder can be written to");
    folder
}

/// Runs frames until something holds, for as long as a slow machine may need.
fn wait(app: &mut App, what: &str, holds: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !holds(app) {
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "waited for: {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
        app.update();
    }
}

/// A shipped scene as a file in a folder of its own.
fn copy(name: &str, of: &str) -> (PathBuf, PathBuf) {
    let home = folder(name);
    let path = home.join("scene.ron");
    let shipped = scene::shipped()
        .iter()
        .find(|s| s.name == of)
        .expect("it is shipped");
    fs::write(&path, shipped.text).expect("the folder can be written to");
    (home, path)
}

fn opened(path: &Path) -> App {
    window(path.to_str().expect("it is text"), 1)
}

#[test]
fn a_scene_is_saved_where_it_came_from_and_opens_again_as_it_was() {
    let (_, path) = copy("save", "double_pendulum");
    let mut app = opened(&path);
    gravity(&mut app, -3.0);
    assert!(session(&app).document().is_modified());
    edit(&mut app, EditCommand::Save);
    assert!(!session(&app).document().is_modified());
    let text = fs::read_to_string(&path).expect("it is there");
    assert!(text.contains("// Two links of 1 m"), "comments stay");
    let again = scene::open(path.to_str().unwrap(), &[]).expect("it opens");
    assert_eq!(again.model, *session(&app).model());
    assert_eq!(again.state, session(&app).scene().state);
    // Nothing to save is no reason to ask.
    edit(&mut app, EditCommand::Save);
    assert_eq!(get::<EditorState>(&app).question, None);
}

#[test]
fn a_scene_without_a_file_asks_where_and_lost_comments_are_told_first() {
    let home = folder("save as");
    let mut app = window("gear_pair", 1);
    edit(&mut app, EditCommand::Save);
    let Some(Question::Save { path, lost }) = get::<EditorState>(&app).question.clone() else {
        panic!("it asks");
    };
    assert!(path.ends_with(".ron") && lost.is_empty());
    let to = home.join("mine.ron");
    edit(&mut app, EditCommand::Write(to.clone()));
    assert_eq!(get::<EditorState>(&app).question, None);
    assert_eq!(session(&app).scene().path.as_deref(), Some(to.as_path()));
    let again = scene::open(to.to_str().unwrap(), &[]).expect("it opens, with its meshes");
    assert_eq!(again.model, *session(&app).model());
    // A folder that is not there.
    edit(&mut app, EditCommand::Write(home.join("no/where.ron")));
    assert!(
        get::<Notices>(&app)
            .file
            .as_ref()
            .is_some_and(|n| n.contains("nothing was saved"))
    );

    let (_, path) = copy("comments", "double_pendulum");
    let commented = fs::read_to_string(&path)
        .unwrap()
        .replace("\"lower\": (", "// The lower link.\n        \"lower\": (");
    fs::write(&path, commented).unwrap();
    let mut app = opened(&path);
    give(&mut app, Command::Select(Some(Selection::body(BodyId(1)))));
    edit(&mut app, EditCommand::Delete);
    edit(&mut app, EditCommand::Save);
    let Some(Question::Save { lost, .. }) = get::<EditorState>(&app).question.clone() else {
        panic!("it asks");
    };
    assert_eq!(lost, ["// The lower link."]);
    assert!(
        fs::read_to_string(&path).unwrap().contains("lower"),
        "nothing is written yet"
    );
}

#[test]
fn a_file_that_changes_is_read_again_and_errors_go_when_they_are_mended() {
    let (_, path) = copy("watch", "double_pendulum");
    let text = fs::read_to_string(&path).unwrap();
    let mut app = opened(&path);
    give(&mut app, Command::TogglePlay);
    give(&mut app, Command::Select(Some(Selection::body(BodyId(1)))));
    app.world_mut().resource_mut::<View>().orbit.yaw += 0.3;
    let camera = app.world().resource::<View>().orbit;
    let with = |z: f64| text.replacen("bodies:", &format!("gravity: (0, 0, {z}),\n    bodies:"), 1);
    fs::write(&path, with(-2.0)).unwrap();
    wait(&mut app, "the change", |app| fall(app) == -2.0);
    assert_eq!(app.world().resource::<View>().orbit, camera);
    assert_eq!(
        get::<Highlight>(&app).selection,
        Some(Selection::body(BodyId(1)))
    );
    assert!(
        !crate::window::blind::playback(&app).playing,
        "what stood still stands still"
    );
    // A wrong file leaves what runs alone and says where it is wrong.
    fs::write(&path, text.replacen("mass: 1", "mass: -1", 1)).unwrap();
    wait(&mut app, "the error", |app| {
        get::<Notices>(app).scene.is_some()
    });
    assert!(
        get::<Notices>(&app)
            .scene
            .as_ref()
            .unwrap()
            .contains("bodies.upper.mass")
    );
    assert_eq!(fall(&app), -2.0);
    fs::write(&path, with(-2.0)).unwrap();
    wait(&mut app, "the mended file", |app| {
        get::<Notices>(app).scene.is_none()
    });
    // Edits are not overwritten without a question.
    gravity(&mut app, -7.0);
    fs::write(&path, with(-4.0)).unwrap();
    wait(&mut app, "the question", |app| {
        get::<EditorState>(app).question.is_some()
    });
    assert_eq!(fall(&app), -7.0);
    edit(&mut app, EditCommand::Later);
    assert_eq!(
        (fall(&app), &get::<EditorState>(&app).question),
        (-7.0, &None)
    );
    fs::write(&path, with(-5.0)).unwrap();
    wait(&mut app, "the question again", |app| {
        get::<EditorState>(app).question.is_some()
    });
    edit(&mut app, EditCommand::ReloadAnyway);
    arrive(&mut app);
    assert_eq!(fall(&app), -5.0);
    assert!(!session(&app).document().is_modified());
    // What the window itself has saved is no news.
    gravity(&mut app, -6.0);
    edit(&mut app, EditCommand::Save);
    let generation = session(&app).generation();
    for _ in 0..40 {
        std::thread::sleep(Duration::from_millis(10));
        app.update();
    }
    assert_eq!(session(&app).generation(), generation);
}

#[test]
fn plots_are_saved_with_the_scene_and_shown_when_it_is_opened_again() {
    let (_, path) = copy("plots", "double_pendulum");
    let mut app = opened(&path);
    let model = session(&app).model().clone();
    let of = |name: &str| Quantity::named(name, &model).expect("it is there");
    let charts = vec![Chart {
        title: "phase".into(),
        x: of("elbow.q0"),
        curves: vec![of("elbow.rate0"), of("upper.spin")],
        ..Chart::default()
    }];
    app.world_mut().resource_mut::<CustomPlots>().charts = charts.clone();
    edit(&mut app, EditCommand::Save);
    assert!(fs::read_to_string(&path).unwrap().contains("elbow.rate0"));
    drop(app);
    let mut app = opened(&path);
    app.world_mut().trigger(SceneOpened);
    let shown = get::<CustomPlots>(&app);
    assert_eq!(shown.charts, charts);
    assert_eq!(shown.known, charts, "which is no edit");
}

#[test]
fn a_mesh_that_changes_is_read_again() {
    let (home, path) = copy("mesh", "gear_pair");
    let shape = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    fs::write(home.join("piece.obj"), shape).unwrap();
    let scene = "(version: 1, bodies: {\"a\": (shape: (hull: (file: \"piece.obj\")))})";
    fs::write(&path, scene).unwrap();
    let mut app = opened(&path);
    let mass = |app: &App| session(app).model().bodies[0].mass;
    let before = mass(&app);
    fs::write(home.join("piece.obj"), shape.replace("v 1 0 0", "v 2 0 0")).unwrap();
    give(&mut app, Command::Select(Some(Selection::body(BodyId(0)))));
    app.world_mut().resource_mut::<View>().orbit.yaw += 0.3;
    let camera = app.world().resource::<View>().orbit;
    wait(&mut app, "the larger mesh", |app| mass(app) > 1.9 * before);
    assert_eq!(app.world().resource::<View>().orbit, camera);
    assert_eq!(
        get::<Highlight>(&app).selection,
        Some(Selection::body(BodyId(0)))
    );
    // A mesh that encloses nothing leaves what runs alone, until it is mended.
    fs::write(home.join("piece.obj"), "v 0 0 0\nv 1 0 0\nf 1 2 9\n").unwrap();
    wait(&mut app, "the error", |app| {
        let said = get::<Notices>(app).scene.as_deref();
        said.is_some_and(|n| n.contains("piece.obj"))
    });
    assert!(mass(&app) > 1.9 * before);
    fs::write(home.join("piece.obj"), shape).unwrap();
    wait(&mut app, "the mended mesh", |app| {
        get::<Notices>(app).scene.is_none() && mass(app) < 1.1 * before
    });
    assert_eq!(app.world().resource::<View>().orbit, camera);
}

#[test]
fn edits_that_were_not_saved_survive_a_crash_and_are_offered() {
    let home = folder("drafts");
    let mut app = window("pendulum", 1);
    app.world_mut().resource_mut::<EditorState>().drafts = Some(home.clone());
    gravity(&mut app, -3.25);
    let drafts = || {
        fs::read_dir(&home).map_or(0, |d| {
            d.flatten()
                .filter(|f| f.path().extension().is_some_and(|e| e == "ron"))
                .count()
        })
    };
    wait(&mut app, "the draft", |_| drafts() == 1);
    // The program is gone. Another one starts.
    drop(app);
    let mut app = window("four_bar", 1);
    app.world_mut().resource_mut::<EditorState>().drafts = Some(home.clone());
    app.world_mut().run_schedule(Startup);
    let Some(Question::Draft(draft)) = get::<EditorState>(&app).question.clone() else {
        panic!("it is offered");
    };
    assert_eq!(draft.spec, "pendulum");
    edit(&mut app, EditCommand::Restore);
    arrive(&mut app);
    assert_eq!(
        (fall(&app), session(&app).scene().name.as_str()),
        (-3.25, "pendulum")
    );
    assert_eq!(session(&app).document().undo_name(), Some("restored edits"));
    assert_eq!(drafts(), 1, "it stays until it is saved or taken back");
    edit(&mut app, EditCommand::Undo);
    wait(&mut app, "the draft to go", |_| drafts() == 0);
    // Opening another scene keeps what was not saved.
    gravity(&mut app, -4.0);
    open(&mut app, "four_bar");
    assert_eq!(session(&app).scene().name, "four_bar");
    assert_eq!(drafts(), 1);
    app.world_mut().run_schedule(Startup);
    edit(&mut app, EditCommand::Discard);
    assert_eq!(drafts(), 0);
    assert_eq!(get::<EditorState>(&app).question, None);
}
