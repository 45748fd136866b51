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
        let most = Self::endless(solver);
        solver.unilaterals().iter().any(|u| is_jammed(u, most))
    }

    /// Impulse that no motion asks for (N s).
    pub fn endless(solver: &MechanismSolver) -> f64 {
        ENDLESS * solver.handled_at_least()
    }

    /// Lets those give that press without end, for the rest of the interval; whether there are any.
    pub fn loosen_jammed(&mut self, solver: &MechanismSolver) -> bool {
        let most = Self::endless(solver);
        let before = self.jammed.len();
        for unilateral in solver.unilaterals().iter().filter(|u| is_jammed(u, most)) {
            if let What::Contact(k) = unilateral.what {
                self.jammed.push(self.points[k].key);
            }
        }
        self.jammed.len() > before
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

/// Whether the unilateral constraint of a contact that does not give yet presses with more than `most` (N s).
fn is_jammed(unilateral: &Unilateral, most: f64) -> bool {
    let contact = matches!(unilateral.what, What::Contact(_)) && unilateral.gives == 0.0;
    contact && unilateral.impulse[0] * unilateral.mass > most
}
