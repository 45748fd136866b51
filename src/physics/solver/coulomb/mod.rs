//! The frictional contact problem of one interval, linearised, as plain data.
//!
//! Bodies `i` and points `p`, on one body or on two:
//! ```text
//!   A_i x_i = b_i + Σ m_p F_piᵀ r_p         A general, x the change of motion
//!   u_p = u0_p + Σ G_pi x_i + C_p r_p          C diagonal, not negative: what gives
//!   0 ≤ u_n ⊥ r_n ≥ 0,  |r_t| ≤ µ r_n,  r_t = -µ r_n u_t/|u_t| where it slides
//! ```
//! The law is that of [`law`](super::law), on the exact cone. It is solved by block Gauss-Seidel sweeps with the exact
//! solution of each point [Jourdan1998; Acary2018] and proximal steps of non-smooth Newton \[AlartCurnier1991], in
//! turns: sweeps find the pieces of the law, Newton removes the slow modes that sweeps leave. Where all lies still and Newton finds no
//! pieces, alternating directions (`alternation.rs`) take its place.
//!
//! Bodies that points join are an island, which is solved by itself: what happens in one changes no bit of another. The
//! result is a function of the problem, not of those solved before in the same room.

mod alternation;
mod assembly;
mod dense;
mod dissection;
mod eliminated;
mod island;
mod lists;
mod load;
mod local;
mod merge;
mod newton;
mod partition;
mod rooms;
mod sweep;
#[cfg(test)]
mod tests;
mod turns;

use super::topology::WORLD;
pub use dense::{Dense, DensePoint};
use partition::Partition;
use rooms::Rooms;

/// A body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// `A`: momentum by velocity (kg, kg·m, kg·m²), row by row.
    pub matrix: [[f64; 6]; 6],
    /// `b`: impulse without points (N·s, N·m·s).
    pub rhs: [f64; 6],
    /// `x`: change of motion, found by the solution (m/s, rad/s).
    pub motion: [f64; 6],
}

/// A point at which bodies push each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// The bodies, by index; [`WORLD`] where there is none.
    pub bodies: [usize; 2],
    /// Rows: 1, or 3 with friction.
    pub rows: usize,
    /// `F`: wrench on each body per unit impulse of a row (1, m).
    pub force: [[[f64; 6]; 3]; 2],
    /// `G`: derivative of a row's velocity by the change of motion of each body (1, m).
    pub gradient: [[[f64; 6]; 3]; 2],
    /// `u0`: velocities where no motion changes, rebound and floor in the normal one (m/s).
    pub free: [f64; 3],
    /// `r`: impulses over the effective mass; those to start from, then those found (m/s).
    pub impulse: [f64; 3],
    /// `C`: velocity by which each row gives per unit of its own impulse over the effective mass (1); that of both tangents
    /// is the same.
    pub compliance: [f64; 3],
    /// `m`: effective mass (kg).
    pub mass: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Speed with which the kink between open and closed is compared (m/s).
    pub speed: f64,
    /// It is left as it is: it joins its bodies in an island, and nothing else of it is looked at.
    pub idle: bool,
}

/// How well and for how long to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Largest violation of the law that is accepted (m/s).
    pub tolerance: f64,
    /// Violation down to which Newton's method goes on below the tolerance while it converges fast [m/s]: what lies at
    /// rest, whose pieces are known, is solved to rounding for a step or two.
    pub fine: f64,
    /// Whether all may be at rest, so that it pays to get below the tolerance slowly: what is gained is there in all steps to
    /// come.
    pub patient: bool,
    /// Whether bodies lie still on each other, so that most points stick: what the budget leaves too little for Newton's steps to solve is then left to
    /// alternating directions.
    pub still: bool,
    /// Sweeps before the first step of Newton's method: some forty from afar, a few near a solution.
    pub sweeps: u32,
    /// Cycles at first that are short, each of which goes on from wherever its steps end: sweeps mend what a step into other pieces
    /// upset at few points, at less work than more steps. What these cycles do not solve begins again from the best of them.
    pub short: u32,
    /// Work after which an island is left as it is, counted in visits of points; see [`Report::work`].
    pub budget: f64,
    /// Work after which a larger violation is accepted, and that violation (m/s).
    pub patience: (f64, f64),
    /// Normal impulse that no solution has [N s]: points that nearly contradict each other and press with more are given up sooner.
    pub endless: f64,
    /// Points of one pair of bodies are solved as one where their normal rows differ by less than this part of their
    /// mobility; zero for none.
    pub merging: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tolerance: 1e-4,
            fine: f64::INFINITY,
            patient: false,
            still: false,
            sweeps: 40,
            short: 0,
            budget: 650_000.0,
            patience: (f64::INFINITY, 0.0),
            endless: f64::INFINITY,
            merging: 0.02,
        }
    }
}

/// What became of an island.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    /// Its first body.
    pub body: usize,
    /// Bodies.
    pub bodies: usize,
    /// Points, without those solved as one with another.
    pub points: usize,
    /// Largest violation of the law that is left at these (m/s); infinite where the matrix of a body is singular.
    pub violation: f64,
    /// Sweeps.
    pub sweeps: u32,
    /// Factorisations.
    pub factorisations: u32,
    /// Orders of elimination.
    pub orders: u32,
    /// Work: visits of points, for a factorisation six visits of each and 0.6 for each product of blocks.
    pub work: f64,
    /// The tolerance was not reached within the budget, or not at all.
    pub capped: bool,
}

/// A problem and the room in which it is solved: filled again, it allocates nothing unless it has grown.
#[derive(Debug, Clone, Default)]
pub struct Problem {
    /// The bodies.
    pub bodies: Vec<Node>,
    /// The points. One that is on no body is left alone.
    pub points: Vec<Point>,
    partition: Partition,
    rooms: Rooms,
    reports: Vec<Report>,
}

impl Problem {
    /// Forgets bodies and points.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.points.clear();
        self.reports.clear();
    }

    /// Solves all islands: motions and impulses are then those found, the best where the tolerance was not reached.
    /// Returns a report of each island with points, by its first body.
    pub fn solve(&mut self, options: &Options) -> &[Report] {
        self.solve_each(|_| *options)
    }

    /// The same with options of its own for each island, which is told by its first body. Islands are solved on all
    /// [threads](crate::threads) that there are.
    pub fn solve_each(&mut self, options: impl Fn(usize) -> Options + Sync) -> &[Report] {
        self.reports.clear();
        self.partition.make(self.bodies.len(), &self.points);
        let Self {
            bodies,
            points,
            partition,
            rooms,
            reports,
        } = self;
        for room in rooms.solve((bodies, points), partition, options) {
            for &(k, motion) in &room.motions {
                bodies[k].motion = motion;
            }
            for &(k, impulse) in &room.impulses {
                points[k].impulse = impulse;
            }
            reports.extend_from_slice(&room.reports);
        }
        reports.sort_unstable_by_key(|report| report.body);
        reports
    }

    /// Finds the islands of what was put in: how many there are.
    pub fn part(&mut self) -> usize {
        self.partition.make(self.bodies.len(), &self.points);
        self.partition.islands()
    }

    /// Bodies and points of an island, once they were [found](Self::part) or solved.
    pub fn island(&self, k: usize) -> (&[u32], &[u32]) {
        self.partition.island(k)
    }

    /// The reports of the last solution.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }
}
