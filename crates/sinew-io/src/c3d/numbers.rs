//! Number formats of the machines that write C3D files.

use super::error::C3dError;

/// Byte order and float format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// Little-endian, IEEE 754 floats.
    Intel,
    /// VAX and PDP-11: little-endian, VAX floats.
    Dec,
    /// MIPS, as in SGI machines: big-endian, IEEE 754 floats.
    Mips,
}

impl Machine {
    /// Selects the format by the processor code at `byte`.
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

/// Decodes a VAX F float: two 16-bit words, the high word first, each little-endian. The fraction
/// is 0.1…, the exponent bias is 128. Exponent 0 means zero, or NaN if the sign bit is set.
fn dec_float([a, b, c, d]: [u8; 4]) -> f64 {
    let bits = u32::from_le_bytes([c, d, a, b]);
    let is_negative = bits >> 31 == 1;
    let exponent = (bits >> 23 & 0xff) as i32;
    if exponent == 0 {
        return if is_negative { f64::NAN } else { 0.0 };
    }
    let fraction = f64::from(bits & 0x7f_ffff | 0x80_0000);
    let size = fraction * 2_f64.powi(exponent - 128 - 24);
    if is_negative { -size } else { size }
}
