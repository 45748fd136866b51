//! Broad phase: pairs of solids whose bounds overlap, by sweeping along the axis of the world along which they spread most.

use super::solid::{Bounds, Solid};
use crate::math::Vec3;
use crate::model::{BodyId, BodyState, Model};
use std::ops::Range;

/// Finds pairs; keeps its room.
#[derive(Debug, Clone, Default)]
pub(super) struct Broad {
    /// Pairs of bodies that never touch, in order, the lower number first.
    apart: Vec<[BodyId; 2]>,
    /// All solids by the start of their bounds along the axis of the last sweep.
    spans: Vec<Span>,
    /// What was found: pairs of solids, the lower number in the upper half.
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
    pub fn find(&mut self, solids: &[Solid], bodies: &[BodyState], reach: &[f64]) -> usize {
        // The order of the last call is nearly right; the numbers make it unique.
        if self.spans.len() != solids.len() {
            let nowhere = |solid: &Solid| solid.bounds;
            let spans = solids.iter().map(nowhere).enumerate();
            self.spans = spans
                .map(|(solid, bounds)| Span { solid, bounds })
                .collect();
        }
        for span in &mut self.spans {
            let solid = &solids[span.solid];
            let moved = solid.body.map_or(0.0, |b| reach[b.0]);
            let margin = moved + super::margin(solid.size);
            span.bounds = solid.bounds.seen_from(&solid.pose(bodies), margin);
        }
        let axis = self.widest();
        self.spans.sort_unstable_by(|a, b| {
            let starts = a.bounds.lower[axis].total_cmp(&b.bounds.lower[axis]);
            starts.then(a.solid.cmp(&b.solid))
        });
        self.pairs.clear();
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
                    self.pairs.push((pair[0] as u64) << 32 | pair[1] as u64);
                }
            }
        }
        self.pairs.sort_unstable();
        self.pairs.len()
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
        let halves = |pair: &u64| [pair >> 32, pair & u64::from(u32::MAX)].map(|k| k as usize);
        self.pairs[range].iter().map(halves)
    }
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
