//! The interval's unilateral constraints on free bodies as a [linearised problem](coulomb) at the motion reached. Its
//! unknowns are changes of velocity: the displacement at the second knot over the step.

use super::super::MechanismSolver;
use super::super::elimination::{self, Mass};
use super::super::fronts::six;
use super::super::links::{Link, Spatial};
use super::super::topology::WORLD;
use super::{Moved, Unilateral, law, sweeps};
use crate::math::Vec3;
use crate::math::lanes::{Plain, V4};
use crate::model::State;
use crate::solver::coulomb::{Node, Options, Point, Problem};
use crate::solver::{ConeSection, worse};
use crate::threads;
use nalgebra::{Matrix6, Vector6};

/// Which islands a problem holds, and where its bodies and points are in the interval.
#[derive(Debug, Clone, Default)]
pub struct Linearised {
    /// The problem.
    pub problem: Problem,
    /// Island of every link; [`NONE`] for those that nothing touches.
    island: Vec<u32>,
    /// Link of every body of the problem.
    links: Vec<u32>,
    /// Body of the problem of every link.
    nodes: Vec<u32>,
    /// Unilateral constraint of every point of the problem.
    points: Vec<u32>,
    /// Number of islands.
    count: usize,
    /// Islands whose last solution ended with its budget, or nowhere.
    capped: Vec<bool>,
}

/// Part of an impulse's effect on its own point that it must have on the gap: with less, or with another sign, the
/// linearised problem says little, and may have no solution.
const SKEWED: f64 = 0.5;

/// No island, no body.
const NONE: u32 = u32::MAX;

/// Part of the points of an island that press and may move though all is [still](Activity::is_still): where hundreds of blocks stand, one or
/// two of a thousand slip for a moment.
const ASTIR: f64 = 2e-3;

/// How an island moved in the interval before.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Activity {
    /// The fastest that a body was, turns as they move what is as far from its middle as its mass (m/s).
    pub fastest: f64,
    /// Points that press.
    pressing: u32,
    /// Those of them at which bodies moved past, from or towards each other.
    moving: u32,
}

impl Activity {
    /// Whether bodies hardly moved at the points at which they press, wherever all of them went together. Where nothing pressed yet it is
    /// so, too: rows of blocks that land on each other stick from the first.
    pub fn is_still(&self) -> bool {
        f64::from(self.moving) <= ASTIR * f64::from(self.pressing)
    }
}

/// How far an island is from its solution.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Distance {
    /// Largest violation of a contact law, normal and tangential (m/s).
    pub violation: [f64; 2],
    /// Largest unbalanced momentum of a body as its velocity (m/s).
    pub imbalance: f64,
    /// Root of the sum of squares of all of them (m/s).
    pub norm: f64,
}

impl Distance {
    /// Whether no law is violated by more than this, normal and tangential (m/s).
    pub fn is_within(&self, most: [f64; 2]) -> bool {
        self.violation[0] <= most[0] && self.violation[1] <= most[1]
    }
}

impl Linearised {
    /// Number of islands.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Solves the problem, every island with options of its own; returns the work.
    pub fn solve(&mut self, options: impl Fn(usize) -> Options + Sync) -> f64 {
        let (links, island) = (&self.links, &self.island);
        let of = |body: usize| island[links[body] as usize] as usize;
        let reports = self.problem.solve_each(|body| options(of(body)));
        self.capped.clear();
        self.capped.resize(self.count, false);
        for report in reports {
            self.capped[of(report.body)] = report.capped;
        }
        reports.iter().map(|report| report.work).sum()
    }

    /// Whether the last solution of an island ended with its budget, or nowhere.
    pub fn is_capped(&self, island: usize) -> bool {
        self.capped[island]
    }

    /// The island of a link; `None` where nothing touches it.
    pub fn island_of_link(&self, link: usize) -> Option<usize> {
        let island = self.island[link];
        (island != NONE).then_some(island as usize)
    }

    /// The island of a unilateral constraint.
    pub fn island_of(&self, unilateral: &Unilateral) -> Option<usize> {
        let link = unilateral.links.into_iter().find(|&l| l != WORLD)?;
        Some(self.island[link] as usize)
    }
}

impl MechanismSolver {
    /// Whether all bodies are free but for contact, cables and the mouse, so that [`Linearised`] holds all there is.
    pub fn is_loose(&self) -> bool {
        self.links.links.iter().all(|link| link.alone)
    }

