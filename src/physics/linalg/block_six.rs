//! Blocks of 6×6 numbers in vector lanes: three linear and three angular numbers a row, each with a zero beside them.
//!
//! The zeros make a row two vectors of four, so that products need neither remainders nor shuffles.

use crate::math::lanes::{Lanes, V4};

/// Six numbers: linear, then angular part.
pub type Row = [V4; 2];

/// A row of zeros.
pub const ZERO_ROW: Row = [V4::ZERO; 2];

/// A one in each of the three places, and ones in the others.
const UNIT: [V4; 3] = [
    V4([1.0, 0.0, 0.0, 0.0]),
    V4([0.0, 1.0, 0.0, 0.0]),
    V4([0.0, 0.0, 1.0, 0.0]),
];
const REST: [V4; 3] = [
    V4([0.0, 1.0, 1.0, 0.0]),
    V4([1.0, 0.0, 1.0, 0.0]),
    V4([1.0, 1.0, 0.0, 0.0]),
];

/// Six numbers in lanes.
pub fn row(six: &[f64; 6]) -> Row {
    let [a, b, c, d, e, f] = *six;
    [V4([a, b, c, 0.0]), V4([d, e, f, 0.0])]
}

/// Six numbers from lanes.
pub fn six(row: &Row) -> [f64; 6] {
    let [[a, b, c, _], [d, e, f, _]] = [row[0].0, row[1].0];
    [a, b, c, d, e, f]
}

/// A number of a row.
#[inline(always)]
pub fn at(row: &Row, k: usize) -> f64 {
    row[k / 3].0[k % 3]
}

/// A 6×6 matrix, row by row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block(pub [Row; 6]);

impl Default for Block {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Block {
    /// All numbers zero.
    pub const ZERO: Self = Self([ZERO_ROW; 6]);

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

    #[inline(always)]
    fn lanes<L: Lanes>(&self) -> [[L; 2]; 6] {
        let mut rows = [[L::zero(); 2]; 6];
        for r in 0..6 {
            rows[r] = [L::load(&self.0[r][0]), L::load(&self.0[r][1])];
        }
        rows
    }

    #[inline(always)]
    fn stored<L: Lanes>(rows: &[[L; 2]; 6]) -> Self {
        let mut block = Self::ZERO;
        for r in 0..6 {
            block.0[r] = [rows[r][0].store(), rows[r][1].store()];
        }
        block
    }

    /// `-A B`, as [subtracted](Self::subtract_product) from zero.
    #[inline(always)]
    pub fn negative_product<L: Lanes>(a: &Self, b: &Self) -> Self {
        let mut rows = [[L::zero(); 2]; 6];
        Self::subtract::<L>(&mut rows, a, b);
        Self::stored(&rows)
    }

    /// `C -= A B`.
    #[inline(always)]
    pub fn subtract_product<L: Lanes>(&mut self, a: &Self, b: &Self) {
        let mut rows = self.lanes::<L>();
        Self::subtract::<L>(&mut rows, a, b);
        *self = Self::stored(&rows);
    }

    #[inline(always)]
    fn subtract<L: Lanes>(rows: &mut [[L; 2]; 6], a: &Self, b: &Self) {
        // Six rows at a time fill the registers, and none of their sums waits for its last term.
        for q in 0..6 {
            let other = [L::load(&b.0[q][0]), L::load(&b.0[q][1])];
            for r in 0..6 {
                let factor = L::splat(at(&a.0[r], q));
                rows[r] = [
                    factor.fnma(other[0], rows[r][0]),
                    factor.fnma(other[1], rows[r][1]),
                ];
            }
        }
    }

    /// `A B`.
    #[inline(always)]
    pub fn product<L: Lanes>(a: &Self, b: &Self) -> Self {
        let mut rows = [[L::zero(); 2]; 6];
        for q in 0..6 {
            let other = [L::load(&b.0[q][0]), L::load(&b.0[q][1])];
            for r in 0..6 {
                let factor = L::splat(at(&a.0[r], q));
                rows[r] = [
                    factor.fma(other[0], rows[r][0]),
                    factor.fma(other[1], rows[r][1]),
                ];
            }
        }
        Self::stored(&rows)
    }

