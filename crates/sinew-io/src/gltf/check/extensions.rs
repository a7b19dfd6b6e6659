//! Extensions: which a document may require, and whether it declares those it uses.

use std::collections::HashSet;

use super::{Checker, escaped};
use crate::gltf::ImportError;
use crate::gltf::json::Rest;
use crate::gltf::schema::Document;

/// Extensions that may be required: those that are read, and those whose absence changes nothing but looks.
const READ: [&str; 3] = [
    "KHR_mesh_quantization",
    "KHR_materials_unlit",
    "KHR_texture_transform",
];

/// Refuses a document that cannot be read without an extension that this library does not have.
///
/// # Errors
/// [`ImportError::UnsupportedExtension`] for the first such extension.
pub fn check_required(document: &Document) -> Result<(), ImportError> {
    let mut required = document.extensions_required.iter().enumerate();
    let unknown = required.find(|(_, name)| {
        let only_looks = name.starts_with("KHR_materials_") || name.starts_with("KHR_lights_");
        !READ.contains(&&***name) && !only_looks
    });
    let Some((index, name)) = unknown else {
        return Ok(());
    };
    let reason = match &**name {
        "KHR_draco_mesh_compression" => "for which there is no decoder yet",
        "EXT_meshopt_compression" | "KHR_meshopt_compression" => {
            "for which there is no decoder yet"
        }
        "KHR_texture_basisu" | "EXT_texture_webp" | "EXT_texture_avif" => {
            "whose images cannot be decoded"
        }
        _ => "which is not known here",
    };
    Err(ImportError::UnsupportedExtension {
        pointer: format!("/extensionsRequired/{index}"),
        name: name.to_string(),
        reason,
    })
}

pub(super) fn check(checker: &mut Checker<'_>) {
    let document = checker.document;
    let declared: HashSet<&str> = document
        .extensions_used
        .iter()
        .map(|name| &**name)
        .collect();
    for (index, name) in document.extensions_required.iter().enumerate() {
        if !declared.contains(&**name) {
            let message = format_args!("`{name}` is required but not in extensionsUsed");
            checker.ignored(
                "UNUSED_EXTENSION_REQUIRED",
                format_args!("/extensionsRequired/{index}"),
                message,
            );
        }
    }
    let mut undeclared = Undeclared { declared, checker };
    undeclared.look("", "", &document.rest);
    macro_rules! look_at {
        ($($field:ident as $name:literal),*) => {$(
            for (index, object) in document.$field.iter().enumerate() {
                undeclared.look_indexed($name, index, &object.rest);
            }
        )*};
    }
    look_at!(accessors as "accessors", animations as "animations", buffers as "buffers", buffer_views as "bufferViews",
        cameras as "cameras", images as "images", materials as "materials", meshes as "meshes", nodes as "nodes",
        samplers as "samplers", scenes as "scenes", skins as "skins", textures as "textures");
    for (mesh, object) in document.meshes.iter().enumerate() {
        for (primitive, object) in object.primitives.iter().enumerate() {
            undeclared.look_indexed(
                &format!("meshes/{mesh}/primitives"),
                primitive,
                &object.rest,
            );
        }
    }
    for (animation, object) in document.animations.iter().enumerate() {
        for (channel, object) in object.channels.iter().enumerate() {
            undeclared.look_indexed(
                &format!("animations/{animation}/channels"),
                channel,
                &object.rest,
            );
            if let Some(target) = &object.target {
                let pointer = format!("/animations/{animation}/channels/{channel}/target");
                undeclared.look("target", &pointer, &target.rest);
            }
        }
        for (sampler, object) in object.samplers.iter().enumerate() {
            undeclared.look_indexed(
                &format!("animations/{animation}/samplers"),
                sampler,
                &object.rest,
            );
        }
    }
}

struct Undeclared<'a, 'c> {
    declared: HashSet<&'a str>,
    checker: &'c mut Checker<'a>,
}

impl Undeclared<'_, '_> {
    fn look_indexed(&mut self, list: &str, index: usize, rest: &Rest) {
        if !rest.is_empty() {
            let owner = list.rsplit('/').next().unwrap_or(list);
            self.look(owner, &format!("/{list}/{index}"), rest);
        }
    }

    fn look(&mut self, owner: &str, pointer: &str, rest: &Rest) {
        if rest
            .get("extensions")
            .is_some_and(|value| !value.get().starts_with('{'))
        {
            let message = "an object is expected here";
            self.checker.ignored(
                "TYPE_MISMATCH",
                format_args!("{pointer}/extensions"),
                message,
            );
        }
        for (name, value) in rest.extensions() {
            let at = format!("{pointer}/extensions/{}", escaped(&name));
            if !self.declared.contains(&*name) {
                self.checker.ignored(
                    "UNDECLARED_EXTENSION",
                    &at,
                    "the extension is not in extensionsUsed",
                );
            } else if !belongs_to(&name, owner) {
                let message = "this is not a place for the extension";
                self.checker
                    .ignored("UNEXPECTED_EXTENSION_OBJECT", &at, message);
            }
            if !value.starts_with('{') {
                self.checker
                    .ignored("TYPE_MISMATCH", &at, "an object is expected here");
            }
        }
    }
}

/// Whether an extension may stand in an object of that list; unknown extensions may stand anywhere.
fn belongs_to(extension: &str, owner: &str) -> bool {
    match extension {
        "KHR_mesh_quantization" | "KHR_texture_transform" => false,
        "KHR_lights_punctual" => matches!(owner, "" | "nodes"),
        "KHR_materials_variants" => matches!(owner, "" | "primitives"),
        "KHR_animation_pointer" => owner == "target",
        "KHR_draco_mesh_compression" => owner == "primitives",
        _ => !extension.starts_with("KHR_materials_") || owner == "materials",
    }
}
