//! Rounds of linearised problems: each is [solved](crate::solver::coulomb) island by island, and gaps and momenta are
//! evaluated exactly where it ends. What is near its solution is left, so that no island costs or disturbs another.

use super::super::newton::Attempt;
use super::Trial;
use super::measure::Measure;
use crate::integrators::{Iteration, Outcome};
use crate::solver::contact::Contacts;
use crate::solver::coulomb::Options;
use crate::solver::{Activity, Distance, FOLD, LEFT, Linearised, Moved, Unilateral, What, worse};
use crate::stopwatch::Phase;

/// What is asked of the rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Goal {
    /// Largest violation of a contact law, relative to the speed of the step.
    pub violation: f64,
    /// Work between two searches of an interval as long as the step, in visits of points
    /// ([`coulomb`](crate::solver::coulomb)); where there are many points, [so many](VISITS) of each.
    pub budget: f64,
    /// Part of that budget, once more, for what cannot be used where it ends.
    pub extension: f64,
    /// Rounds at most; fewer than [`ROUNDS`] may end anywhere.
    pub rounds: u32,
    /// Part of what a round starts from that it may leave: what curvature leaves at least.
    pub forcing: f64,
    /// Sweeps before Newton's method of what starts far from its solution.
    pub sweeps: u32,
    /// [Short](Options::short) cycles.
    pub short: u32,
}

/// Visits of a point in an interval as long as the step where there are many: with the budget of some hundred bodies a thousand
/// would be divided into shorter and shorter intervals, each as far from its solution.
const VISITS: f64 = 500.0;

impl Goal {
    /// The budget of an interval as long as the step with so many points.
    pub fn budget_of(&self, points: usize) -> f64 {
        self.budget.max(VISITS * points as f64)
    }
}

/// Room for the rounds.
#[derive(Debug, Clone, Default)]
pub(super) struct Rounds {
    linearised: Linearised,
    distances: Vec<Distance>,
    activities: Vec<Activity>,
    islands: Vec<Island>,
    turns: Vec<f64>,
    /// They ended before anything was lost, for contacts that run to be held at material points.
    cut: bool,
    /// They ended with the number that was asked for before all islands were near.
    unfinished: bool,
    /// They ended with the momenta of all bodies in balance.
    balanced: bool,
}

/// Where an island is.
#[derive(Debug, Clone, Copy, Default)]
struct Island {
    /// Nothing more is done for it.
    done: bool,
    /// Norm before the last round (m/s).
    before: f64,
    /// Rounds that gained little.
    idle: u32,
    /// Its bodies were slow: it may be at rest, and nothing of it is taken as it is before the budget ends.
    slow: bool,
    /// Its bodies hardly moved where they press on each other: most points stick.
    still: bool,
    /// Part of the last change that is taken.
    part: f64,
    /// Whether what was reached can be used.
    usable: bool,
}

impl Island {
    /// The violation that is near enough (m/s), given that which is enough and that which is asked of what does not lie still.
    fn asked(&self, enough: f64, asked: f64) -> f64 {
        if self.slow { enough } else { asked }
    }
}

impl Rounds {
    /// Whether a unilateral constraint belongs to an island that the rounds brought to nothing usable.
    pub fn is_lost(&self, unilateral: &Unilateral) -> bool {
        let island = self.linearised.island_of(unilateral);
        island.is_some_and(|k| !self.islands[k].usable)
    }

    /// The same of a link.
    pub fn is_lost_link(&self, link: usize) -> bool {
        let island = self.linearised.island_of_link(link);
        island.is_some_and(|k| !self.islands[k].usable)
    }

    /// Goes on with those islands whose laws are not kept to what is `usable` (m/s); whether there are any.
    fn resume(&mut self, usable: [f64; 2]) -> bool {
        let mut any = false;
        for (island, distance) in self.islands.iter_mut().zip(&self.distances) {
            if distance.norm.is_finite() && !distance.is_within(usable) {
                (island.done, island.idle) = (false, 0);
                any = true;
            }
        }
        any
    }

    /// Whether they ended before anything was lost, for contacts that run to be held at material points: those of the
    /// islands that count as lost.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether they ended with the number that was asked for, before all islands were near.
    pub fn is_unfinished(&self) -> bool {
        self.unfinished
    }

    /// Whether they ended with the momenta of all bodies in balance, however far from the laws.
    pub fn is_balanced(&self) -> bool {
        self.balanced
    }
}

/// Rounds at most; two are usual.
pub(super) const ROUNDS: u32 = 8;

/// Largest imbalance of a body that is left, relative to the speed of the step: a second round leaves 1e-7 of it.
const IMBALANCE: f64 = 1e-6;

/// Part of the tolerance that the linearised problem is solved to: the rest is its curvature's.
const INNER: f64 = 0.2;

