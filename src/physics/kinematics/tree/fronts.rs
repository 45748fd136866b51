//! Rows that close loops in a tree, eliminated where the paths of what they touch meet.
//!
//! Beside `K x = b` of [articulated bodies](super::ArticulatedBodies) stand rows `λ` with wrenches `W` on links and gradients
//! `G` of their motions: `K x - Lᵀ W λ = b`, `G R x + D λ = c`. A row is carried from the links that it touches towards the
//! world; what a link passes on is `f = A t + z - W λ` and `g = G t + D λ`, with all rows that are open there. Eliminating a
//! column `l`, `r` of a joint with `u`, `w`, `d` as there changes
//! ```text
//!   D ← D + (G r)(l W)/d,   W ← W - u (l W)/d,   G ← G - w (G r)/d
//! ```
//! and where the paths of rows `E` meet these are solved for, `O` being open still:
//! ```text
//!   A ← A + W_E D_EE⁻¹ G_E,   W_O ← W_O - W_E D_EE⁻¹ D_EO,   G_O ← G_O - D_OE D_EE⁻¹ G_E,   D_OO ← D_OO - D_OE D_EE⁻¹ D_EO
//! ```
//! Beyond that link they do nothing: the motion of a whole loop neither opens nor closes it. So the cost is that of the paths
//! and of the rows that are open together, as in maximal coordinates [Brüdigam2023 sect. 4.2].

use super::articulated::power;
use super::{SpatialBlock, Tree};
use crate::forces::Wrench;
use crate::linalg::lu;
use crate::math::Vec3;
use crate::model::Twist;
use crate::solver::WORLD;

/// Rows of one constraint.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopClosure {
    /// How many.
    pub rows: usize,
    /// Links that they touch.
    pub supports: Vec<usize>,
    /// Where the paths from these meet; [`WORLD`] if nowhere before.
    pub top: usize,
}

/// What a joint's column has to do with an open row.
#[derive(Debug, Clone, Copy, Default)]
struct Crossing {
    /// `G r` and `l W`.
    by: f64,
    push: f64,
}

/// The rows that are open at one link, those that end there first.
#[derive(Debug, Clone, Default)]
struct Front {
    rows: Vec<usize>,
    ended: usize,
    /// Places of those passed on in the front above.
    above: Vec<usize>,
    pushes: Vec<Wrench>,
    gradients: Vec<Wrench>,
    /// `D`, row by row; of rows that end here their factors.
    matrix: Vec<f64>,
    order: Vec<usize>,
    /// `D_EE⁻¹ G_E` and, row by row, `D_EE⁻¹ D_EO`.
    motions: Vec<Wrench>,
    others: Vec<f64>,
    /// By velocity of the joint and row.
    crossings: Vec<Crossing>,
    /// What is asked for, of the last right-hand side.
    asked: Vec<f64>,
}

/// All fronts of a tree; sized once.
#[derive(Debug, Clone, Default)]
pub struct Fronts {
    /// By link, the world last.
    fronts: Vec<Front>,
    /// `D` of every row by itself.
    diagonal: Vec<f64>,
    /// Room for the largest front.
    column: Vec<f64>,
    solved: Vec<f64>,
}

impl Front {
    fn place(&self, row: usize) -> Option<usize> {
        self.rows.iter().position(|r| *r == row)
    }

    fn fit(&mut self, freedoms: usize) {
        let (n, e) = (self.rows.len(), self.ended);
        self.pushes = vec![Wrench::default(); n];
        self.gradients = vec![Wrench::default(); n];
        self.matrix = vec![0.0; n * n];
        self.order = vec![0; e];
        self.motions = vec![Wrench::default(); e];
        self.others = vec![0.0; e * (n - e)];
        self.crossings = vec![Crossing::default(); freedoms * n];
        self.asked = vec![0.0; n];
    }

    /// Factors the rows that end here and takes them out of those that go on. Factors stay in the upper left of the matrix,
    /// packed.
    fn end(&mut self, diagonal: &[f64], (column, solved): (&mut [f64], &mut [f64])) {
        let (n, e) = (self.rows.len(), self.ended);
        if e == 0 {
            return;
        }
        for i in 0..e {
            self.matrix[i * n + i] += diagonal[self.rows[i]];
        }
        // The rows on the right of the ended ones are moved away first: the factors are packed into their room.
        for i in 0..e {
            for o in 0..n - e {
                self.others[i * (n - e) + o] = self.matrix[i * n + e + o];
            }
        }
        for i in 0..e {
            for j in 0..e {
                self.matrix[i * e + j] = self.matrix[i * n + j];
            }
        }
        lu::factor(&mut self.matrix[..e * e], e, &mut self.order);
        for o in 0..n - e {
            for i in 0..e {
                column[i] = self.others[i * (n - e) + o];
            }
            self.solve_ended(column, solved);
            for i in 0..e {
                self.others[i * (n - e) + o] = solved[i];
            }
        }
        for axis in 0..6 {
            for i in 0..e {
                column[i] = component(&self.gradients[i], axis);
            }
            self.solve_ended(column, solved);
            for i in 0..e {
                set_component(&mut self.motions[i], axis, solved[i]);
            }
        }
        for o in 0..n - e {
            let at = e + o;
            for i in 0..e {
                let share = self.others[i * (n - e) + o];
                let push = self.pushes[i];
                add(&mut self.pushes[at], &push, -share);
                let coupling = self.matrix[at * n + i];
                let motion = self.motions[i];
                add(&mut self.gradients[at], &motion, -coupling);
                for p in 0..n - e {
                    self.matrix[at * n + e + p] -= coupling * self.others[i * (n - e) + p];
                }
            }
        }
    }

