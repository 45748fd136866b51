//! Geometry of R3 and SO(3), and which numbers hang together: nothing here knows what a body is.

pub mod disjoint_sets;
pub mod lanes;
pub mod rotation;

/// Column vector of three numbers.
pub type Vec3 = nalgebra::Vector3<f64>;
/// 3×3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// Column vector of six numbers: a linear part, then an angular part.
pub type Vec6 = nalgebra::Vector6<f64>;
/// 6×6 matrix between linear and angular parts.
pub type Mat6 = nalgebra::Matrix6<f64>;
/// Rotation as a unit quaternion, Hamilton convention, `world_from_body` where a body is meant.
pub type Quat = nalgebra::UnitQuaternion<f64>;
/// Rigid transform: rotation followed by translation.
pub type Pose = nalgebra::Isometry3<f64>;

/// How far points within a ball about the centre of a body are moved at most from one pose to another, each the place of
/// the centre and an orientation: a chord is no longer than twice the difference of the quaternions times its arm.
pub fn moved(from: (&Vec3, &Quat), to: (&Vec3, &Quat), radius: f64) -> f64 {
    let (before, after) = (from.1.coords, to.1.coords);
    let turn = (after - before).norm().min((after + before).norm());
    (to.0 - from.0).norm() + 2.0 * turn * radius
}
