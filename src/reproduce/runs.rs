//! Steps of an experiment, and what they take.

use super::RunError;
use physics::integrators::{BuildError, Settings, SettingsError, Written, find};
use physics::model::{Input, Model, State};
use physics::sim::{Simulation, SimulationError};
use std::time::Instant;

/// A method with its options.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// What it is called in the table.
    pub name: &'static str,
    /// Its name in the registry.
    pub method: &'static str,
    /// Its options.
    pub options: &'static [(&'static str, &'static str)],
}

impl Case {
    /// A method as it is.
    pub const fn plain(method: &'static str) -> Self {
        Self {
            name: method,
            method,
            options: &[],
        }
    }

    /// Settings with its options.
    pub fn settings(&self, dt: f64, tolerance: f64) -> Result<Settings, SimulationError> {
        let info = find(self.method)?;
        let mut settings = Settings {
            dt,
            tolerance,
            max_iterations: 100,
            ..Settings::default()
        };
        for (name, value) in self.options {
            let set = settings
                .options
                .set(info.options, name, &Written::from(*value));
            set.map_err(|e| BuildError::from(SettingsError::from(e)))?;
        }
        Ok(settings)
    }

    /// A simulation of a mechanism by it.
    pub fn simulation(
        &self,
        (model, state): &(Model, State),
        dt: f64,
        tolerance: f64,
    ) -> Result<Simulation, RunError> {
        let settings = self.settings(dt, tolerance)?;
        let sim = Simulation::new(model.clone(), state.clone(), self.method, settings)?;
        Ok(sim)
    }
}

/// One step without input.
pub fn step(sim: &mut Simulation) -> Result<(), RunError> {
    let method = sim.integrator().name;
    match sim.step(&Input::default()) {
        Ok(_) => Ok(()),
        Err(error) => Err(RunError::Step {
            method: method.into(),
            error,
        }),
    }
}

/// Mean time of a step after the first, in which the workspace grows (s). Runs are the same to the last bit, so that the least
/// time of each step over all of them is what it takes, and the rest is what else the machine did.
pub fn mean_time(sim: &mut Simulation, steps: u32, repeats: u32) -> Result<f64, RunError> {
    let mut least = vec![f64::INFINITY; steps as usize];
    for _ in 0..repeats {
        sim.reset();
        step(sim)?;
        for least in &mut least {
            let start = Instant::now();
            step(sim)?;
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    Ok(least.iter().sum::<f64>() / f64::from(steps))
}
