//! One step, in one page: its ways, in the order in which they are tried, and the phases of an interval.

use super::Minimal;
use super::equation::Context;
use super::options::Guess;
use super::roots::{Attempt, Failure, RootFinder};
use crate::forces::{self, Wrench};
use crate::integrators::{Cut, CutPart, Fallback, Settings, StepError, StepReport};
use crate::linalg::proximal::RHO;
use crate::model::{BodyId, Input, Model, Row, State};
use crate::solver::contact::Verdict;
use crate::solver::{FOLD, Interval, WORLD};
use crate::stopwatch::Phase;

/// Halvings of a step at most, as in maximal coordinates: 4096 intervals.
const HALVINGS: u32 = 12;

/// Regularisation of loops where the usual one does not lead there: near a singular configuration a direction in which a
/// loop can hardly move looks redundant to it.
const LESS_RHO: f64 = 1e-11;

/// Times by which a spin may be below the fastest that a step can hold and still be what makes it fail.
const SPINNING: f64 = 4.0;

/// How often an interval is solved again with limits that were not foreseen, or with slower rebounds.
const ROUNDS: u32 = 8;

impl Minimal {
    /// Advances the state by the stages of the method; on a failure it is as it was.
    pub(super) fn advance(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        report.clear();
        self.reactions.fill(Row::default());
        self.couplings.fill(0.0);
        let time = state.time + settings.dt;
        let several = self.stages.len() > 1;
        if several {
            self.keep(0, state);
        }
        for part in self.stages {
            if let Err(failure) = self.part(model, state, input, settings, report, (*part, 0)) {
                if several {
                    state.clone_from(&self.saved[0]);
                }
                return Err(self.explain(model, state, settings, report, &failure));
            }
        }
        state.reactions.copy_from_slice(&self.reactions);
        state.coupling_forces.copy_from_slice(&self.couplings);
        // The sum of the parts may round otherwise.
        state.time = time;
        state.step += 1;
        Ok(())
    }

    /// One part of a step, or its halves where it cannot be solved; on a failure the state is as it was.
    fn part(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
        (part, depth): (f64, u32),
    ) -> Result<(), Failure> {
        let chosen = Attempt {
            finder: self.finder,
            guess: self.guess,
            tolerance: settings.tolerance,
            limit: settings.max_iterations,
            rho: RHO,
        };
        // Newton's method converges where the others do not, and needs no guess of accelerations.
        let sure = Attempt {
            finder: RootFinder::Newton,
            guess: Guess::Velocity,
            rho: LESS_RHO,
            ..chosen
        };
        let shortest = depth >= HALVINGS;
        let mut last = None;
        for (attempt, fallback) in [(chosen, Fallback::Predicted), (sure, Fallback::Constant)] {
            let dt = settings.dt * part;
            match self.interval(model, state, input, (dt, shortest), &attempt, report) {
                Ok(()) => {
                    report.fallback = report.fallback.max(fallback);
                    self.note(state, part);
                    return Ok(());
                }
                Err(failure) => last = Some(failure),
            }
        }
        let failure = last.expect("two ways were tried");
        if shortest {
            return Err(failure);
        }
        report.fallback = Fallback::Substeps;
        report.substeps = report.substeps.max(1);
        report.cut = report.cut.or(Some(Cut {
            body: BodyId(self.body(failure.turned.unwrap_or(failure.imbalance.link))),
            part: CutPart::All,
        }));
        // The place of the whole step is that of its stages.
        let place = depth as usize + 1;
        self.keep(place, state);
        for _ in 0..2 {
            report.substeps += 1;
            let half = (0.5 * part, depth + 1);
            if let Err(failure) = self.part(model, state, input, settings, report, half) {
                state.clone_from(&self.saved[place]);
                return Err(failure);
            }
        }
        // This part itself is none any more.
        report.substeps -= 1;
        Ok(())
    }

    fn keep(&mut self, place: usize, state: &State) {
        while self.saved.len() <= place {
            self.saved.push(state.clone());
        }
        self.saved[place].clone_from(state);
    }

    /// Advances `state` by one interval; on a failure it is as it was.
    fn interval(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        (dt, shortest): (f64, bool),
        attempt: &Attempt,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        self.roots.stopwatch.enter(Phase::Prepare);
        let interval = Interval {
            dt,
            time: state.time,
            share: 0.5,
            blend: 0.5,
        };
        self.knot_forces(model, state, input);
        let context = Context {
            model,
            state,
            input,
            interval,
        };
        self.equation.begin(&context, &self.wrenches);
        self.find(&context, shortest, attempt, report)?;
        self.finish(model, state, input, dt, report);
        Ok(())
    }

    /// Finds the motion of the interval, with the limits and cables that act in it.
    fn find(
        &mut self,
        context: &Context,
        shortest: bool,
        attempt: &Attempt,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let (e, roots) = (&mut self.equation, &mut self.roots);
        if let Some(held) = &mut e.held {
            held.look(context);
        }
        for round in 0..ROUNDS {
            if let Some(held) = &mut e.held {
                held.take(context);
            }
            roots.find(e, context, attempt, report)?;
            let Some(held) = &mut e.held else {
                return Ok(());
            };
            let last = round + 2 >= ROUNDS;
            report.contact.rounds = report.contact.rounds.max(round);
            match held.judge(context, &e.momenta, last) {
                Verdict::Sound => return Ok(()),
                Verdict::Impossible if shortest || context.input.drag.is_some() => return Ok(()),
                Verdict::Impossible => break,
                Verdict::Overshoots => {}
            }
        }
        Err(Failure {
            imbalance: e.weigh(),
            turned: None,
        })
    }

