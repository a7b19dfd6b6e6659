//! Decoding of `KHR_draco_mesh_compression` into plain accessors.

mod columns;

use std::collections::HashMap;

use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};

use super::unpacking::Unpacking;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::json::{self, entries, natural};
use crate::gltf::document::schema::{Accessor, BufferView, Primitive};
use crate::report::Severity;
use columns::{Column, attribute_column, index_column};
use sinew::steps::pause;

const DRACO: &str = "KHR_draco_mesh_compression";

/// A compressed primitive: the buffer view of the stream, and the ids of its attributes.
struct Packed {
    view: u32,
    attributes: Vec<(String, u32)>,
}

/// Decodes every compressed primitive. Skips a primitive if all of its accessors have bytes, from a
/// fallback or from an earlier primitive. A primitive that cannot be decoded becomes empty.
///
/// # Errors
/// [`GltfError::MemoryLimit`] if a stream expands further than real encoders compress.
pub(super) async fn unpack(unpacking: &mut Unpacking<'_, '_>) -> Result<(), GltfError> {
    let mut filled = HashMap::new();
    for mesh in 0..unpacking.document.meshes.len() {
        for index in 0..unpacking.document.meshes[mesh].primitives.len() {
            let primitive = &unpacking.document.meshes[mesh].primitives[index];
            if primitive.rest.extension(DRACO).is_none() {
                continue;
            }
            let pointer = format!("/meshes/{mesh}/primitives/{index}/extensions/{DRACO}");
            let mut primitive = primitive.clone();
            pause().await;
            let unpacked = unpack_primitive(unpacking, &mut primitive, &mut filled, &pointer)?;
            if let Err(reason) = unpacked {
                let message = format_args!("the primitive was left out: {reason}");
                let report = &mut *unpacking.report;
                report.add(Severity::Ignored, "DRACO", pointer, message);
                primitive.clear();
            }
            unpacking.document.meshes[mesh].primitives[index] = primitive;
        }
    }
    Ok(())
}

/// Buffer view of the stream and id of the attribute that an accessor holds. No id for indices.
type Filled = HashMap<u32, (u32, Option<u32>)>;

