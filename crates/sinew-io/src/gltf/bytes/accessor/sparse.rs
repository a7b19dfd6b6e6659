//! Sparse accessors: some elements override a buffer view or zeros.

use bytemuck::Pod;

use super::{Bounds, Decoder, Elements, Value, is_made_of, span_length, unusable};
use crate::gltf::document::error::GltfError;
use crate::gltf::document::format::AccessorFormat;
use crate::gltf::document::schema::Sparse;
use crate::report::Severity;

/// Nonzero elements of an accessor.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseElements<T> {
    /// Element indices, ascending.
    pub indices: Vec<u32>,
    /// Values, one per index.
    pub elements: Vec<T>,
}

struct Changes<'a> {
    indices: &'a [u8],
    index_size: usize,
    values: Elements<'a>,
}

impl<'a> Changes<'a> {
    fn targets(&self) -> impl Iterator<Item = u32> + use<'a> {
        self.indices.chunks_exact(self.index_size).map(|raw| {
            let mut word = [0; 4];
            word.iter_mut().zip(raw).for_each(|(to, from)| *to = *from);
            u32::from_le_bytes(word)
        })
    }
}

impl<'a> Decoder<'a> {
    /// Nonzero elements of an accessor, with their indices in ascending order.
    ///
    /// `None` if the accessor is not sparse, overrides a buffer view, or has unordered indices.
    ///
    /// # Errors
    /// Same as [`Decoder::values`].
    pub fn sparse_elements<T: Pod>(
        &mut self,
        index: u32,
    ) -> Result<Option<SparseElements<T>>, GltfError> {
        let (accessor, format) = self.find(index)?;
        let (Some(sparse), None) = (&accessor.sparse, accessor.buffer_view) else {
            return Ok(None);
        };
        let components = format.element.components();
        if !is_made_of::<T, f32>(components) {
            return Err(unusable(
                index,
                "the type of its elements does not fit their use",
            ));
        }
        let changes = self
            .changes(sparse, format)
            .ok_or_else(|| unusable(index, "the bytes of its sparse values are missing"))?;
        let in_order = changes.targets().is_sorted_by(|a, b| a < b);
        if !in_order
            || changes
                .targets()
                .any(|target| u64::from(target) >= accessor.count)
        {
            return Ok(None);
        }
        let length = self.charge::<T>(index, sparse.count, 1)?;
        self.charge::<u32>(index, sparse.count, 1)?;
        let mut elements: Vec<T> = bytemuck::zeroed_vec(length);
        let values: &mut [f32] = bytemuck::cast_slice_mut(&mut elements);
        changes.values.fill(0, values);
        let mut bounds = Bounds::new(components);
        bounds.add(values);
        if sparse.count < accessor.count {
            bounds.add(&[0.0; 16][..components]);
        }
        self.compare(index, accessor, format, &bounds);
        if bounds.has_odd_values() {
            values
                .iter_mut()
                .filter(|value| !value.is_finite())
                .for_each(|value| *value = 0.0);
        }
        Ok(Some(SparseElements {
            indices: changes.targets().collect(),
            elements,
        }))
    }

    pub(super) fn apply_sparse<V: Value>(
        &mut self,
        index: u32,
        sparse: &Sparse,
        format: AccessorFormat,
        values: &mut [V],
    ) -> Option<()> {
        let changes = self.changes(sparse, format)?;
        let components = format.element.components();
        let count = sparse.count;
        let mut last = None;
        let (mut unordered, mut outside) = (0_u64, 0_u64);
        for (number, target) in changes.targets().enumerate() {
            unordered += u64::from(last.is_some_and(|last| target <= last));
            last = Some(target);
            let begin = (target as usize).saturating_mul(components);
            match values.get_mut(begin..begin.saturating_add(components)) {
                Some(element) => changes.values.fill(number * changes.values.stride, element),
                None => outside += 1,
            }
        }
        let pointer = format!("/accessors/{index}/sparse");
        if unordered > 0 && !self.was_checked(index) {
            let message = format_args!(
                "{unordered} of {count} sparse indices are not greater than the index before them"
            );
            self.report.add(
                Severity::Repaired,
                "ACCESSOR_SPARSE_INDICES_NON_INCREASING",
                &pointer,
                message,
            );
        }
        if outside > 0 && !self.was_checked(index) {
            let message =
                format_args!("{outside} of {count} sparse indices are past the last element");
            self.report.add(
                Severity::Ignored,
                "ACCESSOR_SPARSE_INDEX_OOB",
                &pointer,
                message,
            );
        }
        Some(())
    }

    fn changes(&self, sparse: &Sparse, format: AccessorFormat) -> Option<Changes<'a>> {
        let (indices, values) = (sparse.indices.as_ref()?, sparse.values.as_ref()?);
        let count = usize::try_from(sparse.count).ok()?;
        let index_size = indices.component_type?.size();
        let stride = format.packed_stride();
        let length = span_length(count, stride, format.element_length())?;
        let bytes = self.packed(values.buffer_view?, values.byte_offset, length)?;
        Some(Changes {
            indices: self.packed(
                indices.buffer_view?,
                indices.byte_offset,
                count.checked_mul(index_size)?,
            )?,
            index_size,
            values: Elements {
                bytes,
                stride,
                format,
            },
        })
    }

    fn packed(&self, view: u32, byte_offset: Option<u64>, length: usize) -> Option<&'a [u8]> {
        let begin = usize::try_from(byte_offset.unwrap_or(0)).ok()?;
        self.buffers
            .view(self.document, view)?
            .get(begin..begin.checked_add(length)?)
    }
}
