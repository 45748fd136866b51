//! The frictional contact problem of points whose bodies hang together by more than the points: `u = q + W r` with a
//! matrix in full, each point with the law of [the others](super).
//!
//! The matrix is what elimination of everything else leaves. It is solved by the same [turns](super::turns) of sweeps and
//! proximal steps.

use super::Options;
use super::island::{Measure, within_cone};
use super::local::{Local, Turn, turned, turned_back};
use super::newton::PAST;
use super::turns::{self, Iterated};
use super::{Point, Report};
use crate::linalg::lu;
use crate::math::Mat3;
use crate::solver::law::Dual;
use crate::solver::{ConeSection, worse};

/// A point of the problem; its bodies are in the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DensePoint {
    /// Rows: 1, or 3 with friction.
    pub rows: usize,
    /// `q`: velocities without impulses (m/s).
    pub free: [f64; 3],
    /// `r`: impulses over the effective mass; those to start from, then those found (m/s).
    pub impulse: [f64; 3],
    /// Coefficient of friction.
    pub friction: f64,
    /// Speed with which the kink between open and closed is compared (m/s).
    pub speed: f64,
}

impl DensePoint {
    /// A point of another problem.
    pub fn of(point: &Point) -> Self {
        Self {
            rows: point.rows,
            free: point.free,
            impulse: point.impulse,
            friction: point.friction,
            speed: point.speed,
        }
    }
}

/// What a sweep keeps of a point.
#[derive(Debug, Clone, Copy, Default)]
struct Visited {
    local: Local,
    turn: Turn,
    slip: f64,
}

/// A problem and the room in which it is solved: filled again, it allocates nothing unless it has grown.
#[derive(Debug, Clone, Default)]
pub struct Dense {
    /// The points.
    pub points: Vec<DensePoint>,
    /// First row of every point, and their number.
    first: Vec<usize>,
    /// `W`, row by row: velocity of a row by the impulse over the effective mass of another (1).
    matrix: Vec<f64>,
    visited: Vec<Visited>,
    velocities: Vec<[f64; 3]>,
    kept: Vec<[f64; 3]>,
    record: Vec<[f64; 3]>,
    /// Room of a step.
    system: Vec<f64>,
    pivots: Vec<usize>,
    right: Vec<f64>,
    change: Vec<f64>,
}

impl Dense {
    /// Takes points and lays a matrix of zeros out for them.
    pub fn begin(&mut self, points: impl Iterator<Item = DensePoint>) {
        self.points.clear();
        self.points.extend(points);
        self.first.clear();
        let mut rows = 0;
        for point in &self.points {
            self.first.push(rows);
            rows += point.rows;
        }
        self.first.push(rows);
        self.matrix.clear();
        self.matrix.resize(rows * rows, 0.0);
    }

    /// First row of a point.
    pub fn first(&self, point: usize) -> usize {
        self.first[point]
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }

    /// An element of `W`.
    pub fn element(&mut self, row: usize, column: usize) -> &mut f64 {
        let rows = self.rows();
        &mut self.matrix[row * rows + column]
    }

    /// Solves: impulses are then those found, the best where the tolerance was not reached.
    pub fn solve(&mut self, options: &Options) -> Report {
        let rows = self.rows();
        self.visited.clear();
        for (k, point) in self.points.iter_mut().enumerate() {
            let at = self.first[k];
            let mut own = Mat3::identity();
            for i in 0..point.rows {
                for j in 0..point.rows {
                    own[(i, j)] = self.matrix[(at + i) * rows + at + j];
                }
            }
            let (local, turn) = Local::new(&own, point.rows, point.friction)
                .unwrap_or((Local::default(), [1.0, 0.0]));
            // What is not a number is no start, and what cannot move has no impulse.
            if local.over == 0.0 || !point.impulse.iter().all(|r| r.is_finite()) {
                point.impulse = [0.0; 3];
            }
            point.impulse[point.rows..].fill(0.0);
            self.visited.push(Visited {
                local,
                turn,
                slip: -1.0,
            });
        }
        turns::solve(self, options)
    }

    /// Velocity of a row.
    fn velocity(&self, k: usize, row: usize) -> f64 {
        let rows = self.rows();
        let at = (self.first[k] + row) * rows;
        let mut sum = self.points[k].free[row];
        for (j, point) in self.points.iter().enumerate() {
            let from = at + self.first[j];
            for (w, r) in self.matrix[from..from + point.rows]
                .iter()
                .zip(&point.impulse)
            {
                sum += w * r;
            }
        }
        sum
    }

    fn find_velocity(&self, k: usize) -> [f64; 3] {
        std::array::from_fn(|row| {
            if row < self.points[k].rows {
                self.velocity(k, row)
            } else {
                0.0
            }
        })
    }

    fn dual(&self, k: usize) -> Dual {
        let point = &self.points[k];
        Dual {
            rows: point.rows,
            friction: point.friction,
            speed: point.speed,
            impulse: point.impulse,
            velocity: self.velocities[k],
        }
    }
}

