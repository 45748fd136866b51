//! What a step does when it does not converge at once.
//!
//! 1. the intervals of the step, guessed by extrapolation;
//! 2. the same, guessed from the last velocities, with more iterations and less regularisation of loops;
//! 3. two steps of half the length, each by these rungs again, up to [`DEPTH`] times.
//!
//! With contact in the interval the first rung has rungs of its own ([`solve`](super::contact)), the second is left
//! out, steps are halved [`CONTACT_DEPTH`] times, and then the whole step is relaxed: the convex problem always has
//! a solution. What a step may cost before it is relaxed is bounded.
//!
//! Where nothing helps, the state is put back and the error names the worst place.

use super::guess::{self, Guess};
use super::newton::{Attempt, Failure};
use super::{VARIATIONAL_2, Variational};
use crate::integrators::{Rung, Settings, StepError, StepReport};
use crate::model::{ContactState, ContactStatus, Input, Model, Row, State};
use crate::solver::RHO;

/// Halvings of a step at most.
pub const DEPTH: u32 = 8;

/// Halvings of a step with contact before it is relaxed.
const CONTACT_DEPTH: u32 = 2;

/// Halvings of a relaxed step after which unforeseen penetration is left to be mended.
const LAST_DEPTH: u32 = 5;

/// Regularisation of the second rung: near a singular configuration a direction in which a loop can hardly move
/// looks redundant to the usual one, and its joint error does not go away.
const FINE_RHO: f64 = 1e-11;

/// Iterations of the first rung: a step that needs more is better retried.
const FIRST_LIMIT: u32 = 12;

impl Variational {
    /// Advances the state by one step, by the first rung that holds.
    pub(super) fn climb(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        report.clear();
        self.check_spin(model, state, settings.dt)?;
        let time = state.time + settings.dt;
        let step = Step {
            model,
            input,
            settings,
            relaxed: false,
        };
        let whole = Part {
            fraction: 1.0,
            depth: 0,
        };
        let mut solved = self.part(&step, state, report, whole);
        if solved.is_err() && self.contact.is_some() {
            report.rung = Rung::Relaxed;
            report.substeps = 0;
            let relaxed = Step {
                relaxed: true,
                ..step
            };
            solved = self.part(&relaxed, state, report, whole);
        }
        match solved {
            Ok(()) => {
                if report.substeps > 0 {
                    self.mean.write(state);
                }
                // The sum of the parts may round otherwise.
                state.time = time;
                state.step += 1;
                Ok(())
            }
            Err(failure) => Err(self.explain(model, state, settings, report, &failure)),
        }
    }

    /// Advances by a part of the step; on a failure the state is as it was.
    fn part(
        &mut self,
        step: &Step,
        state: &mut State,
        report: &mut StepReport,
        part: Part,
    ) -> Result<(), Failure> {
        let most = step.settings.max_iterations;
        let first = self.intervals(
            step,
            state,
            report,
            part,
            (Guess::Extrapolated, FIRST_LIMIT.min(most)),
        );
        let Err(mut failure) = first else {
            return Ok(());
        };
        let touching = !self.solver.units().is_empty();
        if !touching {
            if part.depth == 0 {
                report.rung = report.rung.max(Rung::Constant);
            }
            self.solver.regularise(FINE_RHO);
            let second = self.intervals(step, state, report, part, (Guess::Constant, most));
            self.solver.regularise(RHO);
            match second {
                Ok(()) => return Ok(()),
                Err(again) => failure = again,
            }
        }
        let exact = touching && !step.relaxed;
        let depth = if exact { CONTACT_DEPTH } else { DEPTH };
        if part.depth >= depth || (exact && self.spent(report, part.fraction)) {
            return Err(failure);
        }
        report.rung = report.rung.max(Rung::Substeps);
        report.substeps += if part.depth == 0 { 2 } else { 1 };
        if part.depth == 0 {
            self.mean.clear();
        }
        self.save(state, part.depth);
        let half = Part {
            fraction: 0.5 * part.fraction,
            depth: part.depth + 1,
        };
        for _ in 0..2 {
            if let Err(failure) = self.part(step, state, report, half) {
                self.restore(state, part.depth);
                return Err(failure);
            }
        }
        Ok(())
    }

    /// The intervals of one part; on a failure the state is as it was.
    fn intervals(
        &mut self,
        step: &Step,
        state: &mut State,
        report: &mut StepReport,
        part: Part,
        (guess, limit): (Guess, u32),
    ) -> Result<(), Failure> {
        let Step {
            model,
            input,
            settings,
            relaxed,
        } = *step;
        // The mouse spring dissipates: where it pulls, a composition makes a plain second-order step.
        let stages = if input.drag.is_some() {
            VARIATIONAL_2.stages
        } else {
            self.method.stages
        };
        let several = stages.len() > 1;
        if several {
            self.save(state, part.depth);
            if part.depth == 0 {
                self.mean.clear();
            }
        }
        for &stage in stages {
            let dt = stage * part.fraction * settings.dt;
            let attempt = Attempt {
                dt,
                guess,
                input,
                limit,
                relaxed,
                last: relaxed && part.depth >= LAST_DEPTH,
            };
            if let Err(failure) = self.interval(model, state, &attempt, settings, report) {
                if several {
                    self.restore(state, part.depth);
                }
                return Err(failure);
            }
            if several || part.depth > 0 {
                self.mean.add(state, stage * part.fraction);
            }
        }
        if several && part.depth == 0 {
            self.mean.write(state);
        }
        if part.depth > 0 {
            // Nothing is extrapolated right after a failure.
            guess::forget(&mut state.memory);
        }
        Ok(())
    }