    /// Forces at a knot that do not depend on velocity.
    fn knot_forces(&mut self, model: &Model, state: &State, input: &Input) {
        let State {
            bodies,
            angles,
            time,
            ..
        } = state;
        self.wrenches.fill(Wrench::default());
        forces::knot_wrenches(
            model,
            bodies,
            angles,
            *time,
            input,
            &self.equation.laws.stiff,
            &mut self.wrenches,
        );
    }

    /// Moves the state to the second knot.
    fn finish(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        dt: f64,
        report: &mut StepReport,
    ) {
        self.roots.stopwatch.enter(Phase::Finish);
        self.react(state, dt);
        if let Some(held) = &mut self.equation.held {
            held.settle(model, state, dt);
        }
        let accounts = self.accounts || input.acts();
        if accounts {
            self.poses.clone_from(&state.bodies);
        }
        let e = &mut self.equation;
        for (i, link) in e.tree.links().iter().enumerate() {
            let (momenta, twist) = (*e.momenta(i), e.mean_twist(i, dt));
            let body = &mut state.bodies[link.body];
            body.momentum = momenta.linear;
            body.angular_momentum = momenta.second;
            if link.parent == WORLD && link.kind.constraints() == 0 {
                // What the tolerance leaves unbalanced where nothing holds a tree is made up for in the next interval:
                // its momentum is kept to rounding.
                let left = e.carried(i);
                body.momentum -= left.force;
                body.angular_momentum -= left.torque - e.motion.shifts[i].cross(&left.force);
            }
            self.twists[i] = twist;
        }
        e.arrive(&self.roots.delta, state);
        for (link, twist) in e.tree.links().iter().zip(&self.twists) {
            state.bodies[link.body].velocity = *twist;
        }
        if let Some(held) = &mut e.held {
            held.write(model, state, dt, &mut report.contact);
        }
        e.laws.deposit(model, &mut state.bodies);
        state.time += dt;
        self.knot_forces(model, state, input);
        for (body, wrench) in state.bodies.iter_mut().zip(&self.wrenches) {
            body.momentum += wrench.force * (0.5 * dt);
            body.angular_momentum += wrench.torque * (0.5 * dt);
        }
        if accounts {
            self.roots.stopwatch.enter(Phase::Account);
            forces::book(model, &self.poses, state, input, dt);
        }
    }

    /// Reactions of the joints over the interval, from what they pass on.
    fn react(&self, state: &mut State, dt: f64) {
        let e = &self.equation;
        for (i, link) in e.tree.links().iter().enumerate() {
            let Some(joint) = link.joint else { continue };
            let slot = &mut state.reactions[joint.joint];
            if link.kind.constraints() == 0 {
                *slot = Row::default();
                continue;
            }
            let reaction = e.knot.joint_reaction(&e.tree, i, e.carried(i));
            slot.force = reaction.force / dt;
            slot.torque = reaction.torque / dt;
        }
    }

    /// Adds the reactions and the forces of couplings of an interval to their means over the step.
    fn note(&mut self, state: &State, part: f64) {
        for (sum, reaction) in self.reactions.iter_mut().zip(&state.reactions) {
            sum.force += reaction.force * part;
            sum.torque += reaction.torque * part;
        }
        for (sum, force) in self.couplings.iter_mut().zip(&state.coupling_forces) {
            *sum += force * part;
        }
    }

    fn body(&self, link: usize) -> usize {
        self.equation.tree.links()[link].body
    }

    fn explain(
        &self,
        model: &Model,
        state: &State,
        settings: &Settings,
        report: &StepReport,
        failure: &Failure,
    ) -> StepError {
        let parts = 1 << HALVINGS;
        if let Some(link) = failure.turned {
            let body = self.body(link);
            let limit = 2.0 * FOLD.sqrt().asin() * f64::from(parts) / settings.dt;
            let rate = state.bodies[body].velocity.angular.norm();
            // Where it spins slower than that the iteration has strayed, whatever the step.
            if rate * SPINNING > limit {
                return StepError::TooFast {
                    body: model.bodies[body].name.clone(),
                    rate,
                    dt: settings.dt,
                    parts,
                    limit,
                    advice: settings.dt * 0.5 * (limit / rate).min(1.0),
                };
            }
        }
        let imbalance = &failure.imbalance;
        let opening = &imbalance.opening;
        let balanced = imbalance.relative <= settings.tolerance;
        let place = match opening.joint {
            Some(joint) if balanced => format!("joint `{}`", model.joints[joint].name),
            _ => format!("body `{}`", model.bodies[self.body(imbalance.link)].name),
        };
        if !imbalance.relative.is_finite() || !opening.relative.is_finite() {
            return StepError::non_finite(self.info, place, state.time);
        }
        StepError::NotConverged {
            time: state.time,
            iterations: report.iterations,
            residual: imbalance.relative,
            constraint: opening.relative,
            place,
        }
    }
}
