//! Attributes that materials need: texture coordinates and tangents.

use std::collections::HashSet;

use super::checker::Checker;
use crate::gltf::document::format::Semantic;
use crate::gltf::document::json;
use crate::gltf::document::schema::{Material, Primitive};
use crate::gltf::document::visit::textures;
use crate::report::Severity;

/// Textures in tangent space, with their extensions.
const TANGENT_TEXTURES: [(&str, &str); 2] = [
    ("KHR_materials_clearcoat", "clearcoatNormalTexture"),
    ("KHR_materials_anisotropy", "anisotropyTexture"),
];

pub(super) fn check(
    checker: &mut Checker<'_>,
    primitive: &Primitive,
    needed: &[Vec<u64>],
    pointer: &str,
) {
    let document = checker.document;
    let at = format!("{pointer}/material");
    checker.resolve(
        primitive.material,
        &document.materials,
        Severity::Ignored,
        &at,
    );
    let material = primitive
        .material
        .and_then(|index| document.materials.get(index as usize));
    if material.is_some_and(|material| lacks_tangents(material, primitive).is_some()) {
        let message = "the material needs tangents, but there are neither tangents nor a normal map to compute them from";
        checker.ignored("MESH_PRIMITIVE_NO_TANGENT_SPACE", &at, message);
    }
    let set_of = |(name, _): &(Box<str>, u32)| match Semantic::parse(name) {
        Some(Semantic::TexCoord(set)) => Some(u64::from(set)),
        _ => None,
    };
    let have: HashSet<u64> = primitive.attributes.0.iter().filter_map(set_of).collect();
    let of_variants = variant_materials(primitive).map(|(mapping, material)| {
        let at = format!("{pointer}/extensions/{VARIANTS}/mappings/{mapping}/material");
        (at, material)
    });
    let own = primitive
        .material
        .map(|material| (at.clone(), material as usize));
    for (at, material) in own.into_iter().chain(of_variants) {
        let mut needed = needed.get(material).into_iter().flatten();
        if let Some(set) = needed.find(|set| !have.contains(set)) {
            let message = format_args!(
                "the material needs `TEXCOORD_{set}`, which the primitive does not have"
            );
            checker.ignored("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", &at, message);
        }
    }
}

const VARIANTS: &str = "KHR_materials_variants";

/// Materials of the variants of a primitive, with the indices of their mappings.
pub(in crate::gltf) fn variant_materials(
    primitive: &Primitive,
) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mappings = primitive.rest.extension(VARIANTS);
    let mappings = mappings
        .and_then(|object| json::member(object, "mappings"))
        .and_then(json::elements);
    let material = |(number, mapping): (usize, &str)| {
        let material = json::member(mapping, "material").and_then(json::natural)?;
        Some((number, material))
    };
    mappings
        .into_iter()
        .flatten()
        .enumerate()
        .filter_map(material)
}

/// The extension whose texture needs tangents. `None` if there are tangents or a normal map.
pub(in crate::gltf) fn lacks_tangents(
    material: &Material,
    primitive: &Primitive,
) -> Option<&'static str> {
    if primitive.attributes.get("TANGENT").is_some() || material.normal_texture.is_some() {
        return None;
    }
    let is_there = |(extension, texture): &&(&str, &str)| {
        let object = material.rest.extension(extension);
        object.is_some_and(|object| json::member(object, texture).is_some())
    };
    TANGENT_TEXTURES
        .iter()
        .find(is_there)
        .map(|(extension, _)| *extension)
}

/// Texture coordinate sets that a material and its extensions use.
pub(in crate::gltf) fn sets_needed(material: &Material) -> Vec<u64> {
    let mut sets = Vec::new();
    for (_, info) in textures(material) {
        sets.push(info.tex_coord.unwrap_or(0));
        let moved = info.rest.extension("KHR_texture_transform");
        let other = moved
            .and_then(|moved| json::member(moved, "texCoord"))
            .and_then(json::natural::<u64>);
        sets.extend(other);
    }
    // Textures of all extensions name their set in the same form.
    for (_, text) in material.rest.extensions() {
        for after in text.split("\"texCoord\"").skip(1) {
            let digits = after.trim_start_matches([' ', '\t', '\r', '\n', ':']);
            let end = digits
                .bytes()
                .position(|byte| !byte.is_ascii_digit())
                .unwrap_or(digits.len());
            sets.extend(
                digits
                    .get(..end)
                    .and_then(|digits| digits.parse::<u64>().ok()),
            );
        }
    }
    sets.sort_unstable();
    sets.dedup();
    sets
}
