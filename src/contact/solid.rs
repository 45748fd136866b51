//! Shapes prepared for contact: their features in the frame of their body, and their bounds.

use super::polyhedron::Polyhedron;
use crate::math::{Pose, Vec3};
use crate::model::{BodyId, BodyState, Geometry, Model, Shape, Touch};

/// A box along the axes of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    /// Least coordinates [m].
    pub lower: Vec3,
    /// Largest coordinates [m].
    pub upper: Vec3,
}

/// A shape of a body or of the world.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solid {
    /// Whose; `None` is the world.
    pub body: Option<BodyId>,
    /// What it touches and what it is made of.
    pub touch: Touch,
    /// Its corners, edges and faces, in the frame of its body.
    pub polyhedron: Polyhedron,
    /// What it lies in, in the frame of its body.
    pub bounds: Bounds,
    /// Its smallest extent [m]; infinite for a half-space.
    pub size: f64,
}

impl Solid {
    /// All shapes of a model that touch anything, bodies first.
    pub fn all(model: &Model) -> Vec<Self> {
        let bodies = model.bodies.iter().enumerate();
        let of_bodies =
            bodies.flat_map(|(k, b)| b.shapes.iter().map(move |s| (Some(BodyId(k)), s)));
        let of_world = model.world_shapes.iter().map(|s| (None, s));
        of_bodies
            .chain(of_world)
            .filter_map(|(body, shape)| Self::new(body, shape))
            .collect()
    }

    fn new(body: Option<BodyId>, shape: &Shape) -> Option<Self> {
        let upright = match &shape.geometry {
            Geometry::HalfSpace => Polyhedron::half_space(Vec3::zeros(), Vec3::z()),
            Geometry::Sphere { radius } => Polyhedron::point(Vec3::zeros(), *radius),
            Geometry::Box { size } => Polyhedron::cuboid(size),
            Geometry::Capsule { radius, length } if *length > 0.0 => {
                let end = Vec3::z() * (0.5 * length);
                Polyhedron::segment(-end, end, *radius)
            }
            Geometry::Capsule { radius, .. } => Polyhedron::point(Vec3::zeros(), *radius),
            Geometry::Hull(surface) => {
                let triangles = surface.triangles.iter().map(|t| t.as_slice());
                Polyhedron::from_polygons(&surface.vertices, triangles)
            }
            _ => return None,
        };
        let mut polyhedron = Polyhedron::default();
        upright.place(&shape.pose, &mut polyhedron);
        let bounds = Bounds::around(polyhedron.corners.iter().map(|c| c.at), polyhedron.radius);
        let size = (bounds.upper - bounds.lower).min();
        Some(Self {
            body,
            touch: shape.touch,
            polyhedron,
            bounds,
            size,
        })
    }

    /// The pose of its body.
    pub fn pose(&self, bodies: &[BodyState]) -> Pose {
        self.body.map_or_else(Pose::identity, |b| {
            let body = &bodies[b.0];
            Pose::from_parts(body.position.into(), body.orientation)
        })
    }
}

impl Bounds {
    /// Bounds of balls about points; unbounded without points.
    pub fn around(points: impl Iterator<Item = Vec3>, radius: f64) -> Self {
        let points = points.map(|p| (p, p));
        let Some((lower, upper)) = points.reduce(|(l, u), (p, q)| (l.inf(&p), u.sup(&q))) else {
            return Self {
                lower: Vec3::repeat(f64::NEG_INFINITY),
                upper: Vec3::repeat(f64::INFINITY),
            };
        };
        let margin = Vec3::repeat(radius);
        Self {
            lower: lower - margin,
            upper: upper + margin,
        }
    }

    /// Bounds of these bounds seen from another frame, enlarged on all sides.
    pub fn seen_from(&self, pose: &Pose, margin: f64) -> Self {
        if !self.lower.x.is_finite() {
            return *self;
        }
        let centre = pose * nalgebra::Point3::from((self.lower + self.upper) * 0.5);
        let turn = pose.rotation.to_rotation_matrix().matrix().abs();
        let half = turn * ((self.upper - self.lower) * 0.5) + Vec3::repeat(margin);
        Self {
            lower: centre.coords - half,
            upper: centre.coords + half,
        }
    }

    /// Whether two bounds overlap.
    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.lower[k] <= other.upper[k] && other.lower[k] <= self.upper[k])
    }
}
