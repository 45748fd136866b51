//! Some of the bodies of a model with a workspace of their own, advanced as if there were no others.

use super::Variational;
use crate::integrators::{Cut, CutPart, Integrator, Settings, StepError, StepReport};
use crate::math::moved;
use crate::model::{BodyId, BodyState, ContactKey, ContactState, Input, Model, Part, State};
use crate::solver::contact::radius;
use crate::solver::{past, worse};
use crate::stopwatch::Spent;

/// An island with its workspace.
pub(super) struct Island {
    pub part: Part,
    /// Numbers of its shapes among all that touch.
    pub shapes: Vec<usize>,
    pub method: Variational,
    pub state: State,
    pub input: Input,
    pub report: StepReport,
    /// The divided step that needed it last.
    pub used: u64,
    /// Whether it was advanced in this one.
    pub advanced: bool,
    /// Whether it is to be.
    pub due: bool,
    /// Why it was not.
    pub error: Option<StepError>,
    /// Where its time went, if that is measured.
    pub spent: Option<Spent>,
}

/// A step that is divided.
#[derive(Clone, Copy)]
pub(super) struct Divided<'a> {
    pub model: &'a Model,
    pub input: &'a Input,
    pub settings: &'a Settings,
    /// Whether the scene is solved live: its islands are then, however few contact points they have.
    pub live: bool,
    /// Whether it is measured where the time goes.
    pub timed: bool,
}

/// How far points of bodies came from where they set out.
#[derive(Default)]
pub(super) struct Ways {
    from: Vec<BodyState>,
    radii: Vec<f64>,
    /// At most, at any knot since (m).
    pub farthest: Vec<f64>,
}

impl Ways {
    pub fn of(model: &Model) -> Self {
        Self {
            radii: model.bodies.iter().map(radius).collect(),
            ..Self::default()
        }
    }

    pub fn begin(&mut self, bodies: &[BodyState]) {
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
    /// That of the bodies of these numbers, in rising order.
    pub fn new(whole: &Variational, model: &Model, settings: &Settings, bodies: &[usize]) -> Self {
        let part = model.part(bodies);
        let contacts = whole.contacts.as_deref();
        let method = whole.of_part(&part, settings);
        Self {
            shapes: contacts.map_or_else(Vec::new, |c| c.numbers(bodies).collect()),
            state: State::at_rest(&part.model),
            method,
            input: Input::default(),
            report: StepReport::default(),
            used: 0,
            advanced: false,
            due: false,
            error: None,
            spent: None,
            part,
        }
    }

    /// Takes what a state has of it.
    pub fn take(&mut self, state: &State) {
        let Self {
            part,
            shapes,
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
    }

    /// Advances what the state has of it.
    pub fn advance(&mut self, step: &Divided, state: &State) -> Result<(), StepError> {
        self.take(state);
        let Self {
            part,
            method,
            state: own,
            ..
        } = self;
        part.take_input(step.input, &mut self.input);
        if let Some(ways) = &mut method.ways {
            ways.begin(&own.bodies);
        }
        if step.timed {
            method.solver.stopwatch.start();
        }
        let done = method.step(
            &part.model,
            own,
            &self.input,
            step.settings,
            &mut self.report,
        );
        self.spent = method.solver.stopwatch.stop();
        done
    }

    /// Leaves what it came to in the state, memory apart, and in the report.
    pub fn leave(&self, state: &mut State, report: &mut StepReport) {
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

impl Variational {
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
