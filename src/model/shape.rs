//! Shapes of bodies and of the world: what is drawn, picked and, by density, weighed.

use crate::math::{Pose, Vec3};

/// Colour in sRGB, each channel from 0 to 1.
pub type Colour = [f32; 3];

/// Solid geometry, centred on its own frame; axes of revolution are the local z axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// Ball of the given radius [m].
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// Box with the given edge lengths [m].
    Box {
        /// Edge lengths along x, y and z [m].
        size: Vec3,
    },
    /// Cylinder along z.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Length along z [m].
        length: f64,
    },
    /// Cylinder along z with hemispherical ends.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Length of the cylindrical part along z [m]; the caps come on top.
        length: f64,
    },
    /// Cone along z, its tip at `+3/4 length`, its base at `-1/4 length`, so that its centroid is the origin.
    Cone {
        /// Radius of the base [m].
        radius: f64,
        /// Height along z [m].
        length: f64,
    },
}

/// One piece of a body or of the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// What it is.
    pub geometry: Geometry,
    /// Where it is: frame of the shape in the frame of its body (origin at the centre of mass), or in the world.
    pub pose: Pose,
    /// Its colour; `None` lets the window choose.
    pub colour: Option<Colour>,
}
