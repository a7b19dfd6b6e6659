//! Writes objects without absent members.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::lists::NamedIndices;
use super::rest::Rest;

pub(crate) trait Present {
    fn is_present(&self) -> bool;
}

impl<T> Present for Option<T> {
    fn is_present(&self) -> bool {
        self.is_some()
    }
}

impl<T> Present for Vec<T> {
    fn is_present(&self) -> bool {
        !self.is_empty()
    }
}

impl<T> Present for Box<[T]> {
    fn is_present(&self) -> bool {
        !self.is_empty()
    }
}

impl Present for bool {
    fn is_present(&self) -> bool {
        *self
    }
}

impl Present for u64 {
    fn is_present(&self) -> bool {
        true
    }
}

pub(crate) fn write_member<S: SerializeMap, T: Present + Serialize>(
    map: &mut S,
    name: &'static str,
    value: &T,
) -> Result<(), S::Error> {
    if value.is_present() {
        map.serialize_entry(name, value)
    } else {
        Ok(())
    }
}

pub(crate) fn write_rest<S: SerializeMap>(map: &mut S, rest: &Rest) -> Result<(), S::Error> {
    rest.iter()
        .try_for_each(|(name, value)| map.serialize_entry(name, value))
}

impl Present for NamedIndices {
    fn is_present(&self) -> bool {
        !self.0.is_empty()
    }
}

impl Serialize for NamedIndices {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, index)| (name, index)))
    }
}
