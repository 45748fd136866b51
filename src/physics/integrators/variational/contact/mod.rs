//! An interval with contact: solved, looked at again where it ends, judged by its energy, solved once more with what
//! was missed. What takes part, and what it leaves to the next interval, is [`solver::contact`](crate::solver::contact).

mod allowance;
mod flight;
mod halves;
mod interior;
mod linear;
mod measure;
mod nonsmooth;
mod solve;
mod sweeps;
#[cfg(test)]
mod tests;

use allowance::Allowance;
pub(super) use halves::halved_for;
use solve::LIVE;
pub(super) use solve::is_spent;

use super::newton::{self, Attempt, Broken, Failure, Pair};
use super::options::{ContactOptions, ContactSolver};
use super::spin;
use crate::integrators::{Outcome, Settings, StepReport};
use crate::model::State;
use crate::solver::contact::{Contacts, Judgement, Look, Missed, TOLERATED, Verdict};
use crate::solver::{
    ConeSection, Errors, Interior, Krylov, Mark, MechanismSolver, StepContext, Unilateral, worse,
};
use crate::stopwatch::Phase;

/// How often an interval is solved again with contact points that were not foreseen.
const ROUNDS: u32 = 8;

/// The same where contacts are solved live: the first times little is solved between two looks.
const LIVE_ROUNDS: u32 = 12;

/// The same where contacts that are solved exactly are held at material points, which surround the nearest one closer and
/// closer.
const SURROUNDING: u32 = 16;

/// Penetration that was not foreseen and is left to the next interval where contacts are solved live, in units of what is
/// tolerable: a micrometre of bodies of a quarter of a metre, 20 once [patience](Allowance::patience) has ended, and 40 once the
/// work of a whole interval was spent.
const SHALLOW: [f64; 3] = [4.0, 80.0, 160.0];

/// The same where contacts that are solved exactly are held at material points, after as many rounds as without.
const SHALLOW_HELD: f64 = 40.0;

/// Rounds after which a tolerable penetration is left.
const PATIENT: u32 = 3;

/// How often contacts that run are held at material points before what is found then is all.
const HOLDING: u32 = 3;

/// How often contacts that are jammed are made to give: then others may press without end.
const LOOSENING: u32 = 3;

/// How often a user's budget is doubled where contacts that are far from their laws for want of work give energy.
const EXTENSIONS: u32 = 3;

/// Budgets of work in an interval after which it is solved to the end for the last time.
const EXHAUSTED: f64 = 1.5;

/// How deep a spent budget may leave bodies in each other, relative to the smaller one, where shorter intervals may be tried: contacts
/// that jam keep what they join from being solved, however large the budget.
const DEEP: f64 = 0.05;

/// Part of a step that is not cut for that any more.
const SHORT: f64 = 0.25;

/// Rounds of linearised problems before it is looked where they lead, as long as that finds something.
const EARLY: u32 = 1;

/// How an interval with contact that was solved is solved again.
#[derive(Debug, Clone, Copy)]
struct GoOn {
    /// From what was reached, instead of from the last interval.
    resumed: bool,
    /// Nothing was solved for yet.
    first: bool,
    /// Rounds of linearised problems at most.
    rounds: u32,
}

impl GoOn {
    /// On from what was reached, with so many rounds at most.
    fn with(rounds: u32) -> Self {
        Self {
            resumed: true,
            first: false,
            rounds,
        }
    }
}

