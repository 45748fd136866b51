//! What every body has touched so far: its smallest gap and the normal force on it, step by step.
//!
//! All bodies are kept, so that a body selected after an impact still shows the impact.

use physics::model::{BodyId, ContactState};
use physics::sim::thin;
use physics::sim::timeline::BranchId;
use std::collections::{BTreeMap, VecDeque};

/// Most figures kept, for all bodies together; the oldest steps go first.
const ROOM: usize = 1 << 21;
/// Most steps kept.
const STEPS: usize = 1 << 16;

/// What one body touches at a knot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Smallest gap of its contact points (m), negative for penetration; infinite if nothing is near.
    pub gap: f32,
    /// Sum of the normal forces at its contact points (N).
    pub force: f32,
}

impl Touch {
    const NONE: Self = Self {
        gap: f32::INFINITY,
        force: 0.0,
    };

    /// What a body touches by these contact points.
    pub fn of(body: BodyId, contacts: &[ContactState]) -> Self {
        let mut touch = Self::NONE;
        let own = |c: &&ContactState| c.bodies.contains(&Some(body));
        contacts.iter().filter(own).for_each(|c| touch.add(c));
        touch
    }

    fn add(&mut self, contact: &ContactState) {
        self.gap = self.gap.min(contact.gap as f32);
        self.force += contact.normal_force() as f32;
    }
}

/// The branches that time went, oldest first, each with the last step for which it did.
type Way<'a> = &'a [(BranchId, u64)];

/// The steps kept, of every branch of time.
#[derive(Debug, Clone, Default)]
pub struct ContactHistory {
    branches: BTreeMap<BranchId, VecDeque<Row>>,
    /// Rows of all branches.
    count: usize,
}

#[derive(Debug, Clone, Default)]
struct Row {
    step: u64,
    time: f64,
    bodies: Vec<Touch>,
}

impl ContactHistory {
    /// Adds the contact points after a step of a branch.
    pub fn push(
        &mut self,
        (branch, step): (BranchId, u64),
        time: f64,
        bodies: usize,
        contacts: &[ContactState],
    ) {
        let most = (ROOM / bodies.max(1)).clamp(2, STEPS);
        let mut row = if self.count >= most {
            self.oldest()
        } else {
            self.count += 1;
            Row::default()
        };
        (row.step, row.time) = (step, time);
        row.bodies.clear();
        row.bodies.resize(bodies, Touch::NONE);
        for contact in contacts {
            for body in contact.bodies.into_iter().flatten() {
                if let Some(touch) = row.bodies.get_mut(body.0) {
                    touch.add(contact);
                }
            }
        }
        self.branches.entry(branch).or_default().push_back(row);
    }

    /// Takes the oldest row out.
    fn oldest(&mut self) -> Row {
        let row = self.branches.values_mut().find_map(VecDeque::pop_front);
        self.branches.retain(|_, rows| !rows.is_empty());
        row.unwrap_or_default()
    }

    /// Forgets branches that are not there any more.
    pub fn retain(&mut self, is_there: impl Fn(BranchId) -> bool) {
        self.branches.retain(|branch, _| is_there(*branch));
        self.count = self.branches.values().map(VecDeque::len).sum();
    }

    /// The way up to a step, as one branch.
    pub fn until(&self, way: Way, step: u64) -> Self {
        let rows: VecDeque<Row> = self
            .rows(way)
            .filter(|row| row.step <= step)
            .cloned()
            .collect();
        Self {
            count: rows.len(),
            branches: BTreeMap::from([(BranchId(0), rows)]),
        }
    }

    /// All rows of the way that time went.
    fn rows(&self, way: Way) -> impl Iterator<Item = &Row> {
        way.iter().flat_map(|(branch, last)| {
            let rows = self.branches.get(branch).into_iter().flatten();
            rows.take_while(move |row| row.step <= *last)
        })
    }

