//! Islands in intervals of their own: where a step does not hold in one interval, every group of bodies that nothing
//! ties to the others is advanced by itself, as if there were no others.
//!
//! Joints, couplings, springs, cables and what may touch in the step tie bodies together. An island is a [`Part`] of the
//! model with a workspace of its own, which is kept while the pattern of islands stays; it sets out from what the state
//! has of it and comes to the same bits as in a scene of its own. Where a body went farther than was foreseen and may
//! have met one of another island, these are one island and are advanced again.

use super::Variational;
use super::island::{Divided, Island};
use super::options::Accuracy;
use crate::integrators::{Fallback, Settings, StepError, StepReport};
use crate::math::disjoint_sets::DisjointSets;
use crate::model::{Input, Model, State};
use crate::solver::contact::{ContactReport, Contacts};
use crate::solver::{Unilateral, past};
use crate::stopwatch::Stopwatch;
use crate::threads;

/// Divided steps in which an island may be missing before its workspace goes.
const KEPT: u64 = 4;

/// Bodies beside those of the largest island from which on islands are shared out: each takes some ten microseconds,
/// several times what it takes to hand an island over.
const SHARED: usize = 4;

/// The islands of a model; nothing here changes what a step does.
pub(super) struct Islands {
    /// Bodies that the model ties together.
    tied: DisjointSets,
    /// The same with what may touch in the step.
    pub groups: DisjointSets,
    /// How far every body's points may come in the step (m).
    pub reach: Vec<f64>,
    islands: Vec<Island>,
    /// Islands of the step, by their first bodies.
    now: Vec<usize>,
    /// Of every body, its island and its number there.
    places: Vec<(usize, usize)>,
    members: Vec<usize>,
    /// Divided steps so far.
    steps: u64,
}

impl Islands {
    /// Those of a model.
    pub fn new(model: &Model) -> Self {
        let mut tied = DisjointSets::new(model.bodies.len());
        model.ties(|a, b| {
            tied.join(a.0, b.0);
        });
        Self {
            groups: tied.clone(),
            tied,
            reach: Vec::new(),
            islands: Vec::new(),
            now: Vec::new(),
            places: vec![(0, 0); model.bodies.len()],
            members: Vec::new(),
            steps: 0,
        }
    }

    /// Finds the islands of a step from a state; whether there are two or more.
    pub fn divide(
        &mut self,
        model: &Model,
        state: &State,
        input: &Input,
        contacts: Option<&mut Contacts>,
        dt: f64,
    ) -> bool {
        let groups = self.touching(state);
        if groups.count() < 2 {
            return false;
        }
        for command in &input.commands {
            let joint = &model.joints[command.joint.0];
            if let Some(parent) = joint.parent {
                groups.join(parent.0, joint.child.0);
            }
        }
        if let Some(contacts) = contacts.filter(|_| model.contact.is_some()) {
            self.reach.clear();
            self.reach
                .extend_from_slice(contacts.reach(model, &state.bodies, dt));
            let groups = &mut self.groups;
            contacts.pairs(model, &state.bodies, &self.reach, |a, b| {
                groups.join(a.0, b.0);
            });
        }
        self.groups.count() > 1
    }

    /// Bodies that the model or contacts of a state tie together.
    pub fn touching(&mut self, state: &State) -> &mut DisjointSets {
        let groups = &mut self.groups;
        groups.clone_from(&self.tied);
        for contact in &state.contacts {
            if let [Some(a), Some(b)] = contact.bodies {
                groups.join(a.0, b.0);
            }
        }
        groups
    }

    /// Advances the islands that were [found](Self::divide) each by itself. Returns false, and leaves the state as it
    /// was, where all have grown together.
    fn advance(
        &mut self,
        whole: &mut Variational,
        step: &Divided,
        state: &mut State,
        report: &mut StepReport,
    ) -> Result<bool, StepError> {
        self.steps += 1;
        let steps = self.steps;
        self.islands.retain(|i| i.used + KEPT >= steps);
        for island in &mut self.islands {
            (island.advanced, island.due, island.error) = (false, false, None);
        }
        let apart = loop {
            self.find(whole, step);
            let most = if step.live { self.most(whole) } else { None };
            for &k in &self.now {
                let island = &mut self.islands[k];
                island.due = !island.advanced;
                island.method.contact.accuracy = if step.live {
                    Accuracy::Live
                } else {
                    whole.contact.accuracy
                };
                island.method.failed = most == Some(k);
            }
            self.advance_due(step, state, &mut whole.solver.stopwatch)?;
            if !self.have_met(whole.contacts.as_deref_mut(), step.model, state) {
                break true;
            }
            if self.groups.count() == 1 {
                break false;
            }
        };
        // What was advanced in vain took as much.
        let reports = self.islands.iter().filter(|i| i.advanced);
        let reports = reports.map(|i| &i.report);
        report.iterations += reports.clone().map(|r| r.iterations).max().unwrap_or(0);
        report.factorisations += reports.map(|r| r.factorisations).sum::<u32>();
        if apart {
            self.leave(state, report);
        }
        Ok(apart)
    }

