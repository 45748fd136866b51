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

/// Six ones.
const ONES: Row = [V4([1.0, 1.0, 1.0, 0.0]); 2];

/// Square of what an inverse without exchanges may lose of [`ONES`] on their way there and back: far more than what is lost to
/// the stiffest contacts, and less than a step of Newton's method would feel.
const LOST: f64 = 1e-12;

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

/// Eliminates unknown `K`, at `C` of its half of the rows, by the pivot on the diagonal.
#[inline(always)]
fn pivot<L: Lanes, const K: usize, const C: usize>(rows: &mut [[L; 2]; 6]) {
    let half = K / 3;
    // Numbers of column K are replaced by products with masks.
    let (unit, rest) = (L::load(&UNIT[C]), L::load(&REST[C]));
    let over = L::splat(1.0 / rows[K][half].store().0[C]);
    let mut top = rows[K];
    top[half] = top[half].fma(rest, unit);
    top = [top[0].mul(over), top[1].mul(over)];
    for i in 0..6 {
        if i != K {
            let factor = rows[i][half].lane::<C>();
            rows[i][half] = rows[i][half].mul(rest);
            rows[i] = [
                factor.fnma(top[0], rows[i][0]),
                factor.fnma(top[1], rows[i][1]),
            ];
        }
    }
    rows[K] = top;
}

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

    /// `C -= A B`.
    #[inline(always)]
    pub fn subtract_product<L: Lanes>(&mut self, a: &Self, b: &Self) {
        // Six rows at a time fill the registers, and none of their sums waits for its last term.
        let mut rows = self.lanes::<L>();
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
        *self = Self::stored(&rows);
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

    /// Replaces the matrix by its inverse (Gauss-Jordan). A column without any pivot counts as an unknown that is zero; returns
    /// whether there was none.
    #[inline(always)]
    pub fn invert<L: Lanes>(&mut self) -> bool {
        // Most matrices have their pivots on the diagonal: rows then stay in registers.
        let mut rows = self.lanes::<L>();
        pivot::<L, 0, 0>(&mut rows);
        pivot::<L, 1, 1>(&mut rows);
        pivot::<L, 2, 2>(&mut rows);
        pivot::<L, 3, 0>(&mut rows);
        pivot::<L, 4, 1>(&mut rows);
        pivot::<L, 5, 2>(&mut rows);
        let inverse = Self::stored(&rows);
        let back = inverse.times::<L>(&self.times::<L>(&ONES));
        let lost = [0, 1].map(|half| L::load(&back[half]).sub(L::load(&ONES[half])));
        // Written so that what is not a number is lost.
        if lost[0].dot(lost[0]) + lost[1].dot(lost[1]) <= LOST {
            *self = inverse;
            return true;
        }
        self.exchange_and_invert()
    }

    /// The same with exchanges of rows.
    #[cold]
    fn exchange_and_invert(&mut self) -> bool {
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
            self.0[k][k / 3].0[k % 3] = 1.0;
            let top = self.0[k].map(|part| V4(part.0.map(|x| x * over)));
            for (i, row) in self.0.iter_mut().enumerate() {
                if i == k {
                    *row = top;
                    continue;
                }
                let factor = std::mem::replace(&mut row[k / 3].0[k % 3], 0.0);
                for (part, top) in row.iter_mut().zip(top) {
                    part.0
                        .iter_mut()
                        .zip(top.0)
                        .for_each(|(x, y)| *x -= factor * y);
                }
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

    fn checks<L: Lanes>(a: &Block, b: &Block, x: &Row, dominant: bool) {
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
        // Where no row is worth an exchange an inverse has the rounding of one; else what its check lets pass, in other directions
        // than that of the check a hundred times as much.
        let bound = if dominant {
            rounding(a, &inverse)
        } else {
            1e-4
        };
        assert!(error(a, &inverse) < bound, "{inverse:?}");
        assert!(inverse.0.iter().flatten().all(|v| v.0[3] == 0.0));
    }

    fn error(a: &Block, inverse: &Block) -> f64 {
        (dense(a) * dense(inverse) - nalgebra::Matrix6::identity()).amax()
    }

    /// Of an inverse: the unit roundoff times the condition.
    fn rounding(a: &Block, inverse: &Block) -> f64 {
        1e-14 * dense(a).norm() * dense(inverse).norm()
    }

    proptest! {
        #[test]
        fn products_and_inverses_are_those_of_dense_matrices(
            a in prop::array::uniform6(prop::array::uniform6(-3.0..3.0f64)),
            b in prop::array::uniform6(prop::array::uniform6(-3.0..3.0f64)),
            x in prop::array::uniform6(-3.0..3.0f64),
            dominant in any::<bool>(),
        ) {
            let mut a = a;
            // More than five others in a row.
            (0..6).for_each(|k| a[k][k] += if dominant { 20.0 } else { 0.0 });
            let (a, b, x) = (Block::from_rows(&a), Block::from_rows(&b), row(&x));
            prop_assume!(dense(&a).determinant().abs() > 1e-6);
            let mut exchanged = a;
            prop_assert!(exchanged.exchange_and_invert());
            prop_assert!(error(&a, &exchanged) < rounding(&a, &exchanged));
            checks::<Plain>(&a, &b, &x, dominant);
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn vector(a: &Block, b: &Block, x: &Row, dominant: bool) {
                    checks::<crate::math::lanes::Avx>(a, b, x, dominant);
                }
                if crate::math::lanes::fused() {
                    // SAFETY: the features were just detected.
                    unsafe { vector(&a, &b, &x, dominant) }
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