    fn solve_ended(&self, right: &[f64], out: &mut [f64]) {
        let e = self.ended;
        lu::solve(&self.matrix[..e * e], e, &self.order, |k| right[k], out);
    }
}

impl Fronts {
    /// Fronts for rows in the order of `closings`.
    pub fn new(tree: &Tree, closings: &[LoopClosure]) -> Self {
        let links = tree.links().len();
        let mut fronts = vec![Front::default(); links + 1];
        let mut first = 0;
        for closing in closings {
            for &support in &closing.supports {
                let mut link = support;
                loop {
                    let ends = link == closing.top;
                    let front = &mut fronts[if link == WORLD { links } else { link }];
                    if front.place(first).is_none() {
                        let rows = first..first + closing.rows;
                        if ends {
                            let at = front.ended;
                            front.rows.splice(at..at, rows);
                            front.ended += closing.rows;
                        } else {
                            front.rows.extend(rows);
                        }
                    }
                    if ends {
                        break;
                    }
                    link = tree.links()[link].parent;
                }
            }
            first += closing.rows;
        }
        for (i, link) in tree.links().iter().enumerate() {
            let up = if link.parent == WORLD {
                links
            } else {
                link.parent
            };
            let passed = fronts[i].rows[fronts[i].ended..].iter();
            let above = passed.filter_map(|row| fronts[up].place(*row)).collect();
            fronts[i].above = above;
            fronts[i].fit(link.kind.freedoms());
        }
        fronts[links].fit(0);
        let most = fronts.iter().map(|f| f.rows.len()).max().unwrap_or(0);
        Self {
            fronts,
            diagonal: vec![0.0; first],
            column: vec![0.0; most],
            solved: vec![0.0; most],
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.diagonal.len()
    }

    /// Empties all rows, to be [set](Self::set) and [added](Self::add) to.
    pub fn clear(&mut self) {
        for front in &mut self.fronts {
            front.pushes.fill(Wrench::default());
            front.gradients.fill(Wrench::default());
            front.matrix.fill(0.0);
        }
    }

    /// Sets what a row takes of its own impulse.
    pub fn set(&mut self, row: usize, diagonal: f64) {
        self.diagonal[row] = diagonal;
    }

    /// Adds the wrench of a row on a link and the gradient of its motion, about the link's centre of mass.
    pub fn add(&mut self, row: usize, link: usize, push: &Wrench, gradient: &Wrench) {
        let front = &mut self.fronts[link];
        if let Some(at) = front.place(row) {
            add(&mut front.pushes[at], push, 1.0);
            add(&mut front.gradients[at], gradient, 1.0);
        }
    }

    /// The `n`-th column of a link's joint is eliminated.
    pub(super) fn cross(
        &mut self,
        link: usize,
        n: usize,
        [l, r]: [&Twist; 2],
        [u, w]: [&Wrench; 2],
        over: f64,
    ) {
        let front = &mut self.fronts[link];
        let count = front.rows.len();
        let crossings = &mut front.crossings[n * count..(n + 1) * count];
        for (t, crossing) in crossings.iter_mut().enumerate() {
            *crossing = Crossing {
                by: power(&front.gradients[t], r),
                push: power(&front.pushes[t], l),
            };
            add(&mut front.pushes[t], u, -crossing.push * over);
            add(&mut front.gradients[t], w, -crossing.by * over);
        }
        for (row, by) in front.matrix.chunks_exact_mut(count.max(1)).zip(&*crossings) {
            for (d, push) in row.iter_mut().zip(&*crossings) {
                *d += by.by * push.push * over;
            }
        }
    }

    /// Rows that end at a link are eliminated into its block; the others go on to the link above.
    pub(super) fn end(
        &mut self,
        (link, parent): (usize, usize),
        block: &mut SpatialBlock,
        [left, right]: [&Vec3; 2],
    ) {
        let Self {
            fronts,
            diagonal,
            column,
            solved,
        } = self;
        let up = if parent == WORLD {
            fronts.len() - 1
        } else {
            parent
        };
        let (lower, upper) = {
            // The world comes last, parents before their children.
            let (low, high) = (link.min(up), link.max(up));
            let (a, b) = fronts.split_at_mut(high);
            if low == link {
                (&mut a[low], &mut b[0])
            } else {
                (&mut b[0], &mut a[low])
            }
        };
        let (front, above) = (lower, upper);
        front.end(diagonal, (column, solved));
        for (push, motion) in front.pushes.iter().zip(&front.motions) {
            block.deflate(push, motion, -1.0);
        }
        let (n, e) = (front.rows.len(), front.ended);
        let count = above.rows.len();
        for (o, &to) in front.above.iter().enumerate() {
            let (push, gradient) = (&front.pushes[e + o], &front.gradients[e + o]);
            if parent != WORLD {
                above.pushes[to].push(&push.force, left);
                above.pushes[to].torque += push.torque;
                above.gradients[to].push(&gradient.force, right);
                above.gradients[to].torque += gradient.torque;
            }
            for (p, &at) in front.above.iter().enumerate() {
                above.matrix[to * count + at] += front.matrix[(e + o) * n + e + p];
            }
        }
    }

    /// Rows that end at the world.
    pub(super) fn finish(&mut self) {
        if let Some(world) = self.fronts.last_mut() {
            world.end(&self.diagonal, (&mut self.column, &mut self.solved));
        }
    }

    /// Begins a right-hand side.
    pub(super) fn ask(&mut self) {
        for front in &mut self.fronts {
            front.asked.fill(0.0);
        }
    }

    /// What the `n`-th joint of a link is pushed by, over its pivot, is asked of the open rows no more.
    pub(super) fn answer(&mut self, link: usize, n: usize, push: f64) {
        let front = &mut self.fronts[link];
        let count = front.rows.len();
        let crossings = &front.crossings[n * count..(n + 1) * count];
        for (asked, crossing) in front.asked.iter_mut().zip(crossings) {
            *asked -= crossing.by * push;
        }
    }

    /// Solves for the rows that end at a link as if nothing above moved, and passes on what is asked of the others.
    pub(super) fn carry(
        &mut self,
        (link, parent): (usize, usize),
        z: &mut Wrench,
        rows: &mut [f64],
    ) {
        if self.fronts[link].rows.is_empty() {
            return;
        }
        self.solve_front(link, Some(z), rows);
        let up = if parent == WORLD {
            self.fronts.len() - 1
        } else {
            parent
        };
        for o in 0..self.fronts[link].above.len() {
            let front = &self.fronts[link];
            let (to, asked) = (front.above[o], front.asked[front.ended + o]);
            self.fronts[up].asked[to] += asked;
        }
    }

    fn solve_front(&mut self, at: usize, z: Option<&mut Wrench>, rows: &mut [f64]) {
        let front = &mut self.fronts[at];
        let (n, e) = (front.rows.len(), front.ended);
        if e == 0 {
            return;
        }
        for i in 0..e {
            front.asked[i] += rows[front.rows[i]];
        }
        let (column, solved) = (&mut self.column, &mut self.solved);
        column[..e].copy_from_slice(&front.asked[..e]);
        front.solve_ended(column, solved);
        for i in 0..e {
            rows[front.rows[i]] = solved[i];
            for o in e..n {
                front.asked[o] -= front.matrix[o * n + i] * solved[i];
            }
        }
        if let Some(z) = z {
            for (push, solved) in front.pushes.iter().zip(&solved[..e]) {
                add(z, push, -solved);
            }
        }
    }

    /// Solves for the rows that end at the world.
    pub(super) fn carry_to_world(&mut self, rows: &mut [f64]) {
        self.solve_front(self.fronts.len() - 1, None, rows);
    }

    /// Corrects the rows that end at a link by the motion of what is above it, at the link's centre of mass.
    pub(super) fn follow(&self, link: usize, motion: &Twist, rows: &mut [f64]) {
        let front = &self.fronts[link];
        let (n, e) = (front.rows.len(), front.ended);
        for i in 0..e {
            let mut y = rows[front.rows[i]] - power(&front.motions[i], motion);
            for o in 0..n - e {
                y -= front.others[i * (n - e) + o] * rows[front.rows[e + o]];
            }
            rows[front.rows[i]] = y;
        }
    }

    /// What the open rows push the `n`-th joint of a link by.
    pub(super) fn pushed(&self, link: usize, n: usize, rows: &[f64]) -> f64 {
        let front = &self.fronts[link];
        let count = front.rows.len();
        let crossings = &front.crossings[n * count..(n + 1) * count];
        let each = crossings.iter().zip(&front.rows);
        each.map(|(c, row)| c.push * rows[*row]).sum()
    }
}

fn add(to: &mut Wrench, wrench: &Wrench, part: f64) {
    to.force += wrench.force * part;
    to.torque += wrench.torque * part;
}

fn component(wrench: &Wrench, axis: usize) -> f64 {
    if axis < 3 {
        wrench.force[axis]
    } else {
        wrench.torque[axis - 3]
    }
}

fn set_component(wrench: &mut Wrench, axis: usize, value: f64) {
    if axis < 3 {
        wrench.force[axis] = value;
    } else {
        wrench.torque[axis - 3] = value;
    }
}