    /// Advances the islands that are due, on all [threads] that there are. The error is that of the first in the order of
    /// bodies.
    fn advance_due(
        &mut self,
        step: &Divided,
        state: &State,
        stopwatch: &mut Stopwatch,
    ) -> Result<(), StepError> {
        let one = |island: &mut Island| {
            if island.due {
                island.error = island.advance(step, state).err();
            }
        };
        let sizes = self.islands.iter().filter(|i| i.due);
        let sizes = sizes.map(|i| i.part.bodies.len());
        let largest = sizes.clone().max().unwrap_or(0);
        if sizes.sum::<usize>() - largest >= SHARED {
            threads::each(&mut self.islands, |_, island| one(island));
        } else {
            self.islands.iter_mut().for_each(one);
        }
        let due = self.islands.iter_mut().filter(|i| i.due);
        stopwatch.spread(due.filter_map(|i| i.spent.take()));
        for &k in &self.now {
            let island = &mut self.islands[k];
            if let Some(error) = island.error.take() {
                return Err(error);
            }
            island.advanced = true;
        }
        Ok(())
    }

    /// Finds the workspaces of the groups, and makes those that are not there.
    fn find(&mut self, whole: &Variational, step: &Divided) {
        let Self {
            groups,
            islands,
            now,
            places,
            members,
            steps,
            ..
        } = self;
        now.clear();
        for first in 0..groups.size() {
            if groups.find(first) != first {
                continue;
            }
            members.clear();
            members.extend((first..groups.size()).filter(|&k| groups.find(k) == first));
            let known = islands.iter().position(|i| i.part.bodies == *members);
            let island = known.unwrap_or_else(|| {
                islands.push(Island::new(whole, step.model, step.settings, members));
                islands.len() - 1
            });
            islands[island].used = *steps;
            now.push(island);
            for (number, body) in members.iter().enumerate() {
                places[*body] = (island, number);
            }
        }
    }

    /// The island that has most of the contact points of the interval that was tried last, if one has more than half: what
    /// failed is not tried again as it was.
    fn most(&self, whole: &Variational) -> Option<usize> {
        let unilaterals = whole.solver.unilaterals();
        let of = |k: usize| {
            let own = |u: &&Unilateral| {
                let body = whole.solver.bodies(u).next();
                body.is_some_and(|b| self.places[b].0 == k)
            };
            unilaterals.iter().filter(own).count()
        };
        let half = unilaterals.len() / 2;
        self.now.iter().copied().find(|&k| of(k) > half)
    }

    /// Whether bodies of different islands may have met, since one went farther than was foreseen; these are one group
    /// then.
    fn have_met(&mut self, contacts: Option<&mut Contacts>, model: &Model, state: &State) -> bool {
        let Some(contacts) = contacts.filter(|_| model.contact.is_some()) else {
            return false;
        };
        let mut farther = false;
        for (reach, &(island, number)) in self.reach.iter_mut().zip(&self.places) {
            let ways = self.islands[island].method.ways.as_ref();
            let came = ways.map_or(0.0, |w| w.farthest[number]);
            farther |= came > *reach;
            *reach = reach.max(came);
        }
        let mut met = false;
        if farther {
            let groups = &mut self.groups;
            contacts.pairs(model, &state.bodies, &self.reach, |a, b| {
                met |= groups.join(a.0, b.0);
            });
        }
        met
    }

    /// Puts the islands together again.
    fn leave(&self, state: &mut State, report: &mut StepReport) {
        report.history.clear();
        report.cut = None;
        report.outcome = Default::default();
        (report.residual, report.constraint) = (0.0, 0.0);
        report.contact = ContactReport {
            work: report.contact.work,
            ..ContactReport::default()
        };
        state.contacts.clear();
        let islands = self.now.iter().map(|&k| &self.islands[k]);
        for island in islands.clone() {
            island.leave(state, report);
        }
        state.contacts.sort_unstable_by_key(|c| c.key);
        // No joint has turned farther since its angles were read.
        state.swept = islands.map(|i| i.state.swept).fold(0.0, f64::max);
        past::gather(state, |k| {
            let (island, number) = self.places[k];
            (&self.islands[island].state, number)
        });
    }
}

impl Variational {
    /// Advances every island by itself, if there are two or more; `tried` says whether the step was tried as a whole.
    /// Returns false, and leaves the state as it was, where they are one.
    pub(super) fn by_islands(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        tried: bool,
        report: &mut StepReport,
    ) -> Result<bool, StepError> {
        // Its own islands have none.
        let Some(mut islands) = self.islands.take() else {
            return Ok(false);
        };
        let step = Divided {
            model,
            input,
            settings,
            live: tried && self.is_live(),
            timed: self.solver.stopwatch.runs(),
        };
        let contacts = self.contacts.as_deref_mut();
        let before = report.fallback;
        let mut done = Ok(false);
        if islands.divide(model, state, input, contacts, settings.dt) {
            report.fallback = if tried {
                Fallback::Islands
            } else {
                Fallback::Predicted
            };
            done = islands.advance(self, &step, state, report);
        }
        if !matches!(done, Ok(true)) {
            report.fallback = before;
        }
        self.islands = Some(islands);
        done
    }
}
