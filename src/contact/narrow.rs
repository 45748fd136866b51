//! Narrow phase: which pairs of features of two solids are contacts.
//!
//! Solids that are apart are kept apart by all pairs of near features that face each other: corner over face, edge
//! across edge and, if one is rounded, corner by edge and corner by corner. Each such pair bounds the motion of
//! solids that do not overlap, and no other pair does, so nothing invisible stands in the way. Convex solids that
//! overlap are parted along the direction of least penetration (separating axes of the faces and pairs of edges);
//! a solid behind a surface is pushed out through the face nearest to each of its corners.
//!
//! Exact at the end of a step, whatever the motion: spheres, capsules, boxes, hulls, half-spaces and surfaces
//! against each other; cylinders, cones and ellipsoids against faces; cylinders by their side against edges,
//! corners, spheres, capsules and cylinders. What else is curved is met by its tangent plane at the start of the
//! step, exact in value and to first order in the motion.

use super::curved::{self, Apart};
use super::feature::{Contact, Feature, NUMBER_BITS, TANGENT};
use super::pairs::Found;
use super::polyhedron::{Edge, Face, Polyhedron};
use super::solid::{Near, Solid};
use crate::math::{Pose, Vec3};
use crate::model::ContactKey;

/// Overlap, in sizes of the smaller solid, up to which solids count as touching.
pub(super) const TOUCHING: f64 = 1e-7;

/// Depth, in sizes of the smaller solid, from which a corner behind a surface is not pushed out any more.
const THICKNESS: f64 = 0.5;

/// The same for an edge that crosses an edge of a surface.
const EDGE_THICKNESS: f64 = 0.05;

/// Sine of the angle between edges below which their common perpendicular says nothing about faces.
const ALIGNED: f64 = 1e-3;

/// Two solids to be compared.
pub(super) struct Pair<'a> {
    /// Their numbers.
    pub numbers: [usize; 2],
    /// The solids.
    pub solids: [&'a Solid; 2],
    /// Poses of their bodies.
    pub poses: [Pose; 2],
    /// Largest distance of contacts [m].
    pub near: f64,
    /// Smallest extent of both [m].
    pub size: f64,
    /// Direction in which the first moves against the second, world frame, if it is fast.
    pub motion: Option<Vec3>,
    /// Coefficient of friction.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
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
    fn arranged(mut self) -> Self {
        if !self.solids[0].convex && self.solids[1].convex {
            self.numbers.reverse();
            self.solids.reverse();
            self.poses.reverse();
            self.motion = self.motion.map(|m| -m);
        }
        self
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
            key: ContactKey {
                shapes: (numbers[0] as u64) << 32 | numbers[1] as u64,
                features: part_a << 32 | part_b,
            },
            bodies,
            features,
            friction: self.friction,
            restitution: self.restitution,
        }
    }
}

/// Compares pairs of solids; keeps its room.
#[derive(Debug, Clone, Default)]
pub(super) struct Narrow {
    /// The first solid in the frame of the second's body.
    placed: Polyhedron,
    /// Features of each solid that are near the other.
    near: [Near; 2],
    /// Corners of the first that have met faces of the second.
    taken: Vec<Vec3>,
}

/// What may be a contact: distances of the solids without their rounding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Least distance of points and faces [m].
    pub floor: f64,
    /// Least distance of edges [m].
    pub edge_floor: f64,
    /// Largest distance [m].
    pub near: f64,
    /// Direction of least penetration, from the second to the first, if convex solids overlap.
    pub axis: Option<Vec3>,
    /// Where convex solids of which one is curved are nearest.
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
    /// Distance of the lines, less the radius of cylinders [m].
    pub distance: f64,
    /// Where the lines are nearest, along both from their starts [m].
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

    /// Whether the nearest points lie on both edges, not at their ends.
    pub fn inside(&self, x: &Edge, y: &Edge, margin: f64) -> bool {
        let within = |s: f64, edge: &Edge| s > margin && s < edge.length - margin;
        within(self.along[0], x) && within(self.along[1], y)
    }
}

