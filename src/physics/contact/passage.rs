//! Bodies that go through each other between two configurations.
//!
//! Pairs of features tell how far bodies are apart where they are. Of round ones that is positive again on the far side, and features
//! that face each other where a fast motion begins need not be those that meet on its way. So solids that move against each other by
//! half of the smaller one's size are followed by conservative advancement [Mirtich1996]: as far at a time as nothing of them can meet,
//! until they touch or the way ends.

use super::broad::Broad;
use super::detect::compare;
use super::feature::Contact;
use super::midway;
use super::narrow::Narrow;
use super::nearest::Clearance;
use super::polyhedron::Polyhedron;
use super::question::{Question, size};
use super::solid::{Bounds, Near, Solid};
use super::watch::{Watch, clearance_at, separation_at};
use crate::math::{Quat, Vec3, moved};
use crate::model::{BodyId, BodyState, ContactRules};

/// Motion of two solids against each other, in sizes of the smaller, from which they are followed.
const FOLLOWED: f64 = 0.5;

/// How near solids that meet are, in sizes of the smaller.
const MEETING: f64 = 1e-3;

/// How much nearer they may be for features that face each other: a corner that comes to a corner faces none before it is in it.
const DEEPER: f64 = 0.02;

/// How deep solids are at the end, along the normal where they met and in sizes of the smaller, that went on through each other.
const THROUGH: f64 = 0.05;

/// Looks on the way at most: the distance shrinks by half from one to the next, or the way ends.
const LOOKS: usize = 100;

/// Finds passages; keeps its room.
#[derive(Debug, Clone)]
pub(super) struct Passages {
    narrow: Narrow,
    broad: Broad,
    watch: Watch,
    /// Motion of a body from which it may go through the smallest solid, or that through it (m).
    least: f64,
    /// Motion of a point from which one is to be looked at [on its way](Self::midway) (m).
    pub(super) least_midway: f64,
    /// Turn of the points of a body from which it may go through the smallest solid, or that through it (m).
    least_turn: f64,
    /// How far the points of each body move (m).
    reach: Vec<f64>,
    /// Bodies on their way.
    pub(super) between: Vec<BodyState>,
    pub(super) compared: Vec<Contact>,
    /// Features of a surface near another solid.
    pub(super) near: Near,
    /// A solid in the frame of a surface.
    pub(super) placed: Polyhedron,
    /// What is left of a triangle.
    pub(super) polygons: [Vec<Vec3>; 2],
}

/// Two bodies that went through each other.
#[derive(Debug, Clone, Copy)]
pub struct Passage {
    /// The contact where they met, of material points.
    pub contact: Contact,
    /// How deep they are at the end along its normal (m).
    pub depth: f64,
}

/// The motion of all bodies between two configurations.
#[derive(Clone, Copy)]
pub(super) struct Motion<'a> {
    pub first: &'a [BodyState],
    pub second: &'a [BodyState],
}

impl Passages {
    /// Ready for these solids, with a broad phase and a watch of theirs that have not been used.
    pub fn new(solids: &[Solid], broad: Broad, watch: Watch) -> Self {
        let convex = solids.iter().filter(|s| s.convex).map(|s| s.size);
        let smallest = convex.fold(f64::INFINITY, f64::min);
        Self {
            narrow: Narrow::default(),
            broad,
            watch,
            // Of two that move against each other one does so by half.
            least: 0.5 * FOLLOWED * smallest,
            least_turn: 0.5 * midway::TURN * smallest,
            least_midway: 0.5 * midway::least(solids),
            reach: Vec::new(),
            between: Vec::new(),
            compared: Vec::new(),
            near: Near::default(),
            placed: Polyhedron::default(),
            polygons: [const { Vec::new() }; 2],
        }
    }

