//! The interval of a state that is displaced by very little from one that was just solved: the same contacts, the same
//! pieces of their law, solved by a few more of Newton's steps from the same motion. Differences of what comes of it are
//! as exact as rounding leaves them, where those of whole steps are as exact as their tolerance.

use super::Variational;
use super::guess::Guess;
use super::newton::{Attempt, JOINT_TOLERANCE, errors_at};
use crate::integrators::{Fallback, Outcome, Settings, StepReport};
use crate::joints;
use crate::linalg::proximal::RHO;
use crate::model::{Input, Model, State};
use crate::solver::{ConeSection, Errors, FOLD, Interval, Mark, StepContext, law};

/// Newton's steps from the motion of the state next to it at most: it converges quadratically, and what is displaced by a
/// hundred-thousandth is at rounding after two. Regularised loops take as many more.
const STEPS: u32 = 4;

/// Imbalance and joint error, both relative, that are rounding.
const ROUNDING: f64 = 1e-14;

/// Relative accuracy of the linear systems of contact.
const ACCURACY: f64 = 1e-13;

impl Variational {
    /// The motion that the last step solved, if that was one interval of the whole model to the tolerance, and was not lost since to what
    /// [judges](Self::judge_whole) it.
    pub(super) fn solution(&self, report: &StepReport) -> Option<Box<Mark>> {
        let exact = matches!(report.outcome, Outcome::Converged | Outcome::Stalled);
        let whole = report.substeps == 0 && report.fallback < Fallback::Islands;
        let single = self.method.stages.len() == 1 && report.asleep == 0;
        (exact && whole && single && !self.doubted).then(|| {
            let mut mark = Box::<Mark>::default();
            self.solver.mark(&mut mark);
            mark
        })
    }

    /// Advances a state next to that of a solution; false, and the state as it was, where Newton's steps from there do
    /// not converge.
    pub(super) fn displaced(
        &mut self,
        solution: &Mark,
        (model, state): (&Model, &mut State),
        input: &Input,
        settings: &Settings,
        report: &mut StepReport,
    ) -> bool {
        let attempt = Attempt {
            dt: settings.dt,
            part: 1.0,
            guess: Guess::Constant,
            tolerance: settings.tolerance,
            input,
            limit: STEPS,
            rho: RHO,
            hurried: false,
            eases: false,
            convexified: false,
            last: true,
            shortest: true,
            holds: false,
        };
        report.clear();
        let interval = self.interval_at(state, &attempt);
        self.prepare(model, state, &attempt);
        let section = ConeSection::from(settings.friction);
        let left = self.near(solution, (model, state), &attempt, &interval, section);
        let closed = left.constraint <= JOINT_TOLERANCE;
        // What is not a number is not small.
        if !(left.balance <= settings.tolerance && closed) || self.solver.widest().0 >= FOLD {
            return false;
        }
        let swept = 4.0 * self.solver.widest().0.sqrt().asin();
        self.finish(model, state, &attempt, &interval, settings, report);
        joints::sweep(model, state, swept);
        state.step += 1;
        true
    }

    /// Newton's steps from a solution nearby, with the unilateral constraints that were found there.
    fn near(
        &mut self,
        solution: &Mark,
        (model, state): (&Model, &State),
        attempt: &Attempt,
        interval: &Interval,
        section: ConeSection,
    ) -> Errors {
        let dt = attempt.dt;
        let contacts = self.contacts.as_deref();
        let context = StepContext {
            model,
            state,
            contacts: contacts.map_or(&[], |c| c.points()),
            interval,
        };
        let solver = &mut self.solver;
        match contacts {
            Some(contacts) => contacts.take(solver, &context, attempt.pulled()),
            None => solver.take_unilaterals(&context, &[], attempt.pulled()),
        }
        let touches = contacts.is_some_and(|c| !c.is_empty());
        let mut moved = solver.go_back(solution, dt);
        let mut errors = errors_at(solver, &context, attempt, &moved);
        for _ in 0..attempt.limit {
            moved = if touches {
                solver.linearise(&context, |u| law::nonsmooth(u, section));
                solver.solve_unilaterals(ACCURACY);
                solver.move_unilaterals(dt, 1.0)
            } else {
                solver.newton_step(model, state, interval)
            };
            errors = errors_at(solver, &context, attempt, &moved);
            if !touches && errors.balance.max(errors.constraint) <= ROUNDING {
                break;
            }
        }
        errors
    }
}
