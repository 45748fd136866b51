//! The linear systems of a mechanism and the kinematics they need, shared by every method in maximal coordinates.
//!
//! [`MechanismSolver`] holds a mechanism between two configurations `z1` and `z2`: it places the links, moves
//! them, says what is unbalanced, and solves for the motion of `z2` that mends it. A step reads
//! ```text
//!   begin → predict → [ imbalance → newton_step ] until balanced → finish → deposit
//! ```
//! With [`Mass::Knot`] and `z2 = z1` the same solve projects velocities, closes joints and gives accelerations.

pub mod assembly;
mod blocks;
mod choice;
pub mod compliant;
pub mod contact;
pub mod coulomb;
mod drives;
mod elimination;
mod errors;
mod fronts;
mod guided;
mod knot;
mod lines;
mod links;
mod load;
mod loop_constraints;
mod motion;
pub mod mouse;
mod near;
pub mod past;
mod plan;
mod scale;
mod spin;
mod structure;
mod sweeps;
mod topology;
mod turn;
mod unilateral;
mod wheels;

pub use blocks::{Blocks, NodeKind};
pub use choice::{FrictionCone, LinearSolver, MOST_EDGES};
pub use drives::{Course, Interval};
pub use elimination::Mass;
pub use errors::Errors;
pub use guided::RigidRow;
pub use load::Load;
pub use loop_constraints::coupling_value;
pub use motion::Moved;
pub use plan::{Plan, PlanNode, Scheme};
pub use scale::{Scale, worse};
pub use structure::{Operations, Structure, matrix};
pub use topology::{Front, LoopConstraint, LoopConstraintKind, Topology, TreeJoint, WORLD};
pub use turn::{EASY, FOLD, MOST_PARTS};
pub use unilateral::cone::ConeSection;
pub use unilateral::{
    Activity, Barrier, Distance, Interior, Islands, Krylov, LEFT, Linearised, Mark, Reading,
    StepContext, Unilateral, What, law, limits, stop_rows,
};

use crate::forces::{StiffSprings, Wrench};
use crate::math::lanes;
use crate::math::{Quat, Vec3};
use crate::model::{BodyState, Model, Row, State, Twist};
use crate::stopwatch::{Phase, Stopwatch};
use drives::{Drive, Place};
use elimination::Elimination;
use fronts::Fronts;
use links::Links;
use loop_constraints::LoopConstraints;
use nalgebra::Quaternion;
use unilateral::UnilateralConstraints;

/// See the [module](self).
#[derive(Debug, Clone)]
pub struct MechanismSolver {
    topology: Topology,
    scale: Scale,
    links: Links,
    elimination: Elimination,
    fronts: Fronts,
    loop_constraints: LoopConstraints,
    drives: Vec<Drive>,
    /// Poses at `z2`, kept only where loop constraints or drives need them.
    next: Vec<BodyState>,
    near: near::Near,
    /// Velocities at a knot beside those of the joints alone.
    read: Vec<Twist>,
    /// What the last [`freeze`](Self::freeze) found.
    frozen: Moved,
    /// The system in full and whether it is solved densely; `None` where pairs are eliminated.
    blocks: Option<(Blocks, bool)>,
    /// Contact points, joint limits and cables of the interval.
    unilateral: UnilateralConstraints,
    /// Those that are closed at a knot.
    knot: UnilateralConstraints,
    /// Which bodies share the energy of rebounds there.
    knot_islands: Islands,
    fused: bool,
    /// Measures the phases of a step, once it is started.
    pub stopwatch: Stopwatch,
}

impl MechanismSolver {
    /// A solver for a model.
    pub fn new(model: &Model, linear_solver: LinearSolver) -> Self {
        Self::with_springs(model, linear_solver, &StiffSprings::default())
    }

