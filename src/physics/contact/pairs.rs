//! Pairs of corners, edges and faces that are contacts.

use super::feature::{Contact, Feature, Gap};
use super::gap;
use super::nearest::{Clearance, ITERATIONS, clearance};
use super::pair::{Crossing, Limits, Pair, Part, TOUCHING, separation};
use super::polyhedron::{Corner, Edge, Face, Polyhedron};
use super::solid::Near;
use crate::math::{Pose, Vec3};

/// How far beyond its outline, in sizes of the smaller solid, a face holds a sharp corner; pairs of edges take over
/// from half as far inside.
pub(super) const BORDER: f64 = 2e-6;

/// The same for rounded corners, where the pairs meet smoothly and rounding is all that must be bridged.
pub(super) const SEAM: f64 = 1e-10;

/// Height of a corner over a face, and overlap of the solids along its normal, in sizes of the smaller solid, that
/// tell faces in line from faces that touch.
const FLUSH: f64 = 1e-3;

/// Sine of the angle below which edges of two faces that lie on each other meet as a point on a plane.
const SKEWED: f64 = 0.05;

/// How far a direction may lean out of the cone of an edge or corner that is nearly flat on its partner (rad).
const LEANING: f64 = 0.1;

/// Depth, in sizes of the smaller solid, and lean up to which such pairs part solids that lie on each other: boxes in line, tilted by
/// as little as they are deep, have no other contact where a corner has just left a face.
const LYING: f64 = 1e-4;

/// How far a fast corner may miss the point for which it heads, in lengths of its way.
const ASTRAY: f64 = 0.05;

/// Contacts of a pair as they are found.
pub(super) struct Found<'a, 'b> {
    /// The pair.
    pub pair: &'a Pair<'b>,
    /// What may be a contact.
    pub limits: Limits,
    /// Direction in which the first moves, if it is fast.
    pub motion: Option<Vec3>,
    /// Features of each solid near the other.
    pub near: &'a [Near; 2],
    /// Both in the frame of the second's body.
    pub solids: [&'a Polyhedron; 2],
    /// Where those of this pair start in `out`.
    pub start: usize,
    /// All contacts.
    pub out: &'a mut Vec<Contact>,
    /// Sharp corners of the first that have met faces of the second.
    pub taken: &'a mut Vec<Vec3>,
    /// Whether a contact may be nearer than the solids are.
    pub loose: bool,
}

impl Found<'_, '_> {
    /// Appends a contact of a feature of the solid of number `side` (0 or 1) and one of the other.
    pub fn add(&mut self, side: usize, mut parts: [Part; 2], mut features: [Feature; 2]) {
        if side == 1 {
            parts.reverse();
            features.reverse();
        }
        let contact = self.pair.contact(parts, features);
        // Faces that continue each other share a number, and corners above their border.
        if self.out[self.start..].iter().all(|c| c.key != contact.key) {
            self.out.push(contact);
        }
    }

    /// Drops contacts where another already is: ends of axes side by side meet corners, edges and each other.
    pub fn drop_doubles(&mut self, y_from_x: &Pose) {
        let same = 5.0 * BORDER * self.pair.size;
        let mut k = self.start;
        while k < self.out.len() {
            let gap = self.gap(&self.out[k], y_from_x);
            let double = |c: &Contact| {
                let other = self.gap(c, y_from_x);
                (other.points[1] - gap.points[1]).norm() < same
                    && (other.points[0] - gap.points[0]).norm() < same
            };
            if self.out[self.start..k].iter().any(double) {
                self.out.remove(k);
            } else {
                k += 1;
            }
        }
    }

    /// Drops the contacts of convex solids that are farther apart than contacts may be: faces for which fast corners
    /// head are nearer as planes than they are.
    pub fn drop_what_is_beyond(&mut self) {
        if self.surface() || self.pair.solids[1].is_half_space() {
            return;
        }
        let [x, y] = self.solids;
        let lowest = |v: &Vec3| [x.farthest(&-v), y.farthest(v)];
        let start = match x.middle() - y.middle() {
            between if between == Vec3::zeros() => Vec3::z(),
            between => between,
        };
        // In the middle of the margin with which pairs are left out without being compared.
        let limit = self.pair.near + 0.5 * self.pair.beyond();
        let rounding = x.radius + y.radius;
        if let Clearance::AtLeast(..) = clearance(lowest, &start, rounding, limit, ITERATIONS) {
            self.out.truncate(self.start);
        }
    }

