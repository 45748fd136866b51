//! Work that runs once and ends with a result, on a thread of its own: its progress, its end, the list of what runs.
//!
//! ```text
//! Jobs::start(what, cancel, work) ──▶ Job ── take ──▶ Ok(result), or Panicked
//!      │                               │
//!      │ list, cancel                  └── dropped: told that nobody wants it
//!      ▼
//! the window's list ◀── Progress ── Reporter ◀── work
//! ```
//! Threads that own something and answer messages as long as it is there are no jobs.

mod report;
#[cfg(test)]
mod tests;

pub use report::{JobId, Progress, Reporter};

use crate::error::panic_text;
use bevy::prelude::Resource;
use report::Course;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What it means to cancel a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancel {
    /// It is given up; one that is dropped is, too, and nobody waits for it.
    GivesUp,
    /// It ends with what there is; one that is dropped is waited for until it has.
    EndsEarly,
    /// It cannot be cancelled, as it writes something that is not left half done; one that is dropped is waited for.
    Never,
}

/// Why a job has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panicked {
    /// What it was.
    pub what: String,
    /// What the panic said, if that was a text.
    pub said: Option<String>,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = &self.what;
        write!(f, "{what} failed in a way that is not foreseen")?;
        match &self.said {
            Some(said) => write!(f, ": {said}"),
            None => write!(f, "; the log says where"),
        }
    }
}

/// The jobs of a window: those that run, and what became of those of which nobody hears.
#[derive(Resource, Clone, Default)]
pub struct Jobs(Arc<Book>);

#[derive(Default)]
struct Book {
    next: AtomicU64,
    running: Mutex<Vec<Weak<Course>>>,
    failures: Mutex<Vec<Panicked>>,
}

impl Book {
    /// Keeps of what nobody waits for that it failed.
    fn unheard<T>(&self, ended: Result<T, Panicked>) {
        if let Err(panicked) = ended {
            lock(&self.failures).push(panicked);
        }
    }
}

impl Jobs {
    /// Starts a job that is listed while it runs.
    pub fn start<T: Send + 'static, N: Send + 'static>(
        &self,
        what: impl Into<String>,
        cancel: Cancel,
        work: impl FnOnce(&Reporter<N>) -> T + Send + 'static,
    ) -> Job<T, N> {
        let job = self.start_unlisted(what, cancel, work);
        lock(&self.0.running).push(Arc::downgrade(job.reporter.course()));
        job
    }

    /// Starts a job that is no matter of the person at the window, and of whose end, if it is dropped, nobody hears.
    pub fn start_unlisted<T: Send + 'static, N: Send + 'static>(
        &self,
        what: impl Into<String>,
        cancel: Cancel,
        work: impl FnOnce(&Reporter<N>) -> T + Send + 'static,
    ) -> Job<T, N> {
        let id = JobId(self.0.next.fetch_add(1, Ordering::Relaxed));
        let reporter = Reporter::new(Course::new(id, what.into(), cancel));
        let end = Arc::new(JobEnd::default());
        let (told, reached, book) = (reporter.clone(), end.clone(), self.0.clone());
        let thread = thread::spawn(move || {
            // What a panic leaves half done is dropped with the work.
            let ended = catch_unwind(AssertUnwindSafe(|| work(&told)));
            let ended = ended.map_err(|panic| Panicked {
                what: told.course().what.clone(),
                said: panic_text(&*panic).map(str::to_owned),
            });
            reached.set(ended, &book);
        });
        Job {
            reporter,
            end,
            thread: Some(thread),
            book: self.0.clone(),
        }
    }

    /// Does something of whose end nobody has to hear, unless it panics.
    pub fn detach(&self, what: impl Into<String>, work: impl FnOnce() + Send + 'static) {
        drop(self.start_unlisted(what, Cancel::GivesUp, move |_: &Reporter| work()));
    }

    /// The jobs that run or have a result that waits for its owner, oldest first.
    pub fn list(&self) -> Vec<Progress> {
        let mut running = lock(&self.0.running);
        let mut list = Vec::with_capacity(running.len());
        running.retain(|course| {
            let course = course.upgrade().filter(|c| !c.has_ended());
            list.extend(course.as_ref().map(|c| c.progress()));
            course.is_some()
        });
        list
    }

