//! How deep bodies are in each other, from their poses and shapes alone: a measure that shares nothing with any of the
//! programs it judges.
//!
//! The depth of two convex solids is the least distance by which one has to be moved to leave the other: the least, over all
//! directions n, of how far the difference of the solids reaches along n. That reach, the *support*, is a formula for each shape.
//! A polytope inside the difference grows where it is nearest to the origin until reach and face agree (the expanding polytope
//! of van den Bergen), and ends at once where a direction separates the solids.

use crate::task::Reading;
use driftless::math::{Quat, Vec3};
use driftless::model::{Geometry, Model, Shape};
use std::error::Error;

/// Reach and face agree when they differ by less than this [m] and share of the depth.
const CLOSE: (f64, f64) = (1e-10, 1e-5);
/// Points after which a polytope grows no more; what it has found is then an upper bound of the depth.
const MOST: usize = 300;
/// Distance below which a point lies on a face [m].
const ON: f64 = 1e-14;

/// A convex shape where it is.
struct Solid<'a> {
    geometry: &'a Geometry,
    at: Vec3,
    turn: Quat,
    reach: f64,
}

impl<'a> Solid<'a> {
    fn new(shape: &'a Shape, at: &Vec3, turn: &Quat) -> Self {
        Self {
            geometry: &shape.geometry,
            at: at + turn * shape.pose.translation.vector,
            turn: turn * shape.pose.rotation,
            reach: shape.geometry.reach(),
        }
    }

    /// The point farthest along a direction.
    fn farthest(&self, direction: &Vec3) -> Vec3 {
        let d = self.turn.inverse_transform_vector(direction);
        let outwards = Vec3::new(d.x, d.y, 0.0);
        let rim = outwards.try_normalize(0.0).unwrap_or_default();
        let upwards = 1f64.copysign(d.z);
        let point = match self.geometry {
            Geometry::Sphere { radius } => d.normalize() * *radius,
            Geometry::Box { size } => size.zip_map(&d, |s, d| (s / 2.0).copysign(d)),
            Geometry::Capsule { radius, length } => {
                d.normalize() * *radius + Vec3::z() * (upwards * length / 2.0)
            }
            Geometry::Cylinder { radius, length } => {
                rim * *radius + Vec3::z() * (upwards * length / 2.0)
            }
            Geometry::Cone { radius, length } => {
                let base = rim * *radius - Vec3::z() * (length / 4.0);
                let tip = Vec3::z() * (0.75 * length);
                if tip.dot(&d) > base.dot(&d) {
                    tip
                } else {
                    base
                }
            }
            Geometry::Hull(surface) => {
                let along = |v: &&Vec3| v.dot(&d);
                let vertices = surface.vertices.iter();
                *vertices
                    .max_by(|a, b| along(a).total_cmp(&along(b)))
                    .unwrap_or(&Vec3::zeros())
            }
            _ => Vec3::zeros(),
        };
        self.at + self.turn * point
    }
}

/// All shapes of a scene.
pub struct Bodies<'a> {
    world: &'a [Shape],
    bodies: Vec<&'a [Shape]>,
}

impl<'a> Bodies<'a> {
    pub fn new(model: &'a Model) -> Result<Self, Box<dyn Error>> {
        let bodies = model.bodies.iter();
        let all = Self {
            world: &model.world_shapes,
            bodies: bodies.map(|b| &b.shapes[..]).collect(),
        };
        let known = |s: &&Shape| {
            use Geometry::{Box, Capsule, Cone, Cylinder, HalfSpace, Hull, Sphere};
            matches!(
                s.geometry,
                HalfSpace
                    | Sphere { .. }
                    | Box { .. }
                    | Capsule { .. }
                    | Cylinder { .. }
                    | Cone { .. }
                    | Hull(_)
            )
        };
        let shapes = all.bodies.iter().flat_map(|b| b.iter());
        match shapes.chain(all.world).find(|s| !known(s)) {
            Some(shape) => Err(format!("no support of {:?}", shape.geometry).into()),
            None => Ok(all),
        }
    }

    /// How deep any two bodies, or a body and the world, are in each other at most [m].
    pub fn deepest(&self, states: &[Reading]) -> f64 {
        let mut deepest = 0.0;
        let still = Quat::identity();
        let world = self.world.iter();
        let (ground, walls): (Vec<&Shape>, Vec<&Shape>) =
            world.partition(|s| matches!(s.geometry, Geometry::HalfSpace));
        let walls = walls.iter().map(|s| Solid::new(s, &Vec3::zeros(), &still));
        // Those of the world first, then those of body after body.
        let mut before: Vec<(usize, Solid)> = walls.map(|s| (usize::MAX, s)).collect();
        for (k, (shapes, state)) in self.bodies.iter().zip(states).enumerate() {
            let [x, y, z, w, i, j, l, ..] = *state;
            let turn = Quat::new_normalize([i, j, l, w].into());
            for solid in shapes
                .iter()
                .map(|s| Solid::new(s, &Vec3::new(x, y, z), &turn))
            {
                for plane in &ground {
                    let normal = plane.pose.rotation * Vec3::z();
                    let lowest = solid.farthest(&-normal) - plane.pose.translation.vector;
                    deepest = f64::max(deepest, -lowest.dot(&normal));
                }
                for (owner, other) in &before {
                    if *owner != k {
                        deepest = depth(&solid, other, deepest);
                    }
                }
                before.push((k, solid));
            }
        }
        deepest
    }
}

