//! Skinning method that the maker states, in `extras.sinew.method` of the document: `rigid`, `lbs` or `dqs`.

use super::own::{own_member, set_own_member};
use crate::gltf::document::json::Rest;
use crate::report::{FileReport, Severity};
use serde_json::value::to_raw_value;
use sinew::Method;

const METHOD: &str = "method";

/// Sets or removes the method of a document. False if its `extras` is not an object.
pub(in crate::gltf) fn write_method(
    method: Option<Method>,
    rest: &mut Rest,
) -> Result<bool, serde_json::Error> {
    let name = method
        .map(|method| to_raw_value(method.name()))
        .transpose()?;
    set_own_member(rest, METHOD, name)
}

/// Reads the method of a document. Reports a value that is no method for use.
pub(in crate::gltf) fn read_method(rest: &Rest, report: &mut FileReport) -> Option<Method> {
    let text = own_member(rest, METHOD)?;
    let name: Option<String> = serde_json::from_str(text).ok();
    let method = name.and_then(|name| Method::named(&name));
    // The quaternion method is for comparisons only.
    let method = method.filter(|method| *method != Method::Quaternion);
    if method.is_none() {
        let message = "the skinning method is not `rigid`, `lbs` or `dqs`; it was left out";
        let location = "/extras/sinew/method";
        report.add(Severity::Ignored, "EXTRAS_UNREADABLE", location, message);
    }
    method
}
