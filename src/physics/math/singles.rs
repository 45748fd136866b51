//! Six numbers of single precision in eight lanes: half of the room and of the time of two [vectors](super::lanes) of doubles.

use super::lanes::V4;

/// Three numbers and a zero, and once more, aligned for vector loads.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(32))]
pub struct V8(pub [f32; 8]);

impl V8 {
    /// All lanes zero.
    pub const ZERO: Self = Self([0.0; 8]);
}

/// Arithmetic on eight lanes at once.
pub trait Singles: Copy {
    /// Reads a vector.
    fn load(v: &V8) -> Self;
    /// Writes a vector.
    fn store(self) -> V8;
    /// Rounds two vectors of doubles.
    fn narrow(v: &[V4; 2]) -> Self;
    /// The same numbers as doubles.
    fn widen(self) -> [V4; 2];
    /// The same number in all lanes.
    fn splat(x: f32) -> Self;
    /// Lane-wise sum.
    fn add(self, b: Self) -> Self;
    /// Lane-wise difference.
    fn sub(self, b: Self) -> Self;
    /// Lane-wise product.
    fn mul(self, b: Self) -> Self;
    /// `self * b + c`.
    fn fma(self, b: Self, c: Self) -> Self;
    /// `c - self * b`.
    fn fnma(self, b: Self, c: Self) -> Self;
    /// Sums over the lanes of six vectors: those of the first three and a zero, those of the others and a zero.
    fn sums(terms: [Self; 6]) -> Self;
}

/// Portable lanes.
#[derive(Debug, Clone, Copy)]
pub struct Plain([f32; 8]);

impl Singles for Plain {
    #[inline(always)]
    fn load(v: &V8) -> Self {
        Self(v.0)
    }
    #[inline(always)]
    fn store(self) -> V8 {
        V8(self.0)
    }
    #[inline(always)]
    fn narrow(v: &[V4; 2]) -> Self {
        Self(std::array::from_fn(|k| v[k / 4].0[k % 4] as f32))
    }
    #[inline(always)]
    fn widen(self) -> [V4; 2] {
        [0, 4].map(|from| V4(std::array::from_fn(|k| f64::from(self.0[from + k]))))
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self([x; 8])
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + b.0[k]))
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] - b.0[k]))
    }
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] * b.0[k]))
    }
    #[inline(always)]
    fn fma(self, b: Self, c: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] * b.0[k] + c.0[k]))
    }
    #[inline(always)]
    fn fnma(self, b: Self, c: Self) -> Self {
        Self(std::array::from_fn(|k| c.0[k] - self.0[k] * b.0[k]))
    }
    #[inline(always)]
    fn sums(terms: [Self; 6]) -> Self {
        let [a, b, c, d, e, f] = terms.map(|term| term.0.iter().sum());
        Self([a, b, c, 0.0, d, e, f, 0.0])
    }
}

