//! Which extensions an exported document uses. Those that are not as they should be are left out.

use super::pointers::POINTER;
use super::{ExportError, leave_out};
use crate::gltf::check::lacks_tangents;
use crate::gltf::check::shape::Walk;
use crate::gltf::schema::{Document, Material, TargetPath, TextureInfo};
use crate::gltf::{Rest, extras, images};
use crate::report::FileReport;
use serde_json::value::RawValue;
use std::collections::HashSet;

/// Extensions about how buffers were stored, which is not how they are stored now.
const GONE: [&str; 6] = [
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_mesh_primitive_restart",
    "EXT_mesh_primitive_restart",
];

/// Drops what is no longer true or never was, and declares what is used.
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
        .filter(|name| !GONE.contains(&&**name) && known.insert(name.clone()))
        .collect();
    let mut required = HashSet::new();
    document
        .extensions_required
        .retain(|name| known.contains(name) && required.insert(name.clone()));
    Ok(())
}

/// Leaves out every extension object that is not as it should be; gives the names of the others.
fn clean_document(
    document: &mut Document,
    report: &mut FileReport,
) -> Result<Vec<String>, ExportError> {
    let mut found = FileReport::default();
    // The document's own first, because others refer to what they list.
    let mut cleaner = Cleaner {
        walk: Walk::in_the_making(document, &mut found),
        report: &mut *report,
        failure: None,
    };
    cleaner.clean("", "", &mut document.rest);
    let (mut met, failure) = (cleaner.walk.met.unwrap_or_default(), cleaner.failure);
    let mut found = FileReport::default();
    let mut cleaner = Cleaner {
        walk: Walk::in_the_making(document, &mut found),
        report,
        failure,
    };
    for_each_rest(document, &mut |owner, pointer, rest| {
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
            leave_out(self.report, at, "a value that is no object");
            *rest = extras::without(rest, "extensions");
            return;
        }
        let mut kept = Rest::default();
        let mut is_whole = true;
        for (name, text) in rest.extensions() {
            let (faults, met) = (self.walk.faults, self.walk.met.as_ref().map_or(0, Vec::len));
            let at = format!("{pointer}/extensions/{name}");
            let is_gone = GONE.contains(&&*name);
            if !is_gone {
                self.walk.extension(&name, text, owner, &at);
            }
            if is_gone || self.walk.faults > faults {
                is_whole = false;
                if let Some(names) = &mut self.walk.met {
                    names.truncate(met);
                }
                if !is_gone {
                    leave_out(self.report, at, "an extension that is not as it should be");
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
            *rest = extras::without(rest, "extensions");
            return;
        }
        match extras::object(kept) {
            Ok(kept) => rest.insert("extensions", kept),
            Err(error) => self.failure = Some(error),
        }
    }
}

/// Leaves out extensions that contradict what they stand on.
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
                "an extension that needs tangents where there are none",
            );
            extras::set_nested(&mut material.rest, "extensions", extension, None)?;
        }
    }
    for (index, animation) in animations.iter_mut().enumerate() {
        for (place, channel) in animation.channels.iter_mut().enumerate() {
            let Some(target) = &mut channel.target else {
                continue;
            };
            let is_right = target.node.is_none() && target.path == Some(TargetPath::Pointer);
            if !is_right && target.rest.extension(POINTER).is_some() {
                let at =
                    format!("/animations/{index}/channels/{place}/target/extensions/{POINTER}");
                leave_out(report, at, "a pointer beside what a channel drives");
                extras::set_nested(&mut target.rest, "extensions", POINTER, None)?;
            }
        }
    }
    Ok(())
}

/// Visits every object but the document itself that can have extensions: the list that it stands in (`texture` for a
/// use of a texture), its pointer, and its members that were kept as text, when there are any.
fn for_each_rest(document: &mut Document, visit: &mut impl FnMut(&str, &str, &mut Rest)) {
    if let Some(asset) = &mut document.asset {
        visit("asset", "/asset", &mut asset.rest);
    }
    let mut indexed = |list: &str, index: usize, rest: &mut Rest| {
        if !rest.is_empty() {
            let owner = list.rsplit('/').next().unwrap_or(list);
            visit(owner, &format!("/{list}/{index}"), rest);
        }
    };
    macro_rules! visit_all {
        ($($field:ident as $name:literal),*) => {$(
            for (index, object) in document.$field.iter_mut().enumerate() {
                indexed($name, index, &mut object.rest);
            }
        )*};
    }
    visit_all!(accessors as "accessors", animations as "animations", buffers as "buffers", buffer_views as "bufferViews",
        cameras as "cameras", images as "images", materials as "materials", meshes as "meshes", nodes as "nodes",
        samplers as "samplers", scenes as "scenes", skins as "skins", textures as "textures");
    for (mesh, object) in document.meshes.iter_mut().enumerate() {
        for (primitive, object) in object.primitives.iter_mut().enumerate() {
            indexed(
                &format!("meshes/{mesh}/primitives"),
                primitive,
                &mut object.rest,
            );
        }
    }
    for (animation, object) in document.animations.iter_mut().enumerate() {
        for (sampler, object) in object.samplers.iter_mut().enumerate() {
            indexed(
                &format!("animations/{animation}/samplers"),
                sampler,
                &mut object.rest,
            );
        }
        for (channel, object) in object.channels.iter_mut().enumerate() {
            indexed(
                &format!("animations/{animation}/channels"),
                channel,
                &mut object.rest,
            );
        }
    }
    for (animation, object) in document.animations.iter_mut().enumerate() {
        for (channel, object) in object.channels.iter_mut().enumerate() {
            if let Some(target) = object
                .target
                .as_mut()
                .filter(|target| !target.rest.is_empty())
            {
                let pointer = format!("/animations/{animation}/channels/{channel}/target");
                visit("target", &pointer, &mut target.rest);
            }
        }
    }
    for (index, material) in document.materials.iter_mut().enumerate() {
        let pointer = format!("/materials/{index}");
        if let Some(pbr) = material.pbr.as_mut().filter(|pbr| !pbr.rest.is_empty()) {
            visit(
                "other",
                &format!("{pointer}/pbrMetallicRoughness"),
                &mut pbr.rest,
            );
        }
        for (name, info) in textures(material) {
            if !info.rest.is_empty() {
                visit("texture", &format!("{pointer}/{name}"), &mut info.rest);
            }
        }
    }
}

fn textures(material: &mut Material) -> impl Iterator<Item = (&'static str, &mut TextureInfo)> {
    let of_pbr = material.pbr.iter_mut().flat_map(|pbr| {
        [
            (
                "pbrMetallicRoughness/baseColorTexture",
                &mut pbr.base_color_texture,
            ),
            (
                "pbrMetallicRoughness/metallicRoughnessTexture",
                &mut pbr.metallic_roughness_texture,
            ),
        ]
    });
    let own = [
        ("normalTexture", &mut material.normal_texture),
        ("occlusionTexture", &mut material.occlusion_texture),
        ("emissiveTexture", &mut material.emissive_texture),
    ];
    let all = own.into_iter().chain(of_pbr);
    all.filter_map(|(name, texture)| texture.as_deref_mut().map(|texture| (name, texture)))
}
