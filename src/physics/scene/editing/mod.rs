//! A scene that is edited while it runs: named edits with undo and redo, each checked as scene files are.
//!
//! ```text
//! Edit ──▶ SceneFile ──patch──▶ text ──read, compile──▶ Scene ──carry──▶ state ──▶ sim::Change
//!                                          wrong ──▶ SceneErrors, and nothing is changed
//! ```
//! The text is what counts: every edit is written into it and read back, so that what runs is what is saved. Versions
//! form a tree: undo goes to the parent, and where time goes back to a moment before an edit the document follows.

mod begin;
mod carry;
mod charts;
mod comments;
mod compose;
mod copies;
mod edit;
mod names;
mod patch;
mod prepare;
mod removal;
mod splice;
mod task;

pub use begin::in_bodies;
pub use compose::{Fresh, Link, Point, add, connect, free_name};
pub use copies::{add_coupling, add_wrench, duplicate};
pub use edit::{Amendment, Edit};
pub use names::{Renaming, Section, renamed};
pub use removal::{delete, without_contact};
pub use task::Task;

use super::Scene;
use super::error::SceneErrors;
use crate::model::{Model, State};
use crate::sim::{Change, Simulation};
use prepare::changes;
use splice::Splice;
use std::sync::{Arc, Weak};
use task::{Kind, Passage};

/// The edits of a scene. It goes with one [`Scene`] and one simulation of it.
#[derive(Debug)]
pub struct Document {
    versions: Vec<Version>,
    at: usize,
    /// The version that the file holds.
    saved: usize,
    /// Whether the next edit begins a step of its own, whatever its group.
    sealed: bool,
    /// Counts what has changed here.
    revision: u64,
}

/// A scene as some edits have made it.
#[derive(Debug)]
struct Version {
    /// What led to it; `None` for the scene as it was opened.
    step: Option<Step>,
    /// The version to which redo goes.
    next: Option<usize>,
    /// Models that ran as this version.
    models: Vec<Weak<Model>>,
}

/// What leads from one version to another.
#[derive(Debug, Clone)]
struct Step {
    parent: usize,
    name: String,
    group: Option<String>,
    /// From the parent's text to the version's.
    splice: Splice,
    /// Comments that went.
    lost: Vec<String>,
    /// The states before and after, where the edit changed the state of that moment.
    states: Option<[Arc<State>; 2]>,
    /// Whether only method, settings and plots differ, which is no edit that has to be saved.
    is_fleeting: bool,
}

/// An edit that is sound, ready to be carried out: first the changes by the simulation, then [`Document::commit`].
#[derive(Debug)]
pub struct Proposal {
    /// The scene as it will be.
    pub scene: Scene,
    /// What the simulation has to do.
    pub changes: Vec<Change>,
    goal: Target,
}

/// Where a proposal leads.
#[derive(Debug)]
enum Target {
    New(Step),
    Merged(Step),
    Known(usize),
}

/// What a simulation of one scene has to do between two steps to go on as another: bodies, joints and what they do go
/// on by name, as under an edit. Nothing is changed yet.
pub fn changes_to(
    scene: &Scene,
    next: &mut Scene,
    simulation: &mut Simulation,
) -> Result<Vec<Change>, SceneErrors> {
    changes(scene, next, simulation, None, &[])
}

impl Document {
    /// The document of a scene that was just opened, which runs as it was read.
    pub fn new(model: &Arc<Model>) -> Self {
        Self {
            versions: vec![Version {
                step: None,
                next: None,
                models: vec![Arc::downgrade(model)],
            }],
            at: 0,
            saved: 0,
            sealed: false,
            revision: 0,
        }
    }

    /// A number that is another one after every change of the document.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Which of all versions of the scene this is.
    pub fn version(&self) -> usize {
        self.at
    }

    /// Checks an edit and prepares it. On an error nothing is changed.
    pub fn propose(
        &self,
        scene: &Scene,
        simulation: &mut Simulation,
        edit: &Edit,
    ) -> Result<Proposal, SceneErrors> {
        self.task(edit.clone()).prepare(scene, simulation)
    }

    /// What it takes to prepare an edit, away from here.
    pub fn task(&self, edit: Edit) -> Task {
        Task(Kind::Edit {
            parent: self.at,
            goes_on: self.going_on(&edit).cloned(),
            edit,
        })
    }

    /// The step that an edit continues, if the two belong together.
    fn going_on(&self, edit: &Edit) -> Option<&Step> {
        let here = &self.versions[self.at];
        let last = here.step.as_ref()?;
        let same = edit.group.is_some() && edit.group == last.group;
        let is_open = !self.sealed && here.next.is_none() && self.saved != self.at;
        (same && is_open).then_some(last)
    }

    /// Takes in an edit that the simulation has carried out.
    pub fn commit(&mut self, proposal: Proposal, scene: &mut Scene, simulation: &Simulation) {
        match proposal.goal {
            Target::New(step) => {
                let new = self.versions.len();
                self.versions[step.parent].next = Some(new);
                self.versions.push(Version {
                    step: Some(step),
                    next: None,
                    models: Vec::new(),
                });
                self.at = new;
                self.sealed = false;
            }
            Target::Merged(step) => self.versions[self.at].step = Some(step),
            Target::Known(version) => {
                self.at = version;
                self.sealed = true;
            }
        }
        self.note(simulation);
        self.revision += 1;
        *scene = proposal.scene;
    }

    /// Notes that the simulation's model is the present version's, as after a start from the beginning.
    pub fn note(&mut self, simulation: &Simulation) {
        let model = Arc::downgrade(simulation.shared_model());
        let models = &mut self.versions[self.at].models;
        models.retain(|m| m.strong_count() > 0);
        if !models.iter().any(|m| m.ptr_eq(&model)) {
            models.push(model);
        }
    }