#[cfg(target_arch = "x86_64")]
pub use avx::Avx;

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{Singles, V4, V8};
    use std::arch::x86_64::*;

    /// Lanes in one AVX register; where its methods may run is said at [those of doubles](super::super::lanes::Avx).
    #[derive(Debug, Clone, Copy)]
    pub struct Avx(__m256);

    impl Singles for Avx {
        #[inline(always)]
        fn load(v: &V8) -> Self {
            // SAFETY: see the type; `V8` is 32-byte aligned and 32 bytes long.
            unsafe { Self(_mm256_load_ps(v.0.as_ptr())) }
        }
        #[inline(always)]
        fn store(self) -> V8 {
            let mut v = V8::ZERO;
            // SAFETY: see the type; `V8` is 32-byte aligned and 32 bytes long.
            unsafe { _mm256_store_ps(v.0.as_mut_ptr(), self.0) };
            v
        }
        #[inline(always)]
        fn narrow(v: &[V4; 2]) -> Self {
            // SAFETY: see the type; `V4` is 32-byte aligned and 32 bytes long.
            unsafe {
                let [low, high] = [0, 1].map(|k| _mm256_cvtpd_ps(_mm256_load_pd(v[k].0.as_ptr())));
                Self(_mm256_set_m128(high, low))
            }
        }
        #[inline(always)]
        fn widen(self) -> [V4; 2] {
            let mut v = [V4::ZERO; 2];
            // SAFETY: see the type; `V4` is 32-byte aligned and 32 bytes long.
            unsafe {
                let low = _mm256_cvtps_pd(_mm256_castps256_ps128(self.0));
                let high = _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(self.0));
                _mm256_store_pd(v[0].0.as_mut_ptr(), low);
                _mm256_store_pd(v[1].0.as_mut_ptr(), high);
            }
            v
        }
        #[inline(always)]
        fn splat(x: f32) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_set1_ps(x)) }
        }
        #[inline(always)]
        fn add(self, b: Self) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_add_ps(self.0, b.0)) }
        }
        #[inline(always)]
        fn sub(self, b: Self) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_sub_ps(self.0, b.0)) }
        }
        #[inline(always)]
        fn mul(self, b: Self) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_mul_ps(self.0, b.0)) }
        }
        #[inline(always)]
        fn fma(self, b: Self, c: Self) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_fmadd_ps(self.0, b.0, c.0)) }
        }
        #[inline(always)]
        fn fnma(self, b: Self, c: Self) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_fnmadd_ps(self.0, b.0, c.0)) }
        }
        #[inline(always)]
        fn sums([a, b, c, d, e, f]: [Self; 6]) -> Self {
            // SAFETY: see the type.
            unsafe {
                let zero = _mm256_setzero_ps();
                // Sums of the first and of the last four lanes of three vectors, and a zero, beside each other.
                let halves = |a: Self, b: Self, c: Self| {
                    _mm256_hadd_ps(_mm256_hadd_ps(a.0, b.0), _mm256_hadd_ps(c.0, zero))
                };
                let (first, last) = (halves(a, b, c), halves(d, e, f));
                let low = _mm256_permute2f128_ps::<0x20>(first, last);
                let high = _mm256_permute2f128_ps::<0x31>(first, last);
                Self(_mm256_add_ps(low, high))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks<S: Singles>() {
        let numbers = V8([1.0, -2.0, 3.5, 0.0, 0.5, 4.0, -1.0, 0.0]);
        let a = S::load(&numbers);
        let b = S::splat(2.0);
        assert_eq!(a.store(), numbers);
        assert_eq!(a.add(a).store(), a.mul(b).store());
        assert_eq!(a.mul(b).sub(a).store(), numbers);
        assert_eq!(
            a.fma(b, a).store().0,
            [3.0, -6.0, 10.5, 0.0, 1.5, 12.0, -3.0, 0.0]
        );
        assert_eq!(a.fnma(b, a).store().0, numbers.0.map(|x| -x));
        let wide = a.widen();
        assert_eq!(wide, [V4([1.0, -2.0, 3.5, 0.0]), V4([0.5, 4.0, -1.0, 0.0])]);
        assert_eq!(S::narrow(&wide).store(), numbers);
        let third = S::narrow(&[V4([1.0 / 3.0; 4]); 2]).store();
        assert_eq!(third.0, [1.0 / 3.0; 8]);
        let terms = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|x| a.mul(S::splat(x)));
        assert_eq!(
            S::sums(terms).store().0,
            [6.0, 12.0, 18.0, 0.0, 24.0, 30.0, 36.0, 0.0]
        );
    }

    #[test]
    fn portable_lanes() {
        checks::<Plain>();
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn vector_lanes() {
        #[target_feature(enable = "avx2,fma")]
        fn run() {
            checks::<Avx>();
        }
        if crate::math::lanes::fused() {
            // SAFETY: the features were just detected.
            unsafe { run() }
        }
    }
}
