//! Velocities at a knot of free bodies that touch, by the sweeps that solve their [steps](super::linearised).

use super::super::MechanismSolver;
use super::super::elimination::{self, Mass};
use super::super::fronts::six;
use super::super::links::Spatial;
use super::knot::{Reading, TAMINGS, overshoots};
use super::linearised::rows;
use super::{ConeSection, Unilateral, UnilateralConstraints, law};
use crate::math::lanes::{Plain, V4};
use crate::model::Twist;
use crate::solver::coulomb::{Node, Options, Point};
use crate::solver::worse;

/// How well velocities are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim {
    /// Violation of the law that is asked for, relative to the speed of the step.
    asked: f64,
    /// Violation above which the velocities are rough.
    rough: f64,
    /// Violation above which they are not taken.
    taken: f64,
    /// Work, in visits of every point.
    visits: f64,
    /// Work, in visits of every point, after which a larger violation is accepted, and that violation, relative to the speed of
    /// the step.
    patience: (f64, f64),
    /// [Short](Options::short) cycles.
    short: u32,
}

/// Of many bodies, in steps that are solved live.
pub(super) const LIVE: Aim = Aim {
    asked: 5e-4,
    rough: 1e-2,
    taken: f64::INFINITY,
    visits: 500.0,
    patience: (100.0, 5e-3),
    short: 6,
};

/// Of few, whose velocities follow the law better than those of their intervals, but not to rounding, so that what lies still is read
/// at once from what carried it there; what sweeps do not bring there is left to Newton's method.
pub(super) const EXACT: Aim = Aim {
    asked: 3e-12,
    rough: 1e-9,
    taken: 1e-9,
    visits: 400.0,
    patience: (f64::INFINITY, 0.0),
    short: 0,
};

/// Of few that neither sweeps nor Newton's method read as well as that.
pub(super) const CLOSE: Aim = Aim {
    asked: 1e-6,
    taken: f64::INFINITY,
    visits: 1000.0,
    patience: (f64::INFINITY, 0.0),
    ..LIVE
};

/// Sweeps before Newton's method: it starts from what carried the bodies in the interval before, and few points change.
const SWEEPS: u32 = 5;

impl MechanismSolver {
    /// Solves for the velocities of all bodies with the closed constraints of free ones; `None`, with the impulses as
    /// they were, where they do not follow the law well enough.
    pub(super) fn settle_free(
        &mut self,
        knot: &mut UnilateralConstraints,
        aim: Aim,
    ) -> Option<Reading> {
        let mut reading = Reading::default();
        knot.start.clear();
        knot.start
            .extend(knot.unilaterals.iter().map(|u| u.impulse));
        self.press_half(knot);
        let speed = knot.unilaterals.first().map_or(0.0, |u| u.speed);
        let points = knot.unilaterals.len() as f64;
        let (visits, close) = aim.patience;
        let options = Options {
            tolerance: aim.asked * speed,
            budget: aim.visits * points,
            patience: (visits * points, close * speed),
            short: aim.short,
            sweeps: SWEEPS,
            ..Options::default()
        };
        self.read_rates(&mut knot.unilaterals);
        let mut first = 1;
        let unilaterals = knot.unilaterals.iter();
        let violations = unilaterals.flat_map(|u| law::violation(u, ConeSection::Disc));
        if violations.fold(0.0, worse) <= options.tolerance {
            if let Some(reading) = self.read_lawful(knot) {
                return Some(reading);
            }
            first += 1;
        }
        let problem = &mut knot.problem;
        problem.clear();
        problem.bodies.extend(self.links.links.iter().map(|link| {
            let block = elimination::body_block::<Plain>(link, Mass::Knot);
            Node {
                matrix: rows(&block, 1.0),
                rhs: six(&link.rhs),
                motion: [0.0; 6],
            }
        }));
        for round in first..=TAMINGS {
            problem.points.clear();
            problem
                .points
                .extend(knot.unilaterals.iter().map(|u| Point {
                    bodies: u.links,
                    rows: u.rows,
                    force: u.force,
                    gradient: u.force,
                    free: [-u.rebound, 0.0, 0.0],
                    impulse: u.impulse,
                    compliance: [0.0; 3],
                    mass: u.mass,
                    friction: u.friction,
                    speed: u.speed,
                    idle: false,
                }));
            let reports = problem.solve(&options);
            let left = reports.iter().fold(0.0, |m, r| worse(m, r.violation));
            reading.rough = left > aim.rough * speed;
            if left > aim.taken * speed || left.is_nan() {
                for (unilateral, start) in knot.unilaterals.iter_mut().zip(&knot.start) {
                    unilateral.impulse = *start;
                }
                return None;
            }
            for (link, node) in self.links.links.iter_mut().zip(&problem.bodies) {
                let [x, y, z, a, b, c] = node.motion;
                link.motion = Spatial {
                    linear: V4([x, y, z, 0.0]),
                    angular: V4([a, b, c, 0.0]),
                };
            }
            for (unilateral, point) in knot.unilaterals.iter_mut().zip(&problem.points) {
                unilateral.impulse = point.impulse;
            }
            self.read_rates(&mut knot.unilaterals);
            let last = round + 1 >= TAMINGS;
            let (losses, again) = overshoots(&mut self.knot_islands, &mut knot.unilaterals, last);
            reading.losses = losses;
            if !again {
                break;
            }
        }
        Some(reading)
    }

    /// Moves the links as the impulses at hand have them, and notes the velocities of the constraints without any.
    fn press_half(&mut self, knot: &mut UnilateralConstraints) {
        for link in &mut self.links.links {
            link.motion = link.rhs;
        }
        for unilateral in &knot.unilaterals {
            self.links.add_impulses(unilateral, |link| &mut link.motion);
        }
        knot.free.clear();
        for k in 0..self.links.links.len() {
            let inverse = self.links.inverse_inertia(k);
            let link = &mut self.links.links[k];
            let momenta = [link.rhs, link.motion];
            let angular = momenta.map(|m| inverse * m.angular.to3());
            let [free, moved] = [0, 1].map(|k| Twist {
                linear: momenta[k].linear.to3() / link.mass,
                angular: angular[k],
            });
            knot.free.push(free);
            link.motion = Spatial {
                linear: V4::from3(&moved.linear),
                angular: V4::from3(&moved.angular),
            };
        }
        for unilateral in &mut knot.unilaterals {
            unilateral.free = unilateral.rates(|link| knot.free[link]);
        }
    }

    /// Reads the velocities of the constraints from the motions of the links.
    pub(super) fn read_rates(&self, unilaterals: &mut [Unilateral]) {
        for unilateral in unilaterals {
            unilateral.velocity = unilateral.rates(|link| self.links.links[link].motion.twist());
            unilateral.velocity[0] -= unilateral.rebound;
        }
    }
}
