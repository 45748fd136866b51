//! A film in the making in the background.

use crate::record::film::error::FilmError;
use crate::record::film::prompt::Prompt;
use crate::record::film::source::Source;
use crate::record::film::{Cast, Film, make};
use crate::state::recording::Progress;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use video::Saved;

/// A film in the making.
pub struct Job {
    path: PathBuf,
    frames: Option<u64>,
    prompt: Arc<Prompt>,
    thread: Option<JoinHandle<Result<Saved, FilmError>>>,
}

impl Job {
    /// Begins a film on a thread of its own, where `begin` builds what is drawn and says where its states come from.
    pub fn start<S: Source + 'static>(
        film: Film,
        begin: impl FnOnce() -> Result<(Cast, S), FilmError> + Send + 'static,
    ) -> Self {
        let prompt = Arc::new(Prompt::default());
        let (path, frames) = (film.movie.path.clone(), film.frames());
        let told = prompt.clone();
        let thread = thread::spawn(move || {
            let (cast, mut source) = begin()?;
            make(&film, cast, &mut source, &told)
        });
        Self {
            path,
            frames,
            prompt,
            thread: Some(thread),
        }
    }

    /// Where the film will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many frames it will have, if that is known.
    pub fn frames(&self) -> Option<u64> {
        self.frames
    }

    /// How far it has got.
    pub fn progress(&self) -> Progress {
        self.prompt.progress()
    }

    /// Asks it to end with the frames that it has.
    pub fn stop(&self) {
        self.prompt.stop();
    }

    /// Whether it was asked to.
    pub fn stops(&self) -> bool {
        self.prompt.stops()
    }

    /// What became of it, once, when it has ended.
    pub fn outcome(&mut self) -> Option<Result<Saved, FilmError>> {
        if self.thread.as_ref().is_none_or(|t| !t.is_finished()) {
            return None;
        }
        self.join()
    }

    fn join(&mut self) -> Option<Result<Saved, FilmError>> {
        let ended = self.thread.take()?.join();
        Some(ended.unwrap_or_else(|panic| Err(FilmError::of_panic(&*panic))))
    }
}

impl Drop for Job {
    /// Leaves a complete film of what there is when the program ends.
    fn drop(&mut self) {
        self.stop();
        if let Some(Err(error)) = self.join() {
            bevy::log::error!("{}: {error}", self.path.display());
        }
    }
}
