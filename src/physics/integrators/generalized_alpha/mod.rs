//! Generalised-α on constraints of positions (index 3), classical and on Lie groups [Holzinger2024 sect. 3.3].
//!
//! ```text
//!   M V̇₁ = f(z₁, V₁, t₁) + G(z₁)ᵀ λ₁      g(z₁) = 0      with q₁, w₁, ẇ₁ of a₁ as in `options::Coefficients`
//! ```
//! for `a₁` and `λ₁`. A [`Chart`] turns `(q, w, ẇ)` into poses, velocities and accelerations of the bodies: in its classical
//! coordinates this is the method of [ArnoldBrüls2007], in its local ones that of [Brüls2012], which
//! differ in nothing else. The unit length of Euler parameters is a constraint whose force vanishes, since it is normal to
//! all rotations: it is kept exactly and takes no unknown.
//!
//! Joints stay closed to the tolerance. Velocities meet them to the order of the method only.

mod memory;
mod newton;
mod options;
#[cfg(test)]
mod tests;

use super::parametrisation;
use super::scales::Scales;
use super::{Integrator, IntegratorInfo, Settings, StepError, StepReport, Support};
use crate::forces;
use crate::joints;
use crate::kinematics::set_momenta;
use crate::model::{BodyState, Input, Model, State, Twist};
use crate::solver::Plan;
use crate::solver::assembly::{Chart, EquationsOfMotion, LinearSystem, Moment, Pattern};
use crate::stopwatch::{Phase, Stopwatch};
use memory::Knot;
use options::Coefficients;

/// Halvings of a step that does not converge at most.
const HALVINGS: u32 = 6;

/// The method.
pub const GENERALIZED_ALPHA: IntegratorInfo = IntegratorInfo {
    name: "generalized-alpha",
    summary: "implicit, order 2, damps what is fast for the step; classical or on Lie groups",
    order: 2,
    order_with: |info, _| Some(info.order),
    symplectic: false,
    momentum_preserving: false,
    drift_free: true,
    supports: Support {
        loops: true,
        contact: false,
        limits: false,
        cables: false,
        dissipation: true,
    },
    source: "Arnold, Brüls 2007; Brüls, Cardona, Arnold 2012; [Holzinger2024 sect. 3.3]",
    options: options::OPTIONS,
    refuse: |_| None,
    check: |_| Ok(()),
    build: |info, model, settings| Box::new(GeneralizedAlpha::new(info, model, settings)),
};

/// The method with its workspace.
pub struct GeneralizedAlpha {
    info: &'static IntegratorInfo,
    chart: Chart,
    coefficients: Coefficients,
    /// Whether the matrix is kept from one iteration to the next, and the tangent operator is in it.
    keeps_matrix: bool,
    has_tangent: bool,
    equations: EquationsOfMotion,
    system: LinearSystem,
    scales: Scales,
    /// Start and end of a step in coordinates.
    start: Knot,
    end: Knot,
    /// Bodies at the start, then at the trial; their velocities and accelerations there.
    from: Vec<BodyState>,
    bodies: Vec<BodyState>,
    twists: Vec<Twist>,
    accelerations: Vec<Twist>,
    /// Right-hand sides.
    wanted: newton::Wanted,
    accounts: bool,
    stopwatch: Stopwatch,
}

impl GeneralizedAlpha {
    fn new(info: &'static IntegratorInfo, model: &Model, settings: &Settings) -> Self {
        let (bodies, rows) = (model.bodies.len(), model.equations());
        let options = &settings.options;
        Self {
            info,
            chart: parametrisation::chart(options),
            coefficients: Coefficients::of(options),
            keeps_matrix: options::keeps_matrix(options),
            has_tangent: options::has_tangent(options),
            equations: EquationsOfMotion::new(model),
            system: LinearSystem::new(model, Pattern::Full),
            scales: Scales::new(model),
            start: Knot::new(bodies, rows),
            end: Knot::new(bodies, rows),
            from: Vec::with_capacity(bodies),
            bodies: Vec::with_capacity(bodies),
            twists: vec![Twist::default(); bodies],
            accelerations: vec![Twist::default(); bodies],
            wanted: newton::Wanted::new(bodies, rows),
            accounts: forces::has_account(model),
            stopwatch: Stopwatch::default(),
        }
    }

