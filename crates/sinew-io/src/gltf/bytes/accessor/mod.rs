//! Decodes accessors to arrays of floats or integers.

mod bounds;
mod component;
mod sparse;

use bytemuck::Pod;
pub use component::{Component, Value};
pub use sparse::SparseElements;

use super::buffers::Buffers;
use crate::gltf::document::budget::Budget;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::format::{AccessorFormat, ComponentType};
use crate::gltf::document::schema::{Accessor, Document};
use crate::report::{FileReport, Severity};
use bounds::Bounds;

/// Elements per block. A block stays in the cache for a second pass.
const BLOCK: usize = 1024;

/// Decodes the accessors of one document.
#[expect(missing_debug_implementations)] // it borrows a whole document
pub struct Decoder<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    budget: &'a mut Budget,
    report: &'a mut FileReport,
    checked: Vec<bool>,
}

#[derive(Clone, Copy)]
struct Elements<'a> {
    bytes: &'a [u8],
    stride: usize,
    format: AccessorFormat,
}

fn is_made_of<T, V>(components: usize) -> bool {
    size_of::<T>() == components * size_of::<V>() && align_of::<T>() >= align_of::<V>()
}

impl<'a> Decoder<'a> {
    /// Creates a decoder for the accessors of `document`.
    pub fn new(
        document: &'a Document,
        buffers: &'a Buffers<'a>,
        budget: &'a mut Budget,
        report: &'a mut FileReport,
    ) -> Self {
        let checked = vec![false; document.accessors.len()];
        Decoder {
            document,
            buffers,
            budget,
            report,
            checked,
        }
    }

    /// The document that is decoded.
    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// The report to which findings are added.
    pub fn report(&mut self) -> &mut FileReport {
        self.report
    }

    /// The memory budget.
    pub fn budget(&mut self) -> &mut Budget {
        self.budget
    }

    /// True if the values of an accessor were compared with its declared bounds.
    pub fn was_checked(&self, index: u32) -> bool {
        self.checked.get(index as usize).copied().unwrap_or(false)
    }

    /// All components of an accessor, element by element.
    ///
    /// # Errors
    /// [`GltfError::MemoryLimit`] if the array exceeds the budget. [`GltfError::Invalid`] if the
    /// accessor is unreadable, which cannot happen in a checked document.
    pub fn values<V: Value>(&mut self, index: u32) -> Result<Vec<V>, GltfError> {
        let (accessor, format) = self.find(index)?;
        let length = self.charge::<V>(index, accessor.count, format.element.components())?;
        let mut values = bytemuck::zeroed_vec(length);
        self.decode(index, accessor, format, &mut values)?;
        Ok(values)
    }

    /// The elements of an accessor as `T`, which holds one `V` per component.
    ///
    /// # Errors
    /// Same as [`Decoder::values`].
    pub fn elements<T: Pod, V: Value>(&mut self, index: u32) -> Result<Vec<T>, GltfError> {
        let (accessor, format) = self.find(index)?;
        if !is_made_of::<T, V>(format.element.components()) {
            return Err(unusable(
                index,
                "the type of its elements does not fit their use",
            ));
        }
        let length = self.charge::<T>(index, accessor.count, 1)?;
        let mut elements: Vec<T> = bytemuck::zeroed_vec(length);
        self.decode::<V>(
            index,
            accessor,
            format,
            bytemuck::cast_slice_mut(&mut elements),
        )?;
        Ok(elements)
    }

    fn find(&self, index: u32) -> Result<(&'a Accessor, AccessorFormat), GltfError> {
        let accessor = self.document.accessors.get(index as usize);
        let accessor = accessor.ok_or_else(|| unusable(index, "the accessor does not exist"))?;
        let format = accessor
            .format()
            .ok_or_else(|| unusable(index, "its format is unknown"))?;
        Ok((accessor, format))
    }

    fn charge<T>(&mut self, index: u32, count: u64, components: usize) -> Result<usize, GltfError> {
        let length = count.saturating_mul(components as u64);
        let bytes = length.saturating_mul(size_of::<T>() as u64);
        self.budget
            .charge(bytes, "a decoded accessor", format!("/accessors/{index}"))?;
        usize::try_from(length)
            .map_err(|_| unusable(index, "it has more elements than this computer can address"))
    }

