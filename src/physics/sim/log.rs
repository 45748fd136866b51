//! What was done to a simulation, step by step: enough to do it again, and to see whether the same comes of it.

use super::{Input, StepError};
use crate::integrators::Settings;
use crate::model::{Model, State};
use std::sync::Arc;

/// What is changed between two steps.
// Changes are few; a box would buy nothing.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Other settings.
    Settings(Settings),
    /// Another method, by its name.
    Integrator(&'static str),
    /// An edited model of the same bodies and joints.
    Model(Arc<Model>),
    /// Another mechanism in another state: bodies were added, deleted or moved.
    Mechanism(Arc<Mechanism>),
}

/// A model and the state in which it goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Mechanism {
    /// The mechanism.
    pub model: Arc<Model>,
    /// Its state, velocities at the knot. Time and number of steps are those of the moment of the change.
    pub state: State,
    /// Whether the state is a first one, with velocities as a scene gives them, from which the energy error counts.
    pub first: bool,
}

/// A step that left no usable state.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// What acted during the step.
    pub input: Input,
    /// The error, in words.
    pub error: String,
}

/// Inputs, changes and hashes of consecutive steps. A step is named by the number of steps taken after it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Log {
    first: u64,
    digests: Vec<u64>,
    /// Inputs by the first step that had them; what follows has the same.
    inputs: Vec<(u64, Input)>,
    /// Changes by the step before which they were made.
    changes: Vec<(u64, Change)>,
    failure: Option<Failure>,
}

impl Log {
    /// An empty log that begins with a state that took `first` steps.
    pub fn new(first: u64) -> Self {
        Self {
            first,
            ..Self::default()
        }
    }

    /// Steps taken by the state before the first logged step.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Steps taken by the state after the last logged step.
    pub fn last(&self) -> u64 {
        self.first + self.digests.len() as u64
    }

    /// Adds a change before the next step.
    pub fn change(&mut self, change: Change) {
        self.failure = None;
        self.changes.push((self.last() + 1, change));
    }

    /// Adds a step: what acted during it, and the hash of the state after it.
    pub fn push(&mut self, input: &Input, digest: u64) {
        self.failure = None;
        if self.input(self.last()) != input {
            self.inputs.push((self.last() + 1, input.clone()));
        }
        self.digests.push(digest);
    }

    /// Notes that the step after the last one failed. It stays the last word until another step is taken.
    pub fn fail(&mut self, input: &Input, error: &StepError) {
        self.failure = Some(Failure {
            input: input.clone(),
            error: error.to_string(),
        });
    }

    /// Restores a failure that a file holds.
    pub fn set_failure(&mut self, failure: Failure) {
        self.failure = Some(failure);
    }

    /// The failure after the last step, if that is how it ended.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// What acted during a step; nothing where no step is logged.
    pub fn input(&self, step: u64) -> &Input {
        static NOTHING: Input = Input::NOTHING;
        let after = self.inputs.partition_point(|(from, _)| *from <= step);
        match after.checked_sub(1) {
            Some(k) => &self.inputs[k].1,
            None => &NOTHING,
        }
    }

    /// Changes made before a step, in order; `last() + 1` gives those made since the last step.
    pub fn changes(&self, step: u64) -> impl Iterator<Item = &Change> {
        let from = self.changes.partition_point(|(s, _)| *s < step);
        let these = self.changes[from..].iter();
        these.take_while(move |(s, _)| *s == step).map(|(_, c)| c)
    }

    /// Hash of the state after a step.
    pub fn digest(&self, step: u64) -> Option<u64> {
        let k = step.checked_sub(self.first + 1)?;
        self.digests.get(k as usize).copied()
    }

    /// Adds the steps of another log that begins where this one ends, up to one of them.
    pub fn extend(&mut self, from: &Self, last: u64) {
        debug_assert_eq!(self.last(), from.first, "logs meet");
        for step in from.first + 1..=last {
            for change in from.changes(step) {
                self.change(change.clone());
            }
            if let Some(digest) = from.digest(step) {
                self.push(from.input(step), digest);
            }
        }
    }

    /// Memory that the log takes (bytes), models of edits not counted.
    pub fn bytes(&self) -> usize {
        let states = |(_, change): &(u64, Change)| match change {
            Change::Mechanism(mechanism) => mechanism.state.bytes(),
            _ => 0,
        };
        let lists = |(_, input): &(u64, Input)| {
            input.commands.capacity() * size_of::<crate::model::Command>()
                + input.wrenches.capacity() * size_of::<crate::model::AppliedWrench>()
        };
        size_of::<Self>()
            + self.digests.capacity() * size_of::<u64>()
            + self.inputs.capacity() * size_of::<(u64, Input)>()
            + self.inputs.iter().map(lists).sum::<usize>()
            + self.changes.capacity() * size_of::<(u64, Change)>()
            + self.changes.iter().map(states).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::model::{BodyId, Drag, DragGoal};

    fn pull(x: f64) -> Input {
        Input {
            drag: Some(Drag {
                body: BodyId(0),
                point: Vec3::zeros(),
                goal: DragGoal::Pull(Vec3::new(x, 0.0, 0.0)),
            }),
            ..Input::default()
        }
    }

    #[test]
    fn inputs_and_changes_are_found_at_their_steps() {
        let mut log = Log::new(10);
        let method = |name| Change::Integrator(name);
        log.change(method("heun"));
        let held = [Input::default(), pull(1.0), pull(1.0), Input::default()];
        for (k, input) in held.iter().enumerate() {
            log.push(input, 100 + k as u64);
        }
        log.change(method("rk4"));
        log.change(method("heun"));
        assert_eq!((log.first(), log.last()), (10, 14));
        for (k, input) in held.iter().enumerate() {
            assert_eq!(log.input(11 + k as u64), input);
            assert_eq!(log.digest(11 + k as u64), Some(100 + k as u64));
        }
        assert_eq!(log.inputs.len(), 2, "what lasts is kept once");
        assert_eq!([10, 15].map(|s| log.digest(s)), [None, None]);
        assert_eq!(log.changes(11).collect::<Vec<_>>(), [&method("heun")]);
        assert_eq!(log.changes(12).count(), 0);
        assert_eq!(
            log.changes(15).collect::<Vec<_>>(),
            [&method("rk4"), &method("heun")]
        );
        let mut joined = Log::new(10);
        joined.extend(&log, 12);
        let mut rest = Log::new(12);
        rest.push(&pull(1.0), 102);
        joined.extend(&rest, 13);
        assert_eq!(joined.digests, [100, 101, 102]);
        assert_eq!((11..14).map(|s| joined.input(s)).collect::<Vec<_>>(), {
            held[..3].iter().collect::<Vec<_>>()
        });
    }
}
