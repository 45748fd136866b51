//! Motions that go through waypoints, at rest at both ends, with their rates.

use serde::{Deserialize, Serialize};

/// How a motion gets from one waypoint to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Course {
    /// From rest to rest: half of the time at constant acceleration, half at its opposite.
    ConstantAcceleration,
    /// A cubic spline, whose acceleration does not jump, at rest at the first waypoint and at the last.
    Spline,
}

/// A coordinate as a function of time through waypoints; at rest before the first and after the last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Profile {
    course: Course,
    points: Vec<(f64, f64)>,
    pieces: Vec<Piece>,
}

/// A cubic in the time since its start, whose coefficients begin with the constant.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Piece {
    start: f64,
    coefficients: [f64; 4],
}

/// Why waypoints make no motion: which of them, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a motion needs at least two waypoints, increasing times, finite values and finite rates between them (see point {0})"
)]
pub struct ProfileError(pub usize);

impl Profile {
    /// The motion through (time (s), value) points.
    pub fn new(course: Course, points: Vec<(f64, f64)>) -> Result<Self, ProfileError> {
        let bad = |k: usize| {
            let (t, value) = points[k];
            let after = k == 0 || points[k - 1].0 < t;
            !(after && t.is_finite() && value.is_finite())
        };
        if let Some(k) = (0..points.len()).find(|&k| bad(k)) {
            return Err(ProfileError(k));
        }
        if points.len() < 2 {
            return Err(ProfileError(points.len()));
        }
        let pieces: Vec<Piece> = match course {
            Course::ConstantAcceleration => points.windows(2).flat_map(from_rest).collect(),
            Course::Spline => spline(&points),
        };
        // Values so far apart, or times so near, that a coefficient is beyond all numbers.
        let lost = |p: &Piece| !p.coefficients.iter().all(|c| c.is_finite());
        if let Some(k) = pieces.iter().position(lost) {
            return Err(ProfileError(k * (points.len() - 1) / pieces.len()));
        }
        Ok(Self {
            course,
            points,
            pieces,
        })
    }

    /// How it gets from one waypoint to the next.
    pub fn course(&self) -> Course {
        self.course
    }

    /// The waypoints, (time (s), value).
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Value and rate at time `t` (s).
    pub fn at(&self, t: f64) -> [f64; 2] {
        let [first, last] = [self.points[0], self.points[self.points.len() - 1]];
        if t <= first.0 {
            return [first.1, 0.0];
        }
        if t >= last.0 {
            return [last.1, 0.0];
        }
        let k = self.pieces.partition_point(|p| p.start <= t) - 1;
        let Piece {
            start,
            coefficients: [a, b, c, d],
        } = self.pieces[k];
        let s = t - start;
        [
            a + s * (b + s * (c + s * d)),
            b + s * (2.0 * c + s * (3.0 * d)),
        ]
    }
}

/// Two parabolas between two waypoints.
fn from_rest(ends: &[(f64, f64)]) -> [Piece; 2] {
    let ((t0, v0), (t1, v1)) = (ends[0], ends[1]);
    let half = 0.5 * (t1 - t0);
    let way = 0.5 * (v1 - v0);
    // Half of the way is half of the acceleration times the square of half of the time.
    let c = way / (half * half);
    let piece = |start, coefficients| Piece {
        start,
        coefficients,
    };
    [
        piece(t0, [v0, 0.0, c, 0.0]),
        piece(t0 + half, [v0 + way, 2.0 * c * half, -c, 0.0]),
    ]
}

/// Cubics whose slopes `m` at the waypoints make the second derivative continuous:
/// `m₋/h₋ + 2 m (1/h₋ + 1/h₊) + m₊/h₊ = 3 (Δ₋/h₋² + Δ₊/h₊²)`, with `m = 0` at the ends.
fn spline(points: &[(f64, f64)]) -> Vec<Piece> {
    let n = points.len();
    let part = |k: usize| {
        let ((t0, v0), (t1, v1)) = (points[k], points[k + 1]);
        (t1 - t0, v1 - v0)
    };
    // Elimination from the first inner waypoint on: `m = offset - factor m₊`.
    let (mut factors, mut offsets) = (vec![0.0; n], vec![0.0; n]);
    for k in 1..n - 1 {
        let ((h0, d0), (h1, d1)) = (part(k - 1), part(k));
        let pivot = 2.0 * (1.0 / h0 + 1.0 / h1) - factors[k - 1] / h0;
        factors[k] = 1.0 / (h1 * pivot);
        let right = 3.0 * (d0 / (h0 * h0) + d1 / (h1 * h1));
        offsets[k] = (right - offsets[k - 1] / h0) / pivot;
    }
    let mut slopes = vec![0.0; n];
    for k in (1..n - 1).rev() {
        slopes[k] = offsets[k] - factors[k] * slopes[k + 1];
    }
    let piece = |k: usize| {
        let (h, d) = part(k);
        let (m0, m1) = (slopes[k], slopes[k + 1]);
        Piece {
            start: points[k].0,
            coefficients: [
                points[k].1,
                m0,
                (3.0 * d / h - 2.0 * m0 - m1) / h,
                (m0 + m1 - 2.0 * d / h) / (h * h),
            ],
        }
    };
    (0..n - 1).map(piece).collect()
}

