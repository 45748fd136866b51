//! What contacts do to the energy of an interval.

use super::Contacts;
use super::rebounds::lead;
use crate::model::{Model, State};
use crate::solver::{MechanismSolver, Unilateral, WORLD};

/// Part of the rebounds below which none is given.
const LEAST_RESTITUTION_SCALE: f64 = 1e-3;

/// What the energies of an interval say of its solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing against it.
    Sound,
    /// The rebounds of an island return more than contacts took from it: they are slowed down, to be solved again.
    Overshoots,
    /// Contacts give energy that nothing gave them, or take more than there is.
    Impossible,
}

/// Energy that a unilateral constraint takes over the interval, from its normal and its tangential impulses, and the
/// sum of sizes of which it is the difference [J]: velocities before and after are read with the rows at the first
/// knot.
fn loss(
    solver: &MechanismSolver,
    unilateral: &Unilateral,
    model: &Model,
    state: &State,
    dt: f64,
) -> ([f64; 2], f64) {
    let lead = lead(&model.gravity, state, dt);
    let (mut losses, mut size) = ([0.0; 2], 0.0);
    for row in 0..unilateral.rows {
        let before = solver.unilateral_rate(unilateral, row, Some(state), dt)
            - unilateral.rate(row, |_| lead);
        let after = solver.unilateral_rate(unilateral, row, None, dt);
        let impulse = unilateral.impulse[row] * unilateral.mass;
        losses[usize::from(row > 0)] -= 0.5 * impulse * (before + after);
        size += impulse.abs() * (before.abs() + after.abs());
    }
    (losses, size)
}

impl Contacts {
    /// Judges the solution of the interval by the energy of its islands. Rebounds that overshoot, as they may where
    /// several meet, are slowed down in all of their island, and left out with `drop`.
    pub fn judge(
        &mut self,
        solver: &MechanismSolver,
        model: &Model,
        state: &State,
        dt: f64,
        drop: bool,
    ) -> Verdict {
        let speed = model.gravity.norm() * dt.abs();
        let unilaterals = solver.unilaterals();
        let closed = unilaterals.iter().filter(|u| solver.is_closed(u, speed));
        self.islands
            .gather(closed.map(|u| u.links), |link| solver.energies(state, link));
        for unilateral in unilaterals {
            let (loss, size) = loss(solver, unilateral, model, state, dt);
            // What pushes out of a violation is asked to give energy.
            let mends = unilateral.floor < 0.0;
            let normal = if mends { loss[0].max(0.0) } else { loss[0] };
            let rebounds = unilateral.rebound > 0.0;
            self.islands
                .book(unilateral.links, [normal, loss[1]], size, rebounds);
        }
        if self.overshoots(solver, drop) {
            Verdict::Overshoots
        } else if self.islands.are_impossible() {
            Verdict::Impossible
        } else {
            Verdict::Sound
        }
    }

    fn overshoots(&mut self, solver: &MechanismSolver, drop: bool) -> bool {
        let mut found = false;
        for (body, scale) in self.restitution_scale.iter_mut().enumerate() {
            let link = solver.topology().links[body];
            let Some(slower) = self.islands.slower([link, WORLD]) else {
                continue;
            };
            let slower = *scale * slower;
            *scale = if drop || slower < LEAST_RESTITUTION_SCALE {
                0.0
            } else {
                slower
            };
            found = true;
        }
        found
    }

    /// Sums up what contacts took, and notes which unilateral constraints rebound; `state` is that at the first knot.
    pub fn settle(&mut self, solver: &MechanismSolver, model: &Model, state: &State, dt: f64) {
        let (by_body, sum) = &mut self.losses;
        by_body.clear();
        by_body.resize(state.bodies.len(), 0.0);
        *sum = [0.0; 2];
        for unilateral in solver.unilaterals() {
            let (loss, _) = loss(solver, unilateral, model, state, dt);
            *sum = [sum[0] + loss[0], sum[1] + loss[1]];
            let share = 1.0 / solver.bodies(unilateral).count().max(1) as f64;
            for body in solver.bodies(unilateral) {
                by_body[body] += share * (loss[0] + loss[1]);
            }
        }
        self.note_rebounds(solver, model, state, dt);
    }
}
