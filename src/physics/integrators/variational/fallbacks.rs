//! How a step that does not converge at once is cut: parts, each solved by the first of the [`WAYS`] that holds, or made
//! of two halves, each by these again, up to [`DEPTH`] times. Before anything is halved the [islands](super::islands) of
//! the model part, so that only those are cut that have to be.
//!
//! The ways give up as soon as they no longer contract, so that a cut costs little more than the shorter steps; only
//! intervals that were halved [`PATIENT`] times already are given all iterations. A motion that was found but is too
//! fast for the interval is not looked for again. With contact in the interval it has ways of its own
//! ([`contact`](super::contact)), and a part is halved [`CONTACT_DEPTH`] times.

use super::newton::{Attempt, Failure};
use super::step::{WAYS, Way};
use super::{SINGLE, Variational, contact, spin};
use crate::integrators::{Cut, CutPart, Fallback, Settings, StepReport};
use crate::model::{BodyId, Input, Model, State};
use crate::solver::{Unilateral, What, past};

/// Halvings of a step at most: near a singular configuration a light body may have to whip round in a hundredth of
/// what the rest of its motion takes.
const DEPTH: u32 = 12;

/// Halvings of a step with contact before it is convexified.
const CONTACT_DEPTH: u32 = 2;

/// The same where contacts are solved live: a shorter interval costs little there, and turns less.
const LIVE_DEPTH: u32 = 4;

/// Halvings of a convexified step at most, beside those for a spin.
const CONVEX_DEPTH: u32 = 8;

/// Halvings of a convexified step after which unforeseen penetration is left to be mended.
const LAST_DEPTH: u32 = 5;

/// Halvings, beyond those that are planned, from which on what is gained or lost is left as it is: each leaves an eighth of it.
const GUARDED: u32 = 6;

/// Halvings from which attempts are given all their iterations.
const PATIENT: u32 = 3;

/// A part of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// How much of it.
    pub fraction: f64,
    /// How often it was halved.
    pub depth: u32,
}

/// What all parts of a step share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'a> {
    pub model: &'a Model,
    pub input: &'a Input,
    pub settings: &'a Settings,
    /// Contact by its convex relaxation.
    pub convexified: bool,
    /// Depth to which the step is cut before anything is tried.
    pub planned: u32,
    /// Depth above which nothing need be tried, and the body that says so.
    pub least: (u32, usize),
    /// Nothing is cut but for a budget: what fails otherwise is left to its islands.
    pub whole: bool,
}

impl Part {
    /// The whole step.
    pub const WHOLE: Self = Self {
        fraction: 1.0,
        depth: 0,
    };
}

impl Variational {
    /// Advances by a part of the step; on a failure the state is as it was.
    pub(super) fn part(
        &mut self,
        step: &Step,
        state: &mut State,
        report: &mut StepReport,
        part: Part,
    ) -> Result<(), Failure> {
        if part.depth < step.least.0 {
            return self.halves(step, state, report, part);
        }
        match self.unhalved(step, state, report, part) {
            Ok(()) => Ok(()),
            Err(failure) if step.whole && !failure.is_unsolved() => Err(failure),
            Err(failure) => self.shorter(step, state, report, part, failure),
        }
    }

    /// Advances by a part of the step that is not halved; on a failure the state is as it was.
    pub(super) fn unhalved(
        &mut self,
        step: &Step,
        state: &mut State,
        report: &mut StepReport,
        part: Part,
    ) -> Result<(), Failure> {
        let mut failure = Failure::default();
        for way in WAYS {
            if way.fallback > Fallback::Predicted && (self.touches() || failure.broken.is_some()) {
                break;
            }
            if part.depth == 0 {
                report.fallback = report.fallback.max(way.fallback);
            }
            match self.intervals(step, state, report, part, way) {
                Ok(()) => return Ok(()),
                Err(found) => failure = found,
            }
        }
        Err(failure)
    }

