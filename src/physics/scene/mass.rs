//! Mass, centre of mass and inertia of shapes and of bodies made of them.

use super::distribution::Distribution;
use super::polyhedron;
use crate::math::{Mat3, Pose, Vec3};
use crate::model::Geometry;
use std::f64::consts::PI;

/// Volume (m³); zero for what is only part of the world.
pub(super) fn volume(geometry: &Geometry) -> f64 {
    match *geometry {
        Geometry::Sphere { radius } => 4.0 / 3.0 * PI * radius.powi(3),
        Geometry::Box { size } => size.x * size.y * size.z,
        Geometry::Cylinder { radius, length } => PI * radius * radius * length,
        Geometry::Capsule { radius, length } => {
            PI * radius * radius * (length + 4.0 / 3.0 * radius)
        }
        Geometry::Cone { radius, length } => PI * radius * radius * length / 3.0,
        Geometry::Ellipsoid { radii } => 4.0 / 3.0 * PI * radii.product(),
        Geometry::Hull(ref surface) | Geometry::Mesh(ref surface) => polyhedron::volume(surface),
        Geometry::HalfSpace | Geometry::HeightField(_) => 0.0,
    }
}

/// The geometry filled with unit mass, in its own frame.
fn unit(geometry: &Geometry) -> Distribution {
    let round = |transverse: f64, axial: f64| Vec3::new(transverse, transverse, axial);
    let moments = match *geometry {
        Geometry::Sphere { radius } => Vec3::repeat(0.4 * radius * radius),
        Geometry::Box { size } => {
            let s = size.component_mul(&size);
            Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) / 12.0
        }
        Geometry::Cylinder { radius, length } => {
            let r2 = radius * radius;
            round(r2 / 4.0 + length * length / 12.0, r2 / 2.0)
        }
        Geometry::Capsule { radius, length } => {
            let r2 = radius * radius;
            let caps = 4.0 / 3.0 * radius / (length + 4.0 / 3.0 * radius);
            let cylinder = round(r2 / 4.0 + length * length / 12.0, r2 / 2.0);
            // A hemisphere's centroid is 3/8 of the radius above its base.
            let ends = round(
                0.4 * r2 + length * length / 4.0 + 0.375 * length * radius,
                0.4 * r2,
            );
            cylinder * (1.0 - caps) + ends * caps
        }
        Geometry::Cone { radius, length } => {
            let r2 = radius * radius;
            round(0.15 * r2 + 0.0375 * length * length, 0.3 * r2)
        }
        Geometry::Ellipsoid { radii } => {
            let s = radii.component_mul(&radii);
            Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) / 5.0
        }
        Geometry::Hull(ref surface) | Geometry::Mesh(ref surface) => {
            return polyhedron::unit(surface);
        }
        Geometry::HalfSpace | Geometry::HeightField(_) => Vec3::zeros(),
    };
    Distribution {
        mass: 1.0,
        centre: Vec3::zeros(),
        inertia: Mat3::from_diagonal(&moments),
    }
}

/// A shape of the given mass at a pose.
pub(super) fn of_shape(geometry: &Geometry, pose: &Pose, mass: f64) -> Distribution {
    if mass == 0.0 {
        // Also where there is no volume to fill.
        return Distribution {
            mass,
            centre: pose.translation.vector,
            inertia: Mat3::zeros(),
        };
    }
    let axes = pose.rotation.to_rotation_matrix().into_inner();
    let unit = unit(geometry);
    Distribution {
        mass,
        centre: pose.translation.vector + pose.rotation * unit.centre,
        inertia: axes * (unit.inertia * mass) * axes.transpose(),
    }
}

