//! Pieces that several generators use.

use crate::math::Vec3;
use crate::scene::format::{
    BodyFile, BoxFile, CameraFile, JointFile, Kind, RoundFile, SceneFile, ShapeFile, VERSION,
};
use crate::scene::items::Items;
use crate::scene::value::{Number, Numbers, Vector};

/// A scene with nothing in it.
pub(super) fn scene(title: String, description: &str) -> SceneFile {
    SceneFile {
        version: VERSION,
        title,
        description: description.into(),
        ..SceneFile::default()
    }
}

/// Adds an item whose name the generator makes up.
pub(super) fn add<T>(items: &mut Items<T>, name: String, item: T) {
    assert!(items.insert(name, item).is_ok(), "generated names differ");
}

/// Three numbers.
pub(super) fn vector(x: f64, y: f64, z: f64) -> Option<Vector> {
    Some(Vector(Vec3::new(x, y, z)))
}

/// Bar of square section whose frame is at the upper end; it hangs along its own negative z axis (m, kg).
pub(super) fn hanging_bar(width: f64, length: f64, mass: f64) -> BodyFile {
    BodyFile {
        mass: Some(Number(mass)),
        shape: Some(ShapeFile {
            cuboid: Some(BoxFile {
                size: Vector(Vec3::new(width, width, length)),
            }),
            at: vector(0.0, 0.0, -length / 2.0),
            ..ShapeFile::default()
        }),
        ..BodyFile::default()
    }
}

/// Capsule from the origin along the negative z axis (m).
pub(super) fn hanging_rod(radius: f64, length: f64) -> ShapeFile {
    ShapeFile {
        capsule: Some(RoundFile {
            radius: Number(radius),
            length: None,
        }),
        from: vector(0.0, 0.0, 0.0),
        to: vector(0.0, 0.0, -length),
        ..ShapeFile::default()
    }
}

/// Revolute joint about the x axis, its child's frame at the anchor, at an angle relative to the parent (rad).
pub(super) fn hinge(parent: &str, child: &str, anchor: Option<Vector>, angle: f64) -> JointFile {
    JointFile {
        kind: Kind::Revolute,
        parent: parent.into(),
        child: child.into(),
        anchor,
        axis: vector(1.0, 0.0, 0.0),
        at: Some(Numbers(vec![angle])),
        ..JointFile::default()
    }
}

/// A camera that looks along the negative x axis, a little from the side and from above, at a disc of the
/// given radius (m).
pub(super) fn side_view(target: Vec3, radius: f64) -> Option<CameraFile> {
    Some(CameraFile {
        eye: Vector(target + Vec3::new(2.6, -0.9, 0.5) * radius),
        target: Vector(target),
        up: None,
    })
}
