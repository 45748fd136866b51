//! Sections of friction cones: discs and regular polygons, the nearest point in them and how it moves.

use std::f64::consts::TAU;

/// Section of a friction cone at unit bound, in the tangent plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConeSection {
    /// The unit disc.
    Disc,
    /// The regular polygon with that many corners on the unit circle, one of them on the first axis.
    Polygon(u32),
}

/// The nearest point of a section to a given one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The nearest point.
    pub point: [f64; 2],
    /// Its derivative with respect to the given point, row by row.
    pub by_point: [[f64; 2]; 2],
    /// Its derivative with respect to the bound.
    pub by_bound: [f64; 2],
    /// The given point lies inside.
    pub inside: bool,
}

impl ConeSection {
    /// The point of `bound` times the section that is nearest to `z`; a negative bound counts as zero.
    pub fn nearest(self, z: [f64; 2], bound: f64) -> Nearest {
        let bound = bound.max(0.0);
        match self {
            Self::Disc => disc(z, bound),
            Self::Polygon(corners) => polygon(z, bound, corners),
        }
    }

    /// Largest `d · z` over the section.
    pub fn support(self, z: [f64; 2]) -> f64 {
        match self {
            Self::Disc => z[0].hypot(z[1]),
            Self::Polygon(corners) => (0..corners)
                .map(|k| dot(corner(k, corners), z))
                .fold(0.0, f64::max),
        }
    }

    /// By how much `z` lies outside `bound` times the section, measured along the worst edge.
    pub fn excess(self, z: [f64; 2], bound: f64) -> f64 {
        match self {
            Self::Disc => z[0].hypot(z[1]) - bound,
            Self::Polygon(corners) => {
                let apothem = (TAU / f64::from(2 * corners)).cos();
                let outside = (0..corners).map(|k| dot(normal(k, corners), z));
                outside.fold(f64::NEG_INFINITY, f64::max) - apothem * bound
            }
        }
    }
}

/// Corner `k` of the unit polygon.
pub fn corner(k: u32, corners: u32) -> [f64; 2] {
    let (sin, cos) = (TAU * f64::from(k) / f64::from(corners)).sin_cos();
    [cos, sin]
}

