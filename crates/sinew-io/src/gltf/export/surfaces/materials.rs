//! Exports materials. Changes only members that differ from the source.

use super::layers;
use super::texture_uses::set_texture;
use crate::gltf::check::shapes::{MAX_TEXCOORDS, NORMAL_TEXTURE, OCCLUSION_TEXTURE, TEXTURE};
use crate::gltf::document::json::Rest;
use crate::gltf::document::nested;
use crate::gltf::document::schema::{self, AlphaMode, TextureInfo};
use crate::gltf::export::error::ExportError;
use crate::gltf::export::exporter::{Exporter, name};
use crate::gltf::import::material_of;
use crate::report::Severity;
use serde_json::value::{RawValue, to_raw_value};
use sinew::character::{Alpha, Material};

const UNLIT: &str = "KHR_materials_unlit";

pub(in crate::gltf) fn write(exporter: &mut Exporter<'_>) -> Result<(), ExportError> {
    let mut written = std::mem::take(&mut exporter.document.materials);
    written.resize_with(
        exporter.character.materials.len(),
        schema::Material::default,
    );
    let materials = exporter.character.materials.iter();
    for (index, (material, written)) in materials.zip(&mut written).enumerate() {
        write_material(exporter, material, written, &format!("/materials/{index}"))?;
    }
    exporter.document.materials = written;
    Ok(())
}

fn write_material(
    exporter: &mut Exporter<'_>,
    material: &Material,
    written: &mut schema::Material,
    location: &str,
) -> Result<(), ExportError> {
    check_factors(exporter, material, location)?;
    repair(exporter, written, location);
    let before = material_of(written, exporter.character.textures.len());
    written.name = name(&material.name);
    write_factors(material, &before, written);
    write_textures(exporter, material, &before, written, location)?;
    if written.pbr.as_deref() == Some(&schema::PbrMetallicRoughness::default()) {
        written.pbr = None;
    }
    write_strengths(material, &before, written)?;
    if material.alpha != before.alpha {
        set_alpha(written, material.alpha, location)?;
    }
    written.double_sided = material.double_sided;
    set_unlit(&mut written.rest, material.unlit)?;
    layers::write(exporter, material, &before, &mut written.rest, location)
}

fn inside(factor: f32) -> f32 {
    factor.clamp(0.0, 1.0)
}

/// Refuses factors that are not finite. Clamps factors to [0, 1], with a finding.
fn check_factors(
    exporter: &mut Exporter<'_>,
    material: &Material,
    location: &str,
) -> Result<(), ExportError> {
    let factors = [
        material.metallic,
        material.roughness,
        material.occlusion_strength,
    ];
    let mut factors = material
        .base_color
        .into_iter()
        .chain(material.emissive)
        .chain(factors);
    let mut others = [material.normal_scale, material.emissive_strength].into_iter();
    if !factors.clone().all(f32::is_finite) || !others.all(f32::is_finite) {
        return Err(ExportError::not_finite(location));
    }
    if factors.any(|x| !(0.0..=1.0).contains(&x)) {
        let message = "factors outside 0 to 1 were clamped";
        exporter
            .report
            .add(Severity::Repaired, "VALUE_NOT_IN_RANGE", location, message);
    }
    Ok(())
}

fn write_factors(material: &Material, before: &Material, written: &mut schema::Material) {
    let pbr = written.pbr.get_or_insert_default();
    if material.base_color.map(inside) != before.base_color {
        pbr.base_color_factor = Some(material.base_color.map(inside));
    }
    if inside(material.metallic) != before.metallic {
        pbr.metallic_factor = Some(inside(material.metallic).into());
    }
    if inside(material.roughness) != before.roughness {
        pbr.roughness_factor = Some(inside(material.roughness).into());
    }
    if material.emissive.map(inside) != before.emissive {
        written.emissive_factor = Some(material.emissive.map(inside));
    }
}

fn write_textures(
    exporter: &mut Exporter<'_>,
    material: &Material,
    before: &Material,
    written: &mut schema::Material,
    location: &str,
) -> Result<(), ExportError> {
    let of = |material: &Material| {
        [
            material.base_color_texture,
            material.metallic_roughness_texture,
            material.normal_texture,
            material.occlusion_texture,
            material.emissive_texture,
        ]
    };
    let pbr = written.pbr.get_or_insert_default();
    let members = [
        (
            "pbrMetallicRoughness/baseColorTexture",
            &mut pbr.base_color_texture,
        ),
        (
            "pbrMetallicRoughness/metallicRoughnessTexture",
            &mut pbr.metallic_roughness_texture,
        ),
        ("normalTexture", &mut written.normal_texture),
        ("occlusionTexture", &mut written.occlusion_texture),
        ("emissiveTexture", &mut written.emissive_texture),
    ];
    let uses = of(material).into_iter().zip(of(before));
    for ((name, member), (texture, before)) in members.into_iter().zip(uses) {
        if texture != before {
            set_texture(exporter, member, texture, format!("{location}/{name}"))?;
        }
    }
    Ok(())
}

