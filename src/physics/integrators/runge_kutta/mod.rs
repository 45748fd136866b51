//! Explicit Runge-Kutta methods on acceleration-level constraints.
//!
//! Positions and velocities are advanced with accelerations that keep the *second* derivatives of the
//! constraints at zero, so nothing but stabilisation brings a joint back that has opened, and
//! nothing keeps energy or momentum: this is what the variational methods are compared with. In a singular
//! configuration rows contradict each other by what the joints have drifted, which throws a mechanism off its
//! track unless it is stabilised.
//!
//! One stepper for all: a [`Tableau`] says what is weighed how, a [`Chart`] in which coordinates. In the local ones the
//! methods are those of Munthe-Kaas [Holzinger2024 alg. 3], in the others the classical ones [Holzinger2024 alg. 2].

mod acceleration;
mod control;
#[cfg(test)]
mod control_tests;
mod dense;
mod options;
mod order;
#[cfg(test)]
mod order_tests;
mod plan;
mod projection;
mod skyline;
mod stepper;
mod tableau;
#[cfg(test)]
mod tests;

use super::parametrisation::{self, singular};
use super::{Integrator, IntegratorInfo, Settings, StepError, StepReport, Support};
use crate::forces;
use crate::joints;
use crate::kinematics::set_momenta;
use crate::model::{BodyState, Input, Model, Row, State, Twist};
use crate::solver::Plan;
use crate::solver::assembly::{Chart, Coordinates};
use crate::stopwatch::{Phase, Stopwatch};
use acceleration::Dynamics;
use dense::Segment;
use options::Stabilisation;
use tableau::Tableau;

/// What the methods have in common.
const BASE: IntegratorInfo = IntegratorInfo {
    name: "",
    summary: "",
    order: 1,
    order_with: |info, options| options::order(options, info.order),
    // With forces of constraint that depend on velocity, not even semi-implicit Euler is.
    symplectic: false,
    momentum_preserving: false,
    drift_free: false,
    supports: Support {
        loops: true,
        contact: false,
        limits: false,
        cables: false,
        dissipation: true,
    },
    source: "Hairer, Nørsett, Wanner, Solving ODEs I, sect. II.1; Munthe-Kaas 1998; [Holzinger2024 sect. 3.2]",
    options: options::PRESET,
    refuse: |_| None,
    check: options::check,
    build: |info, model, settings| boxed(info, &tableau::EXPLICIT_EULER, model, settings),
};

/// The method of any tableau.
pub const RUNGE_KUTTA: IntegratorInfo = IntegratorInfo {
    name: "runge-kutta",
    summary: "any explicit Runge-Kutta method on accelerations, classical or on Lie groups, with step control",
    order: 4,
    order_with: |_, options| options::order(options, options::tableau(options).order),
    options: options::ALL,
    build: |info, model, settings| {
        boxed(info, options::tableau(&settings.options), model, settings)
    },
    ..BASE
};

/// `y + h f(y)`.
pub const EXPLICIT_EULER: IntegratorInfo = IntegratorInfo {
    name: "explicit-euler",
    summary: "forward Euler on accelerations: gains energy at once",
    source: "Hairer, Nørsett, Wanner, Solving ODEs I, sect. I.7",
    ..BASE
};

/// Velocities first, then positions with the new velocities.
pub const SEMI_IMPLICIT_EULER: IntegratorInfo = IntegratorInfo {
    name: "semi-implicit-euler",
    summary: "velocities first, then positions with them: the habit of game engines",
    source: "Hairer, Lubich, Wanner, Geometric Numerical Integration, sect. I.1",
    options: options::STABILISATIONS,
    build: |info, model, settings| boxed(info, &tableau::SEMI_IMPLICIT_EULER, model, settings),
    ..BASE
};

/// The explicit trapezoidal rule.
pub const HEUN: IntegratorInfo = IntegratorInfo {
    name: "heun",
    summary: "explicit trapezoidal rule on accelerations",
    order: 2,
    build: |info, model, settings| boxed(info, &tableau::HEUN, model, settings),
    ..BASE
};

/// The classical method of Kutta.
pub const RK4: IntegratorInfo = IntegratorInfo {
    name: "rk4",
    summary: "classical Runge-Kutta on accelerations",
    order: 4,
    build: |info, model, settings| boxed(info, &tableau::RK44, model, settings),
    ..BASE
};

