//! Rims and ellipsoids over faces, and what is met by its tangent plane.

use super::feature::{Contact, Feature};
use super::nearest::{GOOD, Lie, Scope, Seed, Start, lie};
use super::pair::{Apart, Part, separation};
use super::pairs::Found;
use super::polyhedron::{Polyhedron, Rim};
use super::revolved::ball_beside;
use super::tangents::tangents_of_surface;
use super::top::top;
use crate::math::{Pose, Vec3};
use std::f64::consts::TAU;

/// Sine of the tilt of a disc against a face below which its lowest point is rounding: below it the points of the
/// rim hold the disc to this times a fraction of its radius.
const LEVEL: f64 = 1e-8;

/// Sine of the tilt below which points of the rim help its lowest point, which then runs around quickly.
const NEARLY_LEVEL: f64 = 1e-2;

/// Fixed points of a rim.
const RIM_POINTS: usize = 8;

/// Overlap, in sizes of the smaller solid, up to which a direction in which solids part is good enough.
const CLEAR: f64 = 1e-4;

/// Distance, in sizes of the smaller solid, at which iterations find the direction of touching solids well.
const AWAY: f64 = 1e-4;

/// How many directions the search for the least penetration starts from.
const STARTS: usize = 3;

/// How often a search is repeated from nearby, where it ends more exactly.
const AGAIN: usize = 2;

/// To what part of itself the first search finds the distance: it makes a rough direction a good one, from which the next finds the
/// exact one.
const FIRST: f64 = 1e-5;

/// How often a search goes on from where it has got.
const ASCENTS: usize = 12;

/// Gain, in sizes of the smaller solid, below which a search has reached the top: two steps more would gain its square.
const FLAT: f64 = 1e-8;

/// Misfit of nearest points, in their distance, from which on no search is repeated: an angle (rad).
const SHARP: f64 = 1e-6;

/// Misfit of nearest points, in sizes of the smaller solid, at which a search ends.
const MISFIT: f64 = 1e-8;

/// The same for solids that hardly overlap, from which on no other direction is tried.
const SETTLED: f64 = 1e-7;

/// Tangent planes are for what other features leave, beyond this many sizes of the smaller solid.
const MISSED: f64 = 1e-6;

/// Where convex solids are nearest, or entwined least, and how far they are apart there (m), without their rounding;
/// `start` is a direction in which to part them. Solids that are more than `limit` (m) apart are told to be so along
/// some direction.
///
/// Between points that coincide there is no direction, and moving one solid along the direction does not change it:
/// so the search is repeated with the solids moved until they are just clear of each other. From a wrong direction it
/// ascends to the best one nearby only, so it starts from the best of many where they overlap by more than a little.
pub(super) fn apart(
    x: &Polyhedron,
    y: &Polyhedron,
    start: &Vec3,
    size: f64,
    limit: f64,
) -> Option<Apart> {
    if let Some(found) = ball_beside(x, y, size) {
        return Some(found);
    }
    let mut scope = Scope {
        rounding: x.radius + y.radius,
        size,
        touching: AWAY * size,
        limit,
        good: FIRST,
    };
    let centres = x.middle() - y.middle();
    let facing = match centres == Vec3::zeros() {
        true => *start,
        false => centres,
    };
    let here = Vec3::zeros();
    let mut lie = moved(x, y, &Start::Along(facing), &here, &scope);
    if let Lie::Near(found) = lie {
        let top = top([x, y], &found.normal, &found.seed, size);
        if top.is_some() {
            return top;
        }
        scope.good = GOOD;
        lie = moved(x, y, &Start::At(found.seed), &here, &scope);
    }
    let (start, from) = match lie {
        Lie::Far(normal) => {
            return Some(Apart {
                normal,
                distance: separation(x, y, &normal),
                points: [x.farthest(&-normal), y.farthest(&normal)],
            });
        }
        Lie::Near(found) => {
            let (blunt, seed) = (found.blunt.max(SHARP), Start::At(found.seed));
            let found = Apart {
                normal: found.normal,
                distance: separation(x, y, &found.normal),
                points: found.points,
            };
            if found.mismatch() <= blunt * found.distance {
                return Some(found);
            }
            let top = ascend(x, y, &found.normal, seed, size);
            return Some(top.map_or(found, |top| found.or(top)));
        }
        Lie::Touching(normal, seed) => (normal, Start::At(seed)),
        Lie::Overlapping => (*start, Start::Along(*start)),
    };
    let top = ascend(x, y, &start, from, size);
    // Solids that overlap part along no direction: none is better than this by more than this lacks.
    if let Some(top) =
        top.filter(|top| top.distance >= -CLEAR * size && top.mismatch() <= SETTLED * size)
    {
        return Some(top);
    }
    let mut ways = [(f64::NEG_INFINITY, start); STARTS];
    for way in compass().chain([start, centres]) {
        let Some(way) = way.try_normalize(f64::MIN_POSITIVE) else {
            continue;
        };
        let mut next = (separation(x, y, &way), way);
        for kept in &mut ways {
            if next.0 > kept.0 {
                std::mem::swap(&mut next, kept);
            }
        }
    }
    let tops = ways
        .iter()
        .filter_map(|(_, way)| ascend(x, y, way, Start::Along(*way), size));
    top.into_iter().chain(tops).reduce(|best, next| {
        if next.distance > best.distance {
            next
        } else {
            best
        }
    })
}

