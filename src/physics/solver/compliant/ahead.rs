//! A look at where a step leads: contacts there that nobody foresaw join those of the step, which is solved again.
//!
//! A contact that joins stands for its gap at the end, continued back to the start with its normal there,
//! `φ = φ₁ - h G v₁`, so that it is linear about the end of the step.

use super::super::contact::{BEND, TANGENTS, TURNED, measure_reach};
use super::stops::{Arms, Stop};
use super::{Asked, CompliantSolver};
use crate::contact::{Contact, Gap, Located};
use crate::math::Vec3;
use crate::model::{BodyState, ContactKey, Model, State};
use crate::solver::{What, worse};
use crate::stopwatch::Phase;

/// How often a step is solved again for what was not foreseen.
const ROUNDS: u32 = 4;

/// Penetration that was not foreseen for which a step is solved again, relative to the smaller body.
const UNFORESEEN: f64 = 1e-3;

/// Depth that was not foreseen for which a step is solved again where an element of a foundation is pressed, relative to
/// the way that the speed of the step makes in it.
pub(super) const WOUND: f64 = 1e-2;

/// How far, relative to the smaller body, the linear law of a contact may be beside what happens, before shorter parts of
/// a step are worth it.
pub const COARSE: f64 = 0.02;

/// Part of the speed of a step below which an impulse is rounding.
pub const NOTHING: f64 = 1e-9;

/// What is found where the step ends, which is what would be found at the start of the next one.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    pub points: Vec<Contact>,
    pub elements: Vec<Contact>,
    pub bodies: Vec<BodyState>,
    pub reach: Vec<f64>,
    /// Contact points and elements at the start of what comes farther than was looked.
    farther: [Vec<Contact>; 2],
    /// Stops by their keys.
    stops: Vec<(ContactKey, usize)>,
}

impl Ahead {
    /// Whether it was found for these poses and reaches.
    pub fn is_of(&self, bodies: &[BodyState], reach: &[f64]) -> bool {
        let same = |(a, b): (&BodyState, &BodyState)| {
            a.position == b.position && a.orientation == b.orientation
        };
        self.reach == reach
            && self.bodies.len() == bodies.len()
            && self.bodies.iter().zip(bodies).all(same)
    }

    /// Stops of a pair of shapes.
    fn of(&self, shapes: u64) -> impl Iterator<Item = usize> + Clone + '_ {
        let from = self.stops.partition_point(|p| p.0.shapes < shapes);
        let own = self.stops[from..].iter();
        own.take_while(move |p| p.0.shapes == shapes).map(|p| p.1)
    }

    /// The stop of a key.
    fn known(&self, key: &ContactKey) -> Option<usize> {
        let at = self.stops.binary_search_by_key(key, |p| p.0).ok()?;
        Some(self.stops[at].1)
    }

    /// How near a pair of shapes comes at the end, by what was found there (m).
    fn nearest(&self, shapes: u64, bodies: &[BodyState]) -> f64 {
        let least = |all: &[Contact]| {
            let from = all.partition_point(|p| p.key.shapes < shapes);
            let own = all[from..].iter();
            let own = own.take_while(|p| p.key.shapes == shapes);
            own.map(|p| p.gap(bodies).distance)
                .fold(f64::INFINITY, f64::min)
        };
        least(&self.points).min(least(&self.elements))
    }
}

impl CompliantSolver {
    /// Whether the features of a contact point still part its bodies where the step ends: those of bodies that have passed
    /// each other may lie far beyond each other there without any penetration.
    pub fn still_parts(&self, contact: &Contact, gap: &Gap, bodies: &[BodyState]) -> bool {
        let nothing = self
            .scale
            .gap(UNFORESEEN, self.scale.smaller(contact.bodies));
        gap.distance >= -nothing
            || self.ahead.nearest(contact.key.shapes, bodies) <= gap.distance + nothing
    }

    /// Looks where the step leads, and solves it again with what it meets there.
    pub(super) fn look_ahead(&mut self, model: &Model, state: &State, asked: &Asked) {
        if model.contact.is_none() {
            return;
        }
        for round in 0..=ROUNDS {
            self.stopwatch.enter(Phase::Detect);
            if !self.meet(model, state, asked.h, round < ROUNDS) {
                break;
            }
            self.stopwatch.enter(Phase::Solve);
            (self.found.violation, self.found.capped) = (0.0, false);
            self.let_go();
            self.push(model, state, asked);
        }
        // What the contacts found at both ends do not tell.
        let ends = [&state.bodies[..], &self.ahead.bodies];
        let finite = self.ahead.bodies.iter().all(BodyState::is_finite);
        if finite && self.found.missed <= COARSE && self.touching.go_through(model, ends) {
            self.found.missed = 1.0;
        }
        self.found.capped |= self.found.missed > UNFORESEEN;
    }