/// The method of Dormand and Prince.
pub const DOPRI5: IntegratorInfo = IntegratorInfo {
    name: "dopri5",
    summary: "Dormand and Prince's Runge-Kutta method on accelerations, made for step control",
    order: 5,
    build: |info, model, settings| boxed(info, &tableau::DOPRI5, model, settings),
    ..BASE
};

fn boxed(
    info: &'static IntegratorInfo,
    tableau: &'static Tableau,
    model: &Model,
    settings: &Settings,
) -> Box<dyn Integrator> {
    Box::new(RungeKutta::new(info, tableau, model, settings))
}

/// Coordinates and velocities of a body, or their rates.
type Pair = [Coordinates; 2];

/// One method with its workspace.
pub struct RungeKutta {
    info: &'static IntegratorInfo,
    tableau: &'static Tableau,
    chart: Chart,
    stabilisation: Stabilisation,
    /// What a second may lead astray by where the length of steps is chosen (m).
    error: Option<f64>,
    dynamics: Dynamics,
    /// Bodies at the start of a step, and their coordinates.
    from: Vec<BodyState>,
    start: Vec<Pair>,
    /// Coordinates, poses and velocities at a stage, then at the end of the step.
    at: Vec<Pair>,
    bodies: Vec<BodyState>,
    twists: Vec<Twist>,
    /// Poses to go back to where a projection leads astray.
    others: Vec<BodyState>,
    /// Of a controlled step its two halves, and the whole that they are compared with.
    segments: [Segment; 3],
    /// Slopes, stage by stage, then at the end of the step.
    slopes: Vec<Vec<Pair>>,
    /// Weighted mean over the stages of the reactions of joints and of the multipliers of couplings; then over the steps that
    /// one of the simulation is made of.
    reactions: [Vec<Row>; 2],
    coupling_forces: [Vec<f64>; 2],
    accounts: bool,
}

impl RungeKutta {
    /// The method of a tableau with its workspace for a model.
    fn new(
        info: &'static IntegratorInfo,
        tableau: &'static Tableau,
        model: &Model,
        settings: &Settings,
    ) -> Self {
        let bodies = model.bodies.len();
        let none = vec![Pair::default(); bodies];
        let options = &settings.options;
        Self {
            info,
            tableau,
            chart: parametrisation::chart(options),
            stabilisation: Stabilisation::of(options),
            error: options::error(options),
            dynamics: Dynamics::new(model),
            from: Vec::with_capacity(bodies),
            start: none.clone(),
            at: none.clone(),
            bodies: Vec::with_capacity(bodies),
            twists: vec![Twist::default(); bodies],
            others: Vec::with_capacity(bodies),
            segments: [0; 3].map(|_| Segment::new(model)),
            slopes: vec![none; tableau.b.len() + 1],
            reactions: [0, 1].map(|_| vec![Row::default(); model.joints.len()]),
            coupling_forces: [0, 1].map(|_| vec![0.0; model.couplings.len()]),
            accounts: forces::has_account(model),
        }
    }
}

impl Integrator for RungeKutta {
    fn info(&self) -> &'static IntegratorInfo {
        self.info
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        report.clear();
        let dt = settings.dt;
        self.bodies.clone_from(&state.bodies);
        self.from.clone_from(&state.bodies);
        for k in 0..2 {
            self.reactions[k].fill(Row::default());
            self.coupling_forces[k].fill(0.0);
        }
        match self.error {
            None => {
                self.advance(model, state, (state.time, dt, 1.0), input, settings, report)?;
            }
            Some(error) => self.controlled(model, state, error, input, settings, report)?,
        }
        self.dynamics.stopwatch.enter(Phase::Finish);
        set_momenta(model, &mut self.bodies);
        report.constraint = self.dynamics.scale().worst_joint(model, &self.bodies);

        // Nothing can fail any more: the workspace keeps the old poses for the account.
        std::mem::swap(&mut state.bodies, &mut self.bodies);
        state.reactions.copy_from_slice(&self.reactions[0]);
        state
            .coupling_forces
            .copy_from_slice(&self.coupling_forces[0]);
        joints::sweep_from(model, &self.bodies, state, dt);
        state.time += dt;
        state.step += 1;
        if self.accounts || input.acts() {
            self.dynamics.stopwatch.enter(Phase::Account);
            forces::book(model, &self.bodies, state, input, dt);
        }
        Ok(())
    }

    fn stopwatch(&mut self) -> Option<&mut Stopwatch> {
        Some(&mut self.dynamics.stopwatch)
    }

    fn plan(&self, model: &Model) -> Option<Plan> {
        Some(self.dynamics.plan(model))
    }
}
