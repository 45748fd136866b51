//! A motion with its impulses, noted to come back to.

use super::{MechanismSolver, Moved, Unilateral};
use crate::math::Vec3;
use crate::math::lanes::V4;

/// A motion and its impulses, noted to come back to.
#[derive(Debug, Clone, Default)]
pub struct Mark {
    links: Vec<(V4, V4)>,
    impulses: Vec<Impulse>,
    loop_constraints: Vec<f64>,
    drives: Vec<f64>,
}

/// Impulses of a unilateral constraint with the axes and the effective mass that they belong to.
#[derive(Debug, Clone, Copy)]
struct Impulse {
    over: [f64; 3],
    axes: [Vec3; 3],
    mass: f64,
}

impl Impulse {
    fn of(unilateral: &Unilateral) -> Self {
        Self {
            over: unilateral.impulse,
            axes: unilateral.axes,
            mass: unilateral.mass,
        }
    }

    /// The same impulses for a constraint whose axes and mass may be others.
    fn along(&self, unilateral: &Unilateral) -> [f64; 3] {
        if self.axes == unilateral.axes && self.mass == unilateral.mass {
            return self.over;
        }
        let [normal, first, second] = self.over.map(|r| r * self.mass / unilateral.mass);
        let tangential = self.axes[1] * first + self.axes[2] * second;
        let [_, x, y] = unilateral.axes;
        [normal, x.dot(&tangential), y.dot(&tangential)]
    }
}

impl Mark {
    /// Takes the motion of some links from another mark, and the impulses of some unilateral constraints, each with its place here and
    /// there; what is not there pushes nothing.
    pub fn take(
        &mut self,
        from: &Self,
        link: impl Fn(usize) -> bool,
        unilaterals: impl Iterator<Item = (usize, usize)>,
    ) {
        let links = self.links.iter_mut().zip(&from.links).enumerate();
        for (_, (own, other)) in links.filter(|(k, _)| link(*k)) {
            *own = *other;
        }
        for (here, there) in unilaterals {
            match from.impulses.get(there) {
                Some(other) => self.impulses[here] = *other,
                None => self.impulses[here].over = [0.0; 3],
            }
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
            .extend(self.unilateral.unilaterals.iter().map(Impulse::of));
        mark.loop_constraints
            .clone_from(&self.loop_constraints.impulse);
        mark.drives.clear();
        mark.drives.extend(self.drives.iter().map(|d| d.impulse));
    }

    /// Goes back to a motion and impulses noted before; what was not there then pushes nothing, and a free body keeps the
    /// exact motion that it was given.
    pub fn go_back(&mut self, mark: &Mark, dt: f64) -> Moved {
        let links = self.links.links.iter_mut().zip(&mark.links);
        for (link, (v, u)) in links.filter(|(link, _)| link.goes == 0) {
            link.velocity = *v;
            link.half_angle_sine = *u;
        }
        let mut impulses = mark.impulses.iter();
        for unilateral in &mut self.unilateral.unilaterals {
            let impulse = impulses.next();
            unilateral.impulse = impulse.map_or([0.0; 3], |i| i.along(unilateral));
        }
        self.loop_constraints
            .impulse
            .clone_from(&mark.loop_constraints);
        for (drive, impulse) in self.drives.iter_mut().zip(&mark.drives) {
            drive.impulse = *impulse;
        }
        self.advance(dt)
    }
}
