//! How numbers become few bits: steps and ranges as a byte each, and the components of a
//! residual side by side, each of as many bits as a head says.

/// The most bits of a component.
pub(super) const MOST_BITS: u32 = 15;
/// Codes of up to this many bits are decoded side by side, from 32 bits that begin at a byte.
pub(super) const NARROW: u32 = 24;

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

/// What a head says about its codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code {
    /// How many bits each component has.
    pub widths: [u32; 4],
    /// How many levels that makes.
    pub bases: [u32; 4],
}

impl Code {
    // Loops, here and below: they run for every pose, and closures given to array methods are not always inlined.
    #[inline(always)]
    pub fn of(head: u16) -> Self {
        let mut code = Self {
            widths: [0; 4],
            bases: [0; 4],
        };
        for c in 0..4 {
            code.widths[c] = u32::from(head) >> (4 * c) & 15;
            code.bases[c] = 1 << code.widths[c];
        }
        code
    }

    #[inline(always)]
    pub fn bits(&self) -> u32 {
        self.widths[0] + self.widths[1] + self.widths[2] + self.widths[3]
    }

    /// The components of a word, the first in the lowest bits.
    #[inline(always)]
    pub fn digits(&self, word: u64) -> [u32; 4] {
        let (mut digits, mut word) = ([0; 4], word);
        for c in 0..4 {
            digits[c] = word as u32 & (self.bases[c] - 1);
            word >>= self.widths[c];
        }
        digits
    }

    /// The word with these components.
    pub fn word(&self, digits: [u32; 4]) -> u64 {
        let (mut word, mut shift) = (0, 0);
        for (digit, width) in digits.into_iter().zip(self.widths) {
            word |= u64::from(digit) << shift;
            shift += width;
        }
        word
    }
}

/// The head for so many levels a component; `None` when that is more than there is.
pub(super) fn head_for(wanted: [u32; 4]) -> Option<u16> {
    let [x, y, z, w] = wanted.map(|levels| 32 - levels.saturating_sub(1).leading_zeros());
    let fits = x.max(y).max(z).max(w) <= MOST_BITS;
    fits.then_some((x | y << 4 | z << 8 | w << 12) as u16)
}

/// Up to 64 bits from a place; sixteen bytes from there must exist.
pub(super) fn read_bits(bytes: &[u8], bit: usize, count: u32) -> u64 {
    let mut word = [0; 16];
    word.copy_from_slice(&bytes[bit / 8..bit / 8 + 16]);
    (u128::from_le_bytes(word) >> (bit % 8) & ((1 << count) - 1)) as u64
}

/// Bits in a row, the lowest first.
#[derive(Default)]
pub(super) struct BitWriter {
    pub bytes: Vec<u8>,
    bits: u128,
    held: u32,
}

impl BitWriter {
    pub fn put(&mut self, code: u64, count: u32) {
        self.bits |= u128::from(code) << self.held;
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
    fn components_and_bits_go_both_ways() {
        for wanted in [
            [1, 1, 1, 1],
            [3, 5, 7, 1],
            [200, 256, 20, 3],
            [1, 2, 30_000, 40],
            [32_768; 4],
        ] {
            let code = Code::of(head_for(wanted).unwrap());
            for (base, wanted) in code.bases.iter().zip(wanted) {
                assert!(*base >= wanted && *base < 2 * wanted);
            }
            for digits in [code.bases.map(|n| n - 1), code.bases.map(|n| n / 2), [0; 4]] {
                assert_eq!(code.digits(code.word(digits)), digits);
                let mut writer = BitWriter::default();
                writer.put(5, 3);
                writer.put(code.word(digits), code.bits());
                let mut bytes = writer.finish();
                bytes.extend([0; 16]);
                assert_eq!(read_bits(&bytes, 3, code.bits()), code.word(digits));
            }
        }
        assert_eq!(head_for([32_769, 1, 1, 1]), None);
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
