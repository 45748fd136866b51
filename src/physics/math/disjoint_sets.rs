//! Things that hang together, found pair by pair.

/// Disjoint sets of the numbers below a count.
#[derive(Debug)]
pub struct DisjointSets {
    above: Vec<usize>,
}

impl DisjointSets {
    /// Every number a set of its own.
    pub fn new(count: usize) -> Self {
        Self {
            above: (0..count).collect(),
        }
    }

    /// The least number of the set that holds one.
    pub fn find(&mut self, mut at: usize) -> usize {
        while self.above[at] != at {
            self.above[at] = self.above[self.above[at]];
            at = self.above[at];
        }
        at
    }

    /// How many numbers there are.
    pub fn size(&self) -> usize {
        self.above.len()
    }

    /// Number of sets.
    pub fn count(&mut self) -> usize {
        (0..self.size()).filter(|&k| self.find(k) == k).count()
    }

    /// Makes the sets of two numbers one; false where they were.
    pub fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.above[a.max(b)] = a.min(b);
        a != b
    }
}

// A copy into existing sets keeps their room, which the derived `clone_from` would not.
impl Clone for DisjointSets {
    fn clone(&self) -> Self {
        Self {
            above: self.above.clone(),
        }
    }

    fn clone_from(&mut self, from: &Self) {
        self.above.clone_from(&from.above);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_has_one_least_number_and_what_hangs_together_is_not_joined_again() {
        let mut sets = DisjointSets::new(6);
        let joined = [(4, 2), (5, 0), (2, 5)].map(|(a, b)| sets.join(a, b));
        assert_eq!(joined, [true; 3]);
        assert!(!sets.join(4, 0));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|n| sets.find(n)), [0, 1, 0, 3, 0, 0]);
        assert_eq!((sets.size(), sets.count()), (6, 3));
    }
}
