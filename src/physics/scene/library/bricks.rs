//! Pieces of the scenes with contact.

use super::parts;
use crate::math::Vec3;
use crate::scene::format::{
    BoxFile, CameraFile, ContactFile, HalfSpaceFile, MaterialFile, OrientationFile, Plot,
    SceneFile, ShapeFile, SphereFile,
};
use crate::scene::value::{ColourValue, Number, Vector};

/// A scene with contact whose surfaces are all of one material.
pub(super) fn scene(
    title: String,
    description: &str,
    friction: f64,
    restitution: f64,
) -> SceneFile {
    let mut contact = ContactFile::default();
    let material = MaterialFile {
        friction: Some(Number(friction)),
        restitution: Number(restitution),
        ..MaterialFile::default()
    };
    parts::add(&mut contact.materials, "surface".into(), material);
    SceneFile {
        contact: Some(contact),
        plots: vec![
            Plot::Energy,
            Plot::Losses,
            Plot::Penetration,
            Plot::Contacts,
        ],
        ..parts::scene(title, description)
    }
}

/// The ground below z = 0, perhaps tilted about the origin.
pub(super) fn ground(orientation: Option<OrientationFile>) -> ShapeFile {
    ShapeFile {
        half_space: Some(HalfSpaceFile {}),
        orientation,
        ..ShapeFile::default()
    }
}

/// A box centred on the frame of its body.
pub(super) fn block(size: Vec3) -> ShapeFile {
    ShapeFile {
        cuboid: Some(BoxFile { size: Vector(size) }),
        ..ShapeFile::default()
    }
}

/// A ball centred on the frame of its body.
pub(super) fn ball(radius: f64) -> ShapeFile {
    ShapeFile {
        sphere: Some(SphereFile {
            radius: Number(radius),
        }),
        ..ShapeFile::default()
    }
}

/// Turns about the fixed x, y and z axes, in this order (rad); nothing for no turn.
pub(super) fn turned(x: f64, y: f64, z: f64) -> Option<OrientationFile> {
    let euler = Vec3::new(x, y, z);
    (euler != Vec3::zeros()).then(|| OrientationFile {
        euler: Some(Vector(euler)),
        ..OrientationFile::default()
    })
}

/// A named colour.
pub(super) fn colour(name: &str) -> Option<ColourValue> {
    Some(ColourValue::Text(name.into()))
}

/// A camera that looks at a point from a direction, at a distance (m).
pub(super) fn look(target: Vec3, from: Vec3, distance: f64) -> Option<CameraFile> {
    Some(CameraFile {
        eye: Vector(target + from.normalize() * distance),
        target: Vector(target),
        up: None,
    })
}
