//! What a step is in between: an interpolant, so that a step whose length is chosen by its error need not end where the
//! simulation asks for the state.
//!
//! With `s` the part of the step that has passed, `Δ` the change of the coordinates in it and `k₀`, `k₁` their slopes at its
//! ends, it is Hermite's cubic [Hairer, Nørsett, Wanner, Solving ODEs I, sect. II.6]
//! ```text
//!   y(s) = y₀ + s (Δ + (1-s) (b + s (Δ - h k₁ - b + (1-s) d)))      b = h k₀ - Δ      d = h Σ dᵢ kᵢ
//! ```
//! where `d` makes it one of order 4 for the tableau that has its weights. Coordinates are those of the chart, from the start of
//! the step: what is in between is a rotation wherever the ends are.

use super::{Pair, RungeKutta};
use crate::integrators::{Settings, StepError, StepReport};
use crate::model::{BodyState, Input, Model, Row, State};
use crate::solver::assembly::Coordinates;

/// A step that was taken, to be read anywhere in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Segment {
    /// Its start (s).
    pub time: f64,
    /// Its length (s).
    pub h: f64,
    /// Bodies at its start and at its end.
    pub from: Vec<BodyState>,
    pub to: Vec<BodyState>,
    /// By body: coordinates at the start, then `Δ`, `b`, `Δ - h k₁ - b` and `d`.
    path: Vec<[Pair; 5]>,
    /// Means of the reactions of joints and of the multipliers of couplings.
    pub reactions: Vec<Row>,
    pub coupling_forces: Vec<f64>,
}

impl Segment {
    pub fn new(model: &Model) -> Self {
        let bodies = model.bodies.len();
        Self {
            from: Vec::with_capacity(bodies),
            to: Vec::with_capacity(bodies),
            path: vec![Default::default(); bodies],
            reactions: vec![Row::default(); model.joints.len()],
            coupling_forces: vec![0.0; model.couplings.len()],
            ..Self::default()
        }
    }

    /// Its end (s).
    pub fn end(&self) -> f64 {
        self.time + self.h
    }

    /// Coordinates and velocities of a body after a part of the step.
    fn at(&self, body: usize, s: f64) -> Pair {
        let [mut pair, change, b, third, d] = self.path[body];
        let r = 1.0 - s;
        for (k, of) in pair.iter_mut().enumerate() {
            of.add(&change[k], s);
            of.add(&b[k], s * r);
            of.add(&third[k], s * s * r);
            of.add(&d[k], s * s * r * r);
        }
        pair
    }

    /// All its numbers in a fixed order, to be written or overwritten.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut f64> {
        let bodies = self.from.iter_mut().chain(&mut self.to);
        let bodies = bodies.flat_map(|b| {
            let linear = b.velocity.linear.as_mut_slice().iter_mut();
            let pose = b.position.as_mut_slice().iter_mut();
            let turn = b.orientation.as_mut_unchecked().coords.as_mut_slice();
            let angular = b.velocity.angular.as_mut_slice();
            pose.chain(turn).chain(linear).chain(angular)
        });
        let path = self.path.iter_mut().flatten().flatten().flat_map(|c| {
            let position = c.position.as_mut_slice().iter_mut();
            position.chain(c.rotation.as_mut_slice())
        });
        let rows = self.reactions.iter_mut().flat_map(|r| {
            let force = r.force.as_mut_slice().iter_mut();
            force.chain(r.torque.as_mut_slice())
        });
        [&mut self.time, &mut self.h]
            .into_iter()
            .chain(bodies)
            .chain(path)
            .chain(rows)
            .chain(&mut self.coupling_forces)
    }
}

impl RungeKutta {
    /// Keeps the step of this length (s) just taken from a time as a segment. `dense` tells whether it is to be read in
    /// between, which takes accelerations at its end.
    pub(super) fn keep(
        &mut self,
        place: usize,
        model: &Model,
        state: &State,
        (time, h): (f64, f64),
        input: &Input,
        dense: bool,
    ) {
        let segment = &mut self.segments[place];
        (segment.time, segment.h) = (time, h);
        segment.from.clone_from(&self.from);
        segment.to.clone_from(&self.bodies);
        segment.reactions.copy_from_slice(&self.reactions[0]);
        segment
            .coupling_forces
            .copy_from_slice(&self.coupling_forces[0]);
        if !dense {
            return;
        }
        // What a projection has moved is of the order of the error; the interpolant leads to where the tableau does.
        self.combine(self.tableau.b, h, false);
        let last = self.tableau.b.len();
        self.evaluate(last, model, state, (time + h, 0.0), input);
        for (k, path) in self.segments[place].path.iter_mut().enumerate() {
            let start = self.start[k];
            let mut all = [Pair::default(); 5];
            all[0] = start;
            for i in 0..2 {
                let end = self.at[k][i];
                let mut change = end;
                change.add(&start[i], -1.0);
                let mut b = Coordinates::default();
                b.add(&self.slopes[0][k][i], h);
                b.add(&change, -1.0);
                let mut third = change;
                third.add(&self.slopes[last][k][i], -h);
                third.add(&b, -1.0);
                (all[1][i], all[2][i], all[3][i]) = (change, b, third);
                for (weight, slopes) in self.tableau.dense.iter().zip(&self.slopes) {
                    all[4][i].add(&slopes[k][i], h * weight);
                }
            }
            *path = all;
        }
        self.bodies.clone_from(&self.segments[place].to);
    }

    /// Puts the workspace where a segment leads in a part of it, on the constraints where steps end on them.
    pub(super) fn read(
        &mut self,
        place: usize,
        part: f64,
        model: &Model,
        state: &State,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let segment = &self.segments[place];
        let time = segment.time + part * segment.h;
        self.bodies.clone_from(&segment.from);
        for (k, from) in segment.from.iter().enumerate() {
            let [q, w] = segment.at(k, part);
            let placed = self.chart.place(from, &q, &w);
            self.bodies[k].position = placed.position;
            self.bodies[k].orientation = placed.orientation;
            self.twists[k] = placed.twist;
        }
        self.finish(model, state, time, settings, report)
    }
}
