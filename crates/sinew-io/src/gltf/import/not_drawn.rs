//! Findings about features that the renderer does not draw.

use std::fmt::Display;

use super::layers::{APPROXIMATED, DRAWN};
use super::materials::material_of;
use crate::gltf::document::schema::{Document, Material};
use crate::gltf::vrm::SPRINGS;
use crate::report::{FileReport, Severity};
use sinew::character::{MAX_LIGHTS, MAX_TEXCOORD_SETS};

/// Prefixes of extensions, each with a description of the loss.
const LOST: [(&str, &str); 8] = [
    ("EXT_lights_", "the lights of the file are not drawn"),
    (
        "KHR_materials_variants",
        "material variants are not drawn, only the default materials",
    ),
    ("EXT_texture_avif", "images of this format are not decoded"),
    ("MSFT_texture_dds", "images of this format are not decoded"),
    (
        "EXT_mesh_gpu_instancing",
        "the mesh is drawn once instead of once per instance",
    ),
    ("VRMC_springBone", SPRINGS),
    (
        "VRMC_node_constraint",
        "constraints between nodes are kept but not evaluated",
    ),
    (
        "VRMC_vrm_animation",
        "its motion is imported without the humanoid map",
    ),
];

pub(super) fn report_lost(document: &Document, report: &mut FileReport) {
    report_scenes(document, report);
    let mut not_drawn = |pointer: &dyn Display, message: &str| {
        report.add(Severity::Ignored, "NOT_DRAWN", pointer, message);
    };
    for (index, name) in document.extensions_used.iter().enumerate() {
        if let Some((_, lost)) = LOST.iter().find(|(begin, _)| name.starts_with(begin)) {
            not_drawn(
                &format_args!("/extensionsUsed/{index}"),
                &format!("{name}: {lost}"),
            );
        }
    }
    for (index, material) in document.materials.iter().enumerate() {
        report_material(material, document.textures.len(), &mut |member, message| {
            not_drawn(&format_args!("/materials/{index}/{member}"), message);
        });
    }
    let shining = document.nodes.iter();
    let shining = shining.filter(|node| node.rest.extension("KHR_lights_punctual").is_some());
    let shining = shining.count();
    if shining > MAX_LIGHTS {
        let message = format!("only the {MAX_LIGHTS} brightest of {shining} lights are drawn");
        not_drawn(&"/extensions/KHR_lights_punctual/lights", &message);
    }
    for (index, mesh) in document.meshes.iter().enumerate() {
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            if primitive.mode.is_some_and(|mode| mode < 4) {
                let message = "points and lines are imported but not drawn";
                not_drawn(
                    &format_args!("/meshes/{index}/primitives/{number}/mode"),
                    message,
                );
            }
        }
    }
}

/// Reports meshes outside the default scene. They are drawn, because a character is the whole file.
fn report_scenes(document: &Document, report: &mut FileReport) {
    let shown = document.scene.unwrap_or(0) as usize;
    let Some(scene) = document.scenes.get(shown) else {
        return;
    };
    let mut is_in = vec![false; document.nodes.len()];
    let mut left: Vec<u32> = scene.nodes.to_vec();
    while let Some(node) = left.pop() {
        let index = node as usize;
        if let Some(node) = document.nodes.get(index)
            && !std::mem::replace(&mut is_in[index], true)
        {
            left.extend(node.children.iter().copied());
        }
    }
    let nodes = document.nodes.iter().zip(is_in);
    let others = nodes.filter(|(node, is_in)| node.mesh.is_some() && !is_in);
    let others = others.count();
    // An empty default scene is probably a mistake.
    if others > 0 && !scene.nodes.is_empty() {
        let message = format_args!(
            "{others} nodes with a mesh are not in the default scene, but are drawn with it"
        );
        let location = format_args!("/scenes/{shown}");
        report.add(Severity::Note, "OTHER_SCENES", location, message);
    }
}

fn report_material(material: &Material, textures: usize, not_drawn: &mut impl FnMut(&str, &str)) {
    let drawn = material_of(material, textures);
    let mut sets = drawn.texcoords();
    if sets.nth(MAX_TEXCOORD_SETS).is_some() {
        let message = "its textures use more than two sets of texture coordinates; those beyond the second are drawn with the first set";
        not_drawn("", message);
    }
    for (name, _) in material.rest.extensions() {
        let near = APPROXIMATED.iter().find(|(known, _)| *known == name);
        match near {
            Some((_, message)) => not_drawn(&format!("extensions/{name}"), message),
            None if DRAWN.contains(&&*name) => {}
            None => not_drawn(
                &format!("extensions/{name}"),
                "the effect of this extension is not drawn",
            ),
        }
    }
}
