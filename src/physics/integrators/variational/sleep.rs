//! Bodies that sleep, where the scene asks for it: islands whose bodies have all been slow for a while are held where they are
//! until something may reach them.
//!
//! An island is what joints, couplings, springs and cables tie together and what may touch in a step. It wakes as a whole: when a
//! body that is awake may touch one of its own, or the input acts on one; whatever changes the model or the method wakes
//! all. Those awake are a [part](crate::model::Part) of the model, and nothing else is computed. What falls asleep loses its
//! energy of motion, which is booked as dissipated.

use super::Variational;
use super::island::{Divided, Island};
use super::islands::Islands;
use super::options::{SLEEPING_SPEED, SLEEPING_TIME};
use super::step::arrive;
use crate::integrators::{Integrator, Options, Reading, Settings, StepError, StepReport};
use crate::joints;
use crate::math::{Vec3, moved};
use crate::model::{BodyState, Force, Input, Model, Rest, Signal, State, Twist};
use crate::solver::contact::radius;
use crate::solver::past;
use std::f64::consts::PI;

/// Who sleeps, and the workspace of those who do not; nothing here is remembered from step to step but room.
pub(super) struct Sleep {
    /// Speed below which a body is calm (m/s).
    speed: f64,
    /// How long all of an island must be calm (s).
    time: f64,
    /// What is tied together and may touch.
    groups: Islands,
    /// Of every body, whether something drives it that changes with time by itself.
    driven: Vec<bool>,
    /// Radius of a ball about every body's centre of mass that holds it (m).
    radii: Vec<f64>,
    /// Of every group by its first body.
    marks: Vec<bool>,
    members: Vec<usize>,
    /// Those awake.
    awake: Option<Box<Island>>,
    before: State,
    read: Vec<Twist>,
}

/// Whether a signal is the same at all times.
fn constant(signal: &Signal) -> bool {
    matches!(signal, Signal::Constant(_))
}

/// Whether an input acts on a body.
fn acts_on(input: &Input, model: &Model, body: usize) -> bool {
    let pulled = input.drag.is_some_and(|drag| drag.body.0 == body);
    let mut commands = input.commands.iter();
    pulled
        || input.wrenches.iter().any(|w| w.body.0 == body)
        || commands.any(|command| {
            let joint = &model.joints[command.joint.0];
            joint.child.0 == body || joint.parent.is_some_and(|p| p.0 == body)
        })
}

/// Copies the numbers of the bodies of which this holds.
fn collect(into: &mut Vec<usize>, bodies: usize, holds: impl Fn(usize) -> bool) {
    into.clear();
    into.extend((0..bodies).filter(|&k| holds(k)));
}

impl Sleep {
    /// What the options ask for; `None` where no body is to sleep.
    pub fn of(model: &Model, options: &Options) -> Option<Self> {
        let speed = options.real(&SLEEPING_SPEED);
        if speed <= 0.0 {
            return None;
        }
        let mut driven = vec![false; model.bodies.len()];
        for joint in model.joints.iter().filter(|j| !j.actuators.is_empty()) {
            let both = [Some(joint.child), joint.parent];
            both.into_iter().flatten().for_each(|b| driven[b.0] = true);
        }
        for force in &model.forces {
            if let Force::Wrench {
                body,
                force,
                torque,
                ..
            } = force
            {
                driven[body.0] |= !force.iter().chain(torque).all(constant);
            }
        }
        // Bodies without shapes are as wide as their mass.
        let width = |body: &crate::model::Body| {
            let gyration = (body.inertia.trace() / (2.0 * body.mass)).sqrt();
            radius(body).max(gyration)
        };
        Some(Self {
            speed,
            time: options.real(&SLEEPING_TIME),
            groups: Islands::new(model),
            driven,
            radii: model.bodies.iter().map(width).collect(),
            marks: vec![false; model.bodies.len()],
            members: Vec::new(),
            awake: None,
            before: State::at_rest(model),
            read: Vec::new(),
        })
    }

    /// Advances the state by one step. On an error the state is not to be used.
    pub fn step(
        &mut self,
        whole: &mut Variational,
        (model, state): (&Model, &mut State),
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let bodies = model.bodies.len();
        state.rest.resize(bodies, Rest::default());
        self.wake(whole, model, state, input, settings);
        match state.asleep() {
            0 => whole.advance(model, state, input, settings, report)?,
            asleep if asleep == bodies => {
                report.clear();
                arrive(state, state.time + settings.dt, report);
            }
            _ => self.advance_awake(whole, (model, state), input, settings, report)?,
        }
        self.rest(whole, model, state, input, settings);
        report.asleep = state.asleep() as u32;
        Ok(())
    }

