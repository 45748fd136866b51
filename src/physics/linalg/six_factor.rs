//! Elimination of 6×6 blocks on several threads.
//!
//! Two groups of [branches](super::branches) are eliminated at the same time, each within itself; then what both change in the trunk, half of
//! its columns at the same time as the others; then the trunk. Every block is changed in the same order whatever the threads. So are
//! right-hand sides.

use super::block_six::{Block, Row, ZERO_ROW};
use crate::math::lanes::{self, Lanes, pass};
use crate::threads;
use std::ops::Range;

/// Products of blocks from which on what one node changes is shared: some ten nanoseconds each.
const SHARED: usize = 150;

/// What marks a target whose blocks nothing has written before.
const FRESH: u32 = 1 << 31;

/// Products for a later neighbour, of which so many are not before it.
fn products(left: usize) -> usize {
    2 * left - 1
}

/// Which blocks there are, and in which order they are eliminated.
#[derive(Debug, Clone, Default)]
pub(super) struct Pattern {
    /// First of the blocks beside the diagonal of every rank, and their number.
    first: Vec<u32>,
    /// Ranks of the later neighbours, rank by rank, in order.
    later: Vec<u32>,
    /// Where each pair of later neighbours of a rank has its blocks, rank by rank, some [marked](FRESH).
    targets: Vec<u32>,
    /// First of the targets of every rank.
    aimed: Vec<u32>,
    /// Where two groups of branches end.
    branches: [usize; 2],
    /// A rank in the trunk: branches change as much before it as from it on.
    middle: usize,
    /// Products for every rank of the trunk in the branches.
    changed: Vec<usize>,
    /// Blocks beside the diagonal that something has written.
    written: Vec<bool>,
    pub fused: bool,
}

/// Blocks of ranks that follow each other.
struct Blocks<'a> {
    /// The first rank, and the first of its blocks beside the diagonal.
    rank: usize,
    at: usize,
    diagonal: &'a mut [Block],
    lower: &'a mut [Block],
    upper: &'a mut [Block],
}

/// Blocks beside the diagonal of ranks that are eliminated, the first of which has the place `at`.
#[derive(Clone, Copy)]
struct Factors<'a> {
    at: usize,
    lower: &'a [Block],
    upper: &'a [Block],
}

/// Right-hand sides of ranks that follow each other from one on, then the solution.
struct Sides<'a> {
    rank: usize,
    x: &'a mut [Row],
}

impl<'a> Sides<'a> {
    fn of(rank: usize, x: &'a mut [Row]) -> Self {
        Self { rank, x }
    }

    fn ranks(&self) -> Range<usize> {
        self.rank..self.rank + self.x.len()
    }

    /// Those of the ranks before one of them, and those from it on.
    fn split(self, rank: usize) -> (Self, Self) {
        let (before, behind) = self.x.split_at_mut(rank - self.rank);
        (Self::of(self.rank, before), Self::of(rank, behind))
    }
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

impl Pattern {
    /// Forgets all ranks; tells where two groups of branches will end.
    pub fn begin(&mut self, branches: [usize; 2]) {
        self.fused = lanes::fused();
        self.branches = branches;
        self.later.clear();
        self.first.clear();
        self.first.push(0);
    }

    /// The next rank, with its later neighbours.
    pub fn push(&mut self, later: impl Iterator<Item = u32>) {
        let first = self.later.len();
        self.later.extend(later);
        self.later[first..].sort_unstable();
        self.first.push(self.later.len() as u32);
    }

