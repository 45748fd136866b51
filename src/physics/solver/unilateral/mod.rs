//! What is a unilateral constraint, contact points, joint limits and cables, as nodes of the Newton system
//! [Brüdigam2023 sect. 3.3-3.5].
//!
//! A [`Unilateral`] knows its rows at both ends of the interval, a law says how impulse and velocity change together, a
//! [`System`] solves for all unilateral constraints with the mechanism. Which law is taken is what tells the methods
//! apart: the pieces of a projection ([`law`]) for Newton's method, perturbed complementarity ([`interior`]) for the
//! interior point.

mod closed;
pub mod cone;
mod conic;
mod constraint;
mod edges;
pub mod interior;
mod islands;

mod knot;
mod krylov;
pub mod law;
mod linearised;
mod live;
mod locked;
mod mark;
mod pair;
mod settle;
mod stops;
mod system;
mod take;
#[cfg(test)]
mod tests;
mod work;

pub use closed::{Scales, is_closed};
pub use cone::{ConeSection, length};
pub use constraint::{LEFT, Scene, Unilateral, What, mending, tangents};
pub use interior::{Barrier, Interior};
pub use islands::{Energies, Islands};

pub use knot::Reading;
pub use krylov::Krylov;
pub use linearised::{Activity, Distance, Linearised};
pub use mark::Mark;
pub use stops::{size, stop_rows};

use super::blocks::{Blocks, Configurations, Parts};
use super::coulomb::Problem;
use super::elimination::Mass;
use super::fronts::Fronts;
use super::links::{Link, Links, Spatial};
use super::past;
use super::topology::{Topology, WORLD};
use super::{
    FrictionCone, Interval, MechanismSolver, Moved, Scale, drives, half_kick, motion, sweeps, worse,
};
use crate::contact::Located;
use crate::math::Vec3;
use crate::model::{BodyState, Model, State, Twist};
use crate::stopwatch::Phase;
use crate::threads;
use std::borrow::Cow;
use system::Systems;

/// The units of an interval and their system.
#[derive(Debug, Clone, Default)]
pub struct UnilateralConstraints {
    /// The unilateral constraints.
    pub unilaterals: Vec<Unilateral>,
    systems: Systems,
    pairs: Vec<(usize, usize)>,
    /// The system in use is that of the pairs of the unilateral constraints: made where it is asked for, which heaps never do.
    fitted: bool,
    /// Impulses that a projection starts from.
    start: Vec<[f64; 3]>,
    /// Velocities of every link without unilateral constraints.
    free: Vec<Twist>,
    /// The constraints as a problem of free bodies.
    problem: Problem,
    /// Whether the unilateral constraints take part in what is solved.
    pub active: bool,
}

impl UnilateralConstraints {
    /// The system into which the unilateral constraints are eliminated, made for this where nothing has asked for it.
    pub fn blocks(&self, model: &Model, topology: &Topology) -> Cow<'_, Blocks> {
        match self.systems.used().filter(|_| self.fitted) {
            Some(system) => Cow::Borrowed(system.blocks()),
            None => {
                let mut pairs = Vec::new();
                system::pairs(&self.unilaterals, &mut pairs);
                Cow::Owned(Blocks::new(model, topology, &pairs))
            }
        }
    }

    /// Puts the system in use for the pairs of bodies that the unilateral constraints couple.
    fn fit(&mut self, parts: &Parts) {
        if !std::mem::replace(&mut self.fitted, true) {
            system::pairs(&self.unilaterals, &mut self.pairs);
            self.systems.fit(parts, &self.pairs);
        }
    }
}

impl From<FrictionCone> for ConeSection {
    fn from(cone: FrictionCone) -> Self {
        match cone {
            FrictionCone::Exact => Self::Disc,
            FrictionCone::Linearised(edges) => Self::Polygon(edges),
        }
    }
}

