//! The L-stable first-order method: constraints are springs and dampers taken at the end of the step, contacts, limits and
//! cables among them [Drumwright].
//!
//! A step is one linear system, or one problem on cones where something pushes; nothing is iterated over configurations. It
//! [kicks](CompliantSolver::solve) all velocities with forces and gradients at the start of the step, then lets
//! [bodies drift](CompliantSolver::advance) with them. Momentum is kept to rounding. What the springs of constraints do not
//! return, the method damps: motions that are fast for the step vanish in a few steps, whatever their frequency.

mod options;
mod record;

use super::{
    Fallback, Integrator, IntegratorInfo, Outcome, Settings, StepError, StepReport, Support,
};
use crate::forces;
use crate::joints;
use crate::kinematics::set_momenta;
use crate::model::{BodyState, Input, Model, State};
use crate::solver::Plan;
use crate::solver::compliant::{Asked, COARSE, CompliantSolver, stored_energy};
use crate::stopwatch::{Phase, Stopwatch};

/// Halvings of a step at most.
const HALVINGS: u32 = 10;

/// Turn below which a part is not made shorter for joints that do not close (rad).
const NARROW: f64 = 0.03;

/// Velocity of joints that may be missing at the end of a part, relative to the speed of the step.
const USABLE: f64 = 1e-2;

/// Turn of a body that rows hold in one part of a step at most [rad]: the directions in which they hold turn with it.
const WIDEST: f64 = 0.5;

/// The method.
pub const COMPLIANT: IntegratorInfo = IntegratorInfo {
    name: "compliant",
    summary: "constraints as implicit springs and dampers: stable at any step and stiffness, damps what is fast",
    order: 1,
    order_with: |info, _| Some(info.order),
    symplectic: false,
    momentum_preserving: true,
    // Joints do not drift, but give.
    drift_free: false,
    supports: Support {
        loops: true,
        contact: true,
        limits: true,
        cables: true,
        dissipation: true,
    },
    source: "[Drumwright]",
    options: options::OPTIONS,
    refuse: |_| None,
    check: |_| Ok(()),
    build: |info, model, _| Box::new(Compliant::new(info, model)),
};

/// The method with its workspace.
pub struct Compliant {
    info: &'static IntegratorInfo,
    solver: CompliantSolver,
    bodies: Vec<BodyState>,
    /// The state at the start of a step.
    before: State,
    accounts: bool,
    /// Something held has a spring of finite stiffness.
    gives: bool,
}

impl Compliant {
    fn new(info: &'static IntegratorInfo, model: &Model) -> Self {
        let joints = model.joints.iter().flat_map(|j| j.compliance);
        let mut all = joints.chain(model.couplings.iter().map(|c| c.compliance));
        Self {
            info,
            solver: CompliantSolver::new(model),
            bodies: Vec::with_capacity(model.bodies.len()),
            before: State::at_rest(model),
            accounts: forces::has_account(model),
            gives: all.any(|c| !c.is_rigid()),
        }
    }

    /// Moves the state to the end of what was solved for.
    fn finish(
        &mut self,
        model: &Model,
        state: &mut State,
        asked: &Asked,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let h = asked.h;
        self.bodies.clone_from(&state.bodies);
        self.solver.advance(model, &mut self.bodies, h);
        set_momenta(model, &mut self.bodies);
        if let Some(lost) = self.bodies.iter().position(|b| !b.is_finite()) {
            let place = format!("body `{}`", model.bodies[lost].name);
            return Err(StepError::non_finite(self.info, place, state.time));
        }
        // Reactions and springs are those of the poses at the start.
        self.solver.react(state, model, h);
        let [held, taken] = if self.gives {
            self.solver.held_energy(h)
        } else {
            [0.0; 2]
        };
        std::mem::swap(&mut state.bodies, &mut self.bodies);
        joints::sweep_from(model, &self.bodies, state, h);
        state.time += h;
        self.record(model, state, h, report);
        if self.solver.found().capped {
            report.outcome = Outcome::Capped;
        }
        self.solver.stopwatch.enter(Phase::Account);
        if self.gives {
            let now = stored_energy(model, &state.bodies, &state.angles);
            state.work.external -= now - held;
            state.work.dissipated += taken;
        }
        if self.accounts || asked.input.acts() {
            forces::book(model, &self.bodies, state, asked.input, h);
        }
        Ok(())
    }
}

impl Integrator for Compliant {
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
        // In parts of the shortest: what turns far in a step is taken in shorter ones.
        let all = 1_u32 << HALVINGS;
        let (mut done, mut part, mut steps) = (0, all, 0);
        self.before.clone_from(state);
        while done < all {
            let h = settings.dt * f64::from(part) / f64::from(all);
            // What turns too far to begin with need not be tried.
            if part > 1 && self.solver.turn_at(state, h) > WIDEST {
                part /= 2;
                continue;
            }
            let asked = Asked {
                h,
                dt: settings.dt,
                input,
                accuracy: options::accuracy(&settings.options),
                budget: options::BUDGET,
                corrections: options::corrections(&settings.options),
            };
            self.solver.solve(model, state, &asked);
            report.factorisations += self.solver.found().factorisations;
            let turn = self.solver.turn(h);
            // What does not close although nothing turns contradicts itself, and would in any part.
            let followed = self.solver.found().missing <= USABLE || turn <= NARROW;
            let met = self.solver.found().missed <= COARSE;
            let usable = followed && met && turn <= WIDEST;
            if part > 1 && !usable {
                part /= 2;
                continue;
            }
            if let Err(failure) = self.finish(model, state, &asked, report) {
                state.clone_from(&self.before);
                return Err(failure);
            }
            done += part;
            steps += 1;
        }
        state.time = self.before.time + settings.dt;
        state.step = self.before.step + 1;
        if steps > 1 {
            report.substeps = steps;
            report.fallback = Fallback::Substeps;
        }
        report.iterations = 1;
        self.bodies.clone_from(&state.bodies);
        report.constraint = self.solver.scale().worst_joint(model, &self.bodies);
        Ok(())
    }

    fn stopwatch(&mut self) -> Option<&mut Stopwatch> {
        Some(&mut self.solver.stopwatch)
    }

    fn plan(&self, model: &Model) -> Option<Plan> {
        Some(self.solver.plan(model))
    }
}
