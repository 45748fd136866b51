//! Automatic control of the step: as many steps of the method within one of the simulation as their errors need.
//!
//! The estimate is the configuration distance of two results: of the two weights of a tableau, one of an order less, which
//! goes with the power `p` of the step for a result of order `p`; where there is one only, of a step and two of half its
//! length over `2ᵖ - 1`, which goes with `p + 1` and is taken by the part that the step is of the whole. What is kept below
//! the error asked for thus has the order of the result, so that the error at the end is proportional to it.
//!
//! Memory of the state: the length tried next [s], so that a run goes on as if it had not been interrupted.

use super::RungeKutta;
use crate::diagnostics::configuration_distance;
use crate::integrators::{Settings, StepError, StepReport};
use crate::model::{Input, Model, State};

/// Part of the error asked for that a step may have where the estimate is one of the step, not of its part: steps add up.
const SHARE: f64 = 0.25;
/// The step is that which would meet the error, times this.
const SAFETY: f64 = 0.9;
/// Least change from one step to the next.
const LEAST: f64 = 0.2;
/// Largest change.
const MOST: f64 = 5.0;
/// Shortest step, of that of the simulation: beyond, rounding is what errs.
const SHORTEST: f64 = 1e-7;

impl RungeKutta {
    /// Advances by `settings.dt` in steps that err by no more than `error` [m] each.
    pub(super) fn controlled(
        &mut self,
        model: &Model,
        state: &mut State,
        error: f64,
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let dt = settings.dt;
        let shortest = SHORTEST * dt;
        let remembered = match state.memory.words[..] {
            [word] => f64::from_bits(word),
            _ => dt,
        };
        // A file may hold anything.
        let mut next = if remembered > shortest {
            remembered
        } else {
            dt
        };
        let (mut done, mut steps) = (0.0, 0);
        // What is left after the last step is rounding of its sum.
        while dt - done > 0.5 * shortest {
            let rest = dt - done;
            // Two equal ones are better than one and a rest.
            let h = if next >= rest {
                rest
            } else {
                next.min(0.5 * rest)
            };
            let tried = self.tried(
                model,
                state,
                (state.time + done, h),
                input,
                settings,
                report,
            );
            let estimate = match &tried {
                Ok(estimate) => *estimate,
                Err(_) => f64::INFINITY,
            };
            let power = 1.0 / f64::from(self.tableau.order);
            let factor = SAFETY * (error / estimate).powf(power);
            if estimate <= error {
                done += h;
                steps += 1;
                self.from.clone_from(&self.bodies);
                self.keep(1, 0);
                // A step cut short by the end says nothing against a longer one.
                let longer = h * factor.min(MOST);
                next = if h < next { next.max(longer) } else { longer };
                continue;
            }
            if h <= shortest {
                tried?;
                return Err(StepError::Uncontrolled {
                    time: state.time + done,
                    h,
                    estimate,
                    error,
                });
            }
            self.keep(0, 1);
            // Where the estimate is not a number this is the least.
            next = (h * factor.max(LEAST)).max(shortest);
        }
        report.substeps = if steps > 1 { steps } else { 0 };
        state.memory.words.clear();
        state.memory.words.push(next.to_bits());
        Ok(())
    }

    /// Takes the forces of constraint that were summed up from one place to another.
    fn keep(&mut self, to: usize, from: usize) {
        let [a, b] = &mut self.reactions;
        let [c, d] = &mut self.coupling_forces;
        let ((to_rows, rows), (to_forces, forces)) = if (to, from) == (0, 1) {
            ((a, &*b), (c, &*d))
        } else {
            ((b, &*a), (d, &*c))
        };
        to_rows.copy_from_slice(rows);
        to_forces.copy_from_slice(forces);
    }

    /// One step and what is controlled of its error [m].
    fn tried(
        &mut self,
        model: &Model,
        state: &State,
        (time, h): (f64, f64),
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<f64, StepError> {
        if let Some(estimate) = self.advance(model, state, (time, h), input, settings, report)? {
            return Ok(estimate / SHARE);
        }
        // The whole step is only compared with.
        self.keep(0, 1);
        self.whole.clone_from(&self.bodies);
        let half = 0.5 * h;
        self.advance(model, state, (time, half), input, settings, report)?;
        self.first.clone_from(&self.from);
        self.from.clone_from(&self.bodies);
        let second = self.advance(model, state, (time + half, half), input, settings, report);
        std::mem::swap(&mut self.from, &mut self.first);
        second?;
        let gain = f64::from(self.tableau.order).exp2() - 1.0;
        let estimate = configuration_distance(model, &self.bodies, &self.whole) / gain;
        Ok(estimate * settings.dt / h)
    }
}
