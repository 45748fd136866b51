//! Signed distances of two features in closed form.
//!
//! Every distance is stationary in the nearest points, so its gradient is the normal at those points (envelope
//! theorem) and needs no derivative of the points themselves.

use super::feature::{Feature, Gap};
use crate::math::{Mat3, Vec3};

/// Below this length a direction is rounding and is replaced by a fixed one. Coordinates of metres carry 1e-16.
const VANISHING: f64 = 1e-14;

/// Sine of the angle below which two lines count as parallel: their common perpendicular would have lost more than
/// half its digits.
const PARALLEL: f64 = 1e-8;

/// Distance, normal from `b` to `a` and nearest points of two features in the same frame.
pub(super) fn between(a: &Feature, b: &Feature) -> Gap {
    match (a, b) {
        (_, Feature::Plane { at, normal }) => above(a, at, normal),
        (Feature::Plane { at, normal }, _) => above(b, at, normal).swapped(),
        (
            Feature::Line { at, along, radius },
            Feature::Line {
                at: at_b,
                along: along_b,
                radius: radius_b,
            },
        ) => lines((at, along, *radius), (at_b, along_b, *radius_b)),
        (Feature::Line { at, along, radius }, _) => {
            let (point, rounding) = ball(b);
            beside(&point, rounding, at, along, *radius).swapped()
        }
        (_, Feature::Line { at, along, radius }) => {
            let (point, rounding) = ball(a);
            beside(&point, rounding, at, along, *radius)
        }
        _ => {
            let ((point_a, rounding_a), (point_b, rounding_b)) = (ball(a), ball(b));
            apart(point_a, rounding_a, point_b, rounding_b, Vec3::z())
        }
    }
}

/// The rounded point that stands for a feature where no closed form is known.
fn ball(feature: &Feature) -> (Vec3, f64) {
    match *feature {
        Feature::Point { at, radius } | Feature::Line { at, radius, .. } => (at, radius),
        Feature::Plane { at, .. } | Feature::Rim { at, .. } | Feature::Ellipsoid { at, .. } => {
            (at, 0.0)
        }
    }
}

/// A feature over a plane: the lowest point of the feature decides.
fn above(feature: &Feature, at: &Vec3, normal: &Vec3) -> Gap {
    let lowest = match feature {
        Feature::Rim { at: centre, .. } | Feature::Ellipsoid { at: centre, .. } => {
            centre + lowest_arm(feature, normal)
        }
        _ => {
            let (point, radius) = ball(feature);
            point - normal * radius
        }
    };
    let distance = normal.dot(&(lowest - at));
    Gap {
        distance,
        normal: *normal,
        points: [lowest, lowest - normal * distance],
    }
}

/// From the middle of a rim or an ellipsoid to its lowest point over a plane.
pub(super) fn lowest_arm(feature: &Feature, normal: &Vec3) -> Vec3 {
    match feature {
        Feature::Rim { axis, radius, .. } => {
            // Steepest descent within the disc; any direction will do for a disc parallel to the plane.
            // Two cross products stay in the disc however little is left of the normal.
            let uphill = axis.cross(&normal.cross(axis));
            -unit_or(uphill, perpendicular(axis)) * *radius
        }
        Feature::Ellipsoid {
            orientation, radii, ..
        } => {
            // The map that makes the ellipsoid a unit ball takes normals to `scaled`.
            let scaled = orientation
                .inverse_transform_vector(normal)
                .component_mul(radii);
            -(orientation * unit_or(scaled, Vec3::z()).component_mul(radii))
        }
        Feature::Point { .. } | Feature::Line { .. } | Feature::Plane { .. } => Vec3::zeros(),
    }
}

