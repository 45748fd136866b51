//! Large islands in parts: nothing is lost, parts share no body, and threads change no bit.

use super::super::dissection::{Dissection, Own};
use super::super::island::Visited;
use super::super::{Options, Point, Problem};
use super::islands::bits;
use super::piles::Pile;
use crate::linalg::block_six::ZERO_ROW;
use crate::solver::WORLD;
use crate::threads;
use proptest::prelude::*;
use std::sync::Mutex;

/// Points between bodies, as a graph.
fn points(pairs: &[[usize; 2]]) -> Vec<Point> {
    let point = |&bodies: &[usize; 2]| Point {
        bodies,
        ..Point::default()
    };
    pairs.iter().map(point).collect()
}

/// An island of all these.
fn dissected(count: usize, points: &[Point]) -> (Dissection, Vec<u32>) {
    let mut dissection = Dissection::default();
    let bodies: Vec<u32> = (0..count as u32).collect();
    let own: Vec<u32> = (0..points.len() as u32).collect();
    let mut places = vec![0; count];
    dissection.make(points, &bodies, &own, &mut places);
    (dissection, places)
}

/// For every part its first body, its bodies and the points that are its own, by their places, as work on it sees them.
fn parts(
    dissection: &mut Dissection,
    count: usize,
    points: usize,
) -> Vec<(usize, usize, Vec<usize>)> {
    let mut x = vec![ZERO_ROW; count];
    let mut visited = vec![Visited::default(); points];
    for (k, point) in visited.iter_mut().enumerate() {
        point.impulse[0] = k as f64;
    }
    let mut active = vec![0; points];
    let found = Mutex::new(Vec::new());
    let work = dissection.work(&mut visited, &mut active, &mut x);
    work.run(&|own: Own<'_>| {
        let places = own.points.iter().map(|p| p.impulse[0] as usize).collect();
        let mut found = found.lock().expect("nobody panics");
        found.push((own.first as usize, own.x.len(), places));
        0.0
    });
    found.into_inner().expect("nobody panics")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Of any graph: every body and every point is in one place, and points of a part are on its bodies and on no others.
    #[test]
    fn parts_hold_all_bodies_and_points_and_no_others(
        count in 1usize..120,
        pairs in prop::collection::vec((0usize..130, 0usize..130), 0..2500),
        goes in prop::collection::vec(any::<bool>(), 2500),
    ) {
        let fold = |k: usize| if k < 120 { k % count } else { WORLD };
        let pairs: Vec<[usize; 2]> = pairs.iter().map(|&(a, b)| [fold(a), fold(b)]).filter(|p| *p != [WORLD; 2]).collect();
        let points = points(&pairs);
        let (mut dissection, places) = dissected(count, &points);
        let mut bodies = dissection.bodies.clone();
        prop_assert!(bodies.iter().enumerate().all(|(k, &b)| places[b as usize] as usize == k));
        bodies.sort_unstable();
        prop_assert!(bodies.into_iter().eq(0..count as u32));
        let mut own = dissection.points.clone();
        own.sort_unstable();
        prop_assert!(own.into_iter().eq(0..points.len() as u32));
        let found = parts(&mut dissection, count, points.len());
        prop_assert_eq!(found.len() > 1, points.len() >= 768);
        for (first, size, own) in &found {
            for &k in own {
                let on = points[dissection.points[k] as usize].bodies;
                let within = |&b: &usize| b == WORLD || (*first..first + size).contains(&(places[b] as usize));
                prop_assert!(on.iter().all(within));
            }
        }
        // What goes is gone from the part that had it.
        let goes = &goes[..points.len()];
        dissection.forget(goes);
        let kept: Vec<usize> = (0..points.len()).filter(|&k| !goes[k]).collect();
        let left = parts(&mut dissection, count, kept.len());
        for ((.., before), (.., after)) in found.iter().zip(&left) {
            let wanted: Vec<usize> = before.iter().copied().filter(|&k| !goes[k]).collect();
            let after: Vec<usize> = after.iter().map(|&k| kept[k]).collect();
            prop_assert_eq!(wanted, after);
        }
    }
}

/// A long row of bodies, listed in any order, is cut across: one point between its halves.
#[test]
fn a_row_is_cut_across() {
    let count = 1201;
    let at = |k: usize| k * 37 % count;
    let twice = |k: usize| [[at(k), at(k + 1)], [at(k), WORLD]];
    let points = points(&(0..count - 1).flat_map(twice).collect::<Vec<_>>());
    let (mut dissection, _) = dissected(count, &points);
    let found = parts(&mut dissection, count, points.len());
    let between = &found.last().expect("there is one").2;
    assert_eq!((found.len(), between.len()), (7, 1));
    let sizes: Vec<usize> = found.iter().map(|part| part.1).collect();
    assert!(sizes.iter().all(|&bodies| bodies > 240), "{sizes:?}");
}

/// A heap as it comes to rest, with more points than it takes for parts.
#[test]
fn threads_change_no_bit_of_a_large_island() {
    let mut pile = Pile::new(900, 0.5, 10.0, 7);
    for _ in 0..110 {
        pile.fill();
        pile.problem.solve(&Options::default());
        pile.follow();
    }
    pile.fill();
    let solved = |count: usize| {
        let mut problem = Problem {
            bodies: pile.problem.bodies.clone(),
            points: pile.problem.points.clone(),
            ..Problem::default()
        };
        let options = Options {
            tolerance: 1e-9,
            ..Options::default()
        };
        let largest = threads::with(count, || {
            threads::awake(|| problem.solve(&options).iter().map(|r| r.points).max())
        });
        assert!(largest >= Some(768), "{largest:?} points have no parts");
        bits(&problem)
    };
    let one = solved(1);
    assert!(solved(2) == one && solved(4) == one);
}
