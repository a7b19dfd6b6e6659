//! The single buffer of an exported document, and its accessors. Every accessor has its own view,
//! tightly packed and aligned to 4 bytes. Equal data is written once, so shared arrays stay shared.

use crate::gltf::check::replace_wrong;
use crate::gltf::document::format::{AccessorFormat, ComponentType, ElementType};
use crate::gltf::document::schema::{
    Accessor, Buffer, BufferView, Document, Sparse, SparseIndices, SparseValues, Target,
};
use crate::gltf::source::SourceDocument;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Use of an accessor. glTF allows only one use per accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// Vertex positions, which need bounds.
    Positions,
    Attribute,
    Indices,
    /// Key times, which need bounds.
    Times,
    Keys,
    Matrices,
}

impl Purpose {
    fn target(self) -> Option<Target> {
        match self {
            Self::Positions | Self::Attribute => Some(Target::ArrayBuffer),
            Self::Indices => Some(Target::ElementArrayBuffer),
            Self::Times | Self::Keys | Self::Matrices => None,
        }
    }

    fn has_bounds(self) -> bool {
        matches!(self, Self::Positions | Self::Times)
    }
}

#[derive(Default)]
pub(super) struct BufferBuilder {
    accessors: Vec<Accessor>,
    views: Vec<BufferView>,
    bytes: Vec<u8>,
    replaced: HashSet<u32>,
    written: HashMap<(Purpose, AccessorFormat, u64), Vec<u32>>,
}

fn zeros(element: ElementType, count: usize) -> Accessor {
    Accessor {
        component_type: Some(ComponentType::Float),
        element_type: Some(element),
        count: count as u64,
        ..Accessor::default()
    }
}

const fn packed(element: ElementType, component: ComponentType) -> AccessorFormat {
    AccessorFormat {
        element,
        component,
        normalized: false,
    }
}

impl BufferBuilder {
    /// Starts with the accessors of `source`, at their indices, if `source` kept its buffers.
    pub(super) fn after(source: Option<&SourceDocument>) -> Self {
        let mut builder = Self::default();
        let Some(source) = source.filter(|source| !source.buffers.is_empty()) else {
            return builder;
        };
        let mut starts = Vec::with_capacity(source.buffers.len());
        for bytes in &source.buffers {
            builder.align();
            starts.push(builder.bytes.len() as u64);
            builder.bytes.extend(bytes);
        }
        let mut kept = Document {
            accessors: source.document.accessors.clone(),
            buffer_views: source.document.buffer_views.clone(),
            buffers: vec![Buffer {
                byte_length: builder.bytes.len() as u64,
                ..Buffer::default()
            }],
            ..Document::default()
        };
        for view in &mut kept.buffer_views {
            let start = view.buffer.and_then(|buffer| starts.get(buffer as usize));
            view.buffer = start.map(|_| 0);
            let start = start.copied().unwrap_or(0);
            view.byte_offset = Some(view.byte_offset.unwrap_or(0).saturating_add(start));
        }
        builder.replaced = replace_wrong(&mut kept, &builder.bytes);
        (builder.accessors, builder.views) = (kept.accessors, kept.buffer_views);
        builder
    }

    pub(super) fn finish(self, document: &mut Document) -> Vec<u8> {
        document.accessors = self.accessors;
        document.buffer_views = self.views;
        document.buffers = one_buffer(&self.bytes);
        self.bytes
    }

    pub(super) fn count(&self, accessor: u32) -> Option<u64> {
        self.accessors.get(accessor as usize).map(|a| a.count)
    }

    pub(super) fn view_bytes(&self, view: u32) -> Option<&[u8]> {
        let view = self.views.get(view as usize)?;
        self.bytes.get(view.range()?)
    }

    pub(super) fn serves_as_keys(&self, accessor: u32) -> bool {
        let Some(found) = self.accessors.get(accessor as usize) else {
            return false;
        };
        let view = found
            .buffer_view
            .and_then(|view| self.views.get(view as usize));
        let is_plain = view.is_none_or(|view| view.byte_stride.is_none() && view.target.is_none());
        is_plain && !self.replaced.contains(&accessor)
    }

    /// True if an accessor of the source can hold key times. Adds its bounds.
    pub(super) fn serves_as_times(&mut self, accessor: u32) -> bool {
        let Some(times) = self
            .floats_of(accessor)
            .filter(|_| self.serves_as_keys(accessor))
        else {
            return false;
        };
        let ascend = times.windows(2).all(|pair| pair[0] < pair[1]);
        let are_times = ascend && times.first().is_some_and(|first| *first >= 0.0);
        if let (true, Some(found)) = (are_times, self.accessors.get_mut(accessor as usize)) {
            (found.min, found.max) = bounds(1, &times);
        }
        are_times
    }

