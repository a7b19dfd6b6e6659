//! How numbers become few bits: steps and ranges as a byte each, and the three components of a
//! residual as the digits of one whole number, each to a base of its own.
//!
//! With bases, a component that needs 5 levels costs log₂ 5 bits, not 3, and one load from memory
//! brings a joint's three components.

/// The digits in a code of up to this many bits are told apart in `f32`, which is exact up to 2²².
pub(super) const EXACT_BITS: u32 = 22;
/// Set in a head whose third component stands apart, above the code of the other two.
pub(super) const SPLIT: u16 = 1 << 15;
/// The largest index of a base.
pub(super) const LAST_LEVEL: u32 = 31;

/// 2⁻²⁶ to 60, eight steps to an octave.
pub(super) fn small_float(code: u8) -> f32 {
    f32::from_bits((u32::from(code) << 20) + (101 << 23))
}

/// The code of the smallest such number that is not below `value`.
pub(super) fn small_float_above(value: f64) -> Option<u8> {
    (0..=u8::MAX).find(|&code| f64::from(small_float(code)) >= value)
}

/// The code of the largest such number that is not above `value`; the smallest one if all are.
pub(super) fn small_float_below(value: f64) -> u8 {
    let above = (0..=u8::MAX).find(|&code| f64::from(small_float(code)) > value);
    above.map_or(u8::MAX, |code| code.saturating_sub(1))
}

/// How many levels a component has: 1 to 8, then four to an octave up to 512.
pub(super) fn levels(index: u32) -> u32 {
    match index {
        0..=2 => index + 1,
        _ => (4 + ((index - 3) & 3)) << ((index - 3) >> 2),
    }
}

/// How many levels a component of a split code has: two to an octave up to 49,152. There is no index 1.
pub(super) fn split_levels(index: u32) -> u32 {
    (2 + (index & 1)) << (index >> 1) >> 1
}

/// The least index with so many levels.
fn level_index(wanted: u32, levels: fn(u32) -> u32) -> Option<u32> {
    (0..=LAST_LEVEL).find(|&index| levels(index) >= wanted)
}

/// What a head says about its codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code {
    /// How many levels each component has.
    pub bases: [u32; 3],
    /// Bits of the number whose digits are the components, or the first two of them.
    pub low_bits: u32,
    /// Bits of the third component when it stands apart.
    pub high_bits: u32,
    /// Whether it does.
    pub is_split: bool,
}

impl Code {
    pub fn of(head: u16) -> Self {
        let indices = indices(head);
        let (bases, low, high);
        if head & SPLIT == 0 {
            bases = indices.map(levels);
            (low, high) = (bases[0] * bases[1] * bases[2], 1);
        } else {
            bases = indices.map(split_levels);
            (low, high) = (bases[0].saturating_mul(bases[1]), bases[2]);
        }
        Self {
            bases,
            low_bits: bits_below(low),
            high_bits: bits_below(high),
            is_split: head & SPLIT != 0,
        }
    }

    pub fn bits(&self) -> u32 {
        self.low_bits + self.high_bits
    }

    /// The components of a word, x first.
    pub fn digits(&self, word: u64) -> [u32; 3] {
        let low = (word & ((1 << self.low_bits) - 1)) as u32;
        let [x, y, _] = self.bases;
        [
            low % x,
            low / x % y,
            low / x / y + (word >> self.low_bits) as u32,
        ]
    }

    /// The word with these components.
    pub fn word(&self, [x, y, z]: [u32; 3]) -> u64 {
        let low = x + self.bases[0] * y;
        match self.is_split {
            false => u64::from(low + self.bases[0] * self.bases[1] * z),
            true => u64::from(low) | u64::from(z) << self.low_bits,
        }
    }
}

/// The index of each component's base.
pub(super) fn indices(head: u16) -> [u32; 3] {
    [0, 5, 10].map(|shift| u32::from(head) >> shift & 31)
}

/// Bits that tell so many things apart.
fn bits_below(count: u32) -> u32 {
    32 - (count - 1).leading_zeros()
}

/// The head for so many levels a component; `None` when that is more than there is.
pub(super) fn head_for(wanted: [u32; 3]) -> Option<u16> {
    let pack = |[x, y, z]: [Option<u32>; 3]| Some((x? | y? << 5 | z? << 10) as u16);
    let joined = pack(wanted.map(|n| level_index(n, levels)));
    let split = pack(wanted.map(|n| level_index(n, split_levels))).map(|head| head | SPLIT);
    let fits = |head: &u16| Code::of(*head).low_bits <= EXACT_BITS;
    joined.filter(fits).or(split.filter(fits))
}

/// Up to 56 bits from a place; eight bytes from there must exist.
pub(super) fn read_bits(bytes: &[u8], bit: usize, count: u32) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[bit / 8..bit / 8 + 8]);
    u64::from_le_bytes(word) >> (bit % 8) & ((1 << count) - 1)
}

/// Bits in a row, the lowest first.
#[derive(Default)]
pub(super) struct BitWriter {
    pub bytes: Vec<u8>,
    bits: u64,
    held: u32,
}

impl BitWriter {
    pub fn put(&mut self, code: u64, count: u32) {
        self.bits |= code << self.held;
        self.held += count;
        while self.held >= 8 {
            self.bytes.push(self.bits as u8);
            self.bits >>= 8;
            self.held -= 8;
        }
    }

    /// Fills the last byte.
    pub fn finish(mut self) -> Vec<u8> {
        if self.held > 0 {
            self.bytes.push(self.bits as u8);
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_digits_and_bits_go_both_ways() {
        for index in 0..=LAST_LEVEL {
            assert_eq!(level_index(levels(index), levels), Some(index));
            if index != 1 {
                assert_eq!(level_index(split_levels(index), split_levels), Some(index));
            }
        }
        assert_eq!([7, 8, 11, 31].map(levels), [8, 10, 16, 512]);
        for wanted in [
            [1, 1, 1],
            [3, 5, 7],
            [200, 200, 20],
            [500, 511, 512],
            [1, 2, 40_000],
            [1500, 1500, 30_000],
        ] {
            let head = head_for(wanted).unwrap();
            let code = Code::of(head);
            assert!(code.low_bits <= EXACT_BITS);
            for (base, wanted) in code.bases.iter().zip(wanted) {
                assert!(*base >= wanted);
            }
            for digits in [code.bases.map(|n| n - 1), code.bases.map(|n| n / 2), [0; 3]] {
                assert_eq!(code.digits(code.word(digits)), digits);
                let mut writer = BitWriter::default();
                writer.put(5, 3);
                writer.put(code.word(digits), code.bits());
                let mut bytes = writer.finish();
                bytes.extend([0; 8]);
                assert_eq!(read_bits(&bytes, 3, code.bits()), code.word(digits));
            }
        }
        assert_eq!(head_for([50_000, 1, 1]), None);
        assert_eq!(head_for([3000, 3000, 1]), None);
    }

    #[test]
    fn small_floats_are_found_from_both_sides() {
        for value in [1e-5, 0.01, 0.3, 1.0, 2.5] {
            let above = small_float_above(value).unwrap();
            let below = small_float_below(value);
            assert!(f64::from(small_float(above)) >= value);
            assert!(f64::from(small_float(below)) <= value);
            assert!(above - below <= 1);
        }
        assert_eq!(small_float_above(100.0), None);
    }
}
