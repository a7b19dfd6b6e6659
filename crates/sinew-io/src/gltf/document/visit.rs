//! Visitors of all objects that can have extensions, for shared and for exclusive borrows.

use super::json::Rest;
use super::schema::{Document, Material, TextureInfo};

macro_rules! shared {
    ($value:expr) => {
        &$value
    };
}

macro_rules! exclusive {
    ($value:expr) => {
        &mut $value
    };
}

macro_rules! visit_lists {
    ($document:ident, $visit:ident, $iter:ident, $borrow:ident, $($field:ident as $name:literal),*) => {$(
        for (index, object) in $document.$field.$iter().enumerate() {
            $visit($name, index, $borrow!(object.rest));
        }
    )*};
}

macro_rules! visitors {
    ($for_each_rest:ident, $textures:ident, $as_ref:ident, $as_deref:ident, $iter:ident, $borrow:ident,
        $Document:ty, $Material:ty, $Rest:ty, $Texture:ty) => {
        /// Visits the objects below the document that have members kept as text. Passes the list
        /// (`texture` for a texture reference), the JSON pointer and these members.
        pub(in crate::gltf) fn $for_each_rest(
            document: $Document,
            visit: &mut impl FnMut(&str, &str, $Rest),
        ) {
            if let Some(asset) = document.asset.$as_ref() {
                visit("asset", "/asset", $borrow!(asset.rest));
            }
            let mut indexed = |list: &str, index: usize, rest: $Rest| {
                if !rest.is_empty() {
                    let owner = list.rsplit('/').next().unwrap_or(list);
                    visit(owner, &format!("/{list}/{index}"), rest);
                }
            };
            visit_lists!(document, indexed, $iter, $borrow, accessors as "accessors", animations as "animations",
                buffers as "buffers", buffer_views as "bufferViews", cameras as "cameras", images as "images",
                materials as "materials", meshes as "meshes", nodes as "nodes", samplers as "samplers",
                scenes as "scenes", skins as "skins", textures as "textures");
            for (mesh, object) in document.meshes.$iter().enumerate() {
                let list = format!("meshes/{mesh}/primitives");
                for (primitive, object) in object.primitives.$iter().enumerate() {
                    indexed(&list, primitive, $borrow!(object.rest));
                }
            }
            for (animation, object) in document.animations.$iter().enumerate() {
                let list = format!("animations/{animation}/samplers");
                for (sampler, object) in object.samplers.$iter().enumerate() {
                    indexed(&list, sampler, $borrow!(object.rest));
                }
                let list = format!("animations/{animation}/channels");
                for (channel, object) in object.channels.$iter().enumerate() {
                    indexed(&list, channel, $borrow!(object.rest));
                }
            }
            for (animation, object) in document.animations.$iter().enumerate() {
                for (channel, object) in object.channels.$iter().enumerate() {
                    let target = object.target.$as_ref();
                    if let Some(target) = target.filter(|target| !target.rest.is_empty()) {
                        let pointer = format!("/animations/{animation}/channels/{channel}/target");
                        visit("target", &pointer, $borrow!(target.rest));
                    }
                }
            }
            for (index, accessor) in document.accessors.$iter().enumerate() {
                let Some(sparse) = accessor.sparse.$as_ref() else {
                    continue;
                };
                let pointer = format!("/accessors/{index}/sparse");
                visit("other", &pointer, $borrow!(sparse.rest));
                if let Some(indices) = sparse.indices.$as_ref() {
                    visit("other", &format!("{pointer}/indices"), $borrow!(indices.rest));
                }
                if let Some(values) = sparse.values.$as_ref() {
                    visit("other", &format!("{pointer}/values"), $borrow!(values.rest));
                }
            }
            for (index, material) in document.materials.$iter().enumerate() {
                let pointer = format!("/materials/{index}");
                let pbr = material.pbr.$as_ref();
                if let Some(pbr) = pbr.filter(|pbr| !pbr.rest.is_empty()) {
                    let pointer = format!("{pointer}/pbrMetallicRoughness");
                    visit("other", &pointer, $borrow!(pbr.rest));
                }
                for (name, info) in $textures(material) {
                    if !info.rest.is_empty() {
                        visit("texture", &format!("{pointer}/{name}"), $borrow!(info.rest));
                    }
                }
            }
        }

        /// Textures that a material uses without an extension, with their JSON pointers.
        pub(in crate::gltf) fn $textures(
            material: $Material,
        ) -> impl Iterator<Item = (&'static str, $Texture)> {
            let (base, mixed) = match material.pbr.$as_ref() {
                Some(pbr) => (
                    pbr.base_color_texture.$as_deref(),
                    pbr.metallic_roughness_texture.$as_deref(),
                ),
                None => (None, None),
            };
            let uses = [
                ("normalTexture", material.normal_texture.$as_deref()),
                ("occlusionTexture", material.occlusion_texture.$as_deref()),
                ("emissiveTexture", material.emissive_texture.$as_deref()),
                ("pbrMetallicRoughness/baseColorTexture", base),
                ("pbrMetallicRoughness/metallicRoughnessTexture", mixed),
            ];
            uses.into_iter()
                .filter_map(|(name, info)| Some((name, info?)))
        }
    };
}

visitors!(
    for_each_rest,
    textures,
    as_ref,
    as_deref,
    iter,
    shared,
    &Document,
    &Material,
    &Rest,
    &TextureInfo
);
visitors!(
    for_each_rest_mut,
    textures_mut,
    as_mut,
    as_deref_mut,
    iter_mut,
    exclusive,
    &mut Document,
    &mut Material,
    &mut Rest,
    &mut TextureInfo
);
