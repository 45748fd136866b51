//! A video being written on a thread of its own, a few pictures behind whoever draws them.

use super::animation::Gif;
use super::error::VideoError;
use super::format::{Format, MovieSpec};
use super::mp4::Mp4;
use super::still::{Sequence, Single};
use super::{Movie, Picture};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

/// Pictures that wait at most; whoever draws faster than can be written waits as well.
const WAITING: usize = 4;

/// A video being written. One that is dropped before [`Recorder::finish`] is given up: nothing of it is left behind,
/// not even beside its place.
pub struct Recorder {
    /// Pictures in order; none says that there are no more. Both are missing once the video has ended.
    writer: Option<(SyncSender<Option<Picture>>, Writer)>,
    size: [u32; 2],
}

/// The thread that writes.
type Writer = JoinHandle<Result<Saved, VideoError>>;

/// A complete video.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Where it is.
    pub path: PathBuf,
    /// How many frames it has.
    pub frames: u64,
    /// Why it ends before it was told to, if it does.
    pub cut_short: Option<String>,
}

impl Recorder {
    /// Begins a video. A place that cannot be written to is an error here, before anything is drawn.
    pub fn start(spec: &MovieSpec) -> Result<Self, VideoError> {
        let movie: Box<dyn Movie> = match spec.format {
            Format::Mp4 => Box::new(Mp4::create(spec)?),
            Format::Gif => Box::new(Gif::create(spec)?),
            Format::PngSequence => Box::new(Sequence::create(spec)?),
            Format::Png => Box::new(Single::create(spec)?),
        };
        Ok(Self::with(movie, spec))
    }

    fn with(movie: Box<dyn Movie>, spec: &MovieSpec) -> Self {
        let (pictures, waiting) = sync_channel(WAITING);
        let path = spec.path.clone();
        Self {
            writer: Some((
                pictures,
                thread::spawn(move || write(movie, &waiting, path)),
            )),
            size: spec.size,
        }
    }

    fn pictures(&self) -> &SyncSender<Option<Picture>> {
        let (pictures, _) = self.writer.as_ref().expect("it goes with the recorder");
        pictures
    }

    /// Adds the next picture; waits while too many are waiting. False if nothing more is taken: [`Self::finish`]
    /// says why.
    ///
    /// # Panics
    /// If the picture does not have the size of the video.
    #[must_use]
    pub fn push(&self, picture: Picture) -> bool {
        assert_eq!(
            picture.size(),
            self.size,
            "all frames of a video have one size"
        );
        self.pictures().send(Some(picture)).is_ok()
    }

    /// Adds the next picture if there is room for it, or gives it back. An error without a picture says that nothing
    /// more is taken.
    ///
    /// # Panics
    /// If the picture does not have the size of the video.
    pub fn try_push(&self, picture: Picture) -> Result<(), Option<Picture>> {
        assert_eq!(
            picture.size(),
            self.size,
            "all frames of a video have one size"
        );
        self.pictures()
            .try_send(Some(picture))
            .map_err(|error| match error {
                TrySendError::Full(picture) => picture,
                TrySendError::Disconnected(_) => None,
            })
    }

    /// Completes the video with the pictures that it was given.
    pub fn finish(mut self) -> Result<Saved, VideoError> {
        let (pictures, thread) = self.writer.take().expect("it goes with the recorder");
        // A writer that takes nothing more has its reason to tell.
        let _ = pictures.send(None);
        thread.join().unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(VideoError::Thread(said.unwrap_or_default()))
        })
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if let Some((pictures, thread)) = self.writer.take() {
            drop(pictures);
            // The program may leave next, and the thread has a file to remove first.
            let _ = thread.join();
        }
    }
}

