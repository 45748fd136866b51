//! One island in vector lanes, with what its solution needs of bodies and points.

use super::alternation::Alternation;
use super::dissection::{Dissection, Own, Work};
use super::local::{Local, Turn, turned_back};
use super::merge::Merge;
use super::newton::Newton;
use super::turns::{Iterated, PRODUCT};
use crate::linalg::block_six::{Block, Row, ZERO_ROW, row, six};
use crate::math::lanes::{Lanes, Plain, V4, pass};
use crate::solver::law::Dual;
use crate::solver::{ConeSection, worse};
use crate::threads;

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
    /// Its matrix is singular.
    pub singular: bool,
}

impl Body {
    /// Mobility along a row.
    pub fn answer(&self, along: &[f64; 6]) -> f64 {
        dot(along, &six(&self.even.times::<Plain>(&row(along))))
    }
}

/// A point as a sweep sees it, tangents turned as its [`Local`] wants them. One on the world has its body on both sides, one of
/// which has zeros.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Visited {
    /// Derivatives of the three velocities by each number of the motion of each body.
    pub gradient: [[V4; 6]; 2],
    /// Change of motion of each body per unit impulse of a row.
    pub reply: [[Row; 3]; 2],
    pub free: V4,
    pub compliance: V4,
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
    /// Effective mass (kg).
    pub mass: f64,
    pub compliance: [f64; 3],
    pub speed: f64,
    pub turn: Turn,
    /// Its place in the problem.
    pub index: usize,
}

impl Fixed {
    /// The side of a point on the world that has its body's rows; the other one has zeros.
    pub fn own_side(&self) -> usize {
        usize::from(self.force[0][0] == ZERO_ROW)
    }
}

/// Compliance, in velocity over impulse per effective mass, from which on a point is a spring: what is stiffer is as good as
/// rigid.
const ELASTIC: f64 = 1e-9;

/// How far all points are from their laws (m/s).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measure {
    /// The largest violation.
    pub violation: f64,
    /// Root of the sum of all squares.
    pub norm: f64,
}

impl Measure {
    /// Of points with these violations, normal and tangential.
    pub fn of(points: impl Iterator<Item = [f64; 2]>) -> Self {
        let (mut violation, mut sum) = (0.0, 0.0);
        for [normal, slip] in points {
            violation = worse(worse(violation, normal), slip);
            sum += normal * normal + slip * slip;
        }
        Self {
            violation,
            norm: sum.sqrt(),
        }
    }
}

/// An impulse that does not pull, with no more friction than it may have.
pub(super) fn within_cone(&[n, x, y]: &[f64; 3], friction: f64) -> [f64; 3] {
    let bound = friction * n.max(0.0);
    let size = x.hypot(y);
    let scale = if size > bound { bound / size } else { 1.0 };
    [n.max(0.0), scale * x, scale * y]
}

/// Bodies and points of an island; the room of all that solves it.
#[derive(Debug, Clone, Default)]
pub(super) struct Island {
    pub bodies: Vec<Body>,
    /// Motions.
    pub x: Vec<Row>,
    pub points: Vec<Visited>,
    pub fixed: Vec<Fixed>,
    /// Velocities as [measured](Iterated::measure) last, and how far they are from their laws.
    pub velocities: Vec<[f64; 3]>,
    violations: Vec<[f64; 2]>,
    /// Room for points that sweeps visit.
    pub active: Vec<u32>,
    pub dissection: Dissection,
    pub merge: Merge,
    pub newton: Newton,
    pub alternation: Alternation,
    /// Impulses to go back to.
    kept: Vec<[f64; 3]>,
    /// Impulses of the best iterate of all.
    record: Vec<[f64; 3]>,
    /// A matrix of a body is singular.
    pub singular: bool,
    pub fused: bool,
    /// The place in the problem of the first of its bodies there.
    pub first: usize,
    /// Places of bodies of the problem in the island.
    pub places: Vec<u32>,
}

impl Island {
    /// Tells the motions of bodies and the impulses of points, each with its place in the problem.
    pub fn tell(
        &self,
        mut motion: impl FnMut(usize, [f64; 6]),
        mut impulse: impl FnMut(usize, [f64; 3]),
    ) {
        for (body, x) in self.bodies.iter().zip(&self.x) {
            motion(body.index, six(x));
        }
        for (fixed, point) in self.fixed.iter().zip(&self.points) {
            let [n, x, y] = point.impulse;
            let [x, y] = turned_back(fixed.turn, [x, y]);
            impulse(fixed.index, [n, x, y]);
        }
        // Points that were merged are left without.
        self.merge.gone().for_each(|k| impulse(k, [0.0; 3]));
    }

    /// What is worked on in all of it.
    pub fn work(&mut self) -> Work<'_> {
        self.active.resize(self.points.len(), 0);
        self.dissection
            .work(&mut self.points, &mut self.active, &mut self.x)
    }

    /// Impulse and velocity of a point, as measured last.
    pub fn dual(&self, k: usize) -> Dual {
        dual(&self.points[k], &self.fixed[k], self.velocities[k])
    }
}

impl Iterated for Island {
    fn reset(&mut self) {
        self.newton.reset();
    }

    fn extent(&self) -> [usize; 3] {
        [self.first, self.bodies.len(), self.points.len()]
    }

