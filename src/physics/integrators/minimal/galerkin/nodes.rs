//! The equation of one interval at its nodes, and its root.
//!
//! The increment `ξ` of the coordinates is a polynomial in time with the rates `X_i` at the nodes. With the momenta `P` of the
//! bodies and `p` of the joint coordinates, the discrete action `Σ b_i h L(q₀ ⊕ ξ_i, T(ξ_i) X_i)` and forces `f`:
//! ```text
//!   ξ_i = h Σ a_ij X_j,   π_i = T_iᵀ J_iᵀ P_i,   g_i = J̇_iᵀ P_i + J_iᵀ f_i,   F_i = Ṫ_iᵀ J_iᵀ P_i + T_iᵀ g_i
//!   p₁ = p₀ + h Σ b_j g_j
//!   r_i = T(ξ₁)ᵀ p₁ - h Σ b_j a_ji/b_i F_j - π_i = 0
//! ```
//! The second line is the variation by a motion of the whole curve, which moves its chart too: momenta that the mechanism
//! keeps are kept exactly. The third is that with the first knot fixed. `X_i ← X_i + M⁻¹ r_i` with the mass matrix of the first
//! knot is RIQN at every node: linear time, and no system couples the nodes.

use super::scheme::Scheme;
use crate::forces::{self, Wrench};
use crate::integrators::minimal::displacement::Displacement;
use crate::kinematics::{ArticulatedBodies, Tree, TreeMotion};
use crate::model::{BodyState, Input, Model, Row, State, Twist};
use crate::solver::{WORLD, worse};

/// Part of a body's momentum that is handled in a step whatever acts, and part of its length that a body at rest without
/// forces is taken to move.
const MOMENTUM: f64 = 1e-2;
const STILL: f64 = 1e-6;

/// One node.
#[derive(Debug, Clone, Default)]
struct Node {
    /// Rates of the increment.
    rates: Vec<f64>,
    /// The increment.
    increment: Vec<f64>,
    /// Its momentum and the rate of that.
    momentum: Vec<f64>,
    force: Vec<f64>,
    /// Momenta and forces by link.
    carried: Vec<Wrench>,
    acting: Vec<Wrench>,
}

/// The interval that is being solved.
#[derive(Debug, Clone, Copy)]
pub struct Span<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub input: &'a Input,
    /// Length (s).
    pub dt: f64,
}

/// All nodes with their workspace; sized once.
pub struct Nodes {
    pub tree: Tree,
    scheme: &'static Scheme,
    pub motion: TreeMotion,
    knot: TreeMotion,
    factors: ArticulatedBodies,
    displacement: Displacement,
    nodes: Vec<Node>,
    q: [Vec<f64>; 2],
    /// Momenta at both knots, and what the first moves with.
    momentum: Vec<f64>,
    arrival: Vec<f64>,
    velocity: Vec<f64>,
    first: Vec<Wrench>,
    none: Vec<f64>,
    step: Vec<f64>,
    total: Vec<f64>,
    pub bodies: Vec<BodyState>,
    twists: Vec<Twist>,
    forces: Vec<Wrench>,
    wrenches: Vec<Wrench>,
    spread: Vec<[f64; 2]>,
    /// Impulses that bodies handle (N·s), by link.
    handled: Vec<f64>,
}

/// What is unbalanced.
#[derive(Debug, Clone, Copy, Default)]
pub struct Left {
    /// Largest unbalanced impulse relative to what its body handles, and its link.
    pub relative: f64,
    pub link: usize,
    /// Whether it is all rounding.
    pub rounding: bool,
}

impl Nodes {
    /// Room for a model.
    pub fn new(model: &Model, scheme: &'static Scheme) -> Self {
        let tree = Tree::new(model);
        let (n, links) = (tree.freedoms(), tree.links().len());
        let zeros = || vec![0.0; n];
        let wrenches = || vec![Wrench::default(); links];
        let node = Node {
            rates: zeros(),
            increment: zeros(),
            momentum: zeros(),
            force: zeros(),
            carried: wrenches(),
            acting: wrenches(),
        };
        Self {
            scheme,
            motion: TreeMotion::new(&tree),
            knot: TreeMotion::new(&tree),
            factors: ArticulatedBodies::new(&tree),
            displacement: Displacement::new(&tree),
            nodes: vec![node; scheme.nodes()],
            q: [0, 1].map(|_| vec![0.0; tree.coordinates()]),
            momentum: zeros(),
            arrival: zeros(),
            velocity: zeros(),
            first: wrenches(),
            none: zeros(),
            step: zeros(),
            total: zeros(),
            bodies: Vec::with_capacity(links),
            twists: vec![Twist::default(); links],
            forces: wrenches(),
            wrenches: wrenches(),
            spread: vec![[0.0; 2]; links],
            handled: vec![0.0; links],
            tree,
        }
    }

