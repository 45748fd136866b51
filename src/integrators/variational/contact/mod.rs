//! An interval with contact: which unilateral constraints take part, solving for them, checking what was not foreseen,
//! remembering.
//!
//! 1. Contact points are found at the first knot, as far away as the bodies may come in the interval; joint limits and
//!    cables that are near join them.
//! 2. The interval is solved with these unilateral constraints ([`nonsmooth`], [`interior`], in the order of
//!    [`solve`]).
//! 3. Contact points are found again at the second knot. What penetrates there and was not foreseen joins, and the
//!    interval is solved again: nothing tunnels, whatever its speed. The points found are those of the next interval.

mod interior;
mod memory;
mod nonsmooth;
mod solve;
#[cfg(test)]
mod tests;

use super::newton::{Attempt, Failure};
use super::{Variational, half_kick};
use crate::contact::{Contact, Detector, Gap};
use crate::integrators::{Settings, StepReport};
use crate::model::{BodyId, BodyState, ContactKey, Model, State};
use crate::solver::{Interior, Interval, Krylov, Mark, Scale, StepContext, What, limits};
use crate::stopwatch::Phase;

/// How often an interval is solved again with contact points that were not foreseen.
const ROUNDS: u32 = 8;

/// Penetration of a contact point that was not foreseen, from which the interval is solved again, relative to the
/// smaller body.
const UNFORESEEN: f64 = 1e-9;

/// Penetration that is left to the next interval to mend where no round gets rid of it, relative to the smaller body.
const TOLERATED: f64 = 1e-6;

/// Part of the way of a body by which a surface may bend: what lies behind the face that it comes to by no more than
/// that has not yet reached the face, and is not in it.
const BEND: f64 = 0.1;

/// Cosine of the angle by which a normal may turn from one round to the next and be that of the same surface.
const TURNED: f64 = 0.98;

/// Tangent planes that two surfaces get in an interval.
const TANGENTS: usize = 4;

/// Rounds after which a tolerable penetration is left.
const PATIENT: u32 = 3;

/// Contact points this near to each other, relative to the smaller body, with normals this equal, are one.
const TWIN: f64 = 1e-9;

/// Part of the rebounds below which none is given.
const LEAST_RESTITUTION_SCALE: f64 = 1e-3;

/// Room for contact, kept from step to step; nothing here changes what a step does.
pub struct Work {
    detector: Detector,
    /// Radius of a ball around each body's centre of mass that holds its shapes [m].
    radii: Vec<f64>,
    /// How far the points of each body may come [m].
    reach: Vec<f64>,
    /// Contact points of the interval.
    contacts: Vec<Contact>,
    /// Contact points at the second knot, and the configuration and reaches for which they were found.
    ahead: Ahead,
    /// Units of the interval.
    what: Vec<What>,
    /// All bounds and cables of the model.
    limits: Vec<What>,
    marks: [Mark; 3],
    interior: Interior,
    shifts: Vec<f64>,
    /// How far slips are from the shifts that they were found with [m/s].
    slips: Vec<f64>,
    /// What the rounds of the shifts have taught.
    krylov: Krylov,
    gaps: Vec<Gap>,
    /// Contact points that were not foreseen: they are closed at the second knot whatever they were at the first.
    forced: Vec<ContactKey>,
    /// Whether contacts yield in the last solution.
    soft: bool,
    /// Speed of separation that each unilateral constraint gets in the next interval [m/s].
    rebounds: Vec<f64>,
    /// Part of the rebounds that each body's island gives in the interval in hand.
    restitution_scale: Vec<f64>,
    /// Energy that contacts take from each body in the interval [J].
    losses: Vec<f64>,
}

/// Contact points found ahead of the interval that uses them.
#[derive(Default)]
struct Ahead {
    contacts: Vec<Contact>,
    bodies: Vec<BodyState>,
    reach: Vec<f64>,
}

