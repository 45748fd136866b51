//! Elimination of 6×6 blocks on several threads.
//!
//! Two groups of [branches](super::branches) are eliminated at the same time, each within itself; then what both change in the trunk, half of
//! its columns at the same time as the others; then the trunk. Every block is changed in the same order whatever the threads.

use super::block_six::Block;
use crate::math::lanes::{Lanes, pass};
use crate::threads;
use std::ops::Range;

/// Products of blocks from which on what one node changes is shared: some ten nanoseconds each.
const SHARED: usize = 400;

/// Products for a later neighbour, of which so many are not before it.
pub(super) fn products(left: usize) -> usize {
    2 * left - 1
}

/// Which blocks there are.
#[derive(Clone, Copy)]
pub(super) struct Pattern<'a> {
    /// First of the blocks beside the diagonal of every rank, and their number.
    pub first: &'a [u32],
    /// Ranks of the later neighbours, rank by rank, in order.
    pub later: &'a [u32],
    /// Where each pair of later neighbours of a rank has its blocks, rank by rank.
    pub targets: &'a [u32],
    /// First of the targets of every rank.
    pub aimed: &'a [u32],
    pub fused: bool,
}

/// Blocks of ranks that follow each other.
pub(super) struct Blocks<'a> {
    /// The first rank, and the first of its blocks beside the diagonal.
    pub rank: usize,
    pub at: usize,
    pub diagonal: &'a mut [Block],
    pub lower: &'a mut [Block],
    pub upper: &'a mut [Block],
}

/// Blocks beside the diagonal of ranks that are eliminated, the first of which has the place `at`.
#[derive(Clone, Copy)]
struct Factors<'a> {
    at: usize,
    lower: &'a [Block],
    upper: &'a [Block],
}

impl<'a> Blocks<'a> {
    fn end(&self) -> usize {
        self.rank + self.diagonal.len()
    }

    /// Those of the ranks before one of them, and those from it on.
    fn split(self, rank: usize, pattern: &Pattern) -> (Self, Self) {
        let at = pattern.first[rank] as usize;
        let (diagonal, diagonal_behind) = self.diagonal.split_at_mut(rank - self.rank);
        let (lower, lower_behind) = self.lower.split_at_mut(at - self.at);
        let (upper, upper_behind) = self.upper.split_at_mut(at - self.at);
        let before = Self {
            diagonal,
            lower,
            upper,
            ..self
        };
        let behind = Self {
            rank,
            at,
            diagonal: diagonal_behind,
            lower: lower_behind,
            upper: upper_behind,
        };
        (before, behind)
    }

    /// The same for a while.
    fn reborrow(&mut self) -> Blocks<'_> {
        Blocks {
            rank: self.rank,
            at: self.at,
            diagonal: self.diagonal,
            lower: self.lower,
            upper: self.upper,
        }
    }

    fn factors(&self) -> Factors<'_> {
        Factors {
            at: self.at,
            lower: self.lower,
            upper: self.upper,
        }
    }
}

