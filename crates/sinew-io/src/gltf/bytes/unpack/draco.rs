//! Decoding of `KHR_draco_mesh_compression` into plain accessors.

use std::collections::HashMap;

use draco_core::draco_types::DataType;
use draco_core::geometry_attribute::PointAttribute;
use draco_core::geometry_indices::PointIndex;
use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};

use super::unpacking::Unpacking;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::format::ComponentType;
use crate::gltf::document::json::{self, entries, natural};
use crate::gltf::document::schema::{Accessor, BufferView, Primitive};
use crate::report::Severity;

const DRACO: &str = "KHR_draco_mesh_compression";

/// A compressed primitive: the buffer view of the stream, and the ids of its attributes.
struct Packed {
    view: u32,
    attributes: Vec<(String, u32)>,
}

/// Decodes every compressed primitive, unless all of its accessors have bytes: a fallback, or accessors that an
/// earlier primitive shares.
///
/// # Errors
/// [`GltfError::MemoryLimit`] if a stream expands further than real encoders compress.
pub(super) fn unpack(unpacking: &mut Unpacking<'_, '_>) -> Result<(), GltfError> {
    let mut filled = HashMap::new();
    for mesh in 0..unpacking.document.meshes.len() {
        for index in 0..unpacking.document.meshes[mesh].primitives.len() {
            let primitive = &unpacking.document.meshes[mesh].primitives[index];
            let Some(text) = primitive.rest.extension(DRACO) else {
                continue;
            };
            let pointer = format!("/meshes/{mesh}/primitives/{index}/extensions/{DRACO}");
            let mut primitive = primitive.clone();
            let unpacked = match packed(text).and_then(|packed| {
                let own = targets(&primitive, &packed)?;
                Ok((packed, own))
            }) {
                Ok((packed, own)) => {
                    let mut accessors = own.iter().map(|target| target.accessor);
                    if accessors.all(|accessor| unpacking.has_bytes(accessor)) {
                        Ok(())
                    } else {
                        own_accessors(unpacking, &mut primitive, &packed, &filled);
                        let own = targets(&primitive, &packed).unwrap_or_default();
                        for target in &own {
                            filled.insert(target.accessor, (packed.view, target.attribute));
                        }
                        decode(unpacking, &mut primitive, &packed, &own, &pointer)?
                    }
                }
                Err(reason) => Err(reason),
            };
            unpacking.document.meshes[mesh].primitives[index] = primitive;
            if let Err(reason) = unpacked {
                let report = &mut *unpacking.report;
                report.add(Severity::Error, "DRACO", pointer, reason);
            }
        }
    }
    Ok(())
}

/// Creates new accessors instead of those that have bytes already, because each stream has its own order of vertices.
fn own_accessors(
    unpacking: &mut Unpacking<'_, '_>,
    primitive: &mut Primitive,
    packed: &Packed,
    filled: &HashMap<u32, (u32, Option<u32>)>,
) {
    let mut own = |accessor: &mut u32, attribute: Option<u32>| {
        let is_same = filled.get(accessor) == Some(&(packed.view, attribute));
        if is_same || !unpacking.has_bytes(*accessor) {
            return;
        }
        let accessors = &mut unpacking.document.accessors;
        if let Some(found) = accessors.get(*accessor as usize).cloned() {
            *accessor = accessors.len() as u32;
            accessors.push(Accessor {
                buffer_view: None,
                byte_offset: None,
                ..found
            });
        }
    };
    for (name, accessor) in &mut primitive.attributes.0 {
        if let Some((_, id)) = packed
            .attributes
            .iter()
            .find(|(known, _)| **known == **name)
        {
            own(accessor, Some(*id));
        }
    }
    if let Some(indices) = &mut primitive.indices {
        own(indices, None);
    }
}

fn packed(text: &str) -> Result<Packed, String> {
    let view = json::member(text, "bufferView").and_then(natural);
    let attributes = json::member(text, "attributes").and_then(entries);
    let attributes = attributes.ok_or("`attributes` is missing")?;
    let attributes: Option<Vec<_>> = attributes
        .map(|(name, id)| Some((name.into_owned(), natural(id)?)))
        .collect();
    Ok(Packed {
        view: view.ok_or("`bufferView` is missing or not an index")?,
        attributes: attributes
            .ok_or("a value in `attributes` is not the number of an attribute")?,
    })
}

