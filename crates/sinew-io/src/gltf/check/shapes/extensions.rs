//! Known extensions: their owners and shapes.

use super::faults::Faults;
use super::lights::{LIGHT_OF_NODE, LIGHTS};
use super::materials::{
    ANISOTROPY, CLEARCOAT, DIFFUSE_TRANSMISSION, DISPERSION, EMISSIVE_STRENGTH, IOR, IRIDESCENCE,
    SHEEN, SPECULAR, SPECULAR_GLOSSINESS, TRANSMISSION, VOLUME,
};
use super::shape::{Kind, Shape, shape};
use super::textures::{OTHER_SOURCE, TRANSFORM};
use super::variants::{MAPPINGS, VARIANTS};
use crate::gltf::document::json::{member, string};

pub(super) enum Allowed {
    /// The object may have the extension, and its shape is known.
    Shaped(&'static Shape),
    /// The object must not have the extension.
    Wrong,
    Unknown,
}

/// Looks up an extension by its owner: a list of the document, or `texture`.
pub(super) fn allowed_in(extension: &str, owner: &str) -> Allowed {
    let Some((_, owners)) = EXTENSIONS.iter().find(|(name, _)| *name == extension) else {
        let is_lost = extension.starts_with("KHR_materials_") && owner != "materials";
        return if is_lost {
            Allowed::Wrong
        } else {
            Allowed::Unknown
        };
    };
    let here = owners.iter().find(|(known, _)| *known == owner);
    here.map_or(Allowed::Wrong, |(_, shape)| Allowed::Shaped(shape))
}

/// True if the extension refers to a list in the extension of the same name on the document.
pub(super) fn refers_to_document(extension: &str, owner: &str) -> bool {
    matches!(
        (extension, owner),
        ("KHR_lights_punctual", "nodes") | ("KHR_materials_variants", "primitives")
    )
}

type Owners = &'static [(&'static str, &'static Shape)];

/// Known extensions with their owners. An extension without owners is only declared.
static EXTENSIONS: [(&str, Owners); 22] = [
    ("KHR_mesh_quantization", &[]),
    ("KHR_texture_transform", &[("texture", &TRANSFORM)]),
    ("EXT_texture_webp", &[("textures", &OTHER_SOURCE)]),
    ("EXT_texture_avif", &[("textures", &OTHER_SOURCE)]),
    ("KHR_texture_basisu", &[("textures", &OTHER_SOURCE)]),
    ("KHR_animation_pointer", &[("target", &POINTER)]),
    ("KHR_draco_mesh_compression", &[("primitives", &ANYTHING)]),
    (
        "KHR_lights_punctual",
        &[("", &LIGHTS), ("nodes", &LIGHT_OF_NODE)],
    ),
    (
        "KHR_materials_variants",
        &[("", &VARIANTS), ("primitives", &MAPPINGS)],
    ),
    ("KHR_materials_unlit", &[("materials", &ANYTHING)]),
    ("KHR_materials_anisotropy", &[("materials", &ANISOTROPY)]),
    ("KHR_materials_clearcoat", &[("materials", &CLEARCOAT)]),
    ("KHR_materials_dispersion", &[("materials", &DISPERSION)]),
    (
        "KHR_materials_emissive_strength",
        &[("materials", &EMISSIVE_STRENGTH)],
    ),
    ("KHR_materials_ior", &[("materials", &IOR)]),
    ("KHR_materials_iridescence", &[("materials", &IRIDESCENCE)]),
    (
        "KHR_materials_pbrSpecularGlossiness",
        &[("materials", &SPECULAR_GLOSSINESS)],
    ),
    ("KHR_materials_sheen", &[("materials", &SHEEN)]),
    ("KHR_materials_specular", &[("materials", &SPECULAR)]),
    (
        "KHR_materials_transmission",
        &[("materials", &TRANSMISSION)],
    ),
    ("KHR_materials_volume", &[("materials", &VOLUME)]),
    (
        "KHR_materials_diffuse_transmission",
        &[("materials", &DIFFUSE_TRANSMISSION)],
    ),
];

static ANYTHING: Shape = shape(&[]);

static POINTER: Shape = Shape {
    required: &["pointer"],
    also: Some(is_a_pointer),
    ..shape(&[("pointer", Kind::Text)])
};

fn is_a_pointer(faults: &mut Faults<'_>, text: &str, pointer: &str) {
    let Some(path) = member(text, "pointer").and_then(string) else {
        return;
    };
    let escapes = path.split('~').skip(1);
    let are_escapes = escapes.into_iter().all(|rest| rest.starts_with(['0', '1']));
    if !(path.is_empty() || path.starts_with('/')) || !are_escapes {
        let message = format_args!("`{path}` is not a JSON pointer");
        faults.add("PATTERN_MISMATCH", &format!("{pointer}/pointer"), message);
    }
}
