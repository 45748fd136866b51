//! Galerkin variational integrators in joint coordinates [MarsdenWest2001 sect. 2.6]: the increment of a step is a
//! polynomial, the action a quadrature.
//!
//! | method | nodes | order |
//! |---|---|---|
//! | `minimal-3` | Radau's two | 3 |
//! | `minimal-galerkin-4` | Gauss's two | 4, and symmetric where no joint rotates freely: the chart is the first knot's |
//!
//! No part of a step goes backwards, so that they take dampers and drives, which compositions refuse: as forces at the nodes.
//! [`nodes`] has the equation and its root, in linear time; [`scheme`] the methods as data.

mod nodes;
mod scheme;

use super::super::{
    Cut, CutPart, Fallback, Integrator, IntegratorInfo, Iteration, Outcome, Settings, StepError,
    StepReport, Support, trees,
};
use crate::forces;
use crate::kinematics::set_momenta;
use crate::model::{BodyId, Input, Model, Row, State};
use crate::solver::Plan;
use crate::stopwatch::{Phase, Stopwatch};
use nodes::{Left, Nodes, Span};
use scheme::{GAUSS, RADAU, Scheme};

/// Halvings of a step at most: 256 intervals.
const HALVINGS: u32 = 8;

/// Iterations for which there is room from the start.
const KEPT: u32 = 64;

/// Third order.
pub const MINIMAL_3: IntegratorInfo = IntegratorInfo {
    name: "minimal-3",
    summary: "Galerkin in joint coordinates: parabolas and Radau's quadrature, linear time",
    order: 3,
    supports: Support {
        loops: false,
        limits: false,
        cables: false,
        ..super::BASE.supports
    },
    source: "[MarsdenWest2001 sect. 2.6]",
    options: &[],
    refuse: |model| super::refuse_contact(model).or_else(|| trees::refuse_loops(model)),
    build: |info, model, _| Box::new(Galerkin::new(info, &RADAU, model)),
    ..super::BASE
};

/// Fourth order.
pub const MINIMAL_GALERKIN_4: IntegratorInfo = IntegratorInfo {
    name: "minimal-galerkin-4",
    summary: "Galerkin in joint coordinates: parabolas and Gauss's quadrature, linear time",
    order: 4,
    build: |info, model, _| Box::new(Galerkin::new(info, &GAUSS, model)),
    ..MINIMAL_3
};

/// One method with its workspace.
pub struct Galerkin {
    info: &'static IntegratorInfo,
    nodes: Nodes,
    accounts: bool,
    reactions: Vec<Row>,
    /// The state before the step.
    saved: Option<State>,
    stopwatch: Stopwatch,
}

impl Galerkin {
    fn new(info: &'static IntegratorInfo, scheme: &'static Scheme, model: &Model) -> Self {
        Self {
            info,
            nodes: Nodes::new(model, scheme),
            accounts: forces::has_account(model),
            reactions: vec![Row::default(); model.joints.len()],
            saved: None,
            stopwatch: Stopwatch::default(),
        }
    }

    /// Finds the rates at the nodes of an interval; otherwise what was left.
    fn find(
        &mut self,
        span: &Span,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), Left> {
        self.stopwatch.enter(Phase::Prepare);
        report.history.clear();
        report
            .history
            .reserve(settings.max_iterations.min(KEPT) as usize + 1);
        self.nodes.begin(span);
        report.factorisations += 1;
        self.stopwatch.enter(Phase::Evaluate);
        loop {
            let Some(left) = self.nodes.iterate(span) else {
                return Err(Left {
                    relative: report.history.last().map_or(1.0, |i| i.residual),
                    ..Left::default()
                });
            };
            report.history.push(Iteration {
                residual: left.relative,
                constraint: 0.0,
                step_length: if report.history.is_empty() { 0.0 } else { 1.0 },
            });
            report.residual = left.relative;
            if left.relative <= settings.tolerance {
                return Ok(());
            }
            if left.rounding && report.stands_still() {
                report.outcome = Outcome::Stalled;
                return Ok(());
            }
            if !left.relative.is_finite() || report.history.len() > settings.max_iterations as usize
            {
                return Err(left);
            }
            report.iterations += 1;
        }
    }

    /// Advances by one interval, `part` of the step.
    fn interval(
        &mut self,
        state: &mut State,
        (model, input): (&Model, &Input),
        (settings, part): (&Settings, f64),
        report: &mut StepReport,
    ) -> Result<(), Left> {
        let dt = settings.dt * part;
        let span = Span {
            model,
            state,
            input,
            dt,
        };
        self.find(&span, settings, report)?;
        self.stopwatch.enter(Phase::Finish);
        self.nodes.react(&span, part, &mut self.reactions);
        self.nodes.arrive(model, dt, &mut state.angles);
        report.factorisations += 1;
        set_momenta(model, &mut self.nodes.bodies);
        // The workspace keeps the old poses for the account.
        std::mem::swap(&mut state.bodies, &mut self.nodes.bodies);
        state.swept = 0.0;
        state.time += dt;
        if self.accounts || input.acts() {
            self.stopwatch.enter(Phase::Account);
            forces::book(model, &self.nodes.bodies, state, input, dt);
        }
        Ok(())
    }
}

impl Integrator for Galerkin {
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
        let end = state.time + settings.dt;
        let mut saved = self.saved.take().unwrap_or_else(|| state.clone());
        saved.clone_from(state);
        let mut worst = Left::default();
        // Where the iteration does not contract in the whole step it does in shorter ones.
        let solved = (0..=HALVINGS).any(|depth| {
            let parts = 1u32 << depth;
            self.reactions.fill(Row::default());
            if depth > 0 {
                state.clone_from(&saved);
                let body = self.nodes.tree.links()[worst.link].body;
                report.fallback = Fallback::Substeps;
                report.substeps = parts;
                report.outcome = Outcome::Converged;
                report.cut = report.cut.or(Some(Cut {
                    body: BodyId(body),
                    part: CutPart::All,
                }));
            }
            let part = 1.0 / f64::from(parts);
            (0..parts).all(|_| {
                let done = self.interval(state, (model, input), (settings, part), report);
                done.map_err(|left| worst = left).is_ok()
            })
        });
        if !solved {
            state.clone_from(&saved);
        }
        self.saved = Some(saved);
        if !solved {
            let body = self.nodes.tree.links()[worst.link].body;
            let place = format!("body `{}`", model.bodies[body].name);
            if !worst.relative.is_finite() {
                return Err(StepError::non_finite(self.info, place, state.time));
            }
            return Err(StepError::NotConverged {
                time: state.time,
                iterations: report.iterations,
                residual: worst.relative,
                constraint: 0.0,
                place,
            });
        }
        state.reactions.copy_from_slice(&self.reactions);
        // The sum of the parts may round otherwise.
        state.time = end;
        state.step += 1;
        Ok(())
    }

    fn stopwatch(&mut self) -> Option<&mut Stopwatch> {
        Some(&mut self.stopwatch)
    }

    fn plan(&self, model: &Model) -> Option<Plan> {
        Some(Plan::in_joint_coordinates(model, false, &[]))
    }
}
