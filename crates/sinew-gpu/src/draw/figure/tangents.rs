use sinew::character::{TextureUse, UV_IDENTITY};
use sinew::{Character, Primitive};
use std::borrow::Cow;
use std::sync::Arc;

pub(crate) fn needs_tangents<'a>(
    character: &Character,
    mut primitives: impl Iterator<Item = &'a Primitive>,
) -> bool {
    primitives.any(|p| p.tangents.is_some() && normal_map(character, p).is_some())
}

/// Surface with the tangents of the file, or with computed tangents if a normal map needs them. If
/// the normal map has a transform, the shader derives tangents from the transformed coordinates.
pub(super) fn with_tangents<'a>(
    character: &Character,
    primitive: &'a Primitive,
) -> Cow<'a, Primitive> {
    let map = normal_map(character, primitive);
    let map = map.filter(|m| primitive.tangents.is_none() && m.transform == UV_IDENTITY);
    match map.and_then(|m| primitive.tangents_from_texcoord(m.texcoord)) {
        Some(tangents) => Cow::Owned(Primitive {
            tangents: Some(Arc::new(tangents)),
            ..primitive.clone()
        }),
        None => Cow::Borrowed(primitive),
    }
}

fn normal_map(character: &Character, primitive: &Primitive) -> Option<TextureUse> {
    let material = character.materials.get(primitive.material?)?;
    material
        .normal_texture
        .or(material.clearcoat.normal_texture)
}
