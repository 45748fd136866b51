//! Narrow phase of polyhedra and what is rounded about them: spheres, capsules, boxes, hulls, half-spaces.
//!
//! Solids that are apart are kept apart by all pairs of near features that face each other: corner over face, edge
//! across edge and, if one is rounded, corner by edge and corner by corner. Each such pair bounds the motion of
//! solids that do not overlap, and no other pair does, so nothing invisible stands in the way. Solids that overlap
//! are parted along the direction of least penetration [separating axes of the faces and pairs of edges].

use super::feature::{Contact, Feature};
use super::polyhedron::{Corner, Edge, Face, Polyhedron};
use super::solid::Solid;
use crate::math::{Pose, Vec3};
use crate::model::ContactKey;

/// Overlap, in sizes of the smaller solid, up to which solids count as touching.
const TOUCHING: f64 = 1e-7;

/// How far beyond its outline, in sizes of the smaller solid, a face holds a sharp corner; pairs of edges take over
/// from half as far inside.
const BORDER: f64 = 2e-6;

/// The same for rounded corners, where the pairs meet smoothly and rounding is all that must be bridged.
const SEAM: f64 = 1e-10;

/// Sine of the angle between edges below which their common perpendicular says nothing about faces.
const ALIGNED: f64 = 1e-3;

/// Sine of the angle below which edges of two faces that lie on each other meet as a point on a plane.
const SKEWED: f64 = 0.05;

/// How far a direction may lean out of the cone of an edge or corner that is nearly flat on its partner [rad].
const LEANING: f64 = 0.1;

/// Two solids to be compared, the first that of a body.
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
}

impl Part {
    fn code(self) -> u64 {
        let (kind, number) = match self {
            Self::Corner(k) => (0, k),
            Self::Edge(k) => (1, k),
            Self::Face(k) => (2, k),
        };
        kind << 29 | number as u64
    }
}

impl Pair<'_> {
    /// A contact of two features, each in the frame of its body.
    pub fn contact(&self, parts: [Part; 2], features: [Feature; 2]) -> Contact {
        let [a, b] = self.numbers;
        let [part_a, part_b] = parts.map(Part::code);
        Contact {
            key: ContactKey {
                shapes: (a as u64) << 32 | b as u64,
                features: part_a << 32 | part_b,
            },
            bodies: self.solids.map(|s| s.body),
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
    /// Corners of the first that have met faces of the second.
    taken: Vec<Vec3>,
}

/// What may be a contact: distances of the solids without their rounding.
struct Limits {
    /// Least distance [m].
    floor: f64,
    /// Largest distance [m].
    near: f64,
    /// Direction of least penetration, from the second to the first, if they overlap.
    axis: Option<Vec3>,
}

impl Limits {
    fn allow(&self, distance: f64, normal: &Vec3) -> bool {
        // Within 45° of the direction in which they part.
        let parting = |axis: &Vec3| axis.dot(normal) > 0.7;
        distance >= self.floor && distance <= self.near && self.axis.as_ref().is_none_or(parting)
    }
}

/// The common perpendicular of two edges, pointing from the second to the first.
struct Crossing {
    normal: Vec3,
    sine: f64,
    /// Distance of the lines [m].
    distance: f64,
    /// Where the lines are nearest, along both from their starts [m].
    along: [f64; 2],
    /// Largest cosine between the normal and a face it leans into.
    lean: f64,
}

impl Crossing {
    fn of(x: &Edge, y: &Edge) -> Option<Self> {
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
            distance: normal.dot(&between),
            along,
            lean: up.min(down),
        })
    }

    fn inside(&self, x: &Edge, y: &Edge, margin: f64) -> bool {
        let within = |s: f64, edge: &Edge| s > margin && s < edge.length - margin;
        within(self.along[0], x) && within(self.along[1], y)
    }
}

impl Narrow {
    /// Appends the contacts of a pair.
    pub fn contacts(&mut self, pair: &Pair, out: &mut Vec<Contact>) {
        let Self { placed: x, taken } = self;
        let [first, second] = pair.solids;
        let y = &second.polyhedron;
        first
            .polyhedron
            .place(&(pair.poses[1].inverse() * pair.poses[0]), x);
        let Some(limits) = limits(x, y, pair) else {
            return;
        };
        let start = out.len();
        let mut found = Found {
            pair,
            limits,
            start,
            out,
        };
        taken.clear();
        found.corners_over_faces(x, y, taken);
        found.faces_over_corners(x, y, taken);
        found.edges_across_edges(x, y);
        if x.radius + y.radius > 0.0 {
            found.rounded(x, y);
        }
    }
}

