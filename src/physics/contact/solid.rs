//! Shapes prepared for contact: their features in the frame of their body, and their bounds.

use super::parry::Tree;
use super::polyhedron::{Edge, Face, Polyhedron};
use crate::math::{Pose, Vec3};
use crate::model::{BodyId, BodyState, Geometry, Model, Shape, Touch};
use std::sync::Arc;

/// Faces from which on a solid gets an index.
const MANY: usize = 32;

/// A box along the axes of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    /// Least coordinates (m).
    pub lower: Vec3,
    /// Largest coordinates (m).
    pub upper: Vec3,
}

/// A shape of a body or of the world.
#[derive(Clone)]
pub(super) struct Solid {
    /// Whose; `None` is the world.
    pub body: Option<BodyId>,
    /// What it touches and what it is made of.
    pub touch: Touch,
    /// Its corners, edges and faces, in the frame of its body; shared by all detectors of parts of a model.
    pub polyhedron: Arc<Polyhedron>,
    /// What it lies in, in the frame of its body.
    pub bounds: Bounds,
    /// Its smallest extent (m); infinite for a half-space.
    pub size: f64,
    /// How [thin](Self::measured_thickness) it is (m).
    pub thickness: f64,
    /// Whether it is convex; otherwise its surface may be open.
    pub convex: bool,
    index: Option<Arc<Index>>,
}

/// Features of a solid with many of them, by where they are.
struct Index {
    corners: Tree,
    edges: Tree,
    faces: Tree,
}

/// Numbers of the features of a solid that lie in given bounds.
#[derive(Debug, Clone, Default)]
pub(super) struct Near {
    /// Corners.
    pub corners: Vec<usize>,
    /// Edges.
    pub edges: Vec<usize>,
    /// Faces, and some more of small solids.
    pub faces: Vec<usize>,
}

/// All shapes of a model with their bodies, in the order of the numbers by which keys of contacts name them: bodies first.
pub fn numbered(model: &Model) -> impl Iterator<Item = (Option<BodyId>, &Shape)> {
    let bodies = model.bodies.iter().enumerate();
    let bodies = bodies.flat_map(|(k, b)| b.shapes.iter().map(move |s| (Some(BodyId(k)), s)));
    bodies.chain(model.world_shapes.iter().map(|s| (None, s)))
}

impl Solid {
    /// All shapes of a model that touch anything, bodies first.
    pub fn all(model: &Model) -> Vec<Self> {
        numbered(model)
            .map(|(body, shape)| Self::new(body, shape))
            .collect()
    }

    fn new(body: Option<BodyId>, shape: &Shape) -> Self {
        let upright = match &shape.geometry {
            Geometry::HalfSpace => Polyhedron::half_space(Vec3::zeros(), Vec3::z()),
            Geometry::Sphere { radius } => Polyhedron::point(Vec3::zeros(), *radius),
            Geometry::Box { size } => Polyhedron::cuboid(size),
            Geometry::Capsule { radius, length } if *length > 0.0 => {
                let end = Vec3::z() * (0.5 * length);
                Polyhedron::segment(-end, end, *radius)
            }
            Geometry::Capsule { radius, .. } => Polyhedron::point(Vec3::zeros(), *radius),
            Geometry::Cylinder { radius, length } => Polyhedron::cylinder(*radius, *length),
            Geometry::Cone { radius, length } => Polyhedron::cone(*radius, *length),
            Geometry::Ellipsoid { radii } => Polyhedron::ellipsoid(*radii),
            Geometry::Hull(surface) | Geometry::Mesh(surface) => Polyhedron::from_surface(surface),
            Geometry::HeightField(field) => Polyhedron::from_surface(&field.surface()),
        };
        let mut polyhedron = Polyhedron::default();
        upright.place(&shape.pose, &mut polyhedron);
        let bounds = Bounds::of(&polyhedron);
        let open = matches!(shape.geometry, Geometry::Mesh(_) | Geometry::HeightField(_));
        let index = (polyhedron.faces.len() > MANY).then(|| Arc::new(Index::of(&polyhedron)));
        let mut solid = Self {
            body,
            touch: shape.touch,
            convex: !open,
            thickness: f64::INFINITY,
            // A surface may be flat, and is no thinner for that.
            size: match open {
                true => (bounds.upper - bounds.lower).max(),
                false => (bounds.upper - bounds.lower).min(),
            },
            polyhedron: Arc::new(polyhedron),
            bounds,
            index,
        };
        solid.thickness = solid.measured_thickness();
        solid
    }

