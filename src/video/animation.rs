//! Animated GIF: the only file that names its encoder.

use super::draft::Draft;
use super::error::VideoError;
use super::format::MovieSpec;
use super::{Movie, Picture};
use gif::{Encoder, EncodingError, Frame, Repeat};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How much of a picture the palette is learnt from: 1 is all of it, 30 a little.
const PALETTE: i32 = 10;

/// A GIF that repeats for ever.
pub struct Gif<W: Write> {
    encoder: Encoder<W>,
    path: PathBuf,
    fps: f64,
    frames: u64,
    draft: Option<Draft>,
}

impl Gif<BufWriter<File>> {
    /// Begins a file beside its place.
    pub fn create(spec: &MovieSpec) -> Result<Self, VideoError> {
        let (draft, file) = Draft::file(&spec.path)?;
        let mut gif = Self::new(spec, BufWriter::new(file))?;
        gif.draft = Some(draft);
        Ok(gif)
    }
}

impl<W: Write> Gif<W> {
    /// Begins a file that is written elsewhere.
    fn new(spec: &MovieSpec, writer: W) -> Result<Self, VideoError> {
        // The format's greatest edge fits; see `format`.
        let [w, h] = spec.size.map(|edge| edge as u16);
        let failed = |e| failure(&spec.path, e);
        let mut encoder = Encoder::new(writer, w, h, &[]).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self {
            encoder,
            path: spec.path.clone(),
            fps: spec.fps,
            frames: 0,
            draft: None,
        })
    }
}

/// How long a frame stays (1/100 s). Where a rate does not divide 100, long and short ones take turns, so that every
/// frame comes within 1/200 s of its time.
fn delay(frame: u64, fps: f64) -> u16 {
    let at = |k: u64| (100.0 * k as f64 / fps).round();
    (at(frame + 1) - at(frame)).min(f64::from(u16::MAX)) as u16
}

impl<W: Write + Send> Movie for Gif<W> {
    fn add(&mut self, picture: &Picture) -> Result<(), VideoError> {
        let [w, h] = picture.size().map(|edge| edge as u16);
        let mut frame = Frame::from_rgb_speed(w, h, &picture.rgb(), PALETTE);
        frame.delay = delay(self.frames, self.fps);
        let written = self.encoder.write_frame(&frame);
        written.map_err(|e| failure(&self.path, e))?;
        self.frames += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), VideoError> {
        let Self {
            encoder,
            path,
            draft,
            ..
        } = *self;
        let mut writer = encoder.into_inner().map_err(|e| failure(&path, e))?;
        writer.flush().map_err(|e| VideoError::file(&path, e))?;
        drop(writer);
        draft.map_or(Ok(()), Draft::publish)
    }
}

fn failure(path: &Path, error: EncodingError) -> VideoError {
    let error = match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    };
    VideoError::file(path, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_keep_their_time_although_stamps_are_coarse() {
        for fps in [7.0, 24.0, 30.0, 50.0] {
            let mut reached = 0.0;
            for frame in 0..500 {
                // Half a hundredth, and the rounding of the sum.
                assert!(
                    (reached - frame as f64 / fps).abs() <= 0.005 + 1e-9,
                    "{fps} {frame}"
                );
                reached += f64::from(delay(frame, fps)) / 100.0;
            }
        }
        assert_eq!([0, 1, 2].map(|k| delay(k, 30.0)), [3, 4, 3]);
    }

    #[test]
    fn pictures_come_back_with_their_colours_and_delays() {
        let spec = MovieSpec::new(Path::new("a.gif"), [20, 16], 30.0).unwrap();
        let mut bytes = Vec::new();
        let mut movie = Box::new(Gif::new(&spec, &mut bytes).unwrap());
        let colours = [[200, 30, 40], [10, 220, 90], [0, 0, 255]];
        for colour in colours {
            movie.add(&Picture::plain(20, 16, colour)).unwrap();
        }
        movie.finish().unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes.as_slice()).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (20, 16));
        for (colour, wanted) in colours.into_iter().zip([3, 4, 3]) {
            let frame = decoder.read_next_frame().unwrap().expect("a frame");
            assert_eq!(frame.delay, wanted);
            // A palette of up to 256 colours holds a single one, up to rounding in the learning.
            let near = |p: &[u8]| (0..3).all(|c| p[c].abs_diff(colour[c]) <= 2);
            assert!(frame.buffer.chunks_exact(4).all(near), "{colour:?}");
        }
        assert!(decoder.read_next_frame().unwrap().is_none());
    }
}