    /// Takes the accelerations and forces of constraint at the start of a step anew: where nothing is remembered, or where
    /// what acts from outside may have jumped since. What is remembered of `a` beyond `ẇ` stays, since it makes the order.
    fn begin(&mut self, model: &Model, state: &State, input: &Input, remembered: bool) {
        for (twist, body) in self.twists.iter_mut().zip(&self.from) {
            *twist = body.velocity;
        }
        let moment = Moment {
            bodies: &self.from,
            twists: &self.twists,
            angles: &state.angles,
            time: state.time,
            input,
        };
        self.equations
            .accelerations(model, &moment, 0.0, &mut self.system);
        let Knot {
            q,
            w,
            w_rates,
            auxiliary,
            multipliers,
        } = &mut self.start;
        multipliers.copy_from_slice(self.system.multipliers());
        for (k, acceleration) in self.system.motions().iter().enumerate() {
            let placed = self.chart.place(&self.from[k], &q[k], &w[k]);
            let rates = self
                .chart
                .velocity_rates(&q[k], &w[k], &placed, acceleration);
            if remembered {
                auxiliary[k].add(&w_rates[k], -1.0);
                auxiliary[k].add(&rates, 1.0);
            } else {
                auxiliary[k] = rates;
            }
            w_rates[k] = rates;
        }
    }

    /// Takes the steps that one of the simulation is made of: itself, or shorter ones where it does not converge.
    fn advance(
        &mut self,
        model: &Model,
        state: &State,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        // In parts of the shortest step.
        let all = 1_u32 << HALVINGS;
        let (mut done, mut part, mut steps) = (0, all, 0);
        while done < all {
            let h = settings.dt * f64::from(part) / f64::from(all);
            let time = state.time + settings.dt * f64::from(done) / f64::from(all);
            match self.attempt(model, state, (time, h), input, settings, report) {
                Ok(()) => {
                    done += part;
                    steps += 1;
                    self.from.clone_from(&self.bodies);
                    self.start.copy(&self.end);
                    if self.chart.is_local() {
                        for (k, body) in self.from.iter().enumerate() {
                            [self.start.q[k], self.start.w[k]] = self.chart.read(body);
                        }
                    }
                }
                Err(failure) if part == 1 => return Err(failure),
                Err(_) => part /= 2,
            }
        }
        if steps > 1 {
            report.substeps = steps;
            report.fallback = super::Fallback::Substeps;
        }
        Ok(())
    }

    /// Reactions of joints and couplings at the end of a step.
    fn react(&self, model: &Model, state: &mut State) {
        // The last trial is the end of the step.
        let placements = self.equations.placements();
        joints::react(model, placements, &self.end.multipliers, 1.0, state);
    }
}

impl Integrator for GeneralizedAlpha {
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
        self.stopwatch.enter(Phase::Evaluate);
        self.from.clone_from(&state.bodies);
        self.bodies.clone_from(&state.bodies);
        let recalled = self.start.recall(self.chart, state);
        if recalled.is_none_or(|acted| acted || input.acts()) {
            self.begin(model, state, input, recalled.is_some());
        }
        self.advance(model, state, input, settings, report)?;

        self.stopwatch.enter(Phase::Finish);
        set_momenta(model, &mut self.bodies);
        // Nothing can fail any more: the workspace keeps the old poses for the account.
        std::mem::swap(&mut state.bodies, &mut self.bodies);
        self.react(model, state);
        self.end.remember(self.chart, input.acts(), state);
        joints::sweep_from(model, &self.bodies, state, dt);
        state.time += dt;
        state.step += 1;
        if self.accounts || input.acts() {
            self.stopwatch.enter(Phase::Account);
            forces::book(model, &self.bodies, state, input, dt);
        }
        Ok(())
    }

    fn stopwatch(&mut self) -> Option<&mut Stopwatch> {
        Some(&mut self.stopwatch)
    }

    fn plan(&self, model: &Model) -> Option<Plan> {
        Some(self.system.plan(model))
    }
}