fn write_strengths(
    material: &Material,
    before: &Material,
    written: &mut schema::Material,
) -> Result<(), ExportError> {
    if let Some(texture) = &mut written.normal_texture
        && material.normal_scale != before.normal_scale
    {
        let scale = to_raw_value(&material.normal_scale)?;
        texture.rest.insert("scale", scale);
    }
    if let Some(texture) = &mut written.occlusion_texture
        && inside(material.occlusion_strength) != before.occlusion_strength
    {
        let strength = to_raw_value(&inside(material.occlusion_strength))?;
        texture.rest.insert("strength", strength);
    }
    Ok(())
}

/// Clamps factors and drops references to missing textures, as the importer does.
fn repair(exporter: &mut Exporter<'_>, written: &mut schema::Material, location: &str) {
    let textures = exporter.character.textures.len();
    let mut put_right_texture = |texture: &mut Option<Box<TextureInfo>>, name: &str, shape| {
        let exists = |info: &mut Box<TextureInfo>| {
            info.index.is_some_and(|index| (index as usize) < textures)
                && info.tex_coord.unwrap_or(0) < MAX_TEXCOORDS
        };
        let at = format!("{location}/{name}");
        if texture.take_if(|info| !exists(info)).is_some() {
            exporter.leave_out(&at, "a texture that does not exist");
        }
        if let Some(info) = texture {
            exporter.clean(&mut info.rest, shape, &at);
        }
    };
    if let Some(pbr) = &mut written.pbr {
        let (base, mixed) = (
            &mut pbr.base_color_texture,
            &mut pbr.metallic_roughness_texture,
        );
        put_right_texture(base, "pbrMetallicRoughness/baseColorTexture", &TEXTURE);
        put_right_texture(
            mixed,
            "pbrMetallicRoughness/metallicRoughnessTexture",
            &TEXTURE,
        );
        pbr.base_color_factor = pbr.base_color_factor.map(|color| color.map(inside));
        for factor in [&mut pbr.metallic_factor, &mut pbr.roughness_factor] {
            *factor = factor.map(|factor| factor.clamp(0.0, 1.0));
        }
    }
    put_right_texture(
        &mut written.normal_texture,
        "normalTexture",
        &NORMAL_TEXTURE,
    );
    put_right_texture(
        &mut written.occlusion_texture,
        "occlusionTexture",
        &OCCLUSION_TEXTURE,
    );
    put_right_texture(&mut written.emissive_texture, "emissiveTexture", &TEXTURE);
    written.emissive_factor = written.emissive_factor.map(|color| color.map(inside));
    written.alpha_cutoff = written.alpha_cutoff.map(|cutoff| cutoff.max(0.0));
}

fn set_alpha(
    written: &mut schema::Material,
    alpha: Alpha,
    location: &str,
) -> Result<(), ExportError> {
    let mode = match alpha {
        Alpha::Opaque => AlphaMode::Opaque,
        Alpha::Mask(_) => AlphaMode::Mask,
        Alpha::Blend => AlphaMode::Blend,
    };
    if written.alpha_mode.unwrap_or_default() != mode {
        written.alpha_mode = Some(mode);
    }
    match alpha {
        Alpha::Mask(cutoff) if !cutoff.is_finite() => {
            return Err(ExportError::not_finite(location));
        }
        Alpha::Mask(cutoff) => written.alpha_cutoff = Some(cutoff.max(0.0).into()),
        Alpha::Opaque | Alpha::Blend => written.alpha_cutoff = None,
    }
    Ok(())
}

fn set_unlit(rest: &mut Rest, is_unlit: bool) -> Result<(), ExportError> {
    let was_unlit = rest.extension(UNLIT).map(|unlit| unlit.starts_with('{'));
    if was_unlit.unwrap_or(false) == is_unlit && was_unlit != Some(false) {
        return Ok(());
    }
    let nothing = || RawValue::from_string("{}".to_owned());
    let value = is_unlit.then(nothing).transpose()?;
    Ok(nested::set_extension(rest, UNLIT, value)?)
}
