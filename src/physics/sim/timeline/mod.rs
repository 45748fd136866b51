//! The past of a simulation: any moment of it can be visited exactly, and time can go on differently from there.
//!
//! Every input, setting and edit is kept, and a hash of every state; whole states as many as a budget of memory
//! allows. All of the last ones are kept, in at least half of the budget, and older ones at every 2nd, 4th, 8th …
//! step. A step in between is computed again from the state before it, to the same bits, as the hashes confirm.
//!
//! Going on from a past moment as it went before follows the same way. Going on differently begins a branch; the way
//! that was left stays as a branch of its own, of which the oldest are dropped when there are many.

mod branch;
mod navigate;
mod store;

pub use branch::{Branch, BranchId};
pub use navigate::{Jump, Landing};

use super::{Change, History, Input, Log, Peaks, Simulation, SimulationError, Snapshot, StepError};
use crate::diagnostics::Sample;
use crate::model::State;
use std::collections::BTreeMap;
use store::{Moment, Place, Store};

/// Memory for states where nothing else is asked for (bytes).
pub const BUDGET: usize = 256 << 20;

/// Most branches kept.
pub const MOST_BRANCHES: usize = 32;

/// Steps between the states that a record holds, a power of two as the steps between older states are: they only say
/// where a replay differs, and a copy of all would take as long as many steps.
const APART: u64 = 32;

/// A named moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Bookmark {
    /// What it is called.
    pub name: String,
    /// The way that leads there.
    pub branch: BranchId,
    /// Steps taken.
    pub step: u64,
    /// Simulated time (s).
    pub time: f64,
}

/// What is in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// States kept.
    pub states: usize,
    /// Memory that they take (bytes).
    pub state_bytes: usize,
    /// Memory that they may take (bytes).
    pub budget: usize,
    /// Those of them that are of the last steps, none of which is left out.
    pub recent: usize,
    /// Steps between older states: a step in between is at most so many steps from one.
    pub stride: u64,
    /// Memory of inputs, changes, hashes and plots, which are kept beside the budget (bytes).
    pub log_bytes: usize,
}

/// The past of a simulation. It goes with one simulation, which only it may step, change or move in time.
#[derive(Debug)]
pub struct Timeline {
    branches: BTreeMap<BranchId, Branch>,
    current: BranchId,
    /// The moment the simulation is at.
    at: Place,
    sample: Sample,
    peaks: Peaks,
    store: Store,
    bookmarks: Vec<Bookmark>,
    next_id: u64,
}

impl Timeline {
    /// A timeline that begins with the present moment, with a budget for states (bytes).
    pub fn new(sim: &mut Simulation, budget: usize) -> Self {
        let sample = sim.sample();
        let mut history = History::default();
        history.restart(sample);
        let root = BranchId(0);
        let step = sim.state().step;
        let start = (step, sim.state().time, sim.settings().dt);
        let mut timeline = Self {
            branches: BTreeMap::from([(root, Branch::new(None, start, history))]),
            current: root,
            at: (root, step),
            sample,
            peaks: Peaks::new(&sample),
            store: Store::new(budget),
            bookmarks: Vec::new(),
            next_id: 1,
        };
        // Everything is computed from it in the end.
        timeline.store.pin(timeline.at, true);
        timeline.keep(sim);
        timeline
    }

    /// Takes a step, and says what the plots show after it. At a past moment, a step that goes as it went before
    /// follows the branch, any other begins a new one. On an error everything is as it was.
    pub fn step(&mut self, sim: &mut Simulation, input: &Input) -> Result<Sample, StepError> {
        let from = (sim.state().step, sim.state().time);
        let taken = sim.timed_step(input).map(drop);
        self.book(sim, from, input, taken)
    }

    /// Books a step that the simulation has just taken from the step and the time `from` (s), or has failed to take.
    pub fn book(
        &mut self,
        sim: &mut Simulation,
        from: (u64, f64),
        input: &Input,
        taken: Result<(), StepError>,
    ) -> Result<Sample, StepError> {
        let ((before, time), dt) = (from, sim.settings().dt);
        if let Err(error) = taken {
            if before == self.end() {
                self.branch_mut().log.fail(input, &error);
            }
            return Err(error);
        }
        let digest = sim.state().digest();
        let same = {
            let log = &self.branches[&self.owner(before + 1)].log;
            log.digest(before + 1) == Some(digest)
                && log.changes(before + 1).next().is_none()
                && log.input(before + 1) == input
        };
        if before < self.end() && !same {
            self.fork(before, time, dt);
        }
        self.sample = sim.sample();
        self.peaks.observe(&self.sample);
        if before == self.end() {
            let sample = self.sample;
            let branch = self.branch_mut();
            branch.pace(time, dt);
            branch.log.push(input, digest);
            branch.history.push(sample);
        }
        self.at = (self.owner(before + 1), before + 1);
        self.keep(sim);
        Ok(self.sample)
    }

