//! The objects that are kept as text, member by member, as their specifications have them.

mod cameras;

pub(in crate::gltf) use cameras::CAMERA;

use std::collections::HashSet;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use super::shape::{Kind, List, Range, Shape, Walk};
use crate::gltf::json::{elements, member, number, string};

use Kind::{Code, Index, Indices, Number, Numbers, Object, Objects, Text, Whole, Word};
use Range::{Above, Any, Below, From, Unit, Within, ZeroOrFromOne};

const fn shape(members: &'static [(&'static str, Kind)]) -> Shape {
    Shape {
        owner: "other",
        required: &[],
        members,
        also: None,
    }
}

/// How a texture is read.
pub(in crate::gltf) static SAMPLER: Shape = shape(&[
    ("name", Text),
    ("magFilter", Code(&[9728, 9729])),
    ("minFilter", Code(&[9728, 9729, 9984, 9985, 9986, 9987])),
    ("wrapS", Code(&[33071, 33648, 10497])),
    ("wrapT", Code(&[33071, 33648, 10497])),
]);

/// A texture of a material or of an extension.
pub(in crate::gltf) static TEXTURE: Shape =
    texture(&[("index", Index(List::Textures)), ("texCoord", Whole)]);

/// A normal map, and how strong it is.
pub(in crate::gltf) static NORMAL_TEXTURE: Shape = texture(&[
    ("index", Index(List::Textures)),
    ("texCoord", Whole),
    ("scale", Number(Any)),
]);

/// Where light does not come, and how dark that is.
pub(in crate::gltf) static OCCLUSION_TEXTURE: Shape = texture(&[
    ("index", Index(List::Textures)),
    ("texCoord", Whole),
    ("strength", Number(Unit)),
]);

const fn texture(members: &'static [(&'static str, Kind)]) -> Shape {
    Shape {
        owner: "texture",
        required: &["index"],
        members,
        also: None,
    }
}

