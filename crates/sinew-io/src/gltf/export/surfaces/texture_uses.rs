use crate::gltf::check::shapes::MAX_TEXCOORDS;
use crate::gltf::document::json::Rest;
use crate::gltf::document::nested::{object, set_extension};
use crate::gltf::document::schema::TextureInfo;
use crate::gltf::export::error::{ExportError, check_reference};
use crate::gltf::export::exporter::Exporter;
use serde_json::value::{RawValue, to_raw_value};
use sinew::character::{TextureUse, UV_IDENTITY, UvTransform};

const TRANSFORM: &str = "KHR_texture_transform";

pub(super) fn set_texture(
    exporter: &mut Exporter<'_>,
    member: &mut Option<Box<TextureInfo>>,
    texture: Option<TextureUse>,
    location: String,
) -> Result<(), ExportError> {
    let is_written = |used: &TextureUse| (used.texcoord as u64) < MAX_TEXCOORDS;
    let Some(used) = texture.filter(is_written) else {
        *member = None;
        return Ok(());
    };
    let textures = exporter.character.textures.len();
    check_reference(used.texture, textures, || location.clone())?;
    let member = member.get_or_insert_default();
    member.index = Some(used.texture as u32);
    member.tex_coord = Some(used.texcoord as u64).filter(|&set| set != 0);
    let moved = (used.transform != UV_IDENTITY).then(|| transform(&used.transform));
    if moved.as_ref().is_some_and(Option::is_none) {
        let what = "a texture transform that glTF cannot express";
        exporter.leave_out(&location, what);
    }
    let moved = moved.flatten().transpose()?;
    Ok(set_extension(&mut member.rest, TRANSFORM, moved)?)
}

/// A map of texture coordinates as offset, rotation and scale. `None` for other maps.
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
        Ok(object(members)?)
    };
    Some(write())
}
