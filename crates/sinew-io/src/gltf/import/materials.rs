//! Materials, textures and images.

use std::path::Path;

use sinew::Material;
use sinew::character::{Alpha, Image, Texture, TextureUse, TextureWrap};

use crate::gltf::ImportError;
use crate::gltf::budget::Budget;
use crate::gltf::buffers::{Buffers, Files};
use crate::gltf::schema::{self, AlphaMode, Document, TextureInfo};
use crate::report::Report;

/// The materials of the file, in its order.
pub(super) fn materials(document: &Document) -> Vec<Material> {
    document
        .materials
        .iter()
        .map(|material| material_of(document, material))
        .collect()
}

fn material_of(document: &Document, material: &schema::Material) -> Material {
    let default = Material::default();
    let pbr = material.pbr.as_deref();
    let texture = |info: Option<&TextureInfo>| {
        let info = info?;
        let texture = info
            .index
            .map(|index| index as usize)
            .filter(|index| *index < document.textures.len())?;
        Some(TextureUse {
            texture,
            texcoord: usize::try_from(info.tex_coord.unwrap_or(0)).ok()?,
        })
    };
    let number = |value: Option<f64>, default: f32| value.map_or(default, |value| value as f32);
    let normal = material.normal_texture.as_deref();
    let normal_scale = normal
        .and_then(|info| info.rest.get("scale"))
        .and_then(|scale| scale.get().parse().ok());
    Material {
        name: material.name.as_deref().unwrap_or_default().to_owned(),
        base_color: pbr
            .and_then(|pbr| pbr.base_color_factor)
            .unwrap_or(default.base_color),
        base_color_texture: texture(pbr.and_then(|pbr| pbr.base_color_texture.as_deref())),
        metallic: number(pbr.and_then(|pbr| pbr.metallic_factor), default.metallic),
        roughness: number(pbr.and_then(|pbr| pbr.roughness_factor), default.roughness),
        normal_texture: texture(normal),
        normal_scale: normal_scale
            .filter(|scale: &f32| scale.is_finite())
            .unwrap_or(default.normal_scale),
        emissive: material.emissive_factor.unwrap_or(default.emissive),
        alpha: match material.alpha_mode.unwrap_or_default() {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask => Alpha::Mask(number(material.alpha_cutoff, 0.5)),
            AlphaMode::Blend => Alpha::Blend,
        },
        double_sided: material.double_sided,
        unlit: material.rest.extension("KHR_materials_unlit").is_some(),
    }
}

/// The textures of the file, in its order.
pub(super) fn textures(document: &Document) -> Vec<Texture> {
    let texture_of = |texture: &schema::Texture| {
        let sampler = texture
            .sampler
            .and_then(|sampler| document.samplers.get(sampler as usize));
        let wrap = |name: &str| {
            let code = sampler
                .and_then(|sampler| sampler.rest.get(name))
                .map(|value| value.get());
            match code {
                Some("33071") => TextureWrap::Clamp,
                Some("33648") => TextureWrap::Mirror,
                _ => TextureWrap::Repeat,
            }
        };
        Texture {
            image: texture
                .source
                .map(|image| image as usize)
                .filter(|image| *image < document.images.len()),
            wrap: [wrap("wrapS"), wrap("wrapT")],
        }
    };
    document.textures.iter().map(texture_of).collect()
}

/// The images of the file, in its order, as they are encoded.
pub(super) fn images(
    document: &Document,
    buffers: &Buffers<'_>,
    folder: Option<&Path>,
    report: &mut Report,
    budget: &mut Budget,
) -> Result<Vec<Image>, ImportError> {
    let mut files = Files::new(folder);
    let mut images = Vec::with_capacity(document.images.len());
    for (index, image) in document.images.iter().enumerate() {
        let pointer = format!("/images/{index}");
        let bytes = buffers
            .image(document, image, &pointer, &mut files, report, budget)?
            .unwrap_or_default();
        let declared = image.mime_type.as_deref().unwrap_or_default();
        images.push(Image {
            name: image.name.as_deref().unwrap_or_default().to_owned(),
            mime_type: mime_type_of(&bytes).unwrap_or(declared).to_owned(),
            bytes,
        });
    }
    Ok(images)
}

/// What encoded bytes are, by how they begin.
fn mime_type_of(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else {
        None
    }
}
