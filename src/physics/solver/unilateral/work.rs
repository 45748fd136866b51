//! Velocities that impulses at the first knot work along.

use super::super::MechanismSolver;
use super::Unilateral;
use crate::math::Vec3;
use crate::model::{State, Twist};
use crate::solver::past;

/// What gravity gives a body from the middle of the interval of which the state holds its velocity to the middle of one of length
/// `dt` that ends at the same knot (m/s).
fn led(gravity: &Vec3, state: &State, body: usize, dt: f64) -> Vec3 {
    gravity * (0.5 * (dt - past::held(state, body)))
}

impl MechanismSolver {
    /// Velocities of the rows of a unilateral constraint over the interval before (m/s), with its rows at the first knot,
    /// led by gravity, body by body, to an interval of length `dt` that ends at the same knot.
    pub fn rates_before(
        &self,
        unilateral: &Unilateral,
        gravity: &Vec3,
        state: &State,
        dt: f64,
    ) -> [f64; 3] {
        unilateral.rates(|link| {
            let body = self.links.links[link].body;
            let Twist { linear, angular } = state.bodies[body].velocity;
            Twist {
                linear: linear - led(gravity, state, body, dt),
                angular,
            }
        })
    }

    /// Velocities of every link before and after the impulses at the first knot, of which the mean is what impulses work
    /// along: those of the intervals, but of the momenta where nothing but contact turns a body, since the energy of a fast
    /// spin is theirs. Those before are [led](Self::rates_before) by gravity to an interval of length `dt`.
    pub fn twists_of_work(
        &self,
        gravity: &Vec3,
        state: &State,
        dt: f64,
        out: &mut Vec<[Twist; 2]>,
    ) {
        out.clear();
        out.extend(self.links.links.iter().enumerate().map(|(k, link)| {
            let body = &state.bodies[link.body];
            let led = led(gravity, state, link.body, dt);
            let turning = [
                body.velocity.angular,
                link.half_angle_sine.to3() * (2.0 / dt),
            ];
            let angular = if link.alone {
                let inverse = self.links.inverse_inertia(k);
                [body.angular_momentum, link.angular_momentum.to3()].map(|l| inverse * l)
            } else {
                turning
            };
            let linear = [body.velocity.linear - led, link.velocity.to3()];
            [0, 1].map(|k| Twist {
                linear: linear[k],
                angular: angular[k],
            })
        }));
    }
}
