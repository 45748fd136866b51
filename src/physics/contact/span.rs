//! Where a line runs inside a convex solid, in closed form.

use crate::math::Vec3;
use crate::model::{Geometry, Surface};

/// The part of a line that is inside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    /// Where it enters, in lengths of the direction from the origin; not finite where it comes from inside.
    pub entry: f64,
    /// Unit normal of the surface there, out of the solid.
    pub normal: Vec3,
    /// Where it leaves.
    pub exit: f64,
}

impl Span {
    const ALL: Self = Self {
        entry: f64::NEG_INFINITY,
        normal: Vec3::new(0.0, 0.0, 0.0),
        exit: f64::INFINITY,
    };

    /// Inside of both.
    fn and(self, other: Self) -> Option<Self> {
        let later = if other.entry > self.entry {
            other
        } else {
            self
        };
        let exit = self.exit.min(other.exit);
        (later.entry < exit).then_some(Self { exit, ..later })
    }

    /// Inside of either, of parts of one convex solid.
    fn or(self, other: Self) -> Self {
        let first = if other.entry < self.entry {
            other
        } else {
            self
        };
        Self {
            exit: self.exit.max(other.exit),
            ..first
        }
    }
}

/// Where a line is inside a shape, in the shape's frame; `direction` is a unit vector. `None` where it misses it, and of
/// surfaces, which have no inside.
pub(super) fn span(geometry: &Geometry, origin: &Vec3, direction: &Vec3) -> Option<Span> {
    let half = |axis: Vec3, height: f64| below(origin, direction, &axis, height);
    match geometry {
        Geometry::HalfSpace => half(Vec3::z(), 0.0),
        Geometry::Sphere { radius } => ball(origin, direction, *radius),
        Geometry::Box { size } => {
            let mut inside = Span::ALL;
            for axis in 0..3 {
                let mut unit = Vec3::zeros();
                unit[axis] = 1.0;
                inside = inside.and(half(unit, 0.5 * size[axis])?)?;
                inside = inside.and(half(-unit, 0.5 * size[axis])?)?;
            }
            Some(inside)
        }
        Geometry::Cylinder { radius, length } => barrel(origin, direction, *radius, *length),
        Geometry::Capsule { radius, length } => {
            let end = Vec3::z() * (0.5 * length);
            let parts = [
                barrel(origin, direction, *radius, *length),
                ball(&(origin - end), direction, *radius),
                ball(&(origin + end), direction, *radius),
            ];
            parts.into_iter().flatten().reduce(Span::or)
        }
        Geometry::Cone { radius, length } => {
            let slab = half(Vec3::z(), 0.75 * length)?.and(half(-Vec3::z(), 0.25 * length)?)?;
            slab.and(funnel(origin, direction, *radius, *length)?)
        }
        Geometry::Ellipsoid { radii } => {
            // The map that makes it a unit ball keeps lengths along the line in proportion.
            let [origin, direction] = [origin, direction].map(|v| v.component_div(radii));
            let scale = direction.norm();
            let found = ball(&origin, &(direction / scale), 1.0)?;
            Some(Span {
                entry: found.entry / scale,
                exit: found.exit / scale,
                normal: found.normal.component_div(radii).normalize(),
            })
        }
        Geometry::Hull(surface) => hull(surface, origin, direction),
        Geometry::Mesh(_) | Geometry::HeightField(_) => None,
    }
}

/// Below the plane at a height along a unit vector.
fn below(origin: &Vec3, direction: &Vec3, axis: &Vec3, height: f64) -> Option<Span> {
    let (above, rise) = (axis.dot(origin) - height, axis.dot(direction));
    if rise == 0.0 {
        return (above <= 0.0).then_some(Span::ALL);
    }
    let at = -above / rise;
    Some(if rise > 0.0 {
        Span {
            exit: at,
            ..Span::ALL
        }
    } else {
        Span {
            entry: at,
            normal: *axis,
            exit: f64::INFINITY,
        }
    })
}

/// Inside a ball about the origin.
fn ball(origin: &Vec3, direction: &Vec3, radius: f64) -> Option<Span> {
    let along = origin.dot(direction);
    let square = radius * radius - (origin - direction * along).norm_squared();
    (square > 0.0).then(|| {
        let half = square.sqrt();
        let entry = -along - half;
        Span {
            entry,
            normal: (origin + direction * entry) / radius,
            exit: half - along,
        }
    })
}

/// Inside a cylinder along z.
fn barrel(origin: &Vec3, direction: &Vec3, radius: f64, length: f64) -> Option<Span> {
    let ends = [Vec3::z(), -Vec3::z()].map(|axis| below(origin, direction, &axis, 0.5 * length));
    let slab = ends[0]?.and(ends[1]?)?;
    let flat = |v: &Vec3| Vec3::new(v.x, v.y, 0.0);
    let (at, way) = (flat(origin), flat(direction));
    let scale = way.norm();
    let side = if scale == 0.0 {
        (at.norm() <= radius).then_some(Span::ALL)?
    } else {
        let found = ball(&at, &(way / scale), radius)?;
        Span {
            entry: found.entry / scale,
            exit: found.exit / scale,
            ..found
        }
    };
    slab.and(side)
}

