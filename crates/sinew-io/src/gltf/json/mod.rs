//! Reading JSON objects member by member, going on after every mistake.
//!
//! Only text that is not JSON at all stops the reading. A member of the wrong type, a missing member, a number out of
//! range: each becomes a finding with its JSON pointer, and the member counts as absent, so that one pass lists
//! everything that is wrong with a document.

mod lists;
mod member;
mod objects;
mod rest;
mod text;
mod write;

use std::fmt::{self, Write as _};

use serde::de::{DeserializeSeed, MapAccess};

use super::GltfError;
use super::budget::Budget;
use crate::report::{FileReport, Severity};

pub use lists::NamedIndices;
pub(crate) use member::{Listed, Member};
pub use rest::Rest;
pub(crate) use text::{
    Integer, elements, entries, integer, kind_of, member, number, string, strings,
};
pub(crate) use write::{write_member, write_rest};

/// An object of the document that knows its members.
pub(crate) trait Object: Default {
    /// Members that must be there.
    const REQUIRED: &'static [&'static str];

    /// Takes one member in. What it does not know goes to its [`Rest`].
    fn read_member<'de, A: MapAccess<'de>>(
        &mut self,
        member: Member<'_, '_, 'de, A>,
    ) -> Result<(), A::Error>;
}

/// Where the reading is, and what was found on the way.
pub(crate) struct Context<'a> {
    pointer: String,
    report: &'a mut FileReport,
    budget: &'a mut Budget,
    over_budget: Option<GltfError>,
}

impl Context<'_> {
    fn enter_name(&mut self, name: &str) -> usize {
        let outside = self.pointer.len();
        self.pointer.push('/');
        push_escaped(&mut self.pointer, name);
        outside
    }

    fn enter_index(&mut self, index: usize) -> usize {
        let outside = self.pointer.len();
        // Writing to a string cannot fail.
        let _ = write!(self.pointer, "/{index}");
        outside
    }

    fn leave(&mut self, outside: usize) {
        self.pointer.truncate(outside);
    }

    fn add(&mut self, severity: Severity, code: &'static str, message: impl fmt::Display) {
        self.report.add(severity, code, &self.pointer, message);
    }

    fn charge<E: serde::de::Error>(&mut self, bytes: usize) -> Result<(), E> {
        let pointer = &self.pointer;
        match self
            .budget
            .charge(bytes as u64, "the parsed document", pointer.as_str())
        {
            Ok(()) => Ok(()),
            Err(refusal) => {
                self.over_budget = Some(refusal);
                Err(E::custom("over the memory limit"))
            }
        }
    }

    /// Makes room for one more item, charging the growth.
    fn reserve_one<T, E: serde::de::Error>(&mut self, items: &mut Vec<T>) -> Result<(), E> {
        if items.len() < items.capacity() {
            return Ok(());
        }
        let before = items.capacity();
        let after = before.saturating_mul(2).max(4);
        self.charge(after.saturating_mul(size_of::<T>()))?;
        items.reserve_exact(after - items.len());
        self.budget.release((before * size_of::<T>()) as u64);
        Ok(())
    }
}

/// Writes one segment of a JSON pointer.
pub(crate) fn push_escaped(pointer: &mut String, name: &str) {
    for character in name.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Reads a whole document.
///
/// # Errors
/// [`GltfError::Json`] when the text is not JSON, [`GltfError::MemoryLimit`] when its parts pass the budget.
pub(crate) fn read_document<T: Object>(
    text: &str,
    report: &mut FileReport,
    budget: &mut Budget,
) -> Result<Option<T>, GltfError> {
    let mut context = Context {
        pointer: String::new(),
        report,
        budget,
        over_budget: None,
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = objects::ObjectSeed::whole(&mut context).deserialize(&mut deserializer);
    match read.and_then(|object| deserializer.end().map(|()| object)) {
        Ok(object) => Ok(object),
        Err(error) => Err(context
            .over_budget
            .take()
            .unwrap_or_else(|| GltfError::Json {
                line: error.line(),
                column: error.column(),
                message: without_place(&error.to_string()),
                report: FileReport::default(),
            })),
    }
}

/// The parser's message without the place that it appends, which [`GltfError::Json`] names itself.
fn without_place(message: &str) -> String {
    message
        .split(" at line ")
        .next()
        .unwrap_or(message)
        .to_owned()
}