    /// The gap of a contact of this pair, in the frame of the second's body.
    pub fn gap(&self, contact: &Contact, y_from_x: &Pose) -> Gap {
        let [mut x, mut y] = contact.features;
        if contact.bodies[0] != self.pair.solids[0].body {
            std::mem::swap(&mut x, &mut y);
        }
        gap::between(&x.moved(y_from_x), &y)
    }

    /// A corner as a feature in the frame of its body.
    pub fn corner(&self, side: usize, k: usize) -> Feature {
        let Corner { at, radius, .. } = self.pair.solids[side].polyhedron.corners[k];
        Feature::Point { at, radius }
    }

    /// An edge as a feature in the frame of its body.
    pub fn line(&self, side: usize, k: usize) -> Feature {
        let Edge {
            at, along, radius, ..
        } = self.pair.solids[side].polyhedron.edges[k];
        Feature::Line { at, along, radius }
    }

    /// A face as a feature in the frame of its body.
    pub fn face(&self, side: usize, k: usize) -> Feature {
        let Face { at, normal, .. } = self.pair.solids[side].polyhedron.faces[k];
        Feature::Plane { at, normal }
    }

    /// How far beyond the outline of a face a corner is still over it (m).
    pub fn border(&self, radius: f64) -> f64 {
        self.pair.size * if radius > 0.0 { SEAM } else { BORDER }
    }

    /// The normal from the second solid to the first, for one out of the solid of number `side`.
    pub fn inwards(side: usize, normal: &Vec3) -> Vec3 {
        if side == 1 { *normal } else { -normal }
    }

    /// Corners of each solid over faces of the other.
    pub fn corners_over_faces(&mut self) {
        // Corners above each other meet once.
        let same = 5.0 * BORDER * self.pair.size;
        for side in 0..2 {
            let (points, faces) = (self.solids[side], self.solids[1 - side]);
            for &i in &self.near[side].corners {
                let corner = &points.corners[i];
                let border = self.border(corner.radius);
                let behind = self.face_before_corner(side, corner);
                for &j in &self.near[1 - side].faces {
                    let face = &faces.faces[j];
                    let height = face.height(&corner.at);
                    if !self.holds(side, &corner.at, behind, j, height)
                        || !self
                            .limits
                            .allow(height, &Self::inwards(1 - side, &face.normal))
                        || !self.is_over(side, &corner.at, corner.radius, j, border)
                        || self.is_flush(height, &Self::inwards(1 - side, &face.normal))
                    {
                        continue;
                    }
                    let foot = corner.at - face.normal * height;
                    let met = |t: &Vec3| (t - foot).norm() <= same;
                    if side == 1 && corner.radius == 0.0 && self.taken.iter().any(met) {
                        continue;
                    }
                    let parts = [Part::Corner(i), Part::Face(face.plane)];
                    self.add(side, parts, [self.corner(side, i), self.face(1 - side, j)]);
                    if side == 0 && corner.radius == 0.0 {
                        self.taken.push(corner.at);
                    }
                }
            }
        }
    }

    /// Whether a point of the solid of number `side`, rounded, is over a face of the other, or meets it on its way.
    pub fn is_over(
        &self,
        side: usize,
        point: &Vec3,
        radius: f64,
        face: usize,
        border: f64,
    ) -> bool {
        let faces = self.solids[1 - side];
        if faces.depth_inside(face, point) >= -border {
            return true;
        }
        let Some(motion) = self.motion.map(|m| if side == 0 { m } else { -m }) else {
            return false;
        };
        let height = faces.faces[face].height(point) - radius;
        let way = -height / faces.faces[face].normal.dot(&motion);
        // A fast solid turns on its way, and the velocity is not quite that of the step. What is behind the plane
        // already has passed beside the face.
        let slack = border + ASTRAY * way;
        height >= 0.0
            && (0.0..=self.pair.near).contains(&way)
            && faces.depth_inside(face, &(point + motion * way)) >= -slack
    }

    /// Whether a corner lies in a face that does not part the solids: in the side of a box, say, on whose top its own
    /// box stands with the sides in line. As a contact it would pinch.
    fn is_flush(&self, height: f64, normal: &Vec3) -> bool {
        let near = FLUSH * self.pair.size;
        let [x, y] = self.solids;
        !self.surface() && height.abs() < near && separation(x, y, normal) < -near
    }

