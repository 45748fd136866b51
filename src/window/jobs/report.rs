//! What passes between a job and its owner: progress one way, the wish that it ends the other way.

use crate::jobs::{Cancel, lock};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Parts of the whole where a job tells shares.
const PARTS: f64 = 1e6;

/// A job among all of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// How far a job has got.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Which it is.
    pub id: JobId,
    /// What it does, in words.
    pub what: String,
    /// How much is done, in units of its own: steps, rows, frames.
    pub done: u64,
    /// How much there is to do, if that is known.
    pub all: Option<u64>,
    /// How long it has been running (s).
    pub seconds: f64,
    /// What cancelling it would mean.
    pub cancel: Cancel,
    /// Whether it was asked to end.
    pub cancelled: bool,
}

impl Progress {
    /// How much is done of how much there is to do, where both are counted.
    pub fn count(&self) -> Option<[u64; 2]> {
        let all = self.all.filter(|all| *all != PARTS as u64)?;
        Some([self.done.min(all), all])
    }

    /// The share that is done, 0 to 1, if that is known.
    pub fn share(&self) -> Option<f32> {
        let all = self.all.filter(|all| *all > 0)?;
        Some((self.done as f32 / all as f32).min(1.0))
    }
}

/// What is known of a job, whatever its result.
pub(super) struct Course {
    pub id: JobId,
    pub what: String,
    pub cancel: Cancel,
    pub begun: Instant,
    done: AtomicU64,
    /// 0 where that is not known.
    all: AtomicU64,
    cancelled: AtomicBool,
    ended: AtomicBool,
}

impl Course {
    pub fn new(id: JobId, what: String, cancel: Cancel) -> Self {
        Self {
            id,
            what,
            cancel,
            begun: Instant::now(),
            done: AtomicU64::new(0),
            all: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
            ended: AtomicBool::new(false),
        }
    }

    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    pub fn progress(&self) -> Progress {
        Progress {
            id: self.id,
            what: self.what.clone(),
            done: self.done.load(Ordering::Relaxed),
            all: Some(self.all.load(Ordering::Relaxed)).filter(|all| *all > 0),
            seconds: self.begun.elapsed().as_secs_f64(),
            cancel: self.cancel,
            cancelled: self.cancelled.load(Ordering::Relaxed),
        }
    }
}

/// What passes between a job and its owner: how far it has got, with a note of its own kind, and whether it is still
/// wanted.
pub struct Reporter<N = ()> {
    course: Arc<Course>,
    note: Arc<Mutex<Option<N>>>,
}

impl<N> Clone for Reporter<N> {
    fn clone(&self) -> Self {
        Self {
            course: self.course.clone(),
            note: self.note.clone(),
        }
    }
}

impl<N> Default for Reporter<N> {
    /// That of work that is on nobody's list.
    fn default() -> Self {
        Self::new(Course::new(JobId(0), String::new(), Cancel::GivesUp))
    }
}

impl<N> Reporter<N> {
    pub(super) fn new(course: Course) -> Self {
        Self {
            course: Arc::new(course),
            note: Arc::default(),
        }
    }

    pub(super) fn course(&self) -> &Arc<Course> {
        &self.course
    }

    /// How far the work has got.
    pub fn progress(&self) -> Progress {
        self.course.progress()
    }

    /// Says how much there is to do.
    pub fn begin(&self, all: u64) {
        self.course.all.store(all, Ordering::Relaxed);
    }

    /// Says how much is done; false if the work is not wanted any more.
    pub fn done(&self, done: u64) -> bool {
        self.course.done.store(done, Ordering::Relaxed);
        !self.is_cancelled()
    }

    /// Says which share is done, 0 to 1; false if the work is not wanted any more.
    pub fn done_share(&self, share: f64) -> bool {
        self.begin(PARTS as u64);
        self.done((share.clamp(0.0, 1.0) * PARTS) as u64)
    }

    /// Asks the work to end.
    pub fn cancel(&self) {
        self.course.cancel();
    }

    /// Whether the work is not wanted any more.
    pub fn is_cancelled(&self) -> bool {
        self.course.cancelled.load(Ordering::Relaxed)
    }

    /// Says something of the work's own kind; what was said before is forgotten.
    pub fn tell(&self, note: N) {
        let told = lock(&self.note).replace(note);
        drop(told);
    }

    /// What was said last, once.
    pub fn hear(&self) -> Option<N> {
        lock(&self.note).take()
    }
}

impl<N: Clone> Reporter<N> {
    /// What was said last.
    pub fn note(&self) -> Option<N> {
        lock(&self.note).clone()
    }
}
