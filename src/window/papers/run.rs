//! A figure that is run on a thread of its own, and what there is of it.

use crate::error::panic_text;
use crate::papers::words;
use physics::figures::{Curve, Plot};
use reproduce::{Cancelled, Effort, Item, RunError, Table, Verdict};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Least time from one picture of a growing table to the next.
const BETWEEN: Duration = Duration::from_millis(50);

/// Share of the run's time that its pictures may take, as its inverse.
const SPARING: u32 = 20;

/// Curves as they are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Title, axes, and what was measured; curves for which the paper's stand are left out.
    pub plot: Plot,
    /// What the paper claims in figures.
    pub claimed: Vec<Curve>,
}

impl Drawn {
    /// Those of a table.
    pub fn of(item: &Item, table: &Table) -> Self {
        let claimed = (item.claimed)(table);
        let mut plot = (item.plot)(table);
        plot.curves
            .retain(|own| claimed.iter().all(|other| other.name != own.name));
        Self { plot, claimed }
    }
}

/// How a run stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    /// So much of it is done, 0 to 1.
    Running(f64),
    /// It came to its end.
    Judged(Verdict),
    /// It was ended.
    Cancelled,
    /// It came to no table, for this reason.
    Failed(String),
}

/// What there is of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// How much was run.
    pub effort: Effort,
    /// How it stands.
    pub status: Status,
    /// Its curves so far.
    pub drawn: Arc<Drawn>,
    /// How long it has taken (s).
    pub seconds: f64,
}

/// What the thread tells.
struct Told {
    status: Status,
    drawn: Arc<Drawn>,
    /// Whether there is news since it was last asked for.
    news: bool,
}

/// What thread and window share.
struct Shared {
    unwanted: AtomicBool,
    told: Mutex<Told>,
}

impl Shared {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, status: Status, drawn: Option<Drawn>) {
        let drawn = drawn.map(Arc::new);
        let mut told = self.told();
        told.status = status;
        told.news = true;
        if let Some(drawn) = drawn {
            told.drawn = drawn;
        }
    }
}

/// A run on its thread. Dropping it ends the run.
pub struct Run {
    effort: Effort,
    begun: Instant,
    shared: Arc<Shared>,
}

impl Drop for Run {
    fn drop(&mut self) {
        self.shared.unwanted.store(true, Ordering::Relaxed);
    }
}

impl Run {
    /// Begins to run an item.
    pub fn begin(item: Item, effort: Effort) -> Self {
        let shared = Arc::new(Shared {
            unwanted: AtomicBool::new(false),
            told: Mutex::new(Told {
                status: Status::Running(0.0),
                drawn: Arc::new(Drawn::of(&item, &Table::default())),
                news: true,
            }),
        });
        let tells = shared.clone();
        thread::spawn(move || {
            // What it was told stays as it is: a table that nobody sees any more is all that is lost.
            let ended = catch_unwind(AssertUnwindSafe(|| table(&item, effort, &tells)));
            let status = match ended {
                Ok(Ok((verdict, drawn))) => {
                    return tells.tell(Status::Judged(verdict), Some(drawn));
                }
                Ok(Err(RunError::Cancelled(_))) => Status::Cancelled,
                Ok(Err(error)) => Status::Failed(error.to_string()),
                Err(panic) => Status::Failed(said(&*panic)),
            };
            tells.tell(status, None);
        });
        Self {
            effort,
            begun: Instant::now(),
            shared,
        }
    }

    /// What there is of it, where there is news; never waits for the run.
    pub fn news(&self) -> Option<Record> {
        let mut told = self.shared.told.try_lock().ok()?;
        if !std::mem::take(&mut told.news) {
            return None;
        }
        Some(Record {
            effort: self.effort,
            status: told.status.clone(),
            drawn: told.drawn.clone(),
            seconds: self.begun.elapsed().as_secs_f64(),
        })
    }
}

/// Runs and judges an item, and tells its table as it grows.
fn table(item: &Item, effort: Effort, shared: &Shared) -> Result<(Verdict, Drawn), RunError> {
    let mut next = Instant::now();
    let table = (item.run)(effort, &mut |part, table| {
        if shared.unwanted.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        let now = Instant::now();
        if now >= next {
            shared.tell(Status::Running(part), Some(Drawn::of(item, table)));
            next = now + BETWEEN.max(SPARING * now.elapsed());
        }
        Ok(())
    })?;
    Ok(((item.judge)(&table), Drawn::of(item, &table)))
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> String {
    match panic_text(panic) {
        Some(text) => format!("{}: {text}", words::PANIC),
        None => words::PANIC.into(),
    }
}

#[cfg(test)]
mod tests;