    /// Whether a height over a face may be a contact: solids that overlap part along its normal, if they part so with
    /// hardly more than the least motion.
    pub fn allows(&self, height: f64, normal: &Vec3) -> bool {
        let [x, y] = self.solids;
        self.limits.allow(height, normal)
            && (self.limits.axis.is_none() || separation(x, y, normal) >= self.limits.floor)
    }

    /// Whether one of the solids is a surface, which has no axis of least penetration.
    pub fn surface(&self) -> bool {
        !self.pair.solids.iter().all(|s| s.convex)
    }

    /// Edges that cross.
    pub fn edges_across_edges(&mut self) {
        let [x, y] = self.solids;
        let rounding = x.radius + y.radius;
        let margin = 0.5 * self.border(rounding);
        for &i in &self.near[0].edges {
            for &j in &self.near[1].edges {
                let (edge_x, edge_y) = (&x.edges[i], &y.edges[j]);
                if !Crossing::may_be_inside(edge_x, edge_y) {
                    continue;
                }
                let Some(crossing) = Crossing::of(edge_x, edge_y, rounding) else {
                    continue;
                };
                // A little out of its cones a pair still separates solids that are apart, not those that overlap, but for what lies on
                // each other.
                let upright = crossing.lean <= TOUCHING;
                let leaning = crossing.lean <= LEANING && crossing.distance >= -self.pair.deeper;
                let lying = crossing.lean <= LYING && crossing.distance >= -LYING * self.pair.size;
                if !(upright || leaning || lying)
                    || !self.limits.allow_edges(crossing.distance, &crossing.normal)
                    || !crossing.inside(edge_x, edge_y, margin)
                {
                    continue;
                }
                let parts = [Part::Edge(i), Part::Edge(j)];
                if crossing.sine < SKEWED && edge_x.radius + edge_y.radius == 0.0 {
                    self.add_point_on_plane(parts, [i, j], &crossing);
                    continue;
                }
                let mut features = [self.line(0, i), self.line(1, j)];
                // The lines are directed so that their cross product is the normal.
                if let Feature::Line { along, .. } = &mut features[0]
                    && edge_x.along.cross(&edge_y.along).dot(&crossing.normal) < 0.0
                {
                    *along = -*along;
                }
                self.add(0, parts, features);
            }
        }
    }

    /// Nearly parallel edges of faces that lie on each other: the point of the first over the face of the second.
    fn add_point_on_plane(&mut self, parts: [Part; 2], edges: [usize; 2], crossing: &Crossing) {
        let [i, j] = edges;
        let y = self.solids[1];
        let edge = &self.pair.solids[0].polyhedron.edges[i];
        let upright = |k: &usize| y.faces[*k].normal.dot(&crossing.normal);
        let faces = y.edges[j].faces.into_iter();
        if let Some(face) = faces.max_by(|a, b| upright(a).total_cmp(&upright(b))) {
            let point = Feature::Point {
                at: edge.at + edge.along * crossing.along[0],
                radius: 0.0,
            };
            self.add(0, parts, [point, self.face(1, face)]);
        }
    }

    /// Corners by edges of solids of which one is rounded, and ends of cylinders by edges along them.
    pub fn corners_by_edges(&mut self) {
        let seam = SEAM * self.pair.size;
        for side in 0..2 {
            let (points, lines) = (self.solids[side], self.solids[1 - side]);
            for &j in &self.near[1 - side].edges {
                let edge = &lines.edges[j];
                for &i in &self.near[side].corners {
                    let corner = &points.corners[i];
                    if corner.radius + edge.radius == 0.0 {
                        continue;
                    }
                    let slack = self.slack(corner, points, edge);
                    if let Some((arm, distance)) = self.arm(corner, edge, side, seam)
                        && points.corner_faces(corner, &-arm, slack * arm.norm() + seam)
                        && self
                            .limits
                            .allow(distance, &Self::inwards(1 - side, &arm.normalize()))
                    {
                        let features = [self.corner(side, i), self.line(1 - side, j)];
                        self.add(side, [Part::Corner(i), Part::Edge(j)], features);
                    }
                }
                self.ends_beside(side, j, edge, seam);
            }
        }
    }

