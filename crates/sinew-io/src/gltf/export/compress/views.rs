//! Compressed streams. Similar accessors share a stream. A view states how to decode its stream.

use super::elements::Elements;
use super::roles::Role;
use crate::gltf::bytes::meshopt::{Filter, Mode, encode};
use crate::gltf::document::format::{ComponentType, ElementType};
use crate::gltf::document::schema::{Accessor, Buffer, BufferView, Document, Target};
use crate::gltf::export::buffer::{bounds, one_buffer};
use crate::gltf::export::error::ExportError;
use crate::gltf::export::exported::Export;
use serde_json::json;
use serde_json::value::to_raw_value;

const MESHOPT: &str = "EXT_meshopt_compression";

const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Approximate size of the extension in JSON per view, in bytes.
const EXTENSION_BYTES: usize = 160;

pub(super) fn write(export: &mut Export, elements: &[Option<Elements>]) -> Result<(), ExportError> {
    let Export {
        document, bytes, ..
    } = export;
    let mut writer = Writer::default();
    let mut new_indices = vec![None; elements.len()];
    let mut accessors = Vec::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, own) in elements.iter().enumerate() {
        let Some(own) = own else {
            continue;
        };
        new_indices[index] = Some(accessors.len() as u32);
        accessors.push(index);
        let is_alike = |group: &&mut Vec<usize>| {
            let other = group.first().and_then(|first| elements[*first].as_ref());
            other.is_some_and(|other| kind(other) == kind(own))
        };
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    let old = std::mem::take(&mut document.accessors);
    let mut written: Vec<Accessor> = accessors.iter().map(|index| old[*index].clone()).collect();
    for group in groups {
        let members: Vec<&Elements> = group.iter().filter_map(|i| elements[*i].as_ref()).collect();
        let view = writer.group(&members)?;
        let mut offset = 0;
        for (index, own) in group.iter().zip(members) {
            if let Some(new_index) = new_indices[*index] {
                put(&mut written[new_index as usize], own, view, offset);
            }
            offset += own.bytes.len() as u64;
        }
    }
    for image in &mut document.images {
        let view = image
            .buffer_view
            .and_then(|view| document.buffer_views.get(view as usize));
        if let Some(range) = view.and_then(BufferView::range) {
            image.buffer_view =
                Some(writer.plain(bytes.get(range).unwrap_or_default(), None, None));
        }
    }
    document.accessors = written;
    renumber(document, &new_indices);
    writer.finish(document, bytes)?;
    declare(document, elements);
    Ok(())
}

fn kind(elements: &Elements) -> (Option<Target>, Mode, Filter, usize, bool) {
    let is_integer = elements.format.component != ComponentType::Float;
    let (target, stride) = (elements.role.target(), elements.stride);
    (target, elements.mode, elements.filter, stride, is_integer)
}

fn put(accessor: &mut Accessor, own: &Elements, view: u32, offset: u64) {
    accessor.buffer_view = Some(view);
    accessor.byte_offset = Some(offset).filter(|offset| *offset > 0);
    accessor.component_type = Some(own.format.component);
    accessor.element_type = Some(own.format.element);
    accessor.normalized = own.format.normalized;
    accessor.count = (own.bytes.len() / own.stride) as u64;
    accessor.sparse = None;
    if own.filter == Filter::Exponential && accessor.min.is_some() {
        let decoded = own.decoded();
        let words = decoded.as_chunks::<4>().0.iter();
        let floats: Vec<f32> = words.map(|word| f32::from_le_bytes(*word)).collect();
        let components = own.format.element.components();
        (accessor.min, accessor.max) = bounds(components, &floats);
    }
}

#[derive(Default)]
struct Writer {
    views: Vec<BufferView>,
    bytes: Vec<u8>,
    /// Length of the fallback buffer, which is not written.
    decoded: u64,
}

impl Writer {
    fn view(&mut self, view: BufferView) -> u32 {
        self.views.push(view);
        (self.views.len() - 1) as u32
    }

    fn append(&mut self, bytes: &[u8]) -> u64 {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let at = self.bytes.len() as u64;
        self.bytes.extend(bytes);
        at
    }

    fn plain(&mut self, bytes: &[u8], target: Option<Target>, stride: Option<u64>) -> u32 {
        let at = self.append(bytes);
        self.view(BufferView {
            buffer: Some(0),
            byte_offset: Some(at),
            byte_length: bytes.len() as u64,
            byte_stride: stride,
            target,
            ..BufferView::default()
        })
    }

