//! Block LDU factorisation of an unsymmetric matrix with a symmetric pattern, on the graph of its blocks
//! [Brüdigam2023 alg. 1-4].
//!
//! Nodes are eliminated in a given order. Eliminating a node couples all its later neighbours with each other:
//! blocks that were not there before are fill-in. On a tree taken from the leaves to the root every node has one
//! later neighbour, there is no fill-in and the cost is linear.
//!
//! The factors replace the matrix: `A = L D U` with `L_jk = A_jk D_k⁻¹` and `U_kj = D_k⁻¹ A_kj`. Nothing is
//! allocated after [`BlockLdu::new`].

use super::kernels::{self, sized};
use super::lu;
use super::proximal::RHO;
use crate::math::lanes::{self, Lanes, pass};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A later neighbour of a node.
#[derive(Debug, Clone, PartialEq)]
struct Neighbour {
    /// The neighbour.
    node: usize,
    /// Its place in the order of elimination.
    rank: usize,
    /// Where its block in the node's column begins (neighbour × node).
    lower: usize,
    /// Where its block in the node's row begins (node × neighbour).
    upper: usize,
    /// Not in the matrix but made by the factorisation.
    fill: bool,
}

/// A matrix of blocks, then its factors.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockLdu {
    sizes: Vec<usize>,
    order: Vec<usize>,
    /// Position of every node in the order.
    rank: Vec<usize>,
    /// First row of every node in a vector laid out node by node.
    first: Vec<usize>,
    diagonal: Vec<usize>,
    later: Vec<Vec<Neighbour>>,
    /// Blocks on the diagonal first.
    values: Vec<f64>,
    /// Where those beside it begin.
    beside: usize,
    pivots: Vec<usize>,
    /// For each row of a vector: its free mobility if it may be implied by others, 0 if not.
    proximal: Vec<f64>,
    scratch: Vec<f64>,
    copy: Vec<f64>,
    /// The values kept by [`keep`](Self::keep).
    kept: Vec<f64>,
    /// For each node, where each pair of its later neighbours has its block.
    targets: Vec<Vec<usize>>,
    fused: bool,
}

impl BlockLdu {
    /// A zero matrix with the given block sizes and coupled pairs, to be eliminated in `order`.
    pub fn new(sizes: &[usize], edges: &[(usize, usize)], order: &[usize]) -> Self {
        let count = sizes.len();
        let mut rank = vec![0; count];
        for (k, &node) in order.iter().enumerate() {
            rank[node] = k;
        }
        let mut later: Vec<BTreeMap<usize, bool>> = vec![BTreeMap::new(); count];
        for &(a, b) in edges {
            let (before, after) = if rank[a] < rank[b] { (a, b) } else { (b, a) };
            // Keys are ranks, so that neighbours come in the order of elimination.
            later[before].insert(rank[after], false);
        }
        for &node in order {
            let neighbours: Vec<usize> = later[node].keys().copied().collect();
            for (k, &a) in neighbours.iter().enumerate() {
                for &b in &neighbours[k + 1..] {
                    later[order[a]].entry(b).or_insert(true);
                }
            }
        }
        let mut total = 0;
        let mut take = |n: usize| {
            total += n;
            total - n
        };
        let mut first = Vec::with_capacity(count);
        let mut rows = 0;
        for &size in sizes {
            first.push(rows);
            rows += size;
        }
        let diagonal = sizes.iter().map(|&n| take(n * n)).collect();
        let beside = take(0);
        let later: Vec<Vec<Neighbour>> = (0..count)
            .map(|k| {
                let place = |(&rank, &fill): (&usize, &bool)| {
                    let node = order[rank];
                    let size = sizes[k] * sizes[node];
                    Neighbour {
                        node,
                        rank,
                        lower: take(size),
                        upper: take(size),
                        fill,
                    }
                };
                later[k].iter().map(place).collect()
            })
            .collect();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let mut ldu = Self {
            sizes: sizes.to_vec(),
            order: order.to_vec(),
            rank,
            pivots: vec![0; rows],
            first,
            diagonal,
            later,
            values: vec![0.0; total],
            proximal: vec![0.0; rows],
            scratch: vec![0.0; largest * largest],
            beside,
            copy: vec![0.0; rows],
            kept: vec![0.0; total],
            targets: Vec::new(),
            fused: lanes::fused(),
        };
        ldu.targets = ldu.later.iter().map(|list| ldu.pairs(list)).collect();
        ldu
    }

