//! Orders of elimination for little fill-in: minimum degree, with nodes that must wait for others.

use std::collections::BTreeSet;

/// An order of elimination by least weight of fill: at each turn the node whose later neighbours are fewest (by
/// size) among those that may go, ties by the lowest index.
///
/// `after[k]` lists the nodes that must be eliminated before `k`, such as the bodies of a constraint, whose own
/// block is zero until one of them is gone. If the waiting goes in circles, the lowest index goes first.
pub fn minimum_degree(
    sizes: &[usize],
    edges: &[(usize, usize)],
    after: &[Vec<usize>],
) -> Vec<usize> {
    let count = sizes.len();
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
    for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
        neighbours[a].insert(b);
        neighbours[b].insert(a);
    }
    let mut waiting: Vec<usize> = after.iter().map(Vec::len).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (k, before) in after.iter().enumerate() {
        for &b in before {
            followers[b].push(k);
        }
    }
    let weight = |k: usize, neighbours: &[BTreeSet<usize>]| -> usize {
        neighbours[k].iter().map(|&n| sizes[n]).sum()
    };
    let mut ready: BTreeSet<(usize, usize)> = (0..count)
        .filter(|&k| waiting[k] == 0)
        .map(|k| (weight(k, &neighbours), k))
        .collect();
    let mut gone = vec![false; count];
    let mut order = Vec::with_capacity(count);
    while order.len() < count {
        let k = match ready.pop_first() {
            Some((_, k)) => k,
            None => match gone.iter().position(|g| !g) {
                Some(k) => k,
                None => break,
            },
        };
        gone[k] = true;
        order.push(k);
        let list: Vec<usize> = std::mem::take(&mut neighbours[k]).into_iter().collect();
        for &a in &list {
            // Taken out under its old weight, put back under the new one.
            let was_ready = ready.remove(&(weight(a, &neighbours), a));
            neighbours[a].remove(&k);
            let others = list.iter().copied().filter(|&b| b != a);
            // A pair's other half is inserted when its turn comes.
            neighbours[a].extend(others);
            if was_ready {
                ready.insert((weight(a, &neighbours), a));
            }
        }
        for &f in &followers[k] {
            waiting[f] -= 1;
            if waiting[f] == 0 && !gone[f] {
                ready.insert((weight(f, &neighbours), f));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::block_ldu::fill_in;

    #[test]
    fn trees_fill_nothing_and_a_grid_less_than_by_rows() {
        // A star whose centre comes first by index, and a path.
        let star: Vec<_> = (1..9).map(|k| (0, k)).collect();
        let path: Vec<_> = (1..9).map(|k| (k - 1, k)).collect();
        for edges in [star, path] {
            let order = minimum_degree(&[6; 9], &edges, &vec![Vec::new(); 9]);
            assert_eq!(fill_in(9, &edges, &order), 0);
        }
        let n = 10;
        let at = |x: usize, y: usize| x + n * y;
        let mut grid = Vec::new();
        for y in 0..n {
            for x in 0..n {
                if x + 1 < n {
                    grid.push((at(x, y), at(x + 1, y)));
                }
                if y + 1 < n {
                    grid.push((at(x, y), at(x, y + 1)));
                }
            }
        }
        let order = minimum_degree(&vec![6; n * n], &grid, &vec![Vec::new(); n * n]);
        let rows: Vec<usize> = (0..n * n).collect();
        let (ours, by_rows) = (fill_in(n * n, &grid, &order), fill_in(n * n, &grid, &rows));
        assert!(ours < by_rows * 2 / 3, "{ours} against {by_rows}");
        let mut all = order;
        all.sort_unstable();
        assert_eq!(all, rows);
    }

    #[test]
    fn nodes_wait_for_those_before_them() {
        let edges = [(0, 1), (1, 2), (2, 3)];
        let after = [vec![3], vec![], vec![1, 0], vec![]];
        let order = minimum_degree(&[1; 4], &edges, &after);
        let place = |k: usize| order.iter().position(|&o| o == k);
        assert!(place(3) < place(0) && place(1) < place(2) && place(0) < place(2));
        // A circle of waiting still ends.
        let circle = [vec![1], vec![0], vec![], vec![]];
        assert_eq!(minimum_degree(&[1; 4], &edges, &circle).len(), 4);
    }
}
