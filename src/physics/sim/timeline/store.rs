//! Moments kept in memory: all of the last ones, and of older ones so many as a budget allows.

use super::BranchId;
use crate::diagnostics::Sample;
use crate::sim::{Peaks, Snapshot};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A moment and its account.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    pub snapshot: Snapshot,
    pub sample: Sample,
    pub peaks: Peaks,
}

/// Where a moment is: the branch whose step led to it, and steps taken.
pub(super) type Place = (BranchId, u64);

impl Moment {
    fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<Snapshot>() + self.snapshot.bytes()
    }
}

/// The moments that are kept.
#[derive(Debug)]
pub(super) struct Store {
    moments: BTreeMap<Place, Moment>,
    /// Moments that stay until others push them out, oldest visit first.
    recent: VecDeque<Place>,
    /// Moments that are never dropped.
    pinned: BTreeSet<Place>,
    /// Older moments are kept where their step is a multiple of this.
    stride: u64,
    budget: usize,
    /// Memory of all moments, and of those that are neither recent nor pinned (bytes).
    bytes: usize,
    old_bytes: usize,
    /// A dropped moment whose memory the next one uses.
    spare: Option<Moment>,
}

impl Store {
    pub fn new(budget: usize) -> Self {
        Self {
            moments: BTreeMap::new(),
            recent: VecDeque::new(),
            pinned: BTreeSet::new(),
            stride: 1,
            budget,
            bytes: 0,
            old_bytes: 0,
            spare: None,
        }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn len(&self) -> usize {
        self.moments.len()
    }

    pub fn recent(&self) -> usize {
        self.recent.len()
    }

    pub fn stride(&self) -> u64 {
        self.stride
    }

    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Changes the budget and drops what goes beyond it.
    pub fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
        self.fit();
    }

    pub fn get(&self, place: Place) -> Option<&Moment> {
        self.moments.get(&place)
    }

    /// The last moment of a branch between two steps, both included.
    pub fn last(&self, branch: BranchId, from: u64, to: u64) -> Option<u64> {
        let mut range = self.moments.range((branch, from)..=(branch, to));
        range.next_back().map(|((_, step), _)| *step)
    }

    /// All moments of a branch, in order.
    pub fn of(&self, branch: BranchId) -> impl Iterator<Item = (u64, &Moment)> {
        let range = self.moments.range((branch, 0)..=(branch, u64::MAX));
        range.map(|((_, step), moment)| (*step, moment))
    }

    /// Keeps a moment; `write` fills the memory of one that was dropped, or `make` makes a new one.
    pub fn keep(
        &mut self,
        place: Place,
        make: impl FnOnce() -> Moment,
        write: impl FnOnce(&mut Moment),
    ) {
        if self.moments.contains_key(&place) {
            return;
        }
        let moment = match self.spare.take() {
            Some(mut spare) => {
                write(&mut spare);
                spare
            }
            None => make(),
        };
        self.bytes += moment.bytes();
        self.moments.insert(place, moment);
        self.recent.push_back(place);
        self.fit();
    }

    /// Never drops a moment, or lets it go again.
    pub fn pin(&mut self, place: Place, pinned: bool) {
        if pinned {
            self.pinned.insert(place);
        } else {
            self.pinned.remove(&place);
        }
        self.count();
    }

    /// Forgets the moments of a branch.
    pub fn forget(&mut self, branch: BranchId) {
        self.recent.retain(|place| place.0 != branch);
        self.pinned.retain(|place| place.0 != branch);
        self.moments.retain(|place, _| place.0 != branch);
        self.count();
    }

    fn count(&mut self) {
        let recent: BTreeSet<&Place> = self.recent.iter().collect();
        self.bytes = self.moments.values().map(Moment::bytes).sum();
        let old = self
            .moments
            .iter()
            .filter(|(p, _)| !recent.contains(p) && !self.pinned.contains(p));
        self.old_bytes = old.map(|(_, m)| m.bytes()).sum();
    }

    fn stays(&self, place: &Place) -> bool {
        self.pinned.contains(place) || place.1.is_multiple_of(self.stride)
    }

    /// Drops moments until the rest fits the budget: recent ones become old ones, of which every second goes when
    /// they take more than half of the budget.
    fn fit(&mut self) {
        while self.bytes > self.budget {
            let Some(place) = self.recent.pop_front() else {
                if self.thin() {
                    continue;
                }
                break;
            };
            let bytes = self.moments[&place].bytes();
            if !self.stays(&place) {
                self.bytes -= bytes;
                self.spare = self.moments.remove(&place);
            } else if !self.pinned.contains(&place) {
                self.old_bytes += bytes;
            }
            while self.old_bytes > self.budget / 2 && self.thin() {}
        }
    }

    /// Doubles the distance of old moments; false where only pinned ones are left.
    fn thin(&mut self) -> bool {
        let recent: BTreeSet<Place> = self.recent.iter().copied().collect();
        let old = |place: &Place| !recent.contains(place);
        // Step 0 is a multiple of everything.
        let loose = |place: &Place| old(place) && place.1 > 0 && !self.pinned.contains(place);
        if !self.moments.keys().any(loose) {
            return false;
        }
        self.stride *= 2;
        let gone: Vec<Place> = self
            .moments
            .keys()
            .filter(|place| old(place) && !self.stays(place))
            .copied()
            .collect();
        for place in gone {
            if let Some(moment) = self.moments.remove(&place) {
                self.bytes -= moment.bytes();
                self.old_bytes -= moment.bytes();
                self.spare = Some(moment);
            }
        }
        true
    }
}
