//! Islands: bodies that joints, couplings and closed unilateral constraints tie together in an interval, and what
//! contacts did to the energy of each.
//!
//! A rebound is paid for by what contacts took from its own island in the interval before, never by what friction took
//! elsewhere; and where one island's rebounds return too much, no other island's are slowed down.

use crate::solver::past::Taken;
use crate::solver::topology::{Topology, WORLD};
use std::ops::AddAssign;

/// What limits the energy that contacts give to bodies in an interval.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energies {
    /// What contacts took before.
    pub taken: Taken,
    /// Kinetic energy before the interval (J).
    pub motion: f64,
    /// What contacts may seem to give by rounding, on joints by the order of the method too, and twice what forces give from rest [J]: what holds a
    /// body seems to give some of that where intervals of different lengths meet.
    pub rounding: f64,
    /// That and what they may seem to give by the order of the method (J).
    pub unsure: f64,
}

/// Times that much is unsure where contacts are left far from their laws, since some push although they part.
const UNSOLVED: f64 = 300.0;

impl Energies {
    /// The same where contacts are left far from their laws.
    pub fn of_what_is_unsolved(self) -> Self {
        Self {
            unsure: UNSOLVED * self.unsure,
            ..self
        }
    }
}

impl AddAssign for Energies {
    fn add_assign(&mut self, other: Self) {
        self.taken.last += other.taken.last;
        self.taken.reserve += other.taken.reserve;
        self.motion += other.motion;
        self.rounding += other.rounding;
        self.unsure += other.unsure;
    }
}

/// What contacts did to an island.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Account {
    /// Energy taken in this interval by impacts and by friction (J).
    loss: [f64; 2],
    /// Sum of the sizes of which the losses are differences (J).
    size: f64,
    /// Of its bodies.
    before: Energies,
    /// Whether any of its constraints rebounds.
    rebounds: bool,
}

/// Times the energy of motion that impacts cannot take: motors and springs that drive bodies into each other within one
/// interval give some of what is taken, but no hundred times what was there.
const BOUNDLESS: f64 = 100.0;

/// Part of the energies handled by which rebounds may return more than contacts took: rounding.
const GAIN: f64 = 1e-8;

impl Account {
    /// Whether contacts give energy, but for rebounds, which give what was taken in the interval before; or energy that they never
    /// took; or take by impacts more than there is: bodies turned so far in the interval that the forces at its beginning have
    /// nothing to do with its end, or forces that nothing determines have grown without bounds. Where they are solved `live`, any of
    /// them may give what was taken before, and what they could seem to give by the order of the method.
    fn is_impossible(&self, live: bool) -> bool {
        let Energies {
            taken,
            motion,
            rounding,
            unsure,
        } = self.before;
        let last = taken.last.max(0.0);
        let paid = match (live, self.rebounds) {
            (true, _) => last + unsure,
            (false, true) => last + rounding,
            (false, false) => rounding,
        };
        let gain = -(self.loss[0] + self.loss[1]) - GAIN * self.size;
        gain > paid
            || gain > taken.reserve.max(0.0) + rounding
            || self.loss[0] > BOUNDLESS * (motion + unsure)
    }

    /// The factor by which rebounds must be slowed down so that they return no more than contacts took; `None` where
    /// they do not return more.
    fn slower(&self) -> Option<f64> {
        let gain = -(self.loss[0] + self.loss[1]);
        let had = self.before.taken.last.max(0.0);
        if !self.rebounds || gain <= had + GAIN * self.size {
            return None;
        }
        // The gain goes with the square of the speeds, roughly.
        Some((had / gain).sqrt() * (1.0 - 1e-6))
    }
}

/// Links by island.
#[derive(Debug, Clone, Default)]
pub struct Islands {
    /// For every link another one of its island with a smaller or the same index, by joints and couplings alone.
    tied: Vec<usize>,
    /// The same, with the constraints that are closed.
    parent: Vec<usize>,
    /// By the first link of an island.
    accounts: Vec<Account>,
}

fn root(parent: &[usize], mut link: usize) -> usize {
    while parent[link] != link {
        link = parent[link];
    }
    link
}

/// The smaller of two roots becomes that of both, so that islands do not depend on the order of unions.
fn unite(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b)] = a.min(b);
}

impl Islands {
    /// Links as joints, couplings and dampers tie them.
    pub fn new(topology: &Topology) -> Self {
        let mut tied: Vec<usize> = (0..topology.parents.len()).collect();
        for (link, &parent) in topology.parents.iter().enumerate() {
            if parent != WORLD {
                unite(&mut tied, link, parent);
            }
        }
        for loop_constraint in &topology.loop_constraints {
            for pair in loop_constraint.supports.windows(2) {
                unite(&mut tied, pair[0], pair[1]);
            }
        }
        Self {
            parent: tied.clone(),
            accounts: vec![Account::default(); tied.len()],
            tied,
        }
    }

