//! Automatic control of the step: steps as long as the error asked for allows.
//!
//! A step of the method is taken whole and in two halves, which are kept. Their distance over `2ᵖ - 1` is what the halves err by
//! [Hairer, Nørsett, Wanner, Solving ODEs I, sect. II.4], of the result that is kept, which an embedded one of less order does
//! not tell: that is an error of another method. Errors of velocity count with what they lead astray by in a second, so that
//! the mean of errors over the steps is one of a motion that goes on. What is kept in bounds is the error by time: it adds up
//! to what was asked for after a second however long the steps are.
//!
//! Where the tableau's [interpolant](super::dense) is as good as its result, steps do not end where the simulation asks for the
//! state: it is read in between, and the step is also as short as the interpolant needs. Steps end there where the input acts,
//! since it may be another then.
//!
//! Memory of the state: the length tried next (s), and the steps that lead beyond the knot, so that a run goes on as if it had
//! not been interrupted.

use super::RungeKutta;
use super::options::Stabilisation;
use crate::diagnostics::{configuration_distance, velocity_distance};
use crate::integrators::{Settings, StepError, StepReport};
use crate::model::{BodyState, Input, Model, Row, State};
use crate::solver::assembly::Chart;

/// By how much the sum of the estimates overstates the error after a second: errors do not all point the same way. Where steps do
/// not end on the constraints, joints open by them. From the geometric mean over four mechanisms; on four others, the mean of
/// errors with it is 0.6 and 1.2 times what was asked for, where on those it is 0.7.
const OVERSTATED: [f64; 2] = [12.0, 5.0];
/// Time after which errors of velocity count (s).
const HORIZON: f64 = 1.0;
/// The step is that which would meet the error, times this.
const SAFETY: f64 = 0.9;
/// Least change from one step to the next.
const LEAST: f64 = 0.2;
/// Largest change.
const MOST: f64 = 5.0;
/// Shortest step, of that of the simulation: beyond, rounding is what errs.
const SHORTEST: f64 = 1e-7;
/// Longest, so that what changes with time is not leapt over where nothing moves.
const LONGEST: f64 = 8.0;
/// A step that would end so little beyond a knot ends there.
const NEAR: f64 = 1.2;

