//! The discrete Euler-Lagrange equation of one interval in joint coordinates, and DRNEA [Lee2016 alg. 2].
//!
//! With the momenta `p` at the first knot, which the state holds, and the trapezoidal rule for forces [Lee2016 eq. 9], the
//! equation for the increment `δ` of the coordinates is
//! ```text
//!   F_i = P_i(δ) - p_i - dt/2 f_i - laws_i + Σ_children X F_c        [Lee2016 eq. 21a]
//!   r = S_iᵀ F_i = 0                                                 [Lee2016 eq. 22]
//! ```
//! `P_i` is the momentum of the interval about the centre of mass at the first knot, `F_i` the impulse that the joint of a
//! link passes on, and `S_i` its motion subspace there. The momentum at the second knot is that of the interval with
//! `dt/2 f` there, so nothing but momenta is carried from step to step and steps may differ in length. One pass from roots to
//! leaves moves the links ([`Displacement`]), one back gathers the impulses: linear time.

use super::displacement::Displacement;
use super::held::{Held, Opening};
use super::lagrangian::{MeanVelocity, Momenta, Passage};
use super::laws::Laws;
use crate::forces::{StiffSprings, Wrench};
use crate::kinematics::{ArticulatedBodies, Jacobian, SpatialBlock, Tree, TreeMotion};
use crate::math::Mat3;
use crate::model::{Input, Model, State, Twist};
use crate::solver::{Interval, Scale, Topology, WORLD, worse};

/// Part of a body's momentum that is handled in a step whatever acts, and part of its length that a body at rest without
/// gravity is taken to move: as the maximal methods weigh residuals.
const MOMENTUM: f64 = 1e-2;
const STILL: f64 = 1e-6;

/// What one body keeps throughout.
#[derive(Debug, Clone, Copy)]
struct Mass {
    mass: f64,
    /// Radius of gyration (m).
    gyration: f64,
    /// One over the length of the joint (1/m).
    over_arm: f64,
}

/// What is unbalanced and open.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Imbalance {
    /// Largest unbalanced impulse relative to what its link handles.
    pub relative: f64,
    /// The link with it.
    pub link: usize,
    /// Largest unbalanced impulse, angular ones over lengths (N·s).
    pub impulse: f64,
    /// How far loops and limits are from what they ask for.
    pub opening: Opening,
}

/// What acts in an interval.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub input: &'a Input,
    pub interval: Interval,
}

/// The equation with its workspace.
pub struct Equation {
    pub tree: Tree,
    /// Loops, limits and cables, if there are any.
    pub held: Option<Box<Held>>,
    pub mean: MeanVelocity,
    masses: Vec<Mass>,
    /// Coordinates and links at the first knot.
    pub q: Vec<f64>,
    pub knot: TreeMotion,
    /// Inertias there, world axes (kg·m²).
    pub inertias: Vec<Mat3>,
    /// Momenta of the first knot with half of the impulse of its forces, by link.
    pub wanted: Vec<Wrench>,
    /// Squares of the impulses that links handle whatever passes through their joints.
    least: Vec<f64>,
    pub laws: Laws,
    pub motion: Displacement,
    pub momenta: Vec<Momenta>,
    /// Impulses that joints pass on to their links.
    carried: Vec<Wrench>,
    /// Sizes of the momenta of all that hangs on each link: linear, angular about its centre of mass.
    spread: Vec<[f64; 2]>,
    /// What is unbalanced, by velocity (N·s, N·m·s).
    pub residual: Vec<f64>,
}

impl Equation {
    /// Room for a model of which those springs are stiff.
    pub fn new(model: &Model, mean: MeanVelocity, stiff: StiffSprings) -> Self {
        let tree = Tree::new(model);
        let scale = Scale::new(model, &Topology::new(model));
        let links = tree.links().len();
        let masses = tree.links().iter().map(|link| {
            let body = &model.bodies[link.body];
            let length = link.joint.map(|j| scale.joint(j.joint));
            Mass {
                mass: body.mass,
                gyration: body.gyration(),
                over_arm: 1.0 / length.unwrap_or_else(|| body.gyration()),
            }
        });
        Self {
            masses: masses.collect(),
            mean,
            q: vec![0.0; tree.coordinates()],
            knot: TreeMotion::new(&tree),
            inertias: vec![Mat3::zeros(); links],
            wanted: vec![Wrench::default(); links],
            least: vec![0.0; links],
            laws: Laws::new(model, &tree, stiff),
            motion: Displacement::new(&tree),
            momenta: vec![Momenta::default(); links],
            carried: vec![Wrench::default(); links],
            spread: vec![[0.0; 2]; links],
            residual: vec![0.0; tree.freedoms()],
            held: Held::of(model),
            tree,
        }
    }