fn write(
    mut movie: Box<dyn Movie>,
    waiting: &Receiver<Option<Picture>>,
    path: PathBuf,
) -> Result<Saved, VideoError> {
    let mut saved = Saved {
        path,
        frames: 0,
        cut_short: None,
    };
    // A recorder that was dropped sends no last word.
    while let Some(picture) = waiting.recv().map_err(|_| VideoError::Empty)? {
        match movie.add(&picture) {
            Ok(()) => saved.frames += 1,
            // What fits is worth keeping; if it cannot be completed either, the first error is the one to tell.
            Err(error) => {
                if saved.frames == 0 || movie.finish().is_err() {
                    return Err(error);
                }
                saved.cut_short = Some(error.to_string());
                return Ok(saved);
            }
        }
    }
    if saved.frames == 0 {
        return Err(VideoError::Empty);
    }
    movie.finish()?;
    Ok(saved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    /// A film that tells what happens to it, slowly, and may run out of room.
    struct Film {
        told: Sender<String>,
        room: u64,
        pause: Duration,
        can_end: bool,
    }

    impl Movie for Film {
        fn add(&mut self, picture: &Picture) -> Result<(), VideoError> {
            thread::sleep(self.pause);
            if self.room == 0 {
                let error = std::io::Error::from(std::io::ErrorKind::StorageFull);
                return Err(VideoError::file(Path::new("a.film"), error));
            }
            self.room -= 1;
            self.told.send(picture.rgba[0].to_string()).unwrap();
            Ok(())
        }

        fn finish(self: Box<Self>) -> Result<(), VideoError> {
            if !self.can_end {
                return Err(VideoError::Empty);
            }
            self.told.send("end".into()).unwrap();
            Ok(())
        }
    }

    fn film(room: u64, can_end: bool) -> (Recorder, Receiver<String>) {
        let (told, hear) = channel();
        let film = Film {
            told,
            room,
            pause: Duration::from_millis(2),
            can_end,
        };
        let spec = MovieSpec::new(Path::new("a.mp4"), [16, 16], 30.0).unwrap();
        (Recorder::with(Box::new(film), &spec), hear)
    }

    fn picture(k: u8) -> Picture {
        Picture::plain(16, 16, [k, 0, 0])
    }

    #[test]
    fn every_picture_is_written_once_and_in_order_however_fast_they_come() {
        let (recorder, hear) = film(u64::MAX, true);
        for k in 0..50 {
            assert!(recorder.push(picture(k)));
        }
        let saved = recorder.finish().unwrap();
        assert_eq!((saved.frames, saved.cut_short), (50, None));
        let heard: Vec<String> = hear.into_iter().collect();
        let wanted: Vec<String> = (0..50)
            .map(|k: u8| k.to_string())
            .chain(["end".into()])
            .collect();
        assert_eq!(heard, wanted);
    }

    #[test]
    fn what_fits_is_kept_and_it_is_said_why_there_is_no_more() {
        let (recorder, hear) = film(3, true);
        let taken = (0..50).take_while(|k| recorder.push(picture(*k))).count();
        assert!(taken < 50, "whoever draws is told to stop");
        let saved = recorder.finish().unwrap();
        assert_eq!(saved.frames, 3);
        assert!(saved.cut_short.unwrap().contains("a.film"));
        assert_eq!(hear.into_iter().last().unwrap(), "end");
    }

    #[test]
    fn what_cannot_be_completed_is_an_error_that_names_the_cause() {
        let (recorder, _hear) = film(3, false);
        while recorder.push(picture(0)) {}
        let said = recorder.finish().unwrap_err().to_string();
        assert!(said.contains("a.film"), "{said}");
        let (recorder, _hear) = film(3, true);
        assert!(matches!(recorder.finish(), Err(VideoError::Empty)));
    }

    #[test]
    fn one_that_is_dropped_is_given_up_before_the_program_goes_on() {
        let (recorder, hear) = film(u64::MAX, true);
        assert!((0..3).all(|k| recorder.push(picture(k))));
        drop(recorder);
        let heard: Vec<_> = hear.try_iter().collect();
        assert!(!heard.contains(&"end".to_owned()), "{heard:?}");
        let left = hear.try_recv().unwrap_err();
        assert_eq!(left, std::sync::mpsc::TryRecvError::Disconnected);
        // The same with a file of every kind.
        let folder = std::env::temp_dir().join(format!("driftless-dropped-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for name in ["a.mp4", "a.gif", "a.png", "a"] {
            let spec = MovieSpec::new(&folder.join(name), [16, 16], 30.0).unwrap();
            drop(Recorder::start(&spec).unwrap());
            let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
            assert!(left.is_empty(), "{name}: {left:?}");
        }
        std::fs::remove_dir(folder).unwrap();
    }

    #[test]
    fn a_place_that_cannot_be_written_to_is_said_before_the_first_picture() {
        let nowhere = std::env::temp_dir().join("driftless-no-such-folder");
        for name in ["a.mp4", "a.gif", "a.png", "a"] {
            let spec = MovieSpec::new(&nowhere.join(name), [16, 16], 30.0).unwrap();
            let said = Recorder::start(&spec).err().expect("an error").to_string();
            assert!(said.contains("cannot write"), "{said}");
        }
    }
}
