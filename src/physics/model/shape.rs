//! Shapes of bodies and of the world: what is drawn, picked and, by density, weighed.

use super::foundation::Foundation;
use crate::math::{Pose, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Colour in sRGB, each channel from 0 to 1.
pub type Colour = [f32; 3];

/// A closed surface of triangles, counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Corners (m).
    pub vertices: Vec<Vec3>,
    /// Corners of every triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// Heights over a regular grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeightField {
    /// Extent along x and y (m); the grid is centred on the frame of the shape.
    pub extent: [f64; 2],
    /// Number of samples along x and y, at least 2 each.
    pub samples: [usize; 2],
    /// Heights along z (m), x running fastest.
    pub heights: Vec<f64>,
}

impl HeightField {
    /// The ground as triangles: two to a cell, divided from its least to its largest corner.
    pub fn surface(&self) -> Surface {
        let [nx, ny] = self.samples;
        let step = |axis: usize| self.extent[axis] / (self.samples[axis] - 1) as f64;
        let vertex = |k: usize| {
            let along = |axis: usize, n: usize| step(axis) * n as f64 - 0.5 * self.extent[axis];
            Vec3::new(along(0, k % nx), along(1, k / nx), self.heights[k])
        };
        let cells = (0..ny - 1).flat_map(|y| (0..nx - 1).map(move |x| y * nx + x));
        let halves = cells.flat_map(|k| [[k, k + 1, k + nx + 1], [k, k + nx + 1, k + nx]]);
        Surface {
            vertices: (0..nx * ny).map(vertex).collect(),
            triangles: halves.map(|t| t.map(|k| k as u32)).collect(),
        }
    }
}

/// Solid geometry, centred on its own frame; axes of revolution are the local z axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Geometry {
    /// Everything below the plane z = 0 of its frame; for the world only.
    HalfSpace,
    /// Ball of the given radius (m).
    Sphere {
        /// Radius (m).
        radius: f64,
    },
    /// Box with the given edge lengths (m).
    Box {
        /// Edge lengths along x, y and z (m).
        size: Vec3,
    },
    /// Cylinder along z.
    Cylinder {
        /// Radius (m).
        radius: f64,
        /// Length along z (m).
        length: f64,
    },
    /// Cylinder along z with hemispherical ends.
    Capsule {
        /// Radius (m).
        radius: f64,
        /// Length of the cylindrical part along z (m); the caps come on top.
        length: f64,
    },
    /// Cone along z, its tip at `+3/4 length`, its base at `-1/4 length`, so that its centroid is the origin.
    Cone {
        /// Radius of the base (m).
        radius: f64,
        /// Height along z (m).
        length: f64,
    },
    /// Ellipsoid with the given half-axes.
    Ellipsoid {
        /// Half-axes along x, y and z (m).
        radii: Vec3,
    },
    /// Convex solid: the surface is that of the hull of its points.
    Hull(#[serde(with = "shared")] Arc<Surface>),
    /// Solid bounded by a closed surface, or an open surface of the world.
    Mesh(#[serde(with = "shared")] Arc<Surface>),
    /// Ground given by heights; for the world only.
    HeightField(#[serde(with = "shared")] Arc<HeightField>),
}

impl Geometry {
    /// Radius of a ball around the shape's centre that holds it (m); infinite for a half-space.
    pub fn reach(&self) -> f64 {
        match self {
            Self::HalfSpace => f64::INFINITY,
            Self::Sphere { radius } => *radius,
            Self::Box { size } => size.norm() / 2.0,
            Self::Capsule { radius, length } => radius + length / 2.0,
            Self::Cylinder { radius, length } => radius.hypot(length / 2.0),
            Self::Cone { radius, length } => radius.hypot(0.75 * length),
            Self::Ellipsoid { radii } => radii.max(),
            Self::Hull(surface) | Self::Mesh(surface) => {
                let norms = surface.vertices.iter().map(|v| v.norm());
                norms.fold(0.0, f64::max)
            }
            Self::HeightField(field) => {
                let highest = field.heights.iter().fold(0.0, |h: f64, x| h.max(x.abs()));
                (field.extent[0].hypot(field.extent[1]) / 2.0).hypot(highest)
            }
        }
    }
}

/// One piece of a body or of the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// What it is.
    pub geometry: Geometry,
    /// Where it is: frame of the shape in the frame of its body (origin at the centre of mass), or in the world.
    pub pose: Pose,
    /// Its colour; `None` lets the window choose.
    pub colour: Option<Colour>,
    /// What it touches and what it is made of.
    pub touch: Touch,
    /// Layers on its faces that give.
    pub foundations: Vec<Foundation>,
}

/// What a shape touches, in models with [contact](super::Model::contact).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// Index among the materials of the model.
    pub material: usize,
    /// Groups the shape belongs to, one bit each; none for a shape that is only drawn.
    pub member: u32,
    /// Groups the shape touches.
    pub meets: u32,
}

impl Default for Touch {
    /// The first material; a member of the first group that touches all groups.
    fn default() -> Self {
        Self {
            material: 0,
            member: 1,
            meets: u32::MAX,
        }
    }
}

impl Touch {
    /// Whether two shapes touch each other: each belongs to a group that the other meets.
    pub fn meets(&self, other: &Self) -> bool {
        self.member & other.meets != 0 && other.member & self.meets != 0
    }
}

/// What shapes share is written out with each of them.
mod shared {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    pub fn serialize<T: Serialize, S: Serializer>(
        value: &Arc<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().serialize(to)
    }

    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Arc<T>, D::Error> {
        T::deserialize(from).map(Arc::new)
    }
}
