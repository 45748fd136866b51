//! Kinds of files and what each of them can hold.

use super::error::VideoError;
use std::path::{Path, PathBuf};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// H.264 in MP4.
    Mp4,
    /// Animated GIF: 256 colours in a frame, stamps of 1/100 s.
    Gif,
    /// A folder of PNG files.
    PngSequence,
    /// One PNG file.
    Png,
}

/// What the encoder takes at most, longer and shorter edge [pixels].
const MP4_MOST: [u32; 2] = [3840, 2160];
/// Least edge [pixels].
const LEAST: u32 = 16;
/// Most of a picture [pixels of an edge]; what graphics drivers render at once.
const PNG_MOST: u32 = 16_384;
/// Highest rates [frames per second]. Viewers show a GIF whose frames are shorter than 1/50 s slowly.
const MOST_FPS: f64 = 240.0;
const GIF_FPS: f64 = 50.0;

impl Format {
    /// What a file of this name is.
    pub fn of(path: &Path) -> Result<Self, VideoError> {
        if path.is_dir() {
            return Ok(Self::PngSequence);
        }
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("mp4") => Ok(Self::Mp4),
            Some("gif") => Ok(Self::Gif),
            Some("png") => Ok(Self::Png),
            None => Ok(Self::PngSequence),
            Some(other) => Err(VideoError::Ending {
                path: path.into(),
                ending: format!(".{other}"),
            }),
        }
    }
}

/// What to write: where, how large, how fast.
#[derive(Debug, Clone, PartialEq)]
pub struct MovieSpec {
    /// The file, or the folder of a sequence.
    pub path: PathBuf,
    /// Its kind.
    pub format: Format,
    /// Width and height [pixels].
    pub size: [u32; 2],
    /// Frames per second.
    pub fps: f64,
}

impl MovieSpec {
    /// A file whose name says its kind, if that can hold pictures of such a size at such a rate.
    pub fn new(path: &Path, size: [u32; 2], fps: f64) -> Result<Self, VideoError> {
        let format = Format::of(path)?;
        check_size(format, size)?;
        let most = if format == Format::Gif {
            GIF_FPS
        } else {
            MOST_FPS
        };
        if !(fps > 0.0 && fps <= most) {
            let hint = if format == Format::Gif {
                " in a GIF; an MP4 takes more"
            } else {
                ""
            };
            let expected = format!("more than 0 and at most {most}{hint}");
            return Err(VideoError::Rate { fps, expected });
        }
        Ok(Self {
            path: path.into(),
            format,
            size,
            fps,
        })
    }
}

fn check_size(format: Format, size: [u32; 2]) -> Result<(), VideoError> {
    let wrong = |expected: String| Err(VideoError::Size { size, expected });
    let (short, long) = (size[0].min(size[1]), size[0].max(size[1]));
    if short < LEAST {
        return wrong(format!("at least {LEAST} pixels either way"));
    }
    if format != Format::Mp4 {
        return if long > PNG_MOST {
            wrong(format!("at most {PNG_MOST} pixels either way"))
        } else {
            Ok(())
        };
    }
    let [most_long, most_short] = MP4_MOST;
    if long > most_long || short > most_short {
        return wrong(format!(
            "at most {most_long}x{most_short} in an MP4; a sequence of PNG files takes more"
        ));
    }
    if size.iter().any(|edge| edge % 2 == 1) {
        let [w, h] = size.map(|edge| edge & !1);
        return wrong(format!("even numbers in an MP4, such as {w}x{h}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, size: [u32; 2], fps: f64) -> String {
        MovieSpec::new(Path::new(name), size, fps)
            .map_or_else(|e| e.to_string(), |s| format!("{:?}", s.format))
    }

    #[test]
    fn the_name_says_the_kind() {
        for (name, kind) in [
            ("a.mp4", "Mp4"),
            ("b.c/a.GIF", "Gif"),
            ("a.png", "Png"),
            ("frames", "PngSequence"),
        ] {
            assert_eq!(said(name, [640, 360], 30.0), kind);
        }
        assert!(said("a.avi", [640, 360], 30.0).contains("found the ending `.avi`"));
    }

    #[test]
    fn what_a_file_cannot_hold_is_said_before_anything_is_drawn() {
        for (name, size, fps, part) in [
            ("a.mp4", [641, 361], 30.0, "such as 640x360"),
            ("a.mp4", [4096, 2160], 30.0, "3840x2160"),
            ("a.mp4", [2160, 3840], 30.0, "Mp4"),
            ("a.png", [8000, 8000], 30.0, "Png"),
            ("a.png", [20_000, 100], 30.0, "16384"),
            ("a.gif", [8, 8], 30.0, "at least 16"),
            ("a.gif", [64, 64], 60.0, "at most 50 in a GIF"),
            ("a.mp4", [64, 64], 0.0, "more than 0"),
            ("a.mp4", [64, 64], f64::NAN, "more than 0"),
        ] {
            let said = said(name, size, fps);
            assert!(said.contains(part), "{name} {size:?} {fps}: {said}");
        }
    }
}
