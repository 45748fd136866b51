//! Accelerations and forces of constraint at given poses and velocities.
//!
//! | symbol | code | unit |
//! |---|---|---|
//! | `M v̇ = f + Gᵀ λ` | `accelerations`, `multipliers` | N, N·m |
//! | `G v̇ = -Ġ v - 2 a ġ - a² g` | `wanted` | m/s², rad/s² |
//! | `S = G M⁻¹ Gᵀ` | `schur` | 1/kg … |
//!
//! `a` is the rate of Baumgarte's stabilisation. With `-G v` or `-g` in the place of what is wanted, the same system
//! gives the least change of velocities or poses, weighted by mass, that meets the constraints. Redundant constraints
//! make `S` singular: each pivot is raised by a small part of its row and the solution refined with the exact matrix,
//! which needs no decision about rank.

use super::order;
use super::skyline::Skyline;
use crate::forces::{self, Wrench};
use crate::joints::{self, Placement};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyState, Input, Joint, JointId, Model, Row, Twist};
use crate::solver::{LoopConstraintKind, Scale, Topology, worse};
use crate::stopwatch::{Phase, Stopwatch};

/// Part of each diagonal entry of `S` that is added to it: small enough that two refinements leave rounding
/// only, large enough to hold the multipliers of redundant rows down when drift sets them against each other.
const REGULARISATION: f64 = 1e-8;
/// Refinements of the multipliers at most.
const REFINEMENTS: usize = 3;

/// Gradient of one constraint with respect to one body.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// Place of the row in the system.
    row: usize,
    body: usize,
    /// `G`, then `M⁻¹ Gᵀ`.
    gradient: Twist,
    weighted: Twist,
}

/// Poses, velocities and time at which accelerations are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Poses, one per body.
    pub bodies: &'a [BodyState],
    /// Velocities, one per body.
    pub twists: &'a [Twist],
    /// Unwrapped joint angles, as [`State::angles`](crate::model::State) keeps them (rad).
    pub angles: &'a [[f64; 2]],
    /// (s).
    pub time: f64,
}

/// What the constraints ask for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// Accelerations under which they stay met; what is open is pulled shut at a rate (1/s).
    Accelerations {
        /// Rate of Baumgarte's stabilisation.
        baumgarte: f64,
    },
    /// A change of velocities that meets their derivative (m/s, rad/s).
    Velocities,
    /// A change of poses that meets them, to first order (m, rad).
    Positions,
}

impl Goal {
    /// How much of what is open is asked for.
    fn pull(self) -> f64 {
        match self {
            Self::Accelerations { baumgarte } => baumgarte * baumgarte,
            Self::Velocities => 0.0,
            Self::Positions => 1.0,
        }
    }
}

/// Accelerations of a model with their workspace; sized once, never grown.
#[derive(Debug, Clone)]
pub struct Dynamics {
    /// Measures the phases of a step, once it is started.
    pub stopwatch: Stopwatch,
    /// Accelerations, one per body.
    pub accelerations: Vec<Twist>,
    /// Place of every constraint row of the model in the system.
    places: Vec<usize>,
    /// Forces of constraint, in the order of the system.
    multipliers: Vec<f64>,
    /// Directions of the constraints of joints.
    rows: Vec<Row>,
    /// Inverse inertia, body axes.
    inverse_inertia: Vec<Mat3>,
    /// Inverse inertia, world axes.
    mobility: Vec<Mat3>,
    wrenches: Vec<Wrench>,
    entries: Vec<Entry>,
    /// Entries of each body.
    touching: Vec<Vec<usize>>,
    schur: Skyline,
    factor: Skyline,
    wanted: Vec<f64>,
    residual: Vec<f64>,
    /// What makes each row an acceleration of a length: angles count at the length of their joint.
    weights: Vec<f64>,
    /// What makes each row relative: to the length of its joint, or in radians.
    over_sizes: Vec<f64>,
    /// What joint errors are compared with.
    scale: Scale,
}

