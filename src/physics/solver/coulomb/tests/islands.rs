//! Islands are solved by themselves, and a problem by itself: no bit depends on what else is there or was before.

use super::super::{Options, Problem};
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
fn bits(problem: &Problem) -> (Vec<[u64; 6]>, Vec<[u64; 3]>) {
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
