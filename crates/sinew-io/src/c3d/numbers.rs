//! Numbers as the machines that wrote C3D files had them.

use super::error::C3dError;

/// The machine that a file's numbers are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// Low bytes first, floats by IEEE 754.
    Intel,
    /// VAX and PDP-11: low bytes first, floats of their own.
    Dec,
    /// MIPS, as in machines of SGI: high bytes first, floats by IEEE 754.
    Mips,
}

impl Machine {
    /// By the fourth byte of the parameters, which stands at `byte`.
    pub fn new(byte: usize, code: u8) -> Result<Self, C3dError> {
        match code {
            84 => Ok(Self::Intel),
            85 => Ok(Self::Dec),
            86 => Ok(Self::Mips),
            code => Err(C3dError::Processor { byte, code }),
        }
    }

    pub fn word(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Intel | Self::Dec => u16::from_le_bytes(bytes),
            Self::Mips => u16::from_be_bytes(bytes),
        }
    }

    pub fn float(self, bytes: [u8; 4]) -> f64 {
        match self {
            Self::Intel => f64::from(f32::from_le_bytes(bytes)),
            Self::Mips => f64::from(f32::from_be_bytes(bytes)),
            Self::Dec => dec_float(bytes),
        }
    }
}

/// A VAX's F float: two words, the high one first, each with its low byte first. The point is before the leading one,
/// the exponent is 128 too large, and an exponent of nothing is zero, or no number where the sign is set.
fn dec_float([a, b, c, d]: [u8; 4]) -> f64 {
    let bits = u32::from_le_bytes([c, d, a, b]);
    let is_negative = bits >> 31 == 1;
    let exponent = (bits >> 23 & 0xff) as i32;
    if exponent == 0 {
        return if is_negative { f64::NAN } else { 0.0 };
    }
    let fraction = f64::from(bits & 0x7f_ffff | 0x80_0000);
    // The fraction has 24 bits behind the point.
    let size = fraction * 2_f64.powi(exponent - 128 - 24);
    if is_negative { -size } else { size }
}
