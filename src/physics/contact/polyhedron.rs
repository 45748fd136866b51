//! Corners, edges and faces of a solid with the directions in which each can be touched.
//!
//! Spheres and capsules are polyhedra of one corner or one edge, rounded; a half-space is a face without an outline.
//! A corner is touched along directions that make no acute angle with an edge leaving it, an edge along those that
//! make none with its two faces, a face along its normal: together these cones cover all directions of a convex
//! solid once, and on a mesh they leave out what lies in valleys and inside flat regions.

use crate::math::{Pose, Quat, Vec3};
use crate::model::Surface;
use std::collections::BTreeMap;
use std::ops::Range;

/// Sine of the angle between two faces below which the edge between them is no edge.
const FLAT: f64 = 1e-9;

/// A corner that sticks out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Corner {
    /// Where (m).
    pub at: Vec3,
    /// Rounding (m).
    pub radius: f64,
    /// Unit vectors along the edges that leave it, in [`Polyhedron::spokes`].
    pub spokes: Range<usize>,
}

/// An edge that sticks out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    /// Where it starts (m).
    pub at: Vec3,
    /// Unit vector along it.
    pub along: Vec3,
    /// How long it is (m).
    pub length: f64,
    /// Rounding (m); that of a cylinder's axis is the cylinder.
    pub radius: f64,
    /// Unit vectors in its faces, at right angles to it, pointing into the faces; zero where there is no face.
    pub inward: [Vec3; 2],
    /// Indices of its faces; the first twice if there is only one.
    pub faces: [usize; 2],
}

/// A flat part of the surface.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Face {
    /// A point on it (m).
    pub at: Vec3,
    /// Unit vector out of the solid.
    pub normal: Vec3,
    /// Its sides, in [`Polyhedron::sides`]; none if it has no bounds.
    pub sides: Range<usize>,
    /// Radius about `at` if it is a disc (m).
    pub disc: Option<f64>,
    /// First of the faces that continue each other without an edge between them.
    pub plane: usize,
}

/// The rim of a disc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rim {
    /// Centre (m).
    pub at: Vec3,
    /// Unit vector along the axis, out of the solid.
    pub axis: Vec3,
    /// Unit vector from the centre to where angles along the rim start.
    pub zero: Vec3,
    /// Radius (m).
    pub radius: f64,
}

/// An ellipsoid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ellipsoid {
    /// Centre (m).
    pub at: Vec3,
    /// Orientation of its half-axes.
    pub orientation: Quat,
    /// Half-axes (m).
    pub radii: Vec3,
}

/// One side of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    /// A point on it (m).
    pub at: Vec3,
    /// Unit vector in the face, at right angles to the side, pointing into the face.
    pub inward: Vec3,
    /// Whether the surface has an edge there, and not another face that goes on or rises.
    pub sharp: bool,
}

/// A solid of corners, edges, faces, rims and ellipsoids, rounded by a radius.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Polyhedron {
    /// Rounding of the whole (m).
    pub radius: f64,
    /// Corners.
    pub corners: Vec<Corner>,
    /// Ends of the axis of a cylinder: they stick out sideways only.
    pub ends: Vec<Corner>,
    /// Rims.
    pub rims: Vec<Rim>,
    /// Ellipsoids.
    pub ellipsoids: Vec<Ellipsoid>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Faces.
    pub faces: Vec<Face>,
    /// Edges at corners.
    pub spokes: Vec<Vec3>,
    /// Sides of faces.
    pub sides: Vec<Side>,
}

impl Polyhedron {
    /// The surface made of triangles.
    pub fn from_surface(surface: &Surface) -> Self {
        let triangles = surface.triangles.iter().map(|t| t.as_slice());
        Self::from_polygons(&surface.vertices, triangles)
    }

