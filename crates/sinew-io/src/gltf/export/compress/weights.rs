//! Skin weights in bytes that still sum to 1.

use super::numbers::Numbers;
use super::roles::Role;
use crate::gltf::document::format::{ComponentType, Semantic};
use crate::gltf::document::schema::Document;

pub(super) fn to_bytes(
    document: &Document,
    roles: &[Option<Role>],
    numbers: &mut [Option<Numbers>],
) {
    for primitive in document.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let named = primitive.attributes.0.iter();
        let sets =
            named.filter(|(name, _)| matches!(Semantic::parse(name), Some(Semantic::Weights(_))));
        let sets: Vec<usize> = sets.map(|(_, accessor)| *accessor as usize).collect();
        let floats = |set: &usize| {
            let is_alone = roles.get(*set) == Some(&Some(Role::Weights));
            let numbers = numbers.get(*set).and_then(Option::as_ref);
            numbers.filter(|_| is_alone)?.floats()
        };
        let Some(floats) = sets.iter().map(floats).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let vertices = floats.first().map_or(0, |set| set.len() / 4);
        if floats.iter().any(|set| set.len() != 4 * vertices) {
            continue;
        }
        let mut bytes = vec![Vec::with_capacity(4 * vertices); sets.len()];
        for vertex in 0..vertices {
            let all = floats
                .iter()
                .flat_map(|set| &set[4 * vertex..4 * vertex + 4]);
            let rounded = rounded(&all.copied().collect::<Vec<f32>>());
            for (set, four) in bytes.iter_mut().zip(rounded.chunks_exact(4)) {
                set.extend(four);
            }
        }
        for (set, bytes) in sets.into_iter().zip(bytes) {
            if let Some(numbers) = &mut numbers[set] {
                numbers.format.component = ComponentType::UnsignedByte;
                numbers.format.normalized = true;
                numbers.bytes = bytes;
            }
        }
    }
}

/// Weights in 1/255 that keep the rounded sum. Rounds up the weights that would lose the most.
fn rounded(weights: &[f32]) -> Vec<u8> {
    let scaled: Vec<f32> = weights.iter().map(|w| w.clamp(0.0, 1.0) * 255.0).collect();
    let mut bytes: Vec<u8> = scaled.iter().map(|w| w.floor() as u8).collect();
    let sum = scaled.iter().sum::<f32>().round() as usize;
    let given: usize = bytes.iter().map(|b| usize::from(*b)).sum();
    let mut order: Vec<usize> = (0..scaled.len()).collect();
    order.sort_by(|&a, &b| scaled[b].fract().total_cmp(&scaled[a].fract()));
    for index in order.into_iter().take(sum.saturating_sub(given)) {
        bytes[index] = bytes[index].saturating_add(1);
    }
    bytes
}
