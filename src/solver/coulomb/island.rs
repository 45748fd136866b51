//! One island in vector lanes, with what its solution needs of bodies and points.

use super::local::{Local, Turn, turned, turned_back};
use super::merge::Merge;
use super::newton::Newton;
use super::{Node, Point, WORLD};
use crate::linalg::block_six::{Block, Row, ZERO_ROW, row, six};
use crate::math::Mat3;
use crate::math::lanes::{self, Lanes, Plain, V4, pass};
use crate::solver::law::Dual;
use crate::solver::{ConeSection, worse};

/// A body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Body {
    pub matrix: Block,
    pub inverse: Block,
    /// Inverse of the symmetric part.
    pub even: Block,
    /// Motion without points.
    pub alone: Row,
    /// Its place in the problem.
    pub index: usize,
}

impl Body {
    /// Mobility along a row.
    pub fn answer(&self, along: &[f64; 6]) -> f64 {
        dot(along, &six(&self.even.times::<Plain>(&row(along))))
    }
}

/// A point as a sweep sees it, tangents turned as its [`Local`] wants them. A side that is the world has zeros.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Visited {
    /// Derivatives of the three velocities by each number of the motion of each body.
    pub gradient: [[V4; 6]; 2],
    /// Change of motion of each body per unit impulse of a row.
    pub reply: [[Row; 3]; 2],
    pub free: V4,
    pub impulse: [f64; 3],
    pub slip: f64,
    pub local: Local,
    pub bodies: [u32; 2],
}

/// A point as Newton's method sees it, tangents turned.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fixed {
    /// Wrench on each body per unit impulse over the effective mass.
    pub force: [[Row; 3]; 2],
    pub gradient: [[Row; 3]; 2],
    pub rows: usize,
    /// Effective mass [kg].
    pub mass: f64,
    pub speed: f64,
    pub turn: Turn,
    /// Its place in the problem.
    pub index: usize,
}

/// How far all points are from their laws [m/s].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measure {
    /// The largest violation.
    pub violation: f64,
    /// Root of the sum of all squares.
    pub norm: f64,
}

/// Bodies and points of an island; the room of all that solves it.
#[derive(Debug, Clone, Default)]
pub(super) struct Island {
    pub bodies: Vec<Body>,
    /// Motions, that of the world, which stays zero, at the end.
    pub x: Vec<Row>,
    pub points: Vec<Visited>,
    pub fixed: Vec<Fixed>,
    /// Velocities as [measured](Self::measure) last.
    pub velocities: Vec<[f64; 3]>,
    /// Points that sweeps visit.
    pub active: Vec<u32>,
    pub merge: Merge,
    pub newton: Newton,
    /// Impulses to go back to.
    kept: Vec<[f64; 3]>,
    /// Impulses of the best iterate of all.
    record: Vec<[f64; 3]>,
    /// A matrix of a body is singular.
    pub singular: bool,
    pub fused: bool,
    /// Places of bodies of the problem in the island.
    places: Vec<u32>,
}

impl Island {
    /// Takes bodies and points of a problem.
    pub fn load(&mut self, nodes: &[Node], points: &[Point], bodies: &[u32], own: &[u32]) {
        self.fused = lanes::fused();
        self.places.resize(nodes.len(), 0);
        self.bodies.clear();
        self.singular = false;
        for (k, &index) in bodies.iter().enumerate() {
            self.places[index as usize] = k as u32;
            self.load_body(&nodes[index as usize], index as usize);
        }
        self.x.clear();
        self.x.resize(self.bodies.len() + 1, ZERO_ROW);
        self.points.clear();
        self.fixed.clear();
        self.merge.clear();
        for &index in own {
            self.load_point(&points[index as usize], index as usize);
        }
    }

    fn load_body(&mut self, node: &Node, index: usize) {
        let matrix = Block::from_rows(&node.matrix);
        let mut inverse = matrix;
        let mut even = matrix.symmetric();
        self.singular |= !inverse.invert::<Plain>();
        if !even.invert::<Plain>() {
            even = inverse.symmetric();
        }
        self.bodies.push(Body {
            matrix,
            inverse,
            even,
            alone: inverse.times::<Plain>(&row(&node.rhs)),
            index,
        });
    }

