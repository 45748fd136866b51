//! LU factorisation of an unsymmetric matrix of 6×6 blocks with a symmetric pattern that changes often.
//!
//! [`BlockLdu`](super::block_ldu) has blocks of several sizes and a pattern that is made once. Here all blocks are of one
//! size, in vector lanes, and order and pattern are made again in the room of those before. Nodes are eliminated by
//! minimum degree without exchanges between blocks; within a diagonal block rows are exchanged.

use super::bit_graph::{BitGraph, bits};
use super::block_six::{Block, Row, ZERO_ROW};
use crate::math::lanes::{self, Lanes, pass};

/// Where a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On the diagonal, by rank.
    Diagonal(usize),
    /// Below it.
    Lower(usize),
    /// Above it.
    Upper(usize),
}

/// A matrix of 6×6 blocks, then its factors.
#[derive(Debug, Clone, Default)]
pub struct SixLu {
    graph: BitGraph,
    order: Vec<u32>,
    /// Place of every node in the order.
    rank: Vec<u32>,
    /// First of the blocks beside the diagonal of every rank, and their number.
    first: Vec<u32>,
    /// Ranks of the later neighbours, rank by rank, in order.
    later: Vec<u32>,
    /// Where each pair of later neighbours of a rank has its blocks, rank by rank.
    targets: Vec<u32>,
    diagonal: Vec<Block>,
    lower: Vec<Block>,
    upper: Vec<Block>,
    x: Vec<Row>,
    fused: bool,
}

impl SixLu {
    /// Makes order and pattern of a matrix of `count` nodes with these coupled pairs, to be [cleared](Self::clear).
    pub fn fit(&mut self, count: usize, edges: &[(u32, u32)]) {
        self.fused = lanes::fused();
        self.graph.eliminate(count, edges, &mut self.order);
        self.rank.clear();
        self.rank.resize(count, 0);
        for (rank, &node) in self.order.iter().enumerate() {
            self.rank[node as usize] = rank as u32;
        }
        self.first.clear();
        self.later.clear();
        for &node in &self.order {
            let first = self.later.len();
            self.first.push(first as u32);
            let later = bits(self.graph.later(node as usize));
            self.later.extend(later.map(|other| self.rank[other]));
            self.later[first..].sort_unstable();
        }
        self.first.push(self.later.len() as u32);
        self.aim();
    }

    /// Finds where each pair of later neighbours has its blocks: among those of the earlier of the two, which come in
    /// the same order.
    fn aim(&mut self) {
        self.targets.clear();
        for rank in 0..self.order.len() {
            let list = self.range(rank);
            for i in list.clone() {
                let column = self.range(self.later[i] as usize);
                let mut at = column.start;
                for j in i + 1..list.end {
                    // Elimination has made all of them.
                    while at < column.end && self.later[at] != self.later[j] {
                        at += 1;
                    }
                    self.targets.push(at as u32);
                }
            }
        }
    }

    fn range(&self, rank: usize) -> std::ops::Range<usize> {
        self.first[rank] as usize..self.first[rank + 1] as usize
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        let beside = self.later.len();
        for (blocks, count) in [
            (&mut self.diagonal, self.order.len()),
            (&mut self.lower, beside),
            (&mut self.upper, beside),
        ] {
            blocks.clear();
            blocks.resize(count, Block::ZERO);
        }
    }

    /// Where the block of a pair is; `None` if the pair is not coupled.
    pub fn place(&self, row: usize, column: usize) -> Option<Place> {
        let (a, b) = (self.rank[row], self.rank[column]);
        if a == b {
            return Some(Place::Diagonal(a as usize));
        }
        let range = self.range(a.min(b) as usize);
        let k = self.later[range.clone()].binary_search(&a.max(b)).ok()? + range.start;
        Some(if a > b {
            Place::Lower(k)
        } else {
            Place::Upper(k)
        })
    }

    /// A block, to be changed before [`factor`](Self::factor).
    #[inline(always)]
    pub fn block_mut(&mut self, place: Place) -> &mut Block {
        match place {
            Place::Diagonal(k) => &mut self.diagonal[k],
            Place::Lower(k) => &mut self.lower[k],
            Place::Upper(k) => &mut self.upper[k],
        }
    }

    /// Products of blocks in one factorisation: what it costs.
    pub fn products(&self) -> usize {
        2 * self.targets.len() + 2 * self.later.len()
    }

    /// Factors the matrix in place: `A = L U`, where `L` has the diagonal blocks and `U` ones.
    pub fn factor(&mut self) {
        factor(self.fused, self);
    }

    /// Solves with the factors: `x` holds the right-hand side, node by node, then the solution.
    pub fn solve(&mut self, x: &mut [Row]) {
        self.x.clear();
        self.x.extend(self.order.iter().map(|&n| x[n as usize]));
        substitute(self.fused, self);
        for (&node, value) in self.order.iter().zip(&self.x) {
            x[node as usize] = *value;
        }
    }
}

pass! {
    factor => factor_all, (lu: &mut SixLu)
}