    fn floats_of(&self, accessor: u32) -> Option<Vec<f32>> {
        let found = self.accessors.get(accessor as usize)?;
        let is_plain = found.format() == Some(packed(ElementType::Scalar, ComponentType::Float));
        let begin = usize::try_from(found.byte_offset.unwrap_or(0)).ok()?;
        let end = begin.checked_add(usize::try_from(found.count).ok()?.checked_mul(4)?)?;
        let bytes = self.view_bytes(found.buffer_view?)?.get(begin..end)?;
        let floats = bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes));
        (is_plain && found.sparse.is_none()).then(|| floats.collect())
    }

    pub(super) fn floats(
        &mut self,
        purpose: Purpose,
        element: ElementType,
        values: &[f32],
    ) -> Option<u32> {
        if !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let format = packed(element, ComponentType::Float);
        let index = self.accessor(purpose, format, &bytes);
        if purpose.has_bounds() {
            let accessor = &mut self.accessors[index as usize];
            (accessor.min, accessor.max) = bounds(element.components(), values);
        }
        Some(index)
    }

    /// Adds an accessor of bytes, for channels of true and false.
    pub(super) fn flags(&mut self, values: &[u8]) -> u32 {
        let format = packed(ElementType::Scalar, ComponentType::UnsignedByte);
        self.accessor(Purpose::Keys, format, values)
    }

    /// Adds an accessor of rotations. `None` if a rotation is not finite. Rotations that came from
    /// integers become the same integers again, because readers normalise floats but not integers.
    pub(super) fn rotations(&mut self, values: &[f32], are_unit: bool) -> Option<u32> {
        let format = |component| AccessorFormat {
            element: ElementType::Vec4,
            component,
            normalized: true,
        };
        if are_unit {
            self.floats(Purpose::Keys, ElementType::Vec4, values)
        } else if let Some(values) = fractions::<i8>(values, f32::from(i8::MAX)) {
            let bytes: Vec<u8> = values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect();
            Some(self.accessor(Purpose::Keys, format(ComponentType::Byte), &bytes))
        } else if let Some(values) = fractions::<i16>(values, f32::from(i16::MAX)) {
            let bytes: Vec<u8> = values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect();
            Some(self.accessor(Purpose::Keys, format(ComponentType::Short), &bytes))
        } else {
            self.floats(Purpose::Keys, ElementType::Vec4, values)
        }
    }

    /// True if [`Self::rotations`] stores the values as integers, whose length readers do not change.
    pub(super) fn are_fractions(values: &[f32]) -> bool {
        fractions::<i8>(values, f32::from(i8::MAX)).is_some()
            || fractions::<i16>(values, f32::from(i16::MAX)).is_some()
    }

    /// Adds an accessor of four joints per vertex, as bytes if they fit.
    pub(super) fn joints(&mut self, joints: &[u16], fit_bytes: bool) -> u32 {
        let (component, bytes): (_, Vec<u8>) = if fit_bytes {
            let bytes = joints.iter().map(|&joint| joint as u8);
            (ComponentType::UnsignedByte, bytes.collect())
        } else {
            let bytes = joints.iter().flat_map(|joint| joint.to_le_bytes());
            (ComponentType::UnsignedShort, bytes.collect())
        };
        let format = packed(ElementType::Vec4, component);
        self.accessor(Purpose::Attribute, format, &bytes)
    }

    /// Adds an accessor of vertex indices, with two bytes each if they fit.
    pub(super) fn indices(&mut self, indices: &[u32]) -> u32 {
        let (component, bytes) = integers(indices, ComponentType::UnsignedShort);
        let format = packed(ElementType::Scalar, component);
        self.accessor(Purpose::Indices, format, &bytes)
    }

    /// Adds `count` vectors: `values` at `indices`, else 0. `None` if a value is not finite.
    pub(super) fn sparse_vectors(
        &mut self,
        purpose: Purpose,
        count: usize,
        indices: &[u32],
        values: &[f32],
    ) -> Option<u32> {
        if !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        let mut accessor = zeros(ElementType::Vec3, count);
        if purpose.has_bounds() {
            let zero: &[f32] = if indices.len() < count {
                &[0.0; 3]
            } else {
                &[]
            };
            let all: Vec<f32> = zero.iter().chain(values).copied().collect();
            (accessor.min, accessor.max) = bounds(3, &all);
        }
        if !indices.is_empty() {
            let (component, bytes) = integers(indices, ComponentType::UnsignedByte);
            let indices_view = self.view(&bytes, None);
            let bytes: Vec<u8> = values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect();
            let values_view = self.view(&bytes, None);
            accessor.sparse = Some(Box::new(Sparse {
                count: indices.len() as u64,
                indices: Some(SparseIndices {
                    buffer_view: Some(indices_view),
                    component_type: Some(component),
                    ..SparseIndices::default()
                }),
                values: Some(SparseValues {
                    buffer_view: Some(values_view),
                    ..SparseValues::default()
                }),
                ..Sparse::default()
            }));
        }
        Some(self.push(accessor))
    }

    pub(super) fn zeros(&mut self, element: ElementType, count: usize) -> u32 {
        self.push(zeros(element, count))
    }

    pub(super) fn view(&mut self, bytes: &[u8], target: Option<Target>) -> u32 {
        self.align();
        self.views.push(BufferView {
            buffer: Some(0),
            byte_offset: Some(self.bytes.len() as u64),
            byte_length: bytes.len() as u64,
            target,
            ..BufferView::default()
        });
        self.bytes.extend(bytes);
        (self.views.len() - 1) as u32
    }

    fn accessor(&mut self, purpose: Purpose, format: AccessorFormat, bytes: &[u8]) -> u32 {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let key = (purpose, format, hasher.finish());
        let alike = self.written.get(&key).into_iter().flatten().copied();
        let same = alike.into_iter().find(|&index| {
            let view = self.accessors[index as usize].buffer_view;
            view.and_then(|view| self.view_bytes(view)) == Some(bytes)
        });
        if let Some(index) = same {
            return index;
        }
        let view = self.view(bytes, purpose.target());
        let index = self.push(Accessor {
            buffer_view: Some(view),
            component_type: Some(format.component),
            element_type: Some(format.element),
            normalized: format.normalized,
            count: (bytes.len() / format.packed_stride()) as u64,
            ..Accessor::default()
        });
        self.written.entry(key).or_default().push(index);
        index
    }

    fn push(&mut self, accessor: Accessor) -> u32 {
        self.accessors.push(accessor);
        (self.accessors.len() - 1) as u32
    }

    fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

