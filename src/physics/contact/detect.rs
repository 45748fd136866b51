//! Which features are near each other: broad phase, narrow phase, contacts with stable keys.

use super::broad::Broad;
use super::feature::{Contact, Located};
use super::midway::Overlap;
use super::narrow::Narrow;
use super::pair::{Pair, beyond};
use super::passage::{Passage, Passages};
use super::question::{Question, ask, prediction, size};
use super::solid::Solid;
use super::watch::{Watch, Watcher};
use crate::model::{BodyId, BodyState, ContactKey, ContactRules, Model};
use crate::threads;
use std::ops::Range;

/// How much deeper than their solids features that press may be, in sizes of the smaller solid: many times what is left of
/// penetrations where many bodies are solved live.
const PRESSED: f64 = 2e-4;

/// How deep solids may lie in each other for nothing to be found where only what is deeper than contacts at hand say is looked
/// for, in sizes of the smaller solid: half of what is left where contacts are solved live.
const FREE: f64 = 5e-7;

/// Times what a contact at hand says that solids may be in each other along its normal: it turns a little, and a tenth more
/// is not told from it.
const DEEPER: f64 = 1.05;

/// Pairs of solids that a lane is worth: 2.5 ms for 3820 of them in a pit of 300 (`docs/reference/performance.md`) make some eighty
/// microseconds, many times what it takes to wake a thread.
const LANE: usize = 128;

/// Lanes for each thread: pairs that touch come together, and a thread whose lanes have none takes others.
const LANES: usize = 4;

/// Finds contacts. Keeps its room, shapes prepared for queries, and what it found for every pair: where both bodies are
/// on the same point of a grid far below all lengths told apart as in the last call that is the answer again. Since
/// every pair is compared on the grid, remembered or not, the same poses always give the same contacts.
#[derive(Clone)]
pub struct Detector {
    solids: Vec<Solid>,
    broad: Broad,
    watch: Watch,
    last: Found,
    /// Where pairs are compared, each a run of those that follow each other.
    lanes: Vec<Lane>,
    /// Where pairs are compared that press.
    pressed: Narrow,
    /// Finds what went through each other.
    passages: Passages,
}

/// Room in which a run of pairs is compared.
#[derive(Debug, Clone, Default)]
struct Lane {
    watcher: Watcher,
    narrow: Narrow,
    /// Contacts of the pair that is compared.
    compared: Vec<Contact>,
    next: Found,
}

/// Contacts of an interval.
#[derive(Debug, Clone, Copy)]
pub struct AtHand<'a> {
    /// The contacts.
    pub points: &'a [Located],
    /// Keys of the first of them in order, each with its place; those that were added since come after them.
    pub order: &'a [(ContactKey, usize)],
}

/// What all lanes of a call read.
struct Call<'a> {
    solids: &'a [Solid],
    broad: &'a Broad,
    watch: &'a Watch,
    last: &'a Found,
    rules: &'a ContactRules,
    bodies: &'a [BodyState],
    reach: &'a [f64],
    known: Option<AtHand<'a>>,
}

/// What was found, pair by pair in the order of their numbers.
#[derive(Debug, Clone, Default)]
struct Found {
    pairs: Vec<Compared>,
    contacts: Vec<Located>,
}

/// A pair as it was compared.
#[derive(Debug, Clone)]
struct Compared {
    question: Question,
    /// Its contacts, in the order of their keys.
    contacts: Range<usize>,
}

impl Detector {
    /// A detector for a model; finds nothing if the model has no contact.
    pub fn new(model: &Model) -> Self {
        let solids = match &model.contact {
            Some(_) => Solid::all(model),
            None => Vec::new(),
        };
        Self::among(model, solids)
    }

    /// One for these solids of a model.
    fn among(model: &Model, solids: Vec<Solid>) -> Self {
        let broad = Broad::new(model);
        let watch = Watch::new(&solids, model.bodies.len());
        Self {
            passages: Passages::new(&solids, broad.clone(), watch.clone()),
            solids,
            broad,
            watch,
            last: Found::default(),
            lanes: Vec::new(),
            pressed: Narrow::default(),
        }
    }

    /// One for a part of the model, which has its bodies of these numbers, in rising order. What is prepared for
    /// queries is shared.
    pub fn part(&self, part: &Model, bodies: &[usize]) -> Self {
        let number = |body: BodyId| bodies.binary_search(&body.0).ok().map(BodyId);
        let solids = self
            .numbers(bodies)
            .map(|k| {
                let mut solid = self.solids[k].clone();
                solid.body = solid.body.and_then(number);
                solid
            })
            .collect();
        Self::among(part, solids)
    }

