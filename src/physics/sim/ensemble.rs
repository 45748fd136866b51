//! Many simulations beside each other on all threads, with the same bits whatever their number.
//!
//! Every member runs by itself, from its first step to its last by one thread, and nothing passes between them: what comes
//! of a member is what it comes to alone. The bodies of one model are not copied: members share it behind its pointer.

use super::{Input, Simulation, StepError};
use crate::threads;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Steps of a member between two words on the progress.
const BATCH: u64 = 64;

/// A simulation of an ensemble, and what its owner keeps beside it.
pub struct Member<T = ()> {
    /// The simulation.
    pub simulation: Simulation,
    /// What goes with it: parameters, figures that are collected on the way.
    pub own: T,
    /// Why it stopped, if a step left no usable state; its state is that before this step.
    pub failure: Option<StepError>,
}

/// How far an ensemble is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advance {
    /// Steps taken by all members together; those that a failure spares count.
    pub steps: u64,
    /// Steps of the whole run.
    pub of: u64,
    /// Members that are done.
    pub finished: usize,
    /// Members.
    pub members: usize,
}

/// Simulations that are run together.
///
/// ```
/// use driftless_physics::math::Vec3;
/// use driftless_physics::scene;
/// use driftless_physics::sim::{Ensemble, Input, Simulation};
/// use std::sync::Arc;
///
/// let scene = scene::open("double_pendulum", &[])?;
/// let model = Arc::new(scene.model);
/// let push = |k: usize| Vec3::x() * k as f64; // (N)
/// let members: Result<Vec<_>, _> = (0..4)
///     .map(|k| {
///         let simulation = Simulation::new(model.clone(), scene.state.clone(), "variational-2", scene.settings)?;
///         Ok::<_, Box<dyn std::error::Error>>((simulation, push(k)))
///     })
///     .collect();
/// let mut ensemble = Ensemble::new(members?);
/// let body = model.body("lower").ok_or("no body of that name")?;
/// ensemble.run(1.0, |_, force| Input::default().with_force(body, *force), |_| {});
/// assert!(ensemble.members().iter().all(|m| m.failure.is_none() && m.simulation.state().step == 100));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Ensemble<T = ()> {
    members: Vec<Member<T>>,
    threads: usize,
}

impl<T: Send> Ensemble<T> {
    /// Simulations, each with what goes with it, for as many threads as the program [uses](threads::wanted).
    pub fn new(members: impl IntoIterator<Item = (Simulation, T)>) -> Self {
        let members = members.into_iter().map(|(simulation, own)| Member {
            simulation,
            own,
            failure: None,
        });
        Self {
            members: members.collect(),
            threads: threads::wanted(),
        }
    }

    /// The same on another number of threads. What is computed does not depend on it.
    pub fn with_threads(mut self, count: usize) -> Self {
        self.threads = count;
        self
    }

    /// Advances every member that has not failed by a simulated duration (s), in whole steps of its own size.
    ///
    /// `drive` sees each before each of its steps and says what acts during it; `progress` is told now and then, by the
    /// threads themselves and in no order.
    pub fn run(
        &mut self,
        duration: f64,
        drive: impl Fn(&mut Simulation, &mut T) -> Input + Sync,
        progress: impl Fn(Advance) + Sync,
    ) {
        let lengths = self.members.iter().map(|m| m.steps(duration));
        let (of, members) = (lengths.sum(), self.members.len());
        let (steps, finished) = (AtomicU64::new(0), AtomicUsize::new(0));
        let told = |more: u64, ended: usize| {
            progress(Advance {
                steps: more + steps.fetch_add(more, Ordering::Relaxed),
                of,
                finished: ended + finished.fetch_add(ended, Ordering::Relaxed),
                members,
            });
        };
        let advance = |member: &mut Member<T>| {
            let all = member.steps(duration);
            let mut left = all;
            while left > 0 && member.failure.is_none() {
                let input = drive(&mut member.simulation, &mut member.own);
                member.failure = member.simulation.step(&input).err();
                left -= 1;
                let taken = all - left;
                if taken.is_multiple_of(BATCH) && left > 0 {
                    told(BATCH, 0);
                }
            }
            // What has not been told: the rest of the last batch, and what a failure spared.
            let taken = all - left;
            let batches = taken.saturating_sub(u64::from(left == 0)) / BATCH;
            told(all - batches * BATCH, 1);
        };
        let items = &mut self.members[..];
        threads::with(self.threads, || {
            threads::each(items, |_, member| threads::alone(|| advance(member)));
        });
    }

    /// The members, in the order in which they were given.
    pub fn members(&self) -> &[Member<T>] {
        &self.members
    }

