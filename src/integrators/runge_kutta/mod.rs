//! Explicit Runge-Kutta methods on acceleration-level constraints: the baselines.
//!
//! Positions and velocities are advanced with accelerations that keep the *second* derivatives of the
//! constraints at zero, so nothing but stabilisation brings a joint back that has opened, and
//! nothing keeps energy or momentum: this is what the variational methods are compared with. In a singular
//! configuration rows contradict each other by what the joints have drifted, which throws a mechanism off its
//! track unless it is stabilised.
//!
//! Rotations are advanced in the Lie group [MuntheKaas1998]: `R = exp(θ) R₀` with `θ̇ = dexp⁻¹_θ(ω)`, so the
//! order of the tableau holds for orientations too and they stay rotations.

mod acceleration;
mod options;
mod order;
mod plan;
mod projection;
mod skyline;
mod tableau;
#[cfg(test)]
mod tests;

use super::{Integrator, IntegratorInfo, Settings, StepError, StepReport, Support};
use crate::forces;
use crate::joints;
use crate::kinematics::set_momenta;
use crate::math::{Quat, Vec3, rotation};
use crate::model::{BodyState, Input, Model, Row, State, Twist};
use crate::solver::Plan;
use crate::stopwatch::{Phase, Stopwatch};
use acceleration::{Dynamics, Moment};
use options::Stabilisation;
use tableau::Tableau;

