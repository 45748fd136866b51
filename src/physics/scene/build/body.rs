//! Bodies in code.

use super::Shape;
use crate::scene::format::{BodyFile, OrientationFile};
use crate::scene::value::{ColourValue, Number, Tensor, Vector};

/// A rigid body under construction. Its frame is where it is handy; its centre of mass follows from its shapes, or from
/// [`inertia_about`](Self::inertia_about).
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// All fields of a body of a scene file.
    pub file: BodyFile,
}

impl Body {
    /// A body without shapes, mass and place yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            file: BodyFile::default(),
        }
    }

    /// Its mass (kg); that of its shapes if it is not said.
    pub fn mass(mut self, mass: f64) -> Self {
        self.file.mass = Some(Number(mass));
        self
    }

    /// Density of its shapes (kg/m³); 1000 if it is not said.
    pub fn density(mut self, density: f64) -> Self {
        self.file.density = Some(Number(density));
        self
    }

    /// Its moments of inertia about its axes through the origin of its frame, where its centre of mass is (kg·m²). They go
    /// with a [`mass`](Self::mass).
    pub fn inertia(self, moments: [f64; 3]) -> Self {
        self.inertia_about([0.0; 3], moments)
    }

    /// Its centre of mass in its frame (m) and its moments of inertia about it, along the axes of the frame (kg·m²). They go
    /// with a [`mass`](Self::mass).
    pub fn inertia_about(mut self, centre: impl Into<Vector>, moments: [f64; 3]) -> Self {
        let [xx, yy, zz] = moments;
        self.file.centre = Some(centre.into());
        self.file.inertia = Some(Tensor([xx, yy, zz, 0.0, 0.0, 0.0]));
        self
    }

    /// One more shape.
    pub fn shape(mut self, shape: impl Into<Shape>) -> Self {
        self.file.shapes.push(shape.into().file);
        self
    }

    /// A ball of this radius about the origin of its frame (m).
    pub fn sphere(self, radius: f64) -> Self {
        self.shape(Shape::sphere(radius))
    }

    /// A box about the origin of its frame, with these edges along x, y and z (m).
    pub fn cuboid(self, size: impl Into<Vector>) -> Self {
        self.shape(Shape::cuboid(size))
    }

    /// A cylinder of this radius (m) between two points of its frame (m).
    pub fn cylinder(self, radius: f64, from: impl Into<Vector>, to: impl Into<Vector>) -> Self {
        self.shape(Shape::cylinder(radius, from, to))
    }

    /// A rod with round ends of this radius (m) between two points of its frame (m).
    pub fn capsule(self, radius: f64, from: impl Into<Vector>, to: impl Into<Vector>) -> Self {
        self.shape(Shape::capsule(radius, from, to))
    }

    /// Where the origin of its frame is at the start, in the world (m). A body that says neither this nor how it is
    /// [turned](Self::turned) is placed by its joint.
    pub fn position(mut self, position: impl Into<Vector>) -> Self {
        self.file.position = Some(position.into());
        self
    }

    /// How its frame is turned at the start: about an axis, which need not be of unit length, by an angle (rad).
    pub fn turned(mut self, axis: impl Into<Vector>, angle: f64) -> Self {
        self.file.orientation = Some(OrientationFile::about(axis, angle));
        self
    }

    /// Velocity of the origin of its frame at the start, world axes (m/s).
    pub fn velocity(mut self, velocity: impl Into<Vector>) -> Self {
        self.file.velocity = Some(velocity.into());
        self
    }

    /// Angular velocity at the start, world axes (rad/s).
    pub fn angular_velocity(mut self, velocity: impl Into<Vector>) -> Self {
        self.file.angular_velocity = Some(velocity.into());
        self
    }

    /// Colour of shapes without their own: a name or `#rrggbb`.
    pub fn colour(mut self, colour: impl Into<String>) -> Self {
        self.file.colour = Some(ColourValue::Text(colour.into()));
        self
    }

    /// Material of shapes without their own.
    pub fn material(mut self, name: impl Into<String>) -> Self {
        self.file.material = Some(name.into());
        self
    }
}
