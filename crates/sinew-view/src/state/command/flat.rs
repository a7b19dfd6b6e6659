//! Commands as in scripts: flat, without groups. The field `do` is the name of the command.

use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::fmt;

pub(super) struct Group<C> {
    names: &'static [&'static str],
    read: fn(Value) -> Result<C, serde_json::Error>,
}

impl<C> Group<C> {
    pub(super) fn of<T: DeserializeOwned + Into<C>>() -> Self {
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

/// Reads a step as a command of the group that has its name.
///
/// # Errors
/// If a step has no name, an unknown name (the error lists all names), or wrong fields.
pub(super) fn read<'de, C, D: Deserializer<'de>>(
    deserializer: D,
    groups: &[Group<C>],
) -> Result<C, D::Error> {
    let step = Value::deserialize(deserializer)?;
    let Named { name } = Named::deserialize(&step).map_err(D::Error::custom)?;
    match groups.iter().find(|group| group.names.contains(&&*name)) {
        Some(group) => (group.read)(step).map_err(D::Error::custom),
        None => {
            let known = groups.iter().flat_map(|group| group.names);
            let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
            let known = known.join(", ");
            let unknown = format!("unknown variant `{name}`, expected one of {known}");
            Err(D::Error::custom(unknown))
        }
    }
}

fn names<T: DeserializeOwned>() -> &'static [&'static str] {
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