    /// The numbers of solids of the world and of bodies of these numbers, in order: the solids of a part of the model.
    pub fn numbers(&self, bodies: &[usize]) -> impl Iterator<Item = usize> {
        let solids = self.solids.iter().enumerate();
        let takes = |solid: &Solid| {
            solid
                .body
                .is_none_or(|b| bodies.binary_search(&b.0).is_ok())
        };
        solids.filter(move |(_, s)| takes(s)).map(|(k, _)| k)
    }

    /// A solid by its number.
    pub(super) fn solid(&self, number: usize) -> &Solid {
        &self.solids[number]
    }

    /// Appends the contacts of a pair of solids, those of features included that are a little deeper than the solids: where these
    /// are pressed together in several places, some are deeper than others, by which the solids are told to be apart.
    pub fn detect_pressed(
        &mut self,
        model: &Model,
        bodies: &[BodyState],
        reach: &[f64],
        numbers: [usize; 2],
        out: &mut Vec<Contact>,
    ) {
        let Some(rules) = &model.contact else {
            return;
        };
        let solids = numbers.map(|k| &self.solids[k]);
        let near = prediction(solids, reach);
        let question = ask(solids, numbers, near, bodies);
        compare(
            (&mut self.pressed, rules),
            solids,
            &question,
            PRESSED * size(solids),
            out,
        );
    }

    /// All contacts that may close while every point of body `k` moves by at most `reach[k]` (m), in the order of
    /// their keys.
    pub fn detect(&mut self, model: &Model, bodies: &[BodyState], reach: &[f64]) -> &[Located] {
        self.find(model, bodies, reach, None)
    }

    /// The same without those of pairs that lie in each other by less than half of a millionth of their size, or by no more than
    /// contacts at hand say.
    pub fn detect_deeper(
        &mut self,
        model: &Model,
        bodies: &[BodyState],
        reach: &[f64],
        known: AtHand,
    ) -> &[Located] {
        self.find(model, bodies, reach, Some(known))
    }

    /// Tells `pair` of all pairs of bodies that may meet while every point of body `k` moves by at most `reach[k]` (m): of those
    /// that have contacts, and of those that have none yet but are no farther apart, as where a corner heads past a corner. Pairs
    /// that are not told part by more, whatever was found before.
    pub fn neighbours(
        &mut self,
        model: &Model,
        bodies: &[BodyState],
        reach: &[f64],
        mut pair: impl FnMut(BodyId, BodyId),
    ) {
        self.detect(model, bodies, reach);
        for Compared { question, contacts } in &self.last.pairs {
            let solids = question.numbers.map(|k| &self.solids[k]);
            let [Some(a), Some(b)] = solids.map(|s| s.body) else {
                continue;
            };
            // In the middle of the margin with which pairs are left out without being compared.
            let limit = question.near + 0.5 * beyond(question.near, size(solids));
            if !contacts.is_empty() || !self.watch.are_beyond(solids, limit) {
                pair(a, b);
            }
        }
    }

    /// Appends where bodies went through each other between two configurations, with the contacts of material points, of that
    /// number, where they met.
    pub fn passages(
        &mut self,
        model: &Model,
        ends: [&[BodyState]; 2],
        number: u64,
        out: &mut Vec<Passage>,
    ) {
        if let Some(rules) = &model.contact {
            let among = (&self.solids[..], rules);
            self.passages.find(among, ends, number, out);
        }
    }

    /// Two bodies of which one has a surface that lie in each other between two configurations, if there are any.
    pub fn midway(&mut self, model: &Model, ends: [&[BodyState]; 2]) -> Option<Overlap> {
        let rules = model.contact.as_ref()?;
        self.passages.midway((&self.solids, rules), ends)
    }

    fn find(
        &mut self,
        model: &Model,
        bodies: &[BodyState],
        reach: &[f64],
        known: Option<AtHand>,
    ) -> &[Located] {
        let Some(rules) = &model.contact else {
            return &[];
        };
        self.watch.begin(bodies);
        let pairs = self.broad.find(&self.solids, bodies, reach, &self.watch);
        let lanes = match threads::count() {
            1 => 1,
            threads => (pairs / LANE).clamp(1, LANES * threads),
        };
        if self.lanes.len() < lanes {
            self.lanes.resize_with(lanes, Lane::default);
        }
        let call = Call {
            solids: &self.solids,
            broad: &self.broad,
            watch: &self.watch,
            last: &self.last,
            rules,
            bodies,
            reach,
            known,
        };
        let used = &mut self.lanes[..lanes];
        threads::each(used, |k, lane| {
            lane.compare(&call, pairs * k / lanes..pairs * (k + 1) / lanes);
        });
        // Pairs come in the order of their numbers, with which keys begin.
        if let [lane] = used {
            self.watch.end(&mut lane.watcher);
            std::mem::swap(&mut self.last, &mut lane.next);
        } else {
            self.watch.end_all(used.iter().map(|lane| &lane.watcher));
            self.last.clear();
            for lane in used {
                self.last.append(&lane.next);
            }
        }
        &self.last.contacts
    }
}

