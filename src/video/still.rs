//! PNG: the only file that names its encoder. A folder of numbered files, or one file.

use super::draft::Draft;
use super::error::VideoError;
use super::format::MovieSpec;
use super::{Movie, Picture};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, SrgbRenderingIntent};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// A folder of PNG files, numbered from zero.
pub struct Sequence {
    path: PathBuf,
    part: PathBuf,
    draft: Draft,
    frames: u64,
}

impl Sequence {
    /// Begins a folder beside its place.
    pub fn create(spec: &MovieSpec) -> Result<Self, VideoError> {
        let (draft, part) = Draft::folder(&spec.path)?;
        Ok(Self {
            path: spec.path.clone(),
            part,
            draft,
            frames: 0,
        })
    }
}

impl Movie for Sequence {
    fn add(&mut self, picture: &Picture) -> Result<(), VideoError> {
        let name = format!("frame_{:06}.png", self.frames);
        let place = self.path.join(&name);
        let failed = |e| VideoError::file(&place, e);
        let part = self.part.join(&name);
        let file = File::create_new(&part).map_err(failed)?;
        if let Err(error) = write(picture, BufWriter::new(file)) {
            // Half a picture is none; if it cannot be removed, the error says which it is.
            let _ = std::fs::remove_file(part);
            return Err(failed(error));
        }
        self.frames += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), VideoError> {
        self.draft.publish()
    }
}

/// One PNG file: the last picture that was added.
pub struct Single {
    path: PathBuf,
    file: File,
    draft: Draft,
    picture: Option<Picture>,
}

impl Single {
    /// Begins a file beside its place.
    pub fn create(spec: &MovieSpec) -> Result<Self, VideoError> {
        let (draft, file) = Draft::file(&spec.path)?;
        Ok(Self {
            path: spec.path.clone(),
            file,
            draft,
            picture: None,
        })
    }
}

impl Movie for Single {
    fn add(&mut self, picture: &Picture) -> Result<(), VideoError> {
        self.picture = Some(picture.clone());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), VideoError> {
        let Self {
            path,
            file,
            draft,
            picture,
        } = *self;
        let picture = picture.ok_or(VideoError::Empty)?;
        write(&picture, BufWriter::new(file)).map_err(|e| VideoError::file(&path, e))?;
        draft.publish()
    }
}

/// Writes a picture as a PNG file.
fn write(picture: &Picture, mut to: impl Write) -> io::Result<()> {
    let mut encoder = Encoder::new(&mut to, picture.width, picture.height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    let failed = |e| match e {
        EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    };
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&picture.rgb()).map_err(failed)?;
    writer.finish().map_err(failed)?;
    to.flush()
}

/// Reads a picture back.
#[cfg(test)]
fn read(path: &std::path::Path) -> Picture {
    let mut reader = png::Decoder::new(io::BufReader::new(File::open(path).unwrap()))
        .read_info()
        .unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgb).unwrap();
    let rgba = rgb.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]);
    Picture {
        width: info.width,
        height: info.height,
        rgba: rgba.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_has_its_file_and_every_pixel_its_colour() {
        let folder = std::env::temp_dir().join(format!("driftless-png-{}", std::process::id()));
        let spec = MovieSpec::new(&folder.join("frames"), [31, 17], 30.0);
        std::fs::create_dir_all(&folder).unwrap();
        let spec = spec.unwrap();
        let mut movie = Box::new(Sequence::create(&spec).unwrap());
        let mut pictures = Vec::new();
        for k in 0..3u8 {
            let mut picture = Picture::plain(31, 17, [k, 2 * k, 250]);
            picture.rgba[0] = 77 + k;
            movie.add(&picture).unwrap();
            pictures.push(picture);
        }
        assert!(!spec.path.exists(), "it appears when it is complete");
        movie.finish().unwrap();
        for (k, picture) in pictures.iter().enumerate() {
            assert_eq!(read(&spec.path.join(format!("frame_{k:06}.png"))), *picture);
        }
        assert_eq!(std::fs::read_dir(&spec.path).unwrap().count(), 3);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
