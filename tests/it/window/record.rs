//! Recording in the real window, by a real key.

use crate::recording::movie::Movie;
use crate::window::display::{POINTER, Program, TABLE, folder, frames, possible, xdotool};

/// Most frames of a recording that lasts some seconds.
const MOST: usize = 900;

#[test]
fn the_key_records_the_view_and_a_film_is_complete_when_the_window_closes() {
    if !possible() {
        return;
    }
    let _held = POINTER
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = folder("record");
    let mut program = Program::open_in(&folder, "pendulum");
    let window = program.window();
    xdotool(&["windowfocus", "--sync", &window]);
    frames(&folder, 3);
    xdotool(&["key", "ctrl+shift+r"]);
    frames(&folder, 20);
    xdotool(&["key", "ctrl+shift+r"]);
    frames(&folder, 3);
    // What was recorded is written to its end before the window closes.
    xdotool(&["key", "ctrl+q"]);
    program.leave();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let wanted = ["pendulum.mp4", "settings", TABLE];
    assert_eq!(names, wanted, "nothing is left beside it");
    let movie = Movie::read(&folder.join("pendulum.mp4"));
    assert_eq!(movie.size, [1280, 720]);
    assert!(
        (3..MOST).contains(&movie.frames.len()),
        "{} frames",
        movie.frames.len()
    );
    assert!(
        movie
            .stamps
            .iter()
            .enumerate()
            .all(|(k, t)| *t == 3000 * k as u64),
        "30 a second"
    );
    // The bob is the one coloured thing in the view; it moves, and never by more than a fraction of the picture.
    let coloured = |[r, g, b]: [f64; 3]| r.max(g).max(b) - r.min(g).min(b) > 50.0;
    let places: Vec<[f64; 2]> = movie
        .frames
        .iter()
        .map(|frame| {
            let (place, count) = frame.centre(coloured);
            assert!(count > 300, "the bob is in every frame: {count} pixels");
            place
        })
        .collect();
    let steps = places
        .windows(2)
        .map(|p| (p[1][0] - p[0][0]).hypot(p[1][1] - p[0][1]));
    let steps: Vec<f64> = steps.collect();
    assert!(
        steps.iter().all(|s| *s < 60.0),
        "no frame is left out: {steps:?}"
    );
    assert!(steps.iter().any(|s| *s > 0.5), "time goes on: {steps:?}");
    std::fs::remove_dir_all(folder).unwrap();
}