    /// The same with springs that are solved for with the motion.
    pub fn with_springs(model: &Model, linear_solver: LinearSolver, stiff: &StiffSprings) -> Self {
        let topology = Topology::with_springs(model, stiff);
        let scale = Scale::new(model, &topology);
        let mut links = Links::new(model, &topology, &scale);
        let drives = drives::collect(model, &topology);
        let mut elimination = Elimination::new(&links);
        let blocks = match linear_solver {
            LinearSolver::Articulated => None,
            LinearSolver::BlockLdu => Some((Blocks::new(model, &topology, &[]), false)),
            LinearSolver::Dense => Some((Blocks::new(model, &topology, &[]), true)),
        };
        elimination.driven = drives.iter().any(|d| matches!(d.place, Place::Tree(_)));
        links.lean = topology.is_tree() && !elimination.driven;
        let wheels = wheels::axes(model);
        for (i, link) in links.links.iter_mut().enumerate() {
            link.wheel = wheels[link.body];
            let driven = drives.iter().any(|d| d.place == Place::Tree(i));
            let closed = topology.fronts.get(i).is_some_and(|f| f.rows > 0);
            let tied = link.jointed || link.has_children || driven || closed;
            link.alone = link.parent == WORLD && !tied;
        }
        Self {
            elimination,
            fronts: Fronts::new(&topology, &links),
            loop_constraints: LoopConstraints::new(model, &topology, &scale),
            next: Vec::new(),
            near: near::Near::default(),
            read: Vec::new(),
            frozen: Moved::default(),
            blocks,
            unilateral: UnilateralConstraints::default(),
            knot: UnilateralConstraints::default(),
            knot_islands: Islands::new(&topology),
            fused: lanes::fused(),
            stopwatch: Stopwatch::default(),
            topology,
            scale,
            links,
            drives,
        }
    }

    /// The mechanism's graph.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Whether the mechanism is a tree without drives and dampers, for which the lanes do everything.
    fn is_plain(&self) -> bool {
        let free = !self.unilateral.active && self.blocks.is_none();
        free && self.topology.is_tree() && self.drives.is_empty()
    }

    /// Sets the regularisation of loop constraints, relative to the size of each row; the default is 1e-8.
    pub fn regularise(&mut self, rho: f64) {
        self.fronts.rho = rho;
    }

    /// Begins an interval of length `dt` at a state: `z1` at its poses; its momenta, with half of gravity's kick and of
    /// the impulses of the forces at the knot, one per body, as those that the interval should have before joint
    /// impulses act; the sizes that its errors are relative to.
    pub fn begin(&mut self, model: &Model, state: &State, dt: f64, forces: Option<&[Wrench]>) {
        self.place(&state.bodies, &half_kick(model, dt));
        if let Some(forces) = forces {
            self.add_targets(forces, 0.5 * dt);
        }
        self.weigh(model, dt);
        self.take_knot(model, state, dt);
    }

    /// Puts `z1` at the poses of `bodies` and takes their momenta, with a kick of every centre of mass (m/s), as
    /// those the interval should have before joint impulses act.
    pub(super) fn place(&mut self, bodies: &[BodyState], kick: &Vec3) {
        self.links.forget_inverses();
        sweeps::place(self.fused, &mut self.links, bodies, kick);
    }

    /// Takes what loop constraints and drives need of the first knot.
    fn take_knot(&mut self, model: &Model, state: &State, dt: f64) {
        if self.is_plain() {
            return;
        }
        self.next.clear();
        self.next.extend_from_slice(&state.bodies);
        self.near.begin(&state.bodies);
        drives::begin(&mut self.drives, model, state, &self.links, dt);
        self.loop_constraints
            .begin(model, &self.topology, &self.drives, &self.near.first());
        self.loop_constraints
            .warm(model, &self.topology, &self.links, state, dt);
        self.loop_constraints.weigh(&self.topology, &self.links, dt);
    }

    /// Adds `dt` times the wrenches, one per body, to the momenta that the intervals should have.
    fn add_targets(&mut self, wrenches: &[Wrench], dt: f64) {
        for link in &mut self.links.links {
            let Wrench { force, torque } = &wrenches[link.body];
            for k in 0..3 {
                link.target.linear.0[k] += force[k] * dt;
                link.target.angular.0[k] += torque[k] * dt;
            }
        }
    }

    /// Guesses the velocities of the interval, `weights` of the state's velocities and of the two before, and moves
    /// the links by them.
    pub fn predict(&mut self, state: &State, dt: f64, weights: [f64; 3]) -> Moved {
        sweeps::predict(self.fused, &mut self.links, state, &weights, dt)
    }

    /// Pose of a body at `z2`.
    pub fn pose(&self, body: usize, state: &State) -> BodyState {
        let link = &self.links.links[self.topology.links[body]];
        let orientation = turned(&state.bodies[body].orientation, &link.half_angle_sine.to3());
        BodyState {
            position: link.centre2.to3(),
            orientation,
            ..state.bodies[body]
        }
    }