    /// Ends the group of edits that merge: the next edit is undone by itself.
    pub fn seal(&mut self) {
        self.sealed = true;
    }

    /// Name of the edit that undo takes back.
    pub fn undo_name(&self) -> Option<&str> {
        self.versions[self.at]
            .step
            .as_ref()
            .map(|s| s.name.as_str())
    }

    /// Name of the edit that redo makes again.
    pub fn redo_name(&self) -> Option<&str> {
        let next = self.versions[self.at].next?;
        let step = self.versions[next].step.as_ref();
        step.map(|s| s.name.as_str())
    }

    /// Names of the edits in force, first to last.
    pub fn names(&self) -> Vec<&str> {
        let steps = self.path(self.at).into_iter().rev();
        steps.map(|s| s.name.as_str()).collect()
    }

    /// Prepares to take back the last edit; `None` if there is none.
    pub fn propose_undo(
        &self,
        scene: &Scene,
        simulation: &mut Simulation,
    ) -> Option<Result<Proposal, SceneErrors>> {
        Some(self.undo_task()?.prepare(scene, simulation))
    }

    /// What it takes to take back the last edit, away from here; `None` if there is none.
    pub fn undo_task(&self) -> Option<Task> {
        let step = self.versions[self.at].step.as_ref()?;
        let state = step.states.as_ref().map(|[before, _]| before.clone());
        Some(self.go(step.parent, state))
    }

    /// Prepares to make the edit again that was taken back last; `None` if there is none.
    pub fn propose_redo(
        &self,
        scene: &Scene,
        simulation: &mut Simulation,
    ) -> Option<Result<Proposal, SceneErrors>> {
        Some(self.redo_task()?.prepare(scene, simulation))
    }

    /// What it takes to make the edit again that was taken back last, away from here; `None` if there is none.
    pub fn redo_task(&self) -> Option<Task> {
        let next = self.versions[self.at].next?;
        let step = self.versions[next].step.as_ref()?;
        let state = step.states.as_ref().map(|[_, after]| after.clone());
        Some(self.go(next, state))
    }

    fn go(&self, version: usize, state: Option<Arc<State>>) -> Task {
        Task(Kind::Go {
            version,
            way: self.way(version),
            state,
            models: self.versions[version].models.clone(),
        })
    }

    /// Goes to the version as which a model ran, as when time has gone back beyond an edit. True if the scene changed.
    pub fn follow(
        &mut self,
        scene: &mut Scene,
        simulation: &Simulation,
    ) -> Result<bool, SceneErrors> {
        let Some(version) = self.elsewhere(simulation) else {
            return Ok(false);
        };
        let proposal = task::follow(version, &self.way(version), scene)?;
        self.commit(proposal, scene, simulation);
        Ok(true)
    }

    /// What it takes to go to the version as which the simulation's model ran, away from here; `None` if that is the
    /// present one, or there is none.
    pub fn follow_task(&self, simulation: &Simulation) -> Option<Task> {
        let version = self.elsewhere(simulation)?;
        let way = self.way(version);
        Some(Task(Kind::Follow { version, way }))
    }

    /// Whether the simulation's model ran as another version than the present one.
    pub fn lags(&self, simulation: &Simulation) -> bool {
        self.elsewhere(simulation).is_some()
    }

    fn elsewhere(&self, simulation: &Simulation) -> Option<usize> {
        let model = Arc::downgrade(simulation.shared_model());
        let ran = |v: &Version| v.models.iter().any(|m| m.ptr_eq(&model));
        if ran(&self.versions[self.at]) {
            return None;
        }
        self.versions.iter().position(ran)
    }

    /// What leads from the present text to that of a version.
    fn way(&self, version: usize) -> Vec<Passage> {
        let back = self.path(self.at).into_iter();
        let on = self.path(version).into_iter().rev();
        back.map(|s| Passage::Back(s.splice.clone()))
            .chain(on.map(|s| Passage::On(s.splice.clone())))
            .collect()
    }

    /// The steps that lead to a version, last first.
    fn path(&self, version: usize) -> Vec<&Step> {
        let step = |v: usize| self.versions[v].step.as_ref();
        std::iter::successors(step(version), |s| step(s.parent)).collect()
    }

    /// Whether there are edits that the file does not hold; method, settings and plots alone are none.
    pub fn is_modified(&self) -> bool {
        self.between().iter().any(|s| !s.is_fleeting)
    }

    /// Comments of the file that saving would lose.
    pub fn lost_comments(&self) -> Vec<&str> {
        let steps = self.between().into_iter();
        steps
            .flat_map(|s| s.lost.iter().map(String::as_str))
            .collect()
    }

    /// The steps that differ between the version that the file holds and the present one.
    fn between(&self) -> Vec<&Step> {
        let (here, there) = (self.path(self.at), self.path(self.saved));
        let shared = here.iter().rev().zip(there.iter().rev());
        let shared = shared.take_while(|(a, b)| std::ptr::eq(**a, **b)).count();
        let own = here[..here.len() - shared].iter();
        own.chain(&there[..there.len() - shared]).copied().collect()
    }

    /// Notes that the file now holds the present version.
    pub fn mark_saved(&mut self) {
        self.saved = self.at;
        self.sealed = true;
        self.revision += 1;
    }

    /// The text that the file holds, as far as is known.
    pub fn saved_text(&self, scene: &Scene) -> String {
        task::text(&self.way(self.saved), &scene.text)
    }
}
