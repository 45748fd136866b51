//! Edits in the background: what a large scene takes to be written, read back and compiled is longer than a frame.
//!
//! ```text
//! begin_compiling ──▶ Job: a simulation at this moment ── Task::prepare, Change by Change ──▶ Compiled
//! take_compiled  ◀── relieve, book, commit, as if `edit` had done it
//! ```
//! Simulated time waits for an edit, so that it takes effect at the moment at which it was asked for. Whoever moves the
//! session meanwhile gets the edit back to begin it anew.

use crate::jobs::{Cancel, Job, Reporter};
use crate::session::Session;
use crate::session::edits::refused;
use crate::session::past::Past;
use crate::session::restart::Restarted;
use physics::scene::editing::Task;
use physics::scene::{Edit, Proposal, Scene, SceneErrors};
use physics::sim::{Change, Correction, Leg, Simulation, Snapshot};

/// With so many bodies an edit is compiled in the background: it takes some 0.05 ms a body.
pub const MANY: usize = 250;

/// What is asked of the document.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// An edit.
    Edit(Box<Edit>),
    /// The last edit is taken back.
    Undo,
    /// The edit is made again that was taken back last.
    Redo,
    /// The document is to be that of the moment shown.
    Follow,
    /// Time begins again with what is in force.
    Restart,
}

/// What became of something that was asked.
#[derive(Debug)]
pub enum Ended {
    /// It is done.
    Done,
    /// It was refused, and nothing has changed.
    Refused(SceneErrors),
    /// Somebody has cancelled it, and nothing has changed.
    Cancelled,
    /// The session is not where it was any more: it has to be begun anew.
    Moved,
    /// It failed in a way that is not foreseen, and nothing has changed.
    Failed(String),
}

/// An edit that is being compiled.
pub(crate) struct Compiling {
    asked: Asked,
    /// The session when it was begun.
    at: Place,
    job: Job<Option<Result<Compiled, SceneErrors>>>,
}

/// Where a session is, as far as an edit depends on it: the scene, its edits, and how often it has moved.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    generation: u64,
    revision: u64,
    moves: u64,
}

/// What was compiled.
enum Compiled {
    Edit(Box<CompiledEdit>),
    Restart(Restarted),
}

/// An edit that is compiled.
struct CompiledEdit {
    proposal: Proposal,
    /// The simulation that has made the changes; none where there are none.
    simulation: Option<Box<Simulation>>,
    corrected: Option<Correction>,
}

impl Session {
    /// Whether edits are compiled in the background.
    pub fn compiles_in_background(&self) -> bool {
        self.simulation.model().bodies.len() >= MANY
    }

    /// What is being compiled.
    pub fn compiling(&self) -> Option<&Asked> {
        self.compiling.as_ref().map(|c| &c.asked)
    }

    /// Whether time waits for an edit.
    pub(crate) fn waits_for_edit(&self) -> bool {
        self.compiling()
            .is_some_and(|asked| *asked != Asked::Follow)
    }

    /// Whether the document is that of another moment than the one shown.
    pub fn document_lags(&self) -> bool {
        self.document.lags(&self.simulation)
    }

    /// Begins something in the background; false if there is nothing to do.
    pub fn begin_compiling(&mut self, asked: Asked) -> bool {
        let scene = self.scene.clone();
        let (task, what) = match &asked {
            Asked::Restart => {
                let restart = self.restart().filter(|r| r.prepares(&self.simulation));
                let Some(restart) = restart else {
                    return false;
                };
                self.stay();
                let work = move |_: &Reporter| {
                    let restarted = restart.prepare();
                    let restarted = restarted.map_err(|error| refused(&scene.name, &error));
                    Some(restarted.map(Compiled::Restart))
                };
                self.await_compiled(asked, "Going back to the start".into(), work);
                return true;
            }
            Asked::Edit(edit) => {
                let what = format!("Applying {}", edit.name);
                (Some(self.document.task((**edit).clone())), what)
            }
            Asked::Undo => (self.document.undo_task(), "Undoing".into()),
            Asked::Redo => (self.document.redo_task(), "Redoing".into()),
            Asked::Follow => {
                let what = "Reading the scene of this moment".into();
                (self.document.follow_task(&self.simulation), what)
            }
        };
        let Some(task) = task else {
            return false;
        };
        if asked != Asked::Follow {
            self.stay();
        }
        let moment = self.simulation.snapshot();
        self.await_compiled(asked, what, move |reporter| {
            let compiled = compile(&task, &scene, &moment, reporter).transpose()?;
            Some(compiled.map(|edit| Compiled::Edit(Box::new(edit))))
        });
        true
    }