pub(super) fn one_buffer(bytes: &[u8]) -> Vec<Buffer> {
    let buffer = Buffer {
        byte_length: bytes.len() as u64,
        ..Buffer::default()
    };
    if bytes.is_empty() {
        Vec::new()
    } else {
        vec![buffer]
    }
}

/// Indices in the narrowest type, at least `min`. The max of a type is reserved and not used.
fn integers(values: &[u32], min: ComponentType) -> (ComponentType, Vec<u8>) {
    let greatest = values.iter().max().copied().unwrap_or(0);
    if greatest < u32::from(u8::MAX) && min == ComponentType::UnsignedByte {
        let bytes = values.iter().map(|&value| value as u8);
        (ComponentType::UnsignedByte, bytes.collect())
    } else if greatest < u32::from(u16::MAX) {
        let bytes = values
            .iter()
            .flat_map(|&value| (value as u16).to_le_bytes());
        (ComponentType::UnsignedShort, bytes.collect())
    } else {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
        (ComponentType::UnsignedInt, bytes.collect())
    }
}

/// Integers that are exactly `values` as fractions of `greatest`. `None` if there are none.
fn fractions<T: TryFrom<i32>>(values: &[f32], greatest: f32) -> Option<Vec<T>> {
    let fraction = |&value: &f32| {
        let integer = (value * greatest).round();
        let is_exact = integer / greatest == value;
        T::try_from(integer as i32).ok().filter(|_| is_exact)
    };
    values.iter().map(fraction).collect()
}

type Bound = Option<Box<[f64]>>;

pub(super) fn bounds(components: usize, values: &[f32]) -> (Bound, Bound) {
    let of = |better: fn(f32, f32) -> f32| {
        let mut bound: Vec<f32> = values.iter().take(components).copied().collect();
        for element in values.chunks_exact(components) {
            for (bound, value) in bound.iter_mut().zip(element) {
                *bound = better(*bound, *value);
            }
        }
        Some(bound.into_iter().map(f64::from).collect())
    };
    (of(f32::min), of(f32::max))
}
