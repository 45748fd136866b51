//! A sparse LU that knows neither blocks nor graphs: that of faer, columns ordered by COLAMD, rows exchanged for the largest pivot.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::lu::{NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, MatMut, Par};
use nalgebra::DMatrix;

/// A sparse matrix with its order of elimination, and room for its factors.
pub struct GeneralLu {
    matrix: SparseColMat<usize, f64>,
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, f64>,
    memory: MemBuffer,
}

impl GeneralLu {
    /// The numbers of a square matrix that are not zero; `None` where there is no memory for them.
    pub fn new(dense: &DMatrix<f64>) -> Option<Self> {
        let size = dense.nrows();
        let mut entries = Vec::new();
        for column in 0..size {
            for row in 0..size {
                let value = dense[(row, column)];
                if value != 0.0 {
                    entries.push(Triplet::new(row, column, value));
                }
            }
        }
        let matrix = SparseColMat::try_new_from_triplets(size, size, &entries).ok()?;
        let symbolic = factorize_symbolic_lu(matrix.symbolic(), Default::default()).ok()?;
        let room = StackReq::or(
            symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        );
        Some(Self {
            matrix,
            symbolic,
            numeric: NumericLu::new(),
            memory: MemBuffer::new(room),
        })
    }

    /// Factors the matrix and solves with the factors, in one thread: `x` holds the right-hand side, then the solution. Whether
    /// it could.
    pub fn solve(&mut self, x: &mut [f64]) -> bool {
        let stack = MemStack::new(&mut self.memory);
        let factors = self.symbolic.factorize_numeric_lu(
            &mut self.numeric,
            self.matrix.as_ref(),
            Par::Seq,
            stack,
            Default::default(),
        );
        let Ok(factors) = factors else {
            return false;
        };
        let rows = x.len();
        let right = MatMut::from_column_major_slice_mut(x, rows, 1);
        factors.solve_in_place_with_conj(Conj::No, right, Par::Seq, stack);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against dense LU: rounding of 1e-16 times the condition of such a matrix. A matrix without an inverse is told.
    #[test]
    fn it_solves_what_dense_lu_solves() {
        let size = 30;
        let dense = DMatrix::from_fn(size, size, |i, j| match i.abs_diff(j) {
            0 => 0.1 * i as f64,
            1 | 7 => ((3 * i + 5 * j) % 11) as f64 - 4.5,
            _ => 0.0,
        });
        let right = nalgebra::DVector::from_fn(size, |i, _| (i as f64).sin());
        let wanted = dense.clone().lu().solve(&right).expect("it has an inverse");
        let mut x = right.as_slice().to_vec();
        let mut lu = GeneralLu::new(&dense).expect("there is memory");
        for _ in 0..2 {
            x.copy_from_slice(right.as_slice());
            assert!(lu.solve(&mut x));
        }
        for (found, wanted) in x.iter().zip(wanted.iter()) {
            assert!((found - wanted).abs() < 1e-10, "{found} {wanted}");
        }
    }
}
