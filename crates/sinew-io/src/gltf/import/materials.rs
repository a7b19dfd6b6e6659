//! Materials, textures and images.

use std::path::Path;

use super::layers::Layers;
use sinew::Material;
use sinew::character::{
    Alpha, Image, Texture, TextureFilter, TextureUse, TextureWrap, UV_IDENTITY, UvTransform,
};

use crate::gltf::budget::Budget;
use crate::gltf::buffers::{Buffers, Files};
use crate::gltf::images;
use crate::gltf::json::{self, elements, integer, number};
use crate::gltf::schema::{self, AlphaMode, Document, TextureInfo};
use crate::gltf::{GltfError, Rest};
use crate::report::{FileReport, Severity};

const TRANSFORM: &str = "KHR_texture_transform";

/// The materials of the file, in its order.
pub(super) fn materials(document: &Document) -> Vec<Material> {
    let textures = document.textures.len();
    let materials = document.materials.iter();
    materials
        .map(|material| material_of(material, textures))
        .collect()
}

/// A material as it is drawn, in a document with so many textures.
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

/// How strongly a texture works; 1 where nothing is said.
fn strength(info: Option<&TextureInfo>, name: &str) -> f32 {
    let said = info.and_then(|info| info.rest.get(name));
    let said = said.and_then(|said| said.get().parse().ok());
    said.filter(|said: &f32| said.is_finite()).unwrap_or(1.0)
}

/// The use of a texture, where there is such a texture.
fn texture_use(info: Option<&TextureInfo>, textures: usize) -> Option<TextureUse> {
    let info = info?;
    let moved = info.rest.extension(TRANSFORM);
    used(info.index?.into(), info.tex_coord, moved, textures)
}

/// The same of an object inside of an extension.
pub(super) fn texture_use_in(text: &str, textures: usize) -> Option<TextureUse> {
    let natural = |name: &str| match json::member(text, name).and_then(integer) {
        Some(json::Integer::Natural(value)) => Some(value),
        _ => None,
    };
    let moved = json::member(text, "extensions").and_then(|text| json::member(text, TRANSFORM));
    used(natural("index")?, natural("texCoord"), moved, textures)
}

fn used(
    texture: u64,
    texcoord: Option<u64>,
    moved: Option<&str>,
    textures: usize,
) -> Option<TextureUse> {
    let texture = usize::try_from(texture).ok().filter(|&t| t < textures)?;
    let other_set = moved
        .and_then(|moved| json::member(moved, "texCoord"))
        .and_then(integer);
    let texcoord = match other_set {
        Some(json::Integer::Natural(set)) => set,
        _ => texcoord.unwrap_or(0),
    };
    Some(TextureUse {
        texture,
        texcoord: usize::try_from(texcoord).ok()?,
        transform: moved.map_or(UV_IDENTITY, transform_of),
    })
}

/// Scaled, then turned against the clock as one sees it, then shifted. v grows downward.
fn transform_of(extension: &str) -> UvTransform {
    let finite = |text: &str| {
        number(text)
            .map(|value| value as f32)
            .filter(|value| value.is_finite())
    };
    let pair = |name: &str, default: [f32; 2]| {
        let numbers = json::member(extension, name).and_then(elements);
        let numbers: Option<Vec<f32>> =
            numbers.and_then(|numbers| numbers.take(3).map(finite).collect());
        numbers
            .and_then(|numbers| numbers.try_into().ok())
            .unwrap_or(default)
    };
    let ([x, y], [wide, high]) = (pair("offset", [0.0; 2]), pair("scale", [1.0; 2]));
    let angle_rad = json::member(extension, "rotation")
        .and_then(finite)
        .unwrap_or(0.0);
    let (sin, cos) = angle_rad.sin_cos();
    [[cos * wide, sin * high, x], [-sin * wide, cos * high, y]]
}

