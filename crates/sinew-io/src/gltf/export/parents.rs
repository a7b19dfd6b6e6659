//! Objects that pointers point into: a pointer may name a property that has its default, but not one of nothing.

use super::error::ExportError;
use super::exporter::Exporter;
use crate::gltf::document::json::{Rest, member};
use crate::gltf::document::nested::{object, set_extension};
use crate::gltf::document::schema::{Material, TextureInfo};
use crate::gltf::pointer::path_of;
use serde_json::value::to_raw_value;
use sinew::property::{Property, TextureSlot};

const VISIBILITY: &str = "KHR_node_visibility";

/// Adds empty objects to which channels point, and the visibility of nodes.
pub(super) fn write(exporter: &mut Exporter<'_>) -> Result<(), ExportError> {
    let driven: Vec<_> = exporter.driven.iter().copied().collect();
    for &(index, property) in &driven {
        if let Some(material) = exporter.document.materials.get_mut(index) {
            of_material(material, property)?;
        }
    }
    let mut hidden = vec![false; exporter.document.nodes.len()];
    for &node in &exporter.character.hidden {
        if let Some(hidden) = hidden.get_mut(node) {
            *hidden = true;
        }
    }
    for (index, node) in exporter.document.nodes.iter_mut().enumerate() {
        let stated = node.rest.extension(VISIBILITY);
        let was_hidden = stated.and_then(|own| member(own, "visible")) == Some("false");
        let is_driven = exporter.driven.contains(&(index, Property::Visible));
        if was_hidden != hidden[index] || (is_driven && stated.is_none()) {
            let mut visibility = Rest::default();
            visibility.push("visible", to_raw_value(&!hidden[index])?);
            set_extension(&mut node.rest, VISIBILITY, Some(object(visibility)?))?;
        }
    }
    Ok(())
}

fn of_material(material: &mut Material, property: Property) -> Result<(), ExportError> {
    let path = path_of(property).unwrap_or_default();
    let mut names = path.split('/');
    match (names.next(), property) {
        (Some("pbrMetallicRoughness"), Property::Uv(slot, _)) => {
            let pbr = material.pbr.as_deref_mut();
            let used = pbr.and_then(|pbr| match slot {
                TextureSlot::BaseColor => pbr.base_color_texture.as_deref_mut(),
                _ => pbr.metallic_roughness_texture.as_deref_mut(),
            });
            moved(used)
        }
        (Some("normalTexture"), Property::Uv(..)) => moved(material.normal_texture.as_deref_mut()),
        (Some("occlusionTexture"), Property::Uv(..)) => {
            moved(material.occlusion_texture.as_deref_mut())
        }
        (Some("emissiveTexture"), Property::Uv(..)) => {
            moved(material.emissive_texture.as_deref_mut())
        }
        (Some("pbrMetallicRoughness"), _) => {
            material.pbr.get_or_insert_default();
            Ok(())
        }
        (Some("extensions"), _) => match names.next() {
            Some(layer) => empty(&mut material.rest, layer),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

fn moved(used: Option<&mut TextureInfo>) -> Result<(), ExportError> {
    match used {
        Some(used) => empty(&mut used.rest, "KHR_texture_transform"),
        None => Ok(()),
    }
}

/// Adds an extension without members, if there is none of this name.
fn empty(rest: &mut Rest, extension: &str) -> Result<(), ExportError> {
    if rest.extension(extension).is_none() {
        set_extension(rest, extension, Some(object(Rest::default())?))?;
    }
    Ok(())
}