/// Distances between which contacts lie; nothing if the solids are farther apart than the pair's prediction.
fn limits(x: &Polyhedron, y: &Polyhedron, pair: &Pair) -> Option<Limits> {
    let near = pair.near + x.radius + y.radius;
    let slack = TOUCHING * pair.size;
    let mut best: Option<(f64, Vec3)> = None;
    let mut consider = |distance: f64, normal: Vec3| {
        // Faces come first: edges must be better by more than rounding.
        if best.is_none_or(|(least, _)| distance > least + slack) {
            best = Some((distance, normal));
        }
    };
    for face in &y.faces {
        consider(lowest(x, face), face.normal);
    }
    // A half-space has no corners and separates by its own face alone.
    for face in x.faces.iter().filter(|_| !y.corners.is_empty()) {
        consider(lowest(y, face), -face.normal);
    }
    if !x.faces.is_empty() || !y.faces.is_empty() {
        for edge_x in &x.edges {
            for edge_y in &y.edges {
                if let Some(crossing) = Crossing::of(edge_x, edge_y)
                    && crossing.lean <= 0.0
                {
                    consider(crossing.distance, crossing.normal);
                }
            }
        }
    }
    match best {
        Some((distance, _)) if distance > near => None,
        Some((distance, axis)) if distance < -slack => Some(Limits {
            floor: 1.5 * distance - slack,
            near,
            axis: Some(axis),
        }),
        // Features of solids that touch lie no deeper than the solids themselves, but for their own rounding.
        _ => Some(Limits {
            floor: -2.0 * slack,
            near,
            axis: None,
        }),
    }
}

/// Height of the lowest corner over a face.
fn lowest(solid: &Polyhedron, face: &Face) -> f64 {
    let heights = solid.corners.iter().map(|c| face.height(&c.at));
    heights.fold(f64::INFINITY, f64::min)
}

/// Contacts of a pair as they are found.
struct Found<'a, 'b> {
    pair: &'a Pair<'b>,
    limits: Limits,
    /// Where those of this pair start in `out`.
    start: usize,
    out: &'a mut Vec<Contact>,
}

impl Found<'_, '_> {
    fn add(&mut self, parts: [Part; 2], features: [Feature; 2]) {
        let contact = self.pair.contact(parts, features);
        // Faces that continue each other share a number, and corners above their border.
        if self.out[self.start..].iter().all(|c| c.key != contact.key) {
            self.out.push(contact);
        }
    }

    /// The feature of a solid, in the frame of its body.
    fn corner(&self, side: usize, k: usize) -> Feature {
        let solid = &self.pair.solids[side].polyhedron;
        let Corner { at, .. } = solid.corners[k];
        Feature::Point {
            at,
            radius: solid.radius,
        }
    }

    fn line(&self, side: usize, k: usize) -> Feature {
        let solid = &self.pair.solids[side].polyhedron;
        let Edge { at, along, .. } = solid.edges[k];
        Feature::Line {
            at,
            along,
            radius: solid.radius,
        }
    }

    fn face(&self, side: usize, k: usize) -> Feature {
        let Face { at, normal, .. } = self.pair.solids[side].polyhedron.faces[k];
        Feature::Plane { at, normal }
    }

    /// How far beyond the outline of a face a corner is still over it [m].
    fn border(&self, radius: f64) -> f64 {
        self.pair.size * if radius > 0.0 { SEAM } else { BORDER }
    }

    fn corners_over_faces(&mut self, x: &Polyhedron, y: &Polyhedron, taken: &mut Vec<Vec3>) {
        let border = self.border(x.radius);
        for (i, corner) in x.corners.iter().enumerate() {
            for (j, face) in y.faces.iter().enumerate() {
                if self.limits.allow(face.height(&corner.at), &face.normal)
                    && y.depth_inside(j, &corner.at) >= -border
                {
                    let features = [self.corner(0, i), self.face(1, j)];
                    self.add([Part::Corner(i), Part::Face(face.plane)], features);
                    taken.push(corner.at);
                }
            }
        }
    }

    fn faces_over_corners(&mut self, x: &Polyhedron, y: &Polyhedron, taken: &[Vec3]) {
        let border = self.border(y.radius);
        // Corners above each other meet once.
        let same = 5.0 * BORDER * self.pair.size;
        for (j, corner) in y.corners.iter().enumerate() {
            for (i, face) in x.faces.iter().enumerate() {
                let height = face.height(&corner.at);
                let foot = corner.at - face.normal * height;
                if self.limits.allow(height, &-face.normal)
                    && x.depth_inside(i, &corner.at) >= -border
                    && taken.iter().all(|t| (t - foot).norm() > same)
                {
                    let features = [self.face(0, i), self.corner(1, j)];
                    self.add([Part::Face(face.plane), Part::Corner(j)], features);
                }
            }
        }
    }

