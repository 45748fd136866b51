//! Proximal steps of non-smooth Newton on the graph of the points that press [AlartCurnier1991].
//!
//! A point's law in its piece is `C δr + E δu = c`, where `δu` holds what the point itself gives. With `C + ε` it is eliminated into its bodies, as in
//! [`system`](super::super::unilateral), but the solution is left as it is: a step of the proximal method, which stays
//! near where it is in what nothing determines.

use super::assembly::joined;
use super::eliminated::Eliminated;
use super::island::{Island, Measure, Visited};
use super::lists::Lists;
use crate::linalg::block_six::Row;
use crate::linalg::six_lu::{Place, SixLu};
use crate::math::lanes::{Lanes, V4, pass};
use crate::threads;

/// A step goes this much past where impulses vanish, one and this part of the points, and this far at least: pieces
/// that change one by one take a factorisation each, and where many change at once the step is of none of them.
pub(super) const PAST: f64 = 1.02;
const VANISHING: f64 = 0.003;
const SHORTEST: f64 = 0.02;

/// Impulses below this part of the norm of the violations do not limit a step.
const SMALL: f64 = 1e-4;

/// Room of the steps.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    pub lu: SixLu,
    pub laws: Vec<Eliminated>,
    /// Pairs of bodies in the pattern.
    pairs: Vec<(u32, u32)>,
    /// Where the block is that couples the first of every point's bodies with the second.
    places: Vec<Option<Place>>,
    /// Points on every body, and those between the bodies of every block below the diagonal, [each with a side](joined).
    pub on_body: Lists,
    pub on_pair: Lists,
    pub changes: Vec<[f64; 3]>,
    pub x: Vec<Row>,
    /// The part of a step at which the impulse of every point vanishes; infinite for those that do not.
    vanishing: Vec<f64>,
    /// The pattern is that of this island.
    fitted: bool,
    /// Orders of elimination made.
    pub orders: u32,
}

impl Newton {
    /// Forgets the island before.
    pub fn reset(&mut self) {
        self.fitted = false;
        self.orders = 0;
    }

    /// Finds the changes of motions from the right-hand side, and those of impulses that follow, with the factors at hand.
    pub fn solve(&mut self, fused: bool, points: &[Visited]) {
        self.lu.solve(&mut self.x);
        self.changes.resize(points.len(), [0.0; 3]);
        let (laws, x) = (&self.laws[..], &self.x[..]);
        threads::runs(&mut self.changes[..], threads::RUN, |first, run| {
            changes(fused, &points[first..], &laws[first..], x, run);
        });
    }

    /// Products of blocks in one factorisation.
    pub fn products(&self) -> usize {
        self.lu.products()
    }
}

impl Island {
    /// One step with the proximal parameter `epsilon`, from what was measured last, or all the way.
    pub(super) fn step_to_pieces(&mut self, epsilon: f64, at: Option<Measure>) {
        let mut newton = std::mem::take(&mut self.newton);
        self.eliminate(&mut newton, epsilon);
        self.fit(&mut newton);
        newton.assemble(self.fused, &self.bodies, &self.fixed);
        newton.lu.factor();
        newton.solve(self.fused, &self.points);
        self.step(&mut newton, at);
        self.newton = newton;
    }

    /// Takes the pieces of all laws and eliminates them.
    fn eliminate(&self, newton: &mut Newton, epsilon: f64) {
        newton.laws.resize(self.points.len(), Eliminated::default());
        threads::runs(&mut newton.laws[..], threads::RUN, |first, run| {
            for (k, law) in run.iter_mut().enumerate() {
                let k = first + k;
                *law = if self.points[k].local.over > 0.0 {
                    Eliminated::of(&self.dual(k), self.fixed[k].compliance, epsilon)
                } else {
                    Eliminated::default()
                };
            }
        });
    }

