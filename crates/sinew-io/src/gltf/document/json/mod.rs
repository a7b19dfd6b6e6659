//! Fault-tolerant reading of JSON objects.
//!
//! Only text that is not JSON stops the import. Any other fault becomes a finding with its JSON
//! pointer. The faulty member counts as absent, so one pass finds all faults.

mod context;
mod lists;
mod member;
mod objects;
mod pointer;
mod rest;
mod text;
mod write;

pub(crate) use context::Stopped;
pub use lists::NamedIndices;
pub(crate) use member::{Listed, Member, Object};
pub(crate) use objects::read_document;
pub(crate) use pointer::escaped;
pub use rest::Rest;
pub(crate) use text::{
    Integer, elements, entries, integer, kind_of, member, natural, number, string, strings,
};
pub(crate) use write::{write_member, write_rest};
