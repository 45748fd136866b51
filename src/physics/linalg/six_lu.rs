//! LU factorisation of an unsymmetric matrix of 6×6 blocks with a symmetric pattern that changes often.
//!
//! [`BlockLdu`](super::block_ldu) has blocks of several sizes and a pattern that is made once. Here all blocks are of one
//! size, in vector lanes, and order and pattern are made again in the room of those before. Nodes are eliminated by
//! minimum degree without exchanges between blocks; within a diagonal block rows are exchanged.

use super::bit_graph::{BitGraph, bits};
use super::block_six::{Block, Row};
use super::branches::Branches;
use super::six_factor::Pattern;

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

/// Room for the blocks of a matrix.
pub struct Matrix<'a> {
    /// Its nodes in the order of elimination.
    pub order: &'a [u32],
    /// Blocks on the diagonal, in that order.
    pub diagonal: &'a mut [Block],
    /// Blocks below it, by [place](Place).
    pub lower: &'a mut [Block],
    /// Blocks above it.
    pub upper: &'a mut [Block],
}

/// A matrix of 6×6 blocks, then its factors.
#[derive(Debug, Clone, Default)]
pub struct SixLu {
    graph: BitGraph,
    tree: Branches,
    order: Vec<u32>,
    /// Place of every node in the order.
    rank: Vec<u32>,
    pattern: Pattern,
    diagonal: Vec<Block>,
    lower: Vec<Block>,
    upper: Vec<Block>,
    x: Vec<Row>,
}

impl SixLu {
    /// Makes order and pattern of a matrix of `count` nodes with these coupled pairs.
    /// Which blocks are written is then to be [said](Self::write).
    pub fn fit(&mut self, count: usize, edges: &[(u32, u32)]) {
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
        let branches = self.tree.part(&mut self.order);
        self.number();
        self.pattern.begin(branches);
        for &node in &self.order {
            let later = bits(self.graph.later(node as usize)).map(|other| self.rank[other]);
            self.pattern.push(later);
        }
    }

    /// Finds the ranks of the nodes in the order.
    fn number(&mut self) {
        self.rank.resize(self.order.len(), 0);
        for (rank, &node) in self.order.iter().enumerate() {
            self.rank[node as usize] = rank as u32;
        }
    }

    /// Says which blocks beside the diagonal are [written](Self::blocks_mut) before each factorisation, by place; the others need not be.
    pub fn write(&mut self, written: impl Fn(usize) -> bool) {
        self.pattern.aim(written);
    }

    /// Where the block of a pair is; `None` if the pair is not coupled.
    pub fn place(&self, row: usize, column: usize) -> Option<Place> {
        let (a, b) = (self.rank[row], self.rank[column]);
        if a == b {
            return Some(Place::Diagonal(a as usize));
        }
        let k = self.pattern.place(a.min(b), a.max(b))?;
        Some(if a > b {
            Place::Lower(k)
        } else {
            Place::Upper(k)
        })
    }

    /// Blocks below the diagonal, and as many above it.
    pub fn beside(&self) -> usize {
        self.pattern.beside()
    }

