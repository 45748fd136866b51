//! A motion with its impulses, noted to come back to.

use super::{MechanismSolver, Moved};
use crate::math::lanes::V4;

/// A motion and its impulses, noted to come back to.
#[derive(Debug, Clone, Default)]
pub struct Mark {
    links: Vec<(V4, V4)>,
    impulses: Vec<[f64; 3]>,
    loop_constraints: Vec<f64>,
}

impl Mark {
    /// Takes the motion of some links, and the impulses of some unilateral constraints, from a mark that holds only these
    /// constraints.
    pub fn take(
        &mut self,
        from: &Self,
        link: impl Fn(usize) -> bool,
        unilateral: impl Fn(usize) -> bool,
    ) {
        let links = self.links.iter_mut().zip(&from.links).enumerate();
        for (_, (own, other)) in links.filter(|(k, _)| link(*k)) {
            *own = *other;
        }
        let own = self.impulses.iter_mut().enumerate();
        let own = own.filter(|(k, _)| unilateral(*k));
        for ((_, own), other) in own.zip(&from.impulses) {
            *own = *other;
        }
    }
}

impl MechanismSolver {
    /// Notes the motion and impulses reached, to come back to them.
    pub fn mark(&self, mark: &mut Mark) {
        mark.links.clear();
        let links = &self.links.links;
        mark.links
            .extend(links.iter().map(|l| (l.velocity, l.half_angle_sine)));
        mark.impulses.clear();
        mark.impulses
            .extend(self.unilateral.unilaterals.iter().map(|u| u.impulse));
        mark.loop_constraints
            .clone_from(&self.loop_constraints.impulse);
    }

    /// Goes back to a motion and impulses noted before.
    pub fn go_back(&mut self, mark: &Mark, dt: f64) -> Moved {
        for (link, (v, u)) in self.links.links.iter_mut().zip(&mark.links) {
            link.velocity = *v;
            link.half_angle_sine = *u;
        }
        for (unilateral, impulse) in self.unilateral.unilaterals.iter_mut().zip(&mark.impulses) {
            unilateral.impulse = *impulse;
        }
        self.loop_constraints
            .impulse
            .clone_from(&mark.loop_constraints);
        self.advance(dt)
    }
}
