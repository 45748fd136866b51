//! How far a body moves its side of a contact past the other in an interval.
//!
//! What sticks turns about a point of its material: a corner, or the point of a face or of a round side that a corner
//! holds. That point is followed as far as it goes, `x₂ - x₁ + (R - 1) p`, so that it stays where the gap at the end of the
//! interval says that it is: by rates at the start it would leave the surface by the square of the turn, and where a joint
//! holds all directions but one, no motion would keep both laws. What is round rolls about its middle, the surface comes to
//! the contact and leaves it, `2 u × r`, with the half-angle sine `u` of the turn. A rim and an ellipsoid roll by the mean of
//! the arms `r` at both ends, and towards the plane they come as far as their lowest point does.

use super::feature::{Feature, Located};
use super::gap::{lowest_arm, slope_of_lowest};
use crate::math::{Mat3, Vec3};
use crate::model::BodyState;

/// Square of the sine of a turn below which its axis is rounding.
const VANISHING: f64 = 1e-20;

/// Sine of the tilt of a rim below which its lowest point may run around as it lands, and what is added to it for each radian by
/// which its axis turns.
const LEVEL: (f64, f64) = (0.03, 2.0);

/// A turn: half-angle sine `u` and cosine.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// Sine of half of the angle along the axis.
    pub sine: Vec3,
    /// Cosine of half of the angle.
    pub cosine: f64,
}

/// What a body brings to a contact. Arms are in the world frame (m).
#[derive(Debug, Clone, Copy)]
pub struct Side {
    /// From its centre of mass to the point that it takes along, at the first knot.
    pivot: Vec3,
    /// From there to where it is pushed, as far as that is not on what is round.
    aside: Vec3,
    /// What is round, where its arm changes with the turn.
    round: Option<Round>,
}

#[derive(Debug, Clone, Copy)]
struct Round {
    /// Normal of the plane.
    normal: Vec3,
    /// Arms to the lowest points at both knots.
    arms: [Vec3; 2],
    /// How the second changes as the body turns.
    slope: Mat3,
}

impl Turn {
    /// The turn of a half-angle sine.
    pub fn of(sine: Vec3) -> Self {
        let cosine = (1.0 - sine.norm_squared()).max(0.0).sqrt();
        Self { sine, cosine }
    }

    /// How `2 u` times a vector changes as the body turns on at the second knot: by `s θ - u × θ`.
    pub fn changes(&self, along: &Vec3) -> Vec3 {
        along * self.cosine + self.sine.cross(along)
    }
}

impl Located {
    /// What one of its bodies brings, between two configurations that an interval of `dt` joins.
    pub fn side(&self, side: usize, [first, second]: [&BodyState; 2], dt: f64) -> Side {
        let (gap, other) = (&self.here, &self.features[1 - side]);
        let sign = [1.0, -1.0][side];
        let point = gap.points[side];
        let is_held = matches!(other, Feature::Point { radius, .. } if *radius == 0.0);
        let mut round = None;
        let pivot = match self.features[side] {
            Feature::Point { radius, .. } | Feature::Line { radius, .. } if !is_held => {
                point + gap.normal * (sign * radius)
            }
            Feature::Rim { at, .. } | Feature::Ellipsoid { at, .. } => {
                let up = gap.normal * sign;
                let placed = [first, second].map(|body| self.features[side].placed(body));
                if is_tilted(&placed[0], &up, &(first.velocity.angular * dt)) {
                    round = Some(Round {
                        normal: gap.normal,
                        arms: placed.map(|feature| lowest_arm(&feature, &up)),
                        slope: slope_of_lowest(&placed[1], &up),
                    });
                }
                first.position + first.orientation * at
            }
            _ => point,
        };
        let rolling = round.map_or_else(Vec3::zeros, |round| round.arms[0]);
        Side {
            pivot: pivot - first.position,
            aside: gap.middle() - pivot - rolling,
            round,
        }
    }
}

impl Side {
    /// How far it is turned along a tangent (m), and how that changes as the body turns on at the second knot.
    pub fn turned(&self, along: &Vec3, turn: &Turn) -> (f64, Vec3) {
        let u = turn.sine;
        let moved = u.cross(&turn.changes(&self.pivot)) * 2.0;
        let torque = self.aside.cross(along);
        let mut way = along.dot(&moved) + 2.0 * u.dot(&torque);
        let mut change = (self.pivot + moved).cross(along) + turn.changes(&torque);
        if let Some(round) = &self.round {
            let [here, there] = round.arms;
            let (n, sum) = (&round.normal, here + there);
            // By the mean of the arms it rises a little more or less than its lowest point does; the way across the axis makes
            // up for that.
            let (lift, by_sine) = lift(along, n, &u);
            let left = n.dot(&(there - here)) - u.dot(&sum.cross(n));
            let rest = along - n * lift;
            way += u.dot(&sum.cross(along)) + lift * left;
            change += turn.changes(&(sum.cross(&rest) + by_sine * left)) * 0.5
                + round.slope.transpose() * rest.cross(&u)
                + there.cross(n) * lift;
        }
        (way, change)
    }
}

/// Whether a rim is tilted over a plane and stays so in a turn; what has no level is.
fn is_tilted(feature: &Feature, up: &Vec3, turn: &Vec3) -> bool {
    match feature {
        Feature::Rim { axis, .. } => {
            axis.cross(up).norm() > LEVEL.0 + LEVEL.1 * axis.cross(turn).norm()
        }
        _ => true,
    }
}

/// How far along a direction goes what moves across the axis of a turn, towards a normal, until it rises by one; and how
/// that changes with the half-angle sine.
fn lift(along: &Vec3, normal: &Vec3, sine: &Vec3) -> (f64, Vec3) {
    let (rise, slide) = (normal.dot(sine), along.dot(sine));
    let across = sine - normal * rise;
    let square = across.norm_squared();
    if square < VANISHING {
        return (0.0, Vec3::zeros());
    }
    let straight = along.dot(normal);
    let lift = (straight * sine.norm_squared() - slide * rise) / square;
    let change = sine * (2.0 * straight) - along * rise - normal * slide - across * (2.0 * lift);
    (lift, change / square)
}
