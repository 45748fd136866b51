//! The variational integrator in maximal coordinates [Brüdigam2020, Brüdigam2023 sect. 3].
//!
//! A step from the knot `z1` finds velocities of the interval to `z2` and joint impulses `Λ` with
//! ```text
//!   P(v, u) = p1 + dt/2 f(z1) + G(z1)ᵀ Λ        [Brüdigam2023 eq. 20a, 16]
//!   g(z2(v, u)) = 0                             [Brüdigam2023 eq. 20b]
//!   p2 = P + dt/2 f(z2)
//! ```
//! `P` is the momentum of the interval and `p` that at a knot, both in world axes, so nothing but the knot's
//! momentum is carried over and the step may change its length freely.
//!
//! | method | start | velocity read at a knot | velocity-dependent impulses |
//! |---|---|---|---|
//! | `variational` | scene velocity is that of the interval before the first knot | of the last interval | at the first knot of each interval |
//! | `variational-2` | scene velocity is that at the first knot | of the knot's momentum, on the constraints | half at each knot |
//! | `variational-4`, `-6`, `-8` | as `variational-2` | as `variational-2` | refused |
//!
//! The first two make the same positions up to the start: only the start and the reading are of first order.
//! The others compose `variational-2` symmetrically from forward and backward steps.
//!
//! Where to read on: [`step`] shows a whole step, [`newton`] and [`contact`] solve an interval, [`fallbacks`] cuts it,
//! [`islands`] have steps of their own where it does not hold, bodies [`sleep`] where they may, [`guess`] extrapolates.

mod conservation;
mod contact;
mod displaced;
mod explain;
mod fallbacks;
mod guess;
mod island;
mod islands;
mod mean;
mod mechanisms;
mod newton;
mod options;
mod sleep;
mod spin;
mod step;

use super::composition;
use super::{Integrator, IntegratorInfo, Reading, Settings, StepError, StepReport, Support};
use crate::forces::{self, StiffSprings, Wrench};
use crate::kinematics;
use crate::model::{BodyState, ContactKey, Input, Model, State, Twist};
use crate::solver::contact::Contacts;
use crate::solver::past::{self, Past};
use crate::solver::{ConeSection, Mark, MechanismSolver, Plan};
use crate::stopwatch::Stopwatch;
use crate::threads;
use conservation::Account;
use island::Ways;
use islands::Islands;
use mean::Mean;
use mechanisms::Mechanisms;
pub use options::CONTACT_BUDGET;
use options::ContactOptions;
use sleep::Sleep;

/// What makes a variational method differ from the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Method {
    /// Started and read as the papers print it.
    pub first_order: bool,
    /// Lengths of the intervals of one step, as parts of it.
    pub stages: &'static [f64],
}

/// One step of the papers, started and read as they print it.
const AS_PRINTED: Method = Method {
    first_order: true,
    stages: &[1.0],
};

/// One step, started and read at the knot.
const SINGLE: Method = composed(&[1.0]);

/// Steps of those lengths.
const fn composed(stages: &'static [f64]) -> Method {
    Method {
        first_order: false,
        stages,
    }
}

fn boxed(
    info: &'static IntegratorInfo,
    method: Method,
    model: &Model,
    settings: &Settings,
) -> Box<dyn Integrator> {
    Box::new(Variational::new(info, method, model, settings))
}

/// What the methods have in common.
const BASE: IntegratorInfo = IntegratorInfo {
    name: "",
    summary: "",
    order: 2,
    order_with: |info, _| Some(info.order),
    symplectic: true,
    momentum_preserving: true,
    drift_free: true,
    supports: Support {
        loops: true,
        contact: true,
        limits: true,
        cables: true,
        dissipation: true,
    },
    source: "[Brüdigam2020], [Brüdigam2023 sect. 3]",
    options: &[
        options::CONTACT_SOLVER,
        options::ACCURACY,
        options::CONTACT_BUDGET,
        options::SLEEPING_SPEED,
        options::SLEEPING_TIME,
    ],
    refuse: |_| None,
    check: |_| Ok(()),
    build: |info, model, settings| boxed(info, SINGLE, model, settings),
};

/// What the composed methods have in common.
const COMPOSED: IntegratorInfo = IntegratorInfo {
    supports: Support {
        contact: false,
        limits: false,
        cables: false,
        dissipation: false,
        ..BASE.supports
    },
    options: &[],
    refuse: composition::refuse_dissipation,
    ..BASE
};

/// First order, as the papers print it.
pub const VARIATIONAL: IntegratorInfo = IntegratorInfo {
    name: "variational",
    summary: "variational in maximal coordinates, started and read as the papers print it",
    order: 1,
    build: |info, model, settings| boxed(info, AS_PRINTED, model, settings),
    ..BASE
};

/// Second order; the default.
pub const VARIATIONAL_2: IntegratorInfo = IntegratorInfo {
    name: "variational-2",
    summary: "second order: half-step start; energy read at the time nodes",
    ..BASE
};