    /// Finds where each pair of later neighbours has its blocks: among those of the earlier of the two, which come in
    /// the same order. Those that are not `written` from outside are so by the first product.
    pub fn aim(&mut self, written: impl Fn(usize) -> bool) {
        self.written.clear();
        self.written.extend((0..self.beside()).map(written));
        self.targets.clear();
        self.aimed.clear();
        for rank in 0..self.count() {
            self.aimed.push(self.targets.len() as u32);
            let list = self.range(rank);
            for i in list.clone() {
                let column = self.range(self.later[i] as usize);
                let mut at = column.start;
                for j in i + 1..list.end {
                    // Elimination has made all of them.
                    while at < column.end && self.later[at] != self.later[j] {
                        at += 1;
                    }
                    let written = std::mem::replace(&mut self.written[at], true);
                    self.targets
                        .push(at as u32 | if written { 0 } else { FRESH });
                }
            }
        }
        self.halve();
    }

    /// Finds the rank in the trunk before which branches change as much as from it on.
    fn halve(&mut self) {
        let trunk = self.branches[1];
        self.changed.clear();
        self.changed.resize(self.count() - trunk, 0);
        for rank in 0..trunk {
            let later = self.range(rank);
            for at in later.clone() {
                if let Some(k) = (self.later[at] as usize).checked_sub(trunk) {
                    self.changed[k] += products(later.end - at);
                }
            }
        }
        let total: usize = self.changed.iter().sum();
        let mut before = 0;
        let half = self.changed.iter().position(|changed| {
            before += changed;
            2 * before >= total
        });
        self.middle = trunk + half.map_or(0, |k| k + 1);
    }

    fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// Blocks below the diagonal, and as many above it.
    pub fn beside(&self) -> usize {
        self.later.len()
    }

    /// Where the blocks of two ranks are; `None` if they are not coupled.
    pub fn place(&self, rank: u32, later: u32) -> Option<usize> {
        let range = self.range(rank as usize);
        let k = self.later[range.clone()].binary_search(&later).ok()?;
        Some(range.start + k)
    }

    /// Products of blocks in one factorisation.
    pub fn products(&self) -> usize {
        2 * self.targets.len() + 2 * self.later.len()
    }

    /// Where two groups of branches end.
    #[cfg(test)]
    pub fn branches(&self) -> [usize; 2] {
        self.branches
    }

    fn range(&self, rank: usize) -> Range<usize> {
        self.first[rank] as usize..self.first[rank + 1] as usize
    }

    /// Places of the later neighbours of a rank that are between two ranks.
    fn rows(&self, rank: usize, between: Range<usize>) -> Range<usize> {
        let later = &self.later[self.range(rank)];
        let before = |end: usize| later.partition_point(|&other| (other as usize) < end);
        before(between.start)..before(between.end)
    }

