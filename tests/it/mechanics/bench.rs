//! Running a mechanism and measuring an order.

use driftless::integrators::{self, Settings};
use driftless::model::{Model, State};
use driftless::sim::{Input, Simulation};

/// Settings with a step and a tolerance.
pub fn settings(dt: f64, tolerance: f64) -> Settings {
    Settings {
        dt,
        tolerance,
        ..Settings::default()
    }
}

/// A simulation of a mechanism.
pub fn simulation(mechanism: &(Model, State), integrator: &str, settings: Settings) -> Simulation {
    let (model, state) = mechanism;
    Simulation::new(model.clone(), state.clone(), integrator, settings)
        .expect("the method takes the mechanism")
}

/// Steps without input; every step must succeed.
pub fn run(sim: &mut Simulation, steps: u64) {
    let input = Input::default();
    for _ in 0..steps {
        sim.step(&input).expect("the step succeeds");
    }
}

/// Settings with options of a method, written `NAME=VALUE,…`.
pub fn with_options(mut settings: Settings, method: &str, options: &str) -> Settings {
    let info = integrators::find(method).expect("the method is listed");
    for pair in options.split(',').filter(|p| !p.is_empty()) {
        let (name, value) = pair.split_once('=').expect("NAME=VALUE");
        let set = settings.options.set(info.options, name, &value.into());
        set.expect("the method has the option");
    }
    settings
}

/// Observed order from errors at steps halved each time: that of the last halving.
pub fn order(errors: &[f64]) -> f64 {
    let n = errors.len();
    (errors[n - 2] / errors[n - 1]).log2()
}

/// How a method is to meet a reference.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub integrator: &'static str,
    /// Steps to the time of the reference.
    pub steps: u64,
    /// Options of the method, as `NAME=VALUE,…`.
    pub options: &'static str,
    /// Largest error allowed, in the unit of the reference.
    pub tolerance: f64,
}

/// Runs a mechanism to `t` with every case and holds the error that `read` finds to its tolerance.
pub fn check(
    name: &str,
    mechanism: &(Model, State),
    t: f64,
    cases: &[Case],
    read: impl Fn(&mut Simulation) -> f64,
) {
    for case in cases {
        let settings = settings(t / case.steps as f64, 1e-10);
        let settings = with_options(settings, case.integrator, case.options);
        let mut sim = simulation(mechanism, case.integrator, settings);
        run(&mut sim, case.steps);
        let found = read(&mut sim);
        println!(
            "{name}, {}, {} steps: error {found:.3e}",
            case.integrator, case.steps
        );
        assert!(found < case.tolerance, "{name}, {case:?}: error {found:e}");
    }
}
