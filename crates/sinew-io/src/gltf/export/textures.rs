//! Textures, their samplers and their images.

use super::error::check_reference;
use super::{ExportError, Exporter, name};
use crate::gltf::Rest;
use crate::gltf::schema::{self, Unread};
use serde_json::value::to_raw_value;
use sinew::character::{Image, TextureWrap};

const PNG: &str = "image/png";
const JPEG: &str = "image/jpeg";
const UNKNOWN: &str = "application/octet-stream";

/// What the bytes of an image are, as far as glTF knows them without extensions.
fn recognized(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some(PNG),
        [0xff, 0xd8, 0xff, ..] => Some(JPEG),
        _ => None,
    }
}

/// Writes every image that a document can hold; the others have no index.
pub(super) fn write_images(exporter: &mut Exporter<'_>) -> Vec<Option<u32>> {
    let mut written = Vec::new();
    let mut indices = Vec::with_capacity(exporter.character.images.len());
    let mut source = std::mem::take(&mut exporter.document.images).into_iter();
    for (index, image) in exporter.character.images.iter().enumerate() {
        match write_image(exporter, image, source.next()) {
            Some(image) => {
                indices.push(Some(written.len() as u32));
                written.push(image);
            }
            None => {
                let message = "an image that is neither PNG nor JPEG";
                exporter.leave_out(format_args!("/images/{index}"), message);
                indices.push(None);
            }
        }
    }
    exporter.document.images = written;
    indices
}

fn write_image(
    exporter: &mut Exporter<'_>,
    image: &Image,
    source: Option<schema::Image>,
) -> Option<schema::Image> {
    let mime_type = recognized(&image.bytes);
    // Other formats need an extension, which only a source can have brought along.
    let mut written = match source {
        None if mime_type.is_none() => return None,
        source => source.unwrap_or_default(),
    };
    written.name = name(&image.name);
    if image.bytes.is_empty() {
        let is_file = |uri: &str| !uri.starts_with("data:");
        written.buffer_view = None;
        return written
            .uri
            .as_deref()
            .is_some_and(is_file)
            .then_some(written);
    }
    let kept = written.buffer_view.filter(|&view| {
        exporter.keeps_buffers() && exporter.buffer.view_bytes(view) == Some(&image.bytes)
    });
    written.buffer_view = Some(kept.unwrap_or_else(|| exporter.buffer.view(&image.bytes, None)));
    written.uri = None;
    let declared = Some(image.mime_type.as_str()).filter(|declared| !declared.is_empty());
    let mime_type = mime_type.or(declared).unwrap_or(UNKNOWN);
    written.mime_type = Some(mime_type.into());
    Some(written)
}

/// Writes every texture.
pub(super) fn write(
    exporter: &mut Exporter<'_>,
    images: &[Option<u32>],
) -> Result<(), ExportError> {
    let mut written = std::mem::take(&mut exporter.document.textures);
    written.resize_with(exporter.character.textures.len(), schema::Texture::default);
    let textures = exporter.character.textures.iter();
    for (index, (texture, written)) in textures.zip(&mut written).enumerate() {
        written.source = match texture.image {
            None => None,
            Some(image) => {
                check_reference(image, images.len(), || format!("/textures/{index}/source"))?;
                images[image].filter(|&image| is_core(exporter, image))
            }
        };
        written.sampler = sampler(exporter, written.sampler, texture.wrap)?;
    }
    exporter.document.textures = written;
    Ok(())
}

/// Whether a texture may use the image without an extension.
fn is_core(exporter: &Exporter<'_>, image: u32) -> bool {
    let mime_type = exporter.document.images[image as usize]
        .mime_type
        .as_deref();
    mime_type.is_none_or(|mime_type| [PNG, JPEG].contains(&mime_type))
}

/// A sampler that repeats as `wrap` says: the one that the texture has, or one like it.
fn sampler(
    exporter: &mut Exporter<'_>,
    current: Option<u32>,
    wrap: [TextureWrap; 2],
) -> Result<Option<u32>, ExportError> {
    let samplers = &mut exporter.document.samplers;
    let current = current.filter(|&index| (index as usize) < samplers.len());
    let mut wanted = match current {
        Some(index) => samplers[index as usize].clone(),
        None => Unread::default(),
    };
    let mut is_same = true;
    for (member, wrap) in ["wrapS", "wrapT"].into_iter().zip(wrap) {
        if read_wrap(&wanted.rest, member) != wrap {
            wanted.rest.insert(member, to_raw_value(&code(wrap))?);
            is_same = false;
        }
    }
    if is_same {
        return Ok(current);
    }
    let alike = samplers.iter().position(|sampler| *sampler == wanted);
    if alike.is_none() {
        samplers.push(wanted);
    }
    Ok(Some(alike.unwrap_or(samplers.len() - 1) as u32))
}

fn read_wrap(rest: &Rest, member: &str) -> TextureWrap {
    let read = rest.get(member).and_then(|value| value.get().parse().ok());
    let all = [TextureWrap::Mirror, TextureWrap::Clamp];
    let known = all.into_iter().find(|&wrap| read == Some(code(wrap)));
    known.unwrap_or(TextureWrap::Repeat)
}

fn code(wrap: TextureWrap) -> u32 {
    match wrap {
        TextureWrap::Repeat => 10497,
        TextureWrap::Mirror => 33648,
        TextureWrap::Clamp => 33071,
    }
}