    /// Where every pair of these neighbours has its block.
    fn pairs(&self, list: &[Neighbour]) -> Vec<usize> {
        let pairs = list
            .iter()
            .flat_map(|a| list.iter().map(move |b| (a.node, b.node)));
        // All are later neighbours of one node, so the symbolic factorisation made their blocks.
        pairs
            .map(|(a, b)| self.place(a, b).unwrap_or(usize::MAX))
            .collect()
    }

    /// Remembers the matrix as it is, for [`residual`](Self::residual) after it has been changed and factored.
    pub fn keep(&mut self) {
        self.kept.copy_from_slice(&self.values);
    }

    /// Puts back the matrix kept.
    pub fn restore(&mut self) {
        self.values.copy_from_slice(&self.kept);
    }

    /// `b - A x` with the matrix kept.
    pub fn residual(&self, x: &[f64], b: &[f64], out: &mut [f64]) {
        out.copy_from_slice(b);
        let mut subtract = |row: usize, column: usize, at: usize| {
            let (n, m) = (self.sizes[row], self.sizes[column]);
            let x = &x[self.first[column]..self.first[column] + m];
            let out = &mut out[self.first[row]..self.first[row] + n];
            let block = self.kept[at..at + n * m].chunks_exact(m);
            for (y, row) in out.iter_mut().zip(block) {
                *y -= row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
            }
        };
        for k in 0..self.sizes.len() {
            subtract(k, k, self.diagonal[k]);
            for n in self.later[k].iter().filter(|n| !n.fill) {
                subtract(n.node, k, n.lower);
                subtract(k, n.node, n.upper);
            }
        }
    }

    /// Block size of every node.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Says that a row of a node may be implied by others, and what its pivot would be were it coupled with the nodes
    /// beside it alone: its diagonal is [regularised](super::proximal) when it is factored.
    pub fn set_proximal(&mut self, node: usize, row: usize, free: f64) {
        self.proximal[self.first[node] + row] = free;
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// The block of a coupled pair, row by row; `None` if the pair is not coupled.
    pub fn block_mut(&mut self, row: usize, column: usize) -> Option<&mut [f64]> {
        let at = self.place(row, column)?;
        let size = self.sizes[row] * self.sizes[column];
        Some(&mut self.values[at..at + size])
    }

    /// The numbers of all blocks, each row by row.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The block of a coupled pair, to be read.
    pub fn block(&self, row: usize, column: usize) -> Option<&[f64]> {
        let at = self.place(row, column)?;
        Some(&self.values[at..at + self.sizes[row] * self.sizes[column]])
    }

    /// Where the block of a coupled pair begins in [`values_mut`](Self::values_mut); `None` if the pair is not coupled.
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        if row == column {
            return Some(self.diagonal[row]);
        }
        if self.rank[row] > self.rank[column] {
            self.neighbour(column, row).map(|n| n.lower)
        } else {
            self.neighbour(row, column).map(|n| n.upper)
        }
    }

    fn neighbour(&self, node: usize, other: usize) -> Option<&Neighbour> {
        let rank = self.rank[other];
        let list = &self.later[node];
        let place = list.binary_search_by_key(&rank, |n| n.rank).ok()?;
        Some(&list[place])
    }

    /// First row of a node in a vector laid out node by node.
    pub fn first_row(&self, node: usize) -> usize {
        self.first[node]
    }

    /// Order of elimination.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// All off-diagonal blocks below the diagonal in the order of elimination: (row, column, fill-in).
    pub fn pattern(&self) -> impl Iterator<Item = (usize, usize, bool)> {
        self.order
            .iter()
            .flat_map(|&k| self.later[k].iter().map(move |n| (n.node, k, n.fill)))
    }

    /// Multiplications of one factorisation and one solve.
    pub fn operations(&self) -> usize {
        // Factor the pivot, scale the row and the column, update.
        let factored = |(n, m)| n * n * n / 3 + 2 * n * n * m + n * m * m;
        self.pivots().map(factored).sum::<usize>() + self.solution_operations()
    }

    /// Multiplications of one solve: forward and backward substitution.
    pub fn solution_operations(&self) -> usize {
        self.pivots().map(|(n, m)| n * n + 2 * n * m).sum()
    }

    /// Rows of every pivot, and of what it is coupled with later.
    fn pivots(&self) -> impl Iterator<Item = (usize, usize)> {
        let later = self
            .later
            .iter()
            .map(|list| list.iter().map(|x| self.sizes[x.node]).sum());
        self.sizes.iter().copied().zip(later)
    }