    /// Changes settings, method or model. At a past moment this begins a new branch.
    pub fn change(&mut self, sim: &mut Simulation, change: Change) -> Result<(), SimulationError> {
        let from = (sim.state().step, sim.state().time, sim.settings().dt);
        sim.apply(&change)?;
        self.book_changes(sim, from, [change]);
        Ok(())
    }

    /// Books changes that the simulation has just made between two steps, as [`Self::change`] does with its own;
    /// `from` are step, time and step size before them (s).
    pub fn book_changes(
        &mut self,
        sim: &mut Simulation,
        (step, time, dt): (u64, f64, f64),
        changes: impl IntoIterator<Item = Change>,
    ) {
        if step < self.end() {
            self.fork(step, time, dt);
        }
        changes
            .into_iter()
            .for_each(|change| self.branch_mut().log.change(change));
        self.sample = sim.sample();
    }

    /// The plots' figures at the moment the simulation is at.
    pub fn sample(&self) -> &Sample {
        &self.sample
    }

    /// The worst of every step up to the moment the simulation is at.
    pub fn peaks(&self) -> &Peaks {
        &self.peaks
    }

    /// The whole way of the current branch, also what lies ahead of the present moment.
    pub fn history(&self) -> &History {
        &self.branch().history
    }

    /// The first and the last step of the current branch.
    pub fn span(&self) -> [u64; 2] {
        [self.first(), self.end()]
    }

    /// Whether the simulation is at the end of the current branch.
    pub fn at_end(&self) -> bool {
        self.at.1 == self.end()
    }

    /// Time after a step of the current branch (s), up to rounding.
    pub fn time(&self, step: u64) -> f64 {
        self.branches[&self.owner(step)].time(step)
    }

    /// The step of the current branch nearest to a time (s).
    pub fn nearest(&self, time: f64) -> u64 {
        let mut id = self.current;
        loop {
            let branch = &self.branches[&id];
            match branch.parent {
                Some(parent) if time < branch.time(branch.log.first()) => id = parent,
                _ => return branch.step(time).clamp(self.first(), self.end()),
            }
        }
    }

    /// All branches.
    pub fn branches(&self) -> &BTreeMap<BranchId, Branch> {
        &self.branches
    }

    /// The branch on which the simulation is.
    pub fn current(&self) -> BranchId {
        self.current
    }

    /// The branches that lead to the end of the current one, oldest first, each with the last step for which time
    /// went its way.
    pub fn way(&self) -> Vec<(BranchId, u64)> {
        let path = self.path();
        let left = path[1..].iter().map(|id| self.branches[id].log.first());
        let ends: Vec<u64> = left.chain([self.end()]).collect();
        path.into_iter().zip(ends).collect()
    }

    /// The moments of that way that are in memory, in order: what the simulation was, and what was measured of it.
    pub fn kept(&self) -> impl Iterator<Item = (&Snapshot, &Sample)> {
        let mut from = 0;
        let way = self.way().into_iter().map(move |(branch, to)| {
            let part = (branch, from, to);
            from = to + 1;
            part
        });
        way.flat_map(|(branch, from, to)| {
            let moments = self.store.of(branch);
            moments.filter_map(move |(step, moment)| {
                (from..=to)
                    .contains(&step)
                    .then_some((&moment.snapshot, &moment.sample))
            })
        })
    }

    /// Whether time went through a step of a branch on its way to the end of the current one.
    pub fn is_on_way(&self, branch: BranchId, step: u64) -> bool {
        step <= self.end()
            && self.branches.contains_key(&branch)
            && self.owner_on(branch, step) == self.owner(step)
    }

    /// What acted during the step that led to the present moment; nothing at the first moment.
    pub fn input(&self) -> &Input {
        let (branch, step) = self.at;
        self.branches[&branch].log.input(step)
    }

    /// What is in memory.
    pub fn memory(&self) -> Memory {
        let rows = |b: &Branch| size_of_val(b.history.rows());
        Memory {
            states: self.store.len(),
            state_bytes: self.store.bytes(),
            budget: self.store.budget(),
            recent: self.store.recent(),
            stride: self.store.stride(),
            log_bytes: self
                .branches
                .values()
                .map(|b| b.log.bytes() + rows(b))
                .sum(),
        }
    }

