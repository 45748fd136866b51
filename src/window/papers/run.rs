//! A figure that is run in the background, and what there is of it.

use crate::jobs::{Cancel, Job, Jobs, Reporter};
use crate::papers::words;
use physics::figures::{Curve, Plot};
use reproduce::{Cancelled, Effort, Item, RunError, Table, Verdict};
use std::sync::Arc;
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
pub struct RunState {
    /// How much was run.
    pub effort: Effort,
    /// How it stands.
    pub status: Status,
    /// Its curves so far.
    pub drawn: Arc<Drawn>,
    /// How long it has taken (s).
    pub seconds: f64,
}

/// The share that is done, 0 to 1, and the curves so far.
type News = (f64, Drawn);

/// A run in the background. Dropping it ends the run.
pub struct Run {
    effort: Effort,
    begun: Instant,
    job: Job<Result<(Verdict, Drawn), RunError>, News>,
    /// The curves that were told last.
    drawn: Arc<Drawn>,
}

impl Run {
    /// Begins to run an item.
    pub fn begin(jobs: &Jobs, item: Item, effort: Effort) -> Self {
        let what = words::cited(item.paper, item.figure);
        let job = jobs.start(what, Cancel::GivesUp, move |reporter| {
            table(&item, effort, reporter)
        });
        Self {
            effort,
            begun: Instant::now(),
            job,
            drawn: Arc::new(Drawn::of(&item, &Table::default())),
        }
    }

    /// What there is of it, where there is news; never waits for the run.
    pub fn news(&mut self) -> Option<RunState> {
        let ended = self.job.take();
        let heard = self.job.reporter().hear();
        let share = heard.map(|(share, drawn)| {
            self.drawn = Arc::new(drawn);
            share
        });
        let status = match ended {
            Some(Ok(Ok((verdict, drawn)))) => {
                self.drawn = Arc::new(drawn);
                Status::Judged(verdict)
            }
            Some(Ok(Err(RunError::Cancelled(_)))) => Status::Cancelled,
            Some(Ok(Err(error))) => Status::Failed(error.to_string()),
            Some(Err(panicked)) => Status::Failed(match panicked.said {
                Some(text) => format!("{}: {text}", words::PANIC),
                None => words::PANIC.into(),
            }),
            None => Status::Running(share?),
        };
        Some(self.state(status))
    }

    /// What there is of it before it has told anything.
    pub fn outset(&self) -> RunState {
        self.state(Status::Running(0.0))
    }

    fn state(&self, status: Status) -> RunState {
        RunState {
            effort: self.effort,
            status,
            drawn: self.drawn.clone(),
            seconds: self.begun.elapsed().as_secs_f64(),
        }
    }
}

/// Runs and judges an item, and tells its table as it grows.
fn table(
    item: &Item,
    effort: Effort,
    reporter: &Reporter<News>,
) -> Result<(Verdict, Drawn), RunError> {
    let mut next = Instant::now();
    let table = (item.run)(effort, &mut |part, table| {
        if !reporter.done_share(part) {
            return Err(Cancelled);
        }
        let now = Instant::now();
        if now >= next {
            reporter.tell((part, Drawn::of(item, table)));
            next = now + BETWEEN.max(SPARING * now.elapsed());
        }
        Ok(())
    })?;
    Ok(((item.judge)(&table), Drawn::of(item, &table)))
}

#[cfg(test)]
mod tests;
