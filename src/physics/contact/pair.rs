//! Two solids to be compared, the features of theirs that a contact names, and what may be one.

use super::feature::{Contact, Feature, NUMBER_BITS, TANGENT};
use super::polyhedron::{Edge, Polyhedron};
use super::solid::Solid;
use crate::math::{Pose, Vec3};
use crate::model::{ContactKey, SurfaceCompliance};

/// Overlap, in sizes of the smaller solid, up to which solids count as touching.
pub(super) const TOUCHING: f64 = 1e-7;

/// Sine of the angle between edges below which their common perpendicular says nothing about faces.
const ALIGNED: f64 = 1e-3;

/// What rounding leaves of lengths of one.
const ROUNDING: f64 = 1e-12;

/// Distance beyond that of contacts, in it and in sizes of the smaller solid, from which on a pair needs no comparison:
/// by much less is told whether solids are apart, and whether a contact is within its distance.
const BEYOND: f64 = 1e-5;

/// How far beyond the distance of contacts, `near` (m), solids of which the smaller has this size (m) have none.
pub(super) fn beyond(near: f64, size: f64) -> f64 {
    BEYOND * (near + size)
}

/// Two solids to be compared.
pub(super) struct Pair<'a> {
    /// Their numbers.
    pub numbers: [usize; 2],
    /// The solids.
    pub solids: [&'a Solid; 2],
    /// Poses of their bodies.
    pub poses: [Pose; 2],
    /// Largest distance of contacts (m).
    pub near: f64,
    /// Smallest extent of both (m).
    pub size: f64,
    /// How much deeper than the solids themselves features may be (m): more than rounding where some are known to press.
    pub deeper: f64,
    /// Direction in which the first moves against the second, world frame, if it is fast.
    pub motion: Option<Vec3>,
    /// Coefficient of friction.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// How far both surfaces give.
    pub compliance: SurfaceCompliance,
}

/// Which features a key names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Corner(usize),
    Edge(usize),
    Face(usize),
    Rim(usize),
    /// One of a few points of a rim.
    RimPoint(usize),
    Ellipsoid(usize),
    /// Where the tangent plane touches.
    Surface,
}

impl Part {
    fn code(self) -> u64 {
        let (kind, number) = match self {
            Self::Corner(k) => (0, k),
            Self::Edge(k) => (1, k),
            Self::Face(k) => (2, k),
            Self::Rim(k) => (3, k),
            Self::RimPoint(k) => (4, k),
            Self::Ellipsoid(k) => (5, k),
            Self::Surface => (TANGENT, 0),
        };
        kind << NUMBER_BITS | number as u64
    }
}

impl Pair<'_> {
    /// The same pair with the solid first whose features are to be moved: not a surface of many.
    pub fn arranged(mut self) -> Self {
        if !self.solids[0].convex && self.solids[1].convex {
            self.numbers.reverse();
            self.solids.reverse();
            self.poses.reverse();
            self.motion = self.motion.map(|m| -m);
        }
        self
    }

    /// How far beyond the distance of contacts the solids have none (m).
    pub fn beyond(&self) -> f64 {
        beyond(self.near, self.size)
    }

    /// A contact of two features, each in the frame of its body.
    pub fn contact(&self, mut parts: [Part; 2], mut features: [Feature; 2]) -> Contact {
        let (mut numbers, mut bodies) = (self.numbers, self.solids.map(|s| s.body));
        if numbers[0] > numbers[1] {
            // Bodies are numbered before the world.
            numbers.reverse();
            bodies.reverse();
            parts.reverse();
            features.reverse();
        }
        let [part_a, part_b] = parts.map(Part::code);
        Contact {
            key: ContactKey::new(numbers, part_a << 32 | part_b),
            bodies,
            features,
            friction: self.friction,
            restitution: self.restitution,
            compliance: self.compliance,
        }
    }
}

/// Where two solids are nearest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Apart {
    /// Unit vector from the second to the first.
    pub normal: Vec3,
    /// Distance along it, without the rounding (m).
    pub distance: f64,
    /// The points.
    pub points: [Vec3; 2],
}