    /// Whether it is everything below a plane.
    pub fn is_half_space(&self) -> bool {
        self.bounds.lower.x == f64::NEG_INFINITY
    }

    /// The features in some bounds, given in the frame of the body, in order.
    pub fn features_within(&self, bounds: &Bounds, into: &mut Near) {
        if let Some(index) = &self.index {
            index.corners.within(bounds, &mut into.corners);
            index.edges.within(bounds, &mut into.edges);
            index.faces.within(bounds, &mut into.faces);
            return;
        }
        let solid = &self.polyhedron;
        let corners = solid.corners.iter().enumerate();
        into.corners.clear();
        into.corners.extend(corners.filter_map(|(k, c)| {
            Bounds::around([c.at].into_iter())
                .enlarged(c.radius)
                .meets(bounds)
                .then_some(k)
        }));
        let edges = solid.edges.iter().enumerate();
        into.edges.clear();
        into.edges.extend(edges.filter_map(|(k, e)| {
            Bounds::around(e.span().into_iter())
                .enlarged(e.radius)
                .meets(bounds)
                .then_some(k)
        }));
        into.faces.clear();
        into.faces.extend(0..solid.faces.len());
    }

    /// Whether a way from one point to another, in the frame of the body, goes into it through a face.
    pub fn is_entered(&self, [from, to]: [&Vec3; 2]) -> bool {
        let solid = &self.polyhedron;
        let through = |k: usize| {
            let [before, behind] = [from, to].map(|point| solid.faces[k].height(point));
            let met = || from + (to - from) * (before / (before - behind));
            before > 0.0 && behind < 0.0 && solid.depth_inside(k, &met()) >= 0.0
        };
        let bounds = Bounds::around([*from, *to].into_iter());
        match &self.index {
            Some(index) => index.faces.any_within(&bounds, through),
            None => (0..solid.faces.len()).any(through),
        }
    }

    /// The pose of its body.
    pub fn pose(&self, bodies: &[BodyState]) -> Pose {
        self.body.map_or_else(Pose::identity, |b| {
            let body = &bodies[b.0];
            Pose::from_parts(body.position.into(), body.orientation)
        })
    }
}

impl Index {
    fn of(solid: &Polyhedron) -> Self {
        let corners = solid.corners.iter().map(|c| [c.at]);
        let edges = solid.edges.iter().map(Edge::span);
        let faces = solid.faces.iter().map(|f| {
            let sides = &solid.sides[f.sides.clone()];
            Bounds::around(sides.iter().map(|s| s.at))
        });
        Self {
            corners: Tree::new(corners.map(|p| Bounds::around(p.into_iter()))),
            edges: Tree::new(edges.map(|p| Bounds::around(p.into_iter()))),
            faces: Tree::new(faces),
        }
    }
}

impl Bounds {
    /// Bounds of a solid; a half-space has none.
    fn of(solid: &Polyhedron) -> Self {
        let bounded = |f: &Face| f.disc.is_some() || !f.sides.is_empty();
        if !solid.faces.iter().all(bounded) {
            return Self::around(std::iter::empty());
        }
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
        let ends = axes
            .iter()
            .flat_map(|a| [solid.farthest(a), solid.farthest(&-a)]);
        // Faces reach where a surface has no corner that sticks out; a surface that is flat has none at all.
        if solid.sides.is_empty() {
            Self::around(ends)
        } else {
            Self::around(solid.sides.iter().map(|s| s.at))
        }
        .enlarged(solid.radius)
    }

    /// Bounds of points; unbounded without points.
    pub fn around(points: impl Iterator<Item = Vec3>) -> Self {
        let points = points.map(|p| (p, p));
        let bounds = points.reduce(|(l, u), (p, q)| (l.inf(&p), u.sup(&q)));
        let (lower, upper) =
            bounds.unwrap_or((Vec3::repeat(f64::NEG_INFINITY), Vec3::repeat(f64::INFINITY)));
        Self { lower, upper }
    }

    /// How far their farthest point is from where coordinates begin (m).
    pub fn farthest(&self) -> f64 {
        self.lower.abs().sup(&self.upper.abs()).norm()
    }

    /// The least bounds that both lie in.
    pub fn joined(&self, other: &Self) -> Self {
        Self {
            lower: self.lower.inf(&other.lower),
            upper: self.upper.sup(&other.upper),
        }
    }

    fn enlarged(&self, margin: f64) -> Self {
        let margin = Vec3::repeat(margin);
        Self {
            lower: self.lower - margin,
            upper: self.upper + margin,
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
