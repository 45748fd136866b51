//! The real window under a real display, driven by a real pointer.
//!
//! It needs a display, `xdotool` and a Vulkan driver, which may be a software one. Where there is none it is
//! skipped and says so; with `DRIFTLESS_REQUIRE_DISPLAY=1`, as in continuous integration, it fails instead.

use bevy::asset::RenderAssetUsages;
use bevy::image::{CompressedImageFormats, Image, ImageSampler, ImageType};
use driftless::app::{Session, View, Viewport, display_available};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

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

/// Why the test cannot run here; none if it can.
fn obstacle() -> Option<String> {
    if !display_available() {
        return Some("there is no display".into());
    }
    let found = Command::new("xdotool").arg("version").output();
    found.err().map(|e| format!("xdotool cannot be run: {e}"))
}

/// Runs xdotool and gives back what it printed.
fn xdotool(arguments: &[&str]) -> String {
    let out = Command::new("xdotool")
        .args(arguments)
        .output()
        .expect("xdotool runs");
    assert!(
        out.status.success(),
        "xdotool {arguments:?}: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8_lossy(&out.stdout).trim().into()
}

/// The program, ended with the test whatever happens.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // It has usually left by itself, and then there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Program {
    fn open(scene: &Path, seconds: f64, picture: &Path, table: &Path) -> Self {
        let child = Command::new(env!("CARGO_BIN_EXE_driftless"))
            .arg("open")
            .arg(scene)
            .args(["--for", &seconds.to_string(), "--screenshot"])
            .arg(picture)
            .arg("--csv")
            .arg(table)
            .spawn();
        Self(child.expect("the program starts"))
    }

    /// Its window, once it is there.
    fn window(&mut self) -> String {
        let start = Instant::now();
        loop {
            assert!(
                self.0.try_wait().unwrap().is_none(),
                "the program left before its window was there"
            );
            let found = Command::new("xdotool")
                .args(["search", "--onlyvisible", "--name", "Driftless$"])
                .output();
            let found = String::from_utf8_lossy(&found.unwrap().stdout)
                .trim()
                .to_owned();
            if let Some(first) = found.lines().next() {
                return first.into();
            }
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "no window after a minute"
            );
            sleep(Duration::from_millis(200));
        }
    }

    /// Waits until it leaves by itself.
    fn leave(&mut self) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                break status;
            }
            assert!(
                start.elapsed() < Duration::from_secs(120),
                "it does not leave"
            );
            sleep(Duration::from_millis(200));
        };
        assert!(status.success(), "{status}");
    }
}

/// One column of a table.
fn column(table: &Path, name: &str) -> Vec<f64> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(table)
        .unwrap();
    let k = reader
        .headers()
        .unwrap()
        .iter()
        .position(|c| c == name)
        .expect("the column is there");
    reader
        .records()
        .map(|r| r.unwrap()[k].parse().unwrap())
        .collect()
}

struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("the picture was saved");
        let image = Image::from_buffer(
            &bytes,
            ImageType::Extension("png"),
            CompressedImageFormats::NONE,
            true,
            ImageSampler::Default,
            RenderAssetUsages::MAIN_WORLD,
        )
        .expect("it is a PNG");
        let (width, height) = (image.width() as usize, image.height() as usize);
        let data = image.data.expect("it has pixels");
        let channels = data.len() / (width * height);
        let pixels = data.chunks(channels).map(|p| [p[0], p[1], p[2]]).collect();
        Self {
            width,
            height,
            pixels,
        }
    }

    /// Pixels of a rectangle given in shares of width and height.
    fn part(&self, x: [f64; 2], y: [f64; 2]) -> impl Iterator<Item = [u8; 3]> + Clone {
        let at = |share: f64, whole: usize| (share * whole as f64) as usize;
        let columns = at(x[0], self.width)..at(x[1], self.width);
        let rows = at(y[0], self.height)..at(y[1], self.height);
        rows.flat_map(move |r| {
            columns
                .clone()
                .map(move |c| self.pixels[r * self.width + c])
        })
    }

    /// Mean colour of a rectangle.
    fn mean(&self, x: [f64; 2], y: [f64; 2]) -> [f64; 3] {
        let part = self.part(x, y);
        let count = part.clone().count().max(1) as f64;
        let sums = part.fold([0.0; 3], |s, p| [0, 1, 2].map(|k| s[k] + f64::from(p[k])));
        sums.map(|s| s / count)
    }

    fn colours(&self) -> usize {
        self.pixels.iter().collect::<BTreeSet<_>>().len()
    }
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("driftless-window-{}-{name}", std::process::id()))
}

