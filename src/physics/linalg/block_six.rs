//! Matrices of 6×6 numbers whose rows are [in vector lanes](super::six_lanes).

use super::six_lanes::{Number, Six, row, six};
use crate::math::lanes::Lanes;

/// A 6×6 matrix, row by row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block<N: Number = f64>(pub [N::Row; 6]);

impl<N: Number> Default for Block<N> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Block {
    /// From rows of six.
    pub fn from_rows(rows: &[[f64; 6]; 6]) -> Self {
        Self(rows.map(|r| row(&r)))
    }

    /// To rows of six.
    pub fn to_rows(&self) -> [[f64; 6]; 6] {
        self.0.map(|r| six(&r))
    }

    /// Half the sum with the transpose.
    pub fn symmetric(&self) -> Self {
        let rows = self.to_rows();
        let half =
            |i: usize| -> [f64; 6] { std::array::from_fn(|j| 0.5 * (rows[i][j] + rows[j][i])) };
        Self::from_rows(&std::array::from_fn(half))
    }
}

impl<N: Number> Block<N> {
    /// All numbers zero.
    pub const ZERO: Self = Self([N::ZERO_ROW; 6]);

    /// A block of doubles, rounded.
    #[inline(always)]
    pub fn narrow<L: Lanes>(block: &Block) -> Self {
        let mut out = Self::ZERO;
        for r in 0..6 {
            out.0[r] = N::Six::<L>::narrow(&block.0[r]).store();
        }
        out
    }

    #[inline(always)]
    fn registers<L: Lanes>(&self) -> [N::Six<L>; 6] {
        let mut rows = [N::Six::<L>::load(&self.0[0]); 6];
        for r in 1..6 {
            rows[r] = N::Six::<L>::load(&self.0[r]);
        }
        rows
    }

    #[inline(always)]
    fn stored<L: Lanes>(rows: &[N::Six<L>; 6]) -> Self {
        let mut block = Self::ZERO;
        for r in 0..6 {
            block.0[r] = rows[r].store();
        }
        block
    }

    /// `C -= A B`.
    #[inline(always)]
    pub fn subtract_product<L: Lanes>(&mut self, a: &Self, b: &Self) {
        // Six rows at a time fill the registers, and none of their sums waits for its last term.
        let mut rows = self.registers::<L>();
        for q in 0..6 {
            let other = N::Six::<L>::load(&b.0[q]);
            for r in 0..6 {
                rows[r] = N::Six::<L>::splat(N::at(&a.0[r], q)).fnma(other, rows[r]);
            }
        }
        *self = Self::stored::<L>(&rows);
    }

    /// `A B`.
    #[inline(always)]
    pub fn product<L: Lanes>(a: &Self, b: &Self) -> Self {
        let mut rows = Self::ZERO.registers::<L>();
        for q in 0..6 {
            let other = N::Six::<L>::load(&b.0[q]);
            for r in 0..6 {
                rows[r] = N::Six::<L>::splat(N::at(&a.0[r], q)).fma(other, rows[r]);
            }
        }
        Self::stored::<L>(&rows)
    }

    /// `A x`.
    #[inline(always)]
    pub fn times<L: Lanes>(&self, x: &N::Row) -> N::Row {
        N::Six::<L>::dots(&self.0, N::Six::<L>::load(x)).store()
    }

