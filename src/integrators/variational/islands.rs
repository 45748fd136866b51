//! Islands in intervals of their own: where a step does not hold in one interval, every group of bodies that nothing
//! ties to the others is advanced by itself, as if there were no others.
//!
//! Joints, couplings, springs, cables and what may touch in the step tie bodies together. An island is a [`Part`] of the
//! model with a workspace of its own, which is kept while the pattern of islands stays; it sets out from what the state
//! has of it and comes to the same bits as in a scene of its own. Where a body went farther than was foreseen and may
//! have met one of another island, these are one island and are advanced again.

use super::Variational;
use super::options::Accuracy;
use crate::integrators::{Cut, CutPart, Fallback, Integrator, Settings, StepError, StepReport};
use crate::math::disjoint_sets::DisjointSets;
use crate::math::moved;
use crate::model::{BodyId, BodyState, ContactKey, ContactState, Input, Model, Part, State};
use crate::solver::contact::{ContactReport, Contacts, radius};
use crate::solver::{Unilateral, past, worse};
use crate::stopwatch::Stopwatch;

/// Divided steps in which an island may be missing before its workspace goes.
const KEPT: u64 = 4;

/// The islands of a model; nothing here changes what a step does.
pub(super) struct Islands {
    /// Bodies that the model ties together.
    tied: DisjointSets,
    /// The same with what may touch in the step.
    groups: DisjointSets,
    /// How far every body's points may come in the step [m].
    reach: Vec<f64>,
    islands: Vec<Island>,
    /// Islands of the step, by their first bodies.
    now: Vec<usize>,
    /// Of every body, its island and its number there.
    places: Vec<(usize, usize)>,
    members: Vec<usize>,
    /// Divided steps so far.
    steps: u64,
}

/// An island with its workspace.
struct Island {
    part: Part,
    /// Numbers of its shapes among all that touch.
    shapes: Vec<usize>,
    method: Variational,
    state: State,
    input: Input,
    report: StepReport,
    /// The divided step that needed it last.
    used: u64,
    /// Whether it was advanced in this one.
    advanced: bool,
}

/// A step that is divided.
#[derive(Clone, Copy)]
struct Divided<'a> {
    model: &'a Model,
    input: &'a Input,
    settings: &'a Settings,
    /// Whether the scene is solved live: its islands are then, however few contact points they have.
    live: bool,
}

/// How far points of bodies came from where they set out.
#[derive(Default)]
pub(super) struct Ways {
    from: Vec<BodyState>,
    radii: Vec<f64>,
    /// At most, at any knot since [m].
    farthest: Vec<f64>,
}

impl Ways {
    fn of(model: &Model) -> Self {
        Self {
            radii: model.bodies.iter().map(radius).collect(),
            ..Self::default()
        }
    }

    fn begin(&mut self, bodies: &[BodyState]) {
        self.from.clear();
        self.from.extend_from_slice(bodies);
        self.farthest.clear();
        self.farthest.resize(bodies.len(), 0.0);
    }

    /// Takes note of a knot.
    pub fn note(&mut self, bodies: &[BodyState]) {
        let place = |body: &BodyState| (body.position, body.orientation);
        let parts = self.farthest.iter_mut().zip(&self.from).zip(&self.radii);
        for (((farthest, from), radius), body) in parts.zip(bodies) {
            let ((at, turn), (to, turned)) = (place(from), place(body));
            *farthest = moved((&at, &turn), (&to, &turned), *radius).max(*farthest);
        }
    }
}

impl Island {
    fn new(whole: &Variational, step: &Divided, bodies: &[usize]) -> Self {
        let part = step.model.part(bodies);
        let contacts = whole.contacts.as_deref();
        let method = whole.of_part(&part, step.settings);
        Self {
            shapes: contacts.map_or_else(Vec::new, |c| c.numbers(bodies).collect()),
            state: State::at_rest(&part.model),
            method,
            input: Input::default(),
            report: StepReport::default(),
            used: 0,
            advanced: false,
            part,
        }
    }

