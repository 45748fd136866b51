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
