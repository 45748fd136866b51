//! Proximal steps of non-smooth Newton on the graph of the points that press [AlartCurnier1991].
//!
//! A point's law in its piece is `C δr + E δu = c`, where `δu` holds what the point itself gives. With `C + ε` it is eliminated into its bodies, as in
//! [`system`](super::super::unilateral), but the solution is left as it is: a step of the proximal method, which stays
//! near where it is in what nothing determines.

use super::eliminated::Eliminated;
use super::island::{Fixed, Island, Measure, Visited};
use crate::linalg::block_six::{Block, Row, ZERO_ROW};
use crate::linalg::six_lu::{Place, SixLu};
use crate::math::lanes::{Lanes, V4, pass};

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
    lu: SixLu,
    laws: Vec<Eliminated>,
    /// Pairs of bodies in the pattern.
    pairs: Vec<(u32, u32)>,
    /// Where the blocks of every point's bodies are: those on the diagonal, then those between them.
    places: Vec<[Option<Place>; 4]>,
    changes: Vec<[f64; 3]>,
    x: Vec<Row>,
    /// Parts of a step at which impulses vanish.
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
        newton.lu.clear();
        newton.x.clear();
        newton.x.resize(self.x.len(), ZERO_ROW);
        for (k, body) in self.bodies.iter().enumerate() {
            if let Some(place) = newton.lu.place(k, k) {
                *newton.lu.block_mut(place) = body.matrix;
            }
        }
        assemble(self.fused, &self.points, &self.fixed, &mut newton);
        newton.lu.factor();
        let count = self.bodies.len();
        newton.lu.solve(&mut newton.x[..count]);
        changes(self.fused, &self.points, &mut newton);
        self.step(&mut newton, at);
        self.newton = newton;
    }

    /// Takes the pieces of all laws and eliminates them.
    fn eliminate(&self, newton: &mut Newton, epsilon: f64) {
        newton.laws.clear();
        let laws = (0..self.points.len()).map(|k| {
            if self.points[k].local.over > 0.0 {
                Eliminated::of(&self.dual(k), self.fixed[k].compliance, epsilon)
            } else {
                Eliminated::default()
            }
        });
        newton.laws.extend(laws);
    }

    /// Makes the pattern again where a pair presses that is not in it.
    fn fit(&self, newton: &mut Newton) {
        let world = self.bodies.len() as u32;
        let missing = |k: usize| {
            let [a, b] = self.points[k].bodies;
            let coupled = newton.laws[k].pressed && a != world && b != world;
            coupled && (!newton.fitted || newton.places[k][2].is_none())
        };
        if newton.fitted && !(0..self.points.len()).any(missing) {
            return;
        }
        let pressed = self
            .points
            .iter()
            .zip(&newton.laws)
            .filter(|(_, l)| l.pressed);
        let pairs = pressed
            .map(|(p, _)| p.bodies)
            .filter(|b| !b.contains(&world));
        newton.pairs.clear();
        newton
            .pairs
            .extend(pairs.map(|[a, b]| (a.min(b), a.max(b))));
        newton.lu.fit(self.bodies.len(), &newton.pairs);
        newton.orders += 1;
        newton.fitted = true;
        newton.places.clear();
        for point in &self.points {
            let [a, b] = point.bodies.map(|b| b as usize);
            let count = self.bodies.len();
            let place = |a: usize, b: usize| {
                if a < count && b < count {
                    newton.lu.place(a, b)
                } else {
                    None
                }
            };
            let places = [place(a, a), place(b, b), place(a, b), place(b, a)];
            newton.places.push(places);
        }
    }

    /// Goes along the changes to where the first impulse vanishes, or all the way.
    fn step(&mut self, newton: &mut Newton, at: Option<Measure>) {
        newton.vanishing.clear();
        let small = at.map_or(f64::INFINITY, |at| SMALL * at.norm);
        for (point, change) in self.points.iter().zip(&newton.changes) {
            let (r, by) = (point.impulse[0], change[0]);
            if r > small && r + by < 0.0 {
                newton.vanishing.push(PAST * r / -by);
            }
        }
        let passed = (VANISHING * self.points.len() as f64) as usize;
        let mut fraction = 1.0_f64;
        if passed < newton.vanishing.len() {
            let (_, at, _) = newton
                .vanishing
                .select_nth_unstable_by(passed, f64::total_cmp);
            fraction = at.min(1.0);
        }
        let fraction = fraction.max(SHORTEST);
        for (point, change) in self.points.iter_mut().zip(&newton.changes) {
            for row in 0..3 {
                point.impulse[row] += fraction * change[row];
            }
        }
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
    /// Adds the eliminated laws to the matrix and to the right-hand side.
    assemble => assemble_all, (points: &[Visited], fixed: &[Fixed], newton: &mut Newton)
}

#[inline(always)]
fn assemble_all<L: Lanes>(points: &[Visited], fixed: &[Fixed], newton: &mut Newton) {
    for k in 0..points.len() {
        let law = newton.laws[k];
        let (point, fixed) = (&points[k], &fixed[k]);
        for side in 0..2 {
            add_rows::<L>(
                &mut newton.x[point.bodies[side] as usize],
                &fixed.force[side],
                law.push,
            );
        }
        if !law.pressed {
            continue;
        }
        for column in 0..2 {
            let mut stiff = [ZERO_ROW; 3];
            for p in 0..3 {
                add_rows::<L>(&mut stiff[p], &fixed.gradient[column], law.k[p]);
            }
            for row in 0..2 {
                let which = if row == column { row } else { 2 + row };
                if let Some(place) = newton.places[k][which] {
                    let block = newton.lu.block_mut(place);
                    add_outer::<L>(block, &fixed.force[row], &stiff);
                }
            }
        }
    }
    // The world stays.
    if let Some(world) = newton.x.last_mut() {
        *world = ZERO_ROW;
    }
}

/// Adds a combination of three rows.
#[inline(always)]
fn add_rows<L: Lanes>(to: &mut Row, rows: &[Row; 3], by: [f64; 3]) {
    for half in 0..2 {
        let mut sum = L::load(&to[half]);
        for k in 0..3 {
            sum = L::splat(by[k]).fma(L::load(&rows[k][half]), sum);
        }
        to[half] = sum.store();
    }
}

/// Adds the products of three columns with three rows.
#[inline(always)]
fn add_outer<L: Lanes>(block: &mut Block, columns: &[Row; 3], rows: &[Row; 3]) {
    for i in 0..6 {
        let by = [0, 1, 2].map(|k| columns[k][i / 3].0[i % 3]);
        add_rows::<L>(&mut block.0[i], rows, by);
    }
}

pass! {
    /// Changes of impulses that follow from those of motions.
    changes => changes_all, (points: &[Visited], newton: &mut Newton)
}

#[inline(always)]
fn changes_all<L: Lanes>(points: &[Visited], newton: &mut Newton) {
    newton.changes.clear();
    for (point, law) in points.iter().zip(&newton.laws) {
        let mut sum = L::zero();
        for side in 0..2 {
            let x = &newton.x[point.bodies[side] as usize];
            for k in 0..6 {
                let column = L::load(&point.gradient[side][k]);
                sum = L::splat(x[k / 3].0[k % 3]).fma(column, sum);
            }
        }
        let V4([n, x, y, _]) = sum.store();
        let change = std::array::from_fn(|p| {
            let [a, b, c] = law.k[p];
            law.push[p] - (a * n + b * x + c * y)
        });
        newton.changes.push(change);
    }
}
