//! Charts as parametrisations that can be followed.

use super::Followed;
use crate::math::rotation::left_jacobian_inverse;
use crate::math::{Mat3, Quat, Vec3};
use crate::solver::assembly::*;

/// Charts at coordinates of their own.
pub struct Charted {
    chart: Chart,
    from: Vec<BodyState>,
    q: Vec<Coordinates>,
    w: Vec<Coordinates>,
    w_rates: Vec<Coordinates>,
}

impl Charted {
    /// Coordinates that put the bodies where a trial has them, increments of half a radian from other poses.
    pub fn new(chart: Chart, trial: &Trial) -> Self {
        let mut all = Self {
            chart,
            from: trial.moment.bodies.to_vec(),
            q: Vec::new(),
            w: Vec::new(),
            w_rates: Vec::new(),
        };
        let bodies = all.from.iter_mut().zip(trial.moment.twists);
        for (k, (from, twist)) in bodies.enumerate() {
            from.velocity = *twist;
            let [mut q, mut w] = chart.read(from);
            if chart.is_local() {
                let turn = Vec3::new(0.3, -0.4, 0.1 * k as f64);
                q.rotation = turn.push(0.0);
                from.orientation *= Quat::from_scaled_axis(turn).inverse();
                if chart == Chart::Motion {
                    let path = Vec3::new(0.2, 0.1 * k as f64, -0.3);
                    q.position = left_jacobian_inverse(&turn) * path;
                    from.position -= from.orientation * path;
                }
            } else if chart == Chart::EulerParameters {
                // What does not turn the body: implicit steps have it.
                w.rotation += q.rotation * 0.2;
            }
            let placed = chart.place(from, &q, &w);
            let mut second = chart.velocity_rates(&q, &w, &placed, &trial.accelerations[k]);
            if chart == Chart::EulerParameters {
                let found = chart.acceleration(&q, &w, &placed, &second);
                let missing = trial.accelerations[k].angular - found.angular;
                let unknown = Twist {
                    linear: Vec3::zeros(),
                    angular: placed.orientation.inverse() * missing,
                };
                second.add(&chart.lift(from, &q, &unknown), 1.0);
                second.rotation += q.rotation * 0.3;
            }
            all.q.push(q);
            all.w.push(w);
            all.w_rates.push(second);
        }
        all
    }

    fn newton(&self) -> NewtonChart<'_> {
        NewtonChart {
            chart: self.chart,
            q: &self.q,
            w: &self.w,
            w_rates: &self.w_rates,
            from: &self.from,
            exact: true,
        }
    }
}

impl Parametrisation for Charted {
    fn tangent(&self, body: usize, at: &BodyMotion, weights: &Weights) -> Tangent {
        self.newton().tangent(body, at, weights)
    }

    fn row_slope(
        &self,
        body: usize,
        at: (&BodyMotion, &Tangent),
        weights: &Weights,
        torque: &Vec3,
    ) -> Mat3 {
        self.newton().row_slope(body, at, weights, torque)
    }
}

impl Charted {
    /// Where a body is after an unknown, and its accelerations.
    fn placed(&self, body: usize, w: &Weights, unknown: &Twist) -> (Placed, Twist) {
        let change = self.chart.lift(&self.from[body], &self.q[body], unknown);
        let after = |of: &[Coordinates], weight| {
            let mut after = of[body];
            after.add(&change, weight);
            after
        };
        let (q, v) = (after(&self.q, w.position), after(&self.w, w.velocity));
        let placed = self.chart.place(&self.from[body], &q, &v);
        let second = after(&self.w_rates, w.acceleration);
        let accelerations = self.chart.acceleration(&q, &v, &placed, &second);
        (placed, accelerations)
    }
}

impl Followed for Charted {
    fn follow(
        &self,
        body: usize,
        _: &BodyMotion,
        w: &Weights,
        unknown: &Vec3,
    ) -> (Quat, Vec3, Vec3) {
        let unknown = Twist {
            linear: Vec3::zeros(),
            angular: *unknown,
        };
        let (placed, accelerations) = self.placed(body, w, &unknown);
        (
            placed.orientation,
            placed.twist.angular,
            accelerations.angular,
        )
    }

    fn carry(&self, body: usize, w: &Weights, unknown: &Twist) -> Option<[Vec3; 3]> {
        let (placed, accelerations) = self.placed(body, w, unknown);
        let carried = [placed.position, placed.twist.linear, accelerations.linear];
        (self.chart == Chart::Motion).then_some(carried)
    }

    fn rows(&self, body: usize, at: &BodyMotion, w: &Weights) -> Mat3 {
        if self.chart != Chart::Cardan {
            return self.tangent(body, at, w).rows;
        }
        let moved = BodyState {
            orientation: *at.orientation,
            ..self.from[body]
        };
        let q: Vec<Coordinates> = vec![self.chart.read(&moved)[0]; body + 1];
        NewtonChart {
            q: &q,
            ..self.newton()
        }
        .tangent(body, at, w)
        .rows
    }
}
