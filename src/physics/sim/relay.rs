//! Ways of a simulation that another one goes in its place, on another thread, to the same bits.

use super::{Change, Input, Mechanism, Simulation, SimulationError, Snapshot};
use crate::integrators::StepError;
use crate::stopwatch::Phase;
use std::mem::swap;
use std::time::Instant;

/// What leads from one moment to another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Leg {
    /// Changes before the step.
    pub changes: Vec<Change>,
    /// What acts during the step; nothing where none is taken.
    pub input: Option<Input>,
    /// Changes after it, with which a branch ends.
    pub after: Vec<Change>,
}

impl Leg {
    /// A step without changes.
    pub fn step(input: Input) -> Self {
        Self {
            input: Some(input),
            ..Self::default()
        }
    }

    /// Changes without a step.
    pub fn changes(changes: Vec<Change>) -> Self {
        Self {
            changes,
            ..Self::default()
        }
    }
}

/// Why a leg leads nowhere.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LegError {
    /// A change cannot be made.
    #[error(transparent)]
    Change(#[from] SimulationError),
    /// The step failed.
    #[error(transparent)]
    Step(#[from] StepError),
}

impl Simulation {
    /// Goes a leg from a moment of another simulation, which gets the result by [`Self::relieve`]. `stopped` measures
    /// where the time goes. Gives back the [digest](crate::model::State::digest) of the state before the changes that come last.
    pub fn go_for(&mut self, moment: &Snapshot, leg: &Leg, stopped: bool) -> Result<u64, LegError> {
        self.restore(moment)?;
        self.set_profiling(stopped);
        for change in &leg.changes {
            self.apply(change)?;
        }
        if let Some(input) = &leg.input {
            self.timed_step(input)?;
        }
        let digest = self.state.digest();
        for change in &leg.after {
            self.apply(change)?;
        }
        // Where bodies touch this takes as long as a step.
        let start = Instant::now();
        self.velocities();
        if let Some(profile) = &mut self.profile {
            profile.add(Phase::Measure, start.elapsed());
        }
        Ok(digest)
    }

    /// Changes places with another simulation that has gone a leg from the present moment of this one, or has failed
    /// to. What a moment does not hold stays: the first state, and where the time of the last steps went.
    pub fn relieve(&mut self, other: &mut Self, leg: &Leg) {
        swap(self, other);
        swap(&mut self.initial, &mut other.initial);
        swap(&mut self.profile, &mut other.profile);
        if !self.is_read {
            // No state was reached: what was read last stays.
            swap(&mut self.velocities, &mut other.velocities);
            swap(&mut self.unseen, &mut other.unseen);
        }
        for change in leg.changes.iter().chain(&leg.after) {
            if let Change::Mechanism(mechanism) = change
                && let Mechanism {
                    state, first: true, ..
                } = &**mechanism
            {
                self.initial.clone_from(state);
            }
        }
        let lap = other.profile.as_ref().and_then(|p| p.laps().next_back());
        if let (Some(profile), Some(lap)) = (&mut self.profile, lap)
            && lap.step >= self.state.step
        {
            profile.add_lap(*lap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_another_takes_has_the_same_bits_and_leaves_the_account_where_it_was() {
        for (spec, methods) in [
            ("double_pendulum", ["variational-2", "rk4"]),
            ("dice", ["variational", "variational-2"]),
        ] {
            let scene = crate::scene::open(spec, &[]).unwrap();
            for method in methods {
                let mut scene = scene.clone();
                scene.integrator = method.into();
                let mut alone = scene.simulation().unwrap();
                let mut with = scene.simulation().unwrap();
                let first = with.first_state().clone();
                with.set_profiling(true);
                let mut other = Simulation::resume(&with.snapshot()).unwrap();
                let leg = Leg::step(Input::default());
                for step in 1..120 {
                    let _ = alone.timed_step(&Input::default()).unwrap();
                    other.go_for(&with.snapshot(), &leg, true).unwrap();
                    with.relieve(&mut other, &leg);
                    assert_eq!(
                        with.state().digest(),
                        alone.state().digest(),
                        "{spec} {step}"
                    );
                    assert_eq!(with.report(), alone.report());
                    assert_eq!(with.outcomes(), alone.outcomes());
                    let [mut a, mut b] = [&mut with, &mut alone].map(Simulation::sample);
                    (a.step_seconds, b.step_seconds) = (0.0, 0.0);
                    assert_eq!(a, b);
                }
                assert_eq!(*with.first_state(), first);
                let laps: Vec<u64> = with.profile().unwrap().laps().map(|l| l.step).collect();
                assert_eq!(laps, (1..120).collect::<Vec<_>>());
            }
        }
    }
}
