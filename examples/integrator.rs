//! A method of one's own: the symplectic Euler method for free bodies, run beside the default one.

use driftless::build::{Body, Mechanism};
use driftless::integrators::{
    Integrator, IntegratorInfo, Settings, StepError, StepReport, Support,
};
use driftless::math::Quat;
use driftless::model::{Input, Model, State};
use driftless::sim::Simulation;
use std::error::Error;

/// What it is and what it can do.
static FREE_EULER: IntegratorInfo = IntegratorInfo {
    name: "free-euler",
    summary: "symplectic Euler for free bodies",
    order: 1,
    order_with: |info, _| Some(info.order),
    symplectic: false,
    momentum_preserving: true,
    drift_free: true,
    supports: Support {
        loops: false,
        contact: false,
        limits: false,
        cables: false,
        dissipation: false,
    },
    source: "Euler",
    options: &[],
    refuse: |model| {
        let free = model.joints.is_empty() && model.forces.is_empty();
        (!free).then(|| "it knows free bodies alone".into())
    },
    check: |_| Ok(()),
    build: |_, _, _| Box::new(FreeEuler),
};

struct FreeEuler;

impl Integrator for FreeEuler {
    fn info(&self) -> &'static IntegratorInfo {
        &FREE_EULER
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        _input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        report.clear();
        let h = settings.dt;
        for (body, at) in model.bodies.iter().zip(&mut state.bodies) {
            at.velocity.linear += h * model.gravity;
            at.position += h * at.velocity.linear;
            at.momentum = body.mass * at.velocity.linear;
            at.orientation = Quat::from_scaled_axis(h * at.velocity.angular) * at.orientation;
            // The angular momentum stays; the angular velocity is that of the new orientation.
            let spin = at
                .orientation
                .inverse_transform_vector(&at.angular_momentum);
            let rate = body
                .inertia
                .cholesky()
                .map_or(spin, |inertia| inertia.solve(&spin));
            at.velocity.angular = at.orientation * rate;
        }
        state.time += h;
        state.step += 1;
        Ok(())
    }
}

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let brick = Body::new("brick")
        .cuboid([0.1, 0.2, 0.3])
        .position([0.0, 0.0, 2.0]);
    let thrown = brick
        .velocity([1.0, 0.0, 5.0])
        .angular_velocity([0.1, 8.0, 0.1]);
    let scene = Mechanism::new().body(thrown).dt(0.001).scene()?;
    let method = Box::new(FreeEuler);
    let mut own = Simulation::with_integrator(
        scene.model.clone(),
        scene.state.clone(),
        method,
        scene.settings,
    )?;
    let mut default = scene.simulation()?;
    for _ in 0..1000 {
        own.step(&Input::default())?;
        default.step(&Input::default())?;
    }
    let [a, b] = [&own, &default].map(|sim| sim.state().bodies[0].position);
    println!(
        "{} and {}: {:.1e} m apart",
        own.integrator().name,
        default.integrator().name,
        (a - b).norm()
    );
    // Of first order: half of g t h, 5 mm.
    assert!((a - b).norm() < 0.01);
    Ok(())
}