    fn edges_across_edges(&mut self, x: &Polyhedron, y: &Polyhedron) {
        let rounded = x.radius + y.radius > 0.0;
        let margin = 0.5 * self.border(x.radius + y.radius);
        for (i, edge_x) in x.edges.iter().enumerate() {
            for (j, edge_y) in y.edges.iter().enumerate() {
                let Some(crossing) = Crossing::of(edge_x, edge_y) else {
                    continue;
                };
                // A little out of its cones a pair still separates solids that are apart, not those that overlap.
                let upright = crossing.lean <= TOUCHING;
                let leaning = crossing.lean <= LEANING && crossing.distance >= 0.0;
                if !(upright || leaning)
                    || !self.limits.allow(crossing.distance, &crossing.normal)
                    || !crossing.inside(edge_x, edge_y, margin)
                {
                    continue;
                }
                let parts = [Part::Edge(i), Part::Edge(j)];
                if crossing.sine < SKEWED && !rounded {
                    self.add_point_on_plane(parts, y, &crossing);
                    continue;
                }
                let mut features = [self.line(0, i), self.line(1, j)];
                // The lines are directed so that their cross product is the normal.
                if let Feature::Line { along, .. } = &mut features[0]
                    && edge_x.along.cross(&edge_y.along).dot(&crossing.normal) < 0.0
                {
                    *along = -*along;
                }
                self.add(parts, features);
            }
        }
    }

    /// Nearly parallel edges of faces that lie on each other: the point of the first over the face of the second.
    fn add_point_on_plane(&mut self, parts: [Part; 2], y: &Polyhedron, crossing: &Crossing) {
        let [Part::Edge(i), Part::Edge(j)] = parts else {
            return;
        };
        let edge = &self.pair.solids[0].polyhedron.edges[i];
        let upright = |k: &usize| y.faces[*k].normal.dot(&crossing.normal);
        let faces = y.edges[j].faces.into_iter();
        if let Some(face) = faces.max_by(|a, b| upright(a).total_cmp(&upright(b))) {
            let point = Feature::Point {
                at: edge.at + edge.along * crossing.along[0],
                radius: 0.0,
            };
            self.add(parts, [point, self.face(1, face)]);
        }
    }

    /// Corners by edges and corners by corners of solids of which one is rounded.
    fn rounded(&mut self, x: &Polyhedron, y: &Polyhedron) {
        let seam = SEAM * self.pair.size;
        // An axis nearly along an edge is held at both ends of what they share.
        let axes = (!x.spokes.is_empty() && x.faces.is_empty())
            || (!y.spokes.is_empty() && y.faces.is_empty());
        let slack = if axes { LEANING } else { 0.0 };
        for (i, corner) in x.corners.iter().enumerate() {
            for (j, edge) in y.edges.iter().enumerate() {
                let Some(arm) = self.beside(&corner.at, edge, seam) else {
                    continue;
                };
                if self.limits.allow(arm.norm(), &arm.normalize())
                    && x.corner_faces(i, &-arm, slack * arm.norm() + seam)
                {
                    let features = [self.corner(0, i), self.line(1, j)];
                    self.add([Part::Corner(i), Part::Edge(j)], features);
                }
            }
        }
        for (j, corner) in y.corners.iter().enumerate() {
            for (i, edge) in x.edges.iter().enumerate() {
                let Some(arm) = self.beside(&corner.at, edge, seam) else {
                    continue;
                };
                if self.limits.allow(arm.norm(), &-arm.normalize())
                    && y.corner_faces(j, &-arm, slack * arm.norm() + seam)
                {
                    let features = [self.line(0, i), self.corner(1, j)];
                    self.add([Part::Edge(i), Part::Corner(j)], features);
                }
            }
        }
        for (i, a) in x.corners.iter().enumerate() {
            for (j, b) in y.corners.iter().enumerate() {
                let arm = a.at - b.at;
                let slack = slack * arm.norm() + seam;
                // Centres that coincide have no direction; whatever it is, they must part.
                let allowed = arm.norm() == 0.0 || self.limits.allow(arm.norm(), &arm.normalize());
                if allowed && x.corner_faces(i, &-arm, slack) && y.corner_faces(j, &arm, slack) {
                    let features = [self.corner(0, i), self.corner(1, j)];
                    self.add([Part::Corner(i), Part::Corner(j)], features);
                }
            }
        }
    }

    /// From the foot on an edge to a point beside it, if the foot is on the edge and the point on no face of it.
    fn beside(&self, point: &Vec3, edge: &Edge, seam: f64) -> Option<Vec3> {
        let along = edge.along.dot(&(point - edge.at));
        let arm = point - (edge.at + edge.along * along);
        let on_edge = along > seam && along < edge.length - seam;
        let off_faces = edge
            .inward
            .iter()
            .all(|v| v.dot(&arm) < -seam || *v == Vec3::zeros());
        (on_edge && off_faces && arm.norm() > 0.0).then_some(arm)
    }
}

impl Face {
    /// Height of a point over the plane of the face [m].
    fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(&(point - self.at))
    }
}