    /// Takes the first knot: its momenta, its mass matrix, and its velocities as the guess.
    pub fn begin(&mut self, span: &Span) {
        let Span {
            model, state, dt, ..
        } = *span;
        self.bodies.clone_from(&state.bodies);
        self.tree.read(&state.bodies, &state.angles, &mut self.q[0]);
        self.knot.place(&self.tree, &self.q[0]);
        for (i, link) in self.tree.links().iter().enumerate() {
            let body = &state.bodies[link.body];
            self.wrenches[i] = Wrench {
                force: body.momentum,
                torque: body.angular_momentum,
            };
        }
        self.knot
            .pull(&self.tree, &self.wrenches, &mut self.momentum);
        self.factors
            .factor_mass(&self.tree, model, &self.knot, &self.none);
        self.velocity.copy_from_slice(&self.momentum);
        self.factors.solve(&self.tree, &mut self.velocity);
        for (i, link) in self.tree.links().iter().enumerate() {
            let twist = &self.factors.motions()[i];
            self.first[i] = momentum(model, link.body, &self.knot, i, twist);
            let body = &model.bodies[link.body];
            let carried =
                self.first[i].force.norm() + self.first[i].torque.norm() / body.gyration();
            let fall = model.gravity.norm() * dt.abs();
            let still = STILL * body.gyration() / dt.abs();
            self.handled[i] = (fall + still) * body.mass + MOMENTUM * carried;
        }
        for node in &mut self.nodes {
            node.rates.copy_from_slice(&self.velocity);
        }
    }

    /// Moves to a node; false where it turns further than its chart reaches.
    fn go(&mut self, span: &Span, i: usize) -> bool {
        let node = &mut self.nodes[i];
        if self.tree.widest_turn(&node.increment) > std::f64::consts::PI {
            return false;
        }
        let [from, at] = &mut self.q;
        at.copy_from_slice(from);
        self.tree.retract(at, &node.increment);
        self.step.copy_from_slice(&node.rates);
        self.tree.tangent(&node.increment, &mut self.step);
        self.motion.place(&self.tree, &self.q[1]);
        self.motion.drive(&self.tree, &self.step);
        self.motion.write(&self.tree, &mut self.bodies);
        for (twist, body) in self.twists.iter_mut().zip(&self.bodies) {
            *twist = body.velocity;
        }
        self.forces.fill(Wrench::default());
        forces::all_wrenches(
            span.model,
            &self.bodies,
            &self.twists,
            &span.state.angles,
            span.state.time + self.scheme.c[i] * span.dt,
            span.input,
            &mut self.forces,
        );
        for (k, link) in self.tree.links().iter().enumerate() {
            let twist = self.motion.twist(k);
            node.carried[k] = momentum(span.model, link.body, &self.motion, k, twist);
            node.acting[k] = self.forces[link.body];
        }
        true
    }

    /// Evaluates all nodes at their rates and leaves what is unbalanced in their increments' room; false where one turns too
    /// far.
    fn evaluate(&mut self, span: &Span) -> bool {
        for i in 0..self.nodes.len() {
            self.total.fill(0.0);
            for (j, from) in self.nodes.iter().enumerate() {
                add(&mut self.total, &from.rates, span.dt * self.scheme.a[i][j]);
            }
            self.nodes[i].increment.copy_from_slice(&self.total);
        }
        self.arrival.copy_from_slice(&self.momentum);
        for i in 0..self.nodes.len() {
            if !self.go(span, i) {
                return false;
            }
            let node = &mut self.nodes[i];
            self.motion.pull_rates(
                &self.tree,
                [&node.carried, &node.acting],
                [&mut node.momentum, &mut node.force],
            );
            add(&mut self.arrival, &node.force, span.dt * self.scheme.b[i]);
            self.tree.cotangent(&node.increment, &mut node.momentum);
            self.tree.cotangent(&node.increment, &mut node.force);
            self.tree.add_cotangent_rate(
                &node.increment,
                &node.rates,
                &node.momentum,
                &mut node.force,
            );
        }
        true
    }

    /// The increment of the whole interval, left in `step`.
    fn whole(&mut self, dt: f64) {
        self.step.fill(0.0);
        for (node, b) in self.nodes.iter().zip(self.scheme.b) {
            add(&mut self.step, &node.rates, dt * b);
        }
    }

    /// Evaluates all nodes and takes a step of their rates; what was unbalanced before it.
    pub fn iterate(&mut self, span: &Span) -> Option<Left> {
        if !self.evaluate(span) {
            return None;
        }
        let mut left = Left {
            rounding: true,
            ..Left::default()
        };
        self.whole(span.dt);
        self.total.copy_from_slice(&self.arrival);
        self.tree.cotangent(&self.step, &mut self.total);
        for i in 0..self.nodes.len() {
            self.step.copy_from_slice(&self.total);
            for (j, from) in self.nodes.iter().enumerate() {
                let part = -span.dt * self.scheme.dual(i, j);
                add(&mut self.step, &from.force, part);
            }
            add(&mut self.step, &self.nodes[i].momentum, -1.0);
            left.rounding &= self.is_rounding(span, i);
            self.factors.solve(&self.tree, &mut self.step);
            for (k, link) in self.tree.links().iter().enumerate() {
                let body = &span.model.bodies[link.body];
                let twist = &self.factors.motions()[k];
                let speed = twist.linear.norm() + twist.angular.norm() * body.gyration();
                let acting = &self.nodes[i].acting[k];
                let pushed = acting.force.norm() + acting.torque.norm() / body.gyration();
                let relative = speed * body.mass / (self.handled[k] + pushed * span.dt.abs());
                if relative > left.relative || relative.is_nan() {
                    (left.relative, left.link) = (worse(left.relative, relative), k);
                }
            }
            add(&mut self.nodes[i].rates, &self.step, 1.0);
        }
        Some(left)
    }