#[test]
fn a_real_pointer_pulls_a_body_in_the_real_window() {
    if let Some(why) = obstacle() {
        assert!(
            std::env::var_os("DRIFTLESS_REQUIRE_DISPLAY").is_none(),
            "{why}, but it is required"
        );
        println!("skipped: {why}");
        return;
    }
    let [scene, picture, table] = ["scene.ron", "picture.png", "steps.csv"].map(scratch);
    std::fs::write(&scene, SCENE).unwrap();
    // Where the body is on the screen once the panels are hidden and the view fills the window.
    let opened =
        driftless::scene::open(&scene.display().to_string(), &[]).expect("the scene is right");
    let session = Session::new(opened).expect("the scene runs");
    let full = Viewport {
        corner: [0.0; 2],
        size: [1280.0, 720.0],
    };
    let camera = View::of(&session).orbit;
    let at = camera
        .project(&full, &session.poses()[0].translation.vector)
        .expect("in view");
    let pause = || sleep(Duration::from_millis(900));

    let mut program = Program::open(&scene, 22.0, &picture, &table);
    let window = program.window();
    xdotool(&["windowfocus", "--sync", &window]);
    // The first frame, and the one that hides the panels, take a software driver a while.
    sleep(Duration::from_secs(3));
    xdotool(&["key", "Tab"]);
    pause();
    let point = |x: f64, y: f64| {
        let [x, y] = [x, y].map(|v| format!("{v:.0}"));
        xdotool(&["mousemove", "--window", &window, &x, &y]);
    };
    point(at[0], at[1]);
    pause();
    xdotool(&["keydown", "ctrl"]);
    pause();
    xdotool(&["mousedown", "1"]);
    pause();
    for share in [0.25, 0.5, 0.75, 1.0] {
        point(at[0] + 40.0 * share, at[1] - 160.0 * share);
        pause();
    }
    xdotool(&["mouseup", "1"]);
    xdotool(&["keyup", "ctrl"]);
    xdotool(&["key", "Tab"]);
    program.leave();

    let lift = column(&table, "pulled.z");
    let top = lift.iter().copied().fold(f64::MIN, f64::max);
    // The pointer rose by 160 of 720 points over the height of the view at the ball.
    let metres = camera.metres_per_point(camera.distance, &full) * 160.0;
    assert!(
        top - lift[0] > 0.5 * metres,
        "it rose by {} m of {metres} m",
        top - lift[0]
    );
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

    let picture = Picture::read(&picture);
    assert_eq!((picture.width, picture.height), (1280, 720));
    // Shading, shadow and antialiased text make thousands; an empty or broken frame makes a handful.
    assert!(picture.colours() > 1000, "{} colours", picture.colours());
    let near =
        |found: [f64; 3], wanted: [f64; 3]| (0..3).all(|k| (found[k] - wanted[k]).abs() < 16.0);
    // Between the buttons of the toolbar: the dark theme's panel.
    let bar = picture.mean([0.52, 0.72], [0.01, 0.04]);
    assert!(near(bar, [33.0, 35.0, 40.0]), "toolbar {bar:?}");
    // The upper part of the view: the backdrop.
    let sky = picture.mean([0.25, 0.65], [0.07, 0.12]);
    assert!(near(sky, [27.0, 29.0, 33.0]), "backdrop {sky:?}");
    // Something brighter and coloured is in the view.
    let saturated = |p: &[u8; 3]| p.iter().max().unwrap() - p.iter().min().unwrap() > 60;
    let seen = picture
        .part([0.02, 0.7], [0.1, 0.85])
        .filter(saturated)
        .count();
    assert!(seen > 1500, "{seen} coloured pixels");
    for file in [&scene, &table] {
        std::fs::remove_file(file).unwrap();
    }
}