    /// Advances by the halves of a part of the step that failed as a whole, if it may be halved.
    pub(super) fn shorter(
        &mut self,
        step: &Step,
        state: &mut State,
        report: &mut StepReport,
        part: Part,
        failure: Failure,
    ) -> Result<(), Failure> {
        let touching = self.touches();
        let exact = touching && !step.convexified;
        let body = failure.errors.body;
        let mut least = (part.depth + 1, body);
        let mut planned = step.planned;
        if failure.broken.is_some() && !failure.ends_by_itself() {
            // As often as its spin asks for, and not once more for every failure.
            let turn = spin::rate(step.model, state, body) * step.settings.dt;
            let halvings = spin::halvings(turn, self.solver.is_alone(body));
            least.0 = halvings.max(least.0);
            planned = planned.max(halvings);
        }
        let most = if exact {
            planned + self.contact_depth()
        } else if touching {
            CONVEX_DEPTH.max(planned)
        } else {
            DEPTH.max(planned + PATIENT)
        };
        let ends = part.depth >= most || (exact && self.is_spent(report, part));
        if ends && !failure.ends_by_itself() {
            return Err(failure);
        }
        let step = Step {
            least,
            // As many halvings as for others are left.
            planned: match failure.is_midway() {
                true => planned.max(part.depth + 1),
                false => step.planned,
            },
            ..*step
        };
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
        way: Way,
    ) -> Result<(), Failure> {
        let Step {
            model,
            input,
            settings,
            convexified,
            planned,
            ..
        } = *step;
        let hurried = part.depth < planned + PATIENT;
        let holds = convexified || part.depth >= planned + CONTACT_DEPTH;
        let is_cut = (1..spin::SPIN_DEPTH).contains(&part.depth);
        let deepest = part.depth > 0 && part.depth >= planned + LIVE_DEPTH && self.is_live();
        // The mouse spring dissipates: where it pulls, a composition makes a plain second-order step.
        let stages = if input.drag.is_some() {
            SINGLE.stages
        } else {
            self.method.stages
        };
        let several = stages.len() > 1;
        // What the mouse gives within an interval is known only after it.
        let guarded = (1..planned + GUARDED).contains(&part.depth) && input.drag.is_none();
        if several || guarded {
            self.save(state, part.depth);
            if part.depth == 0 {
                self.mean.clear();
            }
        }
        for &stage in stages {
            let dt = stage * part.fraction * settings.dt;
            let attempt = Attempt {
                dt,
                part: stage * part.fraction,
                guess: way.guess,
                tolerance: settings.tolerance,
                input,
                limit: way.limit.min(settings.max_iterations),
                rho: way.rho,
                hurried,
                eases: is_cut && hurried && !holds,
                convexified: convexified || deepest,
                last: convexified && part.depth >= LAST_DEPTH,
                shortest: convexified && part.depth >= CONVEX_DEPTH.max(planned),
                holds,
            };
            let known = self.energy.take();
            let before = guarded.then(|| known.unwrap_or_else(|| self.energy_at(model, state)));
            self.doubted = false;
            let solved = self.interval(model, state, &attempt, settings, report);
            let solved = solved.and_then(|()| match before {
                Some(before) => self.judge_cut(&before, (model, state), dt),
                _ if self.doubted => self.judge_whole((model, state), dt),
                _ => Ok(()),
            });
            if let Err(failure) = solved {
                if several || guarded || self.doubted {
                    self.restore(state, part.depth);
                }
                return Err(Failure { dt, ..failure });
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

    pub(super) fn save(&mut self, state: &State, depth: u32) {
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
        self.energy = None;
        if let Some((saved, mean)) = self.saved.get(depth as usize) {
            state.clone_from(saved);
            self.mean.clone_from(mean);
        }
    }

    /// Whether unilateral constraints take part in the interval tried last.
    fn touches(&self) -> bool {
        !self.solver.unilaterals().is_empty()
    }

    /// Whether unilateral constraints push in the interval tried last, which have an account of their own.
    pub(super) fn is_pushed(&self) -> bool {
        self.pushing().next().is_some()
    }

    /// Whether a limit or a cable is one of them.
    pub(super) fn is_stopped(&self) -> bool {
        self.pushing().any(|u| !matches!(u.what, What::Contact(_)))
    }

    fn pushing(&self) -> impl Iterator<Item = &Unilateral> {
        let unilaterals = self.solver.unilaterals().iter();
        unilaterals.filter(|u| u.impulse != [0.0; 3])
    }

    /// Whether what touches in the interval tried last is solved live.
    pub(super) fn is_live(&self) -> bool {
        let many = self.solver.unilaterals().len() > self.contact.accuracy.exact_up_to();
        many && self.solver.is_loose()
    }

    fn contact_depth(&self) -> u32 {
        if self.is_live() {
            LIVE_DEPTH
        } else {
            CONTACT_DEPTH
        }
    }

    fn is_spent(&self, report: &StepReport, part: Part) -> bool {
        let unilaterals = self.solver.unilaterals().len();
        contact::is_spent(report.factorisations, unilaterals, part.fraction)
    }
}