/// An accessor to fill with an attribute of the stream, or with indices if `attribute` is `None`.
struct Target {
    accessor: u32,
    attribute: Option<u32>,
}

const TRIANGLES: u64 = 4;
const TRIANGLE_STRIP: u64 = 5;

fn targets(primitive: &Primitive, packed: &Packed) -> Result<Vec<Target>, String> {
    if !matches!(primitive.mode, None | Some(TRIANGLES | TRIANGLE_STRIP)) {
        return Err("only triangles can be compressed with Draco".to_owned());
    }
    let accessor = primitive.indices.ok_or("the primitive has no `indices`")?;
    let mut targets = vec![Target {
        accessor,
        attribute: None,
    }];
    for (name, id) in &packed.attributes {
        let accessor = primitive.attributes.get(name);
        targets.push(Target {
            accessor: accessor.ok_or_else(|| format!("the primitive has no attribute `{name}`"))?,
            attribute: Some(*id),
        });
    }
    Ok(targets)
}

/// Fills accessors from a stream. The inner error is a message.
fn decode(
    unpacking: &mut Unpacking<'_, '_>,
    primitive: &mut Primitive,
    packed: &Packed,
    targets: &[Target],
    pointer: &str,
) -> Result<Result<(), String>, GltfError> {
    let accessors = &unpacking.document.accessors;
    for (name, accessor) in &primitive.attributes.0 {
        let is_packed = packed.attributes.iter().any(|(known, _)| **known == **name);
        let found = accessors.get(*accessor as usize);
        if !is_packed && found.is_some_and(|a| a.buffer_view.is_none() && a.sparse.is_none()) {
            let reason =
                format!("`{name}` is neither in the stream nor in an uncompressed accessor");
            return Ok(Err(reason));
        }
    }
    let (mut points, mut faces, mut bytes) = (0, 0, 0_u64);
    for target in targets {
        let Some(accessor) = accessors.get(target.accessor as usize) else {
            return Ok(Err(format!("there is no accessor {}", target.accessor)));
        };
        match (target.attribute, primitive.mode) {
            (Some(_), _) => points = accessor.count.max(points),
            (None, Some(TRIANGLE_STRIP)) => faces = accessor.count.saturating_sub(2),
            (None, _) => faces = accessor.count / 3,
        }
        let bytes_of_one = stride(accessor).unwrap_or(0) as u64;
        bytes = bytes.saturating_add(accessor.count.saturating_mul(bytes_of_one));
    }
    // A strip becomes a list.
    bytes = bytes.saturating_add(faces.saturating_mul(12));
    unpacking.allowance.take(bytes, pointer)?;
    let Some(stream) = unpacking.buffers.view(unpacking.document, packed.view) else {
        return Ok(Err(format!("there is no buffer view {}", packed.view)));
    };
    let mut limits = DecodeLimits::default();
    (limits.max_points, limits.max_faces) = (points, faces);
    // Values have at most four bytes, and are stored twice while a prediction is undone.
    limits.max_decoded_bytes = bytes.saturating_mul(8).saturating_add(1024);
    let mut mesh = Mesh::new();
    let mut stream = DecoderBuffer::new(stream).with_limits(limits);
    if let Err(error) = MeshDecoder::new().decode(&mut stream, &mut mesh) {
        return Ok(Err(format!("the stream cannot be decoded: {error}")));
    }
    for target in targets {
        let filled = match target.attribute {
            Some(id) => attribute_bytes(unpacking, target.accessor, &mesh, id),
            None => index_bytes(unpacking, target.accessor, &mesh),
        };
        match filled {
            Ok((bytes, count, stride)) => fill(unpacking, target.accessor, bytes, count, stride),
            Err(reason) => return Ok(Err(reason)),
        }
    }
    primitive.mode = Some(TRIANGLES);
    Ok(Ok(()))
}

/// Stride in bytes: a multiple of four, as attributes require.
fn stride(accessor: &Accessor) -> Option<usize> {
    let component = accessor.component_type?.size();
    Some((component * accessor.element_type?.components()).next_multiple_of(4))
}