impl Dynamics {
    /// Workspace for a model.
    pub fn new(model: &Model) -> Self {
        let places = order::places(model);
        let mut entries = Vec::new();
        let mut push = |row: usize, joint: &Joint| {
            for body in joint.parent.into_iter().chain([joint.child]) {
                entries.push(Entry {
                    row: places[row],
                    body: body.0,
                    ..Entry::default()
                });
            }
        };
        for (k, joint) in model.joints.iter().enumerate() {
            let rows = model.joint_rows(JointId(k));
            rows.for_each(|row| push(row, joint));
        }
        for (k, coupling) in model.couplings.iter().enumerate() {
            for term in &coupling.terms {
                push(model.coupling_row(k), &model.joints[term.joint.0]);
            }
        }
        let mut touching = vec![Vec::new(); model.bodies.len()];
        let mut first: Vec<usize> = (0..model.equations()).collect();
        for (k, entry) in entries.iter().enumerate() {
            touching[entry.body].push(k);
        }
        for list in &touching {
            let lowest = list.iter().map(|&k| entries[k].row).min().unwrap_or(0);
            for &k in list {
                let row = entries[k].row;
                first[row] = first[row].min(lowest);
            }
        }
        let bodies = model.bodies.len();
        let scale = Scale::new(model, &Topology::new(model));
        let mut weights = vec![1.0; model.equations()];
        let mut over_sizes = vec![1.0; model.equations()];
        for k in 0..model.joints.len() {
            for (r, row) in model.joint_rows(JointId(k)).enumerate() {
                let weight = scale.row(model, LoopConstraintKind::Joint(k), r);
                weights[places[row]] = weight;
                over_sizes[places[row]] = weight / scale.joint(k);
            }
        }
        for k in 0..model.couplings.len() {
            let (kind, place) = (
                LoopConstraintKind::Coupling(k),
                places[model.coupling_row(k)],
            );
            weights[place] = scale.row(model, kind, 0);
            over_sizes[place] = weights[place] / scale.size(kind);
        }
        let schur = Skyline::new(first);
        Self {
            stopwatch: Stopwatch::default(),
            accelerations: vec![Twist::default(); bodies],
            places,
            multipliers: vec![0.0; model.equations()],
            rows: vec![Row::default(); model.equations() - model.couplings.len()],
            inverse_inertia: model
                .bodies
                .iter()
                .map(|b| {
                    b.inertia
                        .try_inverse()
                        .expect("the model was checked: inertias are positive definite")
                })
                .collect(),
            mobility: vec![Mat3::zeros(); bodies],
            wrenches: vec![Wrench::default(); bodies],
            entries,
            touching,
            factor: schur.clone(),
            schur,
            wanted: vec![0.0; model.equations()],
            residual: vec![0.0; model.equations()],
            weights,
            over_sizes,
            scale,
        }
    }

    /// Lengths that errors are relative to.
    pub fn scale(&self) -> &Scale {
        &self.scale
    }

    /// Place of a constraint row of the model in the system.
    pub fn place(&self, row: usize) -> usize {
        self.places[row]
    }

    /// The system of the constraint rows.
    pub fn system(&self) -> &Skyline {
        &self.schur
    }

    /// Computes the accelerations and the forces of constraint; the result is the largest constraint acceleration
    /// that is not met, relative to the largest that is wanted or that gravity gives.
    pub fn solve(&mut self, model: &Model, at: &Moment, input: &Input, baumgarte: f64) -> f64 {
        let before = self.stopwatch.enter(Phase::Evaluate);
        self.wrenches.fill(Wrench::default());
        forces::all_wrenches(
            model,
            at.bodies,
            at.twists,
            at.angles,
            at.time,
            input,
            &mut self.wrenches,
        );
        self.turn_inertias(at);
        self.unconstrained(model, at);
        self.rows(model, at, Goal::Accelerations { baumgarte });
        let left = self.meet(model.gravity.norm());
        self.stopwatch.enter(before);
        left
    }

    /// How much is missing of a goal: of poses how far joints and couplings are open, relative to their length or in
    /// radians, of velocities how fast they open (1/s).
    pub fn missing(&mut self, model: &Model, at: &Moment, goal: Goal) -> f64 {
        let before = self.stopwatch.enter(Phase::Evaluate);
        self.turn_inertias(at);
        self.accelerations.fill(Twist::default());
        self.rows(model, at, goal);
        self.stopwatch.enter(before);
        let rows = self.wanted.iter().zip(&self.over_sizes);
        rows.fold(0.0, |most, (wanted, over)| {
            worse(most, (wanted * over).abs())
        })
    }

