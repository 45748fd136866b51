//! What one body adds: momenta against the discrete Lagrangian, slopes against momenta, by central differences.
//!
//! A step of 1e-5: truncation 1e-10 times third derivatives of order 100, rounding 1e-16/1e-5 times 100.

use super::super::lagrangian::{MeanVelocity, Momenta, Passage};
use super::MEANS;
use crate::math::{Mat3, Quat, Vec3, rotation};
use crate::model::Twist;
use crate::model::specimen::Numbers;

const H: f64 = 1e-5;
const TOLERANCE: f64 = 1e-7;
const DT: f64 = 0.5;

/// A body with its displacement and turn; angles from nearly nothing, within the series, to beyond it.
struct Body {
    mass: f64,
    inertia: Mat3,
    turn: Quat,
    shift: Vec3,
}

impl Body {
    fn of(seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let body = numbers.body("b");
        let size = [1e-4, 0.1, 0.4, 0.5, 1.2][seed as usize % 5];
        Self {
            mass: body.mass,
            inertia: body.inertia,
            turn: Quat::from_scaled_axis(numbers.vector().normalize() * size),
            shift: numbers.vector(),
        }
    }

    fn passage(&self) -> Passage<'_> {
        Passage {
            mass: self.mass,
            inertia: &self.inertia,
            turn: &self.turn,
            shift: &self.shift,
            dt: DT,
        }
    }

    /// Moved at the second knot along direction `k` of translation and rotation by `by`.
    fn moved(&self, k: usize, by: f64) -> Self {
        let mut shift = self.shift;
        let mut turn = self.turn;
        if k < 3 {
            shift[k] += by;
        } else {
            turn = Quat::from_scaled_axis(Vec3::ith(k - 3, by)) * turn;
        }
        Self {
            shift,
            turn,
            ..*self
        }
    }

    /// The kinetic part of the discrete Lagrangian as it is defined.
    fn lagrangian(&self, mean: MeanVelocity) -> f64 {
        let twist = match mean {
            MeanVelocity::Screw => {
                let angular = rotation::log(&self.turn);
                let linear = rotation::left_jacobian_inverse(&angular) * self.shift;
                Twist { linear, angular }
            }
            MeanVelocity::Quaternion => Twist {
                linear: self.shift,
                angular: self.turn.imag() * 2.0,
            },
        };
        let spin = self.inertia * twist.angular;
        (self.mass * twist.linear.norm_squared() + twist.angular.dot(&spin)) / (2.0 * DT)
    }

    fn momenta(&self, mean: MeanVelocity) -> Momenta {
        mean.momenta(&self.passage())
    }
}

#[test]
fn momenta_are_the_derivatives_of_the_discrete_lagrangian() {
    for seed in 0..20 {
        let body = Body::of(seed);
        for mean in MEANS {
            let found = body.momenta(mean);
            for k in 0..6 {
                let at = |by| body.moved(k, by).lagrangian(mean);
                let slope = (at(H) - at(-H)) / (2.0 * H);
                let claim = if k < 3 {
                    found.linear[k]
                } else {
                    found.second[k - 3]
                };
                assert!(
                    (slope - claim).abs() < TOLERANCE,
                    "seed {seed}, {mean:?}, {k}: {slope} {claim}"
                );
            }
            // About any fixed point the angular momentum is the same at both ends.
            let kept = found.first - found.second - body.shift.cross(&found.linear);
            assert!(kept.norm() < 1e-13, "seed {seed}, {mean:?}: {kept}");
        }
    }
}

#[test]
fn slopes_are_the_derivatives_of_the_momenta_at_the_first_knot() {
    for seed in 0..20 {
        let body = Body::of(seed);
        for mean in MEANS {
            let slope = mean.slope(&body.passage());
            for k in 0..6 {
                let at = |by| body.moved(k, by).momenta(mean);
                let (ahead, back) = (at(H), at(-H));
                let unit = |first: usize| {
                    if (first..first + 3).contains(&k) {
                        Vec3::ith(k - first, 1.0)
                    } else {
                        Vec3::zeros()
                    }
                };
                let claim = slope.apply(&Twist {
                    linear: unit(0),
                    angular: unit(3),
                });
                let force = (ahead.linear - back.linear) / (2.0 * H) - claim.force;
                let torque = (ahead.first - back.first) / (2.0 * H) - claim.torque;
                assert!(
                    force.amax().max(torque.amax()) < TOLERANCE,
                    "seed {seed}, {mean:?}, {k}: {force} {torque}"
                );
            }
        }
    }
}

#[test]
fn both_mean_velocities_agree_where_nothing_turns() {
    let mut body = Body::of(3);
    body.turn = Quat::identity();
    let [screw, quaternion] = MEANS.map(|mean| body.momenta(mean));
    assert!((screw.linear - quaternion.linear).norm() < 1e-15);
    assert!(screw.second.norm() < 1e-15 && quaternion.second.norm() < 1e-15);
}
