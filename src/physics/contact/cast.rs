//! Ray casts against the shapes of a model, for picking.
//!
//! The shapes are those of the simulation in double precision, not what happens to be drawn.

use super::parry::{self, Target};
use crate::math::{Pose, Quat, Vec3};
use crate::model::{BodyId, Geometry, Model, Shape, Surface};
use std::f64::consts::FRAC_PI_2;

/// A half-line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it starts (m).
    pub origin: Vec3,
    /// Unit vector along it.
    pub direction: Vec3,
}

/// The first surface that a ray meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The body; `None` is a shape of the world.
    pub body: Option<BodyId>,
    /// From the ray's origin (m).
    pub distance: f64,
    /// Where it meets the surface, world frame (m).
    pub point: Vec3,
}

impl Ray {
    /// The point at a distance along the ray (m).
    pub fn at(&self, distance: f64) -> Vec3 {
        self.origin + self.direction * distance
    }

    fn seen_from(&self, frame: &Pose) -> Self {
        Self {
            origin: frame.inverse_transform_point(&self.origin.into()).coords,
            direction: frame.inverse_transform_vector(&self.direction),
        }
    }
}

/// The first shape that a ray meets, with one pose `world_from_body` per body of the model.
///
/// A ray that starts inside a shape meets it at once.
pub fn cast(model: &Model, poses: &[Pose], ray: &Ray) -> Option<Hit> {
    let world = (None, Pose::identity(), model.world_shapes.as_slice());
    let bodies = model.bodies.iter().zip(poses).enumerate();
    let bodies = bodies.map(|(k, (b, pose))| (Some(BodyId(k)), *pose, b.shapes.as_slice()));
    let mut best: Option<Hit> = None;
    for (body, pose, shapes) in std::iter::once(world).chain(bodies) {
        let local = ray.seen_from(&pose);
        for found in shapes.iter().filter_map(|shape| distance(shape, &local)) {
            if best.is_none_or(|b| found < b.distance) {
                best = Some(Hit {
                    body,
                    distance: found,
                    point: ray.at(found),
                });
            }
        }
    }
    best
}

/// How far along a ray, given in the frame of the shape's owner, the shape's surface is (m).
///
/// Solids are met at once by a ray that starts inside; meshes and height fields have no inside.
pub fn distance(shape: &Shape, ray: &Ray) -> Option<f64> {
    // Solids of revolution have their axis along y there, along z here.
    let upright = Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_2);
    let local = ray.seen_from(&shape.pose);
    let meet = |target| parry::ray(target, &local.origin, &local.direction);
    let turned = |target, lift: f64| {
        let origin = upright.inverse_transform_vector(&(local.origin - Vec3::z() * lift));
        let direction = upright.inverse_transform_vector(&local.direction);
        parry::ray(target, &origin, &direction)
    };
    match &shape.geometry {
        Geometry::HalfSpace => {
            let (height, rise) = (local.origin.z, local.direction.z);
            match height <= 0.0 {
                true => Some(0.0),
                false => (rise < 0.0).then(|| -height / rise),
            }
        }
        Geometry::Sphere { radius } => meet(Target::Ball(*radius)),
        Geometry::Box { size } => meet(Target::Cuboid(size * 0.5)),
        Geometry::Cylinder { radius, length } => {
            turned(Target::Cylinder(0.5 * length, *radius), 0.0)
        }
        Geometry::Capsule { radius, length } => turned(Target::Capsule(0.5 * length, *radius), 0.0),
        // Centred at half height there, at the centroid here.
        Geometry::Cone { radius, length } => {
            turned(Target::Cone(0.5 * length, *radius), 0.25 * length)
        }
        Geometry::Ellipsoid { radii } => {
            // The map that makes it a unit ball keeps lengths along the ray in proportion.
            let origin = local.origin.component_div(radii);
            let direction = local.direction.component_div(radii);
            let scale = direction.norm();
            parry::ray(Target::Ball(1.0), &origin, &(direction / scale)).map(|t| t / scale)
        }
        Geometry::Hull(surface) => {
            let inside = triangles(surface).all(|[a, b, c]| {
                let normal = (b - a).cross(&(c - a));
                normal.dot(&(local.origin - a)) <= 0.0
            });
            match inside {
                true => Some(0.0),
                false => first(surface, &local),
            }
        }
        Geometry::Mesh(surface) => first(surface, &local),
        Geometry::HeightField(field) => first(&field.surface(), &local),
    }
}

fn triangles(surface: &Surface) -> impl Iterator<Item = [Vec3; 3]> {
    let corner = |k: u32| surface.vertices[k as usize];
    surface.triangles.iter().map(move |t| t.map(corner))
}

