//! LU factorisation of an unsymmetric matrix of 6×6 blocks with a symmetric pattern that changes often.
//!
//! [`BlockLdu`](super::block_ldu) has blocks of several sizes and a pattern that is made once. Here all blocks are of one
//! size, in vector lanes, and order and pattern are made again in the room of those before. Nodes are eliminated by
//! minimum degree without exchanges between blocks; within a diagonal block rows are exchanged.

use super::bit_graph::{BitGraph, bits};
use super::block_six::{Block, Row, ZERO_ROW};
use super::branches::Branches;
use super::six_factor::{Blocks, Pattern, products};
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
    tree: Branches,
    /// Where two groups of branches of the elimination end, and a rank in the trunk that halves what both change there.
    branches: [usize; 2],
    middle: usize,
    order: Vec<u32>,
    /// Place of every node in the order.
    rank: Vec<u32>,
    /// First of the blocks beside the diagonal of every rank, and their number.
    first: Vec<u32>,
    /// Ranks of the later neighbours, rank by rank, in order.
    later: Vec<u32>,
    /// Where each pair of later neighbours of a rank has its blocks, rank by rank.
    targets: Vec<u32>,
    /// First of the targets of every rank.
    aimed: Vec<u32>,
    /// Products for every rank of the trunk in the branches.
    changed: Vec<usize>,
    diagonal: Vec<Block>,
    lower: Vec<Block>,
    upper: Vec<Block>,
    x: Vec<Row>,
    fused: bool,
}

impl SixLu {
    /// Makes order and pattern of a matrix of `count` nodes with these coupled pairs, whose blocks are then to be [written](Self::blocks_mut).
    pub fn fit(&mut self, count: usize, edges: &[(u32, u32)]) {
        self.fused = lanes::fused();
        self.graph.eliminate(count, edges, &mut self.order);
        self.number();
        self.tree.begin();
        for &node in &self.order {
            let later = bits(self.graph.later(node as usize)).map(|other| self.rank[other]);
            let (parent, count) = later.fold((u32::MAX, 0), |(parent, count), rank| {
                (parent.min(rank), count + 1)
            });
            self.tree.push((count > 0).then_some(parent), count);
        }
        self.branches = self.tree.part(&mut self.order);
        self.number();
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
        self.halve();
    }