/// Inside the endless cone along z below its tip.
fn funnel(origin: &Vec3, direction: &Vec3, radius: f64, length: f64) -> Option<Span> {
    let slope = radius / length;
    let tip = origin - Vec3::z() * (0.75 * length);
    // x² + y² ≤ slope² z², z ≤ 0.
    let product = |a: &Vec3, b: &Vec3| a.x * b.x + a.y * b.y - slope * slope * a.z * b.z;
    let (a, b, c) = (
        product(direction, direction),
        product(&tip, direction),
        product(&tip, &tip),
    );
    let normal = |t: f64| {
        let p = tip + direction * t;
        Vec3::new(p.x, p.y, -slope * slope * p.z)
            .try_normalize(0.0)
            .unwrap_or_else(Vec3::z)
    };
    let from = |entry: f64, exit: f64| {
        (entry < exit).then(|| Span {
            entry,
            normal: if entry.is_finite() {
                normal(entry)
            } else {
                Vec3::zeros()
            },
            exit,
        })
    };
    let square = b * b - a * c;
    if a > 0.0 {
        // Across: both ends on one half of the double cone, this one where the middle is below the tip.
        let middle = tip.z - direction.z * (b / a);
        if square <= 0.0 || middle > 0.0 {
            return None;
        }
        return from((-b - square.sqrt()) / a, (square.sqrt() - b) / a);
    }
    // Along: from where it passes the mantle on, in the direction in which the cone widens.
    let down = direction.z < 0.0;
    let at = if a == 0.0 {
        if b == 0.0 {
            return (c <= 0.0 && tip.z <= 0.0).then_some(Span::ALL);
        }
        -0.5 * c / b
    } else {
        let root = square.max(0.0).sqrt();
        let [least, most] = [(-b + root) / a, (-b - root) / a];
        if down { most } else { least }
    };
    if down {
        from(at, f64::INFINITY)
    } else {
        from(f64::NEG_INFINITY, at)
    }
}

fn hull(surface: &Surface, origin: &Vec3, direction: &Vec3) -> Option<Span> {
    let mut inside = Span::ALL;
    for triangle in &surface.triangles {
        let [a, b, c] = triangle.map(|k| surface.vertices[k as usize]);
        let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) else {
            continue;
        };
        inside = inside.and(below(origin, direction, &normal, normal.dot(&a))?)?;
    }
    Some(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Ray, distance};
    use crate::math::Pose;
    use crate::model::{Shape, Touch};
    use std::sync::Arc;

    /// Entries and exits of lines from everywhere against the rays of the other library, normals against the slopes of the entry
    /// along shifted lines. The iterative casts of that library are good to 1e-5.
    #[test]
    fn lines_enter_and_leave_where_rays_do() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let hull = Surface {
            vertices: corners.map(Vec3::from).to_vec(),
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        };
        let (radius, length) = (0.4, 1.3);
        let all = [
            Geometry::Sphere { radius },
            Geometry::Box {
                size: Vec3::new(0.5, 0.8, 1.1),
            },
            Geometry::Cylinder { radius, length },
            Geometry::Capsule { radius, length },
            Geometry::Cone { radius, length },
            Geometry::Ellipsoid {
                radii: Vec3::new(0.3, 0.9, 0.5),
            },
            Geometry::Hull(Arc::new(hull)),
        ];
        let mut random = 1_u64;
        let mut next = || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (random >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut met = 0;
        for geometry in all {
            let shape = Shape {
                geometry,
                pose: Pose::identity(),
                colour: None,
                touch: Touch::default(),
                foundations: Vec::new(),
            };
            for _ in 0..400 {
                let at = Vec3::new(next(), next(), next()) * 0.5;
                let direction = Vec3::new(next(), next(), next()).normalize();
                let origin = at - direction * 5.0;
                let ray = |origin, direction| distance(&shape, &Ray { origin, direction });
                let found = span(&shape.geometry, &origin, &direction);
                let wanted = ray(origin, direction);
                let grazes = found.is_none_or(|s| s.exit - s.entry < 1e-3);
                assert!(grazes || wanted.is_some(), "{shape:?} {found:?}");
                let (Some(found), Some(wanted)) = (found, wanted) else {
                    assert!(grazes || wanted.is_none());
                    continue;
                };
                met += 1;
                assert!(
                    (found.entry - wanted).abs() < 1e-5,
                    "{shape:?} {found:?} {wanted}"
                );
                let back = ray(origin + direction * 10.0, -direction).expect("it comes back");
                assert!((10.0 - back - found.exit).abs() < 1e-5);
                let slope = found.normal.dot(&direction);
                if slope > -0.1 {
                    continue;
                }
                for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                    let shifted = span(&shape.geometry, &(origin + axis * 1e-6), &direction);
                    let by = shifted.map_or(0.0, |s| (s.entry - found.entry) / 1e-6);
                    let wanted = -found.normal.dot(&axis) / slope;
                    // Of a shift across an edge nothing is known.
                    let close = (by - wanted).abs() < 1e-3 * (1.0 + wanted.abs());
                    assert!(close || shifted.is_none_or(|s| s.normal.dot(&found.normal) < 0.999));
                }
            }
        }
        assert!(met > 500, "{met}");
    }

    #[test]
    fn a_half_space_goes_on_below_its_plane() {
        let [down, up] = [-1.0, 1.0].map(|z| Vec3::z() * z);
        let found = span(&Geometry::HalfSpace, &(up * 3.0), &down).expect("it is met");
        assert_eq!(
            (found.entry, found.exit, found.normal),
            (3.0, f64::INFINITY, up)
        );
        let found = span(&Geometry::HalfSpace, &down, &up).expect("it is left");
        assert_eq!((found.entry, found.exit), (f64::NEG_INFINITY, 1.0));
        assert_eq!(span(&Geometry::HalfSpace, &up, &Vec3::x()), None);
    }
}