    /// Velocity of a body's interval.
    pub fn velocity(&self, body: usize, dt: f64) -> Twist {
        let link = &self.links.links[self.topology.links[body]];
        Twist {
            linear: link.velocity.to3(),
            angular: link.half_angle_sine.to3() * (2.0 / dt),
        }
    }

    /// Moves the links by the guess.
    pub fn advance(&mut self, dt: f64) -> Moved {
        sweeps::advance(self.fused, &mut self.links, dt)
    }

    /// Solves for the motion that mends what [`imbalance`](Self::imbalance) found, changes the velocities by it
    /// and moves the links.
    pub fn newton_step(&mut self, model: &Model, state: &State, interval: &Interval) -> Moved {
        let dt = interval.dt;
        let mass = Mass::Interval { dt };
        let before = self.stopwatch.enter(Phase::Assemble);
        if self.blocks.is_some() {
            self.assemble(model, state, interval);
        }
        let Self {
            stopwatch,
            fused,
            elimination,
            links,
            fronts,
            loop_constraints,
            topology,
            blocks,
            drives,
            ..
        } = self;
        let moved = match blocks {
            Some((blocks, dense)) => {
                stopwatch.enter(Phase::Factor);
                blocks.factor(*dense);
                stopwatch.enter(Phase::Solve);
                blocks.solve(*dense, topology, links, fronts);
                drives::follow_motions(drives, links, 1.0);
                sweeps::follow(*fused, links, dt)
            }
            None => {
                stopwatch.enter(Phase::Factor);
                Self::factor(
                    *fused,
                    elimination,
                    links,
                    fronts,
                    loop_constraints,
                    topology,
                    mass,
                );
                stopwatch.enter(Phase::Solve);
                let moved = sweeps::newton_step(*fused, elimination, links, fronts, dt);
                drives::follow(drives, links, elimination);
                moved
            }
        };
        loop_constraints.change(fronts);
        stopwatch.enter(before);
        moved
    }

    /// Writes the system of the last [`imbalance`](Self::imbalance) out in full.
    fn assemble(&mut self, model: &Model, state: &State, interval: &Interval) {
        let Self {
            links,
            elimination,
            loop_constraints,
            topology,
            drives,
            next,
            blocks,
            ..
        } = self;
        let Some((blocks, _)) = blocks else { return };
        let at = blocks::Configurations {
            first: &state.bodies,
            second: next,
        };
        let mass = Mass::Interval { dt: interval.dt };
        let parts = blocks::Parts {
            model,
            topology,
            links,
            elimination,
            loop_constraints,
            drives,
        };
        blocks.assemble(&parts, &at, mass);
    }

    /// Takes back part of the last change of the velocities: `fraction` of it, from 0 to 1.
    pub fn backtrack(&mut self, dt: f64, fraction: f64) -> Moved {
        for link in &mut self.links.links {
            for k in 0..3 {
                link.velocity.0[k] -= fraction * link.change.linear.0[k];
                link.half_angle_sine.0[k] -= fraction * link.change.angular.0[k];
            }
        }
        self.loop_constraints.backtrack(&self.fronts, fraction);
        self.drives.iter_mut().for_each(|d| d.backtrack(fraction));
        self.advance(dt)
    }

    fn factor(
        fused: bool,
        elimination: &mut Elimination,
        links: &mut Links,
        fronts: &mut Fronts,
        loop_constraints: &LoopConstraints,
        topology: &Topology,
        mass: Mass,
    ) {
        if !topology.is_tree() {
            fronts.begin(topology, &loop_constraints.rows, |c, n, r| {
                loop_constraints.support(topology, c, n, r)
            });
        }
        sweeps::factor(
            fused,
            elimination,
            links,
            fronts,
            loop_constraints,
            topology,
            mass,
        );
    }

