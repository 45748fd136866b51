//! Which pairs of solids need no comparison: those that were found apart, and have moved less than that since.
//!
//! A pair is left out only where it is proven to be farther apart than any contact of it: by an axis along which the
//! solids part, or by their distance in an earlier call less all that both bodies have moved since. Contacts of such
//! pairs are none however they are looked for, so what is remembered changes the time that a call takes and nothing else.

use super::nearest::{Clearance, ITERATIONS, clearance};
use super::solid::{Bounds, Solid};
use crate::math::{Mat3, Quat, Vec3, moved};
use crate::model::BodyState;
use std::cmp::Ordering;

/// Iterations that are worth it for a bound.
const FEW: usize = 12;

/// Ways of a body, in its own radii, after which what is known of distances is forgotten: sums of them stay exact to
/// far less than what tells pairs apart.
const LONG: f64 = 1e3;

/// Remembers how far pairs are apart; keeps its room.
#[derive(Debug, Clone, Default)]
pub(super) struct Watch {
    /// Radius of a ball about each body's centre of mass that holds its solids (m).
    radii: Vec<f64>,
    /// Where each body is.
    places: Vec<Place>,
    /// How far the points of each body have moved at most, all calls together (m).
    ways: Vec<f64>,
    /// How often ways were forgotten.
    forgotten: usize,
    /// Pairs of the last call, in the order of their numbers.
    last: Vec<Watched>,
}

/// What is found in a call of a run of pairs that follow each other; keeps its room.
#[derive(Debug, Clone, Default)]
pub(super) struct Watcher {
    next: Vec<Watched>,
    /// How many of the last call's were passed.
    passed: usize,
}

/// A pair whose bounds overlapped.
#[derive(Debug, Clone, Copy)]
struct Watched {
    numbers: [usize; 2],
    /// How far the solids were apart at least, plus the ways of both bodies then (m).
    least: f64,
    /// How far they were apart at most, less the ways of both bodies then (m).
    most: f64,
    /// Direction from the second to the first along which they were apart, world frame.
    normal: Vec3,
    /// Whether they had contacts: then they hardly part at once, and the proof is not tried.
    met: bool,
}

/// A pose of a body.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: Vec3,
    orientation: Quat,
    turn: Mat3,
}

impl Watch {
    /// Watches nothing yet.
    pub fn new(solids: &[Solid], bodies: usize) -> Self {
        let mut radii = vec![0.0; bodies];
        for (body, solid) in solids.iter().filter_map(|s| Some((s.body?, s))) {
            radii[body.0] = solid.bounds.farthest().max(radii[body.0]);
        }
        Self {
            ways: vec![0.0; bodies],
            radii,
            ..Self::default()
        }
    }

    /// How far the points of each body have moved at most since ways were forgotten last (m).
    pub fn ways(&self) -> &[f64] {
        &self.ways
    }

    /// How often ways were forgotten.
    pub fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// Radius of a ball about each body's centre of mass that holds its solids (m).
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }

    /// Begins a call: adds what the bodies have moved since the last.
    pub fn begin(&mut self, bodies: &[BodyState]) {
        let mut long = self.places.len() != bodies.len();
        let parts = self.places.iter().zip(&mut self.ways).zip(&self.radii);
        for (((place, way), radius), body) in parts.zip(bodies) {
            let from = (&place.at, &place.orientation);
            *way += moved(from, (&body.position, &body.orientation), *radius);
            // A way that is no number is too long as well; nothing is known of bodies without solids.
            let short = (LONG * radius).partial_cmp(way) == Some(Ordering::Greater);
            long |= *radius > 0.0 && !short;
        }
        if long {
            self.last.clear();
            self.ways.fill(0.0);
            self.forgotten += 1;
        }
        self.places.clear();
        self.places.extend(bodies.iter().map(Place::of));
    }

    /// Ends a call in which one watcher saw all pairs.
    pub fn end(&mut self, watcher: &mut Watcher) {
        std::mem::swap(&mut self.last, &mut watcher.next);
        // Both change places: each gets as much room as the other has.
        watcher.next.clear();
        watcher.next.reserve(self.last.len());
    }

    /// Ends a call in which each of these saw a run of pairs, in the order of these.
    pub fn end_all<'a>(&mut self, watchers: impl Iterator<Item = &'a Watcher>) {
        self.last.clear();
        for watcher in watchers {
            self.last.extend_from_slice(&watcher.next);
        }
    }

    /// Whether two solids are proven to be more than `limit` (m) apart. Each watcher is asked for pairs in the order of
    /// their numbers.
    pub fn parts(
        &self,
        watcher: &mut Watcher,
        numbers: [usize; 2],
        solids: &[Solid],
        limit: f64,
    ) -> bool {
        let pair = numbers.map(|k| &solids[k]);
        if !is_measured(pair) {
            return false;
        }
        let last = &self.last[watcher.passed..];
        watcher.passed += last.iter().take_while(|w| w.numbers < numbers).count();
        let known = (self.last.get(watcher.passed)).filter(|w| w.numbers == numbers);
        let ways = pair.map(|s| s.body.map_or(0.0, |b| self.ways[b.0]));
        let ways = ways[0] + ways[1];
        if let Some(known) = known {
            let apart = known.least - ways > limit;
            if apart || known.met || known.most + ways <= limit {
                watcher.next.push(*known);
                return apart;
            }
        }
        let places = self.places_of(pair);
        let start = known.map_or_else(|| facing(pair, &places), |w| w.normal);
        let (least, most, normal) = match measure(pair, &places, &start, limit, FEW) {
            Clearance::AtLeast(least, normal) => (least, f64::INFINITY, normal),
            Clearance::AtMost(most) => (f64::NEG_INFINITY, most, start),
        };
        watcher.next.push(Watched {
            numbers,
            least: least + ways,
            most: most - ways,
            normal,
            met: false,
        });
        least > limit
    }

    /// Whether two solids are more than `limit` (m) apart where the bodies are in this call, whatever was found in others; of one that
    /// is not convex that is not told.
    pub fn are_beyond(&self, pair: [&Solid; 2], limit: f64) -> bool {
        if !is_measured(pair) {
            return false;
        }
        let places = self.places_of(pair);
        let start = facing(pair, &places);
        let found = measure(pair, &places, &start, limit, ITERATIONS);
        matches!(found, Clearance::AtLeast(..))
    }

    /// How far convex solids are apart along a direction from the second to the first (m), where the bodies are in this call.
    pub fn separation(&self, pair: [&Solid; 2], normal: &Vec3) -> f64 {
        separation(pair, &self.places_of(pair), normal)
    }

    fn places_of(&self, pair: [&Solid; 2]) -> [Place; 2] {
        pair.map(|s| s.body.map_or_else(Place::world, |b| self.places[b.0]))
    }

    /// Makes a watcher ready for a run of pairs that begins with this one.
    pub fn ready(&self, watcher: &mut Watcher, first: [usize; 2]) {
        watcher.next.clear();
        watcher.passed = self.last.partition_point(|w| w.numbers < first);
    }
}

