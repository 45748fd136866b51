//! Shapes in code.

use crate::scene::format::{
    BoxFile, EllipsoidFile, HalfSpaceFile, OrientationFile, RoundFile, ShapeFile, SphereFile,
};
use crate::scene::value::{ColourValue, Number, Vector};

/// A solid piece of a body or of the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// All fields of a shape of a scene file.
    pub file: ShapeFile,
}

impl From<ShapeFile> for Shape {
    fn from(file: ShapeFile) -> Self {
        Self { file }
    }
}

impl Shape {
    /// A ball of this radius (m).
    pub fn sphere(radius: f64) -> Self {
        let sphere = Some(SphereFile {
            radius: Number(radius),
        });
        Self::from(ShapeFile {
            sphere,
            ..ShapeFile::default()
        })
    }

    /// A box with these edges along x, y and z (m).
    pub fn cuboid(size: impl Into<Vector>) -> Self {
        let cuboid = Some(BoxFile { size: size.into() });
        Self::from(ShapeFile {
            cuboid,
            ..ShapeFile::default()
        })
    }

    /// An ellipsoid with these half-axes along x, y and z (m).
    pub fn ellipsoid(radii: impl Into<Vector>) -> Self {
        let ellipsoid = Some(EllipsoidFile {
            radii: radii.into(),
        });
        Self::from(ShapeFile {
            ellipsoid,
            ..ShapeFile::default()
        })
    }

    /// A cylinder of this radius (m) between two points on its axis (m).
    pub fn cylinder(radius: f64, from: impl Into<Vector>, to: impl Into<Vector>) -> Self {
        let cylinder = round(radius);
        Self::from(ShapeFile {
            cylinder,
            ..between(from, to)
        })
    }

    /// A cylinder of this radius (m) between two points on its axis (m), with hemispherical ends on top.
    pub fn capsule(radius: f64, from: impl Into<Vector>, to: impl Into<Vector>) -> Self {
        let capsule = round(radius);
        Self::from(ShapeFile {
            capsule,
            ..between(from, to)
        })
    }

    /// A cone with a base of this radius (m) about the first point, and its tip at the second (m).
    pub fn cone(radius: f64, base: impl Into<Vector>, tip: impl Into<Vector>) -> Self {
        let cone = round(radius);
        Self::from(ShapeFile {
            cone,
            ..between(base, tip)
        })
    }

    /// Everything below the plane z = 0 of its frame; for the world alone.
    pub fn half_space() -> Self {
        let half_space = Some(HalfSpaceFile::default());
        Self::from(ShapeFile {
            half_space,
            ..ShapeFile::default()
        })
    }

    /// Its centre in the frame of its body (m).
    pub fn at(mut self, centre: impl Into<Vector>) -> Self {
        self.file.at = Some(centre.into());
        self
    }

    /// Turned about an axis, which need not be of unit length, by an angle (rad).
    pub fn turned(mut self, axis: impl Into<Vector>, angle: f64) -> Self {
        self.file.orientation = Some(OrientationFile::about(axis, angle));
        self
    }

    /// Its mass (kg); 0 for a massless piece.
    pub fn mass(mut self, mass: f64) -> Self {
        self.file.mass = Some(Number(mass));
        self
    }

    /// Its density (kg/m³).
    pub fn density(mut self, density: f64) -> Self {
        self.file.density = Some(Number(density));
        self
    }

    /// Its colour: a name or `#rrggbb`.
    pub fn colour(mut self, colour: impl Into<String>) -> Self {
        self.file.colour = Some(ColourValue::Text(colour.into()));
        self
    }

    /// Its material.
    pub fn material(mut self, name: impl Into<String>) -> Self {
        self.file.material = Some(name.into());
        self
    }

    /// A piece that touches nothing: it is drawn and weighed.
    pub fn untouchable(mut self) -> Self {
        self.file.collides = Some(false);
        self
    }
}

fn round(radius: f64) -> Option<RoundFile> {
    Some(RoundFile {
        radius: Number(radius),
        length: None,
    })
}

fn between(from: impl Into<Vector>, to: impl Into<Vector>) -> ShapeFile {
    ShapeFile {
        from: Some(from.into()),
        to: Some(to.into()),
        ..ShapeFile::default()
    }
}

impl OrientationFile {
    /// The rotation about an axis, which need not be of unit length, by an angle (rad).
    pub fn about(axis: impl Into<Vector>, angle: f64) -> Self {
        Self {
            axis: Some(axis.into()),
            angle: Some(Number(angle)),
            ..Self::default()
        }
    }
}