/// Fourth order.
pub const VARIATIONAL_4: IntegratorInfo = IntegratorInfo {
    name: "variational-4",
    summary: "five variational-2 steps, one of them backwards",
    order: 4,
    source: "[Brüdigam2023 sect. 3] composed after Suzuki (1990)",
    build: |info, model, settings| boxed(info, composed(&composition::SUZUKI_4), model, settings),
    ..COMPOSED
};

/// Sixth order.
pub const VARIATIONAL_6: IntegratorInfo = IntegratorInfo {
    name: "variational-6",
    summary: "nine variational-2 steps, two of them backwards",
    order: 6,
    source: "[Brüdigam2023 sect. 3] composed after Kahan and Li (1997)",
    build: |info, model, settings| boxed(info, composed(&composition::KAHAN_LI_6), model, settings),
    ..COMPOSED
};

/// Eighth order.
pub const VARIATIONAL_8: IntegratorInfo = IntegratorInfo {
    name: "variational-8",
    summary: "fifteen variational-2 steps, five of them backwards",
    order: 8,
    source: "[Brüdigam2023 sect. 3] composed after Suzuki and Umeno (1993), Kahan and Li (1997)",
    build: |info, model, settings| boxed(info, composed(&composition::KAHAN_LI_8), model, settings),
    ..COMPOSED
};

/// One method with its workspace.
pub struct Variational {
    info: &'static IntegratorInfo,
    method: Method,
    contact: ContactOptions,
    solver: MechanismSolver,
    /// Length of step that the workspace is made for (s).
    dt: f64,
    /// Whether forces other than gravity act at knots.
    forced: bool,
    /// Whether anything does work or dissipates without an input.
    accounts: bool,
    wrenches: Vec<Wrench>,
    /// Contact of the interval; `None` in models that have none.
    contacts: Option<Box<Contacts>>,
    room: contact::Room,
    /// Poses before the interval, for the account of work.
    poses: Vec<BodyState>,
    /// Mean of the reactions over the intervals of a step that has several.
    mean: Mean,
    /// States to go back to, by depth of the fallbacks.
    saved: Vec<(State, Mean)>,
    /// Islands of the model; `None` in the workspace of one.
    islands: Option<Box<Islands>>,
    /// How far its bodies come; `None` but in the workspace of an island that may touch others.
    ways: Option<Ways>,
    /// Whether the step is known not to hold in one interval; never but in the workspace of an island.
    failed: bool,
    /// Whether the last interval was a whole step that is doubtful: if it still is when it was judged, its motion was lost to that.
    doubted: bool,
    /// Room for what mechanisms gain in whole steps.
    mechanisms: Mechanisms,
    /// Velocities at a knot, for the account of what intervals gain.
    twists: Vec<Twist>,
    /// The account of the state at hand, if it is known.
    energy: Option<Account>,
    /// Who sleeps; `None` where no body is to, and in the workspace of an island.
    sleep: Option<Box<Sleep>>,
    /// The motion that displaced states set out from; `None` where the step was not one interval of the whole model.
    solution: Option<Box<Mark>>,
}

impl Variational {
    /// A method with its workspace for a model.
    pub fn new(
        info: &'static IntegratorInfo,
        method: Method,
        model: &Model,
        settings: &Settings,
    ) -> Self {
        let contacts = |solver: &MechanismSolver| Box::new(Contacts::new(model, solver));
        Self {
            islands: Some(Box::new(Islands::new(model))),
            sleep: Sleep::of(model, &settings.options).map(Box::new),
            ..Self::with(info, method, model, settings, |solver| {
                model.has_unilateral().then(|| contacts(solver))
            })
        }
    }

    /// The same with contacts that are made elsewhere, and without islands.
    fn with(
        info: &'static IntegratorInfo,
        method: Method,
        model: &Model,
        settings: &Settings,
        contacts: impl FnOnce(&MechanismSolver) -> Option<Box<Contacts>>,
    ) -> Self {
        let stiff = StiffSprings::of(model, settings.dt);
        let solver = MechanismSolver::with_springs(model, settings.linear_solver, &stiff);
        Self {
            info,
            method,
            contact: ContactOptions::of(&settings.options),
            contacts: contacts(&solver),
            room: contact::Room::default(),
            solver,
            dt: settings.dt,
            forced: forces::has_knot_forces(model),
            accounts: forces::has_account(model),
            wrenches: vec![Wrench::default(); model.bodies.len()],
            poses: Vec::with_capacity(model.bodies.len()),
            mean: Mean::new(model),
            saved: Vec::new(),
            islands: None,
            ways: None,
            failed: false,
            doubted: false,
            mechanisms: Mechanisms::default(),
            twists: Vec::with_capacity(model.bodies.len()),
            energy: None,
            sleep: None,
            solution: None,
        }
    }

    /// Takes another length of step, in which other springs may be stiff.
    fn refit(&mut self, model: &Model, settings: &Settings) {
        self.dt = settings.dt;
        let stiff = StiffSprings::of(model, settings.dt);
        if stiff != self.solver.topology().stiff {
            let stopwatch = std::mem::take(&mut self.solver.stopwatch);
            let sleep = self.sleep.take();
            *self = Self::new(self.info, self.method, model, settings);
            self.sleep = sleep;
            self.solver.stopwatch = stopwatch;
        }
    }

