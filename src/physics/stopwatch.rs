//! Wall time by phase of a step, for whoever wants to see where it goes.
//!
//! A [`Stopwatch`] belongs to the workspace of a method. It stands still unless a simulation starts it, and then costs
//! one branch per phase; running, it reads the clock once per phase. Nothing that is computed depends on it.

use std::time::{Duration, Instant};

/// What a step spends time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Forces at the knot, first guess.
    Prepare,
    /// Finding contact points, and whether something was not foreseen.
    Detect,
    /// What is unbalanced and open at a motion.
    Evaluate,
    /// Writing the linear system down.
    Assemble,
    /// Factoring it; with eliminated pairs, assembling too.
    Factor,
    /// Solving with the factors, and moving.
    Solve,
    /// Taking back what went too far, and looking again.
    LineSearch,
    /// Momenta, reactions and contact forces of the step.
    Finish,
    /// Work and losses.
    Account,
    /// Energy, momentum and drift as they are plotted.
    Measure,
}

/// All phases, in the order of a step.
pub const PHASES: [Phase; 10] = [
    Phase::Prepare,
    Phase::Detect,
    Phase::Evaluate,
    Phase::Assemble,
    Phase::Factor,
    Phase::Solve,
    Phase::LineSearch,
    Phase::Finish,
    Phase::Account,
    Phase::Measure,
];

/// Times of all phases, by [`Phase`] as an index.
pub type Spent = [Duration; PHASES.len()];

/// Measures one step at a time.
#[derive(Debug, Clone, Default)]
pub struct Stopwatch(Option<Running>);

#[derive(Debug, Clone)]
struct Running {
    phase: Phase,
    since: Instant,
    spent: Spent,
}

impl Stopwatch {
    /// Starts to measure, in the first phase.
    pub fn start(&mut self) {
        self.0 = Some(Running {
            phase: Phase::Prepare,
            since: Instant::now(),
            spent: Spent::default(),
        });
    }

    /// Ends the phase that runs and begins another; returns the one that ended, to go back to.
    #[inline]
    pub fn enter(&mut self, phase: Phase) -> Phase {
        match &mut self.0 {
            None => phase,
            Some(running) => running.enter(phase),
        }
    }

    /// Begins a phase unless a line search runs, to which everything belongs that it asks for.
    #[inline]
    pub fn enter_beside_search(&mut self, phase: Phase) -> Phase {
        match &mut self.0 {
            Some(running) if running.phase != Phase::LineSearch => running.enter(phase),
            Some(running) => running.phase,
            None => phase,
        }
    }

    /// Whether it runs.
    pub fn runs(&self) -> bool {
        self.0.is_some()
    }

    /// Spreads the time since the last phase began over the phases of those who worked meanwhile, perhaps several at once,
    /// by what each phase took them together.
    pub fn spread(&mut self, workers: impl Iterator<Item = Spent>) {
        let Some(running) = &mut self.0 else {
            return;
        };
        let mut sums = Spent::default();
        for spent in workers {
            sums.iter_mut().zip(spent).for_each(|(sum, x)| *sum += x);
        }
        let all: f64 = sums.iter().map(Duration::as_secs_f64).sum();
        if all <= 0.0 {
            return;
        }
        let now = Instant::now();
        let share = (now - running.since).as_secs_f64() / all;
        for (spent, sum) in running.spent.iter_mut().zip(sums) {
            *spent += sum.mul_f64(share);
        }
        running.since = now;
    }

    /// Stands still again; what was spent, if it ran.
    pub fn stop(&mut self) -> Option<Spent> {
        let mut running = self.0.take()?;
        running.enter(Phase::Prepare);
        Some(running.spent)
    }
}

impl Running {
    #[cold]
    fn enter(&mut self, phase: Phase) -> Phase {
        let now = Instant::now();
        self.spent[self.phase as usize] += now - self.since;
        self.since = now;
        std::mem::replace(&mut self.phase, phase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two who worked at once for three moments, one of them on the factors, make thirds of what passed meanwhile.
    #[test]
    fn time_of_several_is_spread_by_what_it_went_to() {
        let mut watch = Stopwatch::default();
        watch.start();
        watch.enter(Phase::Detect);
        std::thread::sleep(Duration::from_millis(3));
        let spent = |phase: Phase, moments: u64| {
            let mut spent = Spent::default();
            spent[phase as usize] = Duration::from_secs(moments);
            spent
        };
        watch.spread([spent(Phase::Factor, 100), spent(Phase::Solve, 200)].into_iter());
        let all = watch.stop().unwrap();
        let [factor, solve] = [Phase::Factor, Phase::Solve].map(|p| all[p as usize].as_secs_f64());
        assert!(factor >= 0.999e-3, "{factor}");
        // Each is rounded to a nanosecond.
        assert!((solve - 2.0 * factor).abs() < 4e-9, "{solve} {factor}");
    }

    #[test]
    fn every_moment_belongs_to_one_phase() {
        let mut watch = Stopwatch::default();
        assert_eq!(watch.enter(Phase::Factor), Phase::Factor);
        assert_eq!(watch.stop(), None);
        let pause = Duration::from_millis(3);
        let whole = Instant::now();
        watch.start();
        assert_eq!(watch.enter(Phase::Factor), Phase::Prepare);
        std::thread::sleep(pause);
        assert_eq!(watch.enter(Phase::LineSearch), Phase::Factor);
        let before = watch.enter_beside_search(Phase::Evaluate);
        std::thread::sleep(pause);
        watch.enter_beside_search(before);
        let spent = watch.stop().unwrap();
        let whole = whole.elapsed();
        assert!(spent.iter().sum::<Duration>() <= whole);
        assert!(spent[Phase::Factor as usize] >= pause);
        assert!(spent[Phase::LineSearch as usize] >= pause);
        assert_eq!(spent[Phase::Evaluate as usize], Duration::ZERO);
        assert!(PHASES.iter().enumerate().all(|(k, p)| *p as usize == k));
    }
}
