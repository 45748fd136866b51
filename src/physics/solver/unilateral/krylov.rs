//! Minimal residuals over all corrections of a refinement: the steps of GMRES [Saad1986], taken from its iterates
//! [Walker2011].
//!
//! A refinement with an inexact factor shrinks each error by its own ratio; where bodies are jammed some ratios are
//! almost one, but few. With every pass the combination of all steps so far is taken that leaves the least
//! correction, which removes those few directions one by one.

/// Steps of a refinement, orthonormal in what they change of the corrections.
#[derive(Debug, Clone, Default)]
pub struct Krylov {
    /// Length of a correction, and where its measured part begins.
    shape: [usize; 2],
    /// The last correction and the step that was taken for it.
    last: [Vec<f64>; 2],
    /// Orthonormal changes of the measured part, one after the other.
    changes: Vec<f64>,
    /// The steps that make them.
    steps: Vec<f64>,
    count: usize,
}

/// Steps that change corrections by less than this share of themselves go nowhere: contacts that press against each
/// other.
const GRAIN: f64 = 1e-9;

/// What is left of a change beside the earlier ones is rounding below this share of it.
const ROUNDING: f64 = 1e-8;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(x, y)| *x += factor * y);
}

impl Krylov {
    /// Forgets all steps. Corrections have `length` numbers, of which those from `measured` on are to vanish.
    pub fn begin(&mut self, length: usize, measured: usize) {
        self.shape = [length, measured];
        self.count = 0;
        self.last.iter_mut().for_each(Vec::clear);
    }

    /// Turns a correction into the step to be taken.
    pub fn step(&mut self, correction: &mut [f64]) {
        let [length, measured] = self.shape;
        let part = length - measured;
        if !self.last[0].is_empty() {
            self.learn(correction);
        }
        let [before, taken] = &mut self.last;
        before.clear();
        before.extend_from_slice(correction);
        for k in 0..self.count {
            let share = dot(&self.changes[k * part..][..part], &before[measured..]);
            add(correction, -share, &self.steps[k * length..][..length]);
        }
        taken.clear();
        taken.extend_from_slice(correction);
    }

    /// Adds what the last step has changed.
    fn learn(&mut self, correction: &[f64]) {
        let [length, measured] = self.shape;
        let part = length - measured;
        self.changes.truncate(self.count * part);
        self.steps.truncate(self.count * length);
        let [before, taken] = &self.last;
        let changed = correction.iter().zip(before).map(|(now, then)| now - then);
        self.changes.extend(changed.clone().skip(measured));
        self.steps.extend(changed.zip(taken).map(|(c, t)| c + t));
        let (old, change) = self.changes.split_at_mut(self.count * part);
        let (old_steps, step) = self.steps.split_at_mut(self.count * length);
        let whole = dot(change, change).sqrt();
        for k in 0..self.count {
            let share = dot(&old[k * part..][..part], change);
            add(change, -share, &old[k * part..][..part]);
            add(step, -share, &old_steps[k * length..][..length]);
        }
        let left = dot(change, change).sqrt();
        let size = dot(&step[measured..], &step[measured..]).sqrt();
        if left > (GRAIN * size).max(ROUNDING * whole) {
            change.iter_mut().for_each(|x| *x /= left);
            step.iter_mut().for_each(|x| *x /= left);
            self.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A refinement with three slow ratios, the slowest of which alone would need 1e8 passes, ends after eight.
    #[test]
    fn removes_few_slow_directions() {
        let matrix: [f64; 6] = [1.0, 1.0, 1e-3, 1.0, 1e-5, 1e-7];
        let solution = [3.0, -1.0, 2.0, 0.5, 4.0, -2.0];
        // What is only carried along is a fixed multiple of the first number.
        let mut x = [0.0; 7];
        let mut krylov = Krylov::default();
        krylov.begin(7, 1);
        let mut sizes = Vec::new();
        for _ in 0..8 {
            let mut c = [0.0_f64; 7];
            for k in 0..6 {
                c[1 + k] = matrix[k] * (solution[k] - x[1 + k]);
            }
            c[0] = 5.0 * c[1];
            sizes.push(c[1..].iter().fold(0.0_f64, |m, x| m.max(x.abs())));
            krylov.step(&mut c);
            add(&mut x, 1.0, &c);
        }
        // Corrections are known to 1e-15, what the slowest ratio makes of them to 1e-8.
        for k in 0..6 {
            assert!((x[1 + k] - solution[k]).abs() < 1e-6, "{x:?} {sizes:?}");
        }
        assert!((x[0] - 15.0).abs() < 1e-8);
    }
}
