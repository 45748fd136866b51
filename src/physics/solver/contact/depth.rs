//! How deep a solution leaves bodies in each other.

use super::candidates::deepen;
use super::{Contacts, Missed, TOLERATED};
use crate::solver::{MechanismSolver, What};

impl Contacts {
    /// The contact that ends deepest beneath what the interval must leave, and what was `missed`, whichever is deeper.
    pub fn deepest(&self, solver: &MechanismSolver, missed: Option<Missed>) -> Option<Missed> {
        let mut deepest = missed;
        for unilateral in solver.unilaterals() {
            let What::Contact(k) = unilateral.what else {
                continue;
            };
            let bodies = self.points[k].bodies;
            let depth = (unilateral.floor - unilateral.gap) / unilateral.size;
            deepen(&mut deepest, depth / TOLERATED, bodies);
        }
        deepest
    }
}
