//! J. Lee, C. K. Liu, F. C. Park, S. S. Srinivasa: A Linear-Time Variational Integrator for Multibody Systems [Lee2016].

pub mod convergence;
pub mod energy;
pub mod iterations;
pub mod time;
pub mod tolerance;

use super::{RunError, mean_time, step};
use physics::integrators::Settings;
use physics::kinematics::{Tree, TreeMotion, set_momenta};
use physics::math::{Mat3, Quat, Vec3};
use physics::model::{Body, BodyId, Joint, JointFrame, JointKind, Model, ModelParts, State};
use physics::sim::Simulation;
use std::f64::consts::{FRAC_PI_2, PI};

/// Key of the paper.
const PAPER: &str = "lee2016";

/// Length of a link (m).
const LENGTH: f64 = 1.5;

/// The golden ratio less one: its multiples less whole numbers are spread evenly between 0 and 1.
const SPREAD: f64 = 0.618_033_988_749_894_9;

/// The serial chain of the paper's code: links of 1 kg and 1 kg·m² about every axis, 1.5 m apart, on hinges about x, upright
/// from a height of 10 m. Angles and rates are spread over ±π/2, as the paper's code drew them at random.
fn chain(links: usize, gravity: f64) -> (Model, State) {
    let about_x = Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
    let frame = |z: f64| JointFrame {
        anchor: Vec3::new(0.0, 0.0, z),
        orientation: about_x,
    };
    let joint = |k: usize| Joint {
        name: format!("joint_{}", k + 1),
        kind: JointKind::Revolute,
        parent: k.checked_sub(1).map(BodyId),
        child: BodyId(k),
        parent_frame: frame(if k == 0 { 10.0 } else { 0.5 * LENGTH }),
        child_frame: frame(-0.5 * LENGTH),
        damping_translation: 0.0,
        damping_rotation: 0.0,
        springs: Vec::new(),
        actuators: Vec::new(),
        limits: Vec::new(),
        compliance: Default::default(),
    };
    let parts = ModelParts {
        bodies: (0..links)
            .map(|k| Body::new(format!("link_{}", k + 1), 1.0, Mat3::identity()))
            .collect(),
        joints: (0..links).map(joint).collect(),
        gravity: Vec3::new(0.0, 0.0, -gravity),
        ..ModelParts::default()
    };
    let model = Model::new(parts).expect("the chain is a valid model");
    let spread = |k: usize| PI * ((k as f64 * SPREAD).fract() - 0.5);
    let q: Vec<f64> = (1..=links).map(spread).collect();
    let v: Vec<f64> = (links + 1..=2 * links).map(spread).collect();
    let tree = Tree::new(&model);
    let mut motion = TreeMotion::new(&tree);
    motion.place(&tree, &q);
    motion.drive(&tree, &v);
    let mut state = State::at_rest(&model);
    motion.write(&tree, &mut state.bodies);
    tree.write_angles(&q, &mut state.angles);
    set_momenta(&model, &mut state.bodies);
    (model, state)
}

/// Settings of the paper: steps of 1 ms.
fn settings(tolerance: f64) -> Settings {
    Settings {
        dt: 1e-3,
        tolerance,
        ..Settings::default()
    }
}

/// A simulation of a chain.
fn simulation(
    (model, state): &(Model, State),
    method: &str,
    settings: Settings,
) -> Result<Simulation, RunError> {
    let sim = Simulation::new(model.clone(), state.clone(), method, settings)?;
    Ok(sim)
}
