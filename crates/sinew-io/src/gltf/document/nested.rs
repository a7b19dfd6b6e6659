//! Objects inside members that are kept as text: `extras`, `extensions` and their contents.

use super::budget::Budget;
use super::json::{Rest, read_document};
use super::schema::Unread;
use crate::report::FileReport;
use serde_json::value::{RawValue, to_raw_value};

/// Members of a JSON object. `None` for other values.
pub(in crate::gltf) fn members(text: &str) -> Option<Rest> {
    let (mut report, mut budget) = (FileReport::default(), Budget::for_json(text.len()));
    let object: Option<Unread> = read_document(text, &mut report, &mut budget).ok()?;
    object.map(|object| object.rest)
}

pub(in crate::gltf) fn object(members: Rest) -> Result<Box<RawValue>, serde_json::Error> {
    to_raw_value(&Unread { rest: members })
}

pub(in crate::gltf) fn without(members: &Rest, name: &str) -> Rest {
    let mut kept = Rest::default();
    for (other, value) in members.iter().filter(|(other, _)| *other != name) {
        kept.push(other, value.to_owned());
    }
    kept
}

/// Sets or removes a member of the object at `owner`. Returns false if `owner` is not an object.
pub(in crate::gltf) fn set_nested(
    rest: &mut Rest,
    owner: &str,
    name: &str,
    value: Option<Box<RawValue>>,
) -> Result<bool, serde_json::Error> {
    let before = match rest.get(owner) {
        None => Rest::default(),
        Some(object) => match members(object.get()) {
            Some(members) => members,
            None => return Ok(false),
        },
    };
    let had = before.get(name).is_some();
    let mut after = before;
    match value {
        Some(value) => after.insert(name, value),
        None if had => after = without(&after, name),
        None => return Ok(true),
    }
    if after.is_empty() {
        *rest = without(rest, owner);
    } else {
        rest.insert(owner, object(after)?);
    }
    Ok(true)
}

/// Sets or removes an extension. Replaces `extensions` if it is not an object.
pub(in crate::gltf) fn set_extension(
    rest: &mut Rest,
    name: &str,
    value: Option<Box<RawValue>>,
) -> Result<(), serde_json::Error> {
    if !set_nested(rest, "extensions", name, value.clone())? {
        *rest = without(rest, "extensions");
        set_nested(rest, "extensions", name, value)?;
    }
    Ok(())
}