    /// The matrix, dense and row by row in the layout of vectors; the oracle.
    pub fn to_dense(&self) -> nalgebra::DMatrix<f64> {
        let rows: usize = self.sizes.iter().sum();
        let mut dense = nalgebra::DMatrix::zeros(rows, rows);
        let mut put = |row: usize, column: usize, at: usize| {
            let (n, m) = (self.sizes[row], self.sizes[column]);
            for i in 0..n {
                for j in 0..m {
                    dense[(self.first[row] + i, self.first[column] + j)] =
                        self.values[at + i * m + j];
                }
            }
        };
        for k in 0..self.sizes.len() {
            put(k, k, self.diagonal[k]);
            for n in &self.later[k] {
                put(n.node, k, n.lower);
                put(k, n.node, n.upper);
            }
        }
        dense
    }

    /// Factors the matrix in place.
    pub fn factor(&mut self) {
        factor(self.fused, self);
    }

    #[inline(always)]
    fn eliminate<L: Lanes>(&mut self) {
        for rank in 0..self.order.len() {
            let k = self.order[rank];
            self.eliminate_node::<L>(k);
        }
    }

    #[inline(always)]
    fn eliminate_node<L: Lanes>(&mut self, k: usize) {
        let (n, at, first) = (self.sizes[k], self.diagonal[k], self.first[k]);
        let (diagonals, beside) = self.values.split_at_mut(self.beside);
        let pivot = &mut diagonals[at..at + n * n];
        let pivots = &mut self.pivots[first..first + n];
        for (i, &free) in self.proximal[first..first + n].iter().enumerate() {
            pivot[i * n + i] += RHO * free;
        }
        kernels::factor::<L>(pivot, n, pivots);
        // U_kj = D⁻¹ A_kj.
        for neighbour in &self.later[k] {
            let row = &mut beside[neighbour.upper - self.beside..];
            let (m, scratch) = (self.sizes[neighbour.node], &mut self.scratch);
            kernels::solve_rows::<L>(pivot, n, pivots, row, m, scratch);
        }
        // A_ij -= A_ik U_kj.
        let list = &self.later[k];
        for (i, a) in list.iter().enumerate() {
            for (j, b) in list.iter().enumerate() {
                let (rows, columns) = (self.sizes[a.node], self.sizes[b.node]);
                kernels::subtract_product::<L>(
                    &mut self.values,
                    self.targets[k][i * list.len() + j],
                    (a.lower, b.upper),
                    (rows, n, columns),
                );
            }
        }
    }

    /// Solves with the factors: `x` holds the right-hand side, then the solution.
    pub fn solve(&mut self, x: &mut [f64]) {
        for rank in 0..self.order.len() {
            let k = self.order[rank];
            let n = self.sizes[k];
            sized!(n, (n, _W) => self.forward(k, n, x), _ => self.forward(k, n, x));
        }
        for rank in (0..self.order.len()).rev() {
            let k = self.order[rank];
            for neighbour in &self.later[k] {
                let (n, m) = (self.sizes[k], self.sizes[neighbour.node]);
                let (from, to) = (self.first[neighbour.node], self.first[k]);
                let block = &self.values[neighbour.upper..neighbour.upper + n * m];
                sized!(m, (m, _W) => subtract(block, x, from..from + m, to..to + n),
                    _ => subtract(block, x, from..from + m, to..to + n));
            }
        }
    }

    #[inline(always)]
    fn forward(&mut self, k: usize, n: usize, x: &mut [f64]) {
        let (at, first) = (self.diagonal[k], self.first[k]);
        let pivots = &self.pivots[first..first + n];
        let (pivot, y) = (&self.values[at..at + n * n], &mut self.scratch[..n]);
        lu::solve(pivot, n, pivots, |i| x[first + i], y);
        x[first..first + n].copy_from_slice(y);
        for neighbour in &self.later[k] {
            let (to, m) = (self.first[neighbour.node], self.sizes[neighbour.node]);
            let block = &self.values[neighbour.lower..neighbour.lower + m * n];
            subtract(block, x, first..first + n, to..to + m);
        }
    }

    /// Solves `A x = b` densely instead, leaving the matrix as it is; `false` if it is singular.
    pub fn solve_dense(&mut self, x: &mut [f64]) -> bool {
        let mut dense = self.to_dense();
        for (row, &free) in self.proximal.iter().enumerate() {
            dense[(row, row)] += RHO * free;
        }
        self.copy.copy_from_slice(x);
        let solution = dense
            .lu()
            .solve(&nalgebra::DVector::from_column_slice(&self.copy));
        match solution {
            Some(solution) => {
                x.copy_from_slice(solution.as_slice());
                true
            }
            None => false,
        }
    }
}

