//! Vectors of R3 in four lanes, so that the hot loops of a step use the processor's vector unit.
//!
//! [`Lanes`] has two implementations: [`Plain`], which runs everywhere, and on x86-64 [`Avx`], which needs AVX2
//! and FMA and is chosen at run time by [`fused`]. The fourth lane is zero throughout.

/// Three numbers and a zero, aligned for vector loads.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(32))]
pub struct V4(pub [f64; 4]);

impl V4 {
    /// All lanes zero.
    pub const ZERO: Self = Self([0.0; 4]);

    /// From a vector of three.
    #[inline(always)]
    pub fn from3(v: &super::Vec3) -> Self {
        Self([v.x, v.y, v.z, 0.0])
    }

    /// To a vector of three.
    #[inline(always)]
    pub fn to3(self) -> super::Vec3 {
        super::Vec3::new(self.0[0], self.0[1], self.0[2])
    }
}

/// Arithmetic on four lanes at once.
pub trait Lanes: Copy {
    /// Reads a vector.
    fn load(v: &V4) -> Self;
    /// Writes a vector.
    fn store(self) -> V4;
    /// Reads up to four numbers, with zeros behind them; the fourth lane is one of them.
    fn read(numbers: &[f64]) -> Self;
    /// Writes as many lanes as there are numbers, up to four.
    fn write(self, numbers: &mut [f64]);
    /// The same number in the first three lanes (the fourth may hold it too; it is only ever multiplied by zero).
    fn splat(x: f64) -> Self;
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
    /// Lane `K` in all lanes.
    fn lane<const K: usize>(self) -> Self;
    /// Cross product.
    fn cross(self, b: Self) -> Self;
    /// Dot product.
    fn dot(self, b: Self) -> f64;
    /// Sums over the lanes of three vectors, as a vector.
    fn sums(a: Self, b: Self, c: Self) -> Self;

    /// Zero.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }

    /// Product with a number.
    #[inline(always)]
    fn scale(self, x: f64) -> Self {
        self.mul(Self::splat(x))
    }

    /// `self + b * x`.
    #[inline(always)]
    fn axpy(self, x: f64, b: Self) -> Self {
        b.fma(Self::splat(x), self)
    }
}

/// Portable lanes.
#[derive(Debug, Clone, Copy)]
pub struct Plain([f64; 4]);

impl Lanes for Plain {
    #[inline(always)]
    fn load(v: &V4) -> Self {
        Self(v.0)
    }
    #[inline(always)]
    fn store(self) -> V4 {
        V4(self.0)
    }
    #[inline(always)]
    fn read(numbers: &[f64]) -> Self {
        let mut lanes = [0.0; 4];
        lanes[..numbers.len()].copy_from_slice(numbers);
        Self(lanes)
    }
    #[inline(always)]
    fn write(self, numbers: &mut [f64]) {
        numbers.copy_from_slice(&self.0[..numbers.len()]);
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x; 4])
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
    fn lane<const K: usize>(self) -> Self {
        Self([self.0[K]; 4])
    }
    #[inline(always)]
    fn cross(self, b: Self) -> Self {
        let (a, b) = (self.0, b.0);
        Self([
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
            0.0,
        ])
    }
    #[inline(always)]
    fn dot(self, b: Self) -> f64 {
        self.0[0] * b.0[0] + self.0[1] * b.0[1] + self.0[2] * b.0[2]
    }
    #[inline(always)]
    fn sums(a: Self, b: Self, c: Self) -> Self {
        let sum = |v: Self| v.0[0] + v.0[1] + v.0[2];
        Self([sum(a), sum(b), sum(c), 0.0])
    }
}

