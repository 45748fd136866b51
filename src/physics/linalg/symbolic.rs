//! Which blocks a factorisation makes, from the graph alone.
//!
//! The later neighbours of a node after elimination are its own and those of the nodes whose first later neighbour it
//! is: the elimination tree. That costs time in proportion to the blocks that there are in the end.

/// A block below the diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// Place of its column's node in the order of elimination.
    pub column: usize,
    /// Place of its row's node, later than the column's.
    pub row: usize,
    /// Not in the matrix but made by the factorisation.
    pub fill: bool,
}

/// All blocks below the diagonal that eliminating `order` leaves of a graph, column by column, each from top to bottom.
pub fn factor(order: &[usize], edges: &[(usize, usize)]) -> Vec<Block> {
    let count = order.len();
    let mut rank = vec![0; count];
    for (k, &node) in order.iter().enumerate() {
        rank[node] = k;
    }
    let mut own: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
        let (a, b) = (rank[a], rank[b]);
        own[a.min(b)].push(a.max(b));
    }
    let mut later: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    // The last node at whose turn each node was seen, and whether as a neighbour of its own.
    let mut seen = vec![(usize::MAX, false); count];
    let mut blocks = Vec::new();
    for k in 0..count {
        let mut list = Vec::with_capacity(own[k].len());
        for &row in &own[k] {
            if seen[row].0 != k {
                list.push(row);
            }
            seen[row] = (k, true);
        }
        for &child in &children[k] {
            for &row in later[child].iter().filter(|&&row| row != k) {
                if seen[row].0 != k {
                    seen[row] = (k, false);
                    list.push(row);
                }
            }
        }
        list.sort_unstable();
        if let Some(&first) = list.first() {
            children[first].push(k);
        }
        blocks.extend(list.iter().map(|&row| Block {
            column: k,
            row,
            fill: !seen[row].1,
        }));
        later[k] = list;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::block_ldu::{BlockLdu, fill_in};
    use proptest::prelude::*;

    proptest! {
        /// Against the factorisation's own pattern, which eliminates node by node, and against the count of fill-in.
        #[test]
        fn agrees_with_elimination_node_by_node(
            count in 1usize..24,
            pairs in proptest::collection::vec((0usize..24, 0usize..24), 0..60),
            keys in proptest::collection::vec(any::<u32>(), 24),
        ) {
            let mut edges: Vec<(usize, usize)> = pairs
                .into_iter()
                .map(|(a, b)| (a % count, b % count))
                .filter(|(a, b)| a != b)
                .collect();
            // An edge may be named twice and either way round.
            if let Some(&(a, b)) = edges.first() {
                edges.push((b, a));
            }
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by_key(|&k| keys[k]);
            let blocks = factor(&order, &edges);
            prop_assert!(blocks.is_sorted());
            let found: Vec<_> = blocks.iter().map(|b| (order[b.row], order[b.column], b.fill)).collect();
            let ldu = BlockLdu::new(&vec![1; count], &edges, &order);
            prop_assert_eq!(&found, &ldu.pattern().collect::<Vec<_>>());
            let fill = found.iter().filter(|b| b.2).count();
            prop_assert_eq!(fill, fill_in(count, &edges, &order));
        }
    }
}
