//! LU factorisation of an unsymmetric matrix of 6×6 blocks with a symmetric pattern that changes often.
//!
//! [`BlockLdu`](super::block_ldu) has blocks of several sizes and a pattern that is made once. Here all blocks are of one
//! size, in vector lanes, and order and pattern are made again in the room of those before. Nodes are eliminated by
//! minimum degree without exchanges between blocks; within a diagonal block rows are exchanged. Numbers are doubles, or
//! singles: those take half of the time, and what they leave of a system is its size times 1e-7.

use super::bit_graph::{BitGraph, bits};
use super::block_six::Block;
use super::six_lanes::{Number, Row, Six};
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

/// The order in which nodes are eliminated, and which blocks that leaves.
#[derive(Debug, Clone, Default)]
pub struct Pattern {
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
}

/// A matrix of 6×6 blocks in a pattern, then its factors.
#[derive(Debug, Clone)]
pub struct SixLu<N: Number> {
    diagonal: Vec<Block<N>>,
    lower: Vec<Block<N>>,
    upper: Vec<Block<N>>,
    x: Vec<N::Row>,
}

impl<N: Number> Default for SixLu<N> {
    fn default() -> Self {
        Self {
            diagonal: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            x: Vec::new(),
        }
    }
}

impl Pattern {
    /// Makes order and pattern of a matrix of `count` nodes with these coupled pairs.
    pub fn fit(&mut self, count: usize, edges: &[(u32, u32)]) {
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

    /// Products of blocks in one factorisation: what it costs.
    pub fn products(&self) -> usize {
        2 * self.targets.len() + 2 * self.later.len()
    }
}

impl<N: Number> SixLu<N> {
    /// Lays a matrix of zeros out.
    pub fn clear(&mut self, pattern: &Pattern) {
        let beside = pattern.later.len();
        for (blocks, count) in [
            (&mut self.diagonal, pattern.order.len()),
            (&mut self.lower, beside),
            (&mut self.upper, beside),
        ] {
            blocks.clear();
            blocks.resize(count, Block::ZERO);
        }
    }

    /// A block, to be changed before [`factor`](Self::factor).
    #[inline(always)]
    pub fn block_mut(&mut self, place: Place) -> &mut Block<N> {
        match place {
            Place::Diagonal(k) => &mut self.diagonal[k],
            Place::Lower(k) => &mut self.lower[k],
            Place::Upper(k) => &mut self.upper[k],
        }
    }

    /// Factors the matrix in place: `A = L U`, where `L` has the diagonal blocks and `U` ones.
    pub fn factor(&mut self, pattern: &Pattern) {
        factor(lanes::fused(), pattern, self);
    }

