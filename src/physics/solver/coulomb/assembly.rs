//! The matrix of a step of Newton's method, block by block: each is written once, from the points that are in it, so that
//! threads share them.

use super::island::{Body, Fixed};
use super::newton::Newton;
use crate::linalg::block_six::{Block, Row, ZERO_ROW};
use crate::math::lanes::{Lanes, pass};
use crate::threads;

/// Blocks on the diagonal in a run: those of a body have some ten points.
const RUN: usize = 32;

/// What blocks are made of.
#[derive(Clone, Copy)]
struct Sources<'a> {
    bodies: &'a [Body],
    fixed: &'a [Fixed],
    newton: &'a Newton,
}

impl Newton {
    /// Writes matrix and right-hand side.
    pub fn assemble(&mut self, fused: bool, bodies: &[Body], fixed: &[Fixed]) {
        self.write_sides(fused, bodies, fixed);
        let mut lu = std::mem::take(&mut self.lu);
        let sources = Sources {
            bodies,
            fixed,
            newton: self,
        };
        let matrix = lu.blocks_mut();
        threads::runs(matrix.diagonal, RUN, |first, run| {
            on_diagonal(fused, sources, &matrix.order[first..], run);
        });
        let beside = (matrix.lower, matrix.upper);
        threads::runs(beside, threads::RUN, |first, run| {
            beside_diagonal(fused, sources, first, run);
        });
        self.lu = lu;
    }

    /// Writes the right-hand side alone.
    pub fn write_sides(&mut self, fused: bool, bodies: &[Body], fixed: &[Fixed]) {
        let mut x = std::mem::take(&mut self.x);
        x.resize(bodies.len(), ZERO_ROW);
        let sources = Sources {
            bodies,
            fixed,
            newton: self,
        };
        threads::runs(&mut x[..], RUN, |first, run| {
            right_hand_side(fused, sources, first, run);
        });
        self.x = x;
    }
}

pass! {
    right_hand_side => all_sides, (sources: Sources<'_>, first: usize, run: &mut [Row])
}

#[inline(always)]
fn all_sides<L: Lanes>(sources: Sources<'_>, first: usize, run: &mut [Row]) {
    for (k, x) in run.iter_mut().enumerate() {
        *x = ZERO_ROW;
        for &at in sources.newton.on_body.of(first + k) {
            let (point, side) = split(at);
            let push = sources.newton.laws[point].push;
            add_rows::<L>(x, &sources.fixed[point].force[side], push);
        }
    }
}

pass! {
    on_diagonal => all_on_diagonal, (sources: Sources<'_>, nodes: &[u32], run: &mut [Block])
}

#[inline(always)]
fn all_on_diagonal<L: Lanes>(sources: Sources<'_>, nodes: &[u32], run: &mut [Block]) {
    for (block, &node) in run.iter_mut().zip(nodes) {
        *block = sources.bodies[node as usize].matrix;
        for &at in sources.newton.on_body.of(node as usize) {
            let (point, side) = split(at);
            add_point::<L>(block, sources, point, [side; 2]);
        }
    }
}

pass! {
    beside_diagonal => all_beside, (sources: Sources<'_>, first: usize, run: (&mut [Block], &mut [Block]))
}

#[inline(always)]
fn all_beside<L: Lanes>(sources: Sources<'_>, first: usize, run: (&mut [Block], &mut [Block])) {
    for (k, (lower, upper)) in run.0.iter_mut().zip(run.1).enumerate() {
        let points = sources.newton.on_pair.of(first + k);
        if points.is_empty() {
            continue;
        }
        (*lower, *upper) = (Block::ZERO, Block::ZERO);
        for &at in points {
            let (point, side) = split(at);
            add_point::<L>(lower, sources, point, [1 - side, side]);
            add_point::<L>(upper, sources, point, [side, 1 - side]);
        }
    }
}

/// A point and a side of it as one number, and back.
pub(super) fn joined(point: usize, side: usize) -> u32 {
    2 * point as u32 + side as u32
}

fn split(at: u32) -> (usize, usize) {
    (at as usize / 2, at as usize % 2)
}

/// Adds what a point does to the momentum of its body on one side by the motion of that on the other.
#[inline(always)]
fn add_point<L: Lanes>(block: &mut Block, sources: Sources<'_>, point: usize, sides: [usize; 2]) {
    let law = &sources.newton.laws[point];
    if !law.pressed {
        return;
    }
    let fixed = &sources.fixed[point];
    let mut stiff = [ZERO_ROW; 3];
    for p in 0..3 {
        add_rows::<L>(&mut stiff[p], &fixed.gradient[sides[1]], law.k[p]);
    }
    for i in 0..6 {
        let by = [0, 1, 2].map(|k| fixed.force[sides[0]][k][i / 3].0[i % 3]);
        add_rows::<L>(&mut block.0[i], &stiff, by);
    }
}

/// Adds a combination of three rows.
#[inline(always)]
fn add_rows<L: Lanes>(to: &mut Row, rows: &[Row; 3], by: [f64; 3]) {
    for half in 0..2 {
        let mut sum = L::load(&to[half]);
        for k in 0..3 {
            sum = L::splat(by[k]).fma(L::load(&rows[k][half]), sum);
        }
        to[half] = sum.store();
    }
}