impl Watcher {
    /// Tells whether the pair that was asked for last has contacts.
    pub fn tell(&mut self, numbers: [usize; 2], met: bool) {
        let last = self.next.last_mut().filter(|w| w.numbers == numbers);
        if let Some(watched) = last {
            watched.met = met;
        }
    }
}

/// Whether it is measured how far two solids are apart.
fn is_measured(pair: [&Solid; 2]) -> bool {
    pair.iter().all(|s| s.convex) && !pair[0].is_half_space()
}

/// Whether two convex solids, neither of which is a half-space, are apart where their bodies are, and how far at least.
pub(super) fn clearance_at(pair: [&Solid; 2], bodies: &[Option<BodyState>; 2]) -> Clearance {
    let places = places_at(bodies);
    measure(pair, &places, &facing(pair, &places), 0.0, ITERATIONS)
}

/// How far convex solids are apart along a direction from the second to the first where their bodies are (m).
pub(super) fn separation_at(
    pair: [&Solid; 2],
    bodies: &[Option<BodyState>; 2],
    normal: &Vec3,
) -> f64 {
    separation(pair, &places_at(bodies), normal)
}

fn places_at(bodies: &[Option<BodyState>; 2]) -> [Place; 2] {
    let place = |body: &Option<BodyState>| body.as_ref().map_or_else(Place::world, Place::of);
    [place(&bodies[0]), place(&bodies[1])]
}

/// How far convex solids at these places are apart along a direction from the second to the first (m).
fn separation(pair: [&Solid; 2], places: &[Place; 2], normal: &Vec3) -> f64 {
    let far = [-normal, *normal];
    let [x, y] = [0, 1].map(|k| places[k].farthest(pair[k], &far[k]));
    normal.dot(&(x - y)) - pair[0].polyhedron.radius - pair[1].polyhedron.radius
}

/// Whether two solids are more than `limit` (m) apart; `start` is a direction from the second to the first.
fn measure(
    pair: [&Solid; 2],
    places: &[Place; 2],
    start: &Vec3,
    limit: f64,
    iterations: usize,
) -> Clearance {
    let [x, y] = pair;
    if y.is_half_space() {
        // Along its normal it has a border, and nowhere else.
        let normal = facing(pair, places);
        let height = separation(pair, places, &normal);
        return match height > limit {
            true => Clearance::AtLeast(height, normal),
            false => Clearance::AtMost(height),
        };
    }
    let lowest = |v: &Vec3| [places[0].farthest(x, &-v), places[1].farthest(y, v)];
    let rounding = x.polyhedron.radius + y.polyhedron.radius;
    clearance(lowest, start, rounding, limit, iterations)
}

/// A direction in which the second solid may see the first.
fn facing(pair: [&Solid; 2], places: &[Place; 2]) -> Vec3 {
    let [_, y] = pair;
    if y.is_half_space() {
        return places[1].turn * y.polyhedron.faces[0].normal;
    }
    let centre = |k: usize| {
        let Bounds { lower, upper } = pair[k].bounds;
        places[k].at + places[k].turn * ((lower + upper) * 0.5)
    };
    let between = centre(0) - centre(1);
    if between == Vec3::zeros() {
        Vec3::z()
    } else {
        between
    }
}

impl Place {
    fn of(body: &BodyState) -> Self {
        Self {
            at: body.position,
            orientation: body.orientation,
            turn: body.orientation.to_rotation_matrix().into_inner(),
        }
    }

    /// Where the world is.
    fn world() -> Self {
        Self {
            at: Vec3::zeros(),
            orientation: Quat::identity(),
            turn: Mat3::identity(),
        }
    }

    /// Farthest point of a solid of a body here along a direction, both in the world frame, without the rounding.
    fn farthest(&self, solid: &Solid, direction: &Vec3) -> Vec3 {
        let local = self.turn.tr_mul(direction);
        self.turn * solid.polyhedron.farthest(&local) + self.at
    }
}
