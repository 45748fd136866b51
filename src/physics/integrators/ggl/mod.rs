//! The variational method with the constraints of velocities beside those of positions, as a second multiplier of Livens'
//! principle has it [Kinon2023, Kinon2023b]: after Gear, Gupta and Leimkuhler [Gear1985], whose stabilised equations are those
//! of the principle.
//!
//! An interval is that of [`livens`](crate::solver::assembly::livens), one to a step. What
//! differs from the integrator of [Kinon2023]:
//!
//! | there | here | why |
//! |---|---|---|
//! | directors, twelve coordinates to a body | turns on SO(3) [Brüdigam2023 eq. 17] | bodies of the model |
//! | the hidden constraint where the interval would end without its multiplier | at its end | met at every knot, not to second order in the step |
//! | all of a force at the first knot | half at either | the same motion from momenta that are half a kick apart, which are of order 2 |
//!
//! The velocities of an interval meet the constraints at its end, and lie half a step behind as those of every interval do. The state
//! holds those of its momenta at the knot, which impulses of the joints put on the constraints as well.

mod newton;
#[cfg(test)]
mod tests;

use super::scales::Scales;
use super::{Fallback, Integrator, IntegratorInfo, Settings, StepError, StepReport, Support};
use crate::forces;
use crate::joints;
use crate::model::{BodyState, Input, Model, State};
use crate::solver::assembly::livens::{Interval, Surroundings};
use crate::stopwatch::{Phase, Stopwatch};

/// Halvings of a step at most, where it does not converge or a body turns too far in it.
const HALVINGS: u32 = 6;
/// Turn of a body that one interval may begin with [rad]: half of what folds the discrete rotation.
const TURN: f64 = 0.5;

/// The method.
pub const VARIATIONAL_GGL: IntegratorInfo = IntegratorInfo {
    name: "variational-ggl",
    summary: "variational, order 2, constraints of velocities beside those of positions",
    order: 2,
    order_with: |info, _| Some(info.order),
    symplectic: true,
    momentum_preserving: true,
    drift_free: true,
    supports: Support {
        loops: true,
        contact: false,
        limits: false,
        cables: false,
        dissipation: true,
    },
    source: "Kinon, Betsch, Schneider 2023; [Brüdigam2023 sect. 5.3]",
    options: &[],
    refuse: |_| None,
    check: |_| Ok(()),
    build: |info, model, _| Box::new(VariationalGgl::new(info, model)),
};

/// The method with its workspace.
struct VariationalGgl {
    info: &'static IntegratorInfo,
    interval: Interval,
    scales: Scales,
    /// Bodies at the start of an interval, then at its end.
    from: Vec<BodyState>,
    bodies: Vec<BodyState>,
    accounts: bool,
    stopwatch: Stopwatch,
}

impl VariationalGgl {
    fn new(info: &'static IntegratorInfo, model: &Model) -> Self {
        let bodies = model.bodies.len();
        Self {
            info,
            interval: Interval::new(model),
            scales: Scales::new(model),
            from: Vec::with_capacity(bodies),
            bodies: Vec::with_capacity(bodies),
            accounts: forces::has_account(model),
            stopwatch: Stopwatch::default(),
        }
    }

    /// Takes the intervals that a step is made of: one, or shorter ones where a body spins too fast or it does not converge.
    fn advance(
        &mut self,
        model: &Model,
        state: &State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        // In parts of the shortest interval.
        let all = 1_u32 << HALVINGS;
        let dt = settings.dt;
        let (mut done, mut part, mut steps) = (0, all, 0);
        while done < all {
            while part > 1 && self.fastest().1 * dt * f64::from(part) > TURN * f64::from(all) {
                part /= 2;
            }
            let h = dt * f64::from(part) / f64::from(all);
            let (body, rate) = self.fastest();
            if rate * h > TURN {
                let limit = TURN / h;
                return Err(StepError::TooFast {
                    body: model.bodies[body].name.clone(),
                    rate,
                    dt,
                    parts: all,
                    limit,
                    advice: dt * limit / rate,
                });
            }
            let around = Surroundings {
                angles: &state.angles,
                time: state.time + dt * f64::from(done) / f64::from(all),
                input,
            };
            match self.attempt(model, &around, h, settings, report) {
                Ok(()) => {
                    self.bodies.clone_from(&self.from);
                    self.interval
                        .finish(model, &self.from, &around, &mut self.bodies);
                    done += part;
                    steps += 1;
                    std::mem::swap(&mut self.from, &mut self.bodies);
                }
                Err(failure) if part == 1 => return Err(failure),
                Err(_) => part /= 2,
            }
        }
        if steps > 1 {
            report.substeps = steps;
            report.fallback = Fallback::Substeps;
        }
        Ok(())
    }

    /// The body that spins fastest, and its rate (rad/s).
    fn fastest(&self) -> (usize, f64) {
        let rates = self.from.iter().map(|b| b.velocity.angular.norm());
        let faster =
            |most: (usize, f64), next: (usize, f64)| if next.1 > most.1 { next } else { most };
        rates.enumerate().fold((0, 0.0), faster)
    }
}

impl Integrator for VariationalGgl {
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
        self.stopwatch.enter(Phase::Evaluate);
        self.from.clone_from(&state.bodies);
        self.advance(model, state, input, settings, report)?;

        self.stopwatch.enter(Phase::Finish);
        // Nothing can fail any more: the workspace keeps the old poses for the account.
        std::mem::swap(&mut state.bodies, &mut self.from);
        let (h, multipliers) = (self.interval.length(), self.interval.multipliers());
        let placements = self.interval.placements();
        joints::react(model, placements, multipliers, 1.0 / (h * h), state);
        joints::sweep_from(model, &self.from, state, settings.dt);
        state.time += settings.dt;
        state.step += 1;
        if self.accounts || input.acts() {
            self.stopwatch.enter(Phase::Account);
            forces::book(model, &self.from, state, input, settings.dt);
        }
        Ok(())
    }

    fn stopwatch(&mut self) -> Option<&mut Stopwatch> {
        Some(&mut self.stopwatch)
    }
}
