//! Pictures into files: MP4, animated GIF, PNG. Knows neither scenes nor windows.
//!
//! ```text
//! Picture ──bounded channel──▶ thread: Movie (mp4 ◀ h264 ◀ colour | gif | png) ──▶ Draft ──rename──▶ the file
//! ```
//! A file appears under its name only when it is complete, so that a failure never costs what was there before.
#![warn(missing_docs)]
// Units stand in brackets, as in `[pixels]`, which looks like a link to an item of that name.
#![allow(rustdoc::broken_intra_doc_links)]

mod animation;
mod clock;
mod colour;
mod draft;
mod error;
mod format;
mod h264;
mod mp4;
mod recorder;
mod still;

pub use clock::{FrameClock, SpeedChange};
pub use error::VideoError;
pub use format::{Format, MovieSpec};
pub use recorder::{Recorder, Saved};
pub use still::read_png;

/// One picture, rows from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width [pixels].
    pub width: u32,
    /// Height [pixels].
    pub height: u32,
    /// Red, green, blue and an unused byte for every pixel, in sRGB.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// A picture of one colour.
    pub fn plain(width: u32, height: u32, [r, g, b]: [u8; 3]) -> Self {
        let pixels = width as usize * height as usize;
        Self {
            width,
            height,
            rgba: [r, g, b, 255].repeat(pixels),
        }
    }

    /// Width and height [pixels].
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Red, green and blue of every pixel.
    fn rgb(&self) -> Vec<u8> {
        let pixels = self.rgba.chunks_exact(4);
        pixels.flat_map(|p| [p[0], p[1], p[2]]).collect()
    }
}

/// A file that takes one picture after another.
trait Movie: Send {
    /// Adds a picture.
    fn add(&mut self, picture: &Picture) -> Result<(), VideoError>;

    /// Completes the file with the pictures that it has, at least one.
    fn finish(self: Box<Self>) -> Result<(), VideoError>;
}
