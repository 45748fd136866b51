//! Rows of six numbers in vector lanes, three linear and three angular ones, each three with a zero beside them: doubles, or
//! singles for what is made to be made again.
//!
//! The zeros make a row of doubles two vectors of four, so that products need neither remainders nor shuffles, and a row of
//! singles its image in one of eight.

use crate::math::lanes::{Lanes, V4};
use crate::math::singles::{Singles, V8};
use nalgebra::RealField;

/// Six doubles: linear, then angular part.
pub type Row = [V4; 2];

/// A row of zeros.
pub const ZERO_ROW: Row = [V4::ZERO; 2];

/// Six doubles in lanes.
pub fn row(six: &[f64; 6]) -> Row {
    let [a, b, c, d, e, f] = *six;
    [V4([a, b, c, 0.0]), V4([d, e, f, 0.0])]
}

/// Six doubles from lanes.
pub fn six(row: &Row) -> [f64; 6] {
    let [[a, b, c, _], [d, e, f, _]] = [row[0].0, row[1].0];
    [a, b, c, d, e, f]
}

/// What the numbers of a block are: doubles, or singles for what is made to be made again.
pub trait Number: RealField + Copy {
    /// Six of them, each three with a zero beside them.
    type Row: Copy + PartialEq + std::fmt::Debug;
    /// The same in registers.
    type Six<L: Lanes>: Six<Number = Self>;
    /// A row of zeros.
    const ZERO_ROW: Self::Row;
    /// A one in each of the six places.
    const UNIT: [Self::Row; 6];
    /// Ones in the five others.
    const REST: [Self::Row; 6];
    /// A number of a row.
    fn at(row: &Self::Row, k: usize) -> Self;
    /// Writes a number of a row.
    fn set(row: &mut Self::Row, k: usize, number: Self);
    /// One over it; of what has no inverse nothing.
    #[inline(always)]
    fn inverse(self) -> Option<Self> {
        // Also true of what is not a number.
        (self.abs() > Self::zero() && self.is_finite()).then(|| self.recip())
    }
}

/// Six numbers in registers.
pub trait Six: Copy {
    /// What they are.
    type Number: Number;
    /// Reads a row.
    fn load(row: &<Self::Number as Number>::Row) -> Self;
    /// Writes a row.
    fn store(self) -> <Self::Number as Number>::Row;
    /// Rounds a row of doubles.
    fn narrow(row: &Row) -> Self;
    /// The same as doubles.
    fn widen(self) -> Row;
    /// The same number in all places.
    fn splat(x: Self::Number) -> Self;
    /// Sum by place.
    fn add(self, b: Self) -> Self;
    /// Difference by place.
    fn sub(self, b: Self) -> Self;
    /// Product by place.
    fn mul(self, b: Self) -> Self;
    /// `self * b + c`.
    fn fma(self, b: Self, c: Self) -> Self;
    /// `c - self * b`.
    fn fnma(self, b: Self, c: Self) -> Self;
    /// Products of six rows with a seventh, each summed, in place of a row.
    fn dots(rows: &[<Self::Number as Number>::Row; 6], other: Self) -> Self;
}

/// Six doubles in registers.
#[derive(Debug, Clone, Copy)]
pub struct SixDoubles<L>([L; 2]);

/// Six singles in a register.
#[derive(Debug, Clone, Copy)]
pub struct SixSingles<S>(S);

/// One half of a row with a one in a place of three, and with ones in the others.
const ONE: [V4; 3] = [
    V4([1.0, 0.0, 0.0, 0.0]),
    V4([0.0, 1.0, 0.0, 0.0]),
    V4([0.0, 0.0, 1.0, 0.0]),
];
const OTHERS: [V4; 3] = [
    V4([0.0, 1.0, 1.0, 0.0]),
    V4([1.0, 0.0, 1.0, 0.0]),
    V4([1.0, 1.0, 0.0, 0.0]),
];
const ALL: V4 = V4([1.0, 1.0, 1.0, 0.0]);

/// A row as singles; what it holds is exact.
const fn narrowed(row: &Row) -> V8 {
    let mut out = [0.0; 8];
    let mut k = 0;
    while k < 8 {
        out[k] = row[k / 4].0[k % 4] as f32;
        k += 1;
    }
    V8(out)
}

const fn all_narrowed(rows: &[Row; 6]) -> [V8; 6] {
    let mut out = [V8::ZERO; 6];
    let mut k = 0;
    while k < 6 {
        out[k] = narrowed(&rows[k]);
        k += 1;
    }
    out
}

impl Number for f64 {
    type Row = Row;
    type Six<L: Lanes> = SixDoubles<L>;
    const ZERO_ROW: Row = ZERO_ROW;
    const UNIT: [Row; 6] = [
        [ONE[0], V4::ZERO],
        [ONE[1], V4::ZERO],
        [ONE[2], V4::ZERO],
        [V4::ZERO, ONE[0]],
        [V4::ZERO, ONE[1]],
        [V4::ZERO, ONE[2]],
    ];
    const REST: [Row; 6] = [
        [OTHERS[0], ALL],
        [OTHERS[1], ALL],
        [OTHERS[2], ALL],
        [ALL, OTHERS[0]],
        [ALL, OTHERS[1]],
        [ALL, OTHERS[2]],
    ];
    #[inline(always)]
    fn at(row: &Row, k: usize) -> Self {
        row[k / 3].0[k % 3]
    }
    #[inline(always)]
    fn set(row: &mut Row, k: usize, number: Self) {
        row[k / 3].0[k % 3] = number;
    }
}

