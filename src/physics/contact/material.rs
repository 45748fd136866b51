//! Contacts between material points: for an interval in which the nearest points of two features run along them.
//!
//! Where a disc rolls on its rim or edges turn past each other, the force acts at one point at the first knot and the
//! gap is that of another at the second: no force at the first opens the gap at the second. A point that is fixed in
//! one body over a plane that is fixed in the other has no such gap; what it leaves beside it is found at the second
//! knot, and gets a point of its own.

use super::feature::{Contact, Feature, Gap};
use crate::math::Vec3;
use crate::model::{BodyId, BodyState, ContactKey};

/// Bits of a key that tell contacts of material points of one pair of features apart; zero for the pair itself.
const SHIFT: u32 = 26;
const MASK: u64 = 7 << SHIFT;

/// Contacts of material points of one pair of features at most.
pub const MATERIAL_POINTS: u64 = MASK >> SHIFT;

/// The contact that a key belongs to, without the number of its material points.
pub(super) fn without_number(key: ContactKey) -> ContactKey {
    ContactKey {
        features: key.features & !MASK,
        ..key
    }
}

impl Contact {
    /// Whether it is between material points of features that have others.
    pub fn is_material(&self) -> bool {
        self.material_number().is_some()
    }

    /// Its number among these.
    pub fn material_number(&self) -> Option<u64> {
        let number = (self.key.features & MASK) >> SHIFT;
        (number > 0).then_some(number)
    }

    /// Whether its nearest points may run along its features, or its normal turn against both bodies.
    pub fn may_run(&self) -> bool {
        let fixed = |k: usize| {
            matches!(
                (self.features[k], self.features[1 - k]),
                (Feature::Point { .. }, Feature::Plane { .. })
            )
        };
        !fixed(0) && !fixed(1)
    }

    /// The contact between the material points that are nearest where the bodies are, of that number, from 1 to
    /// [`MATERIAL_POINTS`].
    pub fn material(&self, number: u64, bodies: &[BodyState]) -> Self {
        let gap = self.gap(bodies);
        let at = self.own_points(&gap, bodies);
        let point = |side: usize| Feature::Point {
            at: at[side],
            radius: 0.0,
        };
        let features = match self.features {
            [_, face @ Feature::Plane { .. }] => [point(0), face],
            [face @ Feature::Plane { .. }, _] => [face, point(1)],
            _ => {
                let turn = |b: BodyId| bodies[b.0].orientation.inverse() * gap.normal;
                let normal = self.bodies[1].map_or(gap.normal, turn);
                [point(0), Feature::Plane { at: at[1], normal }]
            }
        };
        let mut key = without_number(self.key);
        key.features |= number << SHIFT & MASK;
        Self {
            key,
            features,
            ..*self
        }
    }

    /// How far the nearest points run along curved features and edges between two configurations (m); those of corners,
    /// spheres and faces do not, or wherever they like.
    pub fn travel(&self, first: &[BodyState], second: &[BodyState]) -> f64 {
        let run = self.run(first, second);
        let curved = |side: usize| match self.features[side] {
            Feature::Point { .. } | Feature::Plane { .. } => 0.0,
            Feature::Line { .. } | Feature::Rim { .. } | Feature::Ellipsoid { .. } => run[side],
        };
        curved(0).max(curved(1))
    }

    /// How far the nearest points run along the features of both bodies between two configurations (m).
    pub fn run(&self, first: &[BodyState], second: &[BodyState]) -> [f64; 2] {
        let [before, after] =
            [first, second].map(|bodies| self.own_points(&self.gap(bodies), bodies));
        [0, 1].map(|side| (after[side] - before[side]).norm())
    }

    /// The nearest points, each in the frame of its body (m).
    fn own_points(&self, gap: &Gap, bodies: &[BodyState]) -> [Vec3; 2] {
        [0, 1].map(|side| {
            let point = gap.points[side];
            self.bodies[side].map_or(point, |body| {
                let body = &bodies[body.0];
                body.orientation.inverse() * (point - body.position)
            })
        })
    }
}
