//! What a whole run amounts to: the worst of every step and how the step times spread.
//!
//! A [`Statistics`] sees one [`Sample`] per step, so that its maxima are maxima over all steps whatever
//! is written or drawn in between. Its memory does not grow with the run.

use super::Peaks;
use crate::diagnostics::Sample;

/// The account of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    /// State at the start.
    pub first: Sample,
    /// State after the last step.
    pub last: Sample,
    /// The worst of every step.
    pub peaks: Peaks,
    /// Wall time of the steps.
    pub step_times: StepTimes,
}

impl Statistics {
    /// An account that starts with the state before the first step.
    pub fn new(first: Sample) -> Self {
        Self {
            first,
            last: first,
            peaks: Peaks::new(&first),
            step_times: StepTimes::default(),
        }
    }

    /// Adds the state after one step.
    pub fn observe(&mut self, sample: &Sample) {
        self.last = *sample;
        self.peaks.observe(sample);
        self.step_times.add(sample.step_seconds);
    }

    /// Smallest gap after the last step (m); `None` where no contact point was near.
    pub fn final_gap(&self) -> Option<f64> {
        Some(self.last.min_gap).filter(|gap| gap.is_finite())
    }

    /// How far the linear momentum is from its first value (kg·m/s).
    pub fn linear_momentum_change(&self) -> f64 {
        (self.last.momentum.linear - self.first.momentum.linear).norm()
    }

    /// How far the angular momentum about the world's origin is from its first value (kg·m²/s).
    pub fn angular_momentum_change(&self) -> f64 {
        (self.last.momentum.angular - self.first.momentum.angular).norm()
    }
}

/// Sub-intervals of every doubling of the step time.
const PER_OCTAVE: usize = 128;
/// Shortest time told apart (s).
const SHORTEST: f64 = 1e-9;
/// Doublings covered: up to 1e-9·2^40, about 18 minutes a step.
const OCTAVES: usize = 40;

/// A histogram of step times on a logarithmic scale, from which quantiles are read to 0.3 %.
#[derive(Debug, Clone, PartialEq)]
pub struct StepTimes {
    counts: Vec<u64>,
    total: u64,
    sum: f64,
    longest: f64,
}

impl Default for StepTimes {
    fn default() -> Self {
        Self {
            counts: vec![0; OCTAVES * PER_OCTAVE],
            total: 0,
            sum: 0.0,
            longest: 0.0,
        }
    }
}

impl StepTimes {
    /// Adds the wall time of one step (s).
    pub fn add(&mut self, seconds: f64) {
        let place = (seconds / SHORTEST).max(1.0).log2() * PER_OCTAVE as f64;
        let last = self.counts.len() - 1;
        self.counts[(place as usize).min(last)] += 1;
        self.total += 1;
        self.sum += seconds;
        self.longest = self.longest.max(seconds);
    }

    /// The time that a fraction of the steps stayed below (s); 0 before the first step.
    pub fn quantile(&self, fraction: f64) -> f64 {
        let wanted = (fraction * self.total as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (k, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                // The geometric middle of the interval.
                let middle = SHORTEST * ((k as f64 + 0.5) / PER_OCTAVE as f64).exp2();
                return middle.min(self.longest);
            }
        }
        0.0
    }

    /// Their mean (s); 0 before the first step.
    pub fn mean(&self) -> f64 {
        self.sum / self.total.max(1) as f64
    }

    /// The longest step (s).
    pub fn longest(&self) -> f64 {
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_match_a_sorted_list() {
        let mut times: Vec<f64> = (1..=1001)
            .map(|k| 1e-6 * (1.0 + (f64::from(k * 7919 % 1001) / 100.0).powi(2)))
            .collect();
        let mut histogram = StepTimes::default();
        times.iter().for_each(|&t| histogram.add(t));
        times.sort_by(f64::total_cmp);
        // Half an interval is 2^(1/256) - 1 = 0.27 %.
        for (fraction, exact) in [(0.5, times[500]), (0.99, times[990]), (0.001, times[1])] {
            let read = histogram.quantile(fraction);
            assert!(
                (read / exact - 1.0).abs() < 0.003,
                "{fraction}: {read} instead of {exact}"
            );
        }
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        // Sums of a thousand numbers in two orders.
        assert!((histogram.mean() / mean - 1.0).abs() < 1e-12);
        assert_eq!(StepTimes::default().mean(), 0.0);
        assert_eq!(histogram.longest(), times[1000]);
        assert_eq!(StepTimes::default().quantile(0.5), 0.0);
    }

    #[test]
    fn contact_is_judged_by_its_worst_step_and_its_last_gap() {
        let mut account = Statistics::new(Sample {
            min_gap: f64::INFINITY,
            ..Sample::default()
        });
        assert_eq!(account.final_gap(), None, "nothing is near");
        for (closed, penetration, cone_violation, min_gap) in [
            (4, 2e-12, 0.0, -2e-12),
            (8, 0.0, 3e-13, 1e-9),
            (1, 1e-12, 1e-13, 0.25),
        ] {
            account.observe(&Sample {
                closed,
                penetration,
                cone_violation,
                min_gap,
                complementarity: 10.0 * penetration,
                ..Sample::default()
            });
        }
        assert_eq!(account.peaks.contacts, 8);
        assert_eq!(account.peaks.penetration, 2e-12);
        assert_eq!(account.peaks.complementarity, 2e-11);
        assert_eq!(account.peaks.cone_violation, 3e-13);
        assert_eq!(account.final_gap(), Some(0.25));
    }
}
