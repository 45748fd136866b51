//! Inputs as functions of time, so that lanes with other step sizes feel the same hand.

use crate::sim::Input;
use std::collections::VecDeque;

/// Times within this fraction of a step are the same.
pub(super) const SAME: f64 = 1e-6;

/// What acted, by the time until which it did.
#[derive(Debug, Clone, Default)]
pub(super) struct Segments(VecDeque<(f64, f64, Input)>);

impl Segments {
    /// Adds what acts for `dt` until a time (s).
    pub fn push(&mut self, until: f64, dt: f64, input: &Input) {
        self.0.push_back((until, dt, input.clone()));
    }

    /// What acts at a time (s); at the end of a segment the next one does.
    pub fn at(&self, time: f64) -> &Input {
        static NOTHING: Input = Input::NOTHING;
        let inside = self
            .0
            .iter()
            .find(|(until, dt, _)| time < until - SAME * dt);
        inside
            .or(self.0.back())
            .map_or(&NOTHING, |(_, _, input)| input)
    }

    /// Forgets what ended before a time (s).
    pub fn forget_before(&mut self, time: f64) {
        while self
            .0
            .front()
            .is_some_and(|(until, dt, _)| *until <= time + SAME * dt)
        {
            self.0.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Command, JointId};

    #[test]
    fn the_input_of_the_middle_of_a_step_is_found() {
        let push = |value| Input {
            commands: vec![Command {
                joint: JointId(0),
                coordinate: 0,
                value,
            }],
            ..Input::default()
        };
        let mut segments = Segments::default();
        for k in 1..=4 {
            segments.push(0.1 * f64::from(k), 0.1, &push(f64::from(k)));
        }
        let value = |segments: &Segments, t: f64| segments.at(t).commands[0].value;
        // 0.1 + 0.1 + 0.1 is a little more than 0.3: it belongs to what begins there.
        assert_eq!(
            [0.05, 0.1, 0.25, 0.1 + 0.2, 0.99].map(|t| value(&segments, t)),
            [1.0, 2.0, 3.0, 4.0, 4.0]
        );
        segments.forget_before(0.2);
        assert_eq!(value(&segments, 0.0), 3.0);
    }
}
