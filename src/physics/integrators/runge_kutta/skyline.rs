//! Cholesky factorisation of a symmetric matrix stored by rows from the first entry that can differ from zero
//! to the diagonal. Elimination fills nothing outside this envelope, so a chain costs time linear in its length.

/// A symmetric positive definite matrix, then its factor.
#[derive(Debug, Clone)]
pub struct Skyline {
    /// First column of each row.
    first: Vec<usize>,
    /// Where each row starts in `entries`, less its first column; the row ends with the diagonal.
    base: Vec<usize>,
    entries: Vec<f64>,
}

impl Skyline {
    /// A zero matrix with the given first column of each row.
    pub fn new(first: Vec<usize>) -> Self {
        let mut length = 0;
        let mut base = Vec::with_capacity(first.len());
        for (row, &column) in first.iter().enumerate() {
            // Rows store `row + 1 - column` entries, so `length - column` never goes below zero at use.
            base.push(length);
            length += row + 1 - column;
        }
        Self {
            first,
            base,
            entries: vec![0.0; length],
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// First column of a row.
    pub fn first(&self, row: usize) -> usize {
        self.first[row]
    }

    /// Multiplications of one factorisation and one solve.
    pub fn operations(&self) -> usize {
        let row = |i: usize| -> usize {
            let first = self.first[i];
            let overlap = |j: usize| j - first.max(self.first[j]) + 1;
            (first..=i).map(overlap).sum::<usize>() + 2 * (i + 1 - first)
        };
        (0..self.first.len()).map(row).sum()
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// Entry of the lower triangle inside the envelope.
    pub fn entry(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[self.base[row] + column - self.first[row]]
    }

    fn row(&self, row: usize) -> &[f64] {
        let start = self.base[row];
        &self.entries[start..start + row + 1 - self.first[row]]
    }

    /// Product with a vector, before the factorisation.
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for i in 0..self.len() {
            let first = self.first[i];
            for (k, s) in self.row(i).iter().enumerate() {
                let j = first + k;
                out[i] += s * x[j];
                if j < i {
                    out[j] += s * x[i];
                }
            }
        }
    }

    /// Copies `from`, adds `relative` times its diagonal, and factorises in place. Pivots that rounding leaves
    /// below the added part are raised to it.
    pub fn factor(&mut self, from: &Self, relative: f64) {
        self.entries.copy_from_slice(&from.entries);
        for i in 0..self.first.len() {
            let first = self.first[i];
            let (done, rest) = self.entries.split_at_mut(self.base[i]);
            let row = &mut rest[..i + 1 - first];
            for j in first..i {
                let other = self.first[j];
                let from = first.max(other);
                let above = &done[self.base[j]..self.base[j] + j + 1 - other];
                let product: f64 = row[from - first..j - first]
                    .iter()
                    .zip(&above[from - other..])
                    .map(|(a, b)| a * b)
                    .sum();
                row[j - first] = (row[j - first] - product) / above[j - other];
            }
            let (before, diagonal) = row.split_at_mut(i - first);
            let added = (diagonal[0] * relative).max(f64::MIN_POSITIVE);
            let square: f64 = before.iter().map(|a| a * a).sum();
            diagonal[0] = (diagonal[0] + added - square).max(added).sqrt();
        }
    }

    /// Solves with the factor, in place.
    pub fn solve(&self, x: &mut [f64]) {
        for i in 0..self.len() {
            let (before, diagonal) = self.row(i).split_at(i - self.first[i]);
            let sum: f64 = before
                .iter()
                .zip(&x[self.first[i]..i])
                .map(|(l, x)| l * x)
                .sum();
            x[i] = (x[i] - sum) / diagonal[0];
        }
        for i in (0..self.len()).rev() {
            let (before, diagonal) = self.row(i).split_at(i - self.first[i]);
            x[i] /= diagonal[0];
            let value = x[i];
            for (l, x) in before.iter().zip(&mut x[self.first[i]..i]) {
                *x -= l * value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::specimen::Numbers;

    /// A random positive definite matrix in an envelope: diagonally dominant.
    fn sample(first: &[usize]) -> Skyline {
        let mut numbers = Numbers(1);
        let mut s = Skyline::new(first.to_vec());
        for (i, &column) in first.iter().enumerate() {
            for j in column..i {
                *s.entry(i, j) = numbers.unit();
            }
            *s.entry(i, i) = first.len() as f64;
        }
        s
    }

    #[test]
    fn solves_what_it_multiplies() {
        let matrix = sample(&[0, 0, 1, 3, 0, 4, 2]);
        let x: Vec<f64> = (0..7).map(|k| f64::from(k) - 2.5).collect();
        let mut y = vec![0.0; 7];
        matrix.multiply(&x, &mut y);
        let mut factor = matrix.clone();
        factor.factor(&matrix, 0.0);
        factor.solve(&mut y);
        for (a, b) in x.iter().zip(&y) {
            assert!((a - b).abs() < 1e-14 * 10.0, "{a} {b}");
        }
    }

    #[test]
    fn a_singular_matrix_is_solved_where_it_can_be() {
        // Rows 0 and 1 are the same equation twice.
        let mut matrix = Skyline::new(vec![0, 0]);
        *matrix.entry(0, 0) = 2.0;
        *matrix.entry(1, 0) = 2.0;
        *matrix.entry(1, 1) = 2.0;
        let mut factor = matrix.clone();
        factor.factor(&matrix, 1e-10);
        let mut y = vec![6.0, 6.0];
        factor.solve(&mut y);
        assert!((y[0] + y[1] - 3.0).abs() < 1e-9, "{y:?}");
        assert!((y[0] - y[1]).abs() < 1e-5, "shared evenly: {y:?}");
    }
}
