//! The real window under a real display, driven by a real pointer.
//!
//! It needs a display, `xdotool` and a Vulkan driver, which may be a software one. Where there is none a test is
//! skipped and says so; with `DRIFTLESS_REQUIRE_DISPLAY=1`, as in continuous integration, it fails instead.
//!
//! Nothing here depends on the pace of the machine: what must become true is waited for, in the table of the run (one
//! look at it per drawn frame), in the title of the window, in files that it writes.

use bevy::asset::RenderAssetUsages;
use bevy::image::{CompressedImageFormats, Image, ImageSampler, ImageType};
use driftless::window::display_available;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Why the test cannot run here; none if it can.
fn obstacle() -> Option<String> {
    if !display_available() {
        return Some("there is no display".into());
    }
    let found = Command::new("xdotool").arg("version").output();
    found.err().map(|e| format!("xdotool cannot be run: {e}"))
}

/// Longest wait for anything: a software driver beside other work draws a frame in seconds.
const PATIENCE: Duration = Duration::from_secs(240);
/// The table of a run opened by [`Program::open_in`], in its folder.
pub const TABLE: &str = "steps.csv";

/// Waits until something is true.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}: not after {PATIENCE:?}");
        sleep(Duration::from_millis(100));
    }
}

/// Waits until the window has drawn so many frames more; time must be running, for its table shows them.
pub fn frames(folder: &Path, count: usize) {
    let table = folder.join(TABLE);
    let length = || std::fs::metadata(&table).map_or(0, |m| m.len());
    for _ in 0..count {
        let before = length();
        until("the next frame is drawn", || length() > before);
    }
}

/// A whole file that the window saves: it is there, and it grows no more.
pub fn saved(path: &Path) {
    let length = || std::fs::metadata(path).map_or(0, |m| m.len());
    until("the file is saved", || {
        let before = length();
        sleep(Duration::from_millis(500));
        before > 0 && length() == before
    });
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
    /// Opens a scene in a folder, where it leaves what it saves, with every step in [`TABLE`].
    pub fn open_in(folder: &Path, scene: &str) -> Self {
        let settings = folder.join("settings");
        Self::start(folder, &settings, &["open", scene, "--csv", TABLE])
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
            assert!(start.elapsed() < PATIENCE, "no window after {PATIENCE:?}");
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
            assert!(start.elapsed() < PATIENCE, "it does not leave");
            sleep(Duration::from_millis(200));
        };
        assert!(status.success(), "{status}");
    }
}

/// One column of a table, which may still be written: a line that has not ended is left out.
pub fn column(table: &Path, name: &str) -> Vec<f64> {
    let bytes = std::fs::read(table).unwrap();
    let lines = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |k| k + 1);
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(&bytes[..lines]);
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
    /// Pixels from side to side.
    pub width: usize,
    /// Pixels from top to bottom.
    pub height: usize,
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
    pub fn part(&self, x: [f64; 2], y: [f64; 2]) -> impl Iterator<Item = [u8; 3]> + Clone {
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

    /// How many colours it has.
    pub fn colours(&self) -> usize {
        self.pixels.iter().collect::<BTreeSet<_>>().len()
    }
}

/// An empty folder for what a test leaves.
pub fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("driftless-window-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).expect("the folder for temporary files can be written");
    path
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
pub static POINTER: Mutex<()> = Mutex::new(());
