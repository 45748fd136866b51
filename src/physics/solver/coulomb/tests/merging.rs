//! Points that are nearly the same, and those that are redundant but not the same.

use super::super::{Options, Problem};
use super::laws::{imbalance, violation};
use super::piles::{DT, Pile, V, node, point, rows, times};
use crate::solver::WORLD;
use proptest::prelude::*;

/// A plate of 1 m that falls on points of its lower side.
fn plate(points: &[(f64, f64, f64)]) -> Problem {
    let mut problem = Problem::default();
    let mut body = node(2.0, [0.2; 3], [0.0; 3]);
    body.rhs = times(&body.matrix, &[0.3, 0.1, -1.0, 0.0, 0.0, 0.0]);
    problem.bodies.push(body);
    let up: V = [0.0, 0.0, 1.0];
    for &(x, y, gap) in points {
        let sides = [rows(up, [x, y, -0.1]), [[0.0; 6]; 3]];
        let mut point = point([0, WORLD], sides, &problem.bodies, 0.5);
        point.free[0] = gap / DT;
        problem.points.push(point);
    }
    problem
}

#[test]
fn near_duplicates_are_solved_as_the_one_that_closes_first() {
    let corners = [
        (0.5, 0.5, 0.0),
        (0.501, 0.5, -2e-6),
        (-0.5, 0.5, 0.0),
        (-0.5, -0.5, 0.0),
        (0.5, -0.5, 0.0),
    ];
    let mut problem = plate(&corners);
    problem.points[0].impulse = [1.0, 0.2, 0.0];
    problem.points[1].impulse = [1.0, -0.2, 0.0];
    let report = problem.solve(&Options {
        tolerance: 1e-10,
        ..Options::default()
    })[0];
    assert_eq!(report.points, 4);
    assert!(!report.capped, "{report:?}");
    assert_eq!(problem.points[0].impulse, [0.0; 3]);
    assert!(problem.points[1].impulse[0] > 0.0);
    // What is solved as another point is violated by no more than the gaps differ, and balance does not care.
    assert!(violation(&problem) <= 2.0 * 2e-6 / DT);
    assert!(imbalance(&problem) < 1e-13);
    // Each by itself where that is asked for, and further apart anyway.
    let mut apart = plate(&corners);
    assert_eq!(
        apart.solve(&Options {
            merging: 0.0,
            ..Options::default()
        })[0]
            .points,
        5
    );
    let mut wide = plate(&[(0.5, 0.5, 0.0), (0.4, 0.5, 0.0)]);
    assert_eq!(wide.solve(&Options::default())[0].points, 2);
}

#[test]
fn the_impulses_of_merged_points_are_those_to_start_from() {
    // The start solves the problem: four corners that carry the plate's momentum, one of them as two points.
    let mut problem = plate(&[
        (0.5, 0.5, 0.0),
        (-0.5, 0.5, 0.0),
        (-0.5, -0.5, 0.0),
        (0.5, -0.5, 0.0),
    ]);
    problem.solve(&Options {
        tolerance: 1e-12,
        ..Options::default()
    });
    let mut twin = problem.points[2];
    twin.impulse = twin.impulse.map(|r| 0.75 * r);
    problem.points[2].impulse = problem.points[2].impulse.map(|r| 0.25 * r);
    problem.points.push(twin);
    let report = problem.solve(&Options {
        tolerance: 1e-10,
        ..Options::default()
    })[0];
    assert_eq!(
        (report.sweeps, report.factorisations, report.points),
        (0, 0, 4)
    );
}

proptest! {
    /// Any number of redundant points on a plane: the law to the tolerance, whatever shares the load.
    #[test]
    fn redundant_points_share_the_load(
        places in prop::collection::vec((-0.5..0.5f64, -0.5..0.5f64), 3..20),
        friction in 0.0..2.0f64,
    ) {
        let points: Vec<(f64, f64, f64)> = places.iter().map(|&(x, y)| (x, y, 0.0)).collect();
        let mut problem = plate(&points);
        for point in &mut problem.points {
            point.friction = friction;
        }
        let report = problem.solve(&Options { merging: 0.0, tolerance: 1e-6, ..Options::default() })[0];
        prop_assert!(!report.capped, "{report:?}");
        prop_assert!(violation(&problem) <= 1.1e-6);
        prop_assert!(imbalance(&problem) < 1e-12);
    }
}

#[test]
fn what_is_singular_or_not_a_number_is_told_and_does_not_panic() {
    let fresh = || {
        let mut pile = Pile::new(10, 0.5, 1.0, 3);
        for _ in 0..60 {
            pile.fill();
            pile.problem.solve(&Options::default());
            pile.follow();
        }
        pile.fill();
        pile.problem
    };
    let mut flat = fresh();
    let body = flat.points[0].bodies[0];
    flat.bodies[body].matrix = [[0.0; 6]; 6];
    assert!(
        flat.solve(&Options::default())
            .iter()
            .any(|r| r.violation.is_infinite() && r.capped)
    );
    let mut broken = fresh();
    broken.points[0].free[0] = f64::NAN;
    assert!(broken.solve(&Options::default()).iter().any(|r| r.capped));
    let mut wild = fresh();
    wild.points[0].impulse = [f64::NAN, 0.0, 0.0];
    wild.solve(&Options::default());
    assert!(
        wild.reports().iter().all(|r| r.violation.is_finite()),
        "{:?}",
        wild.reports()
    );
    let mut stuck = fresh();
    stuck.points[0].force = [[[0.0; 6]; 3]; 2];
    stuck.solve(&Options::default());
}
