//! PNG: the only file that names its codec. A folder of numbered files, or one file.

use super::draft::Draft;
use super::error::VideoError;
use super::format::MovieSpec;
use super::{Movie, Picture};
use png::{
    BitDepth, ColorType, Compression, Encoder, EncodingError, SrgbRenderingIntent, Transformations,
};
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

/// Reads the content of a PNG file of any kind.
pub fn read_png(bytes: &[u8]) -> io::Result<Picture> {
    let failed = |e: png::DecodingError| io::Error::new(io::ErrorKind::InvalidData, e);
    let mut decoder = png::Decoder::new(io::Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(failed)?;
    let large = || io::Error::new(io::ErrorKind::InvalidData, "the picture is too large");
    let mut raw = vec![0; reader.output_buffer_size().ok_or_else(large)?];
    let info = reader.next_frame(&mut raw).map_err(failed)?;
    let channels = info.color_type.samples();
    let pixels = raw[..info.buffer_size()].chunks_exact(channels);
    let rgba = pixels.flat_map(|p| match *p {
        [grey] | [grey, _] => [grey, grey, grey, 255],
        [r, g, b, ..] => [r, g, b, 255],
        [] => [0; 4],
    });
    Ok(Picture {
        width: info.width,
        height: info.height,
        rgba: rgba.collect(),
    })
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
            let bytes = std::fs::read(spec.path.join(format!("frame_{k:06}.png"))).unwrap();
            assert_eq!(read_png(&bytes).unwrap(), *picture);
        }
        assert_eq!(std::fs::read_dir(&spec.path).unwrap().count(), 3);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
