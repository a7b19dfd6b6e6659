//! Orders triangles by shared edges, and vertices by first use.

use super::elements::Elements;
use super::numbers::Numbers;
use crate::gltf::document::format::ComponentType;
use crate::gltf::document::schema::{Accessor, Document, Primitive};
use std::collections::HashMap;

/// Gives each primitive of triangles new accessors in the new order. Equal primitives still share
/// accessors. Merges vertices that are equal after rounding. Unused accessors remain.
pub(super) fn reorder(
    document: &mut Document,
    numbers: &mut Vec<Option<Numbers>>,
    rounded: &[Option<Elements>],
) {
    let Document {
        meshes, accessors, ..
    } = document;
    let mut known: HashMap<Vec<u32>, HashMap<u32, u32>> = HashMap::new();
    for primitive in meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let read: Vec<u32> = vertices_of(primitive).chain(primitive.indices).collect();
        let new_indices = known.entry(read).or_insert_with(|| {
            let mut new_indices = HashMap::new();
            for (old, own) in in_order(primitive, numbers, rounded).into_iter().flatten() {
                new_indices.insert(old, accessors.len() as u32);
                accessors.push(Accessor {
                    component_type: Some(own.format.component),
                    ..accessors[old as usize].clone()
                });
                numbers.push(Some(own));
            }
            new_indices
        });
        let targets = primitive
            .targets
            .iter_mut()
            .flat_map(|target| &mut target.0);
        let named = primitive.attributes.0.iter_mut().chain(targets);
        let all = named.map(|(_, accessor)| accessor);
        for accessor in all.chain(&mut primitive.indices) {
            *accessor = new_indices.get(accessor).copied().unwrap_or(*accessor);
        }
    }
}

fn vertices_of(primitive: &Primitive) -> impl Iterator<Item = u32> + '_ {
    let targets = primitive.targets.iter().flat_map(|target| &target.0);
    let all = primitive.attributes.0.iter().chain(targets);
    all.map(|(_, accessor)| *accessor)
}

/// New accessors of a primitive, by old index. `None` if it has no triangles.
fn in_order(
    primitive: &Primitive,
    numbers: &[Option<Numbers>],
    rounded: &[Option<Elements>],
) -> Option<Vec<(u32, Numbers)>> {
    if primitive.mode.is_some_and(|mode| mode != 4) {
        return None;
    }
    let index = primitive.indices?;
    let numbers_of = |accessor: u32| numbers.get(accessor as usize)?.as_ref();
    let mut own = numbers_of(index)?.clone();
    let mut indices = own.indices();
    let mut read: Vec<u32> = vertices_of(primitive).collect();
    read.sort_unstable();
    read.dedup();
    let vertices: Vec<&Numbers> = read.iter().map(|a| numbers_of(*a)).collect::<Option<_>>()?;
    let count = vertices.first()?.count();
    let is_whole = vertices.iter().all(|v| v.count() == count)
        && indices.iter().all(|i| (*i as usize) < count)
        && !indices.is_empty()
        && indices.len().is_multiple_of(3)
        && !read.contains(&index);
    if !is_whole {
        return None;
    }
    let rounded_of = |accessor: &u32| rounded.get(*accessor as usize)?.as_ref();
    let coarse: Vec<&Elements> = read.iter().map(rounded_of).collect::<Option<_>>()?;
    let firsts = welded(&coarse, count);
    for index in &mut indices {
        *index = firsts[*index as usize];
    }
    indices = ordered(&indices);
    let met = by_first_use(&mut indices, count);
    if met.len() < usize::from(u16::MAX) {
        own.format.component = ComponentType::UnsignedShort;
    }
    own.set_indices(&indices);
    let vertices = read.iter().zip(vertices);
    let mut all: Vec<(u32, Numbers)> = vertices.map(|(a, v)| (*a, v.taken(&met))).collect();
    all.push((index, own));
    Some(all)
}

/// For each vertex, the first equal vertex.
fn welded(vertices: &[&Elements], count: usize) -> Vec<u32> {
    let mut known: HashMap<Vec<u8>, u32> = HashMap::with_capacity(count);
    let one = |vertex: usize| {
        let parts = vertices.iter().flat_map(|v| v.element(vertex));
        parts.copied().collect::<Vec<u8>>()
    };
    let first = |vertex| *known.entry(one(vertex)).or_insert(vertex as u32);
    (0..count).map(first).collect()
}

/// Renumbers vertices by first use. Returns their old indices.
fn by_first_use(indices: &mut [u32], count: usize) -> Vec<u32> {
    let mut new_indices = vec![None; count];
    let mut met = Vec::new();
    for index in indices {
        let old = *index;
        *index = *new_indices[old as usize].get_or_insert_with(|| {
            met.push(old);
            met.len() as u32 - 1
        });
    }
    met
}

/// Number of recent edges and vertices that the codec can refer to.
const SEEN: usize = 15;

/// Reorders triangles so that each has a recent edge, if possible.
fn ordered(indices: &[u32]) -> Vec<u32> {
    let triangles = indices.as_chunks::<3>().0;
    let mut by_edge: HashMap<[u32; 2], Vec<usize>> = HashMap::with_capacity(indices.len());
    for (triangle, &[a, b, c]) in triangles.iter().enumerate().rev() {
        for edge in [[a, b], [b, c], [c, a]] {
            by_edge.entry(edge).or_default().push(triangle);
        }
    }
    let mut is_done = vec![false; triangles.len()];
    let (mut edges, mut vertices): (Vec<[u32; 2]>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut out = Vec::with_capacity(indices.len());
    let mut first = 0;
    while out.len() < indices.len() {
        // Prefers a triangle whose third vertex is recent. The newest edge decides between equals.
        let mut best: Option<(usize, [u32; 3])> = None;
        for &[a, b] in edges.iter().rev().take(SEEN) {
            let Some(on_edge) = by_edge.get_mut(&[a, b]) else {
                continue;
            };
            while on_edge.last().is_some_and(|last| is_done[*last]) {
                on_edge.pop();
            }
            let Some(&triangle) = on_edge.last() else {
                continue;
            };
            let corners = triangles[triangle];
            let first_corner = (0..3)
                .find(|&i| corners[i] == a && corners[(i + 1) % 3] == b)
                .unwrap_or(0);
            let c = corners[(first_corner + 2) % 3];
            let is_seen = vertices.iter().rev().take(SEEN - 2).any(|v| *v == c);
            if is_seen || best.is_none() {
                best = Some((triangle, [a, b, c]));
            }
            if is_seen {
                break;
            }
        }
        let (triangle, corners, is_on_edge) = match best {
            Some((triangle, corners)) => (triangle, corners, true),
            None => {
                while is_done[first] {
                    first += 1;
                }
                (first, triangles[first], false)
            }
        };
        is_done[triangle] = true;
        out.extend(corners);
        let [a, b, c] = corners;
        if is_on_edge {
            edges.extend([[c, b], [a, c]]);
        } else {
            edges.extend([[b, a], [c, b], [a, c]]);
        }
        for corner in corners {
            if !vertices.iter().rev().take(SEEN - 2).any(|v| *v == corner) {
                vertices.push(corner);
            }
        }
    }
    out
}