fn attribute_bytes(
    unpacking: &Unpacking<'_, '_>,
    accessor: u32,
    mesh: &Mesh,
    id: u32,
) -> Result<(Vec<u8>, usize, Option<usize>), String> {
    let accessor = &unpacking.document.accessors[accessor as usize];
    let attribute = mesh.attribute_by_unique_id(id);
    let attribute = attribute.ok_or_else(|| format!("the stream has no attribute {id}"))?;
    let wanted = accessor.component_type.zip(accessor.element_type);
    let (component, element) = wanted.ok_or("the accessor has no type")?;
    if !is_same(attribute.data_type(), component)
        || usize::from(attribute.num_components()) != element.components()
    {
        return Err(format!(
            "attribute {id} does not fit its accessor: their types differ, or the numbers of components, {} and {}",
            attribute.num_components(),
            element.components()
        ));
    }
    let size = component.size() * element.components();
    let stride = size.next_multiple_of(4);
    let points = mesh.num_points();
    let mut bytes = vec![0; points * stride];
    for (point, out) in bytes.chunks_exact_mut(stride).enumerate() {
        copy_value(attribute, point as u32, &mut out[..size])
            .ok_or_else(|| format!("attribute {id} has no value for vertex {point}"))?;
    }
    Ok((bytes, points, Some(stride)))
}

fn copy_value(attribute: &PointAttribute, point: u32, out: &mut [u8]) -> Option<()> {
    let value = attribute.mapped_index(PointIndex(point)).0 as usize;
    let stride = usize::try_from(attribute.byte_stride()).ok()?;
    let begin = value.checked_mul(stride)?;
    let bytes = attribute
        .buffer()
        .data()
        .get(begin..begin.checked_add(out.len())?)?;
    out.copy_from_slice(bytes);
    Some(())
}

fn is_same(found: DataType, wanted: ComponentType) -> bool {
    matches!(
        (found, wanted),
        (DataType::Int8, ComponentType::Byte)
            | (DataType::Uint8, ComponentType::UnsignedByte)
            | (DataType::Int16, ComponentType::Short)
            | (DataType::Uint16, ComponentType::UnsignedShort)
            | (DataType::Uint32, ComponentType::UnsignedInt)
            | (DataType::Float32, ComponentType::Float)
    )
}

fn index_bytes(
    unpacking: &Unpacking<'_, '_>,
    accessor: u32,
    mesh: &Mesh,
) -> Result<(Vec<u8>, usize, Option<usize>), String> {
    let accessor = &unpacking.document.accessors[accessor as usize];
    let component = accessor.component_type.ok_or("the accessor has no type")?;
    let corners = mesh.faces().iter().flatten();
    let mut bytes = Vec::with_capacity(mesh.num_faces() * 3 * component.size());
    for corner in corners {
        let fits = match component {
            ComponentType::UnsignedByte => u8::try_from(corner.0).map(|i| bytes.push(i)).is_ok(),
            ComponentType::UnsignedShort => u16::try_from(corner.0)
                .map(|i| bytes.extend(i.to_le_bytes()))
                .is_ok(),
            _ => {
                bytes.extend(corner.0.to_le_bytes());
                component == ComponentType::UnsignedInt
            }
        };
        if !fits {
            return Err(format!(
                "index {} does not fit into the component type of its accessor",
                corner.0
            ));
        }
    }
    Ok((bytes, mesh.num_faces() * 3, None))
}

fn fill(
    unpacking: &mut Unpacking<'_, '_>,
    accessor: u32,
    bytes: Vec<u8>,
    count: usize,
    stride: Option<usize>,
) {
    let view = BufferView {
        byte_length: bytes.len() as u64,
        byte_stride: stride.map(|stride| stride as u64),
        buffer: Some(unpacking.add_buffer(bytes)),
        ..BufferView::default()
    };
    let document = &mut *unpacking.document;
    let found = &mut document.accessors[accessor as usize];
    if found.count != count as u64 {
        let message = format_args!(
            "{} elements are declared, but the stream has {count}",
            found.count
        );
        let pointer = format_args!("/accessors/{accessor}/count");
        unpacking
            .report
            .add(Severity::Repaired, "DRACO", pointer, message);
        found.count = count as u64;
    }
    found.buffer_view = Some(document.buffer_views.len() as u32);
    found.byte_offset = None;
    document.buffer_views.push(view);
}
