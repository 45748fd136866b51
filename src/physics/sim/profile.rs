//! Where the time of the last steps went, phase by phase.

use crate::stopwatch::{PHASES, Phase, Spent};
use std::collections::VecDeque;
use std::time::Duration;

/// Steps kept.
const KEPT: usize = 600;

/// Wall time of one step by phase (s).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lap {
    /// Steps taken after it.
    pub step: u64,
    /// Seconds by [`Phase`] as an index.
    pub spent: [f32; PHASES.len()],
}

impl Lap {
    /// Seconds of all phases.
    pub fn total(&self) -> f32 {
        self.spent.iter().sum()
    }
}

/// The last steps, oldest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile(VecDeque<Lap>);

/// What a phase took of the steps kept.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PhaseFigures {
    /// Mean over the steps (s).
    pub mean: f64,
    /// Longest of all steps (s).
    pub worst: f64,
    /// Part of the time of all phases, 0 to 1.
    pub share: f64,
}

impl Default for Profile {
    /// Room for all steps that are kept: nothing is allocated later.
    fn default() -> Self {
        Self(VecDeque::with_capacity(KEPT))
    }
}

impl Profile {
    /// Adds a step.
    pub fn push(&mut self, step: u64, spent: &Spent) {
        let spent = spent.map(|d| d.as_secs_f32());
        self.add_lap(Lap { step, spent });
    }

    /// Adds a step that was measured elsewhere.
    pub(super) fn add_lap(&mut self, lap: Lap) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(lap);
    }

    /// Adds time to a phase of the last step.
    pub fn add(&mut self, phase: Phase, time: Duration) {
        if let Some(lap) = self.0.back_mut() {
            lap.spent[phase as usize] += time.as_secs_f32();
        }
    }

    /// The last steps, oldest first.
    pub fn laps(&self) -> impl ExactSizeIterator<Item = &Lap> + DoubleEndedIterator + Clone {
        self.0.iter()
    }

    /// Mean, worst and share of a phase.
    pub fn figures(&self, phase: Phase) -> PhaseFigures {
        self.summary(|lap| lap.spent[phase as usize])
    }

    /// Mean and worst of whole steps.
    pub fn whole(&self) -> PhaseFigures {
        self.summary(Lap::total)
    }

    fn summary(&self, of: impl Fn(&Lap) -> f32) -> PhaseFigures {
        let count = self.0.len().max(1) as f64;
        let sum: f64 = self.0.iter().map(|lap| f64::from(of(lap))).sum();
        let all: f64 = self.0.iter().map(|lap| f64::from(lap.total())).sum();
        PhaseFigures {
            mean: sum / count,
            worst: self
                .0
                .iter()
                .map(|lap| f64::from(of(lap)))
                .fold(0.0, f64::max),
            share: if all > 0.0 { sum / all } else { 0.0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Input;
    use crate::scene;
    use crate::sim::Simulation;

    #[test]
    fn figures_are_means_maxima_and_shares_of_the_steps_kept() {
        let mut profile = Profile::default();
        let spent = |factor: u64, solve: u64| {
            let mut spent = Spent::default();
            spent[Phase::Factor as usize] = Duration::from_micros(factor);
            spent[Phase::Solve as usize] = Duration::from_micros(solve);
            spent
        };
        // These are forgotten.
        (0..5).for_each(|k| profile.push(k, &spent(1_000_000, 0)));
        (0..KEPT as u64).for_each(|k| profile.push(k, &spent(if k == 7 { 90 } else { 30 }, 10)));
        let factor = profile.figures(Phase::Factor);
        let mean = (30.0 + 60.0 / KEPT as f64) * 1e-6;
        // Single precision.
        assert!((factor.mean / mean - 1.0).abs() < 1e-6);
        assert!((factor.worst / 90e-6 - 1.0).abs() < 1e-6);
        assert!((factor.share - mean / (mean + 1e-5)).abs() < 1e-6);
        assert!((profile.whole().worst / 1e-4 - 1.0).abs() < 1e-6);
        profile.add(Phase::Measure, Duration::from_micros(600));
        assert!((profile.figures(Phase::Measure).mean / 1e-6 - 1.0).abs() < 1e-6);
        assert_eq!(profile.laps().len(), KEPT);
    }

    fn run(spec: &str, method: &str, profiled: bool) -> (Simulation, Vec<u64>) {
        let changes = [("integrator.method".to_string(), format!("\"{method}\""))];
        let mut sim = scene::open(spec, &changes).unwrap().simulation().unwrap();
        sim.set_profiling(profiled);
        let mut hashes = Vec::new();
        for _ in 0..60 {
            let _ = sim.step(&Input::default()).unwrap();
            let _ = sim.sample();
            hashes.push(sim.state().digest());
        }
        (sim, hashes)
    }

    #[test]
    fn states_have_the_same_bits_with_and_without_a_stopwatch() {
        for (spec, method, busy) in [
            ("four-bar-chain:segments=2", "variational-2", Phase::Solve),
            ("four-bar-chain:segments=2", "rk4", Phase::Assemble),
            ("chain:links=3", "variational-4", Phase::Factor),
            ("box-stack:boxes=3", "variational-2", Phase::Detect),
        ] {
            let (plain, hashes) = run(spec, method, false);
            let (profiled, same) = run(spec, method, true);
            assert_eq!(hashes, same, "{spec}, {method}");
            assert!(plain.profile().is_none());
            let profile = profiled.profile().unwrap();
            assert_eq!(profile.laps().len(), 60);
            for phase in [busy, Phase::Evaluate, Phase::Factor, Phase::Measure] {
                let spent = profile.figures(phase);
                assert!(
                    spent.mean > 0.0,
                    "{spec}, {method}: nothing spent on {phase:?}"
                );
            }
        }
    }

    #[test]
    fn a_profile_goes_on_over_a_change_of_method() {
        let (mut sim, _) = run("chain:links=3", "variational-2", true);
        sim.set_integrator("heun").unwrap();
        let _ = sim.step(&Input::default()).unwrap();
        assert_eq!(sim.profile().unwrap().laps().len(), 61);
        sim.set_profiling(false);
        let _ = sim.step(&Input::default()).unwrap();
        assert!(sim.profile().is_none());
    }
}
