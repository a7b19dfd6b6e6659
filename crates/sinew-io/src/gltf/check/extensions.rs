//! Checks that required extensions are supported, and used extensions declared and well-formed.

use std::collections::HashSet;

use super::checker::Checker;
use super::shapes::Walk;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::json::Rest;
use crate::gltf::document::schema::Document;
use crate::gltf::document::visit::for_each_rest;
use crate::report::Severity;

/// Prefixes of extensions that may be required. Some affect only looks or motion and are not
/// supported; `import::not_drawn` reports them.
const MAY_BE_REQUIRED: [&str; 15] = [
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_mesh_primitive_restart",
    "KHR_materials_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_dds",
    "KHR_node_",
    "EXT_mesh_gpu_instancing",
    "KHR_animation_pointer",
    "VRM",
];

/// Refuses a document that requires an unsupported extension.
///
/// # Errors
/// [`GltfError::UnsupportedExtension`] for the first such extension.
pub fn check_required(document: &Document) -> Result<(), GltfError> {
    let reason = |name: &str| match name {
        "KHR_draco_mesh_compression" if !cfg!(feature = "draco") => {
            Some("which needs the feature `draco`, and this build lacks it")
        }
        _ if MAY_BE_REQUIRED.iter().any(|begin| name.starts_with(begin)) => None,
        _ => Some("which is not supported"),
    };
    let mut required = document.extensions_required.iter().enumerate();
    let refused = required.find_map(|(index, name)| Some((index, name, reason(name)?)));
    let Some((index, name, reason)) = refused else {
        return Ok(());
    };
    Err(GltfError::UnsupportedExtension {
        pointer: format!("/extensionsRequired/{index}"),
        name: name.to_string(),
        reason,
    })
}

pub(super) fn check(checker: &mut Checker<'_>) {
    check_lists(checker);
    let mut walk = Walk::new(checker.document, checker.report);
    let mut look = |owner: &str, pointer: &str, rest: &Rest| {
        if let Some(extensions) = rest.get("extensions") {
            walk.extensions(extensions.get(), owner, pointer);
        }
    };
    look("", "", &checker.document.rest);
    for_each_rest(checker.document, &mut look);
}

/// Checks that required extensions are declared, and that `KHR_mesh_quantization` is required.
fn check_lists(checker: &mut Checker<'_>) {
    let document = checker.document;
    let names = |list: &[Box<str>]| list.iter().cloned().collect::<HashSet<Box<str>>>();
    let (declared, required) = (
        names(&document.extensions_used),
        names(&document.extensions_required),
    );
    if declared.is_empty() && !required.is_empty() {
        let message = "`extensionsRequired` has no meaning without `extensionsUsed`";
        checker.ignored("UNSATISFIED_DEPENDENCY", "/extensionsRequired", message);
    }
    for (index, name) in document.extensions_required.iter().enumerate() {
        if !declared.contains(name) {
            let message = format_args!("`{name}` is required but not in extensionsUsed");
            checker.ignored(
                "UNUSED_EXTENSION_REQUIRED",
                format_args!("/extensionsRequired/{index}"),
                message,
            );
        }
    }
    for (index, name) in document.extensions_used.iter().enumerate() {
        if &**name == "KHR_mesh_quantization" && !required.contains(name) {
            let message = format_args!(
                "`{name}` must be in extensionsRequired, because it cannot be optional"
            );
            let at = format_args!("/extensionsUsed/{index}");
            checker
                .report
                .add(Severity::Note, "NON_REQUIRED_EXTENSION", at, message);
        }
    }
}