/// What is within so many tolerances is close to its solution: 20 micrometres, and 2 mm/s of slip, at 0.01 s.
const CLOSE: f64 = 20.0;

/// Near its solution before it moves it may be at rest, and is solved to this part of the tolerance: what it is solved
/// further from is what it keeps.
const RESTING: f64 = 0.1;

/// What was slower than this part of the speed of the step may be at rest, too, however far from its solution: what carries it is found
/// once, or is missed in every step.
const SLOW: f64 = 0.3;

/// Visits of each point that the first round has whatever was spent before, in a whole step and in a part of one: what a search found
/// begins with no impulse.
const LEAST: [f64; 2] = [40.0, 5.0];

/// Part of the work that is left that a round may take.
const ROUND: f64 = 0.5;

/// Sweeps before Newton's method in later rounds that start near the solution.
const SWEEPS: u32 = 5;

/// Sweeps at least before Newton's method of what starts far from its solution where a user's budget leaves less than the laws may
/// need, in a whole step and in a part of one: of Newton's steps none but the last are worth anything.
const ENDING: [u32; 2] = [40, 20];

/// Turn of a body that a round changes at most [rad]: features of a solid switch within less than a radian.
const WIDEST: f64 = 0.6;

/// Halvings of a round that raises the norm.
const HALVINGS: u32 = 4;

/// A round that leaves more than this of the norm gained little, and how many of these end an island's.
const IDLE: (f64, u32) = (0.7, 3);

/// Violations that are used where the budget or the rounds end, normal and tangential, relative to the speed of the
/// step: what is close where it is watched live, and 0.1 m/s of slip at 0.01 s.
const USABLE: [f64; 2] = [CLOSE * LEFT, 1.0];

/// Times that much where there are [many](MANY) points, whose shorter intervals take a frame each, and where no shorter intervals
/// are tried any more: less than what yields in a convex relaxation, which a heap of hundreds takes seconds for.
const LOOSE: f64 = 2.5;

/// Unilateral constraints from which on more is used than what is close, little by little up to [as much](LOOSE). Of fewer, shorter
/// intervals take milliseconds, and balls that jam are not left in each other to be pressed apart in the steps that follow.
const MANY: f64 = 500.0;

/// Times that momenta are balanced with the impulses as they are, where the law is kept and where rounds end.
const BALANCES: u32 = 3;

