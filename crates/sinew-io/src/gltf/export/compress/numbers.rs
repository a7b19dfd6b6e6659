use crate::gltf::document::format::{AccessorFormat, ComponentType};
use crate::gltf::document::schema::{Accessor, Document};
use std::ops::Range;

#[derive(Clone, Debug)]
pub(super) struct Numbers {
    pub(super) format: AccessorFormat,
    pub(super) bytes: Vec<u8>,
}

impl Numbers {
    /// Reads an accessor as the exporter writes it: one view, or sparse elements over zeros.
    pub(super) fn read(document: &Document, bytes: &[u8], index: usize) -> Option<Self> {
        let accessor = document.accessors.get(index)?;
        let format = accessor.format()?;
        let (count, stride) = (
            usize::try_from(accessor.count).ok()?,
            format.packed_stride(),
        );
        let mut own = match accessor.buffer_view {
            Some(view) => {
                part(document, bytes, view, accessor.byte_offset, count * stride)?.to_vec()
            }
            None => vec![0; count * stride],
        };
        fill_sparse(document, bytes, accessor, stride, &mut own)?;
        Some(Self { format, bytes: own })
    }

    pub(super) fn stride(&self) -> usize {
        self.format.packed_stride()
    }

    pub(super) fn count(&self) -> usize {
        self.bytes.len() / self.stride()
    }

    pub(super) fn floats(&self) -> Option<Vec<f32>> {
        let words = self.bytes.as_chunks::<4>().0.iter();
        let is_float = self.format.component == ComponentType::Float;
        is_float.then(|| words.map(|word| f32::from_le_bytes(*word)).collect())
    }

    pub(super) fn indices(&self) -> Vec<u32> {
        let whole = self.bytes.chunks_exact(self.format.component.size());
        let read = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |sum, b| sum << 8 | u32::from(*b))
        };
        whole.map(read).collect()
    }

    pub(super) fn set_indices(&mut self, indices: &[u32]) {
        let size = self.format.component.size();
        let bytes = indices
            .iter()
            .flat_map(|index| index.to_le_bytes().into_iter().take(size));
        self.bytes = bytes.collect();
    }

    pub(super) fn element(&self, index: usize) -> &[u8] {
        let stride = self.stride();
        &self.bytes[index * stride..][..stride]
    }

    pub(super) fn taken(&self, which: &[u32]) -> Self {
        let elements = which.iter().flat_map(|i| self.element(*i as usize));
        Self {
            format: self.format,
            bytes: elements.copied().collect(),
        }
    }
}

fn part<'b>(
    document: &Document,
    bytes: &'b [u8],
    view: u32,
    offset: Option<u64>,
    length: usize,
) -> Option<&'b [u8]> {
    let view = document.buffer_views.get(view as usize)?;
    let begin = view
        .byte_offset
        .unwrap_or(0)
        .checked_add(offset.unwrap_or(0))?;
    let begin = usize::try_from(begin).ok()?;
    let range: Range<usize> = begin..begin.checked_add(length)?;
    bytes.get(range)
}

fn fill_sparse(
    document: &Document,
    bytes: &[u8],
    accessor: &Accessor,
    stride: usize,
    out: &mut [u8],
) -> Option<()> {
    let Some(sparse) = accessor.sparse.as_deref() else {
        return Some(());
    };
    let count = usize::try_from(sparse.count).ok()?;
    let (indices, values) = (sparse.indices.as_ref()?, sparse.values.as_ref()?);
    let size = indices.component_type?.size();
    let indices = part(
        document,
        bytes,
        indices.buffer_view?,
        indices.byte_offset,
        count * size,
    )?;
    let values = part(
        document,
        bytes,
        values.buffer_view?,
        values.byte_offset,
        count * stride,
    )?;
    for (index, value) in indices.chunks_exact(size).zip(values.chunks_exact(stride)) {
        let index = index
            .iter()
            .rev()
            .fold(0, |sum, b| sum << 8 | usize::from(*b));
        out.get_mut(index * stride..(index + 1) * stride)?
            .copy_from_slice(value);
    }
    Some(())
}
