//! Moving to other moments and other branches.

use super::{BranchId, MOST_BRANCHES, Place, Timeline};
use crate::diagnostics::Sample;
use crate::sim::{Change, Divergence, Leg, LegError, Peaks, ReplayError, Simulation, Snapshot};

/// A moment in memory to go to, for a simulation that is prepared beside the one that is there.
#[derive(Debug)]
pub struct Jump {
    /// The moment.
    pub moment: Snapshot,
    /// The changes to make there, with which the branch ends.
    pub after: Vec<Change>,
    /// By which it is booked.
    pub landing: Landing,
}

/// Where a [`Jump`] ends, and the account of that moment.
#[derive(Debug)]
pub struct Landing {
    place: Place,
    sample: Sample,
    peaks: Peaks,
}

fn at_step(step: u64, error: LegError) -> ReplayError {
    match error {
        LegError::Change(error) => ReplayError::Change { step, error },
        LegError::Step(error) => ReplayError::Failed { step, error },
    }
}

impl Timeline {
    /// Goes to a step of the current branch; a step beyond its ends means the nearer end.
    pub fn seek(&mut self, sim: &mut Simulation, step: u64) -> Result<(), ReplayError> {
        while !self.approach(sim, step, u64::MAX)? {}
        Ok(())
    }

    /// Goes towards a step of the current branch and computes at most `most` steps on the way, so that a window can
    /// draw in between. True once it is there; on the way the simulation is in some earlier state of the branch.
    pub fn approach(
        &mut self,
        sim: &mut Simulation,
        step: u64,
        most: u64,
    ) -> Result<bool, ReplayError> {
        let target = step.clamp(self.first(), self.end());
        if self.is_on_path() && self.at.1 == target {
            return Ok(true);
        }
        let (owner, kept) = self.kept_before(target);
        if !self.is_on_path() || !(kept..=target).contains(&self.at.1) {
            self.go(sim, (owner, kept))?;
        }
        for _ in 0..most {
            if self.at.1 == target {
                break;
            }
            self.advance(sim)?;
        }
        self.is_there(sim, target)
    }

    /// The step that [`Self::approach`] would have to compute next on the way to a step of the current branch; `None`
    /// where it is there, or first goes to a moment in memory.
    pub fn next_leg(&self, step: u64) -> Option<Leg> {
        let target = step.clamp(self.first(), self.end());
        let (_, kept) = self.kept_before(target);
        if !self.is_on_path() || !(kept..target).contains(&self.at.1) {
            return None;
        }
        let next = self.at.1 + 1;
        let log = &self.branches[&self.owner(next)].log;
        Some(Leg {
            changes: log.changes(next).cloned().collect(),
            input: Some(log.input(next).clone()),
            after: self.last_changes(next),
        })
    }

    /// The moment in memory to which [`Self::approach`] goes first on the way to a step of the current branch; `None`
    /// where it is there, or computes a step next.
    pub fn next_jump(&self, step: u64) -> Option<Jump> {
        let target = step.clamp(self.first(), self.end());
        let place = self.kept_before(target);
        if self.is_on_path() && (place.1..=target).contains(&self.at.1) {
            return None;
        }
        let moment = self.store.get(place)?;
        Some(Jump {
            moment: moment.snapshot.clone(),
            after: self.last_changes(place.1),
            landing: Landing {
                place,
                sample: moment.sample,
                peaks: moment.peaks,
            },
        })
    }

    /// Whether to go where [`Self::next_jump`] leads takes more than to copy numbers.
    pub fn is_far(&self, sim: &Simulation, step: u64) -> bool {
        let target = step.clamp(self.first(), self.end());
        let place = self.kept_before(target);
        let moment = self.store.get(place);
        moment.is_some_and(|m| !sim.shares_workspace(&m.snapshot))
            || (place.1 == self.end() && self.branch().trailing().next().is_some())
    }

    /// The changes with which the current branch ends, if this is its last step.
    fn last_changes(&self, step: u64) -> Vec<Change> {
        let there = step == self.end();
        let last = self.branch().trailing().filter(|_| there);
        last.cloned().collect()
    }

