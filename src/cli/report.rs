//! What a run came to, as the one JSON object that `run --json` prints.

use super::changes::Made;
use super::outcome::Outcome;
use crate::integrators::{IntegratorInfo, OptionValue, Settings};
use crate::model::{BodyId, JointId, Model};
use crate::scene::Scene;
use crate::sim::Simulation;
use serde::Serialize;
use std::collections::BTreeMap;

/// The whole report. Other programs read these keys; SI units and radians throughout.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    scene: String,
    integrator: &'static str,
    /// Every option of the method, as it was at the end.
    options: BTreeMap<&'static str, OptionValue>,
    dt: f64,
    steps: u64,
    time: f64,
    wall_seconds: f64,
    step_seconds: StepSeconds,
    bodies: usize,
    /// Bodies that sleep at the end.
    asleep: u32,
    joints: usize,
    equations: usize,
    redundant: usize,
    energy: Energy,
    drift: Drift,
    iterations: Iterations,
    residual_max: f64,
    outcomes: Outcomes,
    contact: Contact,
    momentum: Momentum,
    /// What `--change` did on the way.
    changes: Vec<Changed>,
    joints_final: Vec<JointFinal>,
    bodies_final: Vec<BodyFinal>,
}

#[derive(Debug, Serialize)]
struct Changed {
    time: f64,
    step: u64,
    /// New values by their paths, as they were asked for.
    values: BTreeMap<String, String>,
    /// Largest joint gap that was closed.
    closed_position: f64,
    /// Largest joint misalignment that was closed.
    closed_angle: f64,
    /// Energy that this brought.
    energy: f64,
}

#[derive(Debug, Serialize)]
struct StepSeconds {
    mean: f64,
    median: f64,
    p99: f64,
    max: f64,
}

#[derive(Debug, Serialize)]
struct Energy {
    initial: f64,
    #[serde(rename = "final")]
    last: f64,
    max_error: f64,
    external_work: f64,
    /// By dampers, and by falling asleep.
    dissipated: f64,
    /// By impacts.
    impact: f64,
    /// By friction.
    friction: f64,
    /// Brought by changes on the way.
    correction: f64,
}

#[derive(Debug, Serialize)]
struct Drift {
    max_position: f64,
    max_angle: f64,
    final_position: f64,
    final_angle: f64,
}

#[derive(Debug, Serialize)]
struct Iterations {
    mean: f64,
    max: u32,
    total: u64,
}

#[derive(Debug, Serialize)]
struct Outcomes {
    converged: u64,
    stalled: u64,
    iteration_limit: u64,
    /// Steps whose budget for contact was spent.
    capped: u64,
    failed: u64,
    sweeps: u64,
    interior_point: u64,
    shifted: u64,
    substeps: u64,
    relaxed: u64,
    /// Steps in which a free body made its turn in several.
    turns: u64,
    /// The body that asked for the last cut of a step or of its own turn.
    asked: Option<String>,
}

#[derive(Debug, Serialize)]
struct Contact {
    max_penetration: f64,
    /// `null` where no contact point is near.
    min_gap_final: Option<f64>,
    max_contacts: u32,
    max_complementarity: f64,
    max_cone_violation: f64,
    /// Of the laws of contact (m/s).
    max_law_violation: f64,
    /// Steps after which velocities, and so the energy, could not be read by the laws of contact.
    rough_velocities: u64,
}

#[derive(Debug, Serialize)]
struct Momentum {
    linear_change: f64,
    angular_change: f64,
}

#[derive(Debug, Serialize)]
struct JointFinal {
    name: String,
    coordinates: Vec<f64>,
    rates: Vec<f64>,
}

#[derive(Debug, Serialize)]
struct BodyFinal {
    name: String,
    /// Centre of mass.
    position: [f64; 3],
    /// w, x, y, z of `world_from_body`.
    orientation: [f64; 4],
    velocity: [f64; 3],
    angular_velocity_body: [f64; 3],
}