    /// Decodes into an array of zeros, and compares the values with the declared bounds.
    fn decode<V: Value>(
        &mut self,
        index: u32,
        accessor: &'a Accessor,
        format: AccessorFormat,
        values: &mut [V],
    ) -> Result<(), GltfError> {
        let components = format.element.components();
        let mut bounds = Bounds::new(components);
        if accessor.buffer_view.is_some() {
            let elements = self
                .locate(accessor, format)
                .ok_or_else(|| unusable(index, "the bytes of its buffer are missing"))?;
            for (block, values) in values.chunks_mut(BLOCK * components).enumerate() {
                elements.fill(block * BLOCK * elements.stride, values);
                if accessor.sparse.is_none() {
                    bounds.add(values);
                }
            }
        }
        if let Some(sparse) = &accessor.sparse {
            let applied = self.apply_sparse(index, sparse, format, values);
            applied
                .ok_or_else(|| unusable(index, "the bytes of its sparse elements are missing"))?;
            values
                .chunks(BLOCK * components)
                .for_each(|values| bounds.add(values));
        }
        self.compare(index, accessor, format, &bounds);
        if bounds.has_odd_values() {
            values
                .iter_mut()
                .filter(|value| value.oddness().is_nan())
                .for_each(|value| *value = V::default());
        }
        Ok(())
    }

    fn compare<V: Value>(
        &mut self,
        index: u32,
        accessor: &Accessor,
        format: AccessorFormat,
        bounds: &Bounds<V>,
    ) {
        if let Some(checked) = self.checked.get_mut(index as usize)
            && !std::mem::replace(checked, true)
            && (accessor.buffer_view.is_some() || accessor.sparse.is_some())
        {
            bounds.check(accessor, format, index, self.report);
        }
    }

    fn locate(&self, accessor: &Accessor, format: AccessorFormat) -> Option<Elements<'a>> {
        let view_index = accessor.buffer_view?;
        let view = self.document.buffer_views.get(view_index as usize)?;
        let stride = match view.byte_stride {
            Some(stride) => usize::try_from(stride)
                .ok()
                .filter(|stride| *stride >= format.element_length())?,
            None => format.packed_stride(),
        };
        let begin = usize::try_from(accessor.byte_offset.unwrap_or(0)).ok()?;
        let length = span_length(
            usize::try_from(accessor.count).ok()?,
            stride,
            format.element_length(),
        )?;
        let bytes = self
            .buffers
            .view(self.document, view_index)?
            .get(begin..begin.checked_add(length)?)?;
        Some(Elements {
            bytes,
            stride,
            format,
        })
    }
}

pub(in crate::gltf) fn span_length(
    count: usize,
    stride: usize,
    element_length: usize,
) -> Option<usize> {
    match count.checked_sub(1) {
        None => Some(0),
        Some(gaps) => gaps.checked_mul(stride)?.checked_add(element_length),
    }
}

impl Elements<'_> {
    fn fill<V: Value>(self, begin: usize, out: &mut [V]) {
        match self.format.component {
            ComponentType::Byte => self.fill_from::<i8, V>(begin, out),
            ComponentType::UnsignedByte => self.fill_from::<u8, V>(begin, out),
            ComponentType::Short => self.fill_from::<i16, V>(begin, out),
            ComponentType::UnsignedShort => self.fill_from::<u16, V>(begin, out),
            ComponentType::UnsignedInt => self.fill_from::<u32, V>(begin, out),
            ComponentType::Float => self.fill_from::<f32, V>(begin, out),
        }
    }

    fn fill_from<C: Component, V: Value>(self, begin: usize, out: &mut [V]) {
        let bytes = self.bytes.get(begin..).unwrap_or_default();
        let normalized = self.format.is_normalized();
        let components = self.format.element.components();
        if self.stride == components * size_of::<C>() {
            // Tightly packed values, in a plain loop that the compiler vectorises.
            for (value, raw) in out.iter_mut().zip(bytes.chunks_exact(size_of::<C>())) {
                *value = V::from_component(C::read(raw), normalized);
            }
            return;
        }
        let (rows, column_stride) = (self.format.element.rows(), self.format.column_stride());
        for (element, raw) in out
            .chunks_exact_mut(components)
            .zip(bytes.chunks(self.stride))
        {
            for (column, raw) in element
                .chunks_exact_mut(rows)
                .zip(raw.chunks(column_stride))
            {
                for (value, raw) in column.iter_mut().zip(raw.chunks_exact(size_of::<C>())) {
                    *value = V::from_component(C::read(raw), normalized);
                }
            }
        }
    }
}

fn unusable(index: u32, reason: &str) -> GltfError {
    let mut report = FileReport::default();
    report.add(
        Severity::Error,
        "ACCESSOR_UNUSABLE",
        format_args!("/accessors/{index}"),
        reason,
    );
    GltfError::Invalid(report)
}