/// What the methods have in common.
const BASE: IntegratorInfo = IntegratorInfo {
    name: "",
    summary: "",
    order: 1,
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
    source: "Hairer, Nørsett, Wanner, Solving ODEs I, sect. II.1",
    options: options::OPTIONS,
    refuse: |_| None,
    check: options::check,
    build: |info, model, settings| boxed(info, &tableau::EXPLICIT_EULER, model, settings),
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
    summary: "classical Runge-Kutta on accelerations, Lie-group form for rotations",
    order: 4,
    source: "Hairer, Nørsett, Wanner, Solving ODEs I, sect. II.1; Munthe-Kaas 1998; [Holzinger2024]",
    build: |info, model, settings| boxed(info, &tableau::RK4, model, settings),
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

/// Slopes of one body at one stage.
#[derive(Debug, Clone, Copy, Default)]
struct Slope {
    /// Velocity of the centre of mass and rate of the rotation vector.
    motion: Twist,
    /// Accelerations.
    acceleration: Twist,
}

/// One method with its workspace.
pub struct RungeKutta {
    info: &'static IntegratorInfo,
    tableau: &'static Tableau,
    stabilisation: Stabilisation,
    dynamics: Dynamics,
    /// Poses and velocities at a stage, then at the end of the step.
    bodies: Vec<BodyState>,
    twists: Vec<Twist>,
    /// Poses to go back to, where a projection leads astray.
    before: Vec<BodyState>,
    /// Rotation vectors from the start of the step to the stage.
    turns: Vec<Vec3>,
    /// Slopes, stage by stage.
    slopes: Vec<Vec<Slope>>,
    /// Weighted mean over the stages of the reactions of joints and of the multipliers of couplings.
    reactions: Vec<Row>,
    coupling_forces: Vec<f64>,
    accounts: bool,
}

impl RungeKutta {
    /// The method of a tableau with its workspace for a model.
    pub fn new(
        info: &'static IntegratorInfo,
        tableau: &'static Tableau,
        model: &Model,
        settings: &Settings,
    ) -> Self {
        let bodies = model.bodies.len();
        Self {
            info,
            tableau,
            stabilisation: Stabilisation::of(&settings.options),
            dynamics: Dynamics::new(model),
            bodies: Vec::with_capacity(bodies),
            twists: vec![Twist::default(); bodies],
            before: Vec::with_capacity(bodies),
            turns: vec![Vec3::zeros(); bodies],
            slopes: vec![vec![Slope::default(); bodies]; tableau.b.len()],
            reactions: vec![Row::default(); model.joints.len()],
            coupling_forces: vec![0.0; model.couplings.len()],
            accounts: forces::has_account(model),
        }
    }

    /// Moves the workspace to `state + dt Σ weights·slopes`.
    fn combine(&mut self, state: &State, weights: &[f64], dt: f64, new_velocity: bool) {
        for (k, from) in state.bodies.iter().enumerate() {
            let mut sum = Slope::default();
            for (weight, slopes) in weights.iter().zip(&self.slopes) {
                let slope = &slopes[k];
                sum.motion.linear += slope.motion.linear * *weight;
                sum.motion.angular += slope.motion.angular * *weight;
                sum.acceleration.linear += slope.acceleration.linear * *weight;
                sum.acceleration.angular += slope.acceleration.angular * *weight;
            }
            let twist = Twist {
                linear: from.velocity.linear + sum.acceleration.linear * dt,
                angular: from.velocity.angular + sum.acceleration.angular * dt,
            };
            let motion = if new_velocity { twist } else { sum.motion };
            self.turns[k] = motion.angular * dt;
            let turn = Quat::from_scaled_axis(self.turns[k]);
            let body = &mut self.bodies[k];
            body.position = from.position + motion.linear * dt;
            body.orientation = turn * from.orientation;
            body.orientation.renormalize_fast();
            self.twists[k] = twist;
        }
    }

    /// Slopes at stage `i`, whose poses and velocities are in place.
    fn evaluate(
        &mut self,
        i: usize,
        model: &Model,
        state: &State,
        input: &Input,
        s: &Settings,
    ) -> f64 {
        let rate = match self.stabilisation {
            Stabilisation::Baumgarte(rate) => rate,
            Stabilisation::None | Stabilisation::Projection => 0.0,
        };
        let moment = Moment {
            bodies: &self.bodies,
            twists: &self.twists,
            angles: &state.angles,
            time: state.time + self.tableau.c[i] * s.dt,
        };
        let left = self.dynamics.solve(model, &moment, input, rate);
        for k in 0..self.twists.len() {
            let omega = self.twists[k].angular;
            self.slopes[i][k] = Slope {
                motion: Twist {
                    linear: self.twists[k].linear,
                    angular: rotation::left_jacobian_inverse(&self.turns[k]) * omega,
                },
                acceleration: self.dynamics.accelerations[k],
            };
        }
        let (reactions, couplings) = (&mut self.reactions, &mut self.coupling_forces);
        let weight = self.tableau.b[i];
        self.dynamics
            .add_reactions(model, weight, reactions, couplings);
        left
    }
}

impl Integrator for RungeKutta {
    fn info(&self) -> &'static IntegratorInfo {
        self.info
    }

    fn start(&mut self, model: &Model, state: &mut State, _: &Settings) {
        set_momenta(model, &mut state.bodies);
        state.memory.words.clear();
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
        let (tableau, dt) = (self.tableau, settings.dt);
        self.bodies.clone_from(&state.bodies);
        self.reactions.fill(Row::default());
        self.coupling_forces.fill(0.0);

        // Stages: accelerations at poses and velocities reached with the slopes so far.
        for i in 0..tableau.b.len() {
            self.combine(state, tableau.a[i], dt, false);
            let left = self.evaluate(i, model, state, input, settings);
            report.residual = report.residual.max(left);
            report.factorisations += 1;
        }

        // End of the step.
        self.dynamics.stopwatch.enter(Phase::Finish);
        self.combine(state, tableau.b, dt, tableau.new_velocity);
        if self.stabilisation == Stabilisation::Projection {
            self.project(model, state, settings, report);
        }
        for (body, twist) in self.bodies.iter_mut().zip(&self.twists) {
            body.velocity = *twist;
        }
        if let Some(lost) = self.bodies.iter().position(|b| !b.is_finite()) {
            let place = format!("body `{}`", model.bodies[lost].name);
            return Err(StepError::non_finite(self.info, place, state.time));
        }
        set_momenta(model, &mut self.bodies);
        report.constraint = self.dynamics.worst_joint(model, &self.bodies);

        // Nothing can fail any more: the workspace keeps the old poses for the account.
        std::mem::swap(&mut state.bodies, &mut self.bodies);
        state.reactions.copy_from_slice(&self.reactions);
        state.coupling_forces.copy_from_slice(&self.coupling_forces);
        let bodies = self.bodies.iter().chain(&state.bodies);
        let rates = bodies.map(|b| b.velocity.angular.norm());
        // Two bodies, each at the faster of its rates at the ends.
        let swept = 2.0 * dt * rates.fold(0.0, f64::max);
        joints::sweep(model, state, swept);
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