    /// Measures what was not foreseen; whether any of it joins the contacts of the step, which it may where it `joins`.
    fn meet(&mut self, model: &Model, state: &State, h: f64, joins: bool) -> bool {
        let mut ahead = std::mem::take(&mut self.ahead);
        ahead.bodies.clone_from(&state.bodies);
        self.advance(model, &mut ahead.bodies, h);
        for (body, data) in ahead.bodies.iter_mut().zip(&model.bodies) {
            body.momentum = body.velocity.linear * data.mass;
        }
        self.found.missed = 0.0;
        let mut joined = false;
        if ahead.bodies.iter().all(BodyState::is_finite) {
            ahead.stops.clear();
            for (k, stop) in self.stops.iter().enumerate() {
                if let What::Contact(c) = stop.what {
                    ahead.stops.push((self.contacts[c].key, k));
                }
            }
            ahead.stops.sort_unstable();
            joined |= self.reach_farther(&mut ahead, model, state, h, joins);
            measure_reach(model, &ahead.bodies, &self.radii, h, &mut ahead.reach);
            let (bodies, reach) = (&ahead.bodies, &ahead.reach);
            let found = (&mut ahead.points, &mut ahead.elements);
            self.touching.find(model, (bodies, reach), found);
            self.judge_pushes(&ahead, h);
            joined |= self.join_unforeseen(&ahead, model, state, h, joins);
            joined |= self.join_elements(&ahead, model, state, h, joins);
        }
        self.ahead = ahead;
        joined
    }

    /// What bodies come to that were pushed farther than was looked at the start.
    fn reach_farther(
        &mut self,
        ahead: &mut Ahead,
        model: &Model,
        state: &State,
        h: f64,
        joins: bool,
    ) -> bool {
        let mut any = false;
        let ends = ahead.bodies.iter().zip(&state.bodies).zip(&self.radii);
        for (((end, start), radius), reach) in ends.zip(&mut self.reach) {
            let rates = end.velocity.angular.norm();
            let way = (end.position - start.position).norm() + h * rates * radius;
            if way > *reach {
                *reach = 1.5 * way;
                any = true;
            }
        }
        if !any {
            return false;
        }
        if !joins {
            self.found.missed = 1.0;
            return false;
        }
        let [points, elements] = &mut ahead.farther;
        let around = (&state.bodies[..], &self.reach[..]);
        self.touching.find(model, around, (points, elements));
        let before = self.stops.len();
        for contact in ahead.farther.iter().flatten() {
            if ahead.known(&contact.key).is_some() {
                continue;
            }
            let gap = contact.gap(&state.bodies);
            let arms = Arms::at(contact, &gap, &state.bodies);
            self.join(model, state, contact, gap, (&arms, 0.0), h);
        }
        self.stops.len() > before
    }

    /// Contacts that push although nothing comes near at the end: a tangent plane reaches farther than its surface.
    fn judge_pushes(&mut self, ahead: &Ahead, h: f64) {
        // Stops of a pair of shapes follow each other.
        let mut last = None;
        for stop in &self.stops {
            let What::Contact(c) = stop.what else {
                continue;
            };
            if stop.impulse[0] <= NOTHING * self.scale.speed {
                continue;
            }
            let size = self.scale.smaller(self.contacts[c].bodies);
            let foreseen = stop.led_to(h).max(0.0);
            let shapes = self.contacts[c].key.shapes;
            let nearest = match last {
                Some((same, nearest)) if same == shapes => nearest,
                _ => ahead.nearest(shapes, &ahead.bodies),
            };
            last = Some((shapes, nearest));
            let beside = ((nearest - foreseen) / size).min(1.0);
            if beside > COARSE {
                self.found.missed = worse(self.found.missed, beside);
            }
        }
    }

    /// Takes note of a contact that is deeper at the end than was foreseen; its arms, if it may join.
    fn miss(
        &mut self,
        contact: &Contact,
        gap: &Gap,
        foreseen: f64,
        model: &Model,
        ends: (&[BodyState], &[BodyState]),
    ) -> Option<Arms> {
        let size = self.scale.smaller(contact.bodies);
        let depth = (foreseen - gap.distance) / size;
        self.found.missed = worse(self.found.missed, depth);
        Arms::ahead(contact, gap, model, ends).filter(|arms| arms.beside <= COARSE * size)
    }