    /// Computes the least change, weighted by mass, that brings what was last found [missing](Self::missing), in the
    /// place of the accelerations.
    pub fn correct(&mut self) {
        let before = self.stopwatch.enter(Phase::Assemble);
        self.meet(0.0);
        self.stopwatch.enter(before);
    }

    /// Adds to the accelerations what the constraints want of them; the result is what they do not get, relative to the
    /// largest that is wanted, or to `least`.
    fn meet(&mut self, least: f64) -> f64 {
        if self.wanted.is_empty() {
            return 0.0;
        }
        self.stopwatch.enter(Phase::Assemble);
        self.assemble();
        self.stopwatch.enter(Phase::Factor);
        self.multipliers.fill(0.0);
        self.residual.copy_from_slice(&self.wanted);
        self.factor.factor(&self.schur, REGULARISATION);
        self.stopwatch.enter(Phase::Solve);
        let sizes = self.wanted.iter().zip(&self.weights);
        let handled = sizes.fold(least, |most, (wanted, weight)| {
            worse(most, (wanted * weight).abs())
        });
        let mut left = f64::INFINITY;
        for _ in 0..=REFINEMENTS {
            // `residual` holds what is still wanted; it becomes the correction, then again what is wanted.
            self.factor.solve(&mut self.residual);
            for (lambda, change) in self.multipliers.iter_mut().zip(&self.residual) {
                *lambda += change;
            }
            self.schur.multiply(&self.multipliers, &mut self.residual);
            let mut worst: f64 = 0.0;
            let rows = self.residual.iter_mut().zip(&self.wanted);
            for ((residual, wanted), weight) in rows.zip(&self.weights) {
                *residual = wanted - *residual;
                worst = worse(worst, (*residual * weight).abs());
            }
            // What does not shrink lies where redundant rows contradict each other: more sweeps only add to it.
            let stuck = worst > 0.1 * left;
            left = worst;
            if stuck {
                break;
            }
        }
        for entry in &self.entries {
            let lambda = self.multipliers[entry.row];
            let a = &mut self.accelerations[entry.body];
            a.linear += entry.weighted.linear * lambda;
            a.angular += entry.weighted.angular * lambda;
        }
        if left == 0.0 { 0.0 } else { left / handled }
    }

    /// Adds `weight` times the forces of constraint last computed: the reaction of every joint on its child at
    /// the child's anchor, and the multiplier of every coupling.
    pub fn add_reactions(
        &self,
        model: &Model,
        weight: f64,
        reactions: &mut [Row],
        couplings: &mut [f64],
    ) {
        let force = |row: usize| weight * self.multipliers[self.places[row]];
        for (k, sum) in reactions.iter_mut().enumerate() {
            for row in model.joint_rows(JointId(k)) {
                sum.force += self.rows[row].force * force(row);
                sum.torque += self.rows[row].torque * force(row);
            }
        }
        for (k, sum) in couplings.iter_mut().enumerate() {
            *sum += force(model.coupling_row(k));
        }
    }

    /// Turns the inverse inertias to world axes.
    fn turn_inertias(&mut self, at: &Moment) {
        for (k, body) in at.bodies.iter().enumerate() {
            let matrix = body.orientation.to_rotation_matrix();
            self.mobility[k] = matrix * self.inverse_inertia[k] * matrix.inverse();
        }
    }

    /// Accelerations without forces of constraint: Newton, and Euler in world axes.
    fn unconstrained(&mut self, model: &Model, at: &Moment) {
        for (k, body) in model.bodies.iter().enumerate() {
            let turn = at.bodies[k].orientation;
            let omega = at.twists[k].angular;
            let spin = turn * (body.inertia * turn.inverse_transform_vector(&omega));
            let wrench = &self.wrenches[k];
            self.accelerations[k] = Twist {
                linear: wrench.force / body.mass,
                angular: self.mobility[k] * (wrench.torque - omega.cross(&spin)),
            };
        }
    }

