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

pub use begin::in_bodies;
pub use compose::{Fresh, Link, Point, add, connect, free_name};
pub use copies::{add_coupling, add_wrench, duplicate};
pub use edit::{Amendment, Edit};
pub use names::{Renaming, Section, renamed};
pub use removal::{delete, without_contact};

use super::Scene;
use super::error::SceneErrors;
use crate::model::{Model, State};
use crate::sim::{Change, Simulation};
use prepare::{changes, located, move_bodies, pushed, read, rewritten};
use splice::Splice;
use std::sync::{Arc, Weak};

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
        let starts = simulation.state().step == scene.state.step;
        let mut file = scene.file.clone();
        for amendment in &edit.amendments {
            if let Amendment::Rename(renaming) = amendment
                && let Some(problem) = renaming.refusal(&file)
            {
                return Err(located(scene, problem));
            }
            amendment.amend(&mut file, &scene.model);
        }
        let moves = edit.amendments.iter().any(Amendment::concerns_state);
        let mut present = None;
        if moves || edit.amendments.contains(&Amendment::Begin) {
            let before = simulation.state_at_knot();
            let mut after = if starts {
                scene.state.clone()
            } else {
                before.clone()
            };
            let model = simulation.model();
            move_bodies(model, &mut after, edit).map_err(|p| located(scene, p))?;
            if starts || edit.amendments.contains(&Amendment::Begin) {
                begin::write_poses(&mut file, model, &scene.state, &after);
            }
            if edit.amendments.contains(&Amendment::Begin) {
                begin::write_velocities(&mut file, model, &after, None);
            } else if starts {
                for body in pushed(model, edit) {
                    begin::write_velocities(&mut file, model, &after, Some(body));
                }
            }
            present = Some([before, after]);
        }
        let text = edit.amendments.iter().find_map(|a| match a {
            Amendment::Text(text) => Some(text),
            _ => None,
        });
        let (mut next, lost) = match text {
            Some(text) => (read(scene, text)?, Vec::new()),
            None => rewritten(scene, file, &edit.amendments)?,
        };
        let mut step = Step {
            parent: self.at,
            name: edit.name.clone(),
            group: edit.group.clone(),
            splice: Splice::between(&scene.text, &next.text),
            lost,
            states: None,
            is_fleeting: edit.amendments.iter().all(Amendment::is_fleeting),
        };
        let moved = present.filter(|_| moves && !starts);
        let to = moved.as_ref().map(|m| &m[1]);
        let changes = changes(scene, &mut next, simulation, to, &[])?;
        step.states = moved.map(|states| states.map(Arc::new));
        let goal = match self.merged(&step, &scene.text) {
            Some(merged) => Target::Merged(merged),
            None => Target::New(step),
        };
        Ok(Proposal {
            scene: next,
            changes,
            goal,
        })
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

    /// The step that continues the last one, if the two belong together.
    fn merged(&self, step: &Step, text: &str) -> Option<Step> {
        let here = &self.versions[self.at];
        let last = here.step.as_ref()?;
        let same = step.group.is_some() && step.group == last.group;
        if self.sealed || !same || here.next.is_some() || self.saved == self.at {
            return None;
        }
        let before = last.splice.revert(text);
        let after = step.splice.apply(text);
        let states = match (&last.states, &step.states) {
            (Some([first, _]), Some([_, end])) => Some([first.clone(), end.clone()]),
            (kept, None) => kept.clone(),
            (None, new) => new.clone(),
        };
        Some(Step {
            parent: last.parent,
            splice: Splice::between(&before, &after),
            lost: [&last.lost[..], &step.lost].concat(),
            is_fleeting: last.is_fleeting && step.is_fleeting,
            states,
            ..step.clone()
        })
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
        let step = self.versions[self.at].step.as_ref()?;
        let text = step.splice.revert(&scene.text);
        let state = step.states.as_ref().map(|[before, _]| before.clone());
        Some(self.go(scene, simulation, &text, step.parent, state))
    }

    /// Prepares to make the edit again that was taken back last; `None` if there is none.
    pub fn propose_redo(
        &self,
        scene: &Scene,
        simulation: &mut Simulation,
    ) -> Option<Result<Proposal, SceneErrors>> {
        let next = self.versions[self.at].next?;
        let step = self.versions[next].step.as_ref()?;
        let text = step.splice.apply(&scene.text);
        let state = step.states.as_ref().map(|[_, after]| after.clone());
        Some(self.go(scene, simulation, &text, next, state))
    }

    fn go(
        &self,
        scene: &Scene,
        simulation: &mut Simulation,
        text: &str,
        version: usize,
        state: Option<Arc<State>>,
    ) -> Result<Proposal, SceneErrors> {
        let mut next = read(scene, text)?;
        let known = &self.versions[version].models;
        let changes = changes(scene, &mut next, simulation, state.as_deref(), known)?;
        Ok(Proposal {
            scene: next,
            changes,
            goal: Target::Known(version),
        })
    }

    /// Goes to the version as which a model ran, as when time has gone back beyond an edit. True if the scene changed.
    pub fn follow(
        &mut self,
        scene: &mut Scene,
        simulation: &Simulation,
    ) -> Result<bool, SceneErrors> {
        let model = Arc::downgrade(simulation.shared_model());
        let ran = |v: &Version| v.models.iter().any(|m| m.ptr_eq(&model));
        if ran(&self.versions[self.at]) {
            return Ok(false);
        }
        let Some(target) = self.versions.iter().position(ran) else {
            return Ok(false);
        };
        let text = self.text_of(target, &scene.text);
        *scene = read(scene, &text)?;
        self.at = target;
        self.sealed = true;
        self.revision += 1;
        Ok(true)
    }

    /// The text of a version, from that of the present one.
    fn text_of(&self, target: usize, present: &str) -> String {
        let mut text = present.to_owned();
        for step in self.path(self.at) {
            text = step.splice.revert(&text);
        }
        for step in self.path(target).into_iter().rev() {
            text = step.splice.apply(&text);
        }
        text
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
        self.text_of(self.saved, &scene.text)
    }
}