/// A triangle of the polytope; its normal points outwards.
struct Face {
    corners: [usize; 3],
    normal: Vec3,
    /// Of its plane from the origin; negative if the origin is outside.
    distance: f64,
}

impl Face {
    fn new(points: &[Vec3], corners: [usize; 3]) -> Self {
        let [a, b, c] = corners.map(|k| points[k]);
        let across = (b - a).cross(&(c - a));
        match across.try_normalize(1e-18) {
            Some(normal) => Self {
                corners,
                normal,
                distance: normal.dot(&a),
            },
            // Three points of a line: nothing lies beyond them.
            None => Self {
                corners,
                normal: Vec3::zeros(),
                distance: f64::INFINITY,
            },
        }
    }
}

/// The difference of two solids, as it is seen along directions.
struct Difference<'a> {
    solids: [&'a Solid<'a>; 2],
    points: Vec<Vec3>,
    /// The least of all reaches so far.
    reach: f64,
}

impl Difference<'_> {
    /// Adds the farthest point along a unit vector.
    fn look(&mut self, n: &Vec3) {
        let [a, b] = self.solids;
        let point = a.farthest(n) - b.farthest(&-n);
        self.reach = self.reach.min(point.dot(n));
        self.points.push(point);
    }
}

/// The depth of two solids if it is more than `least`, else `least`.
fn depth(a: &Solid, b: &Solid, least: f64) -> f64 {
    let apart = a.at - b.at;
    if apart.norm() > a.reach + b.reach {
        return least;
    }
    let mut difference = Difference {
        solids: [a, b],
        points: Vec::with_capacity(64),
        reach: f64::INFINITY,
    };
    // From the middle of the difference towards the origin, which is near the way out.
    let first = (-apart).try_normalize(1e-12).unwrap_or_else(Vec3::x);
    difference.look(&first);
    difference.look(&-first);
    let mut faces = tetrahedron(&mut difference).unwrap_or_default();
    while difference.reach > least && difference.points.len() < MOST {
        let nearest = faces
            .iter()
            .min_by(|f, g| f.distance.total_cmp(&g.distance));
        let Some(&Face {
            normal, distance, ..
        }) = nearest
        else {
            break;
        };
        difference.look(&normal);
        let reach = difference.reach;
        if reach - distance <= CLOSE.0 + CLOSE.1 * reach || !grow(&mut faces, &difference.points) {
            break;
        }
    }
    difference.reach.max(least)
}

/// Adds the last point.
fn grow(faces: &mut Vec<Face>, points: &[Vec3]) -> bool {
    let last = points.len() - 1;
    let mut edges: Vec<(usize, usize)> = Vec::new();
    let sees = |f: &Face| f.normal.dot(&points[last]) - f.distance > ON;
    faces.retain(|face| {
        if sees(face) {
            let [a, b, c] = face.corners;
            edges.extend([(a, b), (b, c), (c, a)]);
        }
        !sees(face)
    });
    let rim = edges.iter().filter(|(a, b)| !edges.contains(&(*b, *a)));
    faces.extend(rim.map(|&(a, b)| Face::new(points, [a, b, last])));
    !edges.is_empty()
}

/// Four faces around the first two points and two more.
fn tetrahedron(difference: &mut Difference) -> Option<Vec<Face>> {
    for k in 2..4 {
        // Farther from the line, then from the plane, on whichever side there is more.
        let along = difference.points[1] - difference.points[0];
        let other = match k {
            2 => Vec3::ith(along.iamin(), 1.0),
            _ => difference.points[2] - difference.points[0],
        };
        let way = along.cross(&other).try_normalize(1e-12)?;
        difference.look(&way);
        difference.look(&-way);
        let points = &mut difference.points;
        let far = |n: usize| (points[n] - points[0]).dot(&way).abs();
        let worse = if far(k) < far(k + 1) { k } else { k + 1 };
        points.swap_remove(worse);
    }
    let mut corners = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    let points = &difference.points;
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| points[k]);
    if (b - a).cross(&(c - a)).dot(&(d - a)) > 0.0 {
        corners.iter_mut().for_each(|f| f.swap(1, 2));
    }
    Some(corners.map(|f| Face::new(points, f)).into())
}
