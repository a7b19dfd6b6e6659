use crate::gltf::bytes::{images, uri};
use crate::gltf::check::shapes::SAMPLER;
use crate::gltf::document::json::{self, Rest, natural};
use crate::gltf::document::nested;
use crate::gltf::document::schema::{self, Unread};
use crate::gltf::export::error::{ExportError, check_reference};
use crate::gltf::export::exporter::{Exporter, name};
use crate::gltf::import::{filter_of, image_of};
use crate::report::Severity;
use serde_json::value::to_raw_value;
use sinew::character::{Image, Texture, TextureFilter, TextureWrap};

/// Writes every image of a supported format. Other images get no index.
pub(in crate::gltf) fn write_images(exporter: &mut Exporter<'_>) -> Vec<Option<u32>> {
    let mut written = Vec::new();
    let mut indices = Vec::with_capacity(exporter.character.images.len());
    let mut source = std::mem::take(&mut exporter.document.images).into_iter();
    for (index, image) in exporter.character.images.iter().enumerate() {
        match write_image(exporter, image, source.next()) {
            Ok(image) => {
                indices.push(Some(written.len() as u32));
                written.push(image);
            }
            Err(what) => {
                exporter.leave_out(format_args!("/images/{index}"), what);
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
) -> Result<schema::Image, &'static str> {
    let mut written = source.unwrap_or_default();
    written.name = name(&image.name);
    if image.bytes.is_empty() {
        let is_file = |uri: &str| !uri.starts_with("data:") && uri::fault(uri).is_none();
        written.buffer_view = None;
        let has_file = written.uri.as_deref().is_some_and(is_file);
        return has_file.then_some(written).ok_or("an image without bytes");
    }
    if images::examine(&image.bytes).is_err() {
        return Err("a damaged image");
    }
    // The format is unknown here, but an extension of the source may support it.
    let declared = Some(image.mime_type.as_str());
    let declared = declared.filter(|declared| !declared.is_empty() && !images::is_known(declared));
    let Some(mime_type) = images::mime_type_of(&image.bytes).or(declared) else {
        return Err("an image of an unknown format");
    };
    let kept = written.buffer_view.filter(|&view| {
        exporter.keeps_buffers() && exporter.buffer.view_bytes(view) == Some(&image.bytes)
    });
    written.buffer_view = Some(kept.unwrap_or_else(|| exporter.buffer.view(&image.bytes, None)));
    written.uri = None;
    written.mime_type = Some(mime_type.into());
    Ok(written)
}

pub(in crate::gltf) fn write(
    exporter: &mut Exporter<'_>,
    images: &[Option<u32>],
) -> Result<(), ExportError> {
    clean_samplers(exporter);
    let mut written = std::mem::take(&mut exporter.document.textures);
    written.resize_with(exporter.character.textures.len(), schema::Texture::default);
    let textures = exporter.character.textures.iter();
    for (index, (texture, written)) in textures.zip(&mut written).enumerate() {
        let location = format!("/textures/{index}");
        let before = image_of(written, &exporter.character.images);
        write_other_sources(exporter, written, images, &location)?;
        let own = written.source.take().map(|own| own as usize);
        // A texture may have a fallback for the image of an extension.
        let image = if before == texture.image && before != own {
            own.filter(|own| *own < images.len())
        } else {
            texture.image
        };
        if before != texture.image && before != own {
            for (_, extension) in images::EXTENSIONS {
                set_other_source(written, extension, None)?;
            }
        }
        if let Some(image) = image {
            check_reference(image, images.len(), || format!("{location}/source"))?;
            set_source(exporter, written, images[image], &location)?;
        }
        written.sampler = sampler(exporter, written.sampler, texture)?;
    }
    exporter.document.textures = written;
    Ok(())
}

fn type_of<'a>(exporter: &'a Exporter<'_>, image: u32) -> Option<&'a str> {
    let image = exporter.document.images.get(image as usize)?;
    image.mime_type.as_deref()
}

/// Sets the image in `source`, or in the extension that its format needs.
fn set_source(
    exporter: &mut Exporter<'_>,
    written: &mut schema::Texture,
    image: Option<u32>,
    location: &str,
) -> Result<(), ExportError> {
    let Some(image) = image else {
        return Ok(());
    };
    let mime_type = type_of(exporter, image).unwrap_or("image/png");
    if images::is_core(mime_type) {
        written.source = Some(image);
        return Ok(());
    }
    let at = format!("{location}/source");
    let Some(extension) = images::extension_for(mime_type) else {
        exporter.leave_out(at, "an image of a format that textures cannot use");
        return Ok(());
    };
    if written.rest.extension(extension).is_none() {
        let message =
            format!("textures of {mime_type} need the extension {extension}; it was added");
        let code = "TEXTURE_INVALID_IMAGE_MIME_TYPE";
        exporter.report.add(Severity::Repaired, code, at, message);
        set_other_source(written, extension, Some(image))?;
    }
    Ok(())
}

fn set_other_source(
    written: &mut schema::Texture,
    extension: &str,
    image: Option<u32>,
) -> Result<(), ExportError> {
    let mut object = Rest::default();
    if let Some(image) = image {
        object.push("source", to_raw_value(&image)?);
    }
    let object = image.map(|_| nested::object(object)).transpose()?;
    Ok(nested::set_extension(&mut written.rest, extension, object)?)
}

/// Updates the images of extensions. Drops images of the wrong format.
fn write_other_sources(
    exporter: &mut Exporter<'_>,
    written: &mut schema::Texture,
    images: &[Option<u32>],
    location: &str,
) -> Result<(), ExportError> {
    for (mime_type, extension) in images::EXTENSIONS {
        let Some(object) = written.rest.extension(extension) else {
            continue;
        };
        let before: Option<usize> = json::member(object, "source").and_then(natural);
        let after = before.and_then(|image| images.get(image).copied().flatten());
        let is_right = after
            .is_some_and(|image| type_of(exporter, image).is_none_or(|found| found == mime_type));
        if !is_right {
            let at = format!("{location}/extensions/{extension}");
            exporter.leave_out(at, "an image that is missing or of another format");
            set_other_source(written, extension, None)?;
        } else if before != after.map(|image| image as usize) {
            set_other_source(written, extension, after)?;
        }
    }
    Ok(())
}

/// Drops invalid members of samplers. All of these members are optional.
fn clean_samplers(exporter: &mut Exporter<'_>) {
    let mut samplers = std::mem::take(&mut exporter.document.samplers);
    for (index, sampler) in samplers.iter_mut().enumerate() {
        let location = format!("/samplers/{index}");
        exporter.clean(&mut sampler.rest, &SAMPLER, &location);
    }
    exporter.document.samplers = samplers;
}

fn sampler(
    exporter: &mut Exporter<'_>,
    current: Option<u32>,
    texture: &Texture,
) -> Result<Option<u32>, ExportError> {
    let samplers = &mut exporter.document.samplers;
    let current = current.filter(|&index| (index as usize) < samplers.len());
    let mut expected = match current {
        Some(index) => samplers[index as usize].clone(),
        None => Unread::default(),
    };
    let mut is_same = true;
    for (member, wrap) in ["wrapS", "wrapT"].into_iter().zip(texture.wrap) {
        if read_wrap(&expected.rest, member) != wrap {
            expected.rest.insert(member, to_raw_value(&code(wrap))?);
            is_same = false;
        }
    }
    let filters = [
        ("magFilter", texture.magnified),
        ("minFilter", texture.minified),
    ];
    for (member, filter) in filters {
        if filter_of(&expected.rest, member) != filter {
            let code: u32 = if filter == TextureFilter::Nearest {
                9728
            } else {
                9729
            };
            expected.rest.insert(member, to_raw_value(&code)?);
            is_same = false;
        }
    }
    if is_same {
        return Ok(current);
    }
    let alike = samplers.iter().position(|sampler| *sampler == expected);
    if alike.is_none() {
        samplers.push(expected);
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