    /// Books the step of [`Self::next_leg`] that the simulation has just taken to a state of that digest, or has failed
    /// to take. True if it is at the step asked for.
    pub fn book_leg(
        &mut self,
        sim: &mut Simulation,
        step: u64,
        leg: &Leg,
        taken: Result<u64, LegError>,
    ) -> Result<bool, ReplayError> {
        let next = self.at.1 + 1;
        let reached = taken.map_err(|error| at_step(next, error))?;
        self.confirm(sim, reached)?;
        // Behind the last changes the moment is not the one that is kept for that step.
        if leg.after.is_empty() {
            self.keep(sim);
        }
        Ok(self.at.1 == step.clamp(self.first(), self.end()))
    }

    /// Books that the simulation has gone to the moment of [`Self::next_jump`] and has made the changes there, or has
    /// failed to. True if it is at the step asked for.
    pub fn book_jump(
        &mut self,
        sim: &mut Simulation,
        step: u64,
        landing: &Landing,
        taken: Result<u64, LegError>,
    ) -> Result<bool, ReplayError> {
        taken.map_err(|error| at_step(landing.place.1, error))?;
        self.at = landing.place;
        self.peaks = landing.peaks;
        self.sample = match self.last_changes(self.at.1).is_empty() {
            true => landing.sample,
            false => sim.sample(),
        };
        Ok(self.at.1 == step.clamp(self.first(), self.end()))
    }

    /// The first moment of all.
    pub fn first_moment(&self) -> &Snapshot {
        let first = (self.path()[0], self.first());
        let moment = self.store.get(first).expect("the first moment is pinned");
        &moment.snapshot
    }

    /// Books that the simulation has gone to [the first moment](Self::first_moment), if it was not there, and has made
    /// changes there, if any; `from` are step, time and step size before them (s).
    pub fn book_restart(
        &mut self,
        sim: &mut Simulation,
        from: (u64, f64, f64),
        changes: Vec<Change>,
    ) {
        let first = (self.path()[0], self.first());
        if self.at != first {
            let moment = self.store.get(first).expect("the first moment is pinned");
            (self.at, self.sample, self.peaks) = (first, moment.sample, moment.peaks);
        }
        if !changes.is_empty() {
            self.book_changes(sim, from, changes);
        }
    }

    /// Whether the simulation is at a step; at the end of the branch it makes the changes that were made there.
    fn is_there(&mut self, sim: &mut Simulation, target: u64) -> Result<bool, ReplayError> {
        let there = self.at.1 == target;
        if there && target == self.end() {
            self.catch_up(sim)?;
        }
        Ok(there)
    }

    /// Takes the next step as it was recorded, changes and drags included; `None` at the end of the branch.
    pub fn forward(&mut self, sim: &mut Simulation) -> Result<Option<Sample>, ReplayError> {
        if self.at_end() {
            return Ok(None);
        }
        let next = self.at.1 + 1;
        self.seek(sim, next)?;
        Ok(Some(*self.sample()))
    }

    /// Goes one step back; false at the first moment.
    pub fn back(&mut self, sim: &mut Simulation) -> Result<bool, ReplayError> {
        let (_, step) = self.at;
        if step == self.first() {
            return Ok(false);
        }
        self.seek(sim, step - 1).map(|()| true)
    }

    /// Makes another branch the current one and goes to a step of it; false if there is no such branch.
    pub fn visit(
        &mut self,
        sim: &mut Simulation,
        branch: BranchId,
        step: u64,
    ) -> Result<bool, ReplayError> {
        Ok(self.turn_to(sim, branch)? && self.seek(sim, step).map(|()| true)?)
    }

    /// Makes another branch the current one; false if there is no such branch. The simulation is in no moment of it
    /// until [`Self::approach`] or [`Self::seek`] leads there.
    pub fn turn_to(&mut self, sim: &mut Simulation, branch: BranchId) -> Result<bool, ReplayError> {
        if !self.branches.contains_key(&branch) {
            return Ok(false);
        }
        if self.at_end() && self.branch().trailing().next().is_some() {
            // The changes made here belong to the branch that is left.
            self.go(sim, self.at)?;
        }
        self.current = branch;
        Ok(true)
    }