/// How that arm changes as the feature turns.
pub(super) fn slope_of_lowest(feature: &Feature, normal: &Vec3) -> Mat3 {
    match feature {
        Feature::Rim { axis, radius, .. } => {
            let up = normal.dot(axis);
            let uphill = normal - axis * up;
            let sine = uphill.norm();
            if sine < VANISHING {
                return Mat3::zeros();
            }
            let uphill = uphill / sine;
            let level = Mat3::identity() - uphill * uphill.transpose();
            let by_axis = axis * normal.transpose() + Mat3::identity() * up;
            // The axis changes by θ × axis.
            -(level * by_axis * axis.cross_matrix()) * (radius / sine)
        }
        Feature::Ellipsoid {
            orientation, radii, ..
        } => {
            let turn = orientation.to_rotation_matrix();
            let turn = turn.matrix();
            let squares = radii.component_mul(radii);
            let form = turn * Mat3::from_diagonal(&squares) * turn.transpose();
            let there = form * normal;
            let height = normal.dot(&there).sqrt();
            let by_form = form * normal.cross_matrix() - there.cross_matrix();
            let down =
                there * normal.transpose() / (2.0 * height.powi(3)) - Mat3::identity() / height;
            down * by_form
        }
        Feature::Point { .. } | Feature::Line { .. } | Feature::Plane { .. } => Mat3::zeros(),
    }
}

/// A rounded point beside a rounded line.
fn beside(point: &Vec3, rounding: f64, at: &Vec3, along: &Vec3, radius: f64) -> Gap {
    let foot = at + along * along.dot(&(point - at));
    apart(*point, rounding, foot, radius, perpendicular(along))
}

/// Two rounded points; `otherwise` is the normal of points that coincide.
fn apart(a: Vec3, radius_a: f64, b: Vec3, radius_b: f64, otherwise: Vec3) -> Gap {
    let between = a - b;
    let normal = unit_or(between, otherwise);
    Gap {
        distance: between.dot(&normal) - radius_a - radius_b,
        normal,
        points: [a - normal * radius_a, b + normal * radius_b],
    }
}

/// Two rounded lines: signed along the cross product of their directions.
fn lines(a: (&Vec3, &Vec3, f64), b: (&Vec3, &Vec3, f64)) -> Gap {
    let (at_a, along_a, radius_a) = a;
    let (at_b, along_b, radius_b) = b;
    let cross = along_a.cross(along_b);
    let sine = cross.norm();
    if sine < PARALLEL {
        return beside(at_a, radius_a, at_b, along_b, radius_b);
    }
    let normal = cross / sine;
    let between = at_a - at_b;
    let nearest_a = at_a + along_a * (normal.dot(&along_b.cross(&between)) / sine);
    let nearest_b = at_b + along_b * (normal.dot(&along_a.cross(&between)) / sine);
    Gap {
        distance: normal.dot(&between) - radius_a - radius_b,
        normal,
        points: [nearest_a - normal * radius_a, nearest_b + normal * radius_b],
    }
}

fn unit_or(v: Vec3, otherwise: Vec3) -> Vec3 {
    let length = v.norm();
    if length > VANISHING {
        v / length
    } else {
        otherwise
    }
}

/// A unit vector at right angles to a unit vector, the same for the same vector.
pub(super) fn perpendicular(axis: &Vec3) -> Vec3 {
    let least = axis.abs().imin();
    let mut other = Vec3::zeros();
    other[least] = 1.0;
    axis.cross(&other).normalize()
}

