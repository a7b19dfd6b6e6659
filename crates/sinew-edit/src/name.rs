use serde::{Deserialize, Serialize};
use std::fmt;

/// Name or index of a clip, joint or layer. An index helps where names repeat.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Name {
    /// Index in the document.
    Index(usize),
    /// First item with this name.
    Name(String),
}

impl Name {
    /// Index of the named item. `None` if there is none.
    pub fn find<'a>(&self, mut names: impl ExactSizeIterator<Item = &'a str>) -> Option<usize> {
        match self {
            Self::Index(index) => (*index < names.len()).then_some(*index),
            Self::Name(name) => names.position(|other| other == name),
        }
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<usize> for Name {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "{index}"),
            Self::Name(name) => write!(f, "\"{}\"", name.escape_debug()),
        }
    }
}