    /// Wakes the islands that the input or a body that is awake may reach in the step.
    fn wake(
        &mut self,
        whole: &mut Variational,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
    ) {
        let asleep = state.asleep();
        if asleep == 0 || asleep == state.rest.len() && !input.acts() {
            return;
        }
        let contacts = whole.contacts.as_deref_mut();
        self.groups
            .divide(model, state, input, contacts, settings.dt);
        self.wake_stirred(whole, model, state, input, settings);
    }

    /// Wakes the groups that have a body that is awake, or that the input acts on; whether there were any.
    fn wake_stirred(
        &mut self,
        whole: &Variational,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
    ) -> bool {
        let stirs = |k: usize| !state.rest[k].asleep || acts_on(input, model, k);
        self.mark(state.rest.len(), stirs);
        let Self {
            groups,
            marks,
            members,
            ..
        } = self;
        members.clear();
        members.extend((0..marks.len()).filter(|&k| {
            let stirred = marks[groups.groups.find(k)];
            stirred && state.rest[k].asleep
        }));
        if members.is_empty() {
            return false;
        }
        // They lie as they fell asleep: what is read of them from now on was booked with the rest.
        let mut island = Island::new(whole, model, settings, members);
        island.take(state);
        state.work.dissipated -= self.energy_at_knot(&mut island, settings);
        for &k in &self.members {
            state.rest[k] = Rest::default();
        }
        true
    }

    /// Marks the groups that have a body of which this holds.
    fn mark(&mut self, bodies: usize, holds: impl Fn(usize) -> bool) {
        self.marks.fill(false);
        for k in (0..bodies).filter(|&k| holds(k)) {
            self.marks[self.groups.groups.find(k)] = true;
        }
    }

    /// Kinetic energy of an island as it is read at the knot, and what impacts and friction take up to there (J).
    fn energy_at_knot(&mut self, island: &mut Island, settings: &Settings) -> f64 {
        let Island {
            part,
            method,
            state,
            ..
        } = island;
        let Reading { losses, .. } =
            method.read_velocities(&part.model, state, settings, &mut self.read);
        part.model.kinetic_energy(&state.bodies, &self.read) + losses[0] + losses[1]
    }

    /// Makes the workspace of those awake ready.
    fn find_awake(
        &mut self,
        whole: &Variational,
        model: &Model,
        state: &State,
        settings: &Settings,
    ) {
        collect(&mut self.members, state.rest.len(), |k| {
            !state.rest[k].asleep
        });
        let members = &self.members;
        let fits =
            |island: &Island| island.part.bodies == *members && island.method.dt == settings.dt;
        if !self.awake.as_deref().is_some_and(fits) {
            let mut island = Island::new(whole, model, settings, members);
            // They are all that is stepped, with all fallbacks.
            island.method.islands = Some(Box::new(Islands::new(&island.part.model)));
            self.awake = Some(Box::new(island));
        }
    }

    /// Advances those awake, and wakes whom they reach beyond what was foreseen.
    fn advance_awake(
        &mut self,
        whole: &mut Variational,
        (model, state): (&Model, &mut State),
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let step = Divided {
            model,
            input,
            settings,
            live: false,
            timed: whole.solver.stopwatch.runs(),
        };
        let island = loop {
            self.find_awake(whole, model, state, settings);
            let Some(mut island) = self.awake.take() else {
                unreachable!("it was made");
            };
            island.advance(&step, state)?;
            whole
                .solver
                .stopwatch
                .spread(island.spent.take().into_iter());
            if !self.met(whole.contacts.as_deref_mut(), model, state, &island) {
                break island;
            }
            let woken = self.wake_stirred(whole, model, state, input, settings);
            if state.asleep() == 0 {
                return whole.advance(model, state, input, settings, report);
            }
            if !woken {
                break island;
            }
        };
        self.before.clone_from(state);
        report.clear();
        let rest = std::mem::take(&mut state.rest);
        let sleeps = |k: usize| rest[k].asleep;
        state
            .contacts
            .retain(|c| c.bodies.iter().flatten().all(|b| sleeps(b.0)));
        island.leave(state, report);
        report.iterations = island.report.iterations;
        report.factorisations = island.report.factorisations;
        state.contacts.sort_unstable_by_key(|c| c.key);
        // The angles of those asleep were read when they fell asleep.
        state.swept = island.state.swept;
        let (own, before) = (&*island, &self.before);
        past::gather(state, |k| match own.part.bodies.binary_search(&k) {
            Ok(number) => (&own.state, number),
            Err(_) => (before, k),
        });
        state.rest = rest;
        self.awake = Some(island);
        arrive(state, state.time + settings.dt, report);
        Ok(())
    }

