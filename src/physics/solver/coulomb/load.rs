//! How an island takes its bodies and points from a problem: all that sweeps and Newton's method need again and again.

use super::island::{Body, Fixed, Island, Visited};
use super::local::{Local, Turn, turned};
use super::{Node, Point, WORLD};
use crate::linalg::block_six::{Block, Row, ZERO_ROW, row};
use crate::math::Mat3;
use crate::math::lanes::{self, Lanes, V4, pass};
use crate::threads;

/// Bodies in a run: half a microsecond each.
const BODIES: usize = 64;

/// Rows of three velocities or forces on two bodies.
type Rows = [[[f64; 6]; 3]; 2];

impl Island {
    /// Takes bodies and points of a problem.
    pub fn load(&mut self, nodes: &[Node], points: &[Point], bodies: &[u32], own: &[u32]) {
        self.fused = lanes::fused();
        self.places.resize(nodes.len(), 0);
        self.first = bodies.first().map_or(0, |&body| body as usize);
        let mut dissection = std::mem::take(&mut self.dissection);
        dissection.make(points, bodies, own, &mut self.places);
        let own = &dissection.points[..];
        // What was there is overwritten whole.
        self.bodies.resize(bodies.len(), Body::default());
        let (fused, bodies) = (self.fused, &dissection.bodies[..]);
        threads::runs(&mut self.bodies[..], BODIES, |first, run| {
            load_bodies(fused, nodes, &bodies[first..], run);
        });
        self.singular = self.bodies.iter().any(|body| body.singular);
        self.x.clear();
        self.x.resize(self.bodies.len(), ZERO_ROW);
        self.merge.clear();
        self.points.resize(own.len(), Visited::default());
        self.fixed.resize(own.len(), Fixed::default());
        let (visited, fixed) = (&mut self.points[..], &mut self.fixed[..]);
        let (fused, bodies, places) = (self.fused, &self.bodies[..], &self.places[..]);
        threads::runs((visited, fixed), threads::RUN, |first, run| {
            load_points(fused, bodies, places, points, &own[first..], run);
        });
        self.dissection = dissection;
    }
}

pass! {
    load_bodies => every_body, (nodes: &[Node], bodies: &[u32], run: &mut [Body])
}

#[inline(always)]
fn every_body<L: Lanes>(nodes: &[Node], bodies: &[u32], run: &mut [Body]) {
    for (body, &index) in run.iter_mut().zip(bodies) {
        let index = index as usize;
        let node = &nodes[index];
        body.matrix = Block::from_rows(&node.matrix);
        body.inverse = body.matrix;
        body.singular = !body.inverse.invert::<L>();
        body.even = body.matrix.symmetric();
        if body.even == body.matrix {
            body.even = body.inverse;
        } else if !body.even.invert::<L>() {
            body.even = body.inverse.symmetric();
        }
        body.alone = body.inverse.times::<L>(&row(&node.rhs));
        body.index = index;
    }
}

pass! {
    load_points => every_point, (
        bodies: &[Body], places: &[u32], points: &[Point], own: &[u32], run: (&mut [Visited], &mut [Fixed]),
    )
}

#[inline(always)]
fn every_point<L: Lanes>(
    bodies: &[Body],
    places: &[u32],
    points: &[Point],
    own: &[u32],
    run: (&mut [Visited], &mut [Fixed]),
) {
    for ((visited, fixed), &index) in run.0.iter_mut().zip(run.1).zip(own) {
        let point = &points[index as usize];
        let (sides, mut force, mut gradient) = rows(places, point);
        let mut mobility = mobility::<L>(bodies, &sides, &force, point.mass);
        for (k, gives) in point.compliance.iter().enumerate().take(point.rows) {
            mobility[(k, k)] += gives;
        }
        let (local, turn) = Local::new(&mobility, point.rows, point.friction)
            .unwrap_or((Local::default(), [1.0, 0.0]));
        for side in 0..2 {
            turn_rows(&mut force[side], turn);
            turn_rows(&mut gradient[side], turn);
            visited.gradient[side] = columns(&gradient[side]);
            let body = sides[side] as usize;
            for k in 0..3 {
                fixed.force[side][k] = row(&force[side][k]);
                fixed.gradient[side][k] = row(&gradient[side][k]);
                visited.reply[side][k] = bodies[body].inverse.times::<L>(&fixed.force[side][k]);
            }
        }
        visited.bodies = sides;
        visit(visited, point, local, turn);
        fixed.rows = point.rows;
        fixed.mass = point.mass;
        fixed.compliance = point.compliance;
        fixed.speed = point.speed;
        fixed.turn = turn;
        fixed.index = index as usize;
    }
}