    /// Whether rows stand beside the linear system.
    pub fn is_bordered(&self) -> bool {
        self.held.is_some() || !self.laws.ties.is_empty()
    }

    /// Leaves the rows that hold loops in a matrix that is solved with them; whether it is.
    pub fn close(&self, rho: f64, factors: &mut ArticulatedBodies) -> bool {
        let (Some(held), Some(fronts)) = (&self.held, factors.fronts()) else {
            return false;
        };
        held.close(rho, fronts);
        true
    }

    /// Notes where a step of the root finder sets out.
    pub fn mark(&mut self) {
        self.laws.mark();
        if let Some(held) = &mut self.held {
            held.mark();
        }
    }

    /// Tolerances of loops and of limits for that of the balance.
    pub fn tolerances(&self, tolerance: f64, dt: f64) -> [f64; 2] {
        let held = self.held.as_ref();
        held.map_or([1.0; 2], |h| h.tolerances(tolerance, dt))
    }

    /// Adds a part of what loops and limits do to a link.
    pub fn add_load(&self, link: usize, part: f64, to: &mut Wrench) {
        if let Some(held) = &self.held {
            to.force += held.loads[link].force * part;
            to.torque += held.loads[link].torque * part;
        }
    }

    /// Whether the state remembers coordinates: where limits or cables take part it remembers what they did.
    fn remembers(&self) -> bool {
        self.held.as_ref().is_none_or(|h| h.contacts.is_none())
    }

    /// Puts the links where the state has them. Coordinates that the state remembers hold if its poses are theirs, to the
    /// last bit; others are read from the poses.
    pub fn place(&mut self, model: &Model, state: &State) {
        let words = &state.memory.words;
        let remembered = self.remembers() && words.len() == self.q.len();
        let placed = |q: &[f64]| q.iter().zip(words).all(|(q, word)| q.to_bits() == *word);
        if remembered && !placed(&self.q) {
            for (q, word) in self.q.iter_mut().zip(words) {
                *q = f64::from_bits(*word);
            }
            self.knot.place(&self.tree, &self.q);
        }
        if !(remembered && self.knot.is_at(&self.tree, &state.bodies)) {
            self.tree.read(&state.bodies, &state.angles, &mut self.q);
            self.knot.place(&self.tree, &self.q);
        }
        for (i, link) in self.tree.links().iter().enumerate() {
            let turn = self.knot.orientation(i).to_rotation_matrix();
            self.inertias[i] = turn * model.bodies[link.body].inertia * turn.inverse();
        }
    }

    /// Takes the first knot, with `forces` on the bodies there (N, N·m).
    pub fn begin(&mut self, context: &Context, forces: &[Wrench]) {
        let Context {
            model,
            state,
            interval,
            ..
        } = *context;
        self.place(model, state);
        let dt = interval.dt;
        let fall = (model.gravity.norm() * dt).powi(2);
        for (i, link) in self.tree.links().iter().enumerate() {
            let (body, force) = (&state.bodies[link.body], &forces[link.body]);
            let Mass { mass, gyration, .. } = self.masses[i];
            self.wanted[i] = Wrench {
                force: body.momentum + force.force * (0.5 * dt),
                torque: body.angular_momentum + force.torque * (0.5 * dt),
            };
            let momentum = body.momentum.norm_squared()
                + body.angular_momentum.norm_squared() / gyration.powi(2);
            let rest = fall + (STILL * gyration / dt).powi(2);
            self.least[i] = rest * mass.powi(2) + MOMENTUM * MOMENTUM * momentum;
        }
        let (masses, inertias) = (&self.masses, &self.inertias);
        self.laws.begin(
            model,
            &self.tree,
            state,
            |link, Wrench { force, torque }| {
                // A body's inertia is positive definite: the model is checked.
                let turned = inertias[link].try_inverse().unwrap_or_default() * torque;
                dt * (force.norm_squared() / masses[link].mass + torque.dot(&turned))
            },
        );
        if let Some(held) = &mut self.held {
            held.begin(context, forces);
        }
    }

    /// Moves the coordinates and the links to the second knot, and has the state remember them.
    pub fn arrive(&mut self, delta: &[f64], state: &mut State) {
        self.tree.retract(&mut self.q, delta);
        self.knot.place(&self.tree, &self.q);
        self.knot.write(&self.tree, &mut state.bodies);
        self.tree.write_angles(&self.q, &mut state.angles);
        state.swept = 0.0;
        if self.remembers() {
            let words = self.q.iter().map(|q| q.to_bits());
            state.memory.words.clear();
            state.memory.words.extend(words);
        }
    }

