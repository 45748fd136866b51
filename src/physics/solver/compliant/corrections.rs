//! Following rows round their curves.

use super::{Asked, CompliantSolver};
use crate::model::{Model, State};

/// Corrections end where this part of the speed of the step is missing, or where one leaves more than that part of what was.
const ENOUGH: f64 = 1e-9;
const SHRINK: f64 = 0.5;

impl CompliantSolver {
    /// Brings the rows that pull both ways to their laws at the poses where the step ends, with the factors at hand: what
    /// gradients at the start leave is of the order of `h²`, and would be wound up in springs that are stiff. Where that does
    /// not converge, what gradients give stays.
    pub(super) fn correct(&mut self, model: &Model, state: &State, asked: &Asked) {
        if self.mechanisms.is_empty() || asked.corrections == 0 {
            return;
        }
        let speed = self.scale.speed;
        let mut before = f64::INFINITY;
        self.rows.keep_goals(&mut self.goals_before);
        for round in 0..=asked.corrections {
            self.rows.keep_goals(&mut self.goals);
            self.ends.clone_from(&state.bodies);
            let mut ends = std::mem::take(&mut self.ends);
            self.advance(model, &mut ends, asked.h);
            let (angles, h) = (&state.angles, asked.h);
            let missing = self.rows.follow(model, &ends, angles, h, &mut self.values);
            self.ends = ends;
            // Written so that what is not a number has not converged.
            let shrinks = missing < SHRINK * before;
            if !shrinks {
                self.rows.take_goals(&self.goals_before);
                self.solve_mechanisms();
                self.found.missing = before / speed;
                return;
            }
            self.found.missing = missing / speed;
            if missing <= ENOUGH * speed || round == asked.corrections {
                self.rows.take_goals(&self.goals);
                // Corrections mend what rounding leaves of the rows, but not of the momenta.
                if round > 0 {
                    self.refine_mechanisms();
                }
                return;
            }
            before = missing;
            std::mem::swap(&mut self.goals, &mut self.goals_before);
            self.solve_roughly();
        }
    }
}