/// All bounds of joint coordinates and all cables of a model.
pub fn limits(model: &Model) -> impl Iterator<Item = What> {
    let ranges = model.joints.iter().enumerate().flat_map(|(joint, data)| {
        let ranges = data.limits.iter().enumerate();
        ranges.map(move |(limit, range)| (joint, limit, range))
    });
    let limits = ranges
        .enumerate()
        .flat_map(|(entry, (joint, limit, range))| {
            let bounds = [(false, range.lower), (true, range.upper)];
            let finite = bounds.into_iter().filter(|(_, bound)| bound.is_finite());
            finite.map(move |(upper, _)| What::Limit {
                joint,
                limit,
                entry,
                upper,
            })
        });
    let cables = model.limit_count() - model.cables.len();
    limits.chain((0..model.cables.len()).map(move |cable| What::Cable {
        cable,
        entry: cables + cable,
    }))
}

/// What stands still while the unilateral constraints are solved for.
#[derive(Clone, Copy)]
pub struct StepContext<'a> {
    /// The mechanism.
    pub model: &'a Model,
    /// The state at the first knot.
    pub state: &'a State,
    /// Contact points of the interval, with their gaps at the first knot.
    pub contacts: &'a [Located],
    /// The interval.
    pub interval: &'a Interval,
}

/// What the rows of unilateral constraints are made of.
fn scene<'a>(
    topology: &'a Topology,
    links: &'a Links,
    scale: &'a Scale,
    context: &StepContext<'a>,
) -> Scene<'a> {
    Scene {
        model: context.model,
        topology,
        links,
        contacts: context.contacts,
        first: &context.state.bodies,
        angles: &context.state.angles,
        scale,
        dt: context.interval.dt,
    }
}

impl Links {
    /// Adds the impulses of a unilateral constraint to what is picked of its links.
    pub(super) fn add_impulses(
        &mut self,
        unilateral: &Unilateral,
        pick: impl Fn(&mut Link) -> &mut Spatial,
    ) {
        for (side, &link) in unilateral.links.iter().enumerate() {
            if link == WORLD {
                continue;
            }
            let sum = pick(&mut self.links[link]);
            for (row, force) in unilateral.force[side][..unilateral.rows].iter().enumerate() {
                let impulse = unilateral.impulse[row] * unilateral.mass;
                for k in 0..3 {
                    sum.linear.0[k] += force[k] * impulse;
                    sum.angular.0[k] += force[3 + k] * impulse;
                }
            }
        }
    }
}

/// Part of the energy of motion by which contacts may seem to give energy for every radian that a body turns by in the
/// interval, as their forces act at its beginning and gaps are those at its end.
const TURNING: f64 = 0.02;

/// The same of a body on joints where impulses of contacts are exact, by the square of that radian: joints pass them on within the interval.
const SQUARE: f64 = 0.5;

/// The same where none turns: what tolerances leave.
const ROUNDING: f64 = 1e-8;

impl MechanismSolver {
    /// The unilateral constraints of the interval.
    pub fn unilaterals(&self) -> &[Unilateral] {
        &self.unilateral.unilaterals
    }

    /// The unilateral constraints of the interval, to change impulses, rebounds or laws.
    pub fn unilaterals_mut(&mut self) -> &mut [Unilateral] {
        &mut self.unilateral.unilaterals
    }

    /// Sets out again from stated values: the impulses of loops that the state gives, none of unilateral constraints.
    /// Whatever an attempt left behind, not a number perhaps, is gone.
    pub fn restart(&mut self, context: &StepContext) {
        let StepContext {
            model,
            state,
            interval,
            ..
        } = *context;
        self.loop_constraints
            .warm(model, &self.topology, &self.links, state, interval.dt);
        self.drives.iter_mut().for_each(drives::Drive::restart);
        for unilateral in &mut self.unilateral.unilaterals {
            unilateral.impulse = [0.0; 3];
            unilateral.change = [0.0; 3];
        }
    }

    /// What the impulses and velocities of a unilateral constraint are compared with, where gravity gives bodies
    /// `speed` in a step.
    pub fn scales(&self, unilateral: &Unilateral, speed: f64) -> Scales {
        Scales::of_speed(unilateral.pace(&self.links, speed) + unilateral.impulse[0].abs())
    }

    /// Whether a unilateral constraint is closed at the motion reached: its force is above the tolerance and its gap
    /// below.
    pub fn is_closed(&self, unilateral: &Unilateral, speed: f64) -> bool {
        let scales = self.scales(unilateral, speed);
        is_closed(unilateral.impulse[0], unilateral.velocity[0], scales)
    }