/// All pieces together.
pub(super) fn sum(pieces: &[Distribution]) -> Distribution {
    let mass: f64 = pieces.iter().map(|p| p.mass).sum();
    let weighted: Vec3 = pieces.iter().map(|p| p.centre * p.mass).sum();
    let centre = if mass > 0.0 {
        weighted / mass
    } else {
        Vec3::zeros()
    };
    let shifted = |p: &Distribution| {
        let d = p.centre - centre;
        // Parallel axes.
        p.inertia + (Mat3::identity() * d.norm_squared() - d * d.transpose()) * p.mass
    };
    Distribution {
        mass,
        centre,
        inertia: pieces.iter().map(shifted).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Second moments by midpoint sampling, which knows nothing of the formulas.
    fn sampled(inside: impl Fn(Vec3) -> bool, reach: f64) -> (f64, Vec3, Mat3) {
        let n = 120;
        let h = 2.0 * reach / f64::from(n);
        let mut points = Vec::new();
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    let p = [i, j, k].map(|x| -reach + (f64::from(x) + 0.5) * h);
                    let p = Vec3::from(p);
                    if inside(p) {
                        points.push(p);
                    }
                }
            }
        }
        let count = points.len() as f64;
        let centre: Vec3 = points.iter().sum::<Vec3>() / count;
        let inertia: Mat3 = points
            .iter()
            .map(|p| (Mat3::identity() * p.norm_squared() - p * p.transpose()) / count)
            .sum();
        (count * h * h * h, centre, inertia)
    }

    #[test]
    fn volumes_centroids_and_moments_agree_with_sampling() {
        let (r, l) = (0.3, 1.2);
        let within = move |p: Vec3, radius: f64| p.xy().norm() <= radius;
        type Inside = Box<dyn Fn(Vec3) -> bool>;
        let cases: Vec<(Geometry, Inside)> = vec![
            (
                Geometry::Sphere { radius: r },
                Box::new(move |p| p.norm() <= r),
            ),
            (
                Geometry::Box {
                    size: Vec3::new(0.3, 0.6, 0.9),
                },
                Box::new(|p| p.x.abs() <= 0.15 && p.y.abs() <= 0.3 && p.z.abs() <= 0.45),
            ),
            (
                Geometry::Cylinder {
                    radius: r,
                    length: l,
                },
                Box::new(move |p| within(p, r) && p.z.abs() <= l / 2.0),
            ),
            (
                Geometry::Capsule {
                    radius: r,
                    length: l,
                },
                Box::new(move |p| {
                    let z = (p.z.abs() - l / 2.0).max(0.0);
                    Vec3::new(p.x, p.y, z).norm() <= r
                }),
            ),
            (
                Geometry::Ellipsoid {
                    radii: Vec3::new(0.3, 0.5, 0.8),
                },
                Box::new(|p| p.component_div(&Vec3::new(0.3, 0.5, 0.8)).norm() <= 1.0),
            ),
            (
                Geometry::Cone {
                    radius: r,
                    length: l,
                },
                Box::new(move |p| {
                    let height = p.z + l / 4.0;
                    height >= 0.0 && within(p, r * (1.0 - height / l))
                }),
            ),
        ];
        for (geometry, inside) in cases {
            let (v, centre, inertia) = sampled(inside, 0.9);
            // Sampling at 15 mm: about one layer of cells at the surface is uncertain.
            assert!((volume(&geometry) - v).abs() < 0.01 * v, "{geometry:?}");
            assert!(centre.norm() < 2e-3, "{geometry:?} {centre}");
            let exact = unit(&geometry).inertia;
            assert!(
                (exact - inertia).abs().max() < 0.01 * inertia.abs().max(),
                "{geometry:?} {exact} {inertia}"
            );
        }
    }

    #[test]
    fn the_solid_cylinder_of_the_papers_link() {
        let link = Geometry::Cylinder {
            radius: 0.05,
            length: 1.0,
        };
        let moments = of_shape(&link, &Pose::identity(), 1.0).inertia;
        assert!((moments[(0, 0)] - 0.083958333333333).abs() < 1e-12);
        assert!((moments[(2, 2)] - 0.00125).abs() < 1e-15);
    }

    #[test]
    fn a_hull_off_its_origin_weighs_like_the_box_that_it_is() {
        let size = Vec3::new(0.2, 0.3, 0.5);
        let corner = |k: u32| Vec3::from_fn(|i, _| f64::from(k >> i & 1)).component_mul(&size);
        let points: Vec<Vec3> = (0..8).map(corner).collect();
        let surface = super::super::surface::convex(&points).unwrap();
        let hull = Geometry::Hull(std::sync::Arc::new(surface));
        let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.7, 1.1));
        let found = of_shape(&hull, &pose, 3.0);
        // The box is centred half its size away from the hull's origin.
        let middle = pose * Pose::translation(0.1, 0.15, 0.25);
        let expected = of_shape(&Geometry::Box { size }, &middle, 3.0);
        assert!((found.centre - expected.centre).norm() < 1e-14);
        assert!((found.inertia - expected.inertia).norm() < 1e-14);
        assert!((volume(&hull) - size.product()).abs() < 1e-16);
    }

    #[test]
    fn two_halves_make_a_whole() {
        let half = Geometry::Box {
            size: Vec3::new(0.2, 0.3, 0.5),
        };
        let whole = Geometry::Box {
            size: Vec3::new(0.2, 0.3, 1.0),
        };
        let pieces = [0.25, -0.25].map(|z| of_shape(&half, &Pose::translation(0.1, 0.0, z), 2.0));
        let expected = of_shape(&whole, &Pose::translation(0.1, 0.0, 0.0), 4.0);
        let found = sum(&pieces);
        assert_eq!(found.mass, expected.mass);
        assert!((found.centre - expected.centre).norm() < 1e-15);
        assert!((found.inertia - expected.inertia).norm() < 1e-15);
    }
}