impl Apart {
    /// How far the points are from being the farthest of their solids towards each other (m).
    pub fn mismatch(&self) -> f64 {
        (self.points[0] - self.points[1] - self.normal * self.distance).norm()
    }

    /// This, or the other if its points fit better.
    pub fn or(self, other: Self) -> Self {
        if other.mismatch() < self.mismatch() {
            other
        } else {
            self
        }
    }
}

/// What may be a contact: distances of the solids without their rounding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Least distance of points and faces (m).
    pub floor: f64,
    /// Least distance of edges (m).
    pub edge_floor: f64,
    /// Largest distance (m).
    pub near: f64,
    /// Direction of least penetration, from the second to the first, if convex solids overlap.
    pub axis: Option<Vec3>,
    /// How far convex solids are apart at least, and along which direction from the second to the first.
    pub parted: Option<(f64, Vec3)>,
    /// Where convex solids of which one is curved are nearest, if it was looked for.
    pub apart: Option<Apart>,
}

impl Limits {
    /// Whether features at a distance along a normal from the second to the first may be a contact.
    pub fn allow(&self, distance: f64, normal: &Vec3) -> bool {
        self.allow_from(self.floor, distance, normal)
    }

    /// The same for edges.
    pub fn allow_edges(&self, distance: f64, normal: &Vec3) -> bool {
        self.allow_from(self.edge_floor, distance, normal)
    }

    fn allow_from(&self, floor: f64, distance: f64, normal: &Vec3) -> bool {
        // Within 45° of the direction in which they part.
        let parting = |axis: &Vec3| axis.dot(normal) > 0.7;
        distance >= floor && distance <= self.near && self.axis.as_ref().is_none_or(parting)
    }
}

/// The common perpendicular of two edges, pointing from the second to the first.
pub(super) struct Crossing {
    pub normal: Vec3,
    pub sine: f64,
    /// Distance of the lines, less the radius of cylinders (m).
    pub distance: f64,
    /// Where the lines are nearest, along both from their starts (m).
    pub along: [f64; 2],
    /// Largest cosine between the normal and a face it leans into.
    pub lean: f64,
}

impl Crossing {
    /// The crossing of two edges of solids rounded by `rounding` together.
    pub fn of(x: &Edge, y: &Edge, rounding: f64) -> Option<Self> {
        let cross = x.along.cross(&y.along);
        let sine = cross.norm();
        if sine < ALIGNED {
            return None;
        }
        let mut normal = cross / sine;
        let between = x.at - y.at;
        let along = [
            normal.dot(&y.along.cross(&between)) / sine,
            normal.dot(&x.along.cross(&between)) / sine,
        ];
        let lean = |n: &Vec3| x.lean(&-n).max(y.lean(n));
        let [up, down] = [lean(&normal), lean(&-normal)];
        // Two bare axes have no inside: the side on which they are is the right one.
        if down < up || (down == up && normal.dot(&between) < 0.0) {
            normal = -normal;
        }
        Some(Self {
            normal,
            sine,
            distance: normal.dot(&between) - (x.radius + y.radius - rounding),
            along,
            lean: up.min(down),
        })
    }

    /// Whether the nearest points may lie on both edges: quick, and never wrong where they do.
    pub fn may_be_inside(x: &Edge, y: &Edge) -> bool {
        let cross = x.along.cross(&y.along);
        let square = cross.norm_squared();
        let between = x.at - y.at;
        let within = |other: &Edge, own: &Edge| {
            let along = cross.dot(&other.along.cross(&between));
            let slack = ROUNDING * (own.length + between.amax());
            along > -slack && along < own.length * square + slack
        };
        within(y, x) && within(x, y)
    }

    /// Whether the nearest points lie on both edges, not at their ends.
    pub fn inside(&self, x: &Edge, y: &Edge, margin: f64) -> bool {
        let within = |s: f64, edge: &Edge| s > margin && s < edge.length - margin;
        within(self.along[0], x) && within(self.along[1], y)
    }
}

/// How far two solids are apart along a direction from the second to the first.
pub(super) fn separation(x: &Polyhedron, y: &Polyhedron, normal: &Vec3) -> f64 {
    normal.dot(&(x.farthest(&-normal) - y.farthest(normal)))
}
