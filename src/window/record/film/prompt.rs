//! What passes between a film in the making and whoever waits for it.

use crate::state::recording::Progress;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Progress one way, the wish to stop the other way.
#[derive(Debug, Default)]
pub struct Prompt {
    progress: Mutex<Progress>,
    stop: AtomicBool,
}

impl Prompt {
    /// How far the film has got.
    pub fn progress(&self) -> Progress {
        *self
            .progress
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Asks the film to end with the frames that it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to.
    pub fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Tells how far the film has got.
    pub(crate) fn done(&self, frames: u64, time: f64) {
        let progress = Progress { frames, time };
        *self
            .progress
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = progress;
    }
}
