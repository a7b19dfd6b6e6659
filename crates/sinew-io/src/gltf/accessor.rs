//! Decoding accessors into arrays of floats or integers.

use super::budget::Budget;
use super::buffers::Buffers;
use super::format::{ComponentType, Format};
use super::schema::{Accessor, Document};
use super::ImportError;

/// A decoded value: what components are turned into.
trait Value: Copy + Default + bytemuck::Pod {
    fn from_component<C: Raw>(component: C, normalized: bool) -> Self;
}

impl Value for f32 {
    fn from_component<C: Raw>(component: C, normalized: bool) -> f32 {
        if normalized { component.as_fraction() } else { component.as_f32() }
    }
}

impl Value for u32 {
    fn from_component<C: Raw>(component: C, _: bool) -> u32 {
        component.as_u32()
    }
}

/// A component as it lies in the buffer.
trait Raw: Sized {
    const SIZE: usize = size_of::<Self>();
    fn read(bytes: &[u8]) -> Self;
    fn as_f32(self) -> f32;
    fn as_fraction(self) -> f32;
    fn as_u32(self) -> u32;
}

macro_rules! raw_component {
    ($($Type:ty: $fraction:expr;)*) => {$(
        impl Raw for $Type {
            fn read(bytes: &[u8]) -> Self {
                // Callers cut the bytes to the size, so zero is never seen.
                bytes.first_chunk().map_or(0 as $Type, |bytes| <$Type>::from_le_bytes(*bytes))
            }
            fn as_f32(self) -> f32 {
                self as f32
            }
            fn as_fraction(self) -> f32 {
                let fraction: fn($Type) -> f32 = $fraction;
                fraction(self)
            }
            fn as_u32(self) -> u32 {
                // Negative indices do not exist; the cast makes them zero for floats and very large for integers.
                self as u32
            }
        }
    )*};
}

raw_component! {
    i8: |value| (f32::from(value) / 127.0).max(-1.0);
    u8: |value| f32::from(value) / 255.0;
    i16: |value| (f32::from(value) / 32767.0).max(-1.0);
    u16: |value| f32::from(value) / 65535.0;
    u32: |value| value as f32;
    f32: |value| value;
}

/// Reads `bytes` that hold one element every `stride` bytes.
fn fill<C: Raw, V: Value>(out: &mut [V], bytes: &[u8], stride: usize, format: Format) {
    let normalized = format.normalized && format.component.can_be_normalized();
    let components = format.element.components();
    let (rows, column_stride) = (format.element.rows(), format.column_stride());
    if stride == components * C::SIZE {
        // Tightly packed: one loop that compilers turn into wide loads.
        for (value, raw) in out.iter_mut().zip(bytes.chunks_exact(C::SIZE)) {
            *value = V::from_component(C::read(raw), normalized);
        }
        return;
    }
    for (element, raw) in out.chunks_exact_mut(components).zip(bytes.chunks(stride)) {
        for (column, raw) in element.chunks_exact_mut(rows).zip(raw.chunks(column_stride)) {
            for (value, raw) in column.iter_mut().zip(raw.chunks_exact(C::SIZE)) {
                *value = V::from_component(C::read(raw), normalized);
            }
        }
    }
}

fn fill_any<V: Value>(out: &mut [V], bytes: &[u8], stride: usize, format: Format) {
    match format.component {
        ComponentType::Byte => fill::<i8, V>(out, bytes, stride, format),
        ComponentType::UnsignedByte => fill::<u8, V>(out, bytes, stride, format),
        ComponentType::Short => fill::<i16, V>(out, bytes, stride, format),
        ComponentType::UnsignedShort => fill::<u16, V>(out, bytes, stride, format),
        ComponentType::UnsignedInt => fill::<u32, V>(out, bytes, stride, format),
        ComponentType::Float => fill::<f32, V>(out, bytes, stride, format),
    }
}
