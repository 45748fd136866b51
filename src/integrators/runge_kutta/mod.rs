//! Explicit Runge-Kutta methods on acceleration-level constraints: the baselines.
//!
//! Positions and velocities are advanced with accelerations that keep the *second* derivatives of the
//! constraints at zero, so nothing but Baumgarte's stabilisation brings a joint back that has opened, and
//! nothing keeps energy or momentum: this is what the variational methods are compared with. In a singular
//! configuration rows contradict each other by what the joints have drifted, which throws a mechanism off its
//! track unless it is stabilised.
//!
//! Rotations are advanced in the Lie group [Munthe-Kaas 1998]: `R = exp(θ) R₀` with `θ̇ = dexp⁻¹_θ(ω)`, so the
//! order of the tableau holds for orientations too and they stay rotations.

mod acceleration;
mod order;
mod plan;
mod skyline;
mod tableau;
#[cfg(test)]
mod tests;

pub use tableau::{EXPLICIT_EULER, HEUN, RK4, SEMI_IMPLICIT_EULER, Tableau};

use super::{Integrator, IntegratorInfo, Settings, StepError, StepReport};
use crate::forces;
use crate::kinematics::set_momenta;
use crate::math::{Quat, Vec3, rotation};
use crate::model::{BodyState, Input, Memory, Model, Row, State, Twist};
use crate::solver::Plan;
use crate::stopwatch::{Phase, Stopwatch};
use acceleration::{Dynamics, Moment};

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
    tableau: &'static Tableau,
    dynamics: Dynamics,
    /// Poses and velocities at a stage, then at the end of the step.
    bodies: Vec<BodyState>,
    twists: Vec<Twist>,
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
    pub fn new(tableau: &'static Tableau, model: &Model) -> Self {
        let bodies = model.bodies.len();
        Self {
            tableau,
            dynamics: Dynamics::new(model),
            bodies: Vec::with_capacity(bodies),
            twists: vec![Twist::default(); bodies],
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
        let moment = Moment {
            bodies: &self.bodies,
            twists: &self.twists,
            angles: &state.angles,
            time: state.time + self.tableau.c[i] * s.dt,
        };
        let left = self.dynamics.solve(model, &moment, input, s.baumgarte);
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

fn is_finite(body: &BodyState) -> bool {
    let vectors = [
        &body.position,
        &body.velocity.linear,
        &body.velocity.angular,
    ];
    vectors.iter().all(|v| v.iter().all(|x| x.is_finite()))
        && body.orientation.coords.iter().all(|x| x.is_finite())
}

impl Integrator for RungeKutta {
    fn info(&self) -> &'static IntegratorInfo {
        &self.tableau.info
    }

    fn start(&mut self, model: &Model, state: &mut State, _: &Settings) {
        set_momenta(model, &mut state.bodies);
    }

    fn adopt(&mut self, model: &Model, state: &mut State, settings: &Settings) {
        self.start(model, state, settings);
    }

    fn release(&mut self, _: &Model, _: &mut State, _: &Settings) {}

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
        for (body, twist) in self.bodies.iter_mut().zip(&self.twists) {
            body.velocity = *twist;
        }
        if let Some(lost) = self.bodies.iter().position(|b| !is_finite(b)) {
            return Err(StepError::NonFinite {
                place: format!("body `{}`", model.bodies[lost].name),
                time: state.time,
            });
        }
        set_momenta(model, &mut self.bodies);
        report.constraint = self.dynamics.worst_joint(model, &self.bodies);

        // Nothing can fail any more: the workspace keeps the old poses for the account.
        std::mem::swap(&mut state.bodies, &mut self.bodies);
        state.reactions.copy_from_slice(&self.reactions);
        state.coupling_forces.copy_from_slice(&self.coupling_forces);
        state.time += dt;
        state.step += 1;
        forget(&mut state.memory);
        if self.accounts || input.drag.is_some() || !input.commands.is_empty() {
            self.dynamics.stopwatch.enter(Phase::Account);
            let work = forces::account(model, &self.bodies, state, input, dt);
            state.work.external += work.external;
            state.work.dissipated += work.dissipated;
        }
        Ok(())
    }

    fn stopwatch(&mut self) -> &mut Stopwatch {
        &mut self.dynamics.stopwatch
    }

    fn plan(&self, model: &Model) -> Plan {
        self.dynamics.plan(model)
    }

    fn read_velocities(
        &mut self,
        _: &Model,
        state: &State,
        _: &Settings,
        out: &mut Vec<Twist>,
    ) -> [f64; 2] {
        out.clear();
        out.extend(state.bodies.iter().map(|b| b.velocity));
        [0.0; 2]
    }
}

/// Empties what a multistep predictor remembers, keeping its memory.
fn forget(memory: &mut Memory) {
    memory.past.iter_mut().for_each(Vec::clear);
    memory.intervals = [0.0; 3];
    memory.iterations = 0;
}
