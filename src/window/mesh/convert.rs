//! Between the simulation's double precision and the graphics card's single precision: the only such place.
//!
//! Both worlds share their axes: metres, z up.

use bevy::math as gpu;
use bevy::prelude::Transform;
use physics::math::{Mat3, Pose, Quat, Vec3};

/// A vector for drawing.
pub fn vec3(v: &Vec3) -> gpu::Vec3 {
    gpu::Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

/// A rotation for drawing.
pub fn quat(q: &Quat) -> gpu::Quat {
    gpu::Quat::from_xyzw(q.i as f32, q.j as f32, q.k as f32, q.w as f32).normalize()
}

/// A pose for drawing.
pub fn transform(pose: &Pose) -> Transform {
    Transform {
        translation: vec3(&pose.translation.vector),
        rotation: quat(&pose.rotation),
        scale: gpu::Vec3::ONE,
    }
}

/// A rotation whose columns are the given unit vectors.
pub fn axes(columns: &Mat3) -> gpu::Quat {
    quat(&Quat::from_rotation_matrix(
        &nalgebra::Rotation3::from_matrix_unchecked(*columns),
    ))
}

/// The pose at a fraction from one pose to another, the shorter way round.
///
/// Interpolated in double precision, so that what is drawn is rounded once.
pub fn between(from: &Pose, to: &Pose, fraction: f64) -> Pose {
    let translation = from
        .translation
        .vector
        .lerp(&to.translation.vector, fraction);
    // Half a turn within one step has no shorter way; the end is as good a choice as any.
    let rotation = from
        .rotation
        .try_slerp(&to.rotation, fraction, 1e-12)
        .unwrap_or(to.rotation);
    Pose::from_parts(translation.into(), rotation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_in_between_turn_evenly_and_the_shorter_way() {
        let turn = |a: f64| Quat::from_axis_angle(&Vec3::z_axis(), a);
        let from = Pose::from_parts(Vec3::new(1.0, 0.0, 0.0).into(), turn(3.0));
        let to = Pose::from_parts(Vec3::new(2.0, 0.0, 4.0).into(), turn(3.4));
        let middle = between(&from, &to, 0.25);
        assert!((middle.translation.vector - Vec3::new(1.25, 0.0, 1.0)).norm() < 1e-15);
        assert!(middle.rotation.angle_to(&turn(3.1)) < 1e-12);
        let drawn = transform(&middle);
        assert!(
            (drawn.rotation * gpu::Vec3::X - gpu::Vec3::new(3.1f32.cos(), 3.1f32.sin(), 0.0))
                .length()
                < 1e-6
        );
    }
}