/// The bodies of a point, its forces times the effective mass and its gradients. A point on one body has it on both sides, the other of
/// them with zeros, as rows that there are not have.
fn rows(places: &[u32], point: &Point) -> ([u32; 2], Rows, Rows) {
    let [a, b] = point.bodies;
    let (mut force, mut gradient) = (point.force, point.gradient);
    if a == b {
        // One body, which feels both sides.
        for rows in [&mut force, &mut gradient] {
            let [first, second] = rows;
            let both = first.iter_mut().flatten().zip(second.iter().flatten());
            both.for_each(|(x, y)| *x += y);
        }
    }
    let held = [a == WORLD, b == WORLD || a == b];
    for side in 0..2 {
        for k in 0..3 {
            if held[side] || k >= point.rows {
                force[side][k] = [0.0; 6];
                gradient[side][k] = [0.0; 6];
            } else {
                force[side][k] = force[side][k].map(|x| x * point.mass);
            }
        }
    }
    let own = if a == WORLD { b } else { a };
    let sides = [a, b].map(|body| places[if body == WORLD { own } else { body }]);
    (sides, force, gradient)
}

/// Gives a sweep what it needs of a point besides its bodies and rows.
fn visit(visited: &mut Visited, point: &Point, local: Local, turn: Turn) {
    // What is not a number is no start.
    let finite = point.impulse.iter().all(|r| r.is_finite());
    let start = if finite { point.impulse } else { [0.0; 3] };
    let movable = local.over > 0.0;
    let rough = movable && point.rows == 3;
    let tangential = |[_, x, y]: [f64; 3]| {
        if rough {
            turned(turn, [x, y])
        } else {
            [0.0; 2]
        }
    };
    let ([x, y], [p, q]) = (tangential(point.free), tangential(start));
    let gives = if movable { point.compliance } else { [0.0; 3] };
    visited.free = V4([point.free[0], x, y, 0.0]);
    visited.compliance = V4([gives[0], gives[1], gives[2], 0.0]);
    visited.impulse = [if movable { start[0] } else { 0.0 }, p, q];
    visited.slip = -1.0;
    visited.local = local;
}

/// `F A⁻¹ Fᵀ m` with the symmetric part of `A` and the force rows on both sides: sweeps need it positive, and what they
/// settle at does not depend on it.
#[inline(always)]
fn mobility<L: Lanes>(bodies: &[Body], sides: &[u32; 2], force: &Rows, mass: f64) -> Mat3 {
    let mut w = Mat3::zeros();
    // Both rows have the mass in them.
    let over = 1.0 / mass;
    for side in 0..2 {
        let body = sides[side] as usize;
        let mut rows: [Row; 3] = [ZERO_ROW; 3];
        let mut replies: [Row; 3] = [ZERO_ROW; 3];
        for k in 0..3 {
            rows[k] = row(&force[side][k]);
            replies[k] = bodies[body].even.times::<L>(&rows[k]);
        }
        for i in 0..3 {
            for j in 0..3 {
                let linear = L::load(&rows[i][0]).dot(L::load(&replies[j][0]));
                let angular = L::load(&rows[i][1]).dot(L::load(&replies[j][1]));
                w[(i, j)] += (linear + angular) * over;
            }
        }
    }
    w
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
