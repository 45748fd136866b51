//! What a step does when it does not converge at once.
//!
//! 1. the intervals of the step, guessed by extrapolation;
//! 2. the same, guessed from the last velocities, with more iterations and less regularisation of loops;
//! 3. two steps of half the length, each by these fallbacks again, up to [`DEPTH`] times.
//!
//! The first two give up as soon as they no longer contract, so that a cut costs little more than the shorter steps;
//! only intervals that were halved [`PATIENT`] times already are given all iterations. A motion that was found but is
//! too fast for the interval is not looked for again by the second.
//!
//! A body may spin too fast for the whole step: half-angle sines end at the fold of a quarter turn, angular velocities
//! at a knot at `1/dt`. A free body makes its turn in several goes by itself ([`swing`](crate::solver)); for one that
//! joints or contacts hold, the step is cut into as many intervals as it takes without trying longer ones first, up to
//! [`SPIN_DEPTH`] halvings. The report names the body.
//!
//! With contact in the interval the first fallback has fallbacks of its own ([`solve`](super::contact)), the second is
//! left out, steps are halved [`CONTACT_DEPTH`] times, and then the whole step is convexified: the convex problem
//! always has a solution. What a step may cost before it is convexified is bounded.
//!
//! Where nothing helps, the state is put back and the error names the worst place.

use super::guess::Guess;
use super::newton::{Attempt, Failure};
use super::{SINGLE, Variational};
use crate::integrators::{Cut, CutPart, Fallback, Settings, StepError, StepReport};
use crate::linalg::proximal::RHO;
use crate::model::{BodyId, ContactState, ContactStatus, Input, Model, Row, State};
use crate::solver::past;
use crate::solver::{EASY, MOST_PARTS};

/// Halvings of a step at most: near a singular configuration a light body may have to whip round in a hundredth of
/// what the rest of its motion takes.
pub const DEPTH: u32 = 12;

/// Halvings of a convexified step at most, and of any for the spin of a body that joints hold: 128 rad a step.
const SPIN_DEPTH: u32 = 8;

/// Halvings of a step with contact before it is convexified.
const CONTACT_DEPTH: u32 = 2;

/// Halvings of a convexified step after which unforeseen penetration is left to be mended.
const LAST_DEPTH: u32 = 5;

/// Halvings from which attempts are given all their iterations.
const PATIENT: u32 = 3;

/// Regularisation of the second fallback: near a singular configuration a direction in which a loop can hardly move
/// looks redundant to the usual one, and its joint error does not go away.
const FINE_RHO: f64 = 1e-11;

/// Iterations of the first fallback: a step that needs more is better retried.
const FIRST_LIMIT: u32 = 12;

/// Turn of a body in a step [rad] above which longer intervals are not tried: the discrete rotation ends at 1, and near
/// it a small change of the momentum is a large one of the turn.
const NEAR_FOLD: f64 = 0.9;