    /// Writes one stream of all members, or their plain bytes if the plain bytes are shorter.
    fn group(&mut self, members: &[&Elements]) -> Result<u32, ExportError> {
        let Some(first) = members.first() else {
            return Ok(0);
        };
        let all: Vec<u8> = members
            .iter()
            .flat_map(|own| own.bytes.iter().copied())
            .collect();
        let target = first.role.target();
        let stride = (target == Some(Target::ArrayBuffer)).then_some(first.stride as u64);
        let stream = encode(&all, first.mode, first.stride);
        if stream.len() + EXTENSION_BYTES >= all.len() {
            let plain: Vec<u8> = members.iter().flat_map(|own| own.decoded()).collect();
            return Ok(self.plain(&plain, target, stride));
        }
        let at = self.append(&stream);
        let mode = match first.mode {
            Mode::Attributes => "ATTRIBUTES",
            Mode::Triangles => "TRIANGLES",
            Mode::Indices => "INDICES",
        };
        let mut extension = json!({
            "buffer": 0, "byteOffset": at, "byteLength": stream.len(), "byteStride": first.stride,
            "count": all.len() / first.stride, "mode": mode,
        });
        let filter = match first.filter {
            Filter::None => None,
            Filter::Octahedral => Some("OCTAHEDRAL"),
            Filter::Quaternion => Some("QUATERNION"),
            Filter::Exponential => Some("EXPONENTIAL"),
            Filter::Color => Some("COLOR"),
        };
        if let Some(filter) = filter {
            extension["filter"] = filter.into();
        }
        let mut view = BufferView {
            buffer: Some(1),
            byte_offset: Some(self.decoded),
            byte_length: all.len() as u64,
            byte_stride: stride,
            target,
            ..BufferView::default()
        };
        self.decoded = (self.decoded + all.len() as u64).next_multiple_of(4);
        view.rest
            .push("extensions", to_raw_value(&json!({MESHOPT: extension}))?);
        Ok(self.view(view))
    }

    fn finish(self, document: &mut Document, bytes: &mut Vec<u8>) -> Result<(), ExportError> {
        document.buffer_views = self.views;
        document.buffers = one_buffer(&self.bytes);
        if self.decoded > 0 {
            let mut fallback = Buffer {
                byte_length: self.decoded,
                ..Buffer::default()
            };
            let extension = json!({MESHOPT: {"fallback": true}});
            fallback.rest.push("extensions", to_raw_value(&extension)?);
            document.buffers.push(fallback);
        }
        *bytes = self.bytes;
        Ok(())
    }
}

fn renumber(document: &mut Document, new_indices: &[Option<u32>]) {
    let renumbered = |accessor: &mut u32| {
        if let Some(Some(new)) = new_indices.get(*accessor as usize) {
            *accessor = *new;
        }
    };
    for primitive in document
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives)
    {
        let targets = primitive
            .targets
            .iter_mut()
            .flat_map(|target| &mut target.0);
        let named = primitive.attributes.0.iter_mut().chain(targets);
        named.map(|(_, accessor)| accessor).for_each(renumbered);
        primitive.indices.iter_mut().for_each(renumbered);
    }
    for skin in &mut document.skins {
        skin.inverse_bind_matrices.iter_mut().for_each(renumbered);
    }
    for sampler in document.animations.iter_mut().flat_map(|a| &mut a.samplers) {
        sampler.input.iter_mut().for_each(renumbered);
        sampler.output.iter_mut().for_each(renumbered);
    }
}

fn declare(document: &mut Document, elements: &[Option<Elements>]) {
    let is_small = |own: &Elements| {
        let is_integer = own.format.component != ComponentType::Float;
        let directions = matches!(own.role, Role::Normals | Role::Tangents);
        is_integer && directions && own.format.element != ElementType::Scalar
    };
    let is_quantized = elements.iter().flatten().any(is_small);
    let is_packed = document.buffers.len() > 1;
    for (name, is_used) in [(MESHOPT, is_packed), (QUANTIZATION, is_quantized)] {
        if is_used {
            for list in [
                &mut document.extensions_used,
                &mut document.extensions_required,
            ] {
                if !list.iter().any(|known| **known == *name) {
                    list.push(name.into());
                }
            }
        }
    }
}