    fn save(&mut self, state: &State, depth: u32) {
        let depth = depth as usize;
        match self.saved.get_mut(depth) {
            Some((saved, mean)) => {
                saved.clone_from(state);
                mean.clone_from(&self.mean);
            }
            None => self.saved.push((state.clone(), self.mean.clone())),
        }
    }

    fn restore(&mut self, state: &mut State, depth: u32) {
        if let Some((saved, mean)) = self.saved.get(depth as usize) {
            state.clone_from(saved);
            self.mean.clone_from(mean);
        }
    }

    fn check_spin(&self, model: &Model, state: &State, dt: f64) -> Result<(), StepError> {
        let limit = 2.0 / dt;
        for (body, s) in model.bodies.iter().zip(&state.bodies) {
            let rate = s.velocity.angular.norm();
            if rate >= limit {
                // A tenth of a turn in an interval is comfortably inside and still coarse.
                let advice = 0.6 / rate;
                return Err(StepError::TooFast {
                    body: body.name.clone(),
                    rate,
                    dt,
                    limit,
                    advice,
                });
            }
        }
        Ok(())
    }

    fn explain(
        &self,
        model: &Model,
        state: &State,
        settings: &Settings,
        report: &StepReport,
        failure: &Failure,
    ) -> StepError {
        let errors = &failure.errors;
        let body = format!("body `{}`", model.bodies[errors.body].name);
        let joint = errors
            .joint
            .map(|j| format!("joint `{}`", model.joints[j].name));
        if failure.inconsistent {
            let place = joint.unwrap_or(body);
            return StepError::Inconsistent {
                place,
                constraint: errors.constraint,
            };
        }
        if !errors.balance.is_finite() || !errors.constraint.is_finite() {
            return StepError::NonFinite {
                place: body,
                time: state.time,
            };
        }
        let residual = errors.balance;
        let balanced = residual <= settings.tolerance;
        StepError::NotConverged {
            time: state.time,
            iterations: report.iterations,
            residual,
            constraint: errors.constraint,
            place: match joint {
                Some(joint) if balanced || errors.constraint > settings.tolerance => joint,
                _ => body,
            },
        }
    }
}

/// A part of a step.
#[derive(Debug, Clone, Copy)]
struct Part {
    fraction: f64,
    depth: u32,
}

/// What all parts of a step share.
#[derive(Debug, Clone, Copy)]
struct Step<'a> {
    model: &'a Model,
    input: &'a Input,
    settings: &'a Settings,
    /// Contact by its convex relaxation.
    relaxed: bool,
}

/// Mean of the reactions over the intervals of a step.
#[derive(Debug, PartialEq)]
pub(super) struct Mean {
    reactions: Vec<Row>,
    coupling_forces: Vec<f64>,
    contacts: Vec<ContactState>,
    stops: Vec<f64>,
}

// As that of a state: copies into an existing mean keep its memory.
impl Clone for Mean {
    fn clone(&self) -> Self {
        Self {
            reactions: self.reactions.clone(),
            coupling_forces: self.coupling_forces.clone(),
            contacts: self.contacts.clone(),
            stops: self.stops.clone(),
        }
    }

    fn clone_from(&mut self, from: &Self) {
        self.reactions.clone_from(&from.reactions);
        self.coupling_forces.clone_from(&from.coupling_forces);
        self.contacts.clone_from(&from.contacts);
        self.stops.clone_from(&from.stops);
    }
}

impl Mean {
    pub fn new(model: &Model) -> Self {
        Self {
            reactions: vec![Row::default(); model.joints.len()],
            coupling_forces: vec![0.0; model.couplings.len()],
            contacts: Vec::new(),
            stops: vec![0.0; model.stops()],
        }
    }

    fn clear(&mut self) {
        self.reactions.fill(Row::default());
        self.coupling_forces.fill(0.0);
        self.contacts.clear();
        self.stops.fill(0.0);
    }

    fn add(&mut self, state: &State, weight: f64) {
        for (sum, reaction) in self.reactions.iter_mut().zip(&state.reactions) {
            sum.force += reaction.force * weight;
            sum.torque += reaction.torque * weight;
        }
        for (sum, force) in self.coupling_forces.iter_mut().zip(&state.coupling_forces) {
            *sum += force * weight;
        }
        for (sum, stop) in self.stops.iter_mut().zip(&state.stops) {
            *sum += stop.force * weight;
        }
        for contact in &state.contacts {
            match self.contacts.iter_mut().find(|c| c.key == contact.key) {
                Some(sum) => {
                    sum.force += contact.force * weight;
                    if contact.status != ContactStatus::Open {
                        sum.status = contact.status;
                    }
                }
                None => self.contacts.push(ContactState {
                    force: contact.force * weight,
                    ..*contact
                }),
            }
        }
    }

    fn write(&self, state: &mut State) {
        state.reactions.copy_from_slice(&self.reactions);
        state.coupling_forces.copy_from_slice(&self.coupling_forces);
        for (stop, force) in state.stops.iter_mut().zip(&self.stops) {
            stop.force = *force;
        }
        for contact in &mut state.contacts {
            if let Some(sum) = self.contacts.iter().find(|c| c.key == contact.key) {
                contact.force = sum.force;
                contact.status = sum.status;
            }
        }
    }
}