    /// Part of velocity-dependent impulses that acts at the first knot of an interval.
    fn share(&self) -> f64 {
        if self.method.first_order { 1.0 } else { 0.5 }
    }

    /// Evaluates the forces at a knot, gravity apart; false if there are none.
    fn knot_forces(&mut self, model: &Model, state: &State, input: &Input) -> bool {
        if !self.forced && input.commands.is_empty() && input.wrenches.is_empty() {
            return false;
        }
        self.wrenches.fill(Wrench::default());
        forces::knot_wrenches(
            model,
            &state.bodies,
            &state.angles,
            state.time,
            input,
            &self.solver.topology().stiff,
            &mut self.wrenches,
        );
        for (body, wrench) in model.bodies.iter().zip(&mut self.wrenches) {
            wrench.force -= model.gravity * body.mass;
        }
        true
    }

    /// Adds `dt` times the forces at the knot reached, gravity apart, to the momenta.
    fn push_momenta(&mut self, model: &Model, state: &mut State, input: &Input, dt: f64) {
        if self.knot_forces(model, state, input) {
            for (body, wrench) in state.bodies.iter_mut().zip(&self.wrenches) {
                body.momentum += wrench.force * dt;
                body.angular_momentum += wrench.torque * dt;
            }
        }
    }
}

impl Integrator for Variational {
    fn info(&self) -> &'static IntegratorInfo {
        self.info
    }

    fn start(&mut self, model: &Model, state: &mut State, settings: &Settings) {
        self.adopt(model, state, settings);
        if self.method.first_order {
            // The scene's velocity is that of the interval before: its momentum lacks half a potential impulse
            // at the knot, which the papers give in full in the first step.
            let half = 0.5 * settings.dt;
            for (body, state) in model.bodies.iter().zip(&mut state.bodies) {
                state.momentum += model.gravity * (body.mass * half);
            }
            self.push_momenta(model, state, &Input::default(), half);
            let past = Past {
                held: settings.dt,
                ..Past::default()
            };
            past.write(state);
        }
    }

    fn adopt(&mut self, model: &Model, state: &mut State, _: &Settings) {
        kinematics::set_momenta(model, &mut state.bodies);
        past::forget(&mut state.memory);
        state.rest.clear();
    }

    fn release(&mut self, model: &Model, state: &mut State, settings: &Settings) -> [f64; 2] {
        let mut twists = Vec::new();
        // Nothing completes the impacts of the interval before but the velocities that go on.
        let contacts = state.contacts.iter_mut();
        contacts.for_each(|contact| (contact.hit, contact.turning) = (false, 0.0));
        let section = ConeSection::from(settings.friction);
        let exact = self.contact.accuracy.exact_up_to();
        let reading =
            self.solver
                .project_touching(model, state, (section, settings.dt, exact), &mut twists);
        for (body, twist) in state.bodies.iter_mut().zip(&twists) {
            body.velocity = *twist;
        }
        kinematics::set_momenta(model, &mut state.bodies);
        past::forget(&mut state.memory);
        state.rest.clear();
        reading.losses
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        if settings.dt != self.dt {
            self.refit(model, settings);
        }
        let Some(mut sleep) = self.sleep.take() else {
            state.rest.clear();
            return self.advance(model, state, input, settings, report);
        };
        let done = sleep.step(self, (model, state), input, settings, report);
        self.sleep = Some(sleep);
        done
    }

    fn hold_solution(&mut self, report: &StepReport) {
        self.solution = self.solution(report);
    }

    fn step_displaced(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let Some(solution) = self.solution.take() else {
            return self.step(model, state, input, settings, report);
        };
        let found = self.displaced(&solution, (model, state), input, settings, report);
        self.solution = Some(solution);
        if found {
            return Ok(());
        }
        self.step(model, state, input, settings, report)
    }

    fn stopwatch(&mut self) -> Option<&mut Stopwatch> {
        Some(&mut self.solver.stopwatch)
    }

    fn plan(&self, model: &Model) -> Option<Plan> {
        Some(self.solver.plan(model, |contact| {
            let contacts = self.contacts.as_ref();
            contacts.map_or_else(ContactKey::default, |contacts| contacts.key(contact))
        }))
    }

    fn read_velocities(
        &mut self,
        model: &Model,
        state: &State,
        settings: &Settings,
        out: &mut Vec<Twist>,
    ) -> Reading {
        if self.method.first_order {
            out.clear();
            out.extend(state.bodies.iter().map(|b| b.velocity));
            return Reading::default();
        }
        if state.asleep() > 0
            && let Some(mut sleep) = self.sleep.take()
        {
            let reading = sleep.read(self, (model, state), settings, out);
            self.sleep = Some(sleep);
            return reading;
        }
        let section = ConeSection::from(settings.friction);
        let exact = self.contact.accuracy.exact_up_to();
        threads::awake_for(state.contacts.len(), || {
            self.solver
                .project_touching(model, state, (section, settings.dt, exact), out)
        })
    }
}

#[cfg(test)]
mod tests;
