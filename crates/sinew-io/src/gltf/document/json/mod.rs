//! Reading JSON objects member by member, going on after every mistake.
//!
//! Only text that is not JSON at all stops the reading. A member of the wrong type, a missing member, a number out of
//! range: each becomes a finding with its JSON pointer, and the member counts as absent, so that one pass lists
//! everything that is wrong with a document.

mod context;
mod lists;
mod member;
mod objects;
mod pointer;
mod rest;
mod text;
mod write;

pub use lists::NamedIndices;
pub(crate) use member::{Listed, Member, Object};
pub(crate) use objects::read_document;
pub(crate) use pointer::escaped;
pub use rest::Rest;
pub(crate) use text::{
    Integer, elements, entries, integer, kind_of, member, natural, number, string, strings,
};
pub(crate) use write::{write_member, write_rest};
