//! Thin things as a small picture shows them: thick enough to be seen.

use physics::model::Geometry;

/// A geometry no part of which is thinner than a radius (m); its length stays. Surfaces of triangles are as they are.
pub fn at_least(geometry: &Geometry, least: f64) -> Geometry {
    match geometry {
        Geometry::Sphere { radius } => Geometry::Sphere {
            radius: radius.max(least),
        },
        Geometry::Capsule { radius, length } => Geometry::Capsule {
            radius: radius.max(least),
            length: *length,
        },
        Geometry::Cylinder { radius, length } => Geometry::Cylinder {
            radius: radius.max(least),
            length: length.max(least),
        },
        Geometry::Cone { radius, length } => Geometry::Cone {
            radius: radius.max(least),
            length: *length,
        },
        Geometry::Box { size } => Geometry::Box {
            size: size.map(|edge| edge.max(2.0 * least)),
        },
        Geometry::Ellipsoid { radii } => Geometry::Ellipsoid {
            radii: radii.map(|radius| radius.max(least)),
        },
        Geometry::HalfSpace | Geometry::Hull(_) | Geometry::Mesh(_) | Geometry::HeightField(_) => {
            geometry.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::math::Vec3;

    #[test]
    fn what_is_thin_is_thickened_and_what_is_not_stays() {
        let rod = Geometry::Capsule {
            radius: 0.01,
            length: 2.0,
        };
        let stout = Geometry::Capsule {
            radius: 0.05,
            length: 2.0,
        };
        assert_eq!(at_least(&rod, 0.05), stout);
        assert_eq!(at_least(&stout, 0.02), stout);
        let plate = Geometry::Box {
            size: Vec3::new(1.0, 2.0, 0.01),
        };
        let thick = Geometry::Box {
            size: Vec3::new(1.0, 2.0, 0.1),
        };
        assert_eq!(at_least(&plate, 0.05), thick);
        assert_eq!(at_least(&plate, 0.0), plate);
    }
}
