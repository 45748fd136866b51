//! Contacts that are jammed: they press without end, since no motion keeps their laws however hard they push.
//!
//! A rod between two walls that friction holds at both ends cannot part from them, and where it rolls on its round ends it would
//! grow too long for them. Rigid bodies have no motion there that keeps all laws, only one that comes as near as can be with
//! impulses as large as can be. Contacts that give a little have one with modest impulses that is hardly farther off.

use super::Contacts;
use crate::solver::{LEFT, MechanismSolver, Unilateral, What};

/// Impulses that no motion asks for, in the momenta of all bodies together.
const ENDLESS: f64 = 1e3;

/// Impulse at which a contact that gives does so by what is left where contacts are solved live, in the momenta of its own bodies.
const FIRM: f64 = 10.0;

impl Contacts {
    /// Whether contacts press without end: with more than a [thousand times](Self::endless) the momenta of all bodies.
    pub fn are_jammed(&self, solver: &MechanismSolver) -> bool {
        jams(solver).next().is_some()
    }

    /// Impulse that no motion asks for (N s).
    pub fn endless(solver: &MechanismSolver) -> f64 {
        ENDLESS * solver.handled_at_least()
    }

    /// Lets those give that press without end, for the rest of the interval.
    pub fn loosen_jammed(&mut self, solver: &MechanismSolver) {
        let keys = jams(solver).map(|k| self.points[k].key);
        self.jammed.extend(keys);
    }

    /// Whether contacts were [loosened](Self::loosen_jammed).
    pub fn give(&self) -> bool {
        !self.jammed.is_empty()
    }

    /// Velocity by which the unilateral constraint of a contact that was loosened gives per unit of its impulse.
    pub(super) fn compliance(solver: &MechanismSolver, unilateral: &Unilateral) -> f64 {
        let firm = FIRM * solver.handled_by(unilateral);
        LEFT * solver.scale().speed * unilateral.mass / firm
    }
}

/// The contact points that do not give yet and press without end.
fn jams(solver: &MechanismSolver) -> impl Iterator<Item = usize> {
    let most = Contacts::endless(solver);
    solver.unilaterals().iter().filter_map(move |u| {
        let What::Contact(k) = u.what else {
            return None;
        };
        (u.gives == 0.0 && u.impulse[0] * u.mass > most).then_some(k)
    })
}
