//! What holds on one side only, contact points, joint limits and cables, as nodes of the Newton system
//! [Brüdigam2023 sect. 3.3-3.5].
//!
//! A [`Unit`] knows its rows at both ends of the interval, a law says how impulse and velocity change together, a
//! [`System`] solves for all units with the mechanism. Which law is taken is what tells the methods apart: the
//! pieces of a projection ([`law`]) for Newton's method, perturbed complementarity ([`interior`]) for the interior
//! point.

mod closed;
pub mod cone;
mod conic;
mod edges;
pub mod interior;
mod islands;
mod knot;
mod krylov;
pub mod law;
mod pair;
mod system;
#[cfg(test)]
mod tests;
mod unit;

pub use closed::{Scales, is_closed};
pub use cone::Section;
pub use interior::{Barrier, Interior};
pub use islands::Islands;
pub use knot::Reading;
pub use krylov::Krylov;
pub use unit::{Scene, Unit, What};

use super::blocks::{Blocks, Configurations, Parts};
use super::elimination::Mass;
use super::fronts::Fronts;
use super::links::Links;
use super::past;
use super::topology::{Topology, WORLD};
use super::{FrictionCone, Interval, MechanismSolver, Moved, motion, sweeps};
use crate::contact::Contact;
use crate::math::Vec3;
use crate::math::lanes::V4;
use crate::model::{BodyState, Model, State};
use crate::stopwatch::Phase;
use system::{System, Systems};

/// The units of an interval and their system.
#[derive(Debug, Clone, Default)]
pub struct OneSided {
    /// The units.
    pub units: Vec<Unit>,
    systems: Systems,
    pairs: Vec<(usize, usize)>,
    /// Impulses that a projection starts from.
    start: Vec<[f64; 3]>,
    /// Whether the units take part in what is solved.
    pub active: bool,
}

impl OneSided {
    /// The system into which the units are eliminated, once there was one.
    pub fn blocks(&self) -> Option<&Blocks> {
        self.systems.used().map(System::blocks)
    }
}

impl From<FrictionCone> for Section {
    fn from(cone: FrictionCone) -> Self {
        match cone {
            FrictionCone::Exact => Self::Disc,
            FrictionCone::Linearised(edges) => Self::Polygon(edges),
        }
    }
}

/// All bounds of joint coordinates and all cables of a model.
pub fn stops(model: &Model) -> impl Iterator<Item = What> {
    let limits = model.joints.iter().enumerate().flat_map(|(joint, data)| {
        let ranges = data.limits.iter().enumerate();
        ranges.flat_map(move |(limit, range)| {
            let bounds = [(false, range.lower), (true, range.upper)];
            bounds
                .into_iter()
                .filter(|(_, bound)| bound.is_finite())
                .map(move |(upper, _)| (joint, limit, upper))
        })
    });
    let first =
        |joint: usize| -> usize { model.joints[..joint].iter().map(|j| j.limits.len()).sum() };
    let cables = model.stops() - model.cables.len();
    limits
        .map(move |(joint, limit, upper)| What::Limit {
            joint,
            limit,
            stop: first(joint) + limit,
            upper,
        })
        .chain((0..model.cables.len()).map(move |cable| What::Cable {
            cable,
            stop: cables + cable,
        }))
}

/// What stands still while the units are solved for.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// The mechanism.
    pub model: &'a Model,
    /// The state at the first knot.
    pub state: &'a State,
    /// Contact points of the interval.
    pub contacts: &'a [Contact],
    /// The interval.
    pub interval: &'a Interval,
}

impl MechanismSolver {
    /// The units of the interval.
    pub fn units(&self) -> &[Unit] {
        &self.one_sided.units
    }

    /// The units of the interval, to change impulses, rebounds or laws.
    pub fn units_mut(&mut self) -> &mut [Unit] {
        &mut self.one_sided.units
    }

