//! A film: frames of a double pendulum, drawn point by point, as a GIF. With the window built in, `driftless record` draws
//! scenes in full.

use driftless::build::{Body, Joint, Mechanism};
use driftless::math::Vec3;
use driftless::sim::Input;
use driftless::video::{FrameClock, MovieSpec, Picture, Recorder};
use std::error::Error;

const SIZE: [u32; 2] = [240, 240];

/// Writes it to the folder of temporary files.
pub fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::temp_dir().join("driftless_pendulum.gif");
    let link = |name: &str| {
        Body::new(name)
            .mass(1.0)
            .capsule(0.02, [0.0; 3], [0.0, 0.0, -1.0])
    };
    let hinge = |name: &str| Joint::revolute(name).axis([0.0, 1.0, 0.0]);
    let mut simulation = Mechanism::new()
        .body(link("upper"))
        .body(link("lower"))
        .joint(hinge("shoulder").child("upper").at(2.0))
        .joint(
            hinge("elbow")
                .parent("upper")
                .anchor([0.0, 0.0, -1.0])
                .child("lower")
                .at(0.5),
        )
        .scene()?
        .simulation()?;

    let clock = FrameClock {
        start: 0.0,
        speed: 1.0,
        changes: Vec::new(),
        fps: 20.0,
    };
    let recorder = Recorder::start(&MovieSpec::new(&path, SIZE, clock.fps)?)?;
    for frame in 0..clock.frames(2.0) {
        while simulation.state().time < clock.time(frame) {
            simulation.step(&Input::default())?;
        }
        let mut picture = Picture::plain(SIZE[0], SIZE[1], [250, 250, 248]);
        for (body, colour) in simulation
            .state()
            .bodies
            .iter()
            .zip([[40, 90, 160], [200, 90, 40]])
        {
            for k in -50..=50 {
                // A point of the rod, which is a metre long with its centre of mass in the middle.
                let point = body.position + body.orientation * Vec3::z() * (0.01 * f64::from(k));
                dot(&mut picture, point.x, point.z, colour);
            }
        }
        if !recorder.push(picture) {
            break;
        }
    }
    let saved = recorder.finish()?;
    println!("{} frames in {}", saved.frames, saved.path.display());
    Ok(())
}

/// Paints a spot at a point of the plane of the pendulum [m], five metres wide and high.
fn dot(picture: &mut Picture, x: f64, z: f64, [r, g, b]: [u8; 3]) {
    let [width, height] = SIZE.map(f64::from);
    let (column, row) = ((x / 5.0 + 0.5) * width, (0.5 - z / 5.0) * height);
    for (i, j) in (-2..=2).flat_map(|i| (-2..=2).map(move |j| (i, j))) {
        let (i, j) = (column as i64 + i, row as i64 + j);
        if (0..i64::from(SIZE[0])).contains(&i) && (0..i64::from(SIZE[1])).contains(&j) {
            let at = 4 * (j as usize * SIZE[0] as usize + i as usize);
            picture.rgba[at..at + 3].copy_from_slice(&[r, g, b]);
        }
    }
}
