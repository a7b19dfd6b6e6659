//! Decoding accessors into arrays of floats or integers.

use bytemuck::Pod;

use super::ImportError;
use super::bounds::Bounds;
use super::budget::Budget;
use super::buffers::Buffers;
use super::format::{ComponentType, Format};
use super::schema::{Accessor, Document, Sparse};
use crate::report::{Report, Severity};

/// How many elements are decoded at a time, so that looking at them once more finds them in the cache.
const BLOCK: usize = 1024;

/// What components are turned into.
pub trait Value: Pod + PartialOrd + Default {
    /// From a component as it lies in the buffer.
    fn from_component<C: Component>(component: C, normalized: bool) -> Self;

    /// Zero, or what is not a number for a value that is infinite or not a number.
    fn oddness(self) -> f32;

    /// From a bound as the document spells it, in the units of the buffer.
    fn from_bound(bound: f64, format: Format) -> Self;
}

impl Value for f32 {
    fn from_component<C: Component>(component: C, normalized: bool) -> f32 {
        if normalized { component.as_fraction() } else { component.as_f32() }
    }
    fn oddness(self) -> f32 {
        self * 0.0
    }
    fn from_bound(bound: f64, format: Format) -> f32 {
        if !format.is_normalized() {
            return bound as f32;
        }
        match format.component {
            ComponentType::Byte => (bound as i8).as_fraction(),
            ComponentType::UnsignedByte => (bound as u8).as_fraction(),
            ComponentType::Short => (bound as i16).as_fraction(),
            _ => (bound as u16).as_fraction(),
        }
    }
}

macro_rules! integer_value {
    ($($Type:ty),*) => {$(
        impl Value for $Type {
            fn from_component<C: Component>(component: C, _: bool) -> $Type {
                let index = component.as_u32();
                <$Type>::try_from(index).unwrap_or(<$Type>::MAX)
            }
            fn oddness(self) -> f32 {
                0.0
            }
            fn from_bound(bound: f64, _: Format) -> $Type {
                bound as $Type
            }
        }
    )*};
}

integer_value!(u16, u32);

/// A component as it lies in the buffer.
pub trait Component: Sized {
    /// From exactly its bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Its value.
    fn as_f32(self) -> f32;
    /// Its value as a fraction of its range.
    fn as_fraction(self) -> f32;
    /// Its value as an index; the nearest one when it is none.
    fn as_u32(self) -> u32;
}

macro_rules! component {
    ($($Type:ident as_u32 $as_u32:expr, as_fraction $as_fraction:expr;)*) => {$(
        impl Component for $Type {
            fn read(bytes: &[u8]) -> Self {
                // Callers cut the bytes to the size, so the default is never seen.
                bytes.first_chunk().map_or(<$Type>::default(), |bytes| <$Type>::from_le_bytes(*bytes))
            }
            fn as_f32(self) -> f32 {
                self as f32
            }
            fn as_fraction(self) -> f32 {
                let as_fraction: fn($Type) -> f32 = $as_fraction;
                as_fraction(self)
            }
            fn as_u32(self) -> u32 {
                let as_u32: fn($Type) -> u32 = $as_u32;
                as_u32(self)
            }
        }
    )*};
}

component! {
    i8 as_u32 |value| value.max(0) as u32, as_fraction |value| (f32::from(value) / 127.0).max(-1.0);
    u8 as_u32 u32::from, as_fraction |value| f32::from(value) / 255.0;
    i16 as_u32 |value| value.max(0) as u32, as_fraction |value| (f32::from(value) / 32767.0).max(-1.0);
    u16 as_u32 u32::from, as_fraction |value| f32::from(value) / 65535.0;
    u32 as_u32 |value| value, as_fraction |value| value as f32;
    f32 as_u32 |value| value as u32, as_fraction |value| value;
}

/// Decodes the accessors of one document.
pub struct Decoder<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    budget: &'a mut Budget,
    report: &'a mut Report,
    checked: Vec<bool>,
}

/// The bytes of an accessor, one element every `stride`.
#[derive(Clone, Copy)]
struct Elements<'a> {
    bytes: &'a [u8],
    stride: usize,
    format: Format,
}

