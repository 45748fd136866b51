//! E. M. Drumwright: An Unconditionally Stable First-Order Constraint Solver for Multibody Systems [Drumwright].
//!
//! An item per figure, and one for each claim that the text makes beside them.

pub mod contradiction;
mod foundation;
pub mod foundation_error;
pub mod foundation_time;
pub mod limit;
pub mod map;
pub mod oscillator;
pub mod pendulum;
pub mod pendulum_energy;
pub mod rigid;
mod scheme;
pub mod slope;
pub mod stability;
pub mod stack;
#[cfg(test)]
mod tests;

use super::fit::{order, slope_of};
use super::{RunError, step};
use physics::integrators::{Settings, find};
use physics::math::{Quat, Vec3};
use physics::model::{BodyId, Joint, JointFrame, JointKind, Model, State};
use physics::scene;
use physics::sim::Simulation;

/// Key of the paper.
const PAPER: &str = "drumwright";

/// The method of the paper.
const METHOD: &str = "compliant";

/// Gravity (m/s²).
const G: f64 = 9.81;

/// A joint between world and body, its frames parallel to the axes of both.
fn joint(kind: JointKind, name: &str, child: BodyId, anchors: [Vec3; 2]) -> Joint {
    let [parent_frame, child_frame] = anchors.map(|anchor| JointFrame {
        anchor,
        orientation: Quat::identity(),
    });
    Joint {
        name: name.into(),
        kind,
        parent: None,
        child,
        parent_frame,
        child_frame,
        damping_translation: 0.0,
        damping_rotation: 0.0,
        springs: Vec::new(),
        actuators: Vec::new(),
        limits: Vec::new(),
        compliance: Default::default(),
    }
}

/// A mechanism that an item describes.
fn described(text: &str) -> (Model, State) {
    let scene = scene::from_text(PAPER, text, &[]).expect("what an item describes is valid");
    (scene.model, scene.state)
}

/// A simulation of a mechanism by a method as it is.
fn simulation(
    (model, state): &(Model, State),
    method: &str,
    dt: f64,
) -> Result<Simulation, RunError> {
    let settings = Settings {
        dt,
        ..Settings::default()
    };
    let sim = Simulation::new(model.clone(), state.clone(), method, settings)?;
    Ok(sim)
}

/// A simulation by the step that the paper publishes: gradients are those of the start alone.
fn as_published((model, state): &(Model, State), dt: f64) -> Result<Simulation, RunError> {
    let mut settings = Settings {
        dt,
        ..Settings::default()
    };
    let known = find(METHOD).expect("the method is listed").options;
    let set = settings.options.set(known, "corrections", &"0".into());
    set.expect("the method has the option");
    let sim = Simulation::new(model.clone(), state.clone(), METHOD, settings)?;
    Ok(sim)
}

/// Steps without input.
fn steps(sim: &mut Simulation, count: u64) -> Result<(), RunError> {
    (0..count).try_for_each(|_| step(sim))
}
