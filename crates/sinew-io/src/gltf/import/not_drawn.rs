//! What a document says of looks that is not drawn, each with its place.

use std::fmt::Display;

use super::materials::material_of;
use crate::gltf::schema::{Document, Material};
use crate::report::{FileReport, Severity};

/// Extensions, by how their names begin, with what is lost of them.
const LOST: [(&str, &str); 9] = [
    ("KHR_lights_", "lights of the file do not shine"),
    ("EXT_lights_", "lights of the file do not shine"),
    (
        "KHR_materials_variants",
        "only the first look is drawn, no variants",
    ),
    (
        "KHR_texture_basisu",
        "pictures of this format are not decoded",
    ),
    ("EXT_texture_", "pictures of this format are not decoded"),
    (
        "MSFT_texture_dds",
        "pictures of this format are not decoded",
    ),
    ("KHR_node_visibility", "nodes that it hides are shown"),
    (
        "EXT_mesh_gpu_instancing",
        "a mesh is there once, not for each instance",
    ),
    ("KHR_animation_pointer", "what it moves stands still"),
];

/// The number of a filter that shows the pixels of a texture as squares.
const NEAREST: &str = "9728";

/// Says what is not drawn.
pub(super) fn say(document: &Document, report: &mut FileReport) {
    let mut not_drawn = |pointer: &dyn Display, message: &str| {
        report.add(Severity::Ignored, "NOT_DRAWN", pointer, message);
    };
    for (index, name) in document.extensions_used.iter().enumerate() {
        if let Some((_, lost)) = LOST.iter().find(|(begin, _)| name.starts_with(begin)) {
            not_drawn(
                &format_args!("/extensionsUsed/{index}"),
                &format!("{name}: {lost}"),
            );
        }
    }
    for (index, material) in document.materials.iter().enumerate() {
        say_of_material(material, document.textures.len(), &mut |place, message| {
            not_drawn(&format_args!("/materials/{index}/{place}"), message);
        });
    }
    for (index, sampler) in document.samplers.iter().enumerate() {
        if sampler
            .rest
            .get("magFilter")
            .is_some_and(|filter| filter.get() == NEAREST)
        {
            let message = "the pixels of textures are not drawn as squares but run into each other";
            not_drawn(&format_args!("/samplers/{index}/magFilter"), message);
        }
    }
    for (index, mesh) in document.meshes.iter().enumerate() {
        for (place, primitive) in mesh.primitives.iter().enumerate() {
            if primitive.mode.is_some_and(|mode| mode < 4) {
                let message = "points and lines are read, but only triangles are drawn";
                not_drawn(
                    &format_args!("/meshes/{index}/primitives/{place}/mode"),
                    message,
                );
            }
        }
    }
}

fn say_of_material(material: &Material, textures: usize, not_drawn: &mut impl FnMut(&str, &str)) {
    let drawn = material_of(material, textures);
    let is_there = |index: Option<u32>| index.is_some_and(|index| (index as usize) < textures);
    let pbr = material.pbr.as_deref();
    // Light does not matter to what is unlit.
    if !drawn.unlit {
        let unread = [
            (
                pbr.and_then(|pbr| pbr.metallic_roughness_texture.as_deref()),
                "pbrMetallicRoughness/metallicRoughnessTexture",
                "the texture is not read; metallic 0 and roughness 0.6 were taken",
            ),
            (
                material.occlusion_texture.as_deref(),
                "occlusionTexture",
                "the texture is not read; nothing is darkened",
            ),
            (
                material.emissive_texture.as_deref(),
                "emissiveTexture",
                "the texture is not read; nothing glows",
            ),
        ];
        for (_, place, message) in unread
            .into_iter()
            .filter(|(info, ..)| info.is_some_and(|info| is_there(info.index)))
        {
            not_drawn(place, message);
        }
        if let (Some(base), Some(normal)) = (drawn.base_color_texture, drawn.normal_texture)
            && base.texcoord != normal.texcoord
        {
            let message = "the normal map is drawn on the coordinates of the base colour";
            not_drawn("normalTexture/texCoord", message);
        }
    }
    for (name, _) in material.rest.extensions() {
        if !matches!(&*name, "KHR_materials_unlit") {
            let message = "what the extension says of the surface is not drawn";
            not_drawn(&format!("extensions/{name}"), message);
        }
    }
}
