//! What an edit amounts to: the scene read back from its text, the state that continues, the changes that lead there.

use super::edit::{Amendment, Edit};
use super::{carry, charts, names, patch};
use crate::integrators::{self, REGISTRY};
use crate::kinematics::{self, AssemblyError};
use crate::model::{BodyId, Model, State};
use crate::scene::error::{Problem, SceneErrors};
use crate::scene::files::Files;
use crate::scene::source::Source;
use crate::scene::{Scene, SceneFile, from_text_named, problem, spans, start, write};
use crate::sim::{Change, Mechanism, Simulation};
use std::sync::{Arc, Weak};

/// Moves and pushes bodies of a state as an edit asks.
pub(super) fn move_bodies(model: &Model, state: &mut State, edit: &Edit) -> Result<(), Problem> {
    let find = |name: &String| {
        model.body(name).ok_or_else(|| {
            let known = model.bodies.iter().map(|b| b.name.as_str());
            Problem::unknown_name(&["bodies", name], "body", name, known)
        })
    };
    let refuse = |error: AssemblyError| problem::of_assembly(&error);
    for amendment in &edit.amendments {
        match amendment {
            Amendment::Move(name, goal) => {
                let body = find(name)?;
                kinematics::place(model, state, body, *goal).map_err(refuse)?;
                if let Some(beyond) = start::beyond_bounds(model, state).into_iter().next() {
                    return Err(beyond);
                }
            }
            Amendment::Push(name, twist) => {
                let BodyId(k) = find(name)?;
                state.bodies[k].velocity = *twist;
                kinematics::assemble(model, state).map_err(refuse)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Bodies whose velocity an edit gives.
pub(super) fn pushed(model: &Model, edit: &Edit) -> Vec<usize> {
    let body = |a: &Amendment| match a {
        Amendment::Push(name, _) => model.body(name).map(|b| b.0),
        _ => None,
    };
    edit.amendments.iter().filter_map(body).collect()
}

/// A problem as an error of the scene's text.
pub(super) fn located(scene: &Scene, problem: Problem) -> SceneErrors {
    let source = Source::new(&label(scene), &scene.text);
    let root = spans::scan(&scene.text);
    SceneErrors(vec![source.error(root.as_ref(), problem)])
}

/// What the scene is called in errors.
fn label(scene: &Scene) -> String {
    let path = scene.path.as_ref().map(|p| p.display().to_string());
    path.unwrap_or_else(|| scene.name.clone())
}

/// The scene with another file, and the comments that its text loses. Plots of what an edit takes away go with it.
pub(super) fn rewritten(
    scene: &Scene,
    mut file: SceneFile,
    amendments: &[Amendment],
) -> Result<(Scene, Vec<String>), SceneErrors> {
    let asked = amendments.iter().any(|a| matches!(a, Amendment::Charts(_)));
    match rewritten_as(scene, &file, amendments) {
        Err(errors) if !asked && charts::prune(&mut file.charts, &errors) => {
            rewritten_as(scene, &file, amendments)
        }
        other => other,
    }
}

fn rewritten_as(
    scene: &Scene,
    file: &SceneFile,
    amendments: &[Amendment],
) -> Result<(Scene, Vec<String>), SceneErrors> {
    if *file == scene.file {
        return Ok((scene.clone(), Vec::new()));
    }
    let renamings = amendments.iter().filter_map(|a| match a {
        Amendment::Rename(renaming) => Some(renaming),
        _ => None,
    });
    let patched = names::patched(&scene.text, &scene.file, file, renamings);
    let next = read(scene, &patched.text)?;
    if next.file == *file {
        return Ok((next, patched.lost));
    }
    // A layout that the patch does not understand; the canonical one says the same.
    let whole = patch::whole(&scene.text, &write(file));
    Ok((read(scene, &whole.text)?, whole.lost))
}

/// Another text of the same scene.
pub(super) fn read(scene: &Scene, text: &str) -> Result<Scene, SceneErrors> {
    let folder = scene.path.as_ref().and_then(|p| p.parent());
    let files = Files::known(folder.map(Into::into), scene.meshes.clone());
    let next = from_text_named(&scene.name, &label(scene), text, &[], files)?;
    Ok(Scene {
        path: scene.path.clone(),
        ..next
    })
}

/// A model as it is shared: one of those known if it is the same, so that moments of it are moments of this one.
fn shared(model: &Model, known: &[Weak<Model>]) -> Arc<Model> {
    let known = known.iter().filter_map(Weak::upgrade);
    known
        .into_iter()
        .find(|k| **k == *model)
        .unwrap_or_else(|| Arc::new(model.clone()))
}

/// What a simulation of one scene has to do to be one of the other. `state` is where it goes on, if not where it is;
/// `known` are models that ran as the other.
pub(super) fn changes(
    scene: &Scene,
    next: &mut Scene,
    simulation: &mut Simulation,
    state: Option<&State>,
    known: &[Weak<Model>],
) -> Result<Vec<Change>, SceneErrors> {
    let mut changes = Vec::new();
    let method = REGISTRY.iter().find(|i| i.name == next.integrator);
    let chosen = next.file.integrator != scene.file.integrator;
    let method = method.filter(|_| chosen).unwrap_or(simulation.integrator());
    if let Some(reason) = integrators::refusal(method, &next.model) {
        let found = format!("`{}`, which cannot run this: {reason}", method.name);
        let expected = "a method that can, from the list in the toolbar";
        let problem = Problem::new(&["integrator", "method"], found, expected);
        return Err(located(next, problem));
    }
    carry::share_surfaces(simulation.model(), &mut next.model);
    let starts = simulation.state().step == scene.state.step && state.is_none();
    let same = *simulation.model() == next.model;
    if chosen {
        // Another method takes over what it knows of the settings; the rest follows.
        if simulation.integrator().name != method.name {
            changes.push(Change::Integrator(method.name));
        }
        if simulation.settings().taken_to(method) != next.settings {
            changes.push(Change::Settings(next.settings));
        }
    }
    if starts && (!same || next.state != scene.state || chosen) {
        changes.push(Change::Mechanism(Arc::new(Mechanism {
            model: shared(&next.model, known),
            state: State {
                time: simulation.state().time,
                step: simulation.state().step,
                ..next.state.clone()
            },
            first: true,
        })));
    } else if !same || state.is_some() {
        let old = simulation.shared_model().clone();
        let now = simulation.state();
        let (time, step, work) = (now.time, now.step, now.work);
        let fits = || carry::fits(&old, &next.model) || names::renamed(&old, &next.model).is_some();
        if state.is_none() && fits() {
            changes.push(Change::Model(shared(&next.model, known)));
        } else {
            let knot = match state {
                Some(state) => state.clone(),
                None => simulation.state_at_knot(),
            };
            let carried = carry::carry((&old, &knot), &next.model, &next.state);
            let carried = carried.map_err(|e| located(next, problem::of_assembly(&e)))?;
            let model = if same {
                old
            } else {
                shared(&next.model, known)
            };
            changes.push(Change::Mechanism(Arc::new(Mechanism {
                model,
                state: State {
                    time,
                    step,
                    work,
                    ..carried
                },
                first: false,
            })));
        }
    }
    Ok(changes)
}