impl RungeKutta {
    /// Advances by `settings.dt` in steps that lead astray by no more than `error` (m) in a second.
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
        let knot = state.time + dt;
        // What is left after the last step is rounding of its sum.
        let shortest = SHORTEST * dt;
        let passes = !input.acts() && self.tableau.order <= self.interpolant_order() + 1;
        let (mut next, mut known) = self.recall(state, dt, passes);
        let (mut now, mut steps) = (state.time, 0);
        loop {
            for place in 0..known {
                let segment = &self.segments[place];
                let (begin, end) = (segment.time, segment.end());
                if end <= now {
                    continue;
                }
                self.add_part(place, (end.min(knot) - now) / dt);
                if end < knot - 0.5 * shortest {
                    now = end;
                    self.from.clone_from(&self.segments[place].to);
                    continue;
                }
                let rest = if end <= knot + 0.5 * shortest {
                    self.bodies.clone_from(&self.segments[place].to);
                    known..known
                } else {
                    let part = (knot - begin) / (end - begin);
                    self.read(place, part, model, state, settings, report)?;
                    place..known
                };
                self.remember(state, next, rest);
                self.reactions.swap(0, 1);
                self.coupling_forces.swap(0, 1);
                report.substeps = if steps > 1 { steps } else { 0 };
                return Ok(());
            }
            let rest = knot - now;
            let h = if next >= rest && (!passes || next <= NEAR * rest) {
                rest
            } else if passes {
                next.min(LONGEST * dt)
            } else {
                // Two equal ones are better than one and a rest.
                next.min(0.5 * rest)
            };
            let dense = h > rest;
            let tried = self.tried(model, state, (now, h, dense), input, settings, report);
            let [by_time, between] = tried.clone().unwrap_or([f64::INFINITY; 2]);
            let projects = self.stabilisation == Stabilisation::Projection;
            let estimate = by_time / OVERSTATED[usize::from(!projects)];
            // What is not a number is too large.
            let estimate = if estimate >= between {
                estimate
            } else {
                between
            };
            let power = 1.0 / f64::from(self.tableau.order);
            let factor = SAFETY * (error / estimate).powf(power);
            if estimate <= error {
                steps += 1;
                known = 2;
                // A step cut short by the knot says nothing against a longer one.
                let longer = h * factor.min(MOST);
                next = if h < next { next.max(longer) } else { longer };
                continue;
            }
            if h <= shortest {
                tried?;
                let singular = self.singular(model, state, (now, error), input, settings, report);
                return Err(singular.unwrap_or(StepError::Uncontrolled {
                    time: now,
                    h,
                    estimate,
                    error,
                }));
            }
            known = 0;
            // Where the estimate is not a number this is the least.
            next = (h * factor.max(LEAST)).max(shortest);
        }
    }

    /// The error that names the body whose Cardan angles run away where control has failed, if rotation vectors take the whole
    /// step as it was asked for.
    fn singular(
        &mut self,
        model: &Model,
        state: &State,
        (time, error): (f64, f64),
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Option<StepError> {
        if self.chart != Chart::Cardan {
            return None;
        }
        // Where nothing is singular, angles turn as fast as their body.
        let ahead = |body: &BodyState| {
            let [_, rates] = self.chart.read(body);
            rates.rotation.norm() - body.velocity.angular.norm()
        };
        let bodies = self.from.iter().enumerate();
        let (first, body) = bodies.max_by(|a, b| ahead(a.1).total_cmp(&ahead(b.1)))?;
        let [angles, _] = self.chart.read(body);
        let mut trial = state.clone();
        self.from.clone_from(&state.bodies);
        self.chart = Chart::RotationVector;
        let taken = self.controlled(model, &mut trial, error, input, settings, report);
        self.chart = Chart::Cardan;
        taken.ok().map(|()| StepError::SingularControl {
            time,
            body: model.bodies[first].name.clone(),
            angle: angles.rotation.y.to_degrees(),
            error,
        })
    }

    /// One step in two halves, which become segments, and what they err by (m) in a second and, where they are to be read, in
    /// between.
    fn tried(
        &mut self,
        model: &Model,
        state: &State,
        (time, h, dense): (f64, f64, bool),
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<[f64; 2], StepError> {
        // The whole step is only compared with.
        self.clear();
        self.advance(model, state, (time, h, 0.0), input, settings, report)?;
        self.keep(2, model, state, (time, h), input, dense);
        let mut between = 0.0;
        let half = 0.5 * h;
        for place in 0..2 {
            let time = time + if place == 0 { 0.0 } else { half };
            self.clear();
            let taken = self.advance(model, state, (time, half, 1.0), input, settings, report);
            if let Err(failure) = taken {
                self.from.clone_from(&self.segments[2].from);
                return Err(failure);
            }
            self.keep(place, model, state, (time, half), input, dense);
            self.from.clone_from(&self.bodies);
            if dense && place == 0 {
                self.read(2, 0.5, model, state, settings, report)?;
                // Halves have so much less of it.
                let gain = f64::from(self.interpolant_order() + 1).exp2();
                let middle = &self.segments[0].to;
                between = configuration_distance(model, &self.bodies, middle) / gain;
            }
        }
        self.from.clone_from(&self.segments[2].from);
        let [whole, halves] = [2, 1].map(|k| &self.segments[k].to);
        let apart = configuration_distance(model, whole, halves)
            + HORIZON * velocity_distance(model, whole, halves);
        let gain = f64::from(self.tableau.order).exp2() - 1.0;
        Ok([apart / gain * (HORIZON / h), between])
    }

    /// Order of what is read between the ends of a step.
    fn interpolant_order(&self) -> u32 {
        if self.tableau.dense.is_empty() { 3 } else { 4 }
    }

    /// Empties the forces of constraint of a step.
    fn clear(&mut self) {
        self.reactions[0].fill(Row::default());
        self.coupling_forces[0].fill(0.0);
    }

    /// Adds a part of the forces of constraint of a segment to those of the whole step.
    fn add_part(&mut self, place: usize, part: f64) {
        let segment = &self.segments[place];
        for (sum, row) in self.reactions[1].iter_mut().zip(&segment.reactions) {
            sum.force += row.force * part;
            sum.torque += row.torque * part;
        }
        let sums = self.coupling_forces[1].iter_mut();
        for (sum, force) in sums.zip(&segment.coupling_forces) {
            *sum += force * part;
        }
    }

    /// The length to try next and how many segments lead beyond the present, with these in their places.
    fn recall(&mut self, state: &State, dt: f64, passes: bool) -> (f64, usize) {
        let words = &state.memory.words;
        let next = words.first().map_or(f64::NAN, |w| f64::from_bits(*w));
        // A file may hold anything.
        let next = if next > SHORTEST * dt && next.is_finite() {
            next
        } else {
            dt
        };
        for segment in &mut self.segments {
            segment.from.clone_from(&state.bodies);
            segment.to.clone_from(&state.bodies);
        }
        let length = self.segments[0].numbers().count();
        let known = words.len().saturating_sub(2) / length;
        let fits = passes
            && (1..=2).contains(&known)
            && words.len() == 2 + known * length
            && words[1] == self.chart as u64;
        if !fits {
            return (next, 0);
        }
        for (segment, words) in self.segments.iter_mut().zip(words[2..].chunks(length)) {
            for (number, word) in segment.numbers().zip(words) {
                *number = f64::from_bits(*word);
            }
        }
        let (first, last) = (&self.segments[0], &self.segments[known - 1]);
        let holds = first.time <= state.time
            && self.segments[..known].iter().all(|s| s.h > 0.0)
            && last.end() > state.time
            && last.end() < state.time + 2.0 * LONGEST * dt.max(last.h);
        (next, if holds { known } else { 0 })
    }

    /// Writes the length to try next and the segments that lead on into the memory of a state.
    fn remember(&mut self, state: &mut State, next: f64, segments: std::ops::Range<usize>) {
        let words = &mut state.memory.words;
        words.clear();
        words.push(next.to_bits());
        if segments.is_empty() {
            return;
        }
        words.push(self.chart as u64);
        for segment in &mut self.segments[segments] {
            words.extend(segment.numbers().map(|x| x.to_bits()));
        }
    }
}
