//! Broad phase: pairs of solids whose bounds overlap, by sweeping along the world's x axis.

use super::solid::{Bounds, Solid};
use crate::model::{BodyId, BodyState, Model};

/// Finds pairs; keeps its room.
#[derive(Debug, Clone, Default)]
pub(super) struct Broad {
    /// Pairs of bodies that never touch, in order, the lower number first.
    apart: Vec<[BodyId; 2]>,
    /// Bounds of all solids, enlarged by what they move.
    bounds: Vec<Bounds>,
    /// Solids by the start of their bounds along x.
    order: Vec<usize>,
    /// Solids whose bounds may still overlap with those to come.
    open: Vec<usize>,
    /// What was found: pairs of solids, the lower number first.
    pairs: Vec<[usize; 2]>,
}

impl Broad {
    /// Prepares the list of bodies that never touch.
    pub fn new(model: &Model) -> Self {
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
        Self {
            apart,
            ..Self::default()
        }
    }

    /// Pairs of solids that may touch while body `k` moves by `reach[k]` [m], in the order of their numbers.
    pub fn pairs(
        &mut self,
        solids: &[Solid],
        bodies: &[BodyState],
        reach: &[f64],
    ) -> &[[usize; 2]] {
        self.bounds.clear();
        self.bounds.extend(solids.iter().map(|solid| {
            let moved = solid.body.map_or(0.0, |b| reach[b.0]);
            let margin = moved + super::margin(solid.size);
            solid.bounds.seen_from(&solid.pose(bodies), margin)
        }));
        let bounds = &self.bounds;
        // The order of the last call is nearly right; the numbers make it unique.
        if self.order.len() != solids.len() {
            self.order = (0..solids.len()).collect();
        }
        let start = |k: usize| bounds[k].lower.x;
        self.order
            .sort_unstable_by(|a, b| start(*a).total_cmp(&start(*b)).then(a.cmp(b)));
        self.open.clear();
        self.pairs.clear();
        for &k in &self.order {
            self.open.retain(|o| bounds[*o].upper.x >= start(k));
            for &other in &self.open {
                let pair = [k.min(other), k.max(other)];
                let [a, b] = pair.map(|k| &solids[k]);
                if a.body != b.body
                    && bounds[k].meets(&bounds[other])
                    && a.touch.meets(&b.touch)
                    && !self.are_apart(a.body, b.body)
                {
                    self.pairs.push(pair);
                }
            }
            self.open.push(k);
        }
        self.pairs.sort_unstable();
        &self.pairs
    }

    fn are_apart(&self, a: Option<BodyId>, b: Option<BodyId>) -> bool {
        let (Some(a), Some(b)) = (a, b) else {
            return false;
        };
        self.apart.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }
}