impl Pattern<'_> {
    fn range(&self, rank: usize) -> Range<usize> {
        self.first[rank] as usize..self.first[rank + 1] as usize
    }

    /// Places of the later neighbours of a rank that are between two ranks.
    fn rows(&self, rank: usize, between: Range<usize>) -> Range<usize> {
        let later = &self.later[self.range(rank)];
        let before = |end: usize| later.partition_point(|&other| (other as usize) < end);
        before(between.start)..before(between.end)
    }

    /// Factors all blocks, given where two groups of branches end and the rank in the trunk that halves what they change.
    pub fn factor(&self, blocks: Blocks<'_>, [end, trunk]: [usize; 2], middle: usize) {
        let (mut branches, mut top) = blocks.split(trunk, self);
        if trunk > 0 {
            let (one, other) = branches.reborrow().split(end, self);
            threads::join(|| self.eliminate(one), || self.eliminate(other));
            let factors = branches.factors();
            let (one, other) = top.reborrow().split(middle, self);
            threads::join(
                || self.gather(trunk, factors, one),
                || self.gather(trunk, factors, other),
            );
        }
        self.eliminate(top);
    }

    /// Eliminates the ranks of these blocks, as far as it changes these.
    fn eliminate(&self, mut blocks: Blocks<'_>) {
        for rank in blocks.rank..blocks.end() {
            let end = blocks.end();
            let own = self.range(rank);
            let (this, later) = blocks.reborrow().split(rank + 1, self);
            let (first, at) = (this.rank, this.at);
            pivot(
                self.fused,
                &mut this.diagonal[rank - first],
                &mut this.upper[own.start - at..],
            );
            let rows = self.rows(rank, rank + 1..end);
            self.change(rank, rows, this.factors(), later);
        }
    }

    /// Changes these blocks by the elimination of the first `count` ranks.
    fn gather(&self, count: usize, factors: Factors<'_>, mut blocks: Blocks<'_>) {
        for rank in 0..count {
            let rows = self.rows(rank, blocks.rank..blocks.end());
            if !rows.is_empty() {
                let into = blocks.reborrow();
                change(self.fused, self, (rank, rows), factors, into);
            }
        }
    }

    /// Changes the blocks of some later neighbours of a rank, those of some at the same time as those of others.
    fn change(&self, rank: usize, rows: Range<usize>, factors: Factors<'_>, into: Blocks<'_>) {
        let count = self.range(rank).len();
        let total: usize = rows.clone().map(|row| products(count - row)).sum();
        if total >= SHARED && threads::count() > 1 {
            let (mut middle, mut half) = (rows.start, 0);
            while 2 * half < total {
                half += products(count - middle);
                middle += 1;
            }
            if middle < rows.end {
                let first = self.later[self.range(rank).start + middle] as usize;
                let (one, other) = into.split(first, self);
                threads::join(
                    || self.change(rank, rows.start..middle, factors, one),
                    || self.change(rank, middle..rows.end, factors, other),
                );
                return;
            }
        }
        change(self.fused, self, (rank, rows), factors, into);
    }
}

pass! {
    pivot => pivot_with, (diagonal: &mut Block, upper: &mut [Block])
}

#[inline(always)]
fn pivot_with<L: Lanes>(diagonal: &mut Block, upper: &mut [Block]) {
    diagonal.invert::<L>();
    for block in upper {
        *block = Block::product::<L>(diagonal, block);
    }
}

pass! {
    change => change_all, (
        pattern: &Pattern<'_>, which: (usize, Range<usize>), factors: Factors<'_>, into: Blocks<'_>,
    )
}

#[inline(always)]
fn change_all<L: Lanes>(
    pattern: &Pattern<'_>,
    (rank, rows): (usize, Range<usize>),
    factors: Factors<'_>,
    into: Blocks<'_>,
) {
    let (begin, end) = (
        pattern.first[rank] as usize,
        pattern.first[rank + 1] as usize,
    );
    let (later, count) = (&pattern.later[begin..end], end - begin);
    let own = begin - factors.at..end - factors.at;
    let (lower, upper) = (&factors.lower[own.clone()], &factors.upper[own]);
    // Targets of the rows before these: one for each pair.
    let pairs = |rows: usize| rows * count - rows * (rows + 1) / 2;
    let mut target = pattern.aimed[rank] as usize + pairs(rows.start);
    for i in rows {
        let (left, right) = (&lower[i], &upper[i]);
        let own = later[i] as usize - into.rank;
        into.diagonal[own].subtract_product::<L>(left, right);
        for j in i + 1..count {
            let at = pattern.targets[target] as usize - into.at;
            target += 1;
            into.lower[at].subtract_product::<L>(&lower[j], right);
            into.upper[at].subtract_product::<L>(left, &upper[j]);
        }
    }
}