    /// Replaces the matrix by its inverse, with exchanges of rows (Gauss-Jordan). A column without any pivot counts as
    /// an unknown that is zero; returns whether there was none.
    #[inline(always)]
    pub fn invert<L: Lanes>(&mut self) -> bool {
        let mut regular = true;
        let mut exchanged = [0; 6];
        for k in 0..6 {
            let (mut best, mut size) = (k, N::at(&self.0[k], k).abs());
            for i in k + 1..6 {
                let other = N::at(&self.0[i], k).abs();
                if other > size {
                    (best, size) = (i, other);
                }
            }
            exchanged[k] = best;
            if best != k {
                self.0.swap(k, best);
            }
            let over = N::at(&self.0[k], k).inverse();
            regular &= over.is_some();
            // Numbers of column k are replaced by products with masks: single numbers written into a row would make its
            // next load wait.
            let (unit, rest) = (
                N::Six::<L>::load(&N::UNIT[k]),
                N::Six::<L>::load(&N::REST[k]),
            );
            let scale = N::Six::<L>::splat(over.unwrap_or(N::zero()));
            let top = N::Six::<L>::load(&self.0[k]).fma(rest, unit).mul(scale);
            self.0[k] = top.store();
            for i in 0..6 {
                if i == k {
                    continue;
                }
                let factor = N::Six::<L>::splat(N::at(&self.0[i], k));
                let row = N::Six::<L>::load(&self.0[i]).mul(rest);
                self.0[i] = factor.fnma(top, row).store();
            }
        }
        for k in (0..6).rev() {
            let other = exchanged[k];
            if other != k {
                for row in &mut self.0 {
                    let (a, b) = (N::at(row, k), N::at(row, other));
                    N::set(row, k, b);
                    N::set(row, other, a);
                }
            }
        }
        regular
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::six_lanes::Row;
    use crate::math::lanes::Plain;
    use proptest::prelude::*;

    fn dense<N: Number + Into<f64>>(block: &Block<N>) -> nalgebra::Matrix6<f64> {
        nalgebra::Matrix6::from_fn(|i, j| N::at(&block.0[i], j).into())
    }

    /// With numbers that are rounded by `unit`.
    fn checks<L: Lanes, N: Number + Into<f64>>(a: &Block, b: &Block, x: &Row, unit: f64) {
        let [a, b] = [a, b].map(Block::<N>::narrow::<L>);
        let x = N::Six::<L>::narrow(x).store();
        let far = |m: nalgebra::Matrix6<f64>, block: &Block<N>| (m - dense(block)).amax();
        let product = dense(&a) * dense(&b);
        // Sums of six products of numbers up to 3.
        let sums = 1e3 * unit;
        assert!(far(product, &Block::product::<L>(&a, &b)) < sums);
        let mut left = a;
        left.subtract_product::<L>(&a, &b);
        assert!(far(dense(&a) - product, &left) < sums);
        let numbers = |x: N::Row| nalgebra::Vector6::from_fn(|k, _| N::at(&x, k).into());
        let found = numbers(a.times::<L>(&x));
        assert!((dense(&a) * numbers(x) - found).amax() < sums);
        let mut inverse = a;
        assert!(inverse.invert::<L>());
        let identity = dense(&a) * dense(&inverse) - nalgebra::Matrix6::identity();
        // Rounding of an inverse: the unit roundoff times the condition.
        let condition = dense(&a).norm() * dense(&inverse).norm();
        assert!(identity.amax() < 100.0 * unit * condition, "{identity}");
        let wide = inverse.0.map(|row| N::Six::<L>::load(&row).widen());
        assert!(wide.iter().flatten().all(|v| v.0[3] == 0.0));
    }

    fn both_precisions<L: Lanes>(a: &Block, b: &Block, x: &Row) {
        checks::<L, f64>(a, b, x, f64::EPSILON);
        checks::<L, f32>(a, b, x, f64::from(f32::EPSILON));
    }

    proptest! {
        #[test]
        fn products_and_inverses_are_those_of_dense_matrices(
            a in prop::array::uniform6(prop::array::uniform6(-3.0..3.0f64)),
            b in prop::array::uniform6(prop::array::uniform6(-3.0..3.0f64)),
            x in prop::array::uniform6(-3.0..3.0f64),
        ) {
            let (a, b, x) = (Block::from_rows(&a), Block::from_rows(&b), row(&x));
            prop_assume!(dense(&a).determinant().abs() > 1e-6);
            both_precisions::<Plain>(&a, &b, &x);
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn vector(a: &Block, b: &Block, x: &Row) {
                    both_precisions::<crate::math::lanes::Avx>(a, b, x);
                }
                if crate::math::lanes::fused() {
                    // SAFETY: the features were just detected.
                    unsafe { vector(&a, &b, &x) }
                }
            }
        }
    }

    #[test]
    fn an_unknown_without_pivot_stays_zero() {
        let mut rows = [[0.0; 6]; 6];
        // Exchanges, and nothing at all in the last row and column.
        for k in 0..5 {
            rows[k][(k + 1) % 5] = 2.0;
        }
        let mut block = Block::from_rows(&rows);
        assert!(!block.invert::<Plain>());
        let x = block.times::<Plain>(&row(&[2.0, 4.0, 6.0, 8.0, 10.0, 3.0]));
        assert_eq!(six(&x), [5.0, 1.0, 2.0, 3.0, 4.0, 0.0]);
        let mut broken = Block::from_rows(&[[f64::NAN; 6]; 6]);
        assert!(!broken.invert::<Plain>());
    }
}
