//! Hash of bytes, to see whether they changed.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// 128 bits of FNV-1a: equal bytes have the same hash, and changed bytes have another. It is no protection against a
/// person who makes two files with one hash on purpose.
///
/// ```
/// use sinew_batch::ContentHash;
/// assert_eq!(ContentHash::of(b"foobar").to_string(), "343e1662793c64bf6f0d3597ba446f18");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(u128);

const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl ContentHash {
    /// Hash of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(START).and(bytes)
    }

    /// Hash of the bytes so far and further bytes.
    #[must_use]
    pub fn and(self, bytes: &[u8]) -> Self {
        let step = |hash: u128, &byte: &u8| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
        Self(bytes.iter().fold(self.0, step))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for ContentHash {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u128::from_str_radix(text, 16).map(Self)
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