    /// The side of a cylinder along an edge, where the cylinder ends: the point of the edge beside the end.
    fn ends_beside(&mut self, side: usize, j: usize, edge: &Edge, seam: f64) {
        let (points, lines) = (self.solids[side], self.solids[1 - side]);
        for (i, end) in points.ends.iter().enumerate() {
            let spoke = &points.spokes[end.spokes.start];
            if spoke.cross(&edge.along).norm() >= LEANING {
                continue;
            }
            let along = spoke.dot(&(end.at - edge.at)) / spoke.dot(&edge.along);
            let arm = end.at - (edge.at + edge.along * along);
            let distance = arm.norm() - end.radius - (edge.radius - lines.radius);
            let normal = Self::inwards(1 - side, &arm.normalize());
            if along >= -seam
                && along <= edge.length + seam
                && edge.is_off_faces(&arm, -seam)
                && self.limits.allow(distance, &normal)
            {
                let Edge {
                    at, along: axis, ..
                } = self.pair.solids[1 - side].polyhedron.edges[j];
                let point = Feature::Point {
                    at: at + axis * along,
                    radius: edge.radius,
                };
                let parts = [Part::RimPoint(i), Part::Edge(j)];
                self.loose = true;
                self.add(side, parts, [self.line(side, 0), point]);
            }
        }
    }

    /// How far a corner that ends an axis may be touched beyond its cone: an axis along an edge is held at both ends
    /// of what they share.
    fn slack(&self, corner: &Corner, solid: &Polyhedron, edge: &Edge) -> f64 {
        let axis = corner.radius > 0.0 || edge.radius > 0.0;
        let spokes = &solid.spokes[corner.spokes.clone()];
        let along = |s: &Vec3| s.cross(&edge.along).norm() < LEANING;
        if axis && spokes.iter().any(along) {
            LEANING
        } else {
            0.0
        }
    }

    /// From the foot on an edge to a corner beside it, and how far they are apart but for their rounding.
    fn arm(&self, corner: &Corner, edge: &Edge, side: usize, seam: f64) -> Option<(Vec3, f64)> {
        let arm = self.beside(&corner.at, edge, seam)?;
        let rounding = [self.solids[side].radius, self.solids[1 - side].radius];
        let thick = corner.radius - rounding[0] + edge.radius - rounding[1];
        Some((arm, arm.norm() - thick))
    }

    /// From the foot on an edge to a point beside it, if the foot is on the edge and the point on no face of it.
    pub fn beside(&self, point: &Vec3, edge: &Edge, seam: f64) -> Option<Vec3> {
        let along = edge.along.dot(&(point - edge.at));
        let arm = point - (edge.at + edge.along * along);
        let on_edge = along > seam && along < edge.length - seam;
        (on_edge && edge.is_off_faces(&arm, seam) && arm.norm() > 0.0).then_some(arm)
    }

    /// How far two corners may be touched beyond their cones: ends of axes side by side are held at both.
    fn slack_of_ends(&self, a: &Corner, b: &Corner) -> f64 {
        let [x, y] = self.solids;
        let spokes = [&x.spokes[a.spokes.clone()], &y.spokes[b.spokes.clone()]];
        let along = |s: &Vec3| spokes[1].iter().any(|t| s.cross(t).norm() < LEANING);
        if spokes[0].iter().any(along) {
            LEANING
        } else {
            0.0
        }
    }

    /// Corners by corners of solids of which one is rounded.
    pub fn corners_by_corners(&mut self) {
        let seam = SEAM * self.pair.size;
        let [x, y] = self.solids;
        for &i in &self.near[0].corners {
            for &j in &self.near[1].corners {
                let (a, b) = (&x.corners[i], &y.corners[j]);
                let arm = a.at - b.at;
                // Centres that coincide have no direction; whatever it is, they must part.
                let slack = seam + self.slack_of_ends(a, b) * arm.norm();
                let allowed = arm.norm() == 0.0 || self.limits.allow(arm.norm(), &arm.normalize());
                if allowed
                    && a.radius + b.radius > 0.0
                    && x.corner_faces(a, &-arm, slack)
                    && y.corner_faces(b, &arm, slack)
                {
                    let features = [self.corner(0, i), self.corner(1, j)];
                    self.add(0, [Part::Corner(i), Part::Corner(j)], features);
                }
            }
        }
    }
}

impl Face {
    /// Height of a point over the plane of the face (m).
    pub fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(&(point - self.at))
    }
}
