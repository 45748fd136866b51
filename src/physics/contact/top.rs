//! Where curved solids part best, by Newton's method on the smooth pieces of their surfaces that a search has come to.
//!
//! Along a unit vector `n` from the second solid to the first they are apart by `n · d(n)`, where `d` is the difference of the
//! points that are farthest towards each other. Each of these is a corner or lies on a rim or an ellipsoid, and where solids
//! touch with an edge, a side or a face it is a mean of up to three. The best direction has
//! ```text
//!   Σ w_k d_k(n) = σ n,   n · d_k(n) = σ,   Σ w_k = 1,   w_k ≥ 0
//! ```
//! and `d_k` changes with `n` by the radii of curvature of both surfaces. A search takes a step for every digit or two; these double
//! the digits.

use super::gap::perpendicular;
use super::nearest::Seed;
use super::pair::{Apart, separation};
use super::polyhedron::Polyhedron;
use crate::math::Vec3;
use nalgebra::{Matrix2, Matrix3x2, Matrix4, Vector2, Vector4};

/// Steps at most: three are usual.
const STEPS: usize = 6;

/// Largest turn of the direction in a step [rad]: what is farther off is on other pieces.
const TURN: f64 = 0.5;

/// Misfit at which it ends, in sizes of the smaller solid.
const EXACT: f64 = 1e-12;

/// How much farther another piece may reach, in sizes of the smaller solid.
const BEYOND: f64 = 1e-11;

/// Sine of the tilt of a rim below which its farthest point runs around at a touch.
const LEVEL: f64 = 0.02;

/// Pieces of both solids that face each other: no more than three differences make a nearest point.
const MOST: usize = 3;

/// A piece of a surface along which the farthest point of a solid moves smoothly, by its number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Piece {
    Corner(usize),
    Rim(usize),
    Ellipsoid(usize),
}

/// Differences of pieces, each with its weight.
struct Pieces {
    of: [[Piece; 2]; MOST],
    weights: [f64; MOST],
    count: usize,
}

/// What the pieces are along a direction.
struct Along {
    /// Mean of the points of each solid (m).
    points: [Vec3; 2],
    /// How far the mean is from the direction, along both tangents (m).
    misfit: Vector2<f64>,
    /// Differences to the first along both tangents, and along the direction (m).
    others: [(Vector2<f64>, f64); MOST - 1],
    /// How the misfit shrinks where the direction turns (m).
    bend: Matrix2<f64>,
    tangents: Matrix3x2<f64>,
}

/// The best direction near another, if it is on the pieces where a search ended: as the search would find it, to rounding.
pub(super) fn top([x, y]: [&Polyhedron; 2], near: &Vec3, seed: &Seed, size: f64) -> Option<Apart> {
    let mut pieces = Pieces::of([x, y], seed)?;
    if let Some(found) = pieces.on_disc([x, y], near, size) {
        return Some(found);
    }
    let mut normal = *near;
    for _ in 0..STEPS {
        let along = pieces.along([x, y], &normal)?;
        if along.error(pieces.count) > EXACT * size {
            let (turn, shares) = along.step(pieces.count)?;
            normal = (normal + along.tangents * turn).normalize();
            for k in 1..pieces.count {
                pieces.weights[k] += shares[k - 1];
                pieces.weights[0] -= shares[k - 1];
            }
            continue;
        }
        let found = Apart {
            normal,
            distance: separation(x, y, &normal),
            points: along.points,
        };
        let sound = along.is_top(pieces.count)
            && pieces.weights.iter().all(|w| *w >= 0.0)
            && found.mismatch() <= BEYOND * size;
        return sound.then_some(found);
    }
    None
}

impl Pieces {
    /// Those on which the points of a search lie, with equal weights.
    fn of(solids: [&Polyhedron; 2], seed: &Seed) -> Option<Self> {
        let mut found = Self {
            of: [[Piece::Corner(0); 2]; MOST],
            weights: [0.0; MOST],
            count: 0,
        };
        for points in seed.points() {
            let [x, y] = [0, 1].map(|k| solids[k].piece(&points[k]));
            let pair = [x?, y?];
            if !found.of[..found.count].contains(&pair) {
                found.of[found.count] = pair;
                found.count += 1;
            }
        }
        found.weights[..found.count].fill(1.0 / found.count as f64);
        Some(found)
    }