    /// Finds the islands of the unilateral constraints taken in an interval of `dt` and writes their problem down, in which those
    /// are idle that do not push and open faster than `open` (m/s).
    pub fn part(&self, into: &mut Linearised, dt: f64, open: f64) {
        self.gather_where(into, dt, open, |_| true);
        into.count = into.problem.part();
        into.island.clear();
        into.island.resize(self.links.links.len(), NONE);
        for k in 0..into.count {
            for &body in into.problem.island(k).0 {
                into.island[into.links[body as usize] as usize] = k as u32;
            }
        }
    }

    /// Writes the problem of those islands down that are `wanted`, at the motion reached, after what is unbalanced there
    /// was evaluated. Those are idle that do not push and open faster than `open` (m/s).
    pub fn gather(
        &self,
        into: &mut Linearised,
        dt: f64,
        open: f64,
        wanted: impl Fn(usize) -> bool,
    ) {
        let island = std::mem::take(&mut into.island);
        self.gather_where(into, dt, open, |link| {
            island[link] != NONE && wanted(island[link] as usize)
        });
        into.island = island;
    }

    fn gather_where(
        &self,
        into: &mut Linearised,
        dt: f64,
        open: f64,
        wanted: impl Fn(usize) -> bool,
    ) {
        let mass = Mass::Interval { dt };
        into.problem.bodies.clear();
        into.links.clear();
        into.points.clear();
        into.nodes.clear();
        into.nodes.resize(self.links.links.len(), NONE);
        for (k, link) in self.links.links.iter().enumerate() {
            if !link.held || !wanted(k) {
                continue;
            }
            into.nodes[k] = into.links.len() as u32;
            into.links.push(k as u32);
            let extra = self.elimination.extra.as_ref();
            let block = body(link, mass, extra.filter(|(at, _)| *at == k));
            into.problem.bodies.push(Node {
                matrix: rows(&block, dt),
                rhs: six(&link.rhs),
                motion: [0.0; 6],
            });
        }
        for (k, unilateral) in self.unilateral.unilaterals.iter().enumerate() {
            let place = |link: usize| match link {
                WORLD => Some(WORLD),
                link => (into.nodes[link] != NONE).then(|| into.nodes[link] as usize),
            };
            let [Some(a), Some(b)] = unilateral.links.map(place) else {
                continue;
            };
            // Filled where it stays, over what was there: it is large.
            let points = &mut into.problem.points;
            if points.len() == into.points.len() {
                points.push(Point::default());
            }
            let point = &mut points[into.points.len()];
            point.bodies = [a, b];
            point.idle = unilateral.impulse[0] == 0.0 && unilateral.velocity[0] > open;
            // That of an idle one, which nothing else is filled in of.
            point.impulse = [0.0; 3];
            into.points.push(k as u32);
        }
        into.problem.points.truncate(into.points.len());
        let (places, unilaterals) = (&into.points, &self.unilateral.unilaterals);
        let points = &mut into.problem.points[..];
        threads::runs(points, threads::RUN, |first, run| {
            for (point, &k) in run.iter_mut().zip(&places[first..]) {
                if !point.idle {
                    fill(point, &unilaterals[k as usize], dt);
                }
            }
        });
        // The impulses at hand are in what is unbalanced: without points they are not there.
        for point in into.problem.points.iter().filter(|point| !point.idle) {
            for (side, &body) in point.bodies.iter().enumerate() {
                if body == WORLD {
                    continue;
                }
                let rhs = &mut into.problem.bodies[body].rhs;
                for row in 0..point.rows {
                    let impulse = point.impulse[row] * point.mass;
                    let force = &point.force[side][row];
                    rhs.iter_mut()
                        .zip(force)
                        .for_each(|(b, f)| *b -= f * impulse);
                }
            }
        }
    }

