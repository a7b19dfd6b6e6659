//! Tangents of the surfaces that need them.

use sinew::character::{TextureUse, UV_IDENTITY};
use sinew::{Character, Primitive};
use std::borrow::Cow;
use std::sync::Arc;

/// Some surface with tangents has a map that bends its normals along them.
pub(crate) fn needs_tangents<'a>(
    character: &Character,
    mut primitives: impl Iterator<Item = &'a Primitive>,
) -> bool {
    primitives.any(|p| p.tangents.is_some() && normal_map(character, p).is_some())
}

/// A surface with the file's tangents, or with those of its texture coordinates where it has none and a normal map
/// asks for them.
/// A map that is moved over the surface keeps those that a shader finds by derivatives, which move with it.
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