    /// Appends the passages between two configurations, in the order of the numbers of their solids; the contact of each has the
    /// material points of that `number`.
    pub fn find(
        &mut self,
        (solids, rules): (&[Solid], &ContactRules),
        [first, second]: [&[BodyState]; 2],
        number: u64,
        out: &mut Vec<Passage>,
    ) {
        let motion = Motion { first, second };
        let ways = first.iter().zip(second);
        let mut ways = ways.map(|(from, to)| (to.position - from.position).norm_squared());
        if !ways.any(|way| way > self.least * self.least) {
            return;
        }
        self.measure(motion);
        for n in 0..self.pairs(solids, motion) {
            let Some(numbers) = self.pair(n) else {
                continue;
            };
            let pair = numbers.map(|k| &solids[k]);
            out.extend(self.passage(pair, numbers, motion, rules, number));
        }
    }

    /// Whether a body turns so much that it may go through another.
    pub(super) fn is_turning(&self, motion: Motion) -> bool {
        let mut radii = self.watch.radii().iter().enumerate();
        radii.any(|(k, &radius)| motion.turned(BodyId(k), radius) > self.least_turn)
    }

    /// Measures how far the points of each body move; the farthest way (m).
    pub(super) fn measure(&mut self, motion: Motion) -> f64 {
        let place = |body: &BodyState| (body.position, body.orientation);
        let bodies = motion.first.iter().zip(motion.second);
        let bodies = bodies.zip(self.watch.radii());
        self.reach.clear();
        self.reach.extend(bodies.map(|((from, to), &radius)| {
            let [(from, turn), (to, turned)] = [place(from), place(to)];
            moved((&from, &turn), (&to, &turned), radius)
        }));
        self.reach.iter().copied().fold(0.0, f64::max)
    }

    /// Finds the pairs of solids that may meet on the ways that were [measured](Self::measure), with all bodies where they begin; how many
    /// there are.
    pub(super) fn pairs(&mut self, solids: &[Solid], motion: Motion) -> usize {
        self.between.clear();
        self.between.extend_from_slice(motion.first);
        self.watch.begin(motion.first);
        let reach = &self.reach;
        self.broad.find(solids, motion.first, reach, &self.watch)
    }

    /// The numbers of the solids of such a pair.
    pub(super) fn pair(&self, n: usize) -> Option<[usize; 2]> {
        self.broad.found(n..n + 1).next()
    }

    /// Places both solids where that part of their way is done.
    pub(super) fn place(&mut self, pair: [&Solid; 2], motion: Motion, part: f64) {
        for body in pair.iter().filter_map(|solid| solid.body) {
            self.between[body.0] = motion.at(body, part);
        }
    }

    /// Compares two solids, by their numbers too, where they were [placed](Self::place): features that are that `near` and no `deeper` (m).
    pub(super) fn compare(
        &mut self,
        (pair, numbers): ([&Solid; 2], [usize; 2]),
        rules: &ContactRules,
        near: f64,
        deeper: f64,
    ) {
        let question = Question {
            numbers,
            poses: pair.map(|solid| solid.pose(&self.between)),
            near,
            motion: None,
        };
        self.compared.clear();
        let room = (&mut self.narrow, rules);
        compare(room, pair, &question, deeper, &mut self.compared);
    }