impl Work {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let radius = |body: &crate::model::Body| {
            let reaches = body
                .shapes
                .iter()
                .map(|s| s.pose.translation.vector.norm() + s.geometry.reach());
            reaches.fold(0.0, f64::max)
        };
        Self {
            detector: Detector::new(model),
            radii: model.bodies.iter().map(radius).collect(),
            reach: Vec::new(),
            contacts: Vec::new(),
            ahead: Ahead::default(),
            what: Vec::new(),
            limits: limits(model).collect(),
            marks: Default::default(),
            interior: Interior::default(),
            shifts: Vec::new(),
            slips: Vec::new(),
            krylov: Krylov::default(),
            gaps: Vec::new(),
            forced: Vec::new(),
            soft: false,
            rebounds: Vec::new(),
            restitution_scale: vec![1.0; model.bodies.len()],
            losses: Vec::with_capacity(model.bodies.len()),
        }
    }

    /// Key of a contact point of the last interval.
    pub fn key(&self, contact: usize) -> ContactKey {
        self.contacts
            .get(contact)
            .map_or_else(ContactKey::default, |c| c.key)
    }

    /// How far every body's points may come in an interval, from its velocity and its momentum.
    fn measure_reach(&mut self, model: &Model, bodies: &[BodyState], dt: f64) {
        let kick = half_kick(model, dt).norm() * 2.0;
        let reach = |((body, state), radius): ((&crate::model::Body, &BodyState), &f64)| {
            let speed = state.velocity.linear.norm();
            let free = state.momentum.norm() / body.mass;
            let turn = state.velocity.angular.norm() * radius;
            // Half as much again, and what gravity adds: what comes farther still is found at the second knot.
            1.5 * dt * (speed.max(free) + turn + kick) + 2e-3 * radius
        };
        self.reach.clear();
        self.reach
            .extend(model.bodies.iter().zip(bodies).zip(&self.radii).map(reach));
    }

    /// Finds the contact points of an interval that starts at `bodies`.
    fn look(&mut self, model: &Model, scale: &Scale, bodies: &[BodyState], dt: f64) {
        self.measure_reach(model, bodies, dt);
        if self.ahead.bodies == bodies && self.ahead.reach == self.reach {
            self.contacts.clone_from(&self.ahead.contacts);
        } else {
            self.detector
                .detect(model, bodies, &self.reach, &mut self.contacts);
        }
        self.thin(scale, bodies);
    }

    /// Leaves one of several contact points of a pair of bodies at the same place with the same normal: where corners
    /// and edges coincide, each of them makes its own.
    fn thin(&mut self, scale: &Scale, bodies: &[BodyState]) {
        self.gaps.clear();
        self.gaps
            .extend(self.contacts.iter().map(|c| c.gap(bodies)));
        let mut kept = 0;
        for k in 0..self.contacts.len() {
            let (contact, gap) = (self.contacts[k], self.gaps[k]);
            let near = scale.gap(TWIN, scale.smaller(contact.bodies));
            let twin = (0..kept).any(|j| {
                let (other, there) = (&self.contacts[j], &self.gaps[j]);
                other.bodies == contact.bodies
                    && (there.distance - gap.distance).abs() < near
                    && (there.points[0] - gap.points[0]).amax() < near
                    && there.normal.dot(&gap.normal) > 1.0 - TWIN
            });
            if !twin {
                self.contacts[kept] = contact;
                self.gaps[kept] = gap;
                kept += 1;
            }
        }
        self.contacts.truncate(kept);
    }

    /// Deepest penetration of two bodies at the first knot, as a gap; 0 if there is none. What was found at the second
    /// knot says nothing of the first.
    fn violation(&self, bodies: [Option<BodyId>; 2], state: &State) -> f64 {
        let found = |c: &&Contact| c.bodies == bodies && !self.forced.contains(&c.key);
        let same = self.contacts.iter().filter(found);
        same.map(|c| c.gap(&state.bodies).distance)
            .fold(0.0, f64::min)
    }

    /// Finds the contact points at the second knot and keeps them for the next interval.
    fn look_ahead(&mut self, model: &Model, bodies: &[BodyState]) {
        self.detector
            .detect(model, bodies, &self.reach, &mut self.ahead.contacts);
    }
}

impl Variational {
    /// Solves one interval in a model with contact.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn touch(
        &mut self,
        work: &mut Work,
        model: &Model,
        state: &State,
        attempt: &Attempt,
        interval: &Interval,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<u32, Failure> {
        let before = self.solver.stopwatch.enter(Phase::Detect);
        work.look(model, self.solver.scale(), &state.bodies, attempt.dt);
        self.solver.stopwatch.enter(before);
        work.what.clear();
        work.what
            .extend((0..work.contacts.len()).map(What::Contact));
        work.forced.clear();
        let context = StepContext {
            model,
            state,
            contacts: &[],
            interval,
        };
        for &limit in &work.limits {
            let gap = self.solver.gap(&context, limit, false);
            let (lever, _) = self.solver.measures(&context, limit);
            if gap <= memory::margin(model, state, limit, lever, attempt.dt) {
                work.what.push(limit);
            }
        }
        let mut iterations = 0;
        let mut violation = None;
        work.restitution_scale.fill(1.0);
        for round in 0..ROUNDS {
            iterations +=
                self.solve_round(work, model, state, attempt, interval, settings, report)?;
            report.contact.rounds = report.contact.rounds.max(round);
            let news;
            let before = self.solver.stopwatch.enter(Phase::Detect);
            (violation, news) = self.unforeseen(work, model, state, interval);
            self.solver.stopwatch.enter(before);
            let tolerated = |depth: f64| {
                (round >= PATIENT || work.soft) && depth <= 1.0
                    || round + 1 == ROUNDS && attempt.last
            };
            if violation.is_none_or(tolerated) {
                // What takes too many tries is left out.
                let last = round + 2 >= ROUNDS;
                Work::book(&mut self.solver, &model.gravity, state, attempt.dt);
                if !self.overshoots(work, last) {
                    // No energy out of nothing, nor into it: shorter intervals first, and in the shortest what is
                    // found. What the mouse gives within an interval is known only after it.
                    let judged = attempt.input.drag.is_none() && !attempt.last;
                    if judged && self.solver.islands_impossible() {
                        break;
                    }
                    return Ok(iterations);
                }
            } else if !news || work.soft {
                // Another round would end in the same place, or yield to what it was told as well.
                if attempt.last {
                    return Ok(iterations);
                }
                break;
            }
        }
        Err(Failure {
            errors: crate::solver::Errors {
                constraint: TOLERATED * violation.unwrap_or(0.0),
                ..Default::default()
            },
            turned: true,
            inconsistent: false,
        })
    }