    /// Factors all blocks.
    pub fn factor(&self, diagonal: &mut [Block], lower: &mut [Block], upper: &mut [Block]) {
        let [end, trunk] = self.branches;
        let blocks = Blocks {
            rank: 0,
            at: 0,
            diagonal,
            lower,
            upper,
        };
        let (mut branches, mut top) = blocks.split(trunk, self);
        if trunk > 0 {
            let (one, other) = branches.reborrow().split(end, self);
            threads::join(|| self.eliminate(one), || self.eliminate(other));
            let factors = branches.factors();
            let (one, other) = top.reborrow().split(self.middle, self);
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

    /// Solves with the factors of all ranks; `x` holds right-hand sides in their order, then the solution.
    pub fn substitute(
        &self,
        (diagonal, lower, upper): (&[Block], &[Block], &[Block]),
        x: &mut [Row],
    ) {
        let ([end, trunk], middle, count) = (self.branches, self.middle, x.len());
        let down = |sides: Sides<'_>| forward(self.fused, self, diagonal, lower, sides);
        let (branches, top) = x.split_at_mut(trunk);
        if trunk > 0 {
            let (one, other) = Sides::of(0, branches).split(end);
            threads::join(|| down(one), || down(other));
            let (one, other) = Sides::of(trunk, top).split(middle);
            let pass_on = |sides: Sides<'_>| collect(self.fused, self, lower, branches, sides);
            threads::join(|| pass_on(one), || pass_on(other));
        }
        down(Sides::of(trunk, top));
        let all = Sides::of(trunk, top);
        backward(self.fused, self, upper, all, (count, &[]));
        if trunk > 0 {
            let (one, other) = Sides::of(0, branches).split(end);
            let above = (trunk, &*top);
            let up = |sides: Sides<'_>| backward(self.fused, self, upper, sides, above);
            threads::join(|| up(one), || up(other));
        }
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
        pattern: &Pattern, which: (usize, Range<usize>), factors: Factors<'_>, into: Blocks<'_>,
    )
}

#[inline(always)]
fn change_all<L: Lanes>(
    pattern: &Pattern,
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
            let aimed = pattern.targets[target];
            let at = (aimed & !FRESH) as usize - into.at;
            target += 1;
            let (lower_at, upper_at) = (&mut into.lower[at], &mut into.upper[at]);
            if aimed & FRESH == 0 {
                lower_at.subtract_product::<L>(&lower[j], right);
                upper_at.subtract_product::<L>(left, &upper[j]);
            } else {
                *lower_at = Block::negative_product::<L>(&lower[j], right);
                *upper_at = Block::negative_product::<L>(left, &upper[j]);
            }
        }
    }
}

#[inline(always)]
fn subtract<L: Lanes>(x: &mut Row, part: &Row) {
    for half in 0..2 {
        x[half] = L::load(&x[half]).sub(L::load(&part[half])).store();
    }
}

pass! {
    /// Solves with `L`, as far as it is among these ranks.
    forward => forward_all, (
        pattern: &Pattern, diagonal: &[Block], lower: &[Block], sides: Sides<'_>,
    )
}

#[inline(always)]
fn forward_all<L: Lanes>(pattern: &Pattern, diagonal: &[Block], lower: &[Block], sides: Sides<'_>) {
    let ranks = sides.ranks();
    for rank in ranks.clone() {
        let mine = diagonal[rank].times::<L>(&sides.x[rank - sides.rank]);
        sides.x[rank - sides.rank] = mine;
        for k in pattern.first[rank] as usize..pattern.first[rank + 1] as usize {
            let other = pattern.later[k] as usize;
            if other >= ranks.end {
                break;
            }
            let part = lower[k].times::<L>(&mine);
            subtract::<L>(&mut sides.x[other - sides.rank], &part);
        }
    }
}

pass! {
    /// Takes what the first ranks, whose part of the solution with `L` is `from`, leave to these.
    collect => collect_all, (pattern: &Pattern, lower: &[Block], from: &[Row], sides: Sides<'_>)
}

#[inline(always)]
fn collect_all<L: Lanes>(pattern: &Pattern, lower: &[Block], from: &[Row], sides: Sides<'_>) {
    for (rank, mine) in from.iter().enumerate() {
        let begin = pattern.first[rank] as usize;
        for row in pattern.rows(rank, sides.ranks()) {
            let other = pattern.later[begin + row] as usize;
            let part = lower[begin + row].times::<L>(mine);
            subtract::<L>(&mut sides.x[other - sides.rank], &part);
        }
    }
}

pass! {
    /// Solves with `U` for these ranks, given the solution from a later rank on.
    backward => backward_all, (
        pattern: &Pattern, upper: &[Block], sides: Sides<'_>, above: (usize, &[Row]),
    )
}

#[inline(always)]
fn backward_all<L: Lanes>(
    pattern: &Pattern,
    upper: &[Block],
    sides: Sides<'_>,
    (trunk, above): (usize, &[Row]),
) {
    for rank in sides.ranks().rev() {
        let mut sum = ZERO_ROW;
        for k in pattern.first[rank] as usize..pattern.first[rank + 1] as usize {
            let other = pattern.later[k] as usize;
            let x = if other < trunk {
                &sides.x[other - sides.rank]
            } else {
                &above[other - trunk]
            };
            let part = upper[k].times::<L>(x);
            for half in 0..2 {
                sum[half] = L::load(&sum[half]).add(L::load(&part[half])).store();
            }
        }
        subtract::<L>(&mut sides.x[rank - sides.rank], &sum);
    }
}