    /// The members, to be read where reading takes a workspace, or changed between two runs.
    pub fn members_mut(&mut self) -> &mut [Member<T>] {
        &mut self.members
    }

    /// Gives the members back.
    pub fn into_members(self) -> Vec<Member<T>> {
        self.members
    }
}

impl<T> Member<T> {
    /// Steps that a duration takes (s).
    fn steps(&self, duration: f64) -> u64 {
        if self.failure.is_some() {
            return 0;
        }
        steps_for(duration, self.simulation.settings().dt)
    }
}

/// Steps of a size (s) that reach a duration (s); a duration that is a multiple of the step up to rounding is met exactly.
pub fn steps_for(duration: f64, dt: f64) -> u64 {
    let ratio = duration / dt;
    let nearest = ratio.round();
    let steps = if (ratio - nearest).abs() <= 1e-9 * nearest {
        nearest
    } else {
        ratio.ceil()
    };
    steps as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::BodyId;
    use crate::scene;
    use std::sync::Mutex;

    /// Pendulums that differ by their step, one of which fails: too fast a spin for its step.
    fn members() -> Vec<(Simulation, f64)> {
        let open = |sets: &[(&str, String)]| {
            let sets: Vec<_> = sets
                .iter()
                .map(|(p, v)| ((*p).to_owned(), v.clone()))
                .collect();
            let scene = scene::open("double_pendulum", &sets).expect("it opens");
            scene.simulation().expect("it runs")
        };
        let dts = [0.01, 0.004, 0.02, 0.013, 0.007];
        dts.map(|dt| (open(&[("integrator.dt", dt.to_string())]), dt))
            .into()
    }

    fn drive(sim: &mut Simulation, dt: &mut f64) -> Input {
        let force = 100.0 * (sim.state().time / *dt).sin();
        let push = Input::default().with_force(BodyId(1), crate::math::Vec3::x() * force);
        match sim.state().step {
            // No such body: this one stops here.
            70 if *dt == 0.007 => push.with_force(BodyId(9), crate::math::Vec3::x()),
            _ => push,
        }
    }

    #[test]
    fn an_ensemble_has_the_same_bits_on_any_number_of_threads() {
        let run = |threads| {
            let mut ensemble = Ensemble::new(members()).with_threads(threads);
            ensemble.run(1.0, drive, |_| {});
            ensemble.run(0.5, drive, |_| {});
            ensemble.into_members()
        };
        let alone: Vec<_> = members()
            .into_iter()
            .map(|(mut sim, mut dt)| {
                let steps = steps_for(1.0, dt) + steps_for(0.5, dt);
                let failed = (0..steps).any(|_| {
                    let input = drive(&mut sim, &mut dt);
                    sim.step(&input).is_err()
                });
                (sim, failed)
            })
            .collect();
        for threads in [1, 2, 5] {
            for (member, (sim, failed)) in run(threads).iter().zip(&alone) {
                assert_eq!(member.simulation.state(), sim.state(), "{threads}");
                assert_eq!(member.failure.is_some(), *failed, "{threads}");
            }
        }
        assert_eq!(alone.iter().filter(|(_, failed)| *failed).count(), 1);
    }

    #[test]
    fn the_progress_grows_to_the_whole() {
        for threads in [1, 3] {
            let told = Mutex::new(Vec::new());
            let mut ensemble = Ensemble::new(members()).with_threads(threads);
            ensemble.run(1.0, drive, |a| told.lock().expect("none panics").push(a));
            let mut told = told.into_inner().expect("none panics");
            let of: u64 = [0.01, 0.004, 0.02, 0.013, 0.007]
                .iter()
                .map(|dt| steps_for(1.0, *dt))
                .sum();
            // One thread tells in order; with several the order of what is told is not that of what was done.
            if threads > 1 {
                told.sort_by_key(|a| (a.steps, a.finished));
            }
            assert!(told.is_sorted_by_key(|a| a.steps));
            let last = told.last().expect("it is told");
            assert_eq!((last.steps, last.of, last.members), (of, of, 5));
            assert_eq!(told.iter().map(|a| a.finished).max(), Some(5));
            assert!(told.len() > 5, "in between too");
        }
    }

    #[test]
    fn a_duration_is_met_by_whole_steps() {
        assert_eq!(steps_for(10.0, 0.01), 1000);
        // 0.3/0.1 is 2.9999999999999996.
        assert_eq!(steps_for(0.3, 0.1), 3);
        assert_eq!(steps_for(0.25, 0.1), 3);
        assert_eq!(steps_for(3600.0, 0.01), 360_000);
        assert_eq!(steps_for(1e-3, 0.01), 1);
    }
}
