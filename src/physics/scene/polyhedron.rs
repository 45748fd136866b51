//! Volume, centroid and inertia of solids bounded by triangles, exactly: sums over the tetrahedra between a point and
//! every triangle.

use super::distribution::Distribution;
use crate::math::{Mat3, Vec3};
use crate::model::Surface;

/// The mean of the corners: near the solid, so that little cancels.
fn apex(surface: &Surface) -> Vec3 {
    surface.vertices.iter().sum::<Vec3>() / surface.vertices.len().max(1) as f64
}

/// Six times the volumes of the tetrahedra under all triangles, and their corners seen from the apex.
fn tetrahedra(surface: &Surface, apex: Vec3) -> impl Iterator<Item = (f64, [Vec3; 3])> {
    surface.triangles.iter().map(move |t| {
        let corners = t.map(|k| surface.vertices[k as usize] - apex);
        let [a, b, c] = corners;
        (a.dot(&b.cross(&c)), corners)
    })
}

/// Volume (m³); negative if the triangles are wound inwards.
pub(super) fn volume(surface: &Surface) -> f64 {
    let six: f64 = tetrahedra(surface, apex(surface)).map(|t| t.0).sum();
    six / 6.0
}

/// The solid filled with unit mass.
pub(super) fn unit(surface: &Surface) -> Distribution {
    let apex = apex(surface);
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for (six, corners) in tetrahedra(surface, apex) {
        let sum: Vec3 = corners.iter().sum();
        let squares: Mat3 = corners.iter().map(|c| c * c.transpose()).sum();
        volume += six / 6.0;
        first += sum * (six / 24.0);
        // Second moments of a tetrahedron with one corner at the origin.
        second += (squares + sum * sum.transpose()) * (six / 120.0);
    }
    let centre = first / volume;
    let second = second / volume - centre * centre.transpose();
    Distribution {
        mass: 1.0,
        centre: apex + centre,
        inertia: Mat3::identity() * second.trace() - second,
    }
}

#[cfg(test)]
mod tests {
    use super::super::surface;
    use super::*;

    fn near(found: &Distribution, centre: Vec3, inertia: Mat3) {
        // Rounding of sums over a dozen tetrahedra.
        assert!((found.centre - centre).norm() < 1e-14, "{found:?}");
        assert!((found.inertia - inertia).abs().max() < 1e-14, "{found:?}");
    }

    #[test]
    fn a_box_of_triangles_weighs_like_a_box() {
        let size = Vec3::new(0.3, 0.6, 1.1);
        let at = Vec3::new(2.0, -1.0, 0.5);
        let corner = |k: u32| {
            let sign = |bit: u32| f64::from(k >> bit & 1) - 0.5;
            at + Vec3::new(sign(0), sign(1), sign(2)).component_mul(&size)
        };
        let points: Vec<Vec3> = (0..8).map(corner).collect();
        let solid = surface::convex(&points).unwrap();
        assert!((volume(&solid) - size.product()).abs() < 1e-15);
        let s = size.component_mul(&size);
        let moments = Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) / 12.0;
        near(&unit(&solid), at, Mat3::from_diagonal(&moments));
    }

    #[test]
    fn a_tetrahedron_has_its_closed_form() {
        // Corners at the origin and at 1 on every axis: second moments 1/10 and 1/20 of the unit mass about the
        // corner, centroid at 1/4.
        let mut points = vec![Vec3::zeros()];
        points.extend([Vec3::x(), Vec3::y(), Vec3::z()]);
        let solid = surface::convex(&points).unwrap();
        assert!((volume(&solid) - 1.0 / 6.0).abs() < 1e-15);
        let second = Mat3::from_diagonal_element(0.1 - 0.0625)
            + (Mat3::repeat(1.0) - Mat3::identity()) * (0.05 - 0.0625);
        let inertia = Mat3::identity() * second.trace() - second;
        near(&unit(&solid), Vec3::repeat(0.25), inertia);
    }

    #[test]
    fn a_fine_ball_weighs_almost_like_a_ball() {
        // 40 × 40 points on a sphere: the hull is smaller by O(1/40²).
        let mut points = Vec::new();
        for i in 1..40 {
            for j in 0..40 {
                let (polar, azimuth) = (f64::from(i) / 40.0, f64::from(j) / 20.0);
                let (polar, azimuth) = [polar, azimuth].map(|x| x * std::f64::consts::PI).into();
                let ring: f64 = f64::sin(polar);
                points.push(Vec3::new(
                    ring * f64::cos(azimuth),
                    ring * f64::sin(azimuth),
                    f64::cos(polar),
                ));
            }
        }
        let solid = unit(&surface::convex(&points).unwrap());
        assert!(solid.centre.norm() < 1e-12);
        for k in 0..3 {
            assert!((solid.inertia[(k, k)] - 0.4).abs() < 0.01, "{solid:?}");
        }
    }
}
