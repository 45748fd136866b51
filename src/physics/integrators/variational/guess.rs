//! The first guess of a step: velocities extrapolated from the intervals before.

use crate::model::State;
use crate::solver::past::Past;

/// How far a guess extrapolates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    /// Through as many past intervals as are trusted.
    Extrapolated,
    /// The last velocities.
    Constant,
}

/// Newton iterations of the last step up to which three intervals are trusted. Beyond, a quadratic guess was
/// measured to lead long chains onto false branches.
const TRUST: u32 = 2;

/// Weights of the last interval's velocity and of the two before, for an interval of length `dt`.
///
/// Lagrange extrapolation through the middles of the intervals, whose lengths may differ.
pub fn weights(memory: &Past, dt: f64, guess: Guess) -> [f64; 3] {
    let [h0, h1, h2] = memory.intervals;
    if guess == Guess::Constant || h0 == 0.0 || h1 == 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let t = 0.5 * dt;
    let (t0, t1, t2) = (-0.5 * h0, -h0 - 0.5 * h1, -h0 - h1 - 0.5 * h2);
    // In a composition middles may nearly coincide, where extrapolation means nothing.
    let apart = |a: f64, b: f64| (a - b).abs() > 0.25 * dt.abs();
    if !apart(t0, t1) {
        return [1.0, 0.0, 0.0];
    }
    if h2 == 0.0 || memory.iterations > TRUST || !apart(t0, t2) || !apart(t1, t2) {
        let w = (t - t0) / (t0 - t1);
        return [1.0 + w, -w, 0.0];
    }
    [
        (t - t1) * (t - t2) / ((t0 - t1) * (t0 - t2)),
        (t - t0) * (t - t2) / ((t1 - t0) * (t1 - t2)),
        (t - t0) * (t - t1) / ((t2 - t0) * (t2 - t1)),
    ]
}

/// Notes the length of an interval and what it took; the solver has put away the velocities before it.
pub fn remember(state: &mut State, dt: f64, iterations: u32) {
    let past = Past::of(state);
    let [last, before, _] = past.intervals;
    Past {
        intervals: [dt, last, before],
        iterations,
        held: dt,
    }
    .write(state);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extrapolation_is_exact_for_parabolas_over_uneven_intervals() {
        let memory = Past {
            intervals: [0.01, 0.02, 0.005],
            iterations: 1,
            ..Past::default()
        };
        let v = |t: f64| 3.0 - 2.0 * t + 70.0 * t * t;
        let dt = 0.015;
        let w = weights(&memory, dt, Guess::Extrapolated);
        let past = [v(-0.005), v(-0.02), v(-0.0325)];
        let guess: f64 = w.iter().zip(past).map(|(w, v)| w * v).sum();
        assert!((guess - v(0.0075)).abs() < 1e-14);
        assert_eq!(weights(&memory, dt, Guess::Constant), [1.0, 0.0, 0.0]);
    }
}