    fn join_unforeseen(
        &mut self,
        ahead: &Ahead,
        model: &Model,
        state: &State,
        h: f64,
        joins: bool,
    ) -> bool {
        let mut joined = false;
        for contact in &ahead.points {
            let gap = contact.gap(&ahead.bodies);
            let size = self.scale.smaller(contact.bodies);
            let nothing = self.scale.gap(UNFORESEEN, size);
            let own = ahead.of(contact.key.shapes);
            // What is left of an old penetration, or given way to, was foreseen.
            let led = own.clone().map(|k| self.stops[k].led_to(h));
            let foreseen = led.fold(0.0, f64::min);
            if gap.distance >= foreseen - nothing {
                continue;
            }
            let missed = self.miss(
                contact,
                &gap,
                foreseen,
                model,
                (&state.bodies, &ahead.bodies),
            );
            let Some(arms) = missed.filter(|_| joins) else {
                continue;
            };
            let point = |k: &usize| match self.stops[*k].what {
                What::Contact(c) => self.contacts[c].contact,
                What::Limit { .. } | What::Cable { .. } => *contact,
            };
            let related = own.filter(|k| point(k).root() == contact.root());
            let known = related
                .clone()
                .find(|k| point(k).features == contact.features);
            // Features that did not part the bodies at the start say nothing of how they touch, unless some that do are beside.
            let start = contact.gap(&state.bodies).distance;
            let reach = contact.bodies.iter().flatten();
            let reach: f64 = reach.map(|b| self.reach[b.0]).sum();
            let aside = start < -nothing && (start < -BEND * reach || start < 10.0 * gap.distance);
            let beside = |k: usize| self.stops[k].axes[0].dot(&gap.normal) > TURNED;
            if known.is_none() && aside && !ahead.of(contact.key.shapes).any(beside) {
                continue;
            }
            let number = related.clone().count();
            let further = (number > 0 && number < TANGENTS)
                .then(|| contact.numbered(number as u64))
                .flatten();
            let old = known.or_else(|| further.is_none().then(|| related.last()).flatten());
            let (mut contact, mut impulse) = (further.unwrap_or(*contact), [0.0; 3]);
            if let Some(old) = old {
                contact.key = point(&old).key;
                impulse = self.stops[old].impulse;
            }
            let ended = self.end_rate(&arms, &contact, &gap);
            // What moves apart where it ends began deeper than anything was: a shorter part shows how it came there.
            if gap.distance - h * ended < start.min(0.0) - nothing {
                continue;
            }
            if !self.join(model, state, &contact, gap, (&arms, ended), h) {
                continue;
            }
            joined = true;
            if let Some(old) = old {
                self.replace(old, impulse);
            }
        }
        joined
    }

    /// Elements that are pressed in deeper at the end than was foreseen: what a stiff one would be wound up by.
    fn join_elements(
        &mut self,
        ahead: &Ahead,
        model: &Model,
        state: &State,
        h: f64,
        joins: bool,
    ) -> bool {
        let mut joined = false;
        let nothing = WOUND * h * self.scale.speed;
        for contact in &ahead.elements {
            let gap = contact.gap(&ahead.bodies);
            let known = ahead.known(&contact.key);
            let foreseen = known.map_or(0.0, |k| self.stops[k].led_to(h).min(0.0));
            if gap.distance >= foreseen - nothing {
                continue;
            }
            let missed = self.miss(
                contact,
                &gap,
                foreseen,
                model,
                (&state.bodies, &ahead.bodies),
            );
            let Some(arms) = missed.filter(|_| joins) else {
                continue;
            };
            let ended = self.end_rate(&arms, contact, &gap);
            if self.join(model, state, contact, gap, (&arms, ended), h) {
                joined = true;
                // What was not pressed at the start has nothing wound up there.
                let at = known.unwrap_or(self.stops.len() - 1);
                let mut set = -self.stops[self.stops.len() - 1].gap;
                if known.is_some() {
                    let Stop {
                        impulse, set: old, ..
                    } = self.stops[at];
                    self.replace(at, impulse);
                    set = old;
                }
                self.stops[at].put(set.max(0.0));
                self.set_laws_of(at..at + 1, model, &state.bodies, h);
            }
        }
        joined
    }

    /// Puts the last stop in the place of another one, with an impulse to start from.
    fn replace(&mut self, old: usize, impulse: [f64; 3]) {
        if let Some(mut stop) = self.stops.pop() {
            stop.impulse = impulse;
            self.stops[old] = stop;
        }
    }

    /// Rate of a gap by the velocities at the end of the step.
    fn end_rate(&self, arms: &Arms, contact: &Contact, gap: &Gap) -> f64 {
        let side = |k: usize, sign: f64| {
            contact.bodies[k].map_or(0.0, |b| {
                let [x, y, z, a, b, c] = self.bodies[b.0].end();
                let rate = Vec3::new(x, y, z) + Vec3::new(a, b, c).cross(&arms.arms[k]);
                sign * rate.dot(&gap.normal)
            })
        };
        side(0, 1.0) + side(1, -1.0)
    }

    /// Adds a contact point without impulse; `rate` is that by which its gap came from the start. Whether it can push.
    fn join(
        &mut self,
        model: &Model,
        state: &State,
        contact: &Contact,
        mut gap: Gap,
        (arms, rate): (&Arms, f64),
        h: f64,
    ) -> bool {
        gap.distance -= h * rate;
        let k = self.contacts.len();
        self.contacts.push(Located {
            contact: *contact,
            here: gap,
        });
        let at = self.stops.len();
        self.add_contact(k, arms);
        self.set_laws(at, model, &state.bodies, h);
        // What cannot move, or gives without end, does not push.
        let pushes = self.stops[at..].iter().all(|s| s.compliance[0].is_finite());
        if !pushes {
            self.stops.truncate(at);
        }
        self.stops.len() > at
    }
}