    fn is_singular(&self) -> bool {
        self.singular
    }

    fn refresh(&mut self) {
        for (x, body) in self.x.iter_mut().zip(&self.bodies) {
            *x = body.alone;
        }
        let fused = self.fused;
        self.work().run(&|own: Own<'_>| {
            push_all(fused, own.first, own.points, own.x);
            0.0
        });
    }

    fn measure(&mut self) -> Measure {
        self.velocities.resize(self.points.len(), [0.0; 3]);
        self.violations.resize(self.points.len(), [0.0; 2]);
        let (fused, points, fixed, x) = (self.fused, &self.points, &self.fixed, &self.x[..]);
        let out = (&mut self.velocities[..], &mut self.violations[..]);
        threads::runs(out, threads::RUN, |first, (run, violations)| {
            let points = &points[first..];
            velocities(fused, points, x, run);
            let all = points.iter().zip(&fixed[first..]).zip(run);
            for (((point, fixed), velocity), found) in all.zip(violations) {
                *found = dual(point, fixed, *velocity).violation(ConeSection::Disc);
            }
        });
        Measure::of(self.violations.iter().copied())
    }

    fn pressure(&self) -> f64 {
        let points = self.points.iter().zip(&self.fixed);
        points
            .map(|(p, f)| p.impulse[0] * f.mass)
            .fold(0.0, f64::max)
    }

    fn sweep(&mut self, most: u32, enough: f64) -> (u32, usize) {
        self.sweeps(most, enough)
    }

    fn alternates(&self) -> bool {
        true
    }

    fn begin_alternation(&mut self, epsilon: f64) {
        self.begin_alternating(epsilon);
    }

    fn alternate(&mut self, iterations: u32) {
        self.go_on_alternating(iterations);
    }

    fn is_elastic(&self) -> bool {
        let gives = |f: &Fixed| f.rows == 1 && f.compliance[0] > ELASTIC;
        !self.fixed.is_empty() && self.fixed.iter().all(gives)
    }

    fn newton_step(&mut self, epsilon: f64, at: Option<Measure>) {
        self.step_to_pieces(epsilon, at);
    }

    fn step_work(&self) -> f64 {
        PRODUCT * self.newton.products() as f64
    }

    fn orders(&self) -> u32 {
        self.newton.orders
    }

    fn keep(&mut self) {
        note(&self.points, &mut self.kept);
    }

    fn recall(&mut self) {
        for (point, kept) in self.points.iter_mut().zip(&self.kept) {
            point.impulse = within_cone(kept, point.local.friction);
        }
        self.refresh();
    }

    fn set_record(&mut self) {
        note(&self.points, &mut self.record);
    }

    fn recall_record(&mut self) {
        for (point, impulse) in self.points.iter_mut().zip(&self.record) {
            point.impulse = *impulse;
        }
        self.refresh();
    }
}

/// A point with this velocity.
fn dual(point: &Visited, fixed: &Fixed, velocity: [f64; 3]) -> Dual {
    Dual {
        rows: fixed.rows,
        friction: point.local.friction,
        speed: fixed.speed,
        impulse: point.impulse,
        velocity,
    }
}

/// Notes the impulses of points: each thread those that it has near.
fn note(points: &[Visited], impulses: &mut Vec<[f64; 3]>) {
    impulses.resize(points.len(), [0.0; 3]);
    threads::runs(&mut impulses[..], threads::RUN, |first, run| {
        for (impulse, point) in run.iter_mut().zip(&points[first..]) {
            *impulse = point.impulse;
        }
    });
}

pub(super) fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

pass! {
    /// Adds what impulses do to the motions.
    push_all => push_each, (first: u32, points: &[Visited], x: &mut [Row])
}

#[inline(always)]
fn push_each<L: Lanes>(first: u32, points: &[Visited], x: &mut [Row]) {
    for point in points {
        push::<L>(point, first, x, point.impulse);
    }
}

/// Adds what a change of impulses does to the motions, of which the first is that of the body `first`.
#[inline(always)]
pub(super) fn push<L: Lanes>(point: &Visited, first: u32, x: &mut [Row], change: [f64; 3]) {
    for side in 0..2 {
        let x = &mut x[(point.bodies[side] - first) as usize];
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

/// Velocities of a point; the first motion is that of the body `first`.
#[inline(always)]
pub(super) fn velocity<L: Lanes>(point: &Visited, first: u32, x: &[Row]) -> [f64; 3] {
    // Four sums that do not wait for each other.
    let mut sums = [[L::zero(); 2]; 2];
    let [n, x_t, y_t] = point.impulse;
    let own = L::load(&V4([n, x_t, y_t, 0.0]));
    sums[0][0] = own.fma(L::load(&point.compliance), L::load(&point.free));
    for side in 0..2 {
        let x = &x[(point.bodies[side] - first) as usize];
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
    velocities => velocities_all, (points: &[Visited], x: &[Row], out: &mut [[f64; 3]])
}

#[inline(always)]
fn velocities_all<L: Lanes>(points: &[Visited], x: &[Row], out: &mut [[f64; 3]]) {
    for (point, velocities) in points.iter().zip(out) {
        *velocities = velocity::<L>(point, 0, x);
    }
}