    /// Advances what the state has of it; `stopwatch` runs meanwhile.
    fn advance(
        &mut self,
        step: &Divided,
        state: &State,
        stopwatch: &mut Stopwatch,
    ) -> Result<(), StepError> {
        let Self {
            part,
            shapes,
            method,
            state: own,
            ..
        } = self;
        part.take(state, own);
        past::gather(own, |k| (state, part.bodies[k]));
        own.contacts.clear();
        own.contacts
            .extend(state.contacts.iter().filter_map(|contact| {
                let [a, b] = contact.key.numbers().map(|n| shapes.binary_search(&n).ok());
                let first = part.number(contact.bodies[0]?)?;
                Some(ContactState {
                    key: ContactKey::new([a?, b?], contact.key.features),
                    bodies: [Some(first), contact.bodies[1].and_then(|b| part.number(b))],
                    ..*contact
                })
            }));
        part.take_input(step.input, &mut self.input);
        if let Some(ways) = &mut method.ways {
            ways.begin(&own.bodies);
        }
        std::mem::swap(&mut method.solver.stopwatch, stopwatch);
        let done = method.step(
            &part.model,
            own,
            &self.input,
            step.settings,
            &mut self.report,
        );
        std::mem::swap(&mut method.solver.stopwatch, stopwatch);
        done
    }

    /// Leaves what it came to in the state, memory apart, and in the report.
    fn leave(&self, state: &mut State, report: &mut StepReport) {
        let Self {
            part,
            shapes,
            state: own,
            report: of_own,
            ..
        } = self;
        part.give(own, state);
        let body = |body: BodyId| BodyId(part.bodies[body.0]);
        state.contacts.extend(own.contacts.iter().map(|contact| {
            let numbers = contact.key.numbers().map(|n| shapes[n]);
            ContactState {
                key: ContactKey::new(numbers, contact.key.features),
                bodies: contact.bodies.map(|b| b.map(body)),
                ..*contact
            }
        }));
        let cut = of_own.cut.map(|cut| Cut {
            body: body(cut.body),
            ..cut
        });
        let turns = |cut: Option<Cut>| match cut.map(|cut| cut.part) {
            Some(CutPart::Turn(turns)) => turns,
            Some(CutPart::All) | None => 0,
        };
        let shorter = of_own.substeps > report.substeps;
        let wider = report.substeps == 0 && turns(cut) > turns(report.cut);
        if shorter || wider {
            report.cut = cut;
        }
        if of_own.residual > report.residual || report.history.is_empty() {
            report.history.clone_from(&of_own.history);
        }
        report.outcome = report.outcome.max(of_own.outcome);
        report.residual = worse(report.residual, of_own.residual);
        report.constraint = worse(report.constraint, of_own.constraint);
        report.fallback = report.fallback.max(of_own.fallback);
        report.substeps = report.substeps.max(of_own.substeps);
        report.contact.add(&of_own.contact);
    }
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
        let groups = &mut self.groups;
        groups.clone_from(&self.tied);
        if groups.count() < 2 {
            return false;
        }
        for command in &input.commands {
            let joint = &model.joints[command.joint.0];
            if let Some(parent) = joint.parent {
                groups.join(parent.0, joint.child.0);
            }
        }
        for contact in &state.contacts {
            if let [Some(a), Some(b)] = contact.bodies {
                groups.join(a.0, b.0);
            }
        }
        if let Some(contacts) = contacts.filter(|_| model.contact.is_some()) {
            self.reach.clear();
            self.reach
                .extend_from_slice(contacts.reach(model, &state.bodies, dt));
            contacts.pairs(model, &state.bodies, &self.reach, |a, b| {
                groups.join(a.0, b.0);
            });
        }
        groups.count() > 1
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
        self.islands.iter_mut().for_each(|i| i.advanced = false);
        let apart = loop {
            self.find(whole, step);
            let most = if step.live { self.most(whole) } else { None };
            for &k in &self.now {
                let island = &mut self.islands[k];
                if !island.advanced {
                    island.method.accuracy = if step.live {
                        Accuracy::Live
                    } else {
                        whole.accuracy
                    };
                    island.method.failed = most == Some(k);
                    island.advance(step, state, &mut whole.solver.stopwatch)?;
                    island.advanced = true;
                }
            }
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
                islands.push(Island::new(whole, step, members));
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

    /// The method with a workspace for a part of the model.
    fn of_part(&self, part: &Part, settings: &Settings) -> Self {
        let model = &part.model;
        let contacts = self.contacts.as_deref();
        let with = contacts.filter(|_| model.has_unilateral());
        Self {
            ways: model.contact.is_some().then(|| Ways::of(model)),
            ..Self::with(self.info, self.method, model, settings, |solver| {
                with.map(|contacts| Box::new(contacts.part(model, solver, &part.bodies)))
            })
        }
    }
}
