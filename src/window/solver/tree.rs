//! Where the nodes of the graph are drawn: the tree from its root on, leaves side by side.

use physics::solver::Plan;

/// Places of all nodes, in units of the distance between neighbours.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    /// Along the tree's levels and across them, by node.
    pub places: Vec<[f32; 2]>,
    /// Levels and leaves.
    pub size: [f32; 2],
}

impl Tree {
    /// Lays out the nodes of a plan.
    pub fn of(plan: &Plan) -> Self {
        let count = plan.nodes.len();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for (k, node) in plan.nodes.iter().enumerate() {
            match node.above {
                Some(above) => children[above].push(k),
                None => roots.push(k),
            }
        }
        // Parents before children, in the order of the branches.
        let mut walk = Vec::with_capacity(count);
        let mut level = vec![0usize; count];
        let mut waiting: Vec<usize> = roots.into_iter().rev().collect();
        while let Some(k) = waiting.pop() {
            walk.push(k);
            for &child in children[k].iter().rev() {
                level[child] = level[k] + 1;
                waiting.push(child);
            }
        }
        let mut across = vec![0.0_f32; count];
        let mut leaves = 0.0;
        for &k in walk.iter().filter(|&&k| children[k].is_empty()) {
            across[k] = leaves + 0.5;
            leaves += 1.0;
        }
        for &k in walk.iter().rev() {
            if let (Some(&first), Some(&last)) = (children[k].first(), children[k].last()) {
                across[k] = 0.5 * (across[first] + across[last]);
            }
        }
        let levels = walk.iter().map(|&k| level[k] + 1).max().unwrap_or(1);
        Self {
            places: (0..count)
                .map(|k| [level[k] as f32 + 0.5, across[k]])
                .collect(),
            size: [levels as f32, leaves.max(1.0)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::scene;
    use physics::solver::LinearSolver;

    #[test]
    fn no_two_nodes_lie_on_each_other_and_children_lie_below() {
        for spec in [
            "four-bar-chain:segments=3",
            "tree:depth=4",
            "net:rows=4,columns=4",
        ] {
            let plan = Plan::of(
                &scene::open(spec, &[]).unwrap().model,
                LinearSolver::Articulated,
            );
            let tree = Tree::of(&plan);
            for (k, node) in plan.nodes.iter().enumerate() {
                if let Some(above) = node.above {
                    assert_eq!(tree.places[k][0], tree.places[above][0] + 1.0, "{spec}");
                }
                let [x, y] = tree.places[k];
                assert!(x < tree.size[0] && y < tree.size[1] && x > 0.0 && y > 0.0);
                for other in &tree.places[..k] {
                    let apart = (x - other[0]).abs().max((y - other[1]).abs());
                    assert!(apart >= 0.99, "{spec}: {apart}");
                }
            }
        }
    }
}
