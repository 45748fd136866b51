//! Random numbers that are the same on every machine.

use crate::math::Vec3;

/// The generator splitmix64 [Steele2014].
pub(super) struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Evenly between -1 and 1.
    pub fn symmetric(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Each component evenly between -1 and 1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.symmetric())
    }
}