    /// What is unbalanced and open at the guess, with the impulse of a load from outside.
    pub fn imbalance(
        &mut self,
        context: &StepContext,
        moved: &Moved,
        load: Option<&Load>,
    ) -> Errors {
        self.put(load);
        let StepContext {
            model,
            state,
            interval,
            ..
        } = *context;
        let mut errors = Errors {
            constraint: moved.opening.0,
            joint: self.topology.joints[moved.opening.1].map(|t| t.joint),
            ..Errors::default()
        };
        if !self.is_plain() {
            self.write_next(state);
            self.near.advance(&self.links, &self.next, interval.dt);
            let Self {
                links,
                elimination,
                loop_constraints,
                topology,
                drives,
                near,
                ..
            } = self;
            let next = near.second();
            let (worst, loop_constraint) =
                loop_constraints.evaluate(model, topology, &next, &state.angles, drives, interval);
            if worst > errors.constraint || worst.is_nan() {
                errors.constraint = worst;
                errors.joint = loop_joint(model, topology.loop_constraints[loop_constraint].kind);
            }
            loop_constraints.add_to(topology, links);
            if elimination.driven {
                let knots = drives::Knots {
                    first: &state.bodies,
                    second: next,
                    angles: &state.angles,
                };
                drives::load_tree(drives, model, links, &knots, interval, elimination);
            }
            self.advance_unilaterals(context);
        }
        let found = sweeps::imbalance(self.fused, &self.elimination, &mut self.links);
        let (relative, impulse) = self.explicit_error(model);
        Errors {
            balance: scale::worse(found.relative, relative),
            body: self.links.links[found.link].body,
            impulse: scale::worse(found.impulse, impulse),
            speed: found.speed,
            handled: found.handled,
            gap: errors.constraint * errors.joint.map_or(0.0, |j| self.scale.joint(j)),
            ..errors
        }
    }

    /// Leaves the second knot in the state: poses, velocities, momenta with the other half of gravity's kick, the
    /// velocities before in the memory, and the reactions of constraints at the first knot.
    pub fn finish(&self, model: &Model, state: &mut State, interval: &Interval) {
        let over = 1.0 / interval.dt;
        let kick = half_kick(model, interval.dt);
        past::push(state);
        // Their rows are those of the first knot, so before the poses move on.
        self.loop_constraints
            .reactions(model, &self.topology, state, over);
        let State {
            bodies, reactions, ..
        } = state;
        for (i, link) in self.links.links.iter().enumerate() {
            link.leave(&mut bodies[link.body], &kick, over);
            if let Some(tree) = self.topology.joints[i] {
                // The joint carries what is unbalanced without it, about the child's anchor; a floating one nothing.
                let over = if link.jointed { over } else { 0.0 };
                let sign = if link.reversed { over } else { -over };
                let force = link.wrench.linear.to3() * sign;
                let torque = link.wrench.angular.to3() * sign;
                let torque = torque - self.links.anchor_arm(i).cross(&force);
                reactions[tree.joint] = Row { force, torque };
            }
        }
        drives::leave_out(&self.drives, &self.links, reactions, over);
    }

    /// Adds the part of the impulses of drives, dampers and stiff springs that belongs to the second knot to the momenta.
    pub fn deposit(&self, model: &Model, bodies: &mut [BodyState], share: f64) {
        if !self.is_plain() {
            let part = (1.0 - share) / share;
            self.loop_constraints
                .deposit(model, &self.topology, bodies, part);
            let first = |c: usize| self.topology.loop_constraints[c].first_row;
            let of_loop = |c: usize| self.loop_constraints.impulse[first(c)];
            drives::deposit(&self.drives, model, bodies, of_loop);
        }
    }
}

/// The joint to name for a loop constraint.
fn loop_joint(model: &Model, kind: LoopConstraintKind) -> Option<usize> {
    match kind {
        LoopConstraintKind::Joint(j) => Some(j),
        LoopConstraintKind::Coupling(c) => Some(model.couplings[c].terms[0].joint.0),
        _ => None,
    }
}

/// What gravity adds to the velocity of every body in half an interval (m/s).
fn half_kick(model: &Model, dt: f64) -> Vec3 {
    model.gravity * (0.5 * dt)
}

/// Orientation after an interval: `(√(1 - u·u), u) ⊗ q` [Brüdigam2023 eq. 17, in world axes].
#[inline(always)]
fn turned(q: &Quat, u: &Vec3) -> Quat {
    let s = (1.0 - u.norm_squared()).max(0.0).sqrt();
    let product = Quaternion::new(s, u.x, u.y, u.z) * q.into_inner();
    // One Newton step for the norm: the error before it is rounding.
    let product = product * (1.5 - 0.5 * product.norm_squared());
    Quat::new_unchecked(product)
}

#[cfg(test)]
mod tests;