    /// Sets out again from stated values: the impulses of loops that the state gives, none of units. Whatever an
    /// attempt left behind, not a number perhaps, is gone.
    pub fn restart(&mut self, frame: &Frame) {
        let Frame {
            model,
            state,
            interval,
            ..
        } = *frame;
        self.closures
            .warm(model, &self.topology, state, interval.dt);
        for unit in &mut self.one_sided.units {
            unit.impulse = [0.0; 3];
            unit.change = [0.0; 3];
        }
    }

    /// What the impulses and velocities of a unit are compared with, where gravity gives bodies `speed` in a step.
    pub fn scales(&self, unit: &Unit, speed: f64) -> Scales {
        Scales::of_speed(unit.pace(&self.links, speed) + unit.impulse[0].abs())
    }

    /// Whether a unit is closed at the motion reached: its force is above the tolerance and its gap below.
    pub fn is_closed(&self, unit: &Unit, speed: f64) -> bool {
        let scales = self.scales(unit, speed);
        is_closed(unit.impulse[0], unit.velocity[0], scales)
    }

    /// Takes the islands of the interval, with what contacts took from each body in the one before [J], to book in
    /// them. Give them back with [`keep_islands`](Self::keep_islands).
    pub fn gather_islands(&mut self, state: &State, speed: f64) -> Islands {
        let mut islands = std::mem::take(&mut self.islands);
        let units = self.one_sided.units.iter();
        let closed = units.filter(|u| self.is_closed(u, speed)).map(|u| u.links);
        islands.gather(closed, |link| {
            let link = &self.links.links[link];
            let taken = past::loss(state, link.body);
            let [motion, pull] = link.energies(&state.bodies[link.body].velocity);
            [taken, motion, pull]
        });
        islands
    }

    /// Keeps the islands of the interval.
    pub fn keep_islands(&mut self, islands: Islands) {
        self.islands = islands;
    }

    /// Whether the contacts of any island give or take energy that is not there.
    pub fn islands_impossible(&self) -> bool {
        self.islands.are_impossible()
    }

    /// The factor by which the rebounds of a body's island must be slowed down; `None` where they return no more than
    /// contacts took.
    pub fn slower(&self, body: usize) -> Option<f64> {
        self.islands.slower([self.topology.links[body], WORLD])
    }

    /// The bodies of a unit.
    pub fn bodies(&self, unit: &Unit) -> impl Iterator<Item = usize> {
        let links = unit.links.into_iter().filter(|&link| link != WORLD);
        links.map(|link| self.links.links[link].body)
    }

    /// Takes no units: the mechanism moves as if nothing were in its way.
    pub fn release_units(&mut self) {
        self.one_sided.units.clear();
        self.one_sided.active = false;
    }

    /// Makes units of `what` at the first knot. Call after [`begin`](Self::begin).
    pub fn take_units(&mut self, frame: &Frame, what: &[What]) {
        let scene = Scene {
            model: frame.model,
            topology: &self.topology,
            links: &self.links,
            contacts: frame.contacts,
            first: &frame.state.bodies,
            angles: &frame.state.angles,
            scale: &self.scale,
            dt: frame.interval.dt,
        };
        let one_sided = &mut self.one_sided;
        one_sided.units.clear();
        one_sided
            .units
            .extend(what.iter().map(|&w| Unit::new(w, &scene)));
        one_sided.active = !what.is_empty();
        system::pairs(&one_sided.units, &mut one_sided.pairs);
        let parts = Parts {
            model: frame.model,
            topology: &self.topology,
            links: &self.links,
            elimination: &self.elimination,
            closures: &self.closures,
            drives: &self.drives,
        };
        one_sided.systems.fit(&parts, &one_sided.pairs);
        if self.next.is_empty() {
            self.next.extend_from_slice(&frame.state.bodies);
        }
    }

    /// What makes the gap of a stop a length [m], and the length with which it is compared [m].
    pub fn measures(&self, frame: &Frame, what: What) -> (f64, f64) {
        let scene = self.scene(frame);
        (unit::lever(what, &scene), unit::size(what, &scene))
    }

