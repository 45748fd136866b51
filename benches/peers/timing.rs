//! Times the steps of one scene for `compare.py`, which hands in the task as JSON and reads the result as JSON.
//!
//! Many steps are timed together, so that reading the clock costs nothing, through the same scenes and the
//! same `Simulation` as everything else.

use driftless::integrators::LinearSolver;
use driftless::math::Vec3;
use driftless::model::{Joint, JointKind, Model, State};
use driftless::scene::{self, Scene};
use driftless::sim::{Input, Simulation, Statistics};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::time::Instant;

/// What to time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    scene: String,
    integrator: String,
    dt: f64,
    tolerance: f64,
    linear_solver: LinearSolver,
    /// Steps before the clock starts.
    warm_up: u64,
    /// Steps on the clock.
    steps: u64,
    /// How often to start over; the least time counts.
    repeats: u32,
}

/// What was measured, and the mechanism, so that a peer can be given the same one.
#[derive(Serialize)]
struct Measured {
    /// Time of the steps on the clock in the fastest repeat [s].
    seconds: f64,
    /// Largest energy error over all steps [J].
    max_energy_error: f64,
    /// Largest joint gap over all steps [m].
    max_drift: f64,
    /// Newton iterations of a step on average.
    iterations: f64,
    /// Steps that needed a second attempt.
    retried: u64,
    gravity: [f64; 3],
    links: Vec<Link>,
}

/// One body of an open chain and the joint to the body before it, at the start, in world axes.
#[derive(Serialize)]
struct Link {
    mass: f64,
    inertia: [[f64; 3]; 3],
    centre: [f64; 3],
    anchor: [f64; 3],
    /// Axis of a revolute joint; none for a spherical one.
    axis: Option<[f64; 3]>,
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` adds `--bench`.
    let Some(text) = std::env::args().skip(1).find(|a| a != "--bench") else {
        println!("run benches/peers/compare.py, which hands tasks to this program");
        return Ok(());
    };
    let task: Task = serde_json::from_str(&text)?;
    let mut scene = scene::open(&task.scene, &[])?;
    scene.integrator.clone_from(&task.integrator);
    scene.settings.dt = task.dt;
    scene.settings.tolerance = task.tolerance;
    scene.settings.linear_solver = task.linear_solver;
    println!("{}", serde_json::to_string(&measure(&task, &scene)?)?);
    Ok(())
}

fn measure(task: &Task, scene: &Scene) -> Result<Measured, Box<dyn Error>> {
    let mut sim = scene.simulation()?;
    let links = chain(sim.model(), sim.state())?;
    let input = Input::default();
    let run = |sim: &mut Simulation, steps| (0..steps).try_for_each(|_| sim.step(&input).map(drop));
    let mut seconds = f64::INFINITY;
    for _ in 0..task.repeats {
        sim.reset();
        run(&mut sim, task.warm_up)?;
        let start = Instant::now();
        run(&mut sim, task.steps)?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }

    // The same steps again, looked at one by one: looking must not be on the clock.
    sim.reset();
    let mut account = Statistics::new(sim.sample());
    for _ in 0..task.warm_up + task.steps {
        let _ = sim.step(&input)?;
        account.observe(&sim.sample());
    }
    Ok(Measured {
        seconds,
        max_energy_error: account.peaks.energy_error,
        max_drift: account.peaks.drift_position,
        iterations: account.peaks.mean_iterations(),
        retried: sim.outcomes().retried,
        gravity: sim.model().gravity.into(),
        links,
    })
}

/// The links of an open chain of revolute or spherical joints, first to last.
fn chain(model: &Model, state: &State) -> Result<Vec<Link>, Box<dyn Error>> {
    let is_next =
        |(k, j): (usize, &Joint)| j.child.0 == k && j.parent.map(|p| p.0) == k.checked_sub(1);
    if model.joints.len() != model.bodies.len() || !model.joints.iter().enumerate().all(is_next) {
        return Err("not an open chain".into());
    }
    model
        .joints
        .iter()
        .map(|joint| link(joint, model, state))
        .collect()
}

fn link(joint: &Joint, model: &Model, state: &State) -> Result<Link, Box<dyn Error>> {
    let body = &model.bodies[joint.child.0];
    let at = &state.bodies[joint.child.0];
    let turn = at.orientation.to_rotation_matrix();
    let axis = match joint.kind {
        JointKind::Spherical => None,
        JointKind::Revolute => {
            let axes = at.orientation * joint.child_frame.orientation;
            Some((axes * Vec3::z()).into())
        }
        kind => return Err(format!("{}: no counterpart for {kind:?}", joint.name).into()),
    };
    Ok(Link {
        mass: body.mass,
        inertia: (turn.matrix() * body.inertia * turn.matrix().transpose()).into(),
        centre: at.position.into(),
        anchor: (at.position + at.orientation * joint.child_frame.anchor).into(),
        axis,
    })
}
