//! What every solution must satisfy, whatever the problem: the contact law and the balance of each body.

use super::super::{Node, Options, Point, Problem};
use super::piles::{Pile, times};
use crate::solver::unilateral::law::Dual;
use crate::solver::{ConeSection, WORLD};
use proptest::prelude::*;

/// Velocities of a point by their definition.
pub fn velocity(point: &Point, nodes: &[Node]) -> [f64; 3] {
    let mut u = point.free;
    for (side, &body) in point.bodies.iter().enumerate() {
        if body != WORLD {
            for row in 0..point.rows {
                let gradient = &point.gradient[side][row];
                u[row] += gradient
                    .iter()
                    .zip(&nodes[body].motion)
                    .map(|(g, x)| g * x)
                    .sum::<f64>();
            }
        }
    }
    u
}

/// The largest violation of the law at a problem's points (m/s).
pub fn violation(problem: &Problem) -> f64 {
    let each = problem.points.iter().map(|point| {
        let [normal, slip] = Dual {
            rows: point.rows,
            friction: point.friction,
            speed: point.speed,
            impulse: point.impulse,
            velocity: velocity(point, &problem.bodies),
        }
        .violation(ConeSection::Disc);
        assert!(normal.is_finite() && slip.is_finite());
        normal.max(slip)
    });
    each.fold(0.0, f64::max)
}

/// The largest imbalance of a body, relative to the sum of the sizes of all impulses on it.
pub fn imbalance(problem: &Problem) -> f64 {
    let mut left: Vec<[f64; 6]> = Vec::new();
    let mut size: Vec<[f64; 6]> = Vec::new();
    for node in &problem.bodies {
        let momentum = times(&node.matrix, &node.motion);
        left.push(std::array::from_fn(|k| momentum[k] - node.rhs[k]));
        size.push(std::array::from_fn(|k| {
            momentum[k].abs() + node.rhs[k].abs()
        }));
    }
    for point in &problem.points {
        for (side, &body) in point
            .bodies
            .iter()
            .enumerate()
            .filter(|(_, b)| **b != WORLD)
        {
            for row in 0..point.rows {
                for k in 0..6 {
                    let part = point.mass * point.force[side][row][k] * point.impulse[row];
                    left[body][k] -= part;
                    size[body][k] += part.abs();
                }
            }
        }
    }
    let worst = |(left, size): (&[f64; 6], &[f64; 6])| {
        let [all, most]: [f64; 2] =
            [left, size].map(|s| s.iter().fold(0.0, |m: f64, x| m.max(x.abs())));
        if most > 0.0 { all / most } else { all }
    };
    left.iter().zip(&size).map(worst).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Falling spheres, wherever they touch: the report says what the law's own definition says, to rounding of
    /// velocities of some m/s, an island is capped where that is above the tolerance, and momentum is balanced to
    /// rounding. Two hundred sums of rounding errors of numbers below 1e3 times the least are 1e-11.
    #[test]
    fn spheres_that_fall_keep_the_law_and_the_balance(
        friction in prop_oneof![Just(0.0), 0.1..1.0f64],
        seed in any::<u64>(),
        decades in 0.0..3.0f64,
    ) {
        let mut pile = Pile::new(12, friction, 10f64.powf(decades), seed);
        for _ in 0..40 {
            pile.fill();
            let options = Options { tolerance: 1e-6, ..Options::default() };
            let reports = pile.problem.solve(&options).to_vec();
            for report in &reports {
                prop_assert_eq!(report.capped, report.violation > 1e-6);
            }
            let reported = reports.iter().map(|r| r.violation).fold(0.0, f64::max);
            prop_assert!((violation(&pile.problem) - reported).abs() < 1e-12);
            let left = imbalance(&pile.problem);
            prop_assert!(left < 1e-11, "{left}");
            pile.follow();
        }
    }

    /// Large friction and mass ratios of a million have problems that are left at their cap, solved as what lies still or not:
    /// what remains is finite, balanced and no worse than what the problem was given with.
    #[test]
    fn what_is_hard_ends_with_its_best_iterate(
        friction in 0.0..3.0f64,
        seed in any::<u64>(),
        budget in 0.0..40_000.0f64,
        still in any::<bool>(),
    ) {
        let mut pile = Pile::new(16, friction, 1e6, seed);
        for _ in 0..30 {
            pile.fill();
            let options = Options { budget, still, tolerance: 1e-8, ..Options::default() };
            let capped = pile.problem.solve(&options).iter().any(|r| r.capped);
            let left = violation(&pile.problem);
            prop_assert!(left.is_finite() && (capped || left <= 1.1e-8));
            let left = imbalance(&pile.problem);
            prop_assert!(left < 1e-11, "{left}");
            pile.follow();
        }
    }
}

/// Of the steps of four piles that jam in a narrow box, one in twenty at most is left above 0.1 mm/s, none above 1 cm/s.
#[test]
fn few_steps_of_a_pile_are_capped() {
    let (mut steps, mut capped) = (0, 0);
    for seed in 1..5 {
        let mut pile = Pile::new(20, 0.5, 1.0, seed);
        for _ in 0..60 {
            pile.fill();
            let reports = pile.problem.solve(&Options::default());
            steps += 1;
            capped += usize::from(reports.iter().any(|r| r.capped));
            assert!(reports.iter().all(|r| r.violation < 1e-2), "{reports:?}");
            pile.follow();
        }
    }
    assert!(20 * capped <= steps, "{capped} of {steps}");
}

/// Once patience has ended what is close enough is taken, for less work; before that nothing is.
#[test]
fn what_takes_long_is_taken_once_it_is_close() {
    let (mut taken, mut work) = (0, [0.0; 2]);
    let patience = 3_000.0;
    for seed in 1..5 {
        let mut pile = Pile::new(20, 1.0, 100.0, seed);
        for _ in 0..60 {
            pile.fill();
            let mut hasty = pile.problem.clone();
            let options = Options {
                tolerance: 1e-6,
                ..Options::default()
            };
            let exact = pile.problem.solve(&options).to_vec();
            let patience = (patience, 1e-3);
            let reports = hasty
                .solve(&Options {
                    patience,
                    ..options
                })
                .to_vec();
            for (report, exact) in reports.iter().zip(&exact) {
                work[0] += exact.work;
                work[1] += report.work;
                if report.work < patience.0 {
                    assert_eq!(report, exact);
                } else if report.capped && !exact.capped {
                    taken += 1;
                    assert!(report.violation <= 1e-3 && report.work <= exact.work);
                }
            }
            pile.follow();
        }
    }
    assert!(taken > 10 && work[1] < work[0], "{taken} {work:?}");
}