    /// Gap of what need be no unit, at the first knot or at the second [m], an angle at the length of its joint.
    pub fn gap(&self, frame: &Frame, what: What, second: bool) -> f64 {
        let bodies = if second {
            &self.next
        } else {
            &frame.state.bodies
        };
        Unit::gap_of(what, &self.scene(frame), bodies)
    }

    fn scene<'a>(&'a self, frame: &Frame<'a>) -> Scene<'a> {
        Scene {
            model: frame.model,
            topology: &self.topology,
            links: &self.links,
            contacts: frame.contacts,
            first: &frame.state.bodies,
            angles: &frame.state.angles,
            scale: &self.scale,
            dt: frame.interval.dt,
        }
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

    /// Velocity of a row of a unit over the interval before, or over this one [m/s], with its rows at the
    /// first knot.
    pub fn unit_rate(&self, unit: &Unit, row: usize, before: Option<&State>, dt: f64) -> f64 {
        unit.rate(row, |link| {
            let link = &self.links.links[link];
            match before {
                Some(state) => {
                    let twist = &state.bodies[link.body].velocity;
                    (twist.linear, twist.angular)
                }
                None => (link.velocity.to3(), link.half_turn.to3() * (2.0 / dt)),
            }
        })
    }

    /// Moves the units with the links, and adds their impulses to the links' imbalance.
    pub(super) fn advance_units(&mut self, frame: &Frame) {
        if !self.one_sided.active {
            return;
        }
        let scene = Scene {
            model: frame.model,
            topology: &self.topology,
            links: &self.links,
            contacts: frame.contacts,
            first: &frame.state.bodies,
            angles: &frame.state.angles,
            scale: &self.scale,
            dt: frame.interval.dt,
        };
        for unit in &mut self.one_sided.units {
            unit.advance(&scene, &self.next);
        }
        for unit in &self.one_sided.units {
            for (side, &link) in unit.links.iter().enumerate() {
                if link == WORLD {
                    continue;
                }
                let rhs = &mut self.links.links[link].rhs;
                for (row, force) in unit.force[side][..unit.rows].iter().enumerate() {
                    let impulse = unit.impulse[row] * unit.mass;
                    for k in 0..3 {
                        rhs.linear.0[k] += force[k] * impulse;
                        rhs.angular.0[k] += force[3 + k] * impulse;
                    }
                }
            }
        }
    }

    /// Linearises the system at the motion reached, with the laws that `law` gives, and factors it.
    pub fn linearise(&mut self, frame: &Frame, law: impl FnMut(&Unit) -> law::Law) {
        let at = Configurations {
            first: &frame.state.bodies,
            second: &self.next,
        };
        let dt = frame.interval.dt;
        let parts = Parts {
            model: frame.model,
            topology: &self.topology,
            links: &self.links,
            elimination: &self.elimination,
            closures: &self.closures,
            drives: &self.drives,
        };
        let OneSided { units, systems, .. } = &mut self.one_sided;
        let Some(system) = systems.used_mut() else {
            return;
        };
        let before = self.stopwatch.enter(Phase::Assemble);
        system.assemble(&parts, &at, Mass::Interval { dt }, frame.interval.share);
        system.laws.clear();
        system.laws.extend(units.iter().map(law));
        self.stopwatch.enter(Phase::Factor);
        system.factor(units);
        self.stopwatch.enter(before);
    }

    /// Replaces the right-hand sides of the laws, with the factors as they are.
    pub fn aim(&mut self, mut rhs: impl FnMut(usize, &Unit) -> Vec3) {
        let OneSided { units, systems, .. } = &mut self.one_sided;
        let Some(system) = systems.used_mut() else {
            return;
        };
        for (k, (unit, law)) in units.iter().zip(&mut system.laws).enumerate() {
            law.rhs = rhs(k, unit);
        }
    }

    /// Solves for motions and changes of impulses to a relative accuracy; nothing moves yet. Returns whether the
    /// refinement settled.
    pub fn solve_units(&mut self, accuracy: f64) -> bool {
        let OneSided { units, systems, .. } = &mut self.one_sided;
        let Some(system) = systems.used_mut() else {
            return false;
        };
        let before = self.stopwatch.enter(Phase::Solve);
        let settled = system.solve(units, accuracy);
        system.take(&self.topology, &mut self.links, &mut self.fronts);
        self.stopwatch.enter(before);
        settled
    }

    /// Change of a unit's velocities by the last solve [m/s].
    pub fn unit_change(&self, unit: &Unit) -> Vec3 {
        let mut sum = Vec3::zeros();
        for (side, &link) in unit.links.iter().enumerate() {
            if link == WORLD {
                continue;
            }
            let motion = &self.links.links[link].motion;
            for (row, gradient) in unit.gradient[side][..unit.rows].iter().enumerate() {
                for k in 0..3 {
                    sum[row] +=
                        gradient[k] * motion.linear.0[k] + gradient[3 + k] * motion.angular.0[k];
                }
            }
        }
        sum
    }

    /// Largest change of an angular velocity that the last solve asks for [rad/s].
    pub fn largest_turn(&self) -> f64 {
        let turns = self
            .links
            .links
            .iter()
            .map(|l| l.motion.angular.to3().norm());
        turns.fold(0.0, f64::max)
    }

    /// Moves the links by `fraction` of the last solve and the impulses with them.
    pub fn move_units(&mut self, dt: f64, fraction: f64) -> Moved {
        for link in &mut self.links.links {
            for k in 0..3 {
                link.motion.linear.0[k] *= fraction;
                link.motion.angular.0[k] *= fraction;
            }
        }
        self.fronts.change.iter_mut().for_each(|c| *c *= fraction);
        for unit in &mut self.one_sided.units {
            for row in 0..unit.rows {
                unit.change[row] *= fraction;
                unit.impulse[row] += unit.change[row];
            }
        }
        let moved = sweeps::follow(self.fused, &mut self.links, dt);
        self.closures.change(&self.fronts);
        moved
    }

    /// Takes back part of the last move: `fraction` of it, from 0 to 1.
    pub fn retreat_units(&mut self, dt: f64, fraction: f64) -> Moved {
        for unit in &mut self.one_sided.units {
            for row in 0..unit.rows {
                unit.impulse[row] -= fraction * unit.change[row];
            }
        }
        self.retreat(dt, fraction)
    }

    /// Notes the motion and impulses reached, to come back to them.
    pub fn mark(&self, mark: &mut Mark) {
        mark.links.clear();
        let links = &self.links.links;
        mark.links
            .extend(links.iter().map(|l| (l.velocity, l.half_turn)));
        mark.impulses.clear();
        mark.impulses
            .extend(self.one_sided.units.iter().map(|u| u.impulse));
        mark.closures.clone_from(&self.closures.impulse);
    }

    /// Goes back to a motion and impulses noted before.
    pub fn go_back(&mut self, mark: &Mark, dt: f64) -> Moved {
        for (link, (v, u)) in self.links.links.iter_mut().zip(&mark.links) {
            link.velocity = *v;
            link.half_turn = *u;
        }
        for (unit, impulse) in self.one_sided.units.iter_mut().zip(&mark.impulses) {
            unit.impulse = *impulse;
        }
        self.closures.impulse.clone_from(&mark.closures);
        self.advance(dt)
    }

    /// Sets out with the momenta that the interval should have if nothing were in the way, as far as the discrete
    /// rotation holds them.
    pub fn set_out_free(&mut self, dt: f64) -> Moved {
        motion::set_out_free(&mut self.links, dt);
        self.advance(dt)
    }
}

/// A motion and its impulses, noted to come back to.
#[derive(Debug, Clone, Default)]
pub struct Mark {
    links: Vec<(V4, V4)>,
    impulses: Vec<[f64; 3]>,
    closures: Vec<f64>,
}