/// Where an extension stands.
pub(super) enum Place {
    /// Where it belongs, and this is what it holds.
    Shaped(&'static Shape),
    /// Where nobody would look for it.
    Wrong,
    /// Nobody here knows it.
    Unknown,
}

/// What an extension is to the objects of a list, or to a `texture`.
pub(super) fn place_of(extension: &str, owner: &str) -> Place {
    let Some((_, places)) = EXTENSIONS.iter().find(|(name, _)| *name == extension) else {
        let is_lost = extension.starts_with("KHR_materials_") && owner != "materials";
        return if is_lost {
            Place::Wrong
        } else {
            Place::Unknown
        };
    };
    let here = places.iter().find(|(place, _)| *place == owner);
    here.map_or(Place::Wrong, |(_, shape)| Place::Shaped(shape))
}

/// Whether an extension there picks from a list that the document's own extension of that name has.
pub(super) fn refers_to_document(extension: &str, owner: &str) -> bool {
    matches!(
        (extension, owner),
        ("KHR_lights_punctual", "nodes") | ("KHR_materials_variants", "primitives")
    )
}

type Places = &'static [(&'static str, &'static Shape)];

/// Every extension that is known, with its places. One that may stand nowhere is only declared.
static EXTENSIONS: [(&str, Places); 22] = [
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

static TRANSFORM: Shape = shape(&[
    ("offset", Numbers(2, Any)),
    ("rotation", Number(Any)),
    ("scale", Numbers(2, Any)),
    ("texCoord", Whole),
]);

static OTHER_SOURCE: Shape = shape(&[("source", Index(List::Images))]);

static POINTER: Shape = Shape {
    required: &["pointer"],
    also: Some(is_a_pointer),
    ..shape(&[("pointer", Text)])
};

fn is_a_pointer(walk: &mut Walk<'_>, text: &str, pointer: &str) {
    let Some(path) = member(text, "pointer").and_then(string) else {
        return;
    };
    let escapes = path.split('~').skip(1);
    let are_escapes = escapes.into_iter().all(|rest| rest.starts_with(['0', '1']));
    if !(path.is_empty() || path.starts_with('/')) || !are_escapes {
        let message = format_args!("`{path}` is not a JSON pointer");
        walk.fault("PATTERN_MISMATCH", &format!("{pointer}/pointer"), message);
    }
}

static LIGHTS: Shape = Shape {
    required: &["lights"],
    ..shape(&[("lights", Objects(&LIGHT))])
};

static LIGHT: Shape = Shape {
    required: &["type"],
    also: Some(spot_of_a_spot_light),
    ..shape(&[
        ("name", Text),
        ("type", Word(&["directional", "point", "spot"])),
        ("color", Numbers(3, Unit)),
        ("intensity", Number(From(0.0))),
        ("range", Number(Above(0.0))),
        ("spot", Object(&SPOT)),
    ])
};

static SPOT: Shape = Shape {
    also: Some(outer_is_wider),
    ..shape(&[
        ("innerConeAngle", Number(Below(0.0, FRAC_PI_2))),
        ("outerConeAngle", Number(Within(0.0, FRAC_PI_2))),
    ])
};

fn spot_of_a_spot_light(walk: &mut Walk<'_>, text: &str, pointer: &str) {
    let is_spot = member(text, "type")
        .and_then(string)
        .is_some_and(|kind| kind == "spot");
    if is_spot && member(text, "spot").is_none() {
        walk.fault(
            "UNDEFINED_PROPERTY",
            pointer,
            "the member `spot` is missing",
        );
    }
}

fn outer_is_wider(walk: &mut Walk<'_>, text: &str, pointer: &str) {
    let of = |name: &str| member(text, name).and_then(number);
    let (inner, outer) = (
        of("innerConeAngle").unwrap_or(0.0),
        of("outerConeAngle").unwrap_or(FRAC_PI_4),
    );
    if outer <= inner {
        let at = format!("{pointer}/outerConeAngle");
        let message =
            format_args!("the outer angle {outer} is not wider than the inner one, {inner}");
        walk.fault("KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES", &at, message);
    }
}

static LIGHT_OF_NODE: Shape = Shape {
    required: &["light"],
    ..shape(&[("light", Index(List::Lights))])
};

static VARIANTS: Shape = Shape {
    required: &["variants"],
    ..shape(&[("variants", Objects(&VARIANT))])
};

static VARIANT: Shape = Shape {
    required: &["name"],
    ..shape(&[("name", Text)])
};

static MAPPINGS: Shape = Shape {
    required: &["mappings"],
    also: Some(each_variant_once),
    ..shape(&[("mappings", Objects(&MAPPING))])
};

static MAPPING: Shape = Shape {
    required: &["variants", "material"],
    ..shape(&[
        ("name", Text),
        ("variants", Indices(List::Variants)),
        ("material", Index(List::Materials)),
    ])
};

fn each_variant_once(walk: &mut Walk<'_>, text: &str, pointer: &str) {
    let mut seen = HashSet::new();
    let mappings = member(text, "mappings").and_then(elements);
    for (mapping, object) in mappings.into_iter().flatten().enumerate() {
        let variants = member(object, "variants").and_then(elements);
        for (place, variant) in variants.into_iter().flatten().enumerate() {
            if !seen.insert(variant) {
                let at = format!("{pointer}/mappings/{mapping}/variants/{place}");
                let message = "the primitive has a material for this variant already";
                walk.fault("KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT", &at, message);
            }
        }
    }
}

static ANISOTROPY: Shape = shape(&[
    ("anisotropyStrength", Number(Unit)),
    ("anisotropyRotation", Number(Any)),
    ("anisotropyTexture", Object(&TEXTURE)),
]);

static CLEARCOAT: Shape = shape(&[
    ("clearcoatFactor", Number(Unit)),
    ("clearcoatTexture", Object(&TEXTURE)),
    ("clearcoatRoughnessFactor", Number(Unit)),
    ("clearcoatRoughnessTexture", Object(&TEXTURE)),
    ("clearcoatNormalTexture", Object(&NORMAL_TEXTURE)),
]);

static DISPERSION: Shape = shape(&[("dispersion", Number(From(0.0)))]);

static EMISSIVE_STRENGTH: Shape = shape(&[("emissiveStrength", Number(From(0.0)))]);

static IOR: Shape = shape(&[("ior", Number(ZeroOrFromOne))]);

static IRIDESCENCE: Shape = shape(&[
    ("iridescenceFactor", Number(Unit)),
    ("iridescenceTexture", Object(&TEXTURE)),
    ("iridescenceIor", Number(From(1.0))),
    ("iridescenceThicknessMinimum", Number(From(0.0))),
    ("iridescenceThicknessMaximum", Number(From(0.0))),
    ("iridescenceThicknessTexture", Object(&TEXTURE)),
]);

static SPECULAR_GLOSSINESS: Shape = shape(&[
    ("diffuseFactor", Numbers(4, Unit)),
    ("diffuseTexture", Object(&TEXTURE)),
    ("specularFactor", Numbers(3, Unit)),
    ("glossinessFactor", Number(Unit)),
    ("specularGlossinessTexture", Object(&TEXTURE)),
]);

static SHEEN: Shape = shape(&[
    ("sheenColorFactor", Numbers(3, Unit)),
    ("sheenColorTexture", Object(&TEXTURE)),
    ("sheenRoughnessFactor", Number(Unit)),
    ("sheenRoughnessTexture", Object(&TEXTURE)),
]);

static SPECULAR: Shape = shape(&[
    ("specularFactor", Number(Unit)),
    ("specularTexture", Object(&TEXTURE)),
    ("specularColorFactor", Numbers(3, From(0.0))),
    ("specularColorTexture", Object(&TEXTURE)),
]);

static TRANSMISSION: Shape = shape(&[
    ("transmissionFactor", Number(Unit)),
    ("transmissionTexture", Object(&TEXTURE)),
]);

static VOLUME: Shape = shape(&[
    ("thicknessFactor", Number(From(0.0))),
    ("thicknessTexture", Object(&TEXTURE)),
    ("attenuationDistance", Number(Above(0.0))),
    ("attenuationColor", Numbers(3, Unit)),
]);

static DIFFUSE_TRANSMISSION: Shape = shape(&[
    ("diffuseTransmissionFactor", Number(Unit)),
    ("diffuseTransmissionTexture", Object(&TEXTURE)),
    ("diffuseTransmissionColorFactor", Numbers(3, From(0.0))),
    ("diffuseTransmissionColorTexture", Object(&TEXTURE)),
]);