    /// How a link moves in the interval.
    pub fn passage(&self, link: usize, dt: f64) -> Passage<'_> {
        Passage {
            mass: self.masses[link].mass,
            inertia: &self.inertias[link],
            turn: &self.motion.turns[link],
            shift: &self.motion.shifts[link],
            dt,
        }
    }

    /// Mean velocity of a link in the interval.
    pub fn mean_twist(&self, link: usize, dt: f64) -> Twist {
        self.mean.twist(&self.passage(link, dt))
    }

    /// Momenta of a link over the interval.
    pub fn momenta(&self, link: usize) -> &Momenta {
        &self.momenta[link]
    }

    /// Impulse that the joint of a link passes on to it, about its centre of mass at the first knot (N·s, N·m·s).
    pub fn carried(&self, link: usize) -> &Wrench {
        &self.carried[link]
    }

    /// Moves the links by an increment of the coordinates and evaluates what acts.
    pub fn advance(&mut self, context: &Context, delta: &[f64]) {
        let dt = context.interval.dt;
        self.motion.advance(&self.tree, &self.knot, delta);
        let Self {
            laws,
            motion,
            tree,
            mean,
            masses,
            inertias,
            held: rows,
            ..
        } = self;
        let held = |link: usize| {
            mean.twist(&Passage {
                mass: masses[link].mass,
                inertia: &inertias[link],
                turn: &motion.turns[link],
                shift: &motion.shifts[link],
                dt,
            })
        };
        laws.evaluate(context, tree, motion, delta, held);
        if let Some(rows) = rows {
            rows.follow(context, |link| (motion.shifts[link], motion.turns[link]));
        }
    }

    /// DRNEA: what is unbalanced for an increment of the coordinates, left in `residual`.
    pub fn evaluate(&mut self, context: &Context, delta: &[f64]) -> Imbalance {
        self.advance(context, delta);
        for i in 0..self.momenta.len() {
            self.momenta[i] = self.mean.momenta(&self.passage(i, context.interval.dt));
        }
        self.carry();
        for (i, link) in self.tree.links().iter().enumerate() {
            for k in link.velocities() {
                let (s, f) = (&self.knot.columns()[k], &self.carried[i]);
                self.residual[k] = s.linear.dot(&f.force) + s.angular.dot(&f.torque);
            }
        }
        self.weigh()
    }

    /// What is unbalanced on a link by itself, if its momentum at the first knot is this.
    pub fn unbalanced(&self, link: usize, momenta: &Momenta) -> Wrench {
        let (wanted, load) = (&self.wanted[link], &self.laws.loads[link]);
        let mut left = Wrench {
            force: momenta.linear - wanted.force - load.force,
            torque: momenta.first - wanted.torque - load.torque,
        };
        self.add_load(link, -1.0, &mut left);
        left
    }

    /// Gathers from the leaves what joints pass on.
    fn carry(&mut self) {
        for i in 0..self.carried.len() {
            self.carried[i] = self.unbalanced(i, &self.momenta[i]);
        }
        self.pass_on();
    }

    /// Takes momenta that another recursion found, and what joints pass on with them.
    pub fn take(&mut self, momenta: impl Fn(usize) -> Momenta) {
        for (i, slot) in self.momenta.iter_mut().enumerate() {
            *slot = momenta(i);
        }
        self.carry();
    }

    fn pass_on(&mut self) {
        for (i, link) in self.tree.links().iter().enumerate().rev() {
            if link.parent != WORLD {
                let here = self.carried[i];
                let above = &mut self.carried[link.parent];
                above.push(&here.force, &self.knot.arms()[i]);
                above.torque += here.torque;
            }
        }
    }

    /// Compares the residual with what every link handles.
    pub fn weigh(&self) -> Imbalance {
        let mut worst = Imbalance {
            opening: self
                .held
                .as_ref()
                .map_or_else(Opening::default, |h| h.opening),
            ..Imbalance::default()
        };
        for (i, link) in self.tree.links().iter().enumerate() {
            let over_arm = self.masses[i].over_arm;
            let slides = link.kind.free_translations();
            let mut square = 0.0;
            for (n, k) in link.velocities().enumerate() {
                let arm = if n < slides { 1.0 } else { over_arm };
                square = worse(square, (self.residual[k] * arm).powi(2));
            }
            let f = &self.carried[i];
            let passed = f.force.norm_squared() + f.torque.norm_squared() * over_arm.powi(2);
            let jointed = link.joint.is_some() && link.kind.constraints() > 0;
            let handled = self.least[i] + if jointed { passed } else { 0.0 };
            // At rest and without gravity nothing is handled, and nothing is unbalanced.
            let ratio = if square == 0.0 { 0.0 } else { square / handled };
            if ratio > worst.relative || ratio.is_nan() {
                worst.relative = ratio;
                worst.link = i;
            }
            worst.impulse = worse(worst.impulse, square);
        }
        worst.relative = worst.relative.sqrt();
        worst.impulse = worst.impulse.sqrt();
        worst
    }

    /// Sum of the impulses handled (N·s), angular ones over lengths: rounding errors are relative to it.
    pub fn handled(&self) -> f64 {
        let links = self.masses.iter().zip(&self.momenta).zip(&self.carried);
        let sizes = links.map(|((mass, momenta), carried)| {
            momenta.linear.norm()
                + momenta.first.norm() / mass.gyration
                + carried.force.norm()
                + carried.torque.norm() * mass.over_arm
        });
        sizes.sum()
    }

    /// Whether nothing is unbalanced but by rounding: of increments that move everything beyond their joints, whose last
    /// digits change the angular momentum of all of it about a joint. Where a light link goes one way and a heavy one on it
    /// the other, what the heavy one handles says nothing of it: what counts is how far each joint moves it by itself.
    pub fn is_rounding(&mut self, delta: &[f64], dt: f64) -> bool {
        self.motion.sizes(&self.tree, &self.knot, delta);
        let over = 1.0 / dt.abs();
        let each = self.spread.iter_mut().zip(&self.masses).zip(&self.wanted);
        for (((spread, mass), wanted), [far, wide]) in each.zip(&self.motion.sizes) {
            let mass_rate = mass.mass * over;
            *spread = [
                far * mass_rate + wanted.force.norm(),
                wide * mass_rate * mass.gyration.powi(2) + wanted.torque.norm(),
            ];
        }
        for tie in &self.laws.ties {
            for (link, wrench) in tie.first.iter().flatten() {
                self.spread[*link][0] += tie.size * wrench.force.norm();
                self.spread[*link][1] += tie.size * wrench.torque.norm();
            }
        }
        if let Some(held) = &self.held {
            for (spread, load) in self.spread.iter_mut().zip(&held.loads) {
                spread[0] += load.force.norm();
                spread[1] += load.torque.norm();
            }
        }
        self.motion
            .is_rounding(&self.tree, &self.knot, &mut self.spread, &self.residual)
    }

    /// Squares of what makes every velocity a linear one: 1, or the length of the joint (m) for an angular one.
    pub fn weights(&self, out: &mut [f64]) {
        for (link, mass) in self.tree.links().iter().zip(&self.masses) {
            let slides = link.kind.free_translations();
            for (n, k) in link.velocities().enumerate() {
                let arm = if n < slides { 1.0 } else { mass.over_arm };
                out[k] = 1.0 / (arm * arm);
            }
        }
    }

    /// Derivative of a link's momentum with respect to its motion at the second knot, laws included.
    pub fn slope(&self, link: usize, dt: f64) -> SpatialBlock {
        self.with_laws(link, self.mean.slope(&self.passage(link, dt)))
    }

    /// The inertia of a link over the length of the interval, laws included: its slope for a motion of no length.
    pub fn inertia(&self, link: usize, dt: f64) -> SpatialBlock {
        let inertia = &self.inertias[link];
        let over = 1.0 / dt;
        self.with_laws(
            link,
            SpatialBlock::inertia(self.masses[link].mass * over, &(inertia * over)),
        )
    }

    fn with_laws(&self, link: usize, mut block: SpatialBlock) -> SpatialBlock {
        for (_, law) in self.laws.blocks.iter().filter(|(at, _)| *at == link) {
            block.add(law, 1.0);
        }
        block
    }

    /// Factors the mass matrix of the first knot over `dt` between these Jacobians, laws and loops included.
    pub fn factor_knot(
        &self,
        sides: [Jacobian; 2],
        (dt, rho): (f64, f64),
        factors: &mut ArticulatedBodies,
    ) {
        self.close(rho, factors);
        let inertia = |i: usize| self.inertia(i, dt);
        factors.factor(&self.tree, sides, inertia, &self.laws.diagonal);
    }

    /// Factors the mass matrix at the first knot: `S M x` are the momenta of a motion `x`.
    pub fn factor_mass(&self, none: &[f64], factors: &mut ArticulatedBodies) {
        let block = |i: usize| SpatialBlock::inertia(self.masses[i].mass, &self.inertias[i]);
        factors.factor(&self.tree, [Jacobian::from(&self.knot); 2], block, none);
    }
}
