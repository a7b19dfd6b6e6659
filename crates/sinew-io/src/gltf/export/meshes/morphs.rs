use crate::gltf::document::format::ElementType;
use crate::gltf::document::json::NamedIndices;
use crate::gltf::document::schema;
use crate::gltf::export::buffer::Purpose;
use crate::gltf::export::error::{ExportError, check_count};
use crate::gltf::export::exporter::Exporter;
use crate::gltf::export::shared::deltas_key;
use crate::gltf::source::unheld_morphs;
use glam::Vec3;
use sinew::mesh::{Deltas, Primitive};
use std::collections::HashSet;

/// Writes `targets` morph targets to `part`. Missing targets become targets without displacement.
pub(super) fn write(
    exporter: &mut Exporter<'_>,
    primitive: &Primitive,
    source: &schema::Primitive,
    targets: usize,
    part: &mut schema::Primitive,
    location: &str,
) -> Result<(), ExportError> {
    let vertices = primitive.len();
    for target in 0..targets {
        let morph = primitive.morphs.get(target);
        let mut written = NamedIndices::default();
        let attributes = [
            ("POSITION", morph.and_then(|m| m.positions.as_ref())),
            ("NORMAL", morph.and_then(|m| m.normals.as_ref())),
            ("TANGENT", morph.and_then(|m| m.tangents.as_ref())),
        ];
        for (name, deltas) in attributes {
            let Some(deltas) = deltas.filter(|_| part.attributes.get(name).is_some()) else {
                continue;
            };
            let purpose = match name {
                "POSITION" => Purpose::Positions,
                _ => Purpose::Attribute,
            };
            let location = || format!("{location}/targets/{target}/{name}");
            let key = deltas_key(deltas, purpose, vertices);
            let accessor = match exporter.shared.deltas.get(&key) {
                Some(&known) => known,
                None => {
                    let accessor = write_deltas(exporter, deltas, vertices, purpose, location)?;
                    accessor.ok_or_else(|| ExportError::not_finite(location()))?
                }
            };
            exporter.shared.deltas.insert(key, accessor);
            written.0.push((name.into(), accessor));
        }
        if written.0.is_empty() {
            // A target must not be empty, so it gets zero displacements.
            let still = exporter
                .buffer
                .sparse_vectors(Purpose::Positions, vertices, &[], &[]);
            written
                .0
                .extend(still.map(|accessor| ("POSITION".into(), accessor)));
        }
        part.targets.push(written);
    }
    keep_unheld(exporter, source, vertices, part);
    Ok(())
}

fn write_deltas(
    exporter: &mut Exporter<'_>,
    deltas: &Deltas,
    vertices: usize,
    purpose: Purpose,
    location: impl Fn() -> String,
) -> Result<Option<u32>, ExportError> {
    let buffer = &mut exporter.buffer;
    let Some(moved) = &deltas.vertices else {
        check_count(deltas.values.len(), vertices, location)?;
        let values = bytemuck::cast_slice(&deltas.values);
        return Ok(buffer.floats(purpose, ElementType::Vec3, values));
    };
    check_count(deltas.values.len(), moved.len(), location)?;
    let is_in_order = moved.is_sorted_by(|a, b| a < b);
    let is_inside = moved.last().is_none_or(|&last| (last as usize) < vertices);
    let is_smaller =
        moved.len() * (size_of::<u32>() + size_of::<Vec3>()) < size_of::<Vec3>() * vertices;
    if is_in_order && is_inside && is_smaller {
        let values = bytemuck::cast_slice(&deltas.values);
        return Ok(buffer.sparse_vectors(purpose, vertices, moved, values));
    }
    let mut dense = vec![Vec3::ZERO; vertices];
    deltas.add_to(1.0, &mut dense);
    Ok(buffer.floats(purpose, ElementType::Vec3, bytemuck::cast_slice(&dense)))
}

/// Restores morphed attributes that a character cannot hold, such as colours, if the accessors of
/// the source and the number of vertices are unchanged.
fn keep_unheld(
    exporter: &Exporter<'_>,
    source: &schema::Primitive,
    vertices: usize,
    part: &mut schema::Primitive,
) {
    if !exporter.keeps_buffers() {
        return;
    }
    let bases: HashSet<&str> = part.attributes.0.iter().map(|(name, _)| &**name).collect();
    for (target, name, accessor) in unheld_morphs(source) {
        let fits = exporter.buffer.count(accessor) == Some(vertices as u64);
        let is_based = bases.contains(name);
        if let (Some(written), true) = (part.targets.get_mut(target), fits && is_based) {
            written.0.push((name.into(), accessor));
        }
    }
}