    /// The best direction where that is nearly along the axis of a disc: along it, if the other solid is over the disc.
    fn on_disc(&self, solids: [&Polyhedron; 2], near: &Vec3, size: f64) -> Option<Apart> {
        let towards = [-near, *near];
        let (side, rim) = [0, 1].into_iter().find_map(|side| {
            let Piece::Rim(k) = self.of[0][side] else {
                return None;
            };
            let rim = &solids[side].rims[k];
            let level = rim.axis.dot(&towards[side]) > 0.0 && rim.axis.cross(near).norm() <= LEVEL;
            level.then_some((side, rim))
        })?;
        let over = solids[1 - side].farthest(&-rim.axis);
        let height = rim.axis.dot(&(over - rim.at));
        let foot = over - rim.axis * height;
        let mut found = Apart {
            normal: rim.axis,
            distance: height,
            points: [over, foot],
        };
        if side == 0 {
            found.normal = -rim.axis;
            found.points.reverse();
        }
        let [x, y] = solids;
        let sound = (foot - rim.at).norm() <= rim.radius
            && separation(x, y, &found.normal) >= height - BEYOND * size;
        sound.then_some(found)
    }

    fn along(&self, solids: [&Polyhedron; 2], normal: &Vec3) -> Option<Along> {
        let first = perpendicular(normal);
        let tangents = Matrix3x2::from_columns(&[first, normal.cross(&first)]);
        let (mut points, mut bend) = ([Vec3::zeros(); 2], Matrix2::zeros());
        let mut differences = [Vec3::zeros(); MOST];
        for k in 0..self.count {
            let [x, y] = self.of[k];
            let (p, p_bend) = solids[0].farthest_of(x, &-normal, &tangents)?;
            let (q, q_bend) = solids[1].farthest_of(y, normal, &tangents)?;
            let weight = self.weights[k];
            points[0] += p * weight;
            points[1] += q * weight;
            bend += (p_bend + q_bend) * weight;
            differences[k] = p - q;
        }
        let mean = points[0] - points[1];
        let other = |k: usize| {
            let apart = differences[k + 1] - differences[0];
            (tangents.tr_mul(&apart), normal.dot(&apart))
        };
        Some(Along {
            misfit: tangents.tr_mul(&mean),
            others: [0, 1].map(other),
            bend: bend + Matrix2::identity() * normal.dot(&mean),
            points,
            tangents,
        })
    }
}

impl Along {
    /// How far the equations are from being kept (m).
    fn error(&self, count: usize) -> f64 {
        let others = self.others[..count - 1].iter();
        others.fold(self.misfit.amax(), |most, (_, lift)| most.max(lift.abs()))
    }

    /// The turn along both tangents and the changes of the weights but the first that keep the equations to first order.
    fn step(&self, count: usize) -> Option<(Vector2<f64>, [f64; MOST - 1])> {
        let (turn, shares) = if count == 1 {
            (self.bend.try_inverse()? * self.misfit, [0.0; 2])
        } else {
            let mut matrix = Matrix4::identity();
            let mut rhs = Vector4::zeros();
            matrix.fixed_view_mut::<2, 2>(0, 0).copy_from(&self.bend);
            rhs.fixed_rows_mut::<2>(0).copy_from(&self.misfit);
            for (k, (apart, lift)) in self.others[..count - 1].iter().enumerate() {
                matrix.fixed_view_mut::<2, 1>(0, 2 + k).copy_from(&-apart);
                matrix
                    .fixed_view_mut::<1, 2>(2 + k, 0)
                    .copy_from(&apart.transpose());
                matrix[(2 + k, 2 + k)] = 0.0;
                rhs[2 + k] = -lift;
            }
            let found = matrix.lu().solve(&rhs)?;
            (found.xy(), [found[2], found[3]])
        };
        // Written so that what is not a number is no step.
        (turn.norm() <= TURN).then_some((turn, shares))
    }

    /// Whether no direction beside it parts the solids farther.
    fn is_top(&self, count: usize) -> bool {
        match count {
            1 => self.bend.trace() > 0.0 && self.bend.determinant() > 0.0,
            2 => {
                let (apart, _) = self.others[0];
                let across = Vector2::new(-apart.y, apart.x);
                across.dot(&(self.bend * across)) > 0.0
            }
            _ => true,
        }
    }
}