    /// Forgets a branch; false for the current one, for those it came from, and where another branch left it.
    pub fn remove(&mut self, branch: BranchId) -> bool {
        let parent = self.branches.values().any(|b| b.parent == Some(branch));
        if parent || branch == self.current || !self.branches.contains_key(&branch) {
            return false;
        }
        self.branches.remove(&branch);
        self.bookmarks.retain(|b| b.branch != branch);
        self.store.forget(branch);
        true
    }

    /// Forgets the oldest branches that nothing needs while there are too many.
    pub(super) fn drop_surplus(&mut self) {
        while self.branches.len() > MOST_BRANCHES {
            let bookmarked = |id: &BranchId| self.bookmarks.iter().any(|b| b.branch == *id);
            let ids = self.branches.keys().copied();
            let loose: Vec<BranchId> = ids.filter(|id| !bookmarked(id)).collect();
            if !loose.into_iter().any(|id| self.remove(id)) {
                return;
            }
        }
    }

    /// Whether the present moment lies on the current branch.
    fn is_on_path(&self) -> bool {
        self.owner(self.at.1) == self.at.0
    }

    /// The last moment in memory at or before a step of the current branch.
    fn kept_before(&self, step: u64) -> Place {
        let mut last = step;
        for id in self.path().into_iter().rev() {
            let from = self.branches[&id].log.first();
            // The first moment of a branch is one of its parent.
            let first = from + u64::from(self.branches[&id].parent.is_some());
            if first <= last {
                if let Some(step) = self.store.last(id, first, last) {
                    return (id, step);
                }
                last = from;
            }
        }
        (self.path()[0], self.first())
    }

    /// Puts the simulation into a moment that is in memory.
    fn go(&mut self, sim: &mut Simulation, place: Place) -> Result<(), ReplayError> {
        let place = match self.store.get(place) {
            Some(_) => place,
            None => self.kept_before(place.1),
        };
        let moment = self
            .store
            .get(place)
            .expect("the first moment is never dropped");
        sim.restore(&moment.snapshot)
            .map_err(|error| ReplayError::Change {
                step: place.1,
                error,
            })?;
        (self.sample, self.peaks) = (moment.sample, moment.peaks);
        self.at = place;
        Ok(())
    }

    /// Computes the next step of the current branch again.
    fn advance(&mut self, sim: &mut Simulation) -> Result<(), ReplayError> {
        let step = self.at.1 + 1;
        let owner = self.owner(step);
        let log = &self.branches[&owner].log;
        for change in log.changes(step) {
            sim.apply(change)
                .map_err(|error| ReplayError::Change { step, error })?;
        }
        sim.timed_step(log.input(step))
            .map_err(|error| ReplayError::Failed { step, error })?;
        self.advanced(sim)
    }

    /// Takes in that the simulation has computed the next step again.
    fn advanced(&mut self, sim: &mut Simulation) -> Result<(), ReplayError> {
        let reached = sim.state().digest();
        self.confirm(sim, reached)?;
        self.keep(sim);
        Ok(())
    }

    /// Goes to the next step, which the simulation has computed again, if that led to the state that was recorded.
    fn confirm(&mut self, sim: &mut Simulation, reached: u64) -> Result<(), ReplayError> {
        let step = self.at.1 + 1;
        let owner = self.owner(step);
        let log = &self.branches[&owner].log;
        let recorded = log.digest(step).unwrap_or(reached);
        if reached != recorded {
            return Err(ReplayError::Diverged(Box::new(Divergence {
                step,
                time: sim.state().time,
                recorded,
                reached,
                compared: None,
            })));
        }
        self.at = (owner, step);
        self.sample = sim.sample();
        self.peaks.observe(&self.sample);
        Ok(())
    }

    /// Makes the changes that were made after the last step of the branch.
    fn catch_up(&mut self, sim: &mut Simulation) -> Result<(), ReplayError> {
        let step = self.at.1 + 1;
        for change in self.branch().trailing() {
            sim.apply(change)
                .map_err(|error| ReplayError::Change { step, error })?;
        }
        if self.branch().trailing().next().is_some() {
            self.sample = sim.sample();
        }
        Ok(())
    }
}
