use std::path::Path;

use crate::gltf::bytes::buffers::{Buffers, Files};
use crate::gltf::bytes::images;
use crate::gltf::document::budget::Budget;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::json::{self, Rest, natural};
use crate::gltf::document::schema::{self, Document};
use crate::report::{FileReport, Severity};
use sinew::character::{Image, Texture, TextureFilter, TextureWrap};
use sinew::steps::pause;

/// Filter from a member of a sampler. Nearest includes mipmap filters with the nearest pixel.
pub(in crate::gltf) fn filter_of(sampler: &Rest, name: &str) -> TextureFilter {
    match sampler.get(name).map(|value| value.get()) {
        Some("9728" | "9984" | "9986") => TextureFilter::Nearest,
        _ => TextureFilter::Linear,
    }
}

/// Image of a texture: the image of an extension if it can be drawn, else the plain image.
pub(in crate::gltf) fn image_of(texture: &schema::Texture, images: &[Image]) -> Option<usize> {
    let mut others = images::EXTENSIONS
        .into_iter()
        .filter_map(|(mime_type, extension)| {
            let object = texture.rest.extension(extension)?;
            let image: usize = json::member(object, "source").and_then(natural)?;
            let bytes = &images.get(image)?.bytes;
            let is_drawn = images::mime_type_of(bytes) == Some(mime_type)
                && images::examine(bytes).is_ok()
                && images::why_not_drawn(bytes).is_none();
            is_drawn.then_some(image)
        });
    let own = texture.source.map(|image| image as usize);
    others.next().or(own.filter(|image| *image < images.len()))
}

pub(super) fn textures(document: &Document, images: &[Image]) -> Vec<Texture> {
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
            image: image_of(texture, images),
            wrap: [wrap("wrapS"), wrap("wrapT")],
            magnified: sampler.map_or(TextureFilter::Linear, |sampler| {
                filter_of(&sampler.rest, "magFilter")
            }),
            minified: sampler.map_or(TextureFilter::Linear, |sampler| {
                filter_of(&sampler.rest, "minFilter")
            }),
        }
    };
    document.textures.iter().map(texture_of).collect()
}

pub(super) async fn images(
    document: &Document,
    buffers: &Buffers<'_>,
    folder: Option<&Path>,
    report: &mut FileReport,
    budget: &mut Budget,
) -> Result<Vec<Image>, GltfError> {
    let mut files = Files::new(folder);
    let mut images = Vec::with_capacity(document.images.len());
    for (index, image) in document.images.iter().enumerate() {
        let pointer = format!("/images/{index}");
        pause().await;
        let read = match cfg!(feature = "pictures") {
            true => buffers.image(document, image, &pointer, &mut files, report, budget)?,
            false => {
                let message = format_args!("the image was left out: {}", images::LEFT_OUT);
                report.add(Severity::Ignored, "NOT_DRAWN", &pointer, message);
                None
            }
        };
        let found = read.as_ref().map(|bytes| images::mime_type_of(bytes));
        if let Some(bytes) = &read {
            check_image(document, image, bytes, &pointer, report);
            note_damage(bytes, &pointer, report);
        }
        let declared = image.mime_type.as_deref();
        let declared = declared
            .or_else(|| Buffers::claimed_type(image))
            .unwrap_or_default();
        images.push(Image {
            name: image.name.as_deref().unwrap_or_default().to_owned(),
            mime_type: found.flatten().unwrap_or(declared).to_owned(),
            bytes: read.unwrap_or_default(),
        });
    }
    check_sources(document, &images, report);
    Ok(images)
}

fn check_image(
    document: &Document,
    image: &schema::Image,
    bytes: &[u8],
    pointer: &str,
    report: &mut FileReport,
) {
    let mut ignored = |code: &'static str, member: &str, message: &str| {
        report.add(
            Severity::Ignored,
            code,
            format_args!("{pointer}{member}"),
            message,
        );
    };
    let found = images::mime_type_of(bytes);
    let is_other = |claimed: &str| match found {
        Some(found) => found != claimed,
        None => images::is_known(claimed) || claimed.is_empty(),
    };
    let claimed = Buffers::claimed_type(image);
    if claimed.is_some_and(is_other) {
        ignored(
            "INVALID_URI",
            "/uri",
            "the data is not of the MIME type that its URI states",
        );
    }
    let member = if image.buffer_view.is_some() {
        "/bufferView"
    } else {
        "/uri"
    };
    match (found, image.mime_type.as_deref()) {
        (Some(found), Some(declared)) if found != declared => {
            let message = format!("the image is {found}, but its `mimeType` is {declared}");
            ignored("IMAGE_MIME_TYPE_INVALID", member, &message);
        }
        (None, _) if !claimed.is_some_and(is_other) => {
            ignored(
                "IMAGE_UNRECOGNIZED_FORMAT",
                "",
                "the format of the image is unknown",
            );
        }
        _ => {}
    }
    if let Err(fault) = images::examine(bytes) {
        ignored(fault.code(), "", fault.message());
    }
    let Some(found) = found.filter(|found| !images::is_core(found)) else {
        return;
    };
    let extension = images::extension_for(found).unwrap_or_default();
    if !document
        .extensions_used
        .iter()
        .any(|used| &**used == extension)
    {
        let message = format!("{found} needs the extension {extension}, which is not declared");
        ignored("IMAGE_NON_ENABLED_MIME_TYPE", "", &message);
    }
    if let Some(why) = images::why_not_drawn(bytes) {
        let message = format!("{why}; surfaces are drawn without this image");
        ignored("NOT_DRAWN", "", &message);
    }
}

/// Reports damage after the header. Keeps the image, because other programs show parts of it.
fn note_damage(bytes: &[u8], pointer: &str, report: &mut FileReport) {
    if images::examine(bytes).is_ok() && !images::is_whole(bytes) {
        let message = "the image's pixels are damaged or incomplete; it is kept unchanged";
        report.add(Severity::Note, "IMAGE_DATA_INVALID", pointer, message);
    }
}

fn check_sources(document: &Document, images: &[Image], report: &mut FileReport) {
    let type_of = |image: u64| {
        let image = usize::try_from(image)
            .ok()
            .and_then(|image| images.get(image))?;
        images::mime_type_of(&image.bytes)
    };
    for (index, texture) in document.textures.iter().enumerate() {
        let mut check = |image: Option<u64>, is_right: &dyn Fn(&str) -> bool, member: &str| {
            if let Some(found) = image.and_then(type_of).filter(|found| !is_right(found)) {
                let at = format_args!("/textures/{index}/{member}source");
                let message = format_args!("a texture must not use {found} here");
                report.add(
                    Severity::Ignored,
                    "TEXTURE_INVALID_IMAGE_MIME_TYPE",
                    at,
                    message,
                );
            }
        };
        check(texture.source.map(u64::from), &images::is_core, "");
        for (mime_type, extension) in images::EXTENSIONS {
            let object = texture.rest.extension(extension);
            let source = object
                .and_then(|object| json::member(object, "source"))
                .and_then(natural);
            let member = format!("extensions/{extension}/");
            check(source, &|found| found == mime_type, &member);
        }
    }
}