/// The filter that a member of a sampler says; of the smaller ones also those that take the nearest pixel of a
/// smaller picture.
pub(in crate::gltf) fn filter_of(sampler: &Rest, name: &str) -> TextureFilter {
    match sampler.get(name).map(|value| value.get()) {
        Some("9728" | "9984" | "9986") => TextureFilter::Nearest,
        _ => TextureFilter::Linear,
    }
}

/// The image of a texture: that of an extension if it is there and drawn, else the texture's own.
pub(in crate::gltf) fn image_of(texture: &schema::Texture, images: &[Image]) -> Option<usize> {
    let mut others = images::EXTENSIONS
        .into_iter()
        .filter_map(|(mime_type, extension)| {
            let object = texture.rest.extension(extension)?;
            let Some(json::Integer::Natural(image)) =
                json::member(object, "source").and_then(integer)
            else {
                return None;
            };
            let image = usize::try_from(image).ok()?;
            let bytes = &images.get(image)?.bytes;
            let is_drawn = images::mime_type_of(bytes) == Some(mime_type)
                && images::examine(bytes).is_ok()
                && images::why_not_drawn(bytes).is_none();
            is_drawn.then_some(image)
        });
    let own = texture.source.map(|image| image as usize);
    others.next().or(own.filter(|image| *image < images.len()))
}

/// The textures of the file, in its order.
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

/// The images of the file, in its order, as they are encoded.
pub(super) fn images(
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
        let read = buffers.image(document, image, &pointer, &mut files, report, budget)?;
        let found = read.as_ref().map(|bytes| images::mime_type_of(bytes));
        if let Some(bytes) = &read {
            check_image(document, image, bytes, &pointer, report);
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

/// Are the bytes a picture, and the one that they are called?
fn check_image(
    document: &Document,
    image: &schema::Image,
    bytes: &[u8],
    pointer: &str,
    report: &mut FileReport,
) {
    let mut ignored = |code: &'static str, place: &str, message: &str| {
        report.add(
            Severity::Ignored,
            code,
            format_args!("{pointer}{place}"),
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
            "the data is not of the type that its URI says",
        );
    }
    let place = if image.buffer_view.is_some() {
        "/bufferView"
    } else {
        "/uri"
    };
    match (found, image.mime_type.as_deref()) {
        (Some(found), Some(declared)) if found != declared => {
            let message = format!("the image is {found} and called {declared}");
            ignored("IMAGE_MIME_TYPE_INVALID", place, &message);
        }
        (None, _) if !claimed.is_some_and(is_other) => {
            ignored(
                "IMAGE_UNRECOGNIZED_FORMAT",
                "",
                "nothing is known of what the image is",
            );
        }
        _ => {}
    }
    // Only what is wrong before the pixels makes it no picture; the rest is said and written again.
    match images::examine(bytes) {
        Err(fault) => ignored(fault.code(), "", fault.message()),
        Ok(()) if !images::is_whole(bytes) => {
            let message = "the picture's pixels are damaged or end too early";
            ignored("IMAGE_DATA_INVALID", "", message);
        }
        Ok(()) => {}
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

/// Are textures made of the pictures that they may be made of?
fn check_sources(document: &Document, images: &[Image], report: &mut FileReport) {
    let type_of = |image: u64| {
        let image = usize::try_from(image)
            .ok()
            .and_then(|image| images.get(image))?;
        images::mime_type_of(&image.bytes)
    };
    for (index, texture) in document.textures.iter().enumerate() {
        let mut check = |image: Option<u64>, is_right: &dyn Fn(&str) -> bool, place: &str| {
            if let Some(found) = image.and_then(type_of).filter(|found| !is_right(found)) {
                let at = format_args!("/textures/{index}/{place}source");
                let message = format_args!("a texture is not made of {found} here");
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
                .and_then(integer);
            if let Some(json::Integer::Natural(image)) = source {
                let place = format!("extensions/{extension}/");
                check(Some(image), &|found| found == mime_type, &place);
            }
        }
    }
}