impl Variational {
    /// Advances the state by one step, by the first fallback that holds.
    pub(super) fn advance_with_fallbacks(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        report.clear();
        let asked = self.spins(model, state, settings.dt)?;
        let time = state.time + settings.dt;
        let step = Step {
            model,
            input,
            settings,
            convexified: false,
            planned: asked.map_or(0, |a| a.0),
            least: asked.unwrap_or_default(),
        };
        let whole = Part {
            fraction: 1.0,
            depth: 0,
        };
        let mut solved = self.part(&step, state, report, whole);
        if solved.is_err() && self.contact.is_some() {
            report.fallback = Fallback::Convexified;
            report.substeps = 0;
            report.cut = None;
            let convexified = Step {
                convexified: true,
                ..step
            };
            solved = self.part(&convexified, state, report, whole);
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
        if part.depth < step.least.0 {
            return self.halves(step, state, report, part);
        }
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
        let touching = !self.solver.unilaterals().is_empty();
        if !touching && !failure.turned {
            if part.depth == 0 {
                report.fallback = report.fallback.max(Fallback::Constant);
            }
            self.solver.regularise(FINE_RHO);
            let second = self.intervals(step, state, report, part, (Guess::Constant, most));
            self.solver.regularise(RHO);
            match second {
                Ok(()) => return Ok(()),
                Err(again) => failure = again,
            }
        }
        let exact = touching && !step.convexified;
        let body = failure.errors.body;
        let mut least = (part.depth + 1, body);
        if failure.turned {
            let turn = rate(step.model, state, body) * step.settings.dt;
            least.0 = halvings(turn).max(least.0);
        }
        let planned = step.planned.max(if failure.turned { least.0 } else { 0 });
        let most = if exact {
            planned + CONTACT_DEPTH
        } else if touching {
            SPIN_DEPTH
        } else {
            DEPTH
        };
        if part.depth >= most || (exact && self.spent(report, part.fraction)) {
            return Err(failure);
        }
        let step = Step { least, ..*step };
        self.halves(&step, state, report, part)
    }

    /// Advances by the two halves of a part of the step; on a failure the state is as it was.
    fn halves(
        &mut self,
        step: &Step,
        state: &mut State,
        report: &mut StepReport,
        part: Part,
    ) -> Result<(), Failure> {
        report.fallback = report.fallback.max(Fallback::Substeps);
        report.substeps += if part.depth == 0 { 2 } else { 1 };
        if part.depth == 0 {
            self.mean.clear();
            report.cut = Some(Cut {
                body: BodyId(step.least.1),
                part: CutPart::All,
            });
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
            convexified,
            planned,
            ..
        } = *step;
        // The mouse spring dissipates: where it pulls, a composition makes a plain second-order step.
        let stages = if input.drag.is_some() {
            SINGLE.stages
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
                hurried: part.depth < planned + PATIENT,
                convexified,
                last: convexified && part.depth >= LAST_DEPTH,
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
        if part.depth > planned {
            // Nothing is extrapolated right after a failure.
            past::forget_motion(state);
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

    /// How often the step must be halved for the fastest body that joints or contacts may hold, and which that is.
    fn spins(
        &self,
        model: &Model,
        state: &State,
        dt: f64,
    ) -> Result<Option<(u32, usize)>, StepError> {
        let mut asked = None;
        for (k, body) in state.bodies.iter().enumerate() {
            // The velocity may be that of the interval before, which is never less than half the momentum's.
            if body.velocity.angular.norm() * dt < EASY {
                continue;
            }
            let rate = rate(model, state, k);
            let alone = self.solver.is_alone(k);
            let parts = if alone { MOST_PARTS } else { 1 << SPIN_DEPTH };
            let limit = EASY * f64::from(parts) / dt;
            // What is not a number is left to the step, which names it.
            if rate > limit {
                return Err(StepError::TooFast {
                    body: model.bodies[k].name.clone(),
                    rate,
                    dt,
                    parts,
                    limit,
                    advice: dt * limit / rate,
                });
            }
            let depth = halvings(rate * dt);
            let most = asked.map_or(0, |(most, _)| most);
            if rate * dt > NEAR_FOLD && !alone && depth > most {
                asked = Some((depth, k));
            }
        }
        Ok(asked)
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
            return StepError::non_finite(self.info, body, state.time);
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

/// Angular velocity that a body's momentum at the knot gives it [rad/s].
fn rate(model: &Model, state: &State, body: usize) -> f64 {
    let (inertia, state) = (&model.bodies[body].inertia, &state.bodies[body]);
    let spin = state.orientation.inverse() * state.angular_momentum;
    // A body's inertia is positive definite: the model is checked.
    let inverse = inertia.try_inverse().unwrap_or_default();
    (inverse * spin).norm()
}

/// Halvings of a step after which a turn of so many radians in it is an easy one for each part.
fn halvings(turn: f64) -> u32 {
    (turn / EASY)
        .log2()
        .ceil()
        .clamp(0.0, f64::from(SPIN_DEPTH)) as u32
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
    convexified: bool,
    /// Depth to which spins cut the step before anything is tried.
    planned: u32,
    /// Depth above which nothing need be tried, and the body that says so.
    least: (u32, usize),
}

/// Mean of the reactions over the intervals of a step.
#[derive(Debug, PartialEq)]
pub(super) struct Mean {
    reactions: Vec<Row>,
    coupling_forces: Vec<f64>,
    contacts: Vec<ContactState>,
    limits: Vec<f64>,
}

// As that of a state: copies into an existing mean keep its memory.
impl Clone for Mean {
    fn clone(&self) -> Self {
        Self {
            reactions: self.reactions.clone(),
            coupling_forces: self.coupling_forces.clone(),
            contacts: self.contacts.clone(),
            limits: self.limits.clone(),
        }
    }

    fn clone_from(&mut self, from: &Self) {
        self.reactions.clone_from(&from.reactions);
        self.coupling_forces.clone_from(&from.coupling_forces);
        self.contacts.clone_from(&from.contacts);
        self.limits.clone_from(&from.limits);
    }
}

impl Mean {
    pub fn new(model: &Model) -> Self {
        Self {
            reactions: vec![Row::default(); model.joints.len()],
            coupling_forces: vec![0.0; model.couplings.len()],
            contacts: Vec::new(),
            limits: vec![0.0; model.limit_count()],
        }
    }

    fn clear(&mut self) {
        self.reactions.fill(Row::default());
        self.coupling_forces.fill(0.0);
        self.contacts.clear();
        self.limits.fill(0.0);
    }

    fn add(&mut self, state: &State, weight: f64) {
        for (sum, reaction) in self.reactions.iter_mut().zip(&state.reactions) {
            sum.force += reaction.force * weight;
            sum.torque += reaction.torque * weight;
        }
        for (sum, force) in self.coupling_forces.iter_mut().zip(&state.coupling_forces) {
            *sum += force * weight;
        }
        for (sum, limit) in self.limits.iter_mut().zip(&state.limits) {
            *sum += limit.force * weight;
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
        for (limit, force) in state.limits.iter_mut().zip(&self.limits) {
            limit.force = *force;
        }
        for contact in &mut state.contacts {
            if let Some(sum) = self.contacts.iter().find(|c| c.key == contact.key) {
                contact.force = sum.force;
                contact.status = sum.status;
            }
        }
    }
}