impl<'a> Decoder<'a> {
    /// For the accessors of `document`.
    pub fn new(
        document: &'a Document,
        buffers: &'a Buffers<'a>,
        budget: &'a mut Budget,
        report: &'a mut Report,
    ) -> Self {
        let checked = vec![false; document.accessors.len()];
        Decoder { document, buffers, budget, report, checked }
    }

    /// The document that is decoded.
    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// Where findings go.
    pub fn report(&mut self) -> &mut Report {
        self.report
    }

    /// What counts memory.
    pub fn budget(&mut self) -> &mut Budget {
        self.budget
    }

    /// How many elements an accessor has.
    pub fn count(&self, index: u32) -> usize {
        let accessor = self.document.accessors.get(index as usize);
        accessor.map_or(0, |accessor| usize::try_from(accessor.count).unwrap_or(usize::MAX))
    }

    /// Every component of an accessor, element after element.
    ///
    /// # Errors
    /// [`ImportError::MemoryLimit`] when the array would pass the budget; [`ImportError::Invalid`] when the accessor
    /// cannot be read at all, which a document that was checked does not have.
    pub fn values<V: Value>(&mut self, index: u32) -> Result<Vec<V>, ImportError> {
        self.decode(index, None)
    }

    /// The elements of an accessor as structures of as many values as an element has components.
    ///
    /// # Errors
    /// As [`Decoder::values`].
    pub fn elements<T: Pod, V: Value>(&mut self, index: u32) -> Result<Vec<T>, ImportError> {
        self.decode(index, Some(size_of::<T>() / size_of::<V>())).map(|values: Vec<V>| {
            // The width was checked, so the values are a whole number of elements; a copy is for allocators' sake only.
            bytemuck::allocation::try_cast_vec(values).unwrap_or_else(|(_, values)| bytemuck::pod_collect_to_vec(&values))
        })
    }

    fn decode<V: Value>(&mut self, index: u32, width: Option<usize>) -> Result<Vec<V>, ImportError> {
        let pointer = || format!("/accessors/{index}");
        let unusable = |message: &str| {
            let mut report = Report::default();
            report.add(Severity::Error, "ACCESSOR_UNUSABLE", pointer(), message);
            ImportError::Invalid(report)
        };
        let accessor = self.document.accessors.get(index as usize).ok_or_else(|| unusable("there is no such accessor"))?;
        let format = accessor.format().ok_or_else(|| unusable("its format is unknown"))?;
        let components = format.element.components();
        if width.is_some_and(|width| width != components) {
            return Err(unusable("its elements have another shape than their use"));
        }
        let count = usize::try_from(accessor.count).unwrap_or(usize::MAX);
        let length = count.checked_mul(components).unwrap_or(usize::MAX);
        let bytes = (length as u64).saturating_mul(size_of::<V>() as u64);
        self.budget.charge(bytes, "a decoded accessor", pointer())?;
        let mut values: Vec<V> = bytemuck::zeroed_vec(length);
        let mut bounds = Bounds::new(components);
        if accessor.buffer_view.is_some() {
            let elements = self.locate(accessor, format).ok_or_else(|| unusable("its bytes are not there"))?;
            for (block, values) in values.chunks_mut(BLOCK * components).enumerate() {
                let begin = block * BLOCK * elements.stride;
                elements.fill(begin, values);
                if accessor.sparse.is_none() {
                    bounds.add(values);
                }
            }
        }
        if let Some(sparse) = &accessor.sparse {
            self.apply_sparse(index, sparse, format, &mut values).ok_or_else(|| unusable("its sparse bytes are not there"))?;
            values.chunks(BLOCK * components).for_each(|values| bounds.add(values));
        }
        let has_data = accessor.buffer_view.is_some() || accessor.sparse.is_some();
        if let Some(checked) = self.checked.get_mut(index as usize)
            && has_data
            && !std::mem::replace(checked, true)
        {
            bounds.check(accessor, format, index, self.report);
        }
        if bounds.has_odd_values() {
            values.iter_mut().filter(|value| value.oddness().is_nan()).for_each(|value| *value = V::default());
        }
        Ok(values)
    }