impl Gap {
    fn swapped(self) -> Self {
        let [a, b] = self.points;
        Self {
            distance: self.distance,
            normal: -self.normal,
            points: [b, a],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Contact;
    use crate::math::Quat;
    use crate::model::{BodyId, BodyState, ContactKey, Twist};
    use proptest::prelude::*;

    fn vector(scale: f64) -> impl Strategy<Value = Vec3> {
        proptest::array::uniform3(-scale..scale).prop_map(Vec3::from)
    }

    fn unit() -> impl Strategy<Value = Vec3> {
        vector(1.0)
            .prop_filter("long enough", |v| v.norm() > 0.1)
            .prop_map(|v| v.normalize())
    }

    fn body() -> impl Strategy<Value = BodyState> {
        (vector(2.0), vector(3.0)).prop_map(|(position, turn)| BodyState {
            position,
            orientation: Quat::from_scaled_axis(turn),
            velocity: Twist::default(),
            momentum: Vec3::zeros(),
            angular_momentum: Vec3::zeros(),
        })
    }

    fn any_feature() -> impl Strategy<Value = Feature> {
        let parts = (0..5usize, vector(1.0), unit(), 0.0..0.3, vector(1.0));
        parts.prop_map(|(kind, at, direction, radius, other)| match kind {
            0 => Feature::Point { at, radius },
            1 => Feature::Line {
                at,
                along: direction,
                radius,
            },
            2 => Feature::Plane {
                at,
                normal: direction,
            },
            3 => Feature::Rim {
                at,
                axis: direction,
                radius: radius + 0.1,
            },
            _ => Feature::Ellipsoid {
                at,
                orientation: Quat::from_scaled_axis(other),
                radii: other.abs() + Vec3::repeat(0.1),
            },
        })
    }

    fn contact(a: Feature, b: Feature) -> Contact {
        Contact {
            key: ContactKey::default(),
            bodies: [Some(BodyId(0)), Some(BodyId(1))],
            features: [a, b],
            friction: 0.0,
            restitution: 0.0,
            compliance: Default::default(),
        }
    }

    /// Pairs that a detector makes: one of them a plane, or both rounded points or lines.
    fn meaningful(a: &Feature, b: &Feature) -> bool {
        let plane = |f: &Feature| matches!(f, Feature::Plane { .. });
        let round = |f: &Feature| matches!(f, Feature::Point { .. } | Feature::Line { .. });
        let bounded = |f: &Feature| !matches!(f, Feature::Plane { .. } | Feature::Line { .. });
        (plane(a) && bounded(b)) || (plane(b) && bounded(a)) || (round(a) && round(b))
    }

    proptest! {
        #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(512) })]

        #[test]
        fn the_normal_at_the_points_is_the_gradient(
            a in any_feature(), b in any_feature(), poses in [body(), body()],
        ) {
            prop_assume!(meaningful(&a, &b));
            let contact = contact(a, b);
            let here = contact.gap(&poses);
            // Close to a kink (coincident points, parallel lines, discs parallel to planes) differences say nothing.
            let crossing = match (contact.features, &here) {
                ([Feature::Line { .. }, Feature::Line { .. }], _) => {
                    let along = |k: usize| match contact.features[k].placed(&poses[k]) {
                        Feature::Line { along, .. } => along,
                        _ => unreachable!(),
                    };
                    along(0).cross(&along(1)).norm()
                }
                _ => 1.0,
            };
            prop_assume!(crossing > 0.1);
            let size = 2e-6;
            for side in 0..2 {
                let sign = [1.0, -1.0][side];
                let torque = (here.points[side] - poses[side].position).cross(&here.normal);
                for axis in 0..3 {
                    let mut step = Vec3::zeros();
                    step[axis] = size;
                    let moved = |s: f64, turn: bool| {
                        let mut poses = poses;
                        if turn {
                            poses[side].orientation =
                                Quat::from_scaled_axis(step * s) * poses[side].orientation;
                        } else {
                            poses[side].position += step * s;
                        }
                        contact.gap(&poses).distance
                    };
                    for (turn, exact) in [(false, here.normal[axis]), (true, torque[axis])] {
                        let slope = (moved(1.0, turn) - moved(-1.0, turn)) / (2.0 * size);
                        let curved = moved(1.0, turn) + moved(-1.0, turn) - 2.0 * here.distance;
                        // Curvature so high that the third derivative may show.
                        prop_assume!(curved.abs() < 1e-10);
                        // Rounding of lengths near 4 over the step, 4e-10, and the curvature of the arms.
                        prop_assert!((slope - sign * exact).abs() < 1e-7,
                            "side {side} axis {axis} turn {turn}: {slope} {}", sign * exact);
                    }
                }
            }
        }

        #[test]
        fn both_orders_agree_and_the_points_lie_on_the_normal(
            a in any_feature(), b in any_feature(), poses in [body(), body()],
        ) {
            prop_assume!(meaningful(&a, &b));
            let here = contact(a, b).gap(&poses);
            let mut back = contact(b, a);
            back.bodies.swap(0, 1);
            let back = back.gap(&poses).swapped();
            // Rounding of coordinates near 4.
            prop_assert!((here.distance - back.distance).abs() < 1e-13);
            prop_assert!((here.normal - back.normal).norm() < 1e-12);
            prop_assert!((here.normal.norm() - 1.0).abs() < 1e-12);
            let apart = here.points[0] - here.points[1];
            // Nearly parallel lines meet far away, where rounding is that of the distance.
            let scale = 1.0 + here.points[0].norm();
            prop_assert!((apart - here.normal * here.distance).norm() < 1e-11 * scale * scale);
        }
    }

    #[test]
    fn degenerate_pairs_have_finite_normals() {
        let origin = Vec3::zeros();
        let point = Feature::Point {
            at: origin,
            radius: 0.1,
        };
        let line = Feature::Line {
            at: origin,
            along: Vec3::x(),
            radius: 0.2,
        };
        let beside = Feature::Line {
            at: Vec3::new(3.0, 0.0, 1.0),
            along: -Vec3::x(),
            radius: 0.2,
        };
        let plane = Feature::Plane {
            at: origin,
            normal: Vec3::z(),
        };
        let rim = Feature::Rim {
            at: Vec3::z(),
            axis: Vec3::z(),
            radius: 0.5,
        };
        for (a, b, wanted) in [
            (point, point, -0.2),
            (point, line, -0.3),
            (line, point, -0.3),
            (line, line, -0.4),
            (beside, line, 0.6),
            (rim, plane, 1.0),
            (plane, rim, 1.0),
        ] {
            let gap = between(&a, &b);
            assert!((gap.distance - wanted).abs() < 1e-15, "{a:?} {b:?} {gap:?}");
            assert!((gap.normal.norm() - 1.0).abs() < 1e-15);
            assert!(gap.points.iter().flatten().all(|x| x.is_finite()));
        }
    }

    #[test]
    fn a_disc_that_is_level_but_for_rounding_keeps_its_radius() {
        let plane = Feature::Plane {
            at: Vec3::zeros(),
            normal: Vec3::new(0.15, 0.98, 0.07).normalize(),
        };
        let Feature::Plane { normal, .. } = plane else {
            unreachable!();
        };
        for tilt in [0.0, 1e-16, 1e-15, 1e-13, 1e-11, 1e-9] {
            let rim = Feature::Rim {
                at: normal,
                axis: (normal + Vec3::new(1.0, 0.5, -0.2) * tilt).normalize(),
                radius: 0.5,
            };
            let gap = between(&rim, &plane);
            // The disc dips by its radius times the tilt, whose direction is at most 1.2 long.
            assert!(
                (gap.distance - 1.0).abs() < 0.6 * tilt + 1e-15,
                "{tilt} {gap:?}"
            );
        }
    }

    #[test]
    fn round_features_meet_planes_at_their_lowest_points() {
        let plane = Feature::Plane {
            at: Vec3::zeros(),
            normal: Vec3::z(),
        };
        // A disc of radius 2 whose axis is 30° off the vertical dips by 2 sin 30° = 1.
        let rim = Feature::Rim {
            at: Vec3::new(0.0, 0.0, 3.0),
            axis: Vec3::new(0.5, 0.0, 0.75f64.sqrt()),
            radius: 2.0,
        };
        let gap = between(&rim, &plane);
        assert!((gap.distance - 2.0).abs() < 1e-14);
        assert!((gap.points[0] - Vec3::new(3.0f64.sqrt(), 0.0, 2.0)).norm() < 1e-14);
        // Half-height of an ellipse with half-axes 3 and 1 turned by 45°: √((9 + 1) / 2).
        let ellipsoid = Feature::Ellipsoid {
            at: Vec3::zeros(),
            orientation: Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_4),
            radii: Vec3::new(3.0, 2.0, 1.0),
        };
        let gap = between(&ellipsoid, &plane);
        assert!((gap.distance + 5.0f64.sqrt()).abs() < 1e-14);
    }
}
