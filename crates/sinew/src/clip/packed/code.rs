//! Compact numbers: one-byte floats for steps and ranges, and residuals in a few bits.

/// Max number of bits of a code that fits into 32 bits from its first byte.
pub(super) const NARROW: u32 = 25;

/// Decodes a byte to a number from 2⁻²⁶ to 60, with eight numbers per octave.
#[inline]
pub fn small_float(code: u8) -> f32 {
    f32::from_bits((u32::from(code) << 20) + (101 << 23))
}

/// Bit widths of the components of a residual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Bits per component.
    pub widths: [u32; 4],
    /// Number of levels per component.
    pub bases: [u32; 4],
}

impl Code {
    /// Decodes a head: four bits per component, the first component in the lowest bits. This hot
    /// code uses loops, because closures of array methods are not always inlined.
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

    /// Total bits of the components.
    #[inline(always)]
    pub fn bits(&self) -> u32 {
        self.widths[0] + self.widths[1] + self.widths[2] + self.widths[3]
    }

    #[inline(always)]
    pub(super) fn digits(&self, word: u64) -> [u32; 4] {
        let (mut digits, mut word) = ([0; 4], word);
        for c in 0..4 {
            digits[c] = word as u32 & (self.bases[c] - 1);
            word >>= self.widths[c];
        }
        digits
    }
}

/// Location of a code in a group: the bit offset (lowest bits), then the width of each component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CodeLocation(pub u32);

impl CodeLocation {
    /// First bit of the widths. Sixteen codes take fewer than 2^11 bits.
    pub const WIDTHS: u32 = 11;

    /// Location of a code with the widths in `head`. `bit` counts from the first byte of the group.
    pub fn new(bit: u32, head: u16) -> Self {
        Self(bit | u32::from(head) << Self::WIDTHS)
    }

    /// Bit offset of the code.
    pub fn bit(self) -> usize {
        (self.0 & ((1 << Self::WIDTHS) - 1)) as usize
    }

    /// Widths of the components.
    pub fn code(self) -> Code {
        Code::of((self.0 >> Self::WIDTHS) as u16)
    }
}

/// Reads up to 64 bits from a bit offset. At least sixteen bytes must follow the offset.
pub(super) fn read_bits(bytes: &[u8], bit: usize, count: u32) -> u64 {
    let mut word = [0; 16];
    word.copy_from_slice(&bytes[bit / 8..bit / 8 + 16]);
    (u128::from_le_bytes(word) >> (bit % 8) & ((1 << count) - 1)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_stand_side_by_side_from_any_bit() {
        let code = Code::of(0x3105);
        assert_eq!(code.bits(), 9);
        let digits = [17, 0, 1, 5];
        let word: u64 = 17 | 1 << 5 | 5 << 6;
        for bit in [0, 3, 8, 21] {
            let mut bytes = (u128::from(word) << bit).to_le_bytes().to_vec();
            bytes.extend([0xff; 16]);
            assert_eq!(read_bits(&bytes, bit, code.bits()), word);
        }
        assert_eq!(code.digits(word), digits);
    }

    #[test]
    fn small_floats_go_from_a_millionth_of_a_percent_to_sixty() {
        assert_eq!(small_float(0), f32::from_bits((127 - 26) << 23));
        assert_eq!(small_float(255), 60.0);
        assert!((0..255).all(|code| small_float(code) < small_float(code + 1)));
    }
}
