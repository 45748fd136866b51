//! Broyden's rank-one updates of an inverse, kept as the steps that were taken [Broyden1965, Kelley1995 sect. 7.3].
//!
//! With full steps the updated inverse needs nothing but the steps `s_j`: from `z = -B₀⁻¹ r`,
//! ```text
//!   z ← z + s_{j+1} (s_j·z)/(s_j·s_j)   for all j before the last,   s = z / (1 - s_last·z/(s_last·s_last))
//! ```
//! Angles count in products as lengths, by the length of their joints.

use super::equation::Equation;

/// The steps of one solution and the first inverse of the secant method.
#[derive(Debug, Clone)]
pub struct RankOne {
    /// Of the first approximation, where that is diagonal.
    pub diagonal: Vec<f64>,
    weights: Vec<f64>,
    /// Steps, one after the other.
    steps: Vec<f64>,
}

impl RankOne {
    /// Room for so many unknowns; that for steps grows with the iterations.
    pub fn new(unknowns: usize) -> Self {
        Self {
            diagonal: vec![1.0; unknowns],
            weights: vec![1.0; unknowns],
            steps: Vec::with_capacity(32 * unknowns),
        }
    }

    /// Forgets the steps.
    pub fn begin(&mut self, e: &Equation) {
        self.steps.clear();
        e.weights(&mut self.weights);
    }

    /// Applies the inverse of the diagonal.
    pub fn scale(&self, z: &mut [f64]) {
        for (z, d) in z.iter_mut().zip(&self.diagonal) {
            *z /= d;
        }
    }

    /// From what the first inverse makes of the residual to the step that the updated one makes of it.
    pub fn correct(&mut self, z: &mut [f64]) {
        let n = z.len();
        let dot = |a: &[f64], b: &[f64]| {
            let terms = a.iter().zip(b).zip(&self.weights);
            terms.map(|((a, b), w)| a * b * w).sum::<f64>()
        };
        let mut steps = self.steps.chunks_exact(n.max(1)).peekable();
        while let Some(step) = steps.next() {
            let share = dot(step, z) / dot(step, step);
            match steps.peek() {
                Some(next) => z.iter_mut().zip(*next).for_each(|(z, s)| *z += s * share),
                None => z.iter_mut().for_each(|z| *z /= 1.0 - share),
            }
        }
        self.steps.extend_from_slice(z);
    }
}