    fn load_point(&mut self, point: &Point, index: usize) {
        let world = self.bodies.len() as u32;
        let [a, b] = point.bodies;
        let (mut force, mut gradient) = (point.force, point.gradient);
        let mut sides = [a, b].map(|b| if b == WORLD { world } else { self.places[b] });
        if a == b {
            // One body, which feels both sides.
            for rows in [&mut force, &mut gradient] {
                let [first, second] = rows;
                let both = first.iter_mut().flatten().zip(second.iter().flatten());
                both.for_each(|(x, y)| *x += y);
            }
            sides[1] = world;
        }
        for side in 0..2 {
            for k in 0..3 {
                let scale = if sides[side] == world || k >= point.rows {
                    0.0
                } else {
                    1.0
                };
                force[side][k] = force[side][k].map(|x| x * scale * point.mass);
                gradient[side][k] = gradient[side][k].map(|x| x * scale);
            }
        }
        let mobility = self.mobility(&sides, &force, point.mass);
        let (local, turn) = Local::new(&mobility, point.rows, point.friction)
            .unwrap_or((Local::default(), [1.0, 0.0]));
        for rows in force.iter_mut().chain(&mut gradient) {
            turn_rows(rows, turn);
        }
        let [_, x, y] = point.free;
        // What is not a number is no start.
        let finite = point.impulse.iter().all(|r| r.is_finite());
        let start = if finite { point.impulse } else { [0.0; 3] };
        let [_, p, q] = start;
        let ([x, y], [p, q]) = (turned(turn, [x, y]), turned(turn, [p, q]));
        let movable = local.over > 0.0;
        let rough = if movable && point.rows == 3 { 1.0 } else { 0.0 };
        let force = force.map(|rows| rows.map(|r| row(&r)));
        self.points.push(Visited {
            gradient: gradient.map(|rows| columns(&rows)),
            reply: [0, 1].map(|s| force[s].map(|f| self.replied(sides[s], &f))),
            free: V4([point.free[0], rough * x, rough * y, 0.0]),
            impulse: [if movable { start[0] } else { 0.0 }, rough * p, rough * q],
            slip: -1.0,
            local,
            bodies: sides,
        });
        self.fixed.push(Fixed {
            force,
            gradient: gradient.map(|rows| rows.map(|r| row(&r))),
            rows: point.rows,
            mass: point.mass,
            speed: point.speed,
            turn,
            index,
        });
    }

    fn replied(&self, body: u32, force: &Row) -> Row {
        let body = self.bodies.get(body as usize);
        body.map_or(ZERO_ROW, |b| b.inverse.times::<Plain>(force))
    }

    /// `F A⁻¹ Fᵀ m` with the symmetric part of `A` and the force rows on both sides: sweeps need it positive, and what
    /// they settle at does not depend on it.
    fn mobility(&self, sides: &[u32; 2], force: &[[[f64; 6]; 3]; 2], mass: f64) -> Mat3 {
        let mut w = Mat3::zeros();
        for (side, rows) in sides.iter().zip(force) {
            let Some(body) = self.bodies.get(*side as usize) else {
                continue;
            };
            let replies = rows.map(|r| six(&body.even.times::<Plain>(&row(&r))));
            for i in 0..3 {
                for j in 0..3 {
                    // Both rows have the mass in them.
                    w[(i, j)] += dot(&rows[i], &replies[j]) / mass;
                }
            }
        }
        w
    }

    /// Gives motions and impulses back.
    pub fn store(&self, nodes: &mut [Node], points: &mut [Point]) {
        for (body, x) in self.bodies.iter().zip(&self.x) {
            nodes[body.index].motion = six(x);
        }
        for (fixed, point) in self.fixed.iter().zip(&self.points) {
            let [n, x, y] = point.impulse;
            let [x, y] = turned_back(fixed.turn, [x, y]);
            points[fixed.index].impulse = [n, x, y];
        }
        self.merge.store(points);
    }

    /// Finds the motions that the impulses give.
    pub fn refresh(&mut self) {
        refresh(self.fused, &self.bodies, &self.points, &mut self.x);
    }

    /// Finds velocities and how far all points are from their laws.
    pub fn measure(&mut self) -> Measure {
        velocities(self.fused, &self.points, &self.x, &mut self.velocities);
        let (mut violation, mut sum) = (0.0, 0.0);
        for k in 0..self.points.len() {
            let [normal, slip] = self.dual(k).violation(ConeSection::Disc);
            violation = worse(worse(violation, normal), slip);
            sum += normal * normal + slip * slip;
        }
        Measure {
            violation,
            norm: sum.sqrt(),
        }
    }

