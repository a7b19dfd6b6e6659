//! Extensions of an exported document. Malformed extensions are dropped.

use super::error::ExportError;
use super::exporter::leave_out;
use crate::gltf::bytes::images;
use crate::gltf::check::lacks_tangents;
use crate::gltf::check::shapes::Walk;
use crate::gltf::document::json::Rest;
use crate::gltf::document::nested;
use crate::gltf::document::schema::{Document, TargetPath};
use crate::gltf::document::visit::for_each_rest_mut;
use crate::gltf::pointer::POINTER;
use crate::report::FileReport;
use serde_json::value::RawValue;
use std::collections::HashSet;

/// Extensions about the storage of buffers. They do not apply to the new buffer.
const REMOVED: [&str; 6] = [
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_mesh_primitive_restart",
    "EXT_mesh_primitive_restart",
];

pub(super) fn write(document: &mut Document, report: &mut FileReport) -> Result<(), ExportError> {
    drop_contradictions(document, report)?;
    let mut met = clean_document(document, report)?;
    let formats = document
        .images
        .iter()
        .filter_map(|image| image.mime_type.as_deref());
    met.extend(formats.filter_map(images::extension_for).map(str::to_owned));
    let declared = std::mem::take(&mut document.extensions_used).into_iter();
    let mut known = HashSet::new();
    document.extensions_used = declared
        .chain(met.into_iter().map(String::into_boxed_str))
        .filter(|name| !REMOVED.contains(&&**name) && known.insert(name.clone()))
        .collect();
    let mut required = HashSet::new();
    document
        .extensions_required
        .retain(|name| known.contains(name) && required.insert(name.clone()));
    Ok(())
}

/// Drops malformed extension objects. Returns the names of the remaining extensions.
fn clean_document(
    document: &mut Document,
    report: &mut FileReport,
) -> Result<Vec<String>, ExportError> {
    let mut found = FileReport::default();
    // Extensions of the document come first, because other extensions refer to their lists.
    let mut cleaner = Cleaner {
        walk: Walk::for_export(document, &mut found),
        report: &mut *report,
        failure: None,
    };
    cleaner.clean("", "", &mut document.rest);
    let (mut met, failure) = (cleaner.walk.met.unwrap_or_default(), cleaner.failure);
    let mut found = FileReport::default();
    let mut cleaner = Cleaner {
        walk: Walk::for_export(document, &mut found),
        report,
        failure,
    };
    for_each_rest_mut(document, &mut |owner, pointer, rest| {
        cleaner.clean(owner, pointer, rest);
    });
    met.extend(cleaner.walk.met.unwrap_or_default());
    match cleaner.failure {
        Some(error) => Err(error.into()),
        None => Ok(met),
    }
}

struct Cleaner<'f, 'r> {
    walk: Walk<'f>,
    report: &'r mut FileReport,
    failure: Option<serde_json::Error>,
}

impl Cleaner<'_, '_> {
    fn clean(&mut self, owner: &str, pointer: &str, rest: &mut Rest) {
        let Some(extensions) = rest.get("extensions") else {
            return;
        };
        if !extensions.get().starts_with('{') {
            let at = format_args!("{pointer}/extensions");
            leave_out(self.report, at, "an extension that is not an object");
            *rest = nested::without(rest, "extensions");
            return;
        }
        let mut kept = Rest::default();
        let mut is_whole = true;
        for (name, text) in rest.extensions() {
            let (faults, met) = (
                self.walk.faults(),
                self.walk.met.as_ref().map_or(0, Vec::len),
            );
            let at = format!("{pointer}/extensions/{name}");
            let is_removed = REMOVED.contains(&&*name);
            if !is_removed {
                self.walk.extension(&name, text, owner, &at);
            }
            if is_removed || self.walk.faults() > faults {
                is_whole = false;
                if let Some(names) = &mut self.walk.met {
                    names.truncate(met);
                }
                if !is_removed {
                    leave_out(self.report, at, "an invalid extension");
                }
            } else {
                match RawValue::from_string(text.to_owned()) {
                    Ok(value) => kept.push(&name, value),
                    Err(error) => self.failure = Some(error),
                }
            }
        }
        if is_whole {
            return;
        }
        if kept.is_empty() {
            *rest = nested::without(rest, "extensions");
            return;
        }
        match nested::object(kept) {
            Ok(kept) => rest.insert("extensions", kept),
            Err(error) => self.failure = Some(error),
        }
    }
}

fn drop_contradictions(
    document: &mut Document,
    report: &mut FileReport,
) -> Result<(), ExportError> {
    let Document {
        meshes,
        materials,
        animations,
        ..
    } = document;
    for primitive in meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let index = primitive.material.unwrap_or(u32::MAX);
        let Some(material) = materials.get_mut(index as usize) else {
            continue;
        };
        while let Some(extension) = lacks_tangents(material, primitive) {
            let at = format!("/materials/{index}/extensions/{extension}");
            leave_out(
                report,
                at,
                "an extension that needs tangents, which the mesh does not have",
            );
            nested::set_nested(&mut material.rest, "extensions", extension, None)?;
        }
    }
    for (index, animation) in animations.iter_mut().enumerate() {
        for (number, channel) in animation.channels.iter_mut().enumerate() {
            let Some(target) = &mut channel.target else {
                continue;
            };
            let is_right = target.node.is_none() && target.path == Some(TargetPath::Pointer);
            if !is_right && target.rest.extension(POINTER).is_some() {
                let at =
                    format!("/animations/{index}/channels/{number}/target/extensions/{POINTER}");
                leave_out(
                    report,
                    at,
                    "an animation pointer of a channel that has another target",
                );
                nested::set_nested(&mut target.rest, "extensions", POINTER, None)?;
            }
        }
    }
    Ok(())
}