    /// What the energy account of a link's contacts needs; `state` is that at the first knot.
    pub fn energies(&self, state: &State, link: usize) -> Energies {
        let inverse = self.links.inverse_inertia(link);
        let link = &self.links.links[link];
        let [motion, pull] = link.energies(&inverse, &state.bodies[link.body]);
        let turn = 2.0 * link.half_angle_sine.to3().norm();
        let order = if link.alone {
            0.0
        } else {
            (TURNING * turn).min(SQUARE * turn * turn)
        };
        let rounding = (ROUNDING + order) * motion + pull;
        Energies {
            taken: past::taken(state, link.body),
            motion,
            rounding,
            unsure: rounding + TURNING * turn * motion,
        }
    }

    /// Largest violation of a contact law at the motion reached (m/s).
    pub fn violation(&self, section: ConeSection) -> f64 {
        let unilaterals = self.unilateral.unilaterals.iter();
        unilaterals
            .flat_map(|u| law::violation(u, section))
            .fold(0.0, worse)
    }

    /// The bodies of a unilateral constraint.
    pub fn bodies(&self, unilateral: &Unilateral) -> impl Iterator<Item = usize> {
        let links = unilateral.links.into_iter().filter(|&link| link != WORLD);
        links.map(|link| self.links.links[link].body)
    }

    /// What makes the gap of a limit a length (m), and the length with which it is compared (m).
    pub fn measures(&self, context: &StepContext, what: What) -> (f64, f64) {
        let scene = self.scene(context);
        (
            stops::lever(what, &scene),
            stops::size(what, scene.model, scene.contacts, scene.scale),
        )
    }

    /// Gap of what need be no unilateral constraint, at the first knot or at the second (m), an angle at the length of
    /// its joint.
    pub fn gap(&self, context: &StepContext, what: What, second: bool) -> f64 {
        let bodies = if second {
            &self.next
        } else {
            &context.state.bodies
        };
        Unilateral::gap_of(what, &self.scene(context), bodies)
    }

    fn scene<'a>(&'a self, context: &StepContext<'a>) -> Scene<'a> {
        scene(&self.topology, &self.links, &self.scale, context)
    }

    /// Poses at the second knot, as they were last [written down](Self::second).
    pub fn at_second(&self) -> &[BodyState] {
        &self.next
    }

    /// Writes the poses at the second knot down.
    pub fn second(&mut self, state: &State) {
        if self.next.len() != state.bodies.len() {
            self.next.clone_from(&state.bodies);
        }
        self.write_next(state);
    }

    /// Writes down all of the bodies at the second knot, as [`finish`](Self::finish) leaves them.
    pub fn arrive(&mut self, model: &Model, state: &State, dt: f64) {
        self.next.clone_from(&state.bodies);
        let kick = half_kick(model, dt);
        for link in &self.links.links {
            link.leave(&mut self.next[link.body], &kick, 1.0 / dt);
        }
    }

    /// Moves the unilateral constraints with the links, and adds their impulses to the links' imbalance.
    pub(super) fn advance_unilaterals(&mut self, context: &StepContext) {
        if !self.unilateral.active {
            return;
        }
        let scene = scene(&self.topology, &self.links, &self.scale, context);
        let (unilaterals, next) = (&mut self.unilateral.unilaterals[..], &self.next);
        threads::runs(unilaterals, threads::RUN, |_, run| {
            run.iter_mut().for_each(|u| u.advance(&scene, next));
        });
        for unilateral in &self.unilateral.unilaterals {
            self.links.add_impulses(unilateral, |link| &mut link.rhs);
        }
    }

    /// Linearises the system at the motion reached, with the laws that `law` gives, and factors it.
    pub fn linearise(&mut self, context: &StepContext, law: impl FnMut(&Unilateral) -> law::Law) {
        let at = Configurations {
            first: &context.state.bodies,
            second: &self.next,
        };
        let dt = context.interval.dt;
        let parts = Parts {
            model: context.model,
            topology: &self.topology,
            links: &self.links,
            elimination: &self.elimination,
            loop_constraints: &self.loop_constraints,
            drives: &self.drives,
        };
        self.unilateral.fit(&parts);
        let UnilateralConstraints {
            unilaterals,
            systems,
            ..
        } = &mut self.unilateral;
        let Some(system) = systems.used_mut() else {
            return;
        };
        let before = self.stopwatch.enter(Phase::Assemble);
        system.assemble(&parts, &at, Mass::Interval { dt });
        system.laws.clear();
        system.laws.extend(unilaterals.iter().map(law));
        self.stopwatch.enter(Phase::Factor);
        system.factor(unilaterals);
        self.stopwatch.enter(before);
    }