    /// Whether the rebounds of an island return more energy than contacts took from it in the interval before, as they
    /// may where several meet: then all of the island are slowed down, and with `drop` left out.
    fn overshoots(&self, work: &mut Work, drop: bool) -> bool {
        let mut found = false;
        for (body, restitution_scale) in work.restitution_scale.iter_mut().enumerate() {
            let Some(slower) = self.solver.slower(body) else {
                continue;
            };
            let slower = *restitution_scale * slower;
            *restitution_scale = if drop || slower < LEAST_RESTITUTION_SCALE {
                0.0
            } else {
                slower
            };
            found = true;
        }
        found
    }

    #[allow(clippy::too_many_arguments)]
    fn solve_round(
        &mut self,
        work: &mut Work,
        model: &Model,
        state: &State,
        attempt: &Attempt,
        interval: &Interval,
        settings: &Settings,
        report: &mut StepReport,
    ) -> Result<u32, Failure> {
        work.soft = false;
        if work.what.is_empty() {
            self.solver.release_unilaterals();
            return self.newton(model, state, attempt, interval, settings, report);
        }
        let contacts = std::mem::take(&mut work.contacts);
        let context = StepContext {
            model,
            state,
            contacts: &contacts,
            interval,
        };
        self.solver.take_unilaterals(&context, &work.what);
        memory::recall(&mut self.solver, &context, &work.restitution_scale);
        for unilateral in self.solver.unilaterals_mut() {
            if let What::Contact(k) = unilateral.what
                && work.forced.contains(&contacts[k].key)
            {
                unilateral.floor = 0.0;
            }
        }
        let solved = self.solve(work, &context, attempt, settings, report);
        work.contacts = contacts;
        solved
    }

    /// Adds to the unilateral constraints what penetrates at the second knot and was not foreseen. Returns how deep the
    /// deepest is, in what is [`TOLERATED`], and whether something was added.
    fn unforeseen(
        &mut self,
        work: &mut Work,
        model: &Model,
        state: &State,
        interval: &Interval,
    ) -> (Option<f64>, bool) {
        let mut deepest: Option<f64> = None;
        let mut news = false;
        self.solver.second(state);
        let scale = self.solver.scale();
        let second = self.solver.at_second();
        work.look_ahead(model, second);
        for contact in &work.ahead.contacts {
            let gap = contact.gap(second).distance;
            let size = scale.smaller(contact.bodies);
            let nothing = scale.gap(UNFORESEEN, size);
            if gap >= -nothing {
                continue;
            }
            let related = |c: &&Contact| c.root() == contact.key;
            let related = work.contacts.iter().filter(related);
            // What is left of a violation at the first knot is mended little by little.
            let allowed = work.violation(contact.bodies, state);
            if related.clone().any(|c| c.features == contact.features) || gap >= allowed - nothing {
                continue;
            }
            let depth = -gap / scale.gap(TOLERATED, size);
            deepest = Some(deepest.unwrap_or(0.0).max(depth));
            let start = contact.gap(&state.bodies).distance;
            let reach = contact.bodies.iter().flatten();
            let reach: f64 = reach.map(|b| work.reach[b.0]).sum();
            // A tangent plane that is looked for again turns a little less with every round.
            let normal = contact.gap(second).normal;
            let turned = related.clone().any(|c| {
                work.forced.contains(&c.key) && c.gap(second).normal.dot(&normal) > TURNED
            });
            let aside = start < -BEND * reach || start < 10.0 * gap;
            if start < -nothing && aside && !turned {
                // These features do not part the bodies at the first knot: only a shorter interval helps.
                continue;
            }
            // Where a tangent plane that was looked for again leaves another, surfaces touch along a line: both hold.
            let again = work.forced.contains(&contact.key);
            let number = if again { related.count() } else { 0 };
            let further = contact
                .numbered(number as u64)
                .filter(|_| number < TANGENTS);
            let contact = further.unwrap_or(*contact);
            match work.contacts.iter().position(|c| c.key == contact.key) {
                Some(k) => work.contacts[k] = contact,
                None => {
                    work.what.push(What::Contact(work.contacts.len()));
                    work.contacts.push(contact);
                }
            }
            work.forced.push(contact.key);
            news = true;
        }
        let context = StepContext {
            model,
            state,
            contacts: &[],
            interval,
        };
        for &limit in &work.limits {
            if !work.what.contains(&limit) {
                let gap = self.solver.gap(&context, limit, true);
                let (_, size) = self.solver.measures(&context, limit);
                if gap < -scale.gap(UNFORESEEN, size) {
                    work.what.push(limit);
                    let depth = -gap / scale.gap(TOLERATED, size);
                    deepest = Some(deepest.unwrap_or(0.0).max(depth));
                    news = true;
                }
            }
        }
        (deepest, news)
    }
}
