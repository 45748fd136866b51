//! Steps of an experiment, and what they take.

use super::RunError;
use crate::model::Input;
use crate::sim::Simulation;
use std::time::Instant;

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

/// Mean time of a step after the first, in which the workspace grows [s]. Runs are the same to the last bit, so that the least
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
