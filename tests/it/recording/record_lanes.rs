//! Films with lanes, made without a display: every frame shows each lane where it is at the time of the frame, and
//! names it.

use crate::recording::movie::{Frame, Movie};
use crate::recording::record::{record, said, scratch, skipped};
use driftless::math::Vec3;
use driftless::window::camera::orbit::{Orbit, Viewport};

/// A ball on a parabola, above the floor.
const SCENE: &str = r#"(
    version: 1,
    title: "Falling past",
    gravity: (0, 0, -6),
    bodies: {
        "ball": (shape: (sphere: (radius: 0.07), density: 10), position: (-1.5, 0, 0.2), velocity: (2, 0, 5), colour: "blue"),
    },
    camera: (eye: (0, -5, 2), target: (0, 0, 2)),
    integrator: (method: "variational-2", dt: 0.01),
)"#;
const START: f64 = 0.7;

/// Where the ball is that takes steps of 0.1 s with the velocity at their end, between its knots on a straight line.
fn falling(time: f64) -> Vec3 {
    let h = 0.1;
    let knot = |n: f64| 0.2 + 5.0 * n * h - 6.0 * h * h * n * (n + 1.0) / 2.0;
    let n = (time / h + 1e-9).floor();
    let share = time / h - n;
    let z = knot(n) + share * (knot(n + 1.0) - knot(n));
    Vec3::new(-1.5 + 2.0 * time, 0.0, z)
}

/// Centre of the pixels in the lane's colour, yellow, and their number: below the legend, or in it.
fn yellow(frame: &Frame, legend: bool) -> ([f64; 2], usize) {
    let (mut sum, mut count) = ([0.0; 2], 0);
    for y in 0..frame.size[1] {
        for x in 0..frame.size[0] {
            let [r, g, b] = frame.rgb(x, y);
            if (x > 440 && y < 45) == legend && r.min(g) > b + 40.0 {
                sum = [sum[0] + x as f64 + 0.5, sum[1] + y as f64 + 0.5];
                count += 1;
            }
        }
    }
    (sum.map(|s| s / f64::from(count.max(1))), count as usize)
}

#[test]
fn a_lane_with_longer_steps_is_shown_at_the_time_of_every_frame_and_named() {
    let folder = scratch("lanes");
    std::fs::write(folder.join("scene.ron"), SCENE).unwrap();
    let lane = "semi-implicit-euler:dt=0.1";
    let start = START.to_string();
    let words = [
        "scene.ron",
        "-o",
        "a.mp4",
        "--size",
        "640x360",
        "--fps",
        "20",
        "--speed",
        "0.5",
        "--start",
        &start,
        "--duration",
        "0.2",
        "--draft",
        "--lane",
        lane,
    ];
    let output = record(&folder, &words);
    if skipped(&output) {
        return;
    }
    assert!(output.status.success(), "{}", said(&output));
    let movie = Movie::read(&folder.join("a.mp4"));
    assert_eq!(movie.frames.len(), 8);
    let full = Viewport {
        corner: [0.0; 2],
        size: [640.0, 360.0],
    };
    let camera = Orbit::looking(Vec3::new(0.0, -5.0, 2.0), Vec3::new(0.0, 0.0, 2.0), 0.72);
    for (k, frame) in movie.frames.iter().enumerate() {
        let time = START + k as f64 * 0.5 / 20.0;
        let wanted = camera.project(&full, &falling(time)).expect("in view");
        let (found, count) = yellow(frame, false);
        let away = (found[0] - wanted[0]).hypot(found[1] - wanted[1]);
        // A frame moves it by 5 pixels, a step by 20. Its rim is lost where it is thinner than a pixel of colour.
        assert!(
            away < 2.0 && count > 60,
            "{k}: {found:?} {wanted:?} {count}"
        );
        let (_, chip) = yellow(frame, true);
        assert!(chip > 8, "{k}: the legend has a chip in its colour: {chip}");
    }
    // Steps that never meet are refused before anything is drawn.
    let lane = "heun:dt=0.0100001";
    let output = record(&folder, &["scene.ron", "-o", "b.mp4", "--lane", lane]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("do not meet"), "{}", said(&output));
    assert!(!folder.join("b.mp4").exists());
    std::fs::remove_dir_all(folder).unwrap();
}
