//! Elimination of a graph by minimum degree, with a set of bits for the neighbours of each node.
//!
//! Eliminating a node couples its neighbours, which is an `or` of their sets: for graphs of some hundred nodes an order
//! costs microseconds, so that it can be made within a step. [`minimum_degree`](super::ordering::minimum_degree) is for
//! blocks of several sizes, of which some must wait.

/// A graph that is eliminated; its room is used again.
#[derive(Debug, Clone, Default)]
pub struct BitGraph {
    words: usize,
    /// Neighbours of every node that are not eliminated; of one that is, those that were left at its turn.
    rows: Vec<u64>,
    degree: Vec<u32>,
    /// Nodes of every degree that are not eliminated.
    buckets: Vec<u64>,
    /// How many there are.
    filled: Vec<u32>,
    turn: Vec<u64>,
}

/// The places of the bits that are set.
pub fn bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(w, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            Some(64 * w + bit)
        })
    })
}

impl BitGraph {
    /// Eliminates a graph of `count` nodes with these edges, at each turn the node with the fewest neighbours, the
    /// lowest of several, and writes their order down.
    pub fn eliminate(&mut self, count: usize, edges: &[(u32, u32)], order: &mut Vec<u32>) {
        self.begin(count, edges);
        order.clear();
        let mut least = 0;
        for _ in 0..count {
            while self.filled[least] == 0 {
                least += 1;
            }
            let bucket = &self.buckets[least * self.words..(least + 1) * self.words];
            let Some(node) = bits(bucket).next() else {
                return;
            };
            order.push(node as u32);
            self.take(node);
            // A neighbour has lost one and gained none at best.
            least = least.saturating_sub(1);
        }
    }

    /// Neighbours that a node had at its turn, as a set of bits: those whose blocks its elimination changes.
    pub fn later(&self, node: usize) -> &[u64] {
        &self.rows[node * self.words..(node + 1) * self.words]
    }

    fn begin(&mut self, count: usize, edges: &[(u32, u32)]) {
        self.words = count.div_ceil(64);
        let words = self.words;
        for set in [&mut self.rows, &mut self.buckets] {
            set.clear();
            set.resize(count * words, 0);
        }
        self.turn.resize(words, 0);
        for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
            let (a, b) = (a as usize, b as usize);
            self.rows[a * words + b / 64] |= 1 << (b % 64);
            self.rows[b * words + a / 64] |= 1 << (a % 64);
        }
        self.degree.clear();
        self.filled.clear();
        self.filled.resize(count, 0);
        for node in 0..count {
            let degree = self.count(node);
            self.degree.push(degree as u32);
            self.put(node, degree);
        }
    }

    fn count(&self, node: usize) -> usize {
        let ones = self.later(node).iter().map(|w| w.count_ones() as usize);
        ones.sum()
    }

    fn put(&mut self, node: usize, degree: usize) {
        self.buckets[degree * self.words + node / 64] |= 1 << (node % 64);
        self.filled[degree] += 1;
    }

    fn drop(&mut self, node: usize) {
        let degree = self.degree[node] as usize;
        self.buckets[degree * self.words + node / 64] &= !(1 << (node % 64));
        self.filled[degree] -= 1;
    }

    /// Eliminates a node: its neighbours become each other's.
    fn take(&mut self, node: usize) {
        let words = self.words;
        self.drop(node);
        let mut turn = std::mem::take(&mut self.turn);
        turn.copy_from_slice(self.later(node));
        for other in bits(&turn) {
            self.drop(other);
            let row = &mut self.rows[other * words..(other + 1) * words];
            let mut degree = 0;
            for (mine, add) in row.iter_mut().zip(&turn) {
                *mine |= add;
                degree += mine.count_ones();
            }
            // Neither itself nor the node that goes.
            row[other / 64] &= !(1 << (other % 64));
            row[node / 64] &= !(1 << (node % 64));
            degree -= 2;
            self.degree[other] = degree;
            self.put(other, degree as usize);
        }
        self.turn = turn;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::ordering::minimum_degree;
    use crate::linalg::symbolic;
    use proptest::prelude::*;

    proptest! {
        /// The order is that of the same rule with ordered sets, and the neighbours at each turn are those of the
        /// symbolic factorisation; in the second round without any trace of the first.
        #[test]
        fn agrees_with_elimination_by_ordered_sets(
            counts in prop::array::uniform2(1usize..150),
            pairs in prop::collection::vec((0u32..150, 0u32..150), 0..400),
        ) {
            let mut graph = BitGraph::default();
            let mut order = Vec::new();
            for count in counts {
                let fold = |k: u32| k % count as u32;
                let edges: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (fold(a), fold(b))).collect();
                graph.eliminate(count, &edges, &mut order);
                let wide: Vec<(usize, usize)> = edges.iter().map(|&(a, b)| (a as usize, b as usize)).collect();
                let wanted = minimum_degree(&vec![1; count], &wide, &vec![Vec::new(); count]);
                let found: Vec<usize> = order.iter().map(|&k| k as usize).collect();
                prop_assert_eq!(&found, &wanted);
                let mut blocks: Vec<(usize, usize)> = symbolic::factor(&wanted, &wide)
                    .iter()
                    .map(|b| (wanted[b.column], wanted[b.row]))
                    .collect();
                blocks.sort_unstable();
                let found: Vec<(usize, usize)> = (0..count)
                    .flat_map(|k| bits(graph.later(k)).map(move |b| (k, b)))
                    .collect();
                prop_assert_eq!(found, blocks);
            }
        }
    }
}