/// Subtracts a block times a part of `x` from another part of it.
#[inline(always)]
fn subtract(block: &[f64], x: &mut [f64], from: Range<usize>, to: Range<usize>) {
    let m = from.len();
    for (r, place) in to.enumerate() {
        let row = &block[r * m..(r + 1) * m];
        let sum: f64 = row.iter().zip(&x[from.clone()]).map(|(b, x)| b * x).sum();
        x[place] -= sum;
    }
}

pass! { factor => eliminate_with, (ldu: &mut BlockLdu) }

#[inline(always)]
fn eliminate_with<L: Lanes>(ldu: &mut BlockLdu) {
    ldu.eliminate::<L>();
}

/// Number of blocks that eliminating in `order` would fill in, on either side of the diagonal.
pub fn fill_in(count: usize, edges: &[(usize, usize)], order: &[usize]) -> usize {
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
    for &(a, b) in edges {
        neighbours[a].insert(b);
        neighbours[b].insert(a);
    }
    let mut filled = 0;
    for &k in order {
        let list: Vec<usize> = std::mem::take(&mut neighbours[k]).into_iter().collect();
        for (i, &a) in list.iter().enumerate() {
            neighbours[a].remove(&k);
            for &b in &list[i + 1..] {
                if neighbours[a].insert(b) {
                    neighbours[b].insert(a);
                    filled += 1;
                }
            }
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A connected graph with some cycles, block sizes 1 to 6 and diagonally dominant random entries.
    fn system() -> impl Strategy<Value = (BlockLdu, Vec<f64>)> {
        (2usize..14).prop_flat_map(|count| {
            let parents = proptest::collection::vec(any::<prop::sample::Index>(), count - 1);
            let extra = proptest::collection::vec((0..count, 0..count), 0..4);
            let sizes = proptest::collection::vec(1usize..7, count);
            let entries = proptest::collection::vec(-1.0..1.0, 6 * 6 * 400);
            (parents, extra, sizes, entries).prop_map(move |(parents, extra, sizes, entries)| {
                let mut edges: Vec<(usize, usize)> = parents
                    .iter()
                    .enumerate()
                    .map(|(k, p)| (k + 1, p.index(k + 1)))
                    .collect();
                edges.extend(extra.into_iter().filter(|(a, b)| a != b));
                let order: Vec<usize> = (0..count).rev().collect();
                let mut ldu = BlockLdu::new(&sizes, &edges, &order);
                let mut entries = entries.into_iter().cycle();
                let mut pairs: Vec<(usize, usize)> =
                    edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
                pairs.extend((0..count).map(|k| (k, k)));
                for (a, b) in pairs {
                    for x in ldu.block_mut(a, b).unwrap() {
                        *x = entries.next().unwrap();
                    }
                    if a == b {
                        for i in 0..sizes[a] {
                            ldu.block_mut(a, a).unwrap()[i * sizes[a] + i] += 30.0;
                        }
                    }
                }
                let rows: usize = sizes.iter().sum();
                (ldu, entries.take(rows).collect())
            })
        })
    }

    proptest! {
        #[test]
        fn agrees_with_the_dense_solution((mut ldu, b) in system()) {
            let dense = ldu.to_dense();
            let mut x = b.clone();
            ldu.factor();
            ldu.solve(&mut x);
            let left = &dense * nalgebra::DVector::from_vec(x) - nalgebra::DVector::from_vec(b);
            // Well conditioned by construction: rounding times the size of the entries.
            prop_assert!(left.amax() < 1e-13, "{}", left.amax());
        }
    }

    #[test]
    fn trees_have_no_fill_and_a_ring_has_what_the_order_makes() {
        let chain: Vec<(usize, usize)> = (1..6).map(|k| (k - 1, k)).collect();
        assert_eq!(fill_in(6, &chain, &[5, 4, 3, 2, 1, 0]), 0);
        assert!(fill_in(6, &chain, &[2, 3, 0, 1, 4, 5]) > 0);
        let mut ring = chain;
        ring.push((5, 0));
        let order = [5, 4, 3, 2, 1, 0];
        assert_eq!(fill_in(6, &ring, &order), 3);
        let ldu = BlockLdu::new(&[6; 6], &ring, &order);
        assert_eq!(ldu.pattern().filter(|(_, _, fill)| *fill).count(), 3);
    }
}