/// How the first solid, moved by `shift` (m), lies to the second.
pub(super) fn moved(
    x: &Polyhedron,
    y: &Polyhedron,
    start: &Start,
    shift: &Vec3,
    scope: &Scope,
) -> Lie {
    let lowest = |v: &Vec3| [x.farthest(&-v), y.farthest(v)];
    lie(lowest, start, shift, scope)
}

/// The best direction that can be reached by going up from a direction; `from` is where the first search begins.
fn ascend(
    x: &Polyhedron,
    y: &Polyhedron,
    start: &Vec3,
    mut from: Start,
    size: f64,
) -> Option<Apart> {
    let mut best: Option<Apart> = None;
    let mut scope = Scope {
        rounding: 0.0,
        size,
        touching: 0.0,
        limit: f64::INFINITY,
        good: FIRST,
    };
    let mut normal = *start;
    let mut distance = separation(x, y, &normal);
    for ascend in 0..ASCENTS {
        let seed = match from {
            Start::At(seed) => seed,
            Start::Along(way) => Seed::of([x.farthest(&-way), y.farthest(&way)]),
        };
        if let Some(top) = top([x, y], &normal, &seed, size) {
            return Some(top);
        }
        let clear = normal * (AWAY * size - distance);
        let Lie::Near(found) = moved(x, y, &from, &clear, &scope) else {
            break;
        };
        from = Start::At(found.seed);
        scope.good = GOOD;
        let gained = separation(x, y, &found.normal) - distance;
        normal = found.normal;
        distance += gained;
        let next = Apart {
            normal,
            distance,
            points: found.points,
        };
        if next.mismatch() <= MISFIT * size {
            return Some(next);
        }
        best = Some(best.map_or(next, |best| best.or(next)));
        if ascend >= AGAIN && gained <= FLAT * size {
            break;
        }
    }
    best
}

/// Directions all around: to the faces, edges and corners of a cube.
fn compass() -> impl Iterator<Item = Vec3> {
    let sides = || (-1..=1).map(f64::from);
    sides().flat_map(move |a| sides().flat_map(move |b| sides().map(move |c| Vec3::new(a, b, c))))
}

/// Appends the contacts of curved features.
pub(super) fn contacts(found: &mut Found, y_from_x: &Pose) {
    for side in 0..2 {
        for i in 0..found.solids[side].rims.len() {
            rim_over_faces(found, side, i);
        }
        ellipsoids_over_faces(found, side);
    }
    if found.limits.parted.is_some() {
        tangent(found, y_from_x);
    } else if !found.pair.solids[1].convex {
        tangents_of_surface(found, y_from_x);
    }
}

impl Found<'_, '_> {
    /// Whether a contact is there already whose gap is no more than the distance of the solids, without their rounding.
    pub fn is_met(&self, distance: f64, y_from_x: &Pose) -> bool {
        let [x, y] = self.solids;
        let allowed = distance - x.radius - y.radius + MISSED * self.pair.size;
        let met = |c: &Contact| self.gap(c, y_from_x).distance <= allowed;
        self.out[self.start..].iter().any(met)
    }
}

fn rim_over_faces(found: &mut Found, side: usize, i: usize) {
    let (rims, faces) = (found.solids[side], found.solids[1 - side]);
    let own = found.pair.solids[side].polyhedron.rims[i];
    let rim = &rims.rims[i];
    let border = found.border(0.0);
    for &j in &found.near[1 - side].faces {
        let face = &faces.faces[j];
        let normal = Found::inwards(1 - side, &face.normal);
        let over = |found: &Found, point: &Vec3| {
            let height = face.height(point);
            found.allows(height, &normal)
                && found.is_over(side, point, 0.0, j, border)
                && found.holds(side, point, found.face_before(side, point), j, height)
        };
        let tilt = face.normal.cross(&rim.axis).norm();
        let plane = found.face(1 - side, j);
        let number = face.plane;
        if tilt > LEVEL && over(found, &rim.farthest(&-face.normal)) {
            let feature = Feature::Rim {
                at: own.at,
                axis: own.axis,
                radius: own.radius,
            };
            found.add(side, [Part::Rim(i), Part::Face(number)], [feature, plane]);
        }
        // The back of a disc is not its rim's lowest side.
        if tilt > NEARLY_LEVEL || rim.axis.dot(&face.normal) > 0.0 {
            continue;
        }
        let fixed = (0..RIM_POINTS).map(|k| (k, TAU * k as f64 / RIM_POINTS as f64));
        // Two discs cut each other once.
        let twice = side == 1 && face.disc.is_some();
        let cuts = outline_angles(rim, faces, j)
            .filter(|_| !twice)
            .enumerate()
            .filter(|(_, angle)| !is_fixed(*angle))
            .map(|(k, angle)| (RIM_POINTS + k, angle));
        for (k, angle) in fixed.chain(cuts) {
            if over(found, &rim.point(angle)) {
                let feature = Feature::Point {
                    at: own.point(angle),
                    radius: 0.0,
                };
                let part = Part::RimPoint(i << 20 | k);
                found.add(side, [part, Part::Face(number)], [feature, plane]);
            }
        }
    }
}

