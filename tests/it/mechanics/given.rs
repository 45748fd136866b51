//! A method that is in no registry.

use crate::mechanics::benchmarks;
use driftless::integrators::{
    self, Integrator, IntegratorInfo, Settings, StepError, StepReport, Support,
};
use driftless::math::Vec3;
use driftless::model::{Input, Model, State};
use driftless::sim::{Simulation, SimulationError};

/// `rk4` under another name, for single bodies, that counts its steps.
static COUNTING: IntegratorInfo = IntegratorInfo {
    name: "counting",
    summary: "rk4 with a count of its steps",
    order: 4,
    order_with: |info, _| Some(info.order),
    symplectic: false,
    momentum_preserving: false,
    drift_free: false,
    supports: Support {
        loops: true,
        contact: false,
        limits: false,
        cables: false,
        dissipation: true,
    },
    source: "a test",
    options: &[],
    refuse: |model| (model.bodies.len() > 1).then(|| "it knows one body alone".into()),
    check: |_| Ok(()),
    build: |_, model, settings| Box::new(Counting::new(model, settings)),
};

struct Counting(Box<dyn Integrator>);

impl Counting {
    fn new(model: &Model, settings: &Settings) -> Self {
        Self(integrators::build("rk4", model, settings).expect("it is registered"))
    }
}

impl Integrator for Counting {
    fn info(&self) -> &'static IntegratorInfo {
        &COUNTING
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        self.0.step(model, state, input, settings, report)?;
        let count = state.memory.words.first().map_or(0, |n| *n);
        state.memory.words = vec![count + 1];
        Ok(())
    }
}

fn steps(sim: &mut Simulation, count: usize) {
    for _ in 0..count {
        sim.step(&Input::default()).expect("the step succeeds");
    }
}

#[test]
fn a_method_needs_no_place_in_the_registry() {
    let (model, state) = benchmarks::tumbling_body();
    let settings = Settings::default();
    let method = Box::new(Counting::new(&model, &settings));
    let sim = Simulation::with_integrator(model.clone(), state.clone(), method, settings);
    let mut sim = sim.expect("it runs");
    let mut rk4 = Simulation::new(model.clone(), state, "rk4", settings).expect("it runs");
    steps(&mut sim, 10);
    steps(&mut rk4, 10);
    assert_eq!(sim.integrator().name, "counting");
    assert_eq!(sim.state().bodies, rk4.state().bodies);
    assert_eq!(sim.state().memory.words, [10]);
    // Settings and models change under it, it gives way to another and comes back, and goes to a past moment.
    let moment = sim.snapshot();
    sim.set_settings(Settings {
        dt: 0.005,
        ..settings
    })
    .expect("it takes them");
    steps(&mut sim, 1);
    let mut lighter = model;
    lighter.gravity = Vec3::new(0.0, 0.0, -1.0);
    sim.set_model(lighter).expect("it takes it");
    steps(&mut sim, 1);
    sim.set_integrator("variational-2").expect("it takes over");
    steps(&mut sim, 1);
    sim.set_integrator("counting").expect("it is known here");
    sim.set_integrator("heun").expect("it takes over");
    sim.restore(&moment).expect("it is known here");
    steps(&mut sim, 1);
    steps(&mut rk4, 1);
    assert_eq!(sim.state().bodies, rk4.state().bodies);
    assert_eq!(sim.state().memory.words, [11]);
    // What it refuses it refuses here too.
    let (model, state) = benchmarks::slider_crank();
    let method = Box::new(Counting::new(&model, &settings));
    let refused = Simulation::with_integrator(model, state, method, settings).err();
    let Some(SimulationError::Integrator(error)) = refused else {
        panic!("{refused:?}")
    };
    assert!(
        error.to_string().contains("it knows one body alone"),
        "{error}"
    );
}
