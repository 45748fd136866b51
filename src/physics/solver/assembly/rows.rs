//! Constraint rows of all joints and couplings at one moment, with first and second derivatives.

use super::Moment;
use crate::joints::{self, PairSlope, Placement};
use crate::math::{Mat6, Vec6};
use crate::model::{Joint, JointId, Model, Row, Twist};

/// Gradient of one constraint row with respect to one body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gradient {
    /// Row of the model.
    pub row: usize,
    /// Body of the model.
    pub body: usize,
    /// `G`, world increments: linear, then angular part.
    pub value: Vec6,
    /// `∂(G V)/∂z` at steady world velocities, where it was asked for.
    pub(super) of_rate: Vec6,
}

/// See the [module](self).
#[derive(Debug, Clone)]
pub struct Rows {
    /// Where every joint is.
    pub placements: Vec<Placement>,
    pub gradients: Vec<Gradient>,
    pub values: Vec<f64>,
    pub rates: Vec<f64>,
    pub biases: Vec<f64>,
    /// What the accelerations of rows should be.
    pub wanted: Vec<f64>,
}

/// Bodies of a joint, the parent first.
fn bodies(joint: &Joint) -> impl Iterator<Item = (usize, usize)> {
    let parent = joint.parent.map(|p| (0, p.0));
    parent.into_iter().chain([(1, joint.child.0)])
}

/// Velocities of a joint's parent and child.
fn ends(joint: &Joint, twists: &[Twist]) -> [Twist; 2] {
    let parent = joint.parent.map_or_else(Twist::default, |p| twists[p.0]);
    [parent, twists[joint.child.0]]
}

/// Joints in the order of their rows, then the terms of couplings: `visit(index, joint, first row, part)`.
fn each<'m>(model: &'m Model, mut visit: impl FnMut(usize, &'m Joint, usize, Part)) {
    for (k, joint) in model.joints.iter().enumerate() {
        if joint.kind.constraints() > 0 {
            visit(k, joint, model.joint_rows(JointId(k)).start, Part::Held);
        }
    }
    for (k, coupling) in model.couplings.iter().enumerate() {
        for term in &coupling.terms {
            let part = Part::Term {
                coordinate: term.coordinate,
                factor: term.factor,
            };
            let joint = term.joint.0;
            visit(joint, &model.joints[joint], model.coupling_row(k), part);
        }
    }
}

/// What a joint gives to the rows.
#[derive(Clone, Copy)]
enum Part {
    /// All that it holds.
    Held,
    /// One coordinate to a coupling.
    Term { coordinate: usize, factor: f64 },
}

impl Rows {
    pub fn new(model: &Model) -> Self {
        let mut gradients = Vec::new();
        each(model, |_, joint, first, part| {
            let rows = match part {
                Part::Held => joint.kind.constraints(),
                Part::Term { .. } => 1,
            };
            for row in first..first + rows {
                gradients.extend(bodies(joint).map(|(_, body)| Gradient {
                    row,
                    body,
                    ..Gradient::default()
                }));
            }
        });
        let none = vec![0.0; model.equations()];
        Self {
            placements: Vec::with_capacity(model.joints.len()),
            gradients,
            values: none.clone(),
            rates: none.clone(),
            biases: none.clone(),
            wanted: none,
        }
    }

    /// Takes placements, values and gradients.
    pub fn evaluate(&mut self, model: &Model, now: &Moment) {
        let Self {
            placements,
            gradients,
            values,
            ..
        } = self;
        placements.clear();
        placements.extend(model.joints.iter().map(|j| Placement::of(j, now.bodies)));
        values.fill(0.0);
        for (k, coupling) in model.couplings.iter().enumerate() {
            values[model.coupling_row(k)] = -coupling.offset;
        }
        let mut entries = gradients.iter_mut();
        let mut put = |joint: &Joint, row: &Row, at: &Placement, factor: f64| {
            for (side, _) in bodies(joint) {
                // Laid out for every body of every row.
                if let Some(entry) = entries.next() {
                    entry.value = Vec6::from(joints::row_on(row, at, side == 1)) * factor;
                }
            }
        };
        each(model, |index, joint, first, part| {
            let at = &placements[index];
            match part {
                Part::Held => {
                    let held = joint.kind.constraints();
                    joints::constraint(joint.kind, at, &mut values[first..first + held]);
                    for row in joints::constraint_rows(joint.kind, at) {
                        put(joint, &row, at, 1.0);
                    }
                }
                Part::Term {
                    coordinate: k,
                    factor,
                } => {
                    let q = joints::coordinates(joint.kind, at, now.angles[index])[k];
                    values[first] += factor * q;
                    put(
                        joint,
                        &joints::coordinate_row(joint.kind, at, k),
                        at,
                        factor,
                    );
                }
            }
        });
    }

