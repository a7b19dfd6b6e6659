//! Extensions: which a document may require, and whether those it uses are declared, in their place and as they
//! should be.

use std::collections::HashSet;

use super::Checker;
use super::shape::Walk;
use crate::gltf::GltfError;
use crate::gltf::json::Rest;
use crate::gltf::schema::Document;
use crate::report::Severity;

/// Beginnings of the names of extensions that may be required: those that are read, and those whose loss leaves a
/// character that only looks or moves other than it should. What is lost is said; see `import::not_drawn`.
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

/// Refuses a document that cannot be read without an extension that this library does not have.
///
/// # Errors
/// [`GltfError::UnsupportedExtension`] for the first such extension.
pub fn check_required(document: &Document) -> Result<(), GltfError> {
    let mut required = document.extensions_required.iter().enumerate();
    let may_be = |name: &str| MAY_BE_REQUIRED.iter().any(|begin| name.starts_with(begin));
    let Some((index, name)) = required.find(|(_, name)| !may_be(name)) else {
        return Ok(());
    };
    Err(GltfError::UnsupportedExtension {
        pointer: format!("/extensionsRequired/{index}"),
        name: name.to_string(),
        reason: "which is not known here",
    })
}

pub(super) fn check(checker: &mut Checker<'_>) {
    check_lists(checker);
    let mut walk = Walk::new(checker.document, checker.report);
    for_each_rest(checker.document, &mut |owner, pointer, rest| {
        if let Some(extensions) = rest.get("extensions") {
            walk.extensions(extensions.get(), owner, pointer);
        }
    });
}

/// Whether what is required is declared, and what cannot be optional is required.
fn check_lists(checker: &mut Checker<'_>) {
    let document = checker.document;
    let names = |list: &[Box<str>]| list.iter().cloned().collect::<HashSet<Box<str>>>();
    let (declared, required) = (
        names(&document.extensions_used),
        names(&document.extensions_required),
    );
    if declared.is_empty() && !required.is_empty() {
        let message = "`extensionsRequired` means nothing without `extensionsUsed`";
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
            let message =
                format_args!("`{name}` cannot be optional and is not in extensionsRequired");
            let at = format_args!("/extensionsUsed/{index}");
            checker
                .report
                .add(Severity::Note, "NON_REQUIRED_EXTENSION", at, message);
        }
    }
}

/// Visits every object that can have extensions: the list that it stands in (nothing for the document, `texture` for
/// a use of a texture), its pointer, and its members that were kept as text, when there are any.
fn for_each_rest(document: &Document, visit: &mut impl FnMut(&str, &str, &Rest)) {
    visit("", "", &document.rest);
    if let Some(asset) = &document.asset {
        visit("asset", "/asset", &asset.rest);
    }
    let mut indexed = |list: &str, index: usize, rest: &Rest| {
        if !rest.is_empty() {
            let owner = list.rsplit('/').next().unwrap_or(list);
            visit(owner, &format!("/{list}/{index}"), rest);
        }
    };
    macro_rules! look_at {
        ($($field:ident as $name:literal),*) => {$(
            for (index, object) in document.$field.iter().enumerate() {
                indexed($name, index, &object.rest);
            }
        )*};
    }
    look_at!(accessors as "accessors", animations as "animations", buffers as "buffers", buffer_views as "bufferViews",
        cameras as "cameras", images as "images", materials as "materials", meshes as "meshes", nodes as "nodes",
        samplers as "samplers", scenes as "scenes", skins as "skins", textures as "textures");
    for (mesh, object) in document.meshes.iter().enumerate() {
        for (primitive, object) in object.primitives.iter().enumerate() {
            indexed(
                &format!("meshes/{mesh}/primitives"),
                primitive,
                &object.rest,
            );
        }
    }
    for (animation, object) in document.animations.iter().enumerate() {
        for (sampler, object) in object.samplers.iter().enumerate() {
            indexed(
                &format!("animations/{animation}/samplers"),
                sampler,
                &object.rest,
            );
        }
        for (channel, object) in object.channels.iter().enumerate() {
            indexed(
                &format!("animations/{animation}/channels"),
                channel,
                &object.rest,
            );
        }
    }
    for (animation, object) in document.animations.iter().enumerate() {
        for (channel, object) in object.channels.iter().enumerate() {
            if let Some(target) = object
                .target
                .as_ref()
                .filter(|target| !target.rest.is_empty())
            {
                let pointer = format!("/animations/{animation}/channels/{channel}/target");
                visit("target", &pointer, &target.rest);
            }
        }
    }
    for (index, accessor) in document.accessors.iter().enumerate() {
        let Some(sparse) = &accessor.sparse else {
            continue;
        };
        let pointer = format!("/accessors/{index}/sparse");
        visit("other", &pointer, &sparse.rest);
        if let Some(indices) = &sparse.indices {
            visit("other", &format!("{pointer}/indices"), &indices.rest);
        }
        if let Some(values) = &sparse.values {
            visit("other", &format!("{pointer}/values"), &values.rest);
        }
    }
    for (index, material) in document.materials.iter().enumerate() {
        let pointer = format!("/materials/{index}");
        if let Some(pbr) = material.pbr.as_ref().filter(|pbr| !pbr.rest.is_empty()) {
            visit(
                "other",
                &format!("{pointer}/pbrMetallicRoughness"),
                &pbr.rest,
            );
        }
        for (name, info, _) in super::looks::textures(material) {
            if !info.rest.is_empty() {
                visit("texture", &format!("{pointer}/{name}"), &info.rest);
            }
        }
    }
}
