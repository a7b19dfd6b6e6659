//! Enums in groups, as scripts have them: flat, without groups. The field `do` is the name of the variant.

use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::fmt;

/// A group: an enum with the tag `do`.
#[derive(Debug)]
pub struct Group<C> {
    names: &'static [&'static str],
    read: fn(Value) -> Result<C, serde_json::Error>,
}

impl<C> Group<C> {
    /// The group of an enum.
    pub fn of<T: DeserializeOwned + Into<C>>() -> Self {
        Self {
            names: names::<T>(),
            read: |step| serde_json::from_value::<T>(step).map(T::into),
        }
    }
}

#[derive(Deserialize)]
#[serde(expecting = "a command")]
struct Named {
    #[serde(rename = "do")]
    name: String,
}

/// Reads a step as a variant of the group that has its name. `names` are those of all groups.
///
/// # Errors
/// If a step has no name, an unknown name (the error lists all names), or wrong fields.
pub fn read<'de, C, D: Deserializer<'de>>(
    deserializer: D,
    groups: &[Group<C>],
    names: &'static [&'static str],
) -> Result<C, D::Error> {
    let step = Value::deserialize(deserializer)?;
    let Named { name } = Named::deserialize(&step).map_err(D::Error::custom)?;
    match groups.iter().find(|group| group.names.contains(&&*name)) {
        Some(group) => (group.read)(step).map_err(D::Error::custom),
        None => Err(D::Error::unknown_variant(&name, names)),
    }
}

/// Names of the variants of an enum with the tag `do`.
pub fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    let nameless = MapDeserializer::<_, Expected>::new([("do", "")].into_iter());
    match T::deserialize(nameless) {
        Ok(_) => &[],
        Err(Expected(names)) => names,
    }
}

/// Error that keeps the list of expected names.
#[derive(Debug)]
struct Expected(&'static [&'static str]);

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected one of {:?}", self.0)
    }
}

impl std::error::Error for Expected {}

impl Error for Expected {
    fn custom<M: fmt::Display>(_: M) -> Self {
        Self(&[])
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self(expected)
    }
}
