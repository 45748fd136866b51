//! Block Gauss-Seidel sweeps: each point in its turn is given the impulses with which it keeps its law, and its bodies
//! move at once [Jourdan1998; Acary2018 sect. 4].

use super::dissection::Own;
use super::island::{Island, Visited, push, velocity};
use crate::linalg::block_six::Row;
use crate::math::lanes::{Lanes, pass};
use crate::solver::worse;

/// Sweeps of which the first visits all points, the others those that push.
const ROUND: u32 = 10;

impl Island {
    /// Sweeps until impulses change by no more than `enough` (m/s), `most` times at most. Returns how many times, and
    /// the visits.
    pub(super) fn sweeps(&mut self, most: u32, enough: f64) -> (u32, usize) {
        let mut visits = 0;
        let fused = self.fused;
        for k in 0..most {
            let all = k % ROUND == 0;
            let change = if all {
                visits += self.points.len();
                self.work().run(&|own: Own<'_>| {
                    let (change, count) =
                        sweep_all(fused, own.first, own.points, own.x, own.active);
                    *own.count = count;
                    change
                })
            } else {
                visits += self.dissection.active();
                self.work().run(&|own: Own<'_>| {
                    let active = &own.active[..*own.count];
                    sweep_active(fused, own.first, own.points, own.x, active)
                })
            };
            // What is not a number changes nothing for the better.
            if change.is_nan() || (all && change <= enough) {
                return (k + 1, visits);
            }
        }
        (most, visits)
    }
}

pass! {
    /// Visits all points and notes those that push; returns the largest change of an impulse (m/s), and how many push.
    sweep_all => every, (first: u32, points: &mut [Visited], x: &mut [Row], active: &mut [u32]) -> (f64, usize)
}

#[inline(always)]
fn every<L: Lanes>(
    first: u32,
    points: &mut [Visited],
    x: &mut [Row],
    active: &mut [u32],
) -> (f64, usize) {
    let (mut largest, mut count) = (0.0, 0);
    for k in 0..points.len() {
        let point = &mut points[k];
        let pushed = point.impulse[0] > 0.0;
        largest = visit::<L>(point, first, x, largest);
        if pushed || point.impulse[0] > 0.0 {
            active[count] = k as u32;
            count += 1;
        }
    }
    (largest, count)
}

pass! {
    /// Visits the points noted; returns the largest change of an impulse (m/s).
    sweep_active => some, (first: u32, points: &mut [Visited], x: &mut [Row], active: &[u32]) -> f64
}

#[inline(always)]
fn some<L: Lanes>(first: u32, points: &mut [Visited], x: &mut [Row], active: &[u32]) -> f64 {
    let mut largest = 0.0;
    for &k in active {
        largest = visit::<L>(&mut points[k as usize], first, x, largest);
    }
    largest
}

#[inline(always)]
fn visit<L: Lanes>(point: &mut Visited, first: u32, x: &mut [Row], largest: f64) -> f64 {
    let u = velocity::<L>(point, first, x);
    let r = point.impulse;
    let new = point.local.solve(r, u, &mut point.slip);
    let change = [new[0] - r[0], new[1] - r[1], new[2] - r[2]];
    if change == [0.0; 3] {
        return largest;
    }
    push::<L>(point, first, x, change);
    point.impulse = new;
    let size = worse(worse(change[0].abs(), change[1].abs()), change[2].abs());
    worse(largest, size)
}