    /// Cancels a job of the list, if it still runs and can be cancelled.
    pub fn cancel(&self, id: JobId) {
        let running = lock(&self.0.running);
        let mut courses = running.iter().filter_map(Weak::upgrade);
        if let Some(course) = courses.find(|c| c.id == id)
            && course.cancel != Cancel::Never
        {
            course.cancel();
        }
    }

    /// Panics of jobs that were dropped, each once.
    pub fn failures(&self) -> Vec<Panicked> {
        std::mem::take(&mut lock(&self.0.failures))
    }
}

/// Where the work leaves what came of it.
struct JobEnd<T> {
    slot: Mutex<EndState<T>>,
    reached: Condvar,
}

enum EndState<T> {
    /// It has not ended.
    Open,
    /// It has ended, and its owner has not heard.
    Full(Result<T, Panicked>),
    /// The owner has what it wanted: of what comes, only a panic is kept, in the book.
    Left,
}

impl<T> Default for JobEnd<T> {
    fn default() -> Self {
        Self {
            slot: Mutex::new(EndState::Open),
            reached: Condvar::new(),
        }
    }
}

impl<T> JobEnd<T> {
    fn set(&self, ended: Result<T, Panicked>, book: &Book) {
        let mut slot = lock(&self.slot);
        if matches!(*slot, EndState::Left) {
            drop(slot);
            return book.unheard(ended);
        }
        *slot = EndState::Full(ended);
        self.reached.notify_all();
    }
}

/// A job, by whoever started it and waits for its result.
pub struct Job<T, N = ()> {
    reporter: Reporter<N>,
    end: Arc<JobEnd<T>>,
    thread: Option<JoinHandle<()>>,
    book: Arc<Book>,
}

impl<T, N> Job<T, N> {
    /// Which of all jobs it is.
    pub fn id(&self) -> JobId {
        self.reporter.course().id
    }

    /// How far it has got.
    pub fn progress(&self) -> Progress {
        self.reporter.course().progress()
    }

    /// What the work and its owner tell each other.
    pub fn reporter(&self) -> &Reporter<N> {
        &self.reporter
    }

    /// Asks it to end.
    pub fn cancel(&self) {
        self.reporter.course().cancel();
    }

    /// What came of it, once, when it has ended.
    pub fn take(&mut self) -> Option<Result<T, Panicked>> {
        self.wait(Duration::ZERO)
    }

    /// What came of it, once; counted from its start, waits no longer than `patience`.
    pub fn wait_until(&mut self, patience: Duration) -> Option<Result<T, Panicked>> {
        let left = patience.saturating_sub(self.reporter.course().begun.elapsed());
        self.wait(left)
    }

    /// What came of it, once; waits no longer than `patience`.
    pub fn wait(&mut self, patience: Duration) -> Option<Result<T, Panicked>> {
        let start = Instant::now();
        let mut slot = lock(&self.end.slot);
        loop {
            match &*slot {
                EndState::Full(_) => break,
                EndState::Left => return None,
                EndState::Open => {}
            }
            let left = patience.saturating_sub(start.elapsed());
            if left.is_zero() {
                return None;
            }
            let waited = self.end.reached.wait_timeout(slot, left);
            slot = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        match std::mem::replace(&mut *slot, EndState::Left) {
            EndState::Full(ended) => {
                self.reporter.course().end();
                Some(ended)
            }
            _ => None,
        }
    }

    /// What came of it, once it has ended, however long that takes. None if that was taken before.
    pub fn finish(mut self) -> Option<Result<T, Panicked>> {
        self.join();
        self.take()
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // Panics of the work are caught in the thread.
            let _ = thread.join();
        }
    }
}

impl<T, N> Drop for Job<T, N> {
    fn drop(&mut self) {
        let cancel = self.reporter.course().cancel;
        if cancel != Cancel::Never {
            self.cancel();
        }
        if cancel != Cancel::GivesUp {
            self.join();
        }
        self.reporter.course().end();
        let left = std::mem::replace(&mut *lock(&self.end.slot), EndState::Left);
        if let EndState::Full(ended) = left {
            self.book.unheard(ended);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