/// Distance of the first triangle on the ray.
fn first(surface: &Surface, ray: &Ray) -> Option<f64> {
    let targets = triangles(surface).map(Target::Triangle);
    targets
        .filter_map(|target| parry::ray(target, &ray.origin, &ray.direction))
        .min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::model::{Body, HeightField, ModelParts, Touch};
    use std::sync::Arc;

    fn shape(geometry: Geometry) -> Shape {
        Shape {
            geometry,
            pose: Pose::identity(),
            colour: None,
            touch: Touch::default(),
            foundations: Vec::new(),
        }
    }

    fn along(origin: [f64; 3], direction: [f64; 3]) -> Ray {
        Ray {
            origin: origin.into(),
            direction: Vec3::from(direction).normalize(),
        }
    }

    /// Distances by hand: every case is a ray along an axis of a shape of known size.
    #[test]
    fn every_shape_is_met_where_its_surface_is() {
        let (radius, length) = (0.25, 2.0);
        let size = Vec3::new(1.0, 2.0, 3.0);
        let down = along([0.1, 0.0, 9.0], [0.0, 0.0, -1.0]);
        let side = along([9.0, 0.0, 0.0], [-1.0, 0.0, 0.0]);
        let cap = (radius * radius - 0.01f64).sqrt();
        // Where x = 0.1 meets the cone's flank: z runs from the tip at 1.5 m down by 0.1 · length / radius.
        let flank = 1.5 - 0.1 * length / radius;
        // At z = 0 the cone's radius has grown over three quarters of its height.
        let waist = 0.75 * radius;
        let cases = [
            (Geometry::Sphere { radius }, 9.0 - cap, 9.0 - radius),
            (Geometry::Box { size }, 7.5, 8.5),
            (Geometry::Cylinder { radius, length }, 8.0, 9.0 - radius),
            (
                Geometry::Capsule { radius, length },
                8.0 - cap,
                9.0 - radius,
            ),
            (Geometry::Cone { radius, length }, 9.0 - flank, 9.0 - waist),
        ];
        for (geometry, from_above, from_side) in cases {
            let shape = shape(geometry);
            // Rounding of numbers near 10, with room for iterative casts.
            let close = |found: Option<f64>, wanted: f64| (found.unwrap() - wanted).abs() < 1e-9;
            assert!(
                close(distance(&shape, &down), from_above),
                "{shape:?} {:?}",
                distance(&shape, &down)
            );
            assert!(
                close(distance(&shape, &side), from_side),
                "{shape:?} {:?}",
                distance(&shape, &side)
            );
            assert_eq!(
                distance(&shape, &along([9.0, 9.0, 0.0], [0.0, 0.0, 1.0])),
                None
            );
        }
    }

    /// Distances by hand, as above.
    #[test]
    fn round_flat_and_faceted_shapes_are_met_where_their_surfaces_are() {
        let ground = HeightField {
            extent: [4.0, 4.0],
            samples: [2, 2],
            heights: vec![0.5; 4],
        };
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let tetrahedron = Arc::new(Surface {
            vertices: corners.map(Vec3::from).to_vec(),
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        });
        let radii = Vec3::new(0.5, 1.0, 2.0);
        // Above (0.25, 0.25) the slanted face x + y + z = 1 is at height 0.5; the ellipsoid at 2 √(1 - 1/4 - 1/16).
        let cases = [
            (Geometry::HalfSpace, 9.0),
            (
                Geometry::Ellipsoid { radii },
                9.0 - 2.0 * (11.0f64 / 16.0).sqrt(),
            ),
            (Geometry::Hull(tetrahedron.clone()), 8.5),
            (Geometry::Mesh(tetrahedron), 8.5),
            (Geometry::HeightField(Arc::new(ground)), 8.5),
        ];
        let down = along([0.25, 0.25, 9.0], [0.0, 0.0, -1.0]);
        let up = along([0.25, 0.25, 9.0], [0.0, 0.0, 1.0]);
        for (geometry, wanted) in cases {
            let shape = shape(geometry);
            let found = distance(&shape, &down).unwrap();
            // Rounding of numbers near 10.
            assert!((found - wanted).abs() < 1e-12, "{shape:?} {found}");
            assert_eq!(distance(&shape, &up), None);
        }
        let inside = along([0.1, 0.1, 0.1], [0.0, 0.0, 1.0]);
        let solid = Geometry::HalfSpace;
        let below = along([0.0, 0.0, -1.0], [1.0, 0.0, 0.0]);
        assert_eq!(distance(&shape(solid), &below), Some(0.0));
        let radii = Vec3::new(0.5, 1.0, 2.0);
        assert_eq!(
            distance(&shape(Geometry::Ellipsoid { radii }), &inside),
            Some(0.0)
        );
    }

    #[test]
    fn the_nearest_body_wins_and_the_world_hides_what_is_behind_it() {
        let mut near = Body::new("near", 1.0, Mat3::identity());
        near.shapes = vec![shape(Geometry::Sphere { radius: 0.5 })];
        let mut far = near.clone();
        far.name = "far".into();
        let mut parts = ModelParts {
            bodies: vec![far, near],
            ..ModelParts::default()
        };
        let half_turn = Quat::from_axis_angle(&Vec3::z_axis(), 2.0);
        let poses = [
            Pose::translation(5.0, 0.0, 0.0),
            Pose::from_parts(Vec3::new(3.0, 0.1, 0.0).into(), half_turn),
        ];
        let ray = along([0.0, 0.1, 0.0], [1.0, 0.0, 0.0]);
        let model = Model::new(parts.clone()).unwrap();
        let hit = cast(&model, &poses, &ray).unwrap();
        assert_eq!(hit.body, Some(BodyId(1)));
        assert!((hit.point - Vec3::new(2.5, 0.1, 0.0)).norm() < 1e-12);
        parts.world_shapes = vec![Shape {
            geometry: Geometry::Box {
                size: Vec3::new(0.2, 4.0, 4.0),
            },
            pose: Pose::translation(1.0, 0.0, 0.0),
            colour: None,
            touch: Touch::default(),
            foundations: Vec::new(),
        }];
        let model = Model::new(parts).unwrap();
        let hit = cast(&model, &poses, &ray).unwrap();
        assert_eq!(hit.body, None);
        assert!((hit.distance - 0.9).abs() < 1e-12);
        assert_eq!(
            cast(&model, &poses, &along([0.0, 9.0, 0.0], [1.0, 0.0, 0.0])),
            None
        );
    }
}