    /// The surface made of flat polygons, counter-clockwise seen from outside.
    pub fn from_polygons<'a>(vertices: &[Vec3], polygons: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut made = Self::default();
        let mut edges: BTreeMap<[u32; 2], Edge> = BTreeMap::new();
        let mut sides = Vec::new();
        for polygon in polygons {
            let Some(normal) = normal(vertices, polygon) else {
                continue;
            };
            let face = made.faces.len();
            let first = made.sides.len();
            for (k, &from) in polygon.iter().enumerate() {
                let to = polygon[(k + 1) % polygon.len()];
                let (at, end) = (vertices[from as usize], vertices[to as usize]);
                let length = (end - at).norm();
                if length == 0.0 {
                    continue;
                }
                let along = (end - at) / length;
                let inward = normal.cross(&along);
                made.sides.push(Side {
                    at,
                    inward,
                    sharp: false,
                });
                let ends = [from.min(to), from.max(to)];
                sides.push(ends);
                edges
                    .entry(ends)
                    .and_modify(|edge| {
                        edge.inward[1] = inward;
                        edge.faces[1] = face;
                    })
                    .or_insert(Edge {
                        at,
                        along,
                        length,
                        radius: 0.0,
                        // Where a surface ends, as if it went down slantwise under itself.
                        inward: [inward, (inward - normal).normalize()],
                        faces: [face; 2],
                    });
            }
            made.faces.push(Face {
                at: vertices[polygon[0] as usize],
                normal,
                sides: first..made.sides.len(),
                disc: None,
                plane: face,
            });
        }
        made.join_flat_faces(&edges);
        for (k, ends) in sides.iter().enumerate() {
            made.sides[k].sharp = made.sharp(&edges[ends]);
        }
        made.add_corners(vertices, &edges);
        let sharp = |edge: &&Edge| made.sharp(edge);
        made.edges = edges.values().filter(sharp).copied().collect();
        made
    }

    /// Whether an edge sticks out: its second face goes down from its first.
    fn sharp(&self, edge: &Edge) -> bool {
        edge.faces[0] == edge.faces[1]
            || edge.inward[1].dot(&self.faces[edge.faces[0]].normal) < -FLAT
    }

    /// Gives faces that continue each other the number of the first of them.
    fn join_flat_faces(&mut self, edges: &BTreeMap<[u32; 2], Edge>) {
        let root = |faces: &[Face], mut k: usize| {
            while faces[k].plane != k {
                k = faces[k].plane;
            }
            k
        };
        for edge in edges.values().filter(|e| e.faces[0] != e.faces[1]) {
            let [a, b] = edge.faces;
            if self.faces[a].normal.cross(&self.faces[b].normal).norm() < FLAT
                && edge.inward[0].dot(&edge.inward[1]) < 0.0
            {
                let (a, b) = (root(&self.faces, a), root(&self.faces, b));
                self.faces[a.max(b)].plane = a.min(b);
            }
        }
        for k in 0..self.faces.len() {
            self.faces[k].plane = root(&self.faces, k);
        }
    }

    fn add_corners(&mut self, vertices: &[Vec3], edges: &BTreeMap<[u32; 2], Edge>) {
        let mut leaving: Vec<(Vec<Vec3>, bool)> = vec![(Vec::new(), false); vertices.len()];
        for (ends, edge) in edges {
            let sharp = self.sharp(edge);
            for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                let (from, to) = (vertices[end as usize], vertices[other as usize]);
                let (spokes, sticks_out) = &mut leaving[end as usize];
                spokes.push((to - from).normalize());
                *sticks_out |= sharp;
            }
        }
        for (at, (spokes, sticks_out)) in vertices.iter().zip(leaving) {
            if sticks_out {
                let first = self.spokes.len();
                self.spokes.extend(spokes);
                self.corners.push(Corner {
                    at: *at,
                    radius: 0.0,
                    spokes: first..self.spokes.len(),
                });
            }
        }
    }

    /// The same solid in another frame, written over `into`.
    pub fn place(&self, pose: &Pose, into: &mut Self) {
        let turn = pose.rotation.to_rotation_matrix();
        let point = |at: &Vec3| turn * at + pose.translation.vector;
        into.radius = self.radius;
        for (from, into) in [
            (&self.corners, &mut into.corners),
            (&self.ends, &mut into.ends),
        ] {
            into.clear();
            into.extend(from.iter().map(|c| Corner {
                at: point(&c.at),
                radius: c.radius,
                spokes: c.spokes.clone(),
            }));
        }
        into.rims.clear();
        into.rims.extend(self.rims.iter().map(|r| Rim {
            at: point(&r.at),
            axis: turn * r.axis,
            zero: turn * r.zero,
            radius: r.radius,
        }));
        into.ellipsoids.clear();
        into.ellipsoids
            .extend(self.ellipsoids.iter().map(|e| Ellipsoid {
                at: point(&e.at),
                orientation: pose.rotation * e.orientation,
                radii: e.radii,
            }));
        into.edges.clear();
        into.edges.extend(self.edges.iter().map(|e| Edge {
            at: point(&e.at),
            along: turn * e.along,
            inward: e.inward.map(|v| turn * v),
            ..*e
        }));
        into.faces.clear();
        into.faces.extend(self.faces.iter().map(|f| Face {
            at: point(&f.at),
            normal: turn * f.normal,
            sides: f.sides.clone(),
            disc: f.disc,
            plane: f.plane,
        }));
        into.spokes.clear();
        into.spokes.extend(self.spokes.iter().map(|v| turn * v));
        into.sides.clear();
        into.sides.extend(self.sides.iter().map(|s| Side {
            at: point(&s.at),
            inward: turn * s.inward,
            sharp: s.sharp,
        }));
    }

    /// Whether a corner can be touched along a direction out of the solid; `slack` widens the cone.
    pub fn corner_faces(&self, corner: &Corner, outward: &Vec3, slack: f64) -> bool {
        let spokes = &self.spokes[corner.spokes.clone()];
        spokes.iter().all(|s| s.dot(outward) <= slack)
    }

    /// How far a point lies inside the outline of a face, along the face (m); infinite without an outline.
    pub fn depth_inside(&self, face: usize, point: &Vec3) -> f64 {
        let face = &self.faces[face];
        if let Some(radius) = face.disc {
            let arm = point - face.at;
            return radius - (arm - face.normal * face.normal.dot(&arm)).norm();
        }
        let sides = &self.sides[face.sides.clone()];
        let depths = sides.iter().map(|s| s.inward.dot(&(point - s.at)));
        depths.fold(f64::INFINITY, f64::min)
    }

    /// Whether it has surfaces that are no features: those are met by their tangent planes.
    pub fn is_curved(&self) -> bool {
        !(self.rims.is_empty() && self.ellipsoids.is_empty())
    }

    /// Whether it is nothing but a rounded point.
    pub fn is_ball(&self) -> bool {
        self.edges.is_empty() && self.faces.is_empty() && !self.is_curved()
    }

    /// A point inside it, if it has corners or is curved.
    pub fn middle(&self) -> Vec3 {
        let corners = self.corners.iter().map(|c| c.at);
        let rims = self.rims.iter().map(|r| r.at);
        let ellipsoids = self.ellipsoids.iter().map(|e| e.at);
        let count = self.corners.len() + self.rims.len() + self.ellipsoids.len();
        corners.chain(rims).chain(ellipsoids).sum::<Vec3>() / count.max(1) as f64
    }

    /// Its farthest point along a direction, without the rounding.
    pub fn farthest(&self, direction: &Vec3) -> Vec3 {
        // A half-space has no points; the directions that are asked for are those of its normal.
        let mut best = self.faces.first().map_or_else(Vec3::zeros, |f| f.at);
        let mut highest = f64::NEG_INFINITY;
        let mut consider = |point: Vec3| {
            let height = point.dot(direction);
            if height > highest {
                (highest, best) = (height, point);
            }
        };
        self.corners.iter().for_each(|c| consider(c.at));
        let mut last: Option<(&Rim, Vec3)> = None;
        for rim in &self.rims {
            // Both ends of a cylinder reach out to the same side.
            let arm = match last {
                Some((other, arm)) if other.is_opposite(rim) => arm,
                _ => rim.arm(direction),
            };
            consider(rim.at + arm);
            last = Some((rim, arm));
        }
        let ellipsoids = self.ellipsoids.iter();
        ellipsoids.for_each(|e| consider(e.farthest(direction)));
        best
    }
}