impl Report {
    /// Sums up a run that ended in the state of `sim`.
    pub(super) fn new(scene: &Scene, sim: &mut Simulation, run: &Outcome) -> Self {
        let account = &run.statistics;
        let times = &account.step_times;
        let outcomes = sim.outcomes();
        let Model { bodies, joints, .. } = sim.model();
        let (bodies, joints) = (bodies.len(), joints.len());
        Self {
            scene: scene.name.clone(),
            integrator: sim.integrator().name,
            options: method_options(sim.integrator(), sim.settings()),
            dt: sim.settings().dt,
            steps: account.peaks.steps,
            time: sim.state().time,
            wall_seconds: run.wall_seconds,
            step_seconds: StepSeconds {
                mean: times.mean(),
                median: times.quantile(0.5),
                p99: times.quantile(0.99),
                max: times.longest(),
            },
            bodies,
            asleep: account.last.asleep,
            joints,
            equations: sim.model().equations(),
            redundant: scene.assembly.redundant,
            energy: Energy {
                initial: account.first.energy.total(),
                last: account.last.energy.total(),
                max_error: account.peaks.energy_error,
                external_work: account.last.external_work,
                dissipated: account.last.dissipated,
                impact: account.last.contact_loss[0],
                friction: account.last.contact_loss[1],
                correction: account.last.correction,
            },
            drift: Drift {
                max_position: account.peaks.drift_position,
                max_angle: account.peaks.drift_angle,
                final_position: account.last.drift_position,
                final_angle: account.last.drift_angle,
            },
            iterations: Iterations {
                mean: account.peaks.mean_iterations(),
                max: account.peaks.iterations,
                total: account.peaks.total_iterations,
            },
            residual_max: account.peaks.residual,
            outcomes: Outcomes {
                converged: outcomes.converged,
                stalled: outcomes.stalled,
                iteration_limit: outcomes.iteration_limit,
                capped: outcomes.capped,
                failed: outcomes.failed,
                sweeps: outcomes.sweeps,
                interior_point: outcomes.interior_point,
                shifted: outcomes.shifted,
                substeps: outcomes.substeps,
                relaxed: outcomes.relaxed,
                turns: outcomes.turns,
                asked: outcomes
                    .asked
                    .map(|body| sim.model().bodies[body.0].name.clone()),
            },
            contact: Contact {
                max_penetration: account.peaks.penetration,
                min_gap_final: account.final_gap(),
                max_contacts: account.peaks.contacts,
                max_complementarity: account.peaks.complementarity,
                max_cone_violation: account.peaks.cone_violation,
                max_law_violation: account.peaks.law_violation,
                rough_velocities: account.peaks.rough_velocities,
            },
            momentum: Momentum {
                linear_change: account.linear_momentum_change(),
                angular_change: account.angular_momentum_change(),
            },
            changes: run.changes.iter().map(changed).collect(),
            joints_final: (0..joints).map(|k| joint_final(sim, JointId(k))).collect(),
            bodies_final: (0..bodies).map(|k| body_final(sim, BodyId(k))).collect(),
        }
    }
}

/// Every option of a method and its value.
pub(super) fn method_options(
    method: &IntegratorInfo,
    settings: &Settings,
) -> BTreeMap<&'static str, OptionValue> {
    let all = settings.options.all(method.options);
    all.map(|(spec, value)| (spec.name, value)).collect()
}

fn changed(made: &Made) -> Changed {
    Changed {
        time: made.time,
        step: made.step,
        values: made.sets.iter().cloned().collect(),
        closed_position: made.correction.gap,
        closed_angle: made.correction.angle,
        energy: made.correction.energy,
    }
}

fn joint_final(sim: &mut Simulation, joint: JointId) -> JointFinal {
    JointFinal {
        name: sim.model().joints[joint.0].name.clone(),
        coordinates: sim.coordinates(joint),
        rates: sim.rates(joint),
    }
}

fn body_final(sim: &mut Simulation, body: BodyId) -> BodyFinal {
    let velocity = sim.velocities()[body.0];
    let state = &sim.state().bodies[body.0];
    let q = state.orientation;
    BodyFinal {
        name: sim.model().bodies[body.0].name.clone(),
        position: state.position.into(),
        orientation: [q.w, q.i, q.j, q.k],
        velocity: velocity.linear.into(),
        angular_velocity_body: q.inverse_transform_vector(&velocity.angular).into(),
    }
}
