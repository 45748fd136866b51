//! What the plots show: one row per step while there is room, then one per several steps, peaks kept.

use crate::diagnostics::Sample;

/// Rows kept before neighbours are merged.
const CAPACITY: usize = 1 << 16;

/// The run so far, in at most a fixed number of rows.
#[derive(Debug, Clone)]
pub struct History {
    rows: Vec<Sample>,
    /// Steps that one row stands for.
    stride: u64,
    /// Steps that the last row stands for.
    filled: u64,
}

impl Default for History {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            stride: 1,
            filled: 0,
        }
    }
}

impl History {
    /// Forgets the run and begins with a first row, which stays by itself.
    pub fn restart(&mut self, first: Sample) {
        self.rows.clear();
        self.rows.push(first);
        self.stride = 1;
        self.filled = 1;
    }

    /// Adds the sample of one step.
    pub fn push(&mut self, sample: Sample) {
        if let Some(last) = self.rows.last_mut()
            && self.filled < self.stride
        {
            *last = merged(last, &sample);
            self.filled += 1;
            return;
        }
        if self.rows.len() == CAPACITY {
            self.rows = self
                .rows
                .chunks(2)
                .map(|pair| pair.iter().skip(1).fold(pair[0], |a, b| merged(&a, b)))
                .collect();
            self.stride *= 2;
        }
        self.rows.push(sample);
        self.filled = 1;
    }

    /// Takes over what another history has that this one, an earlier copy of it, has not.
    pub fn catch_up(&mut self, with: &Self) {
        // The last row may have stood for fewer steps.
        let sure = self.rows.len().saturating_sub(1);
        let began_alike = || {
            let first = |h: &Self| h.rows.first().map(|r| (r.step, r.time.to_bits()));
            first(self) == first(with)
        };
        if sure == 0 || self.stride != with.stride || sure > with.rows.len() || !began_alike() {
            self.clone_from(with);
            return;
        }
        self.rows.truncate(sure);
        self.rows.extend_from_slice(&with.rows[sure..]);
        self.filled = with.filled;
    }

    /// The run up to a step. A row that stands for steps on both sides of it is left out.
    pub fn until(&self, step: u64) -> Self {
        let end = self.rows.partition_point(|r| r.step <= step);
        Self {
            rows: self.rows[..end].to_vec(),
            stride: self.stride,
            filled: self.stride,
        }
    }

    /// All rows, oldest first.
    pub fn rows(&self) -> &[Sample] {
        &self.rows
    }

    /// Steps that one row stands for.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The rows between two times, with one more on either side so that lines reach the edges.
    pub fn within(&self, from: f64, to: f64) -> &[Sample] {
        let first = self.rows.partition_point(|r| r.time < from);
        let end = self.rows.partition_point(|r| r.time <= to);
        &self.rows[first.saturating_sub(1)..(end + 1).min(self.rows.len())]
    }

    /// At most `limit` points of a series: the least and the greatest of every group of rows, in order of time.
    pub fn series(
        &self,
        from: f64,
        to: f64,
        limit: usize,
        value: impl Fn(&Sample) -> f64,
    ) -> Vec<[f64; 2]> {
        let point = |r: &Sample| [r.time, value(r)];
        let points: Vec<[f64; 2]> = self.within(from, to).iter().map(point).collect();
        thin(&points, limit)
    }
}

/// At most `limit` of the points of a line: the least and the greatest of every group, in order.
pub fn thin(points: &[[f64; 2]], limit: usize) -> Vec<[f64; 2]> {
    if points.len() <= limit {
        return points.to_vec();
    }
    let group = points.len().div_ceil((limit / 2).max(1));
    let mut kept = Vec::with_capacity(limit);
    for part in points.chunks(group) {
        let by_value = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        if let (Some(low), Some(high)) =
            (part.iter().min_by(by_value), part.iter().max_by(by_value))
        {
            let (first, second) = if low[0] <= high[0] {
                (low, high)
            } else {
                (high, low)
            };
            kept.extend([*first, *second]);
        }
    }
    kept
}

/// One row for two neighbours: the later state, the worse of what can go wrong.
fn merged(a: &Sample, b: &Sample) -> Sample {
    let worse = |a: f64, b: f64| if a.abs() > b.abs() { a } else { b };
    Sample {
        energy_error: worse(a.energy_error, b.energy_error),
        drift_position: a.drift_position.max(b.drift_position),
        drift_angle: a.drift_angle.max(b.drift_angle),
        iterations: a.iterations.max(b.iterations),
        residual: a.residual.max(b.residual),
        step_seconds: a.step_seconds.max(b.step_seconds),
        closed: a.closed.max(b.closed),
        penetration: a.penetration.max(b.penetration),
        min_gap: a.min_gap.min(b.min_gap),
        complementarity: a.complementarity.max(b.complementarity),
        cone_violation: a.cone_violation.max(b.cone_violation),
        law_violation: a.law_violation.max(b.law_violation),
        rough_velocities: a.rough_velocities || b.rough_velocities,
        ..*b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(step: u64, error: f64) -> Sample {
        Sample {
            time: step as f64 * 0.5,
            step,
            energy_error: error,
            ..Sample::default()
        }
    }

    #[test]
    fn a_peak_survives_both_merging_and_thinning() {
        let mut history = History::default();
        history.restart(sample(0, 0.0));
        let steps = 3 * CAPACITY as u64;
        for k in 1..=steps {
            history.push(sample(k, if k == 1001 { -7.0 } else { 0.1 }));
        }
        assert!(history.rows().len() <= CAPACITY);
        assert_eq!(history.stride(), 4);
        assert_eq!(history.rows().last().unwrap().step, steps);
        let points = history.series(0.0, f64::MAX, 2000, |s| s.energy_error);
        assert!(points.len() <= 2000, "{}", points.len());
        assert!(points.iter().any(|p| p[1] == -7.0));
        assert!(points.is_sorted_by(|a, b| a[0] <= b[0]));
    }

    #[test]
    fn a_copy_catches_up_whatever_was_merged_in_between() {
        let mut history = History::default();
        history.restart(sample(0, 0.0));
        let mut copy = History::default();
        let mut step = 0;
        for more in [1, 7, 1, CAPACITY as u64, 3, 2 * CAPACITY as u64, 1] {
            for _ in 0..more {
                step += 1;
                history.push(sample(step, (step % 97) as f64));
            }
            copy.catch_up(&history);
            assert_eq!(copy.rows(), history.rows(), "after {step} steps");
            assert_eq!((copy.stride, copy.filled), (history.stride, history.filled));
        }
        history.restart(sample(step, 5.0));
        (1..9).for_each(|k| history.push(sample(step + k, 1.0)));
        copy.catch_up(&history);
        assert_eq!(copy.rows(), history.rows(), "begun anew");
    }

    #[test]
    fn a_short_run_is_shown_as_it_is() {
        let mut history = History::default();
        history.restart(sample(0, 0.0));
        (1..10).for_each(|k| history.push(sample(k, k as f64)));
        let points = history.series(1.0, 2.0, 100, |s| s.energy_error);
        // Steps 2 to 4 lie in the range, one more on either side.
        assert_eq!(
            points,
            [[0.5, 1.0], [1.0, 2.0], [1.5, 3.0], [2.0, 4.0], [2.5, 5.0]]
        );
    }
}
