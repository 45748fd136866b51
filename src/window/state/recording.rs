//! How a person at the window wants to record.

use crate::camera::path::CameraMove;
use physics::scene::Plot;
use serde::{Deserialize, Serialize};
use video::SpeedChange;

/// How well a film is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// As in the window: smooth edges, shadows.
    #[default]
    Good,
    /// Several times faster on a machine without graphics card: hard edges, no shadows.
    Draft,
}

/// What is recorded live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FilmSubject {
    /// The view, drawn off-screen at any size in the background.
    #[default]
    View,
    /// The whole window with its panels, as it is drawn; time waits for every frame.
    Window,
}

/// What is written on a film.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lettering {
    /// Whether plots are shown beside the view.
    pub plots: bool,
    /// Which plots; none for those of the window.
    pub charts: Option<Vec<Plot>>,
    /// Whether text is large enough for the last row of a hall.
    pub large: bool,
    /// A line above the view; none if empty.
    pub title: String,
    /// A line below the view; none if empty.
    pub caption: String,
}

impl Lettering {
    /// Whether anything is written.
    pub fn is_any(&self) -> bool {
        self.plots || !self.title.is_empty() || !self.caption.is_empty()
    }
}

/// Choices of the record panel.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordSettings {
    /// What is recorded live.
    pub subject: FilmSubject,
    /// Ending of the file's name; none for a folder of PNG files.
    pub ending: &'static str,
    /// Width and height [pixels].
    pub size: [u32; 2],
    /// Frames per second.
    pub fps: f64,
    /// Simulated seconds per second of video; none for the pace of the window.
    pub speed: Option<f64>,
    /// Changes of that speed in the scene that is open.
    pub changes: Vec<SpeedChange>,
    /// What is written on it.
    pub lettering: Lettering,
    /// Whether a live recording begins after a countdown.
    pub countdown: bool,
    /// How well it is drawn.
    pub quality: Quality,
    /// How the camera of a film from the scene's start moves.
    pub camera: CameraMove,
    /// Simulated time of a film from the scene's start (s).
    pub duration: f64,
}

/// Endings that can be chosen, and what they stand for.
pub const ENDINGS: [(&str, &str); 3] = [
    ("mp4", "MP4 (H.264)"),
    ("gif", "Animated GIF"),
    ("", "PNG files in a folder"),
];

impl Default for RecordSettings {
    fn default() -> Self {
        Self {
            subject: FilmSubject::default(),
            ending: "mp4",
            size: [1280, 720],
            fps: 30.0,
            speed: None,
            changes: Vec::new(),
            lettering: Lettering::default(),
            countdown: false,
            quality: Quality::default(),
            camera: CameraMove::Scene,
            duration: 10.0,
        }
    }
}