impl Polyhedron {
    /// The piece on which one of its farthest points lies.
    fn piece(&self, point: &Vec3) -> Option<Piece> {
        if let Some(k) = self.corners.iter().position(|c| c.at == *point) {
            return Some(Piece::Corner(k));
        }
        let off = |k: &usize| self.rims[*k].axis.dot(&(point - self.rims[*k].at)).abs();
        let rim = (0..self.rims.len()).min_by(|a, b| off(a).total_cmp(&off(b)));
        rim.map(Piece::Rim)
            .or_else(|| (!self.ellipsoids.is_empty()).then_some(Piece::Ellipsoid(0)))
    }

    /// The farthest point of a piece along a unit vector, and how it moves along two tangents where the vector turns to these (m);
    /// nothing where it runs around at a touch.
    fn farthest_of(
        &self,
        piece: Piece,
        along: &Vec3,
        tangents: &Matrix3x2<f64>,
    ) -> Option<(Vec3, Matrix2<f64>)> {
        match piece {
            Piece::Corner(k) => Some((self.corners[k].at, Matrix2::zeros())),
            Piece::Rim(k) => {
                let rim = &self.rims[k];
                let side = rim.axis.cross(along);
                let tilt = side.norm();
                let across = tangents.tr_mul(&side) / tilt;
                let bend = across * across.transpose() * (rim.radius / tilt);
                (tilt > LEVEL).then(|| (rim.farthest(along), bend))
            }
            Piece::Ellipsoid(k) => {
                let ellipsoid = &self.ellipsoids[k];
                let turn = ellipsoid.orientation.to_rotation_matrix();
                let squares = ellipsoid.radii.component_mul(&ellipsoid.radii);
                let local = turn.matrix().tr_mul(tangents);
                let scaled = Matrix3x2::from_columns(&[
                    local.column(0).component_mul(&squares),
                    local.column(1).component_mul(&squares),
                ]);
                let arm = ellipsoid.farthest(along) - ellipsoid.at;
                let reach = along.dot(&arm);
                let sideways = tangents.tr_mul(&arm);
                let bend =
                    (local.tr_mul(&scaled) / reach) - sideways * sideways.transpose() / reach;
                Some((ellipsoid.at + arm, bend))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Quat};

    /// How farthest points move where the direction turns, by central differences whose error is the square of their step.
    #[test]
    fn bends_are_slopes_of_farthest_points() {
        const STEP: f64 = 1e-5;
        let pose = Pose::from_parts(
            Vec3::new(0.3, -0.2, 0.5).into(),
            Quat::from_scaled_axis(Vec3::new(0.4, 1.1, -0.7)),
        );
        for (solid, piece) in [
            (Polyhedron::cylinder(0.3, 0.5), Piece::Rim(1)),
            (Polyhedron::cone(0.2, 0.6), Piece::Rim(0)),
            (Polyhedron::cone(0.2, 0.6), Piece::Corner(0)),
            (
                Polyhedron::ellipsoid(Vec3::new(0.2, 0.3, 0.5)),
                Piece::Ellipsoid(0),
            ),
        ] {
            let mut placed = Polyhedron::default();
            solid.place(&pose, &mut placed);
            for along in [
                Vec3::new(0.3, 0.8, -0.5),
                Vec3::new(-0.9, 0.1, 0.2),
                Vec3::new(0.1, -0.4, 0.9),
            ] {
                let along = along.normalize();
                let first = perpendicular(&along);
                let tangents = Matrix3x2::from_columns(&[first, along.cross(&first)]);
                let point = |direction: Vec3| {
                    let found = placed.farthest_of(piece, &direction.normalize(), &tangents);
                    found.expect("no rim is level").0
                };
                let (_, bend) = placed
                    .farthest_of(piece, &along, &tangents)
                    .expect("none is");
                for k in 0..2 {
                    let turn = tangents.column(k) * STEP;
                    let slope = (point(along + turn) - point(along - turn)) / (2.0 * STEP);
                    let error = (tangents.tr_mul(&slope) - bend.column(k)).norm();
                    assert!(error < 1e-8, "{piece:?} {along}: {error}");
                    assert!(along.dot(&slope).abs() < 1e-8, "{piece:?} {along}");
                }
            }
        }
    }
}
