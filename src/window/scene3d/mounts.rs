//! What a mechanism hangs from or stands on: a bracket with the hatching of drawings, wherever a joint meets the world.

use crate::mesh::cache::MeshCache;
use crate::mesh::convert;
use bevy::prelude::*;
use physics::math::{Pose, Quat as Rotation, Vec3 as Vector};
use physics::model::{Geometry, Joint, JointKind};

/// A bracket: where it is in the world, and its pieces there. Its z axis points from the joint to the wall.
pub struct Mount {
    /// The joint's anchor, the direction of the wall, and the joint's axis as y where it has one across.
    pub frame: Pose,
    /// Meshes and places in the frame.
    pub pieces: Vec<(Handle<Mesh>, Transform)>,
}

/// An edge or length of a piece, in joint radii.
const LEG: [f64; 2] = [1.3, 0.35];
/// Distance of the wall from the joint.
const REACH: f64 = 3.0;
/// Edges of the plate at the wall.
const PLATE: [f64; 3] = [5.0, 4.4, 0.35];
/// Strokes of the hatching: how many, their distance, and their edges.
const STROKES: (usize, f64, [f64; 3]) = (5, 1.1, [0.14, 4.4, 1.1]);

/// The bracket of a joint to the world of that radius (m), whose child has its centre of mass at a point (m) at first;
/// none for joints that show by themselves what they move along. `up` points against gravity.
pub fn mount(
    joint: &Joint,
    centre: &Vector,
    up: &Vector,
    size: f64,
    cache: &mut MeshCache,
    store: &mut Assets<Mesh>,
) -> Option<Mount> {
    let frame = placed(joint, centre, up)?;
    let block = |edges: [f64; 3]| Geometry::Box {
        size: Vector::from(edges) * size,
    };
    let at = |x: f64, y: f64, z: f64| convert::vec3(&(Vector::new(x, y, z) * size));
    let mut pieces = Vec::new();
    let mut put = |geometry: &Geometry, pose: Transform| {
        pieces.extend(cache.mesh(geometry, store).map(|mesh| (mesh, pose)));
    };
    // Two legs hold a pin at its ends; a ball or an upright axis has a post.
    match across(joint, up) {
        true => {
            let leg = block([LEG[0], LEG[1], REACH]);
            for side in [-1.0, 1.0] {
                let pose = Transform::from_translation(at(0.0, side * 1.7, 0.5 * REACH));
                put(&leg, pose);
            }
        }
        false => {
            let post = Geometry::Cylinder {
                radius: 0.5 * size,
                length: (REACH - 1.0) * size,
            };
            let middle = 0.5 * (REACH + 1.0);
            put(&post, Transform::from_translation(at(0.0, 0.0, middle)));
        }
    }
    let wall = REACH + 0.5 * PLATE[2];
    put(
        &block(PLATE),
        Transform::from_translation(at(0.0, 0.0, wall)),
    );
    let (count, apart, edges) = STROKES;
    let stroke = block(edges);
    let slant = Quat::from_rotation_y(std::f32::consts::FRAC_PI_4);
    for k in 0..count {
        let x = apart * (k as f64 - 0.5 * (count - 1) as f64);
        // Half of the slanted height is above the plate.
        let height = REACH + PLATE[2] + 0.5 * edges[2] * std::f64::consts::FRAC_1_SQRT_2;
        put(
            &stroke,
            Transform::from_translation(at(x, 0.0, height)).with_rotation(slant),
        );
    }
    Some(Mount { frame, pieces })
}

/// The axis of a pin in the world; none of a joint without one.
fn pin(joint: &Joint) -> Option<Vector> {
    let has = matches!(joint.kind, JointKind::Revolute | JointKind::Universal);
    has.then(|| joint.parent_frame.orientation * Vector::z())
}

/// Whether a joint has a pin that lies across the direction of gravity.
fn across(joint: &Joint, up: &Vector) -> bool {
    pin(joint).is_some_and(|axis| axis.dot(up).abs() < 0.9)
}

/// Where the bracket is: above a body that hangs, below one that stands.
fn placed(joint: &Joint, centre: &Vector, up: &Vector) -> Option<Pose> {
    let held = matches!(
        joint.kind,
        JointKind::Revolute | JointKind::Universal | JointKind::Spherical
    );
    if joint.parent.is_some() || !held {
        return None;
    }
    let anchor = joint.parent_frame.anchor;
    let stands = (centre - anchor).dot(up) > 1e-9 * (centre - anchor).norm();
    let away = if stands { -up } else { *up };
    let axis = match pin(joint) {
        Some(axis) if across(joint, up) => axis,
        // Any direction across will do.
        _ => up.cross(&if up.x.abs() < 0.9 {
            Vector::x()
        } else {
            Vector::y()
        }),
    };
    let z = (away - axis * (away.dot(&axis) / axis.norm_squared())).normalize();
    let rotation = Rotation::face_towards(&z, &axis);
    Some(Pose::from_parts(anchor.into(), rotation))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scene: &str, joint: usize) -> Option<Pose> {
        let scene = physics::scene::open(scene, &[]).unwrap();
        let joint = &scene.model.joints[joint];
        let centre = scene.state.bodies[joint.child.0].position;
        placed(joint, &centre, &Vector::z())
    }

    #[test]
    fn what_hangs_is_below_its_bracket_and_what_stands_is_above() {
        let pendulum = of("pendulum", 0).unwrap();
        assert!((pendulum.rotation * Vector::z()).z > 0.99);
        // It begins upright.
        let top = of("double_pendulum", 0).unwrap();
        assert!((top.rotation * Vector::z()).z < -0.99);
    }

    #[test]
    fn legs_stand_at_the_ends_of_the_pin_and_only_joints_to_the_world_have_them() {
        let scene = physics::scene::open("double_pendulum", &[]).unwrap();
        let axis = scene.model.joints[0].parent_frame.orientation * Vector::z();
        let bracket = of("double_pendulum", 0).unwrap();
        assert!((bracket.rotation * Vector::y()).dot(&axis).abs() > 1.0 - 1e-12);
        assert!(of("double_pendulum", 1).is_none());
    }
}