    /// Takes the motions and impulses of a solution over, of each island `part` of the change, and moves.
    pub fn follow(&mut self, from: &Linearised, dt: f64, part: impl Fn(usize) -> f64) -> Moved {
        for link in &mut self.links.links {
            link.motion = Spatial::default();
        }
        self.fronts.change.fill(0.0);
        for (node, &link) in from.problem.bodies.iter().zip(&from.links) {
            let part = dt * part(from.island[link as usize] as usize);
            let [x, y, z, a, b, c] = node.motion.map(|x| x * part);
            let motion = &mut self.links.links[link as usize].motion;
            *motion = Spatial {
                linear: V4([x, y, z, 0.0]),
                angular: V4([a, b, c, 0.0]),
            };
        }
        let unilaterals = &mut self.unilateral.unilaterals;
        unilaterals.iter_mut().for_each(|u| u.change = [0.0; 3]);
        for (point, &k) in from.problem.points.iter().zip(&from.points) {
            let unilateral = &mut unilaterals[k as usize];
            let Some(island) = from.island_of(unilateral) else {
                continue;
            };
            for row in 0..unilateral.rows {
                let change = point.impulse[row] - unilateral.impulse[row];
                unilateral.change[row] = part(island) * change;
                unilateral.impulse[row] += unilateral.change[row];
            }
        }
        sweeps::follow(self.fused, &mut self.links, dt)
    }

    /// Moves every body of those islands that are `wanted` so that its momentum is what the impulses at hand make of it.
    pub fn balance(&mut self, of: &Linearised, dt: f64, wanted: impl Fn(usize) -> bool) -> Moved {
        let mass = Mass::Interval { dt };
        let extra = self.elimination.extra.as_ref();
        for (k, link) in self.links.links.iter_mut().enumerate() {
            link.motion = Spatial::default();
            let island = of.island[k];
            if island == NONE || !wanted(island as usize) {
                continue;
            }
            let matrix = rows(&body(link, mass, extra.filter(|(at, _)| *at == k)), 1.0);
            let matrix = Matrix6::from_fn(|r, c| matrix[r][c]);
            let motion = matrix.lu().solve(&Vector6::from(six(&link.rhs)));
            if let Some(x) = motion {
                link.motion = Spatial {
                    linear: V4([x[0], x[1], x[2], 0.0]),
                    angular: V4([x[3], x[4], x[5], 0.0]),
                };
            }
        }
        self.fronts.change.fill(0.0);
        sweeps::follow(self.fused, &mut self.links, dt)
    }

    /// Takes `part` of the last change of each island back.
    pub fn take_back(&mut self, of: &Linearised, dt: f64, part: impl Fn(usize) -> f64) -> Moved {
        for (link, &island) in self.links.links.iter_mut().zip(&of.island) {
            if island == NONE {
                continue;
            }
            let part = part(island as usize);
            for k in 0..3 {
                link.velocity.0[k] -= part * link.change.linear.0[k];
                link.half_angle_sine.0[k] -= part * link.change.angular.0[k];
                link.change.linear.0[k] *= 1.0 - part;
                link.change.angular.0[k] *= 1.0 - part;
            }
        }
        for unilateral in &mut self.unilateral.unilaterals {
            let Some(island) = of.island_of(unilateral) else {
                continue;
            };
            let part = part(island);
            for row in 0..unilateral.rows {
                unilateral.impulse[row] -= part * unilateral.change[row];
                unilateral.change[row] *= 1.0 - part;
            }
        }
        self.advance(dt)
    }

    /// Whether a normal impulse hardly moves the gap that it answers for, because it acts at other points at the first
    /// knot than those that are nearest at the second.
    pub fn is_skewed(&self, unilateral: &Unilateral, dt: f64) -> bool {
        let (mut own, mut crossed) = (0.0, 0.0);
        for (side, &link) in unilateral.links.iter().enumerate() {
            if link == WORLD {
                continue;
            }
            let link = &self.links.links[link];
            let (f, g) = (&unilateral.force[side][0], &unilateral.gradient[side][0]);
            let over = 1.0 / (link.gyration * link.gyration);
            for k in 0..6 {
                let weight = if k < 3 { 1.0 } else { over } / link.mass;
                own += weight * f[k] * f[k];
                crossed += weight * f[k] * g[k] * dt;
            }
        }
        // Written so that what is not a number is none.
        crossed < SKEWED * own
    }

    /// The widest turn that a solution asks of a body of each island (rad).
    pub fn turns(&self, from: &Linearised, dt: f64, out: &mut [f64]) {
        out.fill(0.0);
        for (node, &link) in from.problem.bodies.iter().zip(&from.links) {
            let [.., a, b, c] = node.motion;
            let turn = &mut out[from.island[link as usize] as usize];
            *turn = worse(*turn, dt.abs() * (a * a + b * b + c * c).sqrt());
        }
    }