    /// Replaces the right-hand sides of the laws, with the factors as they are.
    pub fn aim(&mut self, mut rhs: impl FnMut(usize, &Unilateral) -> Vec3) {
        let UnilateralConstraints {
            unilaterals,
            systems,
            ..
        } = &mut self.unilateral;
        let Some(system) = systems.used_mut() else {
            return;
        };
        for (k, (unilateral, law)) in unilaterals.iter().zip(&mut system.laws).enumerate() {
            law.rhs = rhs(k, unilateral);
        }
    }

    /// Solves for motions and changes of impulses to a relative accuracy; nothing moves yet. Returns whether the
    /// refinement settled.
    pub fn solve_unilaterals(&mut self, accuracy: f64) -> bool {
        let UnilateralConstraints {
            unilaterals,
            systems,
            ..
        } = &mut self.unilateral;
        let Some(system) = systems.used_mut() else {
            return false;
        };
        let before = self.stopwatch.enter(Phase::Solve);
        let settled = system.solve(unilaterals, accuracy);
        system.take(&self.topology, &mut self.links, &mut self.fronts);
        self.stopwatch.enter(before);
        settled
    }

    /// Change of a unilateral constraint's velocities by the last solve (m/s).
    pub fn unilateral_change(&self, unilateral: &Unilateral) -> Vec3 {
        let mut sum = Vec3::zeros();
        for (side, &link) in unilateral.links.iter().enumerate() {
            if link == WORLD {
                continue;
            }
            let motion = &self.links.links[link].motion;
            for (row, gradient) in unilateral.gradient[side][..unilateral.rows]
                .iter()
                .enumerate()
            {
                for k in 0..3 {
                    sum[row] +=
                        gradient[k] * motion.linear.0[k] + gradient[3 + k] * motion.angular.0[k];
                }
            }
        }
        sum
    }

    /// Largest change of an angular velocity that the last solve asks for (rad/s).
    pub fn largest_turn(&self) -> f64 {
        let turns = self
            .links
            .links
            .iter()
            .map(|l| l.motion.angular.to3().norm());
        turns.fold(0.0, f64::max)
    }

    /// Moves the links by `fraction` of the last solve and the impulses with them.
    pub fn move_unilaterals(&mut self, dt: f64, fraction: f64) -> Moved {
        for link in &mut self.links.links {
            for k in 0..3 {
                link.motion.linear.0[k] *= fraction;
                link.motion.angular.0[k] *= fraction;
            }
        }
        self.fronts.change.iter_mut().for_each(|c| *c *= fraction);
        for unilateral in &mut self.unilateral.unilaterals {
            for row in 0..unilateral.rows {
                unilateral.change[row] *= fraction;
                unilateral.impulse[row] += unilateral.change[row];
            }
        }
        drives::follow_motions(&mut self.drives, &self.links, fraction);
        let moved = sweeps::follow(self.fused, &mut self.links, dt);
        self.loop_constraints.change(&self.fronts);
        moved
    }

    /// Takes back part of the last move: `fraction` of it, from 0 to 1.
    pub fn backtrack_unilaterals(&mut self, dt: f64, fraction: f64) -> Moved {
        for unilateral in &mut self.unilateral.unilaterals {
            for row in 0..unilateral.rows {
                unilateral.impulse[row] -= fraction * unilateral.change[row];
            }
        }
        self.backtrack(dt, fraction)
    }

    /// Sets out with the momenta that the interval should have if nothing were in the way, as far as the discrete
    /// rotation holds them.
    pub fn predict_free(&mut self, dt: f64) -> Moved {
        motion::predict_free(&mut self.links, dt);
        self.advance(dt)
    }
}