    /// Room for all blocks, to be written before [`factor`](Self::factor).
    pub fn blocks_mut(&mut self) -> Matrix<'_> {
        let (count, beside) = (self.order.len(), self.beside());
        self.diagonal.resize(count, Block::ZERO);
        self.lower.resize(beside, Block::ZERO);
        self.upper.resize(beside, Block::ZERO);
        Matrix {
            order: &self.order,
            diagonal: &mut self.diagonal,
            lower: &mut self.lower,
            upper: &mut self.upper,
        }
    }

    /// Products of blocks in one factorisation: what it costs.
    pub fn products(&self) -> usize {
        self.pattern.products()
    }

    /// Factors the matrix in place: `A = L U`, where `L` has the diagonal blocks and `U` ones. On all
    /// [threads](crate::threads) that there are, with the same bits.
    pub fn factor(&mut self) {
        self.pattern
            .factor(&mut self.diagonal, &mut self.lower, &mut self.upper);
    }

    /// Solves with the factors: `x` holds the right-hand side, node by node, then the solution.
    pub fn solve(&mut self, x: &mut [Row]) {
        self.x.clear();
        self.x.extend(self.order.iter().map(|&n| x[n as usize]));
        let blocks = (&self.diagonal[..], &self.lower[..], &self.upper[..]);
        self.pattern.substitute(blocks, &mut self.x);
        for (&node, value) in self.order.iter().zip(&self.x) {
            x[node as usize] = *value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::block_six::{at, row};
    use crate::math::lanes::{self, Plain};
    use proptest::prelude::*;

    /// Random numbers from a seed, between -1 and 1.
    fn random(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Where the blocks beside the diagonal of a pair are.
    fn beside(lu: &SixLu, a: u32, b: u32) -> Option<usize> {
        match lu.place(a as usize, b as usize)? {
            Place::Diagonal(_) => None,
            Place::Lower(k) | Place::Upper(k) => Some(k),
        }
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
                lu.write(|_| true);
                let m = lu.blocks_mut();
                [m.diagonal, m.lower, m.upper].into_iter().for_each(|blocks| blocks.fill(Block::ZERO));
                let mut dense = nalgebra::DMatrix::<f64>::zeros(6 * count, 6 * count);
                let both = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
                let own = (0..count as u32).map(|k| (k, k));
                for (a, b) in both.chain(own) {
                    let (a, b) = (a as usize, b as usize);
                    let place = lu.place(a, b).expect("a coupled pair");
                    let m = lu.blocks_mut();
                    let block = match place {
                        Place::Diagonal(k) => &mut m.diagonal[k],
                        Place::Lower(k) => &mut m.lower[k],
                        Place::Upper(k) => &mut m.upper[k],
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
                    lu.pattern.fused = fused;
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

    /// Nodes in a box, each coupled with those beside it.
    fn coupled([wide, deep, high]: [u32; 3]) -> Vec<(u32, u32)> {
        let count = wide * deep * high;
        let beside = |node: u32| {
            let ends = [
                (node + 1).is_multiple_of(wide),
                node / wide % deep + 1 == deep,
                node / (wide * deep) + 1 == high,
            ];
            let others = [node + 1, node + wide, node + wide * deep];
            let pairs = ends.into_iter().zip(others);
            pairs.filter(|(end, _)| !end).map(move |(_, k)| (node, k))
        };
        (0..count).flat_map(beside).collect()
    }

    /// Long boxes and cubes, which have branches: what is left of the equations is rounding, threads change no bit, and what is
    /// not written may be anything.
    #[test]
    fn branches_give_the_same_bits_on_all_threads() {
        let mut lu = SixLu::default();
        for sides in [[2, 3, 25], [5, 5, 6], [1, 1, 3], [7, 7, 7]] {
            let edges = coupled(sides);
            let count = sides.iter().product::<u32>() as usize;
            lu.fit(count, &edges);
            let places: Vec<_> = edges.iter().map(|&(a, b)| beside(&lu, a, b)).collect();
            lu.write(|k| places.contains(&Some(k)));
            let branches = lu.pattern.branches();
            let many = branches[1] > count / 3;
            assert_eq!(many, count > 100, "{branches:?} of {count}");
            let mut seed = count as u64;
            let mut block = |large: f64| {
                let mut rows = [[0.0; 6]; 6];
                rows.iter_mut()
                    .flatten()
                    .for_each(|x| *x = random(&mut seed));
                (0..6).for_each(|k| rows[k][k] += large);
                Block::from_rows(&rows)
            };
            let own: Vec<Block> = (0..count).map(|_| block(60.0)).collect();
            let pairs: Vec<[Block; 2]> = edges.iter().map(|_| [block(0.0), block(0.0)]).collect();
            let m = lu.blocks_mut();
            for (block, &node) in m.diagonal.iter_mut().zip(m.order) {
                *block = own[node as usize];
            }
            for blocks in [m.lower, m.upper] {
                blocks.fill(Block([row(&[f64::NAN; 6]); 6]));
            }
            for (&(a, b), blocks) in edges.iter().zip(&pairs) {
                match lu.place(a as usize, b as usize) {
                    Some(Place::Upper(k)) => [lu.upper[k], lu.lower[k]] = *blocks,
                    Some(Place::Lower(k)) => [lu.lower[k], lu.upper[k]] = *blocks,
                    other => panic!("{other:?}"),
                }
            }
            let rhs: Vec<Row> = (0..count).map(|_| block(0.0).0[0]).collect();
            let solved = |threads: usize| {
                let (mut lu, mut x) = (lu.clone(), rhs.clone());
                crate::threads::with(threads, || {
                    lu.factor();
                    lu.solve(&mut x);
                });
                x
            };
            let x = solved(1);
            assert_eq!([solved(2), solved(3)], [x.clone(), x.clone()]);
            let mut left = rhs.clone();
            let mut take = |node: usize, block: &Block, other: usize| {
                let part = block.times::<Plain>(&x[other]);
                (0..6).for_each(|k| left[node][k / 3].0[k % 3] -= at(&part, k));
            };
            (0..count).for_each(|k| take(k, &own[k], k));
            for (&(a, b), [one, other]) in edges.iter().zip(&pairs) {
                take(a as usize, one, b as usize);
                take(b as usize, other, a as usize);
            }
            let worst = left
                .iter()
                .flat_map(|r| (0..6).map(move |k| at(r, k).abs()));
            assert!(worst.fold(0.0, f64::max) < 1e-14, "{left:?}");
        }
    }

    #[test]
    fn a_pair_that_is_not_coupled_has_no_block_and_products_are_counted() {
        let mut lu = SixLu::default();
        lu.fit(4, &[(0, 1), (1, 2)]);
        lu.write(|_| true);
        assert_eq!(lu.place(0, 3), None);
        assert!(lu.place(1, 0).is_some());
        // A path: two columns with one block below and one above, each a product to scale and one to subtract.
        assert_eq!(lu.products(), 4);
        lu.fit(3, &[(0, 1), (1, 2), (2, 0)]);
        lu.write(|_| true);
        assert_eq!(lu.products(), 6 + 2);
    }
}