impl Trial<'_> {
    /// Rounds from the motion and impulses at hand until every island is near its solution. What is reached stays in the
    /// solver; an error where it is not usable.
    // A box around what is left would allocate in a step.
    #[allow(clippy::result_large_err)]
    pub(super) fn rounds(&mut self, moved: Moved, goal: Goal) -> Result<(), Measure> {
        let mut room = std::mem::take(&mut self.room.rounds);
        let result = self.rounds_in(&mut room, moved, goal);
        self.room.rounds = room;
        result
    }

    #[allow(clippy::result_large_err)]
    fn rounds_in(&mut self, room: &mut Rounds, moved: Moved, goal: Goal) -> Result<(), Measure> {
        let dt = self.attempt.dt;
        let speed = self.solver.scale().speed;
        let enough = [goal.violation * speed, IMBALANCE * speed];
        let fine = self.attempt.tolerance * speed;
        let share = self.attempt.share();
        let cut = usize::from(self.attempt.part.abs() < 1.0);
        let points = self.solver.unilaterals().len();
        let whole = goal.budget_of(points) * share;
        let mut budget = self.began + whole;
        let mut extension = goal.extension * whole;
        let usable = self.usable(points);
        let endless = Contacts::endless(self.solver);
        // From what was reached gravity does not close in a step what opens faster than it gives; if a blow does, it joins then.
        let open = if self.go_on.first {
            f64::INFINITY
        } else {
            speed
        };
        let mut now = self.measure(&moved);
        self.solver.part(&mut room.linearised, dt, open);
        room.cut = false;
        room.unfinished = false;
        room.balanced = false;
        room.islands.clear();
        room.islands
            .resize(room.linearised.count(), Island::default());
        room.turns.resize(room.linearised.count(), 0.0);
        self.solver.distances(&room.linearised, &mut room.distances);
        let (state, least) = (self.context.state, SLOW * speed);
        self.solver
            .activities(&room.linearised, state, least, &mut room.activities);
        let found = room.distances.iter().zip(&room.activities);
        for (island, (distance, activity)) in room.islands.iter_mut().zip(found) {
            island.before = distance.norm;
            island.slow = activity.fastest <= least;
            island.still = activity.is_still();
        }
        for round in 0..goal.rounds {
            let first = round == 0 && self.go_on.first;
            let asked = self.asked(enough[0]);
            if round > 0 {
                self.balance_kept(room, &mut now, [asked, enough[1]]);
            }
            for (island, distance) in room.islands.iter_mut().zip(&room.distances) {
                let [normal, slip] = distance.violation;
                // What is near at once would be left as near in every step, and creep.
                let near = if first {
                    fine
                } else {
                    island.asked(enough[0], asked)
                };
                let near = worse(normal, slip) <= near;
                island.done |= near && distance.imbalance <= enough[1];
                island.done |= island.idle >= IDLE.1 || !distance.norm.is_finite();
            }
            let work = self.report.contact.work;
            let least = if round == 0 {
                LEAST[cut] * points as f64
            } else {
                0.0
            };
            let allowed = self.allowance.left(work);
            let mut left = (budget - work).min(allowed.max(least));
            let sweeps = if allowed < budget - work {
                goal.sweeps.max(ENDING[cut])
            } else {
                goal.sweeps
            };
            let patience = self.allowance.patience - work;
            if left <= 0.0 || room.islands.iter().all(|i| i.done) {
                if extension == 0.0 || self.is_struck() || !room.resume(usable) {
                    break;
                }
                left = std::mem::take(&mut extension);
                budget = self.report.contact.work + left;
            }
            if self.holds && self.mark_skewed(room) {
                room.cut = true;
                return Err(now);
            }
            self.report.iterations += 1;
            let Rounds {
                linearised,
                islands,
                turns,
                distances,
                ..
            } = &mut *room;
            let before = self.solver.stopwatch.enter(Phase::Assemble);
            // The islands were found with the first round's problem.
            if round > 0 || islands.iter().any(|island| island.done) {
                self.solver
                    .gather(linearised, dt, open, |k| !islands[k].done);
            }
            self.solver.stopwatch.enter(Phase::Solve);
            let close = |worst: f64| worst <= CLOSE * enough[0];
            // Impulses out of balance say nothing about rest.
            let rests = |worst: f64| first && close(worst);
            let inner = |worst: f64| if rests(worst) { RESTING } else { INNER };
            let options = |worst: f64, Island { slow, still, .. }: Island| {
                let (least, coarse) = (inner(worst) * enough[0], goal.forcing * worst);
                // Below what another round begins with nothing is gained.
                let fine = if coarse > least { f64::INFINITY } else { fine };
                Options {
                    tolerance: least.max(coarse),
                    fine,
                    patient: rests(worst),
                    still,
                    sweeps: if !first && close(worst) {
                        SWEEPS
                    } else {
                        sweeps
                    },
                    short: goal.short,
                    endless,
                    budget: ROUND * left,
                    // What may be at rest would creep.
                    patience: if slow || rests(worst) {
                        Options::default().patience
                    } else {
                        (patience, INNER * CLOSE * enough[0])
                    },
                    ..Options::default()
                }
            };
            self.report.contact.work += linearised.solve(|island| {
                let [normal, slip] = distances[island].violation;
                options(worse(normal, slip), islands[island])
            });
            self.solver.stopwatch.enter(before);
            self.solver.turns(linearised, dt, turns);
            for (island, turn) in islands.iter_mut().zip(&*turns) {
                island.part = if *turn > WIDEST { WIDEST / turn } else { 1.0 };
            }
            let moved = self.solver.follow(linearised, dt, |k| islands[k].part);
            now = self.shorten(room, moved, enough[0]);
            self.report.history.push(Iteration {
                residual: now.errors.balance,
                constraint: now.errors.constraint,
                step_length: 1.0,
            });
            for (k, (island, distance)) in room.islands.iter_mut().zip(&room.distances).enumerate()
            {
                if distance.norm > IDLE.0 * island.before {
                    // What was left with its budget spent is the same problem again.
                    let spent = room.linearised.is_capped(k);
                    island.idle += if spent { IDLE.1 } else { 1 };
                }
                island.before = distance.norm;
            }
        }
        if goal.rounds < ROUNDS && now.norm.is_finite() {
            let asked = self.asked(enough[0]);
            if asked > enough[0] {
                self.balance_kept(room, &mut now, [asked, enough[1]]);
            }
            let near = |(d, island): (&Distance, &Island)| {
                d.is_within([island.asked(enough[0], asked); 2]) && d.imbalance <= enough[1]
            };
            let mut all = room.distances.iter().zip(&room.islands);
            room.unfinished = !all.all(near);
            if room.unfinished {
                return Ok(());
            }
        }
        if now.norm.is_finite() {
            self.balance_momenta(room, &mut now, |d| d.imbalance > enough[1]);
        }
        self.report.residual = now.errors.balance;
        self.report.constraint = now.errors.constraint;
        let balanced = |d: &Distance| d.imbalance <= 10.0 * enough[1];
        let struck = self.is_struck();
        for (island, d) in room.islands.iter_mut().zip(&room.distances) {
            island.usable = (struck || d.is_within(usable)) && balanced(d);
        }
        room.balanced = room.distances.iter().all(balanced);
        if !room.islands.iter().all(|island| island.usable) {
            return Err(now);
        }
        let near = |d: &Distance| d.is_within([enough[0]; 2]);
        if !room.distances.iter().all(near) {
            self.report.outcome = Outcome::Capped;
        }
        Ok(())
    }

    /// The violations, normal and tangential, that are used where the budget or the rounds end (m/s): as deep in a part of a step
    /// as in the whole, and as fast a slip.
    pub(super) fn usable(&self, points: usize) -> [f64; 2] {
        let Attempt { part, dt, .. } = *self.attempt;
        let times = if self.attempt.convexified {
            LOOSE
        } else {
            (points as f64 / MANY).clamp(1.0, LOOSE)
        };
        // What gravity gives grows with the interval, the part of momenta does not.
        let fall = self.context.model.gravity.norm() * dt;
        let rest = self.solver.scale().speed.powi(2) - fall * fall;
        let whole = times * (rest + (fall / part).powi(2)).sqrt();
        [USABLE[0] * whole / part.abs(), USABLE[1] * whole]
    }

    /// Whether the budget that a user set was spent, so that what was found is taken.
    fn is_struck(&self) -> bool {
        self.allowance.is_spent(self.report.contact.work)
    }

    /// The violation that is near enough after the work that was done, where less than `enough` is (m/s).
    fn asked(&self, enough: f64) -> f64 {
        if self.report.contact.work > self.allowance.patience {
            CLOSE * enough
        } else {
            enough
        }
    }

    /// Balances the momentum of those islands whose law is kept to the first of these but not yet their momentum to the second
    /// (m/s): nothing has to be solved for the law again.
    fn balance_kept(&mut self, room: &mut Rounds, now: &mut Measure, [law, momentum]: [f64; 2]) {
        let kept = |d: &Distance| worse(d.violation[0], d.violation[1]) <= law;
        self.balance_momenta(room, now, |d| kept(d) && d.imbalance > momentum);
    }

    /// Balances the momentum of those islands that are `wanted` with the impulses as they are, a few times.
    fn balance_momenta(
        &mut self,
        room: &mut Rounds,
        now: &mut Measure,
        wanted: impl Fn(&Distance) -> bool,
    ) {
        let dt = self.attempt.dt;
        for _ in 0..BALANCES {
            let distances = &room.distances;
            if !distances.iter().any(&wanted) {
                return;
            }
            let of = &room.linearised;
            let moved = self.solver.balance(of, dt, |k| wanted(&distances[k]));
            *now = self.measure(&moved);
            self.solver.distances(&room.linearised, &mut room.distances);
        }
    }

    /// Marks the islands that are not done and have contacts that run and are skewed as lost; whether there are any.
    fn mark_skewed(&self, room: &mut Rounds) -> bool {
        let Rounds {
            linearised,
            islands,
            ..
        } = room;
        islands.iter_mut().for_each(|island| island.usable = true);
        let mut any = false;
        for unilateral in self.solver.unilaterals() {
            let What::Contact(k) = unilateral.what else {
                continue;
            };
            let touches = unilateral.impulse[0] > 0.0 || unilateral.velocity[0] < 0.0;
            let Some(island) = linearised.island_of(unilateral) else {
                continue;
            };
            if touches
                && !islands[island].done
                && self.context.contacts[k].may_run()
                && self.solver.is_skewed(unilateral, self.attempt.dt)
            {
                islands[island].usable = false;
                any = true;
            }
        }
        any
    }

    /// Takes half of the change of those islands back that it raised the norm of beyond what is enough, a few times.
    fn shorten(&mut self, room: &mut Rounds, moved: Moved, enough: f64) -> Measure {
        let dt = self.attempt.dt;
        let mut moved = moved;
        let mut now = self.measure(&moved);
        for _ in 0..HALVINGS {
            self.solver.distances(&room.linearised, &mut room.distances);
            let folded = moved.turn.0 >= FOLD;
            let farther = |k: usize| {
                let grown = room.distances[k].norm > room.islands[k].before.max(enough);
                !room.islands[k].done && (folded || grown || room.distances[k].norm.is_nan())
            };
            if !(0..room.islands.len()).any(farther) {
                return now;
            }
            let part = |k: usize| if farther(k) { 0.5 } else { 0.0 };
            moved = self.solver.take_back(&room.linearised, dt, part);
            now = self.measure(&moved);
        }
        self.solver.distances(&room.linearised, &mut room.distances);
        now
    }
}