    /// Whether those awake went farther than was foreseen, so that they may have met others; these are of their groups then.
    fn met(
        &mut self,
        contacts: Option<&mut super::Contacts>,
        model: &Model,
        state: &State,
        island: &Island,
    ) -> bool {
        let Some(contacts) = contacts.filter(|_| model.contact.is_some()) else {
            return false;
        };
        let place = |body: &BodyState| (body.position, body.orientation);
        let mut farther = false;
        for (&k, body) in island.part.bodies.iter().zip(&island.state.bodies) {
            let ((at, turn), (to, turned)) = (place(&state.bodies[k]), place(body));
            let came = moved((&at, &turn), (&to, &turned), self.radii[k]);
            let reach = &mut self.groups.reach[k];
            farther |= came > *reach;
            *reach = reach.max(came);
        }
        let Islands { groups, reach, .. } = &mut self.groups;
        let mut met = false;
        if farther {
            contacts.pairs(model, &state.bodies, reach, |a, b| {
                met |= groups.join(a.0, b.0);
            });
        }
        met
    }

    /// Takes note of who is calm after a step, and lets the islands fall asleep of which all have been for long enough.
    fn rest(
        &mut self,
        whole: &mut Variational,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
    ) {
        let State { rest, bodies, .. } = &mut *state;
        let mut tired = false;
        for (k, (rest, body)) in rest.iter_mut().zip(bodies).enumerate() {
            let Twist { linear, angular } = body.velocity;
            let fastest = linear.norm() + angular.norm() * self.radii[k];
            let calm = fastest < self.speed && !self.driven[k] && !acts_on(input, model, k);
            if rest.asleep {
                continue;
            }
            rest.calm = if calm { rest.calm + settings.dt } else { 0.0 };
            tired |= rest.calm >= self.time;
        }
        // What touches is known, what may touch is to be looked for.
        for looks in [false, true] {
            if !tired {
                return;
            }
            let contacts = whole.contacts.as_deref_mut().filter(|_| looks);
            self.groups
                .divide(model, state, input, contacts, settings.dt);
            let time = self.time;
            self.mark(state.rest.len(), |k| state.rest[k].calm < time);
            let Self {
                groups,
                marks,
                members,
                ..
            } = self;
            members.clear();
            members.extend((0..marks.len()).filter(|&k| {
                let restless = marks[groups.groups.find(k)];
                !restless && !state.rest[k].asleep
            }));
            tired = !members.is_empty();
        }
        if tired {
            self.fall_asleep(whole, model, state, settings);
        }
    }

    /// Holds the members where they are, at rest, with the momenta that rest has at a knot: those of half a step of the forces
    /// there, which the impulses of the next interval take.
    fn fall_asleep(
        &mut self,
        whole: &Variational,
        model: &Model,
        state: &mut State,
        settings: &Settings,
    ) {
        let mut island = Island::new(whole, model, settings, &self.members);
        island.take(state);
        state.work.dissipated += self.energy_at_knot(&mut island, settings);
        let Island {
            part,
            method,
            state: own,
            ..
        } = &mut island;
        let half = 0.5 * settings.dt;
        for (body, data) in own.bodies.iter_mut().zip(&part.model.bodies) {
            body.velocity = Twist::default();
            body.momentum = part.model.gravity * (data.mass * half);
            body.angular_momentum = Vec3::zeros();
        }
        method.push_momenta(&part.model, own, &Input::default(), half);
        joints::sweep(&part.model, own, PI);
        past::forget_motion(own);
        self.before.clone_from(state);
        part.give(own, state);
        let (own, before) = (&*own, &self.before);
        past::gather(state, |k| match part.bodies.binary_search(&k) {
            Ok(number) => (own, number),
            Err(_) => (before, k),
        });
        for &k in &self.members {
            state.rest[k].asleep = true;
        }
    }

    /// Reads the velocities at the knot: those of bodies asleep are zero.
    pub fn read(
        &mut self,
        whole: &Variational,
        (model, state): (&Model, &State),
        settings: &Settings,
        out: &mut Vec<Twist>,
    ) -> Reading {
        out.clear();
        out.resize(state.bodies.len(), Twist::default());
        if state.asleep() == state.rest.len() {
            return Reading::default();
        }
        self.find_awake(whole, model, state, settings);
        let Some(island) = &mut self.awake else {
            return Reading::default();
        };
        island.take(state);
        let Island {
            part,
            method,
            state: own,
            ..
        } = &mut **island;
        let reading = method.read_velocities(&part.model, own, settings, &mut self.read);
        for (&k, twist) in part.bodies.iter().zip(&self.read) {
            out[k] = *twist;
        }
        reading
    }
}