    /// Changes the memory for states (bytes).
    pub fn set_budget(&mut self, budget: usize) {
        self.store.set_budget(budget);
    }

    /// The current branch from its first moment to its end: what a take holds.
    pub fn record(&self) -> (Snapshot, Log, BTreeMap<u64, State>) {
        let way = self.way();
        let first = self.first();
        let start = self.first_moment();
        let mut log = Log::new(first);
        let mut states = BTreeMap::new();
        for (id, last) in way {
            log.extend(&self.branches[&id].log, last);
            let end = self.end();
            let wanted = |step: u64| step <= last && (step.is_multiple_of(APART) || step == end);
            let here = self.store.of(id).filter(|(step, _)| wanted(*step));
            states.extend(here.map(|(step, moment)| (step, moment.snapshot.state.clone())));
        }
        let end = self.branch();
        end.trailing().for_each(|change| log.change(change.clone()));
        if let Some(failure) = end.log.failure() {
            log.set_failure(failure.clone());
        }
        states.remove(&first);
        (start.clone(), log, states)
    }

    /// Names the present moment, which is kept from then on.
    pub fn bookmark(&mut self, name: impl Into<String>) {
        let (_, step) = self.at;
        self.bookmarks.push(Bookmark {
            name: name.into(),
            branch: self.current,
            step,
            time: self.sample.time,
        });
        self.store.pin(self.at, true);
    }

    /// Named moments, in the order in which they were named.
    pub fn bookmarks(&self) -> &[Bookmark] {
        &self.bookmarks
    }

    /// Gives a named moment another name.
    pub fn rename_bookmark(&mut self, index: usize, name: impl Into<String>) {
        if let Some(bookmark) = self.bookmarks.get_mut(index) {
            bookmark.name = name.into();
        }
    }

    /// Takes a name back; the moment stays.
    pub fn remove_bookmark(&mut self, index: usize) {
        if index >= self.bookmarks.len() {
            return;
        }
        let Bookmark { branch, step, .. } = self.bookmarks.remove(index);
        let place = (self.owner_on(branch, step), step);
        let root = (self.path()[0], self.first());
        let places = |b: &Bookmark| (self.owner_on(b.branch, b.step), b.step);
        if place != root && !self.bookmarks.iter().any(|b| places(b) == place) {
            self.store.pin(place, false);
        }
    }

    fn branch(&self) -> &Branch {
        &self.branches[&self.current]
    }

    fn branch_mut(&mut self) -> &mut Branch {
        self.branches
            .get_mut(&self.current)
            .expect("the current branch is there")
    }

    /// Last step of the current branch.
    fn end(&self) -> u64 {
        self.branch().log.last()
    }

    /// Steps taken by the first state of all.
    fn first(&self) -> u64 {
        self.branches[&self.path()[0]].log.first()
    }

    /// The current branch and those it came from, oldest first.
    fn path(&self) -> Vec<BranchId> {
        let parent = |id: &BranchId| self.branches[id].parent;
        let mut path: Vec<_> = std::iter::successors(Some(self.current), parent).collect();
        path.reverse();
        path
    }

    /// The branch of the current path whose step led to a state.
    fn owner(&self, step: u64) -> BranchId {
        self.owner_on(self.current, step)
    }

    fn owner_on(&self, mut id: BranchId, step: u64) -> BranchId {
        loop {
            let branch = &self.branches[&id];
            match branch.parent {
                Some(parent) if step <= branch.log.first() => id = parent,
                _ => return id,
            }
        }
    }

    /// Begins a branch at a step.
    fn fork(&mut self, step: u64, time: f64, dt: f64) {
        let history = self.branch().history.until(step);
        let parent = self.owner(step);
        let id = BranchId(self.next_id);
        self.next_id += 1;
        self.branches
            .insert(id, Branch::new(Some(parent), (step, time, dt), history));
        self.current = id;
        self.drop_surplus();
    }

    /// Keeps the present moment in memory.
    fn keep(&mut self, sim: &Simulation) {
        let Self {
            store,
            at,
            sample,
            peaks,
            ..
        } = self;
        let make = || Moment {
            snapshot: sim.snapshot(),
            sample: *sample,
            peaks: *peaks,
        };
        let write = |moment: &mut Moment| {
            sim.snapshot_into(&mut moment.snapshot);
            (moment.sample, moment.peaks) = (*sample, *peaks);
        };
        store.keep(*at, make, write);
    }
}
