//! J. Brüdigam, Z. Manchester: Linear-Time Variational Integrators in Maximal Coordinates [Brüdigam2020]; J. Brüdigam,
//! S. Sosnowski, Z. Manchester, S. Hirche: Variational integrators and graph-based solvers for multibody dynamics in maximal
//! coordinates [Brüdigam2023].
//!
//! The later paper repeats most figures of the earlier one: an item for each, and a file for each experiment. What judges is
//! run by [`OURS`] unless a test puts another method in its place.

#[cfg(test)]
mod breaks;
pub mod chain_time;
pub mod damping;
pub mod drift;
pub mod drop;
pub mod energy;
pub mod four_bar;
pub mod general_lu;
pub mod graphs;
pub mod leg;
pub mod loop_time;
pub mod newton;
pub mod scales;
pub mod segments;
pub mod sign;
pub mod sparse;
pub mod spheres;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod time_tests;
pub mod tolerance;

use super::fit::order;
use super::runs::Case;
use super::{RunError, Table, mean_time};
use physics::model::{JointKind, Model, State};
use physics::scene;

/// Keys of the papers.
const PAPER_2020: &str = "bruedigam2020";
const PAPER_2023: &str = "bruedigam2023";

/// The method of both papers, started and read as they print it.
pub const OURS: Case = Case::plain("variational");

/// Step and tolerance of both, where they do not say otherwise (s).
pub const STEP: f64 = 0.01;
pub const TOLERANCE: f64 = 1e-10;

/// Gravity (m/s²).
const G: f64 = 9.81;

/// A shipped or parametric mechanism.
pub fn opened(spec: &str) -> (Model, State) {
    let scene = scene::open(spec, &[]).expect("what an item opens is shipped");
    (scene.model, scene.state)
}

/// A mechanism that an item describes.
fn described(text: &str) -> (Model, State) {
    let scene = scene::from_text(PAPER_2023, text, &[]).expect("what an item describes is valid");
    (scene.model, scene.state)
}

/// The n-link pendulum of both papers with the inertia that their code gives its cylinders, straight at 45° from hanging.
pub fn chain(links: usize, joint: &str) -> (Model, State) {
    opened(&format!("chain:links={links},joint={joint},inertia=paper"))
}

/// The same with the right inertia of solid cylinders.
fn chain_of_cylinders(links: usize, joint: &str) -> (Model, State) {
    opened(&format!(
        "chain:links={links},joint={joint},inertia=cylinder"
    ))
}

/// The same mechanism with another kind for the joints whose names are meant.
fn with_joints(
    (model, state): (Model, State),
    kind: JointKind,
    meant: impl Fn(&str) -> bool,
) -> (Model, State) {
    let mut parts = model.parts();
    for joint in parts.joints.iter_mut().filter(|j| meant(&j.name)) {
        joint.kind = kind;
    }
    let model = Model::new(parts).expect("a hinge without laws can be a joint of another kind");
    let state = State {
        bodies: state.bodies,
        ..State::at_rest(&model)
    };
    (model, state)
}

/// The same mechanism with ball joints for its hinges.
fn with_balls(mechanism: (Model, State)) -> (Model, State) {
    with_joints(mechanism, JointKind::Spherical, |_| true)
}

/// The same mechanism with the hinges that are meant closed in their plane alone, the child's anchor on the hinge's axis: what else
/// they hold, a loop in a plane holds already. The code of the papers closes its loops so.
pub fn closed_in_plane(mechanism: (Model, State), meant: impl Fn(&str) -> bool) -> (Model, State) {
    with_joints(mechanism, JointKind::PointOnLine, meant)
}

/// Mean time of a step (s); not a number where a step fails.
fn time(
    mechanism: &(Model, State),
    case: &Case,
    tolerance: f64,
    (steps, repeats): (u32, u32),
) -> Result<f64, RunError> {
    let mut sim = case.simulation(mechanism, STEP, tolerance)?;
    match mean_time(&mut sim, steps, repeats) {
        Err(RunError::Step { .. }) => Ok(f64::NAN),
        other => other,
    }
}

/// Exponent of the growth of a column against another from a value of that on.
pub fn growth(table: &Table, of: &str, column: &str, from: f64) -> f64 {
    let points = table.points(of, column);
    let late: Vec<[f64; 2]> = points.into_iter().filter(|p| p[0] >= from).collect();
    order(&late)
}

/// Largest of the numbers.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}