    /// Takes the rates and biases of what was evaluated at these velocities.
    pub fn evaluate_rates(&mut self, model: &Model, twists: &[Twist]) {
        let Self {
            placements,
            gradients,
            rates,
            biases,
            ..
        } = self;
        rates.fill(0.0);
        biases.fill(0.0);
        each(model, |index, joint, first, part| {
            let at = &placements[index];
            let [parent, child] = ends(joint, twists);
            match part {
                Part::Held => {
                    let found = joints::constraint_bias(joint.kind, at, &parent, &child);
                    for (bias, found) in biases[first..].iter_mut().zip(found) {
                        *bias = found;
                    }
                }
                Part::Term {
                    coordinate: k,
                    factor,
                } => {
                    let bias = joints::coordinate_bias(joint.kind, at, k, &parent, &child);
                    biases[first] += factor * bias;
                }
            }
        });
        for g in gradients {
            let t = &twists[g.body];
            rates[g.row] += g.value.fixed_rows::<3>(0).dot(&t.linear)
                + g.value.fixed_rows::<3>(3).dot(&t.angular);
        }
    }

    /// `-Ġ V - 2 a G V - a² g`.
    pub fn want(&mut self, a: f64) {
        let parts = self.values.iter().zip(&self.rates).zip(&self.biases);
        for (wanted, ((value, rate), bias)) in self.wanted.iter_mut().zip(parts) {
            *wanted = -bias - 2.0 * a * rate - a * a * value;
        }
    }

    /// Takes `∂(G V)/∂z` at steady world velocities, where it was evaluated.
    pub fn differentiate_rates(&mut self, model: &Model, twists: &[Twist]) {
        let mut entries = self.gradients.iter_mut();
        let placements = &self.placements;
        let mut put = |joint: &Joint, slope: &PairSlope| {
            let [parent, child] = ends(joint, twists);
            let pair = slope.gradient_of_rate(&parent, &child);
            for (side, _) in bodies(joint) {
                if let Some(entry) = entries.next() {
                    entry.of_rate = pair[side];
                }
            }
        };
        each(model, |index, joint, _, part| {
            let at = &placements[index];
            match part {
                Part::Held => {
                    let held = joint.kind.constraints();
                    for k in 0..held {
                        let mut unit = [0.0; 6];
                        unit[k] = 1.0;
                        let slope = joints::constraint_curvature(joint.kind, at, &unit[..held]);
                        put(joint, &slope);
                    }
                }
                Part::Term { coordinate, factor } => {
                    let slope = joints::coordinate_curvature(joint.kind, at, coordinate, factor);
                    put(joint, &slope);
                }
            }
        });
    }

    /// `∂(Gᵀ λ)/∂z` for world increments where it was evaluated, by blocks: `sink((feels, moves), block)`.
    pub fn curvature(
        &self,
        model: &Model,
        multipliers: &[f64],
        mut sink: impl FnMut((usize, usize), &Mat6),
    ) {
        each(model, |index, joint, first, part| {
            let at = &self.placements[index];
            let slope = match part {
                Part::Held => {
                    let lambda = &multipliers[first..first + joint.kind.constraints()];
                    joints::constraint_curvature(joint.kind, at, lambda)
                }
                Part::Term {
                    coordinate: k,
                    factor,
                } => joints::coordinate_curvature(joint.kind, at, k, factor * multipliers[first]),
            };
            for (i, feels) in bodies(joint) {
                for (j, moves) in bodies(joint) {
                    sink((feels, moves), &slope.0[i][j]);
                }
            }
        });
    }
}
