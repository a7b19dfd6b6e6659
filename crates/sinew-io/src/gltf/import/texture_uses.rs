use crate::gltf::document::json::{self, elements, natural, number};
use crate::gltf::document::schema::TextureInfo;
use sinew::character::{TextureUse, UV_IDENTITY, UvTransform};

const TRANSFORM: &str = "KHR_texture_transform";

pub(super) fn texture_use(info: Option<&TextureInfo>, textures: usize) -> Option<TextureUse> {
    let info = info?;
    let moved = info.rest.extension(TRANSFORM);
    used(info.index?.into(), info.tex_coord, moved, textures)
}

/// Same as [`texture_use`], for an object inside an extension.
pub(super) fn texture_use_in(text: &str, textures: usize) -> Option<TextureUse> {
    let natural = |name: &str| json::member(text, name).and_then(natural);
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
        .and_then(natural);
    let texcoord = other_set.or(texcoord).unwrap_or(0);
    Some(TextureUse {
        texture,
        texcoord: usize::try_from(texcoord).ok()?,
        transform: moved.map_or(UV_IDENTITY, transform_of),
    })
}

/// Map that scales, rotates counter-clockwise in the image (v grows downward) and shifts.
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