    /// How each island moved in the interval before, where bodies move at a point that do faster than `least` (m/s).
    pub fn activities(&self, of: &Linearised, state: &State, least: f64, out: &mut Vec<Activity>) {
        out.clear();
        out.resize(of.count, Activity::default());
        for (link, &island) in self.links.links.iter().zip(&of.island) {
            if island == NONE {
                continue;
            }
            let velocity = &state.bodies[link.body].velocity;
            let turn = velocity.angular.norm() * link.gyration;
            let fastest = &mut out[island as usize].fastest;
            *fastest = worse(*fastest, velocity.linear.norm().hypot(turn));
        }
        let velocity = |link: usize| state.bodies[self.links.links[link].body].velocity;
        let all = self.unilateral.unilaterals.iter();
        for unilateral in all.filter(|unilateral| unilateral.impulse[0] > 0.0) {
            if let Some(island) = of.island_of(unilateral) {
                let activity = &mut out[island];
                activity.pressing += 1;
                activity.moving += u32::from(Vec3::from(unilateral.rates(velocity)).norm() > least);
            }
        }
    }

    /// How far each island is from its solution, after what is unbalanced was evaluated.
    pub fn distances(&self, of: &Linearised, out: &mut Vec<Distance>) {
        out.clear();
        out.resize(of.count, Distance::default());
        for (link, &island) in self.links.links.iter().zip(&of.island) {
            if island == NONE {
                continue;
            }
            let distance = &mut out[island as usize];
            let linear = link.rhs.linear.to3().norm() / link.mass;
            let angular = link.rhs.angular.to3().norm() / (link.mass * link.gyration);
            let imbalance = linear.hypot(angular);
            distance.imbalance = worse(distance.imbalance, imbalance);
            distance.norm += imbalance * imbalance;
        }
        for unilateral in &self.unilateral.unilaterals {
            let Some(island) = of.island_of(unilateral) else {
                continue;
            };
            let distance = &mut out[island];
            let found = law::violation(unilateral, ConeSection::Disc);
            for (worst, found) in distance.violation.iter_mut().zip(found) {
                *worst = worse(*worst, found);
                distance.norm += found * found;
            }
        }
        for distance in out {
            distance.norm = distance.norm.sqrt();
        }
    }
}

/// Fills a point in with what a unilateral constraint is at the motion reached.
fn fill(point: &mut Point, unilateral: &Unilateral, dt: f64) {
    point.rows = unilateral.rows;
    point.force = unilateral.force;
    for (to, from) in point.gradient.iter_mut().zip(&unilateral.gradient) {
        for (to, from) in to.iter_mut().zip(from) {
            to.iter_mut()
                .zip(from)
                .for_each(|(to, from)| *to = from * dt);
        }
    }
    point.free = unilateral.velocity;
    point.impulse = unilateral.impulse;
    point.compliance = [unilateral.gives; 3];
    point.mass = unilateral.mass;
    point.friction = unilateral.friction;
    point.speed = unilateral.speed;
}

/// The matrix of a body with what is added to it.
fn body(
    link: &Link,
    mass: Mass,
    extra: Option<&(usize, elimination::Block)>,
) -> elimination::Block {
    let mut block = elimination::body_block::<Plain>(link, mass);
    if let Some((_, extra)) = extra {
        for (b, e) in block.iter_mut().zip(extra) {
            b.0.iter_mut().zip(e.0).for_each(|(b, e)| *b += e);
        }
    }
    block
}

/// A block of vector lanes row by row, times a factor.
pub(super) fn rows(block: &elimination::Block, factor: f64) -> [[f64; 6]; 6] {
    let mut matrix = [[0.0; 6]; 6];
    for column in 0..6 {
        let base = if column < 3 { column } else { 3 + column };
        for row in 0..3 {
            matrix[row][column] = block[base].0[row] * factor;
            matrix[3 + row][column] = block[base + 3].0[row] * factor;
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::Activity;

    #[test]
    fn an_island_is_still_while_one_point_of_five_hundred_moves_however_fast_it_goes() {
        for (pressing, moving, still) in [
            (0, 0, true),
            (499, 1, false),
            (500, 1, true),
            (999, 2, false),
        ] {
            let activity = Activity {
                fastest: 10.0,
                pressing,
                moving,
            };
            assert_eq!(activity.is_still(), still, "{activity:?}");
        }
    }
}
