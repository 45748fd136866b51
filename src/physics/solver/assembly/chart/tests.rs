//! Charts against differences in time of the poses that they make: no rate or acceleration is trusted.

use super::*;
use crate::math::rotation;
use crate::model::specimen::{Numbers, at_rest};

const ALL: [Chart; 4] = [
    Chart::Cardan,
    Chart::EulerParameters,
    Chart::RotationVector,
    Chart::Motion,
];

/// A start, and coordinates and velocities that are somewhere else for local charts.
fn somewhere(chart: Chart, numbers: &mut Numbers) -> (BodyState, [Coordinates; 2]) {
    let mut body = at_rest();
    body.position = numbers.vector();
    body.orientation = rotation::exp(&numbers.vector());
    body.velocity = numbers.twist();
    let [mut q, w] = chart.read(&body);
    if chart.is_local() {
        q = of_three((numbers.vector(), numbers.vector()));
    }
    (body, [q, w])
}

#[test]
fn coordinates_put_a_body_where_they_were_read() {
    let mut numbers = Numbers(1);
    for (chart, _) in ALL.into_iter().flat_map(|c| [(c, 0); 20]) {
        let (body, _) = somewhere(chart, &mut numbers);
        let [q, w] = chart.read(&body);
        let placed = chart.place(&body, &q, &w);
        // Rounding of angles, of order 1, and of rates that a middle angle near a quarter turn makes large.
        assert!(
            (placed.position - body.position).norm() < 1e-15,
            "{chart:?}"
        );
        let turn = rotation::log(&(placed.orientation * body.orientation.inverse()));
        assert!(turn.norm() < 1e-14, "{chart:?}: {turn}");
        let gap = placed.twist.angular - body.velocity.angular;
        assert!(gap.norm() < 1e-12, "{chart:?}: {gap}");
        let gap = placed.twist.linear - body.velocity.linear;
        assert!(gap.norm() < 1e-14, "{chart:?}: {gap}");
    }
}

#[test]
fn rates_move_the_body_with_its_velocity_and_accelerations_change_that() {
    let mut numbers = Numbers(2);
    for (chart, _) in ALL.into_iter().flat_map(|c| [(c, 0); 20]) {
        let (body, [q, w]) = somewhere(chart, &mut numbers);
        let at = chart.place(&body, &q, &w);
        let asked = numbers.twist();
        let w_rates = chart.velocity_rates(&q, &w, &at, &asked);
        let found = chart.acceleration(&q, &w, &at, &w_rates);
        let known = format!("{chart:?}");
        // Inverse of each other; a middle angle near a quarter turn loses some digits.
        assert!((found.angular - asked.angular).norm() < 1e-11, "{known}");
        assert!((found.linear - asked.linear).norm() < 1e-13, "{known}");

        // Along the curve of these rates, to first order in time.
        let h = 1e-6;
        let rates = chart.rates(&q, &w);
        let after = |t: f64| {
            let (mut q, mut w) = (q, w);
            q.add(&rates, t);
            w.add(&w_rates, t);
            chart.place(&body, &q, &w)
        };
        let (back, ahead) = (after(-h), after(h));
        let turn = rotation::log(&(ahead.orientation * back.orientation.inverse())) / (2.0 * h);
        let slope = |f: fn(&Placed) -> Vec3| (f(&ahead) - f(&back)) / (2.0 * h);
        // Central differences: rounding 1e-16/h, truncation h² times third derivatives, which a middle angle near a quarter
        // turn makes large.
        let close = |a: Vec3, b: Vec3, what: &str| {
            assert!(
                (a - b).norm() < 1e-7 * (1.0 + a.norm()),
                "{known} {what}: {a} {b}"
            );
        };
        close(turn, at.twist.angular, "turn");
        close(slope(|p| p.position), at.twist.linear, "path");
        close(slope(|p| p.twist.linear), asked.linear, "linear");
        close(slope(|p| p.twist.angular), asked.angular, "angular");
    }
}

#[test]
fn euler_parameters_keep_their_length_to_second_order_wherever_they_are() {
    let mut numbers = Numbers(3);
    for _ in 0..20 {
        let (body, [mut q, mut w]) = somewhere(Chart::EulerParameters, &mut numbers);
        // Off unit length, as stages of explicit methods are.
        q.rotation *= 1.0 + 0.1 * numbers.unit();
        w.rotation += q.rotation * (0.1 * numbers.unit());
        let at = Chart::EulerParameters.place(&body, &q, &w);
        let second = Chart::EulerParameters.velocity_rates(&q, &w, &at, &numbers.twist());
        let curvature = w.rotation.norm_squared() + q.rotation.dot(&second.rotation);
        assert!(curvature.abs() < 1e-14, "{curvature}");
    }
}

#[test]
fn cardan_angles_run_away_at_a_quarter_turn_and_nothing_else_does() {
    let mut body = at_rest();
    body.orientation = Quat::from_euler_angles(0.0, std::f64::consts::FRAC_PI_2, 0.0);
    body.velocity.angular = Vec3::new(0.0, 1.0, 0.5);
    for chart in ALL {
        let [_, w] = chart.read(&body);
        let followed = chart.runaway(&w, 1e-3) < 1.0;
        assert_eq!(followed, chart != Chart::Cardan, "{chart:?}");
    }
}