/// A motion as it stands in a file.
#[derive(Serialize, Deserialize)]
struct Written {
    course: Course,
    points: Vec<(f64, f64)>,
}

impl From<Profile> for Written {
    fn from(profile: Profile) -> Self {
        Self {
            course: profile.course,
            points: profile.points,
        }
    }
}

impl TryFrom<Written> for Profile {
    type Error = ProfileError;

    fn try_from(written: Written) -> Result<Self, ProfileError> {
        Self::new(written.course, written.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [(f64, f64); 4] = [(0.5, 1.0), (1.0, -2.0), (3.0, 0.5), (3.25, 0.75)];

    #[test]
    fn motions_meet_their_waypoints_and_are_at_rest_at_the_ends_with_rates_that_are_derivatives() {
        for course in [Course::ConstantAcceleration, Course::Spline] {
            let profile = Profile::new(course, POINTS.to_vec()).expect("times increase");
            for (k, (t, value)) in POINTS.into_iter().enumerate() {
                let [at, rate] = profile.at(t);
                assert!((at - value).abs() < 1e-14, "{course:?} {t}: {at}");
                let rests = course == Course::ConstantAcceleration || k % 3 == 0;
                assert!(!rests || rate.abs() < 1e-14, "{course:?} {t}: {rate}");
            }
            assert_eq!([0.0, 9.0].map(|t| profile.at(t)), [[1.0, 0.0], [0.75, 0.0]]);
            for k in 1..300 {
                let (t, h) = (0.01 * f64::from(k) + 0.003, 1e-5);
                let slope = (profile.at(t + h)[0] - profile.at(t - h)[0]) / (2.0 * h);
                // Rounding 1e-16/h; h² times third derivatives of 100.
                assert!((slope - profile.at(t)[1]).abs() < 1e-7, "{course:?} {t}");
            }
        }
    }

    #[test]
    fn accelerations_are_constant_by_halves_or_do_not_jump() {
        let h = 1e-5;
        let acceleration = |p: &Profile, t: f64| (p.at(t + h)[1] - p.at(t - h)[1]) / (2.0 * h);
        let p = Profile::new(Course::ConstantAcceleration, POINTS.to_vec()).expect("it is one");
        // -3 in half a second: 4 Δ/T².
        for (t, known) in [(0.6, -48.0), (0.74, -48.0), (0.76, 48.0), (0.9, 48.0)] {
            assert!((acceleration(&p, t) - known).abs() < 1e-6, "{t}");
        }
        let p = Profile::new(Course::Spline, POINTS.to_vec()).expect("it is one");
        for t in [1.0, 3.0] {
            let jump = acceleration(&p, t + 2.0 * h) - acceleration(&p, t - 2.0 * h);
            // Third derivatives of 500 over 4 h.
            assert!(jump.abs() < 0.1, "{t}: {jump}");
        }
    }

    #[test]
    fn waypoints_that_make_no_motion_are_told_by_their_place() {
        let of = |points: &[(f64, f64)]| Profile::new(Course::Spline, points.to_vec());
        assert_eq!(of(&[]), Err(ProfileError(0)));
        assert_eq!(of(&[(0.0, 1.0)]), Err(ProfileError(1)));
        assert_eq!(of(&[(0.0, 1.0), (0.0, 2.0)]), Err(ProfileError(1)));
        assert_eq!(of(&[(0.0, 1.0), (1.0, f64::NAN)]), Err(ProfileError(1)));
        let steep = [(0.0, 1.0), (1e-300, 2.0)];
        assert_eq!(of(&steep), Err(ProfileError(0)));
        let high = [(0.0, 1.0), (1.0, 1.0), (2.0, 1e308), (3.0, -1e308)];
        let made = Profile::new(Course::ConstantAcceleration, high.to_vec());
        assert_eq!(made, Err(ProfileError(1)));
    }
}
