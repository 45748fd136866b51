//! Doing again what a log holds, and checking after every step that the same came of it.

use super::{Log, Simulation, SimulationError, StepError};
use crate::model::{Difference, State};
use std::collections::BTreeMap;
use std::fmt;

/// A log being replayed.
pub struct Replay {
    simulation: Simulation,
    log: Log,
    states: BTreeMap<u64, State>,
}

/// A replay that came to another state than the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Divergence {
    /// The first step after which the states differ.
    pub step: u64,
    /// Simulated time after it (s).
    pub time: f64,
    /// Hash of the recorded state.
    pub recorded: u64,
    /// Hash of the state that was reached.
    pub reached: u64,
    /// The first step from here whose whole state was recorded, and where the two differ there; the first value is
    /// that of the replay.
    pub compared: Option<(u64, Option<Difference>)>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self {
            step,
            time,
            recorded,
            reached,
            compared,
        } = self;
        write!(
            f,
            "diverged at step {step} (t = {time:.6} s): the state has the hash {reached:016x} and not {recorded:016x}; "
        )?;
        let Some((at, difference)) = compared else {
            return f.write_str("the record holds no state from there on to compare with");
        };
        if at != step {
            write!(
                f,
                "at step {at}, the next of which the record holds the state, "
            )?;
        }
        match difference {
            Some(difference) => write!(f, "{difference}"),
            None => f.write_str("both are the same again"),
        }
    }
}

/// Why a replay cannot go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// Another state than the recorded one.
    #[error("{0}")]
    Diverged(Box<Divergence>),
    /// A step left no usable state although the recorded one did.
    #[error("diverged at step {step}: the recorded step succeeded, but now {error}")]
    Failed {
        /// The step.
        step: u64,
        /// What went wrong.
        error: StepError,
    },
    /// The record ends with a step that failed, and now it does not, or in another way.
    #[error("diverged at step {step}: the recorded step failed ({recorded}), but now {}", found.as_deref().unwrap_or("it succeeds"))]
    NotFailed {
        /// The step.
        step: u64,
        /// The recorded error.
        recorded: String,
        /// The error now, if there is one.
        found: Option<String>,
    },
    /// A recorded change cannot be made.
    #[error("before step {step}: {error}")]
    Change {
        /// The step.
        step: u64,
        /// What went wrong.
        error: SimulationError,
    },
}

impl Replay {
    /// Replays a log from the state it begins with, in which the simulation must be. `states` are some of the
    /// recorded states by their step: with them a divergence can say what differs.
    pub fn new(simulation: Simulation, log: Log, states: BTreeMap<u64, State>) -> Self {
        Self {
            simulation,
            log,
            states,
        }
    }

    /// The simulation in the state reached.
    pub fn simulation(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// The log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Steps taken by the state reached.
    pub fn step(&self) -> u64 {
        self.simulation.state().step
    }

    /// Takes the next step; false at the end of the log. After a divergence the simulation is in the state that was
    /// reached instead, and may be advanced further.
    pub fn advance(&mut self) -> Result<bool, ReplayError> {
        let step = self.step() + 1;
        let Some(recorded) = self.log.digest(step) else {
            return self.ending(step).map(|()| false);
        };
        self.take(step)?;
        let state = self.simulation.state();
        let reached = state.digest();
        if reached == recorded {
            return Ok(true);
        }
        let time = state.time;
        Err(ReplayError::Diverged(Box::new(Divergence {
            step,
            time,
            recorded,
            reached,
            compared: self.locate(),
        })))
    }

    fn take(&mut self, step: u64) -> Result<(), ReplayError> {
        for change in self.log.changes(step) {
            self.simulation
                .apply(change)
                .map_err(|error| ReplayError::Change { step, error })?;
        }
        match self.simulation.timed_step(self.log.input(step)) {
            Ok(_) => Ok(()),
            Err(error) => Err(ReplayError::Failed { step, error }),
        }
    }

    /// Whether the step after the last one fails as it did.
    fn ending(&mut self, step: u64) -> Result<(), ReplayError> {
        let Some(failure) = self.log.failure() else {
            return Ok(());
        };
        for change in self.log.changes(step) {
            self.simulation
                .apply(change)
                .map_err(|error| ReplayError::Change { step, error })?;
        }
        let found = match self.simulation.step(&failure.input) {
            Err(error) if error.to_string() == failure.error => return Ok(()),
            Err(error) => Some(error.to_string()),
            Ok(_) => None,
        };
        Err(ReplayError::NotFailed {
            step,
            recorded: failure.error.clone(),
            found,
        })
    }

    /// The difference at the first recorded state from here on; the simulation stays where it is.
    fn locate(&mut self) -> Option<(u64, Option<Difference>)> {
        let here = self.simulation.snapshot();
        let at = *self.states.range(self.step()..).next()?.0;
        let reached = (self.step() + 1..=at).try_for_each(|step| self.take(step));
        let found = reached.ok().map(|()| {
            let (state, model) = (self.simulation.state(), self.simulation.model());
            (at, state.difference(&self.states[&at], model))
        });
        self.simulation
            .restore(&here)
            .expect("a simulation can be what it was");
        found
    }
}
