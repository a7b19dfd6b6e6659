//! Influences on vertices, from any number of `JOINTS_n` and `WEIGHTS_n`.

use std::collections::HashMap;
use std::sync::Arc;

use sinew::Influences;

use super::shared::Arrays;
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::check::data::{self, InfluenceSet};
use crate::gltf::document::error::GltfError;
use crate::gltf::document::format::{ElementType, Semantic};
use crate::gltf::document::json::NamedIndices;
use crate::gltf::document::schema::Document;
use crate::report::Severity;

const SET_WIDTH: usize = 4;

/// Number of joints that the vertices of each mesh may use, from its smallest skin.
pub(super) fn joint_counts(document: &Document) -> Vec<Option<usize>> {
    let mut counts = vec![None; document.meshes.len()];
    for node in &document.nodes {
        let skin = node
            .skin
            .and_then(|skin| document.skins.get(skin as usize))
            .filter(|skin| !skin.joints.is_empty());
        let count = node.mesh.and_then(|mesh| counts.get_mut(mesh as usize));
        if let (Some(skin), Some(count)) = (skin, count) {
            *count = Some(count.map_or(skin.joints.len(), |min: usize| min.min(skin.joints.len())));
        }
    }
    counts
}

/// Influences of the vertices of a primitive. Without a skin, any joint is allowed.
pub(super) fn influences(
    decoder: &mut Decoder<'_>,
    arrays: &mut Arrays,
    attributes: &NamedIndices,
    joint_count: Option<usize>,
    pointer: &str,
) -> Result<Option<Arc<Influences>>, GltfError> {
    let pairs = pairs_of(decoder.document(), attributes);
    if pairs.is_empty() {
        return Ok(None);
    }
    let joint_count = joint_count.unwrap_or(usize::from(u16::MAX) + 1);
    let key = (
        pairs
            .iter()
            .flat_map(|pair| [pair.joints, pair.weights])
            .collect(),
        joint_count,
    );
    if let Some(known) = arrays.influences.get(&key) {
        return Ok(Some(Arc::clone(known)));
    }
    let mut sets = Vec::with_capacity(pairs.len());
    for pair in &pairs {
        sets.push((
            decoder.values::<u16>(pair.joints)?,
            decoder.values::<f32>(pair.weights)?,
        ));
    }
    let entries: usize = sets.iter().map(|(joints, _)| joints.len()).sum();
    let bytes_each = (size_of::<u16>() + size_of::<f32>()) as u64;
    let bytes = (entries as u64).saturating_mul(bytes_each);
    // The decoded arrays, combined arrays and influences are in memory at the same time.
    decoder
        .budget()
        .charge(bytes.saturating_mul(2), "influences", pointer)?;
    let built = match &sets[..] {
        [(joints, weights)] => Influences::from_padded(joints, weights, SET_WIDTH, joint_count),
        several => {
            let (joints, weights) = side_by_side(several);
            Influences::from_padded(&joints, &weights, SET_WIDTH * several.len(), joint_count)
        }
    };
    // Only the influences and an offset per vertex remain.
    decoder.budget().release(bytes.saturating_mul(2));
    let vertices = entries / (SET_WIDTH * sets.len());
    decoder
        .budget()
        .charge((vertices * size_of::<u32>()) as u64, "influences", pointer)?;
    let (influences, repairs) = built.map_err(|error| GltfError::Character {
        pointer: pointer.to_owned(),
        reason: error.to_string(),
    })?;
    if repairs.joint_out_of_range + repairs.bad_weight + repairs.duplicate_joint > 0 {
        let numbered: Vec<InfluenceSet<'_>> = pairs
            .iter()
            .zip(&sets)
            .map(|(pair, (joints, weights))| InfluenceSet {
                number: pair.number,
                joints,
                weights,
            })
            .collect();
        data::check_influences(&numbered, joint_count, pointer, decoder.report());
    }
    for pair in &pairs {
        let at = format!("{pointer}/WEIGHTS_{}", pair.number);
        let repaired = repairs.renormalized + repairs.unweighted;
        if repaired > 0 {
            let message = format_args!(
                "the weights of {repaired} of {} vertices did not sum to 1 and were normalised; {} of them have no weights and follow their first joint",
                influences.len(),
                repairs.unweighted,
            );
            decoder.report().add(
                Severity::Repaired,
                "ACCESSOR_WEIGHTS_NON_NORMALIZED",
                at,
                message,
            );
        }
    }
    let influences = Arc::new(influences);
    arrays.influences.insert(key, Arc::clone(&influences));
    Ok(Some(influences))
}

pub(super) struct Pair {
    pub(super) number: u32,
    pub(super) joints: u32,
    pub(super) weights: u32,
}

pub(super) fn pairs_of(document: &Document, attributes: &NamedIndices) -> Vec<Pair> {
    let is_of_four = |accessor: u32| {
        let accessor = document.accessors.get(accessor as usize);
        accessor.is_some_and(|accessor| accessor.element_type == Some(ElementType::Vec4))
    };
    let mut weights = HashMap::new();
    for (name, accessor) in &attributes.0 {
        if let Some(Semantic::Weights(number)) = Semantic::parse(name) {
            weights.insert(number, *accessor);
        }
    }
    let pair_of = |(name, joints): &(Box<str>, u32)| match Semantic::parse(name) {
        Some(Semantic::Joints(number)) => Some(Pair {
            number,
            joints: *joints,
            weights: *weights.get(&number)?,
        }),
        _ => None,
    };
    let mut pairs: Vec<Pair> = attributes.0.iter().filter_map(pair_of).collect();
    pairs.retain(|pair| is_of_four(pair.joints) && is_of_four(pair.weights));
    pairs.sort_unstable_by_key(|pair| pair.number);
    pairs
}

fn side_by_side(sets: &[(Vec<u16>, Vec<f32>)]) -> (Vec<u16>, Vec<f32>) {
    let vertices = sets
        .iter()
        .map(|(joints, weights)| joints.len().min(weights.len()) / SET_WIDTH)
        .min()
        .unwrap_or(0);
    let entries = vertices * SET_WIDTH * sets.len();
    let (mut all_joints, mut all_weights) =
        (Vec::with_capacity(entries), Vec::with_capacity(entries));
    for vertex in 0..vertices {
        let range = vertex * SET_WIDTH..(vertex + 1) * SET_WIDTH;
        for (joints, weights) in sets {
            all_joints.extend_from_slice(&joints[range.clone()]);
            all_weights.extend_from_slice(&weights[range.clone()]);
        }
    }
    (all_joints, all_weights)
}
