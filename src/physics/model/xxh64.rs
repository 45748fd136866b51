//! The hash XXH64 of a sequence of 64-bit words, with seed 0: the same on every machine and in every version.
//!
//! It is the XXH64 of the words' bytes, least significant byte first, as any other implementation computes it.

const PRIMES: [u64; 5] = [
    0x9E37_79B1_85EB_CA87,
    0xC2B2_AE3D_27D4_EB4F,
    0x1656_67B1_9E37_79F9,
    0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5,
];

/// A hash in the making.
pub(super) struct Xxh64 {
    lanes: [u64; 4],
    /// The last words, until there is one for every lane.
    waiting: [u64; 4],
    words: usize,
}

impl Default for Xxh64 {
    fn default() -> Self {
        Self {
            lanes: [
                PRIMES[0].wrapping_add(PRIMES[1]),
                PRIMES[1],
                0,
                PRIMES[0].wrapping_neg(),
            ],
            waiting: [0; 4],
            words: 0,
        }
    }
}

fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIMES[1]))
        .rotate_left(31)
        .wrapping_mul(PRIMES[0])
}

impl Xxh64 {
    /// Takes in the next word.
    pub fn word(&mut self, word: u64) {
        self.waiting[self.words % 4] = word;
        self.words += 1;
        if self.words.is_multiple_of(4) {
            for (lane, word) in self.lanes.iter_mut().zip(self.waiting) {
                *lane = round(*lane, word);
            }
        }
    }

    /// The hash of all words so far.
    pub fn finish(&self) -> u64 {
        let mut hash = if self.words < 4 {
            PRIMES[4]
        } else {
            let turned = [1, 7, 12, 18].map(|bits| bits as u32);
            let mut hash = self
                .lanes
                .iter()
                .zip(turned)
                .fold(0u64, |sum, (lane, bits)| {
                    sum.wrapping_add(lane.rotate_left(bits))
                });
            for lane in self.lanes {
                hash = (hash ^ round(0, lane))
                    .wrapping_mul(PRIMES[0])
                    .wrapping_add(PRIMES[3]);
            }
            hash
        };
        hash = hash.wrapping_add(8 * self.words as u64);
        for word in &self.waiting[..self.words % 4] {
            hash = (hash ^ round(0, *word))
                .rotate_left(27)
                .wrapping_mul(PRIMES[0])
                .wrapping_add(PRIMES[3]);
        }
        hash = (hash ^ (hash >> 33)).wrapping_mul(PRIMES[1]);
        hash = (hash ^ (hash >> 29)).wrapping_mul(PRIMES[2]);
        hash ^ (hash >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_reference_implementation() {
        // xxHash 0.8.3 on the words k·0x9E3779B97F4A7C15 + k for k = 1, 2 …; the first is the published hash of
        // no bytes at all.
        for (words, expected) in [
            (0, 0xef46_db37_51d8_e999),
            (1, 0xe3f1_d00a_78c0_7d1e),
            (3, 0xbfb0_0715_531d_26b3),
            (4, 0x48ab_792c_5ef3_5300),
            (5, 0xc747_34e7_1a8b_f367),
            (9, 0x288b_b47f_004b_6874),
        ] {
            let mut hash = Xxh64::default();
            for k in 1..=words {
                hash.word(u64::wrapping_mul(k, 0x9E37_79B9_7F4A_7C15).wrapping_add(k));
            }
            assert_eq!(hash.finish(), expected, "{words} words");
        }
        let mut text = Xxh64::default();
        text.word(u64::from_le_bytes(*b"xxhash__"));
        assert_eq!(text.finish(), 0xbea7_d9d6_5093_0b00);
    }
}