    /// Gathers the islands of an interval from the links of the constraints that are closed in it, and opens an account
    /// of each with what `before` says of every link.
    pub fn gather(
        &mut self,
        closed: impl Iterator<Item = [usize; 2]>,
        before: impl Fn(usize) -> Energies,
    ) {
        self.parent.clone_from(&self.tied);
        for [a, b] in closed.filter(|links| !links.contains(&WORLD)) {
            unite(&mut self.parent, a, b);
        }
        self.accounts.fill(Account::default());
        for link in 0..self.parent.len() {
            let root = root(&self.parent, link);
            self.accounts[root].before += before(link);
        }
    }

    /// Empties what was booked of this interval.
    pub fn clear(&mut self) {
        for account in &mut self.accounts {
            *account = Account {
                before: account.before,
                ..Account::default()
            };
        }
    }

    /// Books energy that a constraint on these links takes, the size of which it is the difference (J), and whether it
    /// rebounds.
    pub fn book(&mut self, links: [usize; 2], loss: [f64; 2], size: f64, rebounds: bool) {
        let Some(island) = self.of(links) else { return };
        let account = &mut self.accounts[island];
        account.loss[0] += loss[0];
        account.loss[1] += loss[1];
        account.size += size;
        account.rebounds |= rebounds;
    }

    /// Whether the contacts of any island give energy that is not theirs, or take more than there is.
    pub fn are_impossible(&self, live: bool) -> bool {
        let mut accounts = self.accounts.iter();
        accounts.any(|account| account.is_impossible(live))
    }

    /// The factor by which the rebounds of the island of these links must be slowed down; `None` where they return no
    /// more than contacts took.
    pub fn slower(&self, links: [usize; 2]) -> Option<f64> {
        self.accounts[self.of(links)?].slower()
    }

    /// The island of these links, by its first link; `None` where there is none.
    fn of(&self, links: [usize; 2]) -> Option<usize> {
        let link = links.into_iter().find(|&l| l != WORLD)?;
        Some(root(&self.parent, link))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::model::{Body, Model, ModelParts};

    #[test]
    fn islands_are_those_of_what_is_closed_and_each_has_its_own_account() {
        let body = |k| Body::new(format!("{k}"), 1.0, Mat3::identity());
        let parts = ModelParts {
            bodies: (0..6).map(body).collect(),
            ..ModelParts::default()
        };
        let model = Model::new(parts).expect("free bodies are a model");
        let mut islands = Islands::new(&Topology::new(&model));
        let closed = [[4, 2], [WORLD, 5], [2, 1], [0, WORLD]];
        for turned in [false, true] {
            let mut pairs = closed;
            if turned {
                pairs.reverse();
            }
            islands.gather(pairs.into_iter(), |link| Energies {
                taken: Taken {
                    last: link as f64,
                    reserve: 20.0,
                },
                motion: 100.0,
                rounding: 1.0,
                unsure: 10.0,
            });
            let of = |islands: &Islands, link| islands.of([WORLD, link]);
            let found: Vec<_> = (0..6).map(|l| of(&islands, l)).collect();
            let wanted = [0, 1, 1, 3, 1, 5].map(Some);
            assert_eq!(found, wanted, "the world ties nothing together");
            assert_eq!(islands.accounts[1].before.taken.last, 7.0);
            assert_eq!(islands.accounts[5].before.taken.last, 5.0);
        }
        // 5 rebounds while the others only rub: its licence is its own.
        islands.book([5, WORLD], [-14.0, 0.0], 14.0, true);
        islands.book([4, 2], [0.0, 30.0], 30.0, false);
        let slower = islands.slower([WORLD, 5]).expect("14 J are more than 5 J");
        assert!((slower - (5.0f64 / 14.0).sqrt()).abs() < 1e-5);
        assert_eq!(islands.slower([1, 2]), None);
        // It had 5 J. Rounding is 1 J in each, and 10 J are not sure where contacts are solved live: whatever others lose.
        for (gain, exact, live) in [(5.5, false, false), (14.0, true, false), (28.0, true, true)] {
            islands.clear();
            islands.book([5, WORLD], [-gain, 0.0], gain, true);
            islands.book([4, 2], [0.0, 30.0], 30.0, false);
            let found = [false, true].map(|live| islands.are_impossible(live));
            assert_eq!(found, [exact, live], "{gain} J");
        }
        // The other had 7 J, which come back where it is solved live or rebounds, beyond 3 J of rounding or 30 J that are not sure.
        let cases = [
            (2.0, false, [false, false]),
            (9.0, false, [true, false]),
            (9.0, true, [false, false]),
            (38.0, false, [true, true]),
        ];
        for (gain, rebounds, impossible) in cases {
            islands.clear();
            islands.book([4, 2], [-gain, 0.0], gain, rebounds);
            let found = [false, true].map(|live| islands.are_impossible(live));
            assert_eq!(found, impossible, "{gain} J");
        }
        islands.clear();
        // Three bodies of 100 J each cannot lose 40 kJ by impacts; by friction they can, where a motor drives them.
        islands.book([4, 2], [0.0, 4e4], 4e4, false);
        assert!(!islands.are_impossible(false));
        islands.book([4, 2], [4e4, 0.0], 4e4, false);
        assert!(islands.are_impossible(false));
        islands.clear();
        assert_eq!(islands.slower([WORLD, 5]), None);
        assert_eq!(islands.accounts[5].before.taken.last, 5.0);
    }
}
