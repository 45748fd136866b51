//! All that is asked of `parry3d`: rays against solids and trees of bounds.

#[cfg(test)]
use super::polyhedron::Polyhedron;
use super::solid::Bounds;
use crate::math::Vec3;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{Ray, RayCast};
use parry3d::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Triangle};

/// Solids that rays are cast at; axes of revolution along y, centres at half height.
pub(super) enum Target {
    /// Radius.
    Ball(f64),
    /// Half edge lengths.
    Cuboid(Vec3),
    /// Half height and radius.
    Cylinder(f64, f64),
    /// Half height and radius.
    Capsule(f64, f64),
    /// Half height and radius.
    Cone(f64, f64),
    /// Corners.
    Triangle([Vec3; 3]),
}

/// Where a half-line meets a solid, in lengths of `direction` from `origin`; 0 if it starts inside.
pub(super) fn ray(target: Target, origin: &Vec3, direction: &Vec3) -> Option<f64> {
    let ray = Ray::new(vector(origin), vector(direction));
    let far = f64::MAX;
    match target {
        Target::Ball(radius) => Ball::new(radius).cast_local_ray(&ray, far, true),
        Target::Cuboid(half) => Cuboid::new(vector(&half)).cast_local_ray(&ray, far, true),
        Target::Cylinder(half, radius) => {
            Cylinder::new(half, radius).cast_local_ray(&ray, far, true)
        }
        Target::Capsule(half, radius) => {
            Capsule::new_y(half, radius).cast_local_ray(&ray, far, true)
        }
        Target::Cone(half, radius) => Cone::new(half, radius).cast_local_ray(&ray, far, true),
        Target::Triangle(corners) => {
            let [a, b, c] = corners.map(|p| vector(&p));
            Triangle::new(a, b, c).cast_local_ray(&ray, far, true)
        }
    }
}

/// Bounds of many things, found by where they are.
#[derive(Clone)]
pub(super) struct Tree(Bvh);

impl Tree {
    /// A tree over bounds, numbered in their order.
    pub fn new(bounds: impl Iterator<Item = Bounds>) -> Self {
        let leaves = bounds.map(|b| Aabb::new(vector(&b.lower), vector(&b.upper)));
        Self(Bvh::from_iter(BvhBuildStrategy::Binned, leaves.enumerate()))
    }

    /// The numbers of those that overlap `bounds`, in order.
    pub fn within(&self, bounds: &Bounds, into: &mut Vec<usize>) {
        let query = Aabb::new(vector(&bounds.lower), vector(&bounds.upper));
        into.clear();
        into.extend(self.0.intersect_aabb(&query).map(|k| k as usize));
        into.sort_unstable();
    }

    /// Whether one of those that overlap `bounds` is such.
    pub fn any_within(&self, bounds: &Bounds, mut is_such: impl FnMut(usize) -> bool) -> bool {
        let query = Aabb::new(vector(&bounds.lower), vector(&bounds.upper));
        let mut found = self.0.intersect_aabb(&query);
        found.any(|k| is_such(k as usize))
    }
}

fn vector(v: &Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// A solid as its farthest point in any direction.
#[cfg(test)]
struct Farthest<'a>(&'a Polyhedron);

#[cfg(test)]
impl parry3d::shape::SupportMap for Farthest<'_> {
    fn local_support_point(&self, direction: Vector) -> Vector {
        vector(
            &self
                .0
                .farthest(&Vec3::new(direction.x, direction.y, direction.z)),
        )
    }
}

/// The distance of two convex solids as `parry3d` finds it, for tests.
#[cfg(test)]
pub(super) fn reference_distance(first: &Polyhedron, second: &Polyhedron) -> f64 {
    let frame = parry3d::math::Pose::identity();
    parry3d::query::details::distance_support_map_support_map(
        &frame,
        &Farthest(second),
        &Farthest(first),
    )
}
