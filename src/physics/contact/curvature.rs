//! How round two surfaces are together where they touch.

use super::feature::{Contact, Feature};
use crate::math::Vec3;
use crate::model::BodyState;

/// Sine of the angle from which on two lines cross and are not along each other.
const CROSSING: f64 = 0.05;

/// How a surface bends at a point.
enum Bend {
    /// Not at all.
    Flat,
    /// Alike in all directions, by one over the radius (1/m).
    Round(f64),
    /// Across a line along a unit vector alone (1/m).
    Across(f64, Vec3),
    /// With this Gaussian curvature on a plane (1/m²).
    Oval(f64),
}

impl Contact {
    /// Radius of the ball that touches a plane as the surfaces touch each other, `1/√(A B)` of the sums `A` and `B` of their
    /// principal curvatures (m): exact for round contact areas, and by the area of those that are oval.
    ///
    /// Corners, edges and rims are as round as `sharp` (m) says, or flat. `None` where surfaces are flat on each other or
    /// touch along a line.
    pub fn radius(&self, bodies: &[BodyState], sharp: Option<f64>) -> Option<f64> {
        let gap = self.gap(bodies);
        let bend = |side: usize| {
            let placed = self.bodies[side].map(|b| self.features[side].placed(&bodies[b.0]));
            let edge = sharp.map_or(Bend::Flat, |r| Bend::Round(1.0 / r));
            match placed.unwrap_or(self.features[side]) {
                Feature::Plane { .. } => Bend::Flat,
                Feature::Point { radius, .. } if radius > 0.0 => Bend::Round(1.0 / radius),
                Feature::Line { radius, along, .. } if radius > 0.0 => {
                    Bend::Across(1.0 / radius, along)
                }
                Feature::Ellipsoid {
                    orientation, radii, ..
                } => {
                    let normal = orientation.inverse() * gap.normal;
                    let support = radii.component_mul(&normal).norm_squared();
                    Bend::Oval((support / radii.product()).powi(2))
                }
                Feature::Point { .. } | Feature::Line { .. } | Feature::Rim { .. } => edge,
            }
        };
        let product = match (bend(0), bend(1)) {
            (Bend::Flat, Bend::Flat) => 0.0,
            (Bend::Round(a), Bend::Round(b)) => (a + b) * (a + b),
            (Bend::Round(a), Bend::Flat) | (Bend::Flat, Bend::Round(a)) => a * a,
            (Bend::Round(a), Bend::Across(b, _)) | (Bend::Across(b, _), Bend::Round(a)) => {
                a * (a + b)
            }
            (Bend::Across(a, along), Bend::Across(b, other)) => {
                let sine = along.cross(&other).norm();
                if sine > CROSSING {
                    a * b * sine * sine
                } else {
                    0.0
                }
            }
            (Bend::Across(..), Bend::Flat) | (Bend::Flat, Bend::Across(..)) => 0.0,
            // An ellipsoid meets planes only.
            (Bend::Oval(gauss), _) | (_, Bend::Oval(gauss)) => gauss,
        };
        if product > 0.0 {
            Some(1.0 / product.sqrt())
        } else {
            sharp
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;

    #[test]
    fn radii_are_those_of_the_geometry() {
        let contact = |a, b| Contact {
            key: Default::default(),
            bodies: [None; 2],
            features: [a, b],
            friction: 0.0,
            restitution: 0.0,
            compliance: Default::default(),
        };
        let ball = |radius| Feature::Point {
            at: Vec3::z() * 3.0,
            radius,
        };
        let bar = |radius, along: Vec3| Feature::Line {
            at: Vec3::zeros(),
            along,
            radius,
        };
        let plane = Feature::Plane {
            at: Vec3::zeros(),
            normal: Vec3::z(),
        };
        let egg = |radii| Feature::Ellipsoid {
            at: Vec3::z(),
            orientation: Quat::from_scaled_axis(Vec3::y() * std::f64::consts::FRAC_PI_2),
            radii,
        };
        let [x, y] = [Vec3::x(), Vec3::y()];
        let slanted = Vec3::new(1.0, 1.0, 0.0).normalize();
        for (a, b, sharp, wanted) in [
            (ball(0.3), plane, None, Some(0.3)),
            (ball(0.3), ball(0.6), None, Some(0.2)),
            (ball(0.0), plane, Some(0.01), Some(0.01)),
            (ball(0.0), plane, None, None),
            (ball(0.2), ball(0.0), None, Some(0.2)),
            (bar(0.2, x), bar(0.2, y), None, Some(0.2)),
            (
                bar(0.1, x),
                bar(0.4, slanted),
                None,
                Some(0.2 * 2f64.sqrt()),
            ),
            (bar(0.2, x), bar(0.2, x), None, None),
            (bar(0.2, x), plane, None, None),
            (bar(0.2, x), plane, Some(0.05), Some(0.05)),
            // Across it bends by 1/0.2 + 1/0.3, along it by 1/0.3.
            (
                ball(0.3),
                bar(0.2, x),
                None,
                Some(1.0 / (25.0f64 / 3.0 / 0.3).sqrt()),
            ),
            // On the end of its longest half-axis, c²/a and c²/b of the others.
            (egg(Vec3::new(3.0, 1.0, 2.0)), plane, None, Some(2.0 / 3.0)),
        ] {
            let found = contact(a, b).radius(&[], sharp);
            let near = match (found, wanted) {
                (Some(found), Some(wanted)) => (found / wanted - 1.0).abs() < 1e-12,
                (found, wanted) => found == wanted,
            };
            assert!(near, "{a:?} {b:?}: {found:?} {wanted:?}");
        }
    }
}
