//! One step of a tableau in the coordinates of a chart.

use super::acceleration::Moment;
use super::options::Stabilisation;
use super::{RungeKutta, singular};
use crate::integrators::{Settings, StepError, StepReport};
use crate::model::{Input, Model, State};
use crate::solver::assembly::Placed;
use crate::stopwatch::Phase;

impl RungeKutta {
    /// Advances the bodies at the start of a step from a time by a length, both (s); the result is in the workspace. What
    /// the state has besides bodies is that of the start of the whole step. Forces of constraint are added up with a weight of
    /// the step.
    pub(super) fn advance(
        &mut self,
        model: &Model,
        state: &State,
        (time, h, weight): (f64, f64, f64),
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        for (pair, body) in self.start.iter_mut().zip(&self.from) {
            *pair = self.chart.read(body);
        }
        for i in 0..self.tableau.b.len() {
            self.combine(self.tableau.a[i], h, false);
            self.guard(model, h)?;
            let weight = self.tableau.b[i] * weight;
            let time = time + self.tableau.c[i] * h;
            let left = self.evaluate(i, model, state, (time, weight), input);
            report.residual = report.residual.max(left);
            report.factorisations += 1;
        }
        self.dynamics.stopwatch.enter(Phase::Finish);
        self.combine(self.tableau.b, h, self.tableau.new_velocity);
        self.guard(model, h)?;
        self.finish(model, state, time + h, settings, report)
    }

    /// Ends a step at a time with the poses and velocities in the workspace: on the constraints where it ends there.
    pub(super) fn finish(
        &mut self,
        model: &Model,
        state: &State,
        time: f64,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        if self.stabilisation == Stabilisation::Projection {
            self.project(model, state, time, settings, report);
        }
        for (body, twist) in self.bodies.iter_mut().zip(&self.twists) {
            body.velocity = *twist;
        }
        match self.bodies.iter().position(|b| !b.is_finite()) {
            Some(lost) => {
                let place = format!("body `{}`", model.bodies[lost].name);
                Err(StepError::non_finite(self.info, place, state.time))
            }
            None => Ok(()),
        }
    }

    /// Moves the workspace to `start + h Σ weights·slopes`.
    pub(super) fn combine(&mut self, weights: &[f64], h: f64, new_velocity: bool) {
        for (k, from) in self.from.iter().enumerate() {
            let [mut q, mut w] = self.start[k];
            for (weight, slopes) in weights.iter().zip(&self.slopes) {
                let [rates, accelerations] = &slopes[k];
                q.add(rates, weight * h);
                w.add(accelerations, weight * h);
            }
            if new_velocity {
                let first = self.start[k][0];
                q = first;
                q.add(&self.chart.rates(&first, &w), h);
            }
            let placed = self.chart.place(from, &q, &w);
            self.at[k] = [q, w];
            self.bodies[k].position = placed.position;
            self.bodies[k].orientation = placed.orientation;
            self.twists[k] = placed.twist;
        }
    }

    /// Slopes at stage `i`, whose coordinates are in place, at a time; what forces of constraint weigh there is added up.
    pub(super) fn evaluate(
        &mut self,
        i: usize,
        model: &Model,
        state: &State,
        (time, weight): (f64, f64),
        input: &Input,
    ) -> f64 {
        let rate = match self.stabilisation {
            Stabilisation::Baumgarte(rate) => rate,
            Stabilisation::None | Stabilisation::Projection => 0.0,
        };
        let moment = Moment {
            bodies: &self.bodies,
            twists: &self.twists,
            angles: &state.angles,
            time,
        };
        let left = self.dynamics.solve(model, &moment, input, rate);
        let chart = self.chart;
        for (k, [q, w]) in self.at.iter().enumerate() {
            let placed = Placed {
                position: self.bodies[k].position,
                orientation: self.bodies[k].orientation,
                twist: self.twists[k],
            };
            let acceleration = &self.dynamics.accelerations[k];
            self.slopes[i][k] = [
                chart.rates(q, w),
                chart.velocity_rates(q, w, &placed, acceleration),
            ];
        }
        let (reactions, couplings) = (&mut self.reactions[0], &mut self.coupling_forces[0]);
        self.dynamics
            .add_reactions(model, weight, reactions, couplings);
        left
    }

    /// Ends a step in which coordinates run away from their bodies.
    fn guard(&self, model: &Model, h: f64) -> Result<(), StepError> {
        let pairs = self.at.iter().enumerate();
        let mut all = pairs.filter_map(|(k, [q, w])| singular(model, k, self.chart, (q, w), h));
        all.next().map_or(Ok(()), Err)
    }
}
