//! Broad phase: pairs of solids whose bounds overlap, by sweeping along the axis of the world along which they spread most.
//!
//! Bounds are swept a little enlarged, so that the pairs hold until a body has moved by as much: until then calls look through
//! them alone. What is found does not depend on that.

use super::solid::{Bounds, Solid};
use super::watch::Watch;
use crate::math::Vec3;
use crate::model::{BodyId, BodyState, Model};
use std::ops::Range;

/// By how much bounds are enlarged, in radii of their body: more than bodies move from one search of a step to the next.
const SKIN: f64 = 0.05;

/// The part of that which a body may move by: the rest is more than sums round.
const MOVED: f64 = 0.999;

/// Finds pairs; keeps its room.
#[derive(Debug, Clone, Default)]
pub(super) struct Broad {
    /// Pairs of bodies that never touch, in order, the lower number first.
    apart: Vec<[BodyId; 2]>,
    /// All solids by the start of their bounds along the axis of the last sweep.
    spans: Vec<Span>,
    /// Pairs of the last sweep: of solids, the lower number in the upper half.
    swept: Vec<u64>,
    /// Up to where the last sweep holds for each body: its way and its reach together (m).
    holds: Vec<f64>,
    /// How often ways had been forgotten then.
    forgotten: usize,
    /// Bounds of all solids in this call.
    bounds: Vec<Bounds>,
    /// What was found.
    pairs: Vec<u64>,
}

/// Bounds of a solid, enlarged by what it moves.
#[derive(Debug, Clone, Copy)]
struct Span {
    solid: usize,
    bounds: Bounds,
}

impl Broad {
    /// Prepares the list of bodies that never touch.
    pub fn new(model: &Model) -> Self {
        Self {
            apart: apart(model),
            ..Self::default()
        }
    }

    /// Finds the pairs of solids that may touch while body `k` moves by `reach[k]` (m); how many there are.
    pub fn find(
        &mut self,
        solids: &[Solid],
        bodies: &[BodyState],
        reach: &[f64],
        watch: &Watch,
    ) -> usize {
        if !self.still_holds(reach, watch) {
            self.sweep(solids, bodies, reach, watch);
        }
        self.bounds.clear();
        let bounds = |solid: &Solid| {
            let moved = solid.body.map_or(0.0, |b| reach[b.0]);
            enlarged(solid, bodies, moved)
        };
        self.bounds.extend(solids.iter().map(bounds));
        self.pairs.clear();
        let met = |pair: &&u64| {
            let [a, b] = halves(pair).map(|k| &self.bounds[k]);
            a.meets(b)
        };
        self.pairs.extend(self.swept.iter().filter(met));
        self.pairs.len()
    }

    /// Whether all pairs are among those of the last sweep.
    fn still_holds(&self, reach: &[f64], watch: &Watch) -> bool {
        let mut bodies = self.holds.iter().zip(watch.ways()).zip(reach);
        self.forgotten == watch.forgotten()
            && self.holds.len() == reach.len()
            && bodies.all(|((holds, way), reach)| way + reach <= *holds)
    }

    fn sweep(&mut self, solids: &[Solid], bodies: &[BodyState], reach: &[f64], watch: &Watch) {
        self.forgotten = watch.forgotten();
        self.holds.clear();
        let parts = watch.ways().iter().zip(watch.radii()).zip(reach);
        self.holds
            .extend(parts.map(|((way, radius), reach)| way + reach + MOVED * SKIN * radius));
        // The order of the last sweep is nearly right; the numbers make it unique.
        if self.spans.len() != solids.len() {
            let nowhere = |solid: &Solid| solid.bounds;
            let spans = solids.iter().map(nowhere).enumerate();
            self.spans = spans
                .map(|(solid, bounds)| Span { solid, bounds })
                .collect();
        }
        for span in &mut self.spans {
            let solid = &solids[span.solid];
            let body = solid.body.map(|b| b.0);
            let moved = body.map_or(0.0, |b| reach[b] + SKIN * watch.radii()[b]);
            span.bounds = enlarged(solid, bodies, moved);
        }
        let axis = self.widest();
        self.spans.sort_unstable_by(|a, b| {
            let starts = a.bounds.lower[axis].total_cmp(&b.bounds.lower[axis]);
            starts.then(a.solid.cmp(&b.solid))
        });
        self.swept.clear();
        for (k, span) in self.spans.iter().enumerate() {
            let (later, end) = (self.spans[k + 1..].iter(), span.bounds.upper[axis]);
            let beside = later.take_while(|other| other.bounds.lower[axis] <= end);
            for other in beside.filter(|other| other.bounds.meets(&span.bounds)) {
                let pair = [span.solid.min(other.solid), span.solid.max(other.solid)];
                let [a, b] = pair.map(|k| &solids[k]);
                if a.body != b.body
                    && a.touch.meets(&b.touch)
                    && !are_apart(&self.apart, a.body, b.body)
                {
                    self.swept.push((pair[0] as u64) << 32 | pair[1] as u64);
                }
            }
        }
        self.swept.sort_unstable();
    }

    /// The axis along which solids spread most, those that end nowhere left out: the fewest are beside each other along it.
    /// Which pairs are found does not depend on it.
    fn widest(&self) -> usize {
        let spread = |axis: usize| {
            let middles = self.spans.iter().map(|span| {
                let Bounds { lower, upper } = &span.bounds;
                lower[axis] + upper[axis]
            });
            let finite = middles.filter(|middle| middle.is_finite());
            let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
                (at.min(low), at.max(high))
            });
            high - low
        };
        Vec3::from([0, 1, 2].map(spread)).imax()
    }

    /// Some of the pairs found, which come in the order of their numbers.
    pub fn found(&self, range: Range<usize>) -> impl Iterator<Item = [usize; 2]> {
        self.pairs[range].iter().map(halves)
    }
}

/// The numbers of a pair.
fn halves(pair: &u64) -> [usize; 2] {
    [pair >> 32, pair & u64::from(u32::MAX)].map(|k| k as usize)
}

/// Bounds of a solid where its body is, enlarged by what it moves (m).
fn enlarged(solid: &Solid, bodies: &[BodyState], moved: f64) -> Bounds {
    let margin = moved + super::margin(solid.size);
    solid.bounds.seen_from(&solid.pose(bodies), margin)
}

/// Pairs of bodies that never touch, in order, the lower number first.
pub(super) fn apart(model: &Model) -> Vec<[BodyId; 2]> {
    let rules = model.contact.as_ref();
    let mut apart = rules.map_or_else(Vec::new, |rules| rules.apart.clone());
    if rules.is_some_and(|rules| !rules.joined) {
        let pairs = model
            .joints
            .iter()
            .filter_map(|j| Some([j.parent?, j.child]));
        apart.extend(pairs);
    }
    apart.iter_mut().for_each(|pair| pair.sort_unstable());
    apart.sort_unstable();
    apart.dedup();
    apart
}

/// Whether two bodies are among pairs that never touch.
pub(super) fn are_apart(apart: &[[BodyId; 2]], a: Option<BodyId>, b: Option<BodyId>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return false;
    };
    apart.binary_search(&[a.min(b), a.max(b)]).is_ok()
}