/// Outward normal of the edge from corner `k` to the next.
fn normal(k: u32, corners: u32) -> [f64; 2] {
    let (sin, cos) = (TAU * (f64::from(k) + 0.5) / f64::from(corners)).sin_cos();
    [cos, sin]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Length of a vector along tangents, which every visit of a point asks for: `hypot` guards against sizes that no velocity has.
#[inline(always)]
pub fn length(z: [f64; 2]) -> f64 {
    dot(z, z).sqrt()
}

const IDENTITY: [[f64; 2]; 2] = [[1.0, 0.0], [0.0, 1.0]];

fn disc(z: [f64; 2], bound: f64) -> Nearest {
    let length = length(z);
    if length <= bound {
        return Nearest {
            point: z,
            by_point: IDENTITY,
            by_bound: [0.0; 2],
            inside: true,
        };
    }
    let d = [z[0] / length, z[1] / length];
    let shrink = bound / length;
    Nearest {
        point: [bound * d[0], bound * d[1]],
        by_point: [
            [shrink * (1.0 - d[0] * d[0]), -shrink * d[0] * d[1]],
            [-shrink * d[0] * d[1], shrink * (1.0 - d[1] * d[1])],
        ],
        by_bound: d,
        inside: false,
    }
}

fn polygon(z: [f64; 2], bound: f64, corners: u32) -> Nearest {
    // The sector that holds the direction of z holds the edge that is nearest.
    let turn = z[1].atan2(z[0]).rem_euclid(TAU) / TAU * f64::from(corners);
    let edge = (turn.floor() as u32).min(corners - 1);
    let out = normal(edge, corners);
    let reach = (TAU / f64::from(2 * corners)).cos();
    let outside = dot(out, z) - reach * bound;
    if outside <= 0.0 {
        return Nearest {
            point: z,
            by_point: IDENTITY,
            by_bound: [0.0; 2],
            inside: true,
        };
    }
    let along = [-out[1], out[0]];
    let half = (TAU / f64::from(2 * corners)).sin();
    let way = dot(along, z);
    if way.abs() <= half * bound {
        return Nearest {
            point: [z[0] - out[0] * outside, z[1] - out[1] * outside],
            by_point: [
                [along[0] * along[0], along[0] * along[1]],
                [along[1] * along[0], along[1] * along[1]],
            ],
            by_bound: [reach * out[0], reach * out[1]],
            inside: false,
        };
    }
    let at = corner(
        if way > 0.0 {
            (edge + 1) % corners
        } else {
            edge
        },
        corners,
    );
    Nearest {
        point: [bound * at[0], bound * at[1]],
        by_point: [[0.0; 2]; 2],
        by_bound: at,
        inside: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn section() -> impl Strategy<Value = ConeSection> {
        prop_oneof![
            Just(ConeSection::Disc),
            Just(ConeSection::Polygon(4)),
            Just(ConeSection::Polygon(8)),
            Just(ConeSection::Polygon(14)),
        ]
    }

    #[test]
    fn distances_and_corners_of_a_disc_and_a_square_are_those_of_a_drawing() {
        let (disc, square) = (ConeSection::Disc, ConeSection::Polygon(4));
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15 * 10.0, "{a} {b}");
        close(disc.support([3.0, 4.0]), 5.0);
        close(disc.excess([3.0, 4.0], 2.0), 3.0);
        // The corners of the square lie on the axes.
        close(square.support([3.0, 4.0]), 4.0);
        close(square.support([-3.0, 1.0]), 3.0);
        close(square.excess([1.0, 1.0], 1.0), 0.5f64.sqrt());
        close(square.excess([0.0, 0.0], 2.0), -(2f64.sqrt()));
        for (z, wanted) in [
            ([2.0, 0.1], [1.0, 0.0]),
            ([0.1, -3.0], [0.0, -1.0]),
            ([1.0, 1.0], [0.5, 0.5]),
            ([-1.0, 0.5], [-0.75, 0.25]),
        ] {
            let found = square.nearest(z, 1.0);
            close(found.point[0], wanted[0]);
            close(found.point[1], wanted[1]);
            assert!(!found.inside);
        }
    }

    proptest! {
        /// The nearest point lies in the section, and no corner lies behind it as seen from `z`: the variational
        /// inequality that defines a projection. Its derivatives are those of differences.
        #[test]
        fn nearest_points_satisfy_their_inequality(
            section in section(), x in -3.0..3.0, y in -3.0..3.0, bound in 0.1..2.0,
        ) {
            let z = [x, y];
            let found = section.nearest(z, bound);
            let p = found.point;
            prop_assert!(section.excess(p, bound) < 1e-14);
            let away = [z[0] - p[0], z[1] - p[1]];
            // max over the section of away · (q - p) is not positive.
            prop_assert!(bound * section.support(away) - dot(away, p) < 1e-13);
            let h = 1e-7;
            for k in 0..2 {
                let mut moved = z;
                moved[k] += h;
                let there = section.nearest(moved, bound);
                let mut back = z;
                back[k] -= h;
                let here = section.nearest(back, bound);
                let smooth = there.inside == found.inside && here.inside == found.inside
                    && there.by_bound.iter().zip(here.by_bound).all(|(a, b)| (a - b).abs() < 1e-5);
                for i in 0..2 {
                    let slope = (there.point[i] - here.point[i]) / (2.0 * h);
                    // Kinks are left out; elsewhere rounding over h.
                    prop_assert!(!smooth || (slope - found.by_point[i][k]).abs() < 1e-6);
                }
            }
            let (more, less) = (section.nearest(z, bound + h), section.nearest(z, bound - h));
            for i in 0..2 {
                let slope = (more.point[i] - less.point[i]) / (2.0 * h);
                let smooth = more.inside == less.inside
                    && more.by_bound.iter().zip(less.by_bound).all(|(a, b)| (a - b).abs() < 1e-5);
                prop_assert!(!smooth || (slope - found.by_bound[i]).abs() < 1e-6);
            }
        }
    }
}