    /// Impulse and velocity of a point, as measured last.
    pub fn dual(&self, k: usize) -> Dual {
        Dual {
            rows: self.fixed[k].rows,
            friction: self.points[k].local.friction,
            speed: self.fixed[k].speed,
            impulse: self.points[k].impulse,
            velocity: self.velocities[k],
        }
    }

    /// Remembers the impulses.
    pub fn keep(&mut self) {
        self.kept.clear();
        self.kept.extend(self.points.iter().map(|p| p.impulse));
    }

    /// Goes back to the impulses remembered, each in its cone, and to their motions.
    pub fn recall(&mut self) {
        for (point, &[n, x, y]) in self.points.iter_mut().zip(&self.kept) {
            let bound = point.local.friction * n.max(0.0);
            let size = x.hypot(y);
            let scale = if size > bound { bound / size } else { 1.0 };
            point.impulse = [n.max(0.0), scale * x, scale * y];
        }
        self.refresh();
    }
}

impl Island {
    /// Remembers the impulses as the best of all.
    pub fn set_record(&mut self) {
        self.record.clear();
        self.record.extend(self.points.iter().map(|p| p.impulse));
    }

    /// Goes back to the best impulses of all.
    pub fn recall_record(&mut self) {
        for (point, impulse) in self.points.iter_mut().zip(&self.record) {
            point.impulse = *impulse;
        }
        self.refresh();
    }
}

fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Turns the tangential rows.
fn turn_rows([_, first, second]: &mut [[f64; 6]; 3], turn: Turn) {
    for (x, y) in first.iter_mut().zip(second) {
        [*x, *y] = turned(turn, [*x, *y]);
    }
}

/// Three rows as columns.
fn columns(rows: &[[f64; 6]; 3]) -> [V4; 6] {
    std::array::from_fn(|k| V4([rows[0][k], rows[1][k], rows[2][k], 0.0]))
}

pass! {
    refresh => refresh_all, (bodies: &[Body], points: &[Visited], x: &mut [Row])
}

#[inline(always)]
fn refresh_all<L: Lanes>(bodies: &[Body], points: &[Visited], x: &mut [Row]) {
    for (x, body) in x.iter_mut().zip(bodies) {
        *x = body.alone;
    }
    for point in points {
        push::<L>(point, x, point.impulse);
    }
}

/// Adds what a change of impulses does to the motions.
#[inline(always)]
pub(super) fn push<L: Lanes>(point: &Visited, x: &mut [Row], change: [f64; 3]) {
    for side in 0..2 {
        let x = &mut x[point.bodies[side] as usize];
        let reply = &point.reply[side];
        for half in 0..2 {
            let mut sum = L::load(&x[half]);
            for k in 0..3 {
                sum = L::splat(change[k]).fma(L::load(&reply[k][half]), sum);
            }
            x[half] = sum.store();
        }
    }
}

/// Velocities of a point.
#[inline(always)]
pub(super) fn velocity<L: Lanes>(point: &Visited, x: &[Row]) -> [f64; 3] {
    // Four sums that do not wait for each other.
    let mut sums = [[L::zero(); 2]; 2];
    sums[0][0] = L::load(&point.free);
    for side in 0..2 {
        let x = &x[point.bodies[side] as usize];
        for half in 0..2 {
            for k in 0..3 {
                let column = L::load(&point.gradient[side][3 * half + k]);
                sums[side][half] = L::splat(x[half].0[k]).fma(column, sums[side][half]);
            }
        }
    }
    let sum = sums[0][0].add(sums[0][1]).add(sums[1][0].add(sums[1][1]));
    let V4([n, x, y, _]) = sum.store();
    [n, x, y]
}

pass! {
    velocities => velocities_all, (points: &[Visited], x: &[Row], out: &mut Vec<[f64; 3]>)
}

#[inline(always)]
fn velocities_all<L: Lanes>(points: &[Visited], x: &[Row], out: &mut Vec<[f64; 3]>) {
    out.clear();
    for point in points {
        out.push(velocity::<L>(point, x));
    }
}
