//! Which nodes of an elimination can go at the same time: branches of its tree [Liu1990].
//!
//! Eliminating a node changes its later neighbours alone, the first of which is its parent in the tree. Nodes of
//! branches that are not above each other change nothing of each other. Two groups of branches that take about as long are eliminated at
//! the same time, then the trunk above both.

/// Work from which on it is shared, in products of blocks: some ten nanoseconds each.
const LEAST: u32 = 1500;

/// The larger group has this part of both at most.
const HALF: f64 = 0.58;

/// The part of all work that the trunk has at most.
const TRUNK: f64 = 0.6;

/// No node.
const NONE: u32 = u32::MAX;

/// The branches of a tree, and the room for them.
#[derive(Debug, Clone, Default)]
pub struct Branches {
    parent: Vec<u32>,
    /// The first of the nodes above which each is, and the next with the same parent.
    child: Vec<u32>,
    next: Vec<u32>,
    /// Work of a node, then with all below it.
    own: Vec<u32>,
    work: Vec<u32>,
    /// Roots of branches.
    roots: Vec<u32>,
    /// Group of every node; the trunk is the third.
    group: Vec<u8>,
    moved: Vec<u32>,
}

/// The trunk among groups.
const TOP: u8 = 2;

/// Work of a node with so many later neighbours: the products, and an inverse that takes as long as some.
fn work(later: usize) -> u32 {
    (later * later + 2 * later + 6) as u32
}

impl Branches {
    /// Forgets the tree before.
    pub fn begin(&mut self) {
        self.parent.clear();
        self.own.clear();
    }

    /// The next node in the order of elimination: its parent's place in it, if it has one, and how many later neighbours.
    pub fn push(&mut self, parent: Option<u32>, later: usize) {
        self.parent.push(parent.unwrap_or(NONE));
        self.own.push(work(later));
    }

    /// Puts the nodes of two groups of branches before the trunk, each in their order, and returns where both end. The group with more of
    /// the lower nodes comes first: what a thread makes ready for these it then has near. Where there is too little to share all are the
    /// trunk, and stay where they are.
    pub fn part(&mut self, order: &mut [u32]) -> [usize; 2] {
        let count = self.parent.len();
        self.grow(count);
        if !self.choose() {
            return [0; 2];
        }
        for node in (0..count).rev() {
            // Roots and the trunk have their groups.
            if self.group[node] == u8::MAX {
                self.group[node] = self.group[self.parent[node] as usize];
            }
        }
        let lower = |group: u8| {
            let own = order.iter().zip(&self.group).filter(|(_, g)| **g == group);
            own.filter(|(node, _)| 2 * (**node as usize) < count)
                .count()
        };
        let groups = if lower(0) < lower(1) {
            [1, 0, TOP]
        } else {
            [0, 1, TOP]
        };
        self.moved.clear();
        let mut ends = [0; 3];
        for (end, group) in ends.iter_mut().zip(groups) {
            let own = (0..count).filter(|&k| self.group[k] == group);
            self.moved.extend(own.map(|k| order[k]));
            *end = self.moved.len();
        }
        order.copy_from_slice(&self.moved);
        [ends[0], ends[1]]
    }

    /// Lists children, and adds up the work.
    fn grow(&mut self, count: usize) {
        for list in [&mut self.child, &mut self.next] {
            list.clear();
            list.resize(count, NONE);
        }
        self.group.clear();
        self.group.resize(count, u8::MAX);
        self.work.clear();
        self.work.extend_from_slice(&self.own);
        self.roots.clear();
        for node in 0..count {
            let parent = self.parent[node];
            if parent == NONE {
                self.roots.push(node as u32);
            } else {
                // Children come before their parent.
                self.work[parent as usize] += self.work[node];
                self.next[node] = self.child[parent as usize];
                self.child[parent as usize] = node as u32;
            }
        }
    }

    /// Cuts the largest branches until two groups of them are about even; whether that shares enough.
    fn choose(&mut self) -> bool {
        let work = |roots: &[u32], all: &[u32]| roots.iter().map(|&r| all[r as usize]).sum::<u32>();
        let total = work(&self.roots, &self.work);
        let mut left = total;
        if total < LEAST {
            return false;
        }
        loop {
            // The largest first; of equals that which comes first.
            let all = &self.work;
            self.roots
                .sort_unstable_by_key(|&r| (std::cmp::Reverse(all[r as usize]), r));
            let Some(&largest) = self.roots.first() else {
                return false;
            };
            let even = |work: u32| f64::from(work) <= HALF * f64::from(left);
            if even(self.work[largest as usize]) {
                let mut groups = [0; 2];
                for &root in &self.roots {
                    let lighter = usize::from(groups[1] < groups[0]);
                    groups[lighter] += self.work[root as usize];
                    self.group[root as usize] = lighter as u8;
                }
                if groups.into_iter().all(even) {
                    return true;
                }
            }
            left -= self.own[largest as usize];
            if f64::from(left) < (1.0 - TRUNK) * f64::from(total) {
                return false;
            }
            self.roots.swap_remove(0);
            self.group[largest as usize] = TOP;
            let mut child = self.child[largest as usize];
            while child != NONE {
                self.roots.push(child);
                child = self.next[child as usize];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two chains of equal length that meet in a third.
    fn fork(arm: u32, trunk: u32, later: usize) -> (Branches, Vec<u32>) {
        let mut branches = Branches::default();
        branches.begin();
        let count = 2 * arm + trunk;
        for k in 0..count {
            let parent = match k {
                _ if k + 1 == arm => 2 * arm,
                _ => k + 1,
            };
            branches.push((parent < count).then_some(parent), later);
        }
        (branches, (0..count).collect())
    }

    #[test]
    fn arms_are_the_groups_and_what_is_above_both_the_trunk() {
        let (mut branches, mut order) = fork(40, 5, 6);
        assert_eq!(branches.part(&mut order), [40, 80]);
        assert!(order.iter().copied().eq(0..85), "{order:?}");
    }

    /// Groups are even, so that the first could be either.
    #[test]
    fn the_group_of_the_lower_nodes_comes_first() {
        let (mut branches, mut order) = fork(40, 5, 6);
        order.reverse();
        assert_eq!(branches.part(&mut order), [40, 80]);
        let expected = (5..45).rev().chain((45..85).rev()).chain((0..5).rev());
        assert!(order.iter().copied().eq(expected), "{order:?}");
    }

    #[test]
    fn what_is_little_or_one_chain_is_all_trunk() {
        for (arm, trunk, later) in [(4, 2, 3), (1, 100, 6), (0, 100, 6), (0, 0, 0)] {
            let (mut branches, mut order) = fork(arm, trunk, later);
            let before = order.clone();
            assert_eq!(branches.part(&mut order), [0, 0], "{arm} {trunk}");
            assert_eq!(order, before);
        }
    }

    /// Many small trees are shared out whole.
    #[test]
    fn trees_that_hang_together_with_nothing_have_no_trunk() {
        let mut branches = Branches::default();
        branches.begin();
        for k in 0..300u32 {
            branches.push((k % 3 < 2).then_some(k + 1), 4);
        }
        let mut order: Vec<u32> = (0..300).collect();
        assert_eq!(branches.part(&mut order), [150, 300]);
        for trees in order.chunks(3) {
            assert!(trees[0] % 3 == 0 && trees[1] == trees[0] + 1 && trees[2] == trees[0] + 2);
        }
    }
}