    fn passage(
        &mut self,
        pair: [&Solid; 2],
        numbers: [usize; 2],
        motion: Motion,
        rules: &ContactRules,
        number: u64,
    ) -> Option<Passage> {
        let [x, y] = pair;
        let size = size(pair);
        let way = motion.of(x.body) - motion.of(y.body);
        if !(x.convex && y.convex)
            || x.is_half_space()
            || y.is_half_space()
            || way.norm() <= FOLLOWED * size
            || !motion.swept(x).meets(&motion.swept(y))
        {
            return None;
        }
        let bound = motion.bound(pair);
        let (at, normal) = meeting(pair, motion, bound, size)?;
        // Of those that touch where the way begins features alone tell along which they do.
        let towards = normal.unwrap_or(-way / way.norm());
        let least = if normal.is_some() { 0.5 } else { 0.0 };
        let states = pair.map(|s| s.body.map(|b| motion.second[b.0]));
        for (deeper, part) in [(0.0, at), (DEEPER * size, at + DEEPER * size / bound)] {
            self.place(pair, motion, part);
            self.compare((pair, numbers), rules, DEEPER * size, deeper);
            // Their order says which is the second.
            let normal_of = |c: &Contact| match c.bodies[0] == x.body {
                true => c.gap(&self.between).normal,
                false => -c.gap(&self.between).normal,
            };
            let along = |c: &Contact| normal_of(c).dot(&towards);
            let best = self.compared.iter();
            let best = best.max_by(|a, b| along(a).total_cmp(&along(b)));
            let Some(contact) = best.filter(|c| along(c) > least) else {
                continue;
            };
            let end = separation_at(pair, &states, &normal.unwrap_or(normal_of(contact)));
            return (end <= -THROUGH * size).then(|| Passage {
                contact: contact.material(number, &self.between),
                depth: -end,
            });
        }
        None
    }
}

/// Where two solids meet on their way, and along which normal if they were apart before.
fn meeting(
    pair: [&Solid; 2],
    motion: Motion,
    bound: f64,
    size: f64,
) -> Option<(f64, Option<Vec3>)> {
    let (mut part, mut last) = (0.0, None);
    for _ in 0..LOOKS {
        let states = pair.map(|s| s.body.map(|b| motion.at(b, part)));
        match clearance_at(pair, &states) {
            Clearance::AtLeast(distance, normal) if distance > MEETING * size => {
                last = Some(normal);
                part += distance / bound;
            }
            Clearance::AtLeast(_, normal) => return Some((part, Some(normal))),
            Clearance::AtMost(_) => return Some((part, last)),
        }
        if part >= 1.0 {
            return None;
        }
    }
    None
}

impl Motion<'_> {
    /// How far the centre of a body moves.
    fn of(&self, body: Option<BodyId>) -> Vec3 {
        body.map_or_else(Vec3::zeros, |b| {
            self.second[b.0].position - self.first[b.0].position
        })
    }

    /// What any point of one solid moves against the other at most (m).
    pub fn bound(&self, [x, y]: [&Solid; 2]) -> f64 {
        let way = self.of(x.body) - self.of(y.body);
        way.norm() + self.turn(x) + self.turn(y)
    }

    /// How far the points of a solid move by the turn of its body at most (m).
    pub fn turn(&self, solid: &Solid) -> f64 {
        let farthest = solid.bounds.farthest();
        solid.body.map_or(0.0, |b| self.turned(b, farthest))
    }

    /// How far the points of a body within a radius move by its turn at most (m).
    fn turned(&self, body: BodyId, radius: f64) -> f64 {
        let [from, to] = [self.first, self.second].map(|s| &s[body.0].orientation);
        let centre = Vec3::zeros();
        moved((&centre, from), (&centre, to), radius)
    }

    /// A body on its way, of which this part is done.
    pub fn at(&self, body: BodyId, part: f64) -> BodyState {
        let [from, to] = [self.first, self.second].map(|s| &s[body.0]);
        let (p, q) = (from.orientation.coords, to.orientation.coords);
        let q = if p.dot(&q) < 0.0 { -q } else { q };
        BodyState {
            position: from.position + (to.position - from.position) * part,
            orientation: Quat::new_normalize((p + (q - p) * part).into()),
            ..*from
        }
    }

    /// What a solid lies in on all of its way.
    pub fn swept(&self, solid: &Solid) -> Bounds {
        let turns = self.turn(solid);
        let [from, to] = [self.first, self.second]
            .map(|bodies| solid.bounds.seen_from(&solid.pose(bodies), turns));
        from.joined(&to)
    }
}
