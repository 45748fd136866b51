//! Bodies pulled in the real window under a real display.

use crate::window::display::{
    POINTER, Picture, Program, TABLE, column, folder, frames, possible, saved, until, xdotool,
};
use driftless::window::camera::orbit::Viewport;
use driftless::window::camera::view::View;
use driftless::window::session::Session;
use std::path::Path;

/// A ball at rest without weight: it moves only if it is pulled. Beside it one that nobody touches.
const SCENE: &str = r#"(
    version: 1,
    title: "Pulled and left alone",
    gravity: (0, 0, 0),
    bodies: {
        "pulled": (shape: (sphere: (radius: 0.3), density: 10), position: (-0.5, 0, 1)),
        "alone": (shape: (sphere: (radius: 0.2), density: 10), position: (0.9, 0, 1)),
    },
    camera: (eye: (0, -4, 1), target: (0, 0, 1)),
)"#;

/// Opens a scene in a folder, hides the panels, presses keys, pulls a body by so many points until `done` is true of
/// the table, lets go and saves a picture.
///
/// Gives back the metres that the pointer went per point at the camera's focus, and the picture.
fn pull(
    folder: &Path,
    scene: &str,
    body: usize,
    by: [f64; 2],
    keys: &[&str],
    done: impl Fn(&Path) -> bool,
) -> (f64, Picture) {
    // A test that failed has let go of its window all the same.
    let _held = POINTER
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    // What a test that failed still holds is let go.
    xdotool(&["keyup", "ctrl"]);
    xdotool(&["mouseup", "1"]);
    // Where the body is on the screen once the panels are hidden and the view fills the window.
    let opened = driftless::scene::open(scene, &[]).expect("the scene is right");
    let session = Session::new(opened).expect("the scene runs");
    let full = Viewport {
        corner: [0.0; 2],
        size: [1280.0, 720.0],
    };
    let camera = View::of(&session).orbit;
    let at = camera
        .project(&full, &session.poses()[body].translation.vector)
        .expect("in view");

    let mut program = Program::open_in(folder, scene);
    let window = program.window();
    xdotool(&["windowfocus", "--sync", &window]);
    // What is pressed is seen in the next frame and shown in the one after it.
    let settle = || frames(folder, 3);
    settle();
    for key in ["Tab"].iter().chain(keys) {
        xdotool(&["key", key]);
        settle();
    }
    let point = |x: f64, y: f64| {
        let [x, y] = [x, y].map(|v| format!("{v:.0}"));
        xdotool(&["mousemove", "--window", &window, &x, &y]);
        settle();
    };
    point(at[0], at[1]);
    xdotool(&["keydown", "ctrl"]);
    settle();
    xdotool(&["mousedown", "1"]);
    settle();
    for share in [0.25, 0.5, 0.75, 1.0] {
        point(at[0] + by[0] * share, at[1] + by[1] * share);
    }
    let table = folder.join(TABLE);
    until("the body follows the pointer", || done(&table));
    xdotool(&["mouseup", "1"]);
    xdotool(&["keyup", "ctrl"]);
    xdotool(&["key", "Tab"]);
    settle();
    xdotool(&["key", "ctrl+p"]);
    let mut pictures = None;
    until("a picture is begun", || {
        let files = std::fs::read_dir(folder).unwrap().flatten();
        let mut paths = files.map(|f| f.path());
        pictures = paths.find(|p| p.extension().is_some_and(|e| e == "png"));
        pictures.is_some()
    });
    let picture = pictures.expect("it was waited for");
    saved(&picture);
    xdotool(&["key", "ctrl+q"]);
    program.leave();
    let metres = camera.metres_per_point(camera.distance, &full);
    (metres, Picture::read(&picture))
}