/// Whether a point of the rim is there already.
fn is_fixed(angle: f64) -> bool {
    let turns = angle * RIM_POINTS as f64 / TAU;
    (turns - turns.round()).abs() < 1e-5
}

/// Angles at which a rim that lies on a face crosses the outline of the face.
fn outline_angles(rim: &Rim, faces: &Polyhedron, face: usize) -> impl Iterator<Item = f64> {
    let face = &faces.faces[face];
    let across = rim.axis.cross(&rim.zero);
    let own = *rim;
    let cut = move |level: f64, slope: Vec3| {
        // level + radius (slope · direction) = 0
        let (a, b) = (slope.dot(&own.zero), slope.dot(&across));
        let reach = a.hypot(b) * own.radius;
        let middle = b.atan2(a);
        let half = (reach > level.abs()).then(|| (-level / reach).acos());
        half.into_iter()
            .flat_map(move |half| [middle + half, middle - half])
    };
    let sides = faces.sides[face.sides.clone()].iter();
    let straight = sides
        .filter(|s| s.sharp)
        .flat_map(move |s| cut(s.inward.dot(&(own.at - s.at)), s.inward));
    let round = face.disc.into_iter().flat_map(move |radius| {
        // |arm + radius · direction|² = disc radius²
        let arm = own.at - face.at;
        let arm = arm - face.normal * face.normal.dot(&arm);
        let level = arm.norm_squared() + own.radius * own.radius - radius * radius;
        cut(level, arm * 2.0)
    });
    straight.chain(round)
}

fn ellipsoids_over_faces(found: &mut Found, side: usize) {
    let (solids, faces) = (found.solids[side], found.solids[1 - side]);
    for (i, ellipsoid) in solids.ellipsoids.iter().enumerate() {
        let own = found.pair.solids[side].polyhedron.ellipsoids[i];
        for &j in &found.near[1 - side].faces {
            let face = &faces.faces[j];
            let lowest = ellipsoid.farthest(&-face.normal);
            let normal = Found::inwards(1 - side, &face.normal);
            let height = face.height(&lowest);
            if found.allows(height, &normal)
                && found.is_over(side, &lowest, 0.0, j, 0.0)
                && found.holds(side, &lowest, found.face_before(side, &lowest), j, height)
            {
                let feature = Feature::Ellipsoid {
                    at: own.at,
                    orientation: own.orientation,
                    radii: own.radii,
                };
                let parts = [Part::Ellipsoid(i), Part::Face(face.plane)];
                found.add(side, parts, [feature, found.face(1 - side, j)]);
            }
        }
    }
}

/// Convex solids: one tangent plane where they are nearest, unless a pair of features is there already. Solids of flat
/// faces that overlap get one where no pair of features parts them along the direction of least penetration.
pub(super) fn tangent(found: &mut Found, y_from_x: &Pose) {
    let [x, y] = found.solids;
    let Some((distance, axis)) = found.limits.parted else {
        return;
    };
    // No nearer than this are the solids: features that meet so are where they are nearest, without a search.
    if found.is_met(distance, y_from_x) {
        return;
    }
    let size = found.pair.size;
    let searched = || match x.is_curved() || y.is_curved() {
        true => apart(x, y, &axis, size, found.limits.near),
        // The direction of least penetration is known.
        false => Some(Apart {
            normal: axis,
            distance,
            points: [x.farthest(&-axis), y.farthest(&axis)],
        }),
    };
    let Some(apart) = found.limits.apart.or_else(searched) else {
        return;
    };
    if apart.distance > found.limits.near {
        found.out.truncate(found.start);
    } else if !found.is_met(apart.distance, y_from_x)
        && found.limits.allow_edges(apart.distance, &apart.normal)
    {
        add_tangent(found, y_from_x, [Part::Surface; 2], &apart);
    }
}

/// A point of one solid over the tangent plane of the other, which is the curved one.
pub(super) fn add_tangent(found: &mut Found, y_from_x: &Pose, parts: [Part; 2], apart: &Apart) {
    let Apart { normal, points, .. } = apart;
    let [x, y] = found.solids;
    let x_from_y = y_from_x.inverse();
    let own = |p: Vec3| x_from_y.transform_point(&p.into()).coords;
    let features = if y.is_curved() {
        [
            Feature::Point {
                at: own(points[0]),
                radius: x.radius,
            },
            Feature::Plane {
                at: points[1],
                normal: *normal,
            },
        ]
    } else {
        [
            Feature::Plane {
                at: own(points[0]),
                normal: -x_from_y.transform_vector(normal),
            },
            Feature::Point {
                at: points[1],
                radius: y.radius,
            },
        ]
    };
    found.add(0, parts, features);
}