impl Rim {
    /// Its farthest point along a direction.
    pub fn farthest(&self, direction: &Vec3) -> Vec3 {
        self.at + self.arm(direction)
    }

    /// From the centre to the farthest point along a direction.
    fn arm(&self, direction: &Vec3) -> Vec3 {
        // Two cross products stay in the disc however little is left of the direction.
        let outward = self.axis.cross(&direction.cross(&self.axis));
        let length = outward.norm();
        if length > 0.0 {
            outward * (self.radius / length)
        } else {
            self.zero * self.radius
        }
    }

    /// Whether another rim has the same radius and the opposite axis.
    fn is_opposite(&self, other: &Self) -> bool {
        self.radius == other.radius && self.axis == -other.axis
    }

    /// The point at an angle (rad).
    pub fn point(&self, angle: f64) -> Vec3 {
        let (sin, cos) = angle.sin_cos();
        self.at + (self.zero * cos + self.axis.cross(&self.zero) * sin) * self.radius
    }
}

impl Ellipsoid {
    /// Its farthest point along a direction.
    pub fn farthest(&self, direction: &Vec3) -> Vec3 {
        let local = self.orientation.inverse_transform_vector(direction);
        let scaled = local.component_mul(&self.radii);
        let support = scaled.component_mul(&self.radii) / scaled.norm().max(f64::MIN_POSITIVE);
        self.at + self.orientation * support
    }
}

impl Edge {
    /// Its ends (m).
    pub fn span(&self) -> [Vec3; 2] {
        [self.at, self.at + self.along * self.length]
    }

    /// Whether an arm from the edge leads over neither of its faces, by more than `seam` (m).
    pub fn is_off_faces(&self, arm: &Vec3, seam: f64) -> bool {
        let off = |v: &Vec3| v.dot(arm) < -seam || *v == Vec3::zeros();
        self.inward.iter().all(off)
    }

    /// How far a direction out of the solid leans into the faces of the edge: not positive where it touches.
    pub fn lean(&self, outward: &Vec3) -> f64 {
        let [a, b] = self.inward.map(|v| v.dot(outward));
        a.max(b)
    }
}

/// Unit normal of a polygon, from the sum of the areas of its triangles; none if it has no area.
fn normal(vertices: &[Vec3], polygon: &[u32]) -> Option<Vec3> {
    let origin = vertices[*polygon.first()? as usize];
    let arm = |k: u32| vertices[k as usize] - origin;
    let area: Vec3 = polygon
        .windows(2)
        .map(|pair| arm(pair[0]).cross(&arm(pair[1])))
        .sum();
    let size = polygon.iter().map(|k| arm(*k).norm()).fold(0.0, f64::max);
    // A sliver thinner than rounding of its own length has no direction.
    (area.norm() > 1e-12 * size * size).then(|| area.normalize())
}
