//! An edit that is prepared away from its document, as on another thread: it takes along what the document knows.

use super::edit::{Amendment, Edit};
use super::prepare::{changes, located, move_bodies, pushed, read, rewritten};
use super::splice::Splice;
use super::{Proposal, Step, Target, begin};
use crate::model::{Model, State};
use crate::scene::Scene;
use crate::scene::error::SceneErrors;
use crate::sim::Simulation;
use std::sync::{Arc, Weak};

/// What is to become of a scene. It goes with the scene and a moment of the simulation that the document had when it
/// was asked for.
#[derive(Debug, Clone)]
pub struct Task(pub(super) Kind);

/// What is asked for.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// An edit is made.
    Edit {
        /// The version that is edited.
        parent: usize,
        /// The last step, if the edit continues it.
        goes_on: Option<Step>,
        /// The edit.
        edit: Edit,
    },
    /// Another version takes the place of this one.
    Go {
        /// The version.
        version: usize,
        /// What leads to its text.
        way: Vec<Passage>,
        /// Where it goes on, if not where the simulation is.
        state: Option<Arc<State>>,
        /// Models that ran as that version.
        models: Vec<Weak<Model>>,
    },
    /// The version of the simulation's model takes the place of this one.
    Follow {
        /// The version.
        version: usize,
        /// What leads to its text.
        way: Vec<Passage>,
    },
}

/// A step of the way from one text to another.
#[derive(Debug, Clone)]
pub(super) enum Passage {
    /// An edit is taken back.
    Back(Splice),
    /// An edit is made.
    On(Splice),
}

/// The text to which a way leads.
pub(super) fn text(way: &[Passage], present: &str) -> String {
    way.iter()
        .fold(present.to_owned(), |text, passage| match passage {
            Passage::Back(splice) => splice.revert(&text),
            Passage::On(splice) => splice.apply(&text),
        })
}

impl Task {
    /// Checks what is asked for and prepares it, for a scene and a simulation that is at the moment at which it is to
    /// be carried out. Nothing is changed.
    pub fn prepare(
        &self,
        scene: &Scene,
        simulation: &mut Simulation,
    ) -> Result<Proposal, SceneErrors> {
        match &self.0 {
            Kind::Edit {
                parent,
                goes_on,
                edit,
            } => prepare_edit(*parent, goes_on.as_ref(), edit, scene, simulation),
            Kind::Go {
                version,
                way,
                state,
                models,
            } => {
                let mut next = read(scene, &text(way, &scene.text))?;
                let changes = changes(scene, &mut next, simulation, state.as_deref(), models)?;
                Ok(Proposal {
                    scene: next,
                    changes,
                    goal: Target::Known(*version),
                })
            }
            Kind::Follow { version, way } => follow(*version, way, scene),
        }
    }
}

/// Another version of a scene in the place of this one, where the simulation is that already.
pub(super) fn follow(
    version: usize,
    way: &[Passage],
    scene: &Scene,
) -> Result<Proposal, SceneErrors> {
    Ok(Proposal {
        scene: read(scene, &text(way, &scene.text))?,
        changes: Vec::new(),
        goal: Target::Known(version),
    })
}

fn prepare_edit(
    parent: usize,
    goes_on: Option<&Step>,
    edit: &Edit,
    scene: &Scene,
    simulation: &mut Simulation,
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
        parent,
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
    let goal = match goes_on {
        Some(last) => Target::Merged(merged(last, step, &scene.text)),
        None => Target::New(step),
    };
    Ok(Proposal {
        scene: next,
        changes,
        goal,
    })
}

/// The step that stands for the last one and the one that continues it.
fn merged(last: &Step, step: Step, text: &str) -> Step {
    let before = last.splice.revert(text);
    let after = step.splice.apply(text);
    let states = match (&last.states, &step.states) {
        (Some([first, _]), Some([_, end])) => Some([first.clone(), end.clone()]),
        (kept, None) => kept.clone(),
        (None, new) => new.clone(),
    };
    Step {
        parent: last.parent,
        splice: Splice::between(&before, &after),
        lost: [&last.lost[..], &step.lost].concat(),
        is_fleeting: last.is_fleeting && step.is_fleeting,
        states,
        ..step
    }
}
