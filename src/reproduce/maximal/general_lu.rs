//! A sparse LU that knows neither blocks nor graphs: that of faer, columns ordered by COLAMD or as they are given, rows exchanged
//! for the largest pivot.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::perm::PermRef;
use faer::sparse::linalg::lu::simplicial::{self, SimplicialLu};
use faer::sparse::linalg::lu::{NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, MatMut, Par};
use nalgebra::DMatrix;

/// A sparse matrix with its order of elimination, and room for its factors.
pub struct GeneralLu {
    matrix: SparseColMat<usize, f64>,
    factors: Factors,
    memory: MemBuffer,
}

/// Which algorithm factors it.
enum Factors {
    /// The one that the library chooses by counting operations, by COLAMD.
    Chosen(SymbolicLu<usize>, NumericLu<usize, f64>),
    /// Column by column in a given order: the columns and their places, then the rows and theirs.
    Simplicial([Vec<usize>; 2], [Vec<usize>; 2], SimplicialLu<usize, f64>),
}

/// The numbers of a square matrix that are not zero; `None` where there is no memory for them.
fn sparse(dense: &DMatrix<f64>) -> Option<SparseColMat<usize, f64>> {
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
    SparseColMat::try_new_from_triplets(size, size, &entries).ok()
}

impl GeneralLu {
    /// A matrix whose columns COLAMD orders; `None` where there is no memory for it.
    pub fn new(dense: &DMatrix<f64>) -> Option<Self> {
        let matrix = sparse(dense)?;
        let symbolic = factorize_symbolic_lu(matrix.symbolic(), Default::default()).ok()?;
        let room = StackReq::or(
            symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        );
        Some(Self {
            matrix,
            factors: Factors::Chosen(symbolic, NumericLu::new()),
            memory: MemBuffer::new(room),
        })
    }

    /// The order in which COLAMD takes the columns of a matrix.
    pub fn colamd(dense: &DMatrix<f64>) -> Option<Vec<usize>> {
        let matrix = sparse(dense)?;
        let symbolic = factorize_symbolic_lu(matrix.symbolic(), Default::default()).ok()?;
        Some(symbolic.col_perm().arrays().0.to_vec())
    }

    /// A matrix whose columns are eliminated in an order that names each of them once.
    pub fn in_order(dense: &DMatrix<f64>, columns: &[usize]) -> Option<Self> {
        let matrix = sparse(dense)?;
        let size = dense.nrows();
        let mut places = vec![0; size];
        for (place, &column) in columns.iter().enumerate() {
            places[column] = place;
        }
        let room = StackReq::or(
            simplicial::factorize_simplicial_numeric_lu_scratch::<usize, f64>(size, size),
            simplicial::solve_in_place_scratch::<usize, f64>(size, 1, Par::Seq),
        );
        let rows = [vec![0; size], vec![0; size]];
        Some(Self {
            matrix,
            factors: Factors::Simplicial([columns.to_vec(), places], rows, SimplicialLu::new()),
            memory: MemBuffer::new(room),
        })
    }

    /// Factors the matrix and solves with the factors, in one thread: `x` holds the right-hand side, then the solution. Whether
    /// it could.
    pub fn solve(&mut self, x: &mut [f64]) -> bool {
        let stack = MemStack::new(&mut self.memory);
        let size = x.len();
        let right = MatMut::from_column_major_slice_mut(x, size, 1);
        let matrix = self.matrix.as_ref();
        match &mut self.factors {
            Factors::Chosen(symbolic, numeric) => {
                let with = Default::default();
                let factors = symbolic.factorize_numeric_lu(numeric, matrix, Par::Seq, stack, with);
                let Ok(factors) = factors else {
                    return false;
                };
                factors.solve_in_place_with_conj(Conj::No, right, Par::Seq, stack);
            }
            Factors::Simplicial([columns, places], [rows, row_places], lu) => {
                let columns = PermRef::new_checked(columns, places, size);
                let done = simplicial::factorize_simplicial_numeric_lu(
                    rows, row_places, lu, matrix, columns, stack,
                );
                if done.is_err() {
                    return false;
                }
                let rows = PermRef::new_checked(rows, row_places, size);
                lu.solve_in_place_with_conj(rows, columns, Conj::No, right, Par::Seq, stack);
            }
        }
        true
    }

    /// Multiplications of the last factorisation and solution, as the numbers of its factors have them; `None` where they are kept in
    /// blocks.
    pub fn multiplications(&self) -> Option<usize> {
        let Factors::Simplicial(_, _, lu) = &self.factors else {
            return None;
        };
        let [lower, upper] = [lu.l_factor_unsorted(), lu.u_factor_unsorted()];
        let starts = lower.col_ptr();
        // What is behind the last column is room.
        let [below_all, above_all] =
            [starts, upper.col_ptr()].map(|starts| starts.last().copied().unwrap_or(0));
        let mut rows = vec![0; lu.nrows()];
        for &row in &upper.row_idx()[..above_all] {
            rows[row] += 1;
        }
        // Below the pivot, the diagonal of ones left out: each number by each to the right of the pivot, and its division by it.
        let below = starts.windows(2).map(|w| w[1] - w[0] - 1);
        let eliminated = below.zip(&rows).map(|(below, row)| below * row);
        let factored: usize = eliminated.sum();
        Some(factored + below_all + above_all)
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
        let backwards: Vec<usize> = (0..size).rev().collect();
        let colamd = GeneralLu::colamd(&dense).expect("there is memory");
        let all = [
            GeneralLu::new(&dense),
            GeneralLu::in_order(&dense, &backwards),
            GeneralLu::in_order(&dense, &colamd),
        ];
        for lu in all {
            let mut lu = lu.expect("there is memory");
            let mut x = right.as_slice().to_vec();
            for _ in 0..2 {
                x.copy_from_slice(right.as_slice());
                assert!(lu.solve(&mut x));
            }
            for (found, wanted) in x.iter().zip(wanted.iter()) {
                assert!((found - wanted).abs() < 1e-10, "{found} {wanted}");
            }
        }
    }

    /// An arrow whose tip is eliminated last: a number below and one beside each pivot, without fill-in; eliminated first, a full
    /// matrix.
    #[test]
    fn multiplications_are_those_of_the_factors() {
        let size = 6;
        let arrow = DMatrix::from_fn(size, size, |i, j| match (i, j) {
            (i, j) if i == j => 10.0,
            (5, _) | (_, 5) => 1.0,
            _ => 0.0,
        });
        let count = |columns: &[usize]| {
            let mut lu = GeneralLu::in_order(&arrow, columns).expect("there is memory");
            assert!(lu.solve(&mut [1.0; 6]));
            lu.multiplications().expect("it is not kept in blocks")
        };
        // 5 pivots with a division and a product each, then 11 numbers in either factor.
        assert_eq!(count(&[0, 1, 2, 3, 4, 5]), 5 * 2 + 11 + 11);
        // Pivots with 5, 4, … numbers below, and the pivot with as many beside it.
        let full: usize = (1..6).map(|n| n * (n + 1)).sum();
        assert_eq!(count(&[5, 0, 1, 2, 3, 4]), full + 21 + 21);
    }
}
