//! The convergence study of the open scene, on a thread in the background.

use crate::jobs::{Cancel, Job, Jobs, Progress, Reporter};
use crate::scenes::files;
use crate::session::Session;
use physics::figures;
use physics::integrators::{IntegratorInfo, REGISTRY, refusal};
use physics::sim::convergence::{Convergence, ConvergenceError, Ladder, Motion, study};
use physics::sim::export;
use std::fs::File;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Step sizes of a ladder at first: the session's own, and so many times half of the one before.
const RUNGS: i32 = 4;

/// Simulated time of a study at first [s]: the slopes of a chaotic scene last no longer.
const DURATION: f64 = 1.0;

/// Orders of the methods of a study at first: steps of higher ones reach rounding before a slope is seen.
const ORDERS: std::ops::RangeInclusive<u32> = 1..=4;

/// The run that a study is at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rung {
    /// The method that is running.
    pub integrator: String,
    /// Its step size (s).
    pub dt: f64,
}

/// What became of the study that was asked for last.
#[derive(Debug, Clone, PartialEq)]
pub enum StudyState<'a> {
    /// None was asked for.
    Idle,
    /// It runs: its steps, and the run that it is at.
    Running(Progress, Rung),
    /// It is done, or was cancelled and keeps what was done.
    Done(&'a Convergence),
    /// There is none.
    Failed(&'a str),
}

/// A study that runs, with the run that it is at.
type StudyJob = Job<Result<Convergence, ConvergenceError>, Rung>;

/// The study: what to run, and what came of it.
#[derive(Default)]
pub struct Study {
    /// Whether its view is open.
    pub open: bool,
    /// What is run next.
    pub ladder: Ladder,
    job: Option<StudyJob>,
    scene: String,
    found: Option<Result<Convergence, String>>,
}

impl Study {
    /// What became of the study that was asked for last.
    pub fn state(&self) -> StudyState<'_> {
        match (&self.job, &self.found) {
            (Some(job), _) => {
                StudyState::Running(job.progress(), job.reporter().note().unwrap_or_default())
            }
            (None, Some(Ok(found))) => StudyState::Done(found),
            (None, Some(Err(error))) => StudyState::Failed(error),
            (None, None) => StudyState::Idle,
        }
    }

    /// Proposes a ladder that suits the scene, unless there is one.
    pub(crate) fn suit(&mut self, session: &Session) {
        if !self.ladder.integrators.is_empty() {
            return;
        }
        let own = session.integrator().name;
        let able = || {
            REGISTRY
                .iter()
                .filter(|i| refusal(i, session.model()).is_none())
        };
        // Of each order the first whose joints stay closed, and the first whose do not.
        let first = |info: &IntegratorInfo| {
            let alike =
                |i: &&IntegratorInfo| (i.order, i.drift_free) == (info.order, info.drift_free);
            let first = able().find(alike).is_some_and(|i| i.name == info.name);
            first && ORDERS.contains(&info.order)
        };
        let able = able().filter(|i| first(i) || i.name == own);
        let coarsest = session.settings().dt.min(DURATION);
        self.ladder = Ladder {
            integrators: able.map(|i| i.name.into()).collect(),
            dts: rungs(coarsest, RUNGS),
            duration: DURATION,
        };
    }

    /// Begins a study of the scene from its beginning, with the session's model and settings.
    pub(crate) fn begin(&mut self, jobs: &Jobs, session: &Session) {
        self.suit(session);
        let motion = Motion {
            model: Arc::new(session.model().clone()),
            state: session.scene().state.clone(),
            settings: *session.settings(),
        };
        let ladder = self.ladder.clone();
        let run = move |reporter: &Reporter<Rung>| {
            study(&motion, &ladder, &mut |now| {
                let [done, all] = now.steps;
                reporter.tell(Rung {
                    integrator: now.integrator.into(),
                    dt: now.dt,
                });
                reporter.begin(all);
                match reporter.done(done) {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            })
        };
        self.scene = session.scene().name.clone();
        self.found = None;
        self.job = Some(jobs.start("Convergence study", Cancel::GivesUp, run));
    }

    /// Ends the study that runs; what is done is kept.
    pub(crate) fn cancel(&mut self) {
        if let Some(job) = &self.job {
            job.cancel();
        }
    }

    /// Takes in a study that is done.
    pub(crate) fn follow(&mut self) {
        let Some(ended) = self.job.as_mut().and_then(Job::take) else {
            return;
        };
        self.job = None;
        self.found = match ended {
            Ok(Ok(found)) => Some(Ok(found)),
            // Nothing was there yet.
            Ok(Err(ConvergenceError::Cancelled)) => None,
            Ok(Err(error)) => Some(Err(error.to_string())),
            Err(panicked) => Some(Err(panicked.to_string())),
        };
    }

    /// Forgets what belongs to the scene that was open before.
    pub(crate) fn leave(&mut self) {
        *self = Self::default();
    }

    /// Saves it as a table; no path means the usual place.
    pub(crate) fn write_csv(&self, path: Option<PathBuf>) -> Result<PathBuf, String> {
        let (path, found) = self.target(path, "csv")?;
        let file = File::create(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        export::write_convergence(BufWriter::new(file), &self.scene, found)
            .map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(path)
    }

    /// Saves it as a figure; no path means the usual place.
    pub(crate) fn write_svg(&self, path: Option<PathBuf>) -> Result<PathBuf, String> {
        let (path, found) = self.target(path, "svg")?;
        figures::write_convergence(&path, &self.scene, found).map_err(|e| e.to_string())?;
        Ok(path)
    }

    fn target(
        &self,
        path: Option<PathBuf>,
        ending: &str,
    ) -> Result<(PathBuf, &Convergence), String> {
        let Some(Ok(found)) = &self.found else {
            return Err("There is no convergence study to save yet; run one.".into());
        };
        let name = format!("{}-convergence", self.scene);
        Ok((
            path.unwrap_or_else(|| files::free_name(&name, ending, &[])),
            found,
        ))
    }
}

/// Step sizes from the coarsest on, so many of them half of the one before.
pub fn rungs(coarsest: f64, halvings: i32) -> Vec<f64> {
    (0..=halvings).map(|k| coarsest * 0.5_f64.powi(k)).collect()
}