impl Narrow {
    /// Appends the contacts of a pair.
    pub fn contacts(&mut self, pair: Pair, out: &mut Vec<Contact>) {
        let Self {
            placed: x,
            near,
            taken,
        } = self;
        let pair = pair.arranged();
        let [first, second] = pair.solids;
        let y = &second.polyhedron;
        let y_from_x = pair.poses[1].inverse() * pair.poses[0];
        let bounds = [
            second.bounds.seen_from(&y_from_x.inverse(), pair.near),
            first.bounds.seen_from(&y_from_x, pair.near),
        ];
        first.features_within(&bounds[0], &mut near[0]);
        second.features_within(&bounds[1], &mut near[1]);
        first.polyhedron.place(&y_from_x, x);
        let Some(limits) = limits(x, &pair, near) else {
            return;
        };
        taken.clear();
        let into_second = |m: Vec3| pair.poses[1].inverse_transform_vector(&m);
        let mut found = Found {
            pair: &pair,
            motion: pair.motion.map(into_second),
            limits,
            near,
            solids: [x, y],
            start: out.len(),
            out,
            taken,
        };
        found.corners_over_faces();
        found.edges_across_edges();
        if x.radius + y.radius > 0.0 || !x.ends.is_empty() || !y.ends.is_empty() {
            found.corners_by_edges();
        }
        if x.radius + y.radius > 0.0 {
            found.corners_by_corners();
        }
        if !x.edges.is_empty() && x.faces.is_empty() || !x.ends.is_empty() {
            found.drop_doubles(&y_from_x);
        }
        if x.is_curved() || y.is_curved() {
            curved::contacts(&mut found, &y_from_x);
        }
    }
}

/// Distances between which contacts lie; nothing if the solids are farther apart than the pair's prediction.
fn limits(x: &Polyhedron, pair: &Pair, near: &[Near; 2]) -> Option<Limits> {
    let y = &pair.solids[1].polyhedron;
    let slack = TOUCHING * pair.size;
    let mut limits = Limits {
        floor: -2.0 * slack,
        edge_floor: -2.0 * slack,
        near: pair.near + x.radius + y.radius,
        axis: None,
        apart: None,
    };
    if pair.solids[1].is_half_space() {
        limits.floor = f64::NEG_INFINITY;
        return Some(limits);
    }
    if !pair.solids.iter().all(|s| s.convex) {
        limits.floor = -THICKNESS * pair.size;
        limits.edge_floor = -EDGE_THICKNESS * pair.size;
        return Some(limits);
    }
    let mut best: Option<(f64, Vec3)> = None;
    // Faces come first: others must be better by more than rounding.
    let consider = |best: &mut Option<(f64, Vec3)>, distance: f64, normal: Vec3| {
        if best.is_none_or(|(least, _)| distance > least + slack) {
            *best = Some((distance, normal));
        }
    };
    for face in &y.faces {
        consider(&mut best, lowest(x, face), face.normal);
    }
    for face in &x.faces {
        consider(&mut best, lowest(y, face), -face.normal);
    }
    if !x.faces.is_empty() || !y.faces.is_empty() {
        for edge_x in near[0].edges.iter().map(|k| &x.edges[*k]) {
            for edge_y in near[1].edges.iter().map(|k| &y.edges[*k]) {
                if let Some(crossing) = Crossing::of(edge_x, edge_y, x.radius + y.radius)
                    && crossing.lean <= 0.0
                {
                    consider(&mut best, crossing.distance, crossing.normal);
                }
            }
        }
    }
    if best.is_some_and(|(distance, _)| distance > limits.near) {
        return None;
    }
    if x.is_curved() || y.is_curved() {
        let start = best.map_or_else(Vec3::z, |(_, axis)| axis);
        limits.apart = curved::apart(x, y, &start, pair.size);
        if let Some(apart) = limits.apart {
            consider(&mut best, apart.distance, apart.normal);
        }
        if best.is_some_and(|(distance, _)| distance > limits.near) {
            return None;
        }
    }
    if let Some((distance, axis)) = best
        && distance < -slack
    {
        // No feature lies deeper than the solids along the direction in which they part, but for its own tilt.
        limits.floor = 1.02 * distance - slack;
        limits.edge_floor = limits.floor;
        limits.axis = Some(axis);
    }
    Some(limits)
}

/// Height of the lowest point of a solid over a face.
fn lowest(solid: &Polyhedron, face: &Face) -> f64 {
    face.height(&solid.farthest(&-face.normal))
}

/// How far two solids are apart along a direction from the second to the first.
pub(super) fn separation(x: &Polyhedron, y: &Polyhedron, normal: &Vec3) -> f64 {
    normal.dot(&(x.farthest(&-normal) - y.farthest(normal)))
}