    /// At most `limit` points of a series of one body between two times of the way that time went, peaks kept.
    pub fn series(
        &self,
        way: Way,
        body: BodyId,
        [from, to]: [f64; 2],
        limit: usize,
        value: impl Fn(&Touch) -> f64,
    ) -> Vec<[f64; 2]> {
        let mut points: Vec<[f64; 2]> = Vec::new();
        for row in self.rows(way) {
            let Some(touch) = row.bodies.get(body.0) else {
                continue;
            };
            // One more on either side, so that lines reach the edges.
            if row.time < from {
                points.clear();
            }
            points.push([row.time, value(touch)]);
            if row.time > to {
                break;
            }
        }
        thin(&points, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::math::Vec3;
    use physics::model::{ContactKey, ContactStatus};

    fn contact(bodies: [Option<usize>; 2], gap: f64, force: f64) -> ContactState {
        ContactState {
            key: ContactKey::default(),
            bodies: bodies.map(|b| b.map(BodyId)),
            point: Vec3::zeros(),
            normal: Vec3::z(),
            gap,
            force: Vec3::new(0.3 * force, 0.0, force),
            slip: Vec3::zeros(),
            friction: 0.5,
            status: ContactStatus::Sticking,
            rebound: 0.0,
            hit: false,
            turning: 0.0,
        }
    }

    const ONE: [(BranchId, u64); 1] = [(BranchId(0), u64::MAX)];

    #[test]
    fn a_body_has_its_smallest_gap_and_the_sum_of_its_normal_forces() {
        let contacts = [
            contact([Some(0), None], 0.25, 2.0),
            contact([Some(1), Some(0)], -0.125, 3.0),
        ];
        let wanted = [(-0.125, 5.0), (-0.125, 3.0), (f32::INFINITY, 0.0)];
        let mut touches = ContactHistory::default();
        touches.push((BranchId(0), 1), 0.5, 3, &contacts);
        for (k, wanted) in wanted.into_iter().enumerate() {
            let now = Touch::of(BodyId(k), &contacts);
            assert_eq!((now.gap, now.force), wanted);
            let kept = touches.series(&ONE, BodyId(k), [0.0, 1.0], 10, |t| t.force.into());
            assert_eq!(kept, [[0.5, f64::from(wanted.1)]]);
        }
    }

    #[test]
    fn the_oldest_steps_go_first_and_a_peak_survives_thinning() {
        let mut touches = ContactHistory::default();
        let bodies = ROOM / 1000;
        for k in 0..1500 {
            let force = if k == 900 { 70.0 } else { 1.0 };
            let contacts = [contact([Some(0), None], 0.0, force)];
            touches.push((BranchId(0), k), k as f64, bodies, &contacts);
        }
        let kept: Vec<u64> = touches.rows(&ONE).map(|row| row.step).collect();
        assert!(kept.len() <= 1001 && kept[0] >= 499);
        let seen = touches.series(&ONE, BodyId(0), [600.0, 1400.0], 100, |t| t.force.into());
        assert!(seen.len() <= 100 && seen.iter().any(|p| p[1] == 70.0));
        assert!(seen.is_sorted_by(|a, b| a[0] <= b[0]));
        // One more on either side, so that lines reach the edges.
        assert!(seen[0][0] <= 600.0 && seen[seen.len() - 1][0] >= 1400.0);
    }

    #[test]
    fn a_series_goes_the_way_that_time_went() {
        let mut touches = ContactHistory::default();
        let mut push = |branch, step: u64, force| {
            let contacts = [contact([Some(0), None], 0.0, force)];
            touches.push((BranchId(branch), step), step as f64, 1, &contacts);
        };
        (1..=4).for_each(|step| push(0, step, 1.0));
        (3..=4).for_each(|step| push(1, step, 2.0));
        let forces = |touches: &ContactHistory, way: Way| {
            touches.series(way, BodyId(0), [0.0, 9.0], 100, |t| t.force.into())
        };
        let way = [(BranchId(0), 2), (BranchId(1), 4)];
        let forked = [[1.0, 1.0], [2.0, 1.0], [3.0, 2.0], [4.0, 2.0]];
        assert_eq!(forces(&touches, &way), forked);
        assert_eq!(forces(&touches, &ONE).len(), 4);
        assert_eq!(forces(&touches.until(&way, 3), &ONE), forked[..3]);
        touches.retain(|branch| branch == BranchId(0));
        assert_eq!(forces(&touches, &way), forked[..2]);
    }
}
