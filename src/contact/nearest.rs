//! Nearest points of convex solids from their farthest points alone [Gilbert1988].
//!
//! The differences of points of the two solids form a convex body; the iteration finds its point nearest to the
//! origin as the nearest point of a growing and shrinking simplex of its farthest points.

use super::polyhedron::Polyhedron;
use crate::math::Vec3;

/// The distance is good to this part of itself: close to what rounding leaves.
const GOOD: f64 = 1e-13;

/// Iterations; curved solids take ten to thirty.
const ITERATIONS: usize = 100;

/// A difference of points of the two solids, and the point of the first.
#[derive(Debug, Clone, Copy)]
struct Corner {
    difference: Vec3,
    first: Vec3,
}

/// A simplex of up to four differences, and its point nearest to the origin as weights of them.
#[derive(Debug, Clone, Copy)]
struct Simplex {
    corners: [Corner; 4],
    weights: [f64; 4],
    count: usize,
}

/// Nearest points of two solids.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// Unit vector from the second to the first.
    pub normal: Vec3,
    /// The points, each of its solid where it is, not where it was moved to [m].
    pub points: [Vec3; 2],
}

/// Nearest points of two convex solids, the first moved by `shift` [m] and both without their rounding; nothing if
/// they overlap.
pub(super) fn nearest(first: &Polyhedron, second: &Polyhedron, shift: &Vec3) -> Option<Nearest> {
    let lowest = |v: &Vec3| {
        let first = first.farthest(&-v);
        Corner {
            difference: first + shift - second.farthest(v),
            first,
        }
    };
    let start = lowest(&Vec3::x());
    let mut best = start.difference;
    let mut simplex = Simplex {
        corners: [start; 4],
        weights: [1.0, 0.0, 0.0, 0.0],
        count: 1,
    };
    for _ in 0..ITERATIONS {
        let next = lowest(&best);
        let gain = best.norm_squared() - best.dot(&next.difference);
        let mut corners = simplex.corners[..simplex.count].iter();
        if corners.any(|c| c.difference == next.difference) || gain <= GOOD * best.norm_squared() {
            break;
        }
        simplex.corners[simplex.count] = next;
        simplex.count += 1;
        let reduced = simplex.nearest_to_origin()?;
        let nearer = reduced.point(|c| c.difference);
        // Rounding is all that is left when a new point does not help.
        if nearer.norm_squared() >= best.norm_squared() {
            simplex.count -= 1;
            break;
        }
        simplex = reduced;
        best = nearer;
    }
    let on_first = simplex.point(|c| c.first);
    (best.norm_squared() > 0.0).then(|| Nearest {
        normal: best.normalize(),
        points: [on_first, on_first + shift - best],
    })
}

impl Simplex {
    /// The point that the weights make of something of the corners.
    fn point(&self, of: impl Fn(&Corner) -> Vec3) -> Vec3 {
        let corners = self.corners[..self.count].iter();
        corners.zip(self.weights).map(|(c, w)| of(c) * w).sum()
    }

    /// The face of the simplex nearest to the origin; nothing if the origin is inside.
    fn nearest_to_origin(&self) -> Option<Self> {
        if self.count == 4 && contains_origin(&self.corners.map(|c| c.difference)) {
            return None;
        }
        let mut best: Option<(f64, Self)> = None;
        // Every subset with fewer than four points is a face.
        for subset in 1..1_usize << self.count {
            let mut face = Self { count: 0, ..*self };
            for k in (0..self.count).filter(|k| subset >> k & 1 == 1) {
                face.corners[face.count] = self.corners[k];
                face.count += 1;
            }
            let [a, b, c, _] = face.corners.map(|c| c.difference);
            let weights = match face.count {
                1 => Some([1.0, 0.0, 0.0]),
                2 => on_segment(&a, &b),
                3 => on_triangle(&a, &b, &c),
                _ => None,
            };
            if let Some([u, v, w]) = weights {
                face.weights = [u, v, w, 0.0];
                let distance = face.point(|c| c.difference).norm_squared();
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, face));
                }
            }
        }
        best.map(|(_, face)| face)
    }
}

/// Weights of the foot of the origin on a segment, if it is between the ends.
fn on_segment(a: &Vec3, b: &Vec3) -> Option<[f64; 3]> {
    let along = b - a;
    let share = -a.dot(&along) / along.norm_squared();
    (share > 0.0 && share < 1.0).then_some([1.0 - share, share, 0.0])
}

/// Weights of the foot of the origin on a triangle, if it is inside.
fn on_triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> Option<[f64; 3]> {
    let normal = (b - a).cross(&(c - a));
    let area = normal.norm_squared();
    let longest = (b - a).norm_squared().max((c - a).norm_squared());
    // A sliver has no normal worth the digits it costs; its sides stand for it.
    if area <= 1e-16 * longest * longest {
        return None;
    }
    let opposite = |p: &Vec3, q: &Vec3| normal.dot(&p.cross(q)) / area;
    let weights = [opposite(b, c), opposite(c, a), opposite(a, b)];
    let sum: f64 = weights.iter().sum();
    let inside = weights.iter().all(|w| *w >= 0.0);
    inside.then(|| weights.map(|w| w / sum))
}

/// Whether the origin lies on the inner side of all four faces.
fn contains_origin(p: &[Vec3; 4]) -> bool {
    (0..4).all(|apex| {
        let [a, b, c] = [1, 2, 3].map(|k| p[(apex + k) % 4]);
        let normal = (b - a).cross(&(c - a));
        let (inner, origin) = (normal.dot(&(p[apex] - a)), -normal.dot(&a));
        // A flat simplex holds nothing, whatever its rounding says.
        let thick = inner.abs() > 1e-10 * normal.norm() * (p[apex] - a).norm();
        thick && inner * origin > 0.0
    })
}