    /// Solves with the factors: `x` holds the right-hand side, node by node, then the solution.
    pub fn solve(&mut self, pattern: &Pattern, x: &mut [Row]) {
        solve(lanes::fused(), pattern, self, x);
    }
}

pass! {
    factor => factor_all for N: Number, (pattern: &Pattern, lu: &mut SixLu<N>)
}

#[inline(always)]
fn factor_all<L: Lanes, N: Number>(pattern: &Pattern, lu: &mut SixLu<N>) {
    let mut target = 0;
    for rank in 0..pattern.order.len() {
        lu.diagonal[rank].invert::<L>();
        let inverse = lu.diagonal[rank];
        let range = pattern.range(rank);
        let end = range.end;
        for k in range.clone() {
            lu.upper[k] = Block::product::<L>(&inverse, &lu.upper[k]);
        }
        // Blocks of later ranks come after those of this one.
        let (lower, lower_later) = lu.lower.split_at_mut(end);
        let (upper, upper_later) = lu.upper.split_at_mut(end);
        for i in range {
            let (left, right) = (&lower[i], &upper[i]);
            lu.diagonal[pattern.later[i] as usize].subtract_product::<L>(left, right);
            for j in i + 1..end {
                let at = pattern.targets[target] as usize - end;
                target += 1;
                lower_later[at].subtract_product::<L>(&lower[j], right);
                upper_later[at].subtract_product::<L>(left, &upper[j]);
            }
        }
    }
}

pass! {
    solve => solve_all for N: Number, (pattern: &Pattern, lu: &mut SixLu<N>, x: &mut [Row])
}

#[inline(always)]
fn solve_all<L: Lanes, N: Number>(pattern: &Pattern, lu: &mut SixLu<N>, x: &mut [Row]) {
    lu.x.clear();
    for &node in &pattern.order {
        lu.x.push(N::Six::<L>::narrow(&x[node as usize]).store());
    }
    for rank in 0..pattern.order.len() {
        let mine = lu.diagonal[rank].times::<L>(&lu.x[rank]);
        lu.x[rank] = mine;
        for k in pattern.range(rank) {
            let other = &mut lu.x[pattern.later[k] as usize];
            let part = N::Six::<L>::load(&lu.lower[k].times::<L>(&mine));
            *other = N::Six::<L>::load(other).sub(part).store();
        }
    }
    for rank in (0..pattern.order.len()).rev() {
        let mut sum = N::Six::<L>::load(&N::ZERO_ROW);
        for k in pattern.range(rank) {
            let part = lu.upper[k].times::<L>(&lu.x[pattern.later[k] as usize]);
            sum = sum.add(N::Six::<L>::load(&part));
        }
        let mine = &mut lu.x[rank];
        *mine = N::Six::<L>::load(mine).sub(sum).store();
    }
    for (&node, value) in pattern.order.iter().zip(&lu.x) {
        x[node as usize] = N::Six::<L>::load(value).widen();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::six_lanes::{row, six};
    use proptest::prelude::*;

    /// Random numbers from a seed, between -1 and 1.
    fn random(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// The solution of a matrix of blocks, node by node.
    fn solved<N: Number>(
        pattern: &Pattern,
        lu: &mut SixLu<N>,
        fused: bool,
        blocks: &[(Place, Block)],
        rhs: &[[f64; 6]],
    ) -> nalgebra::DVector<f64> {
        lu.clear(pattern);
        for (place, block) in blocks {
            *lu.block_mut(*place) = Block::narrow::<lanes::Plain>(block);
        }
        factor(fused, pattern, lu);
        let mut x: Vec<Row> = rhs.iter().map(row).collect();
        solve(fused, pattern, lu, &mut x);
        nalgebra::DVector::from_iterator(6 * x.len(), x.iter().flat_map(six))
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
            let mut pattern = Pattern::default();
            let mut rooms = (SixLu::<f64>::default(), SixLu::<f32>::default());
            for count in counts {
                let fold = |k: u32| k % count as u32;
                let edges: Vec<_> = pairs.iter().map(|&(a, b)| (fold(a), fold(b))).filter(|(a, b)| a != b).collect();
                pattern.fit(count, &edges);
                let both = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
                let own = (0..count as u32).map(|k| (k, k));
                let mut blocks = Vec::new();
                let mut dense = nalgebra::DMatrix::<f64>::zeros(6 * count, 6 * count);
                for (a, b) in both.chain(own) {
                    let (a, b) = (a as usize, b as usize);
                    let rows: [[f64; 6]; 6] = std::array::from_fn(|i| std::array::from_fn(|j| {
                        let large = if a == b && i == j { 150.0 } else { 0.0 };
                        random(&mut seed) + large
                    }));
                    dense.view_mut((6 * a, 6 * b), (6, 6)).copy_from(&nalgebra::Matrix6::from_fn(|i, j| rows[i][j]));
                    blocks.push((pattern.place(a, b).expect("a coupled pair"), Block::from_rows(&rows)));
                }
                let rhs: Vec<[f64; 6]> = (0..count)
                    .map(|_| std::array::from_fn(|_| random(&mut seed)))
                    .collect();
                let flat = nalgebra::DVector::from_iterator(6 * count, rhs.iter().flatten().copied());
                let wanted = dense.lu().solve(&flat).expect("it is regular");
                for fused in [false, lanes::fused()] {
                    let x = solved(&pattern, &mut rooms.0, fused, &blocks, &rhs);
                    prop_assert!((x - &wanted).amax() < 1e-14);
                    let x = solved(&pattern, &mut rooms.1, fused, &blocks, &rhs);
                    prop_assert!((x - &wanted).amax() < 1e-14 * f64::from(f32::EPSILON) / f64::EPSILON);
                }
            }
        }
    }

    #[test]
    fn a_pair_that_is_not_coupled_has_no_block_and_products_are_counted() {
        let mut pattern = Pattern::default();
        pattern.fit(4, &[(0, 1), (1, 2)]);
        assert_eq!(pattern.place(0, 3), None);
        assert!(pattern.place(1, 0).is_some());
        // A path: two columns with one block below and one above, each a product to scale and one to subtract.
        assert_eq!(pattern.products(), 4);
        pattern.fit(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(pattern.products(), 6 + 2);
    }
}
