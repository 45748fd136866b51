//! Takes and tables in the window: saved, opened and checked beside it.

use crate::jobs::{Cancel, Job, Jobs, Reporter};
use crate::pointer::Pointing;
use crate::scenes::files;
use crate::session::Session;
use crate::session::playback::Playback;
use crate::state::notices::Notices;
use bevy::prelude::World;
use physics::scene::Take;
use physics::sim::{Replay, ReplayError, Simulation};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What came of some work.
pub enum Outcome {
    /// A take was read and run; what is to be said of it if its replay came to another state.
    Opened(Box<Session>, Option<String>),
    /// A take could not be opened.
    Refused(String),
    /// A file was written.
    Saved(PathBuf),
    /// A file could not be written.
    Unsaved(String),
    /// So many steps gave the same bits.
    Same(u64),
    /// A replay came to another state.
    Differs(String),
    /// It was not wanted any more.
    Ended,
}

impl Outcome {
    /// Says what came of it; an opened take is left to be shown.
    pub fn tell(self, notices: &mut Notices) -> Option<OpenedTake> {
        match self {
            Self::Opened(session, diverged) => return Some(OpenedTake { session, diverged }),
            Self::Refused(error) => notices.scene = Some(error),
            Self::Saved(path) => {
                notices.file = None;
                notices.hint(format!("Saved {}", path.display()));
            }
            Self::Unsaved(error) => notices.file = Some(error),
            Self::Same(steps) => {
                notices.setting = None;
                notices.hint(format!("Replay: the same bits over {steps} steps."));
            }
            Self::Differs(error) => notices.setting = Some(format!("Replay: {error}")),
            Self::Ended => notices.hint("Ended."),
        }
        None
    }
}

/// A take that was run.
pub struct OpenedTake {
    session: Box<Session>,
    diverged: Option<String>,
}

/// Shows an opened take in the window, with the camera as it is if the scene is the same, and plays it.
pub fn show(opened: OpenedTake, world: &mut World) {
    let mut session = world.resource_mut::<Session>();
    let same = session.scene().name == opened.session.scene().name;
    session.give_way(*opened.session);
    let speed = session.scene().view.speed;
    let path = session.take().map(Path::to_path_buf);
    files::show_opened(world, path, same);
    world.resource_mut::<Notices>().scene = opened.diverged;
    world.resource_mut::<Pointing>().pointer.drop_all();
    let mut playback = world.resource_mut::<Playback>();
    playback.play(true);
    playback.seek(speed);
}

/// Work on takes that is not done yet.
#[derive(Default)]
pub struct TakeJobs {
    jobs: Vec<TakeJob>,
}

struct TakeJob {
    work: Job<Outcome>,
    /// The scene that a take is to replace.
    replaces: Option<u64>,
    /// The file that will be there.
    writes: Option<PathBuf>,
}

impl TakeJobs {
    /// Saves the way that time went.
    pub fn save(&mut self, jobs: &Jobs, path: Option<PathBuf>, session: &Session) {
        let Some(timeline) = session.timeline() else {
            return;
        };
        let path = path.unwrap_or_else(|| self.free_name(session, "take"));
        let take = Take::of(session.scene(), timeline);
        let what = format!("Saving {}", name(&path));
        let written = path.clone();
        let save = move |_: &Reporter| match take.save(&path) {
            Ok(()) => Outcome::Saved(path),
            Err(error) => Outcome::Unsaved(format!("{}: {error}", path.display())),
        };
        self.push(jobs.start(what, Cancel::Never, save), None, Some(written));
    }

    /// Saves what the plots show.
    pub fn save_table(&mut self, jobs: &Jobs, path: Option<PathBuf>, session: &Session) {
        let path = path.unwrap_or_else(|| self.free_name(session, "csv"));
        let table = session.plotted();
        let what = format!("Saving {}", name(&path));
        let written = path.clone();
        let save = move |reporter: &Reporter| {
            reporter.begin(table.rows() as u64);
            // It is short, and not left half done.
            let done = |row| {
                reporter.done(row);
            };
            match table.save(&path, done) {
                Ok(()) => Outcome::Saved(path),
                Err(error) => Outcome::Unsaved(format!("{}: {error}", path.display())),
            }
        };
        self.push(jobs.start(what, Cancel::Never, save), None, Some(written));
    }

    /// A name that neither a file nor work in hand has.
    fn free_name(&self, session: &Session, ending: &str) -> PathBuf {
        let taken: Vec<PathBuf> = self.jobs.iter().filter_map(|j| j.writes.clone()).collect();
        files::free_name(&session.scene().name, ending, &taken)
    }

