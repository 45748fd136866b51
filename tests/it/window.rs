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
use std::sync::Mutex;
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
pub fn xdotool(arguments: &[&str]) -> String {
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

/// The program with its settings in a folder, so that it neither sees nor changes those of whoever runs the tests.
fn command(settings: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_driftless"));
    command.env("DRIFTLESS_CONFIG_DIR", settings);
    command
}

/// The program, ended with the test whatever happens.
pub struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // It has usually left by itself, and then there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Program {
    fn open(scene: &Path, seconds: f64, picture: &Path, table: &Path) -> Self {
        let child = command(&scratch("settings"))
            .arg("open")
            .arg(scene)
            .args(["--for", &seconds.to_string(), "--screenshot"])
            .arg(picture)
            .arg("--csv")
            .arg(table)
            .spawn();
        Self(child.expect("the program starts"))
    }

    /// Opens a scene in a folder, where it leaves what it saves.
    pub fn open_in(folder: &Path, scene: &Path, seconds: f64) -> Self {
        let child = command(&scratch("settings"))
            .current_dir(folder)
            .arg("open")
            .arg(scene)
            .args(["--for", &seconds.to_string()])
            .spawn();
        Self(child.expect("the program starts"))
    }

    /// Starts it in a folder with any words, and with its settings in another.
    pub fn start(folder: &Path, settings: &Path, words: &[&str]) -> Self {
        let child = command(settings).current_dir(folder).args(words).spawn();
        Self(child.expect("the program starts"))
    }

    /// Its window, once it is there.
    pub fn window(&mut self) -> String {
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
    pub fn leave(&mut self) {
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
pub fn column(table: &Path, name: &str) -> Vec<f64> {
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

/// A picture that was saved.
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads a PNG file.
    pub fn read(path: &Path) -> Self {
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
    pub fn mean(&self, x: [f64; 2], y: [f64; 2]) -> [f64; 3] {
        let part = self.part(x, y);
        let count = part.clone().count().max(1) as f64;
        let sums = part.fold([0.0; 3], |s, p| [0, 1, 2].map(|k| s[k] + f64::from(p[k])));
        sums.map(|s| s / count)
    }

    fn colours(&self) -> usize {
        self.pixels.iter().collect::<BTreeSet<_>>().len()
    }
}

pub fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("driftless-window-{}-{name}", std::process::id()))
}

/// Whether the test may run; says why if not.
pub fn possible() -> bool {
    let Some(why) = obstacle() else {
        return true;
    };
    assert!(
        std::env::var_os("DRIFTLESS_REQUIRE_DISPLAY").is_none(),
        "{why}, but it is required"
    );
    println!("skipped: {why}");
    false
}

/// The pointer and the keyboard are one: only one test at a time has them.
pub static HANDS: Mutex<()> = Mutex::new(());

/// Opens a scene, hides the panels, presses keys, pulls a body by so many points, and waits for the end.
///
/// Gives back the metres that the pointer went per point at the camera's focus.
fn pull(
    scene: &str,
    body: usize,
    by: [f64; 2],
    keys: &[&str],
    [picture, table]: [&Path; 2],
) -> f64 {
    // A test that failed has let go of its window all the same.
    let _held = HANDS
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
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
    let pause = || sleep(Duration::from_millis(900));

    let seconds = 22.0 + keys.len() as f64;
    let mut program = Program::open(Path::new(scene), seconds, picture, table);
    let window = program.window();
    xdotool(&["windowfocus", "--sync", &window]);
    // The first frame, and the one that hides the panels, take a software driver a while.
    sleep(Duration::from_secs(3));
    for key in ["Tab"].iter().chain(keys) {
        xdotool(&["key", key]);
        pause();
    }
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
        point(at[0] + by[0] * share, at[1] + by[1] * share);
        pause();
    }
    xdotool(&["mouseup", "1"]);
    xdotool(&["keyup", "ctrl"]);
    xdotool(&["key", "Tab"]);
    program.leave();
    camera.metres_per_point(camera.distance, &full)
}

#[test]
fn a_real_pointer_drags_a_box_off_its_stack_and_nothing_sinks_into_anything() {
    if !possible() {
        return;
    }
    let [picture, table] = ["stack.png", "stack.csv"].map(scratch);
    let boxes = 10;
    let top = boxes - 1;
    let metres = pull(
        "box_stack",
        top,
        [220.0, -60.0],
        &["c", "shift+f"],
        [&picture, &table],
    );
    let positions: Vec<[Vec<f64>; 3]> = (1..=boxes)
        .map(|k| ["x", "y", "z"].map(|axis| column(&table, &format!("box_{k}.{axis}"))))
        .collect();
    let went = |k: usize| {
        let of = &positions[k];
        let away = |i: usize| (of[0][i] - of[0][0]).hypot(of[1][i] - of[1][0]);
        (0..of[0].len()).map(away).fold(0.0, f64::max)
    };
    // The pointer goes 220 points to the side; the box may be on its way when it is let go.
    assert!(went(top) > 0.4 * 220.0 * metres, "{} m", went(top));
    // Nine boxes weigh it down; what topples may push it, but not by half its edge.
    assert!(went(0) < 0.25, "the lowest of ten stays: {} m", went(0));
    for [_, _, z] in &positions {
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
    let picture_seen = Picture::read(&picture);
    let sticks = |p: &[u8; 3]| p[2] > 190 && p[1] > 150 && p[2] > p[0] + 60 && p[1] > p[0] + 40;
    let seen = picture_seen
        .part([0.0, 0.68], [0.28, 0.85])
        .filter(sticks)
        .count();
    assert!(seen > 300, "{seen} pixels of arrows");
    for file in [&picture, &table] {
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn a_real_pointer_pulls_a_body_in_the_real_window() {
    if !possible() {
        return;
    }
    let [scene, picture, table] = ["scene.ron", "picture.png", "steps.csv"].map(scratch);
    std::fs::write(&scene, SCENE).unwrap();
    let metres = pull(
        &scene.display().to_string(),
        0,
        [40.0, -160.0],
        &[],
        [&picture, &table],
    );

    let lift = column(&table, "pulled.z");
    let top = lift.iter().copied().fold(f64::MIN, f64::max);
    // The pointer rose by 160 of 720 points over the height of the view at the ball.
    let metres = metres * 160.0;
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
    // Above the buttons of the toolbar: the dark theme's panel.
    let bar = picture.mean([0.52, 0.72], [0.002, 0.006]);
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