    /// Makes the pattern again where a pair presses that is not in it.
    pub(super) fn fit(&self, newton: &mut Newton) {
        let missing = |k: usize| {
            let [a, b] = self.points[k].bodies;
            newton.laws[k].pressed && a != b && newton.places[k].is_none()
        };
        if newton.fitted && !(0..self.points.len()).any(missing) {
            return;
        }
        if !newton.fitted {
            let sides = self.points.iter().enumerate().flat_map(|(k, point)| {
                let [a, b] = point.bodies.map(|b| b as usize);
                let own = self.fixed[k].own_side();
                let both = [(a, joined(k, 0)), (b, joined(k, 1))];
                let some = if a == b { own..own + 1 } else { 0..2 };
                some.map(move |side| both[side])
            });
            newton.on_body.make(self.bodies.len(), sides);
        }
        let pressed = self
            .points
            .iter()
            .zip(&newton.laws)
            .filter(|(_, l)| l.pressed);
        let pairs = pressed.map(|(p, _)| p.bodies).filter(|[a, b]| a != b);
        newton.pairs.clear();
        newton
            .pairs
            .extend(pairs.map(|[a, b]| (a.min(b), a.max(b))));
        newton.lu.fit(self.bodies.len(), &newton.pairs);
        newton.orders += 1;
        newton.fitted = true;
        let lu = &newton.lu;
        let places = self.points.iter().map(|point| {
            let [a, b] = point.bodies.map(|b| b as usize);
            if a == b { None } else { lu.place(a, b) }
        });
        newton.places.clear();
        newton.places.extend(places);
        // The side whose body is eliminated first.
        let sides = newton
            .places
            .iter()
            .enumerate()
            .filter_map(|(k, place)| match place {
                Some(Place::Upper(at)) => Some((*at, joined(k, 0))),
                Some(Place::Lower(at)) => Some((*at, joined(k, 1))),
                _ => None,
            });
        newton.on_pair.make(lu.beside(), sides);
        let on_pair = &newton.on_pair;
        newton.lu.write(|k| !on_pair.of(k).is_empty());
    }

    /// Goes along the changes to where the first impulse vanishes, or all the way.
    fn step(&mut self, newton: &mut Newton, at: Option<Measure>) {
        let small = at.map_or(f64::INFINITY, |at| SMALL * at.norm);
        let (points, changes) = (&self.points[..], &newton.changes[..]);
        newton.vanishing.resize(points.len(), 0.0);
        threads::runs(&mut newton.vanishing[..], threads::RUN, |first, run| {
            let moving = points[first..].iter().zip(&changes[first..]);
            for (vanishes, (point, change)) in run.iter_mut().zip(moving) {
                let (r, by) = (point.impulse[0], change[0]);
                let pulls = r > small && r + by < 0.0;
                *vanishes = if pulls { PAST * r / -by } else { f64::INFINITY };
            }
        });
        let passed = (VANISHING * self.points.len() as f64) as usize;
        let mut fraction = 1.0_f64;
        if passed < newton.vanishing.len() {
            let (_, at, _) = newton
                .vanishing
                .select_nth_unstable_by(passed, f64::total_cmp);
            fraction = at.min(1.0);
        }
        let fraction = fraction.max(SHORTEST);
        threads::runs(&mut self.points[..], threads::RUN, |first, run| {
            for (point, change) in run.iter_mut().zip(&changes[first..]) {
                for row in 0..3 {
                    point.impulse[row] += fraction * change[row];
                }
            }
        });
        for (x, change) in self.x.iter_mut().zip(&newton.x) {
            for (x, change) in x.iter_mut().zip(change) {
                x.0.iter_mut()
                    .zip(change.0)
                    .for_each(|(x, c)| *x += fraction * c);
            }
        }
    }
}

pass! {
    /// Changes of impulses that follow from those of motions, of points from the place `first` on.
    changes => changes_all, (points: &[Visited], laws: &[Eliminated], x: &[Row], out: &mut [[f64; 3]])
}

#[inline(always)]
fn changes_all<L: Lanes>(points: &[Visited], laws: &[Eliminated], x: &[Row], out: &mut [[f64; 3]]) {
    for ((point, law), change) in points.iter().zip(laws).zip(out) {
        let mut sum = L::zero();
        for side in 0..2 {
            let x = &x[point.bodies[side] as usize];
            for k in 0..6 {
                let column = L::load(&point.gradient[side][k]);
                sum = L::splat(x[k / 3].0[k % 3]).fma(column, sum);
            }
        }
        let V4([n, x, y, _]) = sum.store();
        for p in 0..3 {
            let [a, b, c] = law.k[p];
            change[p] = law.push[p] - (a * n + b * x + c * y);
        }
    }
}
