//! Correctives in `extras.sinew.correctives` of a mesh: a list of objects with the node of the
//! `joint`, its `rotation` from rest, the `falloff` in radians and the morph `target`.

use super::freedom::{number, numbers};
use super::own::{GROWTH, own_member, set_own_member};
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::json::{Rest, natural};
use crate::gltf::document::nested::{members, object};
use crate::report::Severity;
use glam::Quat;
use serde_json::value::{RawValue, to_raw_value};
use sinew::Mesh;
use sinew::corrective::Corrective;
use sinew::transform::quat;

const CORRECTIVES: &str = "correctives";

/// Max number of correctives, because each is evaluated for every node with its mesh.
const MAX_CORRECTIVES: usize = 1024;

const UNIT_TOLERANCE: f32 = 1e-3;

/// Sets or removes the correctives of a mesh. Skips joints without a node. False if `extras` of the
/// mesh is not an object.
pub(in crate::gltf) fn write_correctives<'c>(
    correctives: impl Iterator<Item = &'c Corrective>,
    node_of_joint: &[Option<usize>],
    rest: &mut Rest,
) -> Result<bool, serde_json::Error> {
    let mut list = Vec::new();
    for corrective in correctives {
        let Some(node) = node_of_joint.get(corrective.joint).copied().flatten() else {
            continue;
        };
        let mut members = Rest::default();
        members.push("joint", to_raw_value(&node)?);
        members.push("rotation", to_raw_value(&corrective.rotation.to_array())?);
        members.push("falloff", to_raw_value(&corrective.falloff_rad)?);
        members.push("target", to_raw_value(&corrective.morph)?);
        list.push(object(members)?);
    }
    let list = (!list.is_empty())
        .then(|| to_raw_value(&list))
        .transpose()?;
    set_own_member(rest, CORRECTIVES, list)
}

/// Reads the correctives of all meshes. Reports and omits unreadable correctives.
///
/// # Errors
/// [`GltfError::MemoryLimit`] if the correctives exceed the budget of the decoder.
pub(in crate::gltf) fn read_correctives(
    decoder: &mut Decoder<'_>,
    meshes: &[Mesh],
    joint_of_node: impl Fn(u32) -> Option<usize>,
) -> Result<Vec<Corrective>, GltfError> {
    let mut correctives = Vec::new();
    let written = decoder.document().meshes.iter().zip(meshes).enumerate();
    for (index, (written, mesh)) in written {
        let Some(list) = own_member(&written.rest, CORRECTIVES) else {
            continue;
        };
        let pointer = format!("/meshes/{index}/extras/sinew/{CORRECTIVES}");
        let bytes = (list.len() as u64).saturating_mul(GROWTH);
        decoder
            .budget()
            .charge(bytes, "correctives", pointer.as_str())?;
        let report = decoder.report();
        let mut left_out = |pointer: String, why: &str| {
            let message = format_args!("{why}; this corrective was left out");
            report.add(Severity::Ignored, "EXTRAS_UNREADABLE", pointer, message);
        };
        let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(list) else {
            left_out(pointer, "the value is not a list");
            continue;
        };
        for (element, text) in list.into_iter().enumerate() {
            let pointer = format!("{pointer}/{element}");
            if correctives.len() == MAX_CORRECTIVES {
                left_out(pointer, "there are more than a thousand correctives");
                break;
            }
            match read(text, index, mesh.morph_targets(), &joint_of_node) {
                Ok(corrective) => correctives.push(corrective),
                Err(why) => left_out(pointer, why),
            }
        }
    }
    Ok(correctives)
}

fn read(
    text: &RawValue,
    mesh: usize,
    targets: usize,
    joint_of_node: impl Fn(u32) -> Option<usize>,
) -> Result<Corrective, &'static str> {
    let all = members(text.get()).ok_or("the value is not an object")?;
    let index = |name: &str| natural::<u32>(all.get(name)?.get());
    let joint = index("joint").ok_or("`joint` is missing or not the index of a node")?;
    let joint = joint_of_node(joint).ok_or("`joint` is not the index of a joint")?;
    let morph = index("target").ok_or("`target` is missing or not an index")? as usize;
    if morph >= targets {
        return Err("`target` is not a morph target of the mesh");
    }
    let rotation = all
        .get("rotation")
        .and_then(numbers::<4>)
        .map(Quat::from_array);
    let rotation = rotation.filter(|q| (quat::dot(*q, *q).sqrt() - 1.0).abs() < UNIT_TOLERANCE);
    let falloff = all.get("falloff").and_then(|falloff| number(falloff.get()));
    Ok(Corrective {
        joint,
        rotation: rotation.ok_or("`rotation` is missing or not a unit quaternion")?,
        falloff_rad: falloff
            .filter(|falloff| *falloff > 0.0)
            .ok_or("`falloff` is missing or not an angle above 0")?,
        mesh,
        morph,
    })
}