    fn locate(&self, accessor: &Accessor, format: Format) -> Option<Elements<'a>> {
        let view_index = accessor.buffer_view?;
        let view = self.document.buffer_views.get(view_index as usize)?;
        let stride = match view.byte_stride {
            Some(stride) => usize::try_from(stride).ok().filter(|stride| *stride >= format.element_length())?,
            None => format.packed_stride(),
        };
        let begin = usize::try_from(accessor.byte_offset.unwrap_or(0)).ok()?;
        let length = span_length(usize::try_from(accessor.count).ok()?, stride, format.element_length())?;
        let bytes = self.buffers.view(self.document, view_index)?.get(begin..begin.checked_add(length)?)?;
        Some(Elements { bytes, stride, format })
    }

    /// Puts the elements that differ in their places. What is wrong with the indices goes to the report.
    fn apply_sparse<V: Value>(&mut self, index: u32, sparse: &Sparse, format: Format, values: &mut [V]) -> Option<()> {
        let (indices, changes) = (sparse.indices.as_ref()?, sparse.values.as_ref()?);
        let count = usize::try_from(sparse.count).ok()?;
        let components = format.element.components();
        let index_size = indices.component_type?.size();
        let indices = self.packed(indices.buffer_view?, indices.byte_offset, count.checked_mul(index_size)?)?;
        let element_stride = format.packed_stride();
        let length = span_length(count, element_stride, format.element_length())?;
        let bytes = self.packed(changes.buffer_view?, changes.byte_offset, length)?;
        let changes = Elements { bytes, stride: element_stride, format };
        let mut last = None;
        let (mut unordered, mut outside) = (0u64, 0u64);
        for (place, raw) in indices.chunks_exact(index_size).enumerate() {
            let mut word = [0; 4];
            word.iter_mut().zip(raw).for_each(|(to, from)| *to = *from);
            let target = u32::from_le_bytes(word) as usize;
            unordered += u64::from(last.is_some_and(|last| target <= last));
            last = Some(target);
            let begin = target.saturating_mul(components);
            match values.get_mut(begin..begin.saturating_add(components)) {
                Some(element) => changes.fill(place * element_stride, element),
                None => outside += 1,
            }
        }
        let pointer = format!("/accessors/{index}/sparse");
        if unordered > 0 {
            let message = format_args!("{unordered} of {count} sparse indices do not come after the one before");
            self.report.add(Severity::Repaired, "ACCESSOR_SPARSE_INDICES_NON_INCREASING", &pointer, message);
        }
        if outside > 0 {
            let message = format_args!("{outside} of {count} sparse indices are past the last element");
            self.report.add(Severity::Ignored, "ACCESSOR_SPARSE_INDEX_OOB", &pointer, message);
        }
        Some(())
    }

    fn packed(&self, view: u32, byte_offset: Option<u64>, length: usize) -> Option<&'a [u8]> {
        let begin = usize::try_from(byte_offset.unwrap_or(0)).ok()?;
        self.buffers.view(self.document, view)?.get(begin..begin.checked_add(length)?)
    }
}

/// Bytes from the first to the last component of `count` elements.
pub(super) fn span_length(count: usize, stride: usize, element_length: usize) -> Option<usize> {
    match count.checked_sub(1) {
        None => Some(0),
        Some(gaps) => gaps.checked_mul(stride)?.checked_add(element_length),
    }
}

impl Elements<'_> {
    /// Decodes into `out` from the element that begins at byte `begin`.
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
            // Tightly packed: one plain loop, which becomes wide loads.
            for (value, raw) in out.iter_mut().zip(bytes.chunks_exact(size_of::<C>())) {
                *value = V::from_component(C::read(raw), normalized);
            }
            return;
        }
        let (rows, column_stride) = (self.format.element.rows(), self.format.column_stride());
        for (element, raw) in out.chunks_exact_mut(components).zip(bytes.chunks(self.stride)) {
            for (column, raw) in element.chunks_exact_mut(rows).zip(raw.chunks(column_stride)) {
                for (value, raw) in column.iter_mut().zip(raw.chunks_exact(size_of::<C>())) {
                    *value = V::from_component(C::read(raw), normalized);
                }
            }
        }
    }
}
