//! Which extensions an exported document uses.

use super::ExportError;
use crate::gltf::schema::{Document, Material, TextureInfo};
use crate::gltf::{Rest, extras};
use std::collections::HashSet;

/// Extensions about how buffers were stored, which is not how they are stored now.
const GONE: [&str; 4] = [
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
];

/// Drops what is no longer true and declares what is used.
pub(super) fn write(document: &mut Document) -> Result<(), ExportError> {
    let mut used: Vec<Box<str>> = std::mem::take(&mut document.extensions_used);
    let mut known: HashSet<Box<str>> = used.iter().cloned().collect();
    let mut failure = None;
    for_each_rest(document, &mut |rest| {
        if let Err(error) = clean(rest) {
            failure = Some(error);
        }
        for (name, _) in rest.extensions() {
            if !known.contains(&*name) {
                known.insert((&*name).into());
                used.push(name.into());
            }
        }
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    let is_true = |name: &str| !GONE.contains(&name);
    used.retain(|name| is_true(name));
    document
        .extensions_required
        .retain(|name| is_true(name) && known.contains(name));
    document.extensions_used = used;
    Ok(())
}

fn clean(rest: &mut Rest) -> Result<(), serde_json::Error> {
    for name in GONE {
        if rest.extension(name).is_some() {
            extras::set_nested(rest, "extensions", name, None)?;
        }
    }
    if rest
        .get("extensions")
        .is_some_and(|value| !value.get().starts_with('{'))
    {
        *rest = extras::without(rest, "extensions");
    }
    Ok(())
}

/// Visits the uninterpreted members of every object that can have extensions.
fn for_each_rest(document: &mut Document, visit: &mut impl FnMut(&mut Rest)) {
    macro_rules! visit_all {
        ($($field:ident),*) => {$(
            document.$field.iter_mut().for_each(|object| visit(&mut object.rest));
        )*};
    }
    visit(&mut document.rest);
    visit_all!(
        accessors,
        animations,
        buffers,
        buffer_views,
        cameras,
        images,
        materials,
        meshes,
        nodes,
        samplers,
        scenes,
        skins,
        textures
    );
    if let Some(asset) = &mut document.asset {
        visit(&mut asset.rest);
    }
    for primitive in document
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives)
    {
        visit(&mut primitive.rest);
    }
    for animation in &mut document.animations {
        for channel in &mut animation.channels {
            visit(&mut channel.rest);
            channel
                .target
                .iter_mut()
                .for_each(|target| visit(&mut target.rest));
        }
        animation
            .samplers
            .iter_mut()
            .for_each(|sampler| visit(&mut sampler.rest));
    }
    for material in &mut document.materials {
        if let Some(pbr) = &mut material.pbr {
            visit(&mut pbr.rest);
        }
        texture_uses(material).for_each(|texture| visit(&mut texture.rest));
    }
}

fn texture_uses(material: &mut Material) -> impl Iterator<Item = &mut TextureInfo> {
    let of_pbr = material.pbr.iter_mut();
    let of_pbr = of_pbr.flat_map(|pbr| {
        [
            &mut pbr.base_color_texture,
            &mut pbr.metallic_roughness_texture,
        ]
    });
    let own = [
        &mut material.normal_texture,
        &mut material.occlusion_texture,
        &mut material.emissive_texture,
    ];
    own.into_iter()
        .chain(of_pbr)
        .flatten()
        .map(|texture| &mut **texture)
}