    /// Opens a take. Another one that is being opened is not wanted any more.
    pub fn open(&mut self, jobs: &Jobs, path: PathBuf, session: &Session) {
        let opening = self.jobs.iter().filter(|j| j.replaces.is_some());
        opening.for_each(|j| j.work.cancel());
        let budget = session.memory().map(|m| m.budget);
        let what = format!("Opening {}", name(&path));
        let open = move |reporter: &Reporter| {
            let take = match Take::open(&path) {
                Ok(take) => take,
                Err(errors) => return Outcome::Refused(errors.to_string()),
            };
            let opened = run(&take, budget, reporter);
            match opened {
                Ok(Some((mut session, diverged))) => {
                    session.set_take(path);
                    Outcome::Opened(Box::new(session), diverged)
                }
                Ok(None) => Outcome::Ended,
                Err(error) => Outcome::Refused(format!("{}: {error}", path.display())),
            }
        };
        let work = jobs.start(what, Cancel::GivesUp, open);
        self.push(work, Some(session.generation()), None);
    }

    /// Replays the way that time went.
    pub fn check(&mut self, jobs: &Jobs, session: &Session) {
        let Some(timeline) = session.timeline() else {
            return;
        };
        let take = Take::of(session.scene(), timeline);
        let check = move |reporter: &Reporter| match take.replay() {
            Ok(replay) => compare(replay, reporter),
            Err(error) => Outcome::Differs(error.to_string()),
        };
        let work = jobs.start("Checking the replay", Cancel::GivesUp, check);
        self.push(work, None, None);
    }

    fn push(&mut self, work: Job<Outcome>, replaces: Option<u64>, writes: Option<PathBuf>) {
        self.jobs.push(TakeJob {
            work,
            replaces,
            writes,
        });
    }

    /// What came of the work that has ended. A take is not wanted any more if another scene was opened meanwhile.
    pub fn ended(&mut self, generation: u64) -> Vec<Outcome> {
        let mut ended = Vec::new();
        self.jobs.retain_mut(|job| {
            let overtaken = job.replaces.is_some_and(|g| g != generation);
            if overtaken {
                job.work.cancel();
            }
            let Some(outcome) = job.work.take() else {
                return true;
            };
            let outcome = outcome.unwrap_or_else(|panicked| Outcome::Refused(panicked.to_string()));
            ended.extend((!overtaken).then_some(outcome));
            false
        });
        ended
    }
}

/// A file without its folder, as there is room for in a line.
fn name(path: &Path) -> impl std::fmt::Display {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Runs a take as it was recorded, so that all of it is the past of a session at its first moment. With it comes what
/// is to be said if a step came to another state; nothing is kept of what was recorded beyond it. None if it is not
/// wanted any more.
fn run(
    take: &Take,
    budget: Option<usize>,
    reporter: &Reporter,
) -> Result<Option<(Session, Option<String>)>, String> {
    let mut session = Session::of_take(take).map_err(|e| e.to_string())?;
    if let Some(budget) = budget {
        session.set_budget(budget);
    }
    let log = &take.log;
    let (first, last) = (log.first(), log.last());
    reporter.begin(last - first);
    let mut diverged = None;
    for step in first + 1..=last {
        for change in log.changes(step) {
            session.change(change.clone()).map_err(|e| e.to_string())?;
        }
        session.input.clone_from(log.input(step));
        let went = session.step();
        let same = went && Some(session.state().digest()) == log.digest(step);
        if !same {
            diverged = Some(difference(take, &mut session, step));
            break;
        }
        if !reporter.done(step - first) {
            return Ok(None);
        }
    }
    if diverged.is_none() {
        for change in log.changes(last + 1) {
            session.change(change.clone()).map_err(|e| e.to_string())?;
        }
        if let Some(failure) = log.failure() {
            session.input.clone_from(&failure.input);
            session.step();
        }
    }
    session.input = Default::default();
    session.seek(first);
    session.travel(Duration::ZERO);
    Ok(Some((session, diverged)))
}

/// Where a step that was just taken differs from the recorded one.
fn difference(take: &Take, session: &mut Session, step: u64) -> String {
    session.seek(step - 1);
    while session.goal().is_some() {
        session.travel(Duration::from_secs(1));
    }
    let said = match Simulation::resume(&session.snapshot()) {
        Ok(before) => Replay::new(before, take.log.clone(), take.states.clone())
            .advance()
            .err()
            .as_ref()
            .map(ReplayError::to_string),
        Err(error) => Some(error.to_string()),
    };
    said.unwrap_or_else(|| format!("step {step} differs from the recorded one"))
}

/// Replays to the end, or to the first step that differs.
fn compare(mut replay: Replay, reporter: &Reporter) -> Outcome {
    let (first, last) = (replay.log().first(), replay.log().last());
    reporter.begin(last - first);
    loop {
        match replay.advance() {
            Ok(true) => {}
            Ok(false) => return Outcome::Same(last - first),
            Err(error) => return Outcome::Differs(error.to_string()),
        }
        if !reporter.done(replay.step() - first) {
            return Outcome::Ended;
        }
    }
}