    /// Gradients of all constraints, and what each still wants.
    fn rows(&mut self, model: &Model, now: &Moment, goal: Goal) {
        let mut sink = Sink {
            entries: self.entries.iter_mut(),
            wanted: &mut self.wanted,
            twists: now.twists,
            goal,
        };
        sink.wanted.fill(0.0);
        let mut row = 0;
        for joint in &model.joints {
            if joint.kind.constraints() == 0 {
                continue;
            }
            let at = Placement::of(joint, now.bodies);
            let [parent, child] = sink.ends(joint);
            let mut g = [0.0; 6];
            joints::constraint(joint.kind, &at, &mut g);
            let gradients = joints::constraint_rows(joint.kind, &at);
            let biases = joints::constraint_bias(joint.kind, &at, &parent, &child);
            for ((gradient, bias), value) in gradients.zip(biases).zip(g) {
                let place = self.places[row];
                sink.add(joint, &at, &gradient, 1.0, place, bias);
                sink.wanted[place] -= goal.pull() * value;
                self.rows[row] = gradient;
                row += 1;
            }
        }
        for coupling in &model.couplings {
            let place = self.places[row];
            for term in &coupling.terms {
                let joint = &model.joints[term.joint.0];
                let at = Placement::of(joint, now.bodies);
                let [parent, child] = sink.ends(joint);
                let k = term.coordinate;
                let q = joints::coordinates(joint.kind, &at, now.angles[term.joint.0])[k];
                let gradient = joints::coordinate_row(joint.kind, &at, k);
                let bias = joints::coordinate_bias(joint.kind, &at, k, &parent, &child);
                sink.add(joint, &at, &gradient, term.factor, place, bias);
                sink.wanted[place] -= goal.pull() * term.factor * q;
            }
            sink.wanted[place] += goal.pull() * coupling.offset;
            row += 1;
        }
        for entry in &mut self.entries {
            let mass = model.bodies[entry.body].mass;
            entry.weighted = Twist {
                linear: entry.gradient.linear / mass,
                angular: self.mobility[entry.body] * entry.gradient.angular,
            };
            let free = &self.accelerations[entry.body];
            self.wanted[entry.row] -= dot(&entry.gradient, free);
        }
    }

    fn assemble(&mut self) {
        self.schur.clear();
        for list in &self.touching {
            for &i in list {
                for &j in list {
                    let (left, right) = (&self.entries[i], &self.entries[j]);
                    if right.row <= left.row {
                        *self.schur.entry(left.row, right.row) +=
                            dot(&left.gradient, &right.weighted);
                    }
                }
            }
        }
    }
}

fn dot(a: &Twist, b: &Twist) -> f64 {
    a.linear.dot(&b.linear) + a.angular.dot(&b.angular)
}

/// Takes rows in the order in which their entries were laid out.
struct Sink<'a> {
    entries: std::slice::IterMut<'a, Entry>,
    wanted: &'a mut [f64],
    twists: &'a [Twist],
    goal: Goal,
}

impl Sink<'_> {
    /// Velocities of the two bodies of a joint.
    fn ends(&self, joint: &Joint) -> [Twist; 2] {
        let of = |b: usize| self.twists[b];
        [
            joint.parent.map_or_else(Twist::default, |p| of(p.0)),
            of(joint.child.0),
        ]
    }

    /// Adds `factor` times a row of a joint: its gradients, and what its velocity asks for.
    fn add(
        &mut self,
        joint: &Joint,
        at: &Placement,
        gradient: &Row,
        factor: f64,
        row: usize,
        bias: f64,
    ) {
        let force = gradient.force * factor;
        let torque = gradient.torque * factor;
        let parts: [(Option<usize>, f64, Vec3); 2] = [
            (joint.parent.map(|p| p.0), -1.0, at.reach()),
            (Some(joint.child.0), 1.0, at.child_arm),
        ];
        let mut rate = 0.0;
        for (body, sign, arm) in parts {
            let Some(body) = body else { continue };
            let part = Twist {
                linear: force * sign,
                angular: (arm.cross(&force) + torque) * sign,
            };
            rate += dot(&part, &self.twists[body]);
            self.entries
                .next()
                .expect("one entry was laid out for every body of every row")
                .gradient = part;
        }
        self.wanted[row] -= match self.goal {
            Goal::Accelerations { baumgarte } => factor * bias + 2.0 * baumgarte * rate,
            Goal::Velocities => rate,
            Goal::Positions => 0.0,
        };
    }
}
