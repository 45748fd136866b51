//! The Newton system with unilateral constraints: each is a node of the graph, eliminated first into its bodies.
//!
//! ```text
//!   A x - Hᵀ r = b            bodies, joints and loop constraints, as without contact
//!   C r + E K x = c           a unilateral constraint
//! ```
//! Eliminated, a unilateral constraint adds `Hᵀ C⁻¹ E K` to the blocks of its bodies. `C` vanishes where a contact
//! sticks, so that a multiple `ε` of the identity is added, **in the factorisation only**: exact pivots of 1e10 would
//! bury the mass of the bodies under rounding. Each solution is then refined on the system that is not eliminated, with
//! the true `C`, with [minimal residuals](Krylov); where contacts are redundant, their sum comes right and the parts
//! stay about where they were.

use super::super::blocks::{Blocks, Configurations, Parts};
use super::super::elimination::Mass;
use super::super::fronts::Six;
use super::super::topology::WORLD;
use super::constraint::Unilateral;
use super::krylov::Krylov;
use super::law::Law;
use crate::math::{Mat3, Vec3};

/// Added to `C` in the factorisation, in units of impulse over effective mass.
const CAP: f64 = 1e-5;

/// Refinements at most.
const PASSES: usize = 25;

/// Changes of impulses below this do not count, relative to the speed of the step.
const SETTLED: f64 = 1e-5;

/// Matrix, laws and room for the refinement.
#[derive(Debug, Clone)]
pub struct System {
    blocks: Blocks,
    /// Pairs of links that touch, in order: the pattern that `blocks` was made for.
    pairs: Vec<(usize, usize)>,
    /// Linearised law of every unilateral constraint.
    pub laws: Vec<Law>,
    /// `(C + ε)⁻¹` of every unilateral constraint.
    inverse: Vec<Mat3>,
    rhs: Vec<f64>,
    residual: Vec<f64>,
    x: Vec<f64>,
    /// Motions reached by the steps that were [kept](Self::keep).
    reached: Vec<f64>,
    /// Right-hand side at rest.
    given: Vec<f64>,
    unit_residual: Vec<Vec3>,
    krylov: Krylov,
    /// Motions and changes of impulses of a pass.
    correction: Vec<f64>,
}

/// Patterns whose systems are kept.
const KEPT: usize = 4;

/// Systems of the last few patterns of touching bodies, that in use at the end: bodies that touch, part and touch again
/// come back to a pattern, whose system need not be made anew.
#[derive(Debug, Clone, Default)]
pub struct Systems(Vec<System>);

impl Systems {
    /// Puts the system for this pattern in use, making it where it is none of those kept.
    pub fn fit(&mut self, parts: &Parts, pairs: &[(usize, usize)]) {
        match self.0.iter().rposition(|s| s.pairs == pairs) {
            Some(k) => self.0[k..].rotate_left(1),
            None => {
                if self.0.len() == KEPT {
                    self.0.remove(0);
                }
                self.0.push(System::new(parts, pairs));
            }
        }
    }

    /// The system in use; `None` before the first.
    pub fn used(&self) -> Option<&System> {
        self.0.last()
    }

    /// The same, to solve with.
    pub fn used_mut(&mut self) -> Option<&mut System> {
        self.0.last_mut()
    }
}

/// Pairs of links that unilateral constraints couple, in order.
pub fn pairs(unilaterals: &[Unilateral], out: &mut Vec<(usize, usize)>) {
    out.clear();
    let coupled = unilaterals
        .iter()
        .map(|u| u.links)
        .filter(|l| !l.contains(&WORLD));
    out.extend(coupled.map(|[a, b]| (a.min(b), a.max(b))));
    out.retain(|(a, b)| a != b);
    out.sort_unstable();
    out.dedup();
}

impl System {
    /// A system for a mechanism of which these pairs of links touch.
    pub fn new(parts: &Parts, pairs: &[(usize, usize)]) -> Self {
        let blocks = Blocks::new(parts.model, parts.topology, pairs);
        let rows = blocks.x.len();
        Self {
            blocks,
            pairs: pairs.to_vec(),
            laws: Vec::new(),
            inverse: Vec::new(),
            rhs: vec![0.0; rows],
            residual: vec![0.0; rows],
            x: vec![0.0; rows],
            reached: vec![0.0; rows],
            given: vec![0.0; rows],
            unit_residual: Vec::new(),
            krylov: Krylov::default(),
            correction: Vec::new(),
        }
    }

