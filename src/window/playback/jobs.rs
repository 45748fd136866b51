//! Work in the background: on a thread of its own, with its progress, to be ended at any time.

use bevy::prelude::Resource;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

/// How far some work has got, as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct BesideStatus {
    /// What it is.
    pub what: String,
    /// The share that is done, if that is known.
    pub share: Option<f32>,
    /// Whether it can be ended.
    pub can_end: bool,
}

/// Work that is done in the background, as it is shown.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct BackgroundJobs(pub Vec<BesideStatus>);

/// What the work tells the window, and the window the work.
#[derive(Debug, Default)]
pub struct Gauge {
    done: AtomicU64,
    all: AtomicU64,
    ends: AtomicBool,
}

impl Gauge {
    /// Says how much there is to do.
    pub fn begin(&self, all: u64) {
        self.all.store(all, Ordering::Relaxed);
    }

    /// Says how much is done; false if the work is not wanted any more.
    pub fn done(&self, done: u64) -> bool {
        self.done.store(done, Ordering::Relaxed);
        !self.ends.load(Ordering::Relaxed)
    }

    fn share(&self) -> Option<f32> {
        let all = self.all.load(Ordering::Relaxed);
        let done = self.done.load(Ordering::Relaxed);
        (all > 0).then(|| done as f32 / all as f32)
    }
}

/// Some work in the background.
pub struct Beside<T> {
    what: String,
    /// Whether it writes a file, which is not left half done.
    writes: bool,
    gauge: Arc<Gauge>,
    thread: Option<JoinHandle<T>>,
}

impl<T: Send + 'static> Beside<T> {
    /// Begins work that can be ended.
    pub fn start(what: String, work: impl FnOnce(&Gauge) -> T + Send + 'static) -> Self {
        Self::begin(what, false, work)
    }

    /// Begins work that writes a file: it is waited for when the program ends.
    pub fn write(what: String, work: impl FnOnce(&Gauge) -> T + Send + 'static) -> Self {
        Self::begin(what, true, work)
    }

    fn begin(what: String, writes: bool, work: impl FnOnce(&Gauge) -> T + Send + 'static) -> Self {
        let gauge = Arc::new(Gauge::default());
        let told = gauge.clone();
        Self {
            what,
            writes,
            gauge,
            thread: Some(thread::spawn(move || work(&told))),
        }
    }

    /// How far it has got.
    pub fn status(&self) -> BesideStatus {
        BesideStatus {
            what: self.what.clone(),
            share: self.gauge.share(),
            can_end: !self.writes,
        }
    }

    /// Asks it to end.
    pub fn end(&self) {
        self.gauge.ends.store(true, Ordering::Relaxed);
    }

    /// What came of it, once, when it has ended; an error if it panicked.
    pub fn outcome(&mut self) -> Option<Result<T, String>> {
        if !self.thread.as_ref()?.is_finished() {
            return None;
        }
        let joined = self.thread.take()?.join();
        Some(joined.map_err(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
            format!("{}: {}", self.what, said.unwrap_or("it failed"))
        }))
    }
}

impl<T> Drop for Beside<T> {
    fn drop(&mut self) {
        self.gauge.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take().filter(|_| self.writes) {
            // What went wrong cannot be told any more: the window is closed.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn wait<T: Send + 'static>(mut beside: Beside<T>) -> Result<T, String> {
        loop {
            if let Some(outcome) = beside.outcome() {
                return outcome;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn work_tells_its_share_and_ends_when_it_is_asked_to() {
        let work = |gauge: &Gauge| {
            gauge.begin(4);
            let mut rounds = 0u64;
            while gauge.done(1) {
                thread::sleep(Duration::from_millis(1));
                rounds += 1;
            }
            rounds
        };
        let beside = Beside::start("waiting".into(), work);
        while beside.status().share != Some(0.25) {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(beside.status().can_end);
        beside.end();
        assert!(wait(beside).is_ok());
    }

    #[test]
    fn a_panic_is_an_error() {
        let beside = Beside::<()>::start("counting".into(), |_| panic!("too many"));
        assert_eq!(wait(beside), Err("counting: too many".into()));
    }
}
