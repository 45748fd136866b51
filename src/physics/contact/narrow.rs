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

use super::curved;
use super::feature::Contact;
use super::pair::{Crossing, Limits, Pair, TOUCHING};
use super::pairs::Found;
use super::polyhedron::{Face, Polyhedron};
use super::question::scale;
use super::solid::Near;
use crate::math::Vec3;

/// Depth, in sizes of the smaller solid, from which a corner behind a surface is not pushed out any more.
const THICKNESS: f64 = 0.5;

/// The same for an edge that crosses an edge of a surface, in [scales](scale).
pub(super) const EDGE_THICKNESS: f64 = 0.05;

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
            loose: false,
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
        } else if found.limits.axis.is_some() {
            curved::tangent(&mut found, &y_from_x);
        }
        if found.out.len() > found.start && (found.loose || found.motion.is_some()) {
            found.drop_what_is_beyond();
        }
    }
}

/// Distances between which contacts lie; nothing if the solids are farther apart than the pair's prediction.
fn limits(x: &Polyhedron, pair: &Pair, near: &[Near; 2]) -> Option<Limits> {
    let y = &pair.solids[1].polyhedron;
    let slack = TOUCHING * pair.size;
    let mut limits = Limits {
        floor: -2.0 * slack - pair.deeper,
        edge_floor: -2.0 * slack - pair.deeper,
        near: pair.near + x.radius + y.radius,
        axis: None,
        parted: None,
        apart: None,
    };
    if pair.solids[1].is_half_space() {
        limits.floor = f64::NEG_INFINITY;
        return Some(limits);
    }
    if !pair.solids.iter().all(|s| s.convex) {
        limits.floor = -THICKNESS * pair.size;
        limits.edge_floor = -EDGE_THICKNESS * scale(pair.solids);
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
    // Solids that faces keep apart have no direction of least penetration.
    let entwined = best.is_none_or(|(distance, _)| distance < -slack);
    if entwined && (!x.faces.is_empty() || !y.faces.is_empty()) {
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
    // The search for where curved solids are nearest is left until no feature is found to be the nearest, but for
    // solids that overlap as far as faces and edges tell.
    if (x.is_curved() || y.is_curved()) && best.is_none_or(|(distance, _)| distance < -slack) {
        let start = best.map_or_else(Vec3::z, |(_, axis)| axis);
        limits.apart = curved::apart(x, y, &start, pair.size, limits.near);
        if let Some(apart) = limits.apart {
            consider(&mut best, apart.distance, apart.normal);
        }
        if best.is_some_and(|(distance, _)| distance > limits.near) {
            return None;
        }
    }
    limits.parted = best;
    if let Some((distance, axis)) = best
        && distance < -slack
    {
        // No feature lies deeper than the solids along the direction in which they part, but for its own tilt.
        limits.floor = 1.02 * distance - slack - pair.deeper;
        limits.edge_floor = limits.floor;
        limits.axis = Some(axis);
    }
    Some(limits)
}

/// Height of the lowest point of a solid over a face.
fn lowest(solid: &Polyhedron, face: &Face) -> f64 {
    face.height(&solid.farthest(&-face.normal))
}