    /// Bodies, joints and loop constraints, into which the unilateral constraints are eliminated.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Assembles bodies, joints and loop constraints, and keeps them for refinement.
    pub fn assemble(&mut self, parts: &Parts, at: &Configurations, mass: Mass) {
        self.blocks.assemble(parts, at, mass);
        self.blocks.matrix.keep();
        self.rhs.copy_from_slice(&self.blocks.x);
    }

    /// Adds the impulses of the unilateral constraints to what is assembled.
    pub fn push(&mut self, unilaterals: &[Unilateral]) {
        for unilateral in unilaterals {
            for (side, &link) in unilateral.links.iter().enumerate() {
                if link == WORLD {
                    continue;
                }
                let first = self.blocks.matrix.first_row(link);
                for (row, force) in unilateral.force[side][..unilateral.rows].iter().enumerate() {
                    let impulse = unilateral.impulse[row] * unilateral.mass;
                    add(&mut self.rhs[first..first + 6], force, impulse);
                }
            }
        }
        self.given.copy_from_slice(&self.rhs);
    }

    /// Starts again from what was assembled, and factors with laws that are regular by themselves.
    pub fn factor_again(&mut self, unilaterals: &[Unilateral]) {
        self.blocks.matrix.restore();
        self.factor_with(unilaterals, 0.0);
    }

    /// Change of a unilateral constraint's velocities by the last solution.
    pub fn velocity(&self, unilateral: &Unilateral) -> Vec3 {
        velocity(unilateral, &self.blocks, &self.x)
    }

    /// Eliminates the unilateral constraints by their laws and factors.
    pub fn factor(&mut self, unilaterals: &[Unilateral]) {
        self.factor_with(unilaterals, CAP);
    }

    fn factor_with(&mut self, unilaterals: &[Unilateral], cap: f64) {
        self.inverse.clear();
        for (unilateral, law) in unilaterals.iter().zip(&self.laws) {
            let capped = law.c + Mat3::identity() * cap;
            // The smallest pivot of C + ε is ε: C is positive semidefinite up to the coupling of slip and pressure.
            let inverse = capped.try_inverse().unwrap_or_else(Mat3::identity);
            self.inverse.push(inverse);
            let k = inverse * law.e;
            if k.amax() == 0.0 {
                continue;
            }
            let rows = unilateral.rows;
            for (j, &column) in unilateral.links.iter().enumerate() {
                if column == WORLD {
                    continue;
                }
                let mut stiff = [[0.0; 6]; 3];
                for (p, out) in stiff[..rows].iter_mut().enumerate() {
                    for (q, gradient) in unilateral.gradient[j][..rows].iter().enumerate() {
                        let factor = k[(p, q)] * unilateral.mass;
                        out.iter_mut()
                            .zip(gradient)
                            .for_each(|(x, g)| *x += factor * g);
                    }
                }
                for (i, &row) in unilateral.links.iter().enumerate() {
                    if row != WORLD {
                        self.blocks.add_products(
                            (row, column),
                            &unilateral.force[i][..rows],
                            &stiff[..rows],
                        );
                    }
                }
            }
        }
        self.blocks.matrix.factor();
    }

    /// Solves for the motions and the changes of impulses, which it leaves in the unilateral constraints, until
    /// corrections are below `accuracy` times the changes. Returns whether the refinement settled.
    pub fn solve(&mut self, unilaterals: &mut [Unilateral], accuracy: f64) -> bool {
        for unilateral in unilaterals.iter_mut() {
            unilateral.change = [0.0; 3];
        }
        self.x.fill(0.0);
        self.residual.copy_from_slice(&self.rhs);
        self.unit_residual.clear();
        self.unit_residual.extend(self.laws.iter().map(|l| l.rhs));
        self.krylov
            .begin(self.x.len() + 3 * unilaterals.len(), self.x.len());
        let mut before = f64::INFINITY;
        let settled = SETTLED * unilaterals.iter().map(|u| u.speed).fold(0.0, f64::max);
        for pass in 0..PASSES {
            let correction = self.correct(unilaterals);
            let largest = self.step(unilaterals);
            let limit = accuracy * (settled + largest);
            if correction <= limit {
                return true;
            }
            // Corrections that stop shrinking are rounding.
            if pass > 2 && correction > 0.5 * before && correction <= 1e3 * limit {
                return true;
            }
            if correction.is_nan() {
                return false;
            }
            before = correction;
            self.residuals(unilaterals);
        }
        false
    }