    /// Whether what is in `step`, unbalanced at a node, is rounding of the momenta beyond each joint, those that joints undo
    /// of each other included.
    fn is_rounding(&mut self, span: &Span, i: usize) -> bool {
        let node = &self.nodes[i];
        self.displacement.sizes(&self.tree, &self.knot, &node.rates);
        let each = self.spread.iter_mut().zip(&self.displacement.sizes);
        for ((k, link), (spread, [far, wide])) in self.tree.links().iter().enumerate().zip(each) {
            let body = &span.model.bodies[link.body];
            let (acting, first) = (&node.acting[k], &self.first[k]);
            let by = span.dt.abs();
            *spread = [
                2.0 * far * body.mass + acting.force.norm() * by + first.force.norm(),
                2.0 * wide * body.mass * body.gyration().powi(2)
                    + acting.torque.norm() * by
                    + first.torque.norm(),
            ];
        }
        self.displacement
            .is_rounding(&self.tree, &self.knot, &mut self.spread, &self.step)
    }

    /// Adds what joints passed on, `part` of the mean over the interval, to their reactions: from the slopes of the bodies'
    /// momenta at the nodes.
    pub fn react(&mut self, span: &Span, part: f64, reactions: &mut [Row]) {
        for i in 0..self.nodes.len() {
            if !self.go(span, i) {
                return;
            }
            let [first, rest @ ..] = self.scheme.slope(i);
            for (k, wrench) in self.wrenches.iter_mut().enumerate() {
                let acting = &self.nodes[i].acting[k];
                *wrench = Wrench {
                    force: self.first[k].force * (first / span.dt) - acting.force,
                    torque: self.first[k].torque * (first / span.dt) - acting.torque,
                };
                for (node, weight) in self.nodes.iter().zip(rest) {
                    wrench.force += node.carried[k].force * (weight / span.dt);
                    wrench.torque += node.carried[k].torque * (weight / span.dt);
                }
            }
            let weight = part * self.scheme.b[i];
            for (k, link) in self.tree.links().iter().enumerate().rev() {
                let passed = self.wrenches[k];
                if link.parent != WORLD {
                    let above = &mut self.wrenches[link.parent];
                    above.push(&passed.force, &self.motion.arms()[k]);
                    above.torque += passed.torque;
                }
                if let Some(joint) = link.joint.filter(|_| link.kind.constraints() > 0) {
                    let mut row = self.motion.joint_reaction(&self.tree, k, &passed);
                    // Slopes of parabolas leave some of what moves the joint freely.
                    let slides = link.kind.free_translations();
                    for (n, at) in link.velocities().enumerate() {
                        let Twist { linear, angular } = &self.motion.columns()[at];
                        if n < slides {
                            row.force -= linear * linear.dot(&row.force);
                        } else {
                            row.torque -= angular * angular.dot(&row.torque);
                        }
                    }
                    reactions[joint.joint].force += row.force * weight;
                    reactions[joint.joint].torque += row.torque * weight;
                }
            }
        }
    }

    /// Moves the links to the second knot, into `bodies`, with the velocities of the momentum there.
    pub fn arrive(&mut self, model: &Model, dt: f64, angles: &mut [[f64; 2]]) {
        self.whole(dt);
        self.total.copy_from_slice(&self.arrival);
        self.tree.retract(&mut self.q[0], &self.step);
        self.motion.place(&self.tree, &self.q[0]);
        self.factors
            .factor_mass(&self.tree, model, &self.motion, &self.none);
        self.factors.solve(&self.tree, &mut self.total);
        self.motion.drive(&self.tree, &self.total);
        self.motion.write(&self.tree, &mut self.bodies);
        self.tree.write_angles(&self.q[0], angles);
    }
}

/// Momentum of a body that moves with a link.
fn momentum(model: &Model, body: usize, motion: &TreeMotion, link: usize, twist: &Twist) -> Wrench {
    let (body, turn) = (&model.bodies[body], motion.orientation(link));
    Wrench {
        force: twist.linear * body.mass,
        torque: turn * (body.inertia * turn.inverse_transform_vector(&twist.angular)),
    }
}

fn add(to: &mut [f64], from: &[f64], part: f64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from * part;
    }
}
