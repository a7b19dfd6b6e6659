use std::borrow::Cow;
use std::fmt;

use serde_json::value::RawValue;

use super::text;

/// Members of an object as text of the file: `extras`, `extensions` and members that this library
/// does not know. Export writes them back.
#[derive(Clone, Default)]
pub struct Rest(Option<Box<Members>>);

/// Boxed, because most objects have no such members.
#[derive(Clone, Default)]
struct Members {
    named: Vec<(Box<str>, Box<RawValue>)>,
}

impl Rest {
    /// Adds a member. Does not check for a member with the same name.
    pub fn push(&mut self, name: &str, value: Box<RawValue>) {
        self.0
            .get_or_insert_default()
            .named
            .push((name.into(), value));
    }

    /// Sets a member. Replaces a member with the same name.
    pub fn insert(&mut self, name: &str, value: Box<RawValue>) {
        let members = &mut self.0.get_or_insert_default().named;
        match members.iter_mut().find(|(known, _)| **known == *name) {
            Some((_, kept)) => *kept = value,
            None => members.push((name.into(), value)),
        }
    }

    /// The text of the member `name`.
    pub fn get(&self, name: &str) -> Option<&RawValue> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// All members, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0
            .iter()
            .flat_map(|members| members.named.iter())
            .map(|(name, value)| (&**name, &**value))
    }

    /// True if there are no members.
    pub fn is_empty(&self) -> bool {
        self.0
            .as_ref()
            .is_none_or(|members| members.named.is_empty())
    }

    /// The text of the extension `name`, from `extensions`.
    pub fn extension(&self, name: &str) -> Option<&str> {
        self.extensions()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }

    /// Names and texts of all extensions.
    pub fn extensions(&self) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
        self.get("extensions")
            .and_then(|value| text::entries(value.get()))
            .into_iter()
            .flatten()
    }
}

impl PartialEq for Rest {
    fn eq(&self, other: &Self) -> bool {
        let texts = |(name, value): (_, &RawValue)| (name, value.get().to_owned());
        self.iter().map(texts).eq(other.iter().map(texts))
    }
}

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.iter().map(|(name, value)| (name, value.get())))
            .finish()
    }
}