    /// Solves for the residuals; returns the largest correction of an impulse.
    fn correct(&mut self, unilaterals: &[Unilateral]) -> f64 {
        let x = &mut self.blocks.x;
        x.copy_from_slice(&self.residual);
        for ((unilateral, inverse), residual) in unilaterals
            .iter()
            .zip(&self.inverse)
            .zip(&self.unit_residual)
        {
            let push = inverse * residual * unilateral.mass;
            for (side, &link) in unilateral.links.iter().enumerate() {
                if link != WORLD {
                    let first = self.blocks.matrix.first_row(link);
                    for (row, force) in unilateral.force[side][..unilateral.rows].iter().enumerate()
                    {
                        add(&mut x[first..first + 6], force, push[row]);
                    }
                }
            }
        }
        self.blocks.matrix.solve(&mut self.blocks.x);
        self.correction.clear();
        self.correction.extend_from_slice(&self.blocks.x);
        let mut correction = 0.0_f64;
        for (k, unilateral) in unilaterals.iter().enumerate() {
            let moved = velocity(unilateral, &self.blocks, &self.blocks.x);
            let change = self.inverse[k] * (self.unit_residual[k] - self.laws[k].e * moved);
            for row in 0..3 {
                let change = if row < unilateral.rows {
                    change[row]
                } else {
                    0.0
                };
                self.correction.push(change);
                // A maximum that does not lose what is not a number.
                let size = change.abs();
                correction = if size > correction || size.is_nan() {
                    size
                } else {
                    correction
                };
            }
        }
        correction
    }

    /// Takes the step that the corrections so far suggest; returns the largest change of an impulse.
    fn step(&mut self, unilaterals: &mut [Unilateral]) -> f64 {
        self.krylov.step(&mut self.correction);
        let (motions, changes) = self.correction.split_at(self.x.len());
        self.x.iter_mut().zip(motions).for_each(|(x, c)| *x += c);
        let mut largest = 0.0_f64;
        for (unilateral, changes) in unilaterals.iter_mut().zip(changes.chunks_exact(3)) {
            for (sum, change) in unilateral.change.iter_mut().zip(changes) {
                *sum += change;
                largest = largest.max(sum.abs());
            }
        }
        largest
    }

    /// Sets out from rest.
    pub fn rest(&mut self) {
        self.reached.fill(0.0);
        self.rhs.copy_from_slice(&self.given);
    }

    /// Takes a part of the last solution: what is solved for next is the change from there.
    pub fn keep(&mut self, unilaterals: &[Unilateral], part: f64) {
        self.residuals(unilaterals);
        for (rhs, residual) in self.rhs.iter_mut().zip(&self.residual) {
            *rhs += part * (residual - *rhs);
        }
        for (reached, x) in self.reached.iter_mut().zip(&self.x) {
            *reached += part * x;
        }
    }

    /// Takes the motions reached for the solution.
    pub fn arrive(&mut self) {
        self.x.copy_from_slice(&self.reached);
    }

    fn residuals(&mut self, unilaterals: &[Unilateral]) {
        self.blocks
            .matrix
            .residual(&self.x, &self.rhs, &mut self.residual);
        for (k, unilateral) in unilaterals.iter().enumerate() {
            for (side, &link) in unilateral.links.iter().enumerate() {
                if link == WORLD {
                    continue;
                }
                let first = self.blocks.matrix.first_row(link);
                for (row, force) in unilateral.force[side][..unilateral.rows].iter().enumerate() {
                    let out = &mut self.residual[first..first + 6];
                    add(out, force, unilateral.change[row] * unilateral.mass);
                }
            }
            let law = &self.laws[k];
            let moved = velocity(unilateral, &self.blocks, &self.x);
            let change = Vec3::from(unilateral.change);
            self.unit_residual[k] = law.rhs - law.c * change - law.e * moved;
        }
    }

    /// Leaves the motions of the last solve in the links and the changes of the loop constraints.
    pub fn take(
        &mut self,
        topology: &super::Topology,
        links: &mut super::Links,
        fronts: &mut super::Fronts,
    ) {
        self.blocks.x.copy_from_slice(&self.x);
        self.blocks.take(topology, links, fronts);
    }
}

fn add(out: &mut [f64], six: &Six, factor: f64) {
    out.iter_mut().zip(six).for_each(|(x, y)| *x += factor * y);
}

/// Change of a unilateral constraint's velocities by the motions in `x`.
fn velocity(unilateral: &Unilateral, blocks: &Blocks, x: &[f64]) -> Vec3 {
    let mut sum = Vec3::zeros();
    for (side, &link) in unilateral.links.iter().enumerate() {
        if link == WORLD {
            continue;
        }
        let first = blocks.matrix.first_row(link);
        let x = &x[first..first + 6];
        for (row, gradient) in unilateral.gradient[side][..unilateral.rows]
            .iter()
            .enumerate()
        {
            sum[row] += gradient.iter().zip(x).map(|(g, x)| g * x).sum::<f64>();
        }
    }
    sum
}
