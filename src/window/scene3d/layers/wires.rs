//! Outlines of shapes as lines.

use physics::math::Vec3;
use physics::model::{Geometry, Surface};
use std::collections::BTreeSet;
use std::f64::consts::TAU;

/// Pieces of a circle.
const PIECES: u32 = 32;
/// Most edges of a surface that are drawn.
const EDGES: usize = 4000;

/// Lines in the frame of the shape (m); none for what has no end.
pub fn outline(geometry: &Geometry) -> Vec<Vec<Vec3>> {
    match geometry {
        Geometry::HalfSpace => Vec::new(),
        Geometry::Sphere { radius } => ellipses(&Vec3::repeat(*radius)),
        Geometry::Ellipsoid { radii } => ellipses(radii),
        Geometry::Box { size } => cuboid(&(size * 0.5)),
        Geometry::Cylinder { radius, length } => {
            round(&[(*radius, -0.5 * length), (*radius, 0.5 * length)])
        }
        Geometry::Cone { radius, length } => {
            round(&[(*radius, -0.25 * length), (0.0, 0.75 * length)])
        }
        Geometry::Capsule { radius, length } => {
            let mut lines = round(&[(*radius, -0.5 * length), (*radius, 0.5 * length)]);
            for (half, sign) in [(0.5 * length, 1.0), (-0.5 * length, -1.0)] {
                for turn in [0.0, 0.25 * TAU] {
                    lines.push(cap(*radius, half, sign, turn));
                }
            }
            lines
        }
        Geometry::Hull(surface) | Geometry::Mesh(surface) => edges(surface),
        Geometry::HeightField(field) => edges(&field.surface()),
    }
}

fn circle(radius: f64, height: f64) -> Vec<Vec3> {
    let at = |k: u32| {
        let (s, c) = (TAU * f64::from(k) / f64::from(PIECES)).sin_cos();
        Vec3::new(radius * c, radius * s, height)
    };
    (0..=PIECES).map(at).collect()
}

/// Three circles, stretched.
fn ellipses(radii: &Vec3) -> Vec<Vec<Vec3>> {
    let turned = |swap: fn(Vec3) -> Vec3| {
        let points = circle(1.0, 0.0).into_iter().map(swap);
        points.map(|p| p.component_mul(radii)).collect()
    };
    vec![
        turned(|p| p),
        turned(|p| Vec3::new(p.z, p.x, p.y)),
        turned(|p| Vec3::new(p.y, p.z, p.x)),
    ]
}

fn cuboid(half: &Vec3) -> Vec<Vec<Vec3>> {
    let corner = |k: usize| {
        let sign = |bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        half.component_mul(&Vec3::new(sign(0), sign(1), sign(2)))
    };
    let pairs = (0..8).flat_map(|k| (0..3).map(move |bit| (k, k | 1 << bit)));
    pairs
        .filter(|(a, b)| a != b)
        .map(|(a, b)| vec![corner(a), corner(b)])
        .collect()
}

/// Circles at radii and heights, and four lines along them.
fn round(ends: &[(f64, f64); 2]) -> Vec<Vec<Vec3>> {
    let mut lines: Vec<Vec<Vec3>> = ends
        .iter()
        .filter(|(radius, _)| *radius > 0.0)
        .map(|&(radius, height)| circle(radius, height))
        .collect();
    for quarter in 0..4 {
        let (s, c) = (0.25 * TAU * f64::from(quarter)).sin_cos();
        let at = |&(radius, height): &(f64, f64)| Vec3::new(radius * c, radius * s, height);
        lines.push(ends.iter().map(at).collect());
    }
    lines
}

/// Half a circle over an end of a capsule.
fn cap(radius: f64, height: f64, sign: f64, turn: f64) -> Vec<Vec3> {
    let (s, c) = turn.sin_cos();
    let at = |k: u32| {
        let (up, out) = (0.5 * TAU * f64::from(k) / f64::from(PIECES / 2)).sin_cos();
        Vec3::new(
            radius * out * c,
            radius * out * s,
            height + sign * radius * up,
        )
    };
    (0..=PIECES / 2).map(at).collect()
}

/// Edges of a surface, each once.
fn edges(surface: &Surface) -> Vec<Vec<Vec3>> {
    let sides = surface
        .triangles
        .iter()
        .flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]);
    let edges: BTreeSet<(u32, u32)> = sides.map(|(a, b)| (a.min(b), a.max(b))).collect();
    // Of a fine surface every so manieth edge tells its form.
    let every = edges.len().div_ceil(EDGES).max(1);
    let at = |k: u32| surface.vertices[k as usize];
    edges
        .into_iter()
        .step_by(every)
        .map(|(a, b)| vec![at(a), at(b)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_reach_as_far_as_their_shapes_and_lie_on_them() {
        let shapes = [
            Geometry::Sphere { radius: 0.4 },
            Geometry::Box {
                size: Vec3::new(1.0, 2.0, 3.0),
            },
            Geometry::Cylinder {
                radius: 0.3,
                length: 1.0,
            },
            Geometry::Cone {
                radius: 0.3,
                length: 1.0,
            },
            Geometry::Capsule {
                radius: 0.3,
                length: 1.0,
            },
            Geometry::Ellipsoid {
                radii: Vec3::new(0.2, 0.5, 0.9),
            },
        ];
        for shape in shapes {
            let lines = outline(&shape);
            let far = lines.iter().flatten().map(|p| p.norm()).fold(0.0, f64::max);
            // The reach of a cone is that of a cylinder around it; its own farthest point is the tip.
            let reach = match shape {
                Geometry::Cone { length, .. } => 0.75 * length,
                _ => shape.reach(),
            };
            assert!((far / reach - 1.0).abs() < 1e-12, "{shape:?}");
        }
        assert_eq!(
            outline(&Geometry::Box {
                size: Vec3::repeat(1.0)
            })
            .len(),
            12
        );
        assert!(outline(&Geometry::HalfSpace).is_empty());
    }
}
