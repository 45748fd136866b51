//! Back to the first moment, to start again with what is in force: at once, or prepared in the background where bodies
//! are many.

use crate::session::Session;
use crate::session::past::Past;
use physics::model::State;
use physics::sim::{Change, Leg, Mechanism, Simulation, SimulationError, Snapshot};

/// A way back to the first moment.
pub(super) struct Restart {
    /// The first moment, as it is gone back to.
    from: Snapshot,
    /// What is to be in force there.
    wanted: Snapshot,
    /// The state to begin with.
    start: State,
    /// Whether all that is so there already.
    same: bool,
}

/// A simulation that has gone back.
pub(super) struct Restarted {
    simulation: Box<Simulation>,
    changes: Vec<Change>,
    /// Step, time and step size before the changes (s).
    from: (u64, f64, f64),
}

impl Restart {
    /// Whether a simulation has to be prepared for it, which takes long where bodies are many.
    pub fn prepares(&self, sim: &Simulation) -> bool {
        !self.same || !sim.shares_workspace(&self.from)
    }

    /// Makes the changes that are needed in a simulation at the first moment, and gives them back.
    fn change(&self, sim: &mut Simulation) -> Result<Vec<Change>, SimulationError> {
        let Self {
            from,
            wanted,
            start,
            same,
        } = self;
        if *same {
            return Ok(Vec::new());
        }
        let mechanism = Mechanism {
            model: wanted.model.clone(),
            state: State {
                step: from.state.step,
                time: from.state.time,
                ..start.clone()
            },
            first: true,
        };
        let mechanism = Change::Mechanism(mechanism.into());
        let mut made = Vec::new();
        if from.integrator != wanted.integrator {
            let method = Change::Integrator(wanted.integrator);
            // The method may refuse the first model, as the first method may refuse the model in force. What counts in
            // the end is a start of the method with the model.
            if make(sim, method.clone(), &mut made).is_err() {
                make(sim, mechanism.clone(), &mut made)?;
                make(sim, method, &mut made)?;
            }
        }
        // After the method, whose options the one before may not know.
        if *sim.settings() != wanted.settings {
            make(sim, Change::Settings(wanted.settings), &mut made)?;
        }
        make(sim, mechanism, &mut made)?;
        // Everything was put where it begins, which is what was asked for.
        let _ = sim.take_correction();
        Ok(made)
    }

    /// Goes back in another simulation than the session's.
    pub fn prepare(&self) -> Result<Restarted, SimulationError> {
        let mut simulation = Box::new(Simulation::resume(&self.from)?);
        let changes = self.change(&mut simulation)?;
        // Whoever goes on with it finds them read.
        simulation.velocities();
        Ok(Restarted {
            simulation,
            changes,
            from: self.place(),
        })
    }

    fn place(&self) -> (u64, f64, f64) {
        let Snapshot {
            state, settings, ..
        } = &self.from;
        (state.step, state.time, settings.dt)
    }
}

fn make(
    sim: &mut Simulation,
    change: Change,
    made: &mut Vec<Change>,
) -> Result<(), SimulationError> {
    sim.apply(&change)?;
    made.push(change);
    Ok(())
}

impl Session {
    /// The way back to the first moment, to start again with the method, the settings and the model in force; none
    /// for a session whose past nobody visits.
    pub(super) fn restart(&self) -> Option<Restart> {
        let timeline = self.timeline()?;
        let wanted = self.simulation.snapshot();
        let start = self.simulation.first_state().clone();
        let first = timeline.first_moment();
        // At the first moment itself nothing is gone back to, and the changes made there hold.
        let from = match wanted.state.step == first.state.step {
            true => &wanted,
            false => first,
        };
        let same = *from.model == *wanted.model
            && from.settings == wanted.settings
            && from.integrator == wanted.integrator
            && start == self.first;
        Some(Restart {
            from: from.clone(),
            wanted,
            start,
            same,
        })
    }

    /// Back to the first state, to start again with the method, the settings and the model that are in force. The run
    /// so far stays; unlike after [`Self::seek`], its inputs are not repeated.
    pub fn reset(&mut self) {
        self.tap = None;
        self.stay();
        let restart = self.restart();
        let (Past::Whole(timeline), Some(restart)) = (&mut self.past, restart) else {
            self.simulation.reset();
            self.past = Past::plots(&mut self.simulation);
            return self.arrive();
        };
        // The first moment is always in memory.
        if let Err(error) = timeline.seek(&mut self.simulation, restart.from.state.step) {
            self.arrive();
            self.failure = Some(error.to_string());
            return;
        }
        let (changes, failure) = match restart.change(&mut self.simulation) {
            Ok(changes) => (changes, None),
            Err(error) => {
                let back = self.simulation.restore(&restart.from);
                let error = back.err().unwrap_or(error);
                (Vec::new(), Some(error.to_string()))
            }
        };
        self.begin_again(changes, restart.place());
        self.failure = failure;
    }

    /// Goes on with a simulation that has gone back in the background.
    pub(super) fn take_in_restarted(&mut self, restarted: Restarted) {
        let Restarted {
            simulation: mut other,
            changes,
            from,
        } = restarted;
        self.tap = None;
        let leg = Leg::changes(changes);
        self.simulation.relieve(&mut other, &leg);
        self.begin_again(leg.changes, from);
        self.jobs
            .detach("Letting go of a simulation", move || drop(other));
    }

    /// Shows the first moment, with the changes that were made there; `from` are step, time and step size before them
    /// (s).
    fn begin_again(&mut self, changes: Vec<Change>, from: (u64, f64, f64)) {
        self.about_to_change();
        if let Past::Whole(timeline) = &mut self.past {
            timeline.book_restart(&mut self.simulation, from, changes);
        }
        self.changed(None);
        self.arrive();
        self.follows = false;
    }
}
