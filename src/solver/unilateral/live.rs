//! Velocities at a knot of many free bodies that touch, by the sweeps that solve their [steps](super::linearised).

use super::super::MechanismSolver;
use super::super::elimination::{self, Mass};
use super::super::fronts::six;
use super::super::links::Spatial;
use super::knot::{Reading, TAMINGS, overshoots};
use super::linearised::rows;
use super::{Unilateral, UnilateralConstraints};
use crate::math::Vec3;
use crate::math::lanes::{Plain, V4};
use crate::solver::coulomb::{Node, Options, Point};

/// Violation of the law that is asked for, relative to the speed of the step, and above which velocities are rough.
const VIOLATION: (f64, f64) = (1e-5, 1e-2);

impl MechanismSolver {
    /// Solves for the velocities of all bodies with the closed constraints of free ones.
    pub(super) fn settle_live(&mut self, knot: &mut UnilateralConstraints) -> Reading {
        let mut reading = Reading::default();
        for unilateral in &mut knot.unilaterals {
            unilateral.free = self.velocities(unilateral, |link| {
                let link = &self.links.links[link];
                let spin = link.inertia().try_inverse().unwrap_or_default();
                (
                    link.rhs.linear.to3() / link.mass,
                    spin * link.rhs.angular.to3(),
                )
            });
        }
        let speed = knot.unilaterals.first().map_or(0.0, |u| u.speed);
        let options = Options {
            tolerance: VIOLATION.0 * speed,
            ..Options::default()
        };
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
        for round in 1..=TAMINGS {
            problem.points.clear();
            problem.points.extend(knot.unilaterals.iter().map(|u| Point {
                bodies: u.links,
                rows: u.rows,
                force: u.force,
                gradient: u.gradient,
                free: [-u.rebound, 0.0, 0.0],
                impulse: u.impulse,
                mass: u.mass,
                friction: u.friction,
                speed: u.speed,
            }));
            let reports = problem.solve(&options);
            reading.rough = reports.iter().any(|r| !(r.violation <= VIOLATION.1 * speed));
            for (link, node) in self.links.links.iter_mut().zip(&problem.bodies) {
                let [x, y, z, a, b, c] = node.motion;
                link.motion = Spatial {
                    linear: V4([x, y, z, 0.0]),
                    angular: V4([a, b, c, 0.0]),
                };
            }
            for (unilateral, point) in knot.unilaterals.iter_mut().zip(&problem.points) {
                unilateral.velocity = self.velocities(unilateral, |link| {
                    let motion = &self.links.links[link].motion;
                    (motion.linear.to3(), motion.angular.to3())
                });
                unilateral.velocity[0] -= unilateral.rebound;
                unilateral.impulse = point.impulse;
            }
            let last = round + 1 >= TAMINGS;
            let (losses, again) = overshoots(&mut self.knot_islands, &mut knot.unilaterals, last);
            reading.losses = losses;
            if !again {
                break;
            }
        }
        reading
    }

    /// Velocities of the rows of a constraint at given velocities of links.
    fn velocities(
        &self,
        unilateral: &Unilateral,
        twist: impl Fn(usize) -> (Vec3, Vec3),
    ) -> [f64; 3] {
        let mut out = [0.0; 3];
        for (row, out) in out.iter_mut().enumerate().take(unilateral.rows) {
            *out = unilateral.rate(row, &twist);
        }
        out
    }
}
