//! Materials. A member is changed only where the character says something else than it does.

use super::error::check_reference;
use super::layers;
use super::{ExportError, Exporter, name};
use crate::gltf::check::shape::MAX_TEXCOORDS;
use crate::gltf::check::shapes::{NORMAL_TEXTURE, OCCLUSION_TEXTURE, TEXTURE};
use crate::gltf::import::material_of;
use crate::gltf::schema::{self, AlphaMode, TextureInfo};
use crate::gltf::{Rest, extras};
use crate::report::Severity;
use serde_json::value::{RawValue, to_raw_value};
use sinew::character::{Alpha, Material, TextureUse, UV_IDENTITY, UvTransform};

const UNLIT: &str = "KHR_materials_unlit";

const TRANSFORM: &str = "KHR_texture_transform";

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
        return Err(ExportError::not_finite(place));
    }
    if factors.any(|x| !(0.0..=1.0).contains(&x)) {
        let message = "factors outside of 0 to 1 were brought inside";
        exporter
            .report
            .add(Severity::Repaired, "VALUE_NOT_IN_RANGE", place, message);
    }
    put_right(exporter, written, place);
    let textures = exporter.character.textures.len();
    let before = material_of(written, textures);
    written.name = name(&material.name);
    let pbr = written.pbr.get_or_insert_default();
    let inside = |x: f32| x.clamp(0.0, 1.0);
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
    let textures = [
        (
            &mut pbr.base_color_texture,
            material.base_color_texture,
            before.base_color_texture,
            "pbrMetallicRoughness/baseColorTexture",
        ),
        (
            &mut pbr.metallic_roughness_texture,
            material.metallic_roughness_texture,
            before.metallic_roughness_texture,
            "pbrMetallicRoughness/metallicRoughnessTexture",
        ),
        (
            &mut written.normal_texture,
            material.normal_texture,
            before.normal_texture,
            "normalTexture",
        ),
        (
            &mut written.occlusion_texture,
            material.occlusion_texture,
            before.occlusion_texture,
            "occlusionTexture",
        ),
        (
            &mut written.emissive_texture,
            material.emissive_texture,
            before.emissive_texture,
            "emissiveTexture",
        ),
    ];
    for (member, texture, before, name) in textures {
        if texture != before {
            set_texture(exporter, member, texture, format!("{place}/{name}"))?;
        }
    }
    if written.pbr.as_deref() == Some(&schema::PbrMetallicRoughness::default()) {
        written.pbr = None;
    }
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
    if material.alpha != before.alpha {
        set_alpha(written, material.alpha, place)?;
    }
    written.double_sided = material.double_sided;
    set_unlit(&mut written.rest, material.unlit)?;
    layers::write(exporter, material, &before, &mut written.rest, place)
}

/// Brings factors inside of their ranges, and leaves out uses of textures that do not exist, which importers do too.
fn put_right(exporter: &mut Exporter<'_>, written: &mut schema::Material, place: &str) {
    let inside = |x: f32| x.clamp(0.0, 1.0);
    let textures = exporter.character.textures.len();
    let mut put_right_texture = |texture: &mut Option<Box<TextureInfo>>, name: &str, shape| {
        let exists = |info: &mut Box<TextureInfo>| {
            info.index.is_some_and(|index| (index as usize) < textures)
                && info.tex_coord.unwrap_or(0) < MAX_TEXCOORDS
        };
        let at = format!("{place}/{name}");
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

pub(super) fn set_texture(
    exporter: &mut Exporter<'_>,
    member: &mut Option<Box<TextureInfo>>,
    texture: Option<TextureUse>,
    place: String,
) -> Result<(), ExportError> {
    let is_written = |used: &TextureUse| (used.texcoord as u64) < MAX_TEXCOORDS;
    let Some(used) = texture.filter(is_written) else {
        *member = None;
        return Ok(());
    };
    let textures = exporter.character.textures.len();
    check_reference(used.texture, textures, || place.clone())?;
    let member = member.get_or_insert_default();
    member.index = Some(used.texture as u32);
    member.tex_coord = Some(used.texcoord as u64).filter(|&set| set != 0);
    let transform = match used.transform == UV_IDENTITY {
        true => None,
        false => match transform(&used.transform) {
            Some(transform) => Some(transform?),
            None => {
                exporter.leave_out(
                    &place,
                    "a transform of a texture that glTF has no words for",
                );
                None
            }
        },
    };
    set_extension(&mut member.rest, TRANSFORM, transform)
}

/// A map of texture coordinates as offset, rotation and scale, where it is one.
fn transform(rows: &UvTransform) -> Option<Result<Box<RawValue>, ExportError>> {
    let [[a, b, x], [c, d, y]] = *rows;
    let angle_rad = (-c).atan2(a);
    let (sin, cos) = angle_rad.sin_cos();
    let (wide, high) = (a * cos - c * sin, b * sin + d * cos);
    let size = a.abs().max(b.abs()).max(c.abs()).max(d.abs());
    let is_same = (b - sin * high).abs().max((d - cos * high).abs()) <= 1e-5 * size;
    if !is_same || !rows.iter().flatten().all(|value| value.is_finite()) {
        return None;
    }
    let write = || -> Result<Box<RawValue>, ExportError> {
        let mut members = Rest::default();
        members.push("offset", to_raw_value(&[x, y])?);
        members.push("rotation", to_raw_value(&angle_rad)?);
        members.push("scale", to_raw_value(&[wide, high])?);
        Ok(extras::object(members)?)
    };
    Some(write())
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
    set_extension(rest, UNLIT, is_unlit.then(nothing).transpose()?)
}

pub(super) fn set_extension(
    rest: &mut Rest,
    name: &str,
    value: Option<Box<RawValue>>,
) -> Result<(), ExportError> {
    if !extras::set_nested(rest, "extensions", name, value.clone())? {
        // Extensions that are no object mean nothing.
        *rest = extras::without(rest, "extensions");
        extras::set_nested(rest, "extensions", name, value)?;
    }
    Ok(())
}