/// Whether this processor runs [`Avx`].
pub fn fused() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Defines a pass: a function that runs a lane-generic body with the best lanes of this processor, of which its first
/// argument says whether they are those of [`Avx`].
macro_rules! pass {
    (
        $(#[$doc:meta])* $vis:vis $name:ident => $body:ident,
        ($($arg:ident: $kind:ty),* $(,)?) $(-> $out:ty)?
    ) => {
        $(#[$doc])*
        $vis fn $name(fused: bool, $($arg: $kind),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn vector($($arg: $kind),*) $(-> $out)? {
                    $body::<$crate::math::lanes::Avx>($($arg),*)
                }
                if fused {
                    // SAFETY: `fused` is set only where `lanes::fused` detected AVX2 and FMA.
                    return unsafe { vector($($arg),*) };
                }
            }
            let _ = fused;
            $body::<$crate::math::lanes::Plain>($($arg),*)
        }
    };
}
pub(crate) use pass;

#[cfg(target_arch = "x86_64")]
pub use avx::Avx;

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{Lanes, V4};
    use std::arch::x86_64::*;

    /// Lanes in one AVX register.
    ///
    /// Every method must run inside a function compiled with `#[target_feature(enable = "avx2,fma")]`, reached
    /// only after [`fused`](super::fused) said yes; that is the safety condition of each `unsafe` block below.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx(__m256d);

    /// y, z, x, w.
    const ROTATE: i32 = 0b11_00_10_01;

    impl Lanes for Avx {
        #[inline(always)]
        fn load(v: &V4) -> Self {
            // SAFETY: see the type; `V4` is 32-byte aligned and 32 bytes long.
            unsafe { Self(_mm256_load_pd(v.0.as_ptr())) }
        }
        #[inline(always)]
        fn store(self) -> V4 {
            let mut v = V4::ZERO;
            // SAFETY: see the type; `V4` is 32-byte aligned and 32 bytes long.
            unsafe { _mm256_store_pd(v.0.as_mut_ptr(), self.0) };
            v
        }
        #[inline(always)]
        fn read(numbers: &[f64]) -> Self {
            let from = numbers.as_ptr();
            // SAFETY: see the type; what is read is within the numbers.
            unsafe {
                Self(match numbers.len() {
                    0 => _mm256_setzero_pd(),
                    1 => _mm256_zextpd128_pd256(_mm_load_sd(from)),
                    2 => _mm256_zextpd128_pd256(_mm_loadu_pd(from)),
                    3 => _mm256_set_m128d(_mm_load_sd(from.add(2)), _mm_loadu_pd(from)),
                    _ => _mm256_loadu_pd(from),
                })
            }
        }
        #[inline(always)]
        fn write(self, numbers: &mut [f64]) {
            let to = numbers.as_mut_ptr();
            // SAFETY: see the type; what is written is within the numbers.
            unsafe {
                let (low, high) = (
                    _mm256_castpd256_pd128(self.0),
                    _mm256_extractf128_pd::<1>(self.0),
                );
                match numbers.len() {
                    0 => {}
                    1 => _mm_store_sd(to, low),
                    2 => _mm_storeu_pd(to, low),
                    3 => {
                        _mm_storeu_pd(to, low);
                        _mm_store_sd(to.add(2), high);
                    }
                    _ => _mm256_storeu_pd(to, self.0),
                }
            }
        }
        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_set1_pd(x)) }
        }
        #[inline(always)]
        fn add(self, b: Self) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_add_pd(self.0, b.0)) }
        }
        #[inline(always)]
        fn sub(self, b: Self) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_sub_pd(self.0, b.0)) }
        }
        #[inline(always)]
        fn mul(self, b: Self) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_mul_pd(self.0, b.0)) }
        }
        #[inline(always)]
        fn fma(self, b: Self, c: Self) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_fmadd_pd(self.0, b.0, c.0)) }
        }
        #[inline(always)]
        fn fnma(self, b: Self, c: Self) -> Self {
            // SAFETY: see the type.
            unsafe { Self(_mm256_fnmadd_pd(self.0, b.0, c.0)) }
        }
        #[inline(always)]
        fn lane<const K: usize>(self) -> Self {
            // SAFETY: see the type.
            unsafe {
                Self(match K {
                    0 => _mm256_permute4x64_pd::<0b00_00_00_00>(self.0),
                    1 => _mm256_permute4x64_pd::<0b01_01_01_01>(self.0),
                    2 => _mm256_permute4x64_pd::<0b10_10_10_10>(self.0),
                    _ => _mm256_permute4x64_pd::<0b11_11_11_11>(self.0),
                })
            }
        }
        #[inline(always)]
        fn cross(self, b: Self) -> Self {
            // a × b = rotate(a · rotate(b) - rotate(a) · b): three shuffles instead of four.
            // SAFETY: see the type.
            unsafe {
                let ra = _mm256_permute4x64_pd::<ROTATE>(self.0);
                let rb = _mm256_permute4x64_pd::<ROTATE>(b.0);
                let c = _mm256_fmsub_pd(self.0, rb, _mm256_mul_pd(ra, b.0));
                Self(_mm256_permute4x64_pd::<ROTATE>(c))
            }
        }
        #[inline(always)]
        fn dot(self, b: Self) -> f64 {
            // SAFETY: see the type.
            unsafe {
                let p = _mm256_mul_pd(self.0, b.0);
                let s = _mm_add_pd(_mm256_castpd256_pd128(p), _mm256_extractf128_pd::<1>(p));
                _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)))
            }
        }
        #[inline(always)]
        fn sums(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: see the type.
            unsafe {
                let ab = _mm256_hadd_pd(a.0, b.0); // a0+a1 b0+b1 a2+a3 b2+b3
                let cc = _mm256_hadd_pd(c.0, _mm256_setzero_pd()); // c0+c1 0 c2+c3 0
                let low = _mm256_permute2f128_pd::<0x20>(ab, cc);
                let high = _mm256_permute2f128_pd::<0x31>(ab, cc);
                Self(_mm256_add_pd(low, high))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks<L: Lanes>() {
        let a = L::load(&V4([1.0, -2.0, 3.5, 0.0]));
        let b = L::load(&V4([0.5, 4.0, -1.0, 0.0]));
        assert_eq!(a.cross(b).store().0, [-12.0, 2.75, 5.0, 0.0]);
        assert_eq!(a.dot(b), 0.5 - 8.0 - 3.5);
        assert_eq!(a.fma(b, a).store().0, [1.5, -10.0, 0.0, 0.0]);
        assert_eq!(a.fnma(b, a).store().0, [0.5, 6.0, 7.0, 0.0]);
        assert_eq!(a.lane::<1>().mul(b).store().0, [-1.0, -8.0, 2.0, 0.0]);
        assert_eq!(L::sums(a, b, a.add(b)).store().0, [2.5, 3.5, 6.0, 0.0]);
        assert_eq!(a.axpy(2.0, b).store().0, [2.0, 6.0, 1.5, 0.0]);
        let numbers = [1.0, 2.0, 3.0, 4.0];
        for n in 0..5 {
            let (mut kept, mut written) = ([0.0; 4], [9.0; 4]);
            kept[..n].copy_from_slice(&numbers[..n]);
            let lanes = L::read(&numbers[..n]);
            assert_eq!(lanes.store().0, kept);
            lanes.write(&mut written[..n]);
            assert_eq!(written[..n], numbers[..n]);
            assert!(written[n..].iter().all(|x| *x == 9.0));
        }
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
        if fused() {
            // SAFETY: the features were just detected.
            unsafe { run() }
        }
    }
}
