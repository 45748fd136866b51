//! An interval with contact: solved, looked at again where it ends, judged by its energy, solved once more with what
//! was missed. What takes part, and what it leaves to the next interval, is [`solver::contact`](crate::solver::contact).

mod apart;
mod interior;
mod measure;
mod nonsmooth;
mod solve;
mod sweeps;
#[cfg(test)]
mod tests;

pub(super) use solve::is_spent;

use super::newton::{self, Attempt, Failure};
use super::options::{Accuracy, ContactSolver};
use crate::integrators::{Outcome, Settings, StepReport};
use crate::solver::contact::{Contacts, TOLERATED, Verdict};
use crate::solver::{
    ConeSection, Errors, Interior, Krylov, Mark, MechanismSolver, StepContext, worse,
};
use crate::stopwatch::Phase;

/// How often an interval is solved again with contact points that were not foreseen.
const ROUNDS: u32 = 8;

/// Penetration that was not foreseen and is left to the next interval where contacts are solved live, in units of what is
/// tolerable: 10 micrometres of bodies of a quarter of a metre.
const SHALLOW: f64 = 40.0;

/// Rounds after which a tolerable penetration is left.
const PATIENT: u32 = 3;

/// Room for the ways to solve an interval; nothing here changes what a step does.
#[derive(Default)]
pub struct Room {
    marks: [Mark; 3],
    rounds: sweeps::Rounds,
    /// The motion of all while an island is solved by itself.
    whole: Mark,
    interior: Interior,
    shifts: Vec<f64>,
    /// How far slips are from the shifts that they were found with [m/s].
    slips: Vec<f64>,
    /// What the rounds of the shifts have taught.
    krylov: Krylov,
}

/// What all ways to solve an interval with its unilateral constraints share.
pub(super) struct Trial<'a> {
    solver: &'a mut MechanismSolver,
    room: &'a mut Room,
    contacts: &'a Contacts,
    context: StepContext<'a>,
    attempt: &'a Attempt<'a>,
    section: ConeSection,
    /// Whether contacts yield in the solution.
    soft: bool,
    report: &'a mut StepReport,
}

/// Solves an interval in a model with contact; `context` is without contact points, which `contacts` finds. Returns the
/// iterations.
pub(super) fn touch(
    (solver, contacts, room): (&mut MechanismSolver, &mut Contacts, &mut Room),
    context: &StepContext,
    attempt: &Attempt,
    (chosen, accuracy, settings): (ContactSolver, Accuracy, &Settings),
    report: &mut StepReport,
) -> Result<u32, Failure> {
    let StepContext {
        model,
        state,
        interval,
        ..
    } = *context;
    let before = solver.stopwatch.enter(Phase::Detect);
    contacts.look(solver, model, state, interval);
    solver.stopwatch.enter(before);
    let mut iterations = 0;
    let mut violation = None;
    for round in 0..ROUNDS {
        let with_points = StepContext {
            contacts: contacts.points(),
            ..*context
        };
        contacts.take(solver, &with_points, attempt.pulled());
        let mut soft = false;
        iterations += if contacts.is_empty() {
            newton::newton(solver, context, attempt, report)?
        } else {
            let mut trial = Trial {
                solver: &mut *solver,
                room: &mut *room,
                contacts,
                context: with_points,
                attempt,
                section: ConeSection::from(settings.friction),
                soft: false,
                report: &mut *report,
            };
            let solved = trial.solve(chosen, accuracy, settings.max_iterations);
            soft = trial.soft;
            solved?
        };
        report.contact.rounds = report.contact.rounds.max(round);
        let before = solver.stopwatch.enter(Phase::Detect);
        let (missed, news) = contacts.look_again(solver, model, state, interval);
        solver.stopwatch.enter(before);
        violation = missed;
        let live = solver.is_loose() && solver.unilaterals().len() > accuracy.exact_up_to();
        let tolerated = |depth: f64| {
            (round >= PATIENT || soft) && depth <= 1.0
                || live && depth <= SHALLOW && (round > 0 || !news)
                || round + 1 == ROUNDS && attempt.last
        };
        if violation.is_none_or(tolerated) {
            let shallow = live && violation.is_some_and(|depth| depth > 1.0);
            report.contact.capped |= shallow || report.outcome == Outcome::Capped;
            // What takes too many tries is left out.
            let last = round + 2 >= ROUNDS;
            match contacts.judge(solver, model, state, attempt.dt, last) {
                Verdict::Overshoots => {}
                // No energy out of nothing, nor into it: shorter intervals first, and in the shortest what is found.
                // What the mouse gives within an interval is known only after it.
                Verdict::Impossible if attempt.input.drag.is_none() && !attempt.last => break,
                Verdict::Impossible | Verdict::Sound => {
                    let left = solver.violation(ConeSection::from(settings.friction));
                    report.contact.violation = worse(report.contact.violation, left);
                    return Ok(iterations);
                }
            }
        } else if !news || soft {
            // Another round would end in the same place, or yield to what it was told as well.
            if attempt.last {
                return Ok(iterations);
            }
            break;
        }
    }
    Err(Failure::too_fast(Errors {
        constraint: TOLERATED * violation.unwrap_or(0.0),
        ..Errors::default()
    }))
}
