//! What can go wrong with a video.

use std::io;
use std::path::{Path, PathBuf};

/// Why a video is not made, or not completed.
#[derive(Debug, thiserror::Error)]
pub enum VideoError {
    /// The name does not say what kind of file it is.
    #[error(
        "{}: found the ending `{ending}`, expected .mp4, .gif, .png for a single picture, or a folder for a sequence of \
         PNG files", path.display()
    )]
    Ending {
        /// The name.
        path: PathBuf,
        /// Its ending.
        ending: String,
    },
    /// The size cannot be written.
    #[error("found a size of {}x{}, expected {expected}", size[0], size[1])]
    Size {
        /// Width and height [pixels].
        size: [u32; 2],
        /// What is possible.
        expected: String,
    },
    /// The frame rate cannot be written.
    #[error("found {fps} frames per second, expected {expected}")]
    Rate {
        /// Frames per second.
        fps: f64,
        /// What is possible.
        expected: String,
    },
    /// A folder that holds something.
    #[error("{}: the folder is not empty; nothing in it was changed. Choose another, or empty it", .0.display())]
    NotEmpty(PathBuf),
    /// The file cannot be written.
    #[error("cannot write {}: {error}. What was there before is untouched", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The encoder gave up.
    #[error("the H.264 encoder: {0}")]
    Encoder(String),
    /// There is nothing to save.
    #[error("nothing was recorded, so no file was written")]
    Empty,
    /// The container is full.
    #[error(
        "an MP4 file holds 4 GB at most; a shorter video, a smaller size or a lower frame rate fits"
    )]
    TooLong,
    /// The thread that writes ended without saying why.
    #[error("the thread that writes the video ended unexpectedly: {0}")]
    Thread(String),
}

impl VideoError {
    /// A file that cannot be written.
    pub(super) fn file(path: &Path, error: impl Into<io::Error>) -> Self {
        Self::File {
            path: path.into(),
            error: error.into(),
        }
    }
}
