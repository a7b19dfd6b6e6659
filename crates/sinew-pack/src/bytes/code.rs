//! Numbers in few bits. A step or range takes one byte. A head states the bits per component.

use sinew::clip::packed::format::{Code, small_float};

pub(crate) const MAX_BITS: u32 = 15;

pub(crate) fn small_float_above(value: f64) -> Option<u8> {
    (0..=u8::MAX).find(|&code| f64::from(small_float(code)) >= value)
}

/// Code of the largest number that does not exceed `value`, or the smallest code.
pub(crate) fn small_float_below(value: f64) -> u8 {
    let above = (0..=u8::MAX).find(|&code| f64::from(small_float(code)) > value);
    above.map_or(u8::MAX, |code| code.saturating_sub(1))
}

/// Head for a number of levels per component. `None` if a component needs more than [`MAX_BITS`].
pub(crate) fn head_for(expected: [u32; 4]) -> Option<u16> {
    let [x, y, z, w] = expected.map(|levels| 32 - levels.saturating_sub(1).leading_zeros());
    let fits = x.max(y).max(z).max(w) <= MAX_BITS;
    fits.then_some((x | y << 4 | z << 8 | w << 12) as u16)
}

pub(crate) fn word(code: Code, digits: [u32; 4]) -> u64 {
    let (mut word, mut shift) = (0, 0);
    for (digit, width) in digits.into_iter().zip(code.widths) {
        word |= u64::from(digit) << shift;
        shift += width;
    }
    word
}

#[derive(Default)]
pub(crate) struct BitWriter {
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

    /// Pads the last byte with zeros.
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
    fn components_stand_side_by_side_from_any_bit() {
        for expected in [
            [1, 1, 1, 1],
            [3, 5, 7, 1],
            [200, 256, 20, 3],
            [1, 2, 30_000, 40],
            [32_768; 4],
        ] {
            let code = Code::of(head_for(expected).unwrap());
            for (base, expected) in code.bases.iter().zip(expected) {
                assert!(*base >= expected && *base < 2 * expected);
            }
            for digits in [code.bases.map(|n| n - 1), code.bases.map(|n| n / 2), [0; 4]] {
                let mut writer = BitWriter::default();
                writer.put(5, 3);
                writer.put(word(code, digits), code.bits());
                let mut bytes = writer.finish();
                bytes.resize(16, 0);
                let mut left = u128::from_le_bytes(bytes.try_into().unwrap()) >> 3;
                for (digit, width) in digits.into_iter().zip(code.widths) {
                    assert_eq!(left & ((1 << width) - 1), u128::from(digit));
                    left >>= width;
                }
                assert_eq!(left, 0);
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