impl Number for f32 {
    type Row = V8;
    type Six<L: Lanes> = SixSingles<L::Singles>;
    const ZERO_ROW: V8 = V8::ZERO;
    const UNIT: [V8; 6] = all_narrowed(&<f64 as Number>::UNIT);
    const REST: [V8; 6] = all_narrowed(&<f64 as Number>::REST);
    #[inline(always)]
    fn at(row: &V8, k: usize) -> Self {
        row.0[k / 3 * 4 + k % 3]
    }
    #[inline(always)]
    fn set(row: &mut V8, k: usize, number: Self) {
        row.0[k / 3 * 4 + k % 3] = number;
    }
}

impl<L: Lanes> Six for SixDoubles<L> {
    type Number = f64;
    #[inline(always)]
    fn load(row: &Row) -> Self {
        Self([L::load(&row[0]), L::load(&row[1])])
    }
    #[inline(always)]
    fn store(self) -> Row {
        [self.0[0].store(), self.0[1].store()]
    }
    #[inline(always)]
    fn narrow(row: &Row) -> Self {
        Self::load(row)
    }
    #[inline(always)]
    fn widen(self) -> Row {
        self.store()
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([L::splat(x); 2])
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self([self.0[0].add(b.0[0]), self.0[1].add(b.0[1])])
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self([self.0[0].sub(b.0[0]), self.0[1].sub(b.0[1])])
    }
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self([self.0[0].mul(b.0[0]), self.0[1].mul(b.0[1])])
    }
    #[inline(always)]
    fn fma(self, b: Self, c: Self) -> Self {
        Self([self.0[0].fma(b.0[0], c.0[0]), self.0[1].fma(b.0[1], c.0[1])])
    }
    #[inline(always)]
    fn fnma(self, b: Self, c: Self) -> Self {
        Self([
            self.0[0].fnma(b.0[0], c.0[0]),
            self.0[1].fnma(b.0[1], c.0[1]),
        ])
    }
    #[inline(always)]
    fn dots(rows: &[Row; 6], other: Self) -> Self {
        let mut out = [L::zero(); 2];
        for half in 0..2 {
            let mut terms = [L::zero(); 3];
            for r in 0..3 {
                let row = &rows[3 * half + r];
                let angular = L::load(&row[1]).mul(other.0[1]);
                terms[r] = L::load(&row[0]).fma(other.0[0], angular);
            }
            out[half] = L::sums(terms[0], terms[1], terms[2]);
        }
        Self(out)
    }
}

impl<S: Singles> Six for SixSingles<S> {
    type Number = f32;
    #[inline(always)]
    fn load(row: &V8) -> Self {
        Self(S::load(row))
    }
    #[inline(always)]
    fn store(self) -> V8 {
        self.0.store()
    }
    #[inline(always)]
    fn narrow(row: &Row) -> Self {
        Self(S::narrow(row))
    }
    #[inline(always)]
    fn widen(self) -> Row {
        self.0.widen()
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(S::splat(x))
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self(self.0.add(b.0))
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self(self.0.sub(b.0))
    }
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self(self.0.mul(b.0))
    }
    #[inline(always)]
    fn fma(self, b: Self, c: Self) -> Self {
        Self(self.0.fma(b.0, c.0))
    }
    #[inline(always)]
    fn fnma(self, b: Self, c: Self) -> Self {
        Self(self.0.fnma(b.0, c.0))
    }
    #[inline(always)]
    fn dots(rows: &[V8; 6], other: Self) -> Self {
        let mut terms = [other.0; 6];
        for r in 0..6 {
            terms[r] = S::load(&rows[r]).mul(other.0);
        }
        Self(S::sums(terms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::Plain;

    #[test]
    fn singles_are_the_image_of_doubles() {
        fn ones<N: Number>(row: &N::Row) -> Vec<bool> {
            (0..6).map(|k| N::at(row, k) > N::zero()).collect()
        }
        let numbers = [1.0, -2.0, 3.0, 0.25, 5.0, -6.5];
        let narrow = <f32 as Number>::Six::<Plain>::narrow(&row(&numbers));
        assert_eq!(six(&narrow.widen()), numbers);
        for k in 0..6 {
            assert_eq!(f64::from(f32::at(&narrow.store(), k)), numbers[k]);
            let place: Vec<bool> = (0..6).map(|i| i == k).collect();
            assert_eq!(ones::<f64>(&f64::UNIT[k]), place);
            assert_eq!(ones::<f32>(&f32::UNIT[k]), place);
            let others: Vec<bool> = (0..6).map(|i| i != k).collect();
            assert_eq!(ones::<f64>(&f64::REST[k]), others);
            assert_eq!(ones::<f32>(&f32::REST[k]), others);
        }
        let mut changed = narrow.store();
        f32::set(&mut changed, 4, 7.0);
        assert_eq!(f32::at(&changed, 4), 7.0);
    }

    #[test]
    fn what_is_no_pivot_has_no_inverse() {
        assert_eq!(Number::inverse(4.0_f64), Some(0.25));
        assert_eq!(Number::inverse(-4.0_f32), Some(-0.25));
        for none in [0.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Number::inverse(none), None);
            assert_eq!(Number::inverse(none as f32), None);
        }
    }
}