impl<'a> AtHand<'a> {
    /// Those of one pair of shapes.
    pub fn of_shapes(self, shapes: u64) -> impl Iterator<Item = &'a Located> + Clone {
        let Self { points, order } = self;
        let from = order.partition_point(|(key, _)| key.shapes < shapes);
        let same = order[from..].iter();
        let same = same.take_while(move |(key, _)| key.shapes == shapes);
        let added = points[order.len()..].iter();
        same.map(|&(_, k)| &points[k])
            .chain(added.filter(move |c| c.key.shapes == shapes))
    }
}

impl Call<'_> {
    /// Whether two solids lie in each other by nothing, or by no more than a contact at hand says: along its normal none of their
    /// points is deeper than its own are.
    fn is_known(&self, numbers: [usize; 2]) -> bool {
        let Some(known) = self.known else {
            return false;
        };
        let pair = numbers.map(|k| &self.solids[k]);
        if !pair.iter().all(|solid| solid.convex) {
            return false;
        }
        let free = -FREE * size(pair);
        let shapes = ContactKey::new(numbers, 0).shapes;
        known.of_shapes(shapes).any(|contact| {
            let gap = contact.gap(self.bodies);
            let least = DEEPER * gap.distance.min(free);
            self.watch.separation(pair, &gap.normal) >= least
        })
    }
}

impl Found {
    fn clear(&mut self) {
        self.pairs.clear();
        self.contacts.clear();
    }

    fn append(&mut self, other: &Self) {
        let before = self.contacts.len();
        self.contacts.extend_from_slice(&other.contacts);
        self.pairs.extend(other.pairs.iter().map(|pair| Compared {
            question: pair.question.clone(),
            contacts: pair.contacts.start + before..pair.contacts.end + before,
        }));
    }
}

impl Lane {
    /// Finds the contacts of these pairs.
    fn compare(&mut self, call: &Call, pairs: Range<usize>) {
        let Self {
            watcher,
            narrow,
            compared,
            next,
        } = self;
        next.clear();
        let first = call.broad.found(pairs.clone()).next().unwrap_or_default();
        call.watch.ready(watcher, first);
        let known = &call.last.pairs;
        let passed = known.partition_point(|p| p.question.numbers < first);
        let mut remembered = known[passed..].iter().peekable();
        for numbers in call.broad.found(pairs) {
            let solids = numbers.map(|k| &call.solids[k]);
            let near = prediction(solids, call.reach);
            // What is deeper than contacts at hand say is not apart.
            let limit = match call.known {
                Some(_) => 0.0,
                None => near + beyond(near, size(solids)),
            };
            if call.watch.parts(watcher, numbers, call.solids, limit) {
                continue;
            }
            if call.is_known(numbers) {
                watcher.tell(numbers, true);
                continue;
            }
            let question = ask(solids, numbers, near, call.bodies);
            while remembered
                .next_if(|p| p.question.numbers < numbers)
                .is_some()
            {}
            let start = next.contacts.len();
            match remembered.next_if(|p| p.question == question) {
                Some(same) => {
                    let contacts = call.last.contacts[same.contacts.clone()].iter();
                    let located = contacts.map(|c| Located::at(&c.contact, call.bodies));
                    next.contacts.extend(located);
                }
                None => {
                    compared.clear();
                    compare((narrow, call.rules), solids, &question, 0.0, compared);
                    let located = compared.iter().map(|c| Located::at(c, call.bodies));
                    next.contacts.extend(located);
                }
            }
            watcher.tell(numbers, next.contacts.len() > start);
            next.pairs.push(Compared {
                question,
                contacts: start..next.contacts.len(),
            });
        }
    }
}

/// Appends the contacts of a pair, in the order of their keys.
pub(super) fn compare(
    (narrow, rules): (&mut Narrow, &ContactRules),
    solids: [&Solid; 2],
    question: &Question,
    deeper: f64,
    out: &mut Vec<Contact>,
) {
    let materials = solids.map(|s| s.touch.material);
    let (friction, restitution) = rules.coefficients(materials[0], materials[1]);
    // The model was checked: all pairs have a law.
    let compliance = rules.compliance(materials[0], materials[1]);
    let compliance = compliance.unwrap_or_default();
    let pair = Pair {
        numbers: question.numbers,
        solids,
        poses: question.poses,
        near: question.near,
        motion: question.motion,
        size: size(solids),
        deeper,
        friction,
        restitution,
        compliance,
    };
    let start = out.len();
    narrow.contacts(pair, out);
    out[start..].sort_unstable_by_key(|contact| contact.key);
}
