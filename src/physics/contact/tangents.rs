//! Tangent planes of curved solids at the edges and corners of surfaces.

use super::curved::{add_tangent, apart};
use super::pair::{Apart, Part, TOUCHING};
use super::pairs::Found;
use super::polyhedron::{Edge, Polyhedron};
use super::question::scale;
use crate::math::{Pose, Vec3};

/// Depth, in [scales](scale), to which an edge or corner of a surface is pushed out of a solid that nothing else pushes.
const BURIED: f64 = 0.2;

/// Directions between the faces of an edge that are tried first.
const TURNS: usize = 8;

/// To what part of the angle between the faces of an edge the best direction is found.
const FINE: f64 = 1e-9;

/// Part of that angle from a face within which the direction is that of the face.
const OF_FACE: f64 = 1e-6;

/// Sine of the angle by which a direction may lean along an edge.
const UPRIGHT: f64 = 1e-3;

/// A curved solid and a surface: tangent planes at edges and corners of the surface that stick out. What lies in the solid, and is not
/// parted from it along a direction out of the surface, is pushed out the nearest way if nothing else is.
pub(super) fn tangents_of_surface(found: &mut Found, y_from_x: &Pose) {
    let [x, y] = found.solids;
    let mut buried: Option<(Part, Apart)> = None;
    let mut bury = |part: Part, apart: Apart| {
        if buried.is_none_or(|(_, best)| best.distance < apart.distance) {
            buried = Some((part, apart));
        }
    };
    for &k in &found.near[1].edges {
        let edge = &y.edges[k];
        let [from, to] = edge.span();
        let line = Polyhedron::segment(from, to, 0.0);
        let within =
            |normal: &Vec3| edge.lean(normal) <= 0.0 && edge.along.dot(normal).abs() < UPRIGHT;
        if let Some(apart) = add_at(found, y_from_x, &line, Part::Edge(k), within) {
            bury(Part::Edge(k), beside(x, edge).unwrap_or(apart));
        }
    }
    for &k in &found.near[1].corners {
        let corner = &y.corners[k];
        let point = Polyhedron::point(corner.at, 0.0);
        let within = |normal: &Vec3| y.corner_faces(corner, normal, 0.0);
        if let Some(apart) = add_at(found, y_from_x, &point, Part::Corner(k), within) {
            bury(Part::Corner(k), apart);
        }
    }
    if let Some((part, apart)) = buried
        && apart.distance >= -BURIED * scale(found.pair.solids)
        && !found.is_met(0.0, y_from_x)
    {
        add_tangent(found, y_from_x, [Part::Surface, part], &apart);
    }
}

/// Adds the tangent plane at a feature that parts from the solid along a direction within its own. Otherwise, if it lies in the solid,
/// where it parts from it.
fn add_at(
    found: &mut Found,
    y_from_x: &Pose,
    feature: &Polyhedron,
    part: Part,
    within: impl Fn(&Vec3) -> bool,
) -> Option<Apart> {
    let (size, limit) = (found.pair.size, found.limits.near);
    let apart = apart(found.solids[0], feature, &Vec3::z(), size, limit)?;
    let Apart {
        distance, normal, ..
    } = apart;
    if within(&normal) && found.limits.allow_edges(distance, &normal) {
        add_tangent(found, y_from_x, [Part::Surface, part], &apart);
        return None;
    }
    (distance < -TOUCHING * size).then_some(apart)
}

/// Where a solid parts soonest from the line of an edge that lies in it, along a direction between the faces of the edge; nothing where
/// it does so along the normal of one, or beside the ends of the edge.
fn beside(x: &Polyhedron, edge: &Edge) -> Option<Apart> {
    let along = edge.along;
    let [from, to] = [0, 1].map(|k| {
        let normal = along.cross(&edge.inward[k]);
        normal * -normal.dot(&edge.inward[1 - k]).signum()
    });
    let across = along.cross(&from);
    let range = to.dot(&across).atan2(to.dot(&from));
    let at = |share: f64| {
        let (sin, cos) = (range * share).sin_cos();
        let normal = from * cos + across * sin;
        let lowest = x.farthest(&-normal);
        (normal.dot(&(lowest - edge.at)), normal, lowest)
    };
    let mut step = 1.0 / TURNS as f64;
    let shares = (0..=TURNS).map(|k| k as f64 * step);
    let mut best = shares.max_by(|a, b| at(*a).0.total_cmp(&at(*b).0))?;
    while step > FINE {
        step *= 0.5;
        let sides = [best, best - step, best + step].map(|share| share.clamp(0.0, 1.0));
        best = sides
            .into_iter()
            .max_by(|a, b| at(*a).0.total_cmp(&at(*b).0))?;
    }
    let (distance, normal, lowest) = at(best);
    let foot = along.dot(&(lowest - edge.at));
    let inside = (OF_FACE..1.0 - OF_FACE).contains(&best) && (0.0..edge.length).contains(&foot);
    inside.then(|| Apart {
        normal,
        distance,
        points: [lowest, edge.at + along * foot],
    })
}