/// Room for the ways to solve an interval; nothing here changes what a step does.
#[derive(Default)]
pub struct Room {
    marks: [Mark; 3],
    /// Where the first round set out from.
    start: Mark,
    /// What a round reached that the next goes on from.
    reached: Mark,
    rounds: sweeps::Rounds,
    interior: Interior,
    shifts: Vec<f64>,
    /// How far slips are from the shifts that they were found with (m/s).
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
    go_on: GoOn,
    /// Whether it ends for contacts that run to be held at material points.
    holds: bool,
    /// Whether it ends for contacts that are jammed to give.
    loosens: bool,
    /// Whether it ended so.
    jammed: bool,
    /// Work of contact before.
    began: f64,
    /// Work of contact at which it becomes content with less.
    allowance: Allowance,
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
    (options, settings): (ContactOptions, &Settings),
    report: &mut StepReport,
) -> Result<u32, Failure> {
    let StepContext {
        model,
        state,
        interval,
        ..
    } = *context;
    let section = ConeSection::from(settings.friction);
    let before = solver.stopwatch.enter(Phase::Detect);
    contacts.look(solver, model, state, interval);
    let points = contacts.points().len();
    let heap = are_live(points, solver, options, section);
    if heap {
        contacts.carry_on(solver, model, state);
    }
    solver.stopwatch.enter(before);
    // Where it may be touched its turn is an unknown, which ends at the fold.
    let near = contacts.points().iter().flat_map(|c| c.bodies);
    let mut spinning = near
        .flatten()
        .filter(|body| spin::leaves_no_interval(solver, model, state, body.0, attempt.dt));
    if let Some(body) = spinning.next() {
        return Err(Failure::of_body(Broken::Fold, body.0));
    }
    let speed_of_gravity = model.gravity.norm() * attempt.dt.abs();
    let began = report.contact.work;
    let share = attempt.share();
    let mut allowance = Allowance::with_budget(began, share, options.budget, points);
    let mut iterations = 0;
    let mut violation = None;
    let mut impossible = false;
    let mut extensions = EXTENSIONS;
    let mut go_on = GoOn {
        resumed: false,
        first: true,
        rounds: EARLY,
    };
    let rounds = match (attempt.holds, heap) {
        (true, _) => SURROUNDING,
        (false, true) => LIVE_ROUNDS,
        (false, false) => ROUNDS,
    };
    for round in 0..rounds {
        let parts = (&mut *solver, &mut *contacts, &mut *room);
        let method = (options, settings);
        let allowed = (go_on, allowance);
        let (more, soft) = solve_found(parts, context, attempt, method, allowed, report)?;
        iterations += more;
        report.contact.rounds = report.contact.rounds.max(round);
        let before = solver.stopwatch.enter(Phase::Detect);
        let live = is_live(solver, options, section);
        let look = Look {
            live,
            holds: live || attempt.holds,
            early: live && room.rounds.is_unfinished(),
        };
        let (missed, news) = contacts.look_again(solver, model, state, interval, look);
        solver.stopwatch.enter(before);
        violation = missed;
        let points = solver.unilaterals().len();
        allowance.search(points, share);
        let work = report.contact.work;
        let struck = live && allowance.is_spent(work);
        let budget = LIVE.budget_of(points);
        let spent = |most: f64| work - began > most * share;
        let ended = [work > allowance.patience, spent(budget)];
        let shallow = SHALLOW[ended.into_iter().filter(|ended| *ended).count()];
        if look.early {
            solver.mark(&mut room.reached);
            // The last time it is solved to the end.
            let deep = violation.is_some_and(|missed| missed.depth > shallow);
            let early = deep
                && news
                && round + 2 < rounds
                && !spent(EXHAUSTED * budget)
                && allowance.searches(work);
            go_on = GoOn::with(if early { EARLY } else { sweeps::ROUNDS });
            continue;
        }
        // Of a heap each would cost another solution.
        if !live
            && round + 2 < rounds
            && contacts.leave_absent(solver, &state.bodies, speed_of_gravity)
        {
            continue;
        }
        let tolerated = |missed: Missed| {
            let depth = missed.depth;
            struck
                || (round >= PATIENT || soft) && depth <= 1.0
                || live && depth <= shallow && (round > 0 || !news || ended[0])
                || attempt.holds && depth <= SHALLOW_HELD && round >= ROUNDS
                || round + 1 == rounds && attempt.last
        };
        if violation.is_none_or(tolerated) {
            let may_be_cut = attempt.part > SHORT && work < options.budget;
            if struck && may_be_cut && !attempt.convexified {
                let deepest = contacts.deepest(solver, violation);
                if let Some(deepest) = deepest.filter(|found| TOLERATED * found.depth > DEEP) {
                    return Err(failure(Broken::Unsolved, deepest));
                }
            }
            let most = if live { SHALLOW[0] } else { 1.0 };
            let left = look.holds && violation.is_some_and(|missed| missed.depth > most);
            report.contact.capped |= left || report.outcome == Outcome::Capped;
            let judgement = Judgement {
                dt: attempt.dt,
                // What takes too many tries is left out.
                drops: struck || round + 2 >= rounds,
                live,
                unsolved: struck,
            };
            match contacts.judge(solver, model, state, judgement) {
                Verdict::Overshoots => {}
                // Energy goes before time.
                Verdict::Impossible if struck && extensions > 0 && attempt.input.drag.is_none() => {
                    extensions -= 1;
                    allowance.extend(points);
                }
                // No energy out of nothing, nor into it: shorter intervals first, and in the shortest what is found.
                // What the mouse gives within an interval is known only after it.
                Verdict::Impossible if attempt.input.drag.is_none() && !attempt.shortest => {
                    // At a point that stays where it is in its body, a force takes the energy that its law says.
                    let dt = attempt.dt;
                    if !attempt.holds || !contacts.hold_material_points(solver, state, dt, |_| true)
                    {
                        impossible = true;
                        break;
                    }
                }
                // Nor in the shortest: rather than that, what gives it slides freely, and if it still does takes no part.
                Verdict::Impossible
                    if attempt.input.drag.is_none()
                        && round + 1 < rounds
                        && contacts.give_up(solver, model, state, attempt.dt) => {}
                Verdict::Impossible | Verdict::Sound => {
                    let midway = contacts.midway(solver, model, state);
                    if let Some(found) = midway.filter(|_| !struck) {
                        return Err(failure(Broken::Midway, found));
                    }
                    let left = solver.violation(section);
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
        if live {
            solver.mark(&mut room.reached);
            go_on = GoOn::with(sweeps::ROUNDS);
        }
    }
    Err(match violation.filter(|_| !impossible) {
        Some(missed) => failure(Broken::Penetration, missed),
        None => {
            let bodies = contacts.giver(solver, model, state, attempt.dt);
            failure(Broken::Energy, Missed { depth: 0.0, bodies })
        }
    })
}

/// What bodies break, and how deep they end in each other.
fn failure(broken: fn(Pair) -> Broken, Missed { depth, bodies }: Missed) -> Failure {
    let errors = Errors {
        body: bodies.into_iter().flatten().next().map_or(0, |b| b.0),
        constraint: TOLERATED * depth,
        ..Errors::default()
    };
    Failure::too_fast(broken(Pair::of(bodies)), errors)
}

/// Solves the interval with what was found. Returns the iterations and whether contacts yield.
fn solve_found(
    (solver, contacts, room): (&mut MechanismSolver, &mut Contacts, &mut Room),
    context: &StepContext,
    attempt: &Attempt,
    (options, settings): (ContactOptions, &Settings),
    (mut go_on, allowance): (GoOn, Allowance),
    report: &mut StepReport,
) -> Result<(u32, bool), Failure> {
    let section = ConeSection::from(settings.friction);
    let began = report.contact.work;
    let (mut holds, mut loosens) = (HOLDING, LOOSENING);
    loop {
        let pulled = attempt.pulled();
        if go_on.resumed {
            contacts.take_more(solver, context, pulled);
        }
        let with_points = StepContext {
            contacts: contacts.points(),
            ..*context
        };
        if !go_on.resumed {
            contacts.take(solver, &with_points, pulled);
        }
        if contacts.is_empty() {
            let iterations = newton::newton(solver, context, attempt, report)?;
            return Ok((iterations, false));
        }
        let mut trial = Trial {
            solver: &mut *solver,
            room: &mut *room,
            contacts,
            context: with_points,
            attempt,
            section,
            began,
            allowance,
            go_on,
            holds: holds > 0,
            loosens: loosens > 0,
            jammed: false,
            soft: false,
            report: &mut *report,
        };
        let solved = trial.solve(options, settings.max_iterations);
        let (soft, jammed) = (trial.soft, trial.jammed);
        if jammed {
            contacts.loosen_jammed(solver);
            loosens -= 1;
            (go_on.resumed, go_on.first) = (false, true);
            continue;
        }
        let live = is_live(solver, options, section);
        let held = solved.is_err()
            && holds > 0
            && (live || attempt.holds)
            && room.hold(solver, contacts, context.state, attempt.dt, live);
        if !held {
            return solved.map(|iterations| (iterations, soft));
        }
        holds -= 1;
        // What is not solved live was not noted: it sets out again.
        go_on.resumed = live;
        go_on.first &= room.rounds.is_cut();
    }
}

/// Whether what was taken is solved live.
fn is_live(solver: &MechanismSolver, options: ContactOptions, section: ConeSection) -> bool {
    let many = solver.unilaterals().len();
    are_live(many, solver, options, section)
}

/// Whether so many unilateral constraints are solved live.
pub(super) fn are_live(
    many: usize,
    solver: &MechanismSolver,
    options: ContactOptions,
    section: ConeSection,
) -> bool {
    options.solver == ContactSolver::Hybrid
        && many > options.accuracy.exact_up_to()
        && section == ConeSection::Disc
        && solver.is_loose()
}

impl Room {
    /// Holds contacts at material points, `live` those of what the rounds lost; whether there are any. What is lost sets
    /// out again.
    fn hold(
        &mut self,
        solver: &mut MechanismSolver,
        contacts: &mut Contacts,
        state: &State,
        dt: f64,
        live: bool,
    ) -> bool {
        let lost = |u: &Unilateral| !live || self.rounds.is_lost(u);
        let any = contacts.hold_material_points(solver, state, dt, lost);
        if any && live {
            match self.rounds.is_cut() {
                true => solver.mark(&mut self.reached),
                false => self.set_back(solver),
            }
        }
        any
    }
}
