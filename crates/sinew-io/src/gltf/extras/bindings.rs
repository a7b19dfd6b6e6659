//! Bindings of curves and events, in `extras.sinew.bindings` of the document: a list of objects
//! with the name of a `signal` and a `target` as [`sinew::binding`] writes it.

use super::own::{GROWTH, own_member, set_own_member};
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::json::Rest;
use crate::gltf::document::nested::{members, object};
use crate::report::{FileReport, Severity};
use serde_json::value::{RawValue, to_raw_value};
use sinew::Character;
use sinew::binding::{Binding, BindingError, Target};
use sinew::character::StageNames;

const BINDINGS: &str = "bindings";

/// Max number of bindings, because each binding is searched in every clip.
const MAX_BINDINGS: usize = 256;

/// Sets or removes the bindings of a document. False if its `extras` is not an object.
pub(in crate::gltf) fn write_bindings(
    bindings: &[Binding],
    rest: &mut Rest,
) -> Result<bool, serde_json::Error> {
    let line = |binding: &Binding| {
        let mut members = Rest::default();
        members.push("signal", to_raw_value(&binding.signal)?);
        members.push("target", to_raw_value(&binding.target.to_string())?);
        object(members)
    };
    let lines: Vec<_> = bindings.iter().map(line).collect::<Result<_, _>>()?;
    let table = (!lines.is_empty())
        .then(|| to_raw_value(&lines))
        .transpose()?;
    set_own_member(rest, BINDINGS, table)
}

/// Reads the bindings of a document with their indices. Reports and omits unreadable bindings.
///
/// # Errors
/// [`GltfError::MemoryLimit`] if the bindings exceed the budget of the decoder.
pub(in crate::gltf) fn read_bindings(
    decoder: &mut Decoder<'_>,
) -> Result<Vec<(usize, Binding)>, GltfError> {
    let Some(table) = own_member(&decoder.document().rest, BINDINGS) else {
        return Ok(Vec::new());
    };
    let pointer = format!("/extras/sinew/{BINDINGS}");
    let bytes = (table.len() as u64).saturating_mul(GROWTH);
    decoder
        .budget()
        .charge(bytes, "bindings", pointer.as_str())?;
    let mut left_out = |location: String, why: String| {
        let message = format_args!("{why}; this binding was left out");
        let report = decoder.report();
        report.add(Severity::Ignored, "EXTRAS_UNREADABLE", location, message);
    };
    let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(table) else {
        left_out(pointer, "the table is not a list".to_owned());
        return Ok(Vec::new());
    };
    let mut bindings = Vec::new();
    for (index, line) in list.into_iter().enumerate() {
        let location = format!("{pointer}/{index}");
        if index == MAX_BINDINGS {
            left_out(
                location,
                format!("there are more than {MAX_BINDINGS} bindings"),
            );
            break;
        }
        match read(line) {
            Ok(binding) => bindings.push((index, binding)),
            Err(why) => left_out(location, why),
        }
    }
    Ok(bindings)
}

fn read(line: &RawValue) -> Result<Binding, String> {
    let all = members(line.get()).ok_or("the value is not an object")?;
    let text = |name: &str| -> Result<String, String> {
        let value = all.get(name).map(|value| value.get());
        let text = value.and_then(|value| serde_json::from_str(value).ok());
        text.filter(|text: &String| !text.is_empty())
            .ok_or_else(|| format!("`{name}` is missing or not a text"))
    };
    let target: Result<Target, BindingError> = text("target")?.parse();
    Ok(Binding {
        signal: text("signal")?,
        target: target.map_err(|error| error.to_string())?,
    })
}

/// Reports bindings to objects that are not in the file. A stage may have these objects.
pub(in crate::gltf) fn report_unknown(
    character: &Character,
    numbers: &[usize],
    report: &mut FileReport,
) {
    for (index, error) in character.unknown_bindings(&StageNames::default()) {
        let number = numbers.get(index).copied().unwrap_or(index);
        let location = format_args!("/extras/sinew/{BINDINGS}/{number}");
        report.add(Severity::Note, "BINDING_UNKNOWN", location, error);
    }
}