    /// Finds the rank in the trunk before which branches change as much as from it on.
    fn halve(&mut self) {
        let trunk = self.branches[1];
        self.changed.clear();
        self.changed.resize(self.order.len() - trunk, 0);
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

    /// Finds the ranks of the nodes in the order.
    fn number(&mut self) {
        self.rank.resize(self.order.len(), 0);
        for (rank, &node) in self.order.iter().enumerate() {
            self.rank[node as usize] = rank as u32;
        }
    }

    /// Finds where each pair of later neighbours has its blocks: among those of the earlier of the two, which come in
    /// the same order.
    fn aim(&mut self) {
        self.targets.clear();
        self.aimed.clear();
        for rank in 0..self.order.len() {
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

    /// Blocks below the diagonal, and as many above it.
    pub fn beside(&self) -> usize {
        self.later.len()
    }

    /// Room for all blocks, to be written before [`factor`](Self::factor): the order of the nodes, those on the diagonal in it, those
    /// below and above.
    pub fn blocks_mut(&mut self) -> (&[u32], &mut [Block], (&mut [Block], &mut [Block])) {
        let (count, beside) = (self.order.len(), self.later.len());
        self.diagonal.resize(count, Block::ZERO);
        self.lower.resize(beside, Block::ZERO);
        self.upper.resize(beside, Block::ZERO);
        let both = (&mut self.lower[..], &mut self.upper[..]);
        (&self.order, &mut self.diagonal, both)
    }

    /// Products of blocks in one factorisation: what it costs.
    pub fn products(&self) -> usize {
        2 * self.targets.len() + 2 * self.later.len()
    }

    /// Factors the matrix in place: `A = L U`, where `L` has the diagonal blocks and `U` ones. On all
    /// [threads](crate::threads) that there are, with the same bits.
    pub fn factor(&mut self) {
        let pattern = Pattern {
            first: &self.first,
            later: &self.later,
            targets: &self.targets,
            aimed: &self.aimed,
            fused: self.fused,
        };
        let blocks = Blocks {
            rank: 0,
            at: 0,
            diagonal: &mut self.diagonal,
            lower: &mut self.lower,
            upper: &mut self.upper,
        };
        pattern.factor(blocks, self.branches, self.middle);
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
    use crate::math::lanes::Plain;
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
                let (_, diagonal, (lower, upper)) = lu.blocks_mut();
                [diagonal, lower, upper].into_iter().for_each(|blocks| blocks.fill(Block::ZERO));
                let mut dense = nalgebra::DMatrix::<f64>::zeros(6 * count, 6 * count);
                let both = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
                let own = (0..count as u32).map(|k| (k, k));
                for (a, b) in both.chain(own) {
                    let (a, b) = (a as usize, b as usize);
                    let place = lu.place(a, b).expect("a coupled pair");
                    let (_, diagonal, (lower, upper)) = lu.blocks_mut();
                    let block = match place {
                        Place::Diagonal(k) => &mut diagonal[k],
                        Place::Lower(k) => &mut lower[k],
                        Place::Upper(k) => &mut upper[k],
                    };
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

    /// Boxes of nodes with their neighbours, long ones and cubes, which have branches: what is left of the equations is rounding, and
    /// threads change no bit.
    #[test]
    fn branches_give_the_same_bits_on_all_threads() {
        let mut lu = SixLu::default();
        for [wide, deep, high] in [[2, 3, 25], [5, 5, 6], [1, 1, 3], [7, 7, 7]] {
            let at = |x: usize, y: usize, z: usize| ((z * deep + y) * wide + x) as u32;
            let places = (0..high)
                .flat_map(|z| (0..deep).flat_map(move |y| (0..wide).map(move |x| [x, y, z])));
            let mut edges = Vec::new();
            for [x, y, z] in places {
                let near = [
                    (x + 1 < wide, [x + 1, y, z]),
                    (y + 1 < deep, [x, y + 1, z]),
                    (z + 1 < high, [x, y, z + 1]),
                ];
                edges.extend(
                    near.iter()
                        .filter(|n| n.0)
                        .map(|&(_, [p, q, r])| (at(x, y, z), at(p, q, r))),
                );
            }
            let count = wide * deep * high;
            lu.fit(count, &edges);
            assert_eq!(
                lu.branches[1] > count / 3,
                count > 100,
                "{:?} of {count}",
                lu.branches
            );
            let mut seed = count as u64;
            let mut fill = |block: &mut Block, large: f64| {
                for i in 0..6 {
                    let values = std::array::from_fn(|j| {
                        random(&mut seed) + if i == j { large } else { 0.0 }
                    });
                    block.0[i] = row(&values);
                }
            };
            let (_, diagonal, (lower, upper)) = lu.blocks_mut();
            diagonal.iter_mut().for_each(|block| fill(block, 60.0));
            [lower, upper]
                .into_iter()
                .for_each(|blocks| blocks.fill(Block::ZERO));
            for &(a, b) in &edges {
                for (a, b) in [(a, b), (b, a)] {
                    match lu.place(a as usize, b as usize) {
                        Some(Place::Lower(k)) => fill(&mut lu.lower[k], 0.0),
                        Some(Place::Upper(k)) => fill(&mut lu.upper[k], 0.0),
                        other => panic!("{other:?}"),
                    }
                }
            }
            let rhs: Vec<Row> = (0..count)
                .map(|_| row(&std::array::from_fn(|_| random(&mut seed))))
                .collect();
            let solved = |threads: usize| {
                let (mut lu, mut x) = (lu.clone(), rhs.clone());
                crate::threads::with(threads, || lu.factor());
                lu.solve(&mut x);
                x
            };
            let x = solved(1);
            assert_eq!(solved(2), x);
            assert_eq!(solved(3), x);
            for node in 0..count {
                let mut left = rhs[node];
                for other in 0..count {
                    let block = match lu.place(node, other) {
                        Some(Place::Diagonal(k)) => lu.diagonal[k],
                        Some(Place::Lower(k)) => lu.lower[k],
                        Some(Place::Upper(k)) => lu.upper[k],
                        None => continue,
                    };
                    subtract::<Plain>(&mut left, &block.times::<Plain>(&x[other]));
                }
                assert!(
                    (0..6).all(|k| super::super::block_six::at(&left, k).abs() < 1e-14),
                    "{left:?}"
                );
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
