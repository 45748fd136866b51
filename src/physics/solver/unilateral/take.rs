//! Which unilateral constraints take part in an interval, with their rows at its first knot.

use super::{MechanismSolver, StepContext, Unilateral, What, scene};
use crate::threads;

impl MechanismSolver {
    /// Makes unilateral constraints of `what` at the first knot of the interval [begun](Self::begin), and gives the
    /// bodies that neither they nor anything else hold their exact motion; `pulled` is the body that the mouse holds.
    pub fn take_unilaterals(
        &mut self,
        context: &StepContext,
        what: &[What],
        pulled: Option<usize>,
    ) {
        self.unilateral.unilaterals.clear();
        self.take_more_unilaterals(context, what, |_| false, pulled);
    }

    /// The same where the first of `what` were taken for this interval before: those whose places are `anew` and those that came
    /// after them are made. The others keep their rows and what they had come to, but for their last change and what they were judged to
    /// have taken.
    pub fn take_more_unilaterals(
        &mut self,
        context: &StepContext,
        what: &[What],
        anew: impl Fn(usize) -> bool,
        pulled: Option<usize>,
    ) {
        if !what.is_empty() {
            self.links.invert_inertias();
        }
        let scene = scene(&self.topology, &self.links, &self.scale, context);
        let unilateral = &mut self.unilateral;
        let all = &mut unilateral.unilaterals;
        let before = all.len();
        debug_assert!(all.iter().zip(what).all(|(u, what)| u.what == *what));
        for (k, unilateral) in all.iter_mut().enumerate() {
            if anew(k) {
                *unilateral = Unilateral::empty(what[k]);
                unilateral.begin(&scene);
            } else {
                unilateral.change = [0.0; 3];
                unilateral.taken = None;
            }
        }
        // Filled where they stay: they are large.
        all.extend(what[before..].iter().map(|&what| Unilateral::empty(what)));
        threads::runs(&mut all[before..], threads::RUN, |_, run| {
            run.iter_mut().for_each(|u| u.begin(&scene));
        });
        unilateral.active = !what.is_empty();
        unilateral.fitted = false;
        if unilateral.active && self.next.is_empty() {
            self.next.extend_from_slice(&context.state.bodies);
        }
        self.settle(context.interval.dt, pulled);
    }
}
