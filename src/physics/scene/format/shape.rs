//! Shapes of bodies and of the world as they stand in a scene file.

use super::{FoundationFile, OrientationFile};
use crate::scene::value::{ColourValue, Heights, Number, Vector};
use serde::{Deserialize, Serialize};

/// One solid piece; exactly one of `sphere`, `box`, `cylinder`, `capsule`, `cone`, `ellipsoid`, `hull`, `mesh`,
/// `half_space`, `height_field`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeFile {
    /// Ball.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sphere: Option<SphereFile>,
    /// Box.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub cuboid: Option<BoxFile>,
    /// Cylinder along its z axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cylinder: Option<RoundFile>,
    /// Cylinder along its z axis with hemispherical ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capsule: Option<RoundFile>,
    /// Cone along its z axis; its centre is its centroid, a quarter of the height above the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cone: Option<RoundFile>,
    /// Ellipsoid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ellipsoid: Option<EllipsoidFile>,
    /// Convex hull of points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hull: Option<HullFile>,
    /// Surface of triangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
    /// Everything below the plane z = 0 of its frame; for the world only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_space: Option<HalfSpaceFile>,
    /// Ground given by heights; for the world only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height_field: Option<HeightFieldFile>,
    /// Centre in the body's frame (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vector>,
    /// Orientation in the body's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<OrientationFile>,
    /// Lower end of the axis of a cylinder, capsule or cone (m), instead of `at` and `orientation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Vector>,
    /// Upper end of the axis, a cone's tip (m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Vector>,
    /// Mass (kg); 0 for a massless piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
    /// Density (kg/m³).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<ColourValue>,
    /// Material; that of the body if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Groups it belongs to; the group `default` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<String>>,
    /// Groups it touches; all if absent.
    #[serde(default, alias = "meets", skip_serializing_if = "Option::is_none")]
    pub collides_with: Option<Vec<String>>,
    /// `false` for a piece that touches nothing: it is drawn and, unless its mass is 0, weighed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collides: Option<bool>,
    /// Layers on its faces that give.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foundations: Vec<FoundationFile>,
}

/// A ball.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SphereFile {
    /// Radius (m).
    pub radius: Number,
}

/// A box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxFile {
    /// Edge lengths along x, y and z (m).
    pub size: Vector,
}

/// A cylinder, capsule or cone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundFile {
    /// Radius (m).
    pub radius: Number,
    /// Length along the axis (m); a capsule's caps come on top. Absent where `from` and `to` say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number>,
}

/// An ellipsoid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EllipsoidFile {
    /// Half-axes along x, y and z (m).
    pub radii: Vector,
}

/// The convex hull of points; exactly one of `points` and `file`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HullFile {
    /// The points (m).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Vector>,
    /// Mesh file whose corners are the points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Factor of the file's lengths; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Number>,
}

/// A surface of triangles.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshFile {
    /// OBJ, STL, glTF or GLB file, by its path from the folder of the scene.
    pub file: String,
    /// Factor of the file's lengths; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Number>,
}

/// A half-space has no size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HalfSpaceFile {}

/// Ground given by heights over a grid, centred on the frame of the shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeightFieldFile {
    /// Extent along x and y (m).
    pub extent: (Number, Number),
    /// Number of samples along x and y, at least 2 each.
    pub samples: (usize, usize),
    /// Heights along z (m).
    pub heights: Heights,
}
