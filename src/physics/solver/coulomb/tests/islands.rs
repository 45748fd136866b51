//! Islands are solved by themselves, and a problem by itself: no bit depends on what else is there or was before.

use super::super::{Options, Point, Problem};
use super::piles::Pile;
use crate::solver::WORLD;

/// A problem of a pile after some steps.
fn problem(count: usize, seed: u64, steps: usize) -> Problem {
    let mut pile = Pile::new(count, 0.5, 10.0, seed);
    for _ in 0..steps {
        pile.fill();
        pile.problem.solve(&Options::default());
        pile.follow();
    }
    pile.fill();
    pile.problem
}

/// Bits of motions and impulses.
pub fn bits(problem: &Problem) -> (Vec<[u64; 6]>, Vec<[u64; 3]>) {
    let motions = problem.bodies.iter().map(|b| b.motion.map(f64::to_bits));
    let impulses = problem.points.iter().map(|p| p.impulse.map(f64::to_bits));
    (motions.collect(), impulses.collect())
}

/// Bodies and points of two problems in turns, and where those of each went.
fn mixed(a: &Problem, b: &Problem) -> (Problem, [Vec<usize>; 2], [Vec<usize>; 2]) {
    let mut out = Problem::default();
    let (mut bodies, mut points) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for k in 0..a.bodies.len().max(b.bodies.len()) {
        for (which, from) in [a, b].into_iter().enumerate() {
            if let Some(body) = from.bodies.get(k) {
                bodies[which].push(out.bodies.len());
                out.bodies.push(*body);
            }
        }
    }
    for k in 0..a.points.len().max(b.points.len()) {
        for (which, from) in [a, b].into_iter().enumerate() {
            if let Some(point) = from.points.get(k) {
                points[which].push(out.points.len());
                let mut point = *point;
                point.bodies = point
                    .bodies
                    .map(|b| if b == WORLD { b } else { bodies[which][b] });
                out.points.push(point);
            }
        }
    }
    (out, bodies, points)
}

#[test]
fn what_happens_in_one_island_changes_no_bit_of_another() {
    let options = Options {
        tolerance: 1e-8,
        ..Options::default()
    };
    let (a, b) = (problem(30, 1, 40), problem(17, 2, 30));
    for (first, second) in [(&a, &b), (&b, &a)] {
        let (mut both, bodies, points) = mixed(first, second);
        both.solve(&options);
        assert!(both.reports().len() >= 2 && both.reports().is_sorted_by_key(|r| r.body));
        let found = bits(&both);
        for (which, single) in [first, second].into_iter().enumerate() {
            let mut single = single.clone();
            single.solve(&options);
            let wanted = bits(&single);
            let motions: Vec<_> = bodies[which].iter().map(|&k| found.0[k]).collect();
            let impulses: Vec<_> = points[which].iter().map(|&k| found.1[k]).collect();
            assert_eq!((motions, impulses), wanted);
        }
    }
}

#[test]
fn a_problem_is_solved_alike_whatever_was_solved_before() {
    let (a, b) = (problem(25, 3, 35), problem(40, 4, 25));
    let mut fresh = Problem {
        bodies: a.bodies.clone(),
        points: a.points.clone(),
        ..Problem::default()
    };
    fresh.solve(&Options::default());
    let mut used = b;
    used.solve(&Options {
        budget: 3_000.0,
        ..Options::default()
    });
    used.clear();
    used.bodies.extend(&a.bodies);
    used.points.extend(&a.points);
    used.solve(&Options::default());
    assert_eq!(bits(&fresh), bits(&used));
    assert_eq!(fresh.reports(), used.reports());
}

#[test]
fn bodies_without_points_move_as_their_impulse_says_and_points_without_bodies_stay() {
    let mut some = problem(8, 5, 60);
    let alone = some.bodies[3];
    let first = some.bodies.len();
    some.bodies.push(alone);
    let mut nowhere = some.points[0];
    nowhere.bodies = [WORLD; 2];
    some.points.push(nowhere);
    some.solve(&Options::default());
    let moved = some.bodies[first];
    let momentum = super::piles::times(&moved.matrix, &moved.motion);
    for k in 0..6 {
        assert!((momentum[k] - moved.rhs[k]).abs() <= 1e-14 * moved.rhs[k].abs().max(1e-2));
    }
    assert_eq!(some.points.last(), Some(&nowhere));
    let mut empty = Problem::default();
    assert!(empty.solve(&Options::default()).is_empty());
}

#[test]
fn what_is_idle_joins_its_bodies_and_is_left_as_it_is() {
    let mut some = problem(12, 6, 60);
    let is_between = |point: &Point| !point.bodies.contains(&WORLD);
    // All that is left of the law between bodies: each of them then is on the floor alone, in one island with the others.
    for point in some.points.iter_mut().filter(|point| is_between(point)) {
        (point.idle, point.impulse) = (true, [0.25, 0.0, 0.0]);
    }
    let mut without = some.clone();
    without.points.retain(|point| !point.idle);
    some.solve(&Options::default());
    without.solve(&Options::default());
    assert!(some.reports().len() < without.reports().len());
    assert!(some.reports().iter().all(|report| !report.capped));
    let idle = some.points.iter().filter(|point| point.idle);
    assert!(idle.clone().count() > 5);
    assert!(idle.clone().all(|point| point.impulse == [0.25, 0.0, 0.0]));
    let speeds = some.bodies.iter().zip(&without.bodies);
    for (a, b) in speeds.flat_map(|(a, b)| a.motion.into_iter().zip(b.motion)) {
        // Each is found to the tolerance, 1e-4 m/s.
        assert!((a - b).abs() < 1e-3, "{a} {b}");
    }
}