/// Decodes a primitive. The inner error is a message.
fn unpack_primitive(
    unpacking: &mut Unpacking<'_, '_>,
    primitive: &mut Primitive,
    filled: &mut Filled,
    pointer: &str,
) -> Result<Result<(), String>, GltfError> {
    let text = primitive.rest.extension(DRACO).unwrap_or_default();
    let packed = match packed(text) {
        Ok(packed) => packed,
        Err(reason) => return Ok(Err(reason)),
    };
    let own = match targets(primitive, &packed) {
        Ok(own) => own,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut accessors = own.iter().map(|target| target.accessor);
    if accessors.all(|accessor| unpacking.has_bytes(accessor)) {
        return Ok(Ok(()));
    }
    own_accessors(unpacking, primitive, &packed, filled);
    let own = targets(primitive, &packed).unwrap_or_default();
    for target in &own {
        filled.insert(target.accessor, (packed.view, target.attribute));
    }
    decode(unpacking, primitive, &packed, &own, pointer)
}

/// Replaces accessors that already have bytes, because the order of vertices differs per stream.
fn own_accessors(
    unpacking: &mut Unpacking<'_, '_>,
    primitive: &mut Primitive,
    packed: &Packed,
    filled: &Filled,
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

/// Accessors to fill. Skips attributes of the stream that the primitive does not use.
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
        if let Some(accessor) = primitive.attributes.get(name) {
            targets.push(Target {
                accessor,
                attribute: Some(*id),
            });
        }
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
    let declared = match Size::declared(&unpacking.document.accessors, primitive, targets) {
        Ok(declared) => declared,
        Err(reason) => return Ok(Err(reason)),
    };
    unpacking.allowance.take(declared.bytes, pointer)?;
    let Some(stream) = unpacking.buffers.view(unpacking.document, packed.view) else {
        return Ok(Err(format!("there is no buffer view {}", packed.view)));
    };
    let mut mesh = Mesh::new();
    let limits = declared.limits(unpacking.allowance.left());
    let mut stream = DecoderBuffer::new(stream).with_limits(limits);
    if let Err(error) = MeshDecoder::new().decode(&mut stream, &mut mesh) {
        return Ok(Err(format!("the stream cannot be decoded: {error}")));
    }
    let mut columns = Vec::with_capacity(targets.len());
    for target in targets {
        let accessor = &unpacking.document.accessors[target.accessor as usize];
        let column = match target.attribute {
            Some(id) => attribute_column(accessor, &mesh, id),
            None => index_column(accessor, &mesh),
        };
        match column {
            Ok(column) => columns.push((target.accessor, column)),
            Err(reason) => match packed.name_of(target.attribute) {
                None | Some("POSITION") => return Ok(Err(reason)),
                Some(name) => leave_out(unpacking, primitive, name, &reason, pointer),
            },
        }
    }
    if let Err(reason) = leave_out_missing(unpacking, primitive, packed, pointer) {
        return Ok(Err(reason));
    }
    let bytes = columns.iter().map(|(_, column)| column.bytes.len() as u64);
    let more = bytes.sum::<u64>().saturating_sub(declared.bytes);
    unpacking.allowance.take(more, pointer)?;
    for (accessor, column) in columns {
        fill(unpacking, accessor, column);
    }
    primitive.mode = Some(TRIANGLES);
    Ok(Ok(()))
}

/// Removes attributes without data, such as joints that an exporter forgot.
fn leave_out_missing(
    unpacking: &mut Unpacking<'_, '_>,
    primitive: &mut Primitive,
    packed: &Packed,
    pointer: &str,
) -> Result<(), String> {
    let accessors = &unpacking.document.accessors;
    let is_missing = |(name, accessor): &&(Box<str>, u32)| {
        let is_packed = packed.attributes.iter().any(|(known, _)| **known == **name);
        let found = accessors.get(*accessor as usize);
        !is_packed && found.is_some_and(|a| a.buffer_view.is_none() && a.sparse.is_none())
    };
    let missing = primitive.attributes.0.iter().filter(is_missing);
    let missing: Vec<Box<str>> = missing.map(|(name, _)| name.clone()).collect();
    for name in missing {
        let reason = "it is neither in the stream nor in an uncompressed accessor";
        if &*name == "POSITION" {
            return Err(format!("`POSITION`: {reason}"));
        }
        leave_out(unpacking, primitive, &name, reason, pointer);
    }
    Ok(())
}

fn leave_out(
    unpacking: &mut Unpacking<'_, '_>,
    primitive: &mut Primitive,
    name: &str,
    reason: &str,
    pointer: &str,
) {
    let message = format_args!("`{name}` was left out: {reason}");
    let report = &mut *unpacking.report;
    report.add(Severity::Ignored, "DRACO", pointer, message);
    primitive.attributes.0.retain(|(known, _)| **known != *name);
}

impl Packed {
    /// The name of an attribute of the stream; `None` for indices.
    fn name_of(&self, attribute: Option<u32>) -> Option<&str> {
        let mut named = self.attributes.iter();
        let (name, _) = named.find(|(_, id)| Some(*id) == attribute)?;
        Some(name)
    }
}

/// Size of a primitive as declared by its accessors.
struct Size {
    points: u64,
    faces: u64,
    bytes: u64,
    bytes_per_point: u64,
}

impl Size {
    fn declared(
        accessors: &[Accessor],
        primitive: &Primitive,
        targets: &[Target],
    ) -> Result<Self, String> {
        let (mut points, mut faces, mut bytes, mut bytes_per_point) = (0, 0, 0_u64, 0);
        for target in targets {
            let Some(accessor) = accessors.get(target.accessor as usize) else {
                return Err(format!("there is no accessor {}", target.accessor));
            };
            let bytes_of_one = stride(accessor).unwrap_or(0) as u64;
            match (target.attribute, primitive.mode) {
                (Some(_), _) => {
                    points = accessor.count.max(points);
                    bytes_per_point += bytes_of_one;
                }
                (None, Some(TRIANGLE_STRIP)) => faces = accessor.count.saturating_sub(2),
                (None, _) => faces = accessor.count / 3,
            }
            bytes = bytes.saturating_add(accessor.count.saturating_mul(bytes_of_one));
        }
        Ok(Self {
            points,
            faces,
            // A triangle strip becomes a list of triangles.
            bytes: bytes.saturating_add(faces.saturating_mul(12)),
            bytes_per_point,
        })
    }

    /// Limits for the decoder: the declared size and an eighth of the remaining limit.
    fn limits(&self, left: u64) -> DecodeLimits {
        let spare = left / 8;
        let mut limits = DecodeLimits::default();
        limits.max_points = self
            .points
            .saturating_add(spare / self.bytes_per_point.max(4));
        limits.max_faces = self.faces.saturating_add(spare / 12);
        // A value has at most four bytes. It is stored twice while a prediction is undone.
        let bytes = self.bytes.saturating_add(spare);
        limits.max_decoded_bytes = bytes.saturating_mul(8).saturating_add(1024);
        limits
    }
}

/// Stride in bytes: a multiple of four, as attributes require.
fn stride(accessor: &Accessor) -> Option<usize> {
    let component = accessor.component_type?.size();
    Some((component * accessor.element_type?.components()).next_multiple_of(4))
}

fn fill(unpacking: &mut Unpacking<'_, '_>, accessor: u32, column: Column) {
    let view = BufferView {
        byte_length: column.bytes.len() as u64,
        byte_stride: column.stride.map(|stride| stride as u64),
        buffer: Some(unpacking.add_buffer(column.bytes)),
        ..BufferView::default()
    };
    let document = &mut *unpacking.document;
    let found = &mut document.accessors[accessor as usize];
    let mut repaired = |member: &str, message: std::fmt::Arguments<'_>| {
        let pointer = format_args!("/accessors/{accessor}/{member}");
        let report = &mut *unpacking.report;
        report.add(Severity::Repaired, "DRACO", pointer, message);
    };
    let count = column.count as u64;
    if found.count != count {
        let declared = found.count;
        repaired(
            "count",
            format_args!("{declared} elements are declared, but the stream has {count}"),
        );
        found.count = count;
    }
    if let Some(declared) = found.component_type.filter(|c| *c != column.component) {
        let stream = column.component;
        repaired(
            "componentType",
            format_args!("{declared:?} is declared, but the stream has {stream:?}, which was used"),
        );
        found.component_type = Some(column.component);
        found.normalized = column.normalized;
    }
    found.buffer_view = Some(document.buffer_views.len() as u32);
    found.byte_offset = None;
    document.buffer_views.push(view);
}
