//! Reading of little-endian numbers from untrusted bytes.

use glam::Quat;
use thiserror::Error;

/// Error while a `.sinew` file is read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PackedError {
    /// Bytes that do not begin as a `.sinew` file.
    #[error("this is not a .sinew file: it does not begin with \"SINW\"")]
    NotSinew,
    /// Version that this program does not read.
    #[error(
        "byte 4: the format version is {found}, but this program reads version {known}; update the program"
    )]
    Version {
        /// Version of the file.
        found: u16,
        /// Latest version that this program reads.
        known: u16,
    },
    /// File that ends too early.
    #[error("byte {offset} ({location}): {expected} more bytes are needed, but only {left} remain")]
    Truncated {
        /// Offset in the file, in bytes.
        offset: usize,
        /// Part that was being read.
        location: &'static str,
        /// Number of bytes needed.
        expected: usize,
        /// Number of bytes that remain.
        left: usize,
    },
    /// Track that is not finite at some time.
    #[error(
        "clip {clip} (\"{name}\"): {track} is not finite at every time; the file is damaged: pack the clip again"
    )]
    NotFinite {
        /// Index of the clip.
        clip: usize,
        /// Name of the clip.
        name: String,
        /// Description of the track.
        track: String,
    },
    /// Invalid value.
    #[error("byte {offset} ({location}): {what}")]
    Bad {
        /// Offset in the file, in bytes.
        offset: usize,
        /// Part that was being read.
        location: &'static str,
        /// Description of the mistake.
        what: String,
    },
}

#[derive(Clone)]
pub(in crate::clip::packed) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    file_offset: usize,
    /// Part that is being read, for errors.
    pub location: &'static str,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8], file_offset: usize, location: &'static str) -> Self {
        Self {
            bytes,
            at: 0,
            file_offset,
            location,
        }
    }

    /// Offset in `bytes`.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn bad(&self, what: impl Into<String>) -> PackedError {
        PackedError::Bad {
            offset: self.file_offset + self.at,
            location: self.location,
            what: what.into(),
        }
    }

    pub fn take(&mut self, expected: usize) -> Result<&'a [u8], PackedError> {
        let left = self.left();
        if expected > left {
            return Err(PackedError::Truncated {
                offset: self.file_offset + self.at,
                location: self.location,
                expected,
                left,
            });
        }
        let taken = &self.bytes[self.at..self.at + expected];
        self.at += expected;
        Ok(taken)
    }

    /// Takes `count` items of `size` bytes each.
    pub fn take_many(&mut self, count: usize, size: usize) -> Result<&'a [u8], PackedError> {
        self.take(count.saturating_mul(size))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], PackedError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn u8(&mut self) -> Result<u8, PackedError> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u16(&mut self) -> Result<u16, PackedError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub fn u32(&mut self) -> Result<u32, PackedError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Reads a finite number.
    pub fn f32(&mut self) -> Result<f32, PackedError> {
        let value = f32::from_le_bytes(self.clone().array()?);
        if !value.is_finite() {
            return Err(self.bad("a number that is not finite"));
        }
        self.at += 4;
        Ok(value)
    }

    /// Reads a finite number.
    pub fn f64(&mut self) -> Result<f64, PackedError> {
        let value = f64::from_le_bytes(self.clone().array()?);
        if !value.is_finite() {
            return Err(self.bad("a number that is not finite"));
        }
        self.at += 8;
        Ok(value)
    }

    pub fn f32s<const N: usize>(&mut self) -> Result<[f32; N], PackedError> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.f32()?;
        }
        Ok(values)
    }

    /// Reads a rotation and normalizes it if its length is far from 1.
    pub fn rotation(&mut self) -> Result<Quat, PackedError> {
        Ok(sound_rotation(Quat::from_array(self.f32s()?)))
    }

    /// Reads finite numbers. Checks that the bytes exist before it allocates.
    pub fn f32_vec(&mut self, count: usize) -> Result<Vec<f32>, PackedError> {
        self.clone().take_many(count, 4)?;
        (0..count).map(|_| self.f32()).collect()
    }

    /// Reads a length, and then that number of bytes of UTF-8.
    pub fn text(&mut self) -> Result<String, PackedError> {
        let length = self.u32()? as usize;
        let before = self.clone();
        match std::str::from_utf8(self.take(length)?) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(before.bad("the text is not UTF-8")),
        }
    }
}

/// Max difference from 1 of the squared length of a rotation that keeps its bits.
const MAX_OFF: f64 = 0.1;

/// Normalizes a rotation if its length is far from 1. A rotation of length 0 becomes the identity.
pub fn sound_rotation(rotation: Quat) -> Quat {
    let parts = rotation.to_array().map(f64::from);
    let square: f64 = parts.iter().map(|part| part * part).sum();
    if (square - 1.0).abs() <= MAX_OFF {
        rotation
    } else if square < 1e-60 {
        Quat::IDENTITY
    } else {
        let length = square.sqrt();
        Quat::from_array(parts.map(|part| (part / length) as f32))
    }
}