    /// `A x`.
    #[inline(always)]
    pub fn times<L: Lanes>(&self, x: &Row) -> Row {
        let (linear, angular) = (L::load(&x[0]), L::load(&x[1]));
        let mut out = ZERO_ROW;
        for half in 0..2 {
            let mut terms = [L::zero(); 3];
            for r in 0..3 {
                let row = &self.0[3 * half + r];
                terms[r] = L::load(&row[0]).fma(linear, L::load(&row[1]).mul(angular));
            }
            out[half] = L::sums(terms[0], terms[1], terms[2]).store();
        }
        out
    }

    /// Replaces the matrix by its inverse, with exchanges of rows (Gauss-Jordan). A column without any pivot counts as
    /// an unknown that is zero; returns whether there was none.
    #[inline(always)]
    pub fn invert<L: Lanes>(&mut self) -> bool {
        let mut regular = true;
        let mut exchanged = [0; 6];
        for k in 0..6 {
            let (mut best, mut size) = (k, at(&self.0[k], k).abs());
            for i in k + 1..6 {
                let other = at(&self.0[i], k).abs();
                if other > size {
                    (best, size) = (i, other);
                }
            }
            exchanged[k] = best;
            if best != k {
                self.0.swap(k, best);
            }
            let pivot = at(&self.0[k], k);
            // Also true of what is not a number.
            let usable = pivot.abs() > 0.0 && pivot.is_finite();
            regular &= usable;
            let over = if usable { 1.0 / pivot } else { 0.0 };
            // Numbers of column k are replaced by products with masks: single numbers written into a row would make its
            // next load wait.
            let (unit, rest) = (L::load(&UNIT[k % 3]), L::load(&REST[k % 3]));
            let scale = L::splat(over);
            let mut top = [L::load(&self.0[k][0]), L::load(&self.0[k][1])];
            top[k / 3] = top[k / 3].fma(rest, unit);
            top = [top[0].mul(scale), top[1].mul(scale)];
            self.0[k] = [top[0].store(), top[1].store()];
            for i in 0..6 {
                if i == k {
                    continue;
                }
                let factor = L::splat(at(&self.0[i], k));
                let mut row = [L::load(&self.0[i][0]), L::load(&self.0[i][1])];
                row[k / 3] = row[k / 3].mul(rest);
                self.0[i] = [
                    factor.fnma(top[0], row[0]).store(),
                    factor.fnma(top[1], row[1]).store(),
                ];
            }
        }
        for k in (0..6).rev() {
            let other = exchanged[k];
            if other != k {
                for row in &mut self.0 {
                    let (a, b) = (at(row, k), at(row, other));
                    row[k / 3].0[k % 3] = b;
                    row[other / 3].0[other % 3] = a;
                }
            }
        }
        regular
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::Plain;
    use proptest::prelude::*;

    fn dense(block: &Block) -> nalgebra::Matrix6<f64> {
        nalgebra::Matrix6::from_fn(|i, j| at(&block.0[i], j))
    }

    fn checks<L: Lanes>(a: &Block, b: &Block, x: &Row) {
        let far = |m: nalgebra::Matrix6<f64>, block: &Block| (m - dense(block)).amax();
        let product = dense(a) * dense(b);
        // Sums of six products of numbers up to 3.
        assert!(far(product, &Block::product::<L>(a, b)) < 1e-13);
        let mut left = *a;
        left.subtract_product::<L>(a, b);
        assert!(far(dense(a) - product, &left) < 1e-13);
        let vector = dense(a) * nalgebra::Vector6::from(six(x));
        let found = nalgebra::Vector6::from(six(&a.times::<L>(x)));
        assert!((vector - found).amax() < 1e-13);
        let mut inverse = *a;
        assert!(inverse.invert::<L>());
        let identity = dense(a) * dense(&inverse) - nalgebra::Matrix6::identity();
        // Rounding of an inverse: the unit roundoff times the condition.
        let condition = dense(a).norm() * dense(&inverse).norm();
        assert!(identity.amax() < 1e-14 * condition, "{identity}");
        assert!(inverse.0.iter().flatten().all(|v| v.0[3] == 0.0));
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
            checks::<Plain>(&a, &b, &x);
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn vector(a: &Block, b: &Block, x: &Row) {
                    checks::<crate::math::lanes::Avx>(a, b, x);
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