#[test]
fn a_real_pointer_drags_a_box_off_its_stack_and_nothing_sinks_into_anything() {
    if !possible() {
        return;
    }
    let folder = folder("stack");
    let boxes = 10;
    let positions = |table: &Path, k: usize| {
        ["x", "y", "z"].map(|axis| column(table, &format!("box_{}.{axis}", k + 1)))
    };
    let went = |table: &Path, k: usize| {
        let of = positions(table, k);
        let away = |i: usize| (of[0][i] - of[0][0]).hypot(of[1][i] - of[1][0]);
        (0..of[0].len()).map(away).fold(0.0, f64::max)
    };
    // Off the edge of the box below, which is a metre long.
    let off = |table: &Path| went(table, boxes - 1) > 0.6;
    let keys = ["c", "shift+f"];
    let (_, picture) = pull(&folder, "box_stack", boxes - 1, [220.0, -60.0], &keys, off);
    let table = folder.join(TABLE);
    let went = |k: usize| went(&table, k);
    // Nine boxes weigh it down; what topples may push it, but not by half its edge.
    assert!(went(0) < 0.25, "the lowest of ten stays: {} m", went(0));
    for [_, _, z] in (0..boxes).map(|k| positions(&table, k)) {
        // However it lies, the middle of a cube is half its edge above the ground.
        let lowest = z.iter().copied().fold(f64::MAX, f64::min);
        assert!(
            lowest > 0.25 - 1e-6,
            "a box is {} m in the ground",
            0.25 - lowest
        );
    }
    let deepest = column(&table, "penetration")
        .into_iter()
        .fold(0.0, f64::max);
    assert!(deepest < 1e-6, "boxes overlap by {deepest} m");
    // The arrows of the lower boxes: the light blue of what sticks, which neither boxes nor panels have.
    let sticks = |p: &[u8; 3]| p[2] > 190 && p[1] > 150 && p[2] > p[0] + 60 && p[1] > p[0] + 40;
    let seen = picture
        .part([0.0, 0.68], [0.28, 0.85])
        .filter(sticks)
        .count();
    assert!(seen > 300, "{seen} pixels of arrows");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_real_pointer_pulls_a_body_in_the_real_window() {
    if !possible() {
        return;
    }
    let folder = folder("pull");
    let scene = folder.join("scene.ron");
    std::fs::write(&scene, SCENE).unwrap();
    let rose = |table: &Path| {
        let height = column(table, "pulled.z");
        height.iter().copied().fold(f64::MIN, f64::max) - height[0]
    };
    let file = scene.display().to_string();
    let by = [40.0, -160.0];
    let (metres, picture) = pull(&folder, &file, 0, by, &[], |table| rose(table) > 0.1);
    let table = folder.join(TABLE);
    // It may swing beyond the pointer, which rose by 160 points, but is not thrown away by it.
    let rose = rose(&table);
    assert!(rose < 2.0 * 160.0 * metres, "it rose by {rose} m");
    let work = column(&table, "external_work");
    let most = work.iter().copied().fold(f64::MIN, f64::max);
    assert!(
        most > 1e-3,
        "the work of the mouse is in the account: {most} J"
    );
    let alone = column(&table, "alone.z");
    assert!(
        alone.iter().all(|z| (z - alone[0]).abs() < 1e-12),
        "nobody touched the other"
    );

    assert_eq!((picture.width, picture.height), (1280, 720));
    // Shading, shadow and antialiased text make thousands; an empty or broken frame makes a handful.
    assert!(picture.colours() > 1000, "{} colours", picture.colours());
    let near =
        |found: [f64; 3], wanted: [f64; 3]| (0..3).all(|k| (found[k] - wanted[k]).abs() < 16.0);
    // Above the buttons of the toolbar: the dark theme's panel.
    let bar = picture.mean([0.52, 0.72], [0.002, 0.006]);
    assert!(near(bar, [33.0, 35.0, 40.0]), "toolbar {bar:?}");
    // The upper right part of the view, where neither ball comes: the backdrop.
    let sky = picture.mean([0.6, 0.7], [0.07, 0.12]);
    assert!(near(sky, [27.0, 29.0, 33.0]), "backdrop {sky:?}");
    // Something brighter and coloured is in the view.
    let saturated = |p: &[u8; 3]| p.iter().max().unwrap() - p.iter().min().unwrap() > 60;
    let seen = picture
        .part([0.02, 0.7], [0.1, 0.85])
        .filter(saturated)
        .count();
    assert!(seen > 1500, "{seen} coloured pixels");
    std::fs::remove_dir_all(folder).unwrap();
}
