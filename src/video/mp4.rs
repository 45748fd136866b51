//! MP4: the only file that names the container's writer.
//!
//! The compressed frames stay in memory until the end, since their index stands before them in the file, so that
//! it plays while it is still being loaded. Stamps are counted in 1/90000 s: exact at 24, 25, 30, 50, 60 and other
//! rates that divide 90000, and off by at most half of that at others, without adding up.

use super::draft::Draft;
use super::error::VideoError;
use super::format::MovieSpec;
use super::h264::{H264, Packet};
use super::{Movie, Picture};
use muxide::api::{Muxer, MuxerBuilder, MuxerError, VideoCodec};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Most of compressed frames [bytes]: offsets in the file have 32 bits, and the index needs some room.
const MOST: u64 = u32::MAX as u64 - (64 << 20);

/// An MP4 file.
pub struct Mp4<W: Write> {
    encoder: H264,
    muxer: Muxer<W>,
    path: PathBuf,
    fps: f64,
    frames: u64,
    bytes: u64,
    draft: Option<Draft>,
}

impl Mp4<BufWriter<File>> {
    /// Begins a file beside its place.
    pub fn create(spec: &MovieSpec) -> Result<Self, VideoError> {
        let (draft, file) = Draft::file(&spec.path)?;
        let mut mp4 = Self::new(spec, BufWriter::new(file))?;
        mp4.draft = Some(draft);
        Ok(mp4)
    }
}

impl<W: Write> Mp4<W> {
    /// Begins a file that is written elsewhere.
    fn new(spec: &MovieSpec, writer: W) -> Result<Self, VideoError> {
        let [w, h] = spec.size;
        let muxer = MuxerBuilder::new(writer).video(VideoCodec::H264, w, h, spec.fps);
        Ok(Self {
            encoder: H264::new(spec.size, spec.fps)?,
            muxer: muxer.build().map_err(|e| failure(&spec.path, e))?,
            path: spec.path.clone(),
            fps: spec.fps,
            frames: 0,
            bytes: 0,
            draft: None,
        })
    }
}

impl<W: Write + Send> Movie for Mp4<W> {
    fn add(&mut self, picture: &Picture) -> Result<(), VideoError> {
        let Packet { bytes, is_key } = self.encoder.encode(picture)?;
        self.bytes += bytes.len() as u64;
        if self.bytes > MOST {
            return Err(VideoError::TooLong);
        }
        let time = self.frames as f64 / self.fps;
        let written = self.muxer.write_video(time, &bytes, is_key);
        written.map_err(|e| failure(&self.path, e))?;
        self.frames += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), VideoError> {
        let done = self.muxer.finish_in_place();
        done.map_err(|e| failure(&self.path, e))?;
        let Self {
            muxer, path, draft, ..
        } = *self;
        let flushed = muxer.into_writer().flush();
        flushed.map_err(|e| VideoError::file(&path, e))?;
        draft.map_or(Ok(()), Draft::publish)
    }
}

fn failure(path: &std::path::Path, error: MuxerError) -> VideoError {
    match error {
        MuxerError::Io(error) => VideoError::file(path, error),
        other => VideoError::Encoder(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::path::Path;

    /// A disk with so much room left (bytes).
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_said_with_the_file() {
        let spec = MovieSpec::new(Path::new("full.mp4"), [64, 64], 30.0).unwrap();
        for room in [0, 10, 700] {
            let mut movie = Box::new(Mp4::new(&spec, Disk(room)).unwrap());
            movie.add(&Picture::plain(64, 64, [9, 90, 200])).unwrap();
            let said = movie.finish().unwrap_err().to_string();
            assert!(
                said.contains("full.mp4") && said.contains("no storage space"),
                "{room}: {said}"
            );
        }
        let mut movie = Box::new(Mp4::new(&spec, Disk(1 << 20)).unwrap());
        movie.add(&Picture::plain(64, 64, [9, 90, 200])).unwrap();
        movie.finish().unwrap();
    }
}
