use crate::gltf::document::json::{self, Rest};
use crate::gltf::document::nested::{members, object, set_nested, without};
use serde_json::value::RawValue;

pub(super) const OURS: &str = "sinew";

/// Max bytes of memory per byte of JSON text.
pub(super) const GROWTH: u64 = 24;

pub(super) fn own(rest: &Rest) -> Option<&str> {
    json::member(rest.get("extras")?.get(), OURS)
}

pub(super) fn own_member<'r>(rest: &'r Rest, name: &str) -> Option<&'r str> {
    json::member(own(rest)?, name)
}

/// Sets or removes a member of the `sinew` object. False if `extras` is not an object.
pub(super) fn set_own_member(
    rest: &mut Rest,
    name: &str,
    value: Option<Box<RawValue>>,
) -> Result<bool, serde_json::Error> {
    let mut ours = match (&value, own(rest).and_then(members)) {
        (_, Some(ours)) => ours,
        (None, None) => return Ok(true),
        (Some(_), None) => Rest::default(),
    };
    match value {
        Some(value) => ours.insert(name, value),
        None if ours.get(name).is_some() => ours = without(&ours, name),
        None => return Ok(true),
    }
    let ours = if ours.is_empty() {
        None
    } else {
        Some(object(ours)?)
    };
    set_nested(rest, "extras", OURS, ours)
}
