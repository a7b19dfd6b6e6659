use super::layers::Layers;
use super::texture_uses::texture_use;
use crate::gltf::document::schema::{self, AlphaMode, Document, TextureInfo};
use sinew::Material;
use sinew::character::Alpha;

pub(super) fn materials(document: &Document) -> Vec<Material> {
    let textures = document.textures.len();
    let materials = document.materials.iter();
    materials
        .map(|material| material_of(material, textures))
        .collect()
}

pub(in crate::gltf) fn material_of(material: &schema::Material, textures: usize) -> Material {
    let default = Material::default();
    let pbr = material.pbr.as_deref();
    let inside = |value: f32| value.clamp(0.0, 1.0);
    let factor = |value: Option<f64>| value.map_or(1.0, |value| inside(value as f32));
    let texture = |info: Option<&TextureInfo>| texture_use(info, textures);
    let normal = material.normal_texture.as_deref();
    let occlusion = material.occlusion_texture.as_deref();
    let emissive = material.emissive_factor.map(|factor| factor.map(inside));
    let layers = Layers::new(&material.rest, textures);
    let mut drawn = Material {
        name: material.name.as_deref().unwrap_or_default().to_owned(),
        base_color: pbr
            .and_then(|pbr| pbr.base_color_factor)
            .map_or(default.base_color, |color| color.map(inside)),
        base_color_texture: texture(pbr.and_then(|pbr| pbr.base_color_texture.as_deref())),
        metallic: factor(pbr.and_then(|pbr| pbr.metallic_factor)),
        roughness: factor(pbr.and_then(|pbr| pbr.roughness_factor)),
        metallic_roughness_texture: texture(
            pbr.and_then(|pbr| pbr.metallic_roughness_texture.as_deref()),
        ),
        normal_texture: texture(normal),
        normal_scale: strength(normal, "scale"),
        occlusion_texture: texture(occlusion),
        occlusion_strength: inside(strength(occlusion, "strength")),
        emissive: emissive.unwrap_or(default.emissive),
        emissive_texture: texture(material.emissive_texture.as_deref()),
        alpha: match material.alpha_mode.unwrap_or_default() {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask => Alpha::Mask(
                material
                    .alpha_cutoff
                    .map_or(0.5, |cutoff| cutoff.max(0.0) as f32),
            ),
            AlphaMode::Blend => Alpha::Blend,
        },
        double_sided: material.double_sided,
        unlit: layers.is_unlit(),
        ..default
    };
    layers.apply(&mut drawn);
    drawn
}

/// Strength of a normal map or of occlusion. Default 1.
fn strength(info: Option<&TextureInfo>, name: &str) -> f32 {
    let stated = info.and_then(|info| info.rest.get(name));
    let stated = stated.and_then(|stated| stated.get().parse().ok());
    stated
        .filter(|stated: &f32| stated.is_finite())
        .unwrap_or(1.0)
}