#[inline(always)]
fn factor_all<L: Lanes>(lu: &mut SixLu) {
    let mut target = 0;
    for rank in 0..lu.order.len() {
        lu.diagonal[rank].invert::<L>();
        let inverse = lu.diagonal[rank];
        let (begin, end) = (lu.first[rank] as usize, lu.first[rank + 1] as usize);
        for k in begin..end {
            lu.upper[k] = Block::product::<L>(&inverse, &lu.upper[k]);
        }
        // Blocks of later ranks come after those of this one.
        let (lower, lower_later) = lu.lower.split_at_mut(end);
        let (upper, upper_later) = lu.upper.split_at_mut(end);
        for i in begin..end {
            let (left, right) = (&lower[i], &upper[i]);
            lu.diagonal[lu.later[i] as usize].subtract_product::<L>(left, right);
            for j in i + 1..end {
                let at = lu.targets[target] as usize - end;
                target += 1;
                lower_later[at].subtract_product::<L>(&lower[j], right);
                upper_later[at].subtract_product::<L>(left, &upper[j]);
            }
        }
    }
}

pass! {
    substitute => substitute_all, (lu: &mut SixLu)
}

#[inline(always)]
fn substitute_all<L: Lanes>(lu: &mut SixLu) {
    let x = &mut lu.x;
    for rank in 0..lu.order.len() {
        let mine = lu.diagonal[rank].times::<L>(&x[rank]);
        x[rank] = mine;
        for k in lu.first[rank] as usize..lu.first[rank + 1] as usize {
            subtract::<L>(&mut x[lu.later[k] as usize], &lu.lower[k].times::<L>(&mine));
        }
    }
    for rank in (0..lu.order.len()).rev() {
        let mut sum = ZERO_ROW;
        for k in lu.first[rank] as usize..lu.first[rank + 1] as usize {
            let part = lu.upper[k].times::<L>(&x[lu.later[k] as usize]);
            for half in 0..2 {
                sum[half] = L::load(&sum[half]).add(L::load(&part[half])).store();
            }
        }
        subtract::<L>(&mut x[rank], &sum);
    }
}

#[inline(always)]
fn subtract<L: Lanes>(x: &mut Row, part: &Row) {
    for half in 0..2 {
        x[half] = L::load(&x[half]).sub(L::load(&part[half])).store();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::block_six::{at, row};
    use proptest::prelude::*;

    /// Random numbers from a seed, between -1 and 1.
    fn random(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    proptest! {
        /// Against a dense solution of a matrix whose diagonal dominates: rounding is that of some hundred sums. Both
        /// ways of the lanes, and once more in the room of a matrix before.
        #[test]
        fn agrees_with_the_dense_solution(
            counts in prop::array::uniform2(1usize..20),
            pairs in prop::collection::vec((0u32..20, 0u32..20), 0..60),
            mut seed in any::<u64>(),
        ) {
            let mut lu = SixLu::default();
            for count in counts {
                let fold = |k: u32| k % count as u32;
                let edges: Vec<_> = pairs.iter().map(|&(a, b)| (fold(a), fold(b))).filter(|(a, b)| a != b).collect();
                lu.fit(count, &edges);
                lu.clear();
                let mut dense = nalgebra::DMatrix::<f64>::zeros(6 * count, 6 * count);
                let both = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
                let own = (0..count as u32).map(|k| (k, k));
                for (a, b) in both.chain(own) {
                    let (a, b) = (a as usize, b as usize);
                    let place = lu.place(a, b).expect("a coupled pair");
                    let block = lu.block_mut(place);
                    for i in 0..6 {
                        for j in 0..6 {
                            let large = if a == b && i == j { 150.0 } else { 0.0 };
                            block.0[i][j / 3].0[j % 3] = random(&mut seed) + large;
                            dense[(6 * a + i, 6 * b + j)] = at(&block.0[i], j);
                        }
                    }
                }
                let rhs: Vec<[f64; 6]> = (0..count)
                    .map(|_| std::array::from_fn(|_| random(&mut seed)))
                    .collect();
                let flat = nalgebra::DVector::from_iterator(6 * count, rhs.iter().flatten().copied());
                let wanted = dense.lu().solve(&flat).expect("it is regular");
                for fused in [false, lanes::fused()] {
                    let mut lu = lu.clone();
                    lu.fused = fused;
                    lu.factor();
                    let mut x: Vec<Row> = rhs.iter().map(row).collect();
                    lu.solve(&mut x);
                    for k in 0..6 * count {
                        prop_assert!((at(&x[k / 6], k % 6) - wanted[k]).abs() < 1e-14);
                    }
                }
            }
        }
    }

    #[test]
    fn a_pair_that_is_not_coupled_has_no_block_and_products_are_counted() {
        let mut lu = SixLu::default();
        lu.fit(4, &[(0, 1), (1, 2)]);
        assert_eq!(lu.place(0, 3), None);
        assert!(lu.place(1, 0).is_some());
        // A path: two columns with one block below and one above, each a product to scale and one to subtract.
        assert_eq!(lu.products(), 4);
        lu.fit(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(lu.products(), 6 + 2);
    }
}
