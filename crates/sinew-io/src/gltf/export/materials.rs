//! Materials. A member is changed only where the character says something else than it does.

use super::error::check_reference;
use super::{ExportError, Exporter, name};
use crate::gltf::schema::{self, AlphaMode, TextureInfo};
use crate::gltf::{Rest, extras};
use crate::report::Severity;
use serde_json::value::{RawValue, to_raw_value};
use sinew::character::{Alpha, Material, TextureUse};

const UNLIT: &str = "KHR_materials_unlit";

/// Writes every material.
pub(super) fn write(exporter: &mut Exporter<'_>) -> Result<(), ExportError> {
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
    place: &str,
) -> Result<(), ExportError> {
    let Material {
        base_color,
        emissive,
        metallic,
        roughness,
        normal_scale,
        ..
    } = *material;
    let mut factors = base_color
        .iter()
        .chain(&emissive)
        .chain([&metallic, &roughness]);
    if !factors
        .clone()
        .chain([&normal_scale])
        .all(|x| x.is_finite())
    {
        return Err(ExportError::not_finite(place));
    }
    if factors.any(|x| !(0.0..=1.0).contains(x)) {
        let message = "factors outside of 0 to 1 were brought inside";
        exporter
            .report
            .add(Severity::Repaired, "VALUE_NOT_IN_RANGE", place, message);
    }
    written.name = name(&material.name);
    let pbr = written.pbr.get_or_insert_default();
    let inside = |x: f32| x.clamp(0.0, 1.0);
    set_array(&mut pbr.base_color_factor, base_color.map(inside), [1.0; 4]);
    set_number(&mut pbr.metallic_factor, inside(metallic), 1.0);
    set_number(&mut pbr.roughness_factor, inside(roughness), 1.0);
    let at = |member: &str| format!("{place}/{member}");
    let base = material.base_color_texture;
    set_texture(
        exporter,
        &mut pbr.base_color_texture,
        base,
        at("pbrMetallicRoughness"),
    )?;
    if **pbr == schema::PbrMetallicRoughness::default() {
        written.pbr = None;
    }
    set_array(&mut written.emissive_factor, emissive.map(inside), [0.0; 3]);
    let normal = material.normal_texture;
    set_texture(
        exporter,
        &mut written.normal_texture,
        normal,
        at("normalTexture"),
    )?;
    if let Some(texture) = &mut written.normal_texture {
        let scale = texture
            .rest
            .get("scale")
            .map_or(Some(1.0), |s| s.get().parse().ok());
        if scale != Some(normal_scale) {
            texture.rest.insert("scale", to_raw_value(&normal_scale)?);
        }
    }
    drop_broken_textures(written, exporter.character.textures.len());
    set_alpha(written, material.alpha, place)?;
    written.double_sided = material.double_sided;
    set_unlit(&mut written.rest, material.unlit)?;
    Ok(())
}

/// Sets a member unless it, or its absence, says the same already.
fn set_array<const N: usize>(member: &mut Option<[f32; N]>, value: [f32; N], default: [f32; N]) {
    if member.unwrap_or(default) != value {
        *member = Some(value);
    }
}

fn set_number(member: &mut Option<f64>, value: f32, default: f32) {
    if member.map_or(default, |number| number as f32) != value {
        *member = Some(f64::from(value));
    }
}

fn set_texture(
    exporter: &Exporter<'_>,
    member: &mut Option<Box<TextureInfo>>,
    texture: Option<TextureUse>,
    place: String,
) -> Result<(), ExportError> {
    let Some(TextureUse { texture, texcoord }) = texture else {
        *member = None;
        return Ok(());
    };
    let textures = exporter.character.textures.len();
    check_reference(texture, textures, || place)?;
    let member = member.get_or_insert_default();
    member.index = Some(texture as u32);
    if member.tex_coord.unwrap_or(0) != texcoord as u64 {
        member.tex_coord = Some(texcoord as u64);
    }
    Ok(())
}

/// Leaves out uses of textures that do not exist, which importers leave out too.
fn drop_broken_textures(written: &mut schema::Material, textures: usize) {
    let exists =
        |info: &mut Box<TextureInfo>| info.index.is_some_and(|index| (index as usize) < textures);
    if let Some(pbr) = &mut written.pbr {
        pbr.metallic_roughness_texture.take_if(|info| !exists(info));
    }
    written.occlusion_texture.take_if(|info| !exists(info));
    written.emissive_texture.take_if(|info| !exists(info));
}

fn set_alpha(written: &mut schema::Material, alpha: Alpha, place: &str) -> Result<(), ExportError> {
    let mode = match alpha {
        Alpha::Opaque => AlphaMode::Opaque,
        Alpha::Mask(_) => AlphaMode::Mask,
        Alpha::Blend => AlphaMode::Blend,
    };
    if written.alpha_mode.unwrap_or_default() != mode {
        written.alpha_mode = Some(mode);
    }
    match alpha {
        Alpha::Mask(cutoff) if !cutoff.is_finite() => return Err(ExportError::not_finite(place)),
        Alpha::Mask(cutoff) => set_number(&mut written.alpha_cutoff, cutoff.max(0.0), 0.5),
        Alpha::Opaque | Alpha::Blend => written.alpha_cutoff = None,
    }
    Ok(())
}

fn set_unlit(rest: &mut Rest, is_unlit: bool) -> Result<(), ExportError> {
    if rest.extension(UNLIT).is_some() == is_unlit {
        return Ok(());
    }
    let nothing = || RawValue::from_string("{}".to_owned());
    let member = is_unlit.then(nothing).transpose()?;
    if !extras::set_nested(rest, "extensions", UNLIT, member.clone())? {
        // Extensions that are no object mean nothing.
        *rest = extras::without(rest, "extensions");
        extras::set_nested(rest, "extensions", UNLIT, member)?;
    }
    Ok(())
}

/// Every texture that a material uses without an extension.
pub(super) fn textures(material: &schema::Material) -> impl Iterator<Item = &TextureInfo> {
    let pbr = material.pbr.iter();
    let of_pbr = pbr.flat_map(|pbr| [&pbr.base_color_texture, &pbr.metallic_roughness_texture]);
    let own = [
        &material.normal_texture,
        &material.occlusion_texture,
        &material.emissive_texture,
    ];
    own.into_iter().chain(of_pbr).flatten().map(|info| &**info)
}