    /// Starts the job of something that was asked for.
    fn await_compiled(
        &mut self,
        asked: Asked,
        what: String,
        work: impl FnOnce(&Reporter) -> Option<Result<Compiled, SceneErrors>> + Send + 'static,
    ) {
        let job = self.jobs.start(what, Cancel::GivesUp, work);
        let at = self.place();
        self.compiling = Some(Compiling { asked, at, job });
    }

    /// Takes in what was compiled in the background, if it is there. On anything but success nothing is changed.
    pub fn take_compiled(&mut self) -> Option<(Asked, Ended)> {
        if self.waits_for_edit() && self.goal.is_some() {
            // It is begun anew where time is being moved to.
            return None;
        }
        let compiled = self.compiling.as_mut()?.job.take()?;
        let Compiling { asked, at, job } = self.compiling.take()?;
        let here = self.place();
        let cancelled = job.progress().cancelled;
        let ended = match compiled {
            _ if cancelled => Ended::Cancelled,
            Err(panicked) => Ended::Failed(panicked.to_string()),
            Ok(None) => Ended::Cancelled,
            Ok(Some(Err(errors))) => Ended::Refused(errors),
            Ok(Some(Ok(_))) if at != here => Ended::Moved,
            Ok(Some(Ok(Compiled::Edit(edit)))) => {
                self.take_in_compiled(*edit);
                Ended::Done
            }
            Ok(Some(Ok(Compiled::Restart(restarted)))) => {
                self.take_in_restarted(restarted);
                Ended::Done
            }
        };
        // A refusal may be one of the moment that was left.
        match ended {
            Ended::Refused(_) if at != here => Some((asked, Ended::Moved)),
            ended => Some((asked, ended)),
        }
    }

    fn place(&self) -> Place {
        Place {
            generation: self.generation,
            revision: self.document.revision(),
            moves: self.moves,
        }
    }

    /// Goes on with what was compiled, as [`Self::edit`] does.
    fn take_in_compiled(&mut self, compiled: CompiledEdit) {
        let CompiledEdit {
            proposal,
            simulation,
            corrected,
        } = compiled;
        let replaces = |c: &Change| matches!(c, Change::Mechanism(_));
        let moves = proposal.changes.iter().any(replaces);
        if let Some(mut other) = simulation {
            self.about_to_change();
            let now = self.simulation.state();
            let from = (now.step, now.time, self.simulation.settings().dt);
            let leg = Leg::changes(proposal.changes.clone());
            self.simulation.relieve(&mut other, &leg);
            if let Past::Whole(timeline) = &mut self.past {
                timeline.book_changes(&mut self.simulation, from, leg.changes);
                self.sample = *timeline.sample();
            }
            self.changed(corrected);
            self.jobs
                .detach("Letting go of a simulation", move || drop(other));
        }
        self.adopt(proposal, moves);
    }
}

/// Prepares what is asked for and makes its changes; nothing if it is not wanted any more.
fn compile(
    task: &Task,
    scene: &Scene,
    moment: &Snapshot,
    reporter: &Reporter,
) -> Result<Option<CompiledEdit>, SceneErrors> {
    let refuse = |error| refused(&scene.name, &error);
    let mut simulation = Box::new(Simulation::resume(moment).map_err(refuse)?);
    if reporter.is_cancelled() {
        return Ok(None);
    }
    let proposal = task.prepare(scene, &mut simulation)?;
    if reporter.is_cancelled() {
        return Ok(None);
    }
    let mut corrected = None;
    for change in &proposal.changes {
        simulation.apply(change).map_err(refuse)?;
        let correction = simulation.take_correction();
        corrected = correction.filter(Correction::moved).or(corrected);
    }
    // Whoever goes on with it finds them read.
    simulation.velocities();
    let changes = !proposal.changes.is_empty();
    Ok(Some(CompiledEdit {
        proposal,
        simulation: changes.then_some(simulation),
        corrected,
    }))
}
