//! A film in the making in the background.

use crate::jobs::{Cancel, Job, Jobs};
use crate::record::FilmStatus;
use crate::record::film::error::FilmError;
use crate::record::film::source::Source;
use crate::record::film::{Film, RenderInputs, make};
use std::path::PathBuf;
use video::{FrameClock, Saved};

/// A film in the making. One that is dropped is complete with the frames that there are.
pub struct FilmJob {
    path: PathBuf,
    frames: Option<u64>,
    clock: FrameClock,
    job: Job<Result<Saved, FilmError>, f64>,
}

impl FilmJob {
    /// Begins a film on a thread of its own, where `begin` builds what is drawn and says where its states come from.
    pub fn start<S: Source + 'static>(
        jobs: &Jobs,
        film: Film,
        begin: impl FnOnce() -> Result<(RenderInputs, S), FilmError> + Send + 'static,
    ) -> Self {
        let (path, frames, clock) = (film.movie.path.clone(), film.frames(), film.clock());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let what = format!("Rendering {name}");
        let job = jobs.start(what, Cancel::EndsEarly, move |reporter| {
            if let Some(frames) = film.frames() {
                reporter.begin(frames);
            }
            let (inputs, mut source) = begin()?;
            let made = make(&film, inputs, &mut source, reporter);
            if let Err(error) = &made
                && reporter.is_cancelled()
            {
                // Whoever has closed the window hears of it here alone.
                bevy::log::error!("{}: {error}", film.movie.path.display());
            }
            made
        });
        Self {
            path,
            frames,
            clock,
            job,
        }
    }

    /// How it stands; `now` is the simulated time of the window (s).
    pub fn status(&self, now: f64) -> FilmStatus {
        let progress = self.job.progress();
        let frames = progress.all.or(self.frames);
        let taken = || self.clock.frames(now - self.clock.start);
        FilmStatus {
            path: self.path.clone(),
            done: progress.done,
            time: self.job.reporter().note().unwrap_or_default(),
            frames,
            taken: frames.is_none().then(taken),
            stops: progress.cancelled,
        }
    }

    /// Asks it to end with the frames that it has.
    pub fn stop(&self) {
        self.job.cancel();
    }

    /// What became of it, once, when it has ended.
    pub fn take(&mut self) -> Option<Result<Saved, FilmError>> {
        let ended = self.job.take()?;
        Some(ended.unwrap_or_else(|p| Err(FilmError::of_panic(p.said.as_deref()))))
    }
}