impl Iterated for Dense {
    fn reset(&mut self) {}

    fn extent(&self) -> [usize; 3] {
        [0, 0, self.points.len()]
    }

    fn is_singular(&self) -> bool {
        false
    }

    fn refresh(&mut self) {}

    fn measure(&mut self) -> Measure {
        self.velocities.clear();
        for k in 0..self.points.len() {
            let velocity = self.find_velocity(k);
            self.velocities.push(velocity);
        }
        let duals = (0..self.points.len()).map(|k| self.dual(k));
        Measure::of(duals.map(|dual| dual.violation(ConeSection::Disc)))
    }

    fn sweep(&mut self, most: u32, enough: f64) -> (u32, usize) {
        let mut visits = 0;
        for k in 0..most {
            let mut largest = 0.0;
            for p in 0..self.points.len() {
                let mut visited = self.visited[p];
                if visited.local.over == 0.0 {
                    continue;
                }
                let (u, r) = (self.find_velocity(p), self.points[p].impulse);
                let into = |[n, x, y]: [f64; 3]| {
                    let [x, y] = turned(visited.turn, [x, y]);
                    [n, x, y]
                };
                let [n, x, y] = visited.local.solve(into(r), into(u), &mut visited.slip);
                let [x, y] = turned_back(visited.turn, [x, y]);
                let new = [n, x, y];
                self.visited[p].slip = visited.slip;
                self.points[p].impulse = new;
                for (new, old) in new.iter().zip(r) {
                    largest = worse(largest, (new - old).abs());
                }
            }
            visits += self.points.len() * self.points.len();
            // What is not a number changes nothing for the better.
            if largest.is_nan() || largest <= enough {
                return (k + 1, visits);
            }
        }
        (most, visits)
    }

    fn is_elastic(&self) -> bool {
        false
    }

    fn newton_step(&mut self, epsilon: f64, _: Option<Measure>) {
        let rows = self.rows();
        self.system.clear();
        self.system.resize(rows * rows, 0.0);
        self.right.clear();
        self.right.resize(rows, 0.0);
        for k in 0..self.points.len() {
            let (at, n) = (self.first[k], self.points[k].rows);
            let dual = self.dual(k);
            let piece = dual.piece(ConeSection::Disc);
            let near = if dual.is_pressed() { epsilon } else { 0.0 };
            for i in 0..n {
                self.right[at + i] = piece.rhs[i];
                let target = (at + i) * rows;
                for j in 0..n {
                    let by = piece.e[(i, j)];
                    if by == 0.0 {
                        continue;
                    }
                    let source = (at + j) * rows;
                    for c in 0..rows {
                        self.system[target + c] += by * self.matrix[source + c];
                    }
                }
                for j in 0..n {
                    self.system[target + at + j] += piece.c[(i, j)];
                }
                self.system[target + at + i] += near;
            }
        }
        self.pivots.clear();
        self.pivots.resize(rows, 0);
        self.change.clear();
        self.change.resize(rows, 0.0);
        lu::factor(&mut self.system, rows, &mut self.pivots);
        let right = &self.right;
        lu::solve(
            &self.system,
            rows,
            &self.pivots,
            |i| right[i],
            &mut self.change,
        );
        // As far as to where the first impulse that counts vanishes, and a little past it: pieces that change one by one
        // take a step each.
        let mut fraction: f64 = 1.0;
        for (k, point) in self.points.iter().enumerate() {
            let (r, by) = (point.impulse[0], self.change[self.first[k]]);
            if r > 0.0 && r + by < 0.0 {
                fraction = fraction.min(PAST * r / -by);
            }
        }
        let fraction = fraction.max(SHORTEST);
        for (k, point) in self.points.iter_mut().enumerate() {
            let own = &self.change[self.first[k]..self.first[k] + point.rows];
            for (r, change) in point.impulse.iter_mut().zip(own) {
                *r += fraction * change;
            }
        }
    }

    fn step_work(&self) -> f64 {
        // A visit is some sixty multiplications.
        (self.rows() as f64).powi(3) / (3.0 * 60.0)
    }

    fn orders(&self) -> u32 {
        0
    }

    fn keep(&mut self) {
        self.kept.clear();
        self.kept.extend(self.points.iter().map(|p| p.impulse));
    }

    fn recall(&mut self) {
        for (point, kept) in self.points.iter_mut().zip(&self.kept) {
            point.impulse = within_cone(kept, point.friction);
        }
    }

    fn set_record(&mut self) {
        self.record.clear();
        self.record.extend(self.points.iter().map(|p| p.impulse));
    }

    fn recall_record(&mut self) {
        for (point, impulse) in self.points.iter_mut().zip(&self.record) {
            point.impulse = *impulse;
        }
    }
}

/// A step goes this far at least.
const SHORTEST: f64 = 0.05;
