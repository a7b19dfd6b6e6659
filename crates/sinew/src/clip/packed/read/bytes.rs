//! Little-endian numbers from bytes that nobody has vouched for.

use thiserror::Error;

/// The reason why bytes are not a `.sinew` file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PackedError {
    /// They begin with something else.
    #[error("this is not a .sinew file: it does not begin with \"SINW\"")]
    NotSinew,
    /// Written by a later version of the format.
    #[error("byte 4: format version {found}, and this program reads version {known}; update it")]
    Version {
        /// The version that the file says.
        found: u16,
        /// The version that is read here.
        known: u16,
    },
    /// The bytes end too early.
    #[error("byte {offset} ({place}): {wanted} more bytes are needed and {left} are left")]
    Truncated {
        /// From the start of the file.
        offset: usize,
        /// The part that was being read.
        place: &'static str,
        /// The number of bytes that it needs.
        wanted: usize,
        /// The number of bytes that are left.
        left: usize,
    },
    /// A track that comes to infinity at some time.
    #[error(
        "clip {clip} (\"{name}\"): {track} is not finite at every time; the file is damaged, pack the clip again"
    )]
    NotFinite {
        /// Index of the file's clip.
        clip: usize,
        /// Its name.
        name: String,
        /// The track.
        track: String,
    },
    /// A value that makes no sense.
    #[error("byte {offset} ({place}): {what}")]
    Bad {
        /// From the start of the file.
        offset: usize,
        /// The part that was being read.
        place: &'static str,
        /// The mistake.
        what: String,
    },
}

/// Bytes of a file, read from front to back.
#[derive(Clone)]
pub(in crate::clip::packed) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Offset of `bytes` in the file.
    file_offset: usize,
    /// The part that is being read, for errors.
    pub place: &'static str,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8], file_offset: usize, place: &'static str) -> Self {
        Self {
            bytes,
            at: 0,
            file_offset,
            place,
        }
    }

    /// Offset in its own bytes.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn bad(&self, what: impl Into<String>) -> PackedError {
        PackedError::Bad {
            offset: self.file_offset + self.at,
            place: self.place,
            what: what.into(),
        }
    }

    pub fn take(&mut self, wanted: usize) -> Result<&'a [u8], PackedError> {
        let left = self.left();
        if wanted > left {
            return Err(PackedError::Truncated {
                offset: self.file_offset + self.at,
                place: self.place,
                wanted,
                left,
            });
        }
        let taken = &self.bytes[self.at..self.at + wanted];
        self.at += wanted;
        Ok(taken)
    }

    /// `count` things of `size` bytes each.
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

    /// A number that must be finite.
    pub fn f32(&mut self) -> Result<f32, PackedError> {
        let value = f32::from_le_bytes(self.clone().array()?);
        if !value.is_finite() {
            return Err(self.bad("a number that is not finite"));
        }
        self.at += 4;
        Ok(value)
    }

    /// A number that must be finite.
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

    /// Many finite numbers; their bytes are known to be there before room is made for them.
    pub fn f32_vec(&mut self, count: usize) -> Result<Vec<f32>, PackedError> {
        self.clone().take_many(count, 4)?;
        (0..count).map(|_| self.f32()).collect()
    }

    /// A length and as many bytes of text.
    pub fn text(&mut self) -> Result<String, PackedError> {
        let length = self.u32()? as usize;
        let before = self.clone();
        match std::str::from_utf8(self.take(length)?) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(before.bad("text that is not UTF-8")),
        }
    }
}
